import { sumAttos } from "../../../shared/domain/money.ts";
import { compare, multiply, ratio, rational, whole, type Rational } from "../../../shared/domain/rational.ts";
import { dateOf, dayNumber, monthOf, weekdayOf } from "./calendar.ts";
import { DEFAULT_ALPHA, fitDaily, type DailyModel } from "./forecast.ts";

/** Ways to say what a month will cost. `level` is model g.2 to g.4, ours unless another proves better. */
export const forecastMethods = ["level", "run-rate", "four-weekdays", "damped-trend"] as const;
export type ForecastMethod = (typeof forecastMethods)[number];

export const BACKTEST_DAYS = [5, 10, 15, 20, 25] as const;

/** One look back: what each method would have said at the end of that day of a closed month. Attos. */
export interface BacktestOrigin {
  readonly month: string;
  readonly day: number;
  readonly actual: bigint;
  readonly forecasts: Readonly<Record<ForecastMethod, bigint | null>>;
  /** Nominal 80 % half width of `level`. */
  readonly halfWidth80: bigint | null;
}

/** As in forecast-errors.ts, over the origins. MAPE is for showing; WAPE decides, so it is exact. Each is null where its denominator is 0. */
export interface BacktestErrors {
  readonly mape: number | null;
  readonly wape: Rational | null;
  readonly bias: Rational | null;
}

export interface Backtest {
  readonly origins: readonly BacktestOrigin[];
  readonly errors: Readonly<Record<ForecastMethod, BacktestErrors>>;
  /** Of the origins with an interval, the share whose outcome lay inside; null without one. */
  readonly coverage: number | null;
  /** The method to use: `level`, unless another's WAPE is 10 % better or more over at least 15 origins. */
  readonly best: ForecastMethod;
}

/**
 * How well each method would have forecast the closed months of a history (model g.7): at days 5, 10, 15, 20, 25 of each month whose days are
 * all known and that has 28 known days before it. Only days up to the origin are used.
 */
export function backtest(historyStart: string, history: readonly (bigint | null)[]): Backtest {
  const first = dayNumber(historyStart);
  const end = first + history.length;
  const origins: BacktestOrigin[] = [];
  for (let { start, end: next } = monthOf(first); next <= end; { start, end: next } = monthOf(next)) {
    const days = history.slice(Math.max(0, start - first), next - first);
    if (start < first || days.some((cost) => cost === null)) continue;
    if (history.slice(0, start - first).filter((cost) => cost !== null).length < 28) continue;
    const actual = sumAttos(days.filter((cost) => cost !== null));
    for (const day of BACKTEST_DAYS) origins.push(originAt(first, history, start, next, day, actual));
  }
  const errorsOf = (method: ForecastMethod): BacktestErrors => {
    const pairs = origins.flatMap(({ actual, forecasts }) => {
      const forecast = forecasts[method];
      return forecast === null ? [] : [{ actual, miss: forecast - actual }];
    });
    const relative = pairs.filter(({ actual }) => actual !== 0n).map(({ actual, miss }) => Math.abs(Number(miss) / Number(actual)));
    return {
      mape: relative.length === 0 ? null : relative.reduce((sum, value) => sum + value, 0) / relative.length,
      wape: ratio(whole(sumAttos(pairs.map(({ miss }) => magnitudeOf(miss)))), whole(sumAttos(pairs.map(({ actual }) => magnitudeOf(actual))))),
      bias: ratio(whole(sumAttos(pairs.map(({ miss }) => miss))), whole(sumAttos(pairs.map(({ actual }) => actual)))),
    };
  };
  const errors = { level: errorsOf("level"), "run-rate": errorsOf("run-rate"), "four-weekdays": errorsOf("four-weekdays"), "damped-trend": errorsOf("damped-trend") };
  const judged = origins.filter(({ forecasts, halfWidth80 }) => forecasts.level !== null && halfWidth80 !== null);
  const inside = judged.filter(({ actual, forecasts, halfWidth80 }) => {
    return forecasts.level !== null && halfWidth80 !== null && magnitudeOf(actual - forecasts.level) <= halfWidth80;
  });
  return { origins, errors, coverage: judged.length === 0 ? null : inside.length / judged.length, best: bestOf(errors, origins.length) };
}

/**
 * What one method expects a day after the history to cost; its model is fitted to the same history. Days are numbers.
 *
 * level           level × weekday index (g.2 to g.4)
 * run-rate        the mean of the known days of the month in which the history ends
 * four-weekdays   the mean of the last 4 known same weekdays; of those there are, if fewer
 * damped-trend    Holt's damped trend on days ÷ weekday index: level 0.2, trend 0.05, damping 0.95 a day
 * null            the method has nothing to go by
 */
export function dayForecaster(method: ForecastMethod, historyStart: string, history: readonly (bigint | null)[], model = fitDaily({ historyStart, history, alpha: DEFAULT_ALPHA })): (day: number) => number | null {
  const first = dayNumber(historyStart);
  const last = first + history.length - 1;
  switch (method) {
    case "level":
      return model.expected;
    case "run-rate": {
      const month = monthOf(last);
      const known = history.slice(Math.max(0, month.start - first)).filter((cost) => cost !== null);
      const mean = known.length === 0 ? null : Number(sumAttos(known)) / known.length;
      return () => mean;
    }
    case "four-weekdays": {
      const means = Array.from({ length: 7 }, (_, weekday) => lastFourMean(first, history, weekday));
      return (day) => means[weekdayOf(day)] ?? null;
    }
    case "damped-trend":
      return dampedTrend(first, history, model);
  }
}

function lastFourMean(first: number, history: readonly (bigint | null)[], weekday: number): number | null {
  const same: number[] = [];
  for (let index = history.length - 1; index >= 0 && same.length < 4; index -= 1) {
    const cost = history[index];
    if (weekdayOf(first + index) === weekday && cost !== null && cost !== undefined) same.push(Number(cost));
  }
  return same.length === 0 ? null : same.reduce((sum, cost) => sum + cost, 0) / same.length;
}

function dampedTrend(first: number, history: readonly (bigint | null)[], { weekdayIndex }: DailyModel): (day: number) => number | null {
  const last = first + history.length - 1;
  const from = Math.max(0, history.length - LEVEL_DAYS);
  const weightOf = (day: number): number => weekdayIndex[weekdayOf(day)] ?? 1;
  let level: number | null = null;
  let trend = 0;
  for (let index = from; index < history.length; index += 1) {
    const cost = history[index];
    const weight = weightOf(first + index);
    trend *= DAMPING;
    if (level !== null) level += trend;
    if (cost === null || cost === undefined || weight === 0) continue;
    const miss: number = level === null ? 0 : Number(cost) / weight - level;
    level = level === null ? Number(cost) / weight : level + TREND_ALPHA * miss;
    trend += TREND_BETA * miss;
  }
  const [ends, slope] = [level, trend];
  return (day) => {
    if (ends === null) return null;
    const grown = slope * DAMPING * ((1 - DAMPING ** (day - last)) / (1 - DAMPING));
    return Math.max(0, ends + grown) * weightOf(day);
  };
}

function originAt(first: number, history: readonly (bigint | null)[], start: number, next: number, day: number, actual: bigint): BacktestOrigin {
  // A hundred and twenty days hold all that any method looks at.
  const from = Math.max(0, start + day - first - HISTORY_DAYS);
  const seen = history.slice(from, start + day - first);
  const historyStart = dateOf(first + from);
  const soFar = sumAttos(history.slice(start - first, start + day - first).filter((cost) => cost !== null));
  const model = fitDaily({ historyStart, history: seen, alpha: DEFAULT_ALPHA });
  const ahead = Array.from({ length: next - start - day }, (_, index) => start + day + index);
  const by = (method: ForecastMethod): bigint | null => {
    const expected = dayForecaster(method, historyStart, seen, model);
    let total = 0;
    for (const later of ahead) {
      const cost = expected(later);
      if (cost === null) return null;
      total += cost;
    }
    return soFar + BigInt(Math.round(total));
  };
  const width = model.halfWidth80(ahead);
  return {
    month: dateOf(start).slice(0, 7),
    day,
    actual,
    forecasts: { level: by("level"), "run-rate": by("run-rate"), "four-weekdays": by("four-weekdays"), "damped-trend": by("damped-trend") },
    halfWidth80: width === null ? null : BigInt(Math.round(width)),
  };
}

function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function bestOf(errors: Backtest["errors"], origins: number): ForecastMethod {
  const own = errors.level.wape;
  // Misses in the last digits of a double are no misses.
  if (own === null || origins < 15 || compare(own, NO_MISS) < 0) return "level";
  let best: { readonly method: ForecastMethod; readonly wape: Rational } = { method: "level", wape: multiply(own, rational(9n, 10n)) };
  for (const method of forecastMethods) {
    const { wape } = errors[method];
    if (method !== "level" && wape !== null && compare(wape, best.wape) <= 0) best = { method, wape };
  }
  return best.method;
}

/**
 * How wide an interval should be (model g.5): the nominal one is too narrow where costs jump, so a scope with six closed months or more has
 * at least the 80 % quantile of its own past misses, relative to the forecast, at the same day of the month.
 */
export function empiricalHalfWidth(past: Backtest, method: ForecastMethod, dayOfMonth: number, forecast: bigint, nominal: bigint | null): bigint | null {
  const day = BACKTEST_DAYS.findLast((origin) => origin <= dayOfMonth) ?? BACKTEST_DAYS[0];
  const misses = past.origins
    .filter((origin) => origin.day === day)
    .flatMap(({ actual, forecasts }) => {
      const said = forecasts[method];
      return said === null || said === 0n ? [] : [Math.abs(Number(actual - said) / Number(said))];
    })
    .sort((a, b) => a - b);
  if (misses.length < 6) return nominal;
  const quantile = misses[Math.ceil(misses.length * 0.8) - 1] ?? 0;
  const own = BigInt(Math.round(Math.abs(Number(forecast)) * quantile));
  return nominal === null || own > nominal ? own : nominal;
}

const NO_MISS = rational(1n, 1_000_000_000n);
const HISTORY_DAYS = 120;
const LEVEL_DAYS = 90;
const TREND_ALPHA = 0.2;
const TREND_BETA = 0.05;
const DAMPING = 0.95;
