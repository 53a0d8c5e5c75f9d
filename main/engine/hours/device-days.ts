/** Gathers what one device did, hour by hour, into a blob for each UTC day (store/gpu-device-day.ts). Pure. */
import { encodeDeviceDay, type CounterOfDay, type HourOfDevice } from "../store/gpu-device-day.ts";
import type { CounterHour, HourCounter } from "./activity.ts";
import type { DeviceHour } from "./timeline.ts";

const HOURS_A_DAY = 24;

export interface DeviceDays {
  counter(counter: HourCounter, hour: CounterHour, isActivity: boolean): void;
  /** Hours ascending, after the counters. */
  hour(row: DeviceHour): void;
  /** The days in which anything was known, each with its blob. */
  days(): readonly (readonly [day: number, blob: Uint8Array])[];
}

interface Gathered {
  readonly counters: Map<string, { counter: HourCounter; isActivity: boolean; seconds: number; sum: number }>;
  readonly hours: HourOfDevice[];
  memoryPeak: number | null;
}

export function createDeviceDays(): DeviceDays {
  const gathered = new Map<number, Gathered>();
  const countedHours = new Set<number>();
  const dayOf = (hour: number): Gathered => {
    const day = Math.floor(hour / HOURS_A_DAY);
    let found = gathered.get(day);
    if (found === undefined) gathered.set(day, (found = { counters: new Map(), hours: [], memoryPeak: null }));
    return found;
  };
  return {
    counter(counter, { hour, knownSeconds, mean }, isActivity) {
      countedHours.add(hour);
      const { counters } = dayOf(hour);
      const key = `${counter} ${isActivity}`;
      const known = counters.get(key);
      if (known === undefined) counters.set(key, { counter, isActivity, seconds: knownSeconds, sum: knownSeconds * mean });
      else {
        known.seconds += knownSeconds;
        known.sum += knownSeconds * mean;
      }
    },
    hour(row) {
      if (row.knownSeconds <= 0 && row.memoryKnownSeconds <= 0) return;
      const day = dayOf(row.hour);
      if (row.memorySharePeak !== null && row.memoryKnownSeconds > 0) day.memoryPeak = Math.max(day.memoryPeak ?? row.memorySharePeak, row.memorySharePeak);
      day.hours.push({
        hour: row.hour % HOURS_A_DAY, knownSeconds: row.knownSeconds, utilizationMean: row.knownSeconds > 0 ? row.utilizationSeconds / row.knownSeconds : null,
        heldSeconds: row.heldIdleSeconds, deadSeconds: row.deadIdleSeconds, idleMemoryUnknownSeconds: row.idleMemoryUnknownSeconds, hasCounters: countedHours.has(row.hour),
        memoryKnownSeconds: row.memoryKnownSeconds, memoryP95: row.memoryShareP95,
      });
    },
    days: () =>
      [...gathered].map(([day, { counters, hours, memoryPeak }]) => [day, encodeDeviceDay({ memoryPeak, counters: [...counters.values()] satisfies CounterOfDay[], hours })] as const),
  };
}
