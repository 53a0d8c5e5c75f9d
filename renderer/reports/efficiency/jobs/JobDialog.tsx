import { useMemo, useState } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { jobFigure, jobFigureRef, mostTimelineDevices, type JobFigureId, type JobTimeline } from "../../../../shared/contract/jobs.ts";
import type { FigureRef } from "../../../../shared/contract/report.ts";
import { dash } from "../../../../shared/i18n/format.ts";
import { Chart } from "../../../charts/Chart.tsx";
import { heatOption, heatRowHeight } from "../../../charts/heat.ts";
import { chartTokens } from "../../../charts/tokens.ts";
import { useAsk } from "../../../ledger/useAsk.ts";
import { FigureButton } from "../../../parts/FigureButton.tsx";
import { useTheme } from "../../../parts/media.ts";
import { Refused } from "../../../parts/states.tsx";
import { useJobs } from "../../../state/jobs.ts";
import { useSpeech } from "../../../words/WordsProvider.tsx";
import { spanText } from "./JobGrid.tsx";

interface JobDialogProps {
  readonly job: string;
  readonly request: Pick<FigureRef, "period" | "scope" | "currency">;
  readonly onClose: () => void;
}

/** One job: what it held and cost, and its GPUs over its time. */
export function JobDialog({ job, request, onClose }: JobDialogProps) {
  const { say } = useSpeech();
  const [offset, page] = useState(0);
  const asked = useAsk("jobs.timeline", { ...request, job, offset });
  const value = asked.state === "answered" ? asked.value : null;
  return (
    <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="form-dialog timeline-dialog">
        <Dialog>
          <div className="timeline-body job-body" aria-busy={asked.state === "asking" || (asked.state === "answered" && asked.isOld)}>
            <header>
              <Heading slot="title" level={2}>{value === null ? say("jobs.by.job") : say("jobs.dialog.title", { job: value.line.key ?? dash })}</Heading>
              {value !== null && <span className="small muted">{value.line.name}</span>}
              {value !== null && value.deviceCount > mostTimelineDevices && (
                <span className="pager">
                  <button type="button" aria-label={say("jobs.devices.before")} disabled={offset === 0} onClick={() => page(offset - mostTimelineDevices)}>‹</button>
                  <button type="button" aria-label={say("jobs.devices.after")} disabled={offset + mostTimelineDevices >= value.deviceCount} onClick={() => page(offset + mostTimelineDevices)}>›</button>
                </span>
              )}
              <button type="button" className="link at-end" onClick={onClose}>{say("action.close")}</button>
            </header>
            {asked.state === "asking" && <p className="note" role="status">{say("state.asking")}</p>}
            {asked.state === "refused" && <Refused error={asked.error} />}
            {asked.state === "answered" && asked.value === null && <p className="note">{say("jobs.gone")}</p>}
            {value !== null && <><Facts timeline={value} request={request} /><Devices timeline={value} /></>}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const figures = ["gpuHours", "utilization", "cost", "idleCost", "usefulGpuHourCost"] as const satisfies readonly JobFigureId[];

function Facts({ timeline, request }: { readonly timeline: JobTimeline; readonly request: JobDialogProps["request"] }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const { line, account, otherRuns } = timeline;
  const openJob = useJobs((jobs) => jobs.openJob);
  const facts = [
    [say("jobs.by.team"), line.team ?? say("team.none")], [say("jobs.by.user"), line.user], [say("jobs.by.account"), account], [say("jobs.by.partition"), line.partition],
    [say("column.gpus"), line.gpus === null ? null : `${words.number(line.gpus, { digits: Number.isInteger(line.gpus) ? 0 : 2 })}${timeline.gpuModel === null ? "" : ` × ${timeline.gpuModel}`}`],
    [say("jobs.span"), spanText(line, speech)], [say("jobs.state"), line.state],
  ] as const;
  const currency = useCurrency(timeline, request);
  return (
    <>
      <dl className="job-facts">
        {facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value ?? <span className="unknown">{dash}</span>}</dd></div>)}
      </dl>
      <dl className="job-facts numbers">
        {figures.map((id) => {
          const figure = jobFigure(line, id, currency);
          const text = figure.value === null ? dash : words.figure(figure);
          return <div key={id}><dt>{say(`jobs.figure.${id}`)}</dt><dd><FigureButton figure={figure} explain={line.job === null ? undefined : jobFigureRef(request, id, { job: line.job })}>{text}{line.isOfHost && id === "utilization" && figure.value !== null ? "*" : ""}</FigureButton></dd></div>;
        })}
      </dl>
      {otherRuns.length > 0 && (
        <p className="note">{say("jobs.requeued", { count: otherRuns.length })} {otherRuns.map((run) => <button key={run.job} type="button" className="link" onClick={() => openJob(run.job)}>{spanText({ ...run, knownUntil: run.endSecond }, speech)}</button>)}</p>
      )}
    </>
  );
}

/** The currency that amounts of the line are in: that of the page's jobs. */
function useCurrency(timeline: JobTimeline, request: JobDialogProps["request"]): string | null {
  const asked = useAsk("jobs.read", { ...request, by: "job", filter: timeline.line.job === null ? {} : { job: timeline.line.job }, sort: null, offset: 0, limit: 0 });
  return asked.state === "answered" ? asked.value.currency : null;
}

const measures = ["states", "memory", "power"] as const;

function Devices({ timeline }: { readonly timeline: JobTimeline }) {
  const { say, words } = useSpeech();
  const tokens = chartTokens[useTheme()];
  const [measure, show] = useState<(typeof measures)[number]>("states");
  const openHost = useJobs((jobs) => jobs.openHost);
  const { devices, steps, stepSeconds, line } = timeline;
  const start = Date.parse(timeline.start);
  const option = useMemo(
    () => heatOption(devices.map((device, index) => ({ y: index * heatRowHeight, states: device[measure] })), { from: 0, to: steps, startHour: stepSeconds === 3600 ? new Date(start).getUTCHours() : 0, tokens, every: stepSeconds === 60 ? 60 : stepSeconds === 3600 ? 24 : steps + 1 }),
    [devices, measure, steps, stepSeconds, start, tokens],
  );
  if (devices.length === 0) return <p className="note">{say(timeline.allHosts.length === 0 ? "jobs.devices.no-hosts" : "jobs.devices.none", { hosts: timeline.allHosts.slice(0, 8).join(", ") })}</p>;
  const stepMs = stepSeconds * 1000;
  const span = steps * stepMs;
  const placeOf = (second: number): string => `${((100 * (second * 1000 - start)) / span).toFixed(3)}%`;
  const minutes = (states: readonly number[], test: (state: number) => boolean): number => (states.filter(test).length * stepSeconds) / 60;
  const marks = [
    ...(line.startSecond === null ? [] : [{ key: "start", at: line.startSecond, label: say("jobs.event.start") }]),
    ...(line.endSecond !== null ? [{ key: "end", at: line.endSecond, label: say("jobs.event.end") }] : line.knownUntil === null ? [] : [{ key: "known", at: line.knownUntil, label: say("jobs.event.known") }]),
  ];
  const ticks = tickSteps(steps, stepSeconds);
  return (
    <>
      <div className="job-measures" role="group" aria-label={say("jobs.measure")}>
        {measures.map((each) => <button key={each} type="button" className={each === measure ? "link main" : "link"} aria-pressed={each === measure} onClick={() => show(each)}>{say(`jobs.measure.${each}`)}</button>)}
        {line.isOfHost && <span className="small muted">{say("jobs.devices.of-host")}</span>}
        {timeline.deviceCount > devices.length && <span className="small muted">{say("jobs.devices.part", { count: devices.length, all: timeline.deviceCount })}</span>}
      </div>
      <div role="table" className="timeline job-timeline" aria-label={say("jobs.timeline.label", { job: line.key ?? dash, count: devices.length, marks: marks.map(({ label, at }) => `${label} ${words.instant(new Date(at * 1000).toISOString(), "minute")}`).join(", ") })}>
        <div role="row" className="timeline-row head">
          <span role="columnheader">{say("timeline.device")}</span>
          <span role="columnheader" className="timeline-hours">
            {ticks.map((step) => <span key={step} style={{ left: `${((step * 100) / steps).toFixed(3)}%` }}>{tickText(start + step * stepMs, stepSeconds)}</span>)}
          </span>
          <span role="columnheader" className="n">{say("timeline.mean")}</span>
          <span role="columnheader" className="n">{say("timeline.memory")}</span>
          <span role="columnheader" className="n">{say("timeline.power")}</span>
        </div>
        <div className="job-scroll" role="rowgroup" tabIndex={0}>
          <div className="timeline-rows" role="presentation" style={{ height: devices.length * heatRowHeight }}>
            <div className="timeline-plot" role="presentation">
              <Chart option={option} height={devices.length * heatRowHeight} summary={null} renderer={devices.length > 16 ? "canvas" : "svg"} />
              {marks.map(({ key, at, label }) => <i key={key} className={`job-mark ${key}`} style={{ left: placeOf(at) }} title={label} aria-hidden="true" />)}
            </div>
            {devices.map((device) => (
              <div key={device.id} role="row" className="timeline-row">
                <span role="rowheader" title={`${device.host} · ${device.label}${device.gpuModel === null ? "" : ` · ${device.gpuModel}`}`}><button type="button" className="row-toggle" aria-label={say("jobs.open-host", { host: device.host })} onClick={() => openHost(device.host, (line.startSecond ?? 0) * 1000 + 4 * 3_600_000)}>{device.host} {device.label.replace(/^GPU /, "· ")}</button></span>
                <span role="cell"><span className="for-readers">{say("timeline.states", { active: minutes(device.states, (state) => state >= 0), held: minutes(device.states, (state) => state === -3), dead: minutes(device.states, (state) => state === -4), unknown: minutes(device.states, (state) => state === -2 || state === -5) })}</span></span>
                <span role="cell" className="n">{device.utilization === null ? dash : words.ratio(device.utilization)}</span>
                <span role="cell" className="n">{device.memoryPeak === null ? dash : words.ratio(device.memoryPeak)}</span>
                <span role="cell" className="n">{device.powerMeanWatts === null ? dash : say("timeline.watts", { watts: words.number(device.powerMeanWatts, { digits: 0 }) })}</span>
              </div>
            ))}
          </div>
        </div>
      </div>
      <p className="small muted">{marks.map(({ key, label, at }) => <span key={key} className={`job-mark-key ${key}`}>{label} {words.instant(new Date(at * 1000).toISOString(), "minute")}</span>)} UTC</p>
    </>
  );
}

/** At most eight labels along the time, on whole hours or days. */
function tickSteps(steps: number, stepSeconds: number): readonly number[] {
  const aDay = Math.max(1, Math.round((stepSeconds === 60 ? 3600 : 86_400) / stepSeconds));
  const every = aDay * Math.max(1, Math.ceil(steps / aDay / 8));
  return Array.from({ length: Math.ceil(steps / every) }, (_, index) => index * every);
}

function tickText(ms: number, stepSeconds: number): string {
  const text = new Date(ms).toISOString();
  return stepSeconds === 60 ? text.slice(11, 16) : text.slice(5, 10);
}
