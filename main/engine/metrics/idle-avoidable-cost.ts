import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { idleCost } from "./idle-cost.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * Idle cost of GPUs bought on demand or as spot: it ends when they are stopped.
 *
 * unit      the currency, effective cost
 * formula   Σ idle cost of charges whose purchase option is on-demand or spot (maths.md d.5); what a bill does not
 *           say how it was bought is in neither
 * unknown   `null` when no billed hour has telemetry
 */
export const idleAvoidableCost: Metric<GpuHourFacts> = {
  id: "idle-avoidable-cost",
  needs: "gpu-hours",
  addsUp: true,
  figure: (facts) => {
    const idle = idleCost.figure(facts);
    const attos = idle.value === null ? null : sumGpuHours(facts.rows).avoidableIdleAttos;
    return figureOf("idle-avoidable-cost", attos, facts.currency, "measured", idle.coverage, idle.why);
  },
  inputs: (facts) => [{ label: "metric.idle-cost.name", figure: idleCost.figure(facts) }],
};
