import { compare, divide, isPositive, multiply, ratio, rational, subtract, whole, type Rational } from "../../../shared/domain/rational.ts";

export interface Threshold {
  readonly id: string;
  readonly type: "actual" | "forecast";
  /** Of the budget. */
  readonly percent: Rational;
}

export interface BudgetState {
  /** Whole units of one currency and scale, all three. */
  readonly budget: bigint;
  readonly actual: bigint;
  /** Null where there is no forecast: then forecast thresholds are silent. */
  readonly forecast: bigint | null;
  /** Ids of thresholds that have fired in this period. */
  readonly alreadyFired: ReadonlySet<string>;
}

export interface BudgetAlerts {
  /** In the order of the thresholds. */
  readonly fire: readonly string[];
  /** Fired forecast thresholds that may fire again. */
  readonly rearm: readonly string[];
  /** Actual ÷ budget; null for a budget of 0. */
  readonly consumedShare: Rational | null;
  readonly remaining: bigint;
}

/**
 * Which thresholds a budget crosses (model g.8). One fires when its value reaches percent × budget, equal included, once a
 * period. A forecast threshold re-arms when the forecast is 5 points of the budget or more below it. Against a budget of 0 any
 * cost above 0 fires. Compared in whole numbers.
 */
export function budgetAlerts(thresholds: readonly Threshold[], { budget, actual, forecast, alreadyFired }: BudgetState): BudgetAlerts {
  const limitOf = (percent: Rational): Rational => divide(multiply(whole(budget), percent), whole(100));
  const reaches = (value: bigint, percent: Rational): boolean => (budget === 0n ? value > 0n : compare(whole(value), limitOf(percent)) >= 0);
  const valueOf = ({ type }: Threshold): bigint | null => (type === "actual" ? actual : forecast);
  const isReached = (threshold: Threshold): boolean => {
    const value = valueOf(threshold);
    return value !== null && reaches(value, threshold.percent);
  };
  const hasFallenBack = ({ percent }: Threshold): boolean => forecast !== null && compare(whole(forecast), limitOf(subtract(percent, REARM_POINTS))) <= 0;
  return {
    fire: thresholds.filter((threshold) => !alreadyFired.has(threshold.id) && isReached(threshold)).map(({ id }) => id),
    rearm: thresholds.filter((threshold) => threshold.type === "forecast" && alreadyFired.has(threshold.id) && hasFallenBack(threshold)).map(({ id }) => id),
    consumedShare: ratio(whole(actual), whole(budget)),
    remaining: budget - actual,
  };
}

/** A budget for part of its period, by hours (model g.8); null for a period without hours. */
export function proratedBudget(budget: bigint, coveredHours: Rational, periodHours: Rational): Rational | null {
  return isPositive(periodHours) ? divide(multiply(rational(budget), coveredHours), periodHours) : null;
}

/** A forecast that hovers at its threshold would otherwise fire every day. */
const REARM_POINTS = whole(5);
