import { useMemo, useState } from "react";
import { Checkbox, CheckboxGroup, Label } from "react-aria-components";
import { priceText, pullParts, type PullOutcome, type PullPart, type PullPlan } from "../../shared/contract/connect.ts";
import { useLedgerEvent } from "../ledger/LedgerProvider.tsx";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { ProgressBar, Refused } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { usePulls } from "../state/pulls.ts";
import { FormDialog, NameField, TextLine } from "../teams/fields.tsx";
import { useSpeech, type Speech } from "../words/WordsProvider.tsx";

/** What to ask of Cost Explorer, what that costs, and the agreement to it. Nothing is sent before. */
export function PullDialog({ onClose }: { readonly onClose: () => void }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const periods = useMemo(() => pullPeriods(new Date()), []);
  const [period, setPeriod] = useState(periods[1] ?? periods[0] ?? "");
  const [profile, setProfile] = useState("");
  const [parts, setParts] = useState<readonly PullPart[]>(["costs"]);
  const [isRefresh, setRefresh] = useState(false);
  const [mostTyped, setMost] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<PullOutcome | null>(null);
  const profiles = useAsk("connect.profiles", {});
  const wish = { period, profile: profile.trim() === "" ? null : profile.trim(), parts: [...parts], isRefresh };
  const planned = useAsk("connect.plan", parts.length === 0 ? null : wish);
  const pull = useTell("connect.pull");
  const cancel = useTell("connect.cancel");
  const tell = useNotice((store) => store.tell);
  const progress = usePulls((store) => store.progress);
  useLedgerEvent("connect.progress", usePulls((store) => store.hear));
  const rest = usePulls((store) => store.rest);

  const plan = parts.length > 0 && planned.state === "answered" ? planned.value : null;
  const most = mostTyped === null ? (plan?.mostRequests ?? 0) : /^[1-9]\d{0,3}$/.test(mostTyped.trim()) ? Number(mostTyped) : null;
  const send = async (): Promise<void> => {
    if (plan === null || plan.requestsToSend === 0) return onClose();
    if (most === null) return;
    setOutcome(null);
    const result = await pull.tell({ ...wish, mostRequests: most });
    rest();
    setRefresh(false);
    setMost(null);
    if (!result.ok) return;
    setOutcome(result.value);
    if (result.value.state !== "done" || result.value.refused.length > 0) return;
    tell({ text: say("connect.done", { sent: words.count(result.value.requestsSent), price: result.value.price }) });
    onClose();
  };
  const leave = (): void => {
    if (pull.isBusy) void cancel.tell({});
    else onClose();
  };
  const saveLabel = plan === null || plan.requestsToSend === 0 ? say("action.close") : say("connect.send", { count: plan.requestsToSend, price: priceText(most ?? 0) });
  return (
    <FormDialog title={say("connect.title")} onClose={leave} onSave={() => void send()} saveLabel={saveLabel} isBusy={pull.isBusy} isDisabled={parts.length === 0 || plan === null} error={pull.error} wrong={most === null ? say("connect.most.wrong") : null}>
      <p className="prose">{say("connect.text")}</p>
      <div className="form-grid">
        <Choice label={say("pick.period")} value={period} choices={periods.map((id) => ({ id, text: words.period(id) }))} onChoose={setPeriod} />
        <NameField label={say("connect.profile")} value={profile} names={profiles.state === "answered" ? profiles.value.profiles : []} onChange={setProfile} />
      </div>
      <CheckboxGroup value={[...parts]} onChange={(chosen) => setParts(pullParts.filter((part) => chosen.includes(part)))}>
        <Label className="group-label">{say("connect.parts")}</Label>
        {pullParts.map((part) => (
          <Checkbox key={part} value={part} className="check"><i aria-hidden="true" /><span>{say(`connect.part.${part}`)}</span></Checkbox>
        ))}
      </CheckboxGroup>
      <Checkbox className="check" isSelected={isRefresh} onChange={setRefresh}><i aria-hidden="true" /><span>{say("connect.refresh")}</span></Checkbox>
      {planned.state === "refused" && parts.length > 0 && <Refused error={planned.error} />}
      {plan !== null && (
        <div className="pull-price">
          {planSentences(plan, speech).map((sentence) => <p key={sentence}>{sentence}</p>)}
          {plan.requestsToSend > 0 && <TextLine label={say("connect.most", { price: priceText(most ?? 0) })} value={mostTyped ?? String(plan.mostRequests)} onChange={setMost} isInvalid={most === null} />}
        </div>
      )}
      {pull.isBusy && progress !== null && (
        <p role="status"><ProgressBar label={say("connect.title")} value={progress.answered} total={progress.asked} /> {say("connect.progress", { call: progress.call, answered: progress.answered, asked: progress.asked, sent: progress.sent })}</p>
      )}
      {outcome !== null && (
        <div role="status">
          <p>{say(outcome.state === "cancelled" ? "connect.cancelled" : "connect.so-far", { sent: words.count(outcome.requestsSent), price: outcome.price, answered: words.count(outcome.answered), asked: words.count(outcome.asked) })}</p>
          {[...(outcome.error === null ? [] : [outcome.error]), ...outcome.refused.filter((refusal) => refusal.params !== outcome.error?.params)].map((trouble, index) => <Refused key={index} error={trouble} />)}
        </div>
      )}
    </FormDialog>
  );
}

function planSentences({ requestsToSend, price, requests, monthsLeftOut, requestsSent }: PullPlan, { say, words }: Speech): string[] {
  const kept = requests.length - requestsToSend;
  return [
    requestsToSend === 0 ? say("connect.all-kept-plan") : say("connect.price", { count: requestsToSend, price }),
    ...(kept > 0 && requestsToSend > 0 ? [say("connect.plan.kept", { count: kept })] : []),
    ...(monthsLeftOut.length > 0 ? [say("connect.plan.left-out", { months: monthsLeftOut.map((month) => words.period(month)).join(words.language === "zh-CN" ? "、" : ", ") })] : []),
    ...(requestsSent > 0 ? [say("connect.plan.sent", { requests: words.count(requestsSent), price: priceText(requestsSent) })] : []),
  ];
}

/** The running month and the twelve before it, and their quarters. */
function pullPeriods(today: Date): string[] {
  const months = Array.from({ length: 13 }, (_, index) => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - index, 1)).toISOString().slice(0, 7));
  const quarters = months.map((month) => `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5, 7)) / 3)}`);
  return [...months, ...new Set(quarters.slice(0, 12))];
}
