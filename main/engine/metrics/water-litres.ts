import { carbonSums, energyFigure, input, type CarbonFacts } from "./carbon-facts.ts";
import { coverageOf, figureOf, type Metric } from "./metric.ts";

/**
 * Water that the sites used for it, where the provider states his use.
 *
 * unit      litres
 * formula   Σ (GPU energy + host energy) × litres for each kWh
 * unknown   rows without a stated use are left out and lower the coverage
 */
export const waterLitres = {
  id: "water-litres",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    const value = sums.waterMicrolitres === null ? null : Number(sums.waterMicrolitres) / 1e6;
    return figureOf("water-litres", value, "litres", "derived", coverageOf(sums.covered.water, sums.gpuHours), sums.gpuHours === 0 ? "no-gpu-hours" : "no-water-factor");
  },
  inputs: (facts) => [input("input.energy-it", energyFigure("energy-kwh", carbonSums(facts).itMilliwattHours, "derived", 1))],
} as const satisfies Metric<CarbonFacts>;
