/** Text read line by line from pieces that may end anywhere. */
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import type { LogRecord, LogSink } from "./format.ts";

export interface TextLines {
  readonly bytes: (piece: Uint8Array) => LedgerError | null;
  /** Hands out what no line end follows. */
  readonly end: () => LedgerError | null;
}

/** One line without its end. `isTerminated`: false for a last line that may have been cut anywhere. */
export type TakeLine = (line: string, number: number, isTerminated: boolean) => LedgerError | null;

/** No line of a log is longer; one that is belongs to no log, and is passed over and counted as a row set aside. */
const longestLine = 8 * 1024 * 1024;

export function textLines(sink: LogSink, take: TakeLine): TextLines {
  let rest = new Uint8Array(0);
  let number = 0;
  let isTooLong = false;

  function bytes(piece: Uint8Array): LedgerError | null {
    const last = piece.lastIndexOf(newline);
    if (last < 0) {
      keep(piece);
      return null;
    }
    // What the piece before left over goes with the first line only, so that the rest is decoded where it lies.
    const first = piece.indexOf(newline);
    keep(piece.subarray(0, first));
    const begun = rest;
    rest = piece.slice(last + 1);
    let trouble: LedgerError | null = null;
    if (isTooLong) {
      isTooLong = false;
      number += 1;
      sink.rowRead();
      setLineAside(sink, "", number, { column: "", value: "" }, "record-size");
    } else trouble = takeWhole(decoder.decode(begun));
    if (first === last) return trouble;
    for (const line of decoder.decode(piece.subarray(first + 1, last)).split("\n")) trouble ??= takeWhole(line);
    return trouble;
  }

  function takeWhole(line: string): LedgerError | null {
    number += 1;
    return take(line.endsWith("\r") ? line.slice(0, -1) : line, number, true);
  }

  function keep(piece: Uint8Array): void {
    if (rest.length + piece.length > longestLine) isTooLong = true;
    if (isTooLong) {
      rest = new Uint8Array(0);
      return;
    }
    const longer = new Uint8Array(rest.length + piece.length);
    longer.set(rest);
    longer.set(piece, rest.length);
    rest = longer;
  }

  function end(): LedgerError | null {
    if (rest.length === 0 || isTooLong) return null;
    const line = decoder.decode(rest);
    return take(line.endsWith("\r") ? line.slice(0, -1) : line, number + 1, false);
  }

  return { bytes, end };
}

const newline = 10;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Sets a line aside as it stands. */
export function setLineAside(sink: LogSink, line: string, number: number, { column, value }: { readonly column: string; readonly value: string }, reason: Parameters<LogSink["setAside"]>[3]): void {
  const bytes = encoder.encode(line);
  const record: Pick<LogRecord, "bytes" | "from" | "to" | "line"> = { bytes, from: 0, to: bytes.length, line: number };
  sink.setAside(record, column, value, reason);
}
