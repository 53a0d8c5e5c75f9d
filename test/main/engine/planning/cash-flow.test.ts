import { describe, expect, it } from "vitest";
import { commitmentCashFlow, presentValue } from "../../../../main/engine/planning/cash-flow.ts";
import { decimal, whole } from "../../../../shared/domain/rational.ts";

const flow = (...amounts: readonly number[]) => amounts.map((amount) => whole(amount));

describe("the cash flow of a commitment", () => {
  const inputs = {
    offer: { termMonths: 3, upfront: whole(10), hourly: whole(1), monthly: whole(5) },
    monthlyTiming: "arrears" as const,
    onDemandHourly: whole(4),
    onDemandAnnualDecline: whole(0),
    hoursByMonth: flow(10, 10, 20),
    utilizationByMonth: [whole(1), decimal("0.5"), whole(1)],
  };

  it("sets avoided on-demand bills against fees, month by month", () => {
    // Month 1: 40 avoided, 10 hourly, 5 monthly; month 2: 20 − 10 − 5; month 3: 80 − 20 − 5.
    expect(commitmentCashFlow(inputs)).toEqual(flow(-10, 25, 5, 55));
  });

  it("pays monthly fees a month earlier in advance, on-demand bills still in arrears", () => {
    expect(commitmentCashFlow({ ...inputs, monthlyTiming: "advance" })).toEqual(flow(-15, 25, 5, 60));
  });

  it("lowers the on-demand price at each anniversary", () => {
    const years = { offer: { termMonths: 13, upfront: whole(0), hourly: whole(0), monthly: whole(0) }, hoursByMonth: Array.from({ length: 13 }, () => whole(1)), utilizationByMonth: Array.from({ length: 13 }, () => whole(1)) };
    expect(commitmentCashFlow({ ...inputs, ...years, onDemandAnnualDecline: decimal("0.25") }).slice(-2)).toEqual(flow(4, 3));
  });
});

describe("present value", () => {
  it("discounts by the twelfth root of the annual rate", () => {
    const value = presentValue([whole(-100), ...Array.from({ length: 11 }, () => whole(0)), whole(121)], 0.1);
    expect(value.netPresentValue).toBeCloseTo(10, 10);
    expect(value.internalRateOfReturn).toBeCloseTo(0.21, 12);
    expect(value).toMatchObject({ undiscountedSaving: whole(21), noReturnReason: null, firstMonthCumulativeNonNegative: 12 });
  });

  it("has a return below 0 where less comes back than went out", () => {
    expect(presentValue([whole(-100), ...Array.from({ length: 11 }, () => whole(0)), whole(50)], 0).internalRateOfReturn).toBeCloseTo(-0.5, 12);
  });

  it("says why there is no return", () => {
    expect(presentValue(flow(0, 5), 0)).toMatchObject({ internalRateOfReturn: null, noReturnReason: "no_investment", firstMonthCumulativeNonNegative: 1 });
    expect(presentValue(flow(-5, -1, 0), 0)).toMatchObject({ internalRateOfReturn: null, noReturnReason: "no_sign_change", firstMonthCumulativeNonNegative: null });
    expect(presentValue(flow(-5, 9, -1), 0)).toMatchObject({ internalRateOfReturn: null, noReturnReason: "multiple_sign_changes", firstMonthCumulativeNonNegative: 1 });
  });

  it("waits until the cumulative cash stays above", () => {
    expect(presentValue(flow(-5, 6, -3, 2, 1), 0).firstMonthCumulativeNonNegative).toBe(3);
  });
});
