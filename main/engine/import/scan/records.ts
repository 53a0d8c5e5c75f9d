import type { Kernel, KernelTables } from "./kernel.ts";
import { END, FIELD_COUNT, FIRST, giveBack, IS_INSIDE, LINES, NEXT, ROW_LINES, ROW_PLACE, rowSize, takeKernel } from "./kernel.ts";
import type { ByteSource } from "./source.ts";
import { createWindow } from "./window.ts";

export { MAX_RECORD_BYTES } from "./window.ts";

/** One record where it lies in the scanner's buffer. The object is reused: read what you need before you return. */
export interface RecordScan {
  bytes: Uint8Array;
  view: DataView;
  /** Exclusive end of each field; a field starts at `start`, or one after the end of the one before. Quotes are still on. */
  ends: Int32Array;
  /** It has the record in its memory. */
  kernel: Kernel;
  fieldCount: number;
  start: number;
  /** Of the last field: line ends are not in it. */
  end: number;
  /** Physical line (from 1) on which the record begins. */
  line: number;
  /** Ordinal among all records after the first that was read, from 1; blank lines are no records. */
  record: number;
  /** Offset of its first byte in the text that is scanned. */
  byte: number;
  /** The file ended inside quotes: what this record holds is not known. */
  isUnterminated: boolean;
  /** Two hashes of its dimensions, where whoever found it has them; else the kernel is asked. */
  readonly hashes?: Int32Array;
}

export interface ScanOptions {
  readonly delimiter: number;
  /** First size of the buffer; it grows for a longer record, up to `MAX_RECORD_BYTES`. */
  readonly bufferSize?: number;
  /** Where in the text to begin, and which physical line and record that is: the header, or a block of an earlier reading. */
  readonly from?: { readonly byte: number; readonly line: number; readonly record: number };
}

/** What the scanner tells whoever reads. */
export interface RecordReader {
  /** false ends the scan. */
  onRecord(scan: RecordScan): boolean;
  /** A record over the limit: it was read past, not gathered. */
  onOversize(place: { readonly line: number; readonly record: number }): void;
  /** After each buffer; false ends the scan. */
  onBuffer?(): boolean | Promise<boolean>;
  /** Takes records many at a time where that is possible: all but the first of the scan, and the last of the file. */
  readonly rows?: RowsReader | null;
}

/** Takes rows as the kernel read them, and goes back to the record where it needs more than that. */
export interface RowsReader {
  /** With a plan of rows. */
  tables(): KernelTables;
  /** How many rows are best taken one by one: when that is most of them, the rest of the scan goes that way. */
  onRows(rows: RowsScan): number;
}

/** Rows where they lie in the kernel. The object is reused. */
export interface RowsScan {
  kernel: Kernel;
  count: number;
  /** Doubles a row. */
  size: number;
  /** Of the first row: physical line, ordinal and, as what its place in the kernel is told from, the text's first byte there. */
  line: number;
  record: number;
  byte: number;
  /** The record of a row, found again; good until the next is asked for. */
  recordOf(row: number): RecordScan;
}

export const BUFFER_BYTES = 4 * 1024 * 1024;
const QUOTE = 34;

/**
 * Finds records and fields in bytes: separators, quotes and line ends, each looked at once. Works on UTF-8 and GB18030 alike.
 * A quote counts at the start of a field only; inside quotes it is doubled; what follows the closing one belongs to the field.
 */
export async function scanRecords(source: ByteSource, options: ScanOptions, reader: RecordReader): Promise<void> {
  if (source.scanRows !== undefined && (reader.rows ?? null) !== null) return source.scanRows(reader);
  const capacity = options.bufferSize ?? BUFFER_BYTES;
  const kernel = takeKernel(Math.max(capacity, BUFFER_BYTES));
  try {
    await scanWith(kernel, capacity, source, options, reader);
  } finally {
    giveBack(kernel, BUFFER_BYTES);
  }
}

async function scanWith(kernel: Kernel, capacity: number, source: ByteSource, { delimiter, from }: ScanOptions, reader: RecordReader): Promise<void> {
  const window = createWindow(kernel, { source, capacity, line: from?.line ?? 1, record: from?.record ?? 1, nextKernel: () => kernel });
  const place = createPlace(kernel);
  const { scan } = place;
  const many: RowsScan = { kernel, count: 0, size: 0, line: 0, record: 0, byte: 0, recordOf: (row) => place.recordOf(many, row, window.limit, delimiter, isAtEnd) };
  let rowsReader = reader.rows ?? null;
  let isAtEnd = false;
  let hasFirst = false;

  /** Finds one whole record from `position` on. 0: it goes on beyond the window; 1: found; 2: a blank line. */
  function findRecord(): 0 | 1 | 2 {
    const { position, limit, line, record, base } = window;
    const found = kernel.findRecord(position, limit, delimiter, isAtEnd);
    if (found === 0) return 0;
    const { answer } = kernel;
    if (found === 1) {
      place.describe(position, line, record, base);
      window.line += answer[LINES] as number;
      window.record += 1;
    }
    window.position = answer[NEXT] as number;
    window.line += 1;
    return found;
  }

  /** Hands over rows from `position` on, all whole ones of the window. */
  function takeRows(rows: RowsReader): void {
    let read = 0;
    let single = 0;
    for (;;) {
      const tables = rows.tables();
      if (tables.rows === null) return;
      kernel.prepare(tables);
      const count = kernel.readRows(window.position, window.limit, delimiter);
      const next = kernel.answer[0] as number;
      const lines = kernel.answer[1] as number;
      many.count = count;
      many.size = rowSize(tables.rows);
      many.line = window.line;
      many.record = window.record;
      many.byte = window.base - FIRST;
      if (count > 0) single += rows.onRows(many);
      read += count;
      window.position = next;
      window.line += lines;
      window.record += count;
      if (count === 0) break;
    }
    if (single * 2 > read) rowsReader = null;
  }

  const goesOn = (): boolean | Promise<boolean> => reader.onBuffer?.() ?? true;
  if (!(await window.skip(from?.byte ?? 0))) return;
  for (;;) {
    isAtEnd = !(await window.refill());
    place.look(kernel);
    if (!(await goesOn())) return;
    while (window.position < window.limit) {
      if (rowsReader !== null && hasFirst) takeRows(rowsReader);
      if (window.position >= window.limit) break;
      const found = findRecord();
      if (found === 0) break;
      if (found !== 1) continue;
      if (!reader.onRecord(scan)) return;
      hasFirst = true;
    }
    if (isAtEnd) return;
    if (window.isOversize()) {
      const at = { line: window.line, record: window.record };
      if (!(await window.passOversize(delimiter, goesOn))) return;
      reader.onOversize(at);
    }
  }
}

/** Says where records lie that a kernel has found. */
export interface RecordPlace {
  readonly scan: RecordScan;
  /** From now on in this kernel's memory. */
  look(kernel: Kernel): void;
  /** Of the record that the kernel has just found at a place; `base`: bytes of the text before what lies in the kernel. */
  describe(place: number, line: number, record: number, base: number): void;
  /** The record of one of many rows, found again. */
  recordOf(rows: RowsScan, row: number, limit: number, delimiter: number, isAtEnd: boolean): RecordScan;
}

export function createPlace(first: Kernel): RecordPlace {
  let kernel = first;
  const scan = { bytes: first.bytes, view: first.view, ends: first.ends, kernel: first, fieldCount: 0, start: 0, end: 0, line: 0, record: 0, byte: 0, isUnterminated: false };
  const place: RecordPlace = {
    scan,
    look(other) {
      kernel = other;
      scan.kernel = other;
      scan.bytes = other.bytes;
      scan.view = other.view;
      scan.ends = other.ends;
    },
    describe(at, line, record, base) {
      const { answer } = kernel;
      scan.start = at;
      scan.end = answer[END] as number;
      scan.fieldCount = answer[FIELD_COUNT] as number;
      scan.line = line;
      scan.record = record;
      scan.byte = base + at - FIRST;
      scan.isUnterminated = answer[IS_INSIDE] === 1;
    },
    recordOf(rows, row, limit, delimiter, isAtEnd) {
      const at = row * rows.size * 2;
      const start = kernel.rowInts[at + ROW_PLACE] as number;
      kernel.findRecord(start, limit, delimiter, isAtEnd);
      place.describe(start, rows.line + (kernel.rowInts[at + ROW_LINES] as number), rows.record + row, rows.byte + FIRST);
      return scan;
    },
  };
  return place;
}

/** Where a field begins; it ends at `scan.ends[index]`. */
export function fieldStart(scan: RecordScan, index: number): number {
  return index === 0 ? scan.start : (scan.ends[index - 1] as number) + 1;
}

/** How bytes of a field become text. */
export type TextOf = (bytes: Uint8Array, start: number, end: number) => string | null;

/** Decodes fields: quotes off, doubled ones single. null where the bytes are no text in that encoding. */
export function createTextOf(encoding: "utf-8" | "gb18030"): TextOf {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let seen: Uint8Array | null = null;
  let whole: Buffer = Buffer.alloc(0);
  return (bytes, from, to) => {
    if (bytes !== seen) {
      seen = bytes;
      whole = Buffer.from(bytes.buffer);
    }
    let start = from;
    let end = to;
    const isQuoted = start < end && bytes[start] === QUOTE;
    if (isQuoted) {
      start += 1;
      // What follows the closing quote belongs to the field; almost always nothing does.
      if (end > start && bytes[end - 1] === QUOTE) end -= 1;
    }
    let isPlain = true;
    for (let at = start; at < end; at += 1) {
      if ((bytes[at] as number) > 127) {
        isPlain = false;
        break;
      }
    }
    let text: string;
    if (isPlain) text = whole.toString("latin1", start, end);
    else {
      try {
        text = decoder.decode(bytes.subarray(start, end));
      } catch {
        return null;
      }
    }
    return isQuoted && text.includes('"') ? text.replaceAll('""', '"') : text;
  };
}

/** All cells of a record as texts; what is no text in the encoding shows replacement characters. */
export function textsOf(scan: RecordScan, textOf: TextOf): string[] {
  const texts: string[] = [];
  const count = Math.min(scan.fieldCount, scan.ends.length);
  for (let index = 0; index < count; index += 1) {
    const start = fieldStart(scan, index);
    const end = scan.ends[index] as number;
    texts.push(textOf(scan.bytes, start, end) ?? Buffer.from(scan.bytes.buffer, start, end - start).toString("utf8"));
  }
  return texts;
}
