import { beforeAll, describe, expect, it } from "vitest";
import { wordsOf } from "../../../../main/cli/words.ts";
import { printerOf } from "../../../../main/engine/print/index.ts";
import { hashOfFigures } from "../../../../main/engine/print/hash.ts";
import type { ReportDocument, TableBlock } from "../../../../shared/contract/report.ts";
import { displayedAmounts } from "../../../../shared/contract/table.ts";
import type { Words } from "../../../../shared/i18n/format.ts";
import { ATTOS, document } from "./document.ts";
import { readSheets } from "./sheets.ts";
import type { ReadSheet, SheetCell } from "./sheets.ts";

let en: Words;
let zh: Words;
beforeAll(async () => {
  en = await wordsOf("en");
  zh = await wordsOf("zh-CN");
});

async function workbook(of: ReportDocument, words: Words): Promise<readonly ReadSheet[]> {
  const printed = await printerOf("xlsx")?.print(of, words);
  if (!(printed instanceof Uint8Array)) throw new Error("a workbook is bytes");
  return readSheets(printed);
}

const numberOf = (cell: SheetCell | undefined): number | null => (typeof cell === "object" ? cell.number : null);

describe("a workbook", () => {
  it("has a summary, a sheet a table and a sheet a team, named in the reader's language", async () => {
    expect((await workbook(document, en)).map(({ name }) => name)).toEqual(["Summary", "Figures", "Team", "=cmd|'x'!A1", "视觉", "c"]);
    expect((await workbook(document, zh))[0]?.name).toBe("摘要");
  });

  it("has a sheet for every team of a table of teams, also where its column is only a name", async () => {
    const { blocks } = document;
    const teams = blocks.find((block): block is TableBlock => block.kind === "table" && block.columns.some(({ id }) => id === "team"));
    if (teams === undefined) throw new Error("no table of teams");
    const named = { ...teams, id: "teams", columns: teams.columns.map((each) => (each.id === "team" ? { ...each, id: "name" } : each)) };
    expect((await workbook({ ...document, blocks: [named] }, en)).map(({ name }) => name).slice(2)).toEqual(["=cmd|'x'!A1", "视觉", "c"]);
    // A name in any other table is no team.
    expect(await workbook({ ...document, blocks: [{ ...named, id: "models" }] }, en)).toHaveLength(2);
  });

  it("shows amounts as numbers that are the document's displayed amounts and add to the total", async () => {
    const teams = (await workbook(document, en)).find(({ name }) => name === "Team");
    const block = document.blocks.find((each): each is TableBlock => each.kind === "table");
    if (teams === undefined || block === undefined) throw new Error("no sheet of the table");
    const amounts = displayedAmounts(block);
    const shown = [...block.rows.map(({ id }) => id), "total"].map((id) => Number((amounts.get(`${id}/1`) ?? 0n) / (ATTOS / 100n)) / 100);
    expect(teams.rows.slice(1).map((row) => numberOf(row[1]))).toEqual(shown);
    expect(shown).toEqual([0.33, 0.33, 0.34, 1]);
    expect(teams.rows[1]?.[1]).toMatchObject({ format: "#,##0.00" });
  });

  it("holds the exact decimals as text in the last column", async () => {
    const teams = (await workbook(document, en)).find(({ name }) => name === "Team");
    expect(teams?.rows.map((row) => row.at(-1))).toEqual(["Total, exact", "0.333333333333333333", "0.333333333333333333", "0.333333333333333334", "1"]);
  });

  it("keeps the head of a table in sight", async () => {
    expect((await workbook(document, en))[2]?.frozenRows).toBe(1);
  });

  it("leads what a spreadsheet would run with an apostrophe, and holds no formula", async () => {
    const teams = (await workbook(document, en)).find(({ name }) => name === "Team");
    expect(teams?.rows[1]?.[0]).toBe("'=cmd|'x'!A1");
  });

  it("shows what is not known as a dash with its reason, never as zero", async () => {
    const [summary] = await workbook(document, en);
    const row = summary?.rows.find((cells) => cells[0] === "Total");
    expect(row?.[1]).toBe("—");
    expect(row?.[2]).toBe(en.unknown("no-bill"));
  });

  it("names the hash of its figures, the same in both languages", async () => {
    const hash = hashOfFigures(document).slice(0, 16);
    for (const words of [en, zh]) expect(JSON.stringify((await workbook(document, words))[0]?.rows)).toContain(hash);
  });
});
