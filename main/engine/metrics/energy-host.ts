import { carbonSums, energyFigure, input, type CarbonFacts } from "./carbon-facts.ts";
import { coverageOf, figureOf, type Metric } from "./metric.ts";

/**
 * What the machines around the GPUs drew: CPU, memory and network of the machine type. A model, always; for every hour reserved.
 *
 * unit      kWh
 * formula   Σ GPU-hours × watts of the host for each GPU
 * unknown   left out, and out of the coverage, where the machine type is not known
 */
export const energyHost = {
  id: "energy-host",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return energyFigure("energy-host", sums.hostMilliwattHours, "assumed", coverageOf(sums.covered.host, sums.gpuHours));
  },
  inputs: (facts) => {
    const { covered, hostMilliwattHours } = carbonSums(facts);
    return [
      input("input.host-gpu-hours", figureOf("gpu-hours", covered.host, "gpu-hours", "billed", 1)),
      input("input.host-watts", figureOf("energy-host", hostMilliwattHours === null || covered.host === 0 ? null : Number(hostMilliwattHours) / 1000 / covered.host, "watts", "assumed", 1, "no-energy")),
    ];
  },
} as const satisfies Metric<CarbonFacts>;
