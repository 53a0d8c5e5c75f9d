/** What the ledger says of demand: hourly GPUs in use of one pool over whole weeks, with what was left out and what is not known. */
import type { LookbackWeeks, PlanInputs } from "../../../shared/contract/plan.ts";
import { dayOf, parsePeriod, startOfDay, type PeriodLabel } from "../../../shared/domain/period.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { MILLIONTHS } from "../planning/usage-rank.ts";
import { decodeGpuChargeHours, hasSpreadHours } from "../store/gpu-charge-hours.ts";
import { decodeGpuSeriesDay, eachHourRun, NO_COST, type GpuSeriesDay } from "../store/gpu-series-day.ts";
import { query, readAll, scopeFilter, sql, type Db } from "../store/sql.ts";
import { keptAt } from "../teams/daily.ts";

/** GPU time that is bought together. */
export interface PoolKey {
  readonly provider: string | null;
  readonly region: string | null;
  readonly gpuModel: string | null;
  readonly instanceType: string | null;
  readonly currency: string;
}

export function poolText({ provider, region, gpuModel, instanceType, currency }: PoolKey): string {
  return JSON.stringify([provider, region, gpuModel, instanceType, currency]);
}

export interface Window {
  /** Days since 1970; `end` is the first day after. */
  readonly start: number;
  readonly end: number;
}

/** The whole weeks that end with the last day of the period that a bill of the provider covers; null without one. */
export function windowOf(billed: BilledDays, period: PeriodLabel, weeks: LookbackWeeks): Window | null {
  const span = parsePeriod(period);
  if (span === null) return null;
  const [first, bound] = [dayOf(span.start), dayOf(span.end)];
  for (let day = bound - 1; day >= first; day -= 1) if (billed.has(day)) return { start: day + 1 - weeks * 7, end: day + 1 };
  return null;
}

export interface BilledDays {
  has(day: number): boolean;
}

interface DeliverySpan {
  readonly provider: string | null;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The days that bills of a provider (null: of any) cover. */
export function billedDays(db: Db, provider: string | null): BilledDays {
  const spans = readAll(db, query<DeliverySpan>("provider", "firstDay", "lastDay")`-- plan.billed-days
    SELECT DISTINCT g.ProviderName AS provider, d.FirstDay AS firstDay, d.LastDay AS lastDay
    FROM delivery_group AS g
    JOIN delivery AS d ON d.GroupId = g.GroupId
    JOIN batch AS b ON b.BatchId = d.BatchId AND b.State = 'posted'
    ORDER BY 1, 2, 3`).filter((span) => provider === null || span.provider === provider);
  return { has: (day) => spans.some(({ firstDay, lastDay }) => day >= firstDay && day <= lastDay) };
}

/** What a pool used in a window, by how it was bought. */
export interface PoolUse extends PoolKey {
  readonly gpusAMachine: number | null;
  readonly way: "on-demand" | "spot" | "covered";
  readonly gpuHours: number;
  readonly idleGpuHours: number;
  /** Null where no row states one. */
  readonly costAttos: bigint | null;
  readonly pricedGpuHours: number;
}

const wayOf = sql`CASE
      WHEN s.x_PurchaseOption = 'spot'                                          THEN 'spot'
      WHEN s.CommitmentDiscountId IS NOT NULL
        OR s.x_PurchaseOption IN ('reservation', 'savings-plan', 'commitment', 'capacity-block') THEN 'covered'
      ELSE                                                                           'on-demand'
    END`;
const BILLION = 1e9;

/** What was used in a window, in a scope. `days` hold all series as they are stored. */
export interface WindowUse {
  readonly window: Window;
  readonly days: readonly { readonly day: number; readonly of: GpuSeriesDay }[];
  /** Series of the scope that buy GPU time, with what each used in each UTC month of the window. */
  readonly series: readonly UsedSeries[];
}

/** Hours are whole billionths of a GPU-hour; nanos in two words, and what is below. */
interface UseOfSeries {
  firstDay: number;
  lastDay: number;
  gpuHours: number;
  idleGpuHours: number;
  pricedGpuHours: number;
  /** Days whose cost is stated, and the sum of it. */
  costDays: number;
  low: number;
  high: number;
  rest: number;
}

/** Reads a window once for all that a plan asks of it. */
export function useOf(db: Db, window: Window, scope: Scope): WindowUse {
  const days = readAll(db, query<{ day: number; series: Uint8Array }>("day", "series")`-- plan.days
    SELECT Day AS day, Series AS series FROM gpu_series_day_current WHERE Day >= ${window.start} AND Day < ${window.end} ORDER BY Day`).map(({ day, series }) => ({ day, of: decodeGpuSeriesDay(series) }));
  const months = new Map<string, Map<number, UseOfSeries>>();
  for (const { day, of } of days) {
    const month = startOfDay(day).slice(0, 7);
    let uses = months.get(month);
    if (uses === undefined) months.set(month, (uses = new Map<number, UseOfSeries>()));
    addDay(uses, day, of);
  }
  return { window, days, series: seriesWithin(db, months, scope) };
}

function addDay(uses: Map<number, UseOfSeries>, day: number, of: GpuSeriesDay): void {
  const idle = of.seen.IdleGpuHours;
  const places: UseOfSeries[] = [];
  for (let place = 0; place < of.count; place += 1) {
    const seriesId = of.series[place] as number;
    let use = uses.get(seriesId);
    if (use === undefined) uses.set(seriesId, (use = { firstDay: day, lastDay: day, gpuHours: 0, idleGpuHours: 0, pricedGpuHours: 0, costDays: 0, low: 0, high: 0, rest: 0 }));
    use.lastDay = day;
    use.gpuHours += of.gpuHours[place] as number;
    use.pricedGpuHours += of.pricedGpuHours[place] as number;
    if (((of.flags[place] as number) & NO_COST) === 0) {
      use.costDays += 1;
      use.low += of.cost.low[place] as number;
      use.high += of.cost.high[place] as number;
      use.rest += of.cost.rest[place] as number;
    }
    places.push(use);
  }
  for (let index = 0; index < of.seenCount; index += 1) {
    const use = places[of.seenAt[index] as number];
    if (use !== undefined) use.idleGpuHours += idle[index] as number;
  }
}

/** Null where no day states a cost. */
function costOf({ costDays, low, high, rest }: UseOfSeries): bigint | null {
  return costDays === 0 ? null : ((BigInt(high) << 32n) + BigInt(low)) * 1_000_000_000n + BigInt(rest);
}

interface SeriesRow extends PoolKey {
  readonly seriesId: number;
  readonly gpusAMachine: number | null;
  readonly way: PoolUse["way"];
  readonly resource: string | null;
}

interface UsedSeries {
  readonly series: SeriesRow;
  readonly use: UseOfSeries;
}

/** The series that buy GPU time within a scope, a month each; whose they are may change with the month. */
function seriesWithin(db: Db, months: ReadonlyMap<string, ReadonlyMap<number, UseOfSeries>>, scope: Scope): UsedSeries[] {
  const read = (month: string | null, ids: Iterable<number>): SeriesRow[] => readAll(db, query<SeriesRow>("seriesId", "provider", "region", "gpuModel", "instanceType", "currency", "gpusAMachine", "way", "resource")`-- plan.series
    SELECT
      s.SeriesId AS seriesId, s.ProviderName AS provider, s.RegionId AS region, s.x_GpuModel AS gpuModel, s.x_InstanceType AS instanceType, s.BillingCurrency AS currency,
      s.x_GpuCount AS gpusAMachine, ${wayOf} AS way, s.ResourceId AS resource
    FROM (SELECT ${month} AS Month) AS h
    CROSS JOIN json_each(${JSON.stringify([...new Set(ids)])}) AS u
    CROSS JOIN series AS s ON s.SeriesId = u.value
    WHERE s.x_GpuModel IS NOT NULL ${scopeFilter(scope, "s", sql`h.Month`)}
    ORDER BY s.SeriesId`);
  const same = scope.team === undefined ? read(null, [...months.values()].flatMap((uses) => [...uses.keys()])) : null;
  return [...months].flatMap(([month, uses]) => (same ?? read(month, uses.keys())).flatMap((series) => {
    const use = uses.get(series.seriesId);
    return use === undefined ? [] : [{ series, use }];
  }));
}

/** The pools of a scope and what they used. */
export function poolsUsed({ series }: WindowUse): PoolUse[] {
  const groups = Map.groupBy(series, ({ series: { seriesId: _id, gpusAMachine: _size, resource: _resource, ...key } }) => JSON.stringify(key));
  return [...groups.values()].flatMap((own): PoolUse[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { seriesId: _id, resource: _resource, gpusAMachine: _size, ...key } = first.series;
    const sizes = own.flatMap(({ series: { gpusAMachine } }) => (gpusAMachine === null ? [] : [gpusAMachine]));
    const costs = own.flatMap(({ use }) => costOf(use) ?? []);
    return [{
      ...key,
      gpusAMachine: sizes.length === 0 ? null : Math.max(...sizes),
      gpuHours: hoursIn(own, ({ gpuHours }) => gpuHours),
      idleGpuHours: hoursIn(own, ({ idleGpuHours }) => idleGpuHours),
      costAttos: costs.length === 0 ? null : costs.reduce((total, cost) => total + cost, 0n),
      pricedGpuHours: hoursIn(own, ({ pricedGpuHours }) => pricedGpuHours),
    }];
  });
}

function hoursIn(uses: readonly { readonly use: UseOfSeries }[], of: (use: UseOfSeries) => number): number {
  return uses.reduce((total, { use }) => total + of(use), 0) / BILLION;
}

interface SeriesUse {
  readonly seriesId: number;
  readonly resource: string | null;
  readonly way: PoolUse["way"];
  readonly firstDay: number;
  readonly lastDay: number;
  readonly gpuHours: number;
  readonly idleGpuHours: number;
}

/** The series of a pool and what each used in the whole window. */
function seriesOfPool({ series: all }: WindowUse, pool: PoolKey): SeriesUse[] {
  const wanted = poolText(pool);
  const groups = Map.groupBy(all.filter(({ series }) => poolText(series) === wanted), ({ series: { seriesId } }) => seriesId);
  return [...groups].sort(([a], [b]) => a - b).map(([seriesId, own]) => ({
    seriesId,
    resource: own[0]?.series.resource ?? null,
    way: own[0]?.series.way ?? "on-demand",
    firstDay: Math.min(...own.map(({ use }) => use.firstDay)),
    lastDay: Math.max(...own.map(({ use }) => use.lastDay)),
    gpuHours: hoursIn(own, ({ gpuHours }) => gpuHours),
    idleGpuHours: hoursIn(own, ({ idleGpuHours }) => idleGpuHours),
  }));
}

/** A machine seen for less than this, and not in the window's last days, was a one-off. */
export const ONE_OFF_HOURS = 7 * 24;
export const STILL_THERE_DAYS = 3;

export interface Demand {
  /** Millionths of a GPU, hour by hour; null where no bill covers the day. */
  readonly units: readonly (number | null)[];
  readonly knownHours: number;
  /** Share of the GPU-hours whose bill states only the day or longer. */
  readonly spreadShare: number;
  readonly leftOut: readonly { readonly why: "spot" | "one-off" | "idle"; readonly gpuHours: number }[];
}

/** The hourly demand of a pool, without what the person leaves out. */
export function demandOf(db: Db, pool: PoolKey, of: WindowUse, inputs: Pick<PlanInputs, "leavesOutOneOffs" | "leavesOutIdle" | "leavesOutSpot">, billed: BilledDays): Demand {
  const { start, end } = of.window;
  const series = seriesOfPool(of, pool);
  const oneOffs = inputs.leavesOutOneOffs ? oneOffsIn(of, series) : new Set<number>();
  const isSpotOut = ({ way }: SeriesUse): boolean => inputs.leavesOutSpot && way === "spot";
  const kept = series.filter((each) => !isSpotOut(each) && !oneOffs.has(each.seriesId));
  const units: (number | null)[] = Array.from({ length: (end - start) * 24 }, (_, index) => (billed.has(start + Math.floor(index / 24)) ? 0 : null));
  const ids = new Set(kept.map(({ seriesId }) => seriesId));
  const hours = ids.size === 0 ? [] : inputs.leavesOutIdle ? hoursWithoutIdle(db, of.window, ids) : hoursUsed(of, ids);
  for (const { hour, gpuHours } of hours) units[hour - start * 24] = Math.max(0, Math.round(gpuHours * MILLIONTHS));
  const sumOf = (of: readonly SeriesUse[], value: (each: SeriesUse) => number): number => of.reduce((total, each) => total + value(each), 0);
  return {
    units,
    knownHours: units.filter((each) => each !== null).length,
    spreadShare: spreadShareOf(db, kept, of.window),
    leftOut: [
      { why: "spot" as const, gpuHours: sumOf(series.filter(isSpotOut), ({ gpuHours }) => gpuHours) },
      { why: "one-off" as const, gpuHours: sumOf(series.filter((each) => !isSpotOut(each) && oneOffs.has(each.seriesId)), ({ gpuHours }) => gpuHours) },
      { why: "idle" as const, gpuHours: inputs.leavesOutIdle ? sumOf(kept, ({ idleGpuHours }) => idleGpuHours) : 0 },
    ].filter(({ gpuHours }) => gpuHours > 0),
  };
}

interface HourUse {
  /** Since 1970. */
  readonly hour: number;
  readonly gpuHours: number;
}

/** GPU-hours of some series, hour by hour. */
function hoursUsed({ days }: WindowUse, ids: ReadonlySet<number>): HourUse[] {
  return days.flatMap(({ day, of }) => {
    const [used, isThere] = [new Float64Array(24), new Uint8Array(24)];
    eachHourRun(of, (_place, hour, gpuHours) => {
      (used[hour] as number) += gpuHours;
      isThere[hour] = 1;
    }, wantedIn(of, ids));
    return [...used].flatMap((gpuHours, hour) => (isThere[hour] === 0 ? [] : [{ hour: day * 24 + hour, gpuHours }]));
  });
}

function wantedIn({ series }: GpuSeriesDay, ids: ReadonlySet<number>): Uint8Array {
  const wanted = new Uint8Array(series.length);
  for (let place = 0; place < series.length; place += 1) if (ids.has(series[place] as number)) wanted[place] = 1;
  return wanted;
}

/** The same without idle time, which only the hours themselves know. */
function hoursWithoutIdle(db: Db, { start, end }: Window, ids: ReadonlySet<number>): HourUse[] {
  return readAll(db, query<HourUse>("hour", "gpuHours")`-- plan.demand
    SELECT h.HourStart AS hour, sum(h.GpuHours - h.IdleGpuHours) AS gpuHours
    FROM gpu_hour_cost_current AS h
    WHERE h.Day >= ${start} AND h.Day < ${end} AND h.SeriesId IN (SELECT value FROM json_each(${JSON.stringify([...ids])}))
    GROUP BY h.HourStart
    ORDER BY h.HourStart`);
}

/** Series of machines that were there for less than a week and are gone. Days say which may be; their hours say which are. */
function oneOffsIn(of: WindowUse, series: readonly SeriesUse[]): Set<number> {
  const machines = [...Map.groupBy(series, ({ resource, seriesId }) => resource ?? `series ${seriesId}`).values()];
  const short = machines.filter((own) => (lastOf(own) - firstOf(own)) * 24 < ONE_OFF_HOURS + 24 && lastOf(own) < of.window.end - STILL_THERE_DAYS);
  if (short.length === 0) return new Set();
  const hours = hoursBetween(of, new Set(short.flat().map(({ seriesId }) => seriesId)));
  const gone = short.filter((own) => {
    const first = Math.min(...own.map(({ seriesId }) => hours.get(seriesId)?.firstHour ?? Number.POSITIVE_INFINITY));
    const last = Math.max(...own.map(({ seriesId }) => hours.get(seriesId)?.lastHour ?? Number.NEGATIVE_INFINITY));
    return last + 1 - first < ONE_OFF_HOURS;
  });
  return new Set(gone.flatMap((own) => own.filter(({ way }) => way !== "covered").map(({ seriesId }) => seriesId)));
}

/** The first and last hours in which series ran. */
function hoursBetween({ days }: WindowUse, ids: ReadonlySet<number>): ReadonlyMap<number, { readonly firstHour: number; readonly lastHour: number }> {
  const found = new Map<number, { readonly firstHour: number; readonly lastHour: number }>();
  for (const { day, of } of days) {
    eachHourRun(of, (place, hourOfDay) => {
      const seriesId = of.series[place] as number;
      const hour = day * 24 + hourOfDay;
      found.set(seriesId, { firstHour: found.get(seriesId)?.firstHour ?? hour, lastHour: hour });
    }, wantedIn(of, ids));
  }
  return found;
}

const firstOf = (series: readonly SeriesUse[]): number => series.reduce((first, { firstDay }) => Math.min(first, firstDay), Number.POSITIVE_INFINITY);
const lastOf = (series: readonly SeriesUse[]): number => series.reduce((last, { lastDay }) => Math.max(last, lastDay), Number.NEGATIVE_INFINITY);

/** Series of which some hour of a UTC month is the share of a longer charge: hourly bills have none. */
function spreadIn(db: Db, month: string): ReadonlySet<number> {
  return keptAt({ db }, `spread ${month}`, () => {
    const blobs = readAll(db, query<{ seriesId: number; hours: Uint8Array }>("seriesId", "hours")`-- plan.spread-hours
      SELECT SeriesId AS seriesId, Hours AS hours FROM gpu_charge_hours_current WHERE Month = ${month}`);
    return new Set(blobs.flatMap(({ seriesId, hours }) => (hasSpreadHours(hours) ? [seriesId] : [])));
  });
}

/** How much of the GPU time is an even share of a longer charge: such a profile has no nights. */
function spreadShareOf(db: Db, series: readonly SeriesUse[], { start, end }: Window): number {
  const months: string[] = [];
  for (let day = start; day < end; day += 1) if (months.at(-1) !== startOfDay(day).slice(0, 7)) months.push(startOfDay(day).slice(0, 7));
  const [from = "", to = from] = [months[0], months.at(-1)];
  if (!series.some(({ seriesId }) => months.some((month) => spreadIn(db, month).has(seriesId)))) return 0;
  let [spread, all] = [0, 0];
  const blobs = readAll(db, query<{ month: string; hours: Uint8Array; days: string }>("month", "hours", "days")`-- plan.charge-hours
    SELECT h.Month AS month, h.Hours AS hours, h.ShownDays AS days
    FROM gpu_charge_hours_current AS h
    WHERE h.Month >= ${from} AND h.Month <= ${to} AND h.SeriesId IN (SELECT value FROM json_each(${JSON.stringify(series.map(({ seriesId }) => seriesId))}))
    ORDER BY h.SeriesId, h.Month, h.DeliveryId`);
  for (const { month, hours, days } of blobs) {
    const shown = new Set(JSON.parse(days) as number[]);
    const monthStart = dayOf(`${month}-01T00:00:00Z`);
    for (const { hour, gpuHours, isSpread } of decodeGpuChargeHours(hours)) {
      const day = monthStart + Math.floor(hour / 24);
      if (day < start || day >= end || !shown.has(day) || gpuHours <= 0) continue;
      all += gpuHours;
      if (isSpread === true) spread += gpuHours;
    }
  }
  return all === 0 ? 0 : spread / all;
}
