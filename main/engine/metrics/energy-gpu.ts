import { energyTiers } from "../../../shared/contract/carbon.ts";
import { carbonSums, energyBasis, energyFigure, input, type CarbonFacts } from "./carbon-facts.ts";
import { coverageOf, type Metric } from "./metric.ts";

/**
 * What the GPUs drew themselves, best source first: energy counters, power samples, a line between no load and full load by utilization,
 * and the rated maximum for hours without telemetry (model f.1). Measurements are never cut at the rated maximum.
 *
 * unit      kWh
 * formula   counters + power samples + model + rated
 * unknown   hours of GPUs whose rated power is in no table are left out and lower the coverage
 */
export const energyGpu = {
  id: "energy-gpu",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return energyFigure("energy-gpu", sums.gpuMilliwattHours, energyBasis(sums), coverageOf(sums.covered.energy, sums.gpuHours));
  },
  inputs: (facts) => {
    const { tiers } = carbonSums(facts);
    return energyTiers
      .filter((tier) => tiers[tier].gpuHours > 0)
      .map((tier) => input(`input.energy-${tier}`, energyFigure("energy-gpu", tiers[tier].milliwattHours, tier === "counter" || tier === "power" ? "measured" : "assumed", 1)));
  },
} as const satisfies Metric<CarbonFacts>;
