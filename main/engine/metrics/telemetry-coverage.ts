import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { figureOf, share, type Metric } from "./metric.ts";

/**
 * How much of the billed GPU time telemetry speaks of.
 *
 * unit      ratio, 0 to 1, by GPU-hours; by money it is `telemetryCoverageByCost`
 * formula   Σ billed GPU-hours with telemetry ÷ Σ billed GPU-hours
 * unknown   `null` without billed GPU-hours
 */
export const telemetryCoverage: Metric<GpuHourFacts> = {
  id: "telemetry-coverage",
  needs: "gpu-hours",
  addsUp: false,
  figure: ({ rows }) => {
    const { knownGpuHours, gpuHours } = sumGpuHours(rows);
    return figureOf("telemetry-coverage", share(knownGpuHours, gpuHours), "ratio", "measured", 1, "no-gpu-hours");
  },
  inputs: ({ rows, currency }) => {
    const { knownGpuHours, gpuHours, knownCostAttos, costAttos } = sumGpuHours(rows);
    return [
      { label: "input.known-gpu-hours", figure: figureOf("gpu-hours", knownGpuHours, "gpu-hours", "measured", 1) },
      { label: "input.billed-gpu-hours", figure: figureOf("gpu-hours", gpuHours, "gpu-hours", "billed", 1) },
      { label: "input.known-cost", figure: figureOf("gpu-hours-cost", knownCostAttos, currency, "billed", 1) },
      { label: "metric.gpu-hours-cost.name", figure: figureOf("gpu-hours-cost", costAttos, currency, "billed", 1) },
    ];
  },
};

/**
 * The same by money.
 *
 * unit      ratio, 0 to 1
 * formula   effective cost of the GPU time with telemetry ÷ effective cost of all GPU time
 * unknown   `null` without any cost of GPU time
 */
export const telemetryCostCoverage: Metric<GpuHourFacts> = {
  id: "telemetry-cost-coverage",
  needs: "gpu-hours",
  addsUp: false,
  figure: (facts) => figureOf("telemetry-cost-coverage", telemetryCoverageByCost(facts), "ratio", "measured", 1, facts.rows.length === 0 ? "no-gpu-hours" : "no-denominator"),
  inputs: ({ rows, currency }) => {
    const { knownCostAttos, costAttos } = sumGpuHours(rows);
    return [
      { label: "input.known-cost", figure: figureOf("gpu-hours-cost", knownCostAttos, currency, "measured", 1) },
      { label: "metric.gpu-hours-cost.name", figure: figureOf("gpu-hours-cost", costAttos, currency, "billed", 1) },
    ];
  },
};

/** Share of the effective cost of GPU time whose hours have telemetry; null without any cost. */
export function telemetryCoverageByCost({ rows }: GpuHourFacts): number | null {
  const { knownCostAttos, costAttos } = sumGpuHours(rows);
  return share(knownCostAttos, costAttos);
}
