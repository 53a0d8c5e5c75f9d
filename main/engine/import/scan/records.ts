import type { Kernel, KernelTables } from "./kernel.ts";
import { END, FIELD_COUNT, FIRST, giveBack, IS_INSIDE, LINES, NEXT, ROW_LINES, ROW_PLACE, rowSize, SLACK, takeKernel } from "./kernel.ts";
import type { ByteSource } from "./source.ts";

/** One record where it lies in the scanner's buffer. The object is reused: read what you need before you return. */
export interface RecordScan {
  bytes: Uint8Array;
  view: DataView;
  /** Exclusive end of each field; a field starts at `start`, or one after the end of the one before. Quotes are still on. */
  ends: Int32Array;
  /** It has the record in its memory. */
  readonly kernel: Kernel;
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
  readonly kernel: Kernel;
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

/** A record longer than this is set aside, not gathered (performance.md section 3). */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;
export const BUFFER_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;
const QUOTE = 34;

/**
 * Finds records and fields in bytes: separators, quotes and line ends, each looked at once. Works on UTF-8 and GB18030 alike.
 * A quote counts at the start of a field only; inside quotes it is doubled; what follows the closing one belongs to the field.
 */
export async function scanRecords(source: ByteSource, options: ScanOptions, reader: RecordReader): Promise<void> {
  const capacity = options.bufferSize ?? BUFFER_BYTES;
  const kernel = takeKernel(Math.max(capacity, BUFFER_BYTES));
  try {
    await scanWith(kernel, capacity, source, options, reader);
  } finally {
    giveBack(kernel, BUFFER_BYTES);
  }
}

async function scanWith(kernel: Kernel, firstCapacity: number, source: ByteSource, options: ScanOptions, reader: RecordReader): Promise<void> {
  const { delimiter } = options;
  let capacity = firstCapacity;
  let { bytes } = kernel;
  const scan: RecordScan = { bytes, view: kernel.view, ends: kernel.ends, kernel, fieldCount: 0, start: 0, end: 0, line: 0, record: 0, byte: 0, isUnterminated: false };
  /** Data in the buffer is [FIRST, limit); its first byte is `base` bytes into the text. */
  let limit = FIRST;
  let base = 0;
  let position = FIRST;
  let line = options.from?.line ?? 1;
  let record = options.from?.record ?? 1;
  let isAtEnd = false;
  let hasFirst = false;
  let skip = options.from?.byte ?? 0;

  /** Finds one whole record from `position` on. 0: it goes on beyond the buffer; 1: found; 2: a blank line. */
  function findRecord(): 0 | 1 | 2 {
    const found = kernel.findRecord(position, limit, delimiter, isAtEnd);
    if (found === 0) return 0;
    const { answer } = kernel;
    if (found === 1) {
      describe(position, line, record);
      line += answer[LINES] as number;
      record += 1;
    }
    position = answer[NEXT] as number;
    line += 1;
    return found;
  }

  /** Says of the record that the kernel has found where it lies. */
  function describe(place: number, itsLine: number, itsRecord: number): void {
    const { answer } = kernel;
    scan.start = place;
    scan.end = answer[END] as number;
    scan.fieldCount = answer[FIELD_COUNT] as number;
    scan.line = itsLine;
    scan.record = itsRecord;
    scan.byte = base + place - FIRST;
    scan.isUnterminated = answer[IS_INSIDE] === 1;
  }


  const many: RowsScan = { kernel, count: 0, size: 0, line: 0, record: 0, byte: 0, recordOf };
  let rowsReader = reader.rows ?? null;

  /** Hands over rows from `position` on, all whole ones of the buffer. */
  function takeRows(rows: RowsReader): void {
    let read = 0;
    let single = 0;
    for (;;) {
      const tables = rows.tables();
      if (tables.rows === null) return;
      kernel.prepare(tables);
      const count = kernel.readRows(position, limit, delimiter);
      const next = kernel.answer[0] as number;
      const lines = kernel.answer[1] as number;
      many.count = count;
      many.size = rowSize(tables.rows);
      many.line = line;
      many.record = record;
      many.byte = base - FIRST;
      if (count > 0) single += rows.onRows(many);
      read += count;
      position = next;
      line += lines;
      record += count;
      if (count === 0) break;
    }
    if (single * 2 > read) rowsReader = null;
  }

  function recordOf(row: number): RecordScan {
    const at = row * many.size * 2;
    const place = kernel.rowInts[at + ROW_PLACE] as number;
    kernel.findRecord(place, limit, delimiter, isAtEnd);
    describe(place, many.line + (kernel.rowInts[at + ROW_LINES] as number), many.record + row);
    return scan;
  }

  /** Keeps what is not yet scanned, makes room, and reads more. false at the end of the source. */
  async function refill(): Promise<boolean> {
    const keptBytes = limit - position;
    if (position > FIRST) bytes.copyWithin(FIRST, position, limit);
    if (keptBytes >= capacity && capacity < MAX_RECORD_BYTES) {
      capacity = Math.min(capacity * 2, MAX_RECORD_BYTES);
      kernel.grow(capacity);
      ({ bytes } = kernel);
      scan.bytes = bytes;
      scan.view = kernel.view;
      scan.ends = kernel.ends;
    }
    base += position - FIRST;
    position = FIRST;
    limit = FIRST + keptBytes;
    const count = await source.read(bytes, limit, capacity - keptBytes);
    limit += count;
    bytes.fill(LINE_FEED, limit, limit + SLACK);
    return count > 0;
  }

  /** Reads past a record that is too long to gather, keeping count of lines. */
  async function passOversize(): Promise<void> {
    const place = { line, record };
    let isInside = false;
    let isFieldStart = true;
    let closedAt = false;
    for (;;) {
      while (position < limit) {
        const byte = bytes[position] as number;
        position += 1;
        if (byte === LINE_FEED) line += 1;
        if (isInside) {
          if (byte === QUOTE) {
            isInside = false;
            closedAt = true;
          }
          continue;
        }
        if (byte === QUOTE && (isFieldStart || closedAt)) isInside = true;
        closedAt = false;
        isFieldStart = byte === delimiter;
        if (byte === LINE_FEED) {
          record += 1;
          reader.onOversize(place);
          return;
        }
      }
      if (!(await refill())) {
        record += 1;
        reader.onOversize(place);
        return;
      }
      if (reader.onBuffer !== undefined && !(await reader.onBuffer())) return;
    }
  }

  while (skip > 0) {
    position = limit;
    if (!(await refill())) return;
    const passed = Math.min(skip, limit - FIRST);
    position = FIRST + passed;
    skip -= passed;
  }
  for (;;) {
    isAtEnd = !(await refill());
    if (reader.onBuffer !== undefined && !(await reader.onBuffer())) return;
    while (position < limit) {
      if (rowsReader !== null && hasFirst) takeRows(rowsReader);
      if (position >= limit) break;
      const found = findRecord();
      if (found === 0) break;
      if (found !== 1) continue;
      if (!reader.onRecord(scan)) return;
      hasFirst = true;
    }
    if (isAtEnd) return;
    if (limit - position >= MAX_RECORD_BYTES) await passOversize();
  }
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
