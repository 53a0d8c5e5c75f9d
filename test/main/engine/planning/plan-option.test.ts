import { describe, expect, it } from "vitest";
import { optimalLayers } from "../../../../main/engine/planning/commitment-layers.ts";
import { expiryState } from "../../../../main/engine/planning/expiry.ts";
import { effectiveHourlyOf, workOutOption, type OptionTerms } from "../../../../main/engine/planning/plan-option.ts";
import { commitmentLevels } from "../../../../main/engine/planning/recommendation.ts";
import { sensitivityGrid } from "../../../../main/engine/planning/sensitivity.ts";
import { rankHours } from "../../../../main/engine/planning/usage-rank.ts";
import { decimal, rational, toDecimal, toNumber, whole, ZERO } from "../../../../shared/domain/rational.ts";

const usageOf = (...units: readonly number[]) => rankHours(Float64Array.from(units, (count) => count * 1_000_000));
const year: OptionTerms = { termMonths: 12, upfront: ZERO, hourly: whole(6), monthly: ZERO, monthlyTiming: "arrears", isSavingsPlan: false };
const still = { monthlyGrowth: ZERO, annualDecline: ZERO, annualDiscountRate: 0.08 };
const anySize = { lot: null, maximum: null };
/** Half of the hours 4, half 10. */
const dayAndNight = usageOf(...Array.from({ length: 24 }, (_, hour) => (hour < 12 ? 4 : 10)));

describe("an option", () => {
  it("is worked out from level to the month it has paid", () => {
    const { offer, optimum, savingAMonth, breakEvenDrop, value } = workOutOption(dayAndNight, year, whole(10), anySize, still, null);
    // Used in every hour below 4, in half of them above: 4 at 6 instead of 10 save 16 an hour, 16 × 730 a month.
    expect(optimum).toMatchObject({ commitment: whole(4), optimalLow: whole(4), optimalHigh: whole(4), utilization: whole(1) });
    expect(toNumber(savingAMonth)).toBe(11_680);
    expect(toDecimal(offer.exitBreakEvenMonths ?? ZERO)).toBe("7.2");
    expect(offer.paybackMonths).toEqual(ZERO);
    expect(value).toMatchObject({ internalRateOfReturn: null, noReturnReason: "no_investment", firstMonthCumulativeNonNegative: 1 });
    // Vector b-042: the same profile and prices still save if usage falls by 0.657143.
    expect(toNumber(breakEvenDrop ?? ZERO)).toBeCloseTo(0.657143, 6);
  });

  it("earns its upfront back in the month that the cash flow turns", () => {
    const terms = { ...year, hourly: ZERO, upfront: whole(43_800) };
    const { offer, value, upfrontTotal } = workOutOption(dayAndNight, terms, whole(10), anySize, still, null);
    expect(effectiveHourlyOf(terms)).toEqual(whole(5));
    expect(toNumber(offer.paybackMonths ?? ZERO)).toBe(6);
    expect(upfrontTotal).toEqual(whole(4 * 43_800));
    expect(value?.firstMonthCumulativeNonNegative).toBe(6);
    expect(value?.internalRateOfReturn).toBeGreaterThan(1);
  });

  it("keeps its commitment when usage falls, prices fall or the machines are retired", () => {
    const { risks } = workOutOption(dayAndNight, year, whole(10), anySize, { ...still, annualDecline: rational(15n, 100n) }, null);
    const monthly = Object.fromEntries(risks.map(({ risk, savingAMonth }) => [risk, toNumber(savingAMonth)]));
    // 20 % less: 3.2 and 8 in use of 4, so (3.2 + 4) ÷ 2 × 10 − 24 = 12 an hour; half: (2 + 4) ÷ 2 × 10 − 24 = 6.
    expect(monthly).toMatchObject({ "as-is": 16 * 730, "usage-20": 12 * 730, "usage-50": 6 * 730, "price-decline": 16 * 730 });
    // Eight months of twelve in use: 40 × 8 ÷ 12 − 24.
    expect(monthly["retired"]).toBeCloseTo((320 / 12 - 24) * 730, 6);
  });

  it("counts a fall of the on-demand price from the second year on", () => {
    const three = { ...year, termMonths: 36 };
    const { risks } = workOutOption(dayAndNight, three, whole(10), anySize, { ...still, annualDecline: rational(1n, 5n) }, null);
    const { savingAMonth } = risks.find(({ risk }) => risk === "price-decline") ?? { savingAMonth: ZERO };
    // 40, 32 and 25.6 an hour avoided, 24 paid.
    expect(toNumber(savingAMonth)).toBeCloseTo(((40 + 32 + 25.6) / 3 - 24) * 730, 6);
  });

  it("grows with usage month by month, never beyond the level", () => {
    const flat = workOutOption(usageOf(2), year, whole(10), anySize, still, whole(4)).value;
    const growing = workOutOption(usageOf(2), year, whole(10), anySize, { ...still, monthlyGrowth: rational(1n, 10n) }, whole(4)).value;
    expect(toNumber(flat?.undiscountedSaving ?? ZERO)).toBe(-4 * 8760);
    // 2·1.1^k of 4 until it is full after eight months.
    const used = Array.from({ length: 12 }, (_, month) => Math.min(4, 2 * 1.1 ** month)).reduce((sum, units) => sum + units, 0);
    expect(toNumber(growing?.undiscountedSaving ?? ZERO)).toBeCloseTo((used * 10 - 12 * 24) * 730, 3);
  });

  it("is bought in money an hour as a savings plan, in steps of 0.001", () => {
    const { optimum, moneyHourly } = workOutOption(usageOf(3, 3), { ...year, hourly: rational(20_001n, 10_000n), isSavingsPlan: true }, whole(4), anySize, still, null);
    expect(toDecimal(moneyHourly?.optimal ?? ZERO)).toBe("6.0003");
    expect(toDecimal(moneyHourly?.chosen ?? ZERO)).toBe("6");
    expect(toNumber(optimum.commitment)).toBeCloseTo(6 / 2.0001, 9);
  });

  it("buys nothing that is dearer, and says so", () => {
    const { offer, optimum, value, risks, breakEvenDrop } = workOutOption(dayAndNight, { ...year, hourly: whole(11) }, whole(10), anySize, still, null);
    expect(optimum.commitment).toEqual(ZERO);
    expect(offer.decision).toBe("on_demand");
    expect({ value, risks, breakEvenDrop }).toEqual({ value: null, risks: [], breakEvenDrop: null });
  });
});

describe("the sensitivity grid", () => {
  const flow = {
    offer: { termMonths: 24, upfront: ZERO, hourly: whole(6), monthly: ZERO }, monthlyTiming: "arrears" as const, onDemandHourly: whole(10),
    hoursByMonth: Array.from({ length: 24 }, () => whole(730)), utilizationByMonth: Array.from({ length: 24 }, () => decimal("0.9")),
  };

  it("holds every usage, price fall and rate, each worked out anew", () => {
    const grid = sensitivityGrid({ ...flow, usageChanges: [decimal("-0.3"), ZERO, decimal("0.2")], declines: [ZERO, decimal("0.2")], discountRates: [0, 0.12] });
    expect(grid).toHaveLength(12);
    const at = (usage: string, decline: string, rate: number) => grid.find((cell) => toDecimal(cell.usageChange) === usage && toDecimal(cell.decline) === decline && cell.discountRate === rate);
    expect(toNumber(at("0", "0", 0)?.undiscountedSaving ?? ZERO)).toBe(3 * 730 * 24);
    expect(at("0", "0", 0)?.netPresentValue).toBeCloseTo(3 * 730 * 24, 6);
    expect(toNumber(at("-0.3", "0", 0)?.undiscountedSaving ?? ZERO)).toBeCloseTo(0.3 * 730 * 24, 6);
    // The second year at 8 instead of 10.
    expect(toNumber(at("0", "0.2", 0)?.undiscountedSaving ?? ZERO)).toBeCloseTo(3 * 730 * 12 + 1.2 * 730 * 12, 6);
    // No more than all of it can be used.
    expect(toNumber(at("0.2", "0", 0)?.undiscountedSaving ?? ZERO)).toBe(4 * 730 * 24);
    expect(at("0", "0", 0.12)?.netPresentValue).toBeLessThan(at("0", "0", 0)?.netPresentValue ?? 0);
  });
});

describe("three levels to choose from", () => {
  const prices = { committedHourly: whole(1), onDemandHourly: whole(2) };
  /** `days` of so many units, in millionths. */
  const days = (count: number, units: number | null): (number | null)[] => Array.from({ length: count * 24 }, () => (units === null ? null : units * 1_000_000));

  it("buys no load that was shut down three days ago", () => {
    const levels = commitmentLevels([...days(88, 8), ...days(3, 2)], 91, prices);
    expect(levels).toMatchObject({ stable: whole(2), optimal: whole(8), cautious: whole(2), spread: ZERO });
    expect(levels.windows.map(({ days: length }) => length)).toEqual([7, 28, 56, 91]);
  });

  it("leaves unknown hours out instead of taking them for 0", () => {
    const levels = commitmentLevels([...days(20, 4), ...days(8, null)], 28, prices);
    expect(levels.windows).toEqual([
      { days: 7, knownHours: 0, stable: null, optimal: null },
      { days: 28, knownHours: 480, stable: whole(4), optimal: whole(4) },
    ]);
    expect(levels).toMatchObject({ stable: whole(4), optimal: whole(4), cautious: null });
  });

  it("shows how far the windows lie apart", () => {
    expect(commitmentLevels([...days(21, 6), ...days(7, 9)], 28, prices)).toMatchObject({ optimal: whole(6), spread: whole(3) });
  });
});

describe("an end in sight", () => {
  it("is looked at 90, 60, 30 and 7 days before", () => {
    const state = expiryState(1000, 939);
    expect(state.daysLeft).toBe(61);
    expect(state.window).toBe(90);
    expect(state.checks.map(({ day, isPast }) => [day, isPast])).toEqual([[910, true], [940, false], [970, false], [993, false]]);
    expect(expiryState(1000, 993).window).toBe(7);
    expect(expiryState(1000, 1001)).toMatchObject({ daysLeft: -1, window: null });
    expect(expiryState(1000, 900).window).toBeNull();
  });
});

describe("layers of terms under falling prices", () => {
  const inputs = { profile: [{ units: whole(4), hours: 8760 }], yearMultipliers: [whole(1), whole(1), whole(1)], longHourly: whole(4), shortHourly: whole(5), onDemandHourly: whole(10) };

  it("takes the long term while prices hold, and the short one where they fall far enough", () => {
    expect(optimalLayers(inputs).longCommitment).toEqual(whole(4));
    // Short at 5, 3 and 1: 9 in all, less than 12.
    const falling = optimalLayers({ ...inputs, yearPrices: [whole(1), decimal("0.6"), decimal("0.2")] });
    expect(falling).toMatchObject({ longCommitment: ZERO, shortCommitments: [whole(4), whole(4), whole(4)], totalCost: whole(4 * 9 * 8760) });
    expect(falling.onDemandCost).toEqual(whole(4 * 18 * 8760));
  });
});
