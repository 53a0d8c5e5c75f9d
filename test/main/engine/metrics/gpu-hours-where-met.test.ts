import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { busyInefficientCost } from "../../../../main/engine/metrics/busy-inefficient-cost.ts";
import { deadIdleCost } from "../../../../main/engine/metrics/dead-idle-cost.ts";
import { flopsPerDollarEffective } from "../../../../main/engine/metrics/flops-per-dollar-effective.ts";
import { flopsPerDollarPeak } from "../../../../main/engine/metrics/flops-per-dollar-peak.ts";
import { gpuHourPrice } from "../../../../main/engine/metrics/gpu-hour-price.ts";
import { withinScope, type GpuHourRow } from "../../../../main/engine/metrics/gpu-hours-where-met.ts";
import { gpuUtilization } from "../../../../main/engine/metrics/gpu-utilization.ts";
import { heldIdleCost } from "../../../../main/engine/metrics/held-idle-cost.ts";
import { idleAvoidableCost } from "../../../../main/engine/metrics/idle-avoidable-cost.ts";
import { idleCost } from "../../../../main/engine/metrics/idle-cost.ts";
import { idleMemoryUnknownCost } from "../../../../main/engine/metrics/idle-memory-unknown-cost.ts";
import { idleSunkCost } from "../../../../main/engine/metrics/idle-sunk-cost.ts";
import { memoryP95 } from "../../../../main/engine/metrics/memory-p95.ts";
import { productiveCost } from "../../../../main/engine/metrics/productive-cost.ts";
import { telemetryCoverage, telemetryCoverageByCost } from "../../../../main/engine/metrics/telemetry-coverage.ts";
import { unknownCost } from "../../../../main/engine/metrics/unknown-cost.ts";
import { unmatchedGpuCost } from "../../../../main/engine/metrics/unmatched-gpu-cost.ts";
import { usefulGpuHourCost } from "../../../../main/engine/metrics/useful-gpu-hour-cost.ts";
import { hourFacts, hourRow } from "./hour-row.ts";

describe("figures of hours where bill and telemetry meet", () => {
  // 8 GPU-hours seen, half busy, for 80; 2 unseen for 20.
  const seen = hourRow({ gpuHours: 8, knownGpuHours: 8, usefulGpuHours: 4, idleGpuHours: 2, costAttos: 80n, productiveAttos: 40n, busyInefficientAttos: 20n, heldIdleAttos: 15n, deadIdleAttos: 5n });
  const unseen = hourRow({ seriesId: 2, resource: "i-2", gpuHours: 2, costAttos: 20n, unknownAttos: 20n, purchaseOption: "savings-plan" });
  const facts = hourFacts([seen, unseen]);

  it("weighs utilization by GPU-hours, leaves unseen hours out, and says so in the coverage", () => {
    expect(gpuUtilization.figure(facts)).toEqual({ metric: "gpu-utilization", value: 0.5, unit: "ratio", basis: "measured", coverage: 0.8 });
    const busy = hourRow({ seriesId: 3, gpuHours: 1, knownGpuHours: 1, usefulGpuHours: 1 });
    expect(gpuUtilization.figure(hourFacts([seen, busy])).value).toBe(5 / 9); // not the mean of 0.5 and 1
    expect(gpuUtilization.bounds?.(facts)).toMatchObject({ low: { value: 0.4 }, high: { value: 0.6 } });
  });

  it("divides the cost of the seen hours by their useful ones", () => {
    expect(usefulGpuHourCost.figure(facts)).toMatchObject({ value: 20n, unit: "USD/gpu-hour", coverage: 0.8 });
    expect(usefulGpuHourCost.figure(hourFacts([unseen]))).toMatchObject({ value: null, why: "no-telemetry" });
    expect(usefulGpuHourCost.figure(hourFacts([hourRow({ gpuHours: 1, knownGpuHours: 1, costAttos: 9n, deadIdleAttos: 9n })]))).toMatchObject({ value: null, why: "no-useful-hours" });
    // All 100: over 4 useful hours if the unseen were idle, over 6 if busy.
    expect(usefulGpuHourCost.bounds?.(facts)).toMatchObject({ low: { value: 17n }, high: { value: 25n } });
  });

  it("takes idle cost from on demand and spot for avoidable, from commitments for sunk", () => {
    const sunk = hourRow({ seriesId: 3, purchaseOption: "reservation", gpuHours: 1, knownGpuHours: 1, costAttos: 7n, heldIdleAttos: 7n });
    const untold = hourRow({ seriesId: 4, purchaseOption: null, gpuHours: 1, knownGpuHours: 1, costAttos: 3n, idleMemoryUnknownAttos: 3n });
    const all = hourFacts([seen, sunk, untold]);
    expect([idleCost, idleAvoidableCost, idleSunkCost].map((metric) => metric.figure(all).value)).toEqual([30n, 20n, 7n]);
  });

  it("does not call unseen time idle, nor zero", () => {
    expect(idleCost.figure(hourFacts([unseen]))).toMatchObject({ value: null, why: "no-telemetry", coverage: 0 });
    expect(unknownCost.figure(hourFacts([unseen]))).toMatchObject({ value: 20n, coverage: 1 });
    expect(idleCost.figure(hourFacts([]))).toMatchObject({ value: null, why: "no-gpu-hours" });
    expect(idleCost.bounds?.(facts)).toMatchObject({ low: { value: 20n }, high: { value: 40n } });
  });

  it("tells gaps from resources that nothing speaks of", () => {
    const gap = hourRow({ seriesId: 5, gpuHours: 1, costAttos: 10n, unknownAttos: 10n });
    expect(unmatchedGpuCost.figure(hourFacts([seen, unseen, gap])).value).toBe(20n);
  });

  it("covers by GPU-hours and by money", () => {
    expect(telemetryCoverage.figure(facts).value).toBe(0.8);
    expect(telemetryCoverageByCost(facts)).toBe(0.8);
    expect(telemetryCoverage.figure(hourFacts([]))).toMatchObject({ value: null, why: "no-gpu-hours" });
  });

  it("prices a GPU-hour over the hours whose cost is stated", () => {
    const unpriced = hourRow({ seriesId: 6, gpuHours: 30, pricedGpuHours: 0 });
    expect(gpuHourPrice.figure(hourFacts([seen, unseen, unpriced]))).toMatchObject({ value: 10n, coverage: 0.25 });
  });

  it("reckons work per money from dense peak, price and utilization", () => {
    const hour = hourRow({ gpuHours: 1, knownGpuHours: 1, usefulGpuHours: 0.42, costAttos: 4_096_500_000_000_000_000n });
    const work = hourFacts([hour], { h100: 312 });
    expect(flopsPerDollarPeak.figure(work).value).toBeCloseTo(274.185, 3); // maths.md e-001
    expect(flopsPerDollarEffective.figure(work)).toMatchObject({ basis: "assumed", unit: "pflop/USD" });
    expect(flopsPerDollarEffective.figure(work).value).toBeCloseTo(115.158, 3);
    expect(flopsPerDollarPeak.figure(hourFacts([hour]))).toMatchObject({ value: null, why: "no-peak" });
    expect(flopsPerDollarEffective.figure(hourFacts([hourRow({ gpuHours: 1, costAttos: 1n })], { h100: 312 }))).toMatchObject({ value: null, why: "no-telemetry" });
  });

  it("finds the memory level of 95 % of the time", () => {
    const levels = [{ gpuModel: "H100", host: "a", seconds: 95, p95: 0.4, peak: 0.5 }, { gpuModel: "H100", host: "a", seconds: 5, p95: 0.9, peak: 1 }];
    expect(memoryP95.figure({ ...facts, memoryLevels: () => levels }).value).toBe(0.4);
    expect(memoryP95.figure({ ...facts, memoryLevels: () => [{ ...levels[1]!, seconds: 6 }, levels[0]!] }).value).toBe(0.9);
    expect(memoryP95.figure(facts)).toMatchObject({ value: null, why: "no-telemetry" });
  });

  it("splits money six ways that add up, in any order of rows, and parts of a scope add up to the whole", () => {
    const parts = fc.tuple(...(new Array(6).fill(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })) as fc.Arbitrary<bigint>[]));
    const rows = fc.array(
      fc.record({ parts, team: fc.constantFrom("a", "b", null), hours: fc.double({ min: 0, max: 1e5, noNaN: true }) }).map(({ parts: amounts, team, hours }): GpuHourRow => {
        const [productiveAttos, busyInefficientAttos, heldIdleAttos, deadIdleAttos, idleMemoryUnknownAttos, unknownAttos] = amounts as [bigint, bigint, bigint, bigint, bigint, bigint];
        const costAttos = amounts.reduce((sum, amount) => sum + amount, 0n);
        return hourRow({ team, gpuHours: hours, knownGpuHours: hours / 2, usefulGpuHours: hours / 3, costAttos, productiveAttos, busyInefficientAttos, heldIdleAttos, deadIdleAttos, idleMemoryUnknownAttos, unknownAttos });
      }),
      { minLength: 1, maxLength: 20 },
    );
    const ways = [productiveCost, busyInefficientCost, heldIdleCost, deadIdleCost, idleMemoryUnknownCost, unknownCost];
    fc.assert(
      fc.property(rows, (list) => {
        const whole = hourFacts(list);
        const cost = list.reduce((sum, { costAttos }) => sum + costAttos, 0n);
        if (list.some(({ knownGpuHours }) => knownGpuHours > 0)) expect(ways.reduce((sum, way) => sum + (way.figure(whole).value as bigint), 0n)).toBe(cost);
        expect(gpuUtilization.figure(hourFacts([...list].reverse()))).toEqual(gpuUtilization.figure(whole));
        const byTeam = ["a", "b", null].map((team) => withinScope(list, "USD", { team: [team] }));
        expect(byTeam.flat().length).toBe(list.length);
        expect(withinScope(list, "EUR", {})).toEqual([]);
      }),
    );
  });
});
