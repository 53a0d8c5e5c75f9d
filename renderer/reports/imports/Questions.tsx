import { useId, useState } from "react";
import type { PreviewFile } from "../../../shared/contract/methods.ts";
import { useDesk } from "../../state/desk.ts";
import { sayCode } from "../../words/code.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

/** What the files do not say and the person is asked once: the zone, the columns, which of two formats, the host. */
export function Questions({ files }: { readonly files: readonly PreviewFile[] }) {
  const open = files.filter(({ error }) => error !== null);
  const zone = open.find(({ error }) => error?.code === "import.zone-needed" || error?.code === "import.zone-unknown");
  const columns = open.find(({ error }) => error?.code === "import.columns-needed");
  const tie = open.find(({ error }) => error?.code === "import.tie");
  const metric = open.find(({ error }) => error?.code === "import.metric-needed");
  const timeless = files.find(({ state, repairs }) => state === "ready" && (repairs["assumed-time"] ?? 0) > 0);
  const wrongTime = open.find(({ error }) => error?.code === "use.invalid");
  const unnamed = files.find(({ kind, telemetry, state }) => kind === "telemetry" && state === "ready" && telemetry !== null && telemetry.hosts.length === 0);
  return (
    <>
      {zone !== undefined && <ZoneQuestion file={zone} />}
      {columns !== undefined && <ColumnsQuestion file={columns} />}
      {tie?.error?.code === "import.tie" && <TieQuestion file={tie} formats={tie.error.params.formats.split(/\s*,\s*/)} />}
      {metric !== undefined && <MetricQuestion file={metric} />}
      {unnamed !== undefined && <HostQuestion file={unnamed} />}
      {(timeless ?? wrongTime) !== undefined && <TimesQuestion file={(timeless ?? wrongTime) as PreviewFile} />}
    </>
  );
}

function ZoneQuestion({ file }: { readonly file: PreviewFile }) {
  const { say, error } = useSpeech();
  const id = useId();
  const answer = useDesk((desk) => desk.answer);
  const [zone, setZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  return (
    <section className="question" aria-labelledby={id}>
      <h2 id={id}>{say("question.zone", { file: file.path })}</h2>
      <p className="small muted">{file.error === null ? "" : error(file.error).what}</p>
      <form onSubmit={(event) => { event.preventDefault(); if (zone !== "") answer({ timezone: zone }); }}>
        <input className="text-input" list={`${id}-zones`} aria-label={say("question.zone.label")} value={zone} onChange={(event) => setZone(event.target.value)} />
        <datalist id={`${id}-zones`}>{Intl.supportedValuesOf("timeZone").map((name) => <option key={name} value={name} />)}</datalist>
        <button type="submit" className="link main">{say("question.answer")}</button>
        <button type="button" className="link" onClick={() => answer({ timezone: "UTC" })}>{say("question.zone.utc")}</button>
      </form>
    </section>
  );
}

function ColumnsQuestion({ file }: { readonly file: PreviewFile }) {
  const { say } = useSpeech();
  const id = useId();
  const answer = useDesk((desk) => desk.answer);
  const [columns, setColumns] = useState("timestamp,index,utilization.gpu,memory.used,memory.total,power.draw");
  return (
    <section className="question" aria-labelledby={id}>
      <h2 id={id}>{say("question.columns", { file: file.path })}</h2>
      <p className="small muted">{say("question.columns.text")}</p>
      <form onSubmit={(event) => { event.preventDefault(); if (columns.trim() !== "") answer({ columns: columns.trim() }); }}>
        <input className="text-input long" aria-label={say("question.columns.label")} value={columns} onChange={(event) => setColumns(event.target.value)} />
        <button type="submit" className="link main">{say("question.answer")}</button>
      </form>
    </section>
  );
}

function TieQuestion({ file, formats }: { readonly file: PreviewFile; readonly formats: readonly string[] }) {
  const { say } = useSpeech();
  const id = useId();
  const answer = useDesk((desk) => desk.answer);
  return (
    <section className="question" aria-labelledby={id}>
      <h2 id={id}>{say("question.format", { file: file.path })}</h2>
      <p className="actions">
        {formats.map((format) => (
          <button key={format} type="button" className="link main" onClick={() => answer({ format })}>{sayCode(say, "format", format)}</button>
        ))}
      </p>
    </section>
  );
}

function HostQuestion({ file }: { readonly file: PreviewFile }) {
  const { say } = useSpeech();
  const id = useId();
  const answer = useDesk((desk) => desk.answer);
  const [host, setHost] = useState("");
  return (
    <section className="question" aria-labelledby={id}>
      <h2 id={id}>{say("question.host", { file: file.path })}</h2>
      <form onSubmit={(event) => { event.preventDefault(); if (host.trim() !== "") answer({ host: host.trim() }); }}>
        <input className="text-input" aria-label={say("question.host.label")} value={host} onChange={(event) => setHost(event.target.value)} />
        <button type="submit" className="link main">{say("question.answer")}</button>
      </form>
    </section>
  );
}

const panelMetrics = [
  "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_POWER_USAGE",
] as const;

function MetricQuestion({ file }: { readonly file: PreviewFile }) {
  const { say, error } = useSpeech();
  const id = useId();
  const answer = useDesk((desk) => desk.answer);
  const [metric, setMetric] = useState<string>(panelMetrics[0]);
  return (
    <section className="question" aria-labelledby={id}>
      <h2 id={id}>{say("question.metric", { file: file.path })}</h2>
      <p className="small muted">{file.error === null ? "" : error(file.error).what}</p>
      <form onSubmit={(event) => { event.preventDefault(); if (metric.trim() !== "") answer({ columns: metric.trim() }); }}>
        <input className="text-input long" list={`${id}-metrics`} aria-label={say("question.metric.label")} value={metric} onChange={(event) => setMetric(event.target.value)} />
        <datalist id={`${id}-metrics`}>{panelMetrics.map((name) => <option key={name} value={name} />)}</datalist>
        <button type="submit" className="link main">{say("question.answer")}</button>
      </form>
    </section>
  );
}

/** A log whose polls state no time: when the last one was, and how far they lie apart. What is left empty stays assumed. */
function TimesQuestion({ file }: { readonly file: PreviewFile }) {
  const { say, error } = useSpeech();
  const id = useId();
  const answer = useDesk((desk) => desk.answer);
  const stated = useDesk((desk) => desk.options);
  const [at, setAt] = useState(stated.at ?? file.telemetry?.lastAt?.replace(/\.\d+Z$/, "Z") ?? "");
  const [every, setEvery] = useState(stated.every ?? (file.telemetry === null || file.telemetry.typicalSpacingSeconds === null ? "" : String(file.telemetry.typicalSpacingSeconds)));
  const given = { ...(at.trim() === "" ? {} : { at: at.trim() }), ...(every.trim() === "" ? {} : { every: every.trim() }) };
  return (
    <section className="question" aria-labelledby={id}>
      <h2 id={id}>{say("question.times", { file: file.path })}</h2>
      <p className="small muted">{file.error === null ? say("question.times.text") : error(file.error).what}</p>
      <form onSubmit={(event) => { event.preventDefault(); if (Object.keys(given).length > 0) answer(given); }}>
        <label>{say("question.times.at")} <input className="text-input" value={at} placeholder="2026-09-01T10:00:00Z" onChange={(event) => setAt(event.target.value)} /></label>
        <label>{say("question.times.every")} <input className="text-input" value={every} placeholder="10s" onChange={(event) => setEvery(event.target.value)} /></label>
        <button type="submit" className="link main">{say("question.answer")}</button>
      </form>
    </section>
  );
}
