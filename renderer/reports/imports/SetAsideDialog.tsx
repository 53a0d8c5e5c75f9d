import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { BatchSummary } from "../../../shared/contract/methods.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { Refused } from "../../parts/states.tsx";
import { sayCode } from "../../words/code.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

const most = 1000;

/** The rows of one import that could not be read: file, line, what stood there and what was expected. */
export function SetAsideDialog({ batch, onClose }: { readonly batch: BatchSummary; readonly onClose: () => void }) {
  const { say, words } = useSpeech();
  const asked = useAsk("import.set-aside", { batch: batch.batch, offset: 0, limit: most });
  return (
    <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="rows-dialog">
        <Dialog>
          <header>
            <Heading slot="title" level={2}>{say("change.aside")}</Heading>
            <span className="muted small">{batch.files.join(", ")}</span>
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
