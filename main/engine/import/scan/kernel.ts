import { kernelBytes } from "./kernel-bytes.ts";

/** Text in the memory of the kernel, and the kernel at work on it. Places in the text are places in `bytes`; the text begins at `FIRST`. */
export interface Kernel {
  /** The whole memory; another object once it has grown. */
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  /** Exclusive end of each field of the record found last. */
  ends: Int32Array;
  /** What the last call answered, in the order of the fields below, or for hashes the two of them. */
  answer: Int32Array;
  /** What `readDecimals` read, by slot. */
  nanos: Float64Array;
  rests: Float64Array;
  states: Uint8Array;
  /** Bytes of text there is room for, with the 16 line feeds that follow it. */
  room: number;
  /** Finds one whole record from `start` on. 0: it goes on beyond `limit`; 1: found; 2: a blank line. */
  findRecord(start: number, limit: number, delimiter: number, isAtEnd: boolean): 0 | 1 | 2;
  /** Two hashes of 32 bits of the bytes of ranges of columns of the record found last. */
  hashRanges(start: number, rangeCount: number): void;
  /** Reads the cells of a list as decimals where they are plainly written: `states` says 0 empty, 1 read, 2 not plain. */
  readDecimals(start: number, list: number, count: number, mark: number): void;
  /** Says which columns `hashRanges` takes, first and last of each range, at most `MOST_RANGES`; and the lists of `readDecimals`. */
  prepare(tables: KernelTables): void;
  /** Makes room for `bytes` of text; what is there stays. */
  grow(bytes: number): void;
}

/** What a reader lays into the memory before it asks; the same object as long as nothing has changed. */
export interface KernelTables {
  readonly ranges: Int32Array;
  /** Column, and twice the slot, odd for a quantity, of each cell; a list begins at `LISTS` and four times its place in here. */
  readonly lists: Int32Array;
}

/** Where the answers of `findRecord` stand. */
export const NEXT = 0;
export const FIELD_COUNT = 1;
export const END = 2;
export const LINES = 3;
export const IS_INSIDE = 4;

/** Where the text begins. */
export const FIRST = 65_536;
/** A record has at most so many fields whose ends are kept; more are counted. */
export const MOST_FIELDS = 8192;
export const MOST_RANGES = 248;
export const MOST_LISTED = 3072;
export const MOST_SLOTS = 512;
export const LISTS = 36_864;
const RANGES = 64;
const ENDS = 4096;
const NANOS = 49_152;
const RESTS = 53_248;
const STATES = 57_344;
const PAGE = 65_536;
const SLACK = 16;
/** Kept for the next scan: small files come by thousands, and a memory is dear to make. */
const MOST_KEPT = 2;

interface Exports {
  findRecord(start: number, limit: number, delimiter: number, isAtEnd: number): 0 | 1 | 2;
  hashRanges(start: number, rangeCount: number): void;
  readDecimals(start: number, list: number, count: number, mark: number): void;
}

/** What is used of WebAssembly: main is compiled without a browser's types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Instance: new (module: object, imports: { readonly env: { readonly memory: Memory } }) => { readonly exports: unknown };
};
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

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

function createKernel(bytes: number): Kernel {
  module ??= new WebAssembly.Module(Buffer.from(kernelBytes, "base64"));
  const memory = new WebAssembly.Memory({ initial: pagesFor(bytes) });
  const { findRecord, hashRanges, readDecimals } = new WebAssembly.Instance(module, { env: { memory } }).exports as Exports;
  let prepared: KernelTables | null = null;
  const kernel: Kernel = {
    ...viewsOf(memory),
    findRecord: (start, limit, delimiter, isAtEnd) => findRecord(start, limit, delimiter, isAtEnd ? 1 : 0),
    hashRanges,
    readDecimals,
    prepare(tables) {
      if (tables === prepared) return;
      new Int32Array(memory.buffer, RANGES, tables.ranges.length).set(tables.ranges);
      new Int32Array(memory.buffer, LISTS, tables.lists.length).set(tables.lists);
      prepared = tables;
    },
    grow(wanted) {
      if (wanted <= kernel.room) return;
      memory.grow(pagesFor(wanted) - memory.buffer.byteLength / PAGE);
      Object.assign(kernel, viewsOf(memory));
    },
  };
  return kernel;
}

function pagesFor(bytes: number): number {
  return Math.ceil((FIRST + bytes + SLACK) / PAGE);
}

function viewsOf({ buffer }: Memory): Pick<Kernel, "bytes" | "view" | "ends" | "answer" | "nanos" | "rests" | "states" | "room"> {
  return {
    bytes: new Uint8Array(buffer),
    view: new DataView(buffer),
    ends: new Int32Array(buffer, ENDS, MOST_FIELDS),
    answer: new Int32Array(buffer, 0, 8),
    nanos: new Float64Array(buffer, NANOS, MOST_SLOTS),
    rests: new Float64Array(buffer, RESTS, MOST_SLOTS),
    states: new Uint8Array(buffer, STATES, MOST_SLOTS),
    room: buffer.byteLength - FIRST - SLACK,
  };
}
