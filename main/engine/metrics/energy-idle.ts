import { carbonSums, input, observedEnergyFigure, type CarbonFacts } from "./carbon-facts.ts";
import { type Metric } from "./metric.ts";

/**
 * What GPUs drew while they were idle: memory held, empty, or not known. Hours without telemetry are in none of it.
 *
 * unit      kWh, of the GPUs alone
 * formula   held idle + dead idle + idle with memory unknown
 * unknown   null without telemetry
 */
export const energyIdle = {
  id: "energy-idle",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return observedEnergyFigure("energy-idle", sums, sums.heldIdleMilliwattHours + sums.deadIdleMilliwattHours + sums.idleMemoryUnknownMilliwattHours);
  },
  inputs: (facts) => {
    const sums = carbonSums(facts);
    return [
      input("metric.energy-held-idle.name", observedEnergyFigure("energy-held-idle", sums, sums.heldIdleMilliwattHours)),
      input("input.energy-dead", observedEnergyFigure("energy-idle", sums, sums.deadIdleMilliwattHours)),
      input("input.energy-idle-memory-unknown", observedEnergyFigure("energy-idle", sums, sums.idleMemoryUnknownMilliwattHours)),
    ];
  },
} as const satisfies Metric<CarbonFacts>;
