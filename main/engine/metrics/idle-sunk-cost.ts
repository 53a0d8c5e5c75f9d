import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { idleCost } from "./idle-cost.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * Idle cost of GPUs bought for a term: it is paid until the term ends, used or not.
 *
 * unit      the currency, effective cost
 * formula   Σ idle cost of charges bought by reservation, savings plan, other commitment or capacity block (maths.md d.5); what a bill does not
 *           say how it was bought is in neither
 * unknown   `null` when no billed hour has telemetry
 */
export const idleSunkCost: Metric<GpuHourFacts> = {
  id: "idle-sunk-cost",
  needs: "gpu-hours",
  addsUp: true,
  figure: (facts) => {
    const idle = idleCost.figure(facts);
    const attos = idle.value === null ? null : sumGpuHours(facts.rows).sunkIdleAttos;
    return figureOf("idle-sunk-cost", attos, facts.currency, "measured", idle.coverage, idle.why);
  },
  inputs: (facts) => [{ label: "metric.idle-cost.name", figure: idleCost.figure(facts) }],
};
