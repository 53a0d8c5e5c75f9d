import { carbonSums, input, kilograms, spanBounds, type CarbonFacts } from "./carbon-facts.ts";
import { coverageOf, figureOf, type Metric } from "./metric.ts";

/**
 * The share of making the hardware that the hours reserved carry, busy or not (model f.4). A range more than a number: sources differ by four.
 *
 * unit      kg CO2e
 * formula   Σ kg for each GPU, its part of the server included × GPU-hours ÷ hours of use over its life
 * unknown   null where no factor fits
 */
export const emissionsEmbodied = {
  id: "emissions-embodied",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    const value = kilograms(sums.embodiedMicrograms?.central ?? null);
    return figureOf("emissions-embodied", value, "kgCO2e", "assumed", coverageOf(sums.covered.embodied, sums.gpuHours), sums.gpuHours === 0 ? "no-gpu-hours" : "no-embodied-factor");
  },
  inputs: (facts) => {
    const { covered, embodiedMicrograms } = carbonSums(facts);
    const perHour = embodiedMicrograms === null || covered.embodied === 0 ? null : Number(embodiedMicrograms.central) / 1e6 / covered.embodied;
    return [
      input("input.billed-gpu-hours", figureOf("gpu-hours", covered.embodied, "gpu-hours", "billed", 1)),
      input("input.embodied-per-hour", figureOf("emissions-embodied", perHour, "gCO2e/gpu-hour", "assumed", 1, "no-embodied-factor")),
    ];
  },
  bounds: (facts) => {
    const { embodiedMicrograms, covered, gpuHours } = carbonSums(facts);
    return spanBounds("emissions-embodied", embodiedMicrograms, coverageOf(covered.embodied, gpuHours));
  },
} as const satisfies Metric<CarbonFacts>;
