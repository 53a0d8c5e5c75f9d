import { useRef } from "react";
import { useQueries } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { jobFigure, jobFigureRef, jobWays, type JobColumn, type JobFigureId, type JobFilter, type JobGrouping, type JobLine, type JobsAnswer, type JobSort, type JobWay } from "../../../../shared/contract/jobs.ts";
import { parseAmount } from "../../../../shared/domain/money.ts";
import { dash } from "../../../../shared/i18n/format.ts";
import type { Scope } from "../../../../shared/domain/scope.ts";
import { useLedger } from "../../../ledger/LedgerProvider.tsx";
import { asked } from "../../../ledger/useAsk.ts";
import { FigureButton } from "../../../parts/FigureButton.tsx";
import { useRovingCells } from "../../../parts/useRovingCells.ts";
import { useJobs } from "../../../state/jobs.ts";
import type { Speech } from "../../../words/WordsProvider.tsx";
import { useSpeech } from "../../../words/WordsProvider.tsx";

const pageSize = 100;
const rowHeight = 26;

export interface JobsQuestion {
  readonly period: string;
  readonly scope: Scope;
  readonly currency: string | null;
  readonly by: JobGrouping;
  readonly filter: JobFilter;
  readonly sort: JobSort | null;
}

interface JobGridProps {
  readonly question: JobsQuestion;
  readonly first: JobsAnswer;
  /** What the columns of the ways show. */
  readonly unit: "hours" | "cost";
  readonly labelledBy: string;
  readonly onSort: (column: JobColumn) => void;
  readonly onOnly: (by: Exclude<JobGrouping, "job">, key: string | null) => void;
}

/** Jobs, or what they add up to, as they come in sight; the total and what nobody held always at the foot. */
export function JobGrid({ question, first, unit, labelledBy, onSort, onOnly }: JobGridProps) {
  const { say } = useSpeech();
  const { client, revision } = useLedger();
  const scroll = useRef<HTMLDivElement>(null);
  const { by, sort } = question;
  const { count, currency, total, machines } = first;
  const virtual = useVirtualizer({ count, getScrollElement: () => scroll.current, estimateSize: () => rowHeight, overscan: 8 });
  const items = virtual.getVirtualItems();
  const cells = useRovingCells(scroll);
  const pages = [...new Set(items.map(({ index }) => Math.floor(index / pageSize)))];
  const answers = useQueries({
    queries: pages.map((page) => ({ queryKey: ["jobs.read", question, page, revision], queryFn: () => asked(client, "jobs.read", { ...question, offset: page * pageSize, limit: pageSize }) })),
  });
  const lineAt = (index: number): JobLine | undefined => {
    const answer = answers[pages.indexOf(Math.floor(index / pageSize))]?.data;
    return answer?.ok === true ? answer.value.lines[index % pageSize] : undefined;
  };
  const texts = by === "job" ? jobTexts : groupTexts;
  const figures: readonly JobFigureId[] = ["gpuHours", "utilization", "cost", "idleCost", "usefulGpuHourCost", ...jobWays.map((way) => `${unit}.${way}` as const)];
  const grid = { gridTemplateColumns: [...texts.map(({ width }) => width), ...figures.map(() => "minmax(92px, 1fr)")].join(" ") };
  const width = { minWidth: texts.reduce((sum, { least }) => sum + least + 12, 0) + figures.length * 104 };
  const current = sort ?? { column: "gpuHours", descending: true };
  const head = (column: JobColumn, label: string, isNumber: boolean) => (
    <span key={column} role="columnheader" className={isNumber ? "n" : undefined} aria-sort={current.column !== column ? "none" : current.descending ? "descending" : "ascending"}>
      <button type="button" className="figure" title={say("pivot.sort", { name: label })} onClick={() => onSort(column)}>{label}{current.column !== column ? "" : current.descending ? " ↓" : " ↑"}</button>
    </span>
  );
  const shown = { question, currency, unit, figures };
  return (
    <div className="pivot-grid job-grid" role="table" aria-labelledby={labelledBy} aria-rowcount={count + (machines === null ? 2 : 4)}>
      <div className="pivot-scroll" ref={scroll} tabIndex={0} role="rowgroup" {...cells} style={{ height: Math.min(12, Math.max(3, count)) * rowHeight + (machines === null ? 76 : 132) }}>
        <div style={width} role="presentation">
          <div className="pivot-head" role="row" aria-rowindex={1} style={grid}>
            {texts.map(({ column }) => head(column, say(column === "key" ? `jobs.by.${by}` : textHeads[column]), column === "gpus" || column === "jobs"))}
            {figures.map((id) => head(id, figureHead(say, id), true))}
          </div>
          <div role="presentation" style={{ height: virtual.getTotalSize(), position: "relative" }}>
            {items.map((item) => {
              const line = lineAt(item.index);
              return (
                <div key={item.key} className="pivot-row" role="row" aria-rowindex={item.index + 2} style={{ ...grid, transform: `translateY(${item.start}px)` }}>
                  {line === undefined ? texts.map(({ column }) => <span key={column} role="cell">…</span>) : texts.map(({ column }) => <TextCell key={column} line={line} column={column} by={by} year={question.period.slice(0, 4)} onOnly={onOnly} />)}
                  {line !== undefined && <FigureCells {...shown} line={line} filter={filterOf(line, by, question.filter)} />}
                </div>
              );
            })}
          </div>
          <div className="pivot-total" role="presentation">
            <div className="job-foot" role="row" aria-rowindex={count + 2} style={grid}>
              <span role="rowheader">{say("jobs.total.jobs", { count: total.jobs })}</span>
              {texts.slice(1).map(({ column }) => <span key={column} role="cell" />)}
              <FigureCells {...shown} line={total} filter={question.filter} />
            </div>
            {machines !== null && <MachineRows {...shown} answer={first} grid={grid} texts={texts.length - 1} />}
          </div>
        </div>
      </div>
    </div>
  );
}

interface TextColumn {
  readonly column: Extract<JobColumn, "key" | "name" | "team" | "user" | "partition" | "hosts" | "gpus" | "start" | "jobs">;
  readonly width: string;
  readonly least: number;
}
const jobTexts: readonly TextColumn[] = [
  { column: "key", width: "minmax(72px, 1fr)", least: 72 }, { column: "name", width: "minmax(96px, 1.4fr)", least: 96 }, { column: "team", width: "minmax(120px, 1.1fr)", least: 120 }, { column: "user", width: "minmax(56px, 0.8fr)", least: 56 },
  { column: "partition", width: "minmax(60px, 0.8fr)", least: 60 }, { column: "hosts", width: "minmax(84px, 1fr)", least: 84 }, { column: "gpus", width: "minmax(44px, 0.4fr)", least: 44 }, { column: "start", width: "minmax(196px, 1.5fr)", least: 196 },
];
const groupTexts: readonly TextColumn[] = [{ column: "key", width: "minmax(180px, 2fr)", least: 180 }, { column: "jobs", width: "minmax(60px, 0.5fr)", least: 60 }];
const textHeads = { name: "jobs.name", team: "jobs.by.team", user: "jobs.by.user", partition: "jobs.by.partition", hosts: "jobs.hosts", gpus: "column.gpus", start: "jobs.span", jobs: "jobs.count" } as const;

export function figureHead(say: Speech["say"], id: JobFigureId): string {
  if (!id.includes(".")) return say(`jobs.head.${id as "gpuHours" | "utilization" | "cost" | "idleCost" | "usefulGpuHourCost"}`);
  return say(`jobs.way.${id.slice(id.indexOf(".") + 1) as JobWay}`);
}

function filterOf(line: JobLine, by: JobGrouping, filter: JobFilter): JobFilter {
  if (by !== "job") return { ...filter, [by]: line.key };
  return line.job === null ? filter : { job: line.job };
}

/** `year`: that of the period, which goes without saying. */
function TextCell({ line, column, by, year, onOnly }: { readonly line: JobLine; readonly column: TextColumn["column"]; readonly by: JobGrouping; readonly year: string; readonly onOnly: JobGridProps["onOnly"] }) {
  const { say, words } = useSpeech();
  const openJob = useJobs((jobs) => jobs.openJob);
  const none = <span className="unknown">{dash}</span>;
  if (column === "key" && by === "job") {
    const { job } = line;
    return <span role="rowheader" className="mono">{job === null ? line.key : <button type="button" className="row-toggle" aria-haspopup="dialog" aria-label={say("jobs.open", { job: line.key ?? dash })} onClick={() => openJob(job)}>{line.key}</button>}</span>;
  }
  if (column === "key" || column === "team" || column === "user" || column === "partition") {
    const dimension = column === "key" ? (by as Exclude<JobGrouping, "job">) : column;
    const value = column === "key" ? line.key : line[column];
    const text = value ?? say(dimension === "team" ? "team.none" : "jobs.none-stated");
    return <span role={column === "key" ? "rowheader" : "cell"} title={text}><button type="button" className={value === null ? "figure unknown" : "figure"} aria-label={say("jobs.only", { name: text })} onClick={() => onOnly(dimension, value)}>{text}</button></span>;
  }
  if (column === "hosts") {
    const text = line.hostCount > 1 ? say("jobs.hosts-more", { host: line.hosts[0] ?? "", count: line.hostCount - 1 }) : (line.hosts[0] ?? null);
    return <span role="cell" className="mono" title={`${line.hosts.join(", ")}${line.hostCount > line.hosts.length ? " …" : ""}`}>{text ?? none}</span>;
  }
  if (column === "gpus") return <span role="cell" className="n">{line.gpus === null ? none : words.number(line.gpus, { digits: Number.isInteger(line.gpus) ? 0 : 2 })}</span>;
  if (column === "jobs") return <span role="cell" className="n">{words.count(line.jobs)}</span>;
  if (column === "start") {
    const span = spanText(line, { say, words });
    return <span role="cell" title={line.state === null ? span : `${span} · ${line.state}`}>{span.replaceAll(new RegExp(` ${year}\\b|${year}年`, "g"), "")}</span>;
  }
  return <span role="cell" title={line.name ?? undefined}>{line.name ?? none}</span>;
}

/** From when to when; a job that still ran says so. */
export function spanText({ startSecond, endSecond, knownUntil }: Pick<JobLine, "startSecond" | "endSecond" | "knownUntil">, { say, words }: Pick<Speech, "say" | "words">): string {
  if (startSecond === null) return dash;
  const instant = (second: number): string => words.instant(new Date(second * 1000).toISOString(), "minute");
  if (endSecond !== null) return say("jobs.span.ended", { from: instant(startSecond), until: instant(endSecond) });
  return knownUntil === null ? say("jobs.span.open", { from: instant(startSecond) }) : say("jobs.span.running", { from: instant(startSecond), until: instant(knownUntil) });
}

interface FigureCellsProps {
  readonly question: JobsQuestion;
  readonly currency: string | null;
  readonly figures: readonly JobFigureId[];
  readonly line: JobLine;
  readonly filter: JobFilter;
}

function FigureCells({ question, currency, figures, line, filter }: FigureCellsProps) {
  const { say, words } = useSpeech();
  return figures.map((id) => {
    const figure = jobFigure(line, id, currency);
    const text = words.figure(figure, { bare: true });
    const isMachine = line.isOfHost && id === "utilization" && figure.value !== null;
    return (
      <span key={id} role="cell" className={figure.value === null ? "n unknown" : "n"} title={figure.value === null ? undefined : say("pivot.covered", { share: words.ratio(figure.coverage) })}>
        <FigureButton figure={figure} explain={jobFigureRef(question, id, filter)} label={say("figure.named", { label: figureHead(say, id), value: text })}>{text}{isMachine ? "*" : ""}</FigureButton>
      </span>
    );
  });
}

/** What of the machines nobody held, and all of them: the sum that ties to the bill. */
function MachineRows({ answer, currency, figures, grid, texts }: Pick<FigureCellsProps, "currency" | "figures"> & { readonly answer: JobsAnswer; readonly grid: { readonly gridTemplateColumns: string }; readonly texts: number }) {
  const { say, words } = useSpeech();
  const { machines, count } = answer;
  if (machines === null || currency === null) return null;
  const amount = (text: string): string => words.money(parseAmount(text)?.value ?? 0n, currency, { bare: true });
  const hours = (value: number): string => words.number(value, { digits: 1 });
  const unassigned = (id: JobFigureId): string => (id === "gpuHours" ? hours(machines.unassignedGpuHours) : id === "cost" ? amount(machines.unassignedCost) : id.startsWith("cost.") ? amount(machines.unassignedCosts[id.slice(5) as JobWay]) : "");
  const whole = (id: JobFigureId): string => (id === "gpuHours" ? hours(machines.gpuHours) : id === "cost" ? amount(machines.cost) : "");
  const rows = [{ key: "unassigned", label: say("jobs.unassigned"), of: unassigned }, { key: "machines", label: say("jobs.machines", { count: machines.machines }), of: whole }];
  return rows.map(({ key, label, of }, index) => (
    <div key={key} className="job-foot second" role="row" aria-rowindex={count + 3 + index} style={grid}>
      <span role="rowheader" title={say("jobs.unassigned.note")}>{label}</span>
      {Array.from({ length: texts }, (_, place) => <span key={place} role="cell" />)}
      {figures.map((id) => <span key={id} role="cell" className="n">{of(id)}</span>)}
    </div>
  ));
}
