/** How well is the practice run? Indicators of the field, each with its formula and, where the field has one, its band. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Cell, FigureRef, Message, ReportDocument, ReportRequest, TableBlock } from "../../../shared/contract/report.ts";
import type { BudgetPlan } from "../../../shared/contract/teams.ts";
import type { Figure, KpiId, MetricId, UnknownReason } from "../../../shared/domain/figure.ts";
import { sumAttos } from "../../../shared/domain/money.ts";
import { previousPeriod } from "../../../shared/domain/period.ts";
import { toNumber } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { ChargeFacts } from "../metrics/charges.ts";
import { commitmentUtilization } from "../metrics/commitment-utilization.ts";
import { sumGpuHours, type GpuHourFacts } from "../metrics/gpu-hours-where-met.ts";
import { metrics } from "../metrics/index.ts";
import { figureOf, share, type Input } from "../metrics/metric.ts";
import { unusedCommitmentCost } from "../metrics/unused-commitment-cost.ts";
import { acceleratorById } from "../reference/catalog.ts";
import { query, readAll } from "../store/sql.ts";
import { actionsOf } from "../teams/actions.ts";
import { anomaliesOf } from "../teams/anomalies.ts";
import { amountOf, fiscalStartOf, forecastOfBudget, ledgerOfBudget, standingOf, storedBudgets } from "../teams/budgets.ts";
import { showbackOf, storedPools } from "../teams/shared-costs.ts";
import { carbonFacts, carbonOf } from "./carbon-rows.ts";
import { column, notApplicable, row, shown, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, provenanceOf, refTo, type Gathered } from "./gather.ts";
import { periodBudgets, wholeBudget } from "./team-budgets.ts";

/** In their order; the first eight stand on the review. */
export const kpis = [
  "kpi-unallocated", "kpi-budget-variance", "kpi-forecast-error", "kpi-anomaly-rate", "commitment-utilization", "commitment-coverage", "effective-savings-rate", "gpu-utilization",
  "kpi-commitment-waste", "kpi-idle-share", "useful-gpu-hour-cost", "gpu-hour-price", "kpi-budget-forecast-variance", "kpi-budget-burn", "kpi-forecast-drift", "kpi-apportioned",
  "kpi-charged-back", "kpi-optimization", "kpi-legacy", "telemetry-coverage", "carbon-per-gpu-hour", "carbon-per-money",
] as const satisfies readonly MetricId[];
export const KPIS_ON_REVIEW = 8;

/**
 * Where the field draws its lines, as the share that is still good and the one that is still fair. No line of ours stands here: an indicator
 * without one in the field has none.
 */
interface Band {
  readonly good: number;
  readonly fair: number;
  readonly isHighGood: boolean;
}
const bands: { readonly [K in (typeof kpis)[number]]?: Band } = {
  // FinOps Framework 2023, allocation: crawl from 80 % allocated on, run from 90 %.
  "kpi-unallocated": { good: 0.1, fair: 0.2, isHighGood: false },
  // FinOps Foundation, forecasting: 12 % off is run, 20 % is crawl; a budget that is kept is kept.
  "kpi-budget-variance": { good: 0, fair: -0.12, isHighGood: true },
  "kpi-budget-forecast-variance": { good: 0, fair: -0.12, isHighGood: true },
  "kpi-forecast-error": { good: 0.12, fair: 0.2, isHighGood: false },
  // FinOps KPI library: under 2 % green, to 7 % yellow.
  "kpi-anomaly-rate": { good: 0.02, fair: 0.07, isHighGood: false },
  // FinOps Framework, commitment discounts: a waterline of about 80 % used.
  "commitment-utilization": { good: 0.9, fair: 0.8, isHighGood: true },
  "kpi-commitment-waste": { good: 0.1, fair: 0.2, isHighGood: false },
  "kpi-budget-burn": { good: 1, fair: 1.12, isHighGood: false },
  "kpi-apportioned": { good: 1, fair: 1, isHighGood: true },
};

/** One indicator worked out: its figure, and the figures of its formula in their order. */
export interface KpiValue {
  readonly figure: Figure;
  readonly inputs: readonly Input[];
}

export function readKpis(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  if (gathered.isEmpty) return err(ledgerError("report.no-data", { period: request.period }));
  const before = previousPeriod(request.period);
  const earlier = before === null || !gathered.hasPrevious ? null : gather(context, { ...request, period: before, currency: gathered.currency, counter: gathered.counter() ?? undefined });
  const table = kpiTable(gathered, earlier);
  const judged = table.rows.flatMap(({ tone }) => (tone === "useful" || tone === "held" || tone === "dead" ? [tone] : []));
  return ok({
    report: "kpis",
    request,
    period: gathered.period,
    currency: gathered.currency,
    otherCurrencies: gathered.otherCurrencies,
    provenance: provenanceOf(gathered),
    title: message("kpis.title", { period: { period: request.period } }),
    answer: judged.length === 0
      ? message("kpis.answer.none", { period: { period: request.period } })
      : message("kpis.answer", { period: { period: request.period }, good: { number: judged.filter((tone) => tone === "useful").length }, count: { count: judged.length } }),
    context: [message("kpis.context.bands"), message(`basis.${request.basis}.sentence`)],
    blocks: [table],
  });
}

function kpiTable(gathered: Gathered, earlier: Gathered | null): TableBlock {
  const rows = kpis.flatMap((id) => {
    const value = valueOf(gathered, id);
    if (value === null) return [];
    const { figure } = value;
    const band = bands[id];
    const state = band === undefined || typeof figure.value !== "number" ? null : stateOf(figure.value, band);
    const previous: Cell = earlier === null ? { absent: "no-previous-period" } : shown(valueOf(earlier, id)?.figure ?? figureOf(id, null, figure.unit, "derived", 0, "no-previous-period"));
    return [
      row(id, [
        words(`metric.${id}.name`),
        shown(figure, refTo(gathered, id)),
        previous,
        band === undefined ? notApplicable : { message: bandMessage(id, band) },
        state === null ? notApplicable : words(`kpi.state.${state}`),
        words(`metric.${id}.formula`),
      ], state === "good" ? "useful" : state === "fair" ? "held" : state === "poor" ? "dead" : "plain"),
    ];
  });
  return {
    kind: "table",
    id: "kpis",
    title: message("kpis.table.title"),
    note: message("kpis.table.note"),
    chart: null,
    columns: [
      column("kpi", "text", 1, message("column.kpi")),
      column("value", "figure", 1, message("column.kpi-value")),
      column("previous", "figure", 2, message("column.previous-period")),
      column("band", "text", 2, message("column.band")),
      column("state", "text", 1, message("column.state")),
      column("formula", "text", 3, message("column.formula")),
    ],
    rows,
    total: null,
  };
}

function bandMessage(id: string, { good, fair, isHighGood }: Band): Message {
  if (good === fair) return message("kpi.band.all", { good: { ratio: good, digits: 0 } });
  if (id.startsWith("kpi-budget-") && id !== "kpi-budget-burn") return message("kpi.band.kept", { fair: { ratio: Math.abs(fair), digits: 0 } });
  return message(isHighGood ? "kpi.band.high" : "kpi.band.low", { good: { ratio: good, digits: 0 }, fair: { ratio: fair, digits: 0 } });
}

function stateOf(value: number, { good, fair, isHighGood }: Band): "good" | "fair" | "poor" {
  const reaches = (limit: number): boolean => (isHighGood ? value >= limit : value <= limit);
  return reaches(good) ? "good" : reaches(fair) ? "fair" : "poor";
}

/** One of the indicators; null where this ledger has no such metric. */
export function valueOf(gathered: Gathered, id: (typeof kpis)[number]): KpiValue | null {
  if (isKpi(id)) return kpiValue(gathered, id);
  const found = metrics.get(id);
  if (found === undefined) return null;
  if (found.of === "charges") return { figure: found.metric.figure(chargesOf(gathered)), inputs: found.metric.inputs(chargesOf(gathered)) };
  if (found.of === "gpu-hours") return { figure: found.metric.figure(hoursOf(gathered)), inputs: found.metric.inputs(hoursOf(gathered)) };
  const carbon = carbonOf(gathered.context, gathered.asked);
  if (!carbon.ok) return null;
  const facts = carbonFacts(carbon.value.rows, gathered.currency, carbon.value.settings);
  return { figure: found.metric.figure(facts), inputs: found.metric.inputs(facts) };
}

export function kpiValue(gathered: Gathered, id: KpiId): KpiValue {
  return ours[id](gathered);
}

export function isKpi(id: MetricId): id is KpiId {
  return Object.hasOwn(ours, id);
}

function chargesOf(gathered: Gathered): ChargeFacts {
  return gathered.chargeFacts(gathered.charges(["provider", "team", "service", "gpuModel", "purchaseOption"]), null);
}

function hoursOf(gathered: Gathered): GpuHourFacts {
  return gathered.gpuHourFacts(gathered.gpuHours());
}

type Amount = bigint | number | null;

/** `part ÷ whole`, with both as inputs; money in the currency of the period. */
function ratioOf(gathered: Gathered, id: KpiId, value: number | null, inputs: readonly (readonly [label: string, amount: Amount, unit?: string])[], why: UnknownReason = "no-denominator", coverage = gathered.billCoverage): KpiValue {
  return {
    figure: figureOf(id, value, "ratio", "derived", coverage, why),
    inputs: inputs.map(([label, amount, unit]) => ({ label, figure: figureOf("spend", amount, typeof amount === "bigint" ? (gathered.currency ?? "") : (unit ?? "ratio"), "derived", coverage, why) })),
  };
}

const ours: Readonly<Record<KpiId, (gathered: Gathered) => KpiValue>> = {
  "kpi-unallocated": (gathered) => {
    const showback = showbackOfPeriod(gathered);
    return ratioOf(gathered, "kpi-unallocated", showback === null ? null : share(showback.unallocated, showback.total), [["input.unallocated", showback?.unallocated ?? null], ["input.total-cost", showback?.total ?? null]], "no-bill");
  },
  "kpi-apportioned": (gathered) => {
    const pools = showbackOfPeriod(gathered)?.pools ?? [];
    const [pooled, left] = [sumAttos(pools.map(({ amount }) => amount)), sumAttos(pools.map(({ unallocated }) => unallocated))];
    return ratioOf(gathered, "kpi-apportioned", share(pooled - left, pooled), [["input.apportioned", pooled - left], ["input.pooled", pooled]]);
  },
  "kpi-charged-back": (gathered) => {
    const showback = showbackOfPeriod(gathered);
    const charged = showback === null ? null : sumAttos(showback.teams.map(({ total }) => total));
    return ratioOf(gathered, "kpi-charged-back", showback === null || charged === null ? null : share(charged, showback.total), [["input.charged", charged], ["input.total-cost", showback?.total ?? null]], "no-bill");
  },
  "kpi-budget-variance": (gathered) => {
    const { budget, actual } = budgetsOf(gathered);
    return ratioOf(gathered, "kpi-budget-variance", budget === null || actual === null ? null : share(budget - actual, budget), [["input.budget", budget], ["input.actual", actual]], "not-stated");
  },
  "kpi-budget-forecast-variance": (gathered) => {
    const { budget, forecast } = budgetsOf(gathered);
    return ratioOf(gathered, "kpi-budget-forecast-variance", budget === null || forecast === null ? null : share(budget - forecast, budget), [["input.budget", budget], ["input.forecast", forecast]], "not-stated");
  },
  "kpi-budget-burn": (gathered) => {
    const { budget, actual, elapsed } = budgetsOf(gathered);
    const spent = budget === null || actual === null ? null : share(actual, budget);
    return ratioOf(gathered, "kpi-budget-burn", spent === null || elapsed === null ? null : share(spent, elapsed), [["input.budget-spent", spent], ["input.period-elapsed", elapsed]], "not-stated");
  },
  "kpi-forecast-error": (gathered) => {
    const past = gathered.currency === null ? null : forecastOfBudget(gathered.context.ledger, { kind: "money", currency: gathered.currency, basis: gathered.asked.basis, scope: mutable(gathered.asked.scope) });
    const found = past === null ? null : past.forecast.backtest.errors[past.forecast.method];
    const number = (value: Parameters<typeof toNumber>[0] | null | undefined): number | null => (value === null || value === undefined ? null : toNumber(value));
    return ratioOf(gathered, "kpi-forecast-error", number(found?.wape), [["input.wape", number(found?.wape)], ["input.mape", found?.mape ?? null], ["input.bias", number(found?.bias)], ["input.origins", past?.forecast.backtest.origins.length ?? null, "count"]], "not-measured");
  },
  "kpi-forecast-drift": (gathered) => {
    const [now, then] = driftOf(gathered);
    return ratioOf(gathered, "kpi-forecast-drift", now === null || then === null ? null : share(now - then, then), [["input.forecast-now", now], ["input.forecast-before", then]], "not-measured");
  },
  "kpi-anomaly-rate": (gathered) => {
    const { context, asked, firstDay, endDay, currency } = gathered;
    const found = currency === null ? null : anomaliesOf(context.ledger, asked.period, firstDay, endDay, currency, asked.basis);
    const unexpected = found === null ? null : sumAttos(found.events.filter(({ direction, word }) => direction === "up" && word?.isExpected !== true).map(({ impact }) => amountOf(impact)));
    return ratioOf(gathered, "kpi-anomaly-rate", found?.rate ?? null, [["input.unexpected", unexpected], ["input.events", found?.events.length ?? null, "count"]]);
  },
  "kpi-commitment-waste": (gathered) => {
    const facts = chargesOf(gathered);
    const used = commitmentUtilization.figure(facts).value;
    const unused = unusedCommitmentCost.figure(facts).value;
    return ratioOf(gathered, "kpi-commitment-waste", typeof used === "number" ? 1 - used : null, [["input.unused-commitments", typeof unused === "bigint" ? unused : null], ["input.commitment-used", typeof used === "number" ? used : null]], "no-commitments");
  },
  "kpi-idle-share": (gathered) => {
    const { knownCostAttos, heldIdleAttos, deadIdleAttos, idleMemoryUnknownAttos, knownGpuHours, gpuHours } = sumGpuHours(gathered.gpuHours());
    const idle = heldIdleAttos + deadIdleAttos + idleMemoryUnknownAttos;
    return ratioOf(gathered, "kpi-idle-share", share(idle, knownCostAttos), [["input.idle-cost", idle], ["input.known-cost", knownCostAttos]], "no-telemetry", gpuHours === 0 ? 0 : Math.min(1, knownGpuHours / gpuHours));
  },
  "kpi-optimization": (gathered) => {
    const total = sumAttos(chargesOf(gathered).rows.map(({ costAttos }) => costAttos ?? 0n));
    const saving = amountOf(actionsOf(gathered, gathered.asked.period).identified) * BigInt(gathered.months.length);
    const left = share(saving, total);
    return ratioOf(gathered, "kpi-optimization", left === null ? null : 1 - left, [["input.identified", saving], ["input.total-cost", total]], "no-bill");
  },
  "kpi-legacy": (gathered) => {
    const year = Number(gathered.period.start.slice(0, 4));
    const rows = gathered.gpuHours().map((entry) => ({ attos: entry.costAttos, released: acceleratorById(gathered.context.reference, entry.acceleratorId)?.releaseYear ?? null }));
    const known = rows.filter(({ released }) => released !== null);
    const [old, all] = [sumAttos(known.filter(({ released }) => (released ?? year) <= year - LEGACY_YEARS).map(({ attos }) => attos)), sumAttos(known.map(({ attos }) => attos))];
    return ratioOf(gathered, "kpi-legacy", share(old, all), [["input.legacy-cost", old], ["input.known-cost", all]], "no-gpu-hours");
  },
};

/** The scope as a budget has it. */
function mutable(scope: Gathered["asked"]["scope"]): BudgetPlan["scope"] {
  return Object.fromEntries(Object.entries(scope).map(([dimension, values]: [string, readonly (string | null)[]]) => [dimension, [...values]]));
}

/** A card released so many years before the period or earlier is of an old generation. */
const LEGACY_YEARS = 5;

function showbackOfPeriod(gathered: Gathered): ReturnType<typeof showbackOf> {
  const rows = gathered.charges(["team", "service"]);
  return rows.length === 0 ? null : showbackOf(rows, storedPools(gathered.context.ledger.db));
}

/** The company's budget of the period; where it has none, its teams' added. */
function budgetsOf(gathered: Gathered): { readonly budget: bigint | null; readonly actual: bigint | null; readonly forecast: bigint | null; readonly elapsed: number | null } {
  const all = periodBudgets(gathered);
  const company = all.filter(({ team }) => team === null);
  const counted = company.length > 0 ? company.slice(0, 1) : all.filter(({ team }) => team !== null);
  if (counted.length === 0) return { budget: null, actual: null, forecast: null, elapsed: null };
  const whole = wholeBudget(counted);
  const lastDay = counted.reduce<number | null>((least, { lastDay: own }) => (own === null ? least : Math.min(least ?? own, own)), null);
  const { firstDay, endDay } = gathered;
  return { budget: whole?.budget ?? null, actual: whole?.actual ?? null, forecast: whole?.forecast ?? null, elapsed: lastDay === null ? null : Math.min(1, Math.max(0, (lastDay + 1 - firstDay) / (endDay - firstDay))) };
}

/** Forecasts of the budgets of a period as they were made last, and the time before. */
function driftOf(gathered: Gathered): readonly [bigint | null, bigint | null] {
  interface Kept {
    readonly budget: number;
    readonly forecast: string;
  }
  // What was forecast once was of billed money.
  if (gathered.context.convertedFrom) return [null, null];
  const kept = Map.groupBy(
    readAll(gathered.context.ledger.db, query<Kept>("budget", "forecast")`-- kpis.drift
      SELECT f.BudgetId AS budget, f.Forecast AS forecast
      FROM forecast_snapshot f
      JOIN budget b ON b.BudgetId = f.BudgetId
      WHERE f.Period = ${gathered.asked.period} AND b.Kind = 'money' AND b.Currency IS ${gathered.currency}
      ORDER BY f.BudgetId, f.DataUntil DESC`),
    ({ budget }) => budget,
  );
  const pairs = [...kept.values()].flatMap(([now, then]) => (now === undefined || then === undefined ? [] : [[amountOf(now.forecast), amountOf(then.forecast)] as const]));
  return pairs.length === 0 ? [null, null] : [sumAttos(pairs.map(([now]) => now)), sumAttos(pairs.map(([, then]) => then))];
}

/** A budget's figure worked out again: what is planned, or what is forecast; null where the budget, or the figure, is gone. */
export function budgetFigure(gathered: Gathered, { metric, params }: FigureRef): (KpiValue & { readonly assumptions: readonly Message[] }) | null {
  const { ledger } = gathered.context;
  const plan = storedBudgets(ledger.db).find(({ id }) => String(id) === params?.["budget"]);
  const against = plan === undefined ? null : ledgerOfBudget(ledger, gathered.context.convertedFrom, plan);
  if (plan === undefined || against === null) return null;
  const { standing, period, method } = standingOf(against, plan, gathered.months.at(-1) ?? "", fiscalStartOf(ledger.db));
  const unit = plan.kind === "money" ? (plan.currency ?? "") : plan.kind === "gpu-hours" ? "gpu-hours" : "kgCO2e";
  const figure = (amount: bigint | null, basis: Figure["basis"]): Figure => figureOf(metric, amount === null ? null : plan.kind === "money" ? amount : Number(amount / 1_000_000_000n) / 1e9, unit, basis, 1, "not-stated");
  if (metric === "budget") {
    const planned = standing.period.months.map((month): Input => ({ label: "input.month-budget", figure: figure(plan.months[month] === undefined ? null : amountOf(plan.months[month]), "assumed") }));
    return { figure: figure(standing.budget, "assumed"), inputs: planned, assumptions: [message("explain.assumes.plan", { name: { text: plan.name }, period: { text: period } })] };
  }
  const toCome = standing.forecast === null || standing.actual === null ? null : standing.forecast - standing.actual;
  return {
    figure: figure(standing.forecast, toCome === 0n ? "billed" : "derived"),
    inputs: [
      { label: "input.spent", figure: figure(standing.actual, "billed") },
      { label: "input.to-come", figure: figure(toCome, "derived") },
      { label: "input.half-width", figure: figure(standing.halfWidth80, "derived") },
    ],
    // Nothing is assumed of a period whose every day is billed.
    assumptions: method === null || toCome === 0n ? [] : [message(`explain.assumes.method.${method}`)],
  };
}
