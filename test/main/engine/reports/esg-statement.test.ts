import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../../main/cli/words.ts";
import { readable } from "../../../../main/engine/reports/esg.ts";
import type { Row, TableBlock } from "../../../../shared/contract/report.ts";

const row = (id: string, value: number | null): Row => ({ id, cells: [{ text: id }, { figure: { metric: "energy-kwh", value, unit: "kWh", basis: "derived", coverage: 1 } }] });
const table = (rows: readonly Row[], total: Row | null = null): TableBlock => ({
  kind: "table", id: "factors", title: { key: "carbon.factors.title" }, note: { key: "carbon.factors.note" }, chart: null, rows, total,
  columns: [{ id: "name", label: { key: "a" }, kind: "text", priority: 1 }, { id: "energy", label: { key: "b" }, kind: "figure", priority: 1 }],
});

describe("a statement's long table", () => {
  it("holds its largest lines in their own order, and says where all of them are", async () => {
    const cut = readable(table([row("a", 3), row("b", 9), row("c", null), row("d", 5)]), 2);
    expect(cut.rows.map(({ id }) => id)).toEqual(["b", "d"]);
    expect((await wordsOf("en")).text(cut.note ?? { key: "" })).toBe("our own beat those shipped; the 2 largest of 4 lines; the pack’s workbook and CSV files hold all");
    expect((await wordsOf("zh-CN")).text(cut.note ?? { key: "" })).toBe("自有因子优先于随附因子；共 4 行，列出最大的 2 行；全部见资料包的工作簿与 CSV");
  });

  it("is whole where it is short, or has a total that its lines add up to", () => {
    const short = table([row("a", 1)]);
    expect(readable(short, 2)).toBe(short);
    const closing = table([row("a", 1), row("b", 2), row("c", 3)], row("total", 6));
    expect(readable(closing, 2)).toBe(closing);
  });
});
