import { useId, useState } from "react";
import type { PreviewFile } from "../../../shared/contract/methods.ts";
import { useDesk } from "../../state/desk.ts";
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
  const { state, error } = file;
  if (state !== "refused" || error === null) return false;
  return (isMapped(file) && !askedElsewhere.includes(error.code)) || unread.includes(error.code) || (error.code === "import.column-missing" && (error.params.format === "mapped" || error.params.format === "mapped-log"));
}

/** A file of no known format: the way to say once what its columns mean. */
export function MappingQuestion({ file }: { readonly file: PreviewFile }) {
  const { say } = useSpeech();
  const id = useId();
  const isSaid = isMapped(file);
  const isOnDesk = useToken(file) !== null;
  return isOnDesk ? (
    <section className="question" aria-labelledby={id}>
      <h2 id={id}>{say("import.map.ask", { file: file.path })}</h2>
      {!isSaid && <p className="small muted">{say("import.map.ask.text")}</p>}
      <p className="actions"><MapColumns file={file} label={say(isSaid ? "import.map.change" : "import.map.open")} /></p>
    </section>
  ) : null;
}

/** Opens what the columns of a file mean; nothing for a file that lies in a folder or an archive, which has no name of its own on the desk. */
export function MapColumns({ file, label }: { readonly file: PreviewFile; readonly label: string }) {
  const token = useToken(file);
  const [isOpen, setOpen] = useState(false);
  if (token === null) return null;
  return (
    <>
      <button type="button" className="link main" onClick={() => setOpen(true)}>{label}</button>
      {isOpen && <MappingDialog file={file.path} token={token} onClose={() => setOpen(false)} />}
    </>
  );
}

function useToken({ path }: PreviewFile): string | null {
  const files = useDesk((desk) => desk.files);
  const [only, other] = files.filter(({ name }) => name === path);
  return only === undefined || other !== undefined ? null : only.token;
}
