import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, Explanation, FigureRef, ReportDocument, Row, TableBlock } from "../../../shared/contract/report.ts";
import { displayedAmounts, displayedQuantities, settledDocument, settledExplanation, shownParts } from "../../../shared/contract/table.ts";
import type { Figure } from "../../../shared/domain/figure.ts";

const CENT = 10n ** 16n;
const usd = (value: bigint): Figure => ({ metric: "spend", value, unit: "USD", basis: "billed", coverage: 1 });
const row = (id: string, ...amounts: readonly bigint[]): Row => ({ id, cells: [{ text: id }, ...amounts.map((amount) => ({ figure: usd(amount) }))] });
const table = (id: string, rows: readonly Row[], total: Row): TableBlock => {
  const figures = total.cells.slice(1).map((_cell, index): Column => ({ id: `c${index}`, label: { key: "a" }, kind: "figure", priority: 1 }));
  return { kind: "table", id, title: { key: "a" }, note: null, chart: null, columns: [{ id: "name", label: { key: "a" }, kind: "text", priority: 1 }, ...figures], rows, total };
};
const documentOf = (...blocks: ReportDocument["blocks"]): ReportDocument => ({ title: { key: "a" }, answer: { key: "a" }, context: [], blocks }) as unknown as ReportDocument;
const tablesOf = ({ blocks }: ReportDocument): readonly TableBlock[] => blocks.filter((block) => block.kind === "table");

describe("amounts of one document", () => {
  // Two ways of a whole: 0.005 each. Alone each rounds to 0.00 (half to even), together they are 0.01.
  const [half, whole] = [CENT / 2n, CENT];
  const document = settledDocument({
    ...documentOf(
      table("ways", [row("held", half), row("dead", half + 1n)], row("total", whole + 1n)),
      table("teams", [row("a", half + 1n, half), row("b", 0n, 1n)], row("total", half + 1n, half + 1n)),
    ),
    answer: { key: "a", params: { dead: { figure: usd(half + 1n) }, same: { money: half, currency: "USD" } } },
  });

  it("show one quantity with the same cents in every table and sentence, and every table adds up", () => {
    const [ways, teams] = tablesOf(document);
    if (ways === undefined || teams === undefined) throw new Error("two tables");
    expect(Object.fromEntries(displayedAmounts(ways))).toEqual({ "held/1": 0n, "dead/1": CENT, "total/1": CENT });
    expect(displayedAmounts(teams).get("total/1")).toBe(CENT);
    expect(displayedAmounts(teams).get("total/2")).toBe(CENT);
    expect(displayedAmounts(teams).get("a/2")).toBe(0n);
    expect(displayedAmounts(teams).get("b/2")).toBe(CENT);
  });

  it("leave what is rounded alone as it is", () => {
    expect(JSON.stringify(settledDocument(documentOf(table("t", [row("a", 3n * CENT)], row("total", 3n * CENT)))), (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain("shown");
  });

  it("add up in every table, whatever the amounts; none is off by more than a cent", () => {
    const amounts = fc.array(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(amounts, (values) => {
        const total = values.reduce((sum, value) => sum + value, 0n);
        const rows = values.map((value, index) => row(`r${index}`, value));
        const pairs = [values[0] ?? 0n, values[1] ?? 0n];
        const settled = settledDocument(documentOf(table("all", rows, row("total", total)), table("two", pairs.map((value, index) => row(`p${index}`, value)), row("total", pairs.reduce((sum, value) => sum + value, 0n)))));
        for (const block of tablesOf(settled)) {
          const shown = displayedAmounts(block);
          expect(block.rows.reduce((sum, { id }) => sum + (shown.get(`${id}/1`) ?? 0n), 0n)).toBe(shown.get("total/1"));
          for (const { id, cells } of block.rows) {
            const cell = cells[1];
            const off = (shown.get(`${id}/1`) ?? 0n) - (cell !== undefined && "figure" in cell ? (cell.figure.value as bigint) : 0n);
            expect(off <= CENT && off >= -CENT).toBe(true);
          }
        }
      }),
    );
  });

  it("give a cent too many to the rest, so that what has a name is rounded as it is everywhere", () => {
    const [a, b, rest] = [1_004_000_000_000_000_000n, 2_004_000_000_000_000_000n, 3_004_000_000_000_000_000n];
    const shown = displayedAmounts(table("t", [row("a", a), row("b", b), { ...row("rest", rest), tone: "muted" }], row("total", a + b + rest)));
    expect(Object.fromEntries(shown)).toEqual({ "a/1": 100n * CENT, "b/1": 200n * CENT, "rest/1": 301n * CENT, "total/1": 601n * CENT });
  });

  it("never give a cent to a rest that is nothing, nor turn its sign: nothing unknown stays nothing", () => {
    const [a, b] = [1_004_000_000_000_000_000n, 2_004_000_000_000_000_000n];
    const three = [row("a", a), row("b", a), row("c", b)];
    const nothing = displayedAmounts(table("t", [...three, { ...row("rest", 0n), tone: "unknown" }], row("total", a + a + b)));
    expect(Object.fromEntries(nothing)).toEqual({ "a/1": 100n * CENT, "b/1": 100n * CENT, "c/1": 201n * CENT, "rest/1": 0n, "total/1": 401n * CENT });
    const [big, small] = [1_006_000_000_000_000_000n, 1_000_000_000_000_000n];
    const little = displayedAmounts(table("t", [row("a", big), row("b", big), { ...row("rest", small), tone: "muted" }], row("total", big + big + small)));
    expect(little.get("rest/1")).toBe(0n);
    expect((little.get("a/1") ?? 0n) + (little.get("b/1") ?? 0n)).toBe(201n * CENT);
  });

  it("show named parts the same however finely the rest beside them is told apart, in whatever order", () => {
    // 24062.665 rounds to .66 (half to even) and the others up: alone they are two cents more than the whole.
    const named = [24_062_665_483n, 18_824_677_271n, 5_279_126_000n].map((millionths, index) => ({ id: `t${index}`, amount: millionths * 10n ** 12n }));
    const [unused, free] = [1_759_755_500n * 10n ** 12n, 6_161_387_700n * 10n ** 12n];
    const one = shownParts([...named, { id: "rest", amount: unused + free, isRest: true }], "USD");
    const two = shownParts([{ id: "unused", amount: unused, isRest: true }, { id: "free", amount: free, isRest: true }, ...named], "USD");
    for (const { id } of named) expect(two.get(id)).toBe(one.get(id));
    expect([one.get("t0"), one.get("t1"), one.get("t2")]).toEqual([2_406_267n * CENT, 1_882_468n * CENT, 527_913n * CENT]);
    expect((two.get("unused") ?? 0n) + (two.get("free") ?? 0n)).toBe(one.get("rest"));
  });

  it("give a yen currency whole yen, and nothing to no parts", () => {
    expect([...shownParts([{ id: "a", amount: 5n * 10n ** 17n }, { id: "b", amount: 5n * 10n ** 17n }], "JPY").values()]).toEqual([10n ** 18n, 0n]);
    expect(shownParts([], "USD").size).toBe(0);
  });

  it("are explained with the cents that were clicked", () => {
    const explanation = { figure: usd(half + 1n), inputs: [], splits: [table("by-team", [row("a", half), row("b", 1n)], row("total", half + 1n))] } as unknown as Explanation & { ref: FigureRef };
    const settled = settledExplanation(explanation, { ...usd(half + 1n), shown: 0n });
    expect(settled.figure.shown).toBe(0n);
    const [split] = settled.splits;
    if (split === undefined) throw new Error("a split");
    expect(displayedAmounts(split).get("total/1")).toBe(0n);
  });
});

describe("quantities of one table", () => {
  const quantity = (unit: string) => (id: string, value: number | null): Row => ({ id, cells: [{ text: id }, { figure: { metric: "emissions-location", value, unit, basis: "derived", coverage: 1 } }] });
  const [kg, hours, share] = [quantity("kgCO2e"), quantity("gpu-hours"), quantity("ratio")];

  it("add up as shown, by the largest remainder, with the digits of their total", () => {
    // 3,644 + 1,781 + 674 + 1,173 alone would be 7,272; the total is 7,271.
    const shown = displayedQuantities(table("t", [kg("a", 3643.58), kg("b", 1780.7), kg("c", 673.76), kg("d", 1172.6)], kg("total", 7270.64)));
    expect(Object.fromEntries(shown)).toEqual({
      "a/1": { value: 3643, digits: 0 }, "b/1": { value: 1781, digits: 0 }, "c/1": { value: 674, digits: 0 }, "d/1": { value: 1173, digits: 0 }, "total/1": { value: 7271, digits: 0 },
    });
  });

  it("take more digits where a row that is something would be shown as nothing", () => {
    const shown = displayedQuantities(table("t", [hours("a", 2000), hours("b", 0.04)], hours("total", 2000.04)));
    expect(Object.fromEntries(shown)).toEqual({ "a/1": { value: 2000, digits: 2 }, "b/1": { value: 0.04, digits: 2 }, "total/1": { value: 2000.04, digits: 2 } });
  });

  it("are left alone where they do not add up: shares, other totals, unknown parts count as none", () => {
    expect(displayedQuantities(table("t", [share("a", 0.4)], share("total", 0.4))).size).toBe(0);
    expect(displayedQuantities(table("t", [kg("a", 1)], kg("total", 3))).size).toBe(0);
    expect(displayedQuantities(table("t", [kg("a", 1.5), kg("b", null)], kg("total", 1.5))).get("b/1")).toBeUndefined();
  });
});
