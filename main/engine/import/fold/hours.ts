import { COUNTER_LIMIT } from "../decimal.ts";
import { createGpuChargeHoursWriter } from "../../store/gpu-charge-hours.ts";
import { nullBits } from "../staging.ts";
import type { Staging } from "../staging.ts";
import { attosOf, floorDivide, NANO } from "./exact.ts";
import { createDayIndex } from "./growing.ts";
import { EFFECTIVE } from "./measures.ts";
import { HOUR_COUNTERS as COUNTERS_PLACE, HOURS_USED, type FoldMemory } from "./memory.ts";
import type { Pair, Pairs } from "./pairs.ts";
import { PAIR_HOUR_DAY, PAIR_HOURS, PAIR_QUANTITY, PAIR_SIZE } from "./pairs.ts";
import type { Values } from "./values.ts";

const HOURS_A_DAY = 24;
/** Of each hour: 1e-9 of the quantity, and the effective cost in nanos and rest. */
const HOUR_COUNTERS = 3;
/** A month: the split in doubles is exact up to some 3,000 hours. */
const MOST_SPLIT_HOURS = 744;
const MOST_HOURS_A_MONTH = 744;
const FIRST_SIZE = 1 << 6;
/** The longest charge has so many at once: ten years (fold/posting.ts). */
const MOST_DAYS_A_ROW = 3662;
const DAY_MS = 86_400_000;

/** Hours of GPU pairs: a block of 24 for each UTC day of a pair. */
export interface Hours {
  readonly count: number;
  /** UTC days, since 1970-01-01, with such hours. */
  readonly touchedDays: ReadonlySet<number>;
  /** Makes the hours of a pair's day the ones that were noted last. */
  find(pair: number, day: number): void;
  /** Adds the row at hand, split by its seconds where it runs over several hours. */
  add(pair: number, values: Values, start: number, end: number): void;
  /** Writes all down and begins anew. */
  flush(): void;
}

/** `most`: at how many days they are written down. */
export function createHours({ memory, pairs, staging, most }: { readonly memory: FoldMemory; readonly pairs: Pairs; readonly staging: Staging; readonly most: number }): Hours {
  const index = createDayIndex(FIRST_SIZE);
  /** Of the hours used, those with an even share of a charge longer than an hour. */
  let spread = new Uint32Array(FIRST_SIZE);
  const carried = new Map<number, bigint>();
  const touchedDays = new Set<number>();
  const writer = createGpuChargeHoursWriter(MOST_HOURS_A_MONTH);
  let [monthFirst, monthEnd, monthText] = [0, 0, ""];

  let counters = newCounters(FIRST_SIZE);
  /** A bit for each hour of a block that has a charge. */
  let used = newUsed(FIRST_SIZE);

  function newCounters(size: number): Float64Array {
    const count = size * HOURS_A_DAY * HOUR_COUNTERS;
    const at = memory.room(count * Float64Array.BYTES_PER_ELEMENT);
    memory.settings[COUNTERS_PLACE] = at;
    return memory.numbers(at, count);
  }

  function newUsed(size: number): Int32Array {
    const at = memory.room(size * Int32Array.BYTES_PER_ELEMENT);
    memory.settings[HOURS_USED] = at;
    return memory.ints(at, size);
  }

  /** To what a bill may need: of that, only what is written takes memory. */
  function enlarge(): void {
    const enough = most + MOST_DAYS_A_ROW;
    const size = used.length < enough ? enough : used.length * 2;
    const [countersBefore, usedBefore] = [counters, used];
    (counters = newCounters(size)).set(countersBefore);
    (used = newUsed(size)).set(usedBefore);
    const spreadBefore = spread;
    (spread = new Uint32Array(size)).set(spreadBefore);
  }

  /** The block of a pair's day, now the pair's last. */
  function find(pair: number, day: number): number {
    const before = index.count;
    const block = index.place(pair, day);
    if (block === before) {
      if (block >= used.length) enlarge();
      counters.fill(0, block * HOURS_A_DAY * HOUR_COUNTERS, (block + 1) * HOURS_A_DAY * HOUR_COUNTERS);
      used[block] = 0;
      spread[block] = 0;
      touchedDays.add(day);
    }
    pairs.notes[pair * PAIR_SIZE + PAIR_HOUR_DAY] = day;
    pairs.notes[pair * PAIR_SIZE + PAIR_HOURS] = block;
    return block;
  }

  const hours: Hours = {
    get count() {
      return index.count;
    },
    touchedDays,
    find,
    add(pair: number, values: Values, start: number, end: number): void {
      const measure = (pairs.notes[pair * PAIR_SIZE + PAIR_QUANTITY] as number) - 1;
      const first = Math.floor(start / 3600);
      const last = end > start ? Math.floor((end - 1) / 3600) : first;
      if (values.isWide[measure] === 0 && values.isWide[EFFECTIVE] === 0) {
        const wholeHours = (end - start) / 3600;
        const quantity = values.nanos[measure] as number;
        if (first === last) {
          addHour(pair, first, quantity, values.nanos[EFFECTIVE] as number, values.rest[EFFECTIVE] as number, false);
          return;
        }
        if (start % 3600 === 0 && wholeHours <= MOST_SPLIT_HOURS && Number.isInteger(wholeHours)) {
          splitEvenly(pair, values, first, wholeHours, quantity);
          return;
        }
      }
      splitBySeconds(pair, values, start, end, first, last);
    },
    flush(): void {
      const order = new Int32Array(index.count);
      for (let block = 0; block < order.length; block += 1) order[block] = block;
      order.sort((a, b) => index.pairOf(a) - index.pairOf(b) || index.dayOf(a) - index.dayOf(b));
      let [lastPair, lastMonth] = [-1, ""];
      const write = (): void => {
        if (lastPair === -1) return;
        const { delivery, seriesId } = pairs.all[lastPair] as Pair;
        staging.gpuHours(delivery.deliveryId, seriesId, lastMonth, writer.take());
      };
      for (const block of order) {
        const [pair, month] = [index.pairOf(block), monthOf(index.dayOf(block))];
        if (pair !== lastPair || month !== lastMonth) {
          write();
          [lastPair, lastMonth] = [pair, month];
        }
        layDay(block, pairs.all[pair] as Pair);
      }
      write();
      index.clear();
      carried.clear();
      pairs.forgetHours();
    },
  };

  function carry(at: number, amount: bigint): void {
    carried.set(at, (carried.get(at) ?? 0n) + amount);
  }

  /** Where an hour, since 1970, of a pair is counted; it is marked as used. */
  function counterOf(pair: number, hour: number, isSpread: boolean): number {
    const day = Math.floor(hour / HOURS_A_DAY);
    const hourOfDay = hour - day * HOURS_A_DAY;
    const { notes } = pairs;
    const block = notes[pair * PAIR_SIZE + PAIR_HOUR_DAY] === day ? (notes[pair * PAIR_SIZE + PAIR_HOURS] as number) : find(pair, day);
    used[block] = (used[block] as number) | (1 << hourOfDay);
    if (isSpread) spread[block] = (spread[block] as number) | (1 << hourOfDay);
    return (block * HOURS_A_DAY + hourOfDay) * HOUR_COUNTERS;
  }

  function addHour(pair: number, hour: number, quantity: number, nanos: number, rest: number, isSpread: boolean): void {
    const at = counterOf(pair, hour, isSpread);
    counters[at] = (counters[at] as number) + quantity;
    const sum = (counters[at + 1] as number) + nanos;
    counters[at + 1] = sum;
    counters[at + 2] = (counters[at + 2] as number) + rest;
    if (sum <= COUNTER_LIMIT && sum >= -COUNTER_LIMIT) return;
    carry(at + 1, BigInt(sum) * NANO);
    counters[at + 1] = 0;
  }

  /** A charge over several hours is split by its seconds in each: what is due up to an hour's end, rounded down, less what was given before. */
  function splitBySeconds(pair: number, { nanos, rest, big, isWide }: Values, start: number, end: number, first: number, last: number): void {
    const measure = (pairs.notes[pair * PAIR_SIZE + PAIR_QUANTITY] as number) - 1;
    const quantity = isWide[measure] === 1 ? (big[measure] as bigint) : BigInt(nanos[measure] as number);
    const attos = !isCostStated(pair) ? 0n : isWide[EFFECTIVE] === 1 ? (big[EFFECTIVE] as bigint) : attosOf(nanos[EFFECTIVE] as number, rest[EFFECTIVE] as number);
    const whole = BigInt(Math.max(1, end - start));
    let givenQuantity = 0n;
    let givenAttos = 0n;
    for (let hour = first; hour <= last; hour += 1) {
      const passed = hour === last ? whole : BigInt((hour + 1) * 3600 - start);
      const dueQuantity = floorDivide(quantity * passed, whole);
      const dueAttos = floorDivide(attos * passed, whole);
      const at = counterOf(pair, hour, first !== last);
      carry(at, dueQuantity - givenQuantity);
      carry(at + 1, dueAttos - givenAttos);
      givenQuantity = dueQuantity;
      givenAttos = dueAttos;
    }
  }

  /**
   * The same split for whole hours (a day's row, mostly), in doubles: what is due after k of n hours is floor(q k / n), which is
   * floor(q / n) k + floor((q mod n) k / n), and each of these stays a whole number below 2^53. Below a nano the same again.
   */
  function splitEvenly(pair: number, values: Values, first: number, count: number, quantity: number): void {
    const nanos = isCostStated(pair) ? (values.nanos[EFFECTIVE] as number) : 0;
    const rest = isCostStated(pair) ? (values.rest[EFFECTIVE] as number) : 0;
    const quantityEach = Math.floor(quantity / count);
    const quantityLeft = quantity - quantityEach * count;
    const nanosEach = Math.floor(nanos / count);
    const attosLeft = (nanos - nanosEach * count) * 1e9 + rest;
    let givenQuantity = 0;
    let givenAttos = 0;
    for (let hour = 0; hour < count; hour += 1) {
      const dueQuantity = Math.floor((quantityLeft * (hour + 1)) / count);
      const dueAttos = Math.floor((attosLeft * (hour + 1)) / count);
      const attos = dueAttos - givenAttos;
      const up = Math.floor(attos / 1e9);
      addHour(pair, first + hour, quantityEach + dueQuantity - givenQuantity, nanosEach + up, attos - up * 1e9, count > 1);
      givenQuantity = dueQuantity;
      givenAttos = dueAttos;
    }
  }

  function isCostStated(pair: number): boolean {
    return ((pairs.all[pair] as Pair).mask & nullBits.EffectiveCost) === 0;
  }

  /** The hours of a block behind those of the days before in its month. */
  function layDay(block: number, { mask, hours: rule }: Pair): void {
    const day = index.dayOf(block);
    const firstHour = (new Date(day * DAY_MS).getUTCDate() - 1) * HOURS_A_DAY;
    const isStated = (mask & nullBits.EffectiveCost) === 0;
    const hoursAUnit = rule?.hoursAUnit ?? 0;
    for (let hour = 0; hour < HOURS_A_DAY; hour += 1) {
      if (((used[block] as number) & (1 << hour)) === 0) continue;
      const at = (block * HOURS_A_DAY + hour) * HOUR_COUNTERS;
      const gpuHours = (((counters[at] as number) + Number(carried.get(at) ?? 0n)) * hoursAUnit) / 1e9;
      const isSpread = ((spread[block] as number) & (1 << hour)) !== 0;
      const beyond = carried.get(at + 1);
      const [nanos, rest] = [counters[at + 1] as number, counters[at + 2] as number];
      if (isStated && beyond !== undefined) writer.addAttos(firstHour + hour, gpuHours, beyond + attosOf(nanos, rest), isSpread);
      else writer.add(firstHour + hour, gpuHours, isStated ? nanos : null, rest, isSpread);
    }
  }

  /** Seldom another than the one before. */
  function monthOf(day: number): string {
    if (day < monthFirst || day >= monthEnd) {
      const date = new Date(day * DAY_MS);
      monthFirst = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS;
      monthEnd = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
      monthText = date.toISOString().slice(0, 7);
    }
    return monthText;
  }

  return hours;
}
