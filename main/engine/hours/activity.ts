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

/** Segments of the one trace on some days and of the other on the rest; segments lie within a day. */
function tracesByDay(first: Trace, second: Trace, isFirst: (day: number) => boolean): Trace {
  const parts: { readonly of: Trace; readonly index: number }[] = [];
  for (const [of, wanted] of [[first, true], [second, false]] as const) {
    for (let index = 0; index < of.value.length; index += 1) if (isFirst(Math.floor((of.startMs[index] as number) / DAY_MS)) === wanted) parts.push({ of, index });
  }
  parts.sort((a, b) => (a.of.startMs[a.index] as number) - (b.of.startMs[b.index] as number));
  return {
    startMs: Float64Array.from(parts, ({ of, index }) => of.startMs[index] as number),
    endMs: Float64Array.from(parts, ({ of, index }) => of.endMs[index] as number),
    value: Float32Array.from(parts, ({ of, index }) => of.value[index] as number),
  };
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
