import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * How full the GPUs' memory was.
 *
 * unit      ratio, 0 to 1
 * formula   Σ GPU-hours with a memory reading × share of the card's memory used ÷ Σ those GPU-hours
 * unknown   `null` when no billed hour has a memory reading
 * coverage  share of the billed GPU-hours with a memory reading
 */
export const memoryOccupancy: Metric<GpuHourFacts> = {
  id: "memory-occupancy",
  needs: "gpu-hours",
  addsUp: false,
  figure: ({ rows }) => {
    const { memoryUsedGpuHours, memoryKnownGpuHours, gpuHours } = sumGpuHours(rows);
    const why = gpuHours === 0 ? "no-gpu-hours" : "no-telemetry";
    return figureOf("memory-occupancy", share(memoryUsedGpuHours, memoryKnownGpuHours), "ratio", "measured", coverageOf(memoryKnownGpuHours, gpuHours), why);
  },
  inputs: ({ rows }) => {
    const { memoryUsedGpuHours, memoryKnownGpuHours } = sumGpuHours(rows);
    return [
      { label: "input.memory-used-gpu-hours", figure: figureOf("memory-occupancy", memoryUsedGpuHours, "gpu-hours", "measured", 1) },
      { label: "input.memory-known-gpu-hours", figure: figureOf("gpu-hours", memoryKnownGpuHours, "gpu-hours", "measured", 1) },
    ];
  },
};
