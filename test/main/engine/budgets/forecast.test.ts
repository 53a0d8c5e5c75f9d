import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_ALPHA, forecastMonthEnd } from "../../../../main/engine/budgets/forecast.ts";
import { forecastErrors } from "../../../../main/engine/budgets/forecast-errors.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import { decimal, rational, whole } from "../../../../shared/domain/rational.ts";

const cents = (count: number): bigint => BigInt(count) * 10n ** 16n;
const forecast = (historyStart: string, history: readonly (bigint | null)[], knownFuture = 0n) => forecastMonthEnd({ historyStart, history, knownFuture, alpha: DEFAULT_ALPHA });

describe("the month-end forecast", () => {
  it("repeats the weekday pattern", () => {
    // Four weeks from Monday 1 June 2026, 10 a weekday and 0 on weekends; 29 and 30 June are a Monday and a Tuesday.
    const history = Array.from({ length: 28 }, (_, day) => cents(day % 7 < 5 ? 1000 : 0));
    const result = forecast("2026-06-01", history);
    expect(result).toMatchObject({ monthToDate: cents(20_000), daysObserved: 28, daysToForecast: 2 });
    expect(result.weekdayIndex.map((index) => index.toFixed(6))).toEqual(["1.400000", "1.400000", "1.400000", "1.400000", "1.400000", "0.000000", "0.000000"]);
    expect(Number(formatAttos(result.forecast!))).toBeCloseTo(220, 9);
    expect(Number(formatAttos(result.halfWidth80!))).toBeCloseTo(0, 9);
  });

  it("treats missing days as unknown, and adds what is known to come", () => {
    const history = Array.from({ length: 20 }, (_, day) => (day === 7 ? null : cents(200)));
    const result = forecast("2026-06-01", history, cents(500));
    expect(result).toMatchObject({ daysObserved: 19, daysToForecast: 11, monthToDate: cents(3800), forecast: cents(6500), runRateForecast: cents(6000) });
  });

  it("knows nothing from nothing, and has no interval from a short history", () => {
    expect(forecast("2026-06-01", [null, null])).toMatchObject({ level: null, forecast: null, runRateForecast: null, halfWidth80: null, daysToForecast: 30 });
    expect(forecast("2026-06-01", Array.from({ length: 13 }, (_, day) => cents(100 + day)))).toMatchObject({ weekdayIndex: [1, 1, 1, 1, 1, 1, 1], halfWidth80: null });
  });

  it("is the month itself on its last day", () => {
    const result = forecast("2026-06-01", Array.from({ length: 30 }, (_, day) => cents(100 + day)));
    expect(result).toMatchObject({ daysToForecast: 0, forecast: result.monthToDate, halfWidth80: 0n });
  });

  it("of a constant is the constant, with no width (property 10)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 14, max: 120 }), (amount, days) => {
        const result = forecast("2026-01-01", Array.from({ length: days }, () => cents(amount)));
        expect(result.halfWidth80).toBe(0n);
        expect(result.weekdayIndex).toEqual([1, 1, 1, 1, 1, 1, 1]);
        const want = (amount / 100) * (result.daysObserved + result.daysToForecast);
        expect(Math.abs(Number(formatAttos(result.forecast!)) - want)).toBeLessThanOrEqual(1e-12 * want);
      }),
    );
  });
});

describe("forecast errors", () => {
  const periods = (...pairs: readonly (readonly [string, string])[]) => pairs.map(([actual, forecasted]) => ({ actual: decimal(actual), forecast: decimal(forecasted) }));

  it("leave out what has no denominator", () => {
    expect(forecastErrors(periods(["10", "8"], ["0", "2"], ["0", "0"]))).toEqual({ mape: decimal("0.2"), used: 1, smape: rational(10n, 9n), wape: decimal("0.4"), bias: whole(0) });
    expect(forecastErrors(periods(["0", "0"]))).toEqual({ mape: null, used: 0, smape: null, wape: null, bias: null });
  });
});
