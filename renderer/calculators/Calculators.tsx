import { useId } from "react";
import { calculatorFields, calculatorIds, type CalculatorAnswer } from "../../shared/contract/calculators.ts";
import { answerText, shownValue, whyUnknown } from "../../shared/contract/calculator-text.ts";
import type { LedgerStatus, MethodInput } from "../../shared/contract/methods.ts";
import type { Words } from "../../shared/contract/words.ts";
import { convertedTo } from "../../shared/domain/currency.ts";
import { monthsOf, parsePeriod } from "../../shared/domain/period.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { copyText } from "../parts/copy.ts";
import { periodOf } from "../reports/useReport.ts";
import { exampleOf, useCalculators } from "../state/calculators.ts";
import { useNotice } from "../state/notice.ts";
import { useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { calculationCommand } from "./command.ts";
import { Field } from "./Field.tsx";
import { Results } from "./Results.tsx";

/** Ten calculators, one at a time: what is known on the left, what follows from it beside. */
export function Calculators({ status }: { readonly status: LedgerStatus }) {
  const { say, words, language, error } = useSpeech();
  const { chosen, typed, log, choose, type, read } = useCalculators();
  const view = useView();
  const tell = useNotice((store) => store.tell);
  const info = useAsk("app.info", {});
  const period = parsePeriod(periodOf(view, status) ?? "");
  const month = period === null ? null : (monthsOf(period).at(-1) ?? null);
  const asked = useAsk("calculator.facts", { month });
  const facts = asked.state === "answered" ? asked.value : null;
  const own = typed[chosen];
  const inputs = own ?? exampleOf(chosen, facts?.models ?? []);
  const question: MethodInput<"calculator.run"> = {
    calculator: chosen,
    inputs: Object.fromEntries(Object.entries(inputs).filter(([, value]) => value.trim() !== "")),
    currency: view.currency,
    month,
    log: chosen === "spot" ? (log?.token ?? null) : null,
  };
  const answer = useAsk("calculator.run", facts === null ? null : question);
  const wrong = answer.state === "refused" && "field" in answer.error.params ? [answer.error.params.field, ..."other" in answer.error.params ? [answer.error.params.other] : []] : [];
  const [formId, resultId] = [useId(), useId()];
  const copy = async (): Promise<void> => {
    const command = calculationCommand(question, { ledgerName: status.name, logName: question.log === null ? null : (log?.name ?? null), language, isPackaged: info.state === "answered" && info.value.isPackaged });
    tell({ text: say((await copyText(command)) ? "command.copied" : "command.shown"), detail: command });
  };
  const copyResults = async (results: CalculatorAnswer): Promise<void> => {
    const text = answerText(results, words);
    tell((await copyText(text)) ? { text: say("calc.copied") } : { text: say("calc.not-copied"), detail: text });
  };
  const shownWrong = answer.state === "refused" ? error(answer.error) : null;
  return (
    <div className="calculators">
      <div className="page-head">
        <h1>{say("calc.title")}</h1>
        <span className="actions">
          <button type="button" className="link" onClick={() => void copy()}>{say("action.copy-command")}</button>
          {answer.state === "answered" && <button type="button" className="link" onClick={() => void copyResults(answer.value)}>{say("calc.copy")}</button>}
        </span>
      </div>
      <p className="answer"><output>{answer.state === "answered" && answer.value.calculator === chosen ? answerOf(answer.value, words) : say(`calc.what.${chosen}`)}</output></p>
      <p className="context">{say("calc.note")}</p>
      <div className="calc-frame">
        <ul className="calc-list" aria-label={say("calc.choose")}>
          {calculatorIds.map((id) => (
            <li key={id}><button type="button" aria-current={id === chosen ? "true" : undefined} onClick={() => choose(id)}>{say(`calc.name.${id}`)}</button></li>
          ))}
        </ul>
        <section className="calc-form" aria-labelledby={formId}>
          <h2 id={formId}>{say(`calc.what.${chosen}`)}</h2>
          <p className="calc-hint">
            <span>{own === null ? say("calc.is-example") : say("calc.inputs.note", { currency: convertedTo(view.currency) ?? view.currency ?? facts?.currency ?? "" })}</span>
            {own === null ? <button type="button" className="link" onClick={() => { type(chosen, {}); read(null); }}>{say("calc.clear")}</button> : <button type="button" className="link" onClick={() => type(chosen, null)}>{say("calc.example")}</button>}
          </p>
          <div className="calc-fields">
            {calculatorFields[chosen].map((field) => (
              <Field key={`${chosen} ${field.id}`} field={field} value={inputs[field.id] ?? (field.kind === "choice" ? (field.initial ?? "") : "")} facts={facts} log={log} isWrong={wrong.includes(field.id)} onChange={(value) => type(chosen, { ...inputs, [field.id]: value })} onLog={read} />
            ))}
          </div>
        </section>
        <section className="calc-results" aria-labelledby={resultId} aria-busy={answer.state === "answered" && answer.isOld}>
          <h2 id={resultId}>{say("calc.results")}{answer.state === "answered" && answer.value.month !== null && <small>{say("calc.in-month", { month: words.period(answer.value.month) })}</small>}</h2>
          {answer.state === "asking" && <p className="muted" role="status">{say("calc.asking")}</p>}
          {shownWrong !== null && <div className="calc-refused" role="status"><p><span aria-hidden="true" className="alert-mark">▲</span> {shownWrong.what}</p><p>{shownWrong.todo}</p></div>}
          {answer.state === "answered" && answer.value.calculator === chosen && <Results answer={answer.value} labelledBy={resultId} />}
        </section>
        <div className="calc-truth">
          <h2>{say("calc.formula")}</h2>
          <p className="formula">{say(`calc.formula.${chosen}`)}</p>
          <h2>{say("calc.true")}</h2>
          <p>{say(`calc.true.${chosen}`)}</p>
          <a className="link" href={`#/help/calculators/${chosen}`}>{say("calc.more")}</a>
        </div>
      </div>
    </div>
  );
}

/** The main result as a sentence; what is missing for it where it is not known. */
function answerOf({ calculator, currency, lines }: CalculatorAnswer, words: Words): string {
  const [main, other] = lines.filter(({ isMain }) => isMain);
  if (main === undefined || main.shown === null) return words.say("calc.answer.unknown", { why: main === undefined ? "" : whyUnknown(main, words) });
  return words.say(`calc.answer.${calculator}`, { value: shownValue(main.shown, currency, words), other: shownValue(other?.shown ?? null, currency, words) });
}
