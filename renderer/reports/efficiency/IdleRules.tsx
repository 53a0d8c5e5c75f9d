import { useId, useState } from "react";
import type { LedgerStatus } from "../../../shared/contract/methods.ts";
import type { IdlePolicy } from "../../../shared/contract/report.ts";
import { defaultIdlePolicy } from "../../../shared/contract/report.ts";
import { useTell } from "../../ledger/useAsk.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { useNotice } from "../../state/notice.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";
import type { PlainKey } from "../../words/WordsProvider.tsx";
import { RuleNumber } from "./RuleNumber.tsx";

interface RuleField {
  readonly name: keyof IdlePolicy;
  readonly label: PlainKey;
  readonly unit: PlainKey;
  /** Stored value of one unit shown: a share is shown in percent, seconds in minutes. */
  readonly factor: number;
  readonly max: number;
}
const fields: readonly RuleField[] = [
  { name: "idleAtOrUnderPercent", label: "idle-rules.idle-at", unit: "unit.percent", factor: 1, max: 100 },
  { name: "busyAtOrOverPercent", label: "idle-rules.busy-at", unit: "unit.percent", factor: 1, max: 100 },
  { name: "minimumSeconds", label: "idle-rules.minimum", unit: "unit.minutes", factor: 60, max: 10_080 },
  { name: "bridgeSeconds", label: "idle-rules.bridge", unit: "unit.minutes", factor: 60, max: 1440 },
  { name: "parkedMemoryShare", label: "idle-rules.parked", unit: "unit.percent", factor: 0.01, max: 100 },
];

/** The thresholds of the idle states. Saving them works out history anew; nothing is imported again. */
export function IdleRules({ status }: { readonly status: LedgerStatus }) {
  // A new policy from the ledger starts the fields anew.
  return <RulesForm key={JSON.stringify(status.idlePolicy)} status={status} />;
}

function RulesForm({ status }: { readonly status: LedgerStatus }) {
  const { say, words } = useSpeech();
  const id = useId();
  const [policy, setPolicy] = useState<IdlePolicy>(status.idlePolicy);
  const save = useTell("policy.save");
  const tell = useNotice((store) => store.tell);
  const isChanged = fields.some(({ name }) => policy[name] !== status.idlePolicy[name]);
  const isDefault = fields.every(({ name }) => policy[name] === defaultIdlePolicy[name]);
  const isOrdered = policy.idleAtOrUnderPercent <= policy.busyAtOrOverPercent;
  const submit = async (): Promise<void> => {
    const result = await save.tell(policy);
    if (result.ok) tell({ text: say("idle-rules.saved") });
  };
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("idle-rules.title")} note={say("idle-rules.note")} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="rules">
          {fields.map(({ name, label, unit, factor, max }) => (
            <RuleNumber key={name} label={say(label)} unit={say(unit)} value={policy[name]} factor={factor} max={max} isDisabled={status.isReadOnly} onChange={(value) => setPolicy((before) => ({ ...before, [name]: value }))} />
          ))}
        </div>
        <p className="note">{isOrdered ? say(status.hoursUnderOldPolicy ? "idle-rules.working" : "idle-rules.explained", { memory: words.ratio(policy.parkedMemoryShare, { digits: 0 }) }) : say("idle-rules.order")}</p>
        {save.error !== null && <Refused error={save.error} />}
        <p className="actions after-rules">
          <button type="submit" className="link main" disabled={!isChanged || !isOrdered || save.isBusy || status.isReadOnly}>{say(save.isBusy ? "idle-rules.saving" : "idle-rules.save")}</button>
          {isChanged && <button type="button" className="link" onClick={() => setPolicy(status.idlePolicy)}>{say("action.revert")}</button>}
          {!isDefault && !isChanged && !status.isReadOnly && <button type="button" className="link" onClick={() => setPolicy(defaultIdlePolicy)}>{say("idle-rules.default")}</button>}
        </p>
      </form>
    </section>
  );
}
