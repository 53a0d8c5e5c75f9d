import { useMemo, useState } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { HostTimeline } from "../../../shared/contract/findings.ts";
import type { HostJob } from "../../../shared/contract/jobs.ts";
import { dash } from "../../../shared/contract/words.ts";
import { Chart } from "../../charts/Chart.tsx";
import { heatOption, heatRowHeight } from "../../charts/heat.ts";
import { chartTokens } from "../../charts/tokens.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { useTheme } from "../../parts/media.ts";
import { Refused } from "../../parts/states.tsx";
import { useJobs } from "../../state/jobs.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

const hourMs = 3_600_000;
const hours = 6;

/** A machine's devices minute by minute, six hours at a time: the fleet map looked at closely. `at` is an instant within them. */
export function Timeline({ host, at, onClose }: { readonly host: string; readonly at: number; readonly onClose: () => void }) {
  const { say, words } = useSpeech();
  const [start, setStart] = useState(() => Math.floor(at / hourMs) * hourMs - 4 * hourMs);
  const asked = useAsk("timeline.read", { host, from: new Date(start).toISOString().replace(".000Z", "Z"), hours });
  const value = asked.state === "answered" ? asked.value : null;
  const [first, last] = [value?.firstAt ?? null, value?.lastAt ?? null];
  const isFirst = first === null || start <= Date.parse(first);
  const isLast = last === null || start + hours * hourMs >= Date.parse(last);
  return (
    <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="form-dialog timeline-dialog">
        <Dialog>
          <div className="timeline-body" aria-busy={asked.state === "asking" || (asked.state === "answered" && asked.isOld)}>
            <header>
              <Heading slot="title" level={2}>{say("timeline.title", { host })}</Heading>
              <span className="small muted">{say("timeline.note", { from: words.instant(new Date(start).toISOString(), "minute"), until: words.instant(new Date(start + hours * hourMs).toISOString(), "minute") })}</span>
              <span className="pager">
                <button type="button" aria-label={say("timeline.earlier")} disabled={isFirst} onClick={() => setStart(start - hours * hourMs)}>‹</button>
                <button type="button" aria-label={say("timeline.later")} disabled={isLast} onClick={() => setStart(start + hours * hourMs)}>›</button>
              </span>
              <button type="button" className="link" onClick={onClose}>{say("action.close")}</button>
            </header>
            {asked.state === "refused" && <Refused error={asked.error} />}
            {value !== null && (value.devices.length === 0 ? <p className="note">{say("timeline.none")}</p> : <Minutes timeline={value} onLeave={onClose} />)}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Minutes({ timeline, onLeave }: { readonly timeline: HostTimeline; readonly onLeave: () => void }) {
  const { say, words } = useSpeech();
  const tokens = chartTokens[useTheme()];
  const { devices, minutes } = timeline;
  const option = useMemo(
    () => heatOption(devices.map(({ states }, index) => ({ y: index * heatRowHeight, states })), { from: 0, to: minutes, startHour: 0, tokens, every: 60 }),
    [devices, minutes, tokens],
  );
  const start = Date.parse(timeline.start);
  const count = (states: readonly number[], test: (state: number) => boolean): number => states.filter(test).length;
  return (
    <div role="table" className="timeline" aria-label={say("timeline.title", { host: timeline.host })}>
      <div role="row" className="timeline-row head">
        <span role="columnheader">{say("timeline.device")}</span>
        <span role="columnheader" className="timeline-hours">
          {Array.from({ length: minutes / 60 }, (_, hour) => <span key={hour} style={{ left: `${((hour * 60 * 100) / minutes).toFixed(3)}%` }}>{new Date(start + hour * hourMs).toISOString().slice(11, 16)}</span>)}
        </span>
        <span role="columnheader" className="n">{say("timeline.mean")}</span>
        <span role="columnheader" className="n">{say("timeline.memory")}</span>
        <span role="columnheader" className="n">{say("timeline.power")}</span>
      </div>
      <JobsBand timeline={timeline} onLeave={onLeave} />
      <div className="timeline-rows" role="rowgroup" style={{ height: devices.length * heatRowHeight }}>
        <div className="timeline-plot" role="presentation"><Chart option={option} height={devices.length * heatRowHeight} summary={null} renderer={devices.length > 16 ? "canvas" : "svg"} /></div>
        {devices.map(({ id, label, gpuModel, states, utilization, memoryPeak, powerMeanWatts }) => (
          <div key={id} role="row" className="timeline-row">
            <span role="rowheader" title={gpuModel ?? undefined}>{label}</span>
            <span role="cell"><span className="for-readers">{say("timeline.states", { active: count(states, (state) => state >= 0), held: count(states, (state) => state === -3), dead: count(states, (state) => state === -4), unknown: count(states, (state) => state === -2 || state === -5) })}</span></span>
            <span role="cell" className="n">{utilization === null ? dash : words.ratio(utilization)}</span>
            <span role="cell" className="n">{memoryPeak === null ? dash : words.ratio(memoryPeak)}</span>
            <span role="cell" className="n">{powerMeanWatts === null ? dash : say("timeline.watts", { watts: words.number(powerMeanWatts, { digits: 0 }) })}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

const laneHeight = 16;
const mostLanes = 6;

/** The jobs that held GPUs of the host then, as bars over the minutes: which of its GPUs, the scheduler does not say. */
function JobsBand({ timeline, onLeave }: { readonly timeline: HostTimeline; readonly onLeave: () => void }) {
  const { say, words } = useSpeech();
  const openJob = useJobs((jobs) => jobs.openJob);
  const asked = useAsk("jobs.of-host", { host: timeline.host, from: timeline.start, hours: timeline.minutes / 60 });
  if (asked.state !== "answered" || asked.value.count === 0) return null;
  const from = Date.parse(timeline.start) / 1000;
  const until = from + timeline.minutes * 60;
  const lanes = lanesOf(asked.value.jobs, until);
  const shown = lanes.slice(0, mostLanes);
  const hidden = asked.value.count - shown.reduce((sum, lane) => sum + lane.length, 0);
  const place = (second: number): number => (100 * (Math.max(from, Math.min(until, second)) - from)) / (until - from);
  const instant = (second: number): string => words.instant(new Date(second * 1000).toISOString(), "minute");
  return (
    <div role="row" className="timeline-row jobs-band">
      <span role="rowheader">{say("jobs.title")}</span>
      <span role="cell" className="timeline-jobs" style={{ height: shown.length * laneHeight }}>
        {shown.flatMap((lane, row) => lane.map((job) => {
          const end = job.knownUntil ?? until;
          return (
            <button
              key={job.job}
              type="button"
              className="job-bar"
              style={{ top: row * laneHeight, left: `${place(job.startSecond).toFixed(3)}%`, width: `${Math.max(0.6, place(end) - place(job.startSecond)).toFixed(3)}%` }}
              title={[job.jobId, job.name, job.user, job.team].filter((part) => part !== null).join(" · ")}
              aria-label={say("jobs.bar", { job: job.jobId, user: job.user ?? dash, gpus: job.gpus === null ? dash : words.number(job.gpus, { digits: Number.isInteger(job.gpus) ? 0 : 2 }), from: instant(job.startSecond), until: job.knownUntil === null ? dash : instant(end) })}
              onClick={() => { onLeave(); openJob(job.job); }}
            >
              {job.jobId}
            </button>
          );
        }))}
      </span>
      <span role="cell" className="n" style={{ gridColumn: "3 / -1" }}>{hidden > 0 ? say("jobs.more", { count: hidden }) : ""}</span>
    </div>
  );
}

/** Jobs in rows, in each of which none overlaps another. */
function lanesOf(jobs: readonly HostJob[], until: number): readonly (readonly HostJob[])[] {
  const lanes: { readonly jobs: HostJob[]; end: number }[] = [];
  for (const job of jobs) {
    const end = job.knownUntil ?? until;
    const free = lanes.find((lane) => lane.end <= job.startSecond);
    if (free === undefined) lanes.push({ jobs: [job], end });
    else {
      free.jobs.push(job);
      free.end = end;
    }
  }
  return lanes.map((lane) => lane.jobs);
}
