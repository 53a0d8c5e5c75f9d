import type { Result } from "../../../shared/result.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "gb18030";

/** What the first bytes of a file tell, before any format looks at it. Plain data: it crosses to the reader thread. */
export interface Sniffed {
  readonly path: string;
  /** The file's name alone, for words. */
  readonly name: string;
  /** Bytes as it lies on disk. */
  readonly size: number;
  readonly compression: "gzip" | null;
  readonly encoding: Encoding;
  /** Bytes of a byte order mark, of the decompressed file. */
  readonly markLength: number;
  readonly delimiter: "," | ";" | "\t" | "|";
  readonly quote: '"';
  /** Physical line (from 1) on which the header, or for a file without one the first record, begins. */
  readonly headerLine: number;
  /** Bytes before it in the UTF-8, or GB18030, text that the scanner sees (UTF-16 is transcoded before). */
  readonly headerByte: number;
  /** The first record's cells, quotes taken off, not trimmed. */
  readonly header: readonly string[];
  /** The records after it that the first 256 KiB hold, at most 200. */
  readonly sampleRecords: readonly (readonly string[])[];
  /** The first bytes as text, at most 64 KiB of it, for formats that are not tables (JSON, exposition text). */
  readonly head: string;
  /** Whether the file ends within what was looked at. */
  readonly isWhole: boolean;
}

/**
 * Looks at the first bytes of a file: compression, encoding, delimiter, header.
 *
 * errors   import.not-found, import.unreadable, import.empty, import.not-text, import.truncated, import.unrecognized (a container we do not open)
 */
export declare function sniff(path: string): Promise<Result<Sniffed>>;
