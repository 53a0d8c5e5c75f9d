/**
 * Parquet as the delimited text that the scanner reads: a header on line 0, then a row a line, group by group. Only the columns that are
 * asked for are decoded; the others are empty.
 *
 * DOUBLE, FLOAT   the shortest decimal that means the same number, which is what the CSV of the same export prints
 * DECIMAL         exact
 * timestamps      UTC, ISO 8601
 * struct          its fields as columns of their own (`service.description`), and the whole of it as JSON
 * list, map       JSON
 */
import { randomUUID } from "node:crypto";
import { open, rm, writeFile, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetMetadataAsync, parquetScan, parquetSchema, type ColumnMetaData, type DecodedArray, type FileMetaData, type ParquetParsers, type SchemaElement, type SchemaTree } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { decompressor, failureOf, holdToBounds, openBytes, plainRange, type Compression } from "./archive.ts";
import { SourceError } from "./failure.ts";
import { cellsFrom, COMMA, copyCell, isReadHere, joinStrips, openCells, type CellColumn, type Strip } from "./parquet-cells.ts";
import { holdPages } from "./parquet-pages.ts";
import type { ByteSource } from "./source.ts";

export interface ParquetTable {
  /** Of all columns, in the file's order; a struct is followed by its fields. */
  readonly header: readonly string[];
  readonly rowCount: number;
  /** The texts of some first rows. */
  firstRows(count: number): Promise<string[][]>;
  /** Delimited text: with the header, or from a row (from 0) on without it. `wanted` says which columns are decoded. A piece holds until the next. */
  text(wanted: readonly boolean[], startRow: number | null): AsyncGenerator<Buffer>;
  /** The share of the rows that `text` has handed out. */
  share(): number;
  close(): Promise<void>;
}

/** Struct fields are columns of their own down to here. */
const MOST_DEPTH = 4;
const ROWS_A_PIECE = 1024;
/** A group of more rows than any writer makes; beyond it memory is not safe. */
const MOST_GROUP_ROWS = 20_000_000;
const MOST_CHUNK_BYTES = 2 ** 31;

/** Throws a `SourceError`. */
export async function openParquet(path: string, compression: Compression | null): Promise<ParquetTable> {
  const bytes = await openRandom(path, compression);
  try {
    const file = { byteLength: bytes.byteLength, slice: (start: number, end?: number) => bytes.slice(start, end ?? bytes.byteLength) };
    const tail = Buffer.from(await bytes.slice(Math.max(0, bytes.byteLength - 4), bytes.byteLength)).toString("latin1");
    if (tail === "PARE") throw new SourceError("encrypted");
    if (tail !== "PAR1" || bytes.byteLength < 12) throw new SourceError("truncated");
    const stated = await parquetMetadataAsync(file, { parsers, geoparquet: false });
    holdGroups(stated);
    const columns = columnsOf(parquetSchema(stated));
    const metadata: FileMetaData = { ...stated, schema: stated.schema.map(asStored) };
    const scan = await parquetScan({ file, metadata, compressors, parsers, utf8: false, geoparquet: false });
    const rowCount = Number(stated.num_rows);
    let handed = 0;

    const root = parquetSchema(metadata);
    const chunkOf = (group: number, top: string): ColumnMetaData | undefined => metadata.row_groups[group]?.columns.find(({ meta_data: chunk }) => chunk?.path_in_schema[0] === top)?.meta_data;
    const bytesOf = (chunk: ColumnMetaData): Promise<ArrayBuffer> => {
      const from = Number(chunk.dictionary_page_offset !== undefined && chunk.dictionary_page_offset > 0n && chunk.dictionary_page_offset < chunk.data_page_offset ? chunk.dictionary_page_offset : chunk.data_page_offset);
      const to = from + Number(chunk.total_compressed_size);
      if (from < 4 || to > bytes.byteLength || to < from) throw new SourceError("unreadable");
      return bytes.slice(from, to);
    };
    /** A nested column of the first rows of a group, decoded whole. */
    const readNested = async (top: string, group: number, first: number, rows: number): Promise<DecodedArray> => {
      for (const { meta_data: chunk } of metadata.row_groups[group]?.columns ?? []) {
        if (chunk !== undefined && chunk.path_in_schema[0] === top) holdPages(await bytesOf(chunk), chunk, root, rows);
      }
      return scan.readColumn({ column: top, rowStart: first, rowEnd: first + rows });
    };
    /** Columns of a group as cells; `textOf` says what is written into the cell of a column. */
    const cellsOfGroup = async (shown: readonly TableColumn[], group: number, first: number, rows: number, textOf: (column: TableColumn) => (value: unknown) => string): Promise<CellColumn[]> => {
      const groupRows = Number(metadata.row_groups[group]?.num_rows ?? 0);
      const nested = new Map<string, DecodedArray>();
      const opened: CellColumn[] = [];
      for (const column of shown) {
        const node = root.children.find(({ element }) => element.name === column.top);
        const chunk = chunkOf(group, column.top);
        if (node !== undefined && chunk !== undefined && isReadHere(node, chunk)) {
          opened.push(openCells(await bytesOf(chunk), { chunk, element: node.element, schemaPath: [root, node], rows: groupRows, parsers, textOf: textOf(column) }));
          continue;
        }
        let values = nested.get(column.top);
        if (values === undefined) nested.set(column.top, (values = await readNested(column.top, group, first, rows)));
        opened.push(cellsOfNested(column, values, textOf(column)));
      }
      return opened;
    };
    return {
      header: columns.map(({ name }) => name),
      rowCount,
      share: () => (rowCount === 0 ? 1 : handed / rowCount),
      async firstRows(count) {
        const end = Math.min(count, Number(stated.row_groups[0]?.num_rows ?? 0));
        if (end === 0) return [];
        return guarded(cellsOfGroup(columns, 0, 0, end, ({ text }) => text).then((cells) => Array.from({ length: end }, () => cells.map(nextText))));
      },
      async *text(wanted, startRow) {
        if (startRow === null) yield Buffer.from(`${columns.map(({ name }) => quoted(name)).join(",")}\n`, "utf8");
        const places = columns.flatMap((_column, index) => (wanted[index] === true ? [index] : []));
        const shown = places.map((place) => columns[place] as TableColumn);
        const writer = lineWriter(columns.length, places);
        let first = 0;
        for (const [group, { num_rows: count }] of stated.row_groups.entries()) {
          const end = first + Number(count);
          if (end > (startRow ?? 0) && end > first) {
            const cells = await guarded(cellsOfGroup(shown, group, first, end - first, (column) => (value) => quoted(column.text(value))));
            let row = Math.max(first, startRow ?? 0);
            await guarded(Promise.resolve().then(() => cells.forEach((column) => skip(column, row - first))));
            while (row < end) {
              const rows = await guarded(Promise.resolve().then(() => writer.open(cells, end - row)));
              for (let from = 0; from < rows; from += ROWS_A_PIECE) {
                yield writer.write(from, Math.min(rows, from + ROWS_A_PIECE));
                handed = row + Math.min(rows, from + ROWS_A_PIECE);
              }
              row += rows;
            }
          }
          first = end;
        }
      },
      close: () => bytes.close(),
    };
  } catch (fault) {
    await bytes.close();
    throw trouble(fault);
  }
}

/** The table as a source of bytes for the scanner. */
export async function parquetAsSource(path: string, compression: Compression | null, wanted: readonly boolean[] | null, startRow: number | null, digest: (() => Promise<string>) | null, size: number): Promise<ByteSource> {
  const table = await openParquet(path, compression);
  const pieces = table.text(wanted ?? table.header.map(() => true), startRow);
  let held: Buffer = Buffer.alloc(0);
  let used = 0;
  return {
    async read(target, offset, length) {
      while (used === held.length) {
        const next = await guarded(pieces.next());
        if (next.done === true) return 0;
        held = next.value;
        used = 0;
      }
      const count = Math.min(length, held.length - used);
      target.set(held.subarray(used, used + count), offset);
      used += count;
      return count;
    },
    bytesTaken: () => Math.floor(size * table.share()),
    sha256: () => digest?.() ?? Promise.resolve(""),
    close: () => table.close(),
  };
}

function trouble(fault: unknown): SourceError {
  // What a damaged file makes the decoder say are its own words.
  return fault instanceof SourceError ? fault : failureOf(fault).failure === "truncated" ? new SourceError("truncated") : new SourceError("unreadable");
}
async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (fault) {
    throw trouble(fault);
  }
}

/** Counts that no bill has are refused before memory is asked for. */
function holdGroups({ row_groups: groups, num_rows: total }: FileMetaData): void {
  let sum = 0n;
  for (const { num_rows: rows, columns } of groups) {
    if (rows < 0n) throw new SourceError("unreadable");
    if (rows > BigInt(MOST_GROUP_ROWS)) throw new SourceError("bursting");
    sum += rows;
    for (const { meta_data: chunk } of columns) if (chunk !== undefined && chunk.total_uncompressed_size > BigInt(MOST_CHUNK_BYTES)) throw new SourceError("bursting");
  }
  if (sum !== total) throw new SourceError("unreadable");
}

// Text

/** A nested column that was decoded whole, put into cells a piece at a time. */
function cellsOfNested(column: TableColumn, values: DecodedArray, textOf: (value: unknown) => string): CellColumn {
  let reached = 0;
  const opened: CellColumn = {
    cells: cellsFrom([], 0, 0, textOf),
    which: new Uint32Array(0),
    at: 0,
    next() {
      if (reached >= values.length) throw new SourceError("unreadable");
      const end = Math.min(values.length, reached + ROWS_A_PIECE);
      const found = Array.from({ length: end - reached }, (_row, row) => column.value(values[reached + row]));
      opened.cells = cellsFrom(found, 0, found.length, textOf);
      opened.which = Uint32Array.from(found, (_value, row) => row + 1);
      opened.at = 0;
      reached = end;
    },
  };
  return opened;
}

/** The text of a column's next row. */
function nextText(column: CellColumn): string {
  skip(column, 0);
  const { bytes, starts } = column.cells;
  const cell = column.which[column.at++] as number;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8", starts[cell], starts[cell + 1]);
}

/** Leaves out rows, and opens the page in which the next one lies. */
function skip(column: CellColumn, rows: number): void {
  let left = rows;
  while (column.at + left >= column.which.length) {
    left -= column.which.length - column.at;
    column.next();
  }
  column.at += left;
}

const LINE_FEED = 10;
const QUOTE = 34;

/** Lines of `columnCount` cells; those at `places` hold something. */
interface LineWriter {
  /** Puts the rows of the pages that are open together, at most so many; answers how many they are. */
  open(columns: readonly CellColumn[], most: number): number;
  /** Some rows of those that were put together, as text that holds until the next. */
  write(from: number, to: number): Buffer;
}

function lineWriter(columnCount: number, places: readonly number[]): LineWriter {
  let line: Uint8Array = Buffer.allocUnsafe(1 << 16);
  let strips: readonly Strip[] = [];
  const after = columnCount - 1 - (places.at(-1) ?? 0);
  return {
    open(columns, most) {
      let rows = most;
      for (const column of columns) {
        skip(column, 0);
        rows = Math.min(rows, column.which.length - column.at);
      }
      strips = joinStrips(columns.map(({ cells, which, at }, index) => ({ commas: (places[index] as number) - (places[index - 1] ?? 0), cells, which: which.subarray(at, at + rows) })));
      for (const column of columns) column.at += rows;
      return rows;
    },
    write(from, to) {
      const longest = strips.reduce((sum, { commas, cells }) => sum + commas + cells.longest, after + 3);
      let at = 0;
      for (let row = from; row < to; row += 1) {
        if (line.length - at < longest) {
          const larger = Buffer.allocUnsafe(2 * line.length + longest);
          larger.set(line.subarray(0, at));
          line = larger;
        }
        const start = at;
        for (let index = 0; index < strips.length; index += 1) {
          const { commas, cells, which } = strips[index] as Strip;
          for (let comma = commas; comma > 0; comma -= 1) line[at++] = COMMA;
          at = copyCell(cells, which[row] as number, line, at);
        }
        for (let comma = after; comma > 0; comma -= 1) line[at++] = COMMA;
        // A blank line is no record: the only cell of a row is one, even empty.
        if (at === start) {
          line[at++] = QUOTE;
          line[at++] = QUOTE;
        }
        line[at++] = LINE_FEED;
      }
      return Buffer.from(line.buffer, line.byteOffset, at);
    },
  };
}

/** On one line, since a row's place is its line. */
function quoted(value: string): string {
  if (!/[",\r\n]/.test(value)) return value;
  return `"${value.replace(/[\r\n]+/g, " ").replaceAll('"', '""')}"`;
}

// Columns

interface TableColumn {
  readonly name: string;
  /** The column of the file that it is in. */
  readonly top: string;
  /** Its value in that column's. */
  value(topValue: unknown): unknown;
  text(value: unknown): string;
}

function columnsOf(root: SchemaTree): TableColumn[] {
  const columns: TableColumn[] = [];
  const add = (node: SchemaTree, names: readonly string[], depth: number): void => {
    const [top = "", ...inside] = names;
    const value =
      inside.length === 0
        ? (found: unknown): unknown => found
        : (found: unknown): unknown => inside.reduce<unknown>((at, name) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[name] : undefined), found);
    columns.push({ name: names.join("."), top, value, text: textOf(node) });
    if (!isStruct(node) || depth >= MOST_DEPTH) return;
    for (const child of node.children) add(child, [...names, child.element.name], depth + 1);
  };
  for (const child of root.children) add(child, [child.element.name], 0);
  return columns;
}

function isRepeated({ element }: SchemaTree): boolean {
  return element.repetition_type === "REPEATED";
}
function isList({ element, children }: SchemaTree): boolean {
  return (element.converted_type === "LIST" || element.logical_type?.type === "LIST") && children.length === 1 && children[0] !== undefined && isRepeated(children[0]);
}
function isMap({ element, children }: SchemaTree): boolean {
  const isNamed = element.converted_type === "MAP" || element.converted_type === "MAP_KEY_VALUE" || element.logical_type?.type === "MAP";
  return isNamed && children.length === 1 && children[0]?.children.length === 2;
}
function isStruct(node: SchemaTree): boolean {
  return node.children.length > 0 && !isRepeated(node) && !isList(node) && !isMap(node);
}

/** A value as the text of a cell; null is empty. */
function textOf(node: SchemaTree): (value: unknown) => string {
  if (node.children.length > 0 || isRepeated(node)) {
    return (value) => (value === null || value === undefined ? "" : jsonOf(value, node));
  }
  const leaf = leafText(node.element);
  return (value) => (value === null || value === undefined ? "" : leaf(value));
}

function jsonOf(value: unknown, node: SchemaTree, isElement = false): string {
  if (value === null || value === undefined) return "null";
  const [child] = node.children;
  if (isRepeated(node) && !isElement) return Array.isArray(value) ? `[${value.map((each: unknown) => jsonOf(each, node, true)).join(",")}]` : "null";
  if (isList(node) && child !== undefined && Array.isArray(value)) {
    const [only] = child.children;
    const element = child.children.length === 1 && only !== undefined ? only : child;
    return `[${value.map((each: unknown) => jsonOf(each, element, true)).join(",")}]`;
  }
  if (isMap(node)) {
    const values = child?.children[1];
    return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${values === undefined ? "null" : jsonOf(each, values)}`).join(",")}}`;
  }
  if (node.children.length > 0) {
    return `{${node.children.map((each) => `${JSON.stringify(each.element.name)}:${jsonOf((value as Record<string, unknown>)[each.element.name], each)}`).join(",")}}`;
  }
  const text = leafText(node.element)(value);
  return isNumber(node.element) && /^-?\d/.test(text) ? text : typeof value === "boolean" ? text : JSON.stringify(text);
}

function isNumber({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  if (converted === "DECIMAL" || logical?.type === "DECIMAL") return true;
  if (converted === "DATE" || converted?.startsWith("TIME") === true || logical?.type === "DATE" || logical?.type === "TIMESTAMP") return false;
  return type === "INT32" || type === "INT64" || type === "FLOAT" || type === "DOUBLE";
}

function leafText(element: SchemaElement): (value: unknown) => string {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (converted === "DECIMAL" || logical?.type === "DECIMAL") {
    const scale = element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0);
    return (value) => decimalText(value, scale);
  }
  if (type === "FLOAT") return (value) => shortestFloat(value as number);
  if (type === "DOUBLE") return (value) => shortestDouble(value as number);
  return (value) => (value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8") : String(value));
}

/** Whole number of the last place, as an integer or as big-endian bytes. */
function decimalText(value: unknown, scale: number): string {
  let unscaled: bigint;
  if (value instanceof Uint8Array) {
    unscaled = 0n;
    for (const byte of value) unscaled = (unscaled << 8n) | BigInt(byte);
    unscaled = BigInt.asIntN(value.length * 8, unscaled);
  } else unscaled = BigInt(value as number | bigint);
  if (scale <= 0) return String(unscaled);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -scale)}${fraction === "" ? "" : `.${fraction}`}`;
}

const remembered = { numbers: new Float64Array(1 << 15).fill(Number.NaN), texts: new Array<string>(1 << 15).fill("") };
const bits = new DataView(new ArrayBuffer(8));

/** As JavaScript writes it. Costs come again in the columns beside them, so texts are remembered for a while. */
function shortestDouble(value: number): string {
  bits.setFloat64(0, value);
  const place = (Math.imul(bits.getInt32(0), 0x9e3779b1) ^ Math.imul(bits.getInt32(4), 0x85ebca6b)) >>> 17;
  if (remembered.numbers[place] === value) return remembered.texts[place] as string;
  const text = String(value);
  remembered.numbers[place] = value;
  remembered.texts[place] = text;
  return text;
}

/** The shortest decimal that is this number of single precision. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(value);
}

/** Decimals are asked for as they are stored: as floating numbers they would not be exact. What cannot be a bill's is left as bytes. */
function asStored(element: SchemaElement): SchemaElement {
  const { converted_type: converted, logical_type: logical, ...rest } = element;
  const isRaw = converted === "DECIMAL" || converted === "BSON" || converted === "INTERVAL" || (logical !== undefined && ["DECIMAL", "GEOMETRY", "GEOGRAPHY", "VARIANT"].includes(logical.type));
  return isRaw ? rest : element;
}

const bytesText = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (milliseconds) => instantText(milliseconds * 1_000_000n),
  timestampFromMicroseconds: (microseconds) => instantText(microseconds * 1000n),
  timestampFromNanoseconds: (nanoseconds) => instantText(nanoseconds),
  dateFromDays: (days) => instantText(BigInt(days) * 86_400_000_000_000n).slice(0, 10),
  stringFromBytes: (bytes) => bytesText(bytes),
  jsonFromBytes: (bytes) => bytesText(bytes),
};

let lastNanoseconds: bigint | null = null;
let lastText = "";

/** Nanoseconds since 1970 as an instant; what lies beyond the calendar as the number it is, which no time is. */
function instantText(nanoseconds: bigint): string {
  if (nanoseconds === lastNanoseconds) return lastText;
  const second = 1_000_000_000n;
  const rest = ((nanoseconds % second) + second) % second;
  const date = new Date(Number((nanoseconds - rest) / 1_000_000n));
  let text = String(nanoseconds);
  if (!Number.isNaN(date.getTime())) {
    const fraction = rest === 0n ? "" : `.${String(rest).padStart(9, "0").replace(/(?:000)+$/, "")}`;
    text = date.toISOString().replace(/\.\d+Z$/, `${fraction}Z`);
  }
  lastNanoseconds = nanoseconds;
  lastText = text;
  return text;
}

// Bytes by their place

interface RandomBytes {
  readonly byteLength: number;
  slice(start: number, end: number): Promise<ArrayBuffer>;
  close(): Promise<void>;
}

/** What does not lie in a file as it is may be kept in memory up to here; more goes to a file of ours that is removed again. */
const KEPT_BYTES = 64 * 1024 * 1024;

async function openRandom(path: string, compression: Compression | null): Promise<RandomBytes> {
  const range = compression === null ? await plainRange(path) : null;
  if (range !== null) return fileBytes(await open(range.file, "r"), range.start, range.size, null);
  const { stream } = await openBytes(path);
  const pieces: Buffer[] = [];
  let size = 0;
  let taken = 0;
  let spool: { readonly handle: FileHandle; readonly path: string } | null = null;
  let opened: AsyncIterable<Buffer> = stream;
  if (compression !== null) {
    const inflate = decompressor(compression, 1024 * 1024);
    stream.on("data", (piece: Buffer) => (taken += piece.length));
    stream.on("error", (fault) => inflate.destroy(fault));
    opened = stream.pipe(inflate);
  }
  try {
    for await (const piece of opened) {
      size += piece.length;
      if (compression !== null) holdToBounds(size, taken);
      if (spool === null && size > KEPT_BYTES) {
        const place = join(tmpdir(), `gpu-ledger-${randomUUID()}`);
        await writeFile(place, Buffer.concat(pieces), { mode: 0o600, flag: "wx" });
        spool = { handle: await open(place, "a+"), path: place };
        pieces.length = 0;
      }
      if (spool === null) pieces.push(piece);
      else await spool.handle.write(piece);
    }
  } catch (fault) {
    await spool?.handle.close();
    if (spool !== null) await rm(spool.path, { force: true });
    throw failureOf(fault);
  } finally {
    stream.destroy();
  }
  if (spool !== null) return fileBytes(spool.handle, 0, size, spool.path);
  const whole = Buffer.concat(pieces);
  return {
    byteLength: size,
    slice: (start, end) => Promise.resolve(new Uint8Array(whole.subarray(start, end)).buffer),
    close: () => Promise.resolve(),
  };
}

function fileBytes(handle: FileHandle, base: number, size: number, removed: string | null): RandomBytes {
  return {
    byteLength: size,
    async slice(start, end) {
      const from = Math.max(0, start);
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - from));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, base + from + filled);
        if (bytesRead === 0) throw new SourceError("truncated");
        filled += bytesRead;
      }
      return bytes.buffer;
    },
    async close() {
      await handle.close();
      if (removed !== null) await rm(removed, { force: true });
    },
  };
}
