import { useId, useState } from "react";
import { Checkbox } from "react-aria-components";
import type { FactorsDifference, FactorsImport } from "../../shared/contract/carbon.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useNotice } from "../state/notice.ts";
import { FormDialog } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { kilogramsText } from "./amounts.ts";

type Pending = { readonly kind: "import"; readonly token: string; readonly preview: FactorsImport } | { readonly kind: "remove"; readonly id: number; readonly name: string; readonly differences: readonly FactorsDifference[] };

/** The company's own factors, which beat those shipped: contracts, certificates, residual mixes, its own PUE and meters. */
export function OwnFactors({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const { say, words, error } = useSpeech();
  const id = useId();
  const asked = useAsk("factors.list", {});
  const [pending, setPending] = useState<Pending | null>(null);
  const choose = useTell("files.choose");
  const read = useTell("factors.import");
  const remove = useTell("factors.remove");
  const tell = useNotice((store) => store.tell);
  const complain = (trouble: Parameters<typeof error>[0]): void => tell({ text: error(trouble).what, detail: error(trouble).todo });
  const pick = async (): Promise<void> => {
    const files = await choose.tell({ kind: "import" });
    if (!files.ok) return complain(files.error);
    const [file] = files.value;
    if (file === undefined) return;
    const preview = await read.tell({ file: file.token, isPreview: true, restate: false, by: null });
    if (!preview.ok) return complain(preview.error);
    setPending({ kind: "import", token: file.token, preview: preview.value });
  };
  const askRemove = async (factor: number, name: string): Promise<void> => {
    const preview = await remove.tell({ id: factor, isPreview: true, restate: false, by: null });
    if (!preview.ok) return complain(preview.error);
    setPending({ kind: "remove", id: factor, name, differences: preview.value.differences });
  };
  const factors = asked.state === "answered" ? asked.value.factors : [];
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("carbon-page.factors")} note={say("carbon-page.factors.note")}>
        {!isReadOnly && <button type="button" className="link" onClick={() => void pick()}>{say("carbon-page.factors.import")}</button>}
      </SectionHead>
      {asked.state === "answered" && factors.length === 0 && <p className="context">{say("carbon-page.factors.none")}</p>}
      {factors.length > 0 && (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("carbon.column.factor")}</th><th scope="col">{say("carbon-page.factors.for")}</th><th scope="col" className="n">{say("carbon.column.value")}</th><th scope="col">{say("carbon.column.unit")}</th><th scope="col">{say("carbon-page.factors.span")}</th><th scope="col">{say("carbon.column.source")}</th><th scope="col">{say("carbon-page.factors.file")}</th>{!isReadOnly && <td />}</tr></thead>
          <tbody>
            {factors.map((factor) => {
              const place = [factor.provider, factor.region, factor.subject].filter((part) => part !== null).join(" · ");
              return (
                <tr key={factor.id}>
                  <th scope="row">{say(`carbon.factor.${factor.kind}` as "carbon.factor.grid")}</th>
                  <td>{place === "" ? say("carbon-page.factors.any") : place}</td>
                  <td className="n">{factor.value}{factor.share === null ? "" : ` × ${factor.share}`}</td>
                  <td>{say(`carbon.unit.${factor.kind}` as "carbon.unit.grid")}</td>
                  <td>{spanText(factor.fromMonth, factor.toMonth, words.period, say("carbon-page.factors.always"))}</td>
                  <td>{factor.source}</td>
                  <td title={say("carbon-page.factors.line", { line: String(factor.line) })}>{factor.file}</td>
                  {!isReadOnly && <td className="n"><button type="button" className="link" onClick={() => void askRemove(factor.id, say(`carbon.factor.${factor.kind}` as "carbon.factor.grid"))}>{say("carbon-page.factors.remove")}</button></td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {pending !== null && <RestateForm pending={pending} onClose={() => setPending(null)} />}
    </section>
  );
}

function spanText(from: string | null, to: string | null, period: (label: string) => string, always: string): string {
  if (from === null && to === null) return always;
  return `${from === null ? "…" : period(from)} – ${to === null ? "…" : period(to)}`;
}

/** What a change of factors does to the figures, month by month; closed months change only when that is said outright. */
function RestateForm({ pending, onClose }: { readonly pending: Pending; readonly onClose: () => void }) {
  const { say, words, error } = useSpeech();
  const [restates, setRestates] = useState(false);
  const read = useTell("factors.import");
  const remove = useTell("factors.remove");
  const tell = useNotice((store) => store.tell);
  const differences = pending.kind === "import" ? pending.preview.differences : pending.differences;
  const isClosed = differences.some((difference) => difference.isClosed);
  const submit = async (): Promise<void> => {
    if (pending.kind === "import") {
      const done = await read.tell({ file: pending.token, isPreview: false, restate: restates, by: null });
      if (!done.ok) return;
      tell({ text: say("carbon-page.factors.kept", { count: done.value.added, file: done.value.file }) });
    } else {
      const done = await remove.tell({ id: pending.id, isPreview: false, restate: restates, by: null });
      if (!done.ok) return;
      tell({ text: say("carbon-page.factors.removed", { name: pending.name }) });
    }
    onClose();
  };
  const isEmpty = pending.kind === "import" && pending.preview.added === 0;
  return (
    <FormDialog
      title={pending.kind === "import" ? say("carbon-page.factors.form", { file: pending.preview.file }) : say("carbon-page.factors.remove-form", { name: pending.name })}
      onClose={onClose}
      onSave={() => void submit()}
      saveLabel={say(pending.kind === "import" ? "carbon-page.factors.take" : "carbon-page.factors.remove")}
      isBusy={read.isBusy || remove.isBusy}
      isDisabled={isEmpty || (isClosed && !restates)}
      error={read.error ?? remove.error}
      isWide
    >
      {pending.kind === "import" && <p className="prose">{say("carbon-page.factors.counts", { added: words.count(pending.preview.added), same: words.count(pending.preview.same), aside: words.count(pending.preview.setAside.length) })}</p>}
      {pending.kind === "import" && pending.preview.setAside.slice(0, 5).map((trouble, index) => <p key={index} className="prose">{error(trouble).what}</p>)}
      {differences.length === 0 ? <p className="prose">{say("carbon-page.factors.nothing")}</p> : (
        <table className="statement" aria-label={say("carbon-page.factors.differences")}>
          <thead><tr><th scope="col">{say("esg.column.month")}</th><th scope="col" className="n">{say("carbon-page.factors.location-before")}</th><th scope="col" className="n">{say("carbon-page.factors.after")}</th><th scope="col" className="n">{say("carbon-page.factors.market-before")}</th><th scope="col" className="n">{say("carbon-page.factors.after")}</th></tr></thead>
          <tbody>
            {differences.map(({ month, isClosed: closed, locationBefore, locationAfter, marketBefore, marketAfter }) => (
              <tr key={month}>
                <th scope="row">{words.period(month)}{closed && <> <span className="first-note">{say("esg.state.closed")}</span></>}</th>
                <td className="n">{kilogramsText(locationBefore, words)}</td>
                <td className="n">{kilogramsText(locationAfter, words)}</td>
                <td className="n">{kilogramsText(marketBefore, words)}</td>
                <td className="n">{kilogramsText(marketAfter, words)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isClosed && <Checkbox className="check" isSelected={restates} onChange={setRestates}><i aria-hidden="true" /><span>{say("carbon-page.factors.restate")}</span></Checkbox>}
    </FormDialog>
  );
}
