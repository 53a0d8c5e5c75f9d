import { scanRecords } from "../../../../../main/engine/import/scan/records.ts";
import { memorySource } from "../../../../../main/engine/import/sniff.ts";

/** A record as either finder tells of it. */
export interface FoundRecord {
  readonly start: number;
  readonly ends: readonly number[];
  /** Physical line on which it begins. */
  readonly line: number;
  readonly isUnterminated: boolean;
}

const LINE_FEED = 10;
const RETURN = 13;
const QUOTE = 34;

/**
 * What a record is, byte by byte, as plainly as it can be said; the kernel must find the same. A quote counts at the start of a field only,
 * inside quotes it is doubled, and what follows the closing one belongs to the field. Blank lines are no records.
 */
export function plainRecords(bytes: Uint8Array, delimiter: number): FoundRecord[] {
  const found: FoundRecord[] = [];
  let at = 0;
  let line = 1;
  while (at < bytes.length) {
    const start = at;
    const ends: number[] = [];
    const firstLine = line;
    let isFieldStart = true;
    let isInside = false;
    let fieldStart = start;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (isInside) {
        if (byte === LINE_FEED) line += 1;
        if (byte !== QUOTE) continue;
        if (bytes[at + 1] === QUOTE) at += 1;
        else isInside = false;
        continue;
      }
      if (byte === QUOTE && isFieldStart) {
        isInside = true;
        isFieldStart = false;
        continue;
      }
      isFieldStart = false;
      if (byte === LINE_FEED) break;
      if (byte === delimiter) {
        ends.push(at);
        isFieldStart = true;
        fieldStart = at + 1;
      }
    }
    let end = at;
    if (end > fieldStart && bytes[end - 1] === RETURN) end -= 1;
    at += 1;
    line += 1;
    if (ends.length === 0 && end === start) continue;
    found.push({ start, ends: [...ends, end], line: firstLine, isUnterminated: isInside });
  }
  return found;
}

/** The same by the scanner and its kernel. */
export async function kernelRecords(bytes: Uint8Array, delimiter: number, bufferSize: number): Promise<FoundRecord[]> {
  const found: FoundRecord[] = [];
  await scanRecords(memorySource(bytes), { delimiter, bufferSize }, {
    onRecord(scan) {
      found.push({ start: scan.byte, ends: [...scan.ends.subarray(0, scan.fieldCount)].map((end) => end - scan.start + scan.byte), line: scan.line, isUnterminated: scan.isUnterminated });
      return true;
    },
    onOversize: () => undefined,
  });
  return found;
}
