import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { optimalLayers } from "../../../../main/engine/planning/commitment-layers.ts";
import { rational, whole } from "../../../../shared/domain/rational.ts";
import { bruteLayers, fraction, isSame } from "./brute-force.ts";

describe("long and short commitments together", () => {
  it("takes the long term for the base that stays, the short one for the year that has more", () => {
    // Year 1 uses 2 all the time, year 2 only 1. Long 2, short 3, on demand 5 an hour, one hour a year.
    // First unit: long 4 against short 6. Second unit: long 4 against short 3 in year 1 and nothing in year 2.
    const layers = optimalLayers({ profile: [{ units: whole(2), hours: 1 }], yearMultipliers: [whole(1), rational(1n, 2n)], longHourly: whole(2), shortHourly: whole(3), onDemandHourly: whole(5) });
    expect(layers).toEqual({ longCommitment: whole(1), shortCommitments: [whole(1), whole(0)], totalCost: whole(7), onDemandCost: whole(15), saving: whole(8) });
  });

  it("does without a short offer", () => {
    const layers = optimalLayers({ profile: [{ units: whole(2), hours: 1 }], yearMultipliers: [whole(1), whole(0)], longHourly: whole(2), shortHourly: null, onDemandHourly: whole(5) });
    expect(layers).toMatchObject({ longCommitment: whole(2), shortCommitments: [whole(0), whole(0)], totalCost: whole(8) });
  });

  it("weighs later years less when they are discounted", () => {
    const inputs = { profile: [{ units: whole(1), hours: 1 }], yearMultipliers: [whole(0), whole(1)], longHourly: whole(2), shortHourly: null, onDemandHourly: whole(5) };
    expect(optimalLayers(inputs).longCommitment).toEqual(whole(1));
    expect(optimalLayers({ ...inputs, yearWeights: [whole(1), rational(1n, 2n)] }).longCommitment).toEqual(whole(0));
  });

  it("is the smallest of the cheapest, whatever the outlook", () => {
    const cases = fc.record({
      usage: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 }),
      tenths: fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 3 }),
      long: fc.integer({ min: 0, max: 10 }),
      short: fc.option(fc.integer({ min: 0, max: 10 }), { nil: null }),
      onDemand: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(cases, ({ usage, tenths, long, short, onDemand }) => {
        const got = optimalLayers({
          profile: usage.map((units) => ({ units: whole(units), hours: 1 })),
          yearMultipliers: tenths.map((tenth) => rational(BigInt(tenth), 10n)),
          longHourly: whole(long),
          shortHourly: short === null ? null : whole(short),
          onDemandHourly: whole(onDemand),
        });
        const want = bruteLayers(usage.map((units) => fraction(units)), tenths.map((tenth) => fraction(tenth, 10)), fraction(long), short === null ? null : fraction(short), fraction(onDemand));
        expect(isSame([got.longCommitment.numerator, got.longCommitment.denominator], want.level)).toBe(true);
        expect(isSame([got.totalCost.numerator, got.totalCost.denominator], want.cost)).toBe(true);
      }),
      { numRuns: 800 },
    );
  });
});
