/** What teams may spend in the period of a report, beside what they did: for the tables and sentences of other reports. */
import type { Cell, Message, TableBlock } from "../../../shared/contract/report.ts";
import type { BudgetPlan } from "../../../shared/contract/teams.ts";
import { figureOf } from "../metrics/metric.ts";
import { amountOf, forecastOfBudget, storedBudgets } from "../teams/budgets.ts";
import { column, notApplicable, shown } from "./cells.ts";
import { message } from "./context.ts";
import type { Gathered } from "./gather.ts";

/** A budget of money over a whole team, or over everything, in the period. Attos. */
export interface PeriodBudget {
  readonly plan: BudgetPlan;
  /** null: the whole company's. */
  readonly team: string | null;
  readonly budget: bigint;
  readonly actual: bigint | null;
  /** Of the whole period; null where nothing can be said. Not asked for where every day is known. */
  readonly forecast: bigint | null;
  readonly isWhole: boolean;
  /** The last day that bills of its scope cover. */
  readonly lastDay: number | null;
}

/** Budgets that speak of the period in its currency and cost basis: every month planned, the scope one team or everything. */
export function periodBudgets({ context, asked, currency, months }: Gathered): readonly PeriodBudget[] {
  const { team: teams, ...narrower } = asked.scope;
  if (currency === null || Object.keys(narrower).length > 0) return [];
  return storedBudgets(context.ledger.db).flatMap((plan) => {
    const team = teamOf(plan);
    if (plan.kind !== "money" || plan.currency !== currency || plan.basis !== asked.basis || team === undefined) return [];
    if (teams !== undefined && !teams.includes(team)) return [];
    const amounts = months.map((month) => plan.months[month]);
    if (amounts.some((amount) => amount === undefined)) return [];
    const found = forecastOfBudget(context.ledger, plan);
    const over = found === null || found.series.lastDay === null ? null : found.forecast.over(months);
    return [{ plan, team, budget: amounts.reduce((total, amount) => total + amountOf(amount ?? "0"), 0n), actual: over?.soFar ?? null, forecast: over?.forecast ?? null, isWhole: over?.daysToCome === 0, lastDay: found?.series.lastDay ?? null }];
  });
}

/** undefined: neither one team nor everything. */
function teamOf({ scope }: BudgetPlan): string | null | undefined {
  const dimensions = Object.entries(scope).filter(([, values]) => values !== undefined);
  if (dimensions.length === 0) return null;
  const [only] = dimensions;
  const [team] = scope.team ?? [];
  return dimensions.length === 1 && only?.[0] === "team" && scope.team?.length === 1 && typeof team === "string" ? team : undefined;
}

/** The company's budget of a period; where it has none, its teams' added, which is not the company's word but what it has promised them. */
export function wholeBudget(budgets: readonly PeriodBudget[]): Pick<PeriodBudget, "budget" | "actual" | "forecast"> | null {
  const company = budgets.find(({ team }) => team === null);
  if (company !== undefined) return company;
  if (budgets.length === 0) return null;
  const added = (of: (budget: PeriodBudget) => bigint | null): bigint | null => budgets.reduce<bigint | null>((total, budget) => { const amount = of(budget); return total === null || amount === null ? null : total + amount; }, 0n);
  return { budget: budgets.reduce((total, { budget }) => total + budget, 0n), actual: added(({ actual }) => actual), forecast: added(({ forecast }) => forecast) };
}

/** The table of teams with budget and forecast after what they spent; as it is where no budget speaks of the period. */
export function withBudgets(block: TableBlock, budgets: readonly PeriodBudget[], currency: string): TableBlock {
  if (budgets.length === 0) return block;
  const place = block.columns.findIndex(({ id }) => id === "spend") + 1;
  // Where every day is known the forecast is what was billed, here as in Budgets.
  const forecastCell = ({ forecast, actual }: Pick<PeriodBudget, "forecast" | "actual">): Cell =>
    forecast === null ? { absent: "not-stated" } : shown(figureOf("spend", forecast, currency, forecast === actual ? "billed" : "derived", 1));
  const cellsOf = (team: string | null | undefined): Cell[] => {
    const found = team === undefined ? undefined : budgets.find((budget) => budget.team === team);
    if (found === undefined) return [notApplicable, notApplicable];
    return [shown(figureOf("spend", found.budget, currency, "assumed", 1)), forecastCell(found)];
  };
  // Without a company budget the columns close with what the teams have.
  const totalCells = (own: readonly Cell[]): readonly Cell[] => {
    const whole = budgets.some(({ team }) => team === null) ? null : wholeBudget(budgets);
    return whole === null ? own : [shown(figureOf("spend", whole.budget, currency, "assumed", 1)), forecastCell(whole)];
  };
  const inserted = <Item>(items: readonly Item[], more: readonly Item[]): Item[] => [...items.slice(0, place), ...more, ...items.slice(place)];
  return {
    ...block,
    columns: inserted(block.columns, [column("budget", "figure", 1, message("column.budget")), column("forecast", "figure", 2, message("column.forecast"))]),
    rows: block.rows.map((row) => ({ ...row, cells: inserted(row.cells, cellsOf(row.id.startsWith("team ") ? row.id.slice("team ".length) : undefined)) })),
    total: block.total === null ? null : { ...block.total, cells: inserted(block.total.cells, totalCells(cellsOf(null))) },
  };
}

/** How the period stands against its budgets, in a sentence or two; nothing without budgets. */
export function budgetSentences(budgets: readonly PeriodBudget[], currency: string): Message[] {
  const money = (attos: bigint): { readonly money: bigint; readonly currency: string } => ({ money: attos, currency });
  const sentences: Message[] = [];
  const company = budgets.find(({ team }) => team === null);
  if (company?.actual !== undefined && company.actual !== null) {
    const left = company.budget - company.actual;
    if (left < 0n) sentences.push(message("review.context.over-budget", { over: money(-left), budget: money(company.budget) }));
    else if (!company.isWhole && company.forecast !== null && company.forecast > company.budget) sentences.push(message("review.context.will-be-over-budget", { forecast: money(company.forecast), budget: money(company.budget) }));
    else sentences.push(message("review.context.within-budget", { left: money(left), budget: money(company.budget) }));
  }
  const teams = company === undefined ? wholeBudget(budgets) : null;
  if (teams !== null && teams.actual !== null) {
    const left = teams.budget - teams.actual;
    sentences.push(left < 0n ? message("review.context.teams-over-budget", { over: money(-left), budget: money(teams.budget) }) : message("review.context.teams-within-budget", { left: money(left), budget: money(teams.budget) }));
  }
  const over = budgets
    .flatMap(({ team, budget, actual }) => (team !== null && actual !== null && actual > budget ? [{ team, over: actual - budget }] : []))
    .sort((a, b) => (a.over > b.over ? -1 : 1));
  const [most] = over;
  if (most !== undefined) {
    const params = { team: { text: most.team }, over: money(most.over) };
    sentences.push(over.length === 1 ? message("review.context.team-over", params) : message("review.context.teams-over", { ...params, count: { count: over.length - 1 } }));
  }
  return sentences;
}
