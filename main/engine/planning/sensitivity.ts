import { add, compare, multiply, ONE, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import { commitmentCashFlow, presentValue, type CashFlowInputs } from "./cash-flow.ts";

export interface SensitivityInputs extends Omit<CashFlowInputs, "onDemandAnnualDecline"> {
  /** Changes of usage, −0.3 to 0.1: each utilization is multiplied by 1 + change and kept between 0 and 1. */
  readonly usageChanges: readonly Rational[];
  /** Yearly falls of the on-demand price, 0 to 1. */
  readonly declines: readonly Rational[];
  /** Yearly discount rates. */
  readonly discountRates: readonly number[];
}

export interface SensitivityCell {
  readonly usageChange: Rational;
  readonly decline: Rational;
  readonly discountRate: number;
  readonly undiscountedSaving: Rational;
  readonly netPresentValue: number;
}

/** The grid of model a.4: what a commitment is worth if usage, the on-demand price and the discount rate are other than thought; in the order usage, decline, rate. */
export function sensitivityGrid({ usageChanges, declines, discountRates, ...flow }: SensitivityInputs): readonly SensitivityCell[] {
  return usageChanges.flatMap((usageChange) => {
    const factor = add(ONE, usageChange);
    const utilizationByMonth = flow.utilizationByMonth.map((utilization) => between(multiply(utilization, factor)));
    return declines.flatMap((decline) => {
      const cash = commitmentCashFlow({ ...flow, utilizationByMonth, onDemandAnnualDecline: decline });
      return discountRates.map((discountRate) => {
        const { undiscountedSaving, netPresentValue } = presentValue(cash, discountRate);
        return { usageChange, decline, discountRate, undiscountedSaving, netPresentValue };
      });
    });
  });
}

function between(share: Rational): Rational {
  return compare(share, ZERO) < 0 ? ZERO : compare(share, ONE) > 0 ? ONE : share;
}
