import { describe, expect, it } from "vitest";
import { flopsPerDollarEffective } from "../../../../main/engine/metrics/flops-per-dollar-effective.ts";
import { mostMeasured } from "../../../../main/engine/metrics/gpu-hours-where-met.ts";
import { gpuUtilization } from "../../../../main/engine/metrics/gpu-utilization.ts";
import { hourFacts, hourRow } from "./hour-row.ts";

const counted = (knownGpuHours: number, usefulGpuHours: number) => ({ knownGpuHours, usefulGpuHours });
/** 60 hours by GPU-Util at 90 %, 40 hours by the engine's counter at 20 %, 10 hours that nothing saw. */
const smi = hourRow({ seriesId: 1, gpuHours: 60, knownGpuHours: 60, usefulGpuHours: 54, counters: { utilization: counted(60, 54) } });
const dcgm = hourRow({ seriesId: 2, gpuHours: 40, knownGpuHours: 40, usefulGpuHours: 8, counters: { "engine-active": counted(40, 8), "sm-active": counted(40, 6) } });
const dark = hourRow({ seriesId: 3, gpuHours: 10 });

describe("utilization is one counter's", () => {
  it("is held to the one that measured most, and what the other measured is unknown to it", () => {
    const facts = hourFacts([smi, dcgm, dark]);
    expect(facts.counter).toBe("utilization");
    // 54 of 60 hours; 60 of 110 billed hours. The mean of both, 62 %, is nowhere.
    expect(gpuUtilization.figure(facts)).toMatchObject({ value: 0.9, coverage: 60 / 110 });
    expect(gpuUtilization.bounds?.(facts)).toMatchObject({ low: { value: 54 / 110 }, high: { value: (54 + 50) / 110 } });
  });

  it("is the person's choice where there is one, also where it covers less", () => {
    expect(gpuUtilization.figure({ ...hourFacts([smi, dcgm, dark]), counter: "engine-active" })).toMatchObject({ value: 0.2, coverage: 40 / 110 });
    expect(gpuUtilization.figure({ ...hourFacts([smi, dcgm, dark]), counter: "sm-active" })).toMatchObject({ value: 0.15, coverage: 40 / 110 });
  });

  it("is unknown, not zero, for a part that only another counter measured, and says that it was seen", () => {
    const { counter } = hourFacts([smi, dcgm, dark]);
    expect(gpuUtilization.figure({ ...hourFacts([dcgm]), counter })).toMatchObject({ value: null, coverage: 0, why: "not-measured" });
    expect(gpuUtilization.figure({ ...hourFacts([dark]), counter })).toMatchObject({ value: null, coverage: 0, why: "no-telemetry" });
  });

  it("is the engine's where both measured as much, a few samples apart", () => {
    const both = hourRow({ gpuHours: 10_000, knownGpuHours: 9_995, usefulGpuHours: 1, counters: { utilization: counted(10_000, 9_000), "engine-active": counted(9_995, 1) } });
    expect(mostMeasured([both])).toBe("engine-active");
    expect(mostMeasured([{ ...both, counters: { utilization: counted(10_000, 9_000), "engine-active": counted(9_900, 1) } }])).toBe("utilization");
  });

  it("is never the counter of hours whose counter was not kept", () => {
    const old = hourRow({ gpuHours: 100, knownGpuHours: 100, usefulGpuHours: 50, counters: { unknown: counted(100, 0) } });
    expect(mostMeasured([old])).toBeNull();
    expect(mostMeasured([old, dcgm])).toBe("engine-active");
    expect(gpuUtilization.figure(hourFacts([old]))).toMatchObject({ value: null, coverage: 0, why: "not-measured" });
  });

  it("weighs the effective work of a dollar too", () => {
    const priced = (row: typeof smi) => ({ ...row, acceleratorId: "h100", pricedGpuHours: row.gpuHours, costAttos: BigInt(row.gpuHours) * 2n * 10n ** 18n });
    // 100 TFLOPS at 2 dollars an hour are 180 PFLOP a dollar; nine tenths of them by GPU-Util.
    expect(flopsPerDollarEffective.figure(hourFacts([smi, dcgm].map(priced), { h100: 100 })).value).toBeCloseTo(162, 9);
  });
});
