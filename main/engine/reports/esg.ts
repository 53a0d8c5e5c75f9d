/** The statement of an ESG pack: what its PDF prints, and `report esg` in the terminal. Its parts are those of the carbon report. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Block, Cell, Message, ReportDocument, ReportRequest, Row, TableBlock } from "../../../shared/contract/report.ts";
import type { Figure, MetricId } from "../../../shared/domain/figure.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { gatherFigures } from "../esg/gather.ts";
import { isFrozen, methodLines, methodMessage, summaryLines, type PackFacts, type SummaryLine } from "../esg/tables.ts";
import { figureOf } from "../metrics/metric.ts";
import { readCarbon } from "./carbon.ts";
import { column, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { boundaryOf } from "./scope-words.ts";

/** Blocks of the carbon report that the statement repeats, in its order. */
const kept = ["by-team", "by-region", "by-provider", "quality", "ranges", "factors", "gaps"];

export function readEsg(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const carbon = readCarbon(context, { ...request, report: "carbon" });
  if (!carbon.ok) return carbon;
  const pack = gatherFigures(context, request.period, request.scope);
  if (!pack.ok) return err(pack.error.code === "report.no-data" ? ledgerError("report.no-data", { period: request.period }) : pack.error);
  const { facts, sha256 } = pack.value;
  const parts = kept.flatMap((id) => carbon.value.blocks.find((block) => block.id === id) ?? []);
  const blocks: Block[] = [lines(facts), ...parts, monthTable(facts), ...comparison(facts), ...changes(facts), method()].map((block) => (block.kind === "table" ? readable(block) : block));
  return ok({
    ...carbon.value,
    report: "esg",
    request,
    title: message("esg.title", { period: { period: request.period } }),
    answer: carbon.value.answer,
    context: contextLines(facts, sha256),
    blocks,
  });
}

/** Lines of a table that a person reads; of more than these the largest stand, and the note says where all of them are. */
const MOST_LINES = 60;

/** A table without a total, which nothing would then add up to, cut to its largest lines by its last column of figures, in their own order. */
export function readable(block: TableBlock, most = MOST_LINES): TableBlock {
  if (block.total !== null || block.rows.length <= most) return block;
  const by = block.columns.findLastIndex(({ kind }) => kind === "figure");
  const size = ({ cells }: Row): number => {
    const cell = cells[by];
    return cell !== undefined && "figure" in cell && cell.figure.value !== null ? Math.abs(Number(cell.figure.value)) : 0;
  };
  const largest = new Set(block.rows.toSorted((a, b) => size(b) - size(a)).slice(0, most));
  const cut = message("esg.statement.cut", { shown: { count: most }, total: { count: block.rows.length } });
  return { ...block, note: block.note === null ? cut : message("esg.statement.note", { note: { message: block.note }, cut: { message: cut } }), rows: block.rows.filter((line) => largest.has(line)) };
}

function contextLines(facts: PackFacts, sha256: string): Message[] {
  const { coveredDays, days, scope } = facts;
  const narrowed = boundaryOf(scope);
  return [
    narrowed.length === 0 ? message("esg.boundary.all") : message("esg.boundary.narrowed", { to: { text: narrowed.join("; ") } }),
    message(isFrozen(facts) ? "esg.status.frozen" : "esg.status.provisional"),
    ...(coveredDays < days ? [message("esg.note.partial", { covered: { count: coveredDays }, days: { count: days } })] : []),
    message("esg.hash", { hash: { text: sha256 } }),
  ];
}

/** What the standards ask for. */
function lines(facts: PackFacts): TableBlock {
  return {
    kind: "table",
    id: "lines",
    title: message("esg.lines.title"),
    note: message("esg.lines.note"),
    chart: null,
    columns: [
      column("what", "text", 1, message("esg.column.what")),
      column("value", "figure", 1, message("esg.column.value")),
      column("low", "figure", 1, message("esg.column.low")),
      column("high", "figure", 1, message("esg.column.high")),
      column("unit", "text", 1, message("esg.column.unit")),
      column("coverage", "figure", 2, message("esg.column.coverage")),
      column("esrs", "text", 2, message("esg.column.esrs")),
      column("gri", "text", 2, message("esg.column.gri")),
      column("ghg", "text", 3, message("esg.column.ghg_protocol")),
      column("note", "text", 3, message("esg.column.note")),
    ],
    rows: summaryLines(facts).map((line, index) =>
      row(`${line.id} ${index}`, [
        words(`esg.line.${line.id}`),
        amountCell(line, line.value),
        amountCell(line, line.low ?? null),
        amountCell(line, line.high ?? null),
        text(line.unit),
        line.coverage === undefined || line.coverage === null ? notApplicable : shown(figureOf("telemetry-coverage", line.coverage, "ratio", "derived", 1)),
        line.esrs === null ? notApplicable : text(line.esrs),
        line.gri === null ? notApplicable : text(line.gri),
        line.ghg === null ? notApplicable : text(line.ghg),
        line.note === undefined ? notApplicable : { message: line.note },
      ]),
    ),
    total: null,
  };
}

function amountCell(line: SummaryLine, value: string | null): Cell {
  return value === null ? notApplicable : shown(amountFigure(line, value));
}

/** The metric says what a figure is of; its unit, how it is written. */
function amountFigure({ id, unit }: SummaryLine, value: string): Figure {
  const metric: MetricId = unit === "kWh" ? "energy-kwh" : unit === "L" ? "water-litres" : unit === "GPU-h" ? "gpu-hours" : id.includes("embodied") ? "emissions-embodied" : id.includes("market") ? "emissions-market" : "emissions-location";
  const written = unit === "kgCO2e" || unit === "kWh" ? unit : unit === "GPU-h" ? "gpu-hours" : unit === "L" ? "litres" : unit === "d" ? "count" : unit.startsWith("gCO2e/") ? "gCO2e/unit" : "number";
  return figureOf(metric, Number(value), written, "derived", 1);
}

function monthTable({ months }: PackFacts): TableBlock {
  return {
    kind: "table",
    id: "months",
    title: message("esg.table.months"),
    note: null,
    chart: null,
    columns: [
      column("month", "text", 1, message("esg.column.month")),
      column("state", "text", 1, message("esg.column.state")),
      column("closed", "time", 1, message("esg.column.closed_at")),
      column("by", "text", 1, message("esg.column.closed_by")),
      column("changed", "figure", 1, message("esg.column.totals_changed_since")),
    ],
    rows: months.map(({ month, state, closedAt, closedBy, differences }) =>
      row(month, [
        { message: message("esg.month", { month: { period: month } }) },
        words(`esg.state.${state}`),
        closedAt === null ? notApplicable : { instant: closedAt, precision: "minute" },
        closedBy === null ? notApplicable : text(closedBy),
        shown(figureOf("row-count", differences, "count", "derived", 1)),
      ]),
    ),
    total: null,
  };
}

/** The provider's figure, step by step to the ledger's. */
function comparison({ comparison: { providers } }: PackFacts): TableBlock[] {
  const rows = providers.flatMap(({ provider, methods }) =>
    methods.flatMap(({ method, reportMicrograms, ledgerMicrograms, steps }) => {
      if (reportMicrograms === null || ledgerMicrograms === null) return [];
      const metric = method === "location" ? "emissions-location" : "emissions-market";
      const line = (step: string, micrograms: bigint | null, details: readonly string[]) =>
        row(`${provider} ${method} ${step}`, [text(provider), words(`esg.method-name.${method}`), words(`esg.step.${step}`), micrograms === null ? notApplicable : shown(figureOf(metric, Number(micrograms) / 1e9, "kgCO2e", "derived", 1)), details.length === 0 ? notApplicable : text(details.join(", "))]);
      return [line("report", reportMicrograms, []), ...steps.map(({ step, micrograms, details }) => line(step, micrograms, details)), line("ledger", ledgerMicrograms, [])];
    }),
  );
  if (rows.length === 0) return [];
  return [{
    kind: "table",
    id: "provider-reports",
    title: message("esg.table.provider-reports"),
    note: message("esg.column.kg"),
    chart: null,
    columns: [
      column("provider", "text", 1, message("esg.column.provider")),
      column("method", "text", 1, message("esg.column.method")),
      column("step", "text", 1, message("esg.column.step_name")),
      column("kg", "figure", 1, message("esg.column.kg")),
      column("details", "text", 2, message("esg.column.details")),
    ],
    rows,
    total: null,
  }];
}

/** Exact decimals, as in the pack. */
function changes({ changes: { since, lines: changed } }: PackFacts): TableBlock[] {
  if (since === null || changed.length === 0) return [];
  return [{
    kind: "table",
    id: "changes",
    title: message("esg.table.changes"),
    note: message("esg.changes.since", { issue: { text: `#${since.id}` }, when: { instant: since.issuedAt, precision: "minute" } }),
    chart: null,
    columns: [
      column("what", "text", 1, message("esg.column.what")),
      column("of", "text", 1, message("esg.column.of")),
      column("measure", "mono", 1, message("esg.column.measure")),
      column("before", "mono", 1, message("esg.column.before")),
      column("now", "mono", 1, message("esg.column.now")),
      column("difference", "mono", 1, message("esg.column.difference")),
    ],
    rows: changed.map(({ what, of, measure, before, now, difference }, index) =>
      row(`${what} ${of} ${measure} ${index}`, [words(`esg.changed.${what}`), of === null || of === "" ? notApplicable : text(of), text(measure), before === null ? notApplicable : text(before), now === null ? notApplicable : text(now), difference === null ? notApplicable : text(difference)]),
    ),
    total: null,
  }];
}

function method(): Block {
  return { kind: "notes", id: "method", notes: methodLines.map((line) => ({ id: line, title: message(`esg.method-title.${line}`), tone: "plain" as const, lines: [methodMessage(line)] })) };
}
