/** The values of a page or of a dictionary as they are stored, and on demand, once each, as cells of text. */
import type { ColumnMetaData, DecodedArray, SchemaElement, SchemaTree } from "hyparquet";
import { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { parsers } from "./parquet-text.ts";

/** Texts as UTF-8 one after another: cell n reaches from `starts[n]` to `starts[n + 1]`. Cell 0 is the empty one, of what is null. */
export interface Cells {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  /** Bytes of the longest. */
  readonly longest: number;
}

/** A column that is stored by itself: one of the file, or a leaf of a nested one. */
export interface Leaf {
  readonly chunk: ColumnMetaData;
  /** From the root down to it, elements as they are decoded (`asStored`). */
  readonly schemaPath: SchemaTree[];
  /** Its element as the file states it. */
  readonly stated: SchemaElement;
  /** What stands in the cell of a value that is not null. */
  textOf(value: unknown): string;
}

/** Values that are not null, numbered from 1; 0 stands for null. */
export interface Stored {
  readonly leaf: Leaf;
  readonly count: number;
  /** As they are stored. */
  readonly raw: DecodedArray;
  /** As hyparquet converts them. */
  converted(): DecodedArray;
  cells(): Cells;
  /** Puts the text of a value down and answers where it ends; there must be room. */
  copy(number: number, into: Buffer, at: number): number;
  /** Bytes that no text of it passes. */
  readonly longest: number;
  /** What others have worked out of it, by who did. */
  readonly kept: Map<unknown, unknown>;
}

/** No number or time takes more bytes, in quotes or not. */
const LONGEST_NUMBER = 128;
/** A native copy costs as much as some forty bytes one by one. */
const COPIED_ONE_BY_ONE = 40;

export function createStored(leaf: Leaf, raw: DecodedArray): Stored {
  let converted: DecodedArray | null = null;
  let cells: Cells | null = null;
  const isNumber = leaf.chunk.type !== "BYTE_ARRAY" && leaf.chunk.type !== "FIXED_LEN_BYTE_ARRAY";
  const stored: Stored = {
    leaf,
    count: raw.length,
    raw,
    kept: new Map(),
    converted: () => (converted ??= convertedOf(leaf, raw)),
    cells: () => (cells ??= plainTexts(leaf, raw) ?? cellsFrom(stored.converted(), leaf.textOf)),
    copy(number, into, at) {
      if (number === 0) return at;
      if (cells !== null || !isNumber) return copyCell(stored.cells(), number, into, at);
      const [value] = convertedOf(leaf, raw.slice(number - 1, number)) as ArrayLike<unknown> as readonly unknown[];
      return at + into.write(leaf.textOf(value), at, "latin1");
    },
    get longest() {
      return cells !== null || !isNumber ? stored.cells().longest : LONGEST_NUMBER;
    },
  };
  return stored;
}

/** Texts that were made otherwise, each of a value. */
export function storedTexts(leaf: Leaf, texts: readonly string[]): Stored {
  const cells = cellsFrom(texts, (text) => text as string);
  return { leaf, count: texts.length, raw: [], kept: new Map(), converted: () => [], cells: () => cells, copy: (number, into, at) => copyCell(cells, number, into, at), longest: cells.longest };
}

function convertedOf({ chunk, schemaPath }: Leaf, raw: DecodedArray): DecodedArray {
  const { element } = schemaPath.at(-1) as SchemaTree;
  return convert(raw, { pathInSchema: chunk.path_in_schema, type: chunk.type, element, schemaPath, codec: chunk.codec, parsers: { ...DEFAULT_PARSERS, ...parsers }, utf8: false });
}

function cellsFrom(values: ArrayLike<unknown>, textOf: (value: unknown) => string): Cells {
  const starts = new Uint32Array(values.length + 2);
  let bytes = Buffer.allocUnsafe(16 * values.length + 64);
  let at = 0;
  let longest = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    const text = value === null || value === undefined ? "" : textOf(value);
    if (bytes.length - at < text.length * 3) bytes = larger(bytes, at, text.length * 3);
    starts[index + 1] = at;
    at += bytes.write(text, at, "utf8");
    longest = Math.max(longest, at - (starts[index + 1] as number));
  }
  starts[values.length + 1] = at;
  return { bytes, starts, longest };
}

function larger(bytes: Buffer, used: number, more: number): Buffer<ArrayBuffer> {
  const found = Buffer.allocUnsafe(2 * bytes.length + more);
  bytes.copy(found, 0, 0, used);
  return found;
}

/** Texts that are ASCII and need no quotes, copied as they lie; null where any is not. */
function plainTexts({ stated, chunk }: Leaf, raw: DecodedArray): Cells | null {
  const { converted_type: converted, logical_type: logical } = stated;
  const isText = converted === "UTF8" || converted === "ENUM" || logical?.type === "STRING" || logical?.type === "ENUM" || (converted === undefined && logical === undefined);
  if (chunk.type !== "BYTE_ARRAY" || !isText) return null;
  const values = raw as readonly Uint8Array[];
  const starts = new Uint32Array(values.length + 2);
  const bytes = new Uint8Array(values.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let longest = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as Uint8Array;
    starts[index + 1] = at;
    for (let from = 0; from < value.length; from += 1) {
      const byte = value[from] as number;
      if (byte > 127 || byte === QUOTE || byte === COMMA || byte === LINE_FEED || byte === RETURN) return null;
      bytes[at++] = byte;
    }
    longest = Math.max(longest, value.length);
  }
  starts[values.length + 1] = at;
  return { bytes, starts, longest };
}

export const COMMA = 44;
export const LINE_FEED = 10;
const RETURN = 13;
export const QUOTE = 34;

/** Copies a cell's bytes and answers where they end. */
function copyCell({ bytes, starts }: Cells, cell: number, into: Uint8Array, at: number): number {
  const start = starts[cell] as number;
  const end = starts[cell + 1] as number;
  if (end - start > COPIED_ONE_BY_ONE) {
    into.set(bytes.subarray(start, end), at);
    return at + end - start;
  }
  let to = at;
  for (let from = start; from < end; from += 1) into[to++] = bytes[from] as number;
  return to;
}
