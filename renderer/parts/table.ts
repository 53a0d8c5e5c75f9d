import type { Cell, Column, Row, TableBlock } from "../../shared/contract/report.ts";
import type { Figure } from "../../shared/domain/figure.ts";
import { currencyOf } from "../../shared/domain/figure.ts";
import { displayRound } from "../../shared/domain/money.ts";
import type { PeriodLabel } from "../../shared/domain/period.ts";
import { minorDigits } from "../../shared/i18n/format.ts";
import type { Language } from "../../shared/i18n/index.ts";

/** Which columns stand in the table, and which only in a row's detail, by the order of their importance. */
export function columnsAt(columns: readonly Column[], isNarrow: boolean): { readonly shown: readonly number[]; readonly hidden: readonly number[] } {
  const limit = isNarrow ? 1 : 2;
  const indices = columns.map((_column, index) => index);
  return { shown: indices.filter((index) => (columns[index]?.priority ?? 3) <= limit), hidden: indices.filter((index) => (columns[index]?.priority ?? 3) > limit) };
}

/**
 * Amounts as a table shows them: by the largest remainder, so that the rows shown add to the total shown (maths.md i.6).
 * Only where the rows do add up to the total; else each amount is left to be rounded alone. Keyed `row id/column index`,
 * "total" for the total, in attos of whole minor units.
 */
export function displayedAmounts(block: Pick<TableBlock, "columns" | "rows" | "total">): ReadonlyMap<string, bigint> {
  const shown = new Map<string, bigint>();
  block.columns.forEach((column, index) => {
    if (column.kind !== "figure" || block.total === null) return;
    const total = moneyOf(block.total.cells[index]);
    if (total === null || total.figure.unit.includes("/")) return;
    const amounts = block.rows.map((row) => ({ row, money: moneyOf(row.cells[index]) })).flatMap(({ row, money }) => (money === null ? [] : [{ id: row.id, amount: money.value }]));
    const sum = amounts.reduce((whole, { amount }) => whole + amount, 0n);
    if (sum !== total.value || amounts.length === 0) return;
    const digits = minorDigits(total.currency);
    const unit = 10n ** BigInt(18 - digits);
    const rounded = displayRound(amounts, digits);
    for (const { id, minorUnits } of rounded.rows) shown.set(`${id}/${index}`, minorUnits * unit);
    shown.set(`total/${index}`, rounded.totalMinorUnits * unit);
  });
  return shown;
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

/** "Sep" or "9月". */
export function monthShort(label: PeriodLabel, language: Language): string {
  const month = Number(label.slice(5, 7));
  if (!(month >= 1)) return label;
  return language === "zh-CN" ? `${month}月` : new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" }).format(Date.UTC(2001, month - 1, 1));
}
