/**
 * Parquet as a table: the delimited text that the scanner reads, a header on line 0, then a row a line, group by group; or the rows that the
 * fold takes many at a time, straight out of the columns. Only the columns that are asked for are decoded; the others are empty.
 *
 * DOUBLE, FLOAT   the shortest decimal that means the same number, which is what the CSV of the same export prints
 * DECIMAL         exact
 * timestamps      UTC, ISO 8601
 * struct          its fields as columns of their own (`service.description`), and the whole of it as JSON
 * list, map       JSON
 */
import { parquetMetadataAsync, parquetSchema, type FileMetaData } from "hyparquet";
import { failureOf, type Compression } from "./archive.ts";
import { SourceError } from "./failure.ts";
import { FIRST, giveBack, SLACK, takeKernel, type Kernel } from "./kernel.ts";
import { openRandom } from "./parquet-bytes.ts";
import { openCells, skipRows, type CellColumn, type CellUse } from "./parquet-cells.ts";
import { lineWriter } from "./parquet-lines.ts";
import { createRowLayer } from "./parquet-rows.ts";
import { asStored, columnsOf, parsers, quoted, type TableColumn } from "./parquet-text.ts";
import { COMMA, LINE_FEED } from "./parquet-values.ts";
import { BUFFER_BYTES, type RecordReader } from "./records.ts";
import type { ByteSource } from "./source.ts";

export interface ParquetTable {
  /** Of all columns, in the file's order; a struct is followed by its fields. */
  readonly header: readonly string[];
  readonly rowCount: number;
  /** The texts of some first rows. */
  firstRows(count: number): string[][];
  /** Delimited text: with the header, or from a row (from 0) on without it. `wanted` says which columns are decoded. A piece holds until the next. */
  text(wanted: readonly boolean[], startRow: number | null): Generator<Buffer>;
  /** All rows, the header's record before them, to one that takes rows many at a time. Throws a `SourceError`. */
  scan(wanted: readonly boolean[], reader: RecordReader): Promise<void>;
  /** The share of the rows that were handed out. */
  share(): number;
  close(): void;
}

const ROWS_A_PIECE = 1024;
/** Rows between two looks at whether to go on, and turns of the event loop. */
const ROWS_A_TURN = 16_384;
/** A group of more rows than any writer makes; beyond it memory is not safe. */
const MOST_GROUP_ROWS = 20_000_000;
const MOST_CHUNK_BYTES = 2 ** 31;

/** Throws a `SourceError`. */
export async function openParquet(path: string, compression: Compression | null): Promise<ParquetTable> {
  const bytes = await openRandom(path, compression);
  try {
    const tail = Buffer.from(bytes.slice(bytes.byteLength - 4, bytes.byteLength)).toString("latin1");
    if (tail === "PARE") throw new SourceError("encrypted");
    if (tail !== "PAR1" || bytes.byteLength < 12) throw new SourceError("truncated");
    const file = { byteLength: bytes.byteLength, slice: (start: number, end = bytes.byteLength) => bytes.slice(start, end).buffer };
    const metadata = await parquetMetadataAsync(file, { parsers, geoparquet: false });
    holdGroups(metadata);
    const stated = parquetSchema(metadata);
    const root = parquetSchema({ ...metadata, schema: metadata.schema.map(asStored) });
    const columns = columnsOf(stated);
    const rowCount = Number(metadata.num_rows);
    let handed = 0;
    const open = (group: FileMetaData["row_groups"][number], shown: readonly TableColumn[], use: CellUse): CellColumn[] => guarded(() => openCells(shown, { bytes, group, root, stated }, use));
    const shownOf = (wanted: readonly boolean[]): { readonly places: readonly number[]; readonly shown: readonly TableColumn[] } => {
      const places = columns.flatMap((_column, index) => (wanted[index] === true ? [index] : []));
      return { places, shown: places.map((place) => columns[place] as TableColumn) };
    };
    const headerLine = `${columns.map(({ name }) => quoted(name)).join(",")}\n`;

    async function scanRows(kernel: Kernel, wanted: readonly boolean[], reader: RecordReader, rows: NonNullable<RecordReader["rows"]>): Promise<void> {
      if (!reader.onRecord(headerRecord(kernel, headerLine))) return;
      const { places, shown } = shownOf(wanted);
      const { ranges } = rows.tables();
      const isDimension = places.map((place) => ranges.some((first, index) => index % 2 === 0 && place >= first && place <= (ranges[index + 1] as number)));
      const layer = createRowLayer(kernel, places, lineWriter(columns.length, places), reader, rows);
      let turn = 0;
      for (const group of metadata.row_groups) {
        const cells = open(group, shown, { isDistinct: (column) => isDimension[shown.indexOf(column)] === true, written: quoted });
        for (let left = Number(group.num_rows); left > 0; ) {
          guarded(() => cells.forEach((column) => skipRows(column, 0)));
          const count = layer.take(cells, handed, left);
          left -= count;
          handed += count;
          if (handed < turn) continue;
          turn = handed + ROWS_A_TURN;
          await new Promise((resolve) => setImmediate(resolve));
          if (reader.onBuffer !== undefined && !(await reader.onBuffer())) return;
        }
      }
    }

    return {
      header: columns.map(({ name }) => name),
      rowCount,
      share: () => (rowCount === 0 ? 1 : handed / rowCount),
      firstRows(count) {
        const group = metadata.row_groups.find(({ num_rows: rows }) => rows > 0n);
        if (group === undefined) return [];
        const cells = open(group, columns, { isDistinct: () => true, written: (text) => text });
        return Array.from({ length: Math.min(count, Number(group.num_rows)) }, () => cells.map((column) => guarded(() => nextText(column))));
      },
      *text(wanted, startRow) {
        if (startRow === null) yield Buffer.from(headerLine, "utf8");
        const { places, shown } = shownOf(wanted);
        const lines = lineWriter(columns.length, places);
        let line = Buffer.alloc(0);
        let first = 0;
        for (const group of metadata.row_groups) {
          const end = first + Number(group.num_rows);
          let row = Math.max(first, startRow ?? 0);
          const cells = row < end ? open(group, shown, { isDistinct: () => true, written: quoted }) : [];
          if (row < end) guarded(() => cells.forEach((column) => skipRows(column, row - first)));
          while (row < end) {
            guarded(() => cells.forEach((column) => skipRows(column, 0)));
            const count = cells.reduce((fewest, { which, at }) => Math.min(fewest, which.length - at), Math.min(end - row, ROWS_A_PIECE));
            const longest = lines.longest(cells);
            let at = 0;
            for (let each = 0; each < count; each += 1) {
              if (line.length - at < longest) line = Buffer.concat([line.subarray(0, at)], 2 * line.length + longest);
              at = lines.write(cells, each, line, at);
            }
            for (const column of cells) column.at += count;
            row += count;
            handed = row;
            yield line.subarray(0, at);
          }
          first = end;
        }
      },
      async scan(wanted, reader) {
        const { rows = null } = reader;
        if (rows === null) throw new TypeError("rows are taken many at a time");
        const kernel = takeKernel(BUFFER_BYTES);
        try {
          await scanRows(kernel, wanted, reader, rows);
        } finally {
          giveBack(kernel, BUFFER_BYTES);
        }
      },
      close: () => bytes.close(),
    };
  } catch (fault) {
    bytes.close();
    throw trouble(fault);
  }
}

/** The table as a source of bytes for the scanner, and of rows for one who takes them so. */
export async function parquetAsSource(path: string, compression: Compression | null, wanted: readonly boolean[] | null, startRow: number | null, digest: (() => Promise<string>) | null, size: number): Promise<ByteSource> {
  const table = await openParquet(path, compression);
  const shown = wanted ?? table.header.map(() => true);
  const pieces = table.text(shown, startRow);
  let held: Buffer = Buffer.alloc(0);
  let used = 0;
  let taken = 0;
  return {
    async read(target, offset, length) {
      while (used === held.length) {
        const next = guarded(() => pieces.next());
        if (next.done === true) return 0;
        held = next.value;
        used = 0;
        taken += held.length;
        // The event loop turns now and then, as between the buffers of a text.
        if (taken >= BUFFER_BYTES) await new Promise((resolve) => setImmediate(resolve));
        taken %= BUFFER_BYTES;
      }
      const count = Math.min(length, held.length - used);
      target.set(held.subarray(used, used + count), offset);
      used += count;
      return count;
    },
    ...(startRow === null ? { scanRows: (reader: RecordReader) => table.scan(shown, reader) } : {}),
    bytesTaken: () => Math.floor(size * table.share()),
    sha256: () => digest?.() ?? Promise.resolve(""),
    close: () => Promise.resolve(table.close()),
  };
}

function trouble(fault: unknown): SourceError {
  // What a damaged file makes the decoder say are its own words.
  return fault instanceof SourceError ? fault : failureOf(fault).failure === "truncated" ? new SourceError("truncated") : new SourceError("unreadable");
}
function guarded<T>(work: () => T): T {
  try {
    return work();
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

/** The text of a column's next row. */
function nextText(column: CellColumn): string {
  skipRows(column, 0);
  const { stored, which } = column;
  const text = Buffer.alloc(stored.longest);
  return text.toString("utf8", 0, stored.copy(which[column.at++] as number, text, 0));
}

/** The header as the scanner would find it: line 0, record 0. */
function headerRecord(kernel: Kernel, text: string): Parameters<RecordReader["onRecord"]>[0] {
  const line = Buffer.from(text, "utf8");
  kernel.grow(line.length + SLACK);
  kernel.bytes.set(line, FIRST);
  const end = FIRST + line.length;
  kernel.bytes.fill(LINE_FEED, end, end + SLACK);
  kernel.findRecord(FIRST, end, COMMA, true);
  const [, fieldCount = 0, last = 0] = kernel.answer;
  return { bytes: kernel.bytes, view: kernel.view, ends: kernel.ends, kernel, fieldCount, start: FIRST, end: last, line: 0, record: 0, byte: 0, isUnterminated: false };
}
