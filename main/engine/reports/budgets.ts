/** Who will run over? */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Block, Cell, FigureRef, Message, ReportDocument, ReportRequest, Row, TableBlock } from "../../../shared/contract/report.ts";
import type { BudgetAlertLine, BudgetPlan, BudgetStatus } from "../../../shared/contract/teams.ts";
import type { Basis, Figure } from "../../../shared/domain/figure.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { figureOf } from "../metrics/metric.ts";
import { alertsOf, amountOf, fiscalStartOf, ledgerOfBudget, scopeOf, standingOf, storedBudgets, type Standing } from "../teams/budgets.ts";
import { parsePeriod, startOfDay } from "../../../shared/domain/period.ts";
import { column, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, provenanceOf } from "./gather.ts";

const ALERTS = 20;

type Standings = readonly (Omit<BudgetStatus, "alerts"> & { readonly standing: Standing })[];

export function readBudgets(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  const { db } = context.ledger;
  const month = gathered.months.at(-1) ?? request.period;
  const fiscalStart = fiscalStartOf(db);
  const wanted = request.scope.team;
  const stored = storedBudgets(db);
  const plans = stored.filter(({ scope }) => wanted === undefined || (scope.team !== undefined && scope.team.every((team) => wanted.includes(team))));
  const standings = plans.flatMap((plan) => {
    const ledger = ledgerOfBudget(context.ledger, context.convertedFrom, plan);
    return ledger === null ? [] : [standingOf(ledger, plan, month, fiscalStart)];
  });
  // Alerts spoke of what was billed.
  const alerts = context.convertedFrom ? [] : alertsOf(db).filter(({ budget, period }) => standings.some(({ plan, period: own }) => plan.id === budget && own === period));
  const blocks: Block[] = [];
  if (standings.length > 0) blocks.push(tree(standings));
  const first = standings.find(({ standing }) => standing.days.length > 0);
  if (first !== undefined) blocks.push(burnDownTable(first));
  if (alerts.length > 0) blocks.push(alertTable(alerts));
  return ok({
    report: "budgets",
    request,
    period: gathered.period,
    currency: gathered.currency,
    otherCurrencies: gathered.otherCurrencies,
    provenance: provenanceOf(gathered),
    title: message("budgets.title", { period: { period: request.period } }),
    answer: answer(standings, stored.length),
    context: [...contextLines(standings), ...conversionLines(context, plans)],
    blocks,
  });
}

function answer(standings: Standings, stored: number): Message {
  if (standings.length === 0) return message(stored === 0 ? "budgets.answer.none" : "budgets.answer.none-here");
  const over = ranked(standings, "over", ({ actual }) => actual);
  const ahead = ranked(standings, "forecast-over", ({ forecast }) => forecast);
  const [most] = over.length > 0 ? over : ahead;
  const params = { count: { count: standings.length } };
  if (most === undefined) return message("budgets.answer.within", params);
  const named = { name: { text: most.plan.name }, over: { figure: figureIn(most.plan, most.excess, "derived") }, number: { number: over.length > 0 ? over.length : ahead.length } };
  return message(over.length > 0 ? "budgets.answer.over" : "budgets.answer.forecast-over", { ...params, ...named });
}

/** Budgets in a state, by how far they are beyond, relative to the budget. */
function ranked(standings: Standings, state: BudgetStatus["state"], of: (standing: Standing) => bigint | null): { readonly plan: BudgetPlan; readonly excess: bigint }[] {
  return standings
    .flatMap(({ plan, standing, state: own }) => {
      const amount = of(standing);
      return own !== state || amount === null || standing.budget === null ? [] : [{ plan, excess: amount - standing.budget, share: Number(amount - standing.budget) / Math.max(1, Number(standing.budget)) }];
    })
    .sort((a, b) => b.share - a.share || (a.plan.name < b.plan.name ? -1 : 1));
}

function contextLines(standings: Standings): Message[] {
  const lines: Message[] = [];
  const until = standings.map(({ dataUntil }) => dataUntil).filter((day) => day !== null).sort()[0];
  if (until !== undefined) lines.push(message("budgets.context.until", { until: { instant: `${until}T00:00:00Z`, precision: "day" } }));
  if (standings.some(({ forecast }) => forecast !== null)) lines.push(message("budgets.context.forecast"));
  if (standings.some(({ plan }) => plan.kind === "carbon")) lines.push(message("budgets.context.carbon"));
  return lines;
}

/** How budgets are held against converted amounts, and those that are not. */
function conversionLines({ convertedFrom }: ReportContext, plans: readonly BudgetPlan[]): Message[] {
  if (!convertedFrom) return [];
  const others = plans.filter(({ kind, currency }) => kind === "money" && currency !== convertedFrom.currency);
  const lines = [message("budgets.context.converted", { currency: { text: convertedFrom.currency } })];
  if (others.length > 0) lines.push(message("budgets.context.left-out", { count: { count: others.length }, currencies: { text: [...new Set(others.map(({ currency }) => currency ?? ""))].sort().join(", ") } }));
  return lines;
}

/** Budgets under their parents; each in its own unit, so the table has no total. */
function tree(standings: Standings): TableBlock {
  const depthOf = ({ parent }: BudgetPlan): number => {
    const above = standings.find(({ plan }) => plan.id === parent);
    return above === undefined ? 0 : 1 + depthOf(above.plan);
  };
  const cells = ({ plan, period, months, standing, consumed, state, runsOutOn }: Standings[number]): Cell[] => [
    text(`${"\u2003".repeat(depthOf(plan))}${plan.name}`),
    words(`budgets.level.${plan.level}`),
    text(period),
    amountCell(plan, standing.budget, "assumed", refOf(plan, "budget", months)),
    amountCell(plan, standing.actual, "billed", actualRef(plan, period)),
    consumed === null ? notApplicable : shown(figureOf("spend", consumed, "ratio", "derived", 1)),
    amountCell(plan, standing.forecast, standing.forecast === standing.actual ? "billed" : "derived", refOf(plan, "budget-forecast", months)),
    amountCell(plan, standing.budget === null || standing.actual === null ? null : standing.budget - standing.actual, "derived"),
    runsOutOn === null ? notApplicable : { instant: `${runsOutOn}T00:00:00Z`, precision: "day" },
    plan.owner === null ? words("budgets.no-owner") : text(plan.owner),
    words(`budgets.state.${state}`),
  ];
  return {
    kind: "table",
    id: "budgets",
    title: message("budgets.tree.title"),
    note: null,
    chart: null,
    columns: [
      column("budget-name", "text", 1, message("column.budget-name")),
      column("level", "text", 3, message("column.level")),
      column("period", "text", 2, message("column.budget-period")),
      column("budget", "figure", 1, message("column.budget")),
      column("actual", "figure", 1, message("column.actual")),
      column("consumed", "figure", 2, message("column.consumed")),
      column("forecast", "figure", 1, message("column.forecast")),
      column("remaining", "figure", 2, message("column.remaining")),
      column("runs-out", "time", 2, message("column.runs-out")),
      column("owner", "text", 2, message("column.owner")),
      column("state", "text", 1, message("column.state")),
    ],
    rows: standings.map((standing) => row(`budget ${standing.plan.id}`, cells(standing), toneOf(standing.state))),
    total: null,
  };
}

function toneOf(state: BudgetStatus["state"]): Row["tone"] {
  return state === "over" || state === "forecast-over" ? "dead" : state === "near" ? "held" : state === "unknown" || state === "no-plan" ? "unknown" : "plain";
}

/** The first budget day by day, cumulated; the plan even within each month. */
function burnDownTable({ plan, standing }: Standings[number]): TableBlock {
  const cells = (day: Standing["days"][number]): Cell[] => [
    { instant: startOfDay(day.day), precision: "day" },
    amountCell(plan, day.plan, "assumed"),
    day.actual === null ? notApplicable : amountCell(plan, day.actual, "billed"),
    day.forecast === null ? notApplicable : amountCell(plan, day.forecast, "derived"),
  ];
  return {
    kind: "table",
    id: "burn-down",
    title: message("burn-down.title", { name: { text: plan.name } }),
    note: message("burn-down.note"),
    chart: null,
    columns: [
      column("day", "time", 1, message("column.day")),
      column("plan", "figure", 1, message("column.budget")),
      column("actual", "figure", 1, message("column.actual")),
      column("forecast", "figure", 1, message("column.forecast")),
    ],
    rows: standing.days.map((day) => row(`day ${day.day}`, cells(day))),
    total: null,
  };
}

function alertTable(alerts: readonly BudgetAlertLine[]): TableBlock {
  const said = (answerText: string | null): Cell => (answerText === null ? notApplicable : text(answerText));
  const amount = ({ unit }: BudgetAlertLine, of: string): Cell => shown(unit === "gpu-hours" || unit === "kgCO2e" ? figureOf(unit === "kgCO2e" ? "emissions-location" : "gpu-hours", Number(of), unit, "derived", 1) : figureOf("spend", amountOf(of), unit, "derived", 1));
  return {
    kind: "table",
    id: "alerts",
    title: message("alerts.title"),
    note: null,
    chart: null,
    columns: [
      column("raised", "time", 1, message("column.raised")),
      column("budget-name", "text", 1, message("column.budget-name")),
      column("threshold", "text", 1, message("column.threshold")),
      column("value", "figure", 1, message("column.value")),
      column("budget", "figure", 2, message("column.budget")),
      column("owner", "text", 2, message("column.owner")),
      column("reason", "text", 2, message("column.reason")),
      column("action", "text", 2, message("column.action")),
    ],
    rows: alerts.slice(0, ALERTS).map((alert) =>
      row(`alert ${alert.id}`, [
        { instant: alert.raisedAt, precision: "minute" },
        text(alert.budgetName),
        words(`threshold.${alert.threshold.type}`, { ratio: { ratio: Number(alert.threshold.percent) / 100, digits: 0 } }),
        amount(alert, alert.value),
        amount(alert, alert.amount),
        alert.owner === null ? words("budgets.no-owner") : text(alert.owner),
        said(alert.reason),
        said(alert.action),
      ]),
    ),
    total: null,
  };
}

function amountCell(plan: BudgetPlan, amount: bigint | null, basis: Basis, explain?: FigureRef): Cell {
  return amount === null ? { absent: plan.kind === "carbon" ? "not-measured" : "not-stated" } : shown(figureIn(plan, amount, basis), explain);
}

function refOf({ id, basis, currency }: BudgetPlan, metric: "budget" | "budget-forecast", months: readonly string[]): FigureRef {
  return { metric, period: months.at(-1) ?? "", scope: {}, basis: basis ?? "EffectiveCost", currency, params: { budget: String(id) } };
}

/** What was spent is the spend, or the GPU-hours, of the budget's scope; a fiscal year that is not the calendar's has no period of its own. */
function actualRef({ kind, scope, basis, currency }: BudgetPlan, period: string): FigureRef | undefined {
  if (parsePeriod(period) === null) return undefined;
  return { metric: kind === "money" ? "spend" : kind === "carbon" ? "emissions-location" : "gpu-hours", period, scope: scopeOf(scope), basis: basis ?? "EffectiveCost", currency };
}

/** An amount in 1e-18 of a budget's unit as a figure: money exact, hours as a number. */
function figureIn(plan: Pick<BudgetPlan, "kind" | "currency">, amount: bigint, basis: Basis): Figure {
  if (plan.kind === "money") return figureOf("spend", amount, plan.currency ?? "", basis, 1);
  const isCarbon = plan.kind === "carbon";
  return figureOf(isCarbon ? "emissions-location" : "gpu-hours", Number(amount / 1_000_000_000n) / 1e9, isCarbon ? "kgCO2e" : "gpu-hours", basis, 1);
}
