import { useId, useState } from "react";
import type { TelemetryFinding } from "../../../shared/contract/findings.ts";
import type { Message, ReportRequest } from "../../../shared/contract/report.ts";
import { dash } from "../../../shared/contract/words.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { useJobs } from "../../state/jobs.ts";
import { amountIn } from "../../teams/amounts.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { CudaCheck } from "./CudaCheck.tsx";

const firstShown = 10;

/** What telemetry found in the period: each with its machine, what it costs, what it rests on and what can be done. */
export function Findings({ request }: { readonly request: ReportRequest }) {
  const { say, words } = useSpeech();
  const id = useId();
  const asked = useAsk("findings.read", { period: request.period, scope: request.scope, currency: request.currency });
  return (
    <div className="pair findings" aria-busy={asked.state === "asking" || (asked.state === "answered" && asked.isOld)}>
      <section aria-labelledby={id}>
        <SectionHead id={id} title={say("findings.title")} note={say("findings.note")} />
        {asked.state === "refused" && <Refused error={asked.error}><button type="button" className="link" onClick={asked.again}>{say("action.again")}</button></Refused>}
        {asked.state === "answered" && (
          <>
            {asked.value.findings.length === 0 ? <p className="note">{say(asked.value.devices === 0 ? "findings.no-telemetry" : "findings.none")}</p> : <FindingsTable findings={asked.value.findings} currency={asked.value.currency} labelledBy={id} />}
            {asked.value.devices > 0 && <p className="note">{say("findings.measured", { devices: words.count(asked.value.devices), tensor: words.count(asked.value.measured.tensor), sm: words.count(asked.value.measured.sm), memory: words.count(asked.value.measured.memory) })}</p>}
          </>
        )}
      </section>
      <CudaCheck />
    </div>
  );
}

function FindingsTable({ findings, currency, labelledBy }: { readonly findings: readonly TelemetryFinding[]; readonly currency: string | null; readonly labelledBy: string }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const [isAll, setAll] = useState(false);
  const [opened, open] = useState<string | null>(null);
  const shown = isAll ? findings : findings.slice(0, firstShown);
  return (
    <>
      <table className="statement" aria-labelledby={labelledBy}>
        <thead>
          <tr>
            <th scope="col">{say("findings.column.what")}</th><th scope="col">{say("column.machine")}</th><th scope="col">{say("column.team")}</th><th scope="col">{say("column.owner")}</th>
            <th scope="col" className="n">{say("findings.column.cost")}</th><th scope="col" className="n">{say("findings.column.saving")}</th><th scope="col">{say("findings.column.confidence")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, kind, host, resource, team, owner, cost, saving, confidence, what, evidence, todo }) => {
            const isOpen = opened === key;
            return [
              <tr key={key}>
                <th scope="row" className="clip" title={words.text(what)}><button type="button" className="row-toggle" aria-expanded={isOpen} onClick={() => open(isOpen ? null : key)}><b>{say(`findings.kind.${kind}`)}</b> {words.text(what)}</button></th>
                <td className="mono" title={resource ?? host}>{host}</td>
                <td>{team ?? <span className="muted">{say("team.none")}</span>}</td>
                <td>{owner ?? <span className="muted">{say("findings.no-owner")}</span>}</td>
                <td className="n">{amountIn(speech, cost, currency, { bare: true })}</td>
                <td className="n">{amountIn(speech, saving, currency, { bare: true })}</td>
                <td>{say(`findings.confidence.${confidence}`)}</td>
              </tr>,
              isOpen && (
                <tr key={`${key} detail`} className="detail">
                  <td colSpan={7}>
                    <p>{words.text(evidence)}</p>
                    <HeldBy host={host} evidence={evidence} />
                    <ul className="finding-steps">{todo.map((step) => <li key={step.key}>{words.text(step)}</li>)}</ul>
                  </td>
                </tr>
              ),
            ];
          })}
        </tbody>
      </table>
      {findings.length > firstShown && <p className="actions"><button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: findings.length })}</button></p>}
    </>
  );
}

const jobsShown = 5;
const hourMs = 3_600_000;
const mostHours = 1000;

/** The jobs that held the machine in the time that a finding rests on, where a scheduler says so. */
function HeldBy({ host, evidence }: { readonly host: string; readonly evidence: Message }) {
  const { say } = useSpeech();
  const openJob = useJobs((jobs) => jobs.openJob);
  const [from, until] = [instantIn(evidence, "from"), instantIn(evidence, "until")];
  const start = from === null ? null : Math.floor(from / hourMs) * hourMs;
  const asked = useAsk("jobs.of-host", start === null || until === null ? null : { host, from: new Date(start).toISOString().replace(".000Z", "Z"), hours: Math.max(1, Math.min(mostHours, Math.ceil((until - start) / hourMs))) });
  if (asked.state !== "answered" || from === null || until === null) return null;
  const held = asked.value.jobs.filter(({ startSecond, knownUntil }) => startSecond * 1000 < until && (knownUntil ?? startSecond + 1) * 1000 > from);
  if (held.length === 0) return null;
  return (
    <p className="finding-jobs">
      <span>{say("jobs.held-then")}</span>
      {held.slice(0, jobsShown).map(({ job, jobId, user, name }) => <button key={job} type="button" className="link" title={name ?? undefined} aria-label={say("jobs.open", { job: jobId })} onClick={() => openJob(job)}>{jobId} ({user ?? name ?? dash})</button>)}
      {held.length > jobsShown && <span>{say("jobs.more", { count: held.length - jobsShown })}</span>}
    </p>
  );
}

function instantIn({ params }: Message, name: string): number | null {
  const param = params?.[name];
  return param !== undefined && "instant" in param ? Date.parse(param.instant) : null;
}
