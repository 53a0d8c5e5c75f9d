import { COMMA, LINE_FEED, QUOTE } from "./parquet-values.ts";
import type { CellColumn } from "./parquet-cells.ts";

/** Rows of columns as lines of `columnCount` cells; those at `places` hold something. */
export interface LineWriter {
  /** Bytes that no line passes, of the pages that are open. */
  longest(columns: readonly CellColumn[]): number;
  /** Puts a row down, counted from where the columns stand, with its line end; answers where that ends. There must be room. */
  write(columns: readonly CellColumn[], row: number, into: Buffer, at: number): number;
}

export function lineWriter(columnCount: number, places: readonly number[]): LineWriter {
  const after = columnCount - 1 - (places.at(-1) ?? 0);
  return {
    longest: (columns) => columns.reduce((sum, { stored }) => sum + stored.longest, columnCount + 3),
    write(columns, row, into, start) {
      let at = start;
      let place = 0;
      for (let index = 0; index < columns.length; index += 1) {
        for (const next = places[index] as number; place < next; place += 1) into[at++] = COMMA;
        const { stored, which, at: from } = columns[index] as CellColumn;
        at = stored.copy(which[from + row] as number, into, at);
      }
      for (let comma = after; comma > 0; comma -= 1) into[at++] = COMMA;
      // A blank line is no record: the only cell of a row is one, even empty.
      if (at === start) {
        into[at++] = QUOTE;
        into[at++] = QUOTE;
      }
      into[at++] = LINE_FEED;
      return at;
    },
  };
}
