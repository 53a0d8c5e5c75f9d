import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "csv-parse/sync";
import { textPrinters } from "../../../../main/engine/print/index.ts";
import { harmless } from "../../../../main/engine/print/csv.ts";
import { width } from "../../../../main/engine/print/text.ts";
import { wordsOf } from "../../../../main/cli/words.ts";
import type { Words } from "../../../../shared/i18n/format.ts";
import type { FigureRef, ReportDocument } from "../../../../shared/contract/report.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";
import type { Figure } from "../../../../shared/domain/figure.ts";

const printerOf = (id: string) => textPrinters.find((printer) => printer.id === id);
const ATTOS = 10n ** 18n;
const ref: FigureRef = { metric: "spend", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: "USD" };
const usd = (value: bigint | null): Figure => ({ metric: "spend", value, unit: "USD", basis: "billed", coverage: 1, ...(value === null ? { why: "no-bill" } : {}) });

/** Three thirds of a dollar: what is shown must still add up. One team is named like a spreadsheet formula. */
const document: ReportDocument = {
  report: "review",
  request: { report: "review", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null },
  period: { start: "2026-09-01T00:00:00Z", end: "2026-10-01T00:00:00Z" },
  currency: "USD",
  otherCurrencies: ["EUR"],
  provenance: { ledgerName: "ours", isSample: false, revision: 1, completeUntil: "2026-10-01T00:00:00Z", lastImportAt: null, rowsSetAside: 2, telemetryCoverage: 0.5, idlePolicy: defaultIdlePolicy, sources: [] },
  title: { key: "app.name" },
  answer: { key: "print.other-currency", params: { currency: { money: ATTOS, currency: "USD" } } },
  context: [],
  blocks: [
    { kind: "figures", id: "tiles", title: null, tiles: [{ id: "spend", label: { key: "print.total" }, figure: usd(null), explain: ref, note: null, series: [] }] },
    {
      kind: "table",
      id: "teams",
      title: { key: "terminal.team" },
      note: null,
      chart: null,
      columns: [
        { id: "team", label: { key: "terminal.team" }, kind: "text", priority: 1 },
        { id: "cost", label: { key: "print.total" }, kind: "figure", priority: 1 },
      ],
      rows: ["=cmd|'x'!A1", "视觉", "c"].map((text, index) => ({ id: text, cells: [{ text }, { figure: usd(index === 2 ? ATTOS / 3n + 1n : ATTOS / 3n) }] })),
      total: { id: "total", cells: [{ message: { key: "print.total" } }, { figure: usd(ATTOS) }] },
    },
  ],
};

let en: Words;
let zh: Words;
beforeAll(async () => {
  en = await wordsOf("en");
  zh = await wordsOf("zh-CN");
});

describe("printers", () => {
  it("print the same document in both languages without leaving a key or a placeholder behind", () => {
    for (const printer of textPrinters) {
      for (const words of [en, zh]) {
        const text = printer.print(document, words);
        expect(text).not.toMatch(/\{\{|undefined|NaN/);
        expect(["\u0001", "\u0002"].some((mark) => text.includes(mark))).toBe(false);
        if (printer.id !== "json") expect(text).not.toMatch(/(print|terminal|why)\.[a-z]/);
      }
    }
  });

  it("show rows that add to the total shown", () => {
    const text = printerOf("text")?.print(document, en) ?? "";
    expect(text).toContain("0.33");
    expect(text).toContain("0.34");
    expect(text).toContain("1.00");
  });

  it("write money to its last digit for scripts, and what is unknown as null with its reason", () => {
    const json = JSON.parse(printerOf("json")?.print(document, en) ?? "") as { blocks: [{ tiles: { figure: unknown }[] }, { rows: { cells: unknown[] }[]; total: { cells: unknown[] } }] };
    expect(json.blocks[0].tiles[0]?.figure).toMatchObject({ value: null, why: "no-bill" });
    expect(json.blocks[1].rows.map(({ cells }) => cells[1])).toMatchObject([{ figure: { value: "0.333333333333333333" } }, { figure: { value: "0.333333333333333333" } }, { figure: { value: "0.333333333333333334" } }]);
    expect(json.blocks[1].total.cells[1]).toMatchObject({ figure: { value: "1" } });
  });

  it("lead what a spreadsheet would run with an apostrophe, and leave numbers alone", () => {
    const rows = parse<Record<string, string>>(printerOf("csv")?.print(document, en) ?? "", { columns: true });
    expect(rows.find(({ row }) => row?.includes("cmd"))?.["row"]).toBe("'=cmd|'x'!A1");
    expect(rows.filter(({ block, column }) => block === "teams" && column === "Total").map(({ value }) => value)).toEqual(["0.333333333333333333", "0.333333333333333333", "0.333333333333333334", "1"]);
    expect(["+1", "-1", "@x", "\tx", "−5"].map(harmless)).toEqual(["'+1", "'-1", "'@x", "'\tx", "'−5"]);
  });

  it("align columns of Han characters", () => {
    expect([width("视觉"), width("ab"), width("（a）")]).toEqual([4, 2, 5]);
    const lines = (printerOf("text")?.print(document, en) ?? "").split("\n");
    const cells = lines.filter((line) => /0\.3[34]$/.test(line)).map((line) => width(line));
    expect(new Set(cells).size).toBe(1);
  });

  it("escape names that Markdown would act on", () => {
    const hostile = { ...document, context: [{ key: "print.other-currency", params: { currency: { text: "<img src=x> | `a` [b](c)" } } }] };
    const text = printerOf("md")?.print(hostile, en) ?? "";
    expect(text).toContain("\\<img src=x\\> \\| \\`a\\` \\[b\\](c)");
  });
});
