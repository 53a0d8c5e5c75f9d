import type { MetricId } from "../../../shared/domain/figure.ts";
import { billCoverage } from "./bill-coverage.ts";
import { busyInefficientCost } from "./busy-inefficient-cost.ts";
import type { CarbonFacts } from "./carbon-facts.ts";
import { carbonCost } from "./carbon-cost.ts";
import { carbonPerGpuHour } from "./carbon-per-gpu-hour.ts";
import { carbonPerMoney } from "./carbon-per-money.ts";
import { carbonPerUnitOfWork } from "./carbon-per-unit-of-work.ts";
import { carbonPerUsefulGpuHour } from "./carbon-per-useful-gpu-hour.ts";
import { emissionsEmbodied } from "./emissions-embodied.ts";
import { emissionsLocation } from "./emissions-location.ts";
import { emissionsMarket } from "./emissions-market.ts";
import { emissionsTotal } from "./emissions-total.ts";
import { energyGpu } from "./energy-gpu.ts";
import { energyHeldIdle } from "./energy-held-idle.ts";
import { energyHost } from "./energy-host.ts";
import { energyIdle } from "./energy-idle.ts";
import { energyKwh } from "./energy-kwh.ts";
import { energyMeasured } from "./energy-measured.ts";
import { waterLitres } from "./water-litres.ts";
import type { ChargeFacts } from "./charges.ts";
import { commitmentCoverage } from "./commitment-coverage.ts";
import { commitmentUtilization } from "./commitment-utilization.ts";
import { deadIdleCost } from "./dead-idle-cost.ts";
import { effectiveSavingsRate } from "./effective-savings-rate.ts";
import { flopsPerDollarAchieved } from "./flops-per-dollar-achieved.ts";
import { flopsPerDollarEffective } from "./flops-per-dollar-effective.ts";
import { flopsPerDollarPeak } from "./flops-per-dollar-peak.ts";
import { gpuHourPrice } from "./gpu-hour-price.ts";
import { gpuHoursCost } from "./gpu-hours-cost.ts";
import type { GpuHourFacts } from "./gpu-hours-where-met.ts";
import { gpuHours } from "./gpu-hours.ts";
import { gpuSpend } from "./gpu-spend.ts";
import { gpuUtilization } from "./gpu-utilization.ts";
import { heldIdleCost } from "./held-idle-cost.ts";
import { idleAvoidableCost } from "./idle-avoidable-cost.ts";
import { idleCost } from "./idle-cost.ts";
import { idleGpuHours } from "./idle-gpu-hours.ts";
import { idleMemoryUnknownCost } from "./idle-memory-unknown-cost.ts";
import { idleSunkCost } from "./idle-sunk-cost.ts";
import { memoryOccupancy } from "./memory-occupancy.ts";
import { memoryP95 } from "./memory-p95.ts";
import { memoryPeak } from "./memory-peak.ts";
import type { Metric } from "./metric.ts";
import { productiveCost } from "./productive-cost.ts";
import { rowCount } from "./row-count.ts";
import { spendChange } from "./spend-change.ts";
import { spend } from "./spend.ts";
import { telemetryCostCoverage, telemetryCoverage } from "./telemetry-coverage.ts";
import { unknownCost } from "./unknown-cost.ts";
import { unmatchedGpuCost } from "./unmatched-gpu-cost.ts";
import { unusedCommitmentCost } from "./unused-commitment-cost.ts";
import { usefulGpuHourCost } from "./useful-gpu-hour-cost.ts";
import { usefulGpuHours } from "./useful-gpu-hours.ts";

/** Metrics of the bill, by billing month. */
export const chargeMetrics = [
  spend, spendChange, gpuSpend, gpuHours, effectiveSavingsRate, unusedCommitmentCost, commitmentUtilization, commitmentCoverage, billCoverage, rowCount,
] as const satisfies readonly Metric<ChargeFacts>[];

/** Metrics of the hours where bill and telemetry meet, by UTC hours. */
export const gpuHourMetrics = [
  gpuHoursCost, usefulGpuHours, idleGpuHours, gpuUtilization, memoryOccupancy, memoryP95, memoryPeak, productiveCost, busyInefficientCost, heldIdleCost,
  deadIdleCost, idleMemoryUnknownCost, unknownCost, idleCost, idleAvoidableCost, idleSunkCost, usefulGpuHourCost, gpuHourPrice, flopsPerDollarPeak,
  flopsPerDollarEffective, flopsPerDollarAchieved, telemetryCoverage, telemetryCostCoverage, unmatchedGpuCost,
] as const satisfies readonly Metric<GpuHourFacts>[];

/** Metrics of energy and emissions, by UTC hours. */
export const carbonMetrics = [
  energyKwh, energyGpu, energyHost, energyIdle, energyHeldIdle, energyMeasured, emissionsLocation, emissionsMarket, emissionsEmbodied, emissionsTotal, carbonPerGpuHour,
  carbonPerUsefulGpuHour, carbonPerUnitOfWork, carbonPerMoney, carbonCost, waterLitres,
] as const satisfies readonly Metric<CarbonFacts>[];

/** The metric of each name. A name without a metric, or the other way round, is found by the test beside it. */
export type AnyMetric =
  | { readonly of: "charges"; readonly metric: Metric<ChargeFacts> }
  | { readonly of: "gpu-hours"; readonly metric: Metric<GpuHourFacts> }
  | { readonly of: "carbon"; readonly metric: Metric<CarbonFacts> };
export const metrics: ReadonlyMap<MetricId, AnyMetric> = new Map<MetricId, AnyMetric>([
  ...chargeMetrics.map((metric): [MetricId, AnyMetric] => [metric.id, { of: "charges", metric }]),
  ...gpuHourMetrics.map((metric): [MetricId, AnyMetric] => [metric.id, { of: "gpu-hours", metric }]),
  ...carbonMetrics.map((metric): [MetricId, AnyMetric] => [metric.id, { of: "carbon", metric }]),
]);
