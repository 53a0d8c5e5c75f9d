import { workPerMoney } from "./flops-per-dollar.ts";
import type { GpuHourFacts } from "./gpu-hours-where-met.ts";
import { figureOf, type Metric } from "./metric.ts";
import { gpuHourPrice } from "./gpu-hour-price.ts";

/**
 * Work that the money could have bought at the data sheet's peak. No chip reaches it.
 *
 * unit      PFLOP (10^15) per unit of currency
 * formula   dense peak TFLOPS of the precision × 3.6 ÷ price per GPU-hour (maths.md e.1)
 * unknown   `null` when the reference knows no peak of this precision, or nothing was paid
 * coverage  share of the GPU-hours whose accelerator has a known peak
 */
export const flopsPerDollarPeak: Metric<GpuHourFacts> = {
  id: "flops-per-dollar-peak",
  needs: "gpu-hours",
  addsUp: false,
  figure: (facts) => {
    const { peak, coverage } = workPerMoney(facts);
    const value = coverage === 0 ? null : peak;
    return figureOf("flops-per-dollar-peak", value, `pflop/${facts.currency}`, "derived", coverage, facts.rows.length === 0 ? "no-gpu-hours" : "no-peak");
  },
  inputs: (facts) => [
    { label: "input.peak-tflops", figure: figureOf("flops-per-dollar-peak", workPerMoney(facts).peakTflops, "tflops", "derived", 1, "no-peak") },
    { label: "metric.gpu-hour-price.name", figure: gpuHourPrice.figure(facts) },
  ],
};
