/** What the devices of a month were seen to do: read once, from a blob a device and day, and added up in the ways in which reports ask. */
import type { UtilizationCounter } from "../../../shared/domain/counter.ts";
import type { MemoryLevel } from "../metrics/memory-levels.ts";
import { readDeviceDay, type DeviceDayVisitor } from "../store/gpu-device-day.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import type { ReportContext } from "./context.ts";
import { keptOfMonth, type Days } from "./kept.ts";

/** A host hour by hour of the month: seconds × cards. An hour of which nothing is known has 0 known. */
export interface HostHours {
  readonly known: Float64Array;
  readonly useful: Float64Array;
  readonly held: Float64Array;
  readonly dead: Float64Array;
  readonly idleMemoryUnknown: Float64Array;
}
/** What was seen of a host in the month: seconds × cards known, and idle. `gpuModel` is the last by name of the devices seen. */
export interface ObservedMonth {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly known: number;
  readonly idle: number;
}
/** One counter of the devices of a host and model: seconds × cards with a value, and the integral of it. */
export interface CounterSum {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly counter: UtilizationCounter;
  readonly isActivity: boolean;
  readonly seconds: number;
  readonly sum: number;
}
/** Seconds × cards of the device hours of a host and model whose mean utilization lay in a band. */
export interface BandSeconds {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly band: number;
  readonly seconds: number;
}
/** Seconds × cards of the device hours of a host whose mean utilization was about the same, and the highest share of memory read of those cards in the month. */
export interface UtilizationLevel {
  readonly host: string;
  /** To a hundredth. */
  readonly level: number;
  readonly seconds: number;
  readonly memoryPeak: number | null;
}
export interface DeviceMonth {
  readonly hours: ReadonlyMap<string, HostHours>;
  /** Idle seconds of each device, hour by hour of the month. */
  readonly idle: ReadonlyMap<number, Float64Array>;
  readonly observed: readonly ObservedMonth[];
  readonly counters: readonly CounterSum[];
  readonly bands: readonly BandSeconds[];
  readonly memory: readonly MemoryLevel[];
  readonly levels: readonly UtilizationLevel[];
}

/** Bands of utilization end under these, the last one at 1. */
const bandEnds = [0.05, 0.2, 0.5, 0.8] as const;
const HOURS_A_DAY = 24;
const nothing: DeviceMonth = { hours: new Map(), idle: new Map(), observed: [], counters: [], bands: [], memory: [], levels: [] };

/** Of a month that shows no hours: nothing. */
export function deviceMonth(context: ReportContext, month: string): DeviceMonth {
  return keptOfMonth(context, month, "devices", (days) => [readMonth(context.ledger.db, days)])[0] ?? nothing;
}

interface Device {
  readonly deviceId: number;
  readonly host: string;
  readonly gpuModel: string | null;
  readonly share: number;
}

/** The devices of a host that are of one model. */
interface ModelSums {
  readonly host: string;
  readonly gpuModel: string | null;
  known: number;
  idle: number;
  readonly counters: Map<string, { readonly counter: UtilizationCounter; readonly isActivity: boolean; seconds: number; sum: number }>;
  readonly bands: Float64Array;
  /** Seconds × cards and the highest share, by hundredths of a percent; -1 where the level is not known. */
  readonly memory: Map<number, { seconds: number; peak: number | null }>;
  memoryPeak: number | null;
  /** Seconds × cards by hundredths of utilization. */
  readonly levels: Map<number, number>;
}

function readMonth(db: Db, { firstDay, endDay }: Days): DeviceMonth {
  const devices = new Map(readAll(db, query<Device>("deviceId", "host", "gpuModel", "share")`
    -- devices
    SELECT DeviceId AS deviceId, Host AS host, GpuModel AS gpuModel, Share AS share FROM device ORDER BY DeviceId`).map((device) => [device.deviceId, device]));
  const hours = new Map<string, HostHours>();
  const models = new Map<string, ModelSums>();
  const idle = new Map<number, Float64Array>();
  const count = (endDay - firstDay) * HOURS_A_DAY;
  // A day at a time, so that the blobs of a large fleet's month are never held together.
  for (let day = firstDay; day < endDay; day += 1) {
    for (const { deviceId, blob } of readAll(db, query<{ deviceId: number; blob: Uint8Array }>("deviceId", "blob")`
      -- device-days
      SELECT DeviceId AS deviceId, Hours AS blob FROM gpu_device_day_current WHERE Day = ${day} ORDER BY DeviceId`)) {
      const device = devices.get(deviceId);
      if (device === undefined) continue;
      let idleOfDevice = idle.get(deviceId);
      if (idleOfDevice === undefined) idle.set(deviceId, (idleOfDevice = new Float64Array(count)));
      addDay(blob, device.share, (day - firstDay) * HOURS_A_DAY, { host: hoursOf(hours, device.host, count), idle: idleOfDevice, model: sumsOf(models, device) });
    }
  }
  const byName = [...models.values()].sort((a, b) => compareTexts(a.host, b.host) || compareTexts(a.gpuModel ?? "", b.gpuModel ?? ""));
  return {
    hours,
    idle,
    observed: [...Map.groupBy(byName.filter(({ known }) => known > 0), ({ host }) => host)].map(([host, list]) => ({
      host, gpuModel: list.at(-1)?.gpuModel ?? null, known: list.reduce((sum, { known }) => sum + known, 0), idle: list.reduce((sum, { idle }) => sum + idle, 0),
    })),
    counters: byName.flatMap(({ host, gpuModel, counters }) => [...counters.values()].map((sums) => ({ host, gpuModel, ...sums }))),
    bands: byName.flatMap(({ host, gpuModel, bands }) => [...bands].flatMap((seconds, band) => (seconds > 0 ? [{ host, gpuModel, band, seconds }] : []))),
    memory: byName.flatMap(({ host, gpuModel, memory }) => [...memory].map(([level, { seconds, peak }]) => ({ host, gpuModel, seconds, p95: level < 0 ? null : level / 1e4, peak }))),
    levels: byName.flatMap(({ host, memoryPeak, levels }) => [...levels].map(([level, seconds]) => ({ host, level: level / 100, seconds, memoryPeak }))),
  };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function hoursOf(hosts: Map<string, HostHours>, host: string, count: number): HostHours {
  let found = hosts.get(host);
  const fresh = (): Float64Array => new Float64Array(count);
  if (found === undefined) hosts.set(host, (found = { known: fresh(), useful: fresh(), held: fresh(), dead: fresh(), idleMemoryUnknown: fresh() }));
  return found;
}

function sumsOf(models: Map<string, ModelSums>, { host, gpuModel }: Device): ModelSums {
  const key = JSON.stringify([host, gpuModel]);
  let found = models.get(key);
  if (found === undefined) models.set(key, (found = { host, gpuModel, known: 0, idle: 0, counters: new Map(), bands: new Float64Array(bandEnds.length + 1), memory: new Map(), memoryPeak: null, levels: new Map() }));
  return found;
}

/** Where a device's day is added: to its host, to itself, and to the devices of its model on that host. */
interface Into {
  readonly host: HostHours;
  readonly idle: Float64Array;
  readonly model: ModelSums;
}

/** Adds a device's day, whose hours lie from `firstHour` of the month on. */
function addDay(blob: Uint8Array, share: number, firstHour: number, { host, idle, model }: Into): void {
  const levels = new Set<number>();
  const visitor: DeviceDayVisitor = {
    counter: (counter, isActivity, seconds, sum) => addCounter(model, counter, isActivity, seconds * share, sum * share),
    hour(hour, knownSeconds, utilizationMean, heldSeconds, deadSeconds, idleMemoryUnknownSeconds, hasCounters, memoryKnownSeconds, memoryP95) {
      if (memoryKnownSeconds > 0) {
        const level = memoryP95 === null ? -1 : Math.round(memoryP95 * 1e4);
        levels.add(level);
        const known = model.memory.get(level);
        if (known === undefined) model.memory.set(level, { seconds: memoryKnownSeconds * share, peak: null });
        else known.seconds += memoryKnownSeconds * share;
      }
      if (knownSeconds <= 0) return;
      const at = firstHour + hour;
      const known = knownSeconds * share;
      const useful = (utilizationMean ?? 0) * knownSeconds * share;
      plus(host.known, at, known);
      plus(host.useful, at, useful);
      plus(host.held, at, heldSeconds * share);
      plus(host.dead, at, deadSeconds * share);
      plus(host.idleMemoryUnknown, at, idleMemoryUnknownSeconds * share);
      idle[at] = heldSeconds + deadSeconds + idleMemoryUnknownSeconds;
      model.known += known;
      model.idle += (heldSeconds + deadSeconds + idleMemoryUnknownSeconds) * share;
      if (utilizationMean !== null) {
        const level = Math.round(utilizationMean * 100);
        model.levels.set(level, (model.levels.get(level) ?? 0) + known);
      }
      plus(model.bands, bandOf(utilizationMean), known);
      // Devices with GPU-Util alone have no rows of their own for it: their hours are it.
      if (!hasCounters) addCounter(model, "utilization", true, known, useful);
    },
  };
  const peak = readDeviceDay(blob, visitor);
  if (peak === null) return;
  model.memoryPeak = Math.max(model.memoryPeak ?? peak, peak);
  // The highest reading of the day stands beside each of its levels: who asks for the highest of all finds the same.
  for (const level of levels) {
    const known = model.memory.get(level);
    if (known !== undefined) known.peak = Math.max(known.peak ?? peak, peak);
  }
}

function bandOf(utilizationMean: number | null): number {
  const band = utilizationMean === null ? -1 : bandEnds.findIndex((end) => utilizationMean < end);
  return band < 0 ? bandEnds.length : band;
}

function addCounter({ counters }: ModelSums, counter: UtilizationCounter, isActivity: boolean, seconds: number, sum: number): void {
  const key = isActivity ? `${counter} activity` : counter;
  const known = counters.get(key);
  if (known === undefined) counters.set(key, { counter, isActivity, seconds, sum });
  else {
    known.seconds += seconds;
    known.sum += sum;
  }
}

function plus(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value;
}
