/** A value as a cell spells it. Numbers keep their digits. */
export type Literal = string | boolean | null | LiteralNumber | readonly Literal[] | LiteralObject;
export interface LiteralNumber {
  readonly number: string;
}
export type LiteralObject = ReadonlyMap<string, Literal>;

const MOST_DEPTH = 32;

/**
 * Reads JSON, or the literals that Python prints (`'…'`, `None`, `True`, tuples, `Decimal('…')`, lists of objects without commas between
 * them, as arrays are printed): values only, nothing is evaluated. undefined: it is neither.
 */
export function parseLiteral(text: string): Literal | undefined {
  const reader = { text, at: 0 };
  try {
    const value = readValue(reader, 0);
    skipBlanks(reader);
    return reader.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

export function isLiteralObject(value: Literal | undefined): value is LiteralObject {
  return value instanceof Map;
}

/** A text, or a number in its digits; null for everything else. */
export function literalText(value: Literal | undefined): string | null {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null && "number" in value ? value.number : null;
}

class NoLiteral extends Error {}

interface Reader {
  readonly text: string;
  at: number;
}

function skipBlanks(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at += 1;
}

function readValue(reader: Reader, depth: number): Literal {
  if (depth > MOST_DEPTH) throw new NoLiteral();
  skipBlanks(reader);
  const first = reader.text[reader.at];
  if (first === "{") return readObject(reader, depth);
  if (first === "[") return readList(reader, "]", depth);
  if (first === "(") return readList(reader, ")", depth);
  if (first === '"' || first === "'") return readString(reader, first);
  number.lastIndex = reader.at;
  const digits = number.exec(reader.text)?.[0];
  if (digits !== undefined) {
    reader.at += digits.length;
    return { number: digits };
  }
  word.lastIndex = reader.at;
  const name = word.exec(reader.text)?.[0] ?? "";
  reader.at += name.length;
  if (name === "null" || name === "None") return null;
  if (name === "true" || name === "True") return true;
  if (name === "false" || name === "False") return false;
  if (name === "Decimal") {
    const [value] = readList(reader, ")", depth) as readonly Literal[];
    const stated = literalText(value);
    if (stated !== null) return { number: stated };
  }
  throw new NoLiteral();
}

const number = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const word = /[A-Za-z]+/y;

function readList(reader: Reader, close: string, depth: number): Literal[] {
  if (reader.text[reader.at] !== (close === "]" ? "[" : "(")) throw new NoLiteral();
  reader.at += 1;
  const items: Literal[] = [];
  for (;;) {
    skipBlanks(reader);
    if (reader.text[reader.at] === close) {
      reader.at += 1;
      return items;
    }
    items.push(readValue(reader, depth + 1));
    skipBlanks(reader);
    if (reader.text[reader.at] === ",") reader.at += 1;
    else if (reader.text[reader.at] !== close && reader.text[reader.at] !== "{") throw new NoLiteral();
  }
}

function readObject(reader: Reader, depth: number): LiteralObject {
  reader.at += 1;
  const entries = new Map<string, Literal>();
  for (;;) {
    skipBlanks(reader);
    const next = reader.text[reader.at];
    if (next === "}") {
      reader.at += 1;
      return entries;
    }
    if (next !== '"' && next !== "'") throw new NoLiteral();
    const key = readString(reader, next);
    skipBlanks(reader);
    if (reader.text[reader.at] !== ":") throw new NoLiteral();
    reader.at += 1;
    entries.set(key, readValue(reader, depth + 1));
    skipBlanks(reader);
    if (reader.text[reader.at] === ",") reader.at += 1;
    else if (reader.text[reader.at] !== "}") throw new NoLiteral();
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0", "\n": "" };

function readString(reader: Reader, quote: string): string {
  const { text } = reader;
  let at = reader.at + 1;
  let value = "";
  for (;;) {
    const letter = text[at];
    if (letter === undefined) throw new NoLiteral();
    if (letter === quote) {
      reader.at = at + 1;
      return value;
    }
    if (letter !== "\\") {
      value += letter;
      at += 1;
      continue;
    }
    const code = /^\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(text.slice(at, at + 6));
    const hex = code?.[1] ?? code?.[2];
    if (code !== null && hex !== undefined) {
      value += String.fromCharCode(Number.parseInt(hex, 16));
      at += code[0].length;
    } else {
      const escaped = text[at + 1] ?? "";
      value += escapes[escaped] ?? escaped;
      at += 2;
    }
  }
}
