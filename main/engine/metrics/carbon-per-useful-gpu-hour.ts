import { carbonSums, gramsPer, input, totalCoverage, whyNoEmissions, type CarbonFacts } from "./carbon-facts.ts";
import { emissionsTotal } from "./emissions-total.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * Software carbon intensity with a useful GPU-hour as the unit of work (model f.5): idle and half-used time shows here.
 *
 * unit      g CO2e/useful GPU-hour
 * formula   (location-based + embodied share) × observed share of the GPU-hours ÷ useful GPU-hours
 * unknown   null without telemetry or useful hours
 */
export const carbonPerUsefulGpuHour = {
  id: "carbon-per-useful-gpu-hour",
  needs: "carbon",
  addsUp: false,
  figure: (facts) => {
    const sums = carbonSums(facts);
    const observed = coverageOf(sums.knownGpuHours, sums.gpuHours);
    const whole = gramsPer(sums, sums.usefulGpuHours);
    const why = sums.usefulGpuHours === 0 ? "no-useful-hours" : whyNoEmissions(sums);
    return figureOf("carbon-per-useful-gpu-hour", whole === null ? null : whole * observed, "gCO2e/gpu-hour", "derived", Math.min(observed, totalCoverage(sums)), why);
  },
  inputs: (facts) => {
    const { knownGpuHours, usefulGpuHours, gpuHours } = carbonSums(facts);
    return [
      input("metric.emissions-total.name", emissionsTotal.figure(facts)),
      input("metric.telemetry-coverage.name", figureOf("telemetry-coverage", share(knownGpuHours, gpuHours), "ratio", "measured", 1, "no-gpu-hours")),
      input("metric.useful-gpu-hours.name", figureOf("useful-gpu-hours", usefulGpuHours, "gpu-hours", "measured", coverageOf(knownGpuHours, gpuHours))),
    ];
  },
} as const satisfies Metric<CarbonFacts>;
