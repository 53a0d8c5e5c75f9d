import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "csv-parse/sync";
import { textPrinters } from "../../../../main/engine/print/index.ts";
import { harmless } from "../../../../main/engine/print/csv.ts";
import { width } from "../../../../main/engine/print/text.ts";
import { wordsOf } from "../../../../main/cli/words.ts";
import type { Words } from "../../../../shared/i18n/format.ts";
import { document } from "./document.ts";

const printerOf = (id: string) => textPrinters.find((printer) => printer.id === id);
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
