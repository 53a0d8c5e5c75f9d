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
  const unnamed = files.find(({ kind, telemetry, state }) => kind === "telemetry" && state === "ready" && telemetry !== null && telemetry.hosts.length === 0);
  return (
    <>
      {zone !== undefined && <ZoneQuestion file={zone} />}
      {columns !== undefined && <ColumnsQuestion file={columns} />}
      {tie?.error?.code === "import.tie" && <TieQuestion file={tie} formats={tie.error.params.formats.split(/\s*,\s*/)} />}
      {unnamed !== undefined && <HostQuestion file={unnamed} />}
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
