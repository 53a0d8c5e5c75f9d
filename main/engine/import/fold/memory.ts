/**
 * Where the tables of a fold lie that every row is looked up in or added to: the kernel's `takeRows` works on the same bytes as the rooms of
 * the fold (scripts/kernel/kernel.as.ts). Tables that may grow without end move to twice the room; those with a bound have theirs from the
 * start, and what is never written of it takes no memory.
 */
import { FIRST, instantiate, newMemory, PAGE, ROW_BYTES, ROWS, type Kernel, type KernelExports, type KernelMemory } from "../scan/kernel.ts";
import { CONTRACTED, COSTS, EFFECTIVE, LIST } from "./measures.ts";
import type { Program } from "./programs.ts";

/** Words of the settings. */
export const TABLE = 0;
export const TABLE_BYTES = 1;
export const NOTES = 2;
const PROGRAMS = 3;
export const CELL_COUNTERS = 4;
export const CELL_ROWS = 5;
export const HOUR_COUNTERS = 6;
export const HOURS_USED = 7;
const NOTED = 8;
const NOTED_COUNT = 9;
const MOST_NOTED = 10;
export const BLOCK = 11;
const ROW_SIZE = 12;
const SETTINGS = 64;
const SETTINGS_COUNT = 16;

/** Why `take` stopped before a row: it is of the next block; its pair's day has no cell noted, or no hours; it is not like those before. */
export const NEXT_BLOCK = 1;
export const NEW_CELL = 2;
export const NEW_HOURS = 3;
const NOTED_FULL = 4;
export const UNLIKE = 5;

/** Programs beyond these have their rows looked at one by one. */
export const MOST_PROGRAMS = 128;
/** Of a program: number of terms; slot and counter of each; from 13 on the slots of effective, list and contracted cost, then of both quantities. */
const PROGRAM_SIZE = 32;
const PROGRAM_SINGLES = 13;
const NOTED_ROOM = 4096;
const MOST_KEPT = 2;
/** One that has grown beyond is let go. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;

export interface FoldMemory {
  readonly settings: Int32Array;
  /** What `take` says of the row that it stopped at: why; entry and pair, -1 where not known; UTC day. */
  readonly answer: Int32Array;
  /** Room for so many bytes. What is in it is not known. */
  room(bytes: number): number;
  /** Room that is used no more. */
  free(at: number, bytes: number): void;
  ints(at: number, count: number): Int32Array;
  numbers(at: number, count: number): Float64Array;
  /** Lays a program where rows of its pairs look for it. */
  addProgram(program: Program): void;
  /** Lays down rows as the kernel read them. */
  lay(kernel: Kernel, count: number, size: number): void;
  /** Adds laid rows `from` to `end` to their cells and hours while they are like the rows before of their pairs; answers the first that is not. */
  take(from: number, end: number, blockEnd: number, note: (pair: number) => void): number;
  /** Nothing of it may be used any more. */
  giveBack(): void;
}

interface Instance {
  readonly memory: KernelMemory;
  readonly exports: KernelExports;
}
const kept: Instance[] = [];

function newInstance(): Instance {
  const memory = newMemory(Math.ceil(FIRST / PAGE));
  return { memory, exports: instantiate(memory) };
}

export function takeFoldMemory(): FoldMemory {
  const instance = kept.pop() ?? newInstance();
  const { memory, exports } = instance;
  const free = new Map<number, number[]>();
  let end = FIRST;

  function room(bytes: number): number {
    const known = free.get(bytes)?.pop();
    if (known !== undefined) return known;
    const at = end;
    end += Math.ceil(bytes / 16) * 16;
    const lacking = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
    if (lacking > 0) memory.grow(lacking);
    return at;
  }

  const settings = new Int32Array(memory.buffer, SETTINGS, SETTINGS_COUNT);
  const answer = new Int32Array(memory.buffer, 0, 4);
  const rows = new Float64Array(memory.buffer, ROWS, ROW_BYTES / 8);
  settings[PROGRAMS] = room(MOST_PROGRAMS * PROGRAM_SIZE * 4);
  settings[NOTED] = room(NOTED_ROOM * 4);
  settings[NOTED_COUNT] = 0;
  settings[MOST_NOTED] = NOTED_ROOM;
  const programs = new Int32Array(memory.buffer, settings[PROGRAMS], MOST_PROGRAMS * PROGRAM_SIZE);
  const noted = new Int32Array(memory.buffer, settings[NOTED], NOTED_ROOM);
  let isTaken = true;

  function handOut(note: (pair: number) => void): void {
    const count = settings[NOTED_COUNT] as number;
    for (let index = 0; index < count; index += 1) note(noted[index] as number);
    settings[NOTED_COUNT] = 0;
  }

  return {
    settings,
    answer,
    room,
    free(at, bytes) {
      const known = free.get(bytes);
      if (known === undefined) free.set(bytes, [at]);
      else known.push(at);
    },
    ints: (at, count) => new Int32Array(memory.buffer, at, count),
    numbers: (at, count) => new Float64Array(memory.buffer, at, count),
    addProgram({ number, direct, single }) {
      if (direct === null || number >= MOST_PROGRAMS) return;
      const at = number * PROGRAM_SIZE;
      programs[at] = direct.length / 2;
      programs.set(direct, at + 1);
      programs.set([EFFECTIVE, LIST, CONTRACTED, COSTS, COSTS + 1].map((measure) => single[measure] as number), at + PROGRAM_SINGLES);
    },
    lay(kernel, count, size) {
      settings[ROW_SIZE] = size * 8;
      rows.set(kernel.rowNumbers.subarray(0, count * size));
    },
    take(from, to, blockEnd, note) {
      let row = exports.takeRows(from, to, blockEnd);
      while (answer[0] === NOTED_FULL) {
        handOut(note);
        row = exports.takeRows(row, to, blockEnd);
      }
      handOut(note);
      return row;
    },
    giveBack() {
      if (isTaken && kept.length < MOST_KEPT && memory.buffer.byteLength <= MOST_KEPT_BYTES) kept.push(instance);
      isTaken = false;
    },
  };
}
