import { useId, useState } from "react";
import type { OptionFigure, PlanScenario, ScenarioOutcome } from "../../shared/contract/plan.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { usePlan } from "../state/plan.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

type Asked = Pick<PlanScenario, "period" | "scope" | "currency" | "inputs">;
const rows: readonly OptionFigure[] = ["price", "level", "utilization", "breakEven", "exit", "upfront", "presentValue", "breakEvenDrop", "saving"];
const MOST = 5;

/** Saved scenarios side by side: kept as what was asked, worked out now. */
export function Scenarios({ asked, isReadOnly, onOpen }: { readonly asked: Asked; readonly isReadOnly: boolean; readonly onOpen: (scenario: PlanScenario) => void }) {
  const { say } = useSpeech();
  const id = useId();
  const list = useAsk("plan.scenarios", {});
  const scenarios = list.state === "answered" ? list.value.scenarios.slice(0, MOST) : [];
  const compared = useAsk("plan.compare", scenarios.length === 0 ? null : { ids: scenarios.map((scenario) => scenario.id) });
  const [isSaving, setSaving] = useState(false);
  return (
    <section aria-labelledby={id} className="scenarios">
      <SectionHead id={id} title={say("commit.scenarios.title")} note={say("commit.scenarios.note")}>
        {!isReadOnly && <button type="button" className="link" onClick={() => setSaving(true)}>{say("commit.scenarios.save")}</button>}
      </SectionHead>
      {list.state === "refused" && <Refused error={list.error} />}
      {list.state === "answered" && scenarios.length === 0 && <p className="note">{say("commit.scenarios.empty")}</p>}
      {scenarios.length > 0 && compared.state === "refused" && <Refused error={compared.error} />}
      {scenarios.length > 0 && compared.state === "answered" && <Compared outcomes={compared.value.outcomes} isReadOnly={isReadOnly} onOpen={onOpen} labelledBy={id} />}
      {isSaving && <SaveForm asked={asked} onClose={() => setSaving(false)} />}
    </section>
  );
}

function Compared({ outcomes, isReadOnly, onOpen, labelledBy }: { readonly outcomes: readonly ScenarioOutcome[]; readonly isReadOnly: boolean; readonly onOpen: (scenario: PlanScenario) => void; readonly labelledBy: string }) {
  const { say, words, error } = useSpeech();
  const remove = useTell("plan.remove");
  return (
    <div className="scroll-x">
      <table className="statement" aria-labelledby={labelledBy}>
        <thead><tr><th scope="col">{say("commit.column.measure")}</th>{outcomes.map(({ scenario }) => <th key={scenario.id} scope="col" className="n">{scenario.name}</th>)}</tr></thead>
        <tbody>
          <tr><th scope="row">{say("commit.scenarios.what")}</th>{outcomes.map(({ scenario, outcome, error: why }) => <td key={scenario.id} className="n">{why !== null ? <span className="unknown" title={error(why).todo}>{error(why).what}</span> : [outcome?.pool.gpuModel, outcome?.option === null || outcome?.option === undefined ? null : words.text(outcome.option)].filter((part) => part !== null && part !== undefined).join(" · ")}</td>)}</tr>
          <tr><th scope="row">{say("commit.scenarios.window")}</th>{outcomes.map(({ scenario, outcome }) => <td key={scenario.id} className="n">{outcome === null ? "—" : say("commit.scenarios.until", { period: words.period(scenario.period), day: words.instant(`${outcome.endDay}T00:00:00Z`, "day") })}</td>)}</tr>
          {rows.map((figure) => (
            <tr key={figure} className={figure === "saving" ? "strong" : undefined}>
              <th scope="row">{say(`commit.figure.${figure}`)}</th>
              {outcomes.map(({ scenario, outcome }) => <td key={scenario.id} className="n">{outcome === null || outcome.figures === null ? "—" : words.figure(outcome.figures[figure])}</td>)}
            </tr>
          ))}
          <tr>
            <th scope="row">{say("commit.scenarios.do")}</th>
            {outcomes.map(({ scenario }) => (
              <td key={scenario.id} className="n">
                <span className="row-actions">
                  <button type="button" className="link" onClick={() => onOpen(scenario)}>{say("commit.scenarios.open")}</button>
                  {!isReadOnly && <Act isBusy={remove.isBusy} onPress={() => void remove.tell({ id: scenario.id, by: null })}>{say("commit.form.remove")}</Act>}
                </span>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function SaveForm({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const { tell, isBusy, error } = useTell("plan.save");
  const notice = useNotice((store) => store.tell);
  const [name, setName] = useState("");
  const save = async (): Promise<void> => {
    const { period, scope, currency, inputs } = asked;
    const { moved } = usePlan.getState();
    const done = await tell({ name: name.trim(), period, scope, currency, inputs: moved === null ? inputs : { ...inputs, gpus: String(moved) }, by: null });
    if (!done.ok) return;
    notice({ text: say("commit.scenarios.saved", { name: name.trim() }) });
    onClose();
  };
  return (
    <FormDialog title={say("commit.scenarios.save")} onClose={onClose} onSave={() => void save()} isBusy={isBusy} error={error} isDisabled={name.trim() === ""}>
      <p className="prose">{say("commit.scenarios.why")}</p>
      <TextLine label={say("commit.scenarios.name")} value={name} onChange={setName} isFirst />
    </FormDialog>
  );
}
