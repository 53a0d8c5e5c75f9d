import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { coverageOf, figureOf, type Bounds, type Metric } from "./metric.ts";

/**
 * GPU-hours of work: billed hours with telemetry × how busy the GPU was in them.
 *
 * unit      GPU-hours
 * formula   Σ known GPU-hours × how busy the hour was (maths.md d.6), by the counter that its idle states go by: a sum of work, no average
 *           of counters; where two of them are in it, the page says so
 * unknown   `null` when no billed hour has telemetry
 * coverage  share of the billed GPU-hours with telemetry
 * range     hours without telemetry at 0 % and at 100 %
 */
export const usefulGpuHours: Metric<GpuHourFacts> = {
  id: "useful-gpu-hours",
  needs: "gpu-hours",
  addsUp: true,
  figure: (facts) => usefulFigure(facts, sumGpuHours(facts.rows).usefulGpuHours),
  inputs: (facts) => {
    const { gpuHours, knownGpuHours } = sumGpuHours(facts.rows);
    return [
      { label: "input.billed-gpu-hours", figure: figureOf("gpu-hours", gpuHours, "gpu-hours", "billed", 1) },
      { label: "input.known-gpu-hours", figure: figureOf("gpu-hours", knownGpuHours, "gpu-hours", "measured", 1) },
      { label: "metric.useful-gpu-hours.name", figure: usefulGpuHours.figure(facts) },
    ];
  },
  bounds: (facts): Bounds | null => {
    const { gpuHours, knownGpuHours, usefulGpuHours: useful } = sumGpuHours(facts.rows);
    if (knownGpuHours >= gpuHours) return null;
    return { low: usefulFigure(facts, useful), high: usefulFigure(facts, useful + gpuHours - knownGpuHours) };
  },
};

function usefulFigure(facts: GpuHourFacts, hours: number): ReturnType<Metric<GpuHourFacts>["figure"]> {
  const { gpuHours, knownGpuHours } = sumGpuHours(facts.rows);
  const why = gpuHours === 0 ? "no-gpu-hours" : "no-telemetry";
  return figureOf("useful-gpu-hours", knownGpuHours === 0 ? null : hours, "gpu-hours", "measured", coverageOf(knownGpuHours, gpuHours), why);
}
