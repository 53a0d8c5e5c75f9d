import type { Figure } from "../../../shared/domain/figure.ts";
import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { attosPerHour, coverageOf, figureOf, type Metric } from "./metric.ts";

/**
 * What one GPU-hour of work cost.
 *
 * unit      the currency per GPU-hour
 * formula   Σ effective cost of the hours with telemetry ÷ Σ those GPU-hours × how busy each was, by the counter of its own day (maths.md d.6)
 * unknown   `null` when no billed hour has telemetry, or all of them did nothing
 * coverage  share of the billed GPU-hours with telemetry
 * range     the cost of all hours, those without telemetry taken as all busy and as all idle
 */
export const usefulGpuHourCost: Metric<GpuHourFacts> = {
  id: "useful-gpu-hour-cost",
  needs: "gpu-hours",
  addsUp: false,
  figure: (facts) => {
    const { knownCostAttos, pricedUsefulGpuHours } = sumGpuHours(facts.rows);
    return perHour(facts, knownCostAttos, pricedUsefulGpuHours);
  },
  inputs: ({ rows, currency }) => {
    const { knownCostAttos, costAttos, knownGpuHours, gpuHours, pricedUsefulGpuHours } = sumGpuHours(rows);
    const coverage = coverageOf(knownGpuHours, gpuHours);
    return [
      { label: "input.known-cost", figure: figureOf("gpu-hours-cost", knownCostAttos, currency, "billed", coverageOf(knownCostAttos, costAttos)) },
      { label: "input.known-gpu-hours", figure: figureOf("gpu-hours", knownGpuHours, "gpu-hours", "measured", coverage) },
      { label: "metric.useful-gpu-hours.name", figure: figureOf("useful-gpu-hours", pricedUsefulGpuHours, "gpu-hours", "derived", coverage) },
    ];
  },
  bounds: (facts) => {
    const { costAttos, unknownAttos, gpuHours, knownGpuHours, pricedUsefulGpuHours } = sumGpuHours(facts.rows);
    if (knownGpuHours >= gpuHours || unknownAttos === 0n) return null;
    const low = perHour(facts, costAttos, pricedUsefulGpuHours + gpuHours - knownGpuHours);
    const high = perHour(facts, costAttos, pricedUsefulGpuHours);
    return low.value === null || high.value === null ? null : { low, high };
  },
};

function perHour({ rows, currency }: GpuHourFacts, attos: bigint, hours: number): Figure {
  const { knownGpuHours, gpuHours } = sumGpuHours(rows);
  const why = gpuHours === 0 ? "no-gpu-hours" : knownGpuHours === 0 ? "no-telemetry" : "no-useful-hours";
  const value = knownGpuHours === 0 ? null : attosPerHour(attos, hours);
  return figureOf("useful-gpu-hour-cost", value, `${currency}/gpu-hour`, "derived", coverageOf(knownGpuHours, gpuHours), why);
}
