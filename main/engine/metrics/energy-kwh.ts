import { carbonSums, energyBasis, energyFigure, input, type CarbonFacts } from "./carbon-facts.ts";
import { energyGpu } from "./energy-gpu.ts";
import { energyHost } from "./energy-host.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * What the sites drew for the GPUs: GPUs, the host around them, cooling and losses.
 *
 * unit      kWh
 * formula   (GPU energy + host energy) × PUE, row by row (model f.2)
 * unknown   null where no power is known at all
 */
export const energyKwh = {
  id: "energy-kwh",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return energyFigure("energy-kwh", sums.facilityMilliwattHours, energyBasis(sums) === "assumed" ? "assumed" : "derived", coverageOf(sums.covered.energy, sums.gpuHours));
  },
  inputs: (facts) => {
    const { facilityMilliwattHours: facility, itMilliwattHours: it } = carbonSums(facts);
    return [
      input("metric.energy-gpu.name", energyGpu.figure(facts)),
      input("metric.energy-host.name", energyHost.figure(facts)),
      input("input.pue-weighted", figureOf("energy-kwh", facility === null || it === null ? null : share(facility, it), "pue", "derived", 1, "no-energy")),
    ];
  },
} as const satisfies Metric<CarbonFacts>;
