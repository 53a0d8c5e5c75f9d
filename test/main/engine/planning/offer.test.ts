import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertibleBreakEven, offerMetrics, ownedVersusCloud, pricingMix, rankOffers, renewalCheck, sunkCommitment, type Offer } from "../../../../main/engine/planning/offer.ts";
import { compare, decimal, multiply, rational, whole } from "../../../../shared/domain/rational.ts";

const offer = (changes: Partial<Offer> = {}): Offer => ({ termMonths: 10, hours: whole(1000), upfront: whole(0), hourly: whole(0), monthly: whole(0), ...changes });

describe("a commitment beside on demand", () => {
  it("breaks even at a utilization of effective ÷ on-demand price", () => {
    // 3000 at once and 1 an hour: 4000 for 1000 hours against 8 on demand.
    expect(offerMetrics(offer({ upfront: whole(3000), hourly: whole(1) }), whole(8), decimal("0.8"))).toEqual({
      totalCost: whole(4000),
      effectiveHourly: whole(4),
      discount: decimal("0.5"),
      breakEvenUtilization: decimal("0.5"),
      onDemandCost: whole(6400),
      saving: whole(2400),
      savingShare: decimal("0.375"),
      paybackMonths: rational(50n, 9n),
      isPaybackWithinTerm: true,
      exitBreakEvenMonths: decimal("6.25"),
      isExitBreakEvenWithinTerm: true,
      decision: "commit",
    });
  });

  it("is indifferent at exactly break-even, and advises no loss and no bad offer", () => {
    const half = offer({ monthly: whole(400) });
    expect(offerMetrics(half, whole(8), decimal("0.5"))).toMatchObject({ saving: whole(0), decision: "indifferent", paybackMonths: whole(0) });
    expect(offerMetrics(half, whole(8), decimal("0.4"))).toMatchObject({ decision: "on_demand", paybackMonths: null, isPaybackWithinTerm: false });
    expect(offerMetrics(half, whole(3), decimal("1"))).toMatchObject({ breakEvenUtilization: rational(4n, 3n), decision: "on_demand" });
  });

  it("knows no ratio of nothing", () => {
    expect(offerMetrics(offer({ upfront: whole(1) }), whole(8), whole(0))).toMatchObject({ savingShare: null, paybackMonths: null, exitBreakEvenMonths: null, isExitBreakEvenWithinTerm: false });
    expect(offerMetrics(offer({ upfront: whole(1) }), whole(0), whole(1))).toMatchObject({ discount: null, breakEvenUtilization: null, decision: "on_demand" });
  });

  it("scales with prices and leaves the break-even alone (property 1)", () => {
    fc.assert(
      fc.property(fc.nat({ max: 99 }), fc.nat({ max: 99 }), fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 9 }), (upfront, hourly, price, factor) => {
        const terms = (by: number) => offer({ upfront: whole(upfront * by), hourly: whole(hourly * by) });
        const [once, scaled] = [offerMetrics(terms(1), whole(price), decimal("0.7")), offerMetrics(terms(factor), whole(price * factor), decimal("0.7"))];
        expect(scaled.breakEvenUtilization).toEqual(once.breakEvenUtilization);
        expect(scaled.decision).toBe(once.decision);
        expect(scaled.saving).toEqual(multiply(once.saving, whole(factor)));
      }),
    );
  });
});

describe("ranking offers", () => {
  const named = (id: string, changes: Partial<Offer>) => ({ id, ...offer(changes) });

  it("goes by the used hour; at a tie on demand, the shorter term, the lower upfront, the id", () => {
    const offers = [
      named("long", { termMonths: 36, upfront: whole(5000) }),
      named("b", { upfront: whole(5000) }),
      named("a", { upfront: whole(5000) }),
      named("monthly", { monthly: whole(500) }),
      named("cheap", { upfront: whole(1000) }),
    ];
    const ranked = rankOffers(offers, whole(10), decimal("0.5"));
    expect(ranked.map(({ id }) => id)).toEqual(["cheap", "on_demand", "monthly", "a", "b", "long"]);
    expect(ranked[0]).toEqual({ id: "cheap", costPerUsedHour: whole(2) });
  });

  it("has no cost of a used hour where none is used", () => {
    expect(rankOffers([named("a", { upfront: whole(1) })], whole(10), whole(0))).toEqual([{ id: "on_demand", costPerUsedHour: whole(10) }, { id: "a", costPerUsedHour: null }]);
  });
});

describe("an exchangeable commitment", () => {
  const inputs = { standardTotal: whole(100), convertibleTotal: whole(120), replacementHourly: whole(1), utilization: whole(1), hoursRemainingAtSwitch: whole(100), salvage: whole(20) };

  it("is worth it above premium ÷ loss", () => {
    expect(convertibleBreakEven(inputs)).toEqual({ premium: whole(20), lossIfSwitchWithStandard: whole(80), breakEvenProbability: decimal("0.25"), canConvertibleWin: true });
    expect(convertibleBreakEven({ ...inputs, salvage: whole(80) })).toMatchObject({ breakEvenProbability: whole(1), canConvertibleWin: false });
    expect(convertibleBreakEven({ ...inputs, salvage: whole(100) })).toMatchObject({ breakEvenProbability: null, canConvertibleWin: false });
    expect(convertibleBreakEven({ ...inputs, convertibleTotal: whole(90) })).toMatchObject({ breakEvenProbability: whole(0), canConvertibleWin: true });
  });
});

describe("a running commitment", () => {
  const inputs = { units: whole(2), effectiveHourly: whole(3), termHours: whole(100), elapsedHours: whole(40), usedUnitHours: whole(50), expectedUnits: whole(1), onDemandHourly: whole(5), recurringHourly: whole(2), netResale: whole(0) };

  it("looks forward only", () => {
    expect(sunkCommitment(inputs)).toEqual({
      unusedUnitHours: whole(30),
      sunkWaste: whole(90),
      remainingObligation: whole(240),
      valueOfKeeping: whole(300),
      valueOfLeaving: whole(240),
      decision: "keep",
      marginalCostOfOneMoreUnitHour: whole(0),
    });
    expect(sunkCommitment({ ...inputs, netResale: whole(60) }).decision).toBe("keep");
    expect(sunkCommitment({ ...inputs, netResale: whole(61) }).decision).toBe("leave");
    expect(sunkCommitment({ ...inputs, expectedUnits: whole(2) }).marginalCostOfOneMoreUnitHour).toEqual(whole(5));
  });
});

describe("a renewal", () => {
  it("is held against buying new, on demand and elsewhere", () => {
    const check = renewalCheck({ renewalPrice: whole(120), newPrice: whole(100), migrationCost: whole(30), onDemandHourly: whole(2), expectedUsedHours: whole(50), alternatives: [{ id: "other", total: whole(90), migrationCost: whole(10) }] });
    expect(check).toEqual({
      renewalPremium: decimal("0.2"),
      options: [{ id: "on_demand", total: whole(100) }, { id: "other", total: whole(100) }, { id: "renew", total: whole(120) }, { id: "new_purchase", total: whole(130) }],
      savingVersusRenewal: whole(20),
      flags: ["renewal_above_new_purchase", "renewal_above_on_demand"],
    });
  });
});

describe("a mix of prices", () => {
  it("never beats its deepest discount, and is none above the whole", () => {
    const mix = (...pairs: readonly (readonly [string, string])[]) => pricingMix(pairs.map(([share, discount]) => ({ share: decimal(share), discount: decimal(discount) })));
    expect(mix(["0.5", "0.8"], ["0.5", "0.2"])).toEqual({ shareTotal: whole(1), blendedSaving: decimal("0.5"), blendedPriceRatio: decimal("0.5") });
    expect(mix(["0.7", "0.5"], ["0.4", "0.5"])).toMatchObject({ blendedSaving: null, blendedPriceRatio: null });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 10 }), fc.nat({ max: 100 })), { minLength: 1, maxLength: 6 }), (parts) => {
        const { blendedSaving } = pricingMix(parts.map(([sixtieths, percent]) => ({ share: rational(BigInt(sixtieths), 60n), discount: rational(BigInt(percent), 100n) })));
        expect(compare(blendedSaving!, rational(BigInt(Math.max(...parts.map(([, percent]) => percent))), 100n))).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe("an own card", () => {
  const inputs = {
    capex: whole(1200),
    residual: whole(200),
    lifeMonths: whole(10),
    usedHoursPerMonth: whole(100),
    powerKilowattsBusy: whole(1),
    powerKilowattsIdle: decimal("0.5"),
    poweredHoursPerMonth: whole(300),
    tariffPerKilowattHour: decimal("0.1"),
    fixedMonthly: whole(5),
    cloudHourly: decimal("2.05"),
    relativeSpeed: whole(1),
  };

  it("costs its share, its power and its idling", () => {
    // 100 for wear, 5 fixed, 10 for the busy hours, 10 for 200 idle ones.
    expect(ownedVersusCloud(inputs)).toEqual({
      ownedMonthly: whole(125),
      cloudMonthly: whole(205),
      ownedCostPerCloudEquivalentHour: decimal("1.25"),
      savingShare: rational(16n, 41n),
      breakEvenUsedHoursPerMonth: whole(60),
    });
  });

  it("never breaks even where the power alone costs more than the cloud", () => {
    expect(ownedVersusCloud({ ...inputs, cloudHourly: decimal("0.05") }).breakEvenUsedHoursPerMonth).toBeNull();
    expect(ownedVersusCloud({ ...inputs, usedHoursPerMonth: whole(0), poweredHoursPerMonth: null })).toMatchObject({ ownedMonthly: whole(105), ownedCostPerCloudEquivalentHour: null, savingShare: null });
  });
});
