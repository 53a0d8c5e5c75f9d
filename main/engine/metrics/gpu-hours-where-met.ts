import type { PurchaseOption } from "../../../shared/domain/charge.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { query, scopeFilter, sumMoney, type Query } from "../store/sql.ts";
import type { MemoryLevel } from "./memory-levels.ts";
import { sumHours } from "./metric.ts";

/**
 * One GPU series over some UTC days: its billed GPU-hours, what telemetry knows of them, and its effective cost in six parts that
 * add up to it exactly. Amounts are attos of one currency and cover the hours whose cost is stated (`priced…`).
 */
export interface GpuHourRow {
  readonly seriesId: number;
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
}

/** The facts of metrics that come from hours where bill and telemetry meet. */
export interface GpuHourFacts {
  readonly currency: string;
  readonly rows: readonly GpuHourRow[];
  /** Dense peak of each accelerator in TFLOPS at the precision asked for; absent where the reference knows none. */
  readonly peakTflops: ReadonlyMap<string, number>;
  /** Memory of the hosts joined to the resources of these rows. */
  readonly memoryLevels: readonly MemoryLevel[];
}

/** GPU-hours billed in a currency from one day to before another (days since 1970-01-01 UTC), one row a series. */
export function gpuHourRows(asked: { readonly firstDay: number; readonly endDay: number; readonly scope: Scope; readonly currency: string }): Query<GpuHourRow> {
  return query<GpuHourRow>(
    "seriesId", "provider", "account", "team", "service", "region", "gpuModel", "acceleratorId", "purchaseOption", "resource", "hourCount",
    "gpuHours", "knownGpuHours", "usefulGpuHours", "idleGpuHours", "memoryKnownGpuHours", "memoryUsedGpuHours", "pricedGpuHours", "pricedUsefulGpuHours",
    "costAttos", "productiveAttos", "busyInefficientAttos", "heldIdleAttos", "deadIdleAttos", "idleMemoryUnknownAttos", "unknownAttos",
  )`
  -- gpu-hours
  SELECT
    h.SeriesId                              AS seriesId,
    s.ProviderName                          AS provider,
    s.SubAccountId                          AS account,
    s.x_Team                                AS team,
    s.ServiceName                           AS service,
    s.RegionId                              AS region,
    s.x_GpuModel                            AS gpuModel,
    s.x_AcceleratorId                       AS acceleratorId,
    s.x_PurchaseOption                      AS purchaseOption,
    s.ResourceId                            AS resource,
    count(*)                                AS hourCount,
    sum(h.GpuHours)                         AS gpuHours,
    sum(h.KnownGpuHours)                    AS knownGpuHours,
    sum(h.UsefulGpuHours)                   AS usefulGpuHours,
    sum(h.IdleGpuHours)                     AS idleGpuHours,
    sum(h.MemoryKnownGpuHours)              AS memoryKnownGpuHours,
    sum(h.MemoryUsedGpuHours)               AS memoryUsedGpuHours,
    sum(CASE WHEN h.EffectiveCostNanos IS NULL THEN 0.0 ELSE h.GpuHours END)       AS pricedGpuHours,
    sum(CASE WHEN h.EffectiveCostNanos IS NULL THEN 0.0 ELSE h.UsefulGpuHours END) AS pricedUsefulGpuHours,
    ${sumMoney("EffectiveCost", "h")}         AS costAttos,
    ${sumMoney("ProductiveCost", "h")}        AS productiveAttos,
    ${sumMoney("BusyInefficientCost", "h")}   AS busyInefficientAttos,
    ${sumMoney("HeldIdleCost", "h")}          AS heldIdleAttos,
    ${sumMoney("DeadIdleCost", "h")}          AS deadIdleAttos,
    ${sumMoney("IdleMemoryUnknownCost", "h")} AS idleMemoryUnknownAttos,
    ${sumMoney("UnknownCost", "h")}           AS unknownAttos
  FROM gpu_hour_cost_current AS h
  JOIN series AS s ON s.SeriesId = h.SeriesId
  WHERE h.Day >= ${asked.firstDay} AND h.Day < ${asked.endDay} AND s.BillingCurrency = ${asked.currency} ${scopeFilter(asked.scope, "s")}
  GROUP BY h.SeriesId
  ORDER BY h.SeriesId`;
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
    idleAttos: attos(idle),
    avoidableIdleAttos: attos((row) => (isAvoidable(row) ? idle(row) : 0n)),
    sunkIdleAttos: attos((row) => (isCommitted(row) ? idle(row) : 0n)),
  };
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
  readonly idleAttos: bigint;
  readonly avoidableIdleAttos: bigint;
  readonly sunkIdleAttos: bigint;
}
