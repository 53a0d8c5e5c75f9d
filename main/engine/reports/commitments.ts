/** What shall we reserve? The plan as a document, and with its assumptions and a line to sign the memo of a decision. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import { defaultPlanInputs, type CommitmentLine, type PlanAnswer, type PlanOption } from "../../../shared/contract/plan.ts";
import type { Block, Cell, Column, Message, NotesBlock, ReportDocument, ReportRequest, Row, TableBlock } from "../../../shared/contract/report.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { decimal, divide, fromNumber, multiply, whole } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { attosOf, moneyFigure, nameOfPool } from "../commitments/figures.ts";
import { planOf } from "../commitments/plan.ts";
import { explorerAnswers } from "../cost-explorer/answers.ts";
import { figureOf } from "../metrics/metric.ts";
import { HOURS_A_MONTH } from "../planning/plan-option.ts";
import { column, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, provenanceOf } from "./gather.ts";

/**
 * Blocks, in their order: `options`, `usage` and `exit` (drawn in the memo), `baseline`, `risk`, `sensitivity`, `layers`, `levels`, `commitments`, `assumptions`, `memo` to be signed.
 *
 * errors  as the plan's; a period without usage to reserve for is a document that says so
 */
export function readCommitments(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  if (gathered.isEmpty) return err(ledgerError("report.no-data", { period: request.period }));
  const prices = context.prices?.() ?? ok(() => []);
  if (!prices.ok) return prices;
  const plan = planOf({ db: context.ledger.db, prices: prices.value, recommendations: explorerAnswers(context.ledger.db, context.reference).recommendations }, { period: request.period, scope: request.scope, currency: request.currency, inputs: request.plan ?? defaultPlanInputs });
  const common = { report: "commitments" as const, request, period: gathered.period, provenance: provenanceOf(gathered) };
  if (!plan.ok && plan.error.code === "plan.no-usage") {
    const { currency, otherCurrencies } = gathered;
    return ok({ ...common, currency, otherCurrencies, title: message("commit.title", { pool: { period: request.period } }), answer: message("commit.answer.no-usage"), context: [], blocks: [] });
  }
  if (!plan.ok) return plan;
  return ok({
    ...common,
    currency: plan.value.currency,
    otherCurrencies: plan.value.otherCurrencies,
    title: message("commit.title", { pool: { text: nameOfPool(plan.value.pool) } }),
    answer: plan.value.answer,
    context: [...plan.value.context, ...plan.value.baseline.warnings],
    blocks: blocksOf(plan.value),
  });
}

function blocksOf(plan: PlanAnswer): Block[] {
  const option = plan.options.find(({ id }) => id === plan.shown) ?? null;
  const second = plan.options.find(({ id }) => id === plan.runnerUp && id !== plan.shown) ?? null;
  return [
    optionsTable(plan),
    ...(option === null ? [] : [usageTable(option), exitTable(plan, option)]),
    baselineTable(plan),
    ...(option === null || option.risks.length === 0 ? [] : [riskTable(plan, option, second), sensitivityTable(plan, option)]),
    ...(plan.layers === null ? [] : [layersTable(plan, plan.layers)]),
    ...(plan.levels === null ? [] : [levelsTable(plan.levels)]),
    ...(plan.commitments.length === 0 ? [] : [commitmentsTable(plan)]),
    assumptionsTable(plan),
    signature(),
  ];
}

function figureColumn(id: string, params?: Message["params"], priority: Column["priority"] = 1): Column {
  return column(id, "figure", priority, message(`commit.column.${id}`, params));
}

function textColumn(id: string, priority: Column["priority"] = 1): Column {
  return column(id, "text", priority, message(`commit.column.${id}`));
}

function optionsTable(plan: PlanAnswer): TableBlock {
  const { currency, onDemand, lotGpus, options, recommended, inputs } = plan;
  const columns = [
    textColumn("option"), figureColumn("gpu-hour"), figureColumn("level"), figureColumn("utilization"), figureColumn("breakEven"), figureColumn("payback", undefined, 2), figureColumn("exit", undefined, 2),
    figureColumn("cashPositive", undefined, 3), figureColumn("presentValue", { rate: { number: inputs.discountPercentAYear } }, 2), figureColumn("saving"), figureColumn("upfront", undefined, 3), figureColumn("returnRate", undefined, 3),
    figureColumn("range", undefined, 3), figureColumn("range-to", undefined, 3), figureColumn("drop", undefined, 3), textColumn("note", 2),
  ];
  const ofOnDemand = row("on-demand", [
    words("commit.option.on-demand"), shown(onDemand.price), ...Array.from({ length: 7 }, () => notApplicable), shown(figureOf("spend", 0n, currency, "derived", 1)), ...Array.from({ length: 6 }, () => notApplicable),
  ], "muted");
  return {
    kind: "table",
    id: "options",
    title: message("commit.options.title"),
    note: message("commit.options.note", {
      price: { figure: onDemand.price },
      lot: { message: lotGpus === null ? message("commit.options.any-size") : message("commit.options.lots", { gpus: { number: lotGpus } }) },
    }),
    chart: null,
    columns,
    rows: [ofOnDemand, ...options.map((option) => optionRow(option, option.id === recommended))],
    total: null,
  };
}

function optionRow({ id, name, figures, notes }: PlanOption, isRecommended: boolean): Row {
  const said = [...(isRecommended ? [message("commit.note.recommended")] : []), ...notes];
  const figure = (of: Figure): Cell => (of.value === null ? notApplicable : shown(of));
  const { price, level, utilization, breakEven, payback, exit, cashPositive, presentValue, saving, upfront, returnRate, lowest, highest, breakEvenDrop } = figures;
  return row(id, [
    words(name.key, name.params), shown(price), shown(level), figure(utilization), figure(breakEven), figure(payback), figure(exit), figure(cashPositive), figure(presentValue), shown(saving), shown(upfront), figure(returnRate),
    shown(lowest), shown(highest), figure(breakEvenDrop), joined(said),
  ], isRecommended ? "committed" : "plain");
}

/** Several short notes in one cell. */
function joined(notes: readonly Message[]): Cell {
  const [first, ...rest] = notes;
  if (first === undefined) return notApplicable;
  return { message: rest.reduce((all, next) => message("commit.notes", { first: { message: all }, next: { message: next } }), first) };
}

function baselineTable({ baseline }: PlanAnswer): TableBlock {
  const line = (id: string, label: Message, figure: Figure): Row => row(id, [{ message: label }, shown(figure)]);
  const { firstDay, endDay, mean, p10, median, p90, most, capacity, hours, knownHours, leftOut, spreadShare } = baseline;
  const count = (value: number): Figure => figureOf("gpu-hours", value, "count", "billed", 1);
  return {
    kind: "table",
    id: "baseline",
    title: message("commit.baseline.title"),
    note: message("commit.baseline.note", { from: { instant: `${firstDay}T00:00:00Z`, precision: "day" }, to: { instant: lastDay(endDay), precision: "day" } }),
    chart: null,
    columns: [textColumn("measure"), figureColumn("value")],
    rows: [
      line("mean", message("commit.baseline.mean"), mean),
      line("p10", message("commit.baseline.p10"), p10),
      line("median", message("commit.baseline.median"), median),
      line("p90", message("commit.baseline.p90"), p90),
      line("most", message("commit.baseline.most"), most),
      line("capacity", message("commit.baseline.capacity"), capacity),
      line("known-hours", message("commit.baseline.known-hours"), { ...count(knownHours), coverage: hours === 0 ? 0 : knownHours / hours }),
      ...(spreadShare > 0 ? [line("spread", message("commit.baseline.spread"), figureOf("gpu-hours", spreadShare, "ratio", "billed", 1))] : []),
      ...leftOut.map(({ why, gpuHours }) => line(`left-out ${why}`, message("commit.baseline.left-out", { why: { message: message(`commit.left-out.${why}`) } }), figureOf("gpu-hours", gpuHours, "gpu-hours", "billed", 1))),
    ],
    total: null,
  };
}

const USAGE_STEPS = 20;
const EXIT_STEPS = 12;

/** Usage beside other commitments from the busiest hour to the quietest: what share of the hours used at least so many GPUs; the level beside it. */
function usageTable({ name, curve, figures }: PlanOption): TableBlock {
  const hours = curve.hours.reduce((sum, count) => sum + count, 0);
  const atLeast = (share: number): number => {
    let seen = 0;
    for (const [index, count] of curve.hours.entries()) {
      seen += count;
      if (seen >= share * hours) return (curve.levels[index] ?? 0) / 1_000_000;
    }
    return 0;
  };
  return {
    kind: "table",
    id: "usage",
    title: message("commit.usage.title", { option: { message: name } }),
    note: message("commit.usage.note"),
    chart: "level",
    columns: [figureColumn("share-of-hours"), figureColumn("used-at-least"), figureColumn("level")],
    rows: Array.from({ length: USAGE_STEPS }, (_, index) => {
      const share = (index + 1) / USAGE_STEPS;
      return row(`${index + 1}`, [shown(figureOf("gpu-hours", share, "ratio", "derived", 1)), shown(figureOf("gpu-hours", atLeast(share), "gpus", "billed", 1)), shown(figures.level)]);
    }),
    total: null,
  };
}

/**
 * What the hours used of the level would have cost on demand, month by month at usage and prices as in the window, beside all that the
 * commitment owes from its start: on-demand price × GPU-hours used ÷ hours × 730 × months; price × level × 730 × months of the term.
 */
function exitTable({ currency }: PlanAnswer, { name, termMonths, exact, inputs }: PlanOption): TableBlock {
  const [used, hours] = [inputs.used.value, inputs.hours.value];
  const usedAnHour = typeof used === "number" && typeof hours === "number" && hours > 0 ? divide(fromNumber(used), fromNumber(hours)) : null;
  const aMonth = usedAnHour === null ? null : multiply(multiply(decimal(exact.onDemandHourly), usedAnHour), whole(HOURS_A_MONTH));
  const owed = attosOf(multiply(multiply(decimal(exact.committedHourly), decimal(exact.gpus)), whole(HOURS_A_MONTH * termMonths)));
  return {
    kind: "table",
    id: "exit",
    title: message("commit.exit.title", { option: { message: name } }),
    note: message("commit.exit.note", { currency: { text: currency } }),
    chart: "exit",
    columns: [figureColumn("month"), figureColumn("on-demand-so-far"), figureColumn("owed")],
    rows: Array.from({ length: EXIT_STEPS + 1 }, (_, index) => {
      const month = (termMonths * index) / EXIT_STEPS;
      const soFar = aMonth === null ? null : attosOf(multiply(aMonth, fromNumber(month)));
      return row(`month-${index}`, [shown(figureOf("gpu-hours", month, "months", "derived", 1)), shown(moneyFigure(soFar, currency, "assumed")), shown(moneyFigure(owed, currency, "assumed"))]);
    }),
    total: null,
  };
}

function lastDay(endDay: string): string {
  return new Date(Date.parse(`${endDay}T00:00:00Z`) - 86_400_000).toISOString();
}

function riskTable({ currency, inputs }: PlanAnswer, option: PlanOption, second: PlanOption | null): TableBlock {
  const compared = second !== null && second.risks.length > 0 ? [option, second] : [option];
  return {
    kind: "table",
    id: "risk",
    title: message("commit.risk.title"),
    note: message("commit.risk.note", { currency: { text: currency } }),
    chart: null,
    columns: [textColumn("case"), ...compared.map(({ id, name }) => column(id, "figure", 1, name))],
    rows: option.risks.map(({ risk, saving }, index) =>
      row(risk, [words(`commit.risk.${risk}`, { decline: { number: inputs.declinePercentAYear } }), shown(saving), ...compared.slice(1).map((other) => (other.risks[index] === undefined ? notApplicable : shown(other.risks[index].saving)))]),
    ),
    total: null,
  };
}

function sensitivityTable({ currency }: PlanAnswer, { name, sensitivity }: PlanOption): TableBlock {
  const rates = [...new Set(sensitivity.map(({ ratePercent }) => ratePercent))];
  const groups = Map.groupBy(sensitivity, ({ usagePercent, declinePercent }) => `${usagePercent} ${declinePercent}`);
  return {
    kind: "table",
    id: "sensitivity",
    title: message("commit.sensitivity.title", { option: { message: name } }),
    note: message("commit.sensitivity.note", { currency: { text: currency } }),
    chart: null,
    columns: [figureColumn("usage-change"), figureColumn("decline"), ...rates.map((rate) => column(`rate-${rate}`, "figure", 1, message("commit.column.rate", { rate: { number: rate } })))],
    rows: [...groups].map(([key, cells]) => {
      const share = (percent: number): Cell => shown(figureOf("gpu-hours", percent / 100, "ratio", "assumed", 1));
      return row(key, [share(cells[0]?.usagePercent ?? 0), share(cells[0]?.declinePercent ?? 0), ...cells.map(({ value }) => shown(value))]);
    }),
    total: null,
  };
}

function layersTable(plan: PlanAnswer, { long, short, yearMultipliers, savingAMonth }: NonNullable<PlanAnswer["layers"]>): TableBlock {
  const nameOf = (id: string): Message => plan.options.find((option) => option.id === id)?.name ?? message("commit.kind.commitment");
  const saving = { saving: { figure: savingAMonth } };
  return {
    kind: "table",
    id: "layers",
    title: message("commit.layers.title"),
    note: short === null ? message("commit.layers.note-alone", { long: { message: nameOf(long.option) }, ...saving }) : message("commit.layers.note", { long: { message: nameOf(long.option) }, short: { message: nameOf(short.option) }, ...saving }),
    chart: null,
    columns: [textColumn("layer"), ...yearMultipliers.map((_, year) => column(`year-${year + 1}`, "figure", 1, message("commit.column.year", { year: { count: year + 1 } })))],
    rows: [
      row("long", [words("commit.layers.long", { name: { message: nameOf(long.option) } }), ...yearMultipliers.map(() => shown(long.gpus))]),
      ...(short === null ? [] : [row("short", [words("commit.layers.short", { name: { message: nameOf(short.option) } }), ...short.gpus.map((gpus) => shown(gpus))])]),
    ],
    total: null,
  };
}

function levelsTable({ windows, stable, optimal, cautious, spread }: NonNullable<PlanAnswer["levels"]>): TableBlock {
  return {
    kind: "table",
    id: "levels",
    title: message("commit.levels.title"),
    note: message("commit.levels.note", { stable: { figure: stable }, optimal: { figure: optimal }, cautious: { figure: cautious }, spread: { figure: spread } }),
    chart: null,
    columns: [textColumn("window"), figureColumn("stable"), figureColumn("optimal")],
    rows: windows.map(({ days, stable: least, optimal: best }) => row(`${days}`, [words("commit.days", { count: { count: days } }), shown(least), shown(best)])),
    total: null,
  };
}

function commitmentsTable({ commitments, portfolio, currency, period }: PlanAnswer): TableBlock {
  const orNothing = (figure: Figure): Cell => (figure.value === null ? notApplicable : shown(figure));
  const cost = commitments.reduce((total, { cost: { value } }) => total + (typeof value === "bigint" ? value : 0n), 0n);
  return {
    kind: "table",
    id: "commitments",
    title: message("commit.portfolio.title"),
    note: message("commit.portfolio.note", { currency: { text: currency }, period: { period } }),
    chart: null,
    columns: [
      textColumn("commitment"), textColumn("gpu-model"), figureColumn("gpus", undefined, 2), figureColumn("gpu-hour", undefined, 2), figureColumn("utilization"), figureColumn("cost"), figureColumn("unused"), figureColumn("savings-rate", undefined, 2),
      column("ends", "time", 1, message("commit.column.ends")), figureColumn("days-left"), textColumn("renewal", 2), figureColumn("obligation", undefined, 3),
    ],
    rows: commitments.map((line) =>
      row(line.id, [
        text(line.name), text([line.provider, line.gpuModel].filter((part) => part !== null).join(" · ")), orNothing(line.gpus), shown(line.price), shown(line.utilization), shown(line.cost), shown(line.unused), orNothing(line.savingsRate),
        line.term === null || line.term.endsOn === null ? words("commit.end-unknown") : { instant: `${line.term.endsOn}T00:00:00Z`, precision: "day" },
        line.daysLeft === null ? notApplicable : shown(figureOf("gpu-hours", line.daysLeft, "count", "derived", 1)),
        renewalCell(line),
        orNothing(line.obligation),
      ]),
    ),
    total: row("total", [
      words("commit.portfolio.all"), notApplicable, notApplicable, notApplicable, shown(portfolio.utilization), shown(figureOf("spend", cost, currency, "billed", 1)), shown(portfolio.unused), orNothing(portfolio.savingsRate), notApplicable, notApplicable, notApplicable, notApplicable,
    ]),
  };
}

function renewalCell({ renewal, daysLeft }: CommitmentLine): Cell {
  if (renewal === null) return daysLeft === null ? notApplicable : words("commit.renewal.not-due");
  if (renewal.purchase.value === null) return words("commit.renewal.no-quote");
  return words("commit.renewal.prices", { renewal: { figure: renewal.renewal }, purchase: { figure: renewal.purchase } });
}

/** What a reader must know to trust the figures. */
function assumptionsTable({ assumptions, unpriced, spot, advice, convertible }: PlanAnswer): TableBlock {
  const lines = [
    ...assumptions,
    ...(unpriced.length === 0 ? [] : [message("commit.unpriced", { names: { message: unpriced.reduce((all, next) => message("commit.notes", { first: { message: all }, next: { message: next } })) } })]),
    ...(spot === null ? [] : [message(spot.percent > 0 ? "commit.spot.line" : "commit.spot.idle", { price: { figure: spot.price }, percent: { number: spot.percent }, saving: { figure: spot.saving } })]),
    ...advice,
    ...(convertible === null ? [] : [message("commit.convertible.line", { premium: { figure: convertible.premium }, probability: { figure: convertible.probability } })]),
  ];
  return {
    kind: "table",
    id: "assumptions",
    title: message("commit.memo.assumptions"),
    note: null,
    chart: null,
    columns: [textColumn("rests-on")],
    rows: lines.map((line, index) => row(`line ${index + 1}`, [{ message: line }])),
    total: null,
  };
}

/** Where the memo is signed. */
function signature(): NotesBlock {
  return { kind: "notes", id: "memo", notes: (["decision", "signature", "date"] as const).map((id) => ({ id, title: message(`commit.memo.${id}`), tone: "plain", lines: [message("commit.memo.line")] })) };
}
