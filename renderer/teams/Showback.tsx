import { useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { LedgerAccounts } from "../../shared/contract/teams.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Refused } from "../parts/states.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Statement } from "../parts/Statement.tsx";
import { ExportMenu } from "../reports/ExportMenu.tsx";
import { useReport } from "../reports/useReport.ts";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { FormDialog, TextLine } from "./fields.tsx";
import { sentences } from "../../shared/contract/words.ts";

/** What each team bears with its part of shared costs, as a sheet for showback and as a journal for the ledger of accounts. */
export function Showback({ status }: { readonly status: LedgerStatus }) {
  const { say, words, error } = useSpeech();
  const { request, asked } = useReport("showback", status);
  const state = useAsk("allocation.read", {});
  const choose = useTell("files.choose");
  const write = useTell("journal.export");
  const tell = useNotice((store) => store.tell);
  const [isEditing, setEditing] = useState(false);
  if (asked.state === "refused" && request !== null && asked.error.code === "currency.billed-only") {
    const { what, todo } = error(asked.error);
    return (
      <section className="showback">
        <SectionHead title={words.text({ key: "showback.title", params: { period: { period: request.period } } })} />
        <p className="note">{sentences([what, todo], words.language)}</p>
      </section>
    );
  }
  if (asked.state === "refused") return asked.error.code === "report.no-data" ? null : <Refused error={asked.error} />;
  if (asked.state === "asking" || request === null || state.state !== "answered") return null;
  const document = asked.value;
  const table = document.blocks.find((block) => block.kind === "table");
  if (table?.kind !== "table") return null;
  const exportJournal = async (): Promise<void> => {
    const chosen = await choose.tell({ kind: "export-save", suggestedName: `journal-${request.period}.csv` });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    const [file] = chosen.value;
    if (file === undefined) return;
    const written = await write.tell({ period: request.period, currency: request.currency, basis: request.basis, file: file.token });
    tell(written.ok ? { text: say("journal.exported", { file: file.name }) } : { text: error(written.error).what, detail: error(written.error).todo });
  };
  return (
    <section className="showback">
      <SectionHead title={words.text(document.title)} note={words.text(document.answer)}>
        <button type="button" className="link" onClick={() => setEditing(true)}>{say("journal.accounts")}</button>
        <button type="button" className="link" onClick={() => void exportJournal()}>{say("journal.export")}</button>
        <ExportMenu request={request} />
      </SectionHead>
      <Statement block={table} label={words.text(document.title)} />
      {isEditing && <Accounts accounts={state.value.accounts} teams={state.value.teams} isReadOnly={status.isReadOnly} onClose={() => setEditing(false)} />}
    </section>
  );
}

interface AccountsProps {
  readonly accounts: LedgerAccounts;
  readonly teams: readonly string[];
  readonly isReadOnly: boolean;
  readonly onClose: () => void;
}

/** Where the journal books what teams are charged. */
function Accounts({ accounts, teams, isReadOnly, onClose }: AccountsProps) {
  const { say } = useSpeech();
  const [clearing, setClearing] = useState(accounts.clearing ?? "");
  const [own, setOwn] = useState<Readonly<Record<string, string>>>(accounts.teams);
  const save = useTell("accounts.save");
  const tell = useNotice((store) => store.tell);
  const submit = async (): Promise<void> => {
    const filled = Object.fromEntries(Object.entries(own).flatMap(([team, account]): [string, string][] => (account.trim() === "" ? [] : [[team, account.trim()]])));
    const result = await save.tell({ accounts: { clearing: clearing.trim() === "" ? null : clearing.trim(), teams: filled }, by: null });
    if (!result.ok) return;
    tell({ text: say("journal.accounts-saved") });
    onClose();
  };
  return (
    <FormDialog title={say("journal.accounts")} onClose={onClose} onSave={() => void submit()} isBusy={save.isBusy} isDisabled={isReadOnly} error={save.error}>
      <p className="prose">{say("journal.accounts.note")}</p>
      <div className="form-grid">
        <TextLine label={say("journal.clearing")} value={clearing} onChange={setClearing} isFirst />
        {teams.map((team) => <TextLine key={team} label={team} value={own[team] ?? ""} onChange={(account) => setOwn((before) => ({ ...before, [team]: account }))} />)}
      </div>
    </FormDialog>
  );
}
