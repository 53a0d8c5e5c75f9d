import { carbonSums, input, observedEnergyFigure, type CarbonFacts } from "./carbon-facts.ts";
import { energyIdle } from "./energy-idle.ts";
import { type Metric } from "./metric.ts";

/**
 * What idle GPUs drew that held memory: warm, perhaps on purpose, and doing nothing.
 *
 * unit      kWh, of the GPUs alone
 * formula   Σ energy of idle time with memory held
 * unknown   null without telemetry
 */
export const energyHeldIdle = {
  id: "energy-held-idle",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return observedEnergyFigure("energy-held-idle", sums, sums.heldIdleMilliwattHours);
  },
  inputs: (facts) => [input("metric.energy-idle.name", energyIdle.figure(facts))],
} as const satisfies Metric<CarbonFacts>;
