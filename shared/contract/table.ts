/** What every printer of a document does alike: which amounts it shows, so that rows shown add to the total shown and one amount shows the same cents everywhere. */
import type { Block, Cell, Explanation, Message, MessageParam, ReportDocument, Row, TableBlock } from "./report.ts";
import { minorDigits } from "../domain/currency.ts";
import { currencyOf, decimalsShown } from "../domain/figure.ts";
import type { Figure } from "../domain/figure.ts";
import { displayRound, divideHalfEven } from "../domain/money.ts";

/** A part of a whole: `isRest` where it stands for what no other part names. */
export interface Part {
  readonly id: string;
  /** Attos. */
  readonly amount: bigint;
  readonly isRest?: boolean;
}

/**
 * What is shown of parts under their whole, in attos of whole minor units by id: the one rule for every table, file and chart (maths.md i.6).
 * They add up to the whole rounded alone; parts with a name keep the cents they show anywhere else as far as a rest can take the difference.
 * `known` is what other columns beside it show of equal amounts: it is kept as far as it goes, and what is shown here is added to it.
 */
export function shownParts(parts: readonly Part[], currency: string, known = new Map<bigint, bigint>()): ReadonlyMap<string, bigint> {
  const whole = parts.reduce((sum, { amount }) => sum + amount, 0n);
  const shown = partsShown({ currency, rows: parts }, roundedAlone(whole, currency), ({ amount }) => known.get(amount) ?? null) ?? new Map<string, bigint>();
  for (const { id, amount } of parts) if (amount !== 0n && !known.has(amount)) known.set(amount, shown.get(id) ?? 0n);
  return shown;
}

/** As `shownParts`, under a whole that is shown with these cents elsewhere (`target`, attos of whole minor units). */
export function shownUnder(parts: readonly Part[], target: bigint, currency: string): ReadonlyMap<string, bigint> {
  return partsShown({ currency, rows: parts }, target, () => null) ?? new Map(parts.map(({ id, amount }) => [id, roundedAlone(amount, currency)]));
}

/** A quantity as its column shows it: the value rounded to these digits after the point. */
export interface ShownQuantity {
  readonly value: number;
  readonly digits: number;
}

/**
 * Quantities (kWh, kg CO2e, GPU-hours) under a total that they add up to, as the table shows them: all with the digits of the total, with more
 * (two at most) where a row would else be shown as nothing, and by the largest remainder, so that rows shown add up to the total shown. Keyed as
 * `displayedAmounts`.
 */
export function displayedQuantities(block: Pick<TableBlock, "columns" | "rows" | "total">): ReadonlyMap<string, ShownQuantity> {
  const shown = new Map<string, ShownQuantity>();
  block.columns.forEach((column, index) => {
    const total = block.total === null || column.kind !== "figure" ? null : quantityOf(block.total.cells[index]);
    if (total === null) return;
    const rows = block.rows.flatMap(({ id, cells }) => {
      const value = quantityOf(cells[index])?.value;
      return value === undefined ? [] : [{ id, value, amount: nanosOf(value) }];
    });
    const sum = rows.reduce((added, { value }) => added + value, 0);
    if (rows.length === 0 || Math.abs(sum - total.value) > 1e-6 * Math.max(1, Math.abs(total.value))) return;
    const digits = digitsOf(total, rows.map(({ value }) => value));
    const { rows: settled, totalMinorUnits } = displayRound(rows, digits, 9);
    for (const { id, minorUnits } of settled) shown.set(`${id}/${index}`, { value: Number(minorUnits) / 10 ** digits, digits });
    shown.set(`total/${index}`, { value: Number(totalMinorUnits) / 10 ** digits, digits });
  });
  return shown;
}

/** Units whose values add up: no shares, no rates. */
const addingUnits: ReadonlySet<string> = new Set(["count", "rows", "gpu-hours", "hours", "kWh", "kgCO2e", "litres"]);
const mostDigits = 2;

function quantityOf(cell: Cell | undefined): { readonly value: number; readonly digits: number } | null {
  const figure = figureOf(cell);
  if (figure === null || typeof figure.value !== "number" || !addingUnits.has(figure.unit)) return null;
  return { value: figure.value, digits: decimalsShown(figure.value, figure.unit) };
}

function digitsOf({ digits: ofTotal }: { readonly digits: number }, values: readonly number[]): number {
  const vanishes = (digits: number): boolean => values.some((value) => value !== 0 && Math.abs(value) * 10 ** digits < 0.5);
  let digits = ofTotal;
  while (digits < mostDigits && vanishes(digits)) digits += 1;
  return digits;
}

/** Whole units of 1e-9. */
function nanosOf(value: number): bigint {
  return BigInt(Math.trunc(value)) * 1_000_000_000n + BigInt(Math.round((value - Math.trunc(value)) * 1e9));
}

/**
 * Amounts as a table shows them: as its document settled them, else by the largest remainder, so that the rows shown add to the total shown
 * (maths.md i.6). Only where the rows do add up to the total; else each amount is left to be rounded alone. Keyed `row id/column index`,
 * "total" for the total, in attos of whole minor units.
 */
export function displayedAmounts(block: Pick<TableBlock, "columns" | "rows" | "total">): ReadonlyMap<string, bigint> {
  const shown = new Map<string, bigint>();
  for (const { index, currency, total, rows } of closingColumns(block)) {
    const settled = (figure: Figure): bigint => figure.shown ?? roundedAlone(figure.value as bigint, currency);
    const amounts = partsShown({ currency, rows }, settled(total), (row) => row.figure.shown ?? null);
    for (const { id } of rows) shown.set(`${id}/${index}`, amounts?.get(id) ?? 0n);
    shown.set(`total/${index}`, settled(total));
  }
  return shown;
}

/**
 * The document with `shown` on every amount that is not simply rounded alone. Its tables are settled in their order: rows add up to their
 * total by the largest remainder, and an amount that an earlier table has shown keeps those cents wherever it stands again, in later tables,
 * in sentences and in tiles. Equal amounts to the last of 18 decimals are taken for the same one.
 */
export function settledDocument(document: ReportDocument): ReportDocument {
  const known = settle(document.blocks.filter((block) => block.kind === "table"), new Map());
  if (known.size === 0) return document;
  return {
    ...document,
    answer: settledMessage(document.answer, known),
    context: document.context.map((message) => settledMessage(message, known)),
    blocks: document.blocks.map((block) => settledBlock(block, known)),
  };
}

/** An explanation whose splits add up to the figure as the page shows it. */
export function settledExplanation(explanation: Explanation, opened: Figure): Explanation {
  const currency = currencyOf(opened);
  const known = new Map<string, bigint>();
  if (currency !== null && typeof opened.value === "bigint" && !opened.unit.includes("/")) known.set(keyOf(opened.value, currency), opened.shown ?? roundedAlone(opened.value, currency));
  settle(explanation.splits, known);
  return {
    ...explanation,
    figure: settledFigure(explanation.figure, known),
    inputs: explanation.inputs.map((input) => ({ ...input, figure: settledFigure(input.figure, known) })),
    splits: explanation.splits.map((split) => settledTable(split, known)),
  };
}

/** What is shown of each amount, by `keyOf`. */
type Settled = Map<string, bigint>;

function settle(tables: readonly TableBlock[], known: Settled): Settled {
  for (const table of tables) {
    for (const { currency, total, rows } of closingColumns(table)) {
      const whole = total.value as bigint;
      const target = known.get(keyOf(whole, currency)) ?? roundedAlone(whole, currency);
      const amounts = partsShown({ currency, rows }, target, (row) => known.get(keyOf(row.amount, currency)) ?? null);
      if (amounts === null) continue;
      known.set(keyOf(whole, currency), target);
      for (const { id, amount } of rows) if (amount !== 0n && !known.has(keyOf(amount, currency))) known.set(keyOf(amount, currency), amounts.get(id) ?? 0n);
    }
  }
  return known;
}

interface ClosingRow extends Part {
  readonly figure: Figure;
}
interface ClosingColumn {
  readonly currency: string;
  readonly total: Figure;
  readonly rows: readonly ClosingRow[];
}
interface Parts<Row extends Part> {
  readonly currency: string;
  readonly rows: readonly Row[];
}

/** Columns whose rows add up to their total, to the atto. */
function closingColumns({ columns, rows, total }: Pick<TableBlock, "columns" | "rows" | "total">): (ClosingColumn & { readonly index: number })[] {
  return columns.flatMap((column, index) => {
    const whole = column.kind !== "figure" || total === null ? null : moneyOf(total.cells[index]);
    if (whole === null || whole.figure.unit.includes("/")) return [];
    const amounts = rows.flatMap((row) => {
      const money = moneyOf(row.cells[index]);
      return money === null ? [] : [{ id: row.id, amount: money.value, figure: money.figure, isRest: row.tone === "muted" || row.tone === "unknown" }];
    });
    const sum = amounts.reduce((added, { amount }) => added + amount, 0n);
    return sum !== whole.value || amounts.length === 0 ? [] : [{ index, currency: whole.currency, total: whole.figure, rows: amounts }];
  });
}

/**
 * Amounts of parts that add up to the target. As far as it goes each is rounded alone, as it is wherever it stands without a table; a cent
 * too many or too few is then the rest's (all other lines, not allocated, unknown), which nobody looks up elsewhere; where there is no rest
 * that could take it, the largest remainder decides. What is settled already stays.
 */
function partsShown<Row extends Part>(parts: Parts<Row>, target: bigint, settled: (row: Row) => bigint | null): ReadonlyMap<string, bigint> | null {
  const alone = (row: Row): bigint => settled(row) ?? roundedAlone(row.amount, parts.currency);
  return withRest(parts, target, alone, settled) ?? shownIn(parts, target, alone) ?? shownIn(parts, target, settled) ?? shownIn(parts, target, () => null);
}

/**
 * The largest rest takes what is missing, if that does not turn its sign and moves it by less than a unit and a half or a ten-thousandth of
 * itself. So named parts show the same however finely the rest beside them is told apart.
 */
function withRest<Row extends Part>({ currency, rows }: Parts<Row>, target: bigint, alone: (row: Row) => bigint, settled: (row: Row) => bigint | null): ReadonlyMap<string, bigint> | null {
  const free = rows.filter((row) => row.isRest === true && row.amount !== 0n && settled(row) === null);
  const rest = free.reduce<Row | null>((largest, row) => (largest === null || size(row.amount) >= size(largest.amount) ? row : largest), null);
  if (rest === null) return null;
  const unit = 10n ** BigInt(18 - minorDigits(currency));
  const shown = new Map(rows.map((row) => [row.id, alone(row)]));
  const left = rows.reduce((sum, row) => (row === rest ? sum : sum - alone(row)), target);
  const off = size(left - rest.amount);
  const isSameSign = rest.amount < 0n ? left <= 0n : left >= 0n;
  return isSameSign && (off * 2n < unit * 3n || off * 10_000n <= size(rest.amount)) ? shown.set(rest.id, left) : null;
}

/** Amounts of the parts that add up to the target: those that `fixed` names as named, the others by the largest remainder; null where that cannot be. */
function shownIn<Row extends Part>({ currency, rows }: Parts<Row>, target: bigint, fixed: (row: Row) => bigint | null): ReadonlyMap<string, bigint> | null {
  const digits = minorDigits(currency);
  const unit = 10n ** BigInt(18 - digits);
  const shown = new Map<string, bigint>();
  const free: Row[] = [];
  let left = target;
  for (const row of rows) {
    const amount = fixed(row);
    if (amount === null) free.push(row);
    else {
      shown.set(row.id, amount);
      left -= amount;
    }
  }
  if (free.length === 0) return left === 0n ? shown : null;
  const floors = free.reduce((sum, { amount }) => sum + (amount - (((amount % unit) + unit) % unit)), 0n);
  if (left < floors || left > floors + BigInt(free.length) * unit) return null;
  for (const { id, minorUnits } of displayRound(free, digits, 18, left / unit).rows) shown.set(id, minorUnits * unit);
  return shown;
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function settledBlock(block: Block, known: Settled): Block {
  switch (block.kind) {
    case "table":
      return settledTable(block, known);
    case "figures":
      return { ...block, tiles: block.tiles.map((tile) => ({ ...tile, figure: settledFigure(tile.figure, known), note: tile.note === null ? null : settledMessage(tile.note, known) })) };
    case "notes":
      return { ...block, notes: block.notes.map((note) => ({ ...note, lines: note.lines.map((line) => settledMessage(line, known)) })) };
    case "heat":
      return block;
  }
}

function settledTable(block: TableBlock, known: Settled): TableBlock {
  const cell = (of: Cell): Cell => ("figure" in of ? { ...of, figure: settledFigure(of.figure, known) } : "message" in of && of.message !== undefined ? { message: settledMessage(of.message, known) } : of);
  const row = (of: Row): Row => ({ ...of, cells: of.cells.map(cell) });
  return { ...block, note: block.note === null ? null : settledMessage(block.note, known), rows: block.rows.map(row), total: block.total === null ? null : row(block.total) };
}

function settledMessage(message: Message, known: Settled): Message {
  if (message.params === undefined) return message;
  const param = (of: MessageParam): MessageParam => {
    if ("figure" in of) return { ...of, figure: settledFigure(of.figure, known) };
    if ("message" in of) return { message: settledMessage(of.message, known) };
    if (!("money" in of)) return of;
    const shown = settledAmount(of.money, of.currency, known);
    return shown === null ? of : { ...of, shown };
  };
  return { ...message, params: Object.fromEntries(Object.entries(message.params).map(([name, of]) => [name, param(of)])) };
}

function settledFigure(figure: Figure, known: Settled): Figure {
  const currency = currencyOf(figure);
  if (currency === null || typeof figure.value !== "bigint" || figure.unit.includes("/")) return figure;
  const shown = settledAmount(figure.value, currency, known);
  return shown === null ? figure : { ...figure, shown };
}

/** null where it is the amount rounded alone. A change of the other sign shows the same cents. */
function settledAmount(amount: bigint, currency: string, known: Settled): bigint | null {
  const opposite = known.get(keyOf(-amount, currency));
  const shown = known.get(keyOf(amount, currency)) ?? (opposite === undefined ? undefined : -opposite);
  return shown === undefined || shown === roundedAlone(amount, currency) ? null : shown;
}

function keyOf(amount: bigint, currency: string): string {
  return `${currency} ${amount}`;
}

/** Half-even to the currency's minor digits, in attos. */
export function roundedAlone(amount: bigint, currency: string): bigint {
  const unit = 10n ** BigInt(18 - minorDigits(currency));
  return divideHalfEven(amount, unit) * unit;
}

export function moneyOf(cell: Cell | undefined): { readonly value: bigint; readonly currency: string; readonly figure: Figure } | null {
  if (cell === undefined || !("figure" in cell)) return null;
  const currency = currencyOf(cell.figure);
  return typeof cell.figure.value === "bigint" && currency !== null ? { value: cell.figure.value, currency, figure: cell.figure } : null;
}

export function figureOf(cell: Cell | undefined): Figure | null {
  return cell !== undefined && "figure" in cell ? cell.figure : null;
}

/** The one currency of a table's amounts; null where it has none or several. */
export function currencyOfTable({ rows, total }: Pick<TableBlock, "rows" | "total">): string | null {
  const all: readonly Row[] = total === null ? rows : [...rows, total];
  const currencies = new Set(all.flatMap(({ cells }) => cells.map((cell) => moneyOf(cell)?.currency ?? null)).filter((currency) => currency !== null));
  const [only] = currencies;
  return currencies.size === 1 && only !== undefined ? only : null;
}
