/**
 * Works out `gpu_hour`, `idle_episode` and `gpu_hour_cost` of some UTC days under a fresh generation. Nothing that shows is touched: posting
 * flips `day_generation` to the generation in the same transaction as everything else. Rows of generations that no longer show are left to
 * `sweepGenerations`. Runs in the reader thread or in process; writes in short transactions and stands aside between them.
 */
import { joined, prepared, query, readAll, readOne, splitAttos, sql } from "../store/sql.ts";
import type { Db, Fragment } from "../store/sql.ts";
import { mergeTraces } from "../store/traces.ts";
import { decodeGpuChargeHours } from "../store/gpu-charge-hours.ts";
import { deviceHours, emptyTrace, episodePieces, heldAndDead, idleStates, meanBetween } from "./timeline.ts";
import type { DeviceHour, DeviceTraces, IdleEpisode, Trace } from "./timeline.ts";
import { activityOf, counterHours, hourCounters } from "./activity.ts";
import type { Activity, CounterHour, HourCounter } from "./activity.ts";
import { addEnergy, deviceEnergy, energyFactNames, noEnergy, splitEnergy } from "./energy.ts";
import type { ChargeEnergy, EnergyFacts } from "./energy.ts";
import { splitCounter, splitHour } from "./hour-cost.ts";
import type { ChargeHour, CounterSum, HourCost, ObservedHour } from "./hour-cost.ts";
import { toSeenHours } from "./spread.ts";
import type { HourShare } from "./spread.ts";
import { addUpDays } from "./roll-up.ts";
import { matchHosts } from "./match.ts";
import type { HostMatch } from "./match.ts";
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
/** Rows written in one transaction: under 20 ms on the slowest disk tried (architecture.md section 3). */
const ROWS_A_TRANSACTION = 1000;
/** Some 30 MB at most. */
const ROWS_GATHERED = 60_000;
/** How far back an undecided idle state (between the two thresholds) is followed. */
const MAX_CONTEXT_DAYS = 31;

export function workOutDays(db: Db, work: WorkOut): WorkedOut {
  const generation = nextGeneration(db);
  const days = withNeighbours(db, work);
  const matches = matchHosts(deviceHosts(db), gpuResources(db, work), hostMap(db)).matches;
  const write = rowWriter(db, work.control);
  let done = 0;
  for (const run of runsOf(days)) {
    work.control.progress(done, days.length);
    done += run.length;
    const observed = workOutHours(db, work, run, generation, write);
    if (work.control.isCancelled()) break;
    workOutCosts(db, work, run, generation, matches, observed, write);
    if (work.control.isCancelled()) break;
  }
  write.end();
  addUpDays(db, days, generation, work.control);
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
  for (const table of ["gpu_hour", "gpu_hour_counter", "idle_episode", "gpu_hour_cost", "gpu_cost_day", "gpu_energy_day", "gpu_activity_day"] as const) {
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

/** Observed GPU-hours by host and hour, for the join. */
type ObservedHosts = Map<string, Map<number, ObservedSum>>;
interface ObservedSum {
  known: number;
  useful: number;
  active: number;
  activeUseful: number;
  held: number;
  dead: number;
  idleMemoryUnknown: number;
  memoryKnown: number;
  memoryUsed: number;
  readonly energy: EnergyFacts;
  /** What each counter measured; null while all of it is GPU-Util, which then is `known` and `useful`. */
  counters: CounterSums | null;
}
type CounterSums = Partial<Record<HourCounter, CounterSum>>;

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
    if (counted.has(device.DeviceId)) {
      for (const counter of hourCounters) {
        for (const hour of counterHours(traceOf(db, work, device.DeviceId, counter, firstDay, lastDay), firstDay * HOURS_A_DAY, (lastDay + 1) * HOURS_A_DAY)) {
          const day = Math.floor(hour.hour / HOURS_A_DAY);
          write.counter(generation, device.DeviceId, counter, hour, counterOf.get(day) === counter);
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
      addObserved(hosts, row, facts, device.Share, counted.has(device.DeviceId) ? (countersAt.get(row.hour) ?? {}) : null);
    }
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

function hoursOfHost(observed: ObservedHosts, host: string): Map<number, ObservedSum> {
  let hours = observed.get(host);
  if (!hours) observed.set(host, (hours = new Map<number, ObservedSum>()));
  return hours;
}

function addObserved(hours: Map<number, ObservedSum>, row: DeviceHour, energy: EnergyFacts | undefined, share: number, counters: CounterSums | null): void {
  let sum = hours.get(row.hour);
  if (!sum) {
    sum = { known: 0, useful: 0, active: 0, activeUseful: 0, held: 0, dead: 0, idleMemoryUnknown: 0, memoryKnown: 0, memoryUsed: 0, energy: noEnergy(), counters: null };
    hours.set(row.hour, sum);
  }
  const gpuHours = (seconds: number): number => (seconds / 3600) * share;
  if (counters !== null || sum.counters !== null) {
    sum.counters = plusCounters(countersOf(sum), counters ?? { utilization: { known: gpuHours(row.knownSeconds), useful: gpuHours(row.utilizationSeconds) } });
  }
  sum.known += gpuHours(row.knownSeconds);
  sum.useful += gpuHours(row.utilizationSeconds);
  sum.active += gpuHours(row.activeSeconds);
  sum.activeUseful += gpuHours(row.activeUtilizationSeconds);
  sum.held += gpuHours(row.heldIdleSeconds);
  sum.dead += gpuHours(row.deadIdleSeconds);
  sum.idleMemoryUnknown += gpuHours(row.idleMemoryUnknownSeconds);
  sum.memoryKnown += gpuHours(row.memoryKnownSeconds);
  sum.memoryUsed += gpuHours(row.memoryShareSeconds);
  if (energy !== undefined) addEnergy(sum.energy, energy, share);
}

function countersOf({ counters, known, useful }: ObservedSum): CounterSums {
  return counters ?? (known === 0 ? {} : { utilization: { known, useful } });
}

function plusCounters(a: CounterSums, b: CounterSums): CounterSums {
  const sum: CounterSums = { ...a };
  for (const counter of hourCounters) {
    const more = b[counter];
    if (more === undefined) continue;
    const before = sum[counter];
    sum[counter] = before === undefined ? more : { known: before.known + more.known, useful: before.useful + more.useful };
  }
  return sum;
}

// Cost of hours

interface ChargeHoursRow {
  readonly DeliveryId: number;
  readonly SeriesId: number;
  readonly Month: string;
  readonly Hours: Uint8Array;
  readonly AccountKey: number;
  readonly GroupId: number;
  readonly ResourceId: string | null;
}

function workOutCosts(
  db: Db,
  work: WorkOut,
  run: readonly number[],
  generation: number,
  matches: readonly HostMatch[],
  observed: ObservedHosts,
  write: RowWriter,
): void {
  const firstHour = (run[0] as number) * HOURS_A_DAY;
  const endHour = ((run.at(-1) as number) + 1) * HOURS_A_DAY;
  const byResource = observedResources(matches, observed);
  const owners = dayOwners(db, work);
  const firstMonth = monthOfHour(firstHour);
  const lastMonth = monthOfHour(endHour - 1);
  const rows = readAll(db, query<ChargeHoursRow>("DeliveryId", "SeriesId", "Month", "Hours", "AccountKey", "GroupId", "ResourceId")`-- hours.charge-hours
    SELECT h.DeliveryId, h.SeriesId, h.Month, h.Hours, s.AccountKey, d.GroupId, s.ResourceId
    FROM gpu_charge_hours AS h
    JOIN delivery AS d ON d.DeliveryId = h.DeliveryId
    JOIN series AS s ON s.SeriesId = h.SeriesId
    WHERE h.Month BETWEEN ${firstMonth} AND ${lastMonth}
    ORDER BY h.DeliveryId, h.SeriesId, h.Month`);
  // resource → hour → charges; charges without a resource stand alone under their series.
  const charges = new Map<string, Map<number, ChargeHour[]>>();
  const spread = new Map<string, SpreadDay[]>();
  for (const row of rows) {
    const owner = owners(row.GroupId, row.AccountKey);
    if (owner === null) continue;
    const key = row.ResourceId === null ? `series ${row.SeriesId}` : `resource ${row.ResourceId.toLowerCase()}`;
    const monthHour = Math.floor(Date.parse(`${row.Month}-01T00:00:00Z`) / 3_600_000);
    let day = null as SpreadDay | null;
    for (const entry of decodeGpuChargeHours(row.Hours)) {
      const hour = monthHour + entry.hour;
      const dayOfHour = Math.floor(hour / HOURS_A_DAY);
      if (hour < firstHour || hour >= endHour || owner(dayOfHour) !== row.DeliveryId) continue;
      if (entry.isSpread === true) {
        if (day?.day !== dayOfHour) listIn(spread, key).push((day = { day: dayOfHour, seriesId: row.SeriesId, shares: [] }));
        day.shares.push({ hour, gpuHours: entry.gpuHours, effectiveAttos: entry.effectiveAttos });
      } else addChargeTo(charges, key, hour, { seriesId: row.SeriesId, gpuHours: entry.gpuHours, effectiveAttos: entry.effectiveAttos });
    }
    if (work.control.isCancelled()) return;
  }
  for (const [key, days] of spread) moveToSeenHours(days, byResource.get(key), charges.get(key), (hour, charge) => addChargeTo(charges, key, hour, charge));
  const energyOfDays = new Map<string, EnergyDay>();
  const activityOfDays = new Map<string, ActivityDay>();
  for (const [key, hours] of charges) {
    const seen = byResource.get(key);
    for (const [hour, list] of hours) {
      const observedHour = seen?.get(hour) ?? null;
      const energy = splitEnergy(list, observedHour?.energy ?? null);
      splitHour(list, observedHour).forEach((cost, index) => {
        const ofCharge = energy[index] as ChargeEnergy;
        write.cost(generation, hour, cost, ofCharge);
        addEnergyDay(energyOfDays, Math.floor(hour / HOURS_A_DAY), ofCharge);
      });
      if (observedHour !== null) addActivityHour(activityOfDays, Math.floor(hour / HOURS_A_DAY), list, countersOf(observedHour));
    }
    if (work.control.isCancelled()) return;
  }
  for (const day of energyOfDays.values()) write.energy(generation, day);
  for (const day of activityOfDays.values()) write.activity(generation, day);
}

/** What one counter measured of a series in a UTC day, in GPU-hours as whole billionths so that their order changes nothing. */
interface ActivityDay {
  readonly day: number;
  readonly seriesId: number;
  readonly counter: HourCounter;
  known: number;
  useful: number;
}

function addActivityHour(days: Map<string, ActivityDay>, day: number, charges: readonly ChargeHour[], counters: CounterSums): void {
  for (const counter of hourCounters) {
    const measured = counters[counter];
    if (measured === undefined) continue;
    splitCounter(charges, measured).forEach(({ known, useful }, index) => {
      if (known === 0) return;
      const { seriesId } = charges[index] as ChargeHour;
      const key = `${day} ${seriesId} ${counter}`;
      let sum = days.get(key);
      if (sum === undefined) days.set(key, (sum = { day, seriesId, counter, known: 0, useful: 0 }));
      sum.known += Math.round(known * 1e9);
      sum.useful += Math.round(useful * 1e9);
    });
  }
}

/** What a series drew in a UTC day: measured energy in milliwatt-hours, hours as whole billionths so that their order changes nothing. */
interface EnergyDay {
  readonly day: number;
  readonly seriesId: number;
  gpuHours: number;
  readonly facts: EnergyFacts;
}

function addEnergyDay(days: Map<string, EnergyDay>, day: number, energy: ChargeEnergy): void {
  const key = `${day} ${energy.seriesId}`;
  let sum = days.get(key);
  if (sum === undefined) days.set(key, (sum = { day, seriesId: energy.seriesId, gpuHours: 0, facts: noEnergy() }));
  sum.gpuHours += Math.round(energy.gpuHours * 1e9);
  for (const name of energyFactNames) sum.facts[name] += name.endsWith("WattHours") ? energy[name] : Math.round(energy[name] * 1e9);
}

/** The shares of one day of a series whose bill states no hours. */
interface SpreadDay {
  readonly day: number;
  readonly seriesId: number;
  readonly shares: HourShare[];
}

/**
 * Charges without hours take what hourly charges of the same resource leave of the hours seen; several of them share an hour by the GPU-hours
 * each bills that day.
 */
function moveToSeenHours(
  days: readonly SpreadDay[],
  seen: ReadonlyMap<number, ObservedHour> | undefined,
  hourly: ReadonlyMap<number, readonly ChargeHour[]> | undefined,
  add: (hour: number, charge: ChargeHour) => void,
): void {
  const billedOn = new Map<number, number>();
  const billedOf = ({ shares }: SpreadDay): number => shares.reduce((sum, { gpuHours }) => sum + gpuHours, 0);
  for (const each of days) billedOn.set(each.day, (billedOn.get(each.day) ?? 0) + Math.max(0, billedOf(each)));
  // Before any is added: what one takes must not look like an hourly charge to the next.
  const left = new Map<number, number>();
  for (const { shares } of days) {
    for (const { hour } of shares) {
      const taken = (hourly?.get(hour) ?? []).reduce((sum, { gpuHours }) => sum + Math.max(0, gpuHours), 0);
      left.set(hour, Math.max(0, (seen?.get(hour)?.known ?? 0) - taken));
    }
  }
  for (const each of days) {
    const part = Math.max(0, billedOf(each)) / (billedOn.get(each.day) ?? 1);
    for (const { hour, gpuHours, effectiveAttos } of toSeenHours(each.shares, (at) => (left.get(at) ?? 0) * part)) add(hour, { seriesId: each.seriesId, gpuHours, effectiveAttos });
  }
}

function addChargeTo(charges: Map<string, Map<number, ChargeHour[]>>, key: string, hour: number, charge: ChargeHour): void {
  let hours = charges.get(key);
  if (!hours) charges.set(key, (hours = new Map<number, ChargeHour[]>()));
  const list = hours.get(hour);
  if (!list) hours.set(hour, [charge]);
  else addCharge(list, charge);
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = []));
  return list;
}

/** The same series may come in two deliveries of an hour (two groups): one row an hour, amounts added. */
function addCharge(list: ChargeHour[], charge: ChargeHour): void {
  const index = list.findIndex(({ seriesId }) => seriesId === charge.seriesId);
  const known = list[index];
  if (!known) {
    list.push(charge);
    return;
  }
  list[index] = {
    seriesId: charge.seriesId,
    gpuHours: known.gpuHours + charge.gpuHours,
    effectiveAttos: known.effectiveAttos === null || charge.effectiveAttos === null ? null : known.effectiveAttos + charge.effectiveAttos,
  };
}

function observedResources(matches: readonly HostMatch[], observed: ObservedHosts): Map<string, Map<number, ObservedSum>> {
  const resources = new Map<string, Map<number, ObservedSum>>();
  for (const match of matches) {
    const hours = observed.get(match.host);
    if (!hours) continue;
    const key = `resource ${match.resourceId.toLowerCase()}`;
    let into = resources.get(key);
    if (!into) resources.set(key, (into = new Map<number, ObservedSum>()));
    for (const [hour, sum] of hours) {
      if (hour < match.fromHour || hour >= match.toHour) continue;
      const known = into.get(hour);
      into.set(hour, known ? plus(known, sum) : sum);
    }
  }
  return resources;
}

function plus(a: ObservedSum, b: ObservedSum): ObservedSum {
  return {
    known: a.known + b.known,
    useful: a.useful + b.useful,
    active: a.active + b.active,
    activeUseful: a.activeUseful + b.activeUseful,
    held: a.held + b.held,
    dead: a.dead + b.dead,
    idleMemoryUnknown: a.idleMemoryUnknown + b.idleMemoryUnknown,
    memoryKnown: a.memoryKnown + b.memoryKnown,
    memoryUsed: a.memoryUsed + b.memoryUsed,
    energy: sumOf(a.energy, b.energy),
    counters: a.counters === null && b.counters === null ? null : plusCounters(countersOf(a), countersOf(b)),
  };
}

function sumOf(a: EnergyFacts, b: EnergyFacts): EnergyFacts {
  const sum = { ...a };
  addEnergy(sum, b);
  return sum;
}

interface OwnerRow {
  readonly GroupId: number;
  readonly AccountKey: number;
  readonly Day: number;
  readonly DeliveryId: number;
}

/**
 * Which delivery's hours an account and day of a group show. A charge longer than a day lies under its first day, so a day without an owner
 * shows the delivery of the last owned day before it.
 */
function dayOwners(db: Db, work: WorkOut): (groupId: number, accountKey: number) => ((day: number) => number | null) | null {
  const owners = new Map<string, { days: number[]; deliveries: number[] }>();
  const read = (rows: readonly OwnerRow[]): void => {
    for (const row of rows) {
      const key = `${row.GroupId} ${row.AccountKey}`;
      let list = owners.get(key);
      if (!list) owners.set(key, (list = { days: [], deliveries: [] }));
      list.days.push(row.Day);
      list.deliveries.push(row.DeliveryId);
    }
  };
  const staged = [...work.groupGenerations];
  const stagedGroups = joined(staged.map(([groupId]) => sql`${groupId}`), ", ");
  read(
    readAll(db, query<OwnerRow>("GroupId", "AccountKey", "Day", "DeliveryId")`-- hours.day-owners
      SELECT o.GroupId, o.AccountKey, o.Day, o.DeliveryId
      FROM delivery_group AS g
      CROSS JOIN day_owner AS o ON o.GroupId = g.GroupId AND o.Generation = g.CurrentGeneration
      WHERE ${staged.length === 0 ? sql`1` : sql`o.GroupId NOT IN (${stagedGroups})`}
      ORDER BY o.GroupId, o.AccountKey, o.Day`),
  );
  for (const [groupId, generation] of staged) {
    read(
      readAll(db, query<OwnerRow>("GroupId", "AccountKey", "Day", "DeliveryId")`-- hours.day-owners-staged
        SELECT GroupId, AccountKey, Day, DeliveryId
        FROM day_owner
        WHERE GroupId = ${groupId} AND Generation = ${generation}
        ORDER BY AccountKey, Day`),
    );
  }
  return (groupId, accountKey) => {
    const list = owners.get(`${groupId} ${accountKey}`);
    if (!list) return null;
    return (day) => {
      let low = 0;
      let high = list.days.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((list.days[middle] as number) <= day) low = middle + 1;
        else high = middle;
      }
      return list.deliveries[low - 1] ?? null;
    };
  };
}

function monthOfHour(hour: number): string {
  return new Date(hour * 3_600_000).toISOString().slice(0, 7);
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
  episode(generation: number, deviceId: number, day: number, episode: IdleEpisode, traces: DeviceTraces, policy: IdlePolicy): void;
  cost(generation: number, hour: number, cost: HourCost, energy: ChargeEnergy): void;
  energy(generation: number, day: EnergyDay): void;
  activity(generation: number, day: ActivityDay): void;
  end(): void;
}

type RowValues = readonly [number, number, number, number, ...(string | number | bigint | null)[]];

/**
 * Gathers rows and writes them in short transactions, in the order of their keys: they come device by device, but the tables lie by day and
 * hour, and a page touched once for all its devices is written once.
 */
function rowWriter(db: Db, control: WorkControl): RowWriter {
  const gathered = new Map<string, RowValues[]>();
  let count = 0;
  function flush(): void {
    for (const [text, rows] of gathered) {
      rows.sort((one, other) => one[0] - other[0] || one[2] - other[2] || one[3] - other[3]);
      for (let at = 0; at < rows.length; at += ROWS_A_TRANSACTION) {
        db.transaction(() => {
          for (const values of rows.slice(at, at + ROWS_A_TRANSACTION)) prepared(db, text).run(...values);
        })();
        control.standAside();
      }
    }
    gathered.clear();
    count = 0;
  }
  function add(text: string, values: RowValues): void {
    const rows = gathered.get(text);
    if (rows === undefined) gathered.set(text, [values]);
    else rows.push(values);
    count += 1;
    if (count >= ROWS_GATHERED) flush();
  }
  return {
    hour: (generation, deviceId, row) => {
      add(INSERT_HOUR, [
        Math.floor(row.hour / HOURS_A_DAY), generation, row.hour, deviceId,
        row.knownSeconds, row.knownSeconds > 0 ? row.utilizationSeconds / row.knownSeconds : null, row.utilizationPeak, row.activeUtilizationSeconds,
        row.activeSeconds, row.heldIdleSeconds, row.deadIdleSeconds, row.idleMemoryUnknownSeconds,
        row.memoryKnownSeconds, row.memoryKnownSeconds > 0 ? row.memoryShareSeconds / row.memoryKnownSeconds : null, row.memoryShareP95, row.memorySharePeak,
        row.powerKnownSeconds, row.energyWattHours,
      ]);
    },
    counter: (generation, deviceId, counter, { hour, knownSeconds, mean }, isActivity) => {
      add(INSERT_COUNTER, [Math.floor(hour / HOURS_A_DAY), generation, hour, deviceId, counter, knownSeconds, mean, isActivity ? 1 : 0]);
    },
    episode: (generation, deviceId, day, episode, traces, policy) => {
      const { heldMs, deadMs } = heldAndDead(traces, episode, policy);
      const memory = meanBetween(traces.memoryUsed, episode.startMs, episode.endMs);
      const utilization = meanBetween(traces.utilization, episode.startMs, episode.endMs);
      if (utilization === null) return;
      add(INSERT_EPISODE, [
        day, generation, deviceId, Math.round(episode.startMs / 1000), Math.round(episode.endMs / 1000), episode.idleMs / 1000, heldMs / 1000, deadMs / 1000,
        utilization / 100, memory === null || traces.memoryTotalMiB === null || traces.memoryTotalMiB <= 0 ? null : memory / traces.memoryTotalMiB,
        meanBetween(traces.power, episode.startMs, episode.endMs),
      ]);
    },
    cost: (generation, hour, cost, energy) => {
      const pairs = [cost.effectiveAttos, ...(cost.parts ?? [null, null, null, null, null, null])].flatMap((attos) => {
        if (attos === null) return [null, null];
        const { nanos, rest } = splitAttos(attos);
        return [nanos, rest];
      });
      add(INSERT_COST, [
        Math.floor(hour / HOURS_A_DAY), generation, hour, cost.seriesId, cost.gpuHours, cost.knownGpuHours, cost.usefulGpuHours, cost.idleGpuHours,
        cost.memoryKnownGpuHours, cost.memoryUsedGpuHours, measuredWattHours(energy), ...pairs,
      ]);
    },
    energy: (generation, { day, seriesId, gpuHours, facts }) => {
      const [first, ...rest] = energyFactNames.map((name) => (name.endsWith("WattHours") ? BigInt(facts[name]) : facts[name] / 1e9));
      add(INSERT_ENERGY, [day, generation, seriesId, gpuHours / 1e9, first ?? 0, ...rest]);
    },
    activity: (generation, { day, seriesId, counter, known, useful }) => {
      add(INSERT_ACTIVITY, [day, generation, seriesId, known / 1e9, useful / 1e9, counter]);
    },
    end: flush,
  };
}

/** What counters and power samples say of an hour; null where nothing was measured. */
function measuredWattHours({ counterHours, counterWattHours, powerHours, powerWattHours }: ChargeEnergy): number | null {
  return counterHours + powerHours === 0 ? null : (counterWattHours + powerWattHours) / 1000;
}

const INSERT_HOUR = `INSERT INTO gpu_hour (
  Day, Generation, HourStart, DeviceId, KnownSeconds, UtilizationMean, UtilizationPeak, ActiveUtilizationSeconds,
  ActiveSeconds, HeldIdleSeconds, DeadIdleSeconds, IdleMemoryUnknownSeconds,
  MemoryKnownSeconds, MemoryShareMean, MemoryShareP95, MemorySharePeak, PowerKnownSeconds, EnergyWattHours
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_COUNTER = "INSERT INTO gpu_hour_counter (Day, Generation, HourStart, DeviceId, Counter, KnownSeconds, Mean, IsActivity) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

const INSERT_EPISODE = `INSERT INTO idle_episode (
  Day, Generation, DeviceId, StartSecond, EndSecond, IdleSeconds, HeldSeconds, DeadSeconds, UtilizationMean, MemoryShareMean, PowerMeanWatts
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_COST = `INSERT INTO gpu_hour_cost (
  Day, Generation, HourStart, SeriesId, GpuHours, KnownGpuHours, UsefulGpuHours, IdleGpuHours, MemoryKnownGpuHours, MemoryUsedGpuHours, EnergyWattHours,
  EffectiveCostNanos, EffectiveCostRest, ProductiveCostNanos, ProductiveCostRest, BusyInefficientCostNanos, BusyInefficientCostRest,
  HeldIdleCostNanos, HeldIdleCostRest, DeadIdleCostNanos, DeadIdleCostRest, IdleMemoryUnknownCostNanos, IdleMemoryUnknownCostRest,
  UnknownCostNanos, UnknownCostRest
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_ACTIVITY = "INSERT INTO gpu_activity_day (Day, Generation, SeriesId, KnownGpuHours, UsefulGpuHours, Counter) VALUES (?, ?, ?, ?, ?, ?)";

const INSERT_ENERGY = `INSERT INTO gpu_energy_day (
  Day, Generation, SeriesId, GpuHours, CounterGpuHours, CounterMilliwattHours, PowerGpuHours, PowerMilliwattHours,
  HeldIdleMilliwattHours, DeadIdleMilliwattHours, IdleMemoryUnknownMilliwattHours, ModelGpuHours, ModelUsefulGpuHours,
  ModelHeldGpuHours, ModelHeldUsefulGpuHours, ModelDeadGpuHours, ModelDeadUsefulGpuHours, ModelIdleMemoryUnknownGpuHours,
  ModelIdleMemoryUnknownUsefulGpuHours
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
