import type { LedgerStatus } from "../../../shared/contract/methods.ts";
import type { TableBlock } from "../../../shared/contract/report.ts";
import { utilizationCounters, type UtilizationCounter } from "../../../shared/domain/counter.ts";
import { useTell } from "../../ledger/useAsk.ts";
import { Refused } from "../../parts/states.tsx";
import { Choice } from "../../settings/selects.tsx";
import { useNotice } from "../../state/notice.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

/** Which of the counters that measured something every utilization of the ledger is held to. */
export function CounterChoice({ block, status }: { readonly block: TableBlock; readonly status: LedgerStatus }) {
  const { say } = useSpeech();
  const save = useTell("counter.save");
  const tell = useNotice((store) => store.tell);
  const measured = utilizationCounters.filter((counter) => counter === status.counter || block.rows.some(({ id }) => id === `counter ${counter}`));
  const choose = async (chosen: UtilizationCounter | "most"): Promise<void> => {
    const result = await save.tell({ counter: chosen === "most" ? null : chosen });
    if (result.ok) tell({ text: say("counter.saved") });
  };
  if (status.isReadOnly) return null;
  return (
    <div className="form-grid counter-choice">
      <Choice<UtilizationCounter | "most">
        label={say("counter.choice")}
        value={status.counter ?? "most"}
        choices={[{ id: "most", text: say("counter.choice.most") }, ...measured.map((counter) => ({ id: counter, text: say(`activity-ladder.${counter}`) }))]}
        onChoose={(chosen) => void choose(chosen)}
      />
      {save.error !== null && <Refused error={save.error} />}
    </div>
  );
}
