/**
 * Rows of a Parquet file as the kernel hands out those of a text (`readRows`): hashes of their dimensions, seconds and amounts, worked out
 * once a stored value and put together by row. Only a row that must be looked at by itself is written as a line of text and read again.
 */
import { END, FIELD_COUNT, FIRST, IS_INSIDE, PLACE_UNIT, ROW_END, ROW_END_EMPTY, ROW_END_READ, ROW_END_ZONELESS, ROW_FLAGS, ROW_HASH_A, ROW_HASH_B, ROW_LINES, ROW_ODD, ROW_PLACE, ROW_SLOTS, ROW_START, ROW_START_READ, ROW_START_ZONELESS, ROW_STATES, rowSize, SLACK, type Kernel, type KernelTables, type RowPlan } from "./kernel.ts";
import { amountsOf } from "./parquet-amounts.ts";
import type { CellColumn } from "./parquet-cells.ts";
import { hashesOf } from "./parquet-hashes.ts";
import type { LineWriter } from "./parquet-lines.ts";
import { TIME_EMPTY, TIME_NOT_PLAIN, TIME_ZONELESS, timesOf } from "./parquet-times.ts";
import { COMMA, LINE_FEED, type Stored } from "./parquet-values.ts";
import { MAX_RECORD_BYTES, type RecordReader, type RecordScan, type RowsReader, type RowsScan } from "./records.ts";

/** The place of a row in a text that is never written: the index of the file has a block for every 4 MiB of it. */
const BYTES_A_ROW = 256;
/** In the kernel's memory: cells that the fold reads by itself; behind them the line of a row. */
const CELLS_BYTES = 1 << 20;
const LINE = FIRST + CELLS_BYTES;
/** Longer cells go with the line of their row. */
const LONGEST_CELL = 4096;
/** Rows that one batch has room for, whatever their size (`kernel.ts`, ROW_BYTES). */
const MOST_ROWS = 2048;

export interface RowLayer {
  /** Takes the next rows of a group, at most so many, from where its columns stand; answers how many. `row` is the number of the first in the file, from 0. */
  take(columns: readonly CellColumn[], row: number, most: number): number;
}

/** `places`: of each column, its number in the header. */
export function createRowLayer(kernel: Kernel, places: readonly number[], lines: LineWriter, reader: RecordReader, rows: RowsReader): RowLayer {
  const hashes = new Int32Array(2);
  const scan: RecordScan = { bytes: kernel.bytes, view: kernel.view, ends: kernel.ends, kernel, fieldCount: 0, start: 0, end: 0, line: 0, record: 0, byte: 0, isUnterminated: false, hashes };
  const many: RowsScan = { kernel, count: 0, size: 0, line: 0, record: 0, byte: 0, recordOf };
  const [hashesA, hashesB] = [new Int32Array(MOST_ROWS), new Int32Array(MOST_ROWS)];
  let open: readonly CellColumn[] = [];
  let memory = Buffer.from(kernel.bytes.buffer);
  let cellsEnd = FIRST;

  function column(place: number): CellColumn | null {
    const index = places.indexOf(place);
    return index === -1 ? null : (open[index] as CellColumn);
  }

  /** A line of text of a row of those at hand. */
  function recordOf(row: number): RecordScan {
    const end = lines.write(open, row, memory, LINE);
    memory.fill(LINE_FEED, end, end + SLACK);
    kernel.findRecord(LINE, end, COMMA, true);
    const { answer } = kernel;
    const at = row * many.size * 2;
    scan.fieldCount = answer[FIELD_COUNT] as number;
    scan.start = LINE;
    scan.end = answer[END] as number;
    scan.line = many.line + row;
    scan.record = many.record + row;
    scan.byte = many.byte + row * BYTES_A_ROW;
    scan.isUnterminated = answer[IS_INSIDE] === 1;
    hashes[0] = kernel.rowInts[at + ROW_HASH_A] as number;
    hashes[1] = kernel.rowInts[at + ROW_HASH_B] as number;
    return scan;
  }

  function makeRoom(bytes: number): void {
    kernel.grow(CELLS_BYTES + bytes);
    if (memory.buffer === kernel.bytes.buffer) return;
    memory = Buffer.from(kernel.bytes.buffer);
    Object.assign(scan, { bytes: kernel.bytes, view: kernel.view, ends: kernel.ends });
  }

  /** Sums of the hashes of a row's cells: they differ by column, so that their order does not matter. */
  function layHashes({ ranges }: KernelTables, count: number): void {
    let [sumA, sumB] = [0, 0];
    hashesA.fill(0, 0, count);
    hashesB.fill(0, 0, count);
    for (const [index, place] of places.entries()) {
      if (!isInRanges(ranges, place)) continue;
      const { stored, which, at, isSame } = open[index] as CellColumn;
      const ofCells = hashesOf(stored, place);
      if (isSame) {
        const number = (which[at] as number) * 2;
        [sumA, sumB] = [(sumA + (ofCells[number] as number)) | 0, (sumB + (ofCells[number + 1] as number)) | 0];
      } else addHashes(ofCells, which, at, count);
    }
    const { rowInts } = kernel;
    for (let row = 0, to = 0; row < count; row += 1, to += many.size * 2) {
      rowInts[to + ROW_PLACE] = row * BYTES_A_ROW;
      rowInts[to + ROW_LINES] = row;
      rowInts[to + ROW_FLAGS] = 0;
      rowInts[to + ROW_HASH_A] = (hashesA[row] as number) + sumA;
      rowInts[to + ROW_HASH_B] = (hashesB[row] as number) + sumB;
      rowInts[to + ROW_STATES] = 0;
      rowInts[to + ROW_STATES + 1] = 0;
    }
  }

  function addHashes(ofCells: Int32Array, which: Int32Array, at: number, count: number): void {
    for (let row = 0; row < count; row += 1) {
      const number = (which[at + row] as number) << 1;
      hashesA[row] = (hashesA[row] as number) + (ofCells[number] as number);
      hashesB[row] = (hashesB[row] as number) + (ofCells[number + 1] as number);
    }
  }

  function layTimes(place: number, field: number, [isRead, isZoneless, isEmpty]: readonly [number, number, number], count: number): void {
    if (place === -1) return;
    const found = column(place);
    const { rowInts, rowNumbers } = kernel;
    const times = found === null ? null : timesOf(found.stored);
    for (let row = 0, to = 0; row < count; row += 1, to += many.size) {
      const number = found === null ? 0 : (found.which[found.at + row] as number);
      const kind = times?.kinds[number] ?? TIME_EMPTY;
      rowNumbers[to + field] = times?.seconds[number] ?? 0;
      let flags = isRead;
      if (kind === TIME_ZONELESS) flags |= isZoneless;
      else if (kind === TIME_EMPTY) flags = isEmpty;
      else if (kind === TIME_NOT_PLAIN) {
        flags = 0;
        if (layCell((found as CellColumn).stored, number)) rowNumbers[to + field] = cellStart * PLACE_UNIT + (cellsEnd - cellStart);
        else flags = ROW_ODD;
      }
      // A start that is not stated is read where it stands: there is nothing there.
      if (kind === TIME_EMPTY && isEmpty === 0) rowNumbers[to + field] = FIRST * PLACE_UNIT;
      rowInts[to * 2 + ROW_FLAGS] = (rowInts[to * 2 + ROW_FLAGS] as number) | flags;
    }
  }

  /** Amounts of the plan's cells; of a slot with several columns those behind are asked where the ones before state nothing. */
  function layAmounts({ cells }: RowPlan, count: number): void {
    const { rowInts, rowNumbers } = kernel;
    for (let cell = 0; cell < cells.length; cell += 2) {
      const found = column(cells[cell] as number);
      if (found === null) continue;
      const kind = cells[cell + 1] as number;
      const slot = kind >> 2;
      const [word, shift] = [ROW_STATES + (slot >> 4), (slot & 15) * 2];
      const { stored, which, at } = found;
      const { states, nanos, rests } = amountsOf(stored, (kind & 1) === 1);
      for (let row = 0, to = 0; row < count; row += 1, to += many.size) {
        const number = which[at + row] as number;
        const state = states[number] as number;
        const before = rowInts[to * 2 + word] as number;
        if (state === 0 || ((before >> shift) & 3) !== 0) continue;
        const slotAt = to + ROW_SLOTS + slot * 2;
        rowNumbers[slotAt] = nanos[number] as number;
        rowNumbers[slotAt + 1] = rests[number] as number;
        rowInts[to * 2 + word] = before | (state << shift);
        if (state !== 2) continue;
        if (layCell(stored, number)) [rowNumbers[slotAt], rowNumbers[slotAt + 1]] = [cellStart, cellsEnd];
        else rowInts[to * 2 + ROW_FLAGS] = ROW_ODD;
      }
    }
  }

  let cellStart = FIRST;

  /** Puts a cell where the fold can read it; false where there is no room. */
  function layCell(stored: Stored, number: number): boolean {
    cellStart = cellsEnd;
    if (cellsEnd + LONGEST_CELL > LINE || stored.longest > LONGEST_CELL) return false;
    cellsEnd = stored.copy(number, memory, cellsEnd);
    return true;
  }

  /** Rows of which one might be longer than is gathered: each is looked at by itself. */
  function takeLong(count: number): void {
    for (let row = 0; row < count; row += 1) {
      const bytes = open.reduce((sum, { stored, which, at }) => sum + sizeOf(stored, which[at + row] as number), places.length);
      if (bytes > MAX_RECORD_BYTES) reader.onOversize({ line: many.line + row, record: many.record + row });
      else reader.onRecord(recordOf(row));
    }
  }

  return {
    take(columns, first, most) {
      open = columns;
      const tables = rows.tables();
      const plan = tables.rows as RowPlan;
      many.size = rowSize(plan);
      many.count = columns.reduce((fewest, { which, at }) => Math.min(fewest, which.length - at), Math.min(most, MOST_ROWS, Math.floor(kernel.rowNumbers.length / many.size)));
      many.line = first + 1;
      many.record = first + 1;
      many.byte = first * BYTES_A_ROW;
      cellsEnd = FIRST;
      const longest = lines.longest(columns);
      makeRoom(Math.min(longest, MAX_RECORD_BYTES) + SLACK);
      layHashes(tables, many.count);
      if (longest > MAX_RECORD_BYTES) takeLong(many.count);
      else {
        layTimes(plan.startColumn, ROW_START, [ROW_START_READ, ROW_START_ZONELESS, 0], many.count);
        layTimes(plan.endColumn, ROW_END, [ROW_END_READ, ROW_END_ZONELESS, ROW_END_EMPTY], many.count);
        layAmounts(plan, many.count);
        rows.onRows(many);
      }
      for (const each of columns) each.at += many.count;
      return many.count;
    },
  };
}

/** Bytes of a cell, or what it cannot pass. */
function sizeOf(stored: Stored, number: number): number {
  if (number === 0) return 0;
  const { starts } = stored.cells();
  return (starts[number + 1] as number) - (starts[number] as number);
}

function isInRanges(ranges: Int32Array, place: number): boolean {
  for (let range = 0; range < ranges.length; range += 2) if (place >= (ranges[range] as number) && place <= (ranges[range + 1] as number)) return true;
  return false;
}
