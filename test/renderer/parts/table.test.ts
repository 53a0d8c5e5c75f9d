import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, Row } from "../../../shared/contract/report.ts";
import { columnsAt, displayedAmounts } from "../../../renderer/parts/table.ts";

const columns: readonly Column[] = [
  { id: "name", label: { key: "a" }, kind: "text", priority: 1 },
  { id: "spend", label: { key: "b" }, kind: "figure", priority: 1 },
  { id: "reason", label: { key: "c" }, kind: "text", priority: 2 },
  { id: "meaning", label: { key: "d" }, kind: "text", priority: 3 },
];
const row = (id: string, attos: bigint): Row => ({ id, cells: [{ text: id }, { figure: { metric: "spend", value: attos, unit: "USD", basis: "billed", coverage: 1 } }, { text: "" }, { text: "" }] });
const cent = 10n ** 16n;

describe("a table's columns", () => {
  it("leave by their importance, and the last ones never stand in it", () => {
    expect(columnsAt(columns, false)).toEqual({ shown: [0, 1, 2], hidden: [3] });
    expect(columnsAt(columns, true)).toEqual({ shown: [0, 1], hidden: [2, 3] });
  });
});

describe("the amounts a table shows", () => {
  it("add to the total shown: three thirds of a dollar", () => {
    const third = 333_333_333_333_333_333n;
    const amounts = displayedAmounts({ columns, rows: [row("a", third + 1n), row("b", third), row("c", third)], total: row("total", 10n ** 18n) });
    expect([amounts.get("a/1"), amounts.get("b/1"), amounts.get("c/1"), amounts.get("total/1")]).toEqual([34n * cent, 33n * cent, 33n * cent, 100n * cent]);
  });

  it("add to it for any amounts, and none is off by a cent or more", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), { minLength: 1, maxLength: 30 }), (values) => {
        const rows = values.map((value, index) => row(`r${index}`, value));
        const total = values.reduce((sum, value) => sum + value, 0n);
        const amounts = displayedAmounts({ columns, rows, total: row("total", total) });
        expect(rows.reduce((sum, { id }) => sum + amounts.get(`${id}/1`)!, 0n)).toBe(amounts.get("total/1"));
        values.forEach((value, index) => {
          const off = amounts.get(`r${index}/1`)! - value;
          expect(off < cent && off > -cent).toBe(true);
        });
      }),
    );
  });

  it("are left alone where the rows are not parts of the total", () => {
    expect(displayedAmounts({ columns, rows: [row("a", 1n)], total: row("total", 2n) }).size).toBe(0);
  });
});
