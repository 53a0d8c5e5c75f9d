import { workPerMoney } from "./flops-per-dollar.ts";
import { flopsPerDollarPeak } from "./flops-per-dollar-peak.ts";
import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * Work that the money bought, as far as the telemetry tells.
 *
 * unit      PFLOP (10^15) per unit of currency
 * formula   peak per dollar × utilization of one counter (maths.md e.1). GPU-Util says only that some kernel ran, so this is an upper bound and its
 *           basis is *assumed*; tensor activity would make it a measurement.
 * unknown   `null` without telemetry or without a known peak
 * coverage  share of the GPU-hours with telemetry and a known peak
 */
export const flopsPerDollarEffective: Metric<GpuHourFacts> = {
  id: "flops-per-dollar-effective",
  needs: "gpu-hours",
  addsUp: false,
  figure: (facts) => {
    const { peak, activity, coverage, telemetryCoverage } = workPerMoney(facts);
    const why = facts.rows.length === 0 ? "no-gpu-hours" : coverage === 0 || peak === null ? "no-peak" : sumGpuHours(facts.rows).knownGpuHours > 0 ? "not-measured" : "no-telemetry";
    const value = peak === null || activity === null ? null : peak * activity;
    return figureOf("flops-per-dollar-effective", value, `pflop/${facts.currency}`, "assumed", telemetryCoverage, why);
  },
  inputs: (facts) => {
    const { activity, telemetryCoverage } = workPerMoney(facts);
    return [
      { label: "metric.flops-per-dollar-peak.name", figure: flopsPerDollarPeak.figure(facts) },
      { label: "input.peak-weighted-utilization", figure: figureOf("gpu-utilization", activity, "ratio", "measured", telemetryCoverage, "no-telemetry") },
    ];
  },
};
