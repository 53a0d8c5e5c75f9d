import type { ByteSource } from "./source.ts";

/** One record where it lies in the scanner's buffer. The object is reused: read what you need before you return. */
export interface RecordScan {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  /** Exclusive end of each field; a field starts at `start`, or one after the end of the one before. Quotes are still on. */
  ends: Int32Array;
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
}

/** A record longer than this is set aside, not gathered (performance.md section 3). */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;
export const BUFFER_BYTES = 4 * 1024 * 1024;
const SLACK = 16;
const LINE_FEED = 10;
const RETURN = 13;
const QUOTE = 34;

/**
 * Finds records and fields in bytes: separators, quotes and line ends, each looked at once. Works on UTF-8 and GB18030 alike.
 * A quote counts at the start of a field only; inside quotes it is doubled; what follows the closing one belongs to the field.
 */
export async function scanRecords(source: ByteSource, options: ScanOptions, reader: RecordReader): Promise<void> {
  const { delimiter } = options;
  let capacity = options.bufferSize ?? BUFFER_BYTES;
  let bytes = new Uint8Array(capacity + SLACK);
  let view = new DataView(bytes.buffer);
  const ends = new Int32Array(8192);
  const scan: RecordScan = { bytes, view, ends, fieldCount: 0, start: 0, end: 0, line: 0, record: 0, byte: 0, isUnterminated: false };
  /** Data in the buffer is [0, limit); its first byte is `base` bytes into the text. */
  let limit = 0;
  let base = 0;
  let position = 0;
  let line = options.from?.line ?? 1;
  let record = options.from?.record ?? 1;
  let isAtEnd = false;
  let skip = options.from?.byte ?? 0;
  // Bytes below this hold every byte that ends a field, so that four letters are passed at once.
  const canSkip = delimiter < 45;

  /** Finds one whole record from `position` on. 0: it goes on beyond the buffer; 1: found; 2: a blank line. */
  function findRecord(): 0 | 1 | 2 {
    let at = position;
    let count = 0;
    let lines = 0;
    let fieldStart = at;
    for (;;) {
      let isQuoted = false;
      if (bytes[at] === QUOTE && at < limit) {
        isQuoted = true;
        at += 1;
        for (;;) {
          // Four bytes at a time here too: a byte that becomes 0 is a quote, or a line end.
          let byte: number;
          for (;;) {
            let marks: number;
            for (;;) {
              const word = view.getInt32(at, true);
              const quote = word ^ 0x22222222;
              const lineEnd = word ^ 0x0a0a0a0a;
              marks = (((quote - 0x01010101) & ~quote) | ((lineEnd - 0x01010101) & ~lineEnd)) & 0x80808080;
              if (marks !== 0) break;
              at += 4;
            }
            at += (31 - Math.clz32(marks & -marks)) >> 3;
            byte = bytes[at] as number;
            if (byte === QUOTE || at >= limit) break;
            lines += 1;
            at += 1;
          }
          if (byte !== QUOTE) break;
          if (bytes[at + 1] !== QUOTE || at + 1 >= limit) {
            at += 1;
            isQuoted = false;
            break;
          }
          at += 2;
        }
      }
      let byte: number;
      if (canSkip) {
        for (;;) {
          // Four bytes at a time: a set high bit marks a byte below 45; the lowest such bit is always a true one.
          let marks: number;
          let word = view.getInt32(at, true);
          while ((marks = (word - 0x2d2d2d2d) & ~word & 0x80808080) === 0) {
            at += 4;
            word = view.getInt32(at, true);
          }
          at += (31 - Math.clz32(marks & -marks)) >> 3;
          byte = bytes[at] as number;
          if (byte === delimiter || byte === LINE_FEED) break;
          at += 1;
        }
      } else {
        byte = bytes[at] as number;
        while (byte !== delimiter && byte !== LINE_FEED) {
          at += 1;
          byte = bytes[at] as number;
        }
      }
      if (byte === delimiter && at < limit) {
        ends[count] = at;
        count += 1;
        at += 1;
        // Wide exports are mostly empty cells.
        while (bytes[at] === delimiter && at < limit) {
          ends[count] = at;
          count += 1;
          at += 1;
        }
        fieldStart = at;
        continue;
      }
      if (at >= limit) {
        if (!isAtEnd) return 0;
        at = limit;
      }
      let end = at;
      if (end > fieldStart && bytes[end - 1] === RETURN) end -= 1;
      if (count === 0 && end === position) {
        position = at + 1;
        line += 1;
        return 2;
      }
      ends[count] = end;
      scan.start = position;
      scan.end = end;
      scan.fieldCount = count + 1;
      scan.line = line;
      scan.record = record;
      scan.byte = base + position;
      scan.isUnterminated = isQuoted;
      position = at + 1;
      line += lines + 1;
      record += 1;
      return 1;
    }
  }

  /** Keeps what is not yet scanned, makes room, and reads more. false at the end of the source. */
  async function refill(): Promise<boolean> {
    const kept = limit - position;
    if (kept >= capacity && capacity < MAX_RECORD_BYTES) {
      capacity = Math.min(capacity * 2, MAX_RECORD_BYTES);
      const larger = new Uint8Array(capacity + SLACK);
      larger.set(bytes.subarray(position, limit));
      bytes = larger;
      view = new DataView(bytes.buffer);
      scan.bytes = bytes;
      scan.view = view;
    } else if (position > 0) bytes.copyWithin(0, position, limit);
    base += position;
    position = 0;
    limit = kept;
    const count = await source.read(bytes, limit, capacity - limit);
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
    const passed = Math.min(skip, limit);
    position = passed;
    skip -= passed;
  }
  for (;;) {
    isAtEnd = !(await refill());
    if (reader.onBuffer !== undefined && !(await reader.onBuffer())) return;
    while (position < limit) {
      const found = findRecord();
      if (found === 0) break;
      if (found === 1 && !reader.onRecord(scan)) return;
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
export type TextOf = (bytes: Uint8Array<ArrayBuffer>, start: number, end: number) => string | null;

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
