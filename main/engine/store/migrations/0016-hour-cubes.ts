import { utilizationCounters } from "../../../../shared/domain/counter.ts";
import { encodeDeviceDay, type CounterOfDay, type HourOfDevice } from "../gpu-device-day.ts";
import { costParts, encodeGpuSeriesDay, seenHours, type SeriesOfDay } from "../gpu-series-day.ts";
import type { Db } from "../sql.ts";

/** GPU hours rolled up for questions: the day of all series in one blob, the day of a device in one. */
export const hourCubes = {
  version: 16,
  name: "0016-hour-cubes",
  sql: /* sql */ `
-- All GPU series of a UTC day: what gpu_cost_day says of them, and in which hours each ran. Layout: store/gpu-series-day.ts.
CREATE TABLE gpu_series_day (
  Day        INTEGER NOT NULL,
  Generation INTEGER NOT NULL,
  Series     BLOB NOT NULL,
  PRIMARY KEY (Day, Generation)
) STRICT;
-- The hours of a device in a UTC day: what reports ask of gpu_hour and gpu_hour_counter. Layout: store/gpu-device-day.ts.
CREATE TABLE gpu_device_day (
  Day        INTEGER NOT NULL,
  Generation INTEGER NOT NULL,
  DeviceId   INTEGER NOT NULL,
  Hours      BLOB NOT NULL,
  PRIMARY KEY (Day, Generation, DeviceId)
) STRICT, WITHOUT ROWID;
`,
  /** Hours worked out before, a day at a time. */
  fill(db: Db): void {
    fillSeries(db);
    fillDevices(db);
  },
} as const;

type Row = Readonly<Record<string, number | bigint | null>>;

function fillSeries(db: Db): void {
  const ofDay = db.prepare<[bigint, bigint], Row>("SELECT * FROM gpu_cost_day WHERE Day = ? AND Generation = ? ORDER BY SeriesId").safeIntegers();
  const hoursOf = db.prepare<[bigint, bigint], [number, number, number]>("SELECT SeriesId, HourStart - 24 * Day, GpuHours FROM gpu_hour_cost WHERE Day = ? AND Generation = ? AND GpuHours > 0").raw();
  const insert = db.prepare("INSERT INTO gpu_series_day (Day, Generation, Series) VALUES (?, ?, ?)");
  for (const { Day, Generation } of db.prepare<[], { Day: bigint; Generation: bigint }>("SELECT DISTINCT Day, Generation FROM gpu_cost_day").safeIntegers().all()) {
    const ran = new Map<number, Float64Array>();
    for (const [seriesId, hour, gpuHours] of hoursOf.all(Day, Generation)) {
      let hours = ran.get(seriesId);
      if (hours === undefined) ran.set(seriesId, (hours = new Float64Array(24)));
      hours[hour] = gpuHours;
    }
    insert.run(Day, Generation, encodeGpuSeriesDay(ofDay.all(Day, Generation).map((row) => seriesOf(row, ran.get(Number(row["SeriesId"])) ?? new Float64Array(24)))));
  }
}

function seriesOf(row: Row, ran: Float64Array): SeriesOfDay {
  const billionths = (column: string): number => Math.round(Number(row[column]) * 1e9);
  const attos = (column: string): bigint | null => {
    const [nanos, rest] = [row[`${column}Nanos`], row[`${column}Rest`]];
    return typeof nanos === "bigint" && typeof rest === "bigint" ? nanos * 1_000_000_000n + rest : null;
  };
  const effectiveAttos = attos("EffectiveCost");
  const hours = seenHours.map(billionths);
  const parts = costParts.map((part) => attos(part) ?? 0n);
  const isUnseen = hours.every((each) => each === 0) && parts.slice(0, -1).every((part) => part === 0n) && parts.at(-1) === (effectiveAttos ?? 0n);
  return {
    seriesId: Number(row["SeriesId"]), hourCount: Number(row["HourCount"]), gpuHours: billionths("GpuHours"), pricedGpuHours: billionths("PricedGpuHours"),
    effectiveAttos, seen: isUnseen ? null : { hours, parts: effectiveAttos === null ? null : parts }, ran,
  };
}

interface Hour {
  readonly HourStart: number;
  readonly DeviceId: number;
  readonly KnownSeconds: number;
  readonly UtilizationMean: number | null;
  readonly HeldIdleSeconds: number;
  readonly DeadIdleSeconds: number;
  readonly IdleMemoryUnknownSeconds: number;
  readonly MemoryKnownSeconds: number;
  readonly MemoryShareP95: number | null;
  readonly MemorySharePeak: number | null;
}
interface CounterHour {
  readonly HourStart: number;
  readonly DeviceId: number;
  readonly Counter: string;
  readonly KnownSeconds: number;
  readonly Mean: number;
  readonly IsActivity: number;
}

function fillDevices(db: Db): void {
  const hoursOf = db.prepare<[number, number], Hour>("SELECT * FROM gpu_hour WHERE Day = ? AND Generation = ? ORDER BY DeviceId, HourStart");
  const countersOf = db.prepare<[number, number], CounterHour>("SELECT * FROM gpu_hour_counter WHERE Day = ? AND Generation = ? ORDER BY DeviceId, Counter, HourStart");
  const insert = db.prepare("INSERT INTO gpu_device_day (Day, Generation, DeviceId, Hours) VALUES (?, ?, ?, ?)");
  for (const { Day, Generation } of db.prepare<[], { Day: number; Generation: number }>("SELECT DISTINCT Day, Generation FROM gpu_hour UNION SELECT DISTINCT Day, Generation FROM gpu_hour_counter").all()) {
    const hours = Map.groupBy(hoursOf.all(Day, Generation), ({ DeviceId }) => DeviceId);
    const counters = Map.groupBy(countersOf.all(Day, Generation), ({ DeviceId }) => DeviceId);
    for (const deviceId of new Set([...hours.keys(), ...counters.keys()])) {
      const blob = dayOf(hours.get(deviceId) ?? [], counters.get(deviceId) ?? []);
      if (blob !== null) insert.run(Day, Generation, deviceId, blob);
    }
  }
}

function dayOf(rows: readonly Hour[], counted: readonly CounterHour[]): Uint8Array | null {
  const countedHours = new Set(counted.map(({ HourStart }) => HourStart));
  const peaks = rows.flatMap(({ MemorySharePeak, MemoryKnownSeconds }) => (MemorySharePeak === null || MemoryKnownSeconds <= 0 ? [] : [MemorySharePeak]));
  const hours = rows.filter(({ KnownSeconds, MemoryKnownSeconds }) => KnownSeconds > 0 || MemoryKnownSeconds > 0).map((row): HourOfDevice => ({
    hour: row.HourStart % 24, knownSeconds: row.KnownSeconds, utilizationMean: row.UtilizationMean, heldSeconds: row.HeldIdleSeconds, deadSeconds: row.DeadIdleSeconds,
    idleMemoryUnknownSeconds: row.IdleMemoryUnknownSeconds, hasCounters: countedHours.has(row.HourStart), memoryKnownSeconds: row.MemoryKnownSeconds, memoryP95: row.MemoryShareP95,
  }));
  const counters = [...Map.groupBy(counted, ({ Counter, IsActivity }) => `${Counter} ${IsActivity}`).values()].flatMap((list): CounterOfDay[] => {
    const [{ Counter, IsActivity }] = list as [CounterHour, ...CounterHour[]];
    const counter = utilizationCounters.find((candidate) => candidate === Counter);
    if (counter === undefined) return [];
    return [{ counter, isActivity: IsActivity === 1, seconds: list.reduce((sum, each) => sum + each.KnownSeconds, 0), sum: list.reduce((sum, each) => sum + each.KnownSeconds * each.Mean, 0) }];
  });
  return hours.length + counters.length === 0 ? null : encodeDeviceDay({ memoryPeak: peaks.length === 0 ? null : Math.max(...peaks), counters, hours });
}
