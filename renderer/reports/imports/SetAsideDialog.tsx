import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { BatchSummary } from "../../../shared/contract/methods.ts";
import type { LedgerError } from "../../../shared/contract/errors.ts";
import { useAsk, useTell } from "../../ledger/useAsk.ts";
import { Refused } from "../../parts/states.tsx";
import { useDesk } from "../../state/desk.ts";
import { useNotice } from "../../state/notice.ts";
import { sayCode } from "../../words/code.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

const most = 1000;
/** Lines that a message names. */
const MOST_LINES_NAMED = 10;

/** The rows of one import that could not be read: file, line, what stood there and what was expected. */
export function SetAsideDialog({ batch, onClose }: { readonly batch: BatchSummary; readonly onClose: () => void }) {
  const { say, words, language, error } = useSpeech();
  const choose = useTell("files.choose");
  const write = useTell("set-aside.export");
  const put = useTell("set-aside.correct");
  const onDesk = useDesk((desk) => desk.put);
  const tell = useNotice((store) => store.tell);
  const refused = (trouble: LedgerError): void => tell({ text: error(trouble).what, detail: error(trouble).todo });
  const chosen = async (kind: "import" | "export-save", suggestedName?: string) => {
    const files = await choose.tell({ kind, ...(suggestedName === undefined ? {} : { suggestedName }) });
    if (!files.ok) refused(files.error);
    return files.ok ? files.value[0] : undefined;
  };
  const stem = (batch.files[0] ?? "bill").replace(/\.(csv|txt|tsv)?(\.(gz|zst))?$/i, "");
  const exportRows = async (): Promise<void> => {
    const file = await chosen("export-save", `${stem}-set-aside.csv`);
    if (file === undefined) return;
    const written = await write.tell({ batch: batch.batch, language, file: file.token });
    if (written.ok) tell({ text: say("aside.exported", { file: file.name }) });
    else refused(written.error);
  };
  /** The corrected rows in their places in a file of their own, which is then previewed like any other delivery. */
  const correct = async (): Promise<void> => {
    const sheet = await chosen("import");
    const file = sheet === undefined ? undefined : await chosen("export-save", `${stem}-corrected.csv`);
    if (sheet === undefined || file === undefined) return;
    const done = await put.tell({ batch: batch.batch, sheet: sheet.token, file: file.token });
    if (!done.ok) return refused(done.error);
    const { rows, leftOut } = done.value;
    const left = leftOut.length === 0 ? "" : say("aside.left-out", { count: leftOut.length, lines: leftOut.slice(0, MOST_LINES_NAMED).join(", ") });
    tell({ text: [say("aside.corrected", { file: file.name, count: rows }), left].filter((text) => text !== "").join(" ") });
    onDesk([file]);
    onClose();
  };
  const asked = useAsk("import.set-aside", { batch: batch.batch, offset: 0, limit: most });
  return (
    <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="rows-dialog">
        <Dialog>
          <header>
            <Heading slot="title" level={2}>{say("change.aside")}</Heading>
            <span className="muted small">{batch.files.join(", ")}</span>
            {batch.kind === "billing" && (
              <span className="actions small">
                <button type="button" className="link" onClick={() => void exportRows()}>{say("aside.export")}</button>
                <button type="button" className="link" onClick={() => void correct()}>{say("aside.correct")}</button>
              </span>
            )}
            <button type="button" className="link" onClick={onClose}>{say("action.close")}</button>
          </header>
          {asked.state === "asking" && <p className="rows-note" role="status">{say("state.asking")}</p>}
          {asked.state === "refused" && <div className="rows-note"><Refused error={asked.error} /></div>}
          {asked.state === "answered" && (
            <div className="rows-scroll" tabIndex={0} role="region" aria-label={say("change.aside")}>
              <table className="statement">
                <thead><tr><th scope="col">{say("rows.file")}</th><th scope="col" className="n">{say("import.line")}</th><th scope="col">{say("import.column")}</th><th scope="col">{say("import.aside.found")}</th><th scope="col">{say("import.aside.expected")}</th></tr></thead>
                <tbody>
                  {asked.value.map((row) => (
                    <tr key={`${row.file} ${row.line}`}><th scope="row" className="mono">{row.file}</th><td className="n mono">{words.count(row.line)}</td><td className="mono">{row.column}</td><td className="mono wrap">“{row.value}”</td><td>{sayCode(say, "expected", row.reason)}</td></tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <footer className="small muted">{say("import.aside.count", { count: batch.rowsSetAside })}</footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
