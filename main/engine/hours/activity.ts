/** Which counter says whether a device works. Pure. */
import { utilizationCounters, type UtilizationCounter } from "../../../shared/domain/counter.ts";
import { eachPart, type Trace } from "./timeline.ts";

/** Counters that say whether a device works, the better first (maths.md d.1). Each has its own meaning, so a day goes by one of them. */
export const activityCounters = ["engine-active", "utilization"] as const;
export type ActivityCounter = (typeof activityCounters)[number];

/** A device's activity, and by UTC day (since 1970) the counter that it goes by. */
export interface Activity {
  readonly trace: Trace;
  readonly counterOf: ReadonlyMap<number, ActivityCounter>;
  /** Days on which the engine's counter stood at 0 while kernels ran: it measured nothing then. */
  readonly stuckDays: ReadonlySet<number>;
}

/** What idle and busy go by: on each UTC day the counter that was seen for most of it, the engine's before GPU-Util where both were. */
export function activityOf(engine: Trace, gpuUtil: Trace): Activity {
  const counterOf = new Map<number, ActivityCounter>();
  const stuckDays = new Set<number>();
  if (engine.value.length === 0 || gpuUtil.value.length === 0) {
    const trace = engine.value.length === 0 ? gpuUtil : engine;
    const counter = engine.value.length === 0 ? "utilization" : "engine-active";
    for (const [day] of secondsByDay(trace)) counterOf.set(day, counter);
    return { trace, counterOf, stuckDays };
  }
  const [engineDays, utilDays] = [secondsByDay(engine), secondsByDay(gpuUtil)];
  for (const day of new Set([...engineDays.keys(), ...utilDays.keys()])) {
    const [byEngine, byUtil] = [engineDays.get(day), utilDays.get(day)];
    // After a fault of the card the engine counter may stay at 0 while kernels run: then it says nothing of the day.
    const isStuck = byEngine !== undefined && byUtil !== undefined && byEngine.mean < STUCK_UNDER && byUtil.mean > STUCK_WHILE_OVER;
    if (isStuck) stuckDays.add(day);
    counterOf.set(day, !isStuck && (byEngine?.known ?? 0) >= 0.9 * (byUtil?.known ?? 0) ? "engine-active" : "utilization");
  }
  return { trace: tracesByDay(engine, gpuUtil, (day) => counterOf.get(day) === "engine-active"), counterOf, stuckDays };
}

const STUCK_UNDER = 0.5;
const STUCK_WHILE_OVER = 50;

function secondsByDay({ startMs, endMs, value }: Trace): Map<number, { known: number; sum: number; readonly mean: number }> {
  const days = new Map<number, { known: number; sum: number; readonly mean: number }>();
  for (let index = 0; index < value.length; index += 1) {
    const start = startMs[index] as number;
    const ms = (endMs[index] as number) - start;
    const day = Math.floor(start / DAY_MS);
    let entry = days.get(day);
    if (entry === undefined) {
      entry = { known: 0, sum: 0, get mean(): number { return this.known === 0 ? 0 : this.sum / this.known; } };
      days.set(day, entry);
    }
    entry.known += ms;
    entry.sum += ms * (value[index] as number);
  }
  return days;
}

/** Segments of the one trace on some days and of the other on the rest; segments lie within a day, and days come in order. */
function tracesByDay(first: Trace, second: Trace, isFirst: (day: number) => boolean): Trace {
  const stretches = [...stretchesOf(first, isFirst), ...stretchesOf(second, (day) => !isFirst(day))].sort((one, other) => one.day - other.day);
  const count = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  const both: Trace = { startMs: new Float64Array(count), endMs: new Float64Array(count), value: new Float32Array(count) };
  let filled = 0;
  for (const { of, from, to } of stretches) {
    both.startMs.set(of.startMs.subarray(from, to), filled);
    both.endMs.set(of.endMs.subarray(from, to), filled);
    both.value.set(of.value.subarray(from, to), filled);
    filled += to - from;
  }
  return both;
}

/** The segments of each wanted day, from the first to one past the last. */
function stretchesOf(of: Trace, isWanted: (day: number) => boolean): { readonly of: Trace; readonly day: number; readonly from: number; readonly to: number }[] {
  const stretches: { readonly of: Trace; readonly day: number; readonly from: number; readonly to: number }[] = [];
  const dayAt = (index: number): number => Math.floor((of.startMs[index] as number) / DAY_MS);
  for (let from = 0; from < of.value.length; ) {
    const day = dayAt(from);
    let to = from + 1;
    while (to < of.value.length && dayAt(to) === day) to += 1;
    if (isWanted(day)) stretches.push({ of, day, from, to });
    from = to;
  }
  return stretches;
}

const DAY_MS = 86_400_000;

/** The ladder of counters that are kept by the hour, each apart. */
export const hourCounters = utilizationCounters;
export type HourCounter = UtilizationCounter;

export interface CounterHour {
  readonly hour: number;
  readonly knownSeconds: number;
  /** Ratio. */
  readonly mean: number;
}

/** Time-weighted means of a counter in percent, by the hour; an hour without a value is not there. */
export function counterHours(trace: Trace, fromHour: number, toHour: number): readonly CounterHour[] {
  const hours = new Map<number, { seconds: number; sum: number }>();
  eachPart(trace, fromHour, toHour, (hour, start, end, index) => {
    let entry = hours.get(hour);
    if (entry === undefined) hours.set(hour, (entry = { seconds: 0, sum: 0 }));
    entry.seconds += (end - start) / 1000;
    entry.sum += ((end - start) / 1000) * ((trace.value[index] as number) / 100);
  });
  return [...hours].flatMap(([hour, { seconds, sum }]) => (seconds > 0 ? [{ hour, knownSeconds: seconds, mean: sum / seconds }] : [])).sort((one, other) => one.hour - other.hour);
}
