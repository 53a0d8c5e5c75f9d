import { flopsPerDollarPeak } from "./flops-per-dollar-peak.ts";
import type { GpuHourFacts } from "./gpu-hours-where-met.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * Work that the models needed, per money.
 *
 * unit      PFLOP (10^15) per unit of currency
 * formula   peak per dollar × model FLOPS utilization (MFU) of the jobs (maths.md e.1, e.2)
 * unknown   always, until job logs tell an MFU: GPU-Util cannot stand in for it
 */
export const flopsPerDollarAchieved: Metric<GpuHourFacts> = {
  id: "flops-per-dollar-achieved",
  needs: "gpu-hours",
  addsUp: false,
  figure: ({ currency }) => figureOf("flops-per-dollar-achieved", null, `pflop/${currency}`, "measured", 0, "not-measured"),
  inputs: (facts) => [{ label: "metric.flops-per-dollar-peak.name", figure: flopsPerDollarPeak.figure(facts) }],
};
