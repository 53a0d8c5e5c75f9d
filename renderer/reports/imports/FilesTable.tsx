import type { ImportPreview, PreviewFile } from "../../../shared/contract/methods.ts";
import { ProgressBar } from "../../parts/states.tsx";
import { useDesk } from "../../state/desk.ts";
import { useWork } from "../../state/work.ts";
import { sayCode } from "../../words/code.ts";
import { dash } from "../../../shared/i18n/format.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

/** The files on the desk: what each was recognised as, and how it stands. Choosing one shows its preview. */
export function FilesTable({ preview }: { readonly preview: ImportPreview | null }) {
  const { say, words } = useSpeech();
  const chosen = useDesk((desk) => desk.files);
  const selected = useDesk((desk) => desk.selected);
  const select = useDesk((desk) => desk.select);
  const reading = useWork((work) => work.reading);
  return (
    <div className="files" tabIndex={-1}>
      <table className="statement" aria-label={say("import.files")}>
        <thead>
          <tr>
            <th scope="col">{say("import.file")}</th>
            <th scope="col">{say("import.recognized")}</th>
            <th scope="col" className="n">{say("import.size")}</th>
            <th scope="col" className="n">{say("import.rows")}</th>
            <th scope="col">{say("import.state")}</th>
          </tr>
        </thead>
        <tbody>
          {preview === null
            ? chosen.map(({ token, name }, index) => (
                <tr key={token}>
                  <th scope="row"><span className="file-button">{name}</span></th>
                  <td /><td /><td />
                  <td className="state">{reading !== null && reading.fileIndex === index ? <><ProgressBar label={say("import.reading-file", { file: name })} value={reading.bytesRead} total={reading.bytesTotal} />{words.ratio(reading.bytesTotal > 0 ? reading.bytesRead / reading.bytesTotal : 0, { digits: 0 })}</> : <span className="muted">{say(reading !== null && index < reading.fileIndex ? "import.read" : "import.waiting")}</span>}</td>
                </tr>
              ))
            : preview.files.map((file, index) => (
                <tr key={`${file.path} ${index}`} aria-selected={index === selected}>
                  <th scope="row"><button type="button" className="file-button" aria-pressed={index === selected} title={file.path} onClick={() => select(index)}>{file.path}</button></th>
                  <td>{file.format === null ? <span className="muted">{say("import.not-recognized")}</span> : formatName(file, say)}</td>
                  <td className="n">{words.bytes(file.size)}</td>
                  <td className="n">{file.state === "refused" ? <span className="unknown">{dash}</span> : words.count(file.rowsRead)}</td>
                  <FileState file={file} />
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function FileState({ file }: { readonly file: PreviewFile }) {
  const { say, error } = useSpeech();
  switch (file.state) {
    case "ready":
      return <td className="state ready wrap">{say("import.state.ready")}{file.sameAs !== null && <span className="muted"> · {say("import.state.same-bytes", { file: file.sameAs })}</span>}</td>;
    case "posted":
      return <td className="state muted">{say("import.state.posted")}</td>;
    case "unchanged":
      return <td className="state muted wrap">{file.batch === null && file.sameAs !== null ? say("import.state.same-as", { file: file.sameAs }) : say("import.state.unchanged")}</td>;
    case "no-gpu-series":
      return <td className="state muted">{say("import.state.no-gpu-series")}</td>;
    case "manifest":
      return <td className="state muted">{say("import.state.manifest")}</td>;
    case "older":
      return <td className="state muted wrap">{say("import.state.older")}</td>;
    case "refused":
      return <td className="state wrap"><span className="alert-mark" aria-hidden="true">▲</span> {file.error === null ? say("import.state.refused") : <>{error(file.error).what} <span className="muted">{error(file.error).todo}</span></>}</td>;
  }
}

export function formatName(file: Pick<PreviewFile, "format" | "version">, say: ReturnType<typeof useSpeech>["say"]): string {
  const name = sayCode(say, "format", file.format ?? "");
  return file.version === null ? name : say("import.format-version", { format: name, version: file.version });
}
