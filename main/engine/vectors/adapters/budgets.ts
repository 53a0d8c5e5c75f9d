import { formatAttos, parseAmount } from "../../../../shared/domain/money.ts";
import { divide, whole, type Rational } from "../../../../shared/domain/rational.ts";
import { budgetAlerts } from "../../budgets/alerts.ts";
import { anomalies, DEFAULT_ANOMALY_POLICY } from "../../budgets/anomalies.ts";
import { falseAlarms } from "../../budgets/false-alarms.ts";
import { forecastErrors } from "../../budgets/forecast-errors.ts";
import { DEFAULT_ALPHA, forecastMonthEnd } from "../../budgets/forecast.ts";
import { asDecimal, asList, asText, decimalAt, decimalOr, isAbsent, listAt, listOr, numberAt, numberOr, numberText, rowsAt, textAt, textOf, UnreadableInput, type Adapter, type Fields } from "../fields.ts";

/** Model g, in attos. */
export const budgetAdapters: Readonly<Record<string, Adapter>> = {
  forecast_month_end: (input) => {
    const forecast = forecastMonthEnd({
      historyStart: textAt(input, "history_start"),
      history: historyOf(input),
      knownFuture: knownFutureOf(input),
      alpha: numberOr(input, "alpha", DEFAULT_ALPHA),
    });
    return {
      month_to_date: formatAttos(forecast.monthToDate),
      days_observed: forecast.daysObserved,
      days_to_forecast: forecast.daysToForecast,
      weekday_index: forecast.weekdayIndex.map(numberText),
      level: amountText(forecast.level),
      forecast: amountText(forecast.forecast),
      run_rate_forecast: amountText(forecast.runRateForecast),
      half_width_80: amountText(forecast.halfWidth80),
    };
  },
  forecast_errors: (input) => {
    const forecasts = listAt(input, "forecast");
    const periods = listAt(input, "actual").flatMap((actual, index) => {
      const forecast = forecasts[index];
      return actual === null || forecast === null || forecast === undefined ? [] : [{ actual: asDecimal(actual), forecast: asDecimal(forecast) }];
    });
    const errors = forecastErrors(periods);
    return { mape: textOf(errors.mape), used: errors.used, smape: textOf(errors.smape), wape: textOf(errors.wape), bias: textOf(errors.bias) };
  },
  budget_alerts: (input) => {
    const alerts = budgetAlerts(
      rowsAt(input, "thresholds").map((threshold) => ({
        id: textAt(threshold, "id"),
        type: textAt(threshold, "type") === "forecast" ? "forecast" : "actual",
        percent: decimalAt(threshold, "percent"),
      })),
      {
        budget: amountOf(input["budget"]),
        actual: amountOf(input["actual"]),
        forecast: isAbsent(input, "forecast") ? null : amountOf(input["forecast"]),
        alreadyFired: new Set(listOr(input, "already_fired").map((id) => asText(id))),
      },
    );
    return { fire: alerts.fire, rearm: alerts.rearm, consumed_fraction: textOf(alerts.consumedShare), remaining: formatAttos(alerts.remaining) };
  },
  anomalies: (input) => {
    const { flagged, events } = anomalies(textAt(input, "history_start"), historyOf(input), {
      z: decimalOr(input, "z", DEFAULT_ANOMALY_POLICY.z),
      minimumShare: decimalOr(input, "min_fraction", DEFAULT_ANOMALY_POLICY.minimumShare),
      minimumAmount: isAbsent(input, "min_amount") ? DEFAULT_ANOMALY_POLICY.minimumAmount : amountOf(input["min_amount"]),
    });
    return {
      flagged,
      events: events.map((event) => ({
        start: event.start,
        end: event.end,
        direction: event.direction,
        flagged_days: event.flaggedDays,
        impact: textOf(inUnits(event.impact)),
        max_abs_z: textOf(event.maximumAbsoluteZ),
        kind: event.kind,
      })),
    };
  },
  false_alarms: (input) => {
    const alarms = falseAlarms({ z: numberAt(input, "z"), scopes: numberAt(input, "series"), days: numberAt(input, "days"), targetAlarms: numberOr(input, "target_alarms", null) });
    return { two_sided_p: numberText(alarms.twoSidedProbability), expected_alarms: numberText(alarms.expectedAlarms), z_for_target: numberText(alarms.zForTarget) };
  },
};

function historyOf(input: Fields): readonly (bigint | null)[] {
  return listAt(input, "history").map((amount) => (amount === null ? null : amountOf(amount)));
}

/** One amount, a list of amounts, or a list of rows with an amount. */
function knownFutureOf(input: Fields): bigint {
  const future = input["known_future"];
  if (future === null || future === undefined) return 0n;
  const entries: readonly unknown[] = Array.isArray(future) ? future : typeof future === "object" ? Object.values(future) : [future];
  return entries.reduce<bigint>((total, entry) => {
    const amount: unknown = Array.isArray(entry) ? asList(entry).at(-1) : typeof entry === "object" && entry !== null && "amount" in entry ? entry.amount : entry;
    return total + amountOf(amount);
  }, 0n);
}

function amountOf(value: unknown): bigint {
  const parsed = typeof value === "string" || typeof value === "number" ? parseAmount(String(value)) : null;
  if (parsed === null) throw new UnreadableInput(`${JSON.stringify(value)} is no amount`);
  return parsed.value;
}

function amountText(attos: bigint | null): string | null {
  return attos === null ? null : formatAttos(attos);
}

function inUnits(attos: Rational): Rational {
  return divide(attos, whole(10n ** 18n));
}
