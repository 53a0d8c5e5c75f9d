import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { coverageOf, figureOf, type Metric } from "./metric.ts";

/**
 * What the GPU time of these UTC hours cost, which the four ways and the unknown divide.
 *
 * unit      the currency, effective cost
 * formula   Σ EffectiveCost of GPU charges, spread over the UTC hours they charge for
 * unknown   `null` without billed GPU-hours
 * coverage  share of the cost whose hours have telemetry
 */
export const gpuHoursCost: Metric<GpuHourFacts> = {
  id: "gpu-hours-cost",
  needs: "gpu-hours",
  addsUp: true,
  figure: ({ rows, currency }) => {
    const { costAttos, knownCostAttos } = sumGpuHours(rows);
    return figureOf("gpu-hours-cost", rows.length === 0 ? null : costAttos, currency, "billed", coverageOf(knownCostAttos, costAttos), "no-gpu-hours");
  },
  inputs: (facts) => [{ label: "metric.gpu-hours-cost.name", figure: gpuHoursCost.figure(facts) }],
};
