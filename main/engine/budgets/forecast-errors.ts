import { add, divide, isNegative, isZero, multiply, negate, ratio, subtract, sum, whole, type Rational } from "../../../shared/domain/rational.ts";

export interface ForecastErrors {
  /** Mean of |a − f| ÷ |a| over the periods whose actual is not 0. */
  readonly mape: Rational | null;
  /** How many periods that were. */
  readonly used: number;
  /** Mean of 2·|a − f| ÷ (|a| + |f|), 0 to 2, without periods where both are 0. */
  readonly smape: Rational | null;
  /** Σ|a − f| ÷ Σ|a|: the one that decides between methods. */
  readonly wape: Rational | null;
  /** Σ(f − a) ÷ Σ a: above 0 the forecast was too high. */
  readonly bias: Rational | null;
}

/** How far forecasts were off (model g.7); each is null where its denominator is 0. */
export function forecastErrors(periods: readonly { readonly actual: Rational; readonly forecast: Rational }[]): ForecastErrors {
  const misses = periods.map(({ actual, forecast }) => ({ actual, forecast, miss: magnitude(subtract(actual, forecast)) }));
  const relative = misses.filter(({ actual }) => !isZero(actual)).map(({ actual, miss }) => divide(miss, magnitude(actual)));
  const symmetric = misses.flatMap(({ actual, forecast, miss }) => ratio(multiply(whole(2), miss), add(magnitude(actual), magnitude(forecast))) ?? []);
  return {
    mape: meanOf(relative),
    used: relative.length,
    smape: meanOf(symmetric),
    wape: ratio(sum(misses.map(({ miss }) => miss)), sum(periods.map(({ actual }) => magnitude(actual)))),
    bias: ratio(sum(periods.map(({ actual, forecast }) => subtract(forecast, actual))), sum(periods.map(({ actual }) => actual))),
  };
}

function meanOf(values: readonly Rational[]): Rational | null {
  return ratio(sum(values), whole(values.length));
}

function magnitude(value: Rational): Rational {
  return isNegative(value) ? negate(value) : value;
}
