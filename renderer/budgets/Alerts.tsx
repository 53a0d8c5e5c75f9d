import { useId, useState } from "react";
import type { BudgetAlertLine, BudgetStatus } from "../../shared/contract/teams.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { amountIn } from "../teams/amounts.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { periodText } from "./BurnDown.tsx";

const firstShown = 8;

/** The thresholds of one budget: which spoke, and which still wait. */
export function AlertLadder({ status }: { readonly status: BudgetStatus }) {
  const { say, words } = useSpeech();
  const id = useId();
  const { plan, alerts } = status;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("ladder.title")} note={say("ladder.note")} />
      {plan.thresholds.length === 0 ? <p className="note">{say("ladder.none")}</p> : (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("ladder.at")}</th><th scope="col">{say("ladder.state")}</th></tr></thead>
          <tbody>
            {plan.thresholds.map((threshold) => {
              const raised = alerts.find(({ threshold: { type, percent }, period }) => type === threshold.type && Number(percent) === Number(threshold.percent) && period === status.period);
              return (
                <tr key={`${threshold.type} ${threshold.percent}`}>
                  <th scope="row">{say(`threshold.${threshold.type}`, { ratio: words.ratio(Number(threshold.percent) / 100, { digits: 0 }) })}</th>
                  <td className={raised === undefined ? "muted" : undefined}>{raised === undefined ? say("ladder.waiting") : say("ladder.raised", { day: words.instant(raised.raisedAt, "day") })}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Every alert that spoke, with its reason and what is done about it. */
export function AlertLog({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const asked = useAsk("alerts.list", { onlyOpen: false });
  const [isAll, setAll] = useState(false);
  const [answering, setAnswering] = useState<BudgetAlertLine | null>(null);
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking") return null;
  const { alerts } = asked.value;
  const shown = isAll ? alerts : alerts.slice(0, firstShown);
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("alerts.title")} note={say("alert-log.note")}>
        {alerts.length > firstShown && <button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: alerts.length })}</button>}
      </SectionHead>
      {alerts.length === 0 ? <p className="note">{say("alert-log.none")}</p> : (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("column.raised")}</th><th scope="col">{say("column.budget-name")}</th><th scope="col">{say("column.budget-period")}</th><th scope="col">{say("column.threshold")}</th><th scope="col" className="n">{say("column.value")}</th><th scope="col" className="n">{say("column.budget")}</th><th scope="col">{say("column.owner")}</th><th scope="col">{say("column.reason")}</th><th scope="col">{say("column.action")}</th></tr></thead>
          <tbody>
            {shown.map((alert) => (
              <tr key={alert.id}>
                <th scope="row">{words.instant(alert.raisedAt, "day")}</th>
                <td>{alert.budgetName}</td>
                <td>{periodText(alert.period, words)}</td>
                <td>{say(`threshold.${alert.threshold.type}`, { ratio: words.ratio(Number(alert.threshold.percent) / 100, { digits: 0 }) })}</td>
                <td className="n">{amountIn(speech, alert.value, alert.unit)}</td>
                <td className="n">{amountIn(speech, alert.amount, alert.unit)}</td>
                <td>{alert.owner ?? <span className="muted">{say("field.nobody")}</span>}</td>
                <td className="reason" title={alert.reason ?? undefined}>{alert.reason}</td>
                <td className="reason" title={alert.action ?? undefined}>{alert.action}{!isReadOnly && <> <button type="button" className="link" aria-label={`${say(alert.reason === null ? "alert-log.answer" : "field.edit")} ${alert.budgetName}`} onClick={() => setAnswering(alert)}>{say(alert.reason === null ? "alert-log.answer" : "field.edit")}</button></>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {answering !== null && <AnswerForm key={answering.id} alert={answering} onClose={() => setAnswering(null)} />}
    </section>
  );
}

function AnswerForm({ alert, onClose }: { readonly alert: BudgetAlertLine; readonly onClose: () => void }) {
  const speech = useSpeech();
  const { say } = speech;
  const [reason, setReason] = useState(alert.reason ?? "");
  const [action, setAction] = useState(alert.action ?? "");
  const save = useTell("alert.answer");
  const tell = useNotice((store) => store.tell);
  const submit = async (): Promise<void> => {
    const result = await save.tell({ id: alert.id, reason: reason.trim(), action: action.trim(), by: null });
    if (!result.ok) return;
    tell({ text: say("alert-log.answered") });
    onClose();
  };
  const params = { name: alert.budgetName, value: amountIn(speech, alert.value, alert.unit), percent: alert.threshold.percent, budget: amountIn(speech, alert.amount, alert.unit), period: periodText(alert.period, speech.words), owner: alert.owner ?? say("field.nobody") };
  return (
    <FormDialog title={say("alert-log.title", { name: alert.budgetName })} onClose={onClose} onSave={() => void submit()} isBusy={save.isBusy} isDisabled={reason.trim() === "" || action.trim() === ""} error={save.error}>
      <p className="prose">{say(`alert.${alert.threshold.type}`, params)}</p>
      <TextLine label={say("alert-log.reason")} value={reason} onChange={setReason} isLong isFirst />
      <TextLine label={say("alert-log.action")} value={action} onChange={setAction} isLong />
    </FormDialog>
  );
}
