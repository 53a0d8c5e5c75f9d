import { useId, useMemo, useState } from "react";
import { jobFigure, jobFigureRef, jobGroupings, type JobFigureId, type JobFilter, type JobGrouping, type JobsAnswer, type JobSort } from "../../../../shared/contract/jobs.ts";
import type { ReportRequest } from "../../../../shared/contract/report.ts";
import { dash } from "../../../../shared/i18n/format.ts";
import { useAsk, useTell } from "../../../ledger/useAsk.ts";
import { FigureButton, LargeFigure } from "../../../parts/FigureButton.tsx";
import { SectionHead } from "../../../parts/SectionHead.tsx";
import { Context } from "../../../parts/Sentence.tsx";
import { Refused } from "../../../parts/states.tsx";
import { TableExport } from "../../../parts/TableExport.tsx";
import { useJobs } from "../../../state/jobs.ts";
import { useView, addressOf, viewOf } from "../../../state/view.ts";
import { useSpeech } from "../../../words/WordsProvider.tsx";
import { Timeline } from "../../standard/Timeline.tsx";
import { JobDialog } from "./JobDialog.tsx";
import { JobGrid, type JobsQuestion } from "./JobGrid.tsx";

/** Which GPUs a scheduler gave to whom, what they did meanwhile, and what those hours cost. */
export function Jobs({ request }: { readonly request: ReportRequest }) {
  const { say, words } = useSpeech();
  const id = useId();
  const { currency } = useView();
  const [by, group] = useState<JobGrouping>("job");
  const [filter, narrow] = useState<JobFilter>({});
  const [sort, setSort] = useState<JobSort | null>(null);
  const [unit, show] = useState<"hours" | "cost">("hours");
  const { job, host, close } = useJobs();
  const question = useMemo<JobsQuestion>(() => ({ period: request.period, scope: request.scope, currency, by, filter, sort }), [request.period, request.scope, currency, by, filter, sort]);
  const asked = useAsk("jobs.read", { ...question, offset: 0, limit: 0 });
  const answer = asked.state === "answered" ? asked.value : null;
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <section className="jobs" aria-labelledby={id} aria-busy={asked.state === "asking" || (asked.state === "answered" && asked.isOld)}>
      <SectionHead id={id} title={say("jobs.title")} note={answer !== null && answer.hasJobs ? say(answer.counter === null ? "jobs.note.no-counter" : "jobs.note", { counter: answer.counter === null ? "" : say(`activity-ladder.${answer.counter}`) }) : null}>
        {answer !== null && answer.count > 0 && <JobsExport question={question} />}
      </SectionHead>
      {asked.state === "refused" && <Refused error={asked.error}><button type="button" className="link" onClick={asked.again}>{say("action.again")}</button></Refused>}
      {answer !== null && !answer.hasJobs && <NoJobs />}
      {answer !== null && answer.hasJobs && (
        <>
          <Context messages={answer.conversion} />
          {(answer.count > 0 || isNarrowed) && <Tiles answer={answer} question={question} />}
          {(answer.count > 0 || isNarrowed) && <Controls by={by} filter={filter} unit={unit} onBy={(chosen) => { group(chosen); setSort(null); }} onFilter={narrow} onUnit={show} />}
          {answer.count === 0 && <p className="note">{say(isNarrowed ? "jobs.none-left" : "jobs.none")}</p>}
          {answer.count > 0 && (
            <JobGrid
              key={JSON.stringify(question)}
              question={question}
              first={answer}
              unit={unit}
              labelledBy={id}
              onSort={(column) => setSort({ column, descending: sort?.column === column || (sort === null && column === "gpuHours") ? !(sort?.descending ?? true) : !["key", "name", "team", "user", "partition", "hosts"].includes(column) })}
              onOnly={(dimension, key) => { narrow({ ...filter, [dimension]: key }); group("job"); }}
            />
          )}
          {answer.total.isOfHost && <p className="note">{say("jobs.of-host")}</p>}
          {answer.total.gpuHoursCoverage < 1 && answer.count > 0 && <p className="note">{say("jobs.unknown-gpus", { share: words.ratio(1 - answer.total.gpuHoursCoverage) })}</p>}
        </>
      )}
      {job !== null && <JobDialog key={job} job={job} request={{ period: request.period, scope: request.scope, currency }} onClose={close} />}
      {host !== null && <Timeline host={host.host} at={host.at} onClose={close} />}
    </section>
  );
}

/** No import holds jobs: what to import, and how to get it. */
function NoJobs() {
  const { say } = useSpeech();
  const view = useView();
  return (
    <div className="jobs-empty">
      <p className="note">{say("jobs.empty")}</p>
      <pre className="formula">sacct -a -P -S 2026-09-01 -E 2026-10-01 -o JobID,JobName,User,Account,Partition,State,Start,End,ElapsedRaw,NodeList,AllocTRES &gt; jobs.txt</pre>
      <p className="note">{say("jobs.empty.kubernetes")}</p>
      <p className="actions"><button type="button" className="link" onClick={() => view.look({ screen: "imports" })}>{say("screen.imports")}</button> <a className="link" href={addressOf({ ...viewOf(view), screen: "help", help: "efficiency/jobs" })}>{say("jobs.empty.help")}</a></p>
    </div>
  );
}

const tiles = ["gpuHours", "cost", "utilization", "idleCost", "usefulGpuHourCost"] as const satisfies readonly JobFigureId[];

function Tiles({ answer, question }: { readonly answer: JobsAnswer; readonly question: JobsQuestion }) {
  const { say, words } = useSpeech();
  const { total, currency } = answer;
  const note = (id: (typeof tiles)[number]): string => {
    if (id === "gpuHours") return say("jobs.tile.jobs", { count: total.jobs });
    if (id === "cost") return say("jobs.tile.billed", { share: words.ratio(total.costCoverage) });
    if (id === "utilization") return say("jobs.tile.logged", { share: words.ratio(total.utilizationCoverage) });
    return say("jobs.tile.logged", { share: words.ratio(total.telemetryCoverage) });
  };
  return (
    <div className="tiles jobs-tiles">
      {tiles.map((id) => {
        const figure = jobFigure(total, id, currency);
        const label = id === "gpuHours" ? say("jobs.figure.gpuHours") : say(`jobs.figure.${id}`);
        const text = figure.value === null ? dash : words.figure(figure);
        return (
          <div key={id} className="tile">
            <div className="tile-label">{label}</div>
            <div className="tile-value"><FigureButton figure={figure} explain={jobFigureRef(question, id, question.filter)} label={say("figure.named", { label, value: text })}><LargeFigure text={text} /></FigureButton></div>
            <div className="tile-note">{figure.value === null && figure.why !== undefined ? words.unknown(figure.why) : note(id)}</div>
          </div>
        );
      })}
    </div>
  );
}

interface ControlsProps {
  readonly by: JobGrouping;
  readonly filter: JobFilter;
  readonly unit: "hours" | "cost";
  readonly onBy: (by: JobGrouping) => void;
  readonly onFilter: (filter: JobFilter) => void;
  readonly onUnit: (unit: "hours" | "cost") => void;
}

const dimensions = ["team", "user", "account", "partition"] as const;

function Controls({ by, filter, unit, onBy, onFilter, onUnit }: ControlsProps) {
  const { say } = useSpeech();
  const { search, ...rest } = filter;
  const without = (name: keyof JobFilter): JobFilter => Object.fromEntries(Object.entries(filter).filter(([each]) => each !== name));
  return (
    <div className="pivot-controls">
      <span className="pivot-line" role="group" aria-label={say("jobs.group-by")}>
        <span className="muted small">{say("jobs.group-by")}</span>
        {jobGroupings.map((each) => <button key={each} type="button" className={each === by ? "link main" : "link"} aria-pressed={each === by} onClick={() => onBy(each)}>{say(`jobs.by.${each}`)}</button>)}
      </span>
      <span className="pivot-line" role="group" aria-label={say("jobs.ways")}>
        <span className="muted small">{say("jobs.ways")}</span>
        {(["hours", "cost"] as const).map((each) => <button key={each} type="button" className={each === unit ? "link main" : "link"} aria-pressed={each === unit} onClick={() => onUnit(each)}>{say(`jobs.unit.${each}`)}</button>)}
      </span>
      <span className="pivot-line">
        <input className="text-input jobs-search" type="search" aria-label={say("jobs.search")} placeholder={say("jobs.search")} value={search ?? ""} onChange={({ target }) => onFilter(target.value === "" ? without("search") : { ...rest, search: target.value })} />
        {dimensions.flatMap((dimension) => {
          const value = filter[dimension];
          if (value === undefined) return [];
          const text = value ?? say(dimension === "team" ? "team.none" : "jobs.none-stated");
          return [<span key={dimension} className="pivot-chip">{say(`jobs.by.${dimension}`)} {text}<button type="button" className="figure" aria-label={say("jobs.not-only", { name: text })} onClick={() => onFilter(without(dimension))}>×</button></span>];
        })}
      </span>
    </div>
  );
}

function JobsExport({ question }: { readonly question: JobsQuestion }) {
  const { say } = useSpeech();
  const write = useTell("jobs.export");
  return <TableExport fileName={`jobs-${question.period}`} label={say("jobs.export")} isBusy={write.isBusy} write={(to) => write.tell({ ...question, ...to })} />;
}

