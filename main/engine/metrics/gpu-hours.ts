import type { ChargeFacts } from "./charges.ts";
import { isGpu } from "./gpu-spend.ts";
import { coverageOf, figureOf, sumHours, type Metric } from "./metric.ts";

/**
 * GPU-hours the bill charges for: hours of a machine × its accelerators, by billing month.
 *
 * unit      GPU-hours
 * formula   Σ quantity in hours × accelerators of the instance type, over GPU charges
 * unknown   `null` when no GPU charge tells its hours
 * coverage  share of the rows of GPU charges that tell their hours and accelerators
 */
export const gpuHours: Metric<ChargeFacts> = {
  id: "gpu-hours",
  needs: "charges",
  addsUp: true,
  figure: (facts) => {
    const gpu = facts.rows.filter(isGpu);
    const known = gpu.flatMap(({ gpuHours: hours }) => (hours === null ? [] : [hours]));
    const rowCount = gpu.reduce((count, row) => count + row.rowCount, 0);
    const rowsWithHours = gpu.reduce((count, row) => count + row.rowsWithHours, 0);
    const why = facts.rows.length === 0 ? "no-bill" : "no-gpu-hours";
    return figureOf("gpu-hours", known.length === 0 ? null : sumHours(known), "gpu-hours", "billed", coverageOf(rowsWithHours, rowCount), why);
  },
  inputs: (facts) => [{ label: "metric.gpu-hours.name", figure: gpuHours.figure(facts) }],
};
