import type { CalculatorAnswer } from "../../shared/contract/calculators.ts";
import { catalogText, shownValue, whyUnknown } from "../../shared/contract/calculator-text.ts";
import { dash } from "../../shared/contract/words.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** What follows: the results with their basis, then what is true of this very result. */
export function Results({ answer, labelledBy }: { readonly answer: CalculatorAnswer; readonly labelledBy: string }) {
  const { words, say } = useSpeech();
  const { calculator, currency, lines, table, notes, inputs } = answer;
  const catalog = inputs.filter(({ from }) => from === "catalog");
  return (
    <>
      <table className="statement calc-lines" aria-labelledby={labelledBy}>
        <thead><tr><th scope="col">{say("calc.line.head")}</th><th scope="col" className="n">{say("calc.value.head")}</th><th scope="col">{say("calc.basis.head")}</th></tr></thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id} className={line.isMain ? "calc-main" : undefined}>
              <th scope="row">{words.say(`calc.line.${calculator}.${line.id}`)}</th>
              <td className="n">{line.shown === null ? <Unknown why={whyUnknown(line, words)} /> : shownValue(line.shown, currency, words)}</td>
              <td className="calc-basis">{line.shown === null ? null : <><i className={`basis-mark ${line.basis}`} aria-hidden="true" />{say(`panel.basis.${line.basis}`)}</>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {table !== null && <Rows answer={answer} table={table} />}
      {(notes.length > 0 || catalog.length > 0) && (
        <ul className="calc-notes" aria-label={say("calc.of-result")}>
          {notes.map((note) => <li key={note.key}>{words.parts(note).map(({ text, strong }, index) => (strong ? <b key={index}>{text}</b> : text))}</li>)}
          {catalog.length > 0 && <li className="muted">{catalog.map((input) => catalogText(input, words)).join(say("calc.list-end"))}</li>}
        </ul>
      )}
    </>
  );
}

function Unknown({ why }: { readonly why: string }) {
  return <span className="unknown" title={why}><span aria-hidden="true">{dash}</span><span className="for-readers">{why}</span></span>;
}

/** Stages or checks beside each other. */
function Rows({ answer, table }: { readonly answer: CalculatorAnswer; readonly table: NonNullable<CalculatorAnswer["table"]> }) {
  const { words } = useSpeech();
  const isText = (column: string): boolean => ["billing", "check", "state", "stage", "entry-test"].includes(column);
  return (
    <table className="statement calc-rows" aria-label={words.say(`calc.name.${answer.calculator}`)}>
      <thead><tr>{table.columns.map((column) => <th key={column} scope="col" className={isText(column) ? undefined : "n"}>{words.say(`calc.column.${column}`)}</th>)}</tr></thead>
      <tbody>
        {table.rows.map((row) => (
          <tr key={row.id} data-calc-tone={row.tone}>
            {row.cells.map((cell, index) => {
              const column = table.columns[index] ?? "";
              const text = shownValue(cell, answer.currency, words);
              const content = column === "state" ? <><i className="calc-mark" aria-hidden="true" />{text}</> : cell === null ? <span className="unknown">{text}</span> : text;
              return index === 0 ? <th key={column} scope="row">{content}</th> : <td key={column} className={isText(column) ? (column === "entry-test" ? "said" : undefined) : "n"}>{content}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
