import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import type { BudgetAlertLine, BudgetPlan, BudgetsCheck, ForecastAnswer } from "../../../shared/contract/teams.ts";
import { formatAttos, sumAttos } from "../../../shared/domain/money.ts";
import { toNumber, type Rational } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { monthShifted } from "../allocation/assign.ts";
import { forecastMethods } from "../budgets/backtest.ts";
import { dateOf } from "../budgets/calendar.ts";
import { monthsFrom } from "../budgets/periods.ts";
import type { EngineContext } from "../context.ts";
import { writeWhole } from "../files.ts";
import { textIn } from "../import/encoding.ts";
import { mainCurrency } from "../teams/allocation.ts";
import {
  alertsOf, amountOf, burnDownOf, FISCAL_START_KEY, fiscalStartOf, forecastOfBudget, isNews, judge, keepBudget, keepJudgement, keepMonth, ledgerOfBudget, monthOfData, plannedChanges, removeBudget,
  statusOf, storedBudgets, unitOf, type LedgerAt,
} from "../teams/budgets.ts";
import { noteChange } from "../teams/changes.ts";
import { commitmentEnds } from "../teams/commitment-ends.ts";
import { daysOfMonth } from "../teams/daily.ts";
import { planCsv, readPlanCsv } from "../teams/plan-csv.ts";
import { planTable, type PlannedBudget } from "../teams/plan-table.ts";
import { planWorkbook, readPlanWorkbook } from "../teams/plan-xlsx.ts";
import { prepared, query, readAll, splitAttos, type Db } from "../store/sql.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

export const budgetHandlers: HandlersOf<
  | "budgets.list" | "budgets.check" | "budgets.import" | "budgets.export" | "budget.save" | "budget.remove" | "budget.move" | "budget.burn-down" | "budget.suggest"
  | "alerts.list" | "alert.answer" | "forecast.read" | "planned-changes.save" | "fiscal-year.save"
> = {
  "budgets.list"(context, { month }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger, convertedFrom } = opened.value;
    const at = month ?? monthOfData(ledger) ?? context.now().toISOString().slice(0, 7);
    const fiscalStart = fiscalStartOf(ledger.db);
    const budgets = storedBudgets(ledger.db).flatMap((plan) => {
      const against = ledgerOfBudget(ledger, convertedFrom, plan);
      return against === null ? [] : [statusOf(against, plan, at, fiscalStart)];
    });
    return ok({ month: at, fiscalStart, budgets });
  },

  async "budgets.check"(context) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const raised = opened.value.ledger.isReadOnly ? [] : await context.exclusive(() => Promise.resolve(raiseAlerts(context)));
    return ok(checkOf(opened.value.ledger, raised));
  },

  async "budgets.import"(context, { file, currency: asked, isPreview, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger } = opened.value;
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(file);
    } catch {
      return err(ledgerError("import.not-found", { file: basename(file) }));
    }
    const currency = asked ?? mainCurrency(ledger.db, null);
    // What it is, its bytes say: a workbook is a zip.
    const isWorkbook = bytes[0] === 0x50 && bytes[1] === 0x4b;
    const text = isWorkbook ? "" : textIn(bytes);
    if (text === null) return err(ledgerError("import.not-text", { file: basename(file) }));
    const plan = isWorkbook ? await readPlanWorkbook(bytes, basename(file), currency) : readPlanCsv(text, basename(file), currency);
    if (!plan.ok) return plan;
    const compared = compare(storedBudgets(ledger.db), plan.value);
    if (!isPreview) {
      const done = await change(context, by, ({ ledger: { db } }, author) => {
        importPlan(db, plan.value);
        noteChange(db, author, "budget", "imported", basename(file), null, { added: compared.added, changed: compared.changed });
      });
      if (!done.ok) return done;
    }
    return ok({ ...compared, revision: ledger.revision() });
  },

  async "budgets.export"(context, { file }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger } = opened.value;
    const firstMonth = monthShifted(monthOfData(ledger) ?? context.now().toISOString().slice(0, 7), 1);
    const teams = readAll(ledger.db, query<{ team: string }>("team")`-- budgets.teams
      SELECT DISTINCT x_Team AS team FROM series WHERE x_Team IS NOT NULL ORDER BY x_Team`).map(({ team }) => team);
    const table = planTable(storedBudgets(ledger.db), { teams, months: monthsFrom(firstMonth, 12) });
    return writeWhole(file, /\.xlsx$/i.test(file) ? await planWorkbook(table) : planCsv(table));
  },

  async "budget.save"(context, { budget, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const plans = storedBudgets(opened.value.ledger.db);
    const wrong = wrongIn(plans, budget);
    if (wrong !== null) return err(ledgerError("contract.invalid", { question: "budget.save", path: `budget.${wrong}` }));
    let id = 0;
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      const before = plans.find((plan) => plan.id === budget.id) ?? null;
      id = keepBudget(db, budget);
      noteChange(db, author, "budget", before === null ? "added" : "changed", budget.name, before, storedBudgets(db).find((plan) => plan.id === id) ?? null);
    });
    return done.ok ? ok({ ...done.value, id }) : done;
  },

  async "budget.remove"(context, { id, by }) {
    const found = budgetOf(context, id);
    if (!found.ok) return found;
    return change(context, by, ({ ledger: { db } }, author) => {
      noteChange(db, author, "budget", "removed", found.value.name, found.value, null);
      removeBudget(db, id);
    });
  },

  async "budget.move"(context, { from, to, month, amount, reason, by }) {
    const [giver, taker] = [budgetOf(context, from), budgetOf(context, to)];
    if (!giver.ok) return giver;
    if (!taker.ok) return taker;
    const [had, has] = [giver.value.months[month], taker.value.months[month]];
    const moved = amountOf(amount);
    const fits = from !== to && giver.value.kind === taker.value.kind && giver.value.currency === taker.value.currency;
    if (!fits) return err(ledgerError("contract.invalid", { question: "budget.move", path: "to" }));
    if (had === undefined || moved <= 0n || amountOf(had) < moved) return err(ledgerError("contract.invalid", { question: "budget.move", path: "amount" }));
    return change(context, by, ({ ledger: { db } }, author) => {
      const { kind } = giver.value;
      keepMonth(db, from, kind, month, formatAttos(amountOf(had) - moved));
      keepMonth(db, to, kind, month, formatAttos((has === undefined ? 0n : amountOf(has)) + moved));
      prepared(db, "INSERT INTO budget_move (At, Who, FromBudgetId, ToBudgetId, Month, Amount, Reason) VALUES (?, ?, ?, ?, ?, ?, ?)").run(author.at, author.who, from, to, month, amount, reason);
      noteChange(db, author, "budget", "moved", `${giver.value.name} > ${taker.value.name}`, null, { month, amount, unit: unitOf(giver.value), reason });
    });
  },

  "budget.burn-down"(context, { id, month }) {
    const found = budgetOf(context, id);
    if (!found.ok) return found;
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger: own, convertedFrom } = opened.value;
    const ledger = ledgerOfBudget(own, convertedFrom, found.value);
    if (ledger === null) return err(ledgerError("currency.billed-only", { currency: convertedFrom?.currency ?? "" }));
    return ok(burnDownOf(ledger, found.value, month ?? monthOfData(ledger) ?? context.now().toISOString().slice(0, 7), fiscalStartOf(ledger.db)));
  },

  "budget.suggest"(context, { kind, currency, basis, scope, fromMonth, months }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger } = opened.value;
    const asked = { kind, scope, basis: basis ?? "EffectiveCost", currency: kind === "money" ? (currency ?? mainCurrency(ledger.db, null)) : null };
    const found = forecastOfBudget(ledger, asked);
    const lastDay = found?.series.lastDay ?? null;
    if (found === null || lastDay === null) return ok({ unit: unitOf(asked), months: [], from: [], method: "none" });
    const { series } = found;
    const current = dateOf(lastDay).slice(0, 7);
    const lastClosed = daysOfMonth(current).end - 1 === lastDay ? current : monthShifted(current, -1);
    const closed = monthsFrom(monthShifted(lastClosed, -2), 3).filter((month) => daysOfMonth(month).start >= series.firstDay);
    const known = closed.flatMap((month) => {
      const total = series.monthTotal(month);
      return total === null ? [] : [{ month, total, days: BigInt(daysOfMonth(month).end - daysOfMonth(month).start) }];
    });
    const [sum, days] = known.reduce(([attos, count], { total, days: length }) => [attos + total, count + length] as const, [0n, 0n] as readonly [bigint, bigint]);
    const wanted = days === 0n ? [] : monthsFrom(fromMonth, months);
    return ok({
      unit: unitOf(asked),
      months: wanted.map((month) => ({ month, amount: formatAttos((sum * BigInt(daysOfMonth(month).end - daysOfMonth(month).start)) / days) })),
      from: known.map(({ month, total }) => ({ month, amount: formatAttos(total) })),
      method: "mean-of-last-three-months-by-day",
    });
  },

  "alerts.list"(context, { onlyOpen }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const alerts = alertsOf(opened.value.ledger.db);
    return ok({ alerts: onlyOpen ? alerts.filter(({ answeredAt, rearmedAt }) => answeredAt === null && rearmedAt === null) : alerts });
  },

  async "alert.answer"(context, { id, reason, action, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const [alert] = alertsOf(opened.value.ledger.db, { ids: [id] });
    if (alert === undefined) return err(ledgerError("budget.not-found", { id }));
    return change(context, by, ({ ledger: { db } }, author) => {
      prepared(db, "UPDATE budget_alert SET Reason = ?, Action = ?, AnsweredBy = ?, AnsweredAt = ? WHERE AlertId = ?").run(reason, action, author.who, author.at, id);
      noteChange(db, author, "alert", "answered", `${alert.budgetName}, ${alert.period}, ${alert.threshold.type} ${alert.threshold.percent} %`, { reason: alert.reason, action: alert.action }, { reason, action });
    });
  },

  "forecast.read"(context, { kind, scope, currency, basis }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger, convertedFrom } = opened.value;
    const asked = { kind, scope, basis, currency: kind === "money" ? (currency ?? mainCurrency(ledger.db, null)) : null };
    const against = ledgerOfBudget(ledger, convertedFrom, asked);
    if (against === null) return err(ledgerError("currency.billed-only", { currency: convertedFrom?.currency ?? "" }));
    const answer = forecastAnswer(against, asked);
    // What was forecast once was of billed money.
    return ok(convertedFrom === null || kind !== "money" ? answer : { ...answer, drift: [] });
  },

  async "planned-changes.save"(context, { changes, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      noteChange(db, author, "forecast", "changed", "planned-changes", plannedChanges(db).map(plannedText), changes);
      prepared(db, "DELETE FROM planned_change").run();
      for (const { name, team, currency, fromDay, toDay, isDaily, amount } of changes) {
        const { nanos, rest } = splitAttos(amountOf(amount));
        prepared(db, "INSERT INTO planned_change (Name, Team, Currency, FromDay, ToDay, IsDaily, AmountNanos, AmountRest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(name, team, currency, fromDay, toDay, isDaily ? 1 : 0, nanos, rest);
      }
    });
  },

  async "fiscal-year.save"(context, { startMonth, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      noteChange(db, author, "budget", "changed", "fiscal-year", String(fiscalStartOf(db)), String(startMonth));
      prepared(db, "INSERT INTO setting (Key, Value) VALUES (?, ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(FISCAL_START_KEY, String(startMonth));
    });
  },
};

/**
 * Looks at every budget and writes down what is new: alerts speak once, forecasts are kept. Returns the ids of alerts that spoke now. Does
 * nothing on a ledger that may not be written, or without budgets.
 */
export function raiseAlerts(context: EngineContext): readonly number[] {
  const opened = context.writable();
  if (!opened.ok) return [];
  const { ledger, jobs } = opened.value;
  const plans = storedBudgets(ledger.db);
  const month = plans.length === 0 ? null : monthOfData(ledger);
  if (month === null) return [];
  const news = judge(ledger, plans, month).filter((judged) => isNews(ledger.db, judged));
  if (news.length === 0) return [];
  const says = news.some(({ fire, rearm }) => fire.length + rearm.length > 0);
  const { raised, revision } = jobs.write(() =>
    ledger.db
      .transaction(() => ({ raised: keepJudgement(ledger.db, news, context.now().toISOString()), revision: says ? ledger.bump() : null }))
      .immediate(),
  );
  if (revision !== null) context.emit({ name: "ledger.changed", payload: { revision } });
  for (const alert of loudest(raised.length === 0 ? [] : alertsOf(ledger.db, { ids: raised }))) {
    const { id, budget, budgetName, owner, period, threshold } = alert;
    context.emit({ name: "alert.raised", payload: { alert: id, budget, budgetName, owner, period, type: threshold.type, percent: threshold.percent, value: alert.value, amount: alert.amount, unit: alert.unit } });
  }
  return raised;
}

/** Of what a budget crossed at once, the highest of each kind speaks; a forecast is silent beside what has happened already. */
function loudest(alerts: readonly BudgetAlertLine[]): readonly BudgetAlertLine[] {
  return [...Map.groupBy(alerts, ({ budget, period }) => `${budget} ${period}`).values()].flatMap((own) => {
    const highest = (type: "actual" | "forecast"): BudgetAlertLine[] => own.filter(({ threshold }) => threshold.type === type).sort((a, b) => Number(b.threshold.percent) - Number(a.threshold.percent)).slice(0, 1);
    const [actual] = highest("actual");
    return actual !== undefined && Number(actual.threshold.percent) >= 100 ? [actual] : [...(actual === undefined ? [] : [actual]), ...highest("forecast")];
  });
}

function checkOf(ledger: LedgerAt, raised: readonly number[]): BudgetsCheck {
  const month = monthOfData(ledger);
  const fiscalStart = fiscalStartOf(ledger.db);
  const budgets = month === null ? [] : storedBudgets(ledger.db).map((plan) => statusOf(ledger, plan, month, fiscalStart));
  return { isOver: budgets.some(({ state }) => state === "over"), budgets, raised: raised.length === 0 ? [] : alertsOf(ledger.db, { ids: raised }) };
}

function budgetOf(context: EngineContext, id: number): Result<BudgetPlan, LedgerError> {
  const opened = context.open();
  if (!opened.ok) return opened;
  const found = storedBudgets(opened.value.ledger.db).find((plan) => plan.id === id);
  return found === undefined ? err(ledgerError("budget.not-found", { id })) : ok(found);
}

/** What is wrong with a budget among the others: its own id, a parent that is not there or lies below it, money without a currency. */
function wrongIn(plans: readonly BudgetPlan[], budget: { readonly id: number | null; readonly parent: number | null; readonly kind: string; readonly currency: string | null }): string | null {
  if (budget.id !== null && !plans.some(({ id }) => id === budget.id)) return "id";
  if (budget.kind === "money" && budget.currency === null) return "currency";
  for (let above = budget.parent; above !== null; ) {
    if (above === budget.id) return "parent";
    const plan = plans.find(({ id }) => id === above);
    if (plan === undefined) return "parent";
    above = plan.parent;
  }
  return null;
}

/** Inside the caller's transaction: budgets are known by name and kind; months that the plan does not name stay. */
export function importPlan(db: Db, planned: readonly PlannedBudget[]): void {
  const known = storedBudgets(db);
  const ids = new Map(known.map(({ id, name, kind }) => [`${kind} ${name}`, id]));
  for (const { budget } of planned) {
    const before = known.find(({ name, kind }) => name === budget.name && kind === budget.kind);
    const id = keepBudget(db, { ...budget, id: before?.id ?? null, parent: before?.parent ?? null, thresholds: [...(before?.thresholds ?? budget.thresholds)] });
    ids.set(`${budget.kind} ${budget.name}`, id);
  }
  for (const { parentName, budget } of planned) {
    const [id, parent] = [ids.get(`${budget.kind} ${budget.name}`), parentName === null ? undefined : ids.get(`${budget.kind} ${parentName}`)];
    if (id !== undefined && parent !== undefined && parent !== id) prepared(db, "UPDATE budget SET ParentId = ? WHERE BudgetId = ?").run(parent, id);
  }
}

function compare(known: readonly BudgetPlan[], planned: readonly PlannedBudget[]): { readonly added: string[]; readonly changed: string[]; readonly same: string[]; readonly months: number } {
  const [added, changed, same]: [string[], string[], string[]] = [[], [], []];
  let months = 0;
  for (const { budget } of planned) {
    const before = known.find(({ name, kind }) => name === budget.name && kind === budget.kind);
    const differing = Object.entries(budget.months).filter(([month, amount]) => before?.months[month] !== amount);
    months += differing.length;
    const fields = (plan: Pick<BudgetPlan, "level" | "currency" | "basis" | "span" | "scope" | "owner">): string => JSON.stringify([plan.level, plan.currency, plan.basis, plan.span, plan.scope, plan.owner]);
    if (before === undefined) added.push(budget.name);
    else if (differing.length > 0 || fields(before) !== fields(budget)) changed.push(budget.name);
    else same.push(budget.name);
  }
  return { added, changed, same, months };
}

function plannedText({ attos, fromDay, toDay, ...planned }: ReturnType<typeof plannedChanges>[number]): ForecastAnswer["plannedChanges"][number] {
  return { ...planned, fromDay: dateOf(fromDay), toDay: toDay === null ? null : dateOf(toDay), amount: formatAttos(attos) };
}

function forecastAnswer(ledger: LedgerAt, asked: Pick<BudgetPlan, "kind" | "currency" | "basis" | "scope">): ForecastAnswer {
  const found = forecastOfBudget(ledger, asked);
  const lastDay = found?.series.lastDay ?? null;
  const changes = plannedChanges(ledger.db).map(plannedText);
  const ends = asked.currency === null ? [] : endsIn(ledger, asked, asked.currency);
  const nothing = { origins: 0, coverage: null, methods: [], points: [] };
  if (found === null || lastDay === null) return { unit: unitOf(asked), dataUntil: null, method: "level", months: [], spans: [], backtest: nothing, drift: [], plannedChanges: changes, commitmentEnds: ends, notExtrapolated: "0" };
  const { forecast, series } = found;
  const text = (amount: bigint | null): string | null => (amount === null ? null : formatAttos(amount));
  const number = (value: Rational | null): number | null => (value === null ? null : toNumber(value));
  const current = dateOf(lastDay).slice(0, 7);
  const next = monthShifted(current, 1);
  return {
    unit: unitOf(asked),
    dataUntil: dateOf(lastDay),
    method: forecast.method,
    months: monthsFrom(current, 13).map((month) => {
      const { soFar, forecast: total, halfWidth80, runRate, daysToCome } = forecast.over([month]);
      return { month, soFar: formatAttos(soFar), forecast: text(total), halfWidth80: text(halfWidth80), runRate: text(runRate), daysToCome };
    }),
    spans: [3, 6, 12].map((count) => {
      const { forecast: total, halfWidth80 } = forecast.over(monthsFrom(next, count));
      return { months: count, forecast: text(total), halfWidth80: text(halfWidth80) };
    }),
    backtest: {
      origins: forecast.backtest.origins.length,
      coverage: forecast.backtest.coverage,
      methods: forecastMethods.map((method) => {
        const { mape, wape, bias } = forecast.backtest.errors[method];
        return { method, mape, wape: number(wape), bias: number(bias) };
      }),
      points: forecast.backtest.origins.map(({ month, day, actual, forecasts }) => ({ month, day, actual: formatAttos(actual), forecast: text(forecasts[forecast.method]), runRate: text(forecasts["run-rate"]) })),
    },
    drift: driftOf(ledger.db, asked),
    plannedChanges: changes,
    commitmentEnds: ends,
    notExtrapolated: formatAttos(series.lumpsOf(current)),
  };
}

/** Commitments that end, of the teams of a scope; a commitment's teams are added. */
function endsIn(ledger: LedgerAt, { basis, scope }: Pick<BudgetPlan, "basis" | "scope">, currency: string): ForecastAnswer["commitmentEnds"] {
  const ends = commitmentEnds(ledger, currency, basis ?? "EffectiveCost").filter(({ team }) => scope.team === undefined || scope.team.includes(team));
  return [...Map.groupBy(ends, ({ commitment, fromDay }) => `${fromDay} ${commitment}`).values()]
    .flatMap((own) => own.slice(0, 1).map(({ commitment, team, fromDay }) => ({ commitment, team: own.length === 1 ? team : null, endsOn: dateOf(fromDay), amount: formatAttos(sumAttos(own.map(({ attos }) => attos))) })))
    .sort((a, b) => (a.endsOn < b.endsOn ? -1 : a.endsOn > b.endsOn ? 1 : a.commitment < b.commitment ? -1 : 1));
}

type Drift = ForecastAnswer["drift"][number];

function driftOf(db: Db, { kind, currency, scope }: Pick<BudgetPlan, "kind" | "currency" | "scope">): readonly Drift[] {
  return readAll(db, query<Drift>("budget", "period", "dataUntil", "forecast", "halfWidth80", "method")`-- forecast.drift
    SELECT f.BudgetId AS budget, f.Period AS period, f.DataUntil AS dataUntil, f.Forecast AS forecast, f.HalfWidth AS halfWidth80, f.Method AS method
    FROM budget b
    JOIN forecast_snapshot f ON f.BudgetId = b.BudgetId
    WHERE b.Kind = ${kind} AND b.Currency IS ${currency} AND b.Scope = ${JSON.stringify(scope)}
    ORDER BY f.BudgetId, f.Period, f.DataUntil`);
}
