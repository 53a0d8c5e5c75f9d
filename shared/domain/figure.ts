/**
 * Where a value comes from: the bill, a measurement, arithmetic on those, or an assumption that is named. `converted`: an amount of any of the
 * first three in another currency than it was billed in.
 */
export type Basis = "billed" | "measured" | "derived" | "assumed" | "converted";

/** Which of the four costs of FOCUS money figures are in. */
export type CostBasis = "BilledCost" | "EffectiveCost" | "ContractedCost" | "ListCost";
export const costBases: readonly CostBasis[] = ["BilledCost", "EffectiveCost", "ContractedCost", "ListCost"];

/**
 * The unit of a figure. A currency is its ISO 4217 code (or FOCUS virtual currency) alone; its value is a bigint of attos (1e-18).
 * `USD/gpu-hour` is money per GPU-hour, also in attos. Everything else is a number.
 */
export type Unit =
  | "ratio"
  | "gpu-hours"
  | "hours"
  | "count"
  | "rows"
  | "percent"
  | "watts"
  | "mebibytes"
  | `pflop/${string}`
  | `tflops/${string}-hour`
  | `${string}/gpu-hour`
  | "kWh"
  | "kgCO2e"
  | `gCO2e/${string}`
  | "litres"
  | (string & {});

/** Why a figure has no value. */
export type UnknownReason =
  | "no-telemetry"
  | "no-bill"
  | "no-gpu-hours"
  | "no-list-price"
  | "no-contracted-price"
  | "no-previous-period"
  | "no-useful-hours"
  | "no-peak"
  | "not-measured"
  | "no-denominator"
  | "no-quote"
  | "not-stated"
  | "no-commitments"
  | "no-energy"
  | "no-grid-factor"
  | "no-embodied-factor"
  | "no-water-factor"
  | "no-carbon-price"
  | "no-work-units";

/**
 * One number with what it rests on.
 * value     number, bigint of attos where the unit is money, or null when it is not known (then `why` says it)
 * coverage  0 to 1: the share of what it speaks of that is known: days with a bill for spend, GPU-hours with telemetry for measurements
 */
export interface Figure {
  readonly metric: MetricId;
  readonly value: number | bigint | null;
  readonly unit: Unit;
  readonly basis: Basis;
  readonly coverage: number;
  readonly why?: UnknownReason;
  /** Of an amount: what is shown of it, in attos of whole minor units, where rounding it alone would not let the rows of its page add up. */
  readonly shown?: bigint;
}

/** Every figure that the product computes has one of these names; `metrics/index.ts` has a file for each. */
export const metricIds = [
  "spend",
  "spend-change",
  "gpu-spend",
  "gpu-hours",
  "useful-gpu-hours",
  "idle-gpu-hours",
  "gpu-utilization",
  "memory-occupancy",
  "memory-p95",
  "memory-peak",
  "productive-cost",
  "busy-inefficient-cost",
  "held-idle-cost",
  "dead-idle-cost",
  "idle-memory-unknown-cost",
  "unknown-cost",
  "idle-cost",
  "idle-avoidable-cost",
  "idle-sunk-cost",
  "useful-gpu-hour-cost",
  "gpu-hour-price",
  "flops-per-dollar-peak",
  "flops-per-dollar-effective",
  "flops-per-dollar-achieved",
  "effective-savings-rate",
  "unused-commitment-cost",
  "commitment-utilization",
  "commitment-coverage",
  "telemetry-coverage",
  "telemetry-cost-coverage",
  "unmatched-gpu-cost",
  "gpu-hours-cost",
  "energy-kwh",
  "energy-gpu",
  "energy-host",
  "energy-idle",
  "energy-held-idle",
  "energy-measured",
  "emissions-location",
  "emissions-market",
  "emissions-embodied",
  "emissions-total",
  "carbon-per-gpu-hour",
  "carbon-per-useful-gpu-hour",
  "carbon-per-unit-of-work",
  "carbon-per-money",
  "carbon-cost",
  "water-litres",
  "bill-coverage",
  "row-count",
] as const;

/** Indicators of how the practice is run; reports/kpis.ts works them out. */
export const kpiIds = [
  "kpi-unallocated",
  "kpi-budget-variance",
  "kpi-budget-forecast-variance",
  "kpi-budget-burn",
  "kpi-forecast-error",
  "kpi-forecast-drift",
  "kpi-anomaly-rate",
  "kpi-commitment-waste",
  "kpi-idle-share",
  "kpi-apportioned",
  "kpi-charged-back",
  "kpi-optimization",
  "kpi-legacy",
] as const;
export type KpiId = (typeof kpiIds)[number];

/** Figures of one budget, named in the params of their reference. */
export const budgetFigureIds = ["budget", "budget-forecast"] as const;
export const figureIds = [...metricIds, ...kpiIds, ...budgetFigureIds] as const;
export type MetricId = (typeof figureIds)[number];

/** Digits after the point that a number (no share, no money) is shown with: fewer the larger it is; hours one below a thousand, counts none. */
export function decimalsShown(value: number, unit: Unit): number {
  const size = Math.abs(value);
  if (unit === "count" || unit === "rows") return 0;
  if (unit === "gpu-hours" || unit === "hours") return size < 1000 ? 1 : 0;
  return size < 10 ? 2 : size < 100 ? 1 : 0;
}

/** Whether the unit is money, so that the value is a bigint of attos. Returns the currency, or null. */
export function currencyOf(figure: Figure): string | null {
  if (typeof figure.value === "bigint") return figure.unit.split("/")[0] ?? null;
  return null;
}
