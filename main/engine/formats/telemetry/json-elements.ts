/** JSON read as a stream that hands out one part after another as a whole: the documents of a file, or the elements of one of its lists. */
import { ledgerError } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import { jsonStream } from "./json-stream.ts";

/** Numbers stay as written. */
export type JsonPart = string | boolean | null | readonly JsonPart[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonPart;
}

export interface JsonElements {
  readonly bytes: (piece: Uint8Array) => LedgerError | null;
  /** Whether the text ends within a document, and how many came before it. */
  readonly isCut: () => boolean;
  readonly documents: () => number;
}

/** A part larger than that is no reading of devices, and the file is refused. */
const mostValues = 4_000_000;

/**
 * `isElement`: whether the object or list that opens at these keys and places is one to hand out; `[]` is a document itself.
 * `take`: the element, and where it stood. Lines of a tool's chatter before the first brace are passed over.
 */
export function jsonElements(file: string, isElement: (path: readonly (string | number)[]) => boolean, take: (element: JsonPart, path: readonly (string | number)[]) => LedgerError | null): JsonElements {
  const path: (string | number)[] = [];
  /** The element that is being built, from the outside in. */
  const building: (JsonPart[] | Record<string, JsonPart>)[] = [];
  let depth = 0;
  let values = 0;
  let documents = 0;
  let hasBegun = false;
  let noise = new Uint8Array(0);
  let trouble: LedgerError | null = null;

  function put(part: JsonPart): void {
    values += 1;
    if (values > mostValues) trouble ??= ledgerError("import.unreadable", { file });
    const into = building.at(-1);
    if (into === undefined) return;
    if (Array.isArray(into)) into.push(part);
    else into[String(path.at(-1))] = part;
  }
  function step(): void {
    const place = path.at(-1);
    if (typeof place === "number") path[path.length - 1] = place + 1;
  }

  const stream = jsonStream({
    open(kind) {
      step();
      if (building.length > 0 || (trouble === null && isElement(path))) {
        const part: JsonPart[] | Record<string, JsonPart> = kind === "array" ? [] : (Object.create(null) as Record<string, JsonPart>);
        if (building.length === 0) values = 0;
        else put(part);
        building.push(part);
      }
      path.push(kind === "array" ? -1 : "");
      depth += 1;
    },
    close() {
      path.pop();
      depth -= 1;
      const part = building.pop();
      if (part !== undefined && building.length === 0) trouble ??= take(part, path);
      if (depth === 0) documents += 1;
    },
    key(name) {
      path[path.length - 1] = name;
    },
    value(text, isString) {
      step();
      if (building.length === 0) return;
      put(isString || !/^(true|false|null)$/.test(text) ? text : text === "null" ? null : text === "true");
    },
  }, { allowsNaN: true });

  function bytes(piece: Uint8Array): LedgerError | null {
    const text = hasBegun ? piece : withoutNoise(piece);
    if (text === null) return null;
    if (!stream.take(text)) return ledgerError("import.unreadable", { file });
    return trouble;
  }

  /** From the first line that begins with a brace on; null if none has come yet. */
  function withoutNoise(piece: Uint8Array): Uint8Array | null {
    const all = new Uint8Array(noise.length + piece.length);
    all.set(noise);
    all.set(piece, noise.length);
    let isLineStart = true;
    for (let at = 0; at < all.length; at++) {
      const byte = all[at] as number;
      if (isLineStart && (byte === openBrace || byte === openBracket)) {
        hasBegun = true;
        return all.subarray(at);
      }
      if (byte === newline) isLineStart = true;
      else if (byte > 32) isLineStart = false;
    }
    noise = all.length > 1_048_576 ? new Uint8Array(0) : all;
    return null;
  }

  return { bytes, isCut: () => !stream.isComplete(), documents: () => documents };
}

const newline = 10;
const openBrace = 123;
const openBracket = 91;

/** The text of a member; null if there is none or it is no text or number. */
export function textAt(part: JsonPart | undefined, ...keys: readonly string[]): string | null {
  let at: JsonPart | undefined = part;
  for (const key of keys) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return typeof at === "string" ? at : null;
}

export function isObject(part: JsonPart | undefined): part is JsonObject {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}
export function isList(part: JsonPart | undefined): part is readonly JsonPart[] {
  return Array.isArray(part);
}

/** A file that ends within its first document is refused; after whole ones the last is left out and counted. */
export function cutTrouble(elements: JsonElements, file: string, repaired: () => void): LedgerError | null {
  if (!elements.isCut()) return null;
  if (elements.documents() === 0) return ledgerError("import.truncated", { file, rows: 0 });
  repaired();
  return null;
}
