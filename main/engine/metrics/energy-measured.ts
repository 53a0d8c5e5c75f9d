import { carbonSums, energyFigure, input, type CarbonFacts } from "./carbon-facts.ts";
import { energyGpu } from "./energy-gpu.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * How much of the GPUs' energy was measured, by counters or power samples: grades A and B.
 *
 * unit      ratio, 0 to 1
 * formula   (counters + power samples) ÷ GPU energy
 * unknown   null where no energy is known
 */
export const energyMeasured = {
  id: "energy-measured",
  needs: "carbon",
  addsUp: false,
  figure: (facts) => {
    const { tiers, gpuMilliwattHours: all, covered, gpuHours } = carbonSums(facts);
    const measured = tiers.counter.milliwattHours + tiers.power.milliwattHours;
    return figureOf("energy-measured", all === null ? null : share(measured, all), "ratio", "measured", coverageOf(covered.energy, gpuHours), "no-energy");
  },
  inputs: (facts) => {
    const { tiers } = carbonSums(facts);
    return [
      input("input.energy-counter", energyFigure("energy-gpu", tiers.counter.milliwattHours, "measured", 1)),
      input("input.energy-power", energyFigure("energy-gpu", tiers.power.milliwattHours, "measured", 1)),
      input("metric.energy-gpu.name", energyGpu.figure(facts)),
    ];
  },
} as const satisfies Metric<CarbonFacts>;
