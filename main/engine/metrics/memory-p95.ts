import type { GpuHourFacts } from "./gpu-hours-where-met.ts";
import { figureOf, sumHours, type Metric } from "./metric.ts";

/**
 * The memory level that cards stayed at or under 95 % of the time.
 *
 * unit      ratio, 0 to 1
 * formula   each device hour by the 95th percentile of its readings; the lowest level that hours of 95 % of the time stay at or under,
 *           to a hundredth of a percent and never above the peak
 * unknown   `null` without a memory reading
 */
export const memoryP95: Metric<GpuHourFacts> = {
  id: "memory-p95",
  needs: "gpu-hours",
  addsUp: false,
  figure: ({ memoryLevels }) => {
    const levels = memoryLevels();
    return figureOf("memory-p95", levelOf(levels), "ratio", "measured", levels.length === 0 ? 0 : 1, "no-telemetry");
  },
  inputs: (facts) => [{ label: "metric.memory-p95.name", figure: memoryP95.figure(facts) }],
};

function levelOf(levels: ReturnType<GpuHourFacts["memoryLevels"]>): number | null {
  const known = levels.filter((level): level is typeof level & { p95: number; peak: number } => level.p95 !== null && level.peak !== null).sort((a, b) => a.p95 - b.p95);
  const all = sumHours(known.map(({ seconds }) => seconds));
  const highest = known.reduce((high, { peak }) => Math.max(high, peak), 0);
  let reached = 0;
  for (const { seconds, p95 } of known) {
    reached += seconds;
    if (reached >= 0.95 * all) return Math.min(p95, highest);
  }
  return null;
}
