/**
 * Cells of comma-separated logs that were cut apart by a comma of their own: `100,50 W` as a machine with decimal commas prints it,
 * `10:00:00,123` as a script's clock does, and quotes behind a blank, in which no scanner sees a quoted cell.
 */
import type { LogRecord } from "./format.ts";

export interface CellKinds {
  /** The column of times. */
  readonly time: number | undefined;
  /** Whether a column states decimals, as watts do and whole percents, MiB and MHz do not. */
  readonly hasDecimals: (column: number) => boolean;
}

/**
 * The first and last piece of each cell, so that there are `count` of them (or as many as there are, for null); null if they do not come to that.
 * Where commas have a blank behind them, one without is none that parts cells. Where none has, only a number in a column of decimals can go on.
 */
export function wholeCells(pieces: readonly string[], count: number | null, kinds: CellKinds): readonly (readonly [number, number])[] | null {
  const isSpaced = pieces.slice(1).some((piece) => piece.startsWith(" "));
  const spans: (readonly [number, number])[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] ?? "";
    let last = at;
    if (/^\s*"(?!.*"\s*$)/.test(piece)) {
      while (last + 1 < pieces.length && !/"\s*$/.test(pieces[last + 1] ?? "")) last += 1;
      last = Math.min(last + 1, pieces.length - 1);
    } else if (at + 1 < pieces.length && goesOn(piece, pieces[at + 1] ?? "", isSpaced, spans.length, kinds)) last = at + 1;
    spans.push([at, last]);
    at = last + 1;
  }
  const isTrailing = count !== null && spans.length === count + 1 && (pieces.at(-1) ?? "").trim() === "";
  return count === null || spans.length === count || isTrailing ? spans : null;
}

function goesOn(piece: string, next: string, isSpaced: boolean, column: number, { time, hasDecimals }: CellKinds): boolean {
  if (isSpaced) return /\d$/.test(piece) && /^\d/.test(next);
  if (column === time) return /:\d{2}$/.test(piece) && /^\d{3,9}$/.test(next);
  return hasDecimals(column) && /^\d{1,4}$/.test(piece) && /^\d{1,2}(?: ?W)?\s*$/.test(next);
}

/** The same of a record of bytes, whose cells then are whole; false, and nothing changed, if they do not come to `count`. */
export function makeWhole(record: LogRecord, pieces: readonly string[], count: number, kinds: CellKinds): boolean {
  const spans = wholeCells(pieces, count, kinds);
  if (spans === null || spans.length === record.count) return false;
  spans.forEach(([first, last], column) => {
    let start = record.starts[first] as number;
    let end = record.ends[last] as number;
    while (start < end && record.bytes[start] === SPACE) start += 1;
    while (end > start && record.bytes[end - 1] === SPACE) end -= 1;
    const isQuoted = end > start + 1 && record.bytes[start] === QUOTE && record.bytes[end - 1] === QUOTE;
    record.starts[column] = isQuoted ? start + 1 : start;
    record.ends[column] = isQuoted ? end - 1 : end;
  });
  record.count = spans.length;
  return true;
}
const SPACE = 32;
const QUOTE = 34;
