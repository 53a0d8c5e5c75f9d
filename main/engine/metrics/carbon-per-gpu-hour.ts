import { carbonSums, gramsPer, input, totalCoverage, whyNoEmissions, type CarbonFacts } from "./carbon-facts.ts";
import { emissionsTotal } from "./emissions-total.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * Software carbon intensity with a GPU-hour billed as the unit (model f.5): location-based and embodied, whatever contracts say.
 *
 * unit      g CO2e/GPU-hour
 * formula   (location-based + embodied share) ÷ GPU-hours billed
 * unknown   null where either part is, or without GPU-hours
 */
export const carbonPerGpuHour = {
  id: "carbon-per-gpu-hour",
  needs: "carbon",
  addsUp: false,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return figureOf("carbon-per-gpu-hour", gramsPer(sums, sums.gpuHours), "gCO2e/gpu-hour", "derived", totalCoverage(sums), whyNoEmissions(sums));
  },
  inputs: (facts) => [
    input("metric.emissions-total.name", emissionsTotal.figure(facts)),
    input("input.billed-gpu-hours", figureOf("gpu-hours", carbonSums(facts).gpuHours, "gpu-hours", "billed", 1)),
  ],
} as const satisfies Metric<CarbonFacts>;
