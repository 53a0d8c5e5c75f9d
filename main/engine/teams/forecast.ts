/** What a scope will cost: by the day, by the month, and how well that went in the past. */
import { backtest, dayForecaster, empiricalHalfWidth, type Backtest, type ForecastMethod } from "../budgets/backtest.ts";
import { dateOf } from "../budgets/calendar.ts";
import { DEFAULT_ALPHA, fitDaily } from "../budgets/forecast.ts";
import { daysOfMonth, keptAt, type DailySeries } from "./daily.ts";
import type { Db } from "../store/sql.ts";

/** Something that is known to come: attos a day from one day to another, or once. */
export interface PlannedChange {
  readonly name: string;
  readonly team: string | null;
  readonly currency: string;
  readonly fromDay: number;
  /** Inclusive; null: open. */
  readonly toDay: number | null;
  readonly isDaily: boolean;
  readonly attos: bigint;
}

export interface ScopeForecast {
  readonly method: ForecastMethod;
  readonly backtest: Backtest;
  /** What a day that is not known whole is expected to cost in usage, with planned changes; null where nothing can be said. */
  expectedOf(day: number): bigint | null;
  /** Sum over some months: what is billed, and what is to come. null where nothing can be said of days to come. */
  over(months: readonly string[]): { readonly soFar: bigint; readonly toCome: bigint | null; readonly forecast: bigint | null; readonly halfWidth80: bigint | null; readonly daysToCome: number; readonly runRate: bigint | null };
}

/** `key` names the series among all of a ledger, so that looking back is done once a revision. */
export function forecastOf(ledger: { readonly db: Db; revision(): number }, key: string, series: DailySeries, changes: readonly PlannedChange[]): ScopeForecast {
  const historyStart = dateOf(series.firstDay);
  const past = keptAt(ledger, `backtest ${key}`, () => backtest(historyStart, series.history));
  const method = past.best;
  const recent = Math.max(0, series.history.length - 120);
  const seen = series.history.slice(recent);
  const seenStart = dateOf(series.firstDay + recent);
  const expected = dayForecaster(method, seenStart, seen);
  const model = fitDaily({ historyStart: seenStart, history: seen, alpha: DEFAULT_ALPHA });
  const lastDay = series.lastDay ?? series.firstDay - 1;
  const plannedOn = (day: number): bigint => {
    let total = 0n;
    for (const { fromDay, toDay, isDaily, attos } of changes) if (isDaily ? fromDay <= day && (toDay === null || day <= toDay) : fromDay === day) total += attos;
    return total;
  };
  const expectedOf = (day: number): bigint | null => {
    const cost = expected(day);
    return cost === null ? null : BigInt(Math.round(cost)) + plannedOn(day);
  };
  const isUnknown = (day: number): boolean => day > lastDay || (day >= series.firstDay && series.history[day - series.firstDay] === null);
  return {
    method,
    backtest: past,
    expectedOf,
    over(months) {
      const spans = months.map(daysOfMonth);
      const soFar = months.reduce((total, month) => total + (series.monthTotal(month) ?? 0n), 0n);
      const days = spans.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, index) => start + index));
      const unknown = days.filter(isUnknown);
      let toCome: bigint | null = 0n;
      for (const day of unknown) {
        const cost = expectedOf(day);
        if (cost === null || toCome === null) {
          toCome = null;
          continue;
        }
        const left = cost - series.usageOf(day);
        toCome += left > 0n || cost < 0n ? left : 0n;
      }
      const forecast = toCome === null ? null : soFar + toCome;
      const nominalWidth = unknown.length === 0 ? 0 : model.halfWidth80(unknown);
      const nominal = nominalWidth === null ? null : BigInt(Math.round(nominalWidth));
      const firstUnknown = unknown[0];
      const dayOfMonth = firstUnknown === undefined ? 31 : new Date((firstUnknown - 1) * 86_400_000).getUTCDate();
      const halfWidth80 = forecast === null || unknown.length === 0 ? nominal : empiricalHalfWidth(past, method, unknown.length >= 28 ? 0 : dayOfMonth, toCome ?? 0n, nominal);
      const known = days.filter((day) => day >= series.firstDay && !isUnknown(day));
      const usageSoFar = known.reduce((total, day) => total + series.usageOf(day), 0n);
      return {
        soFar,
        toCome,
        forecast,
        halfWidth80,
        daysToCome: unknown.length,
        runRate: known.length === 0 ? null : soFar + (usageSoFar * BigInt(unknown.length)) / BigInt(known.length),
      };
    },
  };
}
