import type { DatasetKind, Series } from "../../../../shared/domain/charge.ts";
import type { GpuHoursRule } from "../../formats/format.ts";
import { isTrouble } from "../../formats/format.ts";
import type { RecordScan } from "../scan/records.ts";
import { nullBits } from "../staging.ts";
import type { Staging } from "../staging.ts";
import type { Bill } from "./bill.ts";
import type { Deliveries, Delivery } from "./deliveries.ts";
import type { Entries, Entry } from "./entries.ts";
import { grown, NO_DAY } from "./growing.ts";
import { NOTES, type FoldMemory } from "./memory.ts";
import { measureNames } from "./measures.ts";
import type { Totals } from "./totals.ts";
import { totalsIn } from "./totals.ts";

/** Rows of an entry that state the same costs and have the same long period: one series of one delivery. */
export interface Pair {
  readonly seriesId: number;
  readonly entry: number;
  readonly delivery: Delivery;
  readonly currency: string;
  /** What it does not state, by `nullBits`. */
  readonly mask: number;
  readonly hours: GpuHoursRule | null;
  /** Its quantity is kept hour by hour too. */
  readonly isGpu: boolean;
  /** What a correction beside it would be a series of; null where no rule asks for one. */
  readonly correction: Series | null;
  correctionId: number;
  readonly totals: Totals;
}

/** Pairs by number, and what every row asks of them in arrays by that number. */
export interface Pairs {
  readonly all: readonly Pair[];
  /** The pair of an entry's rows: what they do not state, seconds of a charge longer than a day (else 0), and their month where the entry has none; -1 where there is none yet. */
  find(entry: number, mask: number, seconds: number, month: number): number;
  make(scan: RecordScan, entry: number, mask: number, seconds: number, month: number): number;
  /** `PAIR_SIZE` numbers a pair, so that what a row asks of it lies in one place of memory. */
  readonly notes: Int32Array;
  /** Its cells and hours were written down. */
  forgetCells(): void;
  forgetHours(): void;
}

/** The notes of a pair, which the kernel reads too. States of its slots as the kernel words them, -1 while they were never all plain, and the bits of that word that its program reads. */
export const PAIR_STATES = 0;
export const PAIR_STATE_BITS = 1;
/** The day that came last and its cell; and the same for its hours. */
export const PAIR_DAY = 2;
export const PAIR_CELL = 3;
export const PAIR_HOUR_DAY = 4;
export const PAIR_HOURS = 5;
/** The block of the file in which it was noted last. */
export const PAIR_BLOCK = 6;
/** 0: it counts no GPU hours; else 1 + the measure that does. */
export const PAIR_QUANTITY = 7;
/** Its first amount will ask for a correction. */
export const PAIR_NEEDS_CORRECTION = 8;
/** Number of its program. */
export const PAIR_PROGRAM = 9;
/** Whether a list price of 0 means that none is stated. */
export const PAIR_IS_USAGE = 10;
export const PAIR_SIZE = 16;

const FIRST_SIZE = 1 << 11;

export function createPairs(bill: Bill, { memory, entries, deliveries, staging }: { readonly memory: FoldMemory; readonly entries: Entries; readonly deliveries: Deliveries; readonly staging: Staging }): Pairs {
  const { format } = bill;
  const { charge } = format;
  const fileKind: DatasetKind = format.datasetKind(bill.columnNames, bill.facts);
  const all: Pair[] = [];
  // One pair an entry is the rule: only the others are looked for by name.
  const others = new Map<string, number>();
  let firstOf = new Int32Array(FIRST_SIZE).fill(-1);
  let firstMask = new Int32Array(FIRST_SIZE);
  let firstSeconds = new Float64Array(FIRST_SIZE);
  let firstMonth = new Int32Array(FIRST_SIZE);
  let notes = newNotes(FIRST_SIZE * PAIR_SIZE);

  /** Where the kernel looks from now on. */
  function newNotes(length: number): Int32Array {
    const at = memory.room(length * Int32Array.BYTES_PER_ELEMENT);
    memory.settings[NOTES] = at;
    return memory.ints(at, length);
  }

  function enlargeNotes(): void {
    const before = notes;
    notes = newNotes(before.length * 2);
    notes.set(before);
    memory.free(before.byteOffset, before.byteLength);
  }

  function growEntries(): void {
    const known = firstOf.length;
    firstOf = grown(firstOf).fill(-1, known);
    firstMask = grown(firstMask);
    firstSeconds = grown(firstSeconds);
    firstMonth = grown(firstMonth);
  }

  /** What rows ask of a pair, as it is at first. */
  function note(index: number, { hours, isGpu, correction, entry }: Pair): void {
    if ((index + 1) * PAIR_SIZE > notes.length) enlargeNotes();
    const at = index * PAIR_SIZE;
    const { program, isUsage } = entries.all[entry] as Entry;
    notes[at + PAIR_STATES] = -1;
    notes[at + PAIR_DAY] = NO_DAY;
    notes[at + PAIR_HOUR_DAY] = NO_DAY;
    notes[at + PAIR_BLOCK] = -1;
    notes[at + PAIR_QUANTITY] = hours === null || !isGpu ? 0 : 1 + measureNames.indexOf(hours.quantity);
    notes[at + PAIR_NEEDS_CORRECTION] = correction === null ? 0 : 1;
    notes[at + PAIR_PROGRAM] = program?.number ?? 0;
    notes[at + PAIR_IS_USAGE] = isUsage ? 1 : 0;
  }

  function forget(field: number): void {
    for (let at = field; at < notes.length; at += PAIR_SIZE) notes[at] = NO_DAY;
  }

  function pairOf(scan: RecordScan, entryNumber: number, mask: number, seconds: number, month: number): Pair {
    const entry = entries.all[entryNumber] as Entry;
    const { row, values: dimensions } = entries.dimensionsOf(scan, entryNumber);
    const values = { ...dimensions, x_Correction: null, x_PeriodSeconds: seconds === 0 ? null : seconds } as unknown as Series;
    const { seriesId, accountKey } = staging.series(values, mask);
    const kind = format.datasets?.ofRow.read(row);
    const delivery = deliveries.of(values, entry, month, kind === undefined || isTrouble(kind) ? fileKind : kind);
    delivery.coverage.accounts.add(accountKey);
    const correction = charge.correction.read(row);
    const rule = charge.GpuHours.read(row);
    const isCounted = rule !== null && !isTrouble(rule) && (mask & nullBits[rule.quantity]) === 0;
    return {
      seriesId,
      entry: entryNumber,
      delivery,
      currency: values.BillingCurrency,
      mask,
      hours: isCounted ? rule : null,
      isGpu: isCounted && values.x_GpuModel !== null,
      correction: correction === null || isTrouble(correction) ? null : { ...values, x_Correction: correction },
      correctionId: 0,
      totals: totalsIn(delivery.totals, values.BillingCurrency),
    };
  }

  return {
    all,
    find(entry, mask, seconds, month) {
      const first = entry < firstOf.length ? (firstOf[entry] as number) : -1;
      if (first === -1 || (firstMask[entry] === mask && firstSeconds[entry] === seconds && firstMonth[entry] === month)) return first;
      return others.get(`${entry} ${mask} ${seconds} ${month}`) ?? -1;
    },
    make(scan, entry, mask, seconds, month) {
      const index = all.length;
      const pair = pairOf(scan, entry, mask, seconds, month);
      all.push(pair);
      note(index, pair);
      while (entry >= firstOf.length) growEntries();
      if (firstOf[entry] === -1) {
        firstOf[entry] = index;
        firstMask[entry] = mask;
        firstSeconds[entry] = seconds;
        firstMonth[entry] = month;
        if (seconds === 0 && month === 0) entries.notePair(entry, index);
      } else others.set(`${entry} ${mask} ${seconds} ${month}`, index);
      return index;
    },
    get notes() {
      return notes;
    },
    forgetCells: () => forget(PAIR_DAY),
    forgetHours: () => forget(PAIR_HOUR_DAY),
  };
}
