import type { GpuHourFacts } from "./gpu-hours-where-met.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * The fullest that any card's memory ever was.
 *
 * unit      ratio, 0 to 1
 * formula   the highest reading of memory used ÷ memory of the card
 * unknown   `null` without a memory reading
 */
export const memoryPeak: Metric<GpuHourFacts> = {
  id: "memory-peak",
  needs: "gpu-hours",
  addsUp: false,
  figure: ({ memoryLevels }) => {
    const peaks = memoryLevels().flatMap(({ peak }) => (peak === null ? [] : [peak]));
    const highest = peaks.length === 0 ? null : peaks.reduce((high, peak) => Math.max(high, peak));
    return figureOf("memory-peak", highest, "ratio", "measured", peaks.length === 0 ? 0 : 1, "no-telemetry");
  },
  inputs: (facts) => [{ label: "metric.memory-peak.name", figure: memoryPeak.figure(facts) }],
};
