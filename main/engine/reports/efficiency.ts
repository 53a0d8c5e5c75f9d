/** What work did the money buy? */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Block, Cell, Column, FigureRef, Message, MessageParam, NotesBlock, ReportDocument, ReportRequest, Row, TableBlock } from "../../../shared/contract/report.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { busyInefficientCost } from "../metrics/busy-inefficient-cost.ts";
import { deadIdleCost } from "../metrics/dead-idle-cost.ts";
import { flopsPerDollarAchieved } from "../metrics/flops-per-dollar-achieved.ts";
import { flopsPerDollarEffective } from "../metrics/flops-per-dollar-effective.ts";
import { flopsPerDollarPeak } from "../metrics/flops-per-dollar-peak.ts";
import { gpuHourPrice } from "../metrics/gpu-hour-price.ts";
import { sumGpuHours, type GpuHourFacts, type GpuHourRow } from "../metrics/gpu-hours-where-met.ts";
import { gpuHoursCost } from "../metrics/gpu-hours-cost.ts";
import { gpuUtilization } from "../metrics/gpu-utilization.ts";
import { heldIdleCost } from "../metrics/held-idle-cost.ts";
import { idleAvoidableCost } from "../metrics/idle-avoidable-cost.ts";
import { idleCost } from "../metrics/idle-cost.ts";
import { idleMemoryUnknownCost } from "../metrics/idle-memory-unknown-cost.ts";
import { idleSunkCost } from "../metrics/idle-sunk-cost.ts";
import { memoryOccupancy } from "../metrics/memory-occupancy.ts";
import { memoryP95 } from "../metrics/memory-p95.ts";
import { memoryPeak } from "../metrics/memory-peak.ts";
import { coverageOf, figureOf, share, type Metric } from "../metrics/metric.ts";
import { productiveCost } from "../metrics/productive-cost.ts";
import { telemetryCoverage } from "../metrics/telemetry-coverage.ts";
import { unknownCost } from "../metrics/unknown-cost.ts";
import { resourceKey, unmatchedRows } from "../metrics/unmatched-gpu-cost.ts";
import { usefulGpuHourCost } from "../metrics/useful-gpu-hour-cost.ts";
import { precisions, type Precision } from "../reference/catalog.ts";
import { amount, column, groupsBy, nameCell, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { episodesTable, hostEpisodes } from "./episodes.ts";
import { fleetHeat, unbilledHosts, unbilledHostsTable, unbilledUtilization } from "./fleet.ts";
import { gather, provenanceOf, refTo, type Gathered } from "./gather.ts";
import { besideHeadline, counterLines, countersTable } from "./counters.ts";
import { distributionTable, ladderTable } from "./ladder.ts";
import { monthsAgainstHours } from "./review.ts";
import { unjoinedLines } from "./unjoined.ts";

const UNMATCHED = 10;
/** Under half of the GPU time observed, no single figure speaks for the whole (maths.md d.5). */
const INSUFFICIENT = 0.5;

export function readEfficiency(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  if (gathered.isEmpty) return err(ledgerError("report.no-data", { period: request.period }));
  const hours = gathered.gpuHourFacts(gathered.gpuHours());
  const unbilled = unbilledHosts(gathered);
  const isBilled = hours.rows.length > 0;
  const isObserved = hours.rows.some(({ knownGpuHours }) => knownGpuHours > 0);
  const heat = fleetHeat(gathered);
  const blocks: Block[] = [];
  if (isBilled) blocks.push(fourWays(gathered, hours));
  if (heat !== null) blocks.push(heat);
  if (isBilled) blocks.push(flops(gathered, hours));
  if (isObserved) blocks.push(memory(gathered, hours));
  const counters = countersTable(gathered, hours);
  if (counters !== null) blocks.push(counters);
  const ladder = ladderTable(gathered);
  if (ladder !== null) blocks.push(ladder);
  if (isBilled) {
    blocks.push(
      splitTable(gathered, hours, "teams", message("efficiency.teams.title"), message("column.team"), (entry) => entry.team, (team) => ({ team: [team] }), "team.none"),
      splitTable(gathered, hours, "models", message("efficiency.models.title"), message("column.gpu"), (entry) => entry.gpuModel, (gpuModel) => ({ gpuModel: [gpuModel] }), "gpu.none"),
    );
  }
  const distribution = distributionTable(gathered);
  if (distribution !== null) blocks.push(distribution);
  if (isObserved) blocks.push(episodesTable(gathered, hours, hostEpisodes(gathered)));
  const unmatched = unmatchedTable(gathered, hours);
  if (unmatched !== null) blocks.push(unmatched);
  if (unbilled.length > 0) blocks.push(unbilledHostsTable(unbilled));
  blocks.push(rules(gathered, hours));
  return ok({
    report: "efficiency",
    request,
    period: gathered.period,
    currency: gathered.currency,
    otherCurrencies: gathered.otherCurrencies,
    provenance: provenanceOf(gathered),
    title: message("efficiency.title"),
    answer: answer(gathered, hours, unbilled),
    context: contextLines(gathered, hours),
    blocks,
  });
}

function answer(gathered: Gathered, hours: GpuHourFacts, unbilled: ReturnType<typeof unbilledHosts>): Message {
  const period: MessageParam = { period: gathered.asked.period };
  if (hours.rows.length === 0) {
    if (unbilled.length === 0) return message("efficiency.answer.no-gpu", { period });
    return message("efficiency.answer.no-bill", {
      period,
      hosts: { count: unbilled.length },
      utilization: { figure: unbilledUtilization(unbilled) },
    });
  }
  const cost: MessageParam = { figure: gpuHoursCost.figure(hours), explain: refTo(gathered, "gpu-hours-cost") };
  const { knownGpuHours, gpuHours, productiveAttos, knownCostAttos, costAttos } = sumGpuHours(hours.rows);
  if (knownGpuHours === 0) return message("efficiency.answer.no-telemetry", { cost, period });
  const idle: MessageParam = { figure: idleCost.figure(hours), explain: refTo(gathered, "idle-cost") };
  if (knownGpuHours / gpuHours < INSUFFICIENT) {
    const productive = share(productiveAttos, knownCostAttos);
    const coverage: MessageParam = { figure: telemetryCoverage.figure(hours), explain: refTo(gathered, "telemetry-coverage") };
    return productive === null
      ? message("efficiency.answer.no-cost", { period })
      : message("efficiency.answer.insufficient", { cost, coverage, idle, productive: { ratio: productive } });
  }
  const productive = share(productiveAttos, costAttos);
  return productive === null ? message("efficiency.answer.no-cost", { period }) : message("efficiency.answer.full", { cost, idle, productive: { ratio: productive } });
}

function contextLines(gathered: Gathered, hours: GpuHourFacts): Message[] {
  const lines: Message[] = [];
  const [idle, avoidable, sunk] = [idleCost.figure(hours), idleAvoidableCost.figure(hours), idleSunkCost.figure(hours)];
  if (typeof idle.value === "bigint" && idle.value !== 0n) {
    lines.push(message("efficiency.context.idle-split", {
      avoidable: { figure: avoidable, explain: refTo(gathered, "idle-avoidable-cost") },
      sunk: { figure: sunk, explain: refTo(gathered, "idle-sunk-cost") },
    }));
    const neither = typeof avoidable.value === "bigint" && typeof sunk.value === "bigint" ? idle.value - avoidable.value - sunk.value : 0n;
    if (neither !== 0n) lines.push(message("efficiency.context.purchase-unknown", { cost: { money: neither, currency: hours.currency } }));
  }
  const { unknownAttos, costAttos } = sumGpuHours(hours.rows);
  const unknown = share(unknownAttos, costAttos);
  if (unknown !== null && unknownAttos !== 0n) lines.push(message("efficiency.context.unknown", { ratio: { ratio: unknown } }));
  if (hours.rows.length > 0 && gathered.asked.basis !== "EffectiveCost") lines.push(message("efficiency.context.effective-only"));
  lines.push(...unjoinedLines(gathered, hours));
  const beside = besideHeadline(gathered, hours);
  if (beside !== null) lines.push(beside);
  if (gathered.otherCurrencies.length > 0) lines.push(message("report.context.other-currencies", { currencies: { text: gathered.otherCurrencies.join(", ") } }));
  const difference = monthsAgainstHours(gathered, hours);
  if (difference !== null) lines.push(difference);
  return lines;
}

interface Way {
  readonly metric: Metric<GpuHourFacts>;
  readonly tone: NonNullable<Row["tone"]>;
  readonly attos: (totals: ReturnType<typeof sumGpuHours>) => bigint;
}
const ways: readonly Way[] = [
  { metric: productiveCost, tone: "useful", attos: (totals) => totals.productiveAttos },
  { metric: busyInefficientCost, tone: "busy", attos: (totals) => totals.busyInefficientAttos },
  { metric: heldIdleCost, tone: "held", attos: (totals) => totals.heldIdleAttos },
  { metric: deadIdleCost, tone: "dead", attos: (totals) => totals.deadIdleAttos },
  { metric: idleMemoryUnknownCost, tone: "unknown", attos: (totals) => totals.idleMemoryUnknownAttos },
  { metric: unknownCost, tone: "unknown", attos: (totals) => totals.unknownAttos },
];

function fourWays(gathered: Gathered, hours: GpuHourFacts): TableBlock {
  const totals = sumGpuHours(hours.rows);
  const ratio = (attos: bigint, coverage: number): Cell => shown(figureOf("gpu-hours-cost", share(attos, totals.costAttos), "ratio", "derived", coverage));
  return {
    kind: "table",
    id: "four-ways",
    title: message("four-ways.title"),
    note: message("four-ways.note", { currency: { text: hours.currency } }),
    chart: "four-way",
    columns: [
      column("way", "text", 1, message("column.way")),
      column("cost", "figure", 1, message("column.cost")),
      column("share", "figure", 1, message("column.share")),
      column("meaning", "text", 3, message("column.meaning")),
    ],
    rows: ways
      .filter(({ metric, attos }) => metric !== idleMemoryUnknownCost || attos(totals) !== 0n)
      .map(({ metric, tone, attos }) => {
        const figure = metric.figure(hours);
        return row(metric.id, [
          words(`metric.${metric.id}.name`),
          shown(figure, refTo(gathered, metric.id)),
          figure.value === null && figure.why !== undefined ? { absent: figure.why } : ratio(attos(totals), figure.coverage),
          words(`metric.${metric.id}.what`),
        ], tone);
      }),
    total: row("total", [words("row.gpu-total"), shown(gpuHoursCost.figure(hours), refTo(gathered, "gpu-hours-cost")), ratio(totals.costAttos, 1), notApplicable]),
  };
}

/** The precision a GPU model is judged at: bf16, or what comes nearest where the card has none. */
const preferred: readonly Precision[] = ["bf16", "fp16", "fp32"];

function flops(gathered: Gathered, hours: GpuHourFacts): TableBlock {
  const shownPrecisions = precisions.filter((precision) => precision !== "fp64");
  const factsAt = (rows: readonly GpuHourRow[], precision: Precision): GpuHourFacts => gathered.gpuHourFacts(rows, precision);
  const rows = groupsBy(hours.rows, ({ gpuModel }) => gpuModel, ({ costAttos }) => costAttos).map(({ key, rows: own }) => {
    const precision = preferred.find((candidate) => flopsPerDollarPeak.figure(factsAt(own, candidate)).value !== null) ?? "bf16";
    const facts = factsAt(own, precision);
    const scope: Scope = { gpuModel: [key] };
    const ref = (metric: Metric<GpuHourFacts>, at: Precision): FigureRef => refTo(gathered, metric.id, scope, { precision: at });
    const graded = (metric: Metric<GpuHourFacts>, of: GpuHourFacts, at: Precision): Cell => shown(metric.figure(of), ref(metric, at));
    return row(`model ${key}`, [
      nameCell(key, "gpu.none"),
      shown(gpuHourPrice.figure(facts), refTo(gathered, "gpu-hour-price", scope)),
      graded(flopsPerDollarPeak, facts, precision),
      graded(flopsPerDollarEffective, facts, precision),
      graded(flopsPerDollarAchieved, facts, precision),
      words(`precision.${precision}`),
      ...shownPrecisions.flatMap((at) => {
        const other = factsAt(own, at);
        return [graded(flopsPerDollarPeak, other, at), graded(flopsPerDollarEffective, other, at)];
      }),
    ]);
  });
  return {
    kind: "table",
    id: "flops",
    title: message("flops.title"),
    note: message("flops.note", { currency: { text: hours.currency } }),
    chart: "flops",
    columns: [
      column("model", "text", 1, message("column.gpu")),
      column("price", "figure", 1, message("column.price-gpu-hour")),
      column("peak", "figure", 1, message("column.peak")),
      column("effective", "figure", 1, message("column.effective")),
      column("achieved", "figure", 1, message("column.achieved")),
      column("precision", "text", 2, message("column.precision")),
      ...shownPrecisions.flatMap((precision): Column[] => [
        column(`peak-${precision}`, "figure", 3, message("column.peak-at", { precision: { message: message(`precision.${precision}`) } })),
        column(`effective-${precision}`, "figure", 3, message("column.effective-at", { precision: { message: message(`precision.${precision}`) } })),
      ]),
    ],
    rows,
    total: null,
  };
}

function memory(gathered: Gathered, hours: GpuHourFacts): TableBlock {
  const memoryMetrics = [memoryOccupancy, memoryP95, memoryPeak] as const;
  const cells = (facts: GpuHourFacts, scope: Scope): Cell[] => memoryMetrics.map((metric) => shown(metric.figure(facts), refTo(gathered, metric.id, scope)));
  const groups = groupsBy(hours.rows, ({ gpuModel }) => gpuModel, ({ costAttos }) => costAttos);
  return {
    kind: "table",
    id: "memory",
    title: message("memory.title"),
    note: message("memory.note"),
    chart: null,
    columns: [
      column("model", "text", 1, message("column.gpu")),
      column("mean", "figure", 1, message("column.mean")),
      column("p95", "figure", 1, message("column.p95")),
      column("peak", "figure", 1, message("column.highest")),
    ],
    rows: groups.map(({ key, rows }) => row(`model ${key}`, [nameCell(key, "gpu.none"), ...cells(gathered.gpuHourFacts(rows), { gpuModel: [key] })])),
    total: null,
  };
}

function splitTable(
  gathered: Gathered,
  hours: GpuHourFacts,
  id: string,
  title: Message,
  head: Message,
  keyOf: (entry: GpuHourRow) => string | null,
  scopeOf: (key: string | null) => Scope,
  keyOfNone: string,
): TableBlock {
  const splitMetrics: readonly Metric<GpuHourFacts>[] = [
    gpuHoursCost, productiveCost, busyInefficientCost, heldIdleCost, deadIdleCost, idleMemoryUnknownCost, unknownCost, gpuUtilization, usefulGpuHourCost,
  ];
  const cells = (facts: GpuHourFacts, scope: Scope): Cell[] => splitMetrics.map((metric) => shown(metric.figure(facts), refTo(gathered, metric.id, scope)));
  const hasMemoryUnknown = sumGpuHours(hours.rows).idleMemoryUnknownAttos !== 0n;
  return {
    kind: "table",
    id,
    title,
    note: message("note.in-currency", { currency: { text: hours.currency } }),
    chart: null,
    columns: [
      column("name", "text", 1, head),
      column("cost", "figure", 1, message("column.gpu-cost")),
      column("productive", "figure", 1, message("metric.productive-cost.name")),
      column("busy", "figure", 2, message("metric.busy-inefficient-cost.name")),
      column("held", "figure", 1, message("metric.held-idle-cost.name")),
      column("dead", "figure", 1, message("metric.dead-idle-cost.name")),
      column("idle-memory-unknown", "figure", hasMemoryUnknown ? 2 : 3, message("metric.idle-memory-unknown-cost.name")),
      column("unknown", "figure", 2, message("metric.unknown-cost.name")),
      column("utilization", "figure", 1, message("column.utilization")),
      column("useful", "figure", 1, message("column.useful")),
    ],
    rows: groupsBy(hours.rows, keyOf, ({ costAttos }) => costAttos).map(({ key, rows }) =>
      row(`${id} ${key}`, [nameCell(key, keyOfNone), ...cells(gathered.gpuHourFacts(rows), scopeOf(key))], key === null ? "muted" : "plain"),
    ),
    total: row("total", [words("row.total"), ...cells(hours, {})]),
  };
}

/** GPU money that no telemetry speaks of: resources without any, and gaps of the others; it closes to the unknown cost. */
function unmatchedTable(gathered: Gathered, hours: GpuHourFacts): TableBlock | null {
  const totals = sumGpuHours(hours.rows);
  const unknownGpuHours = Math.max(0, totals.gpuHours - totals.knownGpuHours);
  if (hours.rows.length === 0 || (totals.unknownAttos === 0n && unknownGpuHours < 1e-6)) return null;
  const { currency } = hours;
  const unmatched = unmatchedRows(hours.rows);
  const groups = groupsBy(unmatched, resourceKey, ({ costAttos }) => costAttos);
  const top = groups.slice(0, UNMATCHED);
  const others = groups.slice(UNMATCHED).flatMap(({ rows }) => rows);
  const gpuHours = (value: number): Cell => shown(figureOf("gpu-hours", value, "gpu-hours", "billed", 1));
  const money = (attos: bigint, ref?: FigureRef): Cell => shown(amount("unknown-cost", attos, currency), ref);
  const rows = top.map(({ key, rows: own }) => {
    const [sample, sums] = [own[0] as GpuHourRow, sumGpuHours(own)];
    return row(key ?? "", [
      sample.resource === null ? words("resource.none") : text(lastSegment(sample.resource)),
      nameCell(sample.provider, "provider.none"),
      nameCell(sample.gpuModel, "gpu.none"),
      nameCell(sample.team, "team.none"),
      gpuHours(sums.gpuHours),
      money(sums.unknownAttos, sample.resource === null ? undefined : refTo(gathered, "unknown-cost", { resource: [sample.resource] })),
      sample.resource === null ? notApplicable : text(sample.resource),
    ]);
  });
  if (others.length > 0) {
    const sums = sumGpuHours(others);
    rows.push(row("all-other", [words("row.all-other-resources", { count: { count: groups.length - top.length } }), notApplicable, notApplicable, notApplicable, gpuHours(sums.gpuHours), money(sums.unknownAttos), notApplicable], "muted"));
  }
  const all = sumGpuHours(unmatched);
  const gaps = totals.unknownAttos - all.unknownAttos;
  const gapHours = Math.max(0, unknownGpuHours - all.gpuHours);
  if (gaps !== 0n || gapHours > 1e-6) rows.push(row("gaps", [words("row.gaps"), notApplicable, notApplicable, notApplicable, gpuHours(gapHours), money(gaps), notApplicable], "unknown"));
  return {
    kind: "table",
    id: "without-telemetry",
    title: message("without-telemetry.title"),
    note: message("note.in-currency", { currency: { text: currency } }),
    chart: null,
    columns: [
      column("resource", "mono", 1, message("column.resource")),
      column("provider", "text", 2, message("column.provider")),
      column("model", "text", 1, message("column.gpu")),
      column("team", "text", 2, message("column.team")),
      column("gpu-hours", "figure", 1, message("column.gpu-hours")),
      column("cost", "figure", 1, message("column.cost")),
      column("id", "mono", 3, message("column.resource-id")),
    ],
    rows,
    total: row("total", [words("row.unknown-total"), notApplicable, notApplicable, notApplicable, gpuHours(unknownGpuHours), shown(unknownCost.figure(hours), refTo(gathered, "unknown-cost")), notApplicable]),
  };
}

/** The name at the end of a path of a resource; the whole id stands in the row's detail. */
function lastSegment(resource: string): string {
  return /[^/]+$/.exec(resource)?.[0] ?? resource;
}

/** The rules behind the page. */
function rules(gathered: Gathered, hours: GpuHourFacts): NotesBlock {
  const policy = provenanceOf(gathered).idlePolicy;
  const totals = sumGpuHours(hours.rows);
  const lines: Message[] = [
    message("rules.idle", {
      idle: { number: policy.idleAtOrUnderPercent },
      busy: { number: policy.busyAtOrOverPercent },
      minutes: { number: policy.minimumSeconds / 60 },
    }),
    message("rules.held", { ratio: { ratio: policy.parkedMemoryShare, digits: 0 } }),
  ];
  const notes: NotesBlock["notes"][number][] = [
    { id: "idle", title: message("rules.idle.title"), tone: "plain", lines },
    { id: "counter", title: message("rules.counter.title"), tone: "plain", lines: counterLines(gathered, hours) },
  ];
  const difference = monthsAgainstHours(gathered, hours);
  if (difference !== null) notes.push({ id: "months", title: message("rules.months.title"), tone: "plain", lines: [difference] });
  if (hours.rows.length > 0) {
    const coverage = coverageOf(totals.knownGpuHours, totals.gpuHours);
    const confidence = coverage >= 0.95 ? "high" : coverage >= 0.8 ? "medium" : coverage >= INSUFFICIENT ? "low" : coverage > 0 ? "insufficient" : "none";
    notes.push({
      id: "confidence",
      title: message("rules.confidence.title"),
      tone: "unknown",
      lines: [message(`rules.confidence.${confidence}`, { ratio: { figure: telemetryCoverage.figure(hours), explain: refTo(gathered, "telemetry-coverage") } })],
    });
  }
  return { kind: "notes", id: "rules", notes };
}
