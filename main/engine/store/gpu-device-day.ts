/**
 * The codec of `gpu_device_day.Hours`: what one device did in the hours of a UTC day, as `gpu_hour` and `gpu_hour_counter` say it, so that the map
 * of a fleet's month is read in a twenty-fourth of its rows.
 *
 * layout   little-endian: u8 layout = 1, u8 counters, u8 hours, u8 0; f64 highest share of memory, NaN where none was read; then for each counter u8 its
 *          place in `dayCounters`, u8 1 where the day's activity goes by it, f64 seconds with a value, f64 Σ seconds × mean; then for each hour,
 *          ascending: u8 hour of the day, u8 flags, and of what follows only what its flag says
 * flags    bit 0: known for 3600 s, else f64 seconds known; bit 1: f64 mean utilization (ratio); bits 2, 3, 4: f64 seconds held idle, dead idle, idle
 *          with memory unknown; bit 5: a counter beside GPU-Util has a value in it; bit 7: u32 95th percentile of the share of
 *          memory in hundredths of a percent, read for 3600 s unless bit 6: f64 seconds with a reading of memory
 */

import type { UtilizationCounter } from "../../../shared/domain/counter.ts";

/** Never reordered: blobs hold places in it. */
const dayCounters = ["utilization", "engine-active", "sm-active", "tensor-active", "dram-active"] as const satisfies readonly UtilizationCounter[];

/** One hour of a device. Seconds; ratios 0 to 1. */
export interface HourOfDevice {
  /** Of the day, 0 to 23. */
  readonly hour: number;
  readonly knownSeconds: number;
  readonly utilizationMean: number | null;
  readonly heldSeconds: number;
  readonly deadSeconds: number;
  readonly idleMemoryUnknownSeconds: number;
  /** Some counter has a row of its own in this hour. */
  readonly hasCounters: boolean;
  readonly memoryKnownSeconds: number;
  /** To a hundredth of a percent. */
  readonly memoryP95: number | null;
}
/** What one counter measured of the device in the day: seconds with a value, and those times the value. */
export interface CounterOfDay {
  readonly counter: UtilizationCounter;
  readonly isActivity: boolean;
  readonly seconds: number;
  readonly sum: number;
}
export interface DeviceDay {
  readonly memoryPeak: number | null;
  readonly counters: readonly CounterOfDay[];
  readonly hours: readonly HourOfDevice[];
}

const LAYOUT = 1;
const HEADER_BYTES = 12;
const COUNTER_BYTES = 18;
const MOST_BYTES_AN_HOUR = 2 + 6 * 8 + 4;
const WHOLE_HOUR = 3600;
const HUNDREDTHS = 10_000;
const [WHOLE, MEAN, HELD, DEAD, MEMORY_UNKNOWN, COUNTED, MEMORY, P95] = [1, 2, 4, 8, 16, 32, 64, 128];

/** The blob of a day; hours ascending. */
export function encodeDeviceDay({ memoryPeak, counters, hours }: DeviceDay): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + counters.length * COUNTER_BYTES + hours.length * MOST_BYTES_AN_HOUR);
  const view = new DataView(bytes.buffer);
  bytes.set([LAYOUT, counters.length, hours.length, 0]);
  view.setFloat64(4, memoryPeak ?? Number.NaN, true);
  let at = HEADER_BYTES;
  const put = (value: number): void => {
    view.setFloat64(at, value, true);
    at += 8;
  };
  for (const { counter, isActivity, seconds, sum } of counters) {
    bytes.set([dayCounters.indexOf(counter), isActivity ? 1 : 0], at);
    at += 2;
    put(seconds);
    put(sum);
  }
  for (const { hour, knownSeconds, utilizationMean, heldSeconds, deadSeconds, idleMemoryUnknownSeconds, hasCounters, memoryKnownSeconds, memoryP95 } of hours) {
    const flagsAt = at + 1;
    let flags = hasCounters ? COUNTED : 0;
    const putUnless = (flag: number, value: number, isLeftOut: boolean): void => {
      if (isLeftOut) return;
      flags |= flag;
      put(value);
    };
    bytes[at] = hour;
    at += 2;
    if (knownSeconds === WHOLE_HOUR) flags |= WHOLE;
    else put(knownSeconds);
    putUnless(MEAN, utilizationMean ?? 0, utilizationMean === null);
    putUnless(HELD, heldSeconds, heldSeconds === 0);
    putUnless(DEAD, deadSeconds, deadSeconds === 0);
    putUnless(MEMORY_UNKNOWN, idleMemoryUnknownSeconds, idleMemoryUnknownSeconds === 0);
    putUnless(MEMORY, memoryKnownSeconds, memoryKnownSeconds === (memoryP95 === null ? 0 : WHOLE_HOUR));
    if (memoryP95 !== null) {
      flags |= P95;
      view.setUint32(at, Math.round(Number(memoryP95.toFixed(4)) * HUNDREDTHS), true);
      at += 4;
    }
    bytes[flagsAt] = flags;
  }
  return bytes.slice(0, at);
}

/** What is told of a day, hour by hour and counter by counter, without making an object of each. */
export interface DeviceDayVisitor {
  counter(counter: UtilizationCounter, isActivity: boolean, seconds: number, sum: number): void;
  hour(hour: number, knownSeconds: number, utilizationMean: number | null, heldSeconds: number, deadSeconds: number, idleMemoryUnknownSeconds: number, hasCounters: boolean, memoryKnownSeconds: number, memoryP95: number | null): void;
}

/** Tells a blob's day to a visitor and answers its highest share of memory. A blob that is not ours is a fault. */
export function readDeviceDay(blob: Uint8Array, visitor: DeviceDayVisitor): number | null {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  if (blob[0] !== LAYOUT) throw new TypeError("not a day of a device");
  let at = HEADER_BYTES;
  const next = (): number => {
    at += 8;
    return view.getFloat64(at - 8, true);
  };
  for (let index = 0; index < (blob[1] as number); index += 1) {
    const counter = dayCounters[blob[at] as number];
    const isActivity = blob[at + 1] === 1;
    at += 2;
    const seconds = next();
    const sum = next();
    if (counter !== undefined) visitor.counter(counter, isActivity, seconds, sum);
  }
  for (let index = 0; index < (blob[2] as number); index += 1) {
    const hour = blob[at] as number;
    const flags = blob[at + 1] as number;
    at += 2;
    const known = (flags & WHOLE) !== 0 ? WHOLE_HOUR : next();
    const mean = (flags & MEAN) !== 0 ? next() : null;
    const held = (flags & HELD) !== 0 ? next() : 0;
    const dead = (flags & DEAD) !== 0 ? next() : 0;
    const memoryUnknown = (flags & MEMORY_UNKNOWN) !== 0 ? next() : 0;
    const memoryKnown = (flags & MEMORY) !== 0 ? next() : (flags & P95) !== 0 ? WHOLE_HOUR : 0;
    let p95: number | null = null;
    if ((flags & P95) !== 0) {
      p95 = view.getUint32(at, true) / HUNDREDTHS;
      at += 4;
    }
    visitor.hour(hour, known, mean, held, dead, memoryUnknown, (flags & COUNTED) !== 0, memoryKnown, p95);
  }
  const peak = view.getFloat64(4, true);
  return Number.isNaN(peak) ? null : peak;
}

/** The whole of a blob's day. */
export function decodeDeviceDay(blob: Uint8Array): DeviceDay {
  const counters: CounterOfDay[] = [];
  const hours: HourOfDevice[] = [];
  const memoryPeak = readDeviceDay(blob, {
    counter: (counter, isActivity, seconds, sum) => counters.push({ counter, isActivity, seconds, sum }),
    hour: (hour, knownSeconds, utilizationMean, heldSeconds, deadSeconds, idleMemoryUnknownSeconds, hasCounters, memoryKnownSeconds, memoryP95) =>
      hours.push({ hour, knownSeconds, utilizationMean, heldSeconds, deadSeconds, idleMemoryUnknownSeconds, hasCounters, memoryKnownSeconds, memoryP95 }),
  });
  return { memoryPeak, counters, hours };
}
