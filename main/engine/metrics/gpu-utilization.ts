import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * How busy the GPUs were, as GPU-Util says: the share of time in which any kernel ran.
 *
 * unit      ratio, 0 to 1
 * formula   Σ known GPU-hours × mean utilization ÷ Σ known GPU-hours; every known GPU-hour weighs the same, never the mean of
 *           machines' means (maths.md d.6)
 * unknown   `null` when no billed hour has telemetry
 * coverage  share of the billed GPU-hours with telemetry
 * range     hours without telemetry at 0 % and at 100 %
 */
export const gpuUtilization: Metric<GpuHourFacts> = {
  id: "gpu-utilization",
  needs: "gpu-hours",
  addsUp: false,
  figure: (facts) => {
    const { usefulGpuHours, knownGpuHours } = sumGpuHours(facts.rows);
    return utilizationFigure(facts, share(usefulGpuHours, knownGpuHours));
  },
  inputs: ({ rows }) => {
    const { usefulGpuHours, knownGpuHours, gpuHours } = sumGpuHours(rows);
    const coverage = coverageOf(knownGpuHours, gpuHours);
    return [
      { label: "metric.useful-gpu-hours.name", figure: figureOf("useful-gpu-hours", usefulGpuHours, "gpu-hours", "measured", coverage) },
      { label: "input.known-gpu-hours", figure: figureOf("gpu-hours", knownGpuHours, "gpu-hours", "measured", 1) },
    ];
  },
  bounds: (facts) => {
    const { usefulGpuHours, knownGpuHours, gpuHours } = sumGpuHours(facts.rows);
    if (knownGpuHours >= gpuHours) return null;
    return {
      low: utilizationFigure(facts, share(usefulGpuHours, gpuHours)),
      high: utilizationFigure(facts, share(usefulGpuHours + gpuHours - knownGpuHours, gpuHours)),
    };
  },
};

function utilizationFigure({ rows }: GpuHourFacts, value: number | null): ReturnType<Metric<GpuHourFacts>["figure"]> {
  const { knownGpuHours, gpuHours } = sumGpuHours(rows);
  const why = gpuHours === 0 ? "no-gpu-hours" : "no-telemetry";
  return figureOf("gpu-utilization", value, "ratio", "measured", coverageOf(knownGpuHours, gpuHours), why);
}
