import type { CellTrouble, DimensionRow } from "../../formats/format.ts";
import { isTrouble } from "../../formats/format.ts";
import type { RecordScan } from "../scan/records.ts";
import type { Bill } from "./bill.ts";
import type { RowReading } from "./dimension-rows.ts";
import type { DimensionValues } from "./dimensions.ts";
import { dimensionCells, readDimensions } from "./dimensions.ts";
import { grown } from "./growing.ts";
import { TABLE, TABLE_BYTES, type FoldMemory } from "./memory.ts";
import { BEIJING_SECONDS, isBeijingMonth } from "./months.ts";
import type { Program, Programs } from "./programs.ts";
import type { Times } from "./times.ts";

/** What the rows with the same dimensions, byte by byte, have in common. */
export interface Entry {
  readonly trouble: CellTrouble | null;
  readonly program: Program | null;
  readonly repairs: readonly string[];
  readonly hasNullText: boolean;
  readonly isZoneless: boolean;
  /** Of the delivery; null where the rows state no billing period, so that each goes by its own month. */
  readonly periodStart: number | null;
  readonly periodEnd: number | null;
  /** Usage that a list price of 0 cannot belong to, unless it is free. */
  readonly isUsage: boolean;
}

/** Entries by number, found by two 32-bit hashes of the raw bytes of their dimensions. */
export interface Entries {
  readonly all: readonly Entry[];
  /** The number of an entry; -1 where it is not known. */
  find(hashA: number, hashB: number): number;
  /** Makes the entry of a record that is not known. */
  add(scan: RecordScan, hashA: number, hashB: number): number;
  /** What the cells of the format read of a record of an entry. */
  dimensionsOf(scan: RecordScan, entry: number): { readonly row: DimensionRow; readonly values: DimensionValues | CellTrouble };
  /** Notes the pair that rows of an entry belong to at first sight. */
  notePair(entry: number, pair: number): void;
}

/** Numbers of a place of the table: entry + 1, or 0 where it is free; pair + 1, or 0 where none is noted; both hashes. */
const PLACE_PAIR = 1;
const PLACE_HASH_A = 2;
const PLACE_HASH_B = 3;
const PLACE_SIZE = 4;

const FIRST_SIZE = 1 << 11;
const noRepairs: readonly string[] = [];
const unread = { program: null, repairs: noRepairs, hasNullText: false, isZoneless: false, periodStart: null, periodEnd: null, isUsage: false };

export function createEntries(bill: Bill, { memory, programs, times, readRow }: { readonly memory: FoldMemory; readonly programs: Programs; readonly times: Times; readonly readRow: (scan: RecordScan) => RowReading }): Entries {
  const cells = dimensionCells(bill.format);
  const all: Entry[] = [];
  let table = newTable(FIRST_SIZE * 2 * PLACE_SIZE);
  /** Where each entry stands in the table. */
  let places = new Int32Array(FIRST_SIZE);
  const sharedEntries = new Map<string, Entry>();
  const programNumbers = new Map<Program, number>();
  let lastRead: { readonly entry: number; readonly row: DimensionRow; readonly values: DimensionValues } | null = null;

  /** An empty one, in which the kernel looks from now on. */
  function newTable(length: number): Int32Array {
    const at = memory.room(length * Int32Array.BYTES_PER_ELEMENT);
    memory.settings[TABLE] = at;
    memory.settings[TABLE_BYTES] = length * Int32Array.BYTES_PER_ELEMENT;
    return memory.ints(at, length).fill(0);
  }

  function placeOf(hashA: number, hashB: number): number {
    const mask = table.length - 1;
    let place = (hashA * PLACE_SIZE) & mask;
    while (table[place] !== 0 && (table[place + PLACE_HASH_A] !== hashA || table[place + PLACE_HASH_B] !== hashB)) place = (place + PLACE_SIZE) & mask;
    return place;
  }

  /** Twice as many places, with what stood in the others. */
  function enlarge(): void {
    const before = table;
    table = newTable(before.length * 2);
    for (let old = 0; old < before.length; old += PLACE_SIZE) {
      if (before[old] === 0) continue;
      const place = placeOf(before[old + PLACE_HASH_A] as number, before[old + PLACE_HASH_B] as number);
      table.set(before.subarray(old, old + PLACE_SIZE), place);
      places[(before[old] as number) - 1] = place;
    }
    memory.free(before.byteOffset, before.byteLength);
  }

  function make(scan: RecordScan, entry: number): Entry {
    const reading = readRow(scan);
    if (reading.undecodable !== null) return { ...unread, trouble: reading.undecodable };
    const values = readDimensions(cells, reading.row);
    if (isTrouble(values)) return { ...unread, trouble: values };
    const program = programs.of(reading.row);
    if (isTrouble(program)) return { ...unread, trouble: program };
    const start = times.periodStart(scan);
    if (isTrouble(start)) return { ...unread, trouble: start };
    lastRead = { entry, row: reading.row, values };
    const startZoneless = start !== null && times.reader.isZoneless;
    const end = times.periodEnd(scan);
    if (isTrouble(end)) return { ...unread, trouble: end };
    const endZoneless = end !== null && times.reader.isZoneless;
    const [periodStart, periodEnd] = mendedPeriod(start, end, (name) => reading.row.repaired(name));
    return {
      trouble: null,
      program,
      repairs: reading.repairs.size === 0 ? noRepairs : [...reading.repairs],
      hasNullText: reading.hasNullText(),
      isZoneless: startZoneless || endZoneless,
      periodStart,
      periodEnd,
      isUsage: values["ChargeCategory"] === "Usage" && String(values["CommitmentDiscountStatus"]).toLowerCase() !== "unused",
    };
  }

  /** Most entries are alike but for their bytes: one object stands for them all. */
  function shared(entry: Entry): Entry {
    if (entry.trouble !== null || entry.program === null) return entry;
    let number = programNumbers.get(entry.program);
    if (number === undefined) programNumbers.set(entry.program, (number = programNumbers.size));
    const key = JSON.stringify({ ...entry, program: number });
    const known = sharedEntries.get(key);
    if (known !== undefined) return known;
    sharedEntries.set(key, entry);
    return entry;
  }

  return {
    all,
    find: (hashA, hashB) => (table[placeOf(hashA, hashB)] as number) - 1,
    notePair(entry, pair) {
      table[(places[entry] as number) + PLACE_PAIR] = pair + 1;
    },
    add(scan, hashA, hashB) {
      const entry = all.length;
      lastRead = null;
      all.push(shared(make(scan, entry)));
      if (entry >= places.length) places = grown(places);
      if (all.length * 2 * PLACE_SIZE > table.length) enlarge();
      const place = placeOf(hashA, hashB);
      table.set([entry + 1, 0, hashA, hashB], place);
      places[entry] = place;
      return entry;
    },
    dimensionsOf(scan, entry) {
      // Almost always the entry was made from this very record: its texts need not be decoded twice.
      const known = lastRead?.entry === entry ? lastRead : null;
      lastRead = null;
      if (known !== null) return known;
      const { row } = readRow(scan);
      return { row, values: readDimensions(cells, row) };
    },
  };
}

/** A billing period as it is meant: some begin in Beijing and are written in UTC, some are written the wrong way round. */
function mendedPeriod(start: number | null, end: number | null, repaired: (name: string) => void): readonly [number | null, number | null] {
  let [first, last] = [start, end];
  if (first !== null && isBeijingMonth(first)) {
    repaired("billing-period-beijing");
    first += BEIJING_SECONDS;
    // Its end may be stated as the last second.
    if (last !== null) last += BEIJING_SECONDS + (last % 60 === 59 ? 1 : 0);
  }
  if (first === null || last === null || last >= first) return [first, last];
  repaired("billing-period-reversed");
  return [last, first];
}
