import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commitmentMetrics, optimalCommitment, optimalLevels } from "../../../../main/engine/planning/commitment.ts";
import { above, netOfExisting, scaled, unitHoursOf, type UsageProfile } from "../../../../main/engine/planning/usage-profile.ts";
import { coveredUnitHours, futureUsage, metricsOfRank, optimalCommitmentOfRank, optimalLevelsOfRank, profileOfRank, rankedHours, rankedUnitHours, rankHours, rankRuns, unitHoursAbove } from "../../../../main/engine/planning/usage-rank.ts";
import { compare, decimal, rational, subtract, toNumber, whole } from "../../../../shared/domain/rational.ts";

const cases = fc.record({
  usage: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 24 }),
  committed: fc.integer({ min: 0, max: 12 }),
  onDemand: fc.integer({ min: 1, max: 12 }),
  lot: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
  maximum: fc.option(fc.integer({ min: 0, max: 7 }), { nil: null }),
});
const millionths = (usage: readonly number[]): Float64Array => Float64Array.from(usage, (units) => units * 1_000_000);
const profile = (usage: readonly number[]): UsageProfile => usage.map((units) => ({ units: whole(units), hours: 1 }));

describe("usage sorted once", () => {
  it("answers as the model of short profiles does, on 10,000 random profiles", () => {
    fc.assert(
      fc.property(cases, ({ usage, committed, onDemand, lot, maximum }) => {
        const prices = { committedHourly: whole(committed), onDemandHourly: whole(onDemand) };
        const limits = { lot: lot === null ? null : whole(lot), maximum: maximum === null ? null : whole(maximum) };
        expect(optimalCommitmentOfRank(rankHours(millionths(usage)), prices, limits)).toEqual(optimalCommitment(profile(usage), prices, limits));
      }),
      { numRuns: 10_000 },
    );
  });

  it("prices any level as the model does, also between two levels of usage", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 40 }), ({ usage, committed, onDemand }, sixths) => {
        const level = rational(BigInt(sixths), 6n);
        const prices = { committedHourly: whole(committed), onDemandHourly: whole(onDemand) };
        expect(metricsOfRank(rankHours(millionths(usage)), level, prices)).toEqual(commitmentMetrics(profile(usage), level, prices));
      }),
    );
  });

  it("says what a level covers when usage falls or grows", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 15 }), ({ usage }, tenths, halves) => {
        const [scale, level] = [rational(BigInt(tenths), 10n), rational(BigInt(halves), 2n)];
        const changed = scaled(profile(usage), scale);
        const want = subtract(unitHoursOf(changed), unitHoursOf(above(changed, level)));
        expect(coveredUnitHours(rankHours(millionths(usage)), level, scale)).toEqual(want);
      }),
    );
  });

  it("finds the hour that doubles miss: 57 % of 100 hours is 57", () => {
    const rank = rankRuns([{ level: 9_000_000, hours: 57 }, { level: 2_000_000, hours: 43 }]);
    expect(optimalLevelsOfRank(rank, { committedHourly: decimal("0.57"), onDemandHourly: decimal("1") })).toEqual({ low: whole(2), high: whole(9) });
  });

  it("holds a fleet of a million GPUs over a year exactly", () => {
    const rank = rankHours(Float64Array.from({ length: 8760 }, (_, hour) => (hour % 2 === 0 ? 1_000_000_000_001 : 999_999_999_999)));
    expect(rankedUnitHours(rank)).toEqual(whole(8_760_000_000));
    expect(unitHoursAbove(rank, whole(1_000_000))).toEqual(rational(4380n, 1_000_000n));
    expect(rankedHours(rank)).toBe(8760);
  });

  it("has no level of nothing", () => {
    const none = rankHours(new Float64Array(0));
    const prices = { committedHourly: whole(1), onDemandHourly: whole(2) };
    expect(optimalCommitmentOfRank(none, prices)).toEqual(optimalCommitment([], prices));
    expect(optimalLevels(profileOfRank(none), prices)).toEqual({ low: whole(0), high: whole(0) });
  });
});

describe("what the coming days would use", () => {
  it("is net of what is committed until that ends", () => {
    // Two hours use 5 and 3. Four are committed for 10 days of 30, none after.
    const usage = rankHours(millionths([5, 3]));
    const future = futureUsage(usage, [{ capacity: whole(4), days: 10 }, { capacity: whole(0), days: 20 }]);
    expect(profileOfRank(future)).toEqual([{ units: whole(5), hours: 2 }, { units: whole(3), hours: 2 }, { units: whole(1), hours: 1 }, { units: whole(0), hours: 1 }]);
  });

  it("with one span is what netting says", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 }), fc.integer({ min: 0, max: 7 }), (usage, capacity) => {
        const want = netOfExisting(profile(usage), [{ units: whole(capacity), hours: usage.length }]);
        const got = futureUsage(rankHours(millionths(usage)), [{ capacity: whole(capacity), days: 365 }]);
        expect(toNumber(rankedUnitHours(got))).toBe(toNumber(unitHoursOf(want)));
        expect(compare(profileOfRank(got)[0]?.units ?? whole(0), want.map(({ units }) => units).reduce((a, b) => (compare(a, b) > 0 ? a : b)))).toBe(0);
      }),
    );
  });
});
