import { useId, useState } from "react";
import { isLogMapping, type SavedMapping } from "../../shared/contract/mappings.ts";
import { useLedger } from "../ledger/LedgerProvider.tsx";
import { asked as ask, useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

/** Column mappings that the ledger keeps: what each is of, where it was used last, and what can be done with it. */
export function Mappings({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const { say, words } = useSpeech();
  const id = useId();
  const asked = useAsk("mapping.list", {});
  const [renamed, setRenamed] = useState<SavedMapping | null>(null);
  const [removed, setRemoved] = useState<SavedMapping | null>(null);
  const write = useWriting();
  const take = useTaking();
  const mappings = asked.state === "answered" ? asked.value.mappings : [];
  const lastUse = ({ lastUse: last }: SavedMapping): string => (last === null ? say("mappings.never") : say("mappings.used", { file: last.file, day: words.instant(last.at, "day"), batch: String(last.batch) }));
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("mappings.title")} note={say("mappings.note")}>
        <span className="row-actions">
          {!isReadOnly && <button type="button" className="link" onClick={() => void take()}>{say("mappings.import")}</button>}
          {mappings.length > 1 && <button type="button" className="link" onClick={() => void write(null, "mappings.json")}>{say("mappings.export-all")}</button>}
        </span>
      </SectionHead>
      {asked.state === "refused" && asked.error.code !== "ledger.none-open" && <Refused error={asked.error} />}
      {asked.state === "answered" && mappings.length === 0 && <p className="prose">{say("mappings.none")}</p>}
      {mappings.length > 0 && (
        <div className="rates-list">
          <table className="statement mappings" aria-labelledby={id}>
            <thead><tr><th scope="col">{say("mappings.name")}</th><th scope="col">{say("mappings.kind")}</th><th scope="col" className="n">{say("mappings.columns")}</th><th scope="col">{say("mappings.last")}</th><td /></tr></thead>
            <tbody>
              {mappings.map((saved) => (
                <tr key={saved.id}>
                  <th scope="row" className="wrap" title={saved.mapping.header.join(", ")}>{saved.name}</th>
                  <td>{say(isLogMapping(saved.mapping) ? "import.map.kind.log" : "import.map.kind.bill")}</td>
                  <td className="n">{words.count(saved.mapping.header.length)}</td>
                  <td className="wrap">{lastUse(saved)}</td>
                  <td>
                    <span className="row-actions">
                      {!isReadOnly && <button type="button" className="link" aria-label={`${say("mappings.rename")} ${saved.name}`} onClick={() => setRenamed(saved)}>{say("mappings.rename")}</button>}
                      <button type="button" className="link" aria-label={`${say("mappings.export")} ${saved.name}`} onClick={() => void write([saved.id], `${saved.name}.json`)}>{say("mappings.export")}</button>
                      {!isReadOnly && <button type="button" className="link" aria-label={`${say("mappings.remove")} ${saved.name}`} onClick={() => setRemoved(saved)}>{say("mappings.remove")}</button>}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {renamed !== null && <RenameForm saved={renamed} onClose={() => setRenamed(null)} />}
      {removed !== null && <RemoveForm saved={removed} onClose={() => setRemoved(null)} />}
    </section>
  );
}

function RenameForm({ saved, onClose }: { readonly saved: SavedMapping; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const [name, setName] = useState(saved.name);
  const rename = useTell("mapping.rename");
  const tell = useNotice((store) => store.tell);
  const submit = async (): Promise<void> => {
    const result = await rename.tell({ id: saved.id, name: name.trim() });
    if (!result.ok) return;
    tell({ text: say("mappings.renamed", { name: name.trim() }) });
    onClose();
  };
  return (
    <FormDialog title={say("mappings.rename")} onClose={onClose} onSave={() => void submit()} isBusy={rename.isBusy} isDisabled={name.trim() === "" || name.trim().length > 120} error={rename.error}>
      <TextLine label={say("mappings.name")} value={name} onChange={setName} isFirst />
    </FormDialog>
  );
}

function RemoveForm({ saved, onClose }: { readonly saved: SavedMapping; readonly onClose: () => void }) {
  const { client } = useLedger();
  const { say, error } = useSpeech();
  const remove = useTell("mapping.remove");
  const tell = useNotice((store) => store.tell);
  const restore = async (): Promise<void> => {
    const kept = await ask(client, "mapping.save", { mapping: saved.mapping });
    tell(kept.ok ? { text: say("mappings.restored", { name: kept.value.name }) } : { text: error(kept.error).what, detail: error(kept.error).todo });
  };
  const submit = async (): Promise<void> => {
    const result = await remove.tell({ id: saved.id });
    if (!result.ok) return;
    tell({ text: say("mappings.removed", { name: saved.name }), undo: () => void restore() });
    onClose();
  };
  return (
    <FormDialog title={say("mappings.remove.ask", { name: saved.name })} onClose={onClose} onSave={() => void submit()} saveLabel={say("mappings.remove")} isBusy={remove.isBusy} error={remove.error}>
      <p className="prose">{say("mappings.remove.text")}</p>
    </FormDialog>
  );
}

/** Writes some mappings, or all, to a file that the person chooses. */
function useWriting(): (ids: readonly number[] | null, suggestedName: string) => Promise<void> {
  const { client } = useLedger();
  const { say, error } = useSpeech();
  const tell = useNotice((store) => store.tell);
  return async (ids, suggestedName) => {
    const chosen = await ask(client, "files.choose", { kind: "export-save", suggestedName: suggestedName.replace(/[/\\:*?"<>|]/g, "_").slice(-200) });
    const token = chosen.ok ? chosen.value[0]?.token : undefined;
    if (token === undefined) return;
    const written = await ask(client, "mapping.export", { ids, file: token });
    tell(written.ok ? { text: say("mappings.exported", { file: written.value.file }) } : { text: error(written.error).what, detail: error(written.error).todo });
  };
}

function useTaking(): () => Promise<void> {
  const { client } = useLedger();
  const { say, error } = useSpeech();
  const tell = useNotice((store) => store.tell);
  return async () => {
    const chosen = await ask(client, "files.choose", { kind: "import" });
    const token = chosen.ok ? chosen.value[0]?.token : undefined;
    if (token === undefined) return;
    const taken = await ask(client, "mapping.import", { file: token });
    tell(taken.ok ? { text: say("mappings.imported", { count: taken.value.mappings.length }) } : { text: error(taken.error).what, detail: error(taken.error).todo });
  };
}
