import { kernelBytes } from "./kernel-bytes.ts";

/** Text in the memory of the kernel, and the kernel at work on it. Places in the text are places in `bytes`; the text begins at `FIRST`. */
export interface Kernel {
  /** Another thread may have a kernel on the same; only one of them works at a time. */
  readonly memory: KernelMemory;
  /** The whole memory; another object once it has grown, in which what was there lies where it lay. */
  bytes: Uint8Array;
  view: DataView;
  /** Exclusive end of each field of the record found last. */
  ends: Int32Array;
  /** What the last call answered, in the order of the fields below, or for hashes the two of them. */
  answer: Int32Array;
  /** What `readDecimals` read, by slot. */
  nanos: Float64Array;
  rests: Float64Array;
  states: Uint8Array;
  /** What `readRows` read: fields of a row as whole numbers, and the same bytes as doubles. */
  rowInts: Int32Array;
  rowNumbers: Float64Array;
  /** Bytes of text there is room for, with the line feeds that follow it. */
  room: number;
  /** Finds one whole record from `start` on. 0: it goes on beyond `limit`; 1: found; 2: a blank line. */
  findRecord(start: number, limit: number, delimiter: number, isAtEnd: boolean): 0 | 1 | 2;
  /** Two hashes of 32 bits of the bytes of ranges of columns of the record found last. */
  hashRanges(start: number, rangeCount: number): void;
  /** Reads the cells of a list as decimals where they are plainly written: `states` says 0 empty, 1 read, 2 not plain. */
  readDecimals(start: number, list: number, count: number, mark: number): void;
  /** How many rows of the plan there is room for. */
  mostRows(): number;
  /** Reads records as the plan of rows says, until one goes on beyond `limit` or there is no room for more: how many. */
  readRows(start: number, limit: number, delimiter: number): number;
  /** Says which columns `hashRanges` takes, first and last of each range, at most `MOST_RANGES`; and the lists of `readDecimals`. */
  prepare(tables: KernelTables): void;
  /** Makes room for `bytes` of text; what is there stays. */
  grow(bytes: number): void;
  /** Looks at the memory anew: the other thread may have made room. */
  refresh(): void;
}

/** What a reader lays into the memory before it asks; the same object as long as nothing has changed. */
export interface KernelTables {
  readonly ranges: Int32Array;
  /** Column, and twice the slot, odd for a quantity, of each cell; a list begins at `LISTS` and four times its place in here. */
  readonly lists: Int32Array;
  /** What `readRows` reads; null where it is not asked. */
  readonly rows: RowPlan | null;
}

/** What is read of every row at once. */
export interface RowPlan {
  readonly columns: number;
  readonly mark: number;
  /** Columns of the times; -1 for none. */
  readonly startColumn: number;
  readonly endColumn: number;
  /** Column, and four times its slot, plus 2 where it is read only if the columns of the slot before it are empty, plus 1 for a quantity. */
  readonly cells: Int32Array;
  readonly slots: number;
}

/** Fields of a row in `rowInts`, from its first on. */
export const ROW_PLACE = 0;
/** Line ends between the first record of the call and this one. */
export const ROW_LINES = 1;
export const ROW_FLAGS = 2;
export const ROW_HASH_A = 3;
export const ROW_HASH_B = 4;
/** Two bits a slot, in two words: 0 empty, 1 read, 2 not plain. */
export const ROW_STATES = 5;
/** Fields of a row in `rowNumbers`: times in seconds since 1970, or, of one not read, its place times `PLACE_UNIT` plus its length; then two numbers a slot. */
export const ROW_START = 4;
export const ROW_END = 5;
export const ROW_SLOTS = 6;
export const PLACE_UNIT = 65_536;
/** Flags: it has not the plan's columns, so nothing of it was read; what of its times was read and does not state its zone; no end is stated. */
export const ROW_ODD = 1;
export const ROW_START_READ = 2;
export const ROW_START_ZONELESS = 4;
export const ROW_END_READ = 8;
export const ROW_END_ZONELESS = 16;
export const ROW_END_EMPTY = 32;
export const MOST_ROW_SLOTS = 32;
export const MOST_ROW_CELLS = 244;
/** A plan takes rows of at most so many columns: the kernel lays down ends of fields before it counts them. */
export const MOST_ROW_COLUMNS = 8000;

/** Doubles that a row of a plan takes. */
export function rowSize({ slots }: RowPlan): number {
  return ROW_SLOTS + slots * 2;
}

/** Where the answers of `findRecord` stand. */
export const NEXT = 0;
export const FIELD_COUNT = 1;
export const END = 2;
export const LINES = 3;
export const IS_INSIDE = 4;

/** Where the text begins. */
export const FIRST = 196_608;
/** A record has at most so many fields whose ends are kept; more are counted. */
export const MOST_FIELDS = 8192;
export const MOST_RANGES = 248;
export const MOST_LISTED = 3072;
export const MOST_SLOTS = 512;
export const LISTS = 36_864;
const RANGES = 64;
const PLAN = 2048;
const CELLS = 2144;
const ENDS = 4096;
const NANOS = 49_152;
const RESTS = 53_248;
const STATES = 57_344;
/** Where rows stand, and the room there is for them. */
export const ROWS = 65_536;
export const ROW_BYTES = FIRST - ROWS;
export const PAGE = 65_536;
/** Line feeds behind the text: the kernel looks at so many bytes at once. */
export const SLACK = 64;
/** Kept for the next scan: small files come by thousands, and a memory is dear to make. */
const MOST_KEPT = 2;

export interface KernelExports {
  findRecord(start: number, limit: number, delimiter: number, isAtEnd: number): 0 | 1 | 2;
  hashRanges(start: number, rangeCount: number): void;
  readDecimals(start: number, list: number, count: number, mark: number): void;
  readRows(start: number, limit: number, delimiter: number, most: number): number;
  takeRows(from: number, end: number, blockEnd: number): number;
}

/** What is used of WebAssembly: main is compiled without a browser's types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number; readonly shared: true }) => KernelMemory;
  readonly Instance: new (module: object, imports: { readonly env: { readonly memory: KernelMemory } }) => { readonly exports: unknown };
};
/** Shared: what was seen of it before it grew is still good. */
export interface KernelMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

const MOST_PAGES = 65_536;

let module: object | null = null;
const kept: Kernel[] = [];

/** A kernel with room for so many bytes, for one scan; hand it back afterwards. */
export function takeKernel(bytes: number): Kernel {
  const kernel = kept.pop() ?? createKernel(bytes);
  kernel.grow(bytes);
  return kernel;
}

/** Nothing of it may be read any more. One that has grown for a giant record is let go. */
export function giveBack(kernel: Kernel, usual: number): void {
  if (kept.length < MOST_KEPT && kernel.room <= usual * 2) kept.push(kernel);
}

export function newMemory(pages: number): KernelMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: MOST_PAGES, shared: true });
}

/** The kernel's functions, at work on a memory. */
export function instantiate(memory: KernelMemory): KernelExports {
  module ??= new WebAssembly.Module(Buffer.from(kernelBytes, "base64"));
  return new WebAssembly.Instance(module, { env: { memory } }).exports as KernelExports;
}

function createKernel(bytes: number): Kernel {
  return kernelOn(newMemory(pagesFor(bytes)));
}

export function kernelOn(memory: KernelMemory): Kernel {
  const { findRecord, hashRanges, readDecimals, readRows } = instantiate(memory);
  let prepared: KernelTables | null = null;
  let mostRows = 0;
  const kernel: Kernel = {
    memory,
    ...viewsOf(memory),
    findRecord: (start, limit, delimiter, isAtEnd) => findRecord(start, limit, delimiter, isAtEnd ? 1 : 0),
    hashRanges,
    readDecimals,
    mostRows: () => mostRows,
    readRows: (start, limit, delimiter) => readRows(start, limit, delimiter, mostRows),
    prepare(tables) {
      if (tables === prepared) return;
      new Int32Array(memory.buffer, RANGES, tables.ranges.length).set(tables.ranges);
      new Int32Array(memory.buffer, LISTS, tables.lists.length).set(tables.lists);
      prepared = tables;
      const { rows } = tables;
      if (rows === null) return;
      const size = rowSize(rows);
      mostRows = Math.floor(ROW_BYTES / (size * 8));
      new Int32Array(memory.buffer, PLAN, 7).set([rows.columns, rows.mark, rows.startColumn, rows.endColumn, tables.ranges.length / 2, rows.cells.length / 2, size * 8]);
      new Int32Array(memory.buffer, CELLS, rows.cells.length).set(rows.cells);
    },
    grow(wanted) {
      if (wanted <= kernel.room) return;
      memory.grow(pagesFor(wanted) - memory.buffer.byteLength / PAGE);
      Object.assign(kernel, viewsOf(memory));
    },
    refresh() {
      if (memory.buffer.byteLength !== kernel.bytes.length) Object.assign(kernel, viewsOf(memory));
    },
  };
  return kernel;
}

function pagesFor(bytes: number): number {
  return Math.ceil((FIRST + bytes + SLACK) / PAGE);
}

function viewsOf({ buffer }: KernelMemory): Pick<Kernel, "bytes" | "view" | "ends" | "answer" | "nanos" | "rests" | "states" | "rowInts" | "rowNumbers" | "room"> {
  return {
    bytes: new Uint8Array(buffer),
    view: new DataView(buffer),
    ends: new Int32Array(buffer, ENDS, MOST_FIELDS),
    answer: new Int32Array(buffer, 0, 8),
    nanos: new Float64Array(buffer, NANOS, MOST_SLOTS),
    rests: new Float64Array(buffer, RESTS, MOST_SLOTS),
    states: new Uint8Array(buffer, STATES, MOST_SLOTS),
    rowInts: new Int32Array(buffer, ROWS, ROW_BYTES / 4),
    rowNumbers: new Float64Array(buffer, ROWS, ROW_BYTES / 8),
    room: buffer.byteLength - FIRST - SLACK,
  };
}
