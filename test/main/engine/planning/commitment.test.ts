import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commitmentMetrics, commitmentRisk, optimalCommitment, optimalLevels } from "../../../../main/engine/planning/commitment.ts";
import { netOfExisting, type UsageProfile } from "../../../../main/engine/planning/usage-profile.ts";
import { compare, decimal, multiply, rational, toNumber, whole, type Rational } from "../../../../shared/domain/rational.ts";
import { bruteCommitment, bruteDrop, commitmentCost, fraction, isSame, type Fraction } from "./brute-force.ts";

const hours = (...units: readonly number[]): UsageProfile => units.map((count) => ({ units: whole(count), hours: 1 }));
const prices = (committed: string, onDemand: string) => ({ committedHourly: decimal(committed), onDemandHourly: decimal(onDemand) });
const pair = ({ numerator, denominator }: Rational): Fraction => [numerator, denominator];

/** Up to 14 hours of small whole numbers: ties everywhere. */
const cases = fc.record({
  usage: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 14 }),
  committed: fc.integer({ min: 0, max: 12 }),
  onDemand: fc.integer({ min: 1, max: 12 }),
  lot: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
  maximum: fc.option(fc.integer({ min: 0, max: 7 }), { nil: null }),
});
const pricesOf = ({ committed, onDemand }: { readonly committed: number; readonly onDemand: number }) => ({ committedHourly: whole(committed), onDemandHourly: whole(onDemand) });

describe("how much to commit to", () => {
  it("commits to the level that is in use for more than e ÷ p of the hours", () => {
    // Four hours at half price: a layer must be used in more than two of them. The second unit is used in three, the third in two.
    expect(optimalLevels(hours(1, 2, 3, 4), prices("1", "2"))).toEqual({ low: whole(2), high: whole(3) });
    expect(optimalLevels(hours(1, 2, 3), prices("1", "2"))).toEqual({ low: whole(2), high: whole(2) });
  });

  it("commits to nothing that is no cheaper, and to nothing without usage", () => {
    for (const offer of [prices("2", "2"), prices("3", "2"), prices("0", "0")]) expect(optimalLevels(hours(1, 2), offer)).toEqual({ low: whole(0), high: whole(0) });
    expect(optimalCommitment([], prices("1", "2"))).toMatchObject({ commitment: whole(0), totalCost: whole(0), utilization: null, coverage: null, effectiveSavingsRate: null });
  });

  it("finds the hour that doubles miss: 29 % of 100 hours is 29", () => {
    expect(0.29 * 100).not.toBe(29);
    const profile = [{ units: whole(5), hours: 29 }, { units: whole(1), hours: 71 }];
    expect(optimalLevels(profile, prices("0.29", "1"))).toEqual({ low: whole(1), high: whole(5) });
  });

  it("costs what the brute force finds cheapest, at the smallest such level", () => {
    fc.assert(
      fc.property(cases, (input) => {
        const profile = hours(...input.usage);
        const got = optimalCommitment(profile, pricesOf(input), { lot: input.lot === null ? null : whole(input.lot), maximum: input.maximum === null ? null : whole(input.maximum) });
        const want = bruteCommitment(input.usage.map((units) => fraction(units)), fraction(input.committed), fraction(input.onDemand), input.lot, input.maximum);
        expect(isSame(pair(got.commitment), want.level)).toBe(true);
        expect(isSame(pair(got.totalCost), want.cost)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("never costs more than any other level (property 3), and the interval of optima costs the same", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 14 }), (input, halves) => {
        const profile = hours(...input.usage);
        const best = optimalCommitment(profile, pricesOf(input));
        const other = commitmentMetrics(profile, rational(BigInt(halves), 2n), pricesOf(input));
        expect(compare(best.totalCost, other.totalCost)).toBeLessThanOrEqual(0);
        expect(commitmentMetrics(profile, best.optimalHigh, pricesOf(input)).totalCost).toEqual(best.totalCost);
      }),
      { numRuns: 1000 },
    );
  });

  it("scales with prices and leaves the level alone (property 1)", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 9 }), (input, factor) => {
        const profile = hours(...input.usage);
        const [once, scaled] = [optimalCommitment(profile, pricesOf(input)), optimalCommitment(profile, pricesOf({ committed: input.committed * factor, onDemand: input.onDemand * factor }))];
        expect(scaled.commitment).toEqual(once.commitment);
        expect(scaled.effectiveSavingsRate).toEqual(once.effectiveSavingsRate);
        expect(scaled.totalCost).toEqual(multiply(once.totalCost, whole(factor)));
      }),
      { numRuns: 500 },
    );
  });

  it("repeats with the profile (property 2), in any order of hours (property 6)", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 2, max: 4 }), (input, times) => {
        const profile = hours(...input.usage);
        const once = optimalCommitment(profile, pricesOf(input));
        const repeated = optimalCommitment(Array.from({ length: times }, () => profile).flat().toReversed(), pricesOf(input));
        expect(repeated.commitment).toEqual(once.commitment);
        expect(repeated.totalCost).toEqual(multiply(once.totalCost, whole(times)));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a commitment over a profile", () => {
  it("counts waste once", () => {
    // 3 committed at 1, usage 2 then 4 at 2 on demand: 6 for the commitment, 2 for the unit above; 12 without it.
    expect(commitmentMetrics(hours(2, 4), whole(3), prices("1", "2"))).toEqual({
      commitment: whole(3),
      totalCost: whole(8),
      onDemandCost: whole(12),
      saving: whole(4),
      effectiveSavingsRate: rational(1n, 3n),
      utilization: rational(5n, 6n),
      coverage: rational(5n, 6n),
      unusedUnitHours: whole(1),
      wasteCost: whole(1),
      uncoveredUnitHours: whole(1),
    });
  });

  it("costs what adding up hour by hour gives", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 8 }), (input, level) => {
        const got = commitmentMetrics(hours(...input.usage), whole(level), pricesOf(input));
        expect(isSame(pair(got.totalCost), commitmentCost(input.usage.map((units) => fraction(units)), fraction(level), fraction(input.committed), fraction(input.onDemand)))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("existing commitments", () => {
  it("are taken off hour by hour and expire", () => {
    expect(netOfExisting([{ units: whole(5), hours: 4 }], [{ units: whole(7), hours: 1 }, { units: whole(2), hours: 2 }])).toEqual([
      { units: whole(0), hours: 1 },
      { units: whole(3), hours: 2 },
      { units: whole(5), hours: 1 },
    ]);
  });
});

describe("how far usage may fall", () => {
  it("says where the saving ends", () => {
    // 2 units committed at 1 for two hours cost 4; used on demand at 4 they would cost 16: a quarter of the usage pays for them.
    const risk = commitmentRisk(hours(2, 2), whole(2), prices("1", "4"), [decimal("0"), decimal("0.75"), decimal("1")]);
    expect(risk).toEqual({ savings: [["0", 12], ["0.75", 0], ["1", -4]].map(([drop, saving]) => ({ drop: decimal(String(drop)), saving: whole(Number(saving)) })), breakEvenDrop: rational(3n, 4n) });
  });

  it("is null for what loses already, and all of it for a commitment of nothing", () => {
    expect(commitmentRisk(hours(1), whole(5), prices("1", "2"), []).breakEvenDrop).toBeNull();
    expect(commitmentRisk(hours(1), whole(0), prices("1", "2"), []).breakEvenDrop).toEqual(whole(1));
  });

  it("agrees with trying every drop", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 0, max: 6 }), (input, level) => {
        const { breakEvenDrop } = commitmentRisk(hours(...input.usage), whole(level), pricesOf(input), []);
        const want = bruteDrop(input.usage.map((units) => fraction(units)), fraction(level), fraction(input.committed), fraction(input.onDemand), 100);
        if (want === null || breakEvenDrop === null) expect([breakEvenDrop, want]).toEqual([null, null]);
        else expect(Math.floor(toNumber(breakEvenDrop) * 100 + 1e-9) / 100).toBe(want);
      }),
      { numRuns: 500 },
    );
  });
});
