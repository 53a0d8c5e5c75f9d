import type { Cell, Column, Row, TableBlock } from "./report.ts";
import { currencyOfTable, displayedAmounts, displayedQuantities, type ShownQuantity } from "./table.ts";
import { dash } from "./words.ts";
import type { Words } from "./words.ts";

export interface WordedTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly total: readonly string[] | null;
  /** Columns of figures are set to the right. */
  readonly isRight: readonly boolean[];
  /** The one currency of its amounts, named in the head instead of in every cell; null where there are several. */
  readonly currency: string | null;
}

/** A table in words: every cell as a person reads it, amounts and quantities rounded so that the rows shown add to the total shown. */
export function wordedTable(block: TableBlock, words: Words): WordedTable {
  const amounts = displayedAmounts(block);
  const quantities = displayedQuantities(block);
  const currency = currencyOfTable(block);
  const row = ({ cells }: Row, key: string): string[] =>
    block.columns.map((column, index) => cellText(cells[index], column, words, { attos: amounts.get(`${key}/${index}`) ?? null, quantity: quantities.get(`${key}/${index}`) ?? null, isBare: currency !== null }));
  return {
    head: block.columns.map(({ label }) => words.text(label)),
    rows: block.rows.map((each) => row(each, each.id)),
    total: block.total === null ? null : row(block.total, "total"),
    isRight: block.columns.map(({ kind }) => kind === "figure"),
    currency,
  };
}

function cellText(cell: Cell | undefined, column: Column, words: Words, shown: { readonly attos: bigint | null; readonly quantity: ShownQuantity | null; readonly isBare: boolean }): string {
  if (cell === undefined || "absent" in cell) return dash;
  if ("figure" in cell) {
    // In a column of changes the levels they lead from and to have no sign.
    const signed = column.signed === true && cell.figure.metric !== "spend" ? { signed: true } : {};
    const style = { ...signed, ...(shown.isBare ? { bare: true } : {}) };
    const figure = shown.attos === null ? cell.figure : { ...cell.figure, value: shown.attos };
    if (typeof figure.value === "bigint") return words.figure(figure, style);
    return shown.quantity === null ? words.figure(figure, signed) : words.figure({ ...figure, value: shown.quantity.value }, { ...signed, digits: shown.quantity.digits });
  }
  if ("instant" in cell) return words.instant(cell.instant, cell.precision);
  if (cell.message !== undefined) return words.text(cell.message);
  return cell.text;
}
