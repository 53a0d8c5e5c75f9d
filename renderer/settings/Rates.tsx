import { useId, useState } from "react";
import type { RateImport, RatePair } from "../../shared/contract/rates.ts";
import { useLedger } from "../ledger/LedgerProvider.tsx";
import { asked as ask, useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { isDay } from "../teams/amounts.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

/** The person's rates between currencies: the newest of each pair, a file to import, one to enter. */
export function Rates({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const { say, words } = useSpeech();
  const id = useId();
  const asked = useAsk("rates.list", {});
  const [file, setFile] = useState<{ readonly token: string; readonly preview: RateImport } | null>(null);
  const [entry, setEntry] = useState<RatePair | "new" | null>(null);
  const choose = useRateFile(setFile);
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("rates.title")} note={say("rates.note")}>
        {!isReadOnly && <span className="row-actions"><button type="button" className="link" onClick={() => setEntry("new")}>{say("rates.enter")}</button><button type="button" className="link" onClick={() => void choose()}>{say("rates.import")}</button></span>}
      </SectionHead>
      {asked.state === "refused" && asked.error.code !== "ledger.none-open" && <Refused error={asked.error} />}
      {asked.state === "answered" && asked.value.pairs.length === 0 && <p className="prose">{say("rates.none")}</p>}
      {asked.state === "answered" && asked.value.pairs.length > 0 && (
        <div className="rates-list">
          <table className="statement" aria-labelledby={id}>
            <thead><tr><th scope="col">{say("rates.pair")}</th><th scope="col" className="n">{say("rates.newest")}</th><th scope="col">{say("rates.of-day")}</th><th scope="col" className="n">{say("rates.days")}</th><th scope="col">{say("rates.source")}</th></tr></thead>
            <tbody>
              {asked.value.pairs.map((pair) => (
                <tr key={`${pair.base} ${pair.quote}`}>
                  <th scope="row">{isReadOnly ? `${pair.base}/${pair.quote}` : <button type="button" className="link" onClick={() => setEntry(pair)}>{pair.base}/{pair.quote}</button>}</th>
                  <td className="n">{pair.lastRate}</td><td>{words.instant(`${pair.lastDay}T00:00:00Z`, "day")}</td><td className="n">{words.count(pair.days)}</td><td>{pair.source}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="prose">{say("rates.rule")}</p>
      {file !== null && <ImportForm file={file} onClose={() => setFile(null)} />}
      {entry !== null && <RateForm pair={entry === "new" ? null : entry} onClose={() => setEntry(null)} />}
    </section>
  );
}

function useRateFile(found: (file: { readonly token: string; readonly preview: RateImport }) => void): () => Promise<void> {
  const { client } = useLedger();
  const { error } = useSpeech();
  const tell = useNotice((store) => store.tell);
  return async () => {
    const chosen = await ask(client, "files.choose", { kind: "import" });
    const token = chosen.ok ? chosen.value[0]?.token : undefined;
    if (token === undefined) return;
    const preview = await ask(client, "rates.import", { file: token, base: "EUR", isPreview: true, by: null });
    if (preview.ok) found({ token, preview: preview.value });
    else tell({ text: error(preview.error).what, detail: error(preview.error).todo });
  };
}

function ImportForm({ file: { token, preview: first }, onClose }: { readonly file: { readonly token: string; readonly preview: RateImport }; readonly onClose: () => void }) {
  const { say, words } = useSpeech();
  const [base, setBase] = useState("EUR");
  const again = useAsk("rates.import", /^[A-Z]{3}$/.test(base) ? { file: token, base, isPreview: true, by: null } : null);
  const keep = useTell("rates.import");
  const tell = useNotice((store) => store.tell);
  const preview = again.state === "answered" ? again.value : first;
  const submit = async (): Promise<void> => {
    const result = await keep.tell({ file: token, base, isPreview: false, by: null });
    if (!result.ok) return;
    tell({ text: say("rates.kept") });
    onClose();
  };
  return (
    <FormDialog title={say("rates.import")} onClose={onClose} onSave={() => void submit()} isBusy={keep.isBusy} isDisabled={again.state !== "answered"} error={keep.error ?? (again.state === "refused" ? again.error : null)}>
      <p className="prose">{say("rates.import.text", { added: words.count(preview.added), changed: words.count(preview.changed), same: words.count(preview.same) })}</p>
      <TextLine label={say("rates.base")} value={base} onChange={(text) => setBase(text.toUpperCase())} />
    </FormDialog>
  );
}

function RateForm({ pair, onClose }: { readonly pair: RatePair | null; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const [base, setBase] = useState(pair?.base ?? "");
  const [quote, setQuote] = useState(pair?.quote ?? "");
  const [day, setDay] = useState(pair?.lastDay ?? new Date().toISOString().slice(0, 10));
  const [rate, setRate] = useState(pair?.lastRate ?? "");
  const [source, setSource] = useState("");
  const [isTried, setTried] = useState(false);
  const save = useTell("rate.save");
  const tell = useNotice((store) => store.tell);
  const isRight = base.trim() !== "" && quote.trim() !== "" && base.trim() !== quote.trim() && isDay(day) && /^\d{1,12}(\.\d{1,18})?$/.test(rate.trim()) && /[1-9]/.test(rate);
  const submit = async (kept: string | null): Promise<void> => {
    setTried(true);
    if (!isRight) return;
    const result = await save.tell({ base: base.trim(), quote: quote.trim(), day, rate: kept, source: source.trim() === "" ? null : source.trim(), by: null });
    if (!result.ok) return;
    tell({ text: say("rates.kept") });
    onClose();
  };
  return (
    <FormDialog title={say("rates.enter")} onClose={onClose} onSave={() => void submit(rate.trim())} isBusy={save.isBusy} error={save.error} wrong={isTried && !isRight ? say("rates.wrong") : null} aside={pair !== null && <button type="button" className="link" onClick={() => void submit(null)}>{say("rates.remove")}</button>}>
      <div className="form-grid">
        <TextLine label={say("rates.base")} value={base} onChange={(text) => setBase(text.toUpperCase())} isFirst hint="USD" />
        <TextLine label={say("rates.quote")} value={quote} onChange={(text) => setQuote(text.toUpperCase())} hint="CNY" />
        <TextLine label={say("rates.day")} value={day} onChange={setDay} />
        <TextLine label={say("rates.rate")} value={rate} onChange={setRate} hint="7.1234" />
        <TextLine label={say("rates.from-where")} value={source} onChange={setSource} />
      </div>
    </FormDialog>
  );
}
