/**
 * A flat column of a Parquet file as cells of delimited text, page by page: what a dictionary holds is put into text once, and a row names a
 * cell. Counts are held to what the bytes can be, since one damaged run of a thousand million values would fill the memory.
 */
import type { ColumnMetaData, DecodedArray, PageHeader, ParquetParsers, SchemaElement, SchemaTree } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetHeader } from "hyparquet/src/column.js";
import { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { readPlain } from "hyparquet/src/plain.js";
import { SourceError } from "./failure.ts";

/** Texts as UTF-8 one after another: cell n reaches from `starts[n]` to `starts[n + 1]`. Cell 0 is the empty one, of what is null. */
export interface Cells {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  /** Bytes of the longest. */
  readonly longest: number;
}

/** Where a column stands: rows from `at` to the end of `which` name the cells of the page that is open. */
export interface CellColumn {
  cells: Cells;
  which: Uint32Array;
  at: number;
  /** Opens the next page; called when `at` has reached the end. */
  next(): void;
}

export interface FlatColumn {
  readonly chunk: ColumnMetaData;
  readonly element: SchemaElement;
  readonly schemaPath: SchemaTree[];
  /** Of the group; all of the column's pages together have as many. */
  readonly rows: number;
  readonly parsers: Partial<ParquetParsers>;
  /** What stands in the cell of a value that is not null. */
  textOf(value: unknown): string;
}

/** No writer makes pages larger than this. */
export const MOST_PAGE_BYTES = 256 * 1024 * 1024;

const ownEncodings: readonly (string | undefined)[] = ["PLAIN", "RLE", "BIT_PACKED", "PLAIN_DICTIONARY", "RLE_DICTIONARY"];

/** Whether a column's chunk is read here: of no struct or list, and in the encodings that nearly all writers use. */
export function isReadHere({ children, element }: SchemaTree, chunk: ColumnMetaData): boolean {
  return children.length === 0 && element.repetition_type !== "REPEATED" && chunk.path_in_schema.length === 1 && chunk.type !== "BOOLEAN" && chunk.encodings.every((encoding) => ownEncodings.includes(encoding));
}

/** `bytes` are those of the column's chunk, from its first page on. Throws a `SourceError`, or what bytes that are none make their reader throw. */
export function openCells(bytes: ArrayBuffer, column: FlatColumn): CellColumn {
  const reader = { view: new DataView(bytes), offset: 0 };
  let dictionary: Cells | null = null;
  let seen = 0;
  const opened: CellColumn = {
    cells: noCells,
    which: new Uint32Array(0),
    at: 0,
    next() {
      for (;;) {
        if (seen >= column.rows || reader.offset >= bytes.byteLength) throw new SourceError("unreadable");
        const page = nextPage(reader, bytes);
        if (page.header.type === "DICTIONARY_PAGE") {
          dictionary = dictionaryOf(page, column);
          continue;
        }
        const count = page.header.data_page_header?.num_values ?? page.header.data_page_header_v2?.num_values ?? -1;
        if (!isCount(count) || count > column.rows - seen) throw new SourceError("unreadable");
        seen += count;
        if (count === 0) continue;
        const { cells, which } = cellsOf(page, column, count, dictionary);
        opened.cells = cells;
        opened.which = which;
        opened.at = 0;
        return;
      }
    },
  };
  return opened;
}

/** The cells of values that were decoded otherwise. */
export function cellsFrom(values: ArrayLike<unknown>, from: number, to: number, textOf: (value: unknown) => string): Cells {
  const cells = growingCells(to - from, 16 * (to - from));
  for (let index = from; index < to; index += 1) {
    const value = values[index];
    cells.add(value === null || value === undefined ? "" : textOf(value));
  }
  return cells.take();
}

interface Page {
  readonly header: PageHeader;
  readonly packed: Uint8Array;
}

function nextPage(reader: { readonly view: DataView; offset: number }, bytes: ArrayBuffer): Page {
  const header = parquetHeader(reader);
  const { compressed_page_size: packed, uncompressed_page_size: opened } = header;
  if (!isCount(packed) || !isCount(opened) || reader.offset + packed > bytes.byteLength) throw new SourceError("unreadable");
  if (opened > MOST_PAGE_BYTES) throw new SourceError("bursting");
  const page = { header, packed: new Uint8Array(bytes, reader.offset, packed) };
  reader.offset += packed;
  return page;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function dictionaryOf({ header, packed }: Page, column: FlatColumn): Cells {
  const count = header.dictionary_page_header?.num_values ?? -1;
  if (!isCount(count) || count > Math.max(header.uncompressed_page_size * 8, 8)) throw new SourceError("unreadable");
  return plainCells(decompressPage(packed, header.uncompressed_page_size, column.chunk.codec, compressors), count, column);
}

function cellsOf({ header, packed }: Page, column: FlatColumn, count: number, dictionary: Cells | null): { readonly cells: Cells; readonly which: Uint32Array } {
  const { body, levels } = header.data_page_header_v2 === undefined ? openFirst(header, packed, column) : openSecond(header, packed, column);
  const isOptional = column.element.repetition_type !== "REQUIRED";
  const present = isOptional ? runsOf(levels, 1, count, 1) : null;
  let stated = count;
  if (present !== null) {
    stated = 0;
    for (let row = 0; row < count; row += 1) stated += present[row] as number;
    if (stated === 0) return { cells: noCells, which: present };
  }
  const encoding = header.data_page_header?.encoding ?? header.data_page_header_v2?.encoding;
  let cells: Cells;
  let values: Uint32Array;
  if (encoding === "PLAIN") {
    ({ cells, which: values } = plainPage(body, stated, column));
  } else if ((encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") && dictionary !== null) {
    cells = dictionary;
    const [bits = 0] = body;
    if (bits > 32) throw new SourceError("unreadable");
    // Cell 0 is that of null.
    values = runsOf(body.subarray(1), bits, stated, dictionary.starts.length - 3, 1);
  } else throw new SourceError("unreadable");
  if (present === null || stated === count) return { cells, which: values };
  let next = 0;
  for (let row = 0; row < count; row += 1) if (present[row] !== 0) present[row] = values[next++] as number;
  return { cells, which: present };
}

interface OpenedPage {
  readonly levels: Uint8Array;
  readonly body: Uint8Array;
}

function openFirst(header: PageHeader, packed: Uint8Array, { chunk, element }: FlatColumn): OpenedPage {
  const body = decompressPage(packed, header.uncompressed_page_size, chunk.codec, compressors);
  if (element.repetition_type === "REQUIRED") return { levels: new Uint8Array(0), body };
  const length = new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(0, true);
  if (4 + length > body.length) throw new SourceError("unreadable");
  return { levels: body.subarray(4, 4 + length), body: body.subarray(4 + length) };
}

function openSecond(header: PageHeader, packed: Uint8Array, { chunk }: FlatColumn): OpenedPage {
  const { repetition_levels_byte_length: repetition, definition_levels_byte_length: definition, is_compressed: isCompressed } = header.data_page_header_v2 ?? { repetition_levels_byte_length: -1, definition_levels_byte_length: -1 };
  if (!isCount(repetition) || !isCount(definition) || repetition + definition > packed.length) throw new SourceError("unreadable");
  const size = header.uncompressed_page_size - repetition - definition;
  if (size < 0) throw new SourceError("unreadable");
  const body = packed.subarray(repetition + definition);
  return { levels: packed.subarray(repetition, repetition + definition), body: isCompressed !== false && size > 0 ? decompressPage(body, size, chunk.codec, compressors) : body };
}

/** Bytes of a value of the types whose values are all as long. */
const widths: Readonly<Partial<Record<FlatColumn["chunk"]["type"], 4 | 8>>> = { INT32: 4, FLOAT: 4, INT64: 8, DOUBLE: 8 };

/** The values of a page without a dictionary. Numbers and times come again and again: each is put into text once. */
function plainPage(body: Uint8Array, stated: number, column: FlatColumn): { readonly cells: Cells; readonly which: Uint32Array } {
  const width = widths[column.chunk.type];
  const which = new Uint32Array(stated);
  if (width === undefined) {
    for (let index = 0; index < stated; index += 1) which[index] = index + 1;
    return { cells: plainCells(body, stated, column), which };
  }
  if (stated * width > body.length) throw new SourceError("unreadable");
  const words = new Int32Array(body.buffer.slice(body.byteOffset, body.byteOffset + stated * width));
  const step = width / 4;
  const mask = 2 ** Math.ceil(Math.log2(stated + 2) + 1) - 1;
  const slots = new Uint32Array(mask + 1);
  let distinct = 0;
  for (let index = 0; index < stated; index += 1) {
    const low = words[index * step] as number;
    const high = step === 2 ? (words[index * step + 1] as number) : 0;
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    for (;;) {
      const cell = slots[slot] as number;
      if (cell === 0) {
        // The distinct values move to the front, over what has been looked at.
        words[distinct * step] = low;
        if (step === 2) words[distinct * step + 1] = high;
        distinct += 1;
        slots[slot] = distinct;
        which[index] = distinct;
        break;
      }
      if (words[(cell - 1) * step] === low && (step === 1 || words[(cell - 1) * step + 1] === high)) {
        which[index] = cell;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return { cells: plainCells(new Uint8Array(words.buffer, 0, distinct * width), distinct, column), which };
}

function plainCells(body: Uint8Array, count: number, { chunk, element, schemaPath, parsers, textOf }: FlatColumn): Cells {
  const reader = { view: new DataView(body.buffer, body.byteOffset, body.byteLength), offset: 0 };
  // A value of no bytes at all is the shortest: four bytes of its length.
  if (count > body.length * 8) throw new SourceError("unreadable");
  const stored: DecodedArray = readPlain(reader, chunk.type, count, element.type_length);
  const values = convert(stored, { pathInSchema: chunk.path_in_schema, type: chunk.type, element, schemaPath, codec: chunk.codec, parsers: { ...DEFAULT_PARSERS, ...parsers }, compressors, utf8: false });
  return cellsFrom(values, 0, count, textOf);
}

/** Cells of some rows, with the commas that stand before them. */
export interface Strip {
  readonly commas: number;
  readonly cells: Cells;
  readonly which: Uint32Array;
}

/** Strips of fewer rows are not worth putting together. */
const FEWEST_ROWS = 4096;

/**
 * Puts strips together that stand beside each other and of which few combinations occur: the dimensions of a bill go together, so that a row
 * is written as a few long cells instead of many short ones.
 */
export function joinStrips(strips: readonly Strip[]): Strip[] {
  const rows = strips[0]?.which.length ?? 0;
  if (rows < FEWEST_ROWS) return [...strips];
  const found: Strip[] = [];
  for (const strip of strips) {
    const before = found.at(-1);
    const together = before === undefined ? null : joinedStrip(before, strip, rows);
    if (together === null) found.push(strip);
    else found[found.length - 1] = together;
  }
  return found;
}

/** The numbers of combinations while two strips are put together: all 0 between two times. */
const numbers = new Uint32Array(1 << 21);

/** Two strips as one; null where too many combinations occur. */
function joinedStrip(first: Strip, second: Strip, rows: number): Strip | null {
  const [firstCount, secondCount] = [cellCount(first.cells), cellCount(second.cells)];
  if (firstCount * secondCount > numbers.length) return null;
  const most = rows / 8;
  const which = new Uint32Array(rows);
  const pairs: number[] = [];
  for (let row = 0; row < rows && pairs.length <= most; row += 1) {
    const pair = (first.which[row] as number) * secondCount + (second.which[row] as number);
    let number = numbers[pair] as number;
    if (number === 0) {
      pairs.push(pair);
      number = numbers[pair] = pairs.length;
    }
    which[row] = number;
  }
  for (const pair of pairs) numbers[pair] = 0;
  if (pairs.length > most) return null;
  const starts = new Uint32Array(pairs.length + 2);
  const sizes = pairs.map((pair) => cellSize(first.cells, Math.floor(pair / secondCount)) + second.commas + cellSize(second.cells, pair % secondCount));
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  let longest = 0;
  pairs.forEach((pair, index) => {
    starts[index + 1] = at;
    at = copyCell(first.cells, Math.floor(pair / secondCount), bytes, at);
    bytes.fill(COMMA, at, at + second.commas);
    at = copyCell(second.cells, pair % secondCount, bytes, at + second.commas);
    longest = Math.max(longest, sizes[index] as number);
  });
  starts[pairs.length + 1] = at;
  return { commas: first.commas, cells: { bytes, starts, longest }, which };
}

export const COMMA = 44;
/** A native copy costs as much as some forty bytes one by one. */
const COPIED_ONE_BY_ONE = 40;

function cellCount({ starts }: Cells): number {
  return starts.length - 1;
}

function cellSize({ starts }: Cells, cell: number): number {
  return (starts[cell + 1] as number) - (starts[cell] as number);
}

/** Copies a cell's bytes and answers where they end. */
export function copyCell({ bytes, starts }: Cells, cell: number, into: Uint8Array, at: number): number {
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

/**
 * The numbers of a page, and `plus` on each: runs of the same number, and runs of packed ones, in `bits` bits each. None may be over `most`.
 * Parquet format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid (RLE = 3)".
 */
function runsOf(bytes: Uint8Array, bits: number, count: number, most: number, plus = 0): Uint32Array {
  const numbers = new Uint32Array(count);
  if (count > 0 && most < 0) throw new SourceError("unreadable");
  if (bits === 0) return numbers.fill(plus);
  const width = (bits + 7) >> 3;
  const mask = bits === 32 ? 0xffffffff : (1 << bits) - 1;
  let at = 0;
  let filled = 0;
  while (filled < count) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined || shift > 28) throw new SourceError("unreadable");
      at += 1;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if ((header & 1) === 0) {
      let number = 0;
      if (at + width > bytes.length) throw new SourceError("unreadable");
      for (let index = 0; index < width; index += 1) number += (bytes[at++] as number) * 2 ** (8 * index);
      const end = filled + (header >>> 1);
      if (end === filled || end > count || number > most) throw new SourceError("unreadable");
      numbers.fill(number + plus, filled, end);
      filled = end;
      continue;
    }
    // The last run may be filled up beyond the last number, and its padding left out.
    const packed = Math.min((header >>> 1) * 8, count - filled);
    if (packed === 0 || at + Math.ceil((packed * bits) / 8) > bytes.length) throw new SourceError("unreadable");
    let held = 0;
    let holds = 0;
    let from = at;
    for (let index = 0; index < packed; index += 1) {
      let number: number;
      if (bits <= 24) {
        while (holds < bits) {
          held |= (bytes[from++] as number) << holds;
          holds += 8;
        }
        number = held & mask;
        held >>>= bits;
        holds -= bits;
      } else number = packedNumber(bytes, at, index, bits);
      if (number > most) throw new SourceError("unreadable");
      numbers[filled++] = number + plus;
    }
    at += (header >>> 1) * bits;
  }
  return numbers;
}

/** A number wider than 24 bits, which no dictionary of a bill has, bit by bit. */
function packedNumber(bytes: Uint8Array, start: number, index: number, bits: number): number {
  let number = 0;
  for (let bit = 0; bit < bits; bit += 1) {
    const place = index * bits + bit;
    number += (((bytes[start + (place >> 3)] as number) >> (place & 7)) & 1) * 2 ** bit;
  }
  return number;
}

function growingCells(count: number, size: number): { add(text: string): void; take(): Cells } {
  const starts = new Uint32Array(count + 2);
  let bytes = Buffer.allocUnsafe(size + 64);
  let at = 0;
  let cell = 1;
  let longest = 0;
  return {
    add(text) {
      if (bytes.length - at < text.length * 3) {
        const larger = Buffer.allocUnsafe(2 * bytes.length + text.length * 3);
        bytes.copy(larger, 0, 0, at);
        bytes = larger;
      }
      starts[cell] = at;
      const start = at;
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        if (code > 127) {
          at = start + bytes.write(text, start, "utf8");
          break;
        }
        bytes[at++] = code;
      }
      longest = Math.max(longest, at - start);
      cell += 1;
      starts[cell] = at;
    },
    take: () => ({ bytes, starts, longest }),
  };
}

const noCells: Cells = { bytes: new Uint8Array(0), starts: new Uint32Array(2), longest: 0 };
