import { createHash } from "node:crypto";
import { stringify } from "csv-stringify/sync";
import writeWorkbook from "write-excel-file/node";
import type { CellObject, Row as SheetRow, Sheet } from "write-excel-file/node";
import { dash } from "../../../shared/contract/words.ts";
import type { Words } from "../../../shared/contract/words.ts";
import type { PackCell, PackColumn, PackTable } from "../esg/tables.ts";
import { harmless } from "./csv.ts";
import { headStyle, isOurs, isTheirs, sheetNames, textCell, totalStyle, widthsOf } from "./xlsx.ts";
import type { ZipMember } from "./zip.ts";

/** What stands on every file of a pack. */
export interface PackHead {
  readonly period: string;
  readonly ledger: string;
  readonly boundary: readonly string[];
  readonly issuedAt: string;
  readonly issuedBy: string;
  readonly sha256: string;
  /** Every month of it is closed. */
  readonly isFrozen: boolean;
}

/**
 * The files of an ESG pack: a workbook, its tables as CSV, the PDF statement where one was drawn, a note on how to follow a total, and a
 * list of all of them with their SHA-256. CSV holds every figure to its last digit; a workbook's numbers have fifteen.
 */
export async function packFiles(tables: readonly PackTable[], head: PackHead, statement: Uint8Array | null, words: Words): Promise<ZipMember[]> {
  const files: ZipMember[] = [
    { name: `esg-${head.period}.xlsx`, bytes: await workbook(tables, head, words) },
    ...tables.map((table) => ({ name: `csv/${table.id}.csv`, bytes: Buffer.from(csvOf(table, words), "utf8") })),
    ...(statement === null ? [] : [{ name: `statement-${head.period}.pdf`, bytes: statement }]),
    { name: "README.txt", bytes: Buffer.from(readme(tables, head, words), "utf8") },
  ];
  const list = files.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }));
  const { sha256, ...facts } = head;
  return [...files, { name: "pack.json", bytes: Buffer.from(`${JSON.stringify({ ...facts, language: words.language, figuresSha256: sha256, files: list }, null, 2)}\n`, "utf8") }];
}

/** Heads are names that stay the same in every language; values are exact. */
export function csvOf({ columns, rows, hasTotal }: PackTable, words: Words): string {
  const lines = rows.map((row, at) => columns.map((column, index) => csvCell(row[index] ?? null, hasTotal && at === rows.length - 1 ? { ...column, kind: column.kind === "decimal" ? "decimal" : "text" } : column, words)));
  return stringify([columns.map(({ id }) => id), ...lines], { record_delimiter: "\r\n" });
}

function csvCell(cell: PackCell, { kind }: PackColumn, words: Words): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return harmless(words.text(cell));
  return kind === "decimal" ? cell : harmless(cell);
}

async function workbook(tables: readonly PackTable[], head: PackHead, words: Words): Promise<Uint8Array> {
  const names = sheetNames();
  const sheets: Sheet<never>[] = tables.map((table) => {
    const rows = sheetRows(table, words);
    const name = names(words.say(`esg.table.${table.id}`));
    if (table.id !== "summary") return { sheet: name, data: rows, columns: widthsOf(rows), stickyRowsCount: 1 };
    const above: SheetRow[] = [...headLines(head, words).map((line, index): SheetRow => [{ ...textCell(line, isOurs), ...(index === 0 ? { fontWeight: "bold" as const, fontSize: 14 } : {}) }]), []];
    return { sheet: name, data: [...above, ...rows], columns: widthsOf(rows), showGridLines: false };
  });
  const bytes: Buffer = await writeWorkbook(sheets, { fontFamily: words.language === "zh-CN" ? "Microsoft YaHei" : "Calibri", fontSize: 11 }).toBuffer();
  return new Uint8Array(bytes);
}

function sheetRows({ columns, rows, hasTotal }: PackTable, words: Words): SheetRow[] {
  const head = columns.map(({ id, kind }): CellObject => ({ ...textCell(words.say(`esg.column.${id}`), isOurs), ...headStyle, ...(kind === "decimal" ? { align: "right" as const } : {}) }));
  const style = (at: number): Partial<CellObject> => (hasTotal && at === rows.length - 1 ? totalStyle : {});
  return [head, ...rows.map((row, at) => columns.map((column, index): CellObject => ({ ...sheetCell(row[index] ?? null, column, words), ...style(at) })))];
}

function sheetCell(cell: PackCell, { kind, id }: PackColumn, words: Words): CellObject {
  if (cell === null || cell === "") return kind === "decimal" ? { value: dash, align: "right" } : { value: "" };
  if (typeof cell !== "string") return textCell(words.text(cell), isOurs);
  // A name of other people's is never taken for one of our signed numbers.
  if (kind !== "decimal") return textCell(cell, kind === "name" ? isTheirs : isOurs);
  return { value: Number(cell), type: Number, format: formatOf(cell, id), align: "right" };
}

/** Kilograms and kilowatt-hours to three digits, shares in percent, everything else as it is written. */
function formatOf(text: string, column: string): string {
  if (column === "coverage") return "0.0%";
  if (/year/.test(column)) return "0";
  const decimals = text.split(".")[1]?.length ?? 0;
  return `#,##0${decimals === 0 ? "" : `.${"0".repeat(Math.min(decimals, decimals > 6 || /kwh/.test(column) ? 3 : decimals))}`}`;
}

function headLines({ period, ledger, boundary, issuedAt, issuedBy, sha256, isFrozen }: PackHead, words: Words): string[] {
  return [
    words.say("esg.title", { period: words.period(period) }),
    boundary.length === 0 ? words.say("esg.boundary.all") : words.say("esg.boundary.narrowed", { to: boundary.join("; ") }),
    words.say(isFrozen ? "esg.status.frozen" : "esg.status.provisional"),
    words.say("esg.issued", { at: words.instant(issuedAt, "minute"), by: issuedBy, ledger }),
    words.say("esg.hash", { hash: sha256 }),
  ];
}

/** How a reader without the ledger follows a total to rows, factors and files; with the largest row as an example. */
function readme(tables: readonly PackTable[], head: PackHead, words: Words): string {
  const summary = tables.find(({ id }) => id === "summary");
  const partial = summary?.rows.find(([line]) => line === "days-covered")?.at(-1) ?? null;
  const lines = [
    ...headLines(head, words),
    ...(partial === null || typeof partial === "string" ? [] : [words.text(partial)]),
    "",
    words.say("esg.readme.files"),
    ...tables.map(({ id }) => `  csv/${id}.csv  ${words.say(`esg.table.${id}`)}`),
    "",
    words.say("esg.readme.trace"),
    ...[1, 2, 3, 4, 5].map((step) => `  ${step}. ${words.say(`esg.readme.step-${step}`)}`),
    "",
    ...example(tables, words),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function example(tables: readonly PackTable[], words: Words): string[] {
  const evidence = tables.find(({ id }) => id === "evidence");
  if (evidence === undefined) return [];
  const at = (name: string): number => evidence.columns.findIndex(({ id }) => id === name);
  const text = (row: readonly PackCell[], name: string): string => {
    const cell = row[at(name)] ?? null;
    return typeof cell === "string" ? cell : "";
  };
  const amount = (row: readonly PackCell[]): number => Number(text(row, "location_kg"));
  const [largest] = [...evidence.rows].sort((a, b) => amount(b) - amount(a));
  if (largest === undefined || text(largest, "location_kg") === "") return [];
  const facts = Object.fromEntries(["month", "series", "it_kwh", "pue", "facility_kwh", "grid_g_per_kwh", "location_kg", "bill_source", "bill_lines"].map((name) => [name, text(largest, name)]));
  return [words.say("esg.readme.example"), `  ${words.say("esg.readme.example-row", facts)}`, ...(facts["bill_source"] === "" ? [] : [`  ${words.say("esg.readme.example-source", facts)}`])];
}
