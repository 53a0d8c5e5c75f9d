import { mostMeasured, type GpuHourFacts, type GpuHourRow } from "../../../../main/engine/metrics/gpu-hours-where-met.ts";

/** One series' GPU-hours; what is left out is 0 or absent. Its parts must add up to its cost, as the store's do. */
export function hourRow(change: Partial<GpuHourRow>): GpuHourRow {
  return {
    seriesId: 1, currency: "USD", provider: "AWS", account: null, team: "vision", service: null, region: null, gpuModel: "H100", acceleratorId: "h100", purchaseOption: "on-demand",
    resource: "i-1", hourCount: 1, gpuHours: 0, knownGpuHours: 0, usefulGpuHours: 0, idleGpuHours: 0, memoryKnownGpuHours: 0, memoryUsedGpuHours: 0,
    pricedGpuHours: change.gpuHours ?? 0, pricedUsefulGpuHours: change.usefulGpuHours ?? 0, costAttos: 0n, productiveAttos: 0n, busyInefficientAttos: 0n, heldIdleAttos: 0n, deadIdleAttos: 0n,
    idleMemoryUnknownAttos: 0n, unknownAttos: 0n,
    counters: (change.knownGpuHours ?? 0) === 0 ? {} : { utilization: { knownGpuHours: change.knownGpuHours ?? 0, usefulGpuHours: change.usefulGpuHours ?? 0 } },
    ...change,
  };
}

export function hourFacts(rows: readonly GpuHourRow[], peaks: Readonly<Record<string, number>> = {}): GpuHourFacts {
  return { currency: "USD", rows, counter: mostMeasured(rows), peakTflops: new Map(Object.entries(peaks)), memoryLevels: () => [] };
}
