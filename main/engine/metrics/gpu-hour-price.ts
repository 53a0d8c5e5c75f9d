import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { attosPerHour, coverageOf, figureOf, type Metric } from "./metric.ts";

/**
 * What one billed GPU-hour cost, used or not.
 *
 * unit      the currency per GPU-hour
 * formula   Σ effective cost ÷ Σ billed GPU-hours whose cost is stated (maths.md d.5)
 * unknown   `null` without billed GPU-hours
 * coverage  share of the billed GPU-hours whose cost is stated
 */
export const gpuHourPrice: Metric<GpuHourFacts> = {
  id: "gpu-hour-price",
  needs: "gpu-hours",
  addsUp: false,
  figure: ({ rows, currency }) => {
    const { costAttos, pricedGpuHours, gpuHours } = sumGpuHours(rows);
    return figureOf("gpu-hour-price", attosPerHour(costAttos, pricedGpuHours), `${currency}/gpu-hour`, "derived", coverageOf(pricedGpuHours, gpuHours), "no-gpu-hours");
  },
  inputs: ({ rows, currency }) => {
    const { costAttos, pricedGpuHours } = sumGpuHours(rows);
    return [
      { label: "metric.gpu-hours-cost.name", figure: figureOf("gpu-hours-cost", costAttos, currency, "billed", 1) },
      { label: "input.billed-gpu-hours", figure: figureOf("gpu-hours", pricedGpuHours, "gpu-hours", "billed", 1) },
    ];
  },
};
