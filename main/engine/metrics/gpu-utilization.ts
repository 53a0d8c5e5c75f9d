import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * How busy the GPUs were, as one counter says. Counters mean different things, so hours that only another counter measured are not in it:
 * they are unknown to this figure and lower its coverage.
 *
 * unit      ratio, 0 to 1
 * formula   Σ GPU-hours measured by the counter × its mean ÷ Σ those GPU-hours; every one weighs the same, never the mean of machines'
 *           means (maths.md d.1, d.6)
 * counter   the person's choice, else of GR engine active and GPU-Util the one that measured most of the period's GPU-hours
 * unknown   `null` when no billed hour was measured by the counter
 * coverage  share of the billed GPU-hours that the counter measured
 * range     hours that it did not measure at 0 % and at 100 %
 */
export const gpuUtilization: Metric<GpuHourFacts> = {
  id: "gpu-utilization",
  needs: "gpu-hours",
  addsUp: false,
  figure: (facts) => {
    const { useful, known } = measured(facts);
    return utilizationFigure(facts, share(useful, known));
  },
  inputs: (facts) => {
    const { useful, known, billed } = measured(facts);
    const coverage = coverageOf(known, billed);
    return [
      { label: "input.counted-useful", figure: figureOf("useful-gpu-hours", useful, "gpu-hours", "measured", coverage) },
      { label: "input.counted-hours", figure: figureOf("gpu-hours", known, "gpu-hours", "measured", 1) },
    ];
  },
  bounds: (facts) => {
    const { useful, known, billed } = measured(facts);
    if (known >= billed) return null;
    return { low: utilizationFigure(facts, share(useful, billed)), high: utilizationFigure(facts, share(useful + billed - known, billed)) };
  },
};

/** What the counter measured of the billed GPU-hours. */
function measured({ rows, counter }: GpuHourFacts): { readonly useful: number; readonly known: number; readonly billed: number } {
  const { counters, gpuHours } = sumGpuHours(rows);
  const own = counter === null ? undefined : counters[counter];
  return { useful: own?.usefulGpuHours ?? 0, known: own?.knownGpuHours ?? 0, billed: gpuHours };
}

function utilizationFigure(facts: GpuHourFacts, value: number | null): ReturnType<Metric<GpuHourFacts>["figure"]> {
  const { known, billed } = measured(facts);
  // Seen, but not by this counter, is something else than not seen.
  const why = billed === 0 ? "no-gpu-hours" : sumGpuHours(facts.rows).knownGpuHours > 0 ? "not-measured" : "no-telemetry";
  return figureOf("gpu-utilization", value, "ratio", "measured", coverageOf(known, billed), why);
}
