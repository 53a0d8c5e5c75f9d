import type { Expected } from "../../../../shared/contract/errors.ts";
import type { DatasetKind } from "../../../../shared/domain/charge.ts";
import { nullBits } from "../staging.ts";
import type { Staging } from "../staging.ts";
import type { Bill } from "./bill.ts";
import type { Blocks } from "./blocks.ts";
import type { Cells } from "./cells.ts";
import { addToTotalsAlone } from "./cells.ts";
import type { Entry } from "./entries.ts";
import type { Hours } from "./hours.ts";
import { ALL_COSTS, ALL_MEASURES, EFFECTIVE, HAS_WIDE, IS_FINER, LIST } from "./measures.ts";
import { monthOf } from "./months.ts";
import type { Pair, Pairs } from "./pairs.ts";
import { PAIR_BLOCK, PAIR_CELL, PAIR_DAY, PAIR_NEEDS_CORRECTION, PAIR_QUANTITY, PAIR_SIZE } from "./pairs.ts";
import type { Program } from "./programs.ts";
import type { Repairs } from "./repairs.ts";
import type { Values } from "./values.ts";

const DAY_SECONDS = 86_400;
/** Ten years: the longest commitments run three. A year 9999 is a wrong date, and would be split over its every hour. */
const LONGEST_CHARGE_SECONDS = 3660 * DAY_SECONDS;
/** What a correction states: the effective cost and nothing else. */
const ONLY_EFFECTIVE = ALL_MEASURES & ~nullBits.EffectiveCost;

/** From a row that was read to its cell, its hours and its delivery; and what rows must state. `stated` is what `Values.measure` said of a row. */
export interface Posting {
  readonly rows: number;
  /** Why a charge cannot run so; null where it can. */
  refusesPeriod(start: number, end: number): Expected | null;
  /** Whether a bill that states costs states none here. */
  lacksCosts(program: Program, stated: number): boolean;
  /** What the series of a row does not state. */
  maskOf(entry: Entry, stated: number): number;
  /** The pair of a row; -1 where `makePair` must be asked. */
  pairOf(entryNumber: number, entry: Entry, mask: number, start: number, end: number): number;
  /** What tells the pairs of an entry apart besides what they do not state: seconds of a charge longer than a day, and the month where the bill states no period. */
  kindOf(entry: Entry, start: number, end: number): { readonly seconds: number; readonly month: number };
  /** Adds the row at hand. */
  post(pair: number, start: number, end: number, stated: number, mask: number, isZoneless: boolean, hasNullText: boolean): void;
  /** Counts rows that are in their cells already. */
  count(rows: number): void;
  /** Whether all is written down after the next row. */
  isFull(): boolean;
  flush(): void;
}

export interface PostingRooms {
  readonly bill: Bill;
  readonly values: Values;
  readonly pairs: Pairs;
  readonly cells: Cells;
  readonly hours: Hours;
  readonly blocks: Blocks;
  readonly repairs: Repairs;
  readonly staging: Staging;
  readonly bounds: { readonly cells: number; readonly hourDays: number };
}

export function createPosting({ bill, values, pairs, cells, hours, blocks, repairs, staging, bounds }: PostingRooms): Posting {
  const { format, secondsEast } = bill;
  const billedMonthOf = format.monthOf ?? ((seconds: number): number => monthOf(seconds + secondsEast));
  const fileKind: DatasetKind = format.datasetKind(bill.columnNames, bill.facts);
  const needsCosts = fileKind !== "usage";
  let rows = 0;

  function secondsOf(start: number, end: number): number {
    return end - start > DAY_SECONDS ? end - start : 0;
  }

  function monthOfEntry(entry: Entry, start: number): number {
    return entry.periodStart === null ? billedMonthOf(start) : 0;
  }

  function count(more: number): void {
    rows += more;
    if (isFull()) flush();
  }

  function isFull(): boolean {
    return cells.count >= bounds.cells || hours.count >= bounds.hourDays;
  }

  function flush(): void {
    cells.flush();
    hours.flush();
    staging.settle();
  }

  return {
    get rows() {
      return rows;
    },
    refusesPeriod(start, end) {
      if (end < start) return "period-order";
      return end - start > LONGEST_CHARGE_SECONDS ? "period-length" : null;
    },
    lacksCosts: (program, stated) => needsCosts && program.statesCosts && (stated & ALL_COSTS) === ALL_COSTS,
    maskOf: (entry, stated) => (entry.isUsage ? values.withoutZeros(stated & ALL_MEASURES) : stated & ALL_MEASURES),
    pairOf: (entryNumber, entry, mask, start, end) => pairs.find(entryNumber, mask, secondsOf(start, end), monthOfEntry(entry, start)),
    kindOf: (entry, start, end) => ({ seconds: secondsOf(start, end), month: monthOfEntry(entry, start) }),
    post(pairNumber, start, end, stated, mask, isZoneless, hasNullText) {
      const pair = pairs.all[pairNumber] as Pair;
      const day = Math.floor(start / DAY_SECONDS);
      const { notes } = pairs;
      const notesAt = pairNumber * PAIR_SIZE;
      const cell = notes[notesAt + PAIR_DAY] === day ? (notes[notesAt + PAIR_CELL] as number) : cells.find(pairNumber, day);
      cells.add(cell, values, stated, mask);
      const zeros = mask ^ (stated & ALL_MEASURES);
      if (zeros !== 0 || (stated & HAS_WIDE) !== 0) addToTotalsAlone(pair, values, stated, mask);
      if (notes[notesAt + PAIR_QUANTITY] !== 0 && !Number.isNaN(end)) hours.add(pairNumber, values, start, end);
      if (notes[notesAt + PAIR_NEEDS_CORRECTION] === 1 && (mask & nullBits.EffectiveCost) === 0 && !values.isZero(EFFECTIVE)) {
        notes[notesAt + PAIR_NEEDS_CORRECTION] = 0;
        if (pair.correction !== null) pair.correctionId = staging.series(pair.correction, ONLY_EFFECTIVE).seriesId;
      }
      if (zeros !== 0) {
        if ((zeros & (1 << LIST)) !== 0) repairs.count("list-cost-zero-unknown", 1);
        if ((zeros & nullBits.ContractedCost) !== 0) repairs.count("contracted-cost-zero-unknown", 1);
      }
      if (isZoneless) repairs.countZoneless();
      if (hasNullText) repairs.count("null-text", 1);
      if ((stated & IS_FINER) !== 0) repairs.count("finer-than-atto", 1);
      if (notes[notesAt + PAIR_BLOCK] !== blocks.number) {
        notes[notesAt + PAIR_BLOCK] = blocks.number;
        blocks.note(pairNumber);
      }
      count(1);
    },
    count,
    isFull,
    flush,
  };
}
