import type { ReactNode } from "react";
import { useId, useState } from "react";
import type { InvoiceImport, InvoiceItem, Reconciliation } from "../../shared/contract/reconcile.ts";
import { invoiceClasses, invoiceReasons, type InvoiceReason } from "../../shared/contract/reconcile.ts";
import { formatAttos, parseAmount } from "../../shared/domain/money.ts";
import { asked as ask, useAsk, useTell } from "../ledger/useAsk.ts";
import { useLedger } from "../ledger/LedgerProvider.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { amountIn, decimalOf } from "../teams/amounts.ts";
import { InvoiceField } from "../teams/CloseMonth.tsx";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech, type Speech } from "../words/WordsProvider.tsx";
import { consoleOf } from "./console.ts";

/** The ledger held against each provider's invoice of a month, until nothing of the difference is unexplained. */
export function Reconcile({ month, isReadOnly }: { readonly month: string; readonly isReadOnly: boolean }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const asked = useAsk("reconcile.read", { period: month });
  const [chosen, setChosen] = useState<string | null>(null);
  const [form, setForm] = useState<Reconciliation | null>(null);
  const [file, setFile] = useState<{ readonly token: string; readonly preview: InvoiceImport } | null>(null);
  const choose = useInvoiceFile(setFile);
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking" || asked.value.lines.length === 0) return null;
  const { lines } = asked.value;
  const keyOf = ({ provider, currency }: Reconciliation): string => `${provider} ${currency}`;
  const shown = lines.find((line) => keyOf(line) === chosen) ?? lines.find(({ isReconciled, invoice }) => invoice !== null && !isReconciled) ?? lines[0];
  return (
    <section className="reconcile" aria-labelledby={id} aria-busy={asked.isOld}>
      <SectionHead id={id} title={say("invoices.title")} note={say("invoices.note", { period: words.period(month) })}>
        {!isReadOnly && <button type="button" className="link" onClick={() => void choose()}>{say("reconcile.import")}</button>}
      </SectionHead>
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("scope.provider")}</th><th scope="col" className="n">{say("close.invoice")}</th><th scope="col" className="n">{say("close.ledger")}</th><th scope="col" className="n">{say("invoices.unexplained")}</th><th scope="col">{say("reconcile.state")}</th></tr></thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${keyOf(line)} ${line.invoice ?? ""}`} aria-selected={line === shown}>
              <th scope="row"><button type="button" className="link" aria-pressed={line === shown} onClick={() => setChosen(keyOf(line))}>{line.provider === "" ? say("scope.without") : line.provider}</button></th>
              <td className="n">{isReadOnly ? amountIn(speech, line.invoice, line.currency) : <InvoiceField month={month} invoice={line} />}</td>
              <td className="n"><span className={line.ledger === null ? "unknown" : undefined} title={line.ledger === null ? say("reconcile.unstated") : undefined}>{amountIn(speech, line.ledger, line.currency)}</span></td>
              <td className="n">{amountIn(speech, line.unexplained, line.currency, { signed: true })}</td>
              <td>{say(line.ledger === null ? "reconcile.unstated" : line.invoice === null ? "reconcile.no-invoice" : line.isReconciled ? "reconcile.done" : "reconcile.open")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown !== undefined && (
        <div className="pair">
          <Difference line={shown} isReadOnly={isReadOnly} onExplain={() => setForm(shown)} />
          <Console line={shown} />
        </div>
      )}
      {form !== null && <ExplainForm line={form} onClose={() => setForm(null)} />}
      {file !== null && <ImportForm file={file} onClose={() => setFile(null)} />}
    </section>
  );
}

/** From the invoice's total down to what nobody has explained. */
function Difference({ line, isReadOnly, onExplain }: { readonly line: Reconciliation; readonly isReadOnly: boolean; readonly onExplain: () => void }) {
  const speech = useSpeech();
  const { say } = speech;
  const id = useId();
  const keep = useKeepItem(line);
  const amount = (text: string | null): string => amountIn(speech, text, line.currency, { bare: true });
  const minus = (text: string | null): string => amount(text === null ? null : negated(text));
  const hasInvoice = line.invoice !== null;
  // A column for what can be taken back, where there is anything.
  const action = (content: ReactNode): ReactNode => (line.items.length > 0 ? <td>{content}</td> : null);
  return (
    <div>
      <SectionHead id={id} title={hasInvoice ? say("reconcile.difference") : say("reconcile.classes")} note={`${line.provider}, ${line.currency}`}>
        {hasInvoice && !isReadOnly && !line.isReconciled && <button type="button" className="link" onClick={onExplain}>{say("reconcile.explain")}</button>}
      </SectionHead>
      <table className="statement" aria-labelledby={id}>
        <tbody>
          {hasInvoice && <tr><th scope="row">{say("reconcile.invoice-total")}</th><td className="n">{amount(line.invoice)}</td>{action(null)}</tr>}
          {line.classes.map(({ id: kind, amount: own, rows }) => (
            <tr key={kind}><th scope="row">{say(hasInvoice ? "reconcile.less" : "reconcile.of", { what: say(`invoice-class.${kind}`) })} <small>{say("reconcile.rows", { count: rows })}</small></th><td className="n">{hasInvoice ? minus(own) : amount(own)}</td>{action(null)}</tr>
          ))}
          <tr className="total"><th scope="row">{say(hasInvoice ? "close.difference" : "close.ledger")}</th><td className="n">{amount(hasInvoice ? line.difference : line.ledger)}</td>{action(null)}</tr>
          {hasInvoice && line.setAside.rows > 0 && <tr><th scope="row">{say("reconcile.set-aside", { count: line.setAside.rows })}</th><td className="n">{minus(line.setAside.amount)}</td>{action(null)}</tr>}
          {hasInvoice && line.items.map((item) => (
            <tr key={`${item.item} ${item.because}`}>
              <th scope="row">{itemText(item, speech)} {item.note !== null && <small>{item.note}</small>}</th>
              <td className="n">{minus(item.amount)}</td>
              {action(!isReadOnly && <button type="button" className="link small" onClick={() => void keep(item, null)}>{say("reconcile.take-back")}</button>)}
            </tr>
          ))}
          {hasInvoice && line.rounding !== null && <tr><th scope="row">{say("invoices.rounding")}</th><td className="n muted">{say("reconcile.under-a-coin")}</td>{action(null)}</tr>}
        </tbody>
        {hasInvoice && <tfoot><tr className="total"><th scope="row">{say("invoices.unexplained")}</th><td className="n">{amount(line.unexplained)}</td>{action(null)}</tr></tfoot>}
      </table>
      {line.suggestions.length > 0 && !isReadOnly && (
        <ul className="suggestions" aria-label={say("reconcile.suggestions")}>
          {line.suggestions.map((items, index) => (
            <li key={index}>{say("reconcile.suggestion", { what: items.map((item) => itemText(item, speech)).join(speech.words.language === "zh-CN" ? "、" : ", ") })} <button type="button" className="link" onClick={() => void (async () => { for (const item of items) await keep(item, item.amount); })()}>{say("reconcile.accept")}</button></li>
          ))}
        </ul>
      )}
    </div>
  );
}

function itemText({ item, because }: Pick<InvoiceItem, "item" | "because">, { say }: Speech): string {
  const kind = invoiceClasses.find((known) => known === item);
  const what = kind === undefined ? say("reconcile.number", { number: item.replace(/^invoice:/, "") }) : say(`invoice-class.${kind}`);
  return say(`reconcile.because.${because}`, { what });
}

function useKeepItem({ month, provider, currency }: Reconciliation): (item: Pick<InvoiceItem, "item" | "because"> & { readonly note?: string | null }, amount: string | null) => Promise<boolean> {
  const { error } = useSpeech();
  const save = useTell("invoice-item.save");
  const tell = useNotice((store) => store.tell);
  return async ({ item, because, note = null }, amount) => {
    const result = await save.tell({ month, provider, currency, item, because, amount, note, by: null });
    if (!result.ok) tell({ text: error(result.error).what, detail: error(result.error).todo });
    return result.ok;
  };
}

function ExplainForm({ line, onClose }: { readonly line: Reconciliation; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const keep = useKeepItem(line);
  const [item, setItem] = useState<string>(invoiceClasses[0]);
  const [because, setBecause] = useState<InvoiceReason>("not-in-export");
  const [amount, setAmount] = useState(line.unexplained ?? "");
  const [note, setNote] = useState("");
  const stated = decimalOf(amount);
  const submit = async (): Promise<void> => {
    if (stated !== null && (await keep({ item, because, note: note.trim() === "" ? null : note.trim() }, stated))) onClose();
  };
  return (
    <FormDialog title={say("reconcile.explain")} onClose={onClose} onSave={() => void submit()} wrong={stated === null ? say("reconcile.amount.wrong") : null} isDisabled={stated === null}>
      <p className="prose">{say("reconcile.explain.text")}</p>
      <div className="form-grid">
        <Choice label={say("reconcile.class")} value={item} choices={[...invoiceClasses.map((id) => ({ id: id, text: say(`invoice-class.${id}`) })), ...line.numbers.flatMap(({ number }) => (number === null ? [] : [{ id: `invoice:${number}`, text: say("reconcile.number", { number }) }]))]} onChoose={setItem} />
        <Choice label={say("reconcile.because")} value={because} choices={invoiceReasons.map((id) => ({ id, text: say(`reconcile.reason.${id}`) }))} onChoose={setBecause} />
        <TextLine label={say("reconcile.amount", { currency: line.currency })} value={amount} onChange={setAmount} isInvalid={stated === null} isFirst />
        <TextLine label={say("close.comment")} value={note} onChange={setNote} />
      </div>
    </FormDialog>
  );
}

/** What the provider's own console calls the bases, so that both can be laid beside each other. */
function Console({ line }: { readonly line: Reconciliation }) {
  const speech = useSpeech();
  const { say } = speech;
  const id = useId();
  return (
    <div>
      <SectionHead id={id} title={say("console.title")} note={line.provider} />
      <table className="statement" aria-labelledby={id}>
        <tbody>
          {(["BilledCost", "EffectiveCost", "ContractedCost", "ListCost"] as const).map((basis) => (
            <tr key={basis}><th scope="row">{say(`pick.basis.${basis}`)}</th><td className="wrap">{say(`console.${consoleOf(line.provider)}.${basis}`)}</td></tr>
          ))}
          {line.explorer !== null && <tr><th scope="row">{say("connect.section")}</th><td>{say("console.explorer", { amount: amountIn(speech, line.explorer, line.currency) })}</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

function useInvoiceFile(found: (file: { readonly token: string; readonly preview: InvoiceImport }) => void): () => Promise<void> {
  const { client } = useLedger();
  const { error } = useSpeech();
  const tell = useNotice((store) => store.tell);
  return async () => {
    const chosen = await ask(client, "files.choose", { kind: "import" });
    const token = chosen.ok ? chosen.value[0]?.token : undefined;
    if (token === undefined) return;
    const preview = await ask(client, "invoices.import", { file: token, isPreview: true, by: null });
    if (preview.ok) found({ token, preview: preview.value });
    else tell({ text: error(preview.error).what, detail: error(preview.error).todo });
  };
}

function ImportForm({ file, onClose }: { readonly file: { readonly token: string; readonly preview: InvoiceImport }; readonly onClose: () => void }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const keep = useTell("invoices.import");
  const tell = useNotice((store) => store.tell);
  const { added, changed, same, invoices } = file.preview;
  const submit = async (): Promise<void> => {
    const result = await keep.tell({ file: file.token, isPreview: false, by: null });
    if (!result.ok) return;
    tell({ text: say("reconcile.imported", { count: added + changed }) });
    onClose();
  };
  return (
    <FormDialog title={say("reconcile.import")} onClose={onClose} onSave={() => void submit()} isBusy={keep.isBusy} error={keep.error} isWide>
      <p className="prose">{say("reconcile.import.text", { added: words.count(added), changed: words.count(changed), same: words.count(same) })}</p>
      <table className="statement" aria-label={say("reconcile.import")}>
        <thead><tr><th scope="col">{say("terminal.month")}</th><th scope="col">{say("scope.provider")}</th><th scope="col" className="n">{say("reconcile.before")}</th><th scope="col" className="n">{say("close.invoice")}</th></tr></thead>
        <tbody>
          {invoices.map(({ month, provider, currency, amount, before }) => (
            <tr key={`${month} ${provider} ${currency}`}><th scope="row">{words.period(month)}</th><td>{provider}</td><td className="n">{amountIn(speech, before, currency)}</td><td className="n">{amountIn(speech, amount, currency)}</td></tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  );
}

function negated(text: string): string | null {
  const attos = parseAmount(text)?.value ?? null;
  return attos === null ? null : formatAttos(-attos);
}
