import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { optimalSavingsPlan } from "../../../../main/engine/planning/savings-plan.ts";
import { compare, decimal, rational, whole } from "../../../../shared/domain/rational.ts";
import { bruteSavingsPlan, fraction, isSame } from "./brute-force.ts";

const item = (onDemandCost: string, planRatio: string) => ({ onDemandCost: decimal(onDemandCost), planRatio: decimal(planRatio) });

describe("a savings plan in money per hour", () => {
  it("covers the usage of every hour first, the highest saving first", () => {
    // Three hours at 10 on demand and half price; in one of them another 10 at 0.9. Committing for that saves 1 once and wastes 9 twice.
    const base = item("10", "0.5");
    const plan = optimalSavingsPlan([{ items: [base], hours: 2 }, { items: [item("10", "0.9"), base], hours: 1 }]);
    expect(plan).toEqual({
      optimalCommitment: whole(5),
      chosen: whole(5),
      totalCost: whole(25),
      onDemandCost: whole(40),
      saving: whole(15),
      utilization: whole(1),
      coverage: rational(3n, 4n),
      wasteCost: whole(0),
    });
  });

  it("leaves alone what a plan cannot cover, and does not count it as coverable", () => {
    const plan = optimalSavingsPlan([{ items: [item("4", "1.2"), item("2", "0.5"), item("3", "0")], hours: 1 }]);
    expect(plan).toMatchObject({ chosen: whole(1), totalCost: whole(8), onDemandCost: whole(9), coverage: whole(1) });
  });

  it("takes the cheaper of the two lots around the optimum, at a tie the lower", () => {
    const profile = [{ items: [item("3", "0.5")], hours: 1 }];
    expect(optimalSavingsPlan(profile, decimal("0.8"))).toMatchObject({ optimalCommitment: rational(3n, 2n), chosen: decimal("1.6"), totalCost: decimal("1.6") });
    // 1.5 either side of a lot of 3: nothing costs 3, all of 3 costs 3.
    expect(optimalSavingsPlan(profile, whole(3))).toMatchObject({ chosen: whole(0), totalCost: whole(3), utilization: null });
  });

  it("is nothing without usage", () => {
    expect(optimalSavingsPlan([{ items: [], hours: 5 }])).toMatchObject({ chosen: whole(0), totalCost: whole(0), utilization: null, coverage: null });
  });

  it("is the smallest of the cheapest", () => {
    const items = fc.array(fc.record({ onDemand: fc.integer({ min: 1, max: 6 }), tenths: fc.integer({ min: 3, max: 12 }) }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(items, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 40 }), (hours, lotTenths) => {
        const profile = hours.map((hour) => ({ items: hour.map(({ onDemand, tenths }) => ({ onDemandCost: whole(onDemand), planRatio: rational(BigInt(tenths), 10n) })), hours: 1 }));
        const got = optimalSavingsPlan(profile);
        const want = bruteSavingsPlan(hours.map((hour) => hour.map(({ onDemand, tenths }) => ({ onDemand: fraction(onDemand), ratio: fraction(tenths, 10) }))));
        expect(isSame([got.optimalCommitment.numerator, got.optimalCommitment.denominator], want.level)).toBe(true);
        expect(isSame([got.totalCost.numerator, got.totalCost.denominator], want.cost)).toBe(true);
        expect(compare(optimalSavingsPlan(profile, rational(BigInt(lotTenths), 10n)).totalCost, got.totalCost)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 800 },
    );
  });
});
