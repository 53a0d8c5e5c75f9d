/** A provider's price list as a file: what it must say, and what is kept of it. */
import { createHash } from "node:crypto";
import { createReadStream, openSync, readSync, closeSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip, gunzipSync } from "node:zlib";
import { parse } from "csv-parse";
import { parse as parseAll } from "csv-parse/sync";
import { ledgerError, type Expected, type LedgerError } from "../../../shared/contract/errors.ts";
import type { Payment, PriceMode, PriceScope, PriceSheetFormat } from "../../../shared/contract/offers.ts";
import { isNegative, isZero, parseDecimal, toDecimal } from "../../../shared/domain/rational.ts";
import { err, type Result } from "../../../shared/result.ts";
import { detectEncoding } from "../import/encoding.ts";

/** One price of a sheet. */
export interface SheetPrice {
  readonly line: number;
  readonly provider: string;
  readonly instanceType: string;
  readonly region: string;
  readonly mode: PriceMode;
  readonly payment: Payment | null;
  readonly isConvertible: boolean;
  readonly currency: string;
  readonly pricePerHour: string;
  readonly upfront: string;
  readonly acceleratorId: string | null;
  readonly acceleratorCount: number | null;
  readonly scope: PriceScope;
  readonly priceDate: string;
}

export interface PriceSheet {
  readonly format: PriceSheetFormat;
  readonly file: string;
  readonly sha256: string;
  /** The newest of its prices. */
  readonly priceDate: string;
  readonly rowsRead: number;
  readonly rowsSkipped: number;
  readonly prices: readonly SheetPrice[];
}

/** JSON is read whole: a larger file is asked for as CSV, which is read line by line. */
const MOST_JSON_BYTES = 200 * 1024 * 1024;

/** A row that is refused: the whole sheet is, so that no half of a list is ever taken for all of it. */
export class BadPrice extends Error {
  readonly trouble: LedgerError;

  constructor(trouble: LedgerError) {
    super(trouble.code);
    this.trouble = trouble;
  }
}

export function refuse(file: string, line: number, column: string, value: string, expected: Expected): never {
  throw new BadPrice(ledgerError("import.value-invalid", { file, line, column, value: value.slice(0, 120), expected }));
}

/** A price of 0 or more as exact decimal text. */
export function priceText(file: string, line: number, column: string, text: string): string {
  const value = parseDecimal(text.trim().replace(/^(US)?\$/, ""));
  if (value === null) refuse(file, line, column, text, "decimal");
  if (isNegative(value)) refuse(file, line, column, text, "not-negative");
  const plain = toDecimal(value);
  if (!/^\d{1,12}(\.\d{1,18})?$/.test(plain)) refuse(file, line, column, text, "decimal");
  return plain;
}

export function isNothing(price: string): boolean {
  return isZero(parseDecimal(price) ?? { numerator: 0n, denominator: 1n });
}

export function currencyText(file: string, line: number, column: string, text: string): string {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) refuse(file, line, column, text, "currency");
  return code;
}

/** `2026-07-20` of a day or an instant. */
export function dayText(file: string, line: number, column: string, text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text.trim())?.[0] ?? "";
  if (day === "" || Number.isNaN(Date.parse(`${day}T00:00:00Z`))) refuse(file, line, column, text, "day");
  return day;
}

/** A file as text: what it begins with, its records, or the whole of it as JSON. */
export interface SheetFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly isGzip: boolean;
  readonly encoding: string;
  /** The first 64 KiB. */
  readonly start: string;
  readonly isJson: boolean;
}

export function openSheet(path: string): Result<SheetFile> {
  const name = basename(path);
  let bytes: Buffer;
  let size: number;
  try {
    const found = statSync(path);
    if (found.isDirectory()) return err(ledgerError("import.unreadable", { file: name }));
    size = found.size;
    const descriptor = openSync(path, "r");
    try {
      bytes = Buffer.alloc(Math.min(size, 65_536));
      readSync(descriptor, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return err(ledgerError("import.not-found", { file: name }));
  }
  if (size === 0) return err(ledgerError("import.empty", { file: name }));
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (isGzip) {
    try {
      bytes = gunzipSync(bytes, { finishFlush: 2 }).subarray(0, 65_536);
    } catch {
      return err(ledgerError("import.unreadable", { file: name }));
    }
  }
  const detected = detectEncoding(bytes, bytes.length < 65_536);
  if (detected === null) return err(ledgerError("import.not-text", { file: name }));
  const start = new TextDecoder(detected.encoding).decode(bytes, { stream: true });
  if (start.trim() === "") return err(ledgerError("import.empty", { file: name }));
  return { ok: true, value: { path, name, size, isGzip, encoding: detected.encoding, start, isJson: /^\s*[[{]/.test(start) } };
}

export interface SheetRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The records of a CSV one by one, with the line each begins at. */
export async function* recordsOf(sheet: SheetFile): AsyncGenerator<SheetRecord> {
  const decoder = new TextDecoder(sheet.encoding);
  async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  }
  const start = firstLines(sheet.start);
  const delimiter = [",", ";", "\t"].reduce((best, each) => (start.split(each).length > start.split(best).length ? each : best));
  const options = { delimiter, bom: true, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true } as const;
  // The first record says how many columns there are, and for every other with more or fewer the parser makes an error first, with its stack:
  // with lines about the file above the header that is most of the time. So those lines are read on their own.
  const above = linesAbove(sheet.start, delimiter);
  if (above.length > 0) for (const { record, info } of parseAll(above.join("\n"), options) as unknown as readonly Parsed[]) yield { cells: record, line: info.lines };
  const parser = parse({ ...options, from_line: above.length + 1 });
  const bytes = createReadStream(sheet.path);
  // Whoever stops reading early closes all of it; what goes wrong is thrown by the parser below.
  if (sheet.isGzip) pipeline(bytes, createGunzip(), decoded, parser, () => undefined);
  else pipeline(bytes, decoded, parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) yield { cells: record, line: info.lines };
  } catch {
    throw new BadPrice(ledgerError("prices.broken", { file: sheet.name }));
  }
}

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Lines above the widest of the first twenty, which is the header; none where a cell of them goes over its line. */
function linesAbove(start: string, delimiter: string): readonly string[] {
  const lines = start.split(/\r?\n/, 20);
  const widths = lines.map((line) => line.split(delimiter).length);
  const above = lines.slice(0, widths.indexOf(Math.max(...widths)));
  return above.some((line) => line.split('"').length % 2 === 0) ? [] : above;
}

export async function jsonOf(sheet: SheetFile): Promise<unknown> {
  if (sheet.size > MOST_JSON_BYTES) throw new BadPrice(ledgerError("prices.too-large", { file: sheet.name, megabytes: Math.round(sheet.size / 1_048_576) }));
  try {
    const bytes = await readFile(sheet.path);
    const text = new TextDecoder(sheet.encoding).decode(sheet.isGzip ? gunzipSync(bytes, { maxOutputLength: MOST_JSON_BYTES }) : bytes);
    return JSON.parse(/^\s*\{.*\}\s*\n\s*\{/.test(text.slice(0, 65_536)) ? `[${text.trim().split("\n").join(",")}]` : text);
  } catch {
    throw new BadPrice(ledgerError("prices.broken", { file: sheet.name }));
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

function firstLines(text: string): string {
  return text.split("\n", 6).join("\n");
}

/** Fields of JSON that came from somebody else. */
export type Fields = Readonly<Record<string, unknown>>;
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
export function textIn(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === "string" ? value : typeof value === "number" || typeof value === "bigint" ? String(value) : "";
}
