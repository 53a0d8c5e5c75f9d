import { add, isNegative, isZero, multiply, negate, ONE, subtract, sum, toNumber, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import type { Offer } from "./offer.ts";

export interface CashFlowInputs {
  readonly offer: Omit<Offer, "hours">;
  /** When the monthly fee is due; bills of on-demand use always come in arrears. */
  readonly monthlyTiming: "arrears" | "advance";
  readonly onDemandHourly: Rational;
  /** By what the on-demand price falls at each anniversary, 0 to 1. */
  readonly onDemandAnnualDecline: Rational;
  /** One a month of the term. */
  readonly hoursByMonth: readonly Rational[];
  readonly utilizationByMonth: readonly Rational[];
}

/**
 * Month by month, what committing brings beside staying on demand (model a.4); entry 0 is the day of purchase.
 *
 * 0   −upfront, and the first monthly fee if it is due in advance
 * k   p·(1 − decline)^⌊(k−1)/12⌋ · utilization · hours − hourly fee · hours − monthly fee
 */
export function commitmentCashFlow({ offer, monthlyTiming, onDemandHourly, onDemandAnnualDecline, hoursByMonth, utilizationByMonth }: CashFlowInputs): readonly Rational[] {
  const isAdvance = monthlyTiming === "advance";
  const flow = [negate(isAdvance ? add(offer.upfront, offer.monthly) : offer.upfront)];
  let price = onDemandHourly;
  for (let month = 1; month <= offer.termMonths; month += 1) {
    if (month > 1 && (month - 1) % 12 === 0) price = multiply(price, subtract(ONE, onDemandAnnualDecline));
    const hours = hoursByMonth[month - 1] ?? ZERO;
    const utilization = utilizationByMonth[month - 1] ?? ZERO;
    const avoided = multiply(price, multiply(utilization, hours));
    const isFeeDue = !isAdvance || month < offer.termMonths;
    flow.push(subtract(subtract(avoided, multiply(offer.hourly, hours)), isFeeDue ? offer.monthly : ZERO));
  }
  return flow;
}

export type NoReturnReason = "no_investment" | "no_sign_change" | "multiple_sign_changes";

export interface PresentValue {
  readonly undiscountedSaving: Rational;
  readonly netPresentValue: number;
  /** The annual rate at which the net present value is 0; null with the reason why there is none. */
  readonly internalRateOfReturn: number | null;
  readonly noReturnReason: NoReturnReason | null;
  /** The first month from which the cumulative cash never falls below 0 again; null if there is none. */
  readonly firstMonthCumulativeNonNegative: number | null;
}

/**
 * What a monthly cash flow is worth today (model a.4). With the monthly rate j = (1 + annual)^(1/12) − 1, the value is
 * Σ c_k ÷ (1 + j)^k. The return is given only where money goes out first and the signs change once: then it is unique.
 * Sums and signs are exact, discounting is in doubles.
 */
export function presentValue(cashFlow: readonly Rational[], annualDiscountRate: number): PresentValue {
  const amounts = cashFlow.map(toNumber);
  const reason = whyNoReturn(cashFlow);
  return {
    undiscountedSaving: sum(cashFlow),
    netPresentValue: valueAt(amounts, (1 + annualDiscountRate) ** (-1 / 12)),
    internalRateOfReturn: reason === null ? annualReturn(amounts) : null,
    noReturnReason: reason,
    firstMonthCumulativeNonNegative: firstMonthThatStaysNonNegative(cashFlow),
  };
}

function whyNoReturn(cashFlow: readonly Rational[]): NoReturnReason | null {
  const [first = ZERO] = cashFlow;
  if (!isNegative(first)) return "no_investment";
  const signs = cashFlow.filter((amount) => !isZero(amount)).map(isNegative);
  const changes = signs.filter((sign, index) => index > 0 && sign !== signs[index - 1]).length;
  return changes === 0 ? "no_sign_change" : changes > 1 ? "multiple_sign_changes" : null;
}

/** Σ amount × discount^month. */
function valueAt(amounts: readonly number[], monthlyDiscount: number): number {
  return amounts.reduceRight((value, amount) => value * monthlyDiscount + amount, 0);
}

/** By halving the interval of the monthly discount factor: one change of sign means exactly one root above 0. */
function annualReturn(amounts: readonly number[]): number {
  let [low, high] = [0, 1];
  while (valueAt(amounts, high) < 0) [low, high] = [high, high * 2];
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (valueAt(amounts, middle) < 0) low = middle;
    else high = middle;
  }
  return Math.expm1(-12 * Math.log((low + high) / 2));
}

function firstMonthThatStaysNonNegative(cashFlow: readonly Rational[]): number | null {
  let first: number | null = null;
  let cumulative = ZERO;
  cashFlow.forEach((amount, month) => {
    cumulative = add(cumulative, amount);
    if (isNegative(cumulative)) first = null;
    else if (month >= 1) first ??= month;
  });
  return first;
}
