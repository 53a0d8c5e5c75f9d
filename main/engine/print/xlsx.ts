import writeWorkbook from "write-excel-file/node";
import type { CellObject, Row as SheetRow, Sheet } from "write-excel-file/node";
import type { Cell, FiguresBlock, HeatBlock, Message, NotesBlock, ReportDocument, Row, TableBlock } from "../../../shared/contract/report.ts";
import { displayedAmounts, displayedQuantities, figureOf, type ShownQuantity } from "../../../shared/contract/table.ts";
import { wordedTable } from "../../../shared/contract/worded.ts";
import { dash } from "../../../shared/contract/words.ts";
import type { Words } from "../../../shared/contract/words.ts";
import { minorDigits } from "../../../shared/domain/currency.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { divideHalfEven, formatAttos } from "../../../shared/domain/money.ts";
import { hashOfFigures } from "./hash.ts";
import type { Printer } from "./printer.ts";
import { footer } from "./text.ts";

/**
 * A workbook: a summary, one sheet a block (tiles with their months, tables, closing lines), one sheet a team. Amounts, and quantities under a total, are
 * numbers rounded as the screen rounds them, so that a sum of the rows is the total; their exact decimals stand as text in the last columns. What is not known is a dash, which sums leave out.
 */
export const xlsxPrinter: Printer = { id: "xlsx", extension: "xlsx", print: printXlsx };

async function printXlsx(document: ReportDocument, words: Words): Promise<Uint8Array> {
  const names = sheetNames();
  const sheets: Sheet<never>[] = [summary(document, words, names)];
  for (const block of document.blocks) {
    if (block.kind === "figures") sheets.push(sheetOf(names(block.title === null ? words.say("print.figures") : words.text(block.title)), tileRows(block, words)));
    else if (block.kind === "notes" && block.id !== "foot") sheets.push(notesSheet(block, words, names));
    else if (block.kind === "table") sheets.push(sheetOf(names(words.text(block.title)), tableRows(block, words)));
    else if (block.kind === "heat") sheets.push(sheetOf(names(words.text(block.title)), heatRows(block, words)));
  }
  for (const team of teamsOf(document)) sheets.push(teamSheet(team, document, words, names));
  const workbook: Buffer = await writeWorkbook(sheets, { fontFamily: words.language === "zh-CN" ? "Microsoft YaHei" : "Calibri", fontSize: 11 }).toBuffer();
  return new Uint8Array(workbook);
}

export const headStyle = { fontWeight: "bold", bottomBorderStyle: "thin", bottomBorderColor: "#2c2f36" } as const;
export const totalStyle = { fontWeight: "bold", topBorderStyle: "thin", topBorderColor: "#2c2f36", bottomBorderStyle: "double", bottomBorderColor: "#2c2f36" } as const;
const narrowest = 9;
const widest = 60;

/** Sentence, context, figures, closing notes and provenance: what the report says without its tables. */
function summary(document: ReportDocument, words: Words, names: (title: string) => string): Sheet<never> {
  const line = (message: Message): SheetRow => [textCell(words.text(message), isOurs)];
  const rows: SheetRow[] = [
    [{ ...textCell(words.text(document.title), isOurs), fontWeight: "bold" }],
    [{ ...textCell(words.text(document.answer), isOurs), fontSize: 14 }],
    ...document.context.map(line),
  ];
  for (const block of document.blocks) {
    if (block.kind === "figures") {
      rows.push([], [block.title === null ? words.say("print.figure") : words.text(block.title), words.say("print.value"), words.say("print.note"), words.say("print.exact")].map((text, index) => ({ value: text, ...headStyle, ...(index === 1 ? { align: "right" as const } : {}) })));
      for (const { label, figure, note } of block.tiles) {
        rows.push([textCell(words.text(label), isOurs), figureCell(figure, words, { shown: null, isBare: false, isSigned: false }), textCell(note === null ? (figure.why === undefined ? "" : words.unknown(figure.why)) : words.text(note), isOurs), { value: exact(figure), align: "right" }]);
      }
    } else if (block.kind === "notes") {
      for (const { title, lines } of block.notes) rows.push([], [{ ...textCell(words.text(title), isOurs), fontWeight: "bold" }], ...lines.map(line));
    }
  }
  rows.push([], ...[...footer(document, words), words.say("print.hash", { hash: hashOfFigures(document).slice(0, 16) })].map((text) => [textCell(text, isOurs)]));
  return { sheet: names(words.say("print.summary")), data: rows, columns: [{ width: 38 }, { width: 18 }, { width: 30 }, { width: 30 }], showGridLines: false };
}

/** Figures with what they are compared with and, where they have a series, month by month. */
function tileRows({ tiles }: FiguresBlock, words: Words): SheetRow[] {
  const months = [...new Set(tiles.flatMap(({ series }) => series.map(({ at }) => at)))].sort();
  const style = { shown: null, isBare: false, isSigned: false };
  const head = [words.say("print.figure"), words.say("print.value"), words.say("print.note"), ...months.map((month) => words.period(month)), words.say("print.exact")];
  return [
    head.map((value, index) => ({ value, ...headStyle, ...(index === 0 || index === 2 ? {} : { align: "right" as const }) })),
    ...tiles.map(({ label, figure, note, series }): SheetRow => [
      textCell(words.text(label), isOurs),
      figureCell(figure, words, style),
      textCell(note === null ? (figure.why === undefined ? "" : words.unknown(figure.why)) : words.text(note), isOurs),
      ...months.map((month) => {
        const { why: _why, shown: _shown, ...of } = figure;
        return figureCell({ ...of, value: series.find(({ at }) => at === month)?.value ?? null }, words, style);
      }),
      { value: exact(figure), align: "right" },
    ]),
  ];
}

/** Closing lines under their titles. */
function notesSheet({ notes }: NotesBlock, words: Words, names: (title: string) => string): Sheet<never> {
  const rows = notes.flatMap(({ title, lines }): SheetRow[] => [[{ ...textCell(words.text(title), isOurs), fontWeight: "bold" }], ...lines.map((line): SheetRow => [textCell(words.text(line), isOurs)]), []]);
  return { sheet: names(notes.map(({ title }) => words.text(title)).join(", ")), data: rows, columns: [{ width: widest }], showGridLines: false };
}

/** A sheet of one table: its first row is the head and stays in sight. */
function sheetOf(name: string, rows: readonly SheetRow[]): Sheet<never> {
  return { sheet: name, data: [...rows], columns: widthsOf(rows), stickyRowsCount: 1 };
}

/** What every table with a team column says of one team, under one another. */
function teamSheet(team: string, document: ReportDocument, words: Words, names: (title: string) => string): Sheet<never> {
  const rows: SheetRow[] = [[{ ...textCell(team, isTheirs), fontWeight: "bold", fontSize: 14 }]];
  for (const block of document.blocks) {
    if (block.kind !== "table") continue;
    const own = rowsOfTeam(block, team);
    if (own.length === 0) continue;
    rows.push([], [{ ...textCell(words.text(block.title), isOurs), fontWeight: "bold" }], ...tableRows(block, words, own));
  }
  return { sheet: names(team), data: rows, columns: widthsOf(rows), stickyRowsCount: 1 };
}

function teamsOf(document: ReportDocument): string[] {
  const teams = document.blocks.flatMap((block) => (block.kind === "table" ? block.rows.flatMap((row) => teamOf(block, row) ?? []) : []));
  return [...new Set(teams)];
}

function rowsOfTeam(block: TableBlock, team: string): readonly Row[] {
  return block.rows.filter((row) => teamOf(block, row) === team);
}

/** The team that a row is about, as the bills spell it; null for rows of no team. */
function teamOf(block: TableBlock, row: Row): string | null {
  // In a table of teams, the name of a row is its team.
  const cell = row.cells[block.columns.findIndex(({ id }) => id === "team" || (block.id === "teams" && id === "name"))];
  return cell !== undefined && "text" in cell && cell.text !== undefined && cell.text !== "" ? cell.text : null;
}

/** Head, rows and total of a table; for `only` some of its rows no total, as they would not add to it. */
function tableRows(block: TableBlock, words: Words, only: readonly Row[] = block.rows): SheetRow[] {
  const amounts = displayedAmounts(block);
  const quantities = displayedQuantities(block);
  const worded = wordedTable(block, words);
  const all: readonly Row[] = block.total === null ? block.rows : [...block.rows, block.total];
  const moneyColumns = block.columns.flatMap((_, index) => (all.some(({ cells }) => typeof figureOf(cells[index])?.value === "bigint") ? [index] : []));
  const roundedColumns = block.columns.flatMap((_, index) => (moneyColumns.includes(index) || quantities.has(`total/${index}`) ? [index] : []));
  const row = ({ cells }: Row, key: string, style: Partial<CellObject>): SheetRow => [
    ...block.columns.map((column, index) => {
      const cell = cells[index];
      const figure = figureOf(cell);
      const isSigned = column.signed === true && figure?.metric !== "spend";
      return { ...(figure === null ? wordCell(cell, words) : figureCell(figure, words, { shown: amounts.get(`${key}/${index}`) ?? null, quantity: quantities.get(`${key}/${index}`) ?? null, isBare: worded.currency !== null, isSigned })), ...(column.kind === "figure" ? { align: "right" as const } : {}), ...style };
    }),
    ...roundedColumns.map((index) => {
      const figure = figureOf(cells[index]);
      return { value: figure === null ? "" : exact(figure), align: "right" as const, ...style };
    }),
  ];
  const head = worded.head.map((label, index) => {
    const unit = moneyColumns.includes(index) && worded.currency !== null && label !== worded.currency ? ` (${worded.currency})` : "";
    return { ...textCell(`${label}${unit}`, isOurs), ...headStyle, ...(worded.isRight[index] === true ? { align: "right" as const } : {}) };
  });
  const exactHead = roundedColumns.map((index) => ({ value: words.say("print.exact-of", { column: worded.head[index] ?? "" }), align: "right" as const, ...headStyle }));
  const total = block.total === null || only !== block.rows ? [] : [row(block.total, "total", totalStyle)];
  return [[...head, ...exactHead], ...only.map((each) => row(each, each.id, {})), ...total];
}

function heatRows(block: HeatBlock, words: Words): SheetRow[] {
  const head = [words.say("print.host"), words.say("column.gpu"), words.say("column.team"), words.say("print.mean"), words.say("print.idle-hours")];
  const style = { shown: null, isBare: false, isSigned: false };
  return [
    head.map((value, index) => ({ value, ...headStyle, ...(index > 2 ? { align: "right" as const } : {}) })),
    ...block.rows.map(({ label, gpuModel, team, mean, idleHours }) => [textCell(label, isTheirs), textCell(gpuModel ?? dash, isTheirs), textCell(team ?? dash, isTheirs), figureCell(mean, words, style), figureCell(idleHours, words, style)]),
  ];
}

/** A figure as a number with its format, rounded as it is shown; a dash where it has no value. */
function figureCell(figure: Figure, words: Words, { shown, quantity = null, isBare, isSigned }: { readonly shown: bigint | null; readonly quantity?: ShownQuantity | null; readonly isBare: boolean; readonly isSigned: boolean }): CellObject {
  const { value, unit } = figure;
  if (value === null) return { value: dash, align: "right" };
  if (typeof value === "bigint") {
    const currency = unit.split("/")[0] ?? unit;
    const digits = minorDigits(currency);
    const units = divideHalfEven(shown ?? figure.shown ?? value, 10n ** BigInt(18 - digits));
    const format = `${isBare ? "" : currencySign(currency, words)}#,##0${digits === 0 ? "" : `.${"0".repeat(digits)}`}`;
    return { value: Number(units) / 10 ** digits, type: Number, format: signedFormat(format, isSigned), align: "right" };
  }
  const isShare = unit === "ratio" || unit === "percent";
  const decimals = isShare ? 1 : quantity !== null ? quantity.digits : decimalsShown(words.figure({ ...figure, value: Math.abs(value) }));
  const format = isShare ? "0.0%" : `#,##0${decimals === 0 ? "" : `.${"0".repeat(decimals)}`}`;
  return { value: quantity !== null ? quantity.value : unit === "percent" ? value / 100 : value, type: Number, format: signedFormat(format, isSigned), align: "right" };
}

/** Digits after the point of a number as words write it: the point is a point in both languages. */
function decimalsShown(text: string): number {
  return /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
}

function signedFormat(format: string, isSigned: boolean): string {
  return isSigned ? `+${format};-${format};${format}` : format;
}

/** What stands before an amount of this currency in this language, as a literal of a number format: `"$"`, `"CA$"`. */
function currencySign(currency: string, words: Words): string {
  const sign = words.money(0n, currency).replace(/[\d.,]+/, "").replaceAll('"', "").replaceAll("\u00a0", " ").trim();
  return `"${sign}${sign === currency ? " " : ""}"`;
}

/** The value to its last digit: money as a plain decimal, ratios as 0.547. */
function exact({ value }: Figure): string {
  if (value === null) return "";
  return typeof value === "bigint" ? formatAttos(value) : String(value);
}

function wordCell(cell: Cell | undefined, words: Words): CellObject {
  if (cell === undefined || "absent" in cell || "figure" in cell) return { value: dash };
  if ("instant" in cell) return { value: words.instant(cell.instant, cell.precision) };
  return cell.message === undefined ? textCell(cell.text, isTheirs) : textCell(words.text(cell.message), isOurs);
}

/** A sentence of ours may begin with a signed number; a name of other people that does is no number. */
export const isOurs = (text: string): boolean => /^[+\-\u2212]\d/.test(text) && !/[=|!(]/.test(text);
export const isTheirs = (): boolean => false;

/** Text that a spreadsheet would run once somebody edits its cell is led by an apostrophe. */
export function textCell(text: string, isHarmless: (text: string) => boolean): CellObject {
  const written = text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, " ");
  return { value: /^[=+\-@\t\r]/.test(written) && !isHarmless(written) ? `'${written}` : written };
}

/** Names sheets as Excel allows: 31 characters, none of []:*?/\, no two alike whatever their case. */
export function sheetNames(): (title: string) => string {
  const taken = new Set<string>();
  return (title) => {
    const clean = title.replaceAll(/[[\]:*?/\\]|\p{Cc}/gu, " ").replaceAll(/^[' ]+|[' ]+$/g, "").slice(0, 31).trim() || "—";
    let name = clean;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${clean.slice(0, 31 - ` (${count})`.length)} (${count})`;
    taken.add(name.toLowerCase());
    return name;
  };
}

export function widthsOf(rows: readonly SheetRow[]): { width: number }[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, column) => {
    const lengths = rows.filter((row) => row.length > 1).map((row) => shownLength(row[column] as CellObject | undefined));
    return { width: Math.min(widest, Math.max(narrowest, ...lengths.map((length) => length + 2))) };
  });
}

function shownLength(cell: CellObject | undefined): number {
  const { value } = cell ?? {};
  if (typeof value === "number") return value.toFixed(2).length + 3;
  return typeof value === "string" ? [...value].reduce((width, character) => width + (character > "\u2e80" ? 2 : 1), 0) : 0;
}
