import { useState } from "react";
import type { LedgerError } from "../../../shared/contract/errors.ts";
import type { BatchSummary } from "../../../shared/contract/methods.ts";
import { useAsk, useTell } from "../../ledger/useAsk.ts";
import { Act } from "../../parts/Act.tsx";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { useNotice } from "../../state/notice.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { attosOf } from "./amounts.ts";
import { formatName } from "./FilesTable.tsx";
import { SetAsideDialog } from "./SetAsideDialog.tsx";

const firstShown = 12;

/** What was imported, newest first; each can be undone and done again. */
export function Batches({ isReadOnly, onError }: { readonly isReadOnly: boolean; readonly onError: (error: LedgerError) => void }) {
  const { say, words } = useSpeech();
  const asked = useAsk("batches.list", {});
  const undo = useTell("batches.undo");
  const redo = useTell("batches.redo");
  const tell = useNotice((store) => store.tell);
  const [isAll, setAll] = useState(false);
  const [aside, setAside] = useState<BatchSummary | null>(null);
  if (asked.state === "refused") return <Refused error={asked.error} />;
  const batches = asked.state === "answered" ? asked.value : [];
  const shown = isAll ? batches : batches.slice(0, firstShown);
  const turn = async (batch: BatchSummary): Promise<void> => {
    const result = await (batch.state === "posted" ? undo : redo).tell({ batch: batch.batch });
    if (result.ok) tell({ text: say(batch.state === "posted" ? "batch-list.undone" : "batch-list.redone", { batch: batch.batch }) });
    else onError(result.error);
  };
  return (
    <section>
      <SectionHead title={say("batch-list.title")} note={say("batch-list.note")}>
        {batches.length > firstShown && <button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: batches.length })}</button>}
      </SectionHead>
      {asked.state === "asking" ? <p className="context" role="status">{say("state.asking")}</p> : (
        <table className="statement" aria-label={say("batch-list.title")}>
          <thead>
            <tr>
              <th scope="col">{say("import.file")}</th>
              <th scope="col">{say("import.recognized")}</th>
              <th scope="col">{say("batch-list.imported")}</th>
              <th scope="col" className="n">{say("import.rows")}</th>
              <th scope="col" className="n">{say("batch-list.effective")}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map((batch) => (
              <tr key={batch.batch} className={batch.state === "undone" ? "undone" : undefined}>
                <th scope="row" className="mono clip" title={batch.files.join(", ")}>{batch.files[0] ?? ""}{batch.files.length > 1 ? ` +${batch.files.length - 1}` : ""}</th>
                <td>{formatName(batch, say)}</td>
                <td>{words.instant(batch.importedAt, "minute")}</td>
                <td className="n">{words.count(batch.rowsPosted)}</td>
                <td className="n">{Object.entries(batch.totals).map(([currency, totals]) => [currency, attosOf(totals.EffectiveCost) ?? attosOf(totals.BilledCost)] as const).filter(([, attos]) => attos !== null).map(([currency, attos]) => words.money(attos ?? 0n, currency)).join(" · ")}</td>
                <td className="n small">
                  <span className="actions at-end-of-row">
                    {batch.rowsSetAside > 0 && <button type="button" className="link" onClick={() => setAside(batch)}>{say("batch-list.aside", { count: batch.rowsSetAside })}</button>}
                    {batch.state === "posted" && !batch.isShown && <span className="muted">{say("batch-list.covered")}</span>}
                    {!isReadOnly && (batch.state === "posted" || batch.cellsKept) && (
                      <Act label={say(batch.state === "posted" ? "batch-list.undo.named" : "batch-list.redo.named", { file: batch.files[0] ?? "" })} isBusy={undo.isBusy || redo.isBusy} onPress={() => void turn(batch)}>{say(batch.state === "posted" ? "batch-list.undo" : "batch-list.redo")}</Act>
                    )}
                  </span>
                </td>
              </tr>
            ))}
            {batches.length === 0 && <tr><td colSpan={6} className="muted">{say("batch-list.none")}</td></tr>}
          </tbody>
        </table>
      )}
      {aside !== null && <SetAsideDialog batch={aside} onClose={() => setAside(null)} />}
    </section>
  );
}
