import { COUNTER_LIMIT, READ } from "../decimal.ts";
import type { Kernel } from "../scan/kernel.ts";
import { PLACE_UNIT, ROW_END, ROW_END_EMPTY, ROW_END_READ, ROW_END_ZONELESS, ROW_FLAGS, ROW_HASH_A, ROW_HASH_B, ROW_LINES, ROW_ODD, ROW_PLACE, ROW_SLOTS, ROW_START, ROW_START_READ, ROW_START_ZONELESS, ROW_STATES } from "../scan/kernel.ts";
import type { RowsScan } from "../scan/records.ts";
import { TIME_READ } from "../utc-time.ts";
import type { Bill } from "./bill.ts";
import type { Blocks } from "./blocks.ts";
import type { Cells } from "./cells.ts";
import type { Entries, Entry } from "./entries.ts";
import { PLACE_ENTRY, PLACE_PAIR } from "./entries.ts";
import type { Hours } from "./hours.ts";
import { CONTRACTED, COSTS, COUNTERS, EFFECTIVE, LIST } from "./measures.ts";
import type { Pairs } from "./pairs.ts";
import { PAIR_CELL, PAIR_DAY, PAIR_IS_USAGE, PAIR_NEEDS_CORRECTION, PAIR_PROGRAM, PAIR_QUANTITY, PAIR_SIZE, PAIR_STATE_BITS, PAIR_STATES } from "./pairs.ts";
import type { Posting } from "./posting.ts";
import type { Program } from "./programs.ts";
import type { Times } from "./times.ts";
import type { Values } from "./values.ts";

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;
/** States of the kernel's first word: only slots in there are looked at by the quickest way. */
const SLOTS_A_WORD = 16;

/** Both times were read and state their zone. */
const TIME_FLAGS = ROW_START_READ | ROW_START_ZONELESS | ROW_END_READ | ROW_END_ZONELESS;
const QUICK_FLAGS = ROW_START_READ | ROW_END_READ;

/** What became of a row that the kernel read: it is in its cell; it is the first of its kind; or it must be looked at by itself. */
const TAKEN = 0;
const NEW = 1;
const UNSUITED = 2;

/** The rooms that rows go through. */
export interface Rooms {
  readonly bill: Bill;
  readonly times: Times;
  readonly values: Values;
  readonly programs: readonly Program[];
  readonly entries: Entries;
  readonly pairs: Pairs;
  readonly cells: Cells;
  readonly hours: Hours;
  readonly blocks: Blocks;
  readonly posting: Posting;
}

/**
 * Takes rows as the kernel read them, all of a buffer in one loop. Three ways, each the same but quicker than the next: a row like the row
 * before of its pair is added up right here; one whose cells were all read goes through `takeRow`; whatever else is handed to `onRecord`.
 * Answers how many went that last way though they are not the first of their kind.
 */
export function createRowTaker(rooms: Rooms, onRecord: (rows: RowsScan, row: number) => void): (rows: RowsScan) => number {
  const { bill, times, values, programs, entries, pairs, cells, hours, blocks, posting } = rooms;
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
  function remember(pair: number, { slots, direct }: Program, states: number): void {
    const { notes } = pairs;
    if (direct === null || notes[pair * PAIR_SIZE + PAIR_NEEDS_CORRECTION] === 1) return;
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

  /** A row of a pair whose rows are known to look like this: amounts straight from the kernel into cell and hour. false where it is another. */
  function takeQuickly(rowInts: Int32Array, rowNumbers: Float64Array, numbersAt: number, pair: number): boolean {
    const { notes } = pairs;
    const notesAt = pair * PAIR_SIZE;
    const states = notes[notesAt + PAIR_STATES] as number;
    if (states === -1 || ((rowInts[numbersAt * 2 + ROW_STATES] as number) & (notes[notesAt + PAIR_STATE_BITS] as number)) !== states) return false;
    const start = rowNumbers[numbersAt + ROW_START] as number;
    const end = rowNumbers[numbersAt + ROW_END] as number;
    if (!(end >= start && end - start <= DAY_SECONDS)) return false;
    const { single, direct } = programs[notes[notesAt + PAIR_PROGRAM] as number] as Program;
    const slotsAt = numbersAt + ROW_SLOTS;
    if (notes[notesAt + PAIR_IS_USAGE] === 1 && hasZeroPrice(rowNumbers, slotsAt, single, states)) return false;
    const quantity = (notes[notesAt + PAIR_QUANTITY] as number) - 1;
    const hour = Math.floor(start / HOUR_SECONDS);
    if (quantity >= 0 && end > (hour + 1) * HOUR_SECONDS) return false;

    const day = Math.floor(start / DAY_SECONDS);
    const cell = notes[notesAt + PAIR_DAY] === day ? (notes[notesAt + PAIR_CELL] as number) : cells.find(pair, day);
    cells.countRow(cell);
    const { counters } = cells;
    const base = cell * COUNTERS;
    const terms = direct as Int32Array;
    for (let term = 0; term < terms.length; term += 2) {
      const slot = terms[term] as number;
      if (!isStated(states, slot)) continue;
      const counter = terms[term + 1] as number;
      const at = base + counter;
      const sum = (counters[at] as number) + (rowNumbers[slotsAt + slot * 2] as number);
      counters[at] = sum;
      if (sum > COUNTER_LIMIT || sum < -COUNTER_LIMIT) cells.carry(cell, counter);
      if (counter < COSTS * 2) counters[at + 1] = (counters[at + 1] as number) + (rowNumbers[slotsAt + slot * 2 + 1] as number);
    }
    if (quantity >= 0) {
      const cost = slotsAt + (single[EFFECTIVE] as number) * 2;
      const isCostStated = isStated(states, single[EFFECTIVE] as number);
      hours.addHour(pair, hour, rowNumbers[slotsAt + (single[quantity] as number) * 2] as number, isCostStated ? (rowNumbers[cost] as number) : 0, isCostStated ? (rowNumbers[cost + 1] as number) : 0);
    }
    posting.count(pair);
    return true;
  }

  return (rows) => {
    const { kernel, count, size } = rows;
    const { rowInts, rowNumbers } = kernel;
    let unsuited = 0;
    for (let row = 0; row < count; row += 1) {
      const numbersAt = row * size;
      const at = numbersAt * 2;
      const byte = rows.byte + (rowInts[at + ROW_PLACE] as number);
      if (byte >= blocks.end) blocks.open({ byte, line: rows.line + (rowInts[at + ROW_LINES] as number), record: rows.record + row });
      const flags = rowInts[at + ROW_FLAGS] as number;
      let outcome = UNSUITED;
      if ((flags & ROW_ODD) === 0) {
        const place = entries.placeOf(rowInts[at + ROW_HASH_A] as number, rowInts[at + ROW_HASH_B] as number);
        const pair = (entries.table[place + PLACE_PAIR] as number) - 1;
        if (pair !== -1 && isQuick && (flags & TIME_FLAGS) === QUICK_FLAGS && takeQuickly(rowInts, rowNumbers, numbersAt, pair)) continue;
        const entry = (entries.table[place + PLACE_ENTRY] as number) - 1;
        outcome = entry === -1 ? NEW : takeRow(kernel, numbersAt, entry);
      }
      if (outcome === TAKEN) continue;
      if (outcome === UNSUITED) unsuited += 1;
      onRecord(rows, row);
    }
    return unsuited;
  };
}

/** Whether a slot was read, by the states of a row's first word. */
function isStated(states: number, slot: number): boolean {
  return slot >= 0 && ((states >> (slot * 2)) & 3) === READ;
}

/** A list or contracted cost of 0 beside an effective cost: `Values.withoutZeros` has its say. */
function hasZeroPrice(numbers: Float64Array, slotsAt: number, single: Int32Array, states: number): boolean {
  const effective = single[EFFECTIVE] as number;
  if (!isStated(states, effective) || isZeroAt(numbers, slotsAt, effective)) return false;
  const [list, contracted] = [single[LIST] as number, single[CONTRACTED] as number];
  return (isStated(states, list) && isZeroAt(numbers, slotsAt, list)) || (isStated(states, contracted) && isZeroAt(numbers, slotsAt, contracted));
}

function isZeroAt(numbers: Float64Array, slotsAt: number, slot: number): boolean {
  return numbers[slotsAt + slot * 2] === 0 && numbers[slotsAt + slot * 2 + 1] === 0;
}
