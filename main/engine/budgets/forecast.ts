import { sumAttos } from "../../../shared/domain/money.ts";
import { rational, toNumber } from "../../../shared/domain/rational.ts";
import { dayNumber, monthOf, weekdayOf } from "./calendar.ts";

export interface ForecastInputs {
  /** YYYY-MM-DD of the first day of `history`. */
  readonly historyStart: string;
  /** Effective usage cost a day, in attos of one currency; null where no import covers the day. The last one is the last imported day. */
  readonly history: readonly (bigint | null)[];
  /** Purchases, taxes and credits that are known to come this month: added, never extrapolated. */
  readonly knownFuture: bigint;
  /** How fast the level follows, 0 to 1. */
  readonly alpha: number;
}

export const DEFAULT_ALPHA = 0.2;

/** Money in attos. */
export interface MonthEndForecast {
  readonly monthToDate: bigint;
  readonly daysObserved: number;
  /** Days to come, and days so far that are unknown. */
  readonly daysToForecast: number;
  /** Monday first; they average 1. */
  readonly weekdayIndex: readonly number[];
  /** What a day of index 1 costs; null without a known day. */
  readonly level: bigint | null;
  readonly forecast: bigint | null;
  /** Month to date ÷ known days × days of the month, for contrast; null without a known day in the month. */
  readonly runRateForecast: bigint | null;
  /** Nominal 80 % of forecasts lie within this of the outcome; null with fewer than 7 errors to judge by. */
  readonly halfWidth80: bigint | null;
}

/** The model fitted to a scope's days: what any day is expected to cost, and how sure a sum of days is. Money in attos. */
export interface DailyModel {
  readonly weekdayIndex: readonly number[];
  /** What a day of index 1 costs; null without a known day. */
  readonly level: number | null;
  /** null without a level. */
  expected(day: number): number | null;
  /** Nominal 80 % half width of the sum of days to come; null with fewer than 7 errors. */
  halfWidth80(days: readonly number[]): number | null;
}

/** Fits models g.2 and g.3 to a history; days are numbers as in calendar.ts. */
export function fitDaily({ historyStart, history, alpha }: Omit<ForecastInputs, "knownFuture">): DailyModel {
  const first = dayNumber(historyStart);
  const costs = history.map((amount) => (amount === null ? null : Number(amount)));
  const weekdayIndex = weekdayIndices(costs, first);
  const { level, errors } = smoothedLevel(costs, first, weekdayIndex, alpha);
  const weightOf = (day: number): number => weekdayIndex[weekdayOf(day)] ?? 1;
  return {
    weekdayIndex,
    level,
    expected: (day) => (level === null ? null : level * weightOf(day)),
    halfWidth80: (days) => (errors.length < 7 ? null : halfWidth80(errors, days.map(weightOf), alpha)),
  };
}

/**
 * What the month of the last imported day will cost (model g.1 to g.5).
 *
 * index      per weekday, the median of cost ÷ centered 7-day mean (7 known days, all within the last 56, mean above 0), at least
 *            0, divided by the mean of the seven; all 1 with fewer than 14 known days; 1 for a weekday without a ratio
 * level      the last 90 days ÷ index (without unknown days and weekdays of index 0): the mean of the first 7, then
 *            l ← l + α·(v − l)
 * forecast   known days of the month + Σ level × index over the others + known future amounts
 * interval   σ² is the mean square of v − l before each step; Var = σ²·Σⱼ (wⱼ + α·Σ_{k>j} wₖ)² over the indices w of the days to
 *            forecast; half width 1.28155·√Var
 */
export function forecastMonthEnd({ historyStart, history, knownFuture, alpha }: ForecastInputs): MonthEndForecast {
  const first = dayNumber(historyStart);
  const costs = history.map((amount) => (amount === null ? null : Number(amount)));
  const weekdayIndex = weekdayIndices(costs, first);
  const { level, errors } = smoothedLevel(costs, first, weekdayIndex, alpha);

  const month = monthOf(first + Math.max(0, history.length - 1));
  const days = Array.from({ length: month.end - month.start }, (_, offset) => month.start + offset);
  const known = days.flatMap((day) => history[day - first] ?? []);
  const weights = days.filter((day) => (history[day - first] ?? null) === null).map((day) => weekdayIndex[weekdayOf(day)] ?? 1);
  const monthToDate = sumAttos(known);
  const toCome = level === null ? (weights.length === 0 ? 0n : null) : toAttos(weights.reduce((total, weight) => total + level * weight, 0));
  return {
    monthToDate,
    daysObserved: known.length,
    daysToForecast: weights.length,
    weekdayIndex,
    level: level === null ? null : toAttos(level),
    forecast: toCome === null ? null : monthToDate + toCome + knownFuture,
    runRateForecast: known.length === 0 ? null : toAttos(toNumber(rational(monthToDate * BigInt(days.length), BigInt(known.length)))),
    halfWidth80: errors.length < 7 ? null : toAttos(halfWidth80(errors, weights, alpha)),
  };
}

function weekdayIndices(costs: readonly (number | null)[], first: number): readonly number[] {
  const from = Math.max(0, costs.length - INDEX_DAYS);
  if (costs.slice(from).filter((cost) => cost !== null).length < 14) return Array.from({ length: 7 }, () => 1);
  const ratios: number[][] = Array.from({ length: 7 }, () => []);
  costs.forEach((cost, index) => {
    if (index < from || cost === null) return;
    const week = costs.slice(Math.max(from, index - 3), index + 4).filter((known) => known !== null);
    if (week.length < 7) return;
    const mean = meanOf(week);
    if (mean > 0) ratios[weekdayOf(first + index)]?.push(cost / mean);
  });
  const medians = ratios.map((values) => (values.length === 0 ? 1 : Math.max(0, medianOf(values))));
  const mean = meanOf(medians);
  return mean > 0 ? medians.map((median) => median / mean) : medians.map(() => 1);
}

function smoothedLevel(costs: readonly (number | null)[], first: number, weekdayIndex: readonly number[], alpha: number): { readonly level: number | null; readonly errors: readonly number[] } {
  const from = Math.max(0, costs.length - LEVEL_DAYS);
  const values = costs.flatMap((cost, index) => {
    const weight = weekdayIndex[weekdayOf(first + index)] ?? 1;
    return index < from || cost === null || weight === 0 ? [] : [cost / weight];
  });
  if (values.length === 0) return { level: null, errors: [] };
  let level = meanOf(values.slice(0, 7));
  const errors = values.slice(7).map((value) => {
    const error = value - level;
    level += alpha * error;
    return error;
  });
  return { level, errors };
}

function halfWidth80(errors: readonly number[], weights: readonly number[], alpha: number): number {
  const variance = errors.reduce((total, error) => total + error * error, 0) / errors.length;
  let [later, squares] = [0, 0];
  for (const weight of weights.toReversed()) {
    squares += (weight + alpha * later) ** 2;
    later += weight;
  }
  return Z_80 * Math.sqrt(variance * squares);
}

/** From the first value and the differences to it, so that equal values have exactly that mean. */
function meanOf(values: readonly number[]): number {
  const [origin = 0] = values;
  return origin + values.reduce((total, value) => total + (value - origin), 0) / values.length;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
}

function toAttos(amount: number): bigint {
  return BigInt(Math.round(amount));
}

const INDEX_DAYS = 56;
const LEVEL_DAYS = 90;
/** Φ⁻¹(0.9): 80 % of a normal distribution lie within this many standard deviations. */
const Z_80 = 1.2815515655446004;
