/**
 * Samples of one device become traces, day by day, with little in memory (maths.md d.2): a sample holds until the next one, at most for the
 * hold, which is three times the day's median spacing, at least 2 s and at most 15 min. A sample without a value ends the hold of the one
 * before. Equal timestamps: the last in file order counts. Days are UTC; a hold that crosses midnight is cut there.
 * Values that are averages up to their time hold backward from it in the same way.
 * Where the spacing is finer than 10 s, known time is folded to one segment each 10 s with the time-weighted mean.
 */
import { dayMs, growingSegments } from "../store/traces.ts";
import type { DayTrace } from "../store/traces.ts";

export interface DeviceTraces {
  /** One value a metric; NaN is unknown. */
  readonly add: (instantMs: number, values: readonly number[] | Float64Array) => void;
  /** Nothing more comes: what is left is handed out. */
  readonly finish: () => TraceSummary;
}

/** A finished day of one metric. `isLate`: the day was handed out before, and rows out of order came after; the two are to be merged. */
export interface FinishedDay {
  readonly metric: number;
  readonly day: number;
  readonly sampleCount: number;
  readonly trace: DayTrace;
  readonly isLate: boolean;
}

export interface TraceSummary {
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** Time between first and last sample in which the first metric is known. */
  readonly knownMs: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
  /** Median spacing of each day, in milliseconds, and how many samples it rests on. */
  readonly cadences: readonly { readonly day: number; readonly spacingMs: number; readonly samples: number }[];
}

/** The hold for a median spacing, both in milliseconds (maths.md d.2); whole, since traces are. */
export function holdFor(spacingMs: number): number {
  return Math.min(Math.max(Math.round(3 * spacingMs), 2000), 900_000);
}

/** Sources finer than this are folded (architecture.md section 6). A loop of 10 s drifts by milliseconds, so a little less counts as 10 s. */
const finestSpacingMs = 9500;
const foldMs = 10_000;
/** A day is handed out when a sample two days later comes; until then rows may come in any order. */
const openDays = 2;

interface DaySamples {
  readonly day: number;
  time: Float64Array;
  values: Float32Array[];
  count: number;
  isSorted: boolean;
}

/** The sample that reaches over midnight: its value for each metric until `endMs`. */
interface Carried {
  readonly day: number;
  readonly endMs: number;
  readonly values: readonly number[];
}

/** Arrays that are done with, by the count of metrics: the next day takes them over, of whatever device. */
export type SamplePool = Map<number, Pick<DaySamples, "time" | "values">[]>;

export function deviceTraces(metricCount: number, take: (finished: FinishedDay) => void, holds: "forward" | "backward" = "forward", pool: SamplePool = new Map()): DeviceTraces {
  const days = new Map<number, DaySamples>();
  const late = new Map<number, DaySamples>();
  let free = pool.get(metricCount);
  if (free === undefined) pool.set(metricCount, (free = []));
  const spare = free;
  let current: DaySamples | null = null;
  let newestDay = -Infinity;
  let handedOutDay = -Infinity;
  let lastSpacing: number | null = null;
  let carried: Carried | null = null;
  /** When the last sample of the days handed out was taken. */
  let lastFinishedMs = -Infinity;
  let previousMs = -Infinity;
  let firstMs = Infinity;
  let lastMs = -Infinity;
  let knownMs = 0;
  let lastKnownMs = 0;
  let duplicates = 0;
  let outOfOrder = 0;
  const cadences: { day: number; spacingMs: number; samples: number }[] = [];

  function add(instantMs: number, values: readonly number[] | Float64Array): void {
    const day = Math.floor(instantMs / dayMs);
    if (current === null || current.day !== day) {
      if (day > newestDay && current !== null) shrink(current);
      current = samplesOf(day);
      if (day > newestDay) {
        newestDay = day;
        handOut(newestDay - openDays);
      }
    }
    if (instantMs < previousMs) outOfOrder += 1;
    previousMs = instantMs;
    if (instantMs < firstMs) firstMs = instantMs;
    if (instantMs > lastMs) lastMs = instantMs;
    append(current, instantMs, values);
  }

  /** A day that is most likely over keeps no more room than its samples take: an export lists series after series, and all their last days stay open. */
  function shrink(samples: DaySamples): void {
    if (samples.count * 1.25 > samples.time.length) return;
    giveBack(samples);
    samples.time = samples.time.slice(0, Math.max(1, samples.count));
    samples.values = samples.values.map((each) => each.slice(0, Math.max(1, samples.count)));
  }

  /** A few are kept: the rest is memory that nobody needs. */
  function giveBack({ time, values }: DaySamples): void {
    if (spare.length < 8) spare.push({ time, values });
  }

  function samplesOf(day: number): DaySamples {
    const among = day <= handedOutDay ? late : days;
    let samples = among.get(day);
    if (samples === undefined) {
      const reused = spare.pop();
      samples = { day, time: reused?.time ?? new Float64Array(512), values: reused?.values ?? Array.from({ length: metricCount }, () => new Float32Array(512)), count: 0, isSorted: true };
      among.set(day, samples);
    }
    return samples;
  }

  function append(samples: DaySamples, instantMs: number, values: readonly number[] | Float64Array): void {
    const at = samples.count;
    if (at === samples.time.length) {
      const time = new Float64Array(at * 2);
      time.set(samples.time);
      samples.time = time;
      samples.values = samples.values.map((each) => {
        const larger = new Float32Array(at * 2);
        larger.set(each);
        return larger;
      });
    }
    if (at > 0 && instantMs <= (samples.time[at - 1] as number)) samples.isSorted = false;
    samples.time[at] = instantMs;
    for (let metric = 0; metric < metricCount; metric++) (samples.values[metric] as Float32Array)[at] = values[metric] as number;
    samples.count = at + 1;
  }

  function handOut(upToDay: number): void {
    const ready = [...days.keys()].filter((day) => day <= upToDay).sort((one, other) => one - other);
    for (const day of ready) {
      finishCarriedDay(day - 1);
      const samples = days.get(day) as DaySamples;
      const next = days.get(day + 1);
      if (next !== undefined) sort(next);
      finishDay(samples, next ?? null, false);
      days.delete(day);
      giveBack(samples);
    }
    finishCarriedDay(upToDay);
    if (upToDay > handedOutDay) handedOutDay = upToDay;
  }

  /** A hold that reached into a day without samples of its own. */
  function finishCarriedDay(upToDay: number): void {
    if (carried === null || carried.day > upToDay) return;
    const rest = samplesOf(carried.day);
    days.delete(rest.day);
    finishDay(rest, null, false);
    giveBack(rest);
  }

  function sort(samples: DaySamples): void {
    if (samples.isSorted) return;
    const { time, count } = samples;
    const order = Array.from({ length: count }, (_, index) => index).sort((one, other) => (time[one] as number) - (time[other] as number) || one - other);
    // Of equal timestamps the last in file order stays.
    const kept = order.filter((index, position) => {
      const following = order[position + 1];
      return following === undefined || time[following] !== time[index];
    });
    duplicates += count - kept.length;
    samples.time = permuted(time, kept);
    samples.values = samples.values.map((each) => permuted(each, kept));
    samples.count = kept.length;
    samples.isSorted = true;
  }

  /** `next`: the day after, if it has samples. */
  function finishDay(samples: DaySamples, next: DaySamples | null, isLate: boolean): void {
    const nextMs = next === null ? null : (next.time[0] as number);
    sort(samples);
    const { day, time, count } = samples;
    const spacing = medianSpacing(time, count) ?? lastSpacing ?? (nextMs === null || count === 0 ? null : nextMs - (time[count - 1] as number));
    if (spacing !== null) lastSpacing = spacing;
    if (spacing !== null && !isLate) cadences.push({ day, spacingMs: spacing, samples: count });
    const hold = holdFor(spacing ?? 0);
    const isFolded = spacing !== null && spacing < finestSpacingMs;
    const midnight = day * dayMs;
    const before = !isLate && carried !== null && carried.day === day ? carried : null;
    const untilMs = nextMs ?? Infinity;
    const lastAt = count === 0 ? 0 : (time[count - 1] as number);
    const lastEnd = Math.min(untilMs, lastAt + hold);

    for (let metric = 0; metric < metricCount; metric++) {
      const values = samples.values[metric] as Float32Array;
      const rest = before?.values[metric] ?? Number.NaN;
      const pieces = isFolded ? foldedPieces(midnight) : plainPieces(midnight);
      let isCarried = false;
      let sampleCount = 0;
      if (before !== null && !Number.isNaN(rest)) {
        const end = Math.min(before.endMs, count === 0 ? Infinity : (time[0] as number));
        if (end > midnight) {
          pieces.add(midnight, end, rest);
          isCarried = true;
          if (metric === 0) knownMs += end - midnight;
        }
      }
      if (holds === "backward") sampleCount = addBackward(pieces, samples, metric, { hold, spacing, next, isLate });
      else for (let index = 0; index < count; index++) {
        const start = time[index] as number;
        const value = values[index] as number;
        if (Number.isNaN(value)) {
          pieces.mark(start);
          continue;
        }
        sampleCount += 1;
        const end = Math.min(index + 1 < count ? (time[index + 1] as number) : untilMs, start + hold, midnight + dayMs);
        pieces.add(start, end, value);
        if (metric === 0) knownMs += end - start;
      }
      const trace = pieces.take();
      if (sampleCount > 0 || isCarried || trace.startMs.length > 0) take({ metric, day, sampleCount, trace: { ...trace, isCarried }, isLate });
    }
    if (!isLate && count > 0) lastFinishedMs = lastAt;
    if (!isLate && count > 0 && holds === "forward") {
      const endsKnown = !Number.isNaN((samples.values[0] as Float32Array)[count - 1]);
      lastKnownMs = endsKnown ? lastEnd - lastAt : 0;
      carried = lastEnd > midnight + dayMs ? { day: day + 1, endMs: lastEnd, values: samples.values.map((each) => each[count - 1] as number) } : null;
    } else if (!isLate) carried = null;
  }

  /**
   * Averages up to their time: each value holds back to the sample before it, at most for the hold; the very first, for one spacing. What
   * the next day's first value says of this day's end belongs to this day.
   */
  function addBackward(pieces: Pieces, { day, time, count, values }: DaySamples, metric: number, { hold, spacing, next, isLate }: BackwardHold): number {
    const own = values[metric] as Float32Array;
    const midnight = day * dayMs;
    let previous = isLate ? -Infinity : lastFinishedMs;
    let sampleCount = 0;
    for (let index = 0; index < count; index++) {
      const end = time[index] as number;
      const value = own[index] as number;
      const isFirst = previous === -Infinity;
      const start = Math.max(isFirst ? end - Math.min(hold, spacing ?? hold) : previous, end - hold, midnight);
      previous = end;
      if (Number.isNaN(value)) continue;
      sampleCount += 1;
      if (end <= start) continue;
      pieces.add(start, end, value);
      if (metric === 0 && !isFirst) knownMs += end - start;
    }
    const nextValue = next?.values[metric]?.[0];
    if (next !== null && nextValue !== undefined && !Number.isNaN(nextValue)) {
      const nextMs = next.time[0] as number;
      const start = Math.max(previous, nextMs - hold);
      const end = Math.min(nextMs, midnight + dayMs);
      if (end > start) {
        pieces.add(start, end, nextValue);
        if (metric === 0) knownMs += end - start;
      }
    }
    return sampleCount;
  }

  function finish(): TraceSummary {
    handOut(newestDay + 1);
    for (const day of [...late.keys()].sort((one, other) => one - other)) finishDay(late.get(day) as DaySamples, null, true);
    const hasSamples = lastMs >= firstMs;
    const span = hasSamples ? lastMs - firstMs : 0;
    return {
      firstMs: hasSamples ? firstMs : null,
      lastMs: hasSamples ? lastMs : null,
      knownMs: Math.max(0, Math.min(knownMs - lastKnownMs, span)),
      duplicates,
      outOfOrder,
      cadences,
    };
  }

  return { add, finish };
}

interface BackwardHold {
  readonly hold: number;
  readonly spacing: number | null;
  readonly next: DaySamples | null;
  readonly isLate: boolean;
}

interface Pieces {
  /** Known time [startMs, endMs) in Unix milliseconds, ascending. */
  readonly add: (startMs: number, endMs: number, value: number) => void;
  /** A sample without a value. */
  readonly mark: (atMs: number) => void;
  readonly take: () => Omit<DayTrace, "isCarried">;
}

function plainPieces(midnight: number): Pieces {
  const segments = growingSegments(1024);
  let isMarked = false;
  return {
    add(startMs, endMs, value) {
      segments.add(startMs - midnight, endMs - startMs, value);
      isMarked = false;
    },
    mark(atMs) {
      // Only the first of a run of unknown samples ends a hold.
      if (!isMarked) segments.add(atMs - midnight, 0, 0);
      isMarked = true;
    },
    take: segments.take,
  };
}

/** One segment for every 10 s of the clock: from the first known millisecond in it, as long as is known, with the time-weighted mean. */
function foldedPieces(midnight: number): Pieces {
  const segments = growingSegments(1024);
  let bucket = -1;
  let bucketStart = 0;
  let known = 0;
  let weighted = 0;
  function close(): void {
    if (known > 0) segments.add(bucketStart, known, weighted / known);
    known = 0;
    weighted = 0;
  }
  return {
    add(startMs, endMs, value) {
      let start = startMs - midnight;
      const end = endMs - midnight;
      while (start < end) {
        const here = Math.floor(start / foldMs);
        if (here !== bucket) {
          close();
          bucket = here;
          bucketStart = start;
        }
        const stop = Math.min(end, (here + 1) * foldMs);
        known += stop - start;
        weighted += value * (stop - start);
        start = stop;
      }
    },
    mark: () => undefined,
    take() {
      close();
      return segments.take();
    },
  };
}

/** Median of the gaps between a day's consecutive samples; null for fewer than two. */
function medianSpacing(time: Float64Array, count: number): number | null {
  if (count < 2) return null;
  const gaps = new Float64Array(count - 1);
  for (let index = 1; index < count; index++) gaps[index - 1] = (time[index] as number) - (time[index - 1] as number);
  gaps.sort();
  const middle = gaps.length >> 1;
  return gaps.length % 2 === 1 ? (gaps[middle] as number) : ((gaps[middle - 1] as number) + (gaps[middle] as number)) / 2;
}

function permuted<T extends Float64Array | Float32Array>(from: T, order: readonly number[]): T {
  const to = from.slice() as T;
  order.forEach((index, position) => {
    to[position] = from[index] as number;
  });
  return to;
}
