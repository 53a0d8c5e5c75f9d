/** A figure of jobs explained: its formula, inputs, parts by team, coverage and files; and the lines of the scheduler behind it. */
import { jobFigure, jobFigureRef, jobWays, type JobFigureId, type JobFilter, type JobLine, type JobWay } from "../../../shared/contract/jobs.ts";
import type { ProvenRow, RowsPage } from "../../../shared/contract/methods.ts";
import type { Explanation, FigureRef, Message, SourceLine, TableBlock } from "../../../shared/contract/report.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { figureOf } from "../metrics/metric.ts";
import { column, compareNames, nameCell, row, shown, words } from "../reports/cells.ts";
import { message } from "../reports/context.ts";
import { conversionLines, conversionOf } from "../reports/converted.ts";
import { counterName } from "../reports/counters.ts";
import { provenanceOf, type Gathered } from "../reports/gather.ts";
import { isOneOf, query, readAll, type Db } from "../store/sql.ts";
import type { Job } from "./list.ts";
import { lineOf, narrowed, periodJobs, type JobsAsked, type PeriodJobs } from "./table.ts";

/** Teams shown of a split; the others stand in one row. */
const TEAMS_SHOWN = 12;

export async function explainJobs(asked: JobsAsked, ref: FigureRef, id: JobFigureId, filter: JobFilter): Promise<Result<Explanation>> {
  const { gathered } = asked;
  const { currency, context } = gathered;
  const jobs = await periodJobs(asked);
  const places = await narrowed(jobs, filter);
  const line = lineOf(jobs, places, null);
  const conversion = conversionOf(context, gathered.asked);
  const isMoney = id.startsWith("cost") || id === "idleCost" || id === "usefulGpuHourCost";
  const found = jobFigure(line, id, currency);
  const figure: Figure = isMoney && conversion !== null && found.value !== null ? { ...found, basis: "converted" } : found;
  const way = id.includes(".") ? (id.slice(id.indexOf(".") + 1) as JobWay) : null;
  const named = way === null ? undefined : { way: { message: message(`jobs.way.${way}`) } };
  const kind = way === null ? id : id.startsWith("hours") ? "hours" : "way-cost";
  return ok({
    ref,
    figure,
    title: message(`jobs.figure.${kind}`, named),
    what: message(`jobs.explain.${kind}.what`, named),
    formula: message(`jobs.explain.${kind}.formula`, named),
    method: "jobs",
    inputs: inputsOf(jobs, places, line, id, currency),
    splits: byTeam(jobs, places, ref, id, filter, currency),
    coverage: message("jobs.explain.coverage", { known: { ratio: line.gpuHoursCoverage }, logs: { ratio: line.telemetryCoverage }, bills: { ratio: line.costCoverage } }),
    notInIt: [],
    assumptions: assumptionsOf(gathered, line, id).concat(isMoney && conversion !== null ? conversionLines(conversion, "EffectiveCost") : []),
    sources: [...sourcesOf(context.ledger.db, jobs, places), ...provenanceOf(gathered).sources],
    range: null,
    rowCount: places.length,
    splitBy: [],
  });
}

function inputsOf(jobs: PeriodJobs, places: Int32Array, line: JobLine, id: JobFigureId, currency: string | null): Explanation["inputs"] {
  const input = (label: string, figure: Figure): Explanation["inputs"][number] => ({ label: message(label), figure });
  const way = (kind: "hours" | "cost", of: JobWay): Explanation["inputs"][number] => input(`jobs.way.${of}`, jobFigure(line, `${kind}.${of}`, currency));
  const held = input("jobs.figure.gpuHours", jobFigure(line, "gpuHours", currency));
  const sum = (name: "share" | "counterKnown" | "counterUseful" | "pricedUseful"): number => places.reduce((total, place) => total + (Number.isNaN(jobs.hours[name][place]) ? 0 : (jobs.hours[name][place] as number)), 0);
  const hours = (label: string, value: number, coverage: number): Explanation["inputs"][number] => input(label, figureOf("gpu-hours", value, "gpu-hours", "measured", coverage));
  if (id === "gpuHours") {
    const only = places.length === 1 ? jobs.jobs[places[0] ?? -1] : undefined;
    const counted = input("jobs.count", figureOf("row-count", line.jobs, "count", "derived", line.gpuHoursCoverage));
    if (only?.gpus === undefined || only.gpus === null || line.gpuHours === null) return [counted];
    return [input("column.gpus", figureOf("row-count", only.gpus, "count", "derived", 1)), input("jobs.explain.hours-held", figureOf("gpu-hours", line.gpuHours / only.gpus, "hours", "derived", 1))];
  }
  if (id === "utilization") return [hours("jobs.explain.counter-known", sum("counterKnown"), line.utilizationCoverage), hours("jobs.explain.counter-useful", sum("counterUseful"), line.utilizationCoverage)];
  if (id === "idleCost") return [way("cost", "heldIdle"), way("cost", "deadIdle"), way("cost", "idleMemoryUnknown")];
  if (id === "usefulGpuHourCost") return [input("jobs.figure.cost", jobFigure(line, "cost", currency)), way("cost", "unknown"), hours("metric.useful-gpu-hours.name", sum("pricedUseful"), line.telemetryCoverage)];
  if (id === "cost") return [held, ...jobWays.map((each) => way("cost", each))];
  return [hours("jobs.explain.share", sum("share"), 1), ...jobWays.map((each) => way(id.startsWith("hours") ? "hours" : "cost", each))];
}

/** A figure that adds up, by team. A split into one part says nothing and is left out. */
function byTeam(jobs: PeriodJobs, places: Int32Array, ref: FigureRef, id: JobFigureId, filter: JobFilter, currency: string | null): readonly TableBlock[] {
  if (id === "utilization" || id === "usefulGpuHourCost") return [];
  const groups = [...Map.groupBy(places, (place) => jobs.teams[place] ?? null)];
  if (groups.length < 2) return [];
  const parts = groups.map(([team, group]) => ({ team, group, figure: jobFigure(lineOf(jobs, group, null), id, currency) }));
  const size = ({ figure: { value } }: (typeof parts)[number]): number => (value === null ? -1 : Number(value));
  parts.sort((a, b) => size(b) - size(a) || compareNames(a.team, b.team));
  const rest = parts.slice(TEAMS_SHOWN).flatMap(({ group }) => group);
  return [{
    kind: "table",
    id: "by-team",
    title: message("explain.by.team"),
    note: null,
    chart: null,
    columns: [column("name", "text", 1, message("column.team")), column("figure", "figure", 1, message("jobs.explain.part"))],
    rows: [
      ...parts.slice(0, TEAMS_SHOWN).map(({ team, figure }) => row(`team ${team ?? ""}`, [nameCell(team, "team.none"), shown(figure, jobFigureRef(ref, id, { ...filter, team }))])),
      ...(rest.length === 0 ? [] : [row("all-other", [words("row.all-other-parts", { count: { count: parts.length - TEAMS_SHOWN } }), shown(jobFigure(lineOf(jobs, rest, null), id, currency))], "muted")]),
    ],
    total: row("total", [words("row.total"), shown(jobFigure(lineOf(jobs, places, null), id, currency), ref)]),
  }];
}

function assumptionsOf(gathered: Gathered, line: JobLine, id: JobFigureId): Message[] {
  if (id === "gpuHours") return [message("jobs.assumes.held")];
  const counter = gathered.counter();
  return [
    message("jobs.assumes.hosts"),
    ...(line.isOfHost ? [message("jobs.assumes.of-host")] : []),
    ...(id === "utilization" && counter !== null ? [message("explain.assumes.counter", { counter: counterName(counter) })] : []),
    ...(id.startsWith("cost") || id === "idleCost" ? [message("jobs.assumes.cost")] : []),
    message("explain.assumes.utc-hours"),
  ];
}

function sourcesOf(db: Db, { jobs }: PeriodJobs, places: Int32Array): readonly SourceLine[] {
  const rows = new Map<number, number>();
  for (const place of places) {
    const { file } = jobs[place] as Job;
    rows.set(file, (rows.get(file) ?? 0) + 1);
  }
  return filesOf(db, [...rows.keys()]).map(({ id, ...file }) => ({ ...file, rows: rows.get(id) ?? 0 }));
}

interface JobFile extends Omit<SourceLine, "rows"> {
  readonly id: number;
}

function filesOf(db: Db, ids: readonly number[]): readonly JobFile[] {
  return readAll(db, query<JobFile>("id", "batch", "file", "sha256", "format")`-- jobs.sources
    SELECT f.FileId AS id, b.BatchId AS batch, f.Name AS file, f.Sha256 AS sha256, b.FormatId AS format
    FROM source_file AS f
    JOIN batch AS b ON b.BatchId = f.BatchId
    WHERE ${isOneOf("FileId", ids, "f")}
    ORDER BY b.BatchId, f.FileId`);
}

const rowColumns = ["JobId", "Name", "User", "Account", "Partition", "State", "Start", "End", "Elapsed", "Hosts", "GpuCount", "GpuModel"] as const;

/** The lines of the scheduler's lists behind a figure of jobs, as they were read: by their beginning. */
export async function rowsOfJobs(asked: JobsAsked, filter: JobFilter, offset: number, limit: number): Promise<RowsPage> {
  const jobs = await periodJobs(asked);
  const places = await narrowed(jobs, filter);
  const page = [...places.slice(offset, offset + limit)].map((place) => jobs.jobs[place] as Job);
  const files = new Map(filesOf(asked.gathered.context.ledger.db, [...new Set(page.map(({ file }) => file))]).map((file) => [file.id, file]));
  return {
    total: places.length,
    columns: rowColumns,
    rows: page.map((job): ProvenRow => ({ file: files.get(job.file)?.file ?? "", line: job.line, batch: files.get(job.file)?.batch ?? 0, values: valuesOf(job) })),
    missing: [],
  };
}

function valuesOf({ id, name, user, account, partition, state, start, end, elapsed, hosts, gpus, gpuModel }: Job): readonly (string | null)[] {
  const instant = (second: number | null): string | null => (second === null ? null : new Date(second * 1000).toISOString().replace(".000Z", "Z"));
  return [id, name, user, account, partition, state, instant(start), instant(end), elapsed === null ? null : String(elapsed), hosts.length === 0 ? null : hosts.join(","), gpus === null ? null : String(gpus), gpuModel];
}
