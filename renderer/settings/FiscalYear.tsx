import { useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Choice } from "./selects.tsx";

const months = Array.from({ length: 12 }, (_, index) => String(index + 1));

/** The month in which the fiscal year starts: quarters and years of budgets follow it. */
export function FiscalYear({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const { say, words } = useSpeech();
  const asked = useAsk("budgets.list", { month: null });
  const save = useTell("fiscal-year.save");
  const tell = useNotice((store) => store.tell);
  const choose = async (month: string): Promise<void> => {
    const result = await save.tell({ startMonth: Number(month), by: null });
    if (result.ok) tell({ text: say("fiscal.saved") });
  };
  const nameOf = (month: string): string => words.period(`2026-${month.padStart(2, "0")}`, { short: true });
  return (
    <section aria-label={say("fiscal.title")}>
      <SectionHead title={say("fiscal.title")} />
      {asked.state === "refused" && <Refused error={asked.error} />}
      {save.error !== null && <Refused error={save.error} />}
      {asked.state === "answered" && (
        <div className="rules">
          <div><span>{say("fiscal.start")}</span>{isReadOnly ? <span>{nameOf(String(asked.value.fiscalStart))}</span> : <Choice label={say("fiscal.start")} isLabelHidden value={String(asked.value.fiscalStart)} choices={months.map((id) => ({ id, text: nameOf(id) }))} onChoose={(month) => void choose(month)} />}</div>
        </div>
      )}
      <p className="prose">{say("fiscal.note")}</p>
    </section>
  );
}
