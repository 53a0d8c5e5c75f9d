import { useId } from "react";
import { links, precisions, rankBases, tasks } from "../../shared/contract/offers.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Choice } from "../settings/selects.tsx";
import { firstDraft, modeChoices, type ModeChoice, type NeedDraft, useOffers } from "../state/offers.ts";
import { TextLine } from "../teams/fields.tsx";
import type { PlainKey } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

type TextField = { [K in keyof NeedDraft]: string extends NeedDraft[K] ? K : never }[keyof NeedDraft];
const NONE = " none";

/** What is needed. Every change ranks anew as soon as it is understood. */
export function NeedForm({ wrong }: { readonly wrong: keyof NeedDraft | null }) {
  const { say } = useSpeech();
  const id = useId();
  const { draft, type, hasAllFields, toggleFields } = useOffers();
  const benchmarks = useAsk("benchmarks.list", {});
  const workloads = benchmarks.state === "answered" ? [...new Set(benchmarks.value.workloads.map(({ workload }) => workload))] : [];
  const isToken = draft.task !== "other";
  const line = (field: TextField, label: PlainKey) => <TextLine label={say(label)} value={draft[field]} onChange={(text) => type({ [field]: text })} isInvalid={wrong === field} />;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("offers.need.title")} note={say("offers.need.note")}>
        <button type="button" className="link" aria-expanded={hasAllFields} onClick={toggleFields}>{say(hasAllFields ? "offers.need.fewer" : "offers.need.more")}</button>
        <button type="button" className="link" onClick={() => type(firstDraft)}>{say("offers.need.reset")}</button>
      </SectionHead>
      <div className="need-form">
        <Choice label={say("offers.need.task")} value={draft.task} choices={tasks.map((task) => ({ id: task, text: say(`offers.task.${task}`) }))} onChoose={(task) => type({ task, ...(task === "other" ? { unit: draft.unit === "token" ? "image" : draft.unit } : {}), ...(task === "training" && draft.mfu === "10" ? { mfu: "40" } : task === "inference" && draft.mfu === "40" ? { mfu: "10" } : {}) })} />
        {isToken ? line("parameters", "offers.need.parameters") : line("unit", "offers.need.unit")}
        {isToken ? line("units", "offers.need.units") : line("units", "offers.need.units.other")}
        <Choice label={say("offers.need.precision")} value={draft.precision} choices={precisions.map((precision) => ({ id: precision, text: precision }))} onChoose={(precision) => type({ precision })} />
        {line("total-memory", "offers.need.total-memory")}
        {line("gpus", "offers.need.gpus")}
        <Choice label={say("offers.need.link")} value={draft.link ?? "any"} choices={(["any", ...links] as const).map((link) => ({ id: link, text: say(`offers.link.${link}`) }))} onChoose={(link) => type({ link })} />
        {line("countries", "offers.need.countries")}
        {line("budget", "offers.need.budget")}
        <Choice label={say("offers.need.modes")} value={draft.modes} choices={(Object.keys(modeChoices) as ModeChoice[]).map((mode) => ({ id: mode, text: say(`offers.modes.${mode}`) }))} onChoose={(modes) => type({ modes })} />
        <Choice label={say("offers.need.basis")} value={draft.basis} choices={rankBases.map((basis) => ({ id: basis, text: say(`offers.basis.${basis}`) }))} onChoose={(basis) => type({ basis })} />
        <Choice label={say("offers.need.workload")} value={draft.workload === "" ? NONE : draft.workload} choices={[{ id: NONE, text: say("offers.need.workload.none") }, ...[...new Set([...workloads, ...(draft.workload === "" ? [] : [draft.workload])])].map((workload) => ({ id: workload, text: workload }))]} onChoose={(workload) => type({ workload: workload === NONE ? "" : workload })} />
        {hasAllFields && (
          <>
            {!isToken && line("tflop", "offers.need.tflop")}
            {line("mfu", "offers.need.mfu")}
            {line("memory", "offers.need.memory")}
            {line("bandwidth", "offers.need.bandwidth")}
            {line("carbon", "offers.need.carbon")}
            {line("deadline", "offers.need.deadline")}
            <Choice label={say("offers.need.confidential")} value={draft.confidential ? "yes" : "no"} choices={(["no", "yes"] as const).map((answer) => ({ id: answer, text: say(`offers.${answer}`) }))} onChoose={(answer) => type({ confidential: answer === "yes" })} />
            {line("providers", "offers.need.providers")}
            {line("regions", "offers.need.regions")}
            {line("currency", "offers.need.currency")}
            {line("loss", "offers.need.loss")}
            {line("age", "offers.need.age")}
          </>
        )}
      </div>
      {wrong !== null && <p className="form-wrong need-wrong" role="alert"><span aria-hidden="true" className="alert-mark">▲</span> {say("offers.need.wrong", { field: say(labels[wrong] ?? "offers.need.units") })}</p>}
    </section>
  );
}

const labels: Readonly<Partial<Record<keyof NeedDraft, PlainKey>>> = {
  parameters: "offers.need.parameters", tflop: "offers.need.tflop", units: "offers.need.units", mfu: "offers.need.mfu", gpus: "offers.need.gpus", memory: "offers.need.memory", "total-memory": "offers.need.total-memory", bandwidth: "offers.need.bandwidth",
  countries: "offers.need.countries", carbon: "offers.need.carbon", deadline: "offers.need.deadline", budget: "offers.need.budget", currency: "offers.need.currency", loss: "offers.need.loss", age: "offers.need.age", unit: "offers.need.unit",
};
