import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wordsOf } from "../../main/cli/words.ts";
import { xlsxPrinter } from "../../main/engine/print/xlsx.ts";
import { createEngine, type Engine } from "../../main/engine/serve.ts";
import type { ReportDocument, ReportId, Row, TableBlock } from "../../shared/contract/report.ts";
import { reportIds } from "../../shared/contract/report.ts";
import { wordedTable } from "../../shared/contract/worded.ts";
import { languages } from "../../shared/i18n/index.ts";
import { opened } from "../main/engine/reports/look.ts";
import { readSheets } from "../main/engine/print/sheets.ts";

const sample = join(import.meta.dirname, "../../dist/sample/sample.gpuledger");
const isBuilt = existsSync(sample);
const addingUnits = ["USD", "EUR", "CNY", "kgCO2e", "kWh", "gpu-hours", "hours", "count", "rows", "litres"];
const months = ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08", "2026-09"];

/** A number as a person reads it, in millionths: "−1,234.50" is −1234500000. A dash is nothing. */
function read(text: string): bigint {
  if (text === "—") return 0n;
  const [, sign = "", whole = "", decimals = ""] = /^([−+]?)[^\d]*([\d,]+)(?:\.(\d+))?$/u.exec(text) ?? [];
  if (whole === "") throw new Error(`“${text}” is no number`);
  return BigInt(`${sign === "−" ? "-" : ""}${whole.replaceAll(",", "")}${decimals.padEnd(6, "0")}`);
}

/** Columns whose exact values add up to the exact total, found by adding them here. */
function addingColumns({ columns, rows, total }: TableBlock): readonly number[] {
  if (total === null) return [];
  return columns.flatMap((_, index) => {
    const whole = total.cells[index];
    if (whole === undefined || !("figure" in whole) || whole.figure.value === null || !addingUnits.includes(whole.figure.unit)) return [];
    const values = rows.flatMap(({ cells }) => {
      const cell = cells[index];
      return cell !== undefined && "figure" in cell && cell.figure.value !== null ? [cell.figure.value] : [];
    });
    const isExact = typeof whole.figure.value === "bigint"
      ? values.reduce((sum: bigint, value) => sum + BigInt(value), 0n) === whole.figure.value
      : Math.abs(values.reduce((sum: number, value) => sum + Number(value), 0) - whole.figure.value) < 1e-6 * Math.max(1, Math.abs(whole.figure.value));
    return isExact && values.length > 0 ? [index] : [];
  });
}

describe.skipIf(!isBuilt)(`figures of the sample company that stand under a total${isBuilt ? "" : " (not built: run npm run build)"}`, () => {
  let home = "";
  let engine: Engine;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "gpu-ledger-parts-"));
    copyFileSync(sample, join(home, "sample.gpuledger"));
    engine = createEngine({ ledgerPath: null, userDataFolder: join(home, "data"), resourcesFolder: join(import.meta.dirname, "../../resources"), jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-10-06T08:00:00Z") });
    opened(await engine.ask("ledger.open", { file: join(home, "sample.gpuledger"), create: false }));
  }, 60_000);
  afterAll(async () => {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  });
  const reportOf = async (report: ReportId, period: string): Promise<ReportDocument> =>
    opened(await engine.ask("report.read", { report, period, scope: {}, basis: "EffectiveCost", currency: null }));
  const tablesOf = ({ blocks }: ReportDocument): readonly TableBlock[] => blocks.filter((block) => block.kind === "table");

  it.each(reportIds)("add up to it as they are written, in both languages: %s", async (report) => {
    const tables = tablesOf(await reportOf(report, "2026-09"));
    for (const language of languages) {
      const words = await wordsOf(language);
      for (const block of tables) {
        const { rows, total } = wordedTable(block, words);
        for (const index of addingColumns(block)) {
          const sum = rows.reduce((added, cells, at) => ("figure" in (block.rows[at]?.cells[index] ?? {}) ? added + read(cells[index] ?? "") : added), 0n);
          expect(sum, `${report} ${block.id} ${block.columns[index]?.id} ${language}`).toBe(read(total?.[index] ?? ""));
        }
      }
    }
  }, 60_000);

  it("add up in the workbook of the month too", async () => {
    const document = await reportOf("monthly", "2026-09");
    const sheets = await readSheets((await xlsxPrinter.print(document, await wordsOf("en"))) as Uint8Array);
    const teams = document.blocks.find((block): block is TableBlock => block.kind === "table" && block.id === "teams");
    const sheet = sheets.find(({ rows }) => rows[0]?.[0] === "Team" && rows.at(-1)?.[0] === "Total");
    if (teams === undefined || sheet === undefined) throw new Error("the month has its teams");
    for (const index of addingColumns(teams)) {
      const units = (cell: unknown): number => (typeof cell === "object" && cell !== null && "number" in cell ? Math.round(Number(cell.number) * 100) : 0);
      expect(sheet.rows.slice(1, -1).reduce((sum, row) => sum + units(row[index]), 0), teams.columns[index]?.id).toBe(units(sheet.rows.at(-1)?.[index]));
    }
  }, 60_000);

  it("show a team the same cents in the review, the monthly page, the showback and its budget, every month", async () => {
    const words = await wordsOf("en");
    const cellsOf = (document: ReportDocument, table: string, column: string): Readonly<Record<string, string>> => {
      const block = tablesOf(document).find(({ id }) => id === table);
      if (block === undefined) throw new Error(`${document.report} has ${table}`);
      const [name, index] = [block.columns.findIndex(({ id }) => id === "team" || id === "budget-name" || id === "name"), block.columns.findIndex(({ id }) => id === column)];
      const worded = wordedTable(block, words);
      return Object.fromEntries(block.rows.flatMap((row: Row, at) => {
        const cell = row.cells[Math.max(name, 0)];
        return cell !== undefined && "text" in cell && cell.text !== undefined ? [[cell.text, worded.rows[at]?.[index] ?? ""]] : [];
      }));
    };
    for (const month of months) {
      const [review, monthly, showback, budgets] = await Promise.all([reportOf("review", month), reportOf("monthly", month), reportOf("showback", month), reportOf("budgets", month)]);
      const teams = cellsOf(review, "teams", "spend");
      expect(Object.keys(teams).length, month).toBeGreaterThanOrEqual(6);
      expect(cellsOf(monthly, "teams", "spend"), month).toEqual(teams);
      expect(cellsOf(showback, "showback", "direct"), month).toEqual(teams);
      const budget = cellsOf(budgets, "budgets", "actual");
      for (const [team, text] of Object.entries(budget)) expect(text, `${month} ${team}`).toBe(teams[team]);
    }
  }, 120_000);
});
