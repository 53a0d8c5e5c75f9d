import type { PurchaseOption } from "../../../shared/domain/charge.ts";
import { utilizationCounters, type KeptCounter, type UtilizationCounter } from "../../../shared/domain/counter.ts";
import { scopeDimensions, type Scope } from "../../../shared/domain/scope.ts";
import { startOfDay } from "../../../shared/domain/period.ts";
import { query, readAll, sql, sumMoney, teamIn, type Db, type Query } from "../store/sql.ts";
import type { MemoryLevel } from "./memory-levels.ts";
import { sumHours } from "./metric.ts";

/**
 * One GPU series over some UTC days: its billed GPU-hours, what telemetry knows of them, and its effective cost in six parts that
 * add up to it exactly. Amounts are attos of one currency and cover the hours whose cost is stated (`priced…`).
 */
export interface GpuHourRow {
  readonly seriesId: number;
  readonly currency: string;
  readonly provider: string | null;
  readonly account: string | null;
  readonly team: string | null;
  readonly service: string | null;
  readonly region: string | null;
  readonly gpuModel: string | null;
  readonly acceleratorId: string | null;
  readonly purchaseOption: PurchaseOption | null;
  readonly resource: string | null;
  readonly hourCount: number;
  readonly gpuHours: number;
  readonly knownGpuHours: number;
  readonly usefulGpuHours: number;
  readonly idleGpuHours: number;
  readonly memoryKnownGpuHours: number;
  readonly memoryUsedGpuHours: number;
  readonly pricedGpuHours: number;
  readonly pricedUsefulGpuHours: number;
  readonly costAttos: bigint;
  readonly productiveAttos: bigint;
  readonly busyInefficientAttos: bigint;
  readonly heldIdleAttos: bigint;
  readonly deadIdleAttos: bigint;
  readonly idleMemoryUnknownAttos: bigint;
  readonly unknownAttos: bigint;
  /** What each counter measured of these hours; a counter that is not there measured none of them. */
  readonly counters: CounterHours;
}

/** GPU-hours with a value of the counter, and those × the value. `unknown`: the counter cannot be told any more, and so no value is. */
export type CounterHours = Readonly<Partial<Record<KeptCounter, { readonly knownGpuHours: number; readonly usefulGpuHours: number }>>>;

/** The facts of metrics that come from hours where bill and telemetry meet. */
export interface GpuHourFacts {
  readonly currency: string;
  readonly rows: readonly GpuHourRow[];
  /** The one counter that utilization is held to; null where none measured anything. */
  readonly counter: UtilizationCounter | null;
  /** Dense peak of each accelerator in TFLOPS at the precision asked for; absent where the reference knows none. */
  readonly peakTflops: ReadonlyMap<string, number>;
  /** Memory of the hosts joined to the resources of these rows. */
  readonly memoryLevels: () => readonly MemoryLevel[];
}

/**
 * All GPU-hours billed from one day to before another (days since 1970-01-01 UTC), one row a series; `withinScope` narrows them.
 * The days lie within a month: whose a series is may change from month to month.
 */
export function readGpuHours(db: Db, asked: { readonly firstDay: number; readonly endDay: number }): readonly GpuHourRow[] {
  const counters = Map.groupBy(readAll(db, activityRows(asked)), ({ seriesId }) => seriesId);
  return readAll(db, gpuHourRows(asked)).map((row) => ({
    ...row,
    counters: Object.fromEntries((counters.get(row.seriesId) ?? []).map(({ counter, knownGpuHours, usefulGpuHours }) => [counter, { knownGpuHours, usefulGpuHours: usefulGpuHours ?? 0 }])),
  }));
}

interface ActivityRow {
  readonly seriesId: number;
  readonly counter: KeptCounter;
  readonly knownGpuHours: number;
  readonly usefulGpuHours: number | null;
}

function activityRows({ firstDay, endDay }: { readonly firstDay: number; readonly endDay: number }): Query<ActivityRow> {
  return query<ActivityRow>("seriesId", "counter", "knownGpuHours", "usefulGpuHours")`
  -- gpu-activity
  SELECT SeriesId AS seriesId, Counter AS counter, sum(KnownGpuHours) AS knownGpuHours, sum(UsefulGpuHours) AS usefulGpuHours
  FROM gpu_activity_day_current
  WHERE Day >= ${firstDay} AND Day < ${endDay}
  GROUP BY SeriesId, Counter
  ORDER BY SeriesId, Counter`;
}

function gpuHourRows(asked: { readonly firstDay: number; readonly endDay: number }): Query<Omit<GpuHourRow, "counters">> {
  return query<Omit<GpuHourRow, "counters">>(
    "seriesId", "currency", "provider", "account", "team", "service", "region", "gpuModel", "acceleratorId", "purchaseOption", "resource", "hourCount",
    "gpuHours", "knownGpuHours", "usefulGpuHours", "idleGpuHours", "memoryKnownGpuHours", "memoryUsedGpuHours", "pricedGpuHours", "pricedUsefulGpuHours",
    "costAttos", "productiveAttos", "busyInefficientAttos", "heldIdleAttos", "deadIdleAttos", "idleMemoryUnknownAttos", "unknownAttos",
  )`
  -- gpu-hours
  SELECT
    h.SeriesId           AS seriesId,
    s.BillingCurrency    AS currency,
    s.ProviderName       AS provider,
    s.SubAccountId       AS account,
    ${teamIn(sql`${monthOf(asked.firstDay)}`)} AS team,
    s.ServiceName        AS service,
    s.RegionId           AS region,
    s.x_GpuModel         AS gpuModel,
    s.x_AcceleratorId    AS acceleratorId,
    s.x_PurchaseOption   AS purchaseOption,
    s.ResourceId         AS resource,
    h.hourCount, h.gpuHours, h.knownGpuHours, h.usefulGpuHours, h.idleGpuHours, h.memoryKnownGpuHours, h.memoryUsedGpuHours, h.pricedGpuHours,
    h.pricedUsefulGpuHours, h.costAttos, h.productiveAttos, h.busyInefficientAttos, h.heldIdleAttos, h.deadIdleAttos, h.idleMemoryUnknownAttos, h.unknownAttos
  FROM (
    SELECT
      SeriesId,
      sum(HourCount)            AS hourCount,
      sum(GpuHours)             AS gpuHours,
      sum(KnownGpuHours)        AS knownGpuHours,
      sum(UsefulGpuHours)       AS usefulGpuHours,
      sum(IdleGpuHours)         AS idleGpuHours,
      sum(MemoryKnownGpuHours)  AS memoryKnownGpuHours,
      sum(MemoryUsedGpuHours)   AS memoryUsedGpuHours,
      sum(PricedGpuHours)       AS pricedGpuHours,
      sum(PricedUsefulGpuHours) AS pricedUsefulGpuHours,
      ${sumMoney("EffectiveCost")}         AS costAttos,
      ${sumMoney("ProductiveCost")}        AS productiveAttos,
      ${sumMoney("BusyInefficientCost")}   AS busyInefficientAttos,
      ${sumMoney("HeldIdleCost")}          AS heldIdleAttos,
      ${sumMoney("DeadIdleCost")}          AS deadIdleAttos,
      ${sumMoney("IdleMemoryUnknownCost")} AS idleMemoryUnknownAttos,
      ${sumMoney("UnknownCost")}           AS unknownAttos
    FROM gpu_cost_day_current
    WHERE Day >= ${asked.firstDay} AND Day < ${asked.endDay}
    GROUP BY SeriesId
  ) AS h
  JOIN series AS s ON s.SeriesId = h.SeriesId
  ORDER BY h.SeriesId`;
}

function monthOf(day: number): string {
  return startOfDay(day).slice(0, 7);
}

/** The rows of one currency that a scope holds: what `scopeFilter` says in SQL. */
export function withinScope(rows: readonly GpuHourRow[], currency: string, scope: Scope): readonly GpuHourRow[] {
  const wanted = scopeDimensions.flatMap((dimension) => {
    const list = scope[dimension];
    return list === undefined ? [] : [{ dimension, list }];
  });
  return rows.filter((row) => row.currency === currency && wanted.every(({ dimension, list }) => list.includes(row[dimension])));
}

/** All rows of some GPU-hours as one: exact in money, and in hours the same in any order. */
export function sumGpuHours(rows: readonly GpuHourRow[]): GpuHourTotals {
  let totals = sums.get(rows);
  if (totals === undefined) sums.set(rows, (totals = addUp(rows)));
  return totals;
}

/** Several figures ask for the sums of the same rows; the rows never change. */
const sums = new WeakMap<readonly GpuHourRow[], GpuHourTotals>();

function addUp(rows: readonly GpuHourRow[]): GpuHourTotals {
  const hours = (of: (row: GpuHourRow) => number): number => sumHours(rows.map(of));
  const attos = (of: (row: GpuHourRow) => bigint): bigint => rows.reduce((total, row) => total + of(row), 0n);
  const isAvoidable = (row: GpuHourRow): boolean => row.purchaseOption === "on-demand" || row.purchaseOption === "spot";
  const isCommitted = (row: GpuHourRow): boolean => row.purchaseOption !== null && committedOptions.has(row.purchaseOption);
  const idle = (row: GpuHourRow): bigint => row.heldIdleAttos + row.deadIdleAttos + row.idleMemoryUnknownAttos;
  return {
    gpuHours: hours((row) => row.gpuHours),
    knownGpuHours: hours((row) => row.knownGpuHours),
    usefulGpuHours: hours((row) => row.usefulGpuHours),
    idleGpuHours: hours((row) => row.idleGpuHours),
    memoryKnownGpuHours: hours((row) => row.memoryKnownGpuHours),
    memoryUsedGpuHours: hours((row) => row.memoryUsedGpuHours),
    pricedGpuHours: hours((row) => row.pricedGpuHours),
    pricedUsefulGpuHours: hours((row) => row.pricedUsefulGpuHours),
    costAttos: attos((row) => row.costAttos),
    knownCostAttos: attos((row) => row.costAttos - row.unknownAttos),
    productiveAttos: attos((row) => row.productiveAttos),
    busyInefficientAttos: attos((row) => row.busyInefficientAttos),
    heldIdleAttos: attos((row) => row.heldIdleAttos),
    deadIdleAttos: attos((row) => row.deadIdleAttos),
    idleMemoryUnknownAttos: attos((row) => row.idleMemoryUnknownAttos),
    unknownAttos: attos((row) => row.unknownAttos),
    counters: sumCounters(rows),
    idleAttos: attos(idle),
    avoidableIdleAttos: attos((row) => (isAvoidable(row) ? idle(row) : 0n)),
    sunkIdleAttos: attos((row) => (isCommitted(row) ? idle(row) : 0n)),
  };
}

function sumCounters(rows: readonly GpuHourRow[]): CounterHours {
  return Object.fromEntries([...utilizationCounters, "unknown" as const].flatMap((counter) => {
    const measured = rows.flatMap(({ counters }) => counters[counter] ?? []);
    if (measured.length === 0) return [];
    return [[counter, { knownGpuHours: sumHours(measured.map(({ knownGpuHours }) => knownGpuHours)), usefulGpuHours: sumHours(measured.map(({ usefulGpuHours }) => usefulGpuHours)) }]];
  }));
}

/** Counters of which one speaks for a fleet unless the person chose another, the better first (maths.md d.1). */
const headlineCounters = ["engine-active", "utilization"] as const satisfies readonly UtilizationCounter[];
/** A few samples that one of two counters missed decide nothing. */
const AS_MUCH = 0.999;

/** The counter that measured most of the GPU-hours; on a tie the engine's before GPU-Util. null where neither measured any. */
export function mostMeasured(rows: readonly GpuHourRow[]): UtilizationCounter | null {
  const { counters } = sumGpuHours(rows);
  const knownBy = (counter: UtilizationCounter): number => counters[counter]?.knownGpuHours ?? 0;
  const most = Math.max(...headlineCounters.map(knownBy));
  return most === 0 ? null : (headlineCounters.find((counter) => knownBy(counter) >= AS_MUCH * most) ?? null);
}

/** Bought for a term: what it costs while idle is sunk until the term ends. */
export const committedOptions: ReadonlySet<PurchaseOption> = new Set(["reservation", "savings-plan", "commitment", "capacity-block"] as const);

export interface GpuHourTotals {
  readonly gpuHours: number;
  readonly knownGpuHours: number;
  readonly usefulGpuHours: number;
  readonly idleGpuHours: number;
  readonly memoryKnownGpuHours: number;
  readonly memoryUsedGpuHours: number;
  readonly pricedGpuHours: number;
  readonly pricedUsefulGpuHours: number;
  readonly costAttos: bigint;
  /** Cost of the time with telemetry. */
  readonly knownCostAttos: bigint;
  readonly productiveAttos: bigint;
  readonly busyInefficientAttos: bigint;
  readonly heldIdleAttos: bigint;
  readonly deadIdleAttos: bigint;
  readonly idleMemoryUnknownAttos: bigint;
  readonly unknownAttos: bigint;
  readonly counters: CounterHours;
  readonly idleAttos: bigint;
  readonly avoidableIdleAttos: bigint;
  readonly sunkIdleAttos: bigint;
}
