/** What the ledger says of demand: hourly GPUs in use of one pool over whole weeks, with what was left out and what is not known. */
import type { LookbackWeeks, PlanInputs } from "../../../shared/contract/plan.ts";
import { dayOf, parsePeriod, startOfDay, type PeriodLabel } from "../../../shared/domain/period.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { MILLIONTHS } from "../planning/usage-rank.ts";
import { decodeGpuChargeHours } from "../store/gpu-charge-hours.ts";
import { isOneOf, query, readAll, scopeFilter, sql, sumMoneyOrNull, type Db, type Fragment } from "../store/sql.ts";

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
/** What each series used in the months of a window, from the sums of its days: a few rows, to which its wide row of dimensions is joined. */
const usedBySeries = ({ start, end }: Window): Fragment => sql`(
      SELECT
        SeriesId, strftime('%Y-%m', Day * 86400, 'unixepoch') AS Month, min(Day) AS FirstDay, max(Day) AS LastDay,
        sum(GpuHours) AS GpuHours, sum(IdleGpuHours) AS IdleGpuHours, sum(PricedGpuHours) AS PricedGpuHours,
        sum(EffectiveCostNanos) AS EffectiveCostNanos, sum(EffectiveCostRest) AS EffectiveCostRest
      FROM gpu_cost_day_current
      WHERE Day >= ${start} AND Day < ${end}
      GROUP BY 1, 2
    )`;

/** The pools of a scope and what they used. */
export function poolsUsed(db: Db, window: Window, scope: Scope): PoolUse[] {
  return readAll(db, query<PoolUse>("provider", "region", "gpuModel", "instanceType", "currency", "gpusAMachine", "way", "gpuHours", "idleGpuHours", "costAttos", "pricedGpuHours")`-- plan.pools
    SELECT
      s.ProviderName AS provider, s.RegionId AS region, s.x_GpuModel AS gpuModel, s.x_InstanceType AS instanceType, s.BillingCurrency AS currency,
      max(s.x_GpuCount) AS gpusAMachine,
      ${wayOf} AS way,
      sum(h.GpuHours) AS gpuHours,
      sum(h.IdleGpuHours) AS idleGpuHours,
      ${sumMoneyOrNull("EffectiveCost", "h")} AS costAttos,
      sum(h.PricedGpuHours) AS pricedGpuHours
    FROM ${usedBySeries(window)} AS h
    JOIN series AS s ON s.SeriesId = h.SeriesId
    WHERE s.x_GpuModel IS NOT NULL ${scopeFilter(scope, "s", sql`h.Month`)}
    GROUP BY 1, 2, 3, 4, 5, 7
    ORDER BY 1, 2, 3, 4, 5, 7`);
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

function isOfPool({ provider, region, gpuModel, instanceType, currency }: PoolKey): Fragment {
  return sql`${isOneOf("ProviderName", [provider], "s")} AND ${isOneOf("RegionId", [region], "s")} AND ${isOneOf("x_GpuModel", [gpuModel], "s")}
      AND ${isOneOf("x_InstanceType", [instanceType], "s")} AND s.BillingCurrency = ${currency}`;
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
export function demandOf(db: Db, pool: PoolKey, window: Window, scope: Scope, inputs: Pick<PlanInputs, "leavesOutOneOffs" | "leavesOutIdle" | "leavesOutSpot">, billed: BilledDays): Demand {
  const { start, end } = window;
  const series = readAll(db, query<SeriesUse>("seriesId", "resource", "way", "firstDay", "lastDay", "gpuHours", "idleGpuHours")`-- plan.series
    SELECT
      h.SeriesId AS seriesId, s.ResourceId AS resource, ${wayOf} AS way, min(h.FirstDay) AS firstDay, max(h.LastDay) AS lastDay,
      sum(h.GpuHours) AS gpuHours, sum(h.IdleGpuHours) AS idleGpuHours
    FROM ${usedBySeries(window)} AS h
    JOIN series AS s ON s.SeriesId = h.SeriesId
    WHERE ${isOfPool(pool)} ${scopeFilter(scope, "s", sql`h.Month`)}
    GROUP BY h.SeriesId
    ORDER BY h.SeriesId`);
  const oneOffs = inputs.leavesOutOneOffs ? oneOffsIn(db, series, end) : new Set<number>();
  const isSpotOut = ({ way }: SeriesUse): boolean => inputs.leavesOutSpot && way === "spot";
  const kept = series.filter((each) => !isSpotOut(each) && !oneOffs.has(each.seriesId));
  const units: (number | null)[] = Array.from({ length: (end - start) * 24 }, (_, index) => (billed.has(start + Math.floor(index / 24)) ? 0 : null));
  const taken = inputs.leavesOutIdle ? sql`h.GpuHours - h.IdleGpuHours` : sql`h.GpuHours`;
  const hours = kept.length === 0 ? [] : readAll(db, query<{ hour: number; gpuHours: number }>("hour", "gpuHours")`-- plan.demand
    SELECT h.HourStart AS hour, sum(${taken}) AS gpuHours
    FROM gpu_hour_cost_current AS h
    WHERE h.Day >= ${start} AND h.Day < ${end} AND h.SeriesId IN (SELECT value FROM json_each(${JSON.stringify(kept.map(({ seriesId }) => seriesId))}))
    GROUP BY h.HourStart
    ORDER BY h.HourStart`);
  for (const { hour, gpuHours } of hours) units[hour - start * 24] = Math.max(0, Math.round(gpuHours * MILLIONTHS));
  const sumOf = (of: readonly SeriesUse[], value: (each: SeriesUse) => number): number => of.reduce((total, each) => total + value(each), 0);
  return {
    units,
    knownHours: units.filter((each) => each !== null).length,
    spreadShare: spreadShareOf(db, kept, window),
    leftOut: [
      { why: "spot" as const, gpuHours: sumOf(series.filter(isSpotOut), ({ gpuHours }) => gpuHours) },
      { why: "one-off" as const, gpuHours: sumOf(series.filter((each) => !isSpotOut(each) && oneOffs.has(each.seriesId)), ({ gpuHours }) => gpuHours) },
      { why: "idle" as const, gpuHours: inputs.leavesOutIdle ? sumOf(kept, ({ idleGpuHours }) => idleGpuHours) : 0 },
    ].filter(({ gpuHours }) => gpuHours > 0),
  };
}

/** Series of machines that were there for less than a week and are gone. Days say which may be; their hours say which are. */
function oneOffsIn(db: Db, series: readonly SeriesUse[], end: number): Set<number> {
  const machines = [...Map.groupBy(series, ({ resource, seriesId }) => resource ?? `series ${seriesId}`).values()];
  const short = machines.filter((own) => (lastOf(own) - firstOf(own)) * 24 < ONE_OFF_HOURS + 24 && lastOf(own) < end - STILL_THERE_DAYS);
  if (short.length === 0) return new Set();
  const all = short.flat();
  const hours = new Map(readAll(db, query<{ seriesId: number; firstHour: number; lastHour: number }>("seriesId", "firstHour", "lastHour")`-- plan.hours-of-short-lived
    SELECT SeriesId AS seriesId, min(HourStart) AS firstHour, max(HourStart) AS lastHour
    FROM gpu_hour_cost_current
    WHERE Day >= ${firstOf(all)} AND Day <= ${lastOf(all)} AND SeriesId IN (SELECT value FROM json_each(${JSON.stringify(all.map(({ seriesId }) => seriesId))}))
    GROUP BY SeriesId
    ORDER BY SeriesId`).map((each) => [each.seriesId, each]));
  const gone = short.filter((own) => {
    const first = Math.min(...own.map(({ seriesId }) => hours.get(seriesId)?.firstHour ?? Number.POSITIVE_INFINITY));
    const last = Math.max(...own.map(({ seriesId }) => hours.get(seriesId)?.lastHour ?? Number.NEGATIVE_INFINITY));
    return last + 1 - first < ONE_OFF_HOURS;
  });
  return new Set(gone.flatMap((own) => own.filter(({ way }) => way !== "covered").map(({ seriesId }) => seriesId)));
}

const firstOf = (series: readonly SeriesUse[]): number => series.reduce((first, { firstDay }) => Math.min(first, firstDay), Number.POSITIVE_INFINITY);
const lastOf = (series: readonly SeriesUse[]): number => series.reduce((last, { lastDay }) => Math.max(last, lastDay), Number.NEGATIVE_INFINITY);

/** How much of the GPU time is an even share of a longer charge: such a profile has no nights. */
function spreadShareOf(db: Db, series: readonly SeriesUse[], { start, end }: Window): number {
  if (series.length === 0) return 0;
  const [from, to] = [startOfDay(start).slice(0, 7), startOfDay(end - 1).slice(0, 7)];
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
