import { describe, expect, it } from "vitest";
import { changesOf, totalOf } from "../../../renderer/reports/imports/amounts.ts";
import { cents, documentsIn } from "../documents.ts";

const file = documentsIn("en").preview.files[0]!;

describe("what a file would change", () => {
  it("adds over its deliveries, one list a currency, in a fixed order", () => {
    const twice = changesOf({ deliveries: [...file.deliveries, ...file.deliveries] });
    expect([...twice.keys()]).toEqual(["USD"]);
    expect(twice.get("USD")?.map(({ kind }) => kind)).toEqual(["same", "changed", "new", "removed"]);
    expect(twice.get("USD")?.[1]).toMatchObject({ rows: 776, was: cents(387_554), becomes: cents(368_532) });
  });

  it("closes: rows that stay, and the change of the whole", () => {
    expect(totalOf(changesOf(file).get("USD")!)).toEqual({ rows: 48_199, was: cents(11_736_803), becomes: cents(11_786_702), change: cents(49_899) });
  });

  it("keeps absent amounts absent", () => {
    expect(totalOf([{ kind: "new", rows: 1, cells: 1, was: null, becomes: null }])).toEqual({ rows: 1, was: null, becomes: null, change: null });
  });
});
