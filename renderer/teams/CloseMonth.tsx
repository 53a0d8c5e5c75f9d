import { useId, useState } from "react";
import type { CloseItem, InvoiceLine, MonthAnswer } from "../../shared/contract/teams.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { amountIn, decimalOf } from "./amounts.ts";
import { FormDialog, TextLine } from "./fields.tsx";

/** The monthly close: a checklist that the data fill in, the invoices, the close itself, and what changed since. */
export function CloseMonth({ month, isReadOnly }: { readonly month: string; readonly isReadOnly: boolean }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const asked = useAsk("month.read", { month });
  const [form, setForm] = useState<"close" | "reopen" | null>(null);
  if (asked.state === "refused") return asked.error.code === "report.no-data" ? null : <Refused error={asked.error} />;
  if (asked.state === "asking" || asked.value.invoices.length === 0) return null;
  const answer = asked.value;
  const period = words.period(month);
  const isClosed = answer.state === "closed";
  return (
    <section className="close-month" aria-labelledby={id} aria-busy={asked.isOld}>
      <SectionHead id={id} title={say("close.title")} note={stateText(answer, speech)}>
        {!isReadOnly && <button type="button" className="link main" onClick={() => setForm(isClosed ? "reopen" : "close")}>{isClosed ? say("close.reopen") : say("close.button", { period })}</button>}
      </SectionHead>
      <div className="pair">
        <table className="statement" aria-labelledby={id}>
          <tbody>
            {answer.items.map((item) => (
              <tr key={item.id}>
                <th scope="row"><i className={`check-mark ${item.state}`} aria-hidden="true" />{say(`close.item.${item.id}`)}</th>
                <td>{detailText(item, speech)}</td>
                <td className={item.state === "unknown" ? "n muted" : "n"}>{say(`close.state.${item.state}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div>
          <SectionHead title={say("close.invoices")} note={say("close.invoices.note")} />
          <table className="statement" aria-label={say("close.invoices")}>
            <thead><tr><th scope="col">{say("scope.provider")}</th><th scope="col" className="n">{say("close.ledger")}</th><th scope="col" className="n">{say("close.invoice")}</th><th scope="col" className="n">{say("close.difference")}</th></tr></thead>
            <tbody>
              {answer.invoices.map((invoice) => <Invoice key={`${invoice.provider} ${invoice.currency} ${invoice.invoice ?? ""}`} invoice={invoice} month={month} isReadOnly={isReadOnly} />)}
            </tbody>
          </table>
        </div>
      </div>
      {answer.differences.length > 0 && (
        <div className="close-differences">
          <SectionHead title={say("close.differences")} />
          <table className="statement" aria-label={say("close.differences")}>
            <thead><tr><th scope="col">{say("allocate.pools.source")}</th><th scope="col" className="n">{say("close.frozen")}</th><th scope="col" className="n">{say("close.now")}</th><th scope="col" className="n">{say("close.difference")}</th></tr></thead>
            <tbody>
              {answer.differences.map((line, index) => (
                <tr key={index}>
                  <th scope="row">{line.what === "team" ? (line.team ?? <span className="muted">{say("field.nobody")}</span>) : say(`close.what.${line.what}`)}</th>
                  <td className="n">{amountIn(speech, line.frozen, line.currency)}</td>
                  <td className="n">{amountIn(speech, line.now, line.currency)}</td>
                  <td className="n">{amountIn(speech, line.difference, line.currency, { signed: true })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {form === "close" && <CloseForm month={month} onClose={() => setForm(null)} />}
      {form === "reopen" && <ReopenForm month={month} onClose={() => setForm(null)} />}
    </section>
  );
}

function stateText({ month, state, closings }: MonthAnswer, { say, words }: Speech): string {
  const [last] = closings;
  const period = words.period(month);
  if (last === undefined || state === "open") return say("close.note.open", { period });
  if (state === "closed") return say("close.note.closed", { period, at: words.instant(last.closedAt, "day"), who: last.closedBy });
  return say("close.note.reopened", { period, at: words.instant(last.reopenedAt ?? last.closedAt, "day"), who: last.reopenedBy ?? "", reason: last.reason ?? "" });
}

function detailText(item: CloseItem, { say, words }: Speech): string {
  if (item.id === "sources-complete") return item.details.length > 0 ? item.details.join(" · ") : item.share === null ? "" : say("close.detail.covered", { share: words.ratio(item.share) });
  if (item.share !== null && item.limit !== null) return say("close.detail.share", { share: words.ratio(item.share), limit: words.ratio(item.limit, { digits: 0 }) });
  return item.of === 0 ? say("close.detail.none") : say("close.detail.left", { open: item.open, count: item.of });
}

function Invoice({ invoice, month, isReadOnly }: { readonly invoice: InvoiceLine; readonly month: string; readonly isReadOnly: boolean }) {
  const speech = useSpeech();
  const { provider, currency } = invoice;
  return (
    <tr>
      <th scope="row">{provider}</th>
      <td className="n">{amountIn(speech, invoice.ledger, currency)}</td>
      <td className="n">{isReadOnly ? amountIn(speech, invoice.invoice, currency) : <InvoiceField month={month} invoice={invoice} />}</td>
      <td className="n">{amountIn(speech, invoice.difference, currency, { signed: true })}</td>
    </tr>
  );
}

/** The total of an invoice as the person types it; kept when the field is left. */
export function InvoiceField({ month, invoice: { provider, currency, invoice } }: { readonly month: string; readonly invoice: Pick<InvoiceLine, "provider" | "currency" | "invoice"> }) {
  const { say, error } = useSpeech();
  const [typed, setTyped] = useState(invoice ?? "");
  const save = useTell("invoice.save");
  const tell = useNotice((store) => store.tell);
  const isWrong = typed.trim() !== "" && decimalOf(typed) === null;
  const keep = async (): Promise<void> => {
    const amount = typed.trim() === "" ? null : decimalOf(typed);
    if (isWrong || amount === invoice) return;
    const result = await save.tell({ month, provider, currency, amount, by: null });
    if (!result.ok) tell({ text: error(result.error).what, detail: error(result.error).todo });
  };
  return <input className="text-input n" inputMode="decimal" aria-label={say("close.invoice.of", { provider, currency })} aria-invalid={isWrong} value={typed} onChange={(event) => setTyped(event.target.value)} onBlur={() => void keep()} onKeyDown={(event) => { if (event.key === "Enter") void keep(); }} />;
}

function CloseForm({ month, onClose }: { readonly month: string; readonly onClose: () => void }) {
  const { say, words } = useSpeech();
  const [note, setNote] = useState("");
  const close = useTell("month.close");
  const tell = useNotice((store) => store.tell);
  const period = words.period(month);
  const submit = async (): Promise<void> => {
    const result = await close.tell({ month, note: note.trim() === "" ? null : note.trim(), by: null });
    if (!result.ok) return;
    tell({ text: say("close.done", { period }) });
    onClose();
  };
  return (
    <FormDialog title={say("close.form", { period })} onClose={onClose} onSave={() => void submit()} saveLabel={say("close.button", { period })} isBusy={close.isBusy} error={close.error}>
      <p className="prose">{say("close.form.text")}</p>
      <TextLine label={say("close.comment")} value={note} onChange={setNote} isLong isFirst />
    </FormDialog>
  );
}

function ReopenForm({ month, onClose }: { readonly month: string; readonly onClose: () => void }) {
  const { say, words } = useSpeech();
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const reopen = useTell("month.reopen");
  const tell = useNotice((store) => store.tell);
  const period = words.period(month);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (reason.trim() === "") return;
    const result = await reopen.tell({ month, reason: reason.trim(), by: null });
    if (!result.ok) return;
    tell({ text: say("close.reopened", { period }) });
    onClose();
  };
  return (
    <FormDialog title={say("close.reopen.form", { period })} onClose={onClose} onSave={() => void submit()} saveLabel={say("close.reopen")} isBusy={reopen.isBusy} error={reopen.error} wrong={isTried && reason.trim() === "" ? say("close.reason.wrong") : null}>
      <TextLine label={say("close.reason")} value={reason} onChange={setReason} isLong isFirst isInvalid={isTried && reason.trim() === ""} />
    </FormDialog>
  );
}
