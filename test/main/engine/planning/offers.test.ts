import { describe, expect, it } from "vitest";
import { type Candidate, chooseOffers, scalingOf, workOf } from "../../../../main/engine/planning/offers.ts";
import { type Benchmark, defaultNeed, type Need, type OffersAnswer } from "../../../../shared/contract/offers.ts";
import { decimal, rational, whole } from "../../../../shared/domain/rational.ts";

/** One GPU of 100 TFLOPS for 2 an hour; a unit is one TFLOP, so at an MFU of 0.5 it does 50 a second. */
const plain: Candidate = {
  provider: "aws", instanceType: "one", region: "r1", country: "US", location: "Here", mode: "on-demand", payment: null, isConvertible: false, scope: "machine", currency: "USD", pricePerHour: whole(2),
  priceOrigin: "list", priceSource: "list", priceDate: "2026-09-01", ageDays: 30, discountPercent: null, isSuperseded: false, acceleratorId: "h", accelerator: "H", asic: null, gpus: whole(1),
  memoryGb: whole(80), bandwidthTbs: whole(3), peakTflops: new Map([["bf16", whole(100)]]), gpuLink: "nvlink", hasRdma: false, isConfidential: false, watts: whole(1000), pue: decimal("1.2"), grid: { grams: whole(300), year: 2025 },
};
const need: Need = { ...defaultNeed, task: "other", unit: "image", billionParameters: null, tflopPerUnit: "1", units: "180000", mfu: "0.5", totalMemoryGb: null, modes: ["on-demand", "spot", "commit-1y"], basis: "measured", workload: "sdxl" };
const benchmark: Benchmark = { id: 1, workload: "SDXL", unit: "images", acceleratorId: "h", instanceType: null, gpus: 1, unitsPerSecond: "40", precision: null, stack: null, measuredOn: "2026-08-01", source: "log.csv:2" };
const choose = (candidates: readonly Candidate[], change: Partial<Need> = {}, benchmarks: readonly Benchmark[] = [], tiers: readonly string[] = []): OffersAnswer =>
  chooseOffers({ need: { ...need, ...change }, candidates, benchmarks, tiers, limit: 100, rejectedLimit: 100 });

describe("offers for a need", () => {
  it("works one through: an hour of work, 2 for it, 360 g", () => {
    // 180,000 units at 50 a second are 3,600 s; 1 kW × 1 h × 1.2 × 300 g.
    expect(choose([plain]).ranked).toMatchObject([{ hours: 1, cost: "2", costPer: "0.000011111111111111111111", unitsPerSecond: 50, rateBasis: "assumed", carbonKg: 0.36, isPareto: true, tflopsPerMoney: { bf16: 50 }, gbPerMoney: 40, gbsPerMoney: 1500, breakEvenSpeedUp: 1 }]);
  });

  it("ranks by the person's benchmark before the peak, calibrates the others by it and marks both", () => {
    const other = { ...plain, instanceType: "two", acceleratorId: "x", accelerator: "X", pricePerHour: decimal("1.5"), peakTflops: new Map([["bf16", whole(200)]] as const) };
    const answer = choose([plain, other], {}, [benchmark]);
    // 40 a second of a peak of 100 is an MFU of 0.4: the other does 80, not 100.
    expect(answer).toMatchObject({ mfuUsed: 0.4, mfuSource: "calibrated" });
    expect(answer.ranked).toMatchObject([{ instanceType: "two", unitsPerSecond: 80, rateBasis: "calibrated" }, { instanceType: "one", unitsPerSecond: 40, rateBasis: "benchmark", benchmark: { gpus: 1, source: "log.csv:2" } }]);
    expect(choose([plain, other], { basis: "effective" }, [benchmark]).ranked).toMatchObject([{ unitsPerSecond: 100, rateBasis: "assumed" }, { unitsPerSecond: 50 }]);
    expect(choose([plain, other], { basis: "peak" }, [benchmark])).toMatchObject({ mfuSource: "peak", ranked: [{ unitsPerSecond: 200, rateBasis: "peak" }, { unitsPerSecond: 100 }] });
  });

  it("says every reason of an offer that does not fit; what is unknown fails", () => {
    const limits: Partial<Need> = { memoryGb: "81", bandwidthTbs: "4", link: "nvswitch", countries: ["DE"], confidential: true, maximumGrams: "100", deadlineHours: "0.5", budget: "1" };
    expect(choose([plain], limits).rejected).toMatchObject([{ reasons: ["memory_per_gpu", "bandwidth", "interconnect", "region", "confidential", "carbon", "deadline", "budget"] }]);
    expect(choose([{ ...plain, grid: null, gpuLink: null }], { maximumGrams: "900", link: "pcie" }).rejected).toMatchObject([{ reasons: ["interconnect", "carbon"] }]);
    expect(choose([{ ...plain, currency: "CNY" }, { ...plain, instanceType: "two", gpus: null }, { ...plain, instanceType: "three", scope: "accelerator" }, { ...plain, instanceType: "four", ageDays: 400 }], { maximumAgeDays: 365 }).reasons).toEqual({ currency: 1, size: 1, "host-apart": 1, age: 1 });
    expect(choose([plain], { precision: "fp8" }).reasons).toEqual({ precision: 1 });
  });

  it("takes a jurisdiction by country or the whole European Union", () => {
    const places = [plain, { ...plain, region: "r2", country: "FI", pricePerHour: whole(3) }, { ...plain, region: "r3", country: null, pricePerHour: whole(1) }];
    expect(choose(places, { countries: ["EU"] }).ranked.map(({ region }) => region)).toEqual(["r2"]);
    expect(choose(places, { countries: ["US"] }).ranked).toMatchObject([{ region: "r1", otherRegions: { dearer: 0, rejected: 2 } }]);
    expect(choose(places, { regions: ["r3"] }).ranked.map(({ region }) => region)).toEqual(["r3"]);
  });

  it("keeps of a machine's regions the cheapest, and a dearer one only if it emits less", () => {
    const places = [plain, { ...plain, region: "dearer", pricePerHour: whole(3) }, { ...plain, region: "greener", pricePerHour: whole(4), grid: { grams: whole(30), year: 2025 } }];
    expect(choose(places).ranked.map(({ region, isPareto, otherRegions }) => [region, isPareto, otherRegions.dearer])).toEqual([["r1", true, 1], ["greener", true, 1]]);
  });

  it("adds machines until there are as many GPUs as must work together, over the network's link", () => {
    const eight: Candidate = { ...plain, gpus: whole(8), gpuLink: "nvswitch" };
    expect(choose([eight], { gpus: 16 }).ranked).toMatchObject([{ machines: 2, pricePerHour: "4", totalMemoryGb: 1280 }]);
    expect(choose([eight], { gpus: 16, link: "nvlink" }).reasons).toEqual({ interconnect: 1 });
    expect(choose([{ ...eight, hasRdma: true }], { gpus: 16, link: "infiniband" }).ranked).toMatchObject([{ machines: 2 }]);
    expect(choose([{ ...eight, gpuLink: "pcie", hasRdma: true }], { gpus: 8, link: "nvlink" }).reasons).toEqual({ interconnect: 1 });
  });

  it("scales a benchmark to more GPUs by the efficiency that the log shows", () => {
    const log = [benchmark, { ...benchmark, id: 2, gpus: 8, unitsPerSecond: "256" }];
    // 8 GPUs do 256 of 320: 80 %; a machine of 16 is taken at the same efficiency.
    expect(choose([{ ...plain, gpus: whole(8) }], {}, log).ranked).toMatchObject([{ unitsPerSecond: 256, rateBasis: "benchmark" }]);
    expect(choose([{ ...plain, gpus: whole(16) }], {}, log).ranked).toMatchObject([{ unitsPerSecond: 512, rateBasis: "scaled" }]);
    expect(scalingOf(log, () => "H")).toMatchObject([{ accelerator: "H", largestEfficient: 1, points: [{ gpus: 1, efficiency: 1 }, { gpus: 8, efficiency: 0.8, speedup: 6.4, costMultiplier: 1.25 }] }]);
  });

  it("gives a part of a card its part of everything, less what virtualization takes", () => {
    const half: Candidate = { ...plain, gpus: rational(1n, 2n) };
    expect(choose([half]).ranked).toMatchObject([{ unitsPerSecond: 25, memoryGb: 40, bandwidthTbs: 1.5, carbonKg: 0.36 }]);
    // maths.md e-024: half a card that loses 40 % does 0.3 of it.
    expect(choose([half], { virtualizationLoss: "0.4" }).ranked).toMatchObject([{ unitsPerSecond: 15 }]);
    expect(choose([half], { memoryGb: "41" }).reasons).toEqual({ memory_per_gpu: 1 });
  });

  it("lets a commitment pay for the hours that it leaves unused", () => {
    const committed: Candidate = { ...plain, mode: "commit-1y", payment: "none", pricePerHour: whole(1) };
    // 4,380 hours of work: on demand 8,760; committed 8,760 hours at 1.
    const half = String(4380 * 180_000);
    expect(choose([plain, committed], { units: half }).ranked).toMatchObject([{ mode: "on-demand", cost: "8760", utilization: 1 }, { mode: "commit-1y", cost: "8760", utilization: 0.5 }]);
    expect(choose([plain, committed], { units: String(13_140 * 180_000) }).ranked).toMatchObject([{ mode: "commit-1y", cost: "17520", atOnce: 2, utilization: 0.75 }, { mode: "on-demand", cost: "26280", atOnce: 2 }]);
  });

  it("spells budgets out: hours on demand, whole machines through the year when committed", () => {
    const committed: Candidate = { ...plain, mode: "commit-1y", payment: "none", pricePerHour: whole(1) };
    expect(choose([plain, committed], {}, [], ["5000", "20000"]).tiers).toMatchObject([
      { budget: "5000", picks: [{ kind: "any", hours: 2500, gpuHours: 2500, units: 450_000_000, allYear: 0 }, { kind: "free" }, { kind: "committed", offer: null, hours: 0 }] },
      { budget: "20000", picks: [{ kind: "any", offer: "aws one r1 commit-1y none", hours: 17_520, allYear: 2 }, { kind: "free", hours: 10_000, allYear: 1 }, { kind: "committed", hours: 17_520 }] },
    ]);
  });

  it("names the accelerators that are no GPUs for inference, with what they would save", () => {
    const asic: Candidate = { ...plain, instanceType: "inf", asic: "neuron", pricePerHour: whole(1) };
    expect(choose([plain, asic], { task: "inference" }).asics).toEqual([{ kind: "neuron", offer: "aws inf r1 on-demand", savesAYear: "1", savesShare: 0.5 }]);
    expect(choose([plain, asic], { task: "training" }).asics).toEqual([]);
  });

  it("works a token out from the model: 6 N to train it, 2 N to run it", () => {
    const of = (change: Partial<Need>) => workOf({ ...defaultNeed, ...change });
    expect(of({ task: "inference", billionParameters: "70" })).toEqual({ tflopPerUnit: decimal("0.14"), per: 1_000_000 });
    expect(of({ task: "training", billionParameters: "7" })).toEqual({ tflopPerUnit: decimal("0.042"), per: 1_000_000 });
    expect(of({ task: "other", billionParameters: "7", unit: "image" })).toEqual({ tflopPerUnit: null, per: 1 });
  });
});
