/**
 * Works out `gpu_hour`, `idle_episode` and `gpu_hour_cost` of some UTC days under a fresh generation. Nothing that shows is touched: posting
 * flips `day_generation` to the generation in the same transaction as everything else. Rows of generations that no longer show are left to
 * `sweepGenerations`. Runs in the reader thread or in process; writes in short transactions and stands aside between them.
 */
import { joined, prepared, query, readAll, readOne, sql } from "../store/sql.ts";
import type { Db, Fragment, SqlValue } from "../store/sql.ts";
import { mergeTraces } from "../store/traces.ts";
import { deviceHours, emptyTrace, episodePieces, heldAndDead, idleStates, meanBetween } from "./timeline.ts";
import type { DeviceHour, DeviceTraces, IdleEpisode, Trace } from "./timeline.ts";
import { activityOf, counterHours, hourCounters } from "./activity.ts";
import type { Activity, CounterHour, HourCounter } from "./activity.ts";
import { createDeviceDays } from "./device-days.ts";
import { deviceEnergy } from "./energy.ts";
import { dayOwners } from "./charges.ts";
import { workOutCosts } from "./costs.ts";
import { addObserved, hoursOfHost, observedResources, type CounterSums, type ObservedHosts } from "./observed.ts";
import { insertRows, type RowsOf } from "./rows.ts";
import { matchHosts } from "./match.ts";
import type { IdlePolicy } from "../../../shared/contract/report.ts";

export interface WorkOut {
  /** UTC days touched by a bill or a log. Neighbours with telemetry are worked out too, since an idle episode may cross midnight. */
  readonly days: readonly number[];
  readonly policy: IdlePolicy;
  /** Batches that count although they are not posted yet, oldest first, and batches that will not count any more. */
  readonly withBatches: readonly number[];
  readonly withoutBatches: readonly number[];
  /** Generations of delivery groups that posting will show, where they differ from those that show now. */
  readonly groupGenerations: ReadonlyMap<number, number>;
  readonly control: WorkControl;
}
export interface WorkControl {
  isCancelled(): boolean;
  /** Called between two short transactions. */
  standAside(): void;
  progress(done: number, total: number): void;
}
export interface WorkedOut {
  readonly generation: number;
  readonly days: readonly number[];
  readonly isCancelled: boolean;
}

const HOURS_A_DAY = 24;
const DAY_MS = 86_400_000;
/** Some 30 MB at most. */
const ROWS_GATHERED = 60_000;
/** How far back an undecided idle state (between the two thresholds) is followed. */
const MAX_CONTEXT_DAYS = 31;

export function workOutDays(db: Db, work: WorkOut): WorkedOut {
  const generation = nextGeneration(db);
  const days = withNeighbours(db, work);
  const matches = matchHosts(deviceHosts(db), gpuResources(db, work), hostMap(db)).matches;
  const owners = dayOwners(db, work);
  const write = rowWriter(db, work.control);
  let done = 0;
  for (const run of runsOf(days)) {
    work.control.progress(done, days.length);
    done += run.length;
    const observed = workOutHours(db, work, run, generation, write);
    if (work.control.isCancelled()) break;
    write.end();
    workOutCosts(db, { run, generation, owners, resources: observedResources(matches, observed), control: work.control });
    if (work.control.isCancelled()) break;
  }
  work.control.progress(days.length, days.length);
  return { generation, days, isCancelled: work.control.isCancelled() };
}

/** All days with telemetry or GPU charges: what a changed idle policy or host map works out anew. */
export function allGpuDays(db: Db): number[] {
  const days = new Set<number>();
  for (const { Day } of readAll(db, query<{ Day: number }>("Day")`-- hours.trace-days
    SELECT DISTINCT Day FROM gpu_trace INDEXED BY gpu_trace_by_day ORDER BY Day`)) days.add(Day);
  for (const { Day } of readAll(db, query<{ Day: number }>("Day")`-- hours.generation-days
    SELECT Day FROM day_generation ORDER BY Day`)) days.add(Day);
  return [...days].sort((a, b) => a - b);
}

/** Deletes rows of generations that do not show, at most `limit` days a call; returns how many it cleaned. For the time after a posting and at open. */
export function sweepGenerations(db: Db, limit = 50): number {
  const shows = prepared(db, "SELECT Generation FROM day_generation WHERE Day = ?").pluck();
  let cleaned = 0;
  for (const table of ["gpu_hour", "gpu_hour_counter", "idle_episode", "gpu_hour_cost", "gpu_cost_day", "gpu_energy_day", "gpu_activity_day", "gpu_series_day", "gpu_device_day"] as const) {
    // From one day and generation to the next along the key: the rows between are not read.
    const next = prepared(db, `SELECT Day, Generation FROM ${table} WHERE (Day, Generation) > (?, ?) ORDER BY Day, Generation LIMIT 1`);
    const remove = prepared(db, `DELETE FROM ${table} WHERE Day = ? AND Generation = ?`);
    let at: { readonly Day: number; readonly Generation: number } | undefined = { Day: Number.MIN_SAFE_INTEGER, Generation: 0 };
    while (cleaned < limit) {
      at = next.get(at.Day, at.Generation) as typeof at;
      if (at === undefined) break;
      if (shows.get(at.Day) === at.Generation) continue;
      remove.run(at.Day, at.Generation);
      cleaned += 1;
    }
  }
  return cleaned;
}

function nextGeneration(db: Db): number {
  const row = readOne(db, query<{ generation: number | null }>("generation")`-- hours.next-generation
    SELECT max(Generation) AS generation FROM (
      SELECT max(Generation) AS Generation FROM day_generation
      UNION ALL SELECT max(Generation) FROM gpu_hour
      UNION ALL SELECT max(Generation) FROM gpu_hour_counter
      UNION ALL SELECT max(Generation) FROM idle_episode
      UNION ALL SELECT max(Generation) FROM gpu_hour_cost
      UNION ALL SELECT max(Generation) FROM gpu_cost_day
      UNION ALL SELECT max(Generation) FROM gpu_energy_day
      UNION ALL SELECT max(Generation) FROM gpu_activity_day
      UNION ALL SELECT max(Generation) FROM gpu_series_day
      UNION ALL SELECT max(Generation) FROM gpu_device_day
    )`);
  return (row?.generation ?? 0) + 1;
}

/** The days asked for and those beside them that have telemetry, ascending. */
function withNeighbours(db: Db, work: WorkOut): number[] {
  const days = new Set(work.days);
  const counts = liveBatches(work);
  for (const day of work.days) {
    for (const beside of [day - 1, day + 1]) {
      if (days.has(beside)) continue;
      const found = readOne(db, query<{ found: number }>("found")`-- hours.day-has-telemetry
        SELECT 1 AS found
        FROM gpu_trace AS t INDEXED BY gpu_trace_by_day
        JOIN batch AS b ON b.BatchId = t.BatchId
        WHERE t.Day = ${beside} AND ${counts}
        LIMIT 1`);
      if (found) days.add(beside);
    }
  }
  return [...days].sort((a, b) => a - b);
}

/** Days in a row, at most a month together, so that a device's traces are read once a run and memory stays flat. */
function runsOf(days: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run && run.length < 31 && run.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs;
}

function liveBatches(work: Pick<WorkOut, "withBatches" | "withoutBatches">): Fragment {
  const list = (ids: readonly number[]): Fragment => joined(ids.map((id) => sql`${id}`), ", ");
  const posted = work.withoutBatches.length === 0 ? sql`b.State = 'posted'` : sql`(b.State = 'posted' AND b.BatchId NOT IN (${list(work.withoutBatches)}))`;
  return work.withBatches.length === 0 ? posted : sql`(${posted} OR b.BatchId IN (${list(work.withBatches)}))`;
}

// Hours of devices

interface DeviceRow {
  readonly DeviceId: number;
  readonly Host: string;
  readonly MemoryTotalMiB: number | null;
  readonly Share: number;
}

function workOutHours(db: Db, work: WorkOut, run: readonly number[], generation: number, write: RowWriter): ObservedHosts {
  const observed: ObservedHosts = new Map();
  const firstDay = run[0] as number;
  const lastDay = run.at(-1) as number;
  const devices = readAll(db, query<DeviceRow>("DeviceId", "Host", "MemoryTotalMiB", "Share")`-- hours.devices-of-days
    SELECT d.DeviceId, d.Host, d.MemoryTotalMiB, d.Share
    FROM device AS d
    WHERE EXISTS (SELECT 1 FROM gpu_trace AS t WHERE t.DeviceId = d.DeviceId AND t.Day BETWEEN ${firstDay} AND ${lastDay})
    ORDER BY d.DeviceId`);
  const counted = devicesWithCounters(db, firstDay, lastDay);
  for (const device of devices) {
    if (work.control.isCancelled()) return observed;
    const { trace: utilization, counterOf, stuckDays } = activityWithContext(db, work, device.DeviceId, firstDay, lastDay, counted.has(device.DeviceId));
    const traces: DeviceTraces = {
      utilization,
      memoryUsed: traceOf(db, work, device.DeviceId, "memory-used", firstDay, lastDay),
      power: traceOf(db, work, device.DeviceId, "power", firstDay, lastDay + 1),
      memoryTotalMiB: device.MemoryTotalMiB,
    };
    const states = idleStates(utilization, work.policy);
    const hosts = hoursOfHost(observed, device.Host);
    const countersAt = new Map<number, CounterSums>();
    const ofDays = createDeviceDays();
    if (counted.has(device.DeviceId)) {
      for (const counter of hourCounters) {
        for (const hour of counterHours(traceOf(db, work, device.DeviceId, counter, firstDay, lastDay), firstDay * HOURS_A_DAY, (lastDay + 1) * HOURS_A_DAY)) {
          const day = Math.floor(hour.hour / HOURS_A_DAY);
          write.counter(generation, device.DeviceId, counter, hour, counterOf.get(day) === counter);
          ofDays.counter(counter, hour, counterOf.get(day) === counter);
          if (counter === "engine-active" && stuckDays.has(day)) continue;
          const known = (hour.knownSeconds / 3600) * device.Share;
          countersAt.set(hour.hour, { ...countersAt.get(hour.hour), [counter]: { known, useful: known * hour.mean } });
        }
      }
    }
    const counter = traceOf(db, work, device.DeviceId, "counted-power", firstDay, lastDay);
    const energy = deviceEnergy({ ...traces, counter }, states, work.policy, firstDay * HOURS_A_DAY, (lastDay + 1) * HOURS_A_DAY);
    for (const row of deviceHours(traces, states, work.policy, firstDay * HOURS_A_DAY, (lastDay + 1) * HOURS_A_DAY)) {
      const facts = energy.get(row.hour);
      // What a counter tells takes the place of the power samples of the same time.
      if (facts !== undefined && facts.counterHours > 0) {
        row.energyWattHours = facts.counterWattHours + facts.powerWattHours;
        row.powerKnownSeconds = (facts.counterHours + facts.powerHours) * 3600;
      }
      write.hour(generation, device.DeviceId, row);
      ofDays.hour(row);
      addObserved(hosts, row, facts, device.Share, counted.has(device.DeviceId) ? (countersAt.get(row.hour) ?? {}) : null);
    }
    for (const [day, blob] of ofDays.days()) write.day(generation, device.DeviceId, day, blob);
    // An episode is kept in pieces of UTC days, so that a day can be worked out anew without its neighbours; pieces that adjoin are one episode.
    for (const day of run) {
      for (const piece of episodePieces(utilization, states.episodes, day * DAY_MS, (day + 1) * DAY_MS)) {
        write.episode(generation, device.DeviceId, day, piece, traces, work.policy);
      }
    }
  }
  return observed;
}

/** Devices with more than GPU-Util in some days. */
function devicesWithCounters(db: Db, firstDay: number, lastDay: number): ReadonlySet<number> {
  return new Set(readAll(db, query<{ DeviceId: number }>("DeviceId")`-- hours.devices-with-counters
    SELECT DISTINCT DeviceId
    FROM gpu_trace INDEXED BY gpu_trace_by_day
    WHERE Day BETWEEN ${firstDay - 1} AND ${lastDay + 1} AND Metric IN ('engine-active', 'sm-active', 'tensor-active', 'dram-active')
    ORDER BY DeviceId`).map(({ DeviceId }) => DeviceId));
}

/**
 * The activity of the days with a day more on either side, so that an episode across midnight is seen whole; further back only while the
 * first known values lie between the two thresholds, where the state is decided by what came before.
 */
function activityWithContext(db: Db, work: WorkOut, deviceId: number, firstDay: number, lastDay: number, hasCounters: boolean): Activity {
  const read = (from: number): Activity =>
    activityOf(hasCounters ? traceOf(db, work, deviceId, "engine-active", from, lastDay + 1) : emptyTrace, traceOf(db, work, deviceId, "utilization", from, lastDay + 1));
  let from = firstDay - 1;
  let activity = read(from);
  while (firstDay - from < MAX_CONTEXT_DAYS && isUndecided(activity.trace, from, work.policy)) {
    from -= 1;
    const longer = read(from);
    if (longer.trace.value.length === activity.trace.value.length) break;
    activity = longer;
  }
  return activity;
}

/** Whether the day begins known at midnight and lies between the thresholds throughout: its state was decided further back. */
function isUndecided(trace: Trace, day: number, policy: IdlePolicy): boolean {
  let end = day * DAY_MS;
  for (let index = 0; index < trace.value.length && end < (day + 1) * DAY_MS; index += 1) {
    const value = trace.value[index] as number;
    if ((trace.startMs[index] as number) - end > policy.bridgeSeconds * 1000) return false;
    if (value <= policy.idleAtOrUnderPercent || value >= policy.busyAtOrOverPercent) return false;
    end = trace.endMs[index] as number;
  }
  return end >= (day + 1) * DAY_MS;
}

interface TraceRow {
  readonly Day: number;
  readonly Segments: Uint8Array;
}

/** One metric of a device over some days, of all batches that count; equal timestamps once, the newest batch first. */
export function traceOf(db: Db, work: Pick<WorkOut, "withBatches" | "withoutBatches">, deviceId: number, metric: string, firstDay: number, lastDay: number): Trace {
  const rows = readAll(db, query<TraceRow>("Day", "Segments")`-- hours.traces-of-device
    SELECT t.Day, t.Segments
    FROM gpu_trace AS t
    JOIN batch AS b ON b.BatchId = t.BatchId
    WHERE t.DeviceId = ${deviceId} AND t.Metric = ${metric} AND t.Day BETWEEN ${firstDay} AND ${lastDay} AND ${liveBatches(work)}
    ORDER BY t.Day, b.PostedOrder IS NULL, b.PostedOrder, b.BatchId`);
  const days: { day: number; segments: ReturnType<typeof mergeTraces> }[] = [];
  for (let index = 0; index < rows.length; ) {
    const day = (rows[index] as TraceRow).Day;
    const blobs: Uint8Array[] = [];
    while (index < rows.length && (rows[index] as TraceRow).Day === day) {
      blobs.push((rows[index] as TraceRow).Segments);
      index += 1;
    }
    days.push({ day, segments: mergeTraces(blobs) });
  }
  const count = days.reduce((sum, { segments }) => sum + segments.value.length, 0);
  const startMs = new Float64Array(count);
  const endMs = new Float64Array(count);
  const value = new Float32Array(count);
  let next = 0;
  for (const { day, segments } of days) {
    const midnight = day * DAY_MS;
    for (let index = 0; index < segments.value.length; index += 1) {
      startMs[next] = midnight + (segments.startMs[index] as number);
      endMs[next] = (startMs[next] as number) + (segments.lengthMs[index] as number);
      value[next] = segments.value[index] as number;
      next += 1;
    }
  }
  return { startMs, endMs, value };
}

// What the join reads

export function deviceHosts(db: Db): string[] {
  return readAll(db, query<{ Host: string }>("Host")`-- hours.hosts
    SELECT DISTINCT Host FROM device ORDER BY Host`).map(({ Host }) => Host);
}

/**
 * Resources with GPU hours in bills that count: those posted, or those that will be after a change. A bill that was taken back must not
 * make a host's name fit two resources.
 */
export function gpuResources(
  db: Db,
  change: { readonly withBatches: readonly number[]; readonly withoutBatches: readonly number[] } = { withBatches: [], withoutBatches: [] },
): { ResourceId: string; ResourceName: string | null }[] {
  return readAll(db, query<{ ResourceId: string; ResourceName: string | null }>("ResourceId", "ResourceName")`-- hours.gpu-resources
    SELECT s.ResourceId, max(s.ResourceName) AS ResourceName
    FROM series AS s
    WHERE s.x_GpuModel IS NOT NULL AND s.ResourceId IS NOT NULL AND s.ChargeCategory = 'Usage'
      AND s.SeriesId IN (
        SELECT h.SeriesId
        FROM batch AS b
        CROSS JOIN delivery AS d ON d.BatchId = b.BatchId
        CROSS JOIN gpu_charge_hours AS h ON h.DeliveryId = d.DeliveryId
        WHERE ${liveBatches(change)}
      )
    GROUP BY s.ResourceId
    ORDER BY s.ResourceId`);
}

export function hostMap(db: Db): { Host: string; ResourceId: string; ValidFrom: string | null; ValidTo: string | null }[] {
  return readAll(db, query<{ Host: string; ResourceId: string; ValidFrom: string | null; ValidTo: string | null }>("Host", "ResourceId", "ValidFrom", "ValidTo")`-- hours.host-map
    SELECT Host, ResourceId, ValidFrom, ValidTo
    FROM host_map
    ORDER BY HostMapId`);
}

// Writing

interface RowWriter {
  hour(generation: number, deviceId: number, row: DeviceHour): void;
  counter(generation: number, deviceId: number, counter: HourCounter, hour: CounterHour, isActivity: boolean): void;
  day(generation: number, deviceId: number, day: number, hours: Uint8Array): void;
  episode(generation: number, deviceId: number, day: number, episode: IdleEpisode, traces: DeviceTraces, policy: IdlePolicy): void;
  /** Writes what is gathered. */
  end(): void;
}

/** Day, generation, then what orders the rows of a day: a third value, and where that is not enough a fourth. */
type RowValues = readonly [number, number, number, SqlValue, ...SqlValue[]];

/**
 * Gathers rows and writes them in the order of their keys: they come device by device, but the tables lie by day and hour, and a page touched
 * once for all its devices is written once.
 */
function rowWriter(db: Db, control: WorkControl): RowWriter {
  const gathered = new Map<RowsOf, RowValues[]>([[DEVICE_HOURS, []], [COUNTER_HOURS, []], [DEVICE_DAYS, []], [EPISODES, []]]);
  let count = 0;
  function flush(): void {
    for (const [of, rows] of gathered) {
      rows.sort((one, other) => one[0] - other[0] || one[2] - other[2] || Number(one[3]) - Number(other[3]));
      insertRows(db, of, rows.length, (values, index) => values.push(...(rows[index] as RowValues)), () => control.standAside());
      rows.length = 0;
    }
    count = 0;
  }
  function add(of: RowsOf, values: RowValues): void {
    gathered.get(of)?.push(values);
    count += 1;
    if (count >= ROWS_GATHERED) flush();
  }
  return {
    hour: (generation, deviceId, row) => {
      add(DEVICE_HOURS, [
        Math.floor(row.hour / HOURS_A_DAY), generation, row.hour, deviceId,
        row.knownSeconds, row.knownSeconds > 0 ? row.utilizationSeconds / row.knownSeconds : null, row.utilizationPeak, row.activeUtilizationSeconds,
        row.activeSeconds, row.heldIdleSeconds, row.deadIdleSeconds, row.idleMemoryUnknownSeconds,
        row.memoryKnownSeconds, row.memoryKnownSeconds > 0 ? row.memoryShareSeconds / row.memoryKnownSeconds : null, row.memoryShareP95, row.memorySharePeak,
        row.powerKnownSeconds, row.energyWattHours,
      ]);
    },
    counter: (generation, deviceId, counter, { hour, knownSeconds, mean }, isActivity) => {
      add(COUNTER_HOURS, [Math.floor(hour / HOURS_A_DAY), generation, hour, deviceId, counter, knownSeconds, mean, isActivity ? 1 : 0]);
    },
    day: (generation, deviceId, day, hours) => {
      add(DEVICE_DAYS, [day, generation, deviceId, hours]);
    },
    episode: (generation, deviceId, day, episode, traces, policy) => {
      const { heldMs, deadMs } = heldAndDead(traces, episode, policy);
      const memory = meanBetween(traces.memoryUsed, episode.startMs, episode.endMs);
      const utilization = meanBetween(traces.utilization, episode.startMs, episode.endMs);
      if (utilization === null) return;
      add(EPISODES, [
        day, generation, deviceId, Math.round(episode.startMs / 1000), Math.round(episode.endMs / 1000), episode.idleMs / 1000, heldMs / 1000, deadMs / 1000,
        utilization / 100, memory === null || traces.memoryTotalMiB === null || traces.memoryTotalMiB <= 0 ? null : memory / traces.memoryTotalMiB,
        meanBetween(traces.power, episode.startMs, episode.endMs),
      ]);
    },
    end: flush,
  };
}

const DEVICE_HOURS: RowsOf = {
  table: "gpu_hour",
  columns: [
    "Day", "Generation", "HourStart", "DeviceId", "KnownSeconds", "UtilizationMean", "UtilizationPeak", "ActiveUtilizationSeconds",
    "ActiveSeconds", "HeldIdleSeconds", "DeadIdleSeconds", "IdleMemoryUnknownSeconds",
    "MemoryKnownSeconds", "MemoryShareMean", "MemoryShareP95", "MemorySharePeak", "PowerKnownSeconds", "EnergyWattHours",
  ],
};

const COUNTER_HOURS: RowsOf = { table: "gpu_hour_counter", columns: ["Day", "Generation", "HourStart", "DeviceId", "Counter", "KnownSeconds", "Mean", "IsActivity"] };

const DEVICE_DAYS: RowsOf = { table: "gpu_device_day", columns: ["Day", "Generation", "DeviceId", "Hours"] };

const EPISODES: RowsOf = {
  table: "idle_episode",
  columns: ["Day", "Generation", "DeviceId", "StartSecond", "EndSecond", "IdleSeconds", "HeldSeconds", "DeadSeconds", "UtilizationMean", "MemoryShareMean", "PowerMeanWatts"],
};
