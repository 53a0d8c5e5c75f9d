import { READ } from "../decimal.ts";
import type { Kernel } from "../scan/kernel.ts";
import { PLACE_UNIT, ROW_END, ROW_END_EMPTY, ROW_END_READ, ROW_END_ZONELESS, ROW_FLAGS, ROW_LINES, ROW_ODD, ROW_PLACE, ROW_START, ROW_START_READ, ROW_START_ZONELESS, ROW_STATES } from "../scan/kernel.ts";
import type { RowsScan } from "../scan/records.ts";
import { TIME_READ } from "../utc-time.ts";
import type { Bill } from "./bill.ts";
import type { Blocks } from "./blocks.ts";
import type { Cells } from "./cells.ts";
import type { Entries, Entry } from "./entries.ts";
import type { Hours } from "./hours.ts";
import { BLOCK, MOST_PROGRAMS, NEW_CELL, NEW_HOURS, NEXT_BLOCK, UNLIKE, type FoldMemory } from "./memory.ts";
import type { Pairs } from "./pairs.ts";
import { PAIR_NEEDS_CORRECTION, PAIR_SIZE, PAIR_STATE_BITS, PAIR_STATES } from "./pairs.ts";
import type { Posting } from "./posting.ts";
import type { Program } from "./programs.ts";
import type { Times } from "./times.ts";
import type { Values } from "./values.ts";

const DAY_SECONDS = 86_400;
/** States of the kernel's first word: only slots in there are looked at by the quickest way. */
const SLOTS_A_WORD = 16;

/** Beyond every place of a row. */
const LAST_PLACE = 2 ** 31 - 1;

/** What became of a row that the kernel did not take: it is in its cell; it is the first of its kind; it must be looked at by itself; or the kernel can take it now. */
const TAKEN = 0;
const NEW = 1;
const UNSUITED = 2;
const AGAIN = 3;

/** The rooms that rows go through. */
export interface Rooms {
  readonly memory: FoldMemory;
  readonly bill: Bill;
  readonly times: Times;
  readonly values: Values;
  readonly entries: Entries;
  readonly pairs: Pairs;
  readonly cells: Cells;
  readonly hours: Hours;
  readonly blocks: Blocks;
  readonly posting: Posting;
}

/**
 * Takes rows as the kernel read them, all of a buffer in one loop. Three ways, each the same but quicker than the next: rows like the row
 * before of their pair are added up by the kernel; one whose cells were all read goes through `takeRow`; whatever else is handed to `onRecord`.
 * Answers how many went that last way though they are not the first of their kind.
 */
export function createRowTaker(rooms: Rooms, onRecord: (rows: RowsScan, row: number) => void): (rows: RowsScan) => number {
  const { memory, bill, times, values, entries, pairs, cells, hours, blocks, posting } = rooms;
  const { secondsEast } = bill;
  const { reader, endColumn, endIsDay } = times;
  const isQuick = !endIsDay && endColumn !== -1;

  function takeRow(kernel: Kernel, numbersAt: number, entryNumber: number): number {
    const { rowInts, rowNumbers, bytes } = kernel;
    const flags = rowInts[numbersAt * 2 + ROW_FLAGS] as number;
    const entry = entries.all[entryNumber] as Entry;
    const { program } = entry;
    if (program === null || !program.isPlain) return UNSUITED;
    let isZoneless = entry.isZoneless;
    let start = rowNumbers[numbersAt + ROW_START] as number;
    if ((flags & ROW_START_READ) === 0) {
      if (!readAt(bytes, start)) return UNSUITED;
      start = reader.seconds;
      isZoneless ||= reader.isZoneless;
    } else if ((flags & ROW_START_ZONELESS) !== 0) {
      start -= secondsEast;
      isZoneless = true;
    }
    let end = NaN;
    if (endColumn !== -1 && (flags & ROW_END_EMPTY) === 0) {
      end = rowNumbers[numbersAt + ROW_END] as number;
      if ((flags & ROW_END_READ) === 0) {
        if (!readAt(bytes, end)) return UNSUITED;
        end = reader.seconds;
        isZoneless ||= reader.isZoneless;
      } else if ((flags & ROW_END_ZONELESS) !== 0) {
        end -= secondsEast;
        isZoneless = true;
      }
      if (endIsDay && (end + secondsEast) % DAY_SECONDS === 0) end += DAY_SECONDS;
      if (posting.refusesPeriod(start, end) !== null) return UNSUITED;
    }
    if (!values.readRow(kernel, numbersAt, program)) return handedBack(UNSUITED);
    const stated = values.measure(program);
    if (posting.lacksCosts(program, stated)) return handedBack(UNSUITED);
    const mask = posting.maskOf(entry, stated);
    const pair = posting.pairOf(entryNumber, entry, mask, start, end);
    if (pair === -1) return handedBack(NEW);
    posting.post(pair, start, end, stated, mask, isZoneless, entry.hasNullText);
    if (stated === mask && !entry.isZoneless && !entry.hasNullText) remember(pair, program, rowInts[numbersAt * 2 + ROW_STATES] as number);
    return TAKEN;
  }

  function handedBack(outcome: typeof NEW | typeof UNSUITED): number {
    values.handBack();
    return outcome;
  }

  /** Reads a time that the kernel left where it stands. */
  function readAt(bytes: Uint8Array, place: number): boolean {
    const from = Math.floor(place / PLACE_UNIT);
    return reader.read(bytes, from, from + (place % PLACE_UNIT)) === TIME_READ;
  }

  /** Rows of the pair with these states of their slots state the same measures. */
  function remember(pair: number, { number, slots, direct }: Program, states: number): void {
    const { notes } = pairs;
    if (!isQuick || direct === null || number >= MOST_PROGRAMS || notes[pair * PAIR_SIZE + PAIR_NEEDS_CORRECTION] === 1) return;
    let bits = 0;
    let read = 0;
    for (const slot of slots) {
      if (slot >= SLOTS_A_WORD) return;
      bits |= 3 << (slot * 2);
      const state = (states >> (slot * 2)) & 3;
      if (state !== 0 && state !== READ) return;
      read |= state << (slot * 2);
    }
    notes[pair * PAIR_SIZE + PAIR_STATE_BITS] = bits;
    notes[pair * PAIR_SIZE + PAIR_STATES] = read;
  }

  /** What stopped the kernel before a row. */
  function goOn(rows: RowsScan, row: number): number {
    const { rowInts } = rows.kernel;
    const at = row * rows.size * 2;
    const [why = UNLIKE, entry = -1, pair = -1, day = 0] = memory.answer;
    switch (why) {
      case NEXT_BLOCK:
        blocks.open({ byte: rows.byte + (rowInts[at + ROW_PLACE] as number), line: rows.line + (rowInts[at + ROW_LINES] as number), record: rows.record + row });
        return AGAIN;
      case NEW_CELL:
        cells.find(pair, day);
        return AGAIN;
      case NEW_HOURS:
        hours.find(pair, day);
        return AGAIN;
      default:
        if (entry !== -1) return takeRow(rows.kernel, row * rows.size, entry);
        return ((rowInts[at + ROW_FLAGS] as number) & ROW_ODD) === 0 ? NEW : UNSUITED;
    }
  }

  return (rows) => {
    const { kernel, count, size } = rows;
    const { settings } = memory;
    memory.lay(kernel, count, size);
    let unsuited = 0;
    for (let row = 0; row < count; ) {
      const before = row;
      const end = posting.isFull() ? row + 1 : count;
      settings[BLOCK] = blocks.number;
      row = memory.take(row, end, Math.min(blocks.end - rows.byte, LAST_PLACE), blocks.note);
      if (row > before) posting.count(row - before);
      if (row === end) continue;
      const outcome = goOn(rows, row);
      if (outcome === AGAIN) continue;
      if (outcome !== TAKEN) {
        if (outcome === UNSUITED) unsuited += 1;
        onRecord(rows, row);
      }
      row += 1;
    }
    return unsuited;
  };
}
