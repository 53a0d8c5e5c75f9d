/** Budgets as the ledger keeps them, how they stand, and the alerts they raise. */
import type { BudgetAlertLine, BudgetInput, BudgetKind, BudgetLevel, BudgetPlan, BudgetState, BudgetStatus, BudgetThreshold, BurnDown } from "../../../shared/contract/teams.ts";
import type { CostBasis } from "../../../shared/domain/figure.ts";
import { formatAttos, parseAmount } from "../../../shared/domain/money.ts";
import { decimal, divideHalfEven, whole } from "../../../shared/domain/rational.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { budgetAlerts, proratedBudget } from "../budgets/alerts.ts";
import { burnDown, runwayDay, type BurnDay } from "../budgets/burn-down.ts";
import { dateOf, dayNumber } from "../budgets/calendar.ts";
import { budgetPeriod, type BudgetPeriod, type BudgetSpan } from "../budgets/periods.ts";
import { isOneOf, prepared, query, readAll, readOne, splitAttos, money, sql, type Db } from "../store/sql.ts";
import { carbonDays, carbonStamp } from "./carbon-days.ts";
import { commitmentEnds } from "./commitment-ends.ts";
import { coveredDays, dailyRows, dailySeries, daysOfMonth, keptAt, type DailySeries } from "./daily.ts";
import { forecastOf, type PlannedChange, type ScopeForecast } from "./forecast.ts";

export interface LedgerAt {
  readonly db: Db;
  revision(): number;
}

interface BudgetRow {
  readonly BudgetId: number;
  readonly ParentId: number | null;
  readonly Name: string;
  readonly Level: BudgetLevel;
  readonly Kind: BudgetKind;
  readonly Currency: string | null;
  readonly Basis: CostBasis | null;
  readonly Span: BudgetSpan;
  readonly Scope: string;
  readonly Owner: string | null;
  readonly Thresholds: string;
}
interface MonthRow {
  readonly BudgetId: number;
  readonly Month: string;
  readonly attos: bigint | null;
  readonly Quantity: string | null;
}

/** Parents before their children, then by name. */
export function storedBudgets(db: Db): BudgetPlan[] {
  const months = Map.groupBy(
    readAll(db, query<MonthRow>("BudgetId", "Month", "attos", "Quantity")`-- budgets.months
      SELECT BudgetId, Month, ${money("Amount")} AS attos, Quantity FROM budget_month ORDER BY BudgetId, Month`),
    ({ BudgetId }) => BudgetId,
  );
  const plans = readAll(db, query<BudgetRow>("BudgetId", "ParentId", "Name", "Level", "Kind", "Currency", "Basis", "Span", "Scope", "Owner", "Thresholds")`-- budgets.list
    SELECT BudgetId, ParentId, Name, Level, Kind, Currency, Basis, Span, Scope, Owner, Thresholds FROM budget ORDER BY Name, BudgetId`).map((row): BudgetPlan => ({
    id: row.BudgetId,
    parent: row.ParentId,
    name: row.Name,
    level: row.Level,
    kind: row.Kind,
    currency: row.Currency,
    basis: row.Basis,
    span: row.Span,
    scope: JSON.parse(row.Scope) as BudgetPlan["scope"],
    owner: row.Owner,
    thresholds: JSON.parse(row.Thresholds) as readonly BudgetThreshold[],
    months: Object.fromEntries((months.get(row.BudgetId) ?? []).map(({ Month, attos, Quantity }) => [Month, attos === null ? (Quantity ?? "0") : formatAttos(attos)])),
  }));
  const below = (parent: number | null): BudgetPlan[] => plans.filter((plan) => plan.parent === parent).flatMap((plan) => [plan, ...below(plan.id)]);
  return below(null);
}

/** Keeps a budget and returns its id. Inside the caller's transaction; the input has been checked. */
export function keepBudget(db: Db, { id, parent, name, level, kind, currency, basis, span, scope, owner, thresholds, months }: BudgetInput): number {
  const values = [parent, name, level, kind, kind === "money" ? currency : null, kind === "money" ? (basis ?? "EffectiveCost") : null, span, JSON.stringify(scope), owner, JSON.stringify(thresholds)];
  if (id !== null) prepared(db, "UPDATE budget SET ParentId = ?, Name = ?, Level = ?, Kind = ?, Currency = ?, Basis = ?, Span = ?, Scope = ?, Owner = ?, Thresholds = ? WHERE BudgetId = ?").run(...values, id);
  const budget =
    id ?? Number(prepared(db, "INSERT INTO budget (ParentId, Name, Level, Kind, Currency, Basis, Span, Scope, Owner, Thresholds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(...values).lastInsertRowid);
  for (const [month, amount] of Object.entries(months)) keepMonth(db, budget, kind, month, amount);
  return budget;
}

export function keepMonth(db: Db, budget: number, kind: BudgetKind, month: string, amount: string | null): void {
  if (amount === null) {
    prepared(db, "DELETE FROM budget_month WHERE BudgetId = ? AND Month = ?").run(budget, month);
    return;
  }
  const { nanos, rest } = splitAttos(amountOf(amount));
  const set = "INSERT INTO budget_month (BudgetId, Month, AmountNanos, AmountRest, Quantity) VALUES (?, ?, ?, ?, ?) ON CONFLICT (BudgetId, Month) DO UPDATE SET AmountNanos = excluded.AmountNanos, AmountRest = excluded.AmountRest, Quantity = excluded.Quantity";
  prepared(db, set).run(budget, month, kind === "money" ? nanos : null, kind === "money" ? rest : null, kind === "money" ? null : amount);
}

/** A budget and all below it. Inside the caller's transaction. */
export function removeBudget(db: Db, id: number): void {
  for (const { child } of readAll(db, query<{ child: number }>("child")`-- budgets.children
    SELECT BudgetId AS child FROM budget WHERE ParentId = ${id}`)) removeBudget(db, child);
  prepared(db, "DELETE FROM budget WHERE BudgetId = ?").run(id);
}

/** A decimal of the contract, or of the store, in 1e-18 of its unit. */
export function amountOf(text: string): bigint {
  const parsed = parseAmount(text);
  if (parsed === null) throw new TypeError("a stored amount is no amount");
  return parsed.value;
}

export const FISCAL_START_KEY = "fiscal-year-start";

/** The month in which the fiscal year starts, 1 to 12. */
export function fiscalStartOf(db: Db): number {
  const saved = readOne(db, query<{ value: string }>("value")`-- budgets.fiscal-start
    SELECT Value AS value FROM setting WHERE Key = ${FISCAL_START_KEY}`);
  return saved === null ? 1 : Number(saved.value);
}

interface ChangeRow {
  readonly name: string;
  readonly team: string | null;
  readonly currency: string;
  readonly fromDay: string;
  readonly toDay: string | null;
  readonly isDaily: number;
  readonly attos: bigint;
}

export function plannedChanges(db: Db): PlannedChange[] {
  return readAll(db, query<ChangeRow>("name", "team", "currency", "fromDay", "toDay", "isDaily", "attos")`-- budgets.planned-changes
    SELECT Name AS name, Team AS team, Currency AS currency, FromDay AS fromDay, ToDay AS toDay, IsDaily AS isDaily, ${money("Amount")} AS attos
    FROM planned_change
    ORDER BY FromDay, ChangeId`).map((row) => ({ ...row, fromDay: dayNumber(row.fromDay), toDay: row.toDay === null ? null : dayNumber(row.toDay), isDaily: row.isDaily === 1 }));
}

/** The unit of a budget's amounts. */
export function unitOf({ kind, currency }: Pick<BudgetPlan, "kind" | "currency">): string {
  return kind === "money" ? (currency ?? "") : kind === "gpu-hours" ? "gpu-hours" : "kgCO2e";
}

/**
 * The ledger that a budget is held against. Where all money is in one currency, it is that one for money in the currency; hours and emissions are
 * counted as they are billed; null for money in another currency, which is not compared.
 */
export function ledgerOfBudget(ledger: LedgerAt, convertedFrom: { readonly currency: string; readonly billed: LedgerAt } | null | undefined, { kind, currency }: Pick<BudgetPlan, "kind" | "currency">): LedgerAt | null {
  if (convertedFrom === null || convertedFrom === undefined) return ledger;
  return kind !== "money" ? convertedFrom.billed : currency === convertedFrom.currency ? ledger : null;
}

/** The days of a scope as a budget counts them; null where emissions are asked for and none can be calculated. */
export function seriesOf(ledger: LedgerAt, { kind, currency, basis, scope }: Pick<BudgetPlan, "kind" | "currency" | "basis" | "scope">): DailySeries | null {
  if (kind === "carbon") {
    return keptAt(ledger, `series carbon ${carbonStamp(ledger.db)} ${JSON.stringify(scope)}`, () => {
      const rows = carbonDays(ledger, scopeOf(scope));
      return rows === null ? null : dailySeries(rows, coveredDays(ledger), "money");
    });
  }
  const key = `series ${kind} ${currency} ${basis} ${JSON.stringify(scope)}`;
  return keptAt(ledger, key, () => {
    // GPU-hours are the same in whatever currency they are billed.
    const currencies = currency === null ? currenciesOf(ledger.db) : [currency];
    const rows = currencies.flatMap((each) => dailyRows(ledger, each, basis ?? "EffectiveCost", scopeOf(scope)));
    return dailySeries(rows, coveredDays(ledger), kind);
  });
}

export function forecastOfBudget(ledger: LedgerAt, plan: Pick<BudgetPlan, "kind" | "currency" | "basis" | "scope">): { readonly series: DailySeries; readonly forecast: ScopeForecast } | null {
  const series = seriesOf(ledger, plan);
  if (series === null) return null;
  const key = `${plan.kind} ${plan.currency} ${plan.basis} ${JSON.stringify(plan.scope)}${plan.kind === "carbon" ? ` ${carbonStamp(ledger.db)}` : ""}`;
  const changes = plan.kind === "money" ? knownChanges(ledger, plan) : [];
  return { series, forecast: keptAt(ledger, `forecast ${key} ${changes.map((change) => Object.values(change).join()).join(";")}`, () => forecastOf(ledger, key, series, changes)) };
}

/** What is known to change in a scope of money: what the person planned, and commitments that end. */
function knownChanges(ledger: LedgerAt, { currency, basis, scope }: Pick<BudgetPlan, "currency" | "basis" | "scope">): PlannedChange[] {
  const { team: teams, provider: providers, ...narrower } = scope;
  const planned = plannedChanges(ledger.db).filter((change) => change.currency === currency && (teams === undefined || teams.includes(change.team)));
  // Of a narrower scope it is not known which part of a commitment was its own.
  if (currency === null || Object.values(narrower).some((values) => values !== undefined)) return planned;
  const ends = commitmentEnds(ledger, currency, basis ?? "EffectiveCost").filter(({ team, provider }) => (teams === undefined || teams.includes(team)) && (providers === undefined || providers.includes(provider)));
  return [...planned, ...ends];
}

/** The month in which budgets stand: of the last day that any bill covers; null without a bill. */
export function monthOfData(ledger: LedgerAt): string | null {
  const last = [...coveredDays(ledger).values()].flatMap((days) => [...days]).reduce((most, day) => Math.max(most, day), Number.NEGATIVE_INFINITY);
  return Number.isFinite(last) ? dateOf(last).slice(0, 7) : null;
}

/** One budget in the period that holds a month. */
export function statusOf(ledger: LedgerAt, plan: BudgetPlan, month: string, fiscalStart = fiscalStartOf(ledger.db)): BudgetStatus {
  const { standing, ...status } = standingOf(ledger, plan, month, fiscalStart);
  return { ...status, alerts: alertsOf(ledger.db, { budget: plan.id, period: standing.period.label }) };
}

/** What the amounts of a status are, before they are written as text. */
export interface Standing {
  readonly period: BudgetPeriod;
  readonly budget: bigint | null;
  readonly actual: bigint | null;
  readonly forecast: bigint | null;
  readonly halfWidth80: bigint | null;
  readonly days: readonly BurnDay[];
  readonly runsOutOn: number | null;
}

export function standingOf(ledger: LedgerAt, plan: BudgetPlan, month: string, fiscalStart: number): Omit<BudgetStatus, "alerts"> & { readonly standing: Standing } {
  const period = budgetPeriod(plan.span, month, fiscalStart);
  const plans = period.months.map((label) => plan.months[label]);
  const isPlanned = plans.every((text) => text !== undefined);
  const budget = isPlanned ? plans.reduce((total: bigint, text) => total + amountOf(text ?? "0"), 0n) : null;
  const found = forecastOfBudget(ledger, plan);
  const lastDay = found?.series.lastDay ?? null;
  const over = found?.forecast.over(period.months) ?? null;
  const spans = period.months.map(daysOfMonth);
  const [firstOfPeriod, endOfPeriod] = [spans[0]?.start ?? 0, spans.at(-1)?.end ?? 0];
  const isStated = found !== null && period.months.every((label) => found.series.monthTotal(label) !== null);
  const actual = over === null || lastDay === null || !isStated ? null : over.soFar;
  const forecast = actual === null ? null : (over?.forecast ?? null);
  const elapsed = lastDay === null ? 0 : Math.min(Math.max(lastDay + 1 - firstOfPeriod, 0), endOfPeriod - firstOfPeriod);
  const prorated = budget === null || lastDay === null ? null : proratedBudget(budget, whole(elapsed * 24), whole((endOfPeriod - firstOfPeriod) * 24));
  const days =
    budget === null || found === null || lastDay === null
      ? []
      : burnDown(
          spans.map(({ start, end }, index) => ({ start, end, plan: amountOf(plans[index] ?? "0") })),
          (day) => (day > lastDay ? null : found.series.allOf(day)),
          (day) => found.forecast.expectedOf(day),
        );
  const runsOutOn = budget === null ? null : runwayDay(days, budget);
  const state: BudgetState = budget === null ? "no-plan" : actual === null ? "unknown" : isOver(actual, budget) ? "over" : forecast !== null && isOver(forecast, budget) ? "forecast-over" : isNear(plan, actual, budget) ? "near" : "within";
  const text = (amount: bigint | null): string | null => (amount === null ? null : formatAttos(amount));
  return {
    plan,
    period: period.label,
    months: period.months,
    dataUntil: lastDay === null ? null : dateOf(lastDay),
    budget: text(budget),
    actual: text(actual),
    prorated: prorated === null ? null : formatAttos(divideHalfEven(prorated.numerator, prorated.denominator)),
    remaining: budget === null || actual === null ? null : formatAttos(budget - actual),
    consumed: budget === null || actual === null || budget === 0n ? null : Number(actual) / Number(budget),
    forecast: text(forecast),
    halfWidth80: text(forecast === null ? null : (over?.halfWidth80 ?? null)),
    runRate: text(actual === null ? null : (over?.runRate ?? null)),
    method: found?.forecast.method ?? null,
    runsOutOn: runsOutOn === null ? null : dateOf(runsOutOn),
    state,
    standing: { period, budget, actual, forecast, halfWidth80: over?.halfWidth80 ?? null, days, runsOutOn },
  };
}

/** A budget day by day through its period, with the 80 % band that grows from the last known day to the end. */
export function burnDownOf(ledger: LedgerAt, plan: BudgetPlan, month: string, fiscalStart: number): BurnDown {
  const { standing, period, budget, runsOutOn } = standingOf(ledger, plan, month, fiscalStart);
  const ahead = standing.days.filter(({ actual }) => actual === null).length;
  let step = 0;
  return {
    unit: unitOf(plan),
    period,
    budget,
    runsOutOn,
    days: standing.days.map(({ day, plan: planned, actual, forecast }) => {
      if (actual === null) step += 1;
      // The band of a sum grows about with the root of its days.
      const width = forecast === null || standing.halfWidth80 === null || ahead === 0 ? null : BigInt(Math.round(Number(standing.halfWidth80) * Math.sqrt(step / ahead)));
      return {
        day: dateOf(day),
        plan: formatAttos(planned),
        actual: actual === null ? null : formatAttos(actual),
        forecast: forecast === null ? null : formatAttos(forecast),
        low: forecast === null || width === null ? null : formatAttos(forecast - width),
        high: forecast === null || width === null ? null : formatAttos(forecast + width),
      };
    }),
  };
}

function isOver(amount: bigint, budget: bigint): boolean {
  return amount > budget;
}

function isNear({ thresholds }: BudgetPlan, actual: bigint, budget: bigint): boolean {
  const under = thresholds.filter(({ type, percent }) => type === "actual" && Number(percent) < 100);
  return budgetAlerts(under.map(thresholdOf), { budget, actual, forecast: null, alreadyFired: new Set() }).fire.length > 0;
}

export function thresholdId({ type, percent }: BudgetThreshold): string {
  return `${type}-${percent}`;
}

function thresholdOf(threshold: BudgetThreshold): { readonly id: string; readonly type: "actual" | "forecast"; readonly percent: ReturnType<typeof decimal> } {
  return { id: thresholdId(threshold), type: threshold.type, percent: decimal(threshold.percent) };
}

/** What a check writes down. */
export interface Judged {
  readonly plan: BudgetPlan;
  readonly status: Omit<BudgetStatus, "alerts">;
  readonly fire: readonly string[];
  readonly rearm: readonly string[];
}

/** What each budget has to say in the period of a month; nothing is written. */
export function judge(ledger: LedgerAt, plans: readonly BudgetPlan[], month: string): Judged[] {
  const fiscalStart = fiscalStartOf(ledger.db);
  return plans.map((plan) => {
    const { standing, ...status } = standingOf(ledger, plan, month, fiscalStart);
    if (standing.budget === null || standing.actual === null) return { plan, status, fire: [], rearm: [] };
    const fired = new Set(
      readAll(ledger.db, query<{ id: string }>("id")`-- budgets.fired
        SELECT ThresholdId AS id FROM budget_alert WHERE BudgetId = ${plan.id} AND Period = ${standing.period.label} AND RearmedAt IS NULL`).map(({ id }) => id),
    );
    const { fire, rearm } = budgetAlerts(plan.thresholds.map(thresholdOf), { budget: standing.budget, actual: standing.actual, forecast: standing.forecast, alreadyFired: fired });
    return { plan, status, fire, rearm };
  });
}

/** Writes down what judging found: alerts that speak, forecasts that may speak again, and each forecast as it is. Returns the ids of new alerts. */
export function keepJudgement(db: Db, judged: readonly Judged[], at: string): number[] {
  const raised: number[] = [];
  for (const { plan, status, fire, rearm } of judged) {
    const { period, dataUntil, actual, forecast, budget } = status;
    if (dataUntil === null || budget === null) continue;
    for (const id of rearm) prepared(db, "UPDATE budget_alert SET RearmedAt = ? WHERE BudgetId = ? AND Period = ? AND ThresholdId = ? AND RearmedAt IS NULL").run(at, plan.id, period, id);
    for (const id of fire) {
      const value = id.startsWith("forecast") ? forecast : actual;
      if (value === null) continue;
      const insert = prepared(db, `INSERT INTO budget_alert (BudgetId, Period, ThresholdId, Round, RaisedAt, DataUntil, Value, Amount)
        SELECT ?, ?, ?, coalesce(max(Round), 0) + 1, ?, ?, ?, ? FROM budget_alert WHERE BudgetId = ? AND Period = ? AND ThresholdId = ?`);
      raised.push(Number(insert.run(plan.id, period, id, at, dataUntil, value, budget, plan.id, period, id).lastInsertRowid));
    }
    if (forecast === null || status.method === null) continue;
    prepared(db, `INSERT INTO forecast_snapshot (BudgetId, Period, DataUntil, MadeAt, Method, Forecast, HalfWidth) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (BudgetId, Period, DataUntil) DO UPDATE SET MadeAt = excluded.MadeAt, Method = excluded.Method, Forecast = excluded.Forecast, HalfWidth = excluded.HalfWidth
      WHERE Forecast <> excluded.Forecast`).run(plan.id, period, dataUntil, at, status.method, forecast, status.halfWidth80);
  }
  return raised;
}

/** Whether a judgement has anything new to write. */
export function isNews(db: Db, { plan, status, fire, rearm }: Judged): boolean {
  if (fire.length > 0 || rearm.length > 0) return true;
  if (status.forecast === null || status.dataUntil === null || status.budget === null) return false;
  const known = readOne(db, query<{ forecast: string }>("forecast")`-- budgets.snapshot
    SELECT Forecast AS forecast FROM forecast_snapshot WHERE BudgetId = ${plan.id} AND Period = ${status.period} AND DataUntil = ${status.dataUntil}`);
  return known?.forecast !== status.forecast;
}

interface AlertRow extends Omit<BudgetAlertLine, "threshold" | "unit"> {
  readonly thresholdId: string;
  readonly kind: BudgetKind;
  readonly currency: string | null;
}

/** Newest first. */
export function alertsOf(db: Db, which: { readonly budget?: number; readonly period?: string; readonly ids?: readonly number[] } = {}): BudgetAlertLine[] {
  return readAll(db, query<AlertRow>(
    "id", "budget", "budgetName", "owner", "kind", "currency", "period", "thresholdId", "raisedAt", "dataUntil", "value", "amount", "rearmedAt", "reason", "action", "answeredBy", "answeredAt",
  )`-- budgets.alerts
    SELECT
      a.AlertId AS id, a.BudgetId AS budget, b.Name AS budgetName, b.Owner AS owner, b.Kind AS kind, b.Currency AS currency, a.Period AS period,
      a.ThresholdId AS thresholdId, a.RaisedAt AS raisedAt, a.DataUntil AS dataUntil, a.Value AS value, a.Amount AS amount, a.RearmedAt AS rearmedAt,
      a.Reason AS reason, a.Action AS action, a.AnsweredBy AS answeredBy, a.AnsweredAt AS answeredAt
    FROM budget_alert a
    JOIN budget b ON b.BudgetId = a.BudgetId
    WHERE a.BudgetId = ifnull(${which.budget ?? null}, a.BudgetId) AND a.Period = ifnull(${which.period ?? null}, a.Period)
      ${which.ids === undefined ? sql`` : sql`AND ${isOneOf("AlertId", which.ids, "a")}`}
    ORDER BY a.AlertId DESC
    LIMIT 1000`).map(({ thresholdId: id, kind, currency, ...alert }) => {
    const place = id.indexOf("-");
    return { ...alert, unit: unitOf({ kind, currency }), threshold: { type: id.slice(0, place) === "forecast" ? "forecast" : "actual", percent: id.slice(place + 1) } };
  });
}

export function scopeOf(scope: BudgetPlan["scope"]): Scope {
  return Object.fromEntries(Object.entries(scope).filter(([, values]) => values !== undefined));
}

export function currenciesOf(db: Db): string[] {
  return readAll(db, query<{ currency: string }>("currency")`-- budgets.currencies
    SELECT DISTINCT BillingCurrency AS currency FROM series ORDER BY BillingCurrency`).map(({ currency }) => currency);
}
