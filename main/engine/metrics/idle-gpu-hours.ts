import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { coverageOf, figureOf, type Metric } from "./metric.ts";

/**
 * Billed GPU-hours that were idle: at or under the idle threshold for the minimum time and longer.
 *
 * unit      GPU-hours
 * formula   Σ hours in held idle, dead idle, and idle with memory unknown (maths.md d.3, d.4)
 * unknown   `null` when no billed hour has telemetry
 * coverage  share of the billed GPU-hours with telemetry
 */
export const idleGpuHours: Metric<GpuHourFacts> = {
  id: "idle-gpu-hours",
  needs: "gpu-hours",
  addsUp: true,
  figure: ({ rows }) => {
    const { gpuHours, knownGpuHours, idleGpuHours: idle } = sumGpuHours(rows);
    const why = gpuHours === 0 ? "no-gpu-hours" : "no-telemetry";
    return figureOf("idle-gpu-hours", knownGpuHours === 0 ? null : idle, "gpu-hours", "measured", coverageOf(knownGpuHours, gpuHours), why);
  },
  inputs: ({ rows }) => {
    const { gpuHours, knownGpuHours } = sumGpuHours(rows);
    return [
      { label: "input.billed-gpu-hours", figure: figureOf("gpu-hours", gpuHours, "gpu-hours", "billed", 1) },
      { label: "input.known-gpu-hours", figure: figureOf("gpu-hours", knownGpuHours, "gpu-hours", "measured", 1) },
    ];
  },
};
