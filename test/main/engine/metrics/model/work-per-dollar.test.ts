import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flopsPerDollar, modelFlopsUtilization, trainingRun } from "../../../../../main/engine/metrics/model/flops.ts";
import { batchSize, hostRamCheck, slicePrice } from "../../../../../main/engine/metrics/model/sizing.ts";
import { largestEfficient, parallelEfficiency, servingCost, workPerDollar } from "../../../../../main/engine/metrics/model/work-per-dollar.ts";
import { compare, decimal, rational, whole, ONE } from "../../../../../shared/domain/rational.ts";

describe("FLOPS per unit of money", () => {
  const inputs = { peakTflopsDense: whole(100), gpus: whole(2), priceHourly: whole(4), activity: decimal("0.5"), mfu: decimal("0.4") };

  it("goes from the price list to the telemetry to the model", () => {
    // 200 TFLOPS for an hour are 720 PFLOP; for 4 that is 180 a unit of money.
    expect(flopsPerDollar(inputs)).toEqual({ tflopsPerDollarHour: whole(50), peakPflopPerDollar: whole(180), effectivePflopPerDollar: whole(90), achievedPflopPerDollar: whole(72), isSuspect: false });
  });

  it("does not know what it was not told, and suspects an MFU above the activity", () => {
    expect(flopsPerDollar({ ...inputs, activity: null, mfu: null })).toMatchObject({ peakPflopPerDollar: whole(180), effectivePflopPerDollar: null, achievedPflopPerDollar: null });
    expect(flopsPerDollar({ ...inputs, mfu: decimal("0.6") }).isSuspect).toBe(true);
    expect(flopsPerDollar({ ...inputs, priceHourly: whole(0) })).toMatchObject({ tflopsPerDollarHour: null, peakPflopPerDollar: null, effectivePflopPerDollar: null });
  });
});

describe("model FLOPS utilization", () => {
  const inputs = { activeParameters: whole(10n ** 9n), attention: null, tokensPerSecond: whole(1000), gpus: ONE, peakTflopsDense: whole(12) };

  it("counts 6 FLOP a parameter for training, 2 for inference", () => {
    expect(modelFlopsUtilization({ ...inputs, mode: "train" })).toEqual({ flopPerToken: whole(6n * 10n ** 9n), achievedTflops: whole(6), mfu: decimal("0.5") });
    expect(modelFlopsUtilization({ ...inputs, mode: "infer" }).achievedTflops).toEqual(whole(2));
  });

  it("adds attention: 12 × layers × heads × dimension × length, a third of it for inference", () => {
    const attention = { layers: whole(2), heads: whole(3), headDimension: whole(5), sequenceLength: whole(7) };
    const flop = (mode: "train" | "infer") => modelFlopsUtilization({ ...inputs, activeParameters: whole(0), attention, mode }).flopPerToken;
    expect([flop("train"), flop("infer")]).toEqual([whole(2520), whole(840)]);
    expect(modelFlopsUtilization({ ...inputs, mode: "train", peakTflopsDense: whole(0) }).mfu).toBeNull();
  });
});

describe("a training run", () => {
  it("takes 6 FLOP a parameter and token, plus the overhead", () => {
    // 6e18 FLOP at 1e12 × 0.5 a second are 1.2e7 s, 3333 GPU-hours and a third.
    const run = trainingRun({ activeParameters: whole(10n ** 9n), tokens: whole(10n ** 9n), mfu: decimal("0.5"), peakTflopsDense: whole(1), gpus: whole(10), pricePerGpuHour: whole(3), overheadShare: whole(0) });
    expect(run).toEqual({ totalFlop: whole(6n * 10n ** 18n), gpuHours: rational(10_000n, 3n), wallHours: rational(1000n, 3n), cost: whole(10_000), costPerMillionTokens: whole(10) });
  });
});

describe("serving", () => {
  it("costs the allocation, not the usage", () => {
    const inputs = { priceHourly: whole(36), unitsPerSecond: whole(1), loadFactor: decimal("0.5"), per: whole(100) };
    expect(servingCost(inputs)).toEqual({ usageBased: whole(1), allocationBased: whole(2), utilization: decimal("0.5") });
    expect(servingCost({ ...inputs, loadFactor: whole(0) }).allocationBased).toBeNull();
    expect(servingCost({ ...inputs, unitsPerSecond: whole(0) })).toMatchObject({ usageBased: null, allocationBased: null });
  });
});

describe("work per unit of money", () => {
  const offer = (id: string, priceHourly: number, unitsPerSecond: number, peak: number | null) => ({ id, priceHourly: whole(priceHourly), unitsPerSecond: whole(unitsPerSecond), peakTflopsDense: peak === null ? null : whole(peak) });

  it("ranks by what was measured and shows where the data sheet disagrees", () => {
    const result = workPerDollar([offer("old", 1, 3, 100), offer("new", 2, 4, 400), offer("free", 0, 1, null)]);
    expect(result).toMatchObject({ rankingByWork: ["old", "new", "free"], rankingByPeak: ["new", "old"], rankingsAgree: false });
    expect(result.unitsPerDollar).toEqual(new Map([["old", whole(10_800)], ["new", whole(7200)], ["free", null]]));
    expect(result.advantageOfBest).toEqual(new Map([["new", decimal("0.5")], ["free", null]]));
  });

  it("never ranks an offer lower for a lower price or a higher rate (property 8)", () => {
    const offers = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(offers, fc.nat(), fc.boolean(), (given, pick, isPrice) => {
        const index = pick % given.length;
        const rank = (pairs: readonly (readonly [number, number])[]) => workPerDollar(pairs.map(([price, rate], place) => offer(`o${place}`, price, rate, null))).rankingByWork.indexOf(`o${index}`);
        const [price, rate] = given[index]!;
        const better = given.with(index, isPrice ? [Math.max(1, price - 1), rate] : [price, rate + 1]);
        expect(rank(better)).toBeLessThanOrEqual(rank(given));
      }),
    );
  });
});

describe("scaling over GPUs", () => {
  it("compares with one GPU and finds the largest that still pays", () => {
    const points = parallelEfficiency(whole(10), [{ gpus: 1, throughput: whole(10) }, { gpus: 2, throughput: whole(18) }, { gpus: 4, throughput: whole(20) }]);
    expect(points[1]).toEqual({ gpus: 2, efficiency: decimal("0.9"), speedup: decimal("1.8"), costMultiplier: rational(10n, 9n) });
    expect([largestEfficient(points, decimal("0.8")), largestEfficient(points, decimal("0.9")), largestEfficient(points, ONE)]).toEqual([2, 1, null]);
    expect(parallelEfficiency(whole(0), [{ gpus: 2, throughput: whole(1) }])[0]).toMatchObject({ efficiency: null, costMultiplier: null });
  });
});

describe("slices and sizes", () => {
  it("price a slice by its larger share, and a full GPU bought in slices above that", () => {
    const slice = slicePrice({ gpuPriceHourly: whole(8), computeShare: decimal("0.25"), memoryShare: decimal("0.5"), basis: "max", virtualizationLoss: decimal("0.2") });
    expect(slice).toEqual({ allocatedCostHourly: whole(4), effectiveComputeShare: decimal("0.2"), pricePerFullGpuEquivalent: whole(20), penaltyVersusFullGpu: decimal("1.5") });
    expect(slicePrice({ gpuPriceHourly: whole(8), computeShare: whole(0), memoryShare: ONE, basis: "compute", virtualizationLoss: whole(0) }).pricePerFullGpuEquivalent).toBeNull();
  });

  it("fit weights first, samples after", () => {
    const inputs = { gpuMemoryGigabytes: whole(10), reserveShare: whole(0), parameters: whole(10n ** 9n), bytesPerParameter: whole(2), gigabytesPerSample: decimal("0.5") };
    expect(batchSize(inputs)).toEqual({ weightsWithOverheadGigabytes: decimal("2.4"), freeGigabytes: decimal("7.6"), batchSize: 15, fits: true });
    expect(batchSize({ ...inputs, reserveShare: decimal("0.5") })).toMatchObject({ freeGigabytes: decimal("2.6"), batchSize: 5 });
    expect(batchSize({ ...inputs, gpuMemoryGigabytes: ONE })).toMatchObject({ batchSize: 0, fits: false });
  });

  it("want twice the GPUs' memory in the host", () => {
    expect(hostRamCheck(whole(80), whole(2), whole(320))).toEqual({ requiredGigabytes: whole(320), ratio: whole(2), isEnough: true });
    expect(compare(hostRamCheck(whole(80), whole(2), whole(300)).ratio!, whole(2))).toBe(-1);
  });
});
