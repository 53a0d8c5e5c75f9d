import type { GpuHourFacts, GpuHourRow } from "./gpu-hours-where-met.ts";
import { coverageOf, sumHours } from "./metric.ts";

/** 1 TFLOPS for an hour is 3.6 PFLOP. */
const PFLOP_PER_TFLOPS_HOUR = 3.6;

/**
 * What the three grades of work per money share (maths.md e.1). All in PFLOP (10^15) per unit of currency, at dense peaks of one precision.
 *
 * price      Σ effective cost ÷ Σ GPU-hours, so that peak = Σ GPU-hours × peak ÷ Σ effective cost
 * activity   Σ GPU-hours measured by the facts' one counter × its mean × peak ÷ Σ those GPU-hours × peak
 * Only accelerators whose peak the reference knows take part; `coverage` is their share of the GPU-hours.
 */
export interface WorkPerMoney {
  readonly peak: number | null;
  readonly activity: number | null;
  readonly coverage: number;
  readonly telemetryCoverage: number;
  readonly peakTflops: number | null;
}

export function workPerMoney({ rows, peakTflops, counter }: GpuHourFacts): WorkPerMoney {
  const parts = rows.flatMap((row) => {
    const peak = row.acceleratorId === null ? undefined : peakTflops.get(row.acceleratorId);
    return peak === undefined ? [] : [{ row, peak }];
  });
  const weighted = (hours: (row: GpuHourRow) => number): number => sumHours(parts.map(({ row, peak }) => hours(row) * peak));
  const pricedHours = sumHours(parts.map(({ row }) => row.pricedGpuHours));
  const cost = parts.reduce((total, { row }) => total + row.costAttos, 0n);
  const tflopsHours = weighted((row) => row.pricedGpuHours);
  const by = ({ counters }: GpuHourRow) => (counter === null ? undefined : counters[counter]);
  const known = weighted((row) => by(row)?.knownGpuHours ?? 0);
  const allHours = sumHours(rows.map((row) => row.gpuHours));
  const knownHours = sumHours(parts.map(({ row }) => by(row)?.knownGpuHours ?? 0));
  return {
    peak: cost <= 0n ? null : (tflopsHours * PFLOP_PER_TFLOPS_HOUR) / (Number(cost) / 1e18),
    activity: known === 0 ? null : weighted((row) => by(row)?.usefulGpuHours ?? 0) / known,
    coverage: coverageOf(pricedHours, allHours),
    telemetryCoverage: coverageOf(knownHours, allHours),
    peakTflops: pricedHours === 0 ? null : tflopsHours / pricedHours,
  };
}
