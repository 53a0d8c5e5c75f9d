import { useState } from "react";
import type { BudgetPlan } from "../../shared/contract/teams.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import { useTell } from "../ledger/useAsk.ts";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { amountIn, decimalOf } from "../teams/amounts.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { unitOf } from "./BudgetTree.tsx";

interface MoveProps {
  readonly from: BudgetPlan;
  readonly plans: readonly BudgetPlan[];
  /** The month that is proposed. */
  readonly month: string;
  readonly onClose: () => void;
}

/** Moves a part of one month's budget to another budget of the same unit, with the reason; the change log keeps both. */
export function MoveBudget({ from, plans, month: proposed, onClose }: MoveProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const unit = unitOf({ plan: from });
  const targets = plans.filter(({ id, kind, currency }) => id !== from.id && kind === from.kind && currency === from.currency);
  const months = Object.keys(from.months).sort();
  const [to, setTo] = useState(String(targets[0]?.id ?? ""));
  const [month, setMonth] = useState(months.includes(proposed) ? proposed : (months.at(-1) ?? proposed));
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const [isTried, setTried] = useState(false);
  const move = useTell("budget.move");
  const tell = useNotice((store) => store.tell);
  const has = from.months[month] ?? null;
  const typed = decimalOf(amount);
  const [wanted, there] = [typed, has].map((text) => (text === null ? null : (parseAmount(text)?.value ?? null)));
  const fits = wanted !== null && wanted !== undefined && there !== null && there !== undefined && wanted > 0n && wanted <= there;
  const isWrong = to === "" || !fits || reason.trim() === "";
  const submit = async (): Promise<void> => {
    setTried(true);
    if (isWrong || typed === null) return;
    const result = await move.tell({ from: from.id, to: Number(to), month, amount: typed, reason: reason.trim(), by: null });
    if (!result.ok) return;
    tell({ text: say("move.done", { amount: amountIn(speech, typed, unit), name: targets.find(({ id }) => String(id) === to)?.name ?? "" }) });
    onClose();
  };
  return (
    <FormDialog title={say("move.title", { name: from.name })} onClose={onClose} onSave={() => void submit()} saveLabel={say("move.do")} isBusy={move.isBusy} isDisabled={targets.length === 0} error={move.error} wrong={isTried && isWrong ? say("move.wrong") : null}>
      {targets.length === 0 ? <p className="prose">{say("move.nowhere")}</p> : (
        <>
          <div className="form-grid">
            <Choice label={say("move.to")} value={to} choices={targets.map(({ id, name }) => ({ id: String(id), text: name }))} onChoose={setTo} />
            <Choice label={say("move.month")} value={month} choices={months.map((label) => ({ id: label, text: words.period(label) }))} onChoose={setMonth} />
            <TextLine label={say("move.amount", { has: amountIn(speech, has, unit) })} value={amount} onChange={setAmount} isInvalid={isTried && !fits} isFirst />
          </div>
          <TextLine label={say("move.reason")} value={reason} onChange={setReason} isInvalid={isTried && reason.trim() === ""} isLong />
        </>
      )}
    </FormDialog>
  );
}
