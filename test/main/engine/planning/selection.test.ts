import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paretoFront } from "../../../../main/engine/planning/pareto.ts";
import { scorecard } from "../../../../main/engine/planning/scorecard.ts";
import { selectOffers, type Requirement, type SelectableOffer } from "../../../../main/engine/planning/selection.ts";
import { decimal, rational, whole } from "../../../../shared/domain/rational.ts";

const anything: Requirement = {
  precision: "bf16",
  workload: "w",
  units: whole(3600),
  defaultMfu: decimal("0.5"),
  tflopPerUnit: whole(1),
  calibrate: true,
  minimumMemoryGigabytesPerGpu: null,
  minimumTotalMemoryGigabytes: null,
  minimumBandwidthTerabytesPerSecond: null,
  minimumInterconnect: null,
  regions: null,
  needsConfidential: false,
  maximumGridGramsPerKilowattHour: null,
  deadlineHours: null,
  maximumJobCost: null,
};
const offer = (id: string, changes: Partial<SelectableOffer> = {}): SelectableOffer => ({
  id,
  priceHourly: whole(1),
  gpus: whole(1),
  memoryGigabytesPerGpu: whole(80),
  bandwidthTerabytesPerSecond: whole(2),
  interconnect: "nvlink",
  region: "eu",
  isConfidential: false,
  tflopsDense: new Map([["bf16", whole(2)]]),
  benchmarks: new Map(),
  powerKilowatts: whole(1),
  pue: whole(1),
  gridGramsPerKilowattHour: whole(100),
  ...changes,
});
const measured = (rate: number) => ({ benchmarks: new Map([["w", whole(rate)]]) });

describe("choosing an offer", () => {
  it("learns the utilization of unmeasured offers from measured ones", () => {
    // A benchmark of 1 a second against a peak of 2: 50 % would be the same; at 0.5 a second it is 25 %, and the estimate follows.
    const offers = [offer("measured", { benchmarks: new Map([["w", decimal("0.5")]]) }), offer("estimated", { tflopsDense: new Map([["bf16", whole(4)]]) })];
    const selection = selectOffers(anything, offers);
    expect(selection).toMatchObject({ mfuUsed: decimal("0.25"), mfuSource: "calibrated", pareto: ["estimated"] });
    expect(selection.ranking).toEqual([
      { id: "estimated", costPerUnit: rational(1n, 3600n), jobCost: whole(1), jobHours: whole(1), jobCarbonGrams: whole(100), isEstimated: true },
      { id: "measured", costPerUnit: rational(1n, 1800n), jobCost: whole(2), jobHours: whole(2), jobCarbonGrams: whole(200), isEstimated: false },
    ]);
    expect(selectOffers({ ...anything, calibrate: false }, offers)).toMatchObject({ mfuUsed: decimal("0.5"), mfuSource: "default" });
  });

  it("lists every limit an offer fails; what is unknown fails it", () => {
    const limits: Requirement = { ...anything, precision: "fp8", minimumMemoryGigabytesPerGpu: whole(81), minimumTotalMemoryGigabytes: whole(81), minimumBandwidthTerabytesPerSecond: whole(3), minimumInterconnect: "nvswitch", regions: ["us"], needsConfidential: true, maximumGridGramsPerKilowattHour: whole(99), deadlineHours: decimal("0.5"), maximumJobCost: decimal("0.01") };
    expect(selectOffers(limits, [offer("a", measured(1))]).rejected.get("a")).toEqual(["precision", "memory_per_gpu", "total_memory", "bandwidth", "interconnect", "region", "confidential", "carbon", "deadline", "budget"]);
    const dark = offer("a", { memoryGigabytesPerGpu: null, bandwidthTerabytesPerSecond: null, interconnect: null, region: null, gridGramsPerKilowattHour: null });
    expect(selectOffers({ ...limits, precision: "bf16" }, [dark]).rejected.get("a")).toEqual(["memory_per_gpu", "total_memory", "bandwidth", "interconnect", "region", "confidential", "carbon", "deadline", "budget"]);
    expect(selectOffers({ ...anything, tflopPerUnit: null }, [offer("a")]).rejected.get("a")).toEqual(["rate"]);
  });

  it("prefers the lower carbon at the same cost, and an unknown one least", () => {
    const offers = [offer("unknown", { gridGramsPerKilowattHour: null }), offer("dirty", { gridGramsPerKilowattHour: whole(400) }), offer("clean")];
    const { ranking, pareto } = selectOffers(anything, offers);
    expect(ranking.map(({ id, jobCarbonGrams }) => [id, jobCarbonGrams])).toEqual([["clean", whole(100)], ["dirty", whole(400)], ["unknown", null]]);
    expect(pareto).toEqual(["clean"]);
  });

  it("never ranks an offer lower for a lower price or a higher rate (property 8)", () => {
    const offers = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(offers, fc.nat(), fc.boolean(), (given, pick, isPrice) => {
        const index = pick % given.length;
        const rank = (pairs: readonly (readonly [number, number])[]) =>
          selectOffers(anything, pairs.map(([price, rate], place) => offer(`o${place}`, { priceHourly: whole(price), ...measured(rate) }))).ranking.findIndex(({ id }) => id === `o${index}`);
        const [price, rate] = given[index]!;
        expect(rank(given.with(index, isPrice ? [Math.max(1, price - 1), rate] : [price, rate + 1]))).toBeLessThanOrEqual(rank(given));
      }),
    );
  });
});

describe("the Pareto front", () => {
  it("keeps equals, drops the dominated, and takes null for the worst", () => {
    const points = [["b", 1, 5], ["a", 1, 5], ["c", 2, 5], ["d", null, 6], ["e", null, 4]].map(([id, ...values]) => ({ id: String(id), values: values.map((value) => (value === null ? null : whole(Number(value)))) }));
    expect(paretoFront(points, ["min", "max"])).toEqual({ front: ["a", "b", "d"], dominatedBy: new Map([["c", ["a", "b"]], ["e", ["a", "b", "c", "d"]]]) });
  });
});

describe("a scorecard", () => {
  const scores = (...pairs: readonly (readonly [string, number | null])[]) => new Map(pairs.map(([criterion, score]) => [criterion, score === null ? null : whole(score)]));
  const weights = new Map([["speed", whole(3)], ["support", whole(1)]]);

  it("weighs what is scored and says how much that is", () => {
    const card = scorecard(weights, [{ id: "a", scores: scores(["speed", 8], ["support", 4]) }, { id: "b", scores: scores(["speed", 7], ["support", null]) }, { id: "c", scores: new Map() }]);
    expect(card.vendors).toEqual([
      { id: "a", score: whole(7), knownWeight: whole(1), failedMinimums: [] },
      { id: "b", score: whole(7), knownWeight: decimal("0.75"), failedMinimums: [] },
      { id: "c", score: null, knownWeight: whole(0), failedMinimums: [] },
    ]);
    expect(card.ranking).toEqual(["a", "b", "c"]);
    expect(card.weightAtWhichTopTwoTie).toEqual(new Map());
  });

  it("tells the weight at which the first two would tie", () => {
    // a leads by 1 in speed and trails by 2 in support: 3·1 − 1·2. A tie at 2 for speed, or at 3 ÷ 2 for support.
    const card = scorecard(weights, [{ id: "a", scores: scores(["speed", 8], ["support", 4]) }, { id: "b", scores: scores(["speed", 7], ["support", 6]) }]);
    expect(card.weightAtWhichTopTwoTie).toEqual(new Map([["speed", whole(2)], ["support", rational(3n, 2n)]]));
  });

  it("does not rank who fails a minimum, or is not scored on one", () => {
    const vendors = [{ id: "a", scores: scores(["speed", 9], ["support", 1]) }, { id: "b", scores: scores(["speed", 9], ["support", null]) }, { id: "c", scores: scores(["speed", 1], ["support", 2]) }];
    expect(scorecard(weights, vendors, new Map([["support", whole(2)]]))).toMatchObject({ ranking: ["c"], vendors: [{ failedMinimums: ["support"] }, { failedMinimums: ["support"] }, { failedMinimums: [] }] });
  });
});
