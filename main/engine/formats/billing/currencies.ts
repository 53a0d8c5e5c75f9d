import type { DimensionCell } from "../format.ts";
import { currency } from "../format.ts";

/** ISO 4217's code for a transaction in no stated currency. */
const UNSTATED = "XXX";

/**
 * The currency that a row states. A file without any such column is not guessed about: its amounts stand under XXX, apart from all others,
 * and every row is counted as repaired. A cell left empty where the column is there sets its row aside.
 */
export function statedCurrency(...columns: string[]): DimensionCell<string> {
  const stated = currency(...columns);
  return {
    columns,
    read(row) {
      if (columns.some((column) => row.has(column))) return stated.read(row);
      row.repaired("currency-unstated");
      return UNSTATED;
    },
  };
}
