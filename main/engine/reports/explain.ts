/** Explains one figure: enough to recompute it on paper and to reach its rows. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { ConvertedTotals } from "../../../shared/contract/rates.ts";
import type { Cell, Column, Explanation, FigureRef, Message, TableBlock } from "../../../shared/contract/report.ts";
import type { Figure, MetricId } from "../../../shared/domain/figure.ts";
import { isUtilizationCounter, type UtilizationCounter } from "../../../shared/domain/counter.ts";
import type { Scope, ScopeDimension } from "../../../shared/domain/scope.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { defaultCarbonSettings, type CarbonRow } from "../../../shared/contract/carbon.ts";
import { factsOfWork, type CarbonFacts, type WorkDone } from "../metrics/carbon-facts.ts";
import { takesPart, type ChargeFacts, type ChargeKey, type ChargeRow } from "../metrics/charges.ts";
import { sumGpuHours, type GpuHourRow } from "../metrics/gpu-hours-where-met.ts";
import { metrics } from "../metrics/index.ts";
import { coverageOf, type Metric } from "../metrics/metric.ts";
import { unusedCommitmentCost } from "../metrics/unused-commitment-cost.ts";
import { precisions, type Precision } from "../reference/catalog.ts";
import { carbonFacts, carbonSumsOf, gapsOf, workCounted, type Carbon } from "./carbon-rows.ts";
import { energyWeight, linesOf } from "./carbon-tables.ts";
import { column, groupsBy, nameCell, row, shown, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { conversionOf, convertedExplanation, type BilledPart } from "./converted.ts";
import { gather, provenanceOf, refTo, type Gathered } from "./gather.ts";
import { budgetFigure, isKpi, kpiValue } from "./kpis.ts";
import { counterName } from "./counters.ts";
import { monthsAgainstHours } from "./review.ts";

const chargeKeys: readonly ChargeKey[] = ["provider", "account", "team", "service", "region", "gpuModel", "purchaseOption"];
/** Parts shown of a split; the rest stands in one row. */
const PARTS = 12;

/** A figure explained; of one that was converted, also what was billed in each currency and the rates it went by. */
export function explainFigure(context: ReportContext, ref: FigureRef): Result<Explanation> {
  const explained = explainAs(context, ref);
  const conversion = conversionOf(context, ref);
  if (!explained.ok || conversion === null) return explained;
  return ok(convertedExplanation(explained.value, ref, conversion, billedParts(context, ref, conversion)));
}

/** The figure in each currency that was billed, and the part of it that came from there; none of a figure that is not worked out from rows with money. */
function billedParts({ convertedFrom, ...context }: ReportContext, ref: FigureRef, { rows }: ConvertedTotals): BilledPart[] {
  const of = metrics.get(ref.metric)?.of;
  if (convertedFrom === null || convertedFrom === undefined || of === undefined || of === "carbon") return [];
  return rows.flatMap(({ currency }): BilledPart[] => {
    if (currency === undefined) return [];
    const billed = explainAs({ ...context, ledger: convertedFrom.billed }, { ...ref, currency });
    const part = explainAs(context, ref, currency);
    return billed.ok && part.ok && billed.value.figure.value !== null ? [{ currency, billed: billed.value.figure, converted: part.value.figure }] : [];
  });
}

function explainAs(context: ReportContext, ref: FigureRef, billedIn?: string): Result<Explanation> {
  if (ref.metric === "budget" || ref.metric === "budget-forecast" || isKpi(ref.metric)) return explainTeamFigure(context, ref);
  const found = metrics.get(ref.metric);
  if (found === undefined) return err(ledgerError("figure.unknown", { metric: ref.metric }));
  const gathered = gather(context, { period: ref.period, scope: ref.scope, basis: ref.basis, currency: ref.currency, counter: counterOf(ref), billedIn });
  if (gathered === null) return err(ledgerError("period.invalid", { text: ref.period }));
  const charges = gathered.charges(chargeKeys).filter((entry) => takesPart(entry, ref.params ?? {}));
  const carbon = found.of === "carbon" ? carbonSumsOf(context, gathered.asked) : null;
  if (carbon !== null && !carbon.ok) return carbon;
  const explained =
    found.of === "carbon"
      ? explainCarbon(gathered, ref, found.metric, carbon?.value ?? null)
      : found.of === "charges"
        ? explainWith(gathered, ref, found.metric, chargeFactsOf(gathered, ref, charges), chargeSplits, (facts, rows) => ({
            ...facts,
            rows,
            previousRows: facts.previousRows,
          }))
        : explainWith(gathered, ref, found.metric, gathered.gpuHourFacts(gathered.gpuHours(), precisionOf(ref)), hourSplits, (_, rows) =>
            gathered.gpuHourFacts(rows, precisionOf(ref)),
          );
  const behind = found.of === "charges" ? charges : charges.filter(({ chargeClass }) => chargeClass === "gpu");
  return ok({
    ref: { ...ref, currency: gathered.currency },
    ...explained,
    title: message(`metric.${ref.metric}.name`),
    what: message(`metric.${ref.metric}.what`),
    formula: message(`metric.${ref.metric}.formula`),
    method: methods[ref.metric],
    coverage: found.of === "charges" ? chargeCoverage(gathered, explained.figure) : found.of === "carbon" ? carbonCoverage(explained.figure) : hourCoverage(gathered),
    notInIt: found.of === "carbon" ? gapsOf(carbon?.value.rows ?? []).map(({ reason, subject, gpuHours }) => message("explain.not-in.carbon", { gap: { message: message(`carbon.gap.${reason}`) }, subject: subject === null ? { message: message("carbon.gap.no-subject") } : { text: subject }, hours: { number: Math.round(gpuHours) } })) : notInIt(gathered, ref, found.of),
    assumptions: assumptionsOf(gathered, ref),
    sources: provenanceOf(gathered).sources,
    rowCount: behind.reduce((count, entry) => count + entry.rowCount, 0),
    splitBy: (found.of === "charges" ? chargeSplits : found.of === "carbon" ? carbonSplits : hourSplits).map(({ dimension }) => dimension),
  });
}

/** An indicator, or a figure of a budget: worked out from other figures, so it has inputs and no rows of its own. */
function explainTeamFigure(context: ReportContext, ref: FigureRef): Result<Explanation> {
  const gathered = gather(context, { period: ref.period, scope: ref.scope, basis: ref.basis, currency: ref.currency });
  if (gathered === null) return err(ledgerError("period.invalid", { text: ref.period }));
  const ofBudget = isKpi(ref.metric) ? null : budgetFigure(gathered, ref);
  const value = isKpi(ref.metric) ? kpiValue(gathered, ref.metric) : ofBudget;
  if (value === null) return err(ledgerError("figure.unknown", { metric: ref.metric }));
  return ok({
    ref: { ...ref, currency: gathered.currency },
    figure: value.figure,
    inputs: value.inputs.map(({ label, figure }) => ({ label: message(label), figure })),
    range: null,
    splits: [],
    title: message(`metric.${ref.metric}.name`),
    what: message(`metric.${ref.metric}.what`),
    formula: message(`metric.${ref.metric}.formula`),
    method: methods[ref.metric],
    coverage: chargeCoverage(gathered, value.figure),
    notInIt: [],
    assumptions: ofBudget?.assumptions ?? [],
    sources: provenanceOf(gathered).sources,
    rowCount: 0,
    splitBy: [],
  });
}

/** The counter that the page of the figure was held to. */
function counterOf({ params }: FigureRef): UtilizationCounter | undefined {
  const counter = params?.["counter"];
  return counter !== undefined && isUtilizationCounter(counter) ? counter : undefined;
}

function precisionOf({ params }: FigureRef): Precision {
  return precisions.find((precision) => precision === params?.["precision"]) ?? "bf16";
}

function chargeFactsOf(gathered: Gathered, ref: FigureRef, rows: readonly ChargeRow[]): ChargeFacts {
  const previous = gathered.hasPrevious ? gathered.previousCharges(chargeKeys).filter((entry) => takesPart(entry, ref.params ?? {})) : null;
  return gathered.chargeFacts(rows, previous);
}

interface Split<Entry> {
  readonly dimension: ScopeDimension;
  readonly keyOfNone: string;
  readonly of: (entry: Entry) => string | null;
}
const chargeSplits: readonly Split<ChargeRow>[] = [
  { dimension: "team", keyOfNone: "team.none", of: ({ team }) => team },
  { dimension: "provider", keyOfNone: "provider.none", of: ({ provider }) => provider },
  { dimension: "gpuModel", keyOfNone: "gpu.none", of: ({ gpuModel }) => gpuModel },
  { dimension: "service", keyOfNone: "service.none", of: ({ service }) => service },
];
const hourSplits: readonly Split<GpuHourRow>[] = [
  { dimension: "gpuModel", keyOfNone: "gpu.none", of: ({ gpuModel }) => gpuModel },
  { dimension: "team", keyOfNone: "team.none", of: ({ team }) => team },
  { dimension: "provider", keyOfNone: "provider.none", of: ({ provider }) => provider },
];

const carbonSplits: readonly Split<CarbonRow>[] = [
  { dimension: "region", keyOfNone: "region.none", of: ({ region }) => region },
  { dimension: "team", keyOfNone: "team.none", of: ({ team }) => team },
  { dimension: "gpuModel", keyOfNone: "gpu.none", of: ({ gpuModel }) => gpuModel },
  { dimension: "provider", keyOfNone: "provider.none", of: ({ provider }) => provider },
];

/** As other figures, and beside them the lines it was multiplied out in and the factors these rest on: enough for paper and pencil. */
function explainCarbon(gathered: Gathered, ref: FigureRef, metric: Metric<CarbonFacts>, carbon: Carbon | null): Pick<Explanation, "figure" | "inputs" | "range" | "splits"> {
  const all = carbonFacts(carbon?.rows ?? [], gathered.currency, carbon?.settings ?? defaultCarbonSettings);
  const facts = metric.id === "carbon-per-unit-of-work" ? factsOfWork(all, workAsked(gathered, ref)) : all;
  const explained = explainWith(gathered, ref, metric, facts, carbonSplits, (of, rows) => ({ ...of, rows }));
  if (carbon === null || facts.rows.length === 0) return explained;
  return { ...explained, splits: [...linesOf(ref.metric, facts, carbon.factors), ...explained.splits] };
}

/** The kind of work that a reference names; without a name, the only one there is. */
function workAsked({ context, months }: Gathered, { params }: FigureRef): readonly WorkDone[] {
  const counted = workCounted(context.ledger.db, months);
  const named = params?.["unit"] === undefined ? counted : counted.filter(([first]) => first !== undefined && first.unit === params["unit"] && first.team === (params["team"] ?? null));
  return named.length === 1 ? (named[0] ?? []) : [];
}

function carbonCoverage({ coverage, value }: Figure): Message {
  return value === null ? message("explain.coverage.carbon-none") : message(coverage < 1 ? "explain.coverage.carbon-partial" : "explain.coverage.carbon", { ratio: { ratio: coverage } });
}

/** Figure, inputs, range and splits of one metric over its facts. */
function explainWith<Entry extends ExplainedRow, Facts extends { readonly rows: readonly Entry[] }>(
  gathered: Gathered,
  ref: FigureRef,
  metric: Metric<Facts>,
  facts: Facts,
  splits: readonly Split<Entry>[],
  narrow: (facts: Facts, rows: readonly Entry[]) => Facts,
): Pick<Explanation, "figure" | "inputs" | "range" | "splits"> {
  return {
    figure: metric.figure(facts),
    inputs: metric.inputs(facts).map(({ label, figure }) => ({ label: message(label), figure })),
    range: metric.bounds?.(facts) ?? null,
    splits: splits.flatMap((split) => {
      const table = splitTable(gathered, ref, metric, facts, split, narrow);
      return table === null ? [] : [table];
    }),
  };
}

/** The figure by one dimension, its inputs beside it where they, and not the figure, add up. A split into one part says nothing and is left out. */
function splitTable<Entry extends ExplainedRow, Facts extends { readonly rows: readonly Entry[] }>(
  gathered: Gathered,
  ref: FigureRef,
  metric: Metric<Facts>,
  facts: Facts,
  { dimension, keyOfNone, of }: Split<Entry>,
  narrow: (facts: Facts, rows: readonly Entry[]) => Facts,
): TableBlock | null {
  const previous = "previousRows" in facts ? (facts.previousRows as readonly Entry[] | null) : null;
  const groups = groupsBy([...facts.rows, ...(previous ?? [])], of, weightOf);
  if (groups.length < 2) return null;
  const factsOf = (keys: readonly (string | null)[]): Facts => {
    const isOf = (entry: Entry): boolean => keys.includes(of(entry));
    const part = narrow(facts, facts.rows.filter(isOf));
    return previous === null ? part : { ...part, previousRows: previous.filter(isOf) };
  };
  const partFigure = (part: Facts): Figure => zeroOfNothing(metric, part, facts);
  const inputCells = (part: Facts): Cell[] => (metric.addsUp ? [] : metric.inputs(part).map(({ figure }) => shown(figure)));
  const heads = metric.addsUp ? [] : metric.inputs(facts);
  const top = groups.slice(0, PARTS).map(({ key }) => key);
  const rest = groups.slice(PARTS).map(({ key }) => key);
  const rows = top.map((key) => {
    const part = factsOf([key]);
    return row(`${dimension} ${key}`, [nameCell(key, keyOfNone), ...inputCells(part), shown(partFigure(part), narrowedRef(ref, { [dimension]: [key] }))]);
  });
  if (rest.length > 0) rows.push(row("all-other", [words("row.all-other-parts", { count: { count: rest.length } }), ...inputCells(factsOf(rest)), shown(partFigure(factsOf(rest)))], "muted"));
  const columns: Column[] = [
    column("name", "text", 1, message(`column.${dimension === "gpuModel" ? "gpu" : dimension}`)),
    ...heads.map(({ label }, index) => column(`input-${index}`, "figure", 2, message(label))),
    column("figure", "figure", 1, message(`metric.${metric.id}.name`), metric.id === "spend-change"),
  ];
  return {
    kind: "table",
    id: `by-${dimension}`,
    title: message(`explain.by.${dimension}`),
    note: metric.addsUp ? null : message("explain.by.inputs-add-up"),
    chart: null,
    columns,
    rows,
    total: row("total", [words("row.total"), ...inputCells(facts), shown(metric.figure(facts), refTo(gathered, metric.id, ref.scope, ref.params))]),
  };
}

/** A part without charges of its own in a period that has a bill is a true zero, so that parts add up. */
function zeroOfNothing<Facts extends { readonly rows: readonly ExplainedRow[] }>(metric: Metric<Facts>, part: Facts, all: Facts): Figure {
  const figure = metric.figure(part);
  if (!metric.addsUp || figure.value !== null || part.rows.length > 0) return figure;
  const whole = metric.figure(all);
  if (whole.value === null) return figure;
  const { metric: id, unit, basis, coverage } = whole;
  return { metric: id, value: typeof whole.value === "bigint" ? 0n : 0, unit, basis, coverage };
}

function narrowedRef(ref: FigureRef, narrowed: Scope): FigureRef {
  return { ...ref, scope: { ...ref.scope, ...narrowed } };
}

type ExplainedRow = ChargeRow | GpuHourRow | CarbonRow;

function weightOf(entry: ExplainedRow): bigint {
  if ("itMilliwattHours" in entry) return energyWeight(entry);
  return entry.costAttos === null ? 0n : entry.costAttos;
}

/** Section of the method page of the help (resources/help). */
export const methods: Readonly<Record<MetricId, string>> = {
  "spend": "spend",
  "spend-change": "bridge",
  "gpu-spend": "spend",
  "gpu-hours": "gpu-hours",
  "useful-gpu-hours": "utilization",
  "idle-gpu-hours": "idle",
  "gpu-utilization": "utilization",
  "memory-occupancy": "memory",
  "memory-p95": "memory",
  "memory-peak": "memory",
  "productive-cost": "four-ways",
  "busy-inefficient-cost": "four-ways",
  "held-idle-cost": "four-ways",
  "dead-idle-cost": "four-ways",
  "idle-memory-unknown-cost": "four-ways",
  "unknown-cost": "four-ways",
  "idle-cost": "idle",
  "idle-avoidable-cost": "idle",
  "idle-sunk-cost": "idle",
  "useful-gpu-hour-cost": "useful-gpu-hour",
  "gpu-hour-price": "useful-gpu-hour",
  "flops-per-dollar-peak": "work-per-money",
  "flops-per-dollar-effective": "work-per-money",
  "flops-per-dollar-achieved": "work-per-money",
  "effective-savings-rate": "savings-rate",
  "unused-commitment-cost": "commitments",
  "commitment-utilization": "commitments",
  "commitment-coverage": "commitments",
  "telemetry-coverage": "coverage",
  "telemetry-cost-coverage": "coverage",
  "unmatched-gpu-cost": "coverage",
  "gpu-hours-cost": "four-ways",
  "bill-coverage": "coverage",
  "row-count": "coverage",
  "kpi-unallocated": "indicators",
  "kpi-budget-variance": "indicators",
  "kpi-budget-forecast-variance": "indicators",
  "kpi-budget-burn": "indicators",
  "kpi-forecast-error": "forecast",
  "kpi-forecast-drift": "forecast",
  "kpi-anomaly-rate": "indicators",
  "kpi-commitment-waste": "commitments",
  "kpi-idle-share": "idle",
  "kpi-apportioned": "indicators",
  "kpi-charged-back": "indicators",
  "kpi-optimization": "indicators",
  "kpi-legacy": "indicators",
  "budget": "forecast",
  "budget-forecast": "forecast",
  "energy-kwh": "carbon",
  "energy-gpu": "carbon",
  "energy-host": "carbon",
  "energy-idle": "carbon",
  "energy-held-idle": "carbon",
  "energy-measured": "carbon",
  "emissions-location": "carbon",
  "emissions-market": "carbon",
  "emissions-embodied": "carbon",
  "emissions-total": "carbon",
  "carbon-per-gpu-hour": "carbon",
  "carbon-per-useful-gpu-hour": "carbon",
  "carbon-per-unit-of-work": "carbon",
  "carbon-per-money": "carbon",
  "carbon-cost": "carbon",
  "water-litres": "carbon",
};

function chargeCoverage(gathered: Gathered, figure: Figure): Message {
  if (!gathered.hasBill) return message("explain.coverage.no-bill");
  const params = { ratio: { ratio: figure.coverage } };
  if (figure.metric === "effective-savings-rate" || figure.metric === "commitment-coverage") return message("explain.coverage.list", params);
  if (figure.metric === "gpu-hours") return message("explain.coverage.hours-told", params);
  return message(gathered.billCoverage < 1 ? "explain.coverage.bill-partial" : "explain.coverage.bill", { ratio: { ratio: gathered.billCoverage } });
}

function hourCoverage(gathered: Gathered): Message {
  const { gpuHours, knownGpuHours } = sumGpuHours(gathered.gpuHours());
  if (gpuHours === 0) return message("explain.coverage.no-gpu-hours");
  const coverage = coverageOf(knownGpuHours, gpuHours);
  const level = coverage >= 0.95 ? "high" : coverage >= 0.8 ? "medium" : coverage >= 0.5 ? "low" : coverage > 0 ? "insufficient" : "none";
  return message(`explain.coverage.telemetry-${level}`, { ratio: { ratio: coverage } });
}

/** What a reader may expect in the figure and that is not there. */
function notInIt(gathered: Gathered, ref: FigureRef, of: "charges" | "gpu-hours"): Message[] {
  const lines: Message[] = [];
  const { currency } = gathered;
  if (currency === null) return lines;
  const money = (attos: bigint) => ({ money: attos, currency });
  const all = gathered.charges(chargeKeys);
  const costOf = (keep: (entry: ChargeRow) => boolean): bigint => all.filter(keep).reduce((attos, entry) => (entry.costAttos === null ? attos : attos + entry.costAttos), 0n);
  const isGpuFigure = of === "gpu-hours" || ref.metric === "gpu-spend" || ref.metric === "gpu-hours";
  if (isGpuFigure) {
    const unused = unusedCommitmentCost.figure(gathered.chargeFacts(all, null)).value;
    if (typeof unused === "bigint" && unused !== 0n) lines.push(message("explain.not-in.unused-commitments", { cost: money(unused) }));
    const other = costOf(({ chargeClass }) => chargeClass === "other");
    if (other !== 0n) lines.push(message("explain.not-in.other-services", { cost: money(other) }));
    const tax = costOf(({ chargeClass }) => chargeClass === "tax");
    if (tax !== 0n) lines.push(message("explain.not-in.tax", { cost: money(tax) }));
  }
  if (of === "gpu-hours") {
    const difference = monthsAgainstHours(gathered, gathered.gpuHourFacts(gathered.gpuHours()));
    if (difference !== null) lines.push(difference);
  }
  if (ref.metric === "effective-savings-rate") lines.push(message("explain.not-in.savings"));
  if (ref.metric === "spend" || ref.metric === "spend-change") {
    const rowsSetAside = provenanceOf(gathered).rowsSetAside;
    if (rowsSetAside > 0) lines.push(message("explain.not-in.rows-set-aside", { rows: { count: rowsSetAside } }));
    for (const provider of gathered.missingProviders) lines.push(message("review.context.missing-provider", { provider: { text: provider }, period: { period: ref.period } }));
  }
  if (gathered.otherCurrencies.length > 0) lines.push(message("report.context.other-currencies", { currencies: { text: gathered.otherCurrencies.join(", ") } }));
  return lines;
}

const resting: Readonly<Record<"counter" | "activity" | "idle" | "held" | "purchase" | "peak" | "tensor" | "memoryHour", readonly MetricId[]>> = {
  counter: ["gpu-utilization", "flops-per-dollar-effective"],
  activity: ["useful-gpu-hours", "productive-cost", "busy-inefficient-cost", "useful-gpu-hour-cost"],
  idle: ["idle-cost", "idle-gpu-hours", "idle-avoidable-cost", "idle-sunk-cost", "held-idle-cost", "dead-idle-cost", "idle-memory-unknown-cost", "productive-cost", "busy-inefficient-cost"],
  held: ["held-idle-cost", "dead-idle-cost"],
  purchase: ["idle-avoidable-cost", "idle-sunk-cost"],
  peak: ["flops-per-dollar-peak", "flops-per-dollar-effective", "flops-per-dollar-achieved"],
  tensor: ["flops-per-dollar-effective"],
  memoryHour: ["memory-p95"],
};

function assumptionsOf(gathered: Gathered, ref: FigureRef): Message[] {
  const policy = provenanceOf(gathered).idlePolicy;
  const lines: Message[] = [];
  const rests = (on: keyof typeof resting): boolean => resting[on].includes(ref.metric);
  const counter = gathered.counter();
  if (rests("counter") && counter !== null) lines.push(message("explain.assumes.counter", { counter: counterName(counter) }), message(`rules.counter.${counter}`));
  if (rests("activity")) lines.push(message("explain.assumes.activity"));
  if (rests("idle")) {
    lines.push(message("rules.idle", {
      idle: { number: policy.idleAtOrUnderPercent },
      busy: { number: policy.busyAtOrOverPercent },
      minutes: { number: policy.minimumSeconds / 60 },
    }));
  }
  if (rests("held")) lines.push(message("rules.held", { ratio: { ratio: policy.parkedMemoryShare, digits: 0 } }));
  if (rests("purchase")) lines.push(message("explain.assumes.purchase"));
  if (rests("peak")) lines.push(message("explain.assumes.peak", { precision: { message: message(`precision.${precisionOf(ref)}`) } }));
  if (rests("tensor")) lines.push(message("explain.assumes.tensor"));
  if (rests("memoryHour")) lines.push(message("explain.assumes.memory-hour"));
  if (ref.metric === "spend" || ref.metric === "gpu-spend" || ref.metric === "spend-change") lines.push(message(`basis.${ref.basis}.sentence`));
  else if (metrics.get(ref.metric)?.of === "carbon") lines.push(message("explain.assumes.carbon-hours"), ...carbonAssumptions(ref.metric));
  else if (metrics.get(ref.metric)?.of === "gpu-hours") lines.push(message("explain.assumes.utc-hours"));
  return lines;
}

const restingOnHost: readonly MetricId[] = ["energy-kwh", "energy-host", "emissions-location", "emissions-market", "emissions-total", "carbon-per-gpu-hour", "carbon-per-useful-gpu-hour", "carbon-per-unit-of-work", "carbon-per-money", "carbon-cost", "water-litres"];
const restingOnMaking: readonly MetricId[] = ["emissions-embodied", "emissions-total", "carbon-per-gpu-hour", "carbon-per-useful-gpu-hour", "carbon-per-unit-of-work", "carbon-per-money", "carbon-cost"];

function carbonAssumptions(metric: MetricId): Message[] {
  const lines = [message("carbon.notes.energy")];
  if (restingOnHost.includes(metric)) lines.push(message("carbon.notes.host"));
  if (metric === "emissions-market") lines.push(message("carbon.notes.market"));
  if (restingOnMaking.includes(metric)) lines.push(message("carbon.notes.embodied"));
  return lines;
}
