import { statSync } from "node:fs";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Result } from "../../../shared/result.ts";
import { err, ok } from "../../../shared/result.ts";
import { detectEncoding } from "./encoding.ts";
import { createTextOf, scanRecords, textsOf } from "./scan/records.ts";
import { compressionOf, failureOf, isTar, nameOf, openBytes, openedHead, placeOf, type Compression } from "./scan/archive.ts";
import { openParquet } from "./scan/parquet.ts";
import { SourceError, sourceTrouble } from "./scan/failure.ts";
import type { JsonLayout } from "./scan/json-records.ts";
import { createJsonCutter, flattened, jsonLayoutOf, mayBeWrapped } from "./scan/json-records.ts";
import type { ByteSource } from "./scan/source.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "gb18030";
export type Delimiter = "," | ";" | "\t" | "|";

/** What the first bytes of a file tell, before any format looks at it. Plain data: it crosses to the reader thread. */
export interface Sniffed {
  /** Of a file, or of a member of an archive (scan/archive.ts). */
  readonly path: string;
  /** The file's name alone, for words; with its place in the archive for a member. */
  readonly name: string;
  /** Bytes as it lies on disk. */
  readonly size: number;
  readonly compression: Compression | null;
  readonly encoding: Encoding;
  /** Bytes of a byte order mark, of the decompressed file. */
  readonly markLength: number;
  readonly delimiter: Delimiter;
  readonly quote: '"';
  /** Set where the records are JSON objects; header and samples are then those that they come to as a table (scan/json-records.ts). */
  readonly json: JsonLayout | null;
  /** Set for a Parquet file: its columns and rows as a table (scan/parquet.ts). */
  readonly isParquet?: true;
  /** Physical line (from 1) on which the header, or for a file without one the first record, begins. */
  readonly headerLine: number;
  /** Bytes before it in the UTF-8, or GB18030, text that the scanner sees (mark read past, UTF-16 transcoded). */
  readonly headerByte: number;
  /** The first record's cells, quotes taken off, not trimmed. */
  readonly header: readonly string[];
  /** The records after it that the first 256 KiB hold, at most 200. */
  readonly sampleRecords: readonly (readonly string[])[];
  /** The first bytes as text, at most 64 Ki characters, for formats that are not tables (JSON, exposition text). */
  readonly head: string;
  /** Whether the file ends within what was looked at. */
  readonly isWhole: boolean;
}

const LOOKED_AT = 256 * 1024;
const SAMPLE_RECORDS = 200;
const HEAD_CHARACTERS = 64 * 1024;
const delimiters: readonly Delimiter[] = [",", ";", "\t", "|"];

/**
 * Looks at the first bytes of a file: compression, encoding, delimiter, header.
 *
 * `otherwise`: how to look at what nothing knew at first (import/recognize.ts, sniffKnown).
 *
 * errors   import.not-found, import.unreadable, import.empty, import.not-text, import.line-ends, import.truncated (a gz cut before its first block ends),
 *          import.archive-nested, import.encrypted, import.archive-bursting, import.container-unsupported (7z, bzip2, xz, and zstd where the
 *          runtime has none), import.unrecognized with what it is in `closest` (a workbook, a database)
 */
export async function sniff(path: string, otherwise: Otherwise | null = null): Promise<Result<Sniffed>> {
  const name = nameOf(path);
  let size: number;
  let raw: Buffer;
  let bytes: Uint8Array;
  let isWhole: boolean;
  let compression: Compression | null;
  try {
    if (statSync(placeOf(path).file).isDirectory()) return err(ledgerError("import.unreadable", { file: name }));
    ({ size, raw } = await firstBytes(path, LOOKED_AT));
    if (size === 0) return err(ledgerError("import.empty", { file: name }));
    bytes = raw;
    isWhole = raw.length === size;
    compression = compressionOf(raw);
    if (compression !== null) {
      bytes = await openedHead(raw, compression, LOOKED_AT);
      if (bytes.length === 0) return err(ledgerError(isWhole ? "import.truncated" : "import.unreadable", { file: name, rows: 0 }));
      isWhole &&= bytes.length < LOOKED_AT;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return err(ledgerError("import.not-found", { file: name }));
    return err(sourceTrouble(error instanceof SourceError ? error.failure : failureOf(error).failure, name));
  }
  const container = containerOf(bytes);
  // Archives that are opened have been taken apart before (plan.ts).
  if (container === "zip" || isTar(bytes)) return err(ledgerError("import.archive-nested", { file: name }));
  if (container === "gzip" || container === "zstd") return err(ledgerError("import.archive-nested", { file: name }));
  if (container === "7z" || container === "bzip2" || container === "xz") return err(ledgerError("import.container-unsupported", { file: name, container }));
  if (container === "parquet") return sniffParquet(path, name, size, compression);
  if (container !== null) return err(ledgerError("import.unrecognized", { file: name, closest: container, missing: "" }));

  const detected = detectEncoding(bytes, isWhole);
  if (detected === null) return err(ledgerError("import.not-text", { file: name }));
  const { encoding, markLength } = detected;
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  let text: Uint8Array = bytes.subarray(markLength);
  if (isWide) text = Buffer.from(new TextDecoder(encoding, { ignoreBOM: true }).decode(text, { stream: !isWhole }), "utf8");
  const decoded = new TextDecoder(isWide ? "utf-8" : encoding).decode(text, { stream: true });
  if (decoded.trim() === "") return err(ledgerError("import.empty", { file: name }));

  const json = otherwise === "wrapped" ? (mayBeWrapped(decoded) ? "wrapped" : null) : jsonLayoutOf(decoded);
  if (otherwise !== null && otherwise !== "wrapped") {
    const place = headerAmong(text, isWide ? "utf-8" : encoding, otherwise);
    const table = place === null ? null : await readTable(text.subarray(place.byte), place.delimiter, isWide ? "utf-8" : encoding, isWhole, false);
    if (place === null || table === null) return err(ledgerError("import.empty", { file: name }));
    const found = { ...table, headerLine: table.headerLine + place.line, headerByte: table.headerByte + place.byte, delimiter: place.delimiter };
    return ok({ path, name, size, compression, encoding, markLength, quote: '"', json: null, ...found, head: decoded.slice(0, HEAD_CHARACTERS), isWhole });
  }
  if (json !== null) {
    const table = jsonTable(encoding === "gb18030" ? Buffer.from(decoded, "utf8") : text, json, isWhole);
    if (table !== null) {
      const place = { headerLine: 0, headerByte: 0, delimiter: "," as const, quote: '"' as const };
      return ok({ path, name, size, compression, encoding, markLength, json, ...place, ...table, head: decoded.slice(0, HEAD_CHARACTERS), isWhole });
    }
  }

  // No table of one line: its lines end as those of old Macs did, and would be read as a header without rows.
  if (/[^\s]\r[^\s]/.test(decoded) && !decoded.includes("\n")) return err(ledgerError("import.line-ends", { file: name }));
  const separator = /^[\s]*sep=(.)\r?\n/i.exec(decoded);
  const delimiter = separator !== null && isDelimiter(separator[1]) ? separator[1] : detectDelimiter(decoded.slice(separator?.[0].length ?? 0));
  const table = await readTable(text, delimiter, isWide ? "utf-8" : encoding, isWhole, separator !== null);
  if (table === null) return err(ledgerError("import.empty", { file: name }));
  return ok({
    path,
    name,
    size,
    compression,
    encoding,
    markLength,
    delimiter,
    quote: '"',
    json: null,
    ...table,
    head: decoded.slice(0, HEAD_CHARACTERS),
    isWhole,
  });
}

/** Another look at a file that nothing knows: as an answer of an interface, or as a table whose header stands below other lines. */
export type Otherwise = "wrapped" | ((header: readonly string[]) => boolean);

/** A header that `isKnown` knows stands at most so far down: titles, dates and filters of a console's export come before it. */
const MOST_LINES_BEFORE = 30;

/** The first line that is a known header, by its place; null where none of the first is. */
function headerAmong(text: Uint8Array, encoding: "utf-8" | "gb18030" | "utf-16le" | "utf-16be", isKnown: (header: readonly string[]) => boolean): { readonly line: number; readonly byte: number; readonly delimiter: Delimiter } | null {
  const decoder = new TextDecoder(encoding);
  let byte = 0;
  for (let line = 0; line <= MOST_LINES_BEFORE && byte < text.length; line += 1) {
    const end = text.indexOf(10, byte);
    const cells = decoder.decode(text.subarray(byte, end === -1 ? text.length : end)).trim();
    for (const delimiter of delimiters) {
      const header = cells.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
      if (line > 0 && header.length > 1 && isKnown(header)) return { line, byte, delimiter };
    }
    if (end === -1) return null;
    byte = end + 1;
  }
  return null;
}

async function sniffParquet(path: string, name: string, size: number, compression: Compression | null): Promise<Result<Sniffed>> {
  try {
    const table = await openParquet(path, compression);
    try {
      const sampleRecords = table.firstRows(SAMPLE_RECORDS);
      const place = { encoding: "utf-8", markLength: 0, delimiter: ",", quote: '"', json: null, isParquet: true, headerLine: 0, headerByte: 0 } as const;
      return ok({ path, name, size, compression, ...place, header: table.header, sampleRecords, head: "", isWhole: table.rowCount <= sampleRecords.length });
    } finally {
      table.close();
    }
  } catch (error) {
    return err(sourceTrouble(failureOf(error).failure, name));
  }
}

async function firstBytes(path: string, count: number): Promise<{ readonly size: number; readonly raw: Buffer }> {
  const { stream, size } = await openBytes(path, count);
  const pieces: Buffer[] = [];
  let filled = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      pieces.push(piece);
      filled += piece.length;
      if (filled >= count) break;
    }
  } finally {
    stream.destroy();
  }
  return { size, raw: Buffer.concat(pieces).subarray(0, count) };
}

const magics: readonly { readonly container: string; readonly bytes: readonly number[] }[] = [
  { container: "gzip", bytes: [0x1f, 0x8b] },
  { container: "zip", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { container: "zip", bytes: [0x50, 0x4b, 0x05, 0x06] },
  { container: "parquet", bytes: [0x50, 0x41, 0x52, 0x31] },
  { container: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { container: "7z", bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { container: "bzip2", bytes: [0x42, 0x5a, 0x68, 0x31] },
  { container: "bzip2", bytes: [0x42, 0x5a, 0x68, 0x39] },
  { container: "xz", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { container: "xls", bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { container: "sqlite", bytes: [...Buffer.from("SQLite format 3\0")] },
];

/** A container by its first bytes; a zip that holds a workbook is an xlsx. */
function containerOf(raw: Uint8Array): string | null {
  const found = magics.find(({ bytes }) => bytes.every((byte, index) => raw[index] === byte));
  if (found?.container === "zip" && Buffer.from(raw.subarray(0, 4096)).includes("xl/")) return "xlsx";
  return found?.container ?? null;
}

function isDelimiter(text: string | undefined): text is Delimiter {
  return delimiters.some((candidate) => candidate === text);
}

/** The delimiter that parts the first lines into the most fields, the same number in each; quotes are looked through. */
function detectDelimiter(text: string): Delimiter {
  const lines = text
    .slice(0, HEAD_CHARACTERS)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 5);
  let best: Delimiter = ",";
  let most = 0;
  for (const candidate of delimiters) {
    const count = Math.max(0, ...lines.slice(0, 1).map((line) => line.replace(/"(?:[^"]|"")*"/g, "").split(candidate).length - 1));
    if (count > most) {
      most = count;
      best = candidate;
    }
  }
  return best;
}

/** The first JSON records as a table: the paths of all of them, in the order in which they are met. null: there is no whole record. */
function jsonTable(text: Uint8Array, layout: JsonLayout, isWhole: boolean): Pick<Sniffed, "header" | "sampleRecords"> | null {
  const cutter = createJsonCutter(layout);
  const records = cutter.take(text);
  if (isWhole) records.push(...cutter.end());
  const rows = records.slice(0, SAMPLE_RECORDS).flatMap((record) => flattened(record.text) ?? []);
  const header = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return header.length === 0 ? null : { header, sampleRecords: rows.map((row) => header.map((column) => row.get(column) ?? "")) };
}

async function readTable(
  text: Uint8Array,
  delimiter: Delimiter,
  encoding: "utf-8" | "gb18030" | "utf-16le" | "utf-16be",
  isWhole: boolean,
  hasSeparatorLine: boolean,
): Promise<Pick<Sniffed, "headerLine" | "headerByte" | "header" | "sampleRecords"> | null> {
  const textOf = createTextOf(encoding === "gb18030" ? "gb18030" : "utf-8");
  let header: { readonly line: number; readonly byte: number; readonly cells: readonly string[] } | null = null;
  const sampleRecords: string[][] = [];
  let skipping = hasSeparatorLine;
  let lastEnd = 0;
  await scanRecords(memorySource(text), { delimiter: delimiter.charCodeAt(0), bufferSize: text.length + 1 }, {
    onRecord(scan) {
      if (skipping) {
        skipping = false;
        return true;
      }
      lastEnd = scan.byte + (scan.end - scan.start);
      const cells = textsOf(scan, textOf);
      if (header === null) header = { line: scan.line, byte: scan.byte, cells };
      else if (isWhole || lastEnd < text.length) sampleRecords.push(cells);
      return sampleRecords.length < SAMPLE_RECORDS;
    },
    onOversize: () => undefined,
  });
  const found = header as { readonly line: number; readonly byte: number; readonly cells: readonly string[] } | null;
  return found === null ? null : { headerLine: found.line, headerByte: found.byte, header: found.cells, sampleRecords };
}

/** Bytes that are in memory already, as a source. */
export function memorySource(bytes: Uint8Array): ByteSource {
  let at = 0;
  return {
    read(target, offset, length) {
      const count = Math.min(length, bytes.length - at);
      target.set(bytes.subarray(at, at + count), offset);
      at += count;
      return Promise.resolve(count);
    },
    bytesTaken: () => at,
    sha256: () => Promise.resolve(""),
    close: () => Promise.resolve(),
  };
}
