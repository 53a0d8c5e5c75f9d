import { useId, useState } from "react";
import type { ImportPreview, PreviewFile } from "../../../shared/contract/methods.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { MappingDialog } from "./MappingDialog.tsx";

const unread: readonly string[] = ["import.unrecognized", "import.mapping-incomplete"];
/** What another question asks of a file whose columns are known. */
const askedElsewhere: readonly string[] = ["import.zone-needed", "import.zone-unknown"];

/** Whether a file was read by what a person said of its columns. */
export function isMapped({ format }: PreviewFile): boolean {
  return format === "mapped" || format === "mapped-log";
}

/** Whether a person could say what the columns of a file mean that cannot be read without, or not as it was said. */
export function needsMapping(file: PreviewFile): boolean {
  const { state, error, shape } = file;
  if (state !== "refused" || error === null || shape === null) return false;
  return (isMapped(file) && !askedElsewhere.includes(error.code)) || unread.includes(error.code) || (error.code === "import.column-missing" && (error.params.format === "mapped" || error.params.format === "mapped-log"));
}

/** Files of one layout: they take one mapping, wherever they lie. */
interface Layout {
  readonly shape: string;
  readonly files: readonly PreviewFile[];
}

/** Layouts that nothing knows yet, in the order of their first files. */
export function openLayouts(files: readonly PreviewFile[]): readonly Layout[] {
  return [...Map.groupBy(files.filter(needsMapping), ({ shape }) => shape ?? "")].map(([shape, of]) => ({ shape, files: of }));
}

/** Every layout of the import that no format knows, one after another: the way to say once what its columns mean. */
export function MappingQuestions({ preview }: { readonly preview: ImportPreview }) {
  const { say } = useSpeech();
  const id = useId();
  const layouts = openLayouts(preview.files);
  const [first] = layouts;
  if (first === undefined) return null;
  return (
    <section className="question" aria-labelledby={id}>
      <h2 id={id}>{layouts.length === 1 ? say("import.map.ask", { file: first.files[0]?.path ?? "" }) : say("import.map.several", { count: layouts.length })}</h2>
      <p className="small muted">{say("import.map.ask.text")}</p>
      <ul className="layouts">
        {layouts.map(({ shape, files }) => <li key={shape}><LayoutLine preview={preview} files={files} isAlone={layouts.length === 1} /></li>)}
      </ul>
    </section>
  );
}

function LayoutLine({ preview, files, isAlone }: { readonly preview: ImportPreview; readonly files: readonly PreviewFile[]; readonly isAlone: boolean }) {
  const { say } = useSpeech();
  const [file] = files;
  if (file === undefined) return null;
  return (
    <>
      {(!isAlone || files.length > 1) && <span className="mono">{file.path}</span>}
      {files.length > 1 && <span className="small muted" title={files.slice(1, 20).map(({ path }) => path).join("\n")}>{say("import.map.files", { count: files.length - 1 })}</span>}
      <MapColumns preview={preview} file={file} label={say(isMapped(file) ? "import.map.change" : "import.map.open")} />
    </>
  );
}

/** Opens what the columns of a file mean, and of all files that have the same. */
export function MapColumns({ preview, file, label }: { readonly preview: ImportPreview; readonly file: PreviewFile; readonly label: string }) {
  const [isOpen, setOpen] = useState(false);
  const index = preview.files.indexOf(file);
  const count = preview.files.filter(({ shape }) => shape === file.shape).length;
  return (
    <>
      <button type="button" className="link main" onClick={() => setOpen(true)}>{label}</button>
      {isOpen && <MappingDialog file={file.path} planned={{ plan: preview.plan, index }} count={count} onClose={() => setOpen(false)} />}
    </>
  );
}
