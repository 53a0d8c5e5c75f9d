import { canonicalName } from "../../formats/format.ts";
import type { ByteSource } from "./source.ts";

/**
 * How JSON lies in a file: an object a line; one document whose objects are the records (an array of them, or one after another); or an answer
 * of an interface, `wrapped`: the records are the first array of objects inside its object.
 */
export type JsonLayout = "lines" | "document" | "wrapped";

/** Objects inside objects are columns of their own down to here (`service.description`); the text of each is a column too. */
const MOST_DEPTH = 4;
/** A record longer than this is not gathered; it counts as one that cannot be read. */
const MOST_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
const LINE_FEED = 10;
const QUOTE = 34;
const BACKSLASH = 92;

/** null: the text is no JSON that holds records. */
export function jsonLayoutOf(head: string): JsonLayout | null {
  const start = head.search(/\S/);
  if (start === -1) return null;
  if (head[start] === "[") return /^\[\s*\{/.test(head.slice(start)) ? "document" : null;
  if (head[start] !== "{") return null;
  const end = head.indexOf("\n", start);
  const first = head.slice(start, end === -1 ? undefined : end).trim();
  return first.endsWith("}") && flattened(first) !== null ? "lines" : "document";
}

/** Whether an object holds an array of objects, so that those may be the records. */
export function mayBeWrapped(head: string): boolean {
  return /^\s*\{/.test(head) && /\[\s*\{/.test(head);
}

/**
 * An object's values by path: texts without their escapes, numbers in their digits, lists and objects as the JSON they are; null and what is
 * empty are left out. null: the text is no object.
 */
export function flattened(text: string): ReadonlyMap<string, string> | null {
  const cells = new Map<string, string>();
  const reader = { text, at: 0 };
  skipBlanks(reader);
  if (!readObject(reader, "", 0, cells)) return null;
  skipBlanks(reader);
  return reader.at === text.length ? cells : null;
}

interface Reader {
  readonly text: string;
  at: number;
}

function skipBlanks(reader: Reader): void {
  let code = reader.text.charCodeAt(reader.at);
  while (code === 32 || code === 9 || code === 10 || code === 13) code = reader.text.charCodeAt((reader.at += 1));
}

function readObject(reader: Reader, path: string, depth: number, cells: Map<string, string>): boolean {
  if (reader.text[reader.at] !== "{") return false;
  reader.at += 1;
  skipBlanks(reader);
  if (reader.text[reader.at] === "}") {
    reader.at += 1;
    return true;
  }
  for (;;) {
    skipBlanks(reader);
    const key = readString(reader);
    if (key === null) return false;
    skipBlanks(reader);
    if (reader.text[reader.at] !== ":") return false;
    reader.at += 1;
    if (!readMember(reader, path === "" ? key : `${path}.${key}`, depth, cells)) return false;
    skipBlanks(reader);
    const next = reader.text[reader.at];
    reader.at += 1;
    if (next === "}") return true;
    if (next !== ",") return false;
  }
}

function readMember(reader: Reader, path: string, depth: number, cells: Map<string, string>): boolean {
  skipBlanks(reader);
  const start = reader.at;
  const first = reader.text[start];
  if (first === '"') {
    const value = readString(reader);
    if (value === null) return false;
    if (value !== "") cells.set(path, value);
    return true;
  }
  if (first === "{" && depth < MOST_DEPTH) {
    if (!readObject(reader, path, depth + 1, cells)) return false;
    cells.set(path, reader.text.slice(start, reader.at));
    return true;
  }
  if (first === "{" || first === "[") {
    if (!skipNested(reader)) return false;
    cells.set(path, reader.text.slice(start, reader.at));
    return true;
  }
  word.lastIndex = start;
  const value = word.exec(reader.text)?.[0];
  if (value === undefined) return false;
  reader.at += value.length;
  if (value !== "null") cells.set(path, value);
  return true;
}

const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function readString(reader: Reader): string | null {
  if (reader.text.charCodeAt(reader.at) !== QUOTE) return null;
  const end = endOfString(reader.text, reader.at);
  if (end === -1) return null;
  const raw = reader.text.slice(reader.at + 1, end - 1);
  if (!raw.includes("\\")) {
    reader.at = end;
    return raw;
  }
  try {
    const value = JSON.parse(reader.text.slice(reader.at, end)) as string;
    reader.at = end;
    return value;
  } catch {
    return null;
  }
}

/** Behind the closing quote; -1 where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
    else if (!(code >= 32)) return -1;
  }
}

/** Past a list or object whose inside is no column; it has to be JSON all the same. */
function skipNested(reader: Reader): boolean {
  const start = reader.at;
  let depth = 0;
  for (; reader.at < reader.text.length; reader.at += 1) {
    const letter = reader.text[reader.at];
    if (letter === '"') {
      const end = endOfString(reader.text, reader.at);
      if (end === -1) return false;
      reader.at = end - 1;
    } else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") {
      depth -= 1;
      if (depth === 0) {
        reader.at += 1;
        return isJson(reader.text.slice(start, reader.at));
      }
    }
  }
  return false;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export interface JsonRecord {
  readonly text: string;
  /** Physical line (from 1) on which it begins. */
  readonly line: number;
}

/** Cuts bytes into records, whatever pieces they come in. The last one is handed out by `end`. */
export function createJsonCutter(layout: JsonLayout): { take(bytes: Uint8Array): JsonRecord[]; end(): JsonRecord[] } {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let pieces: Uint8Array[] = [];
  let gathered = 0;
  let isTooLong = false;
  let line = 1;
  let startLine = 1;
  let depth = 0;
  let base = -1;
  let isInString = false;
  let isEscaped = false;
  let isInside = false;
  /** Of what is wrapped: behind the bracket of an array that may be the one; inside it; behind it. */
  let wrapping: "before" | "at-array" | "in" | "behind" = layout === "wrapped" ? "before" : "in";

  function add(bytes: Uint8Array, from: number, to: number): void {
    if (to <= from) return;
    gathered += to - from;
    if (gathered > MOST_BYTES) {
      isTooLong = true;
      pieces = [];
    } else pieces.push(bytes.slice(from, to));
  }
  function made(records: JsonRecord[]): void {
    const text = isTooLong ? "" : decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    if (isTooLong || text.trim() !== "") records.push({ text, line: startLine });
    pieces = [];
    gathered = 0;
    isTooLong = false;
  }
  function takeLines(bytes: Uint8Array): JsonRecord[] {
    const records: JsonRecord[] = [];
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(LINE_FEED, from);
      if (at === -1) break;
      add(bytes, from, at);
      made(records);
      line += 1;
      startLine = line;
      from = at + 1;
    }
    add(bytes, from, bytes.length);
    return records;
  }
  function takeDocument(bytes: Uint8Array): JsonRecord[] {
    const records: JsonRecord[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === LINE_FEED) line += 1;
      if (wrapping === "behind") continue;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        continue;
      }
      if (wrapping !== "in") {
        if (byte === QUOTE) isInString = true;
        if (wrapping === "at-array" && byte === 123) [wrapping, base, depth] = ["in", 1, 1];
        else {
          if (byte > 32) wrapping = byte === 91 ? "at-array" : "before";
          continue;
        }
      }
      if (byte === QUOTE) {
        isInString = true;
        if (!isInside) [isInside, from, startLine] = [true, at, line];
      } else if (byte === 123 || byte === 91) {
        // The document's own bracket, if it has one, is no record.
        if (base === -1) base = byte === 91 ? 1 : 0;
        if (depth >= base && !isInside) [isInside, from, startLine] = [true, at, line];
        depth += 1;
      } else if (byte === 125 || byte === 93) {
        depth -= 1;
        if (depth === 0 && layout === "wrapped") wrapping = "behind";
        if (depth === base && isInside) {
          add(bytes, from, at + 1);
          made(records);
          isInside = false;
        }
      } else if (byte > 32 && byte !== 44 && !isInside) [isInside, from, startLine] = [true, at, line];
    }
    if (isInside) {
      add(bytes, from, bytes.length);
    }
    return records;
  }
  return {
    take: layout === "lines" ? takeLines : takeDocument,
    end() {
      const records: JsonRecord[] = [];
      if (layout === "lines" || isInside) made(records);
      return records;
    },
  };
}

/**
 * JSON records as the delimited text that the scanner reads: a header of these columns on line 0, then a record each, kept on its physical
 * line where the file has one record a line. What is no object becomes a record of one cell, so that it is set aside.
 */
export function jsonAsTable(source: ByteSource, layout: JsonLayout, columns: readonly string[]): ByteSource {
  const cutter = createJsonCutter(layout);
  const places = new Map<string, number>();
  columns.forEach((column, index) => {
    if (!places.has(canonicalName(column))) places.set(canonicalName(column), index);
  });
  const raw = new Uint8Array(PIECE_BYTES);
  let piece: Buffer = Buffer.from(`${columns.map(quoted).join(",")}\n`, "utf8");
  let used = 0;
  let line = 1;
  let ended = false;
  const written = (records: readonly JsonRecord[]): Buffer => {
    const lines: string[] = [];
    for (const record of records) {
      for (; line < record.line; line += 1) lines.push("");
      lines.push(rowOf(record.text, places, columns.length));
      line += 1;
    }
    return lines.length === 0 ? Buffer.alloc(0) : Buffer.from(`${lines.join("\n")}\n`, "utf8");
  };
  return {
    ...source,
    async read(target, offset, length) {
      while (used === piece.length && !ended) {
        const count = await source.read(raw, 0, raw.length);
        ended = count === 0;
        piece = written(ended ? cutter.end() : cutter.take(raw.subarray(0, count)));
        used = 0;
      }
      const count = Math.min(length, piece.length - used);
      target.set(piece.subarray(used, used + count), offset);
      used += count;
      return count;
    },
  };
}

function rowOf(text: string, places: ReadonlyMap<string, number>, count: number): string {
  const cells = flattened(text);
  if (cells === null) return quoted(text.slice(0, 500));
  const row = new Array<string>(count).fill("");
  for (const [path, value] of cells) {
    const place = places.get(canonicalName(path));
    if (place !== undefined) row[place] = quoted(value);
  }
  return row.join(",");
}

/** On one line, since a record's place is its line. */
function quoted(value: string): string {
  if (!/[",\r\n]/.test(value)) return value;
  return `"${value.replace(/[\r\n]+/g, " ").replaceAll('"', '""')}"`;
}
