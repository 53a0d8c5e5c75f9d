import { useEffect } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { Explanation, FigureRef } from "../../shared/contract/report.ts";
import { settledExplanation } from "../../shared/contract/table.ts";
import type { Figure } from "../../shared/domain/figure.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { useNotice } from "../state/notice.ts";
import { usePanel } from "../state/panel.ts";
import { addressOf, useView, viewOf } from "../state/view.ts";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { copyText } from "./copy.ts";
import { RowsDialog } from "./RowsDialog.tsx";
import { Statement } from "./Statement.tsx";
import { Refused } from "./states.tsx";

/** Explains one number beside the page: formula, inputs with their basis, splits, coverage, sources, and the way to its rows. */
export function ExplainPanel() {
  const { say } = useSpeech();
  const explained = usePanel((panel) => panel.explained);
  const rowsOf = usePanel((panel) => panel.rowsOf);
  const close = usePanel((panel) => panel.close);
  useEffect(closeOnStrayEscape, []);
  return (
    <>
      {explained !== null && <div className="veil" aria-hidden="true" />}
      <ModalOverlay className="explain-overlay" isDismissable isOpen={explained !== null} onOpenChange={(isOpen) => !isOpen && close()}>
        <Modal className="explain">
          <Dialog>
            {explained !== null && <Explained reference={explained.ref} figure={explained.figure} onClose={close} />}
          </Dialog>
        </Modal>
      </ModalOverlay>
      {rowsOf !== null && <RowsDialog reference={rowsOf} title={say("rows.title")} />}
    </>
  );
}

/**
 * Closes the topmost of the two on an Escape that no dialog took. A dialog that has just closed hands the focus back
 * with the next frame; a second Escape pressed before that falls on the page itself, and would be lost.
 */
function closeOnStrayEscape(): () => void {
  const take = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const { explained, rowsOf, closeRows, close } = usePanel.getState();
    if (rowsOf !== null) closeRows();
    else if (explained !== null) close();
  };
  document.addEventListener("keydown", take);
  return () => document.removeEventListener("keydown", take);
}

function Explained({ reference, figure, onClose }: { readonly reference: FigureRef; readonly figure: Figure; readonly onClose: () => void }) {
  const speech = useSpeech();
  const { say } = speech;
  const asked = useAsk("figure.explain", reference);
  const showRows = usePanel((panel) => panel.showRows);
  const tell = useNotice((store) => store.tell);
  const copy = async (explanation: Explanation): Promise<void> => {
    const text = explanationText(explanation, speech);
    if (await copyText(text)) tell({ text: say("panel.copied") });
  };
  return (
    <>
      <div className="explain-body">
        <div className="explain-top">
          <span>{say("panel.this")}</span>
          <button type="button" className="figure" onClick={onClose}><span aria-hidden="true">Esc</span><span className="for-readers">{say("action.close")}</span></button>
        </div>
        {asked.state === "asking" && <><Heading slot="title" level={2}>{say("panel.this")}</Heading><p className="context" role="status">{say("state.asking")}</p></>}
        {asked.state === "refused" && <><Heading slot="title" level={2}>{say("panel.this")}</Heading><Refused error={asked.error} /></>}
        {asked.state === "answered" && <ExplanationView explanation={settledExplanation(asked.value, figure)} />}
      </div>
      <div className="explain-foot">
        {asked.state === "answered" && (
          <>
            {asked.value.rowCount > 0 && <button type="button" className="link main" onClick={() => showRows(reference)}>{say("panel.show-rows", { count: asked.value.rowCount })}</button>}
            <button type="button" className="link" onClick={() => void copy(asked.value)}>{say("action.copy")}</button>
          </>
        )}
        <span className="small muted">{say("panel.hint")}</span>
      </div>
    </>
  );
}

function ExplanationView({ explanation }: { readonly explanation: Explanation }) {
  const { words, say } = useSpeech();
  const { figure, range } = explanation;
  const value = words.figure(figure);
  const exact = exactText(figure, words);
  return (
    <>
      <Heading slot="title" level={2}>{words.text(explanation.title)}</Heading>
      <div className="explain-value">
        {value}
        {exact !== null && <span>{say("panel.exact", { value: exact })}</span>}
        {range !== null && <span>{say("panel.range", { low: words.figure(range.low), high: words.figure(range.high) })}</span>}
        {figure.value === null && figure.why !== undefined && <span>{words.unknown(figure.why)}</span>}
      </div>
      <p className="explain-what">{words.text(explanation.what)}</p>

      <h3>{say("panel.formula")} <MethodLink section={explanation.method} /></h3>
      <div className="formula">{words.text(explanation.formula)}</div>
      {explanation.inputs.length > 0 && (
        <table className="statement" aria-label={say("panel.inputs")}>
          <thead><tr><th scope="col">{say("panel.input")}</th><th scope="col" className="n">{say("panel.value")}</th><th scope="col">{say("panel.basis")}</th></tr></thead>
          <tbody>
            {explanation.inputs.map((input, index) => (
              <tr key={index}><th scope="row">{words.text(input.label)}</th><td className="n">{preciseText(input.figure, words)}</td><td><BasisMark figure={input.figure} /></td></tr>
            ))}
            <tr className="total"><th scope="row">{words.text(explanation.title)}</th><td className="n">{preciseText(figure, words)}</td><td><BasisMark figure={figure} /></td></tr>
          </tbody>
        </table>
      )}

      {explanation.splits.map((split) => (
        <section key={split.id}>
          <h3>{words.text(split.title)}</h3>
          <Statement block={{ ...split, columns: split.columns.map((column) => ({ ...column, priority: column.priority === 3 ? 3 : 1 })) }} label={words.text(split.title)} className="tight" />
        </section>
      ))}

      <h3>{say("panel.coverage")}</h3>
      <div className="coverage-bar" aria-hidden="true"><i style={{ width: `${(Math.max(0, Math.min(1, figure.coverage)) * 100).toFixed(2)}%` }} /></div>
      <p className="note">{words.text(explanation.coverage)}</p>

      {explanation.notInIt.length > 0 && <><h3>{say("panel.not-in-it")}</h3><ul className="note">{explanation.notInIt.map((message, index) => <li key={index}>{words.text(message)}</li>)}</ul></>}
      {explanation.assumptions.length > 0 && <><h3>{say("panel.assumptions")}</h3><ul className="note">{explanation.assumptions.map((message, index) => <li key={index}>{words.text(message)}</li>)}</ul></>}
      {explanation.sources.length > 0 && (
        <>
          <h3>{say("panel.sources")}</h3>
          <table className="statement tight" aria-label={say("panel.sources")}>
            <tbody>
              {explanation.sources.map((source) => (
                <tr key={`${source.batch} ${source.file}`}>
                  <th scope="row" className="file" title={`${source.format}, sha256 ${source.sha256}`}>{source.file}</th>
                  <td className="n">{say("panel.source-rows", { count: source.rows })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  );
}

/** The way to the page of the help that works the formula through with small numbers. */
function MethodLink({ section }: { readonly section: string }) {
  const { say } = useSpeech();
  const view = useView();
  return <a className="link" href={addressOf({ ...viewOf(view), screen: "help", help: `method/${section}` })}>{say("help.worked-out")}</a>;
}

function BasisMark({ figure }: { readonly figure: Figure }) {
  const { say } = useSpeech();
  return <><i className={`basis-mark ${figure.basis}`} aria-hidden="true" />{say(`panel.basis.${figure.basis}`)}</>;
}

/** An amount to its last digit, where the figure shows fewer; null for figures that show all, and for what was divided. */
function exactText(figure: Figure, words: Speech["words"]): string | null {
  if (typeof figure.value !== "bigint" || figure.unit.includes("/")) return null;
  const fraction = (figure.value < 0n ? -figure.value : figure.value).toString().padStart(19, "0").slice(-18).replace(/0+$/, "");
  return fraction.length <= 2 ? null : words.figure(figure, { digits: fraction.length });
}

/** Inputs are shown finer than the figure, so that it can be worked out again by hand. */
function preciseText(figure: Figure, words: Speech["words"]): string {
  const { value, unit } = figure;
  if (typeof value === "bigint") return words.figure(figure, unit.includes("/") ? { digits: 4 } : {});
  if (value !== null && unit === "ratio") return words.ratio(value, { digits: 3 });
  if (value !== null && (unit === "gpu-hours" || unit === "hours") && !Number.isInteger(value)) return words.number(value, { digits: 2 });
  return words.figure(figure);
}

function explanationText(explanation: Explanation, { words, say }: Speech): string {
  const lines = [
    `${words.text(explanation.title)}\t${words.figure(explanation.figure)}`,
    words.text(explanation.what),
    `${say("panel.formula")}\t${words.text(explanation.formula)}`,
    ...explanation.inputs.map(({ label, figure }) => `${words.text(label)}\t${preciseText(figure, words)}\t${say(`panel.basis.${figure.basis}`)}`),
    words.text(explanation.coverage),
    ...explanation.sources.map(({ file, sha256, rows }) => `${file}\t${rows}\t${sha256}`),
  ];
  return lines.join("\n");
}
