import type { Series } from "../../../../shared/domain/charge.ts";
import { moneyColumns } from "../../../../shared/domain/charge.ts";
import type { CellTrouble, DimensionCell, DimensionRow } from "../../formats/format.ts";
import { isTrouble } from "../../formats/format.ts";
import { MOST_RANGES } from "../scan/kernel.ts";
import { seriesColumns } from "../staging.ts";
import type { Bill } from "./bill.ts";

/** Columns of a series that a file states: the fold itself works out the others. */
type StatedColumn = Exclude<keyof Series, "x_Correction" | "x_PeriodSeconds">;
/** The dimensions of a series by column, as the cells of the format read them. */
export type DimensionValues = Readonly<Record<string, unknown>>;

export function dimensionCells({ charge }: Bill["format"]): readonly (readonly [StatedColumn, DimensionCell<unknown>])[] {
  return seriesColumns.filter((column): column is StatedColumn => column !== "x_Correction" && column !== "x_PeriodSeconds").map((column) => [column, charge[column]]);
}

/** What the cells of a format read of a row's dimensions, or the trouble that sets its rows aside. */
export function readDimensions(cells: ReturnType<typeof dimensionCells>, row: DimensionRow): DimensionValues | CellTrouble {
  const values: Record<string, unknown> = {};
  for (const [column, cell] of cells) {
    const value = cell.read(row);
    if (isTrouble(value)) return value;
    values[column] = value;
  }
  return values;
}

/** Columns that decide which entry a row belongs to, side by side in ranges: first and last column of each. */
export function dimensionRanges(bill: Bill): Int32Array<ArrayBuffer> {
  const { charge, datasets } = bill.format;
  const wanted = new Set<number>();
  const want = (names: readonly string[]): void => {
    for (const name of names) for (const index of name.endsWith("*") ? bill.columnsStartingWith(name.slice(0, -1)) : bill.existing([name])) wanted.add(index);
  };
  for (const [, cell] of dimensionCells(bill.format)) want(cell.columns);
  for (const column of moneyColumns) want(charge[column].choose.columns);
  for (const cell of [charge.ConsumedQuantity.choose, charge.PricingQuantity.choose, charge.GpuHours, charge.correction, charge.gpu, charge.BillingPeriodStart, charge.BillingPeriodEnd]) want(cell.columns);
  if (datasets !== undefined) want(datasets.ofRow.columns);
  const edges: number[] = [];
  for (const index of [...wanted].sort((a, b) => a - b)) {
    // Beyond what the kernel holds the last range takes all that follows: rows are then told apart more finely than need be.
    if (edges.length > 0 && (edges.at(-1) === index - 1 || edges.length === MOST_RANGES * 2)) edges[edges.length - 1] = index;
    else edges.push(index, index);
  }
  return Int32Array.from(edges);
}
