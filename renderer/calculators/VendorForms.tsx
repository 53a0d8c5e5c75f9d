import { useState } from "react";
import { Input, TextField } from "react-aria-components";
import { selectionSteps, type SelectionVendor, type VendorSelectionInput } from "../../shared/contract/calculators.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { FormDialog, NameField, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { PickQuote } from "./PickQuote.tsx";
import { amountOf, dayOf, eachStep, newVendor, scoreOf, shareOf } from "./vendor-form.ts";

interface FormProps {
  readonly selection: VendorSelectionInput;
  readonly onClose: (saved: number | null) => void;
}

const nobody = "";

/** Saves a selection, tells it, and closes; what is refused stays in the form. */
function useSave(onClose: FormProps["onClose"]) {
  const { say } = useSpeech();
  const save = useTell("selection.save");
  const tell = useNotice((store) => store.tell);
  return {
    isBusy: save.isBusy,
    error: save.error,
    async take(selection: VendorSelectionInput): Promise<void> {
      const result = await save.tell({ selection, by: null });
      if (!result.ok) return;
      tell({ text: say("vendor.saved", { name: selection.name }) });
      onClose(result.value.id);
    },
  };
}

/** Name, weights, minimums, and what was decided. */
export function SelectionForm({ selection, onClose }: FormProps) {
  const { say } = useSpeech();
  const save = useSave(onClose);
  const remove = useTell("selection.remove");
  const tell = useNotice((store) => store.tell);
  const [fields, setFields] = useState({ name: selection.name, currency: selection.currency, workload: selection.workload, vendor: selection.decision.vendor ?? nobody, reason: selection.decision.reason, by: selection.decision.by });
  const [weights, setWeights] = useState<Readonly<Record<string, string>>>(selection.weights);
  const [minimums, setMinimums] = useState<Readonly<Record<string, string>>>(() => eachStep((step) => selection.minimums[step] ?? ""));
  const [isTried, setTried] = useState(false);
  const [isSure, setSure] = useState(false);
  const put = (change: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...change }));
  const weighed = eachStep((step) => amountOf(weights[step] ?? ""));
  const least = eachStep((step) => scoreOf(minimums[step] ?? ""));
  const hasWeights = Object.values(weighed).every((weight) => typeof weight === "string") && Object.values(weighed).some((weight) => Number(weight) > 0);
  const wrong = fields.name.trim() === "" ? say("vendor.wrong.name") : !hasWeights ? say("vendor.wrong.weight") : Object.values(least).includes(undefined) ? say("vendor.wrong.score") : null;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (wrong !== null) return;
    await save.take({
      ...selection,
      name: fields.name.trim(),
      currency: fields.currency.trim() || selection.currency,
      workload: fields.workload,
      weights: eachStep((step) => weighed[step] ?? "0"),
      minimums: eachStep((step) => least[step] ?? null),
      decision: { vendor: fields.vendor === nobody ? null : fields.vendor, reason: fields.reason, by: fields.by },
    });
  };
  const throwAway = async (): Promise<void> => {
    if (selection.id === null) return;
    if (!isSure) return setSure(true);
    const result = await remove.tell({ id: selection.id, by: null });
    if (!result.ok) return;
    tell({ text: say("vendor.removed", { name: selection.name }) });
    onClose(null);
  };
  return (
    <FormDialog
      title={selection.id === null ? say("vendor.form.new") : say("vendor.form.edit", { name: selection.name })}
      isWide
      onClose={() => onClose(null)}
      onSave={() => void submit()}
      isBusy={save.isBusy}
      wrong={isTried ? wrong : null}
      error={save.error ?? remove.error}
      aside={selection.id === null ? null : <button type="button" className="link" onClick={() => void throwAway()}>{say(isSure ? "field.remove-sure" : "field.remove")}</button>}
    >
      <div className="form-grid">
        <TextLine label={say("vendor.form.name")} value={fields.name} onChange={(name) => put({ name })} isInvalid={isTried && fields.name.trim() === ""} isFirst />
        <TextLine label={say("vendor.form.currency")} value={fields.currency} onChange={(currency) => put({ currency })} />
      </div>
      <TextLine label={say("vendor.form.workload")} value={fields.workload} onChange={(workload) => put({ workload })} />
      <fieldset className="form-months">
        <legend>{say("vendor.form.weights")} <small>{say("vendor.form.weights-note")}</small></legend>
        <table className="statement vendor-weights">
          <thead><tr><th scope="col">{say("column.step")}</th><th scope="col">{say("column.weight")}</th><th scope="col">{say("column.minimum")}</th></tr></thead>
          <tbody>
            {selectionSteps.map((step) => (
              <tr key={step}>
                <th scope="row">{say(`selection.step.${step}`)}</th>
                <td><Small label={say("vendor.form.weight", { step: say(`selection.step.${step}`) })} value={weights[step] ?? ""} isInvalid={typeof weighed[step] !== "string"} onChange={(text) => setWeights((before) => ({ ...before, [step]: text }))} /></td>
                <td><Small label={say("vendor.form.minimum", { step: say(`selection.step.${step}`) })} value={minimums[step] ?? ""} isInvalid={least[step] === undefined} onChange={(text) => setMinimums((before) => ({ ...before, [step]: text }))} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </fieldset>
      {selection.vendors.length > 0 && (
        <>
          <div className="form-grid">
            <Choice label={say("vendor.form.decided")} value={fields.vendor} choices={[{ id: nobody, text: say("vendor.form.undecided") }, ...selection.vendors.map(({ name }) => ({ id: name, text: name }))]} onChoose={(vendor) => put({ vendor })} />
            <TextLine label={say("vendor.form.by")} value={fields.by} onChange={(by) => put({ by })} />
          </div>
          <TextLine label={say("vendor.form.reason")} value={fields.reason} onChange={(reason) => put({ reason })} isLong />
        </>
      )}
    </FormDialog>
  );
}

/** A vendor's scores with their evidence, and its quotes. */
export function VendorForm({ selection, vendor, onClose }: FormProps & { readonly vendor: SelectionVendor | null }) {
  const { say } = useSpeech();
  const save = useSave(onClose);
  const start = vendor ?? newVendor();
  const [name, setName] = useState(start.name);
  const [steps, setSteps] = useState(() => eachStep((step) => ({ score: start.steps[step].score ?? "", evidence: start.steps[step].evidence, source: start.steps[step].source, foundOn: start.steps[step].foundOn ?? "" })));
  const [quotes, setQuotes] = useState(() => start.quotes.map((quote) => ({ item: quote.item, list: quote.list ?? "", quoted: quote.quoted ?? "", validUntil: quote.validUntil ?? "" })));
  const [isTried, setTried] = useState(false);
  const others = selection.vendors.filter((other) => other !== vendor);
  const isTaken = others.some((other) => other.name === name.trim());
  const days = [...Object.values(steps).map(({ foundOn }) => foundOn), ...quotes.map(({ validUntil }) => validUntil)].map(dayOf);
  const amounts = quotes.flatMap(({ list, quoted }) => [list, quoted]).map(amountOf);
  const wrong =
    name.trim() === "" || isTaken ? say("vendor.wrong.name")
    : Object.values(steps).some(({ score }) => scoreOf(score) === undefined) ? say("vendor.wrong.score")
    : days.includes(undefined) ? say("vendor.wrong.day")
    : amounts.includes(undefined) ? say("vendor.wrong.amount")
    : quotes.some(({ item }) => item.trim() === "") ? say("vendor.wrong.item")
    : null;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (wrong !== null) return;
    const made: SelectionVendor = {
      name: name.trim(),
      steps: eachStep((step) => ({ score: scoreOf(steps[step].score) ?? null, evidence: steps[step].evidence, source: steps[step].source, foundOn: dayOf(steps[step].foundOn) ?? null })),
      quotes: quotes.map(({ item, list, quoted, validUntil }) => ({ item: item.trim(), list: amountOf(list) ?? null, quoted: amountOf(quoted) ?? null, validUntil: dayOf(validUntil) ?? null })),
    };
    const decision = vendor !== null && selection.decision.vendor === vendor.name ? { ...selection.decision, vendor: made.name } : selection.decision;
    await save.take({ ...selection, decision, vendors: vendor === null ? [...selection.vendors, made] : selection.vendors.map((each) => (each === vendor ? made : each)) });
  };
  const throwAway = async (): Promise<void> => {
    if (vendor === null) return;
    await save.take({ ...selection, decision: selection.decision.vendor === vendor.name ? { ...selection.decision, vendor: null } : selection.decision, vendors: others });
  };
  return (
    <FormDialog
      title={vendor === null ? say("vendor.form.vendor-new") : say("vendor.edit-one", { name: vendor.name })}
      isWide
      onClose={() => onClose(null)}
      onSave={() => void submit()}
      isBusy={save.isBusy}
      wrong={isTried ? wrong : null}
      error={save.error}
      aside={vendor === null ? null : <button type="button" className="link" onClick={() => void throwAway()}>{say("field.remove")}</button>}
    >
      <TextLine label={say("vendor.form.vendor")} value={name} onChange={setName} isInvalid={isTried && (name.trim() === "" || isTaken)} isFirst />
      {selectionSteps.map((step) => {
        const of = steps[step];
        const put = (change: Partial<typeof of>): void => setSteps((before) => ({ ...before, [step]: { ...before[step], ...change } }));
        return (
          <fieldset key={step} className="form-months vendor-step">
            <legend>{say(`selection.step.${step}`)}</legend>
            <div className="vendor-step-grid">
              <TextLine label={say("vendor.form.score")} value={of.score} onChange={(score) => put({ score })} isInvalid={scoreOf(of.score) === undefined} />
              <TextLine label={say("vendor.form.evidence")} value={of.evidence} onChange={(evidence) => put({ evidence })} />
              <TextLine label={say("vendor.form.source")} value={of.source} onChange={(source) => put({ source })} />
              <TextLine label={say("vendor.form.found-on")} value={of.foundOn} onChange={(foundOn) => put({ foundOn })} isInvalid={dayOf(of.foundOn) === undefined} />
            </div>
          </fieldset>
        );
      })}
      <fieldset className="form-months">
        <legend>{say("vendor.form.quotes")} <small>{say("vendor.form.quotes-note", { currency: selection.currency })}</small></legend>
        {quotes.map((quote, index) => {
          const put = (change: Partial<typeof quote>): void => setQuotes((before) => before.map((each, place) => (place === index ? { ...each, ...change } : each)));
          return (
            <div key={index} className="vendor-quote">
              <TextLine label={say("vendor.form.item")} value={quote.item} onChange={(item) => put({ item })} isInvalid={isTried && quote.item.trim() === ""} />
              <TextLine label={say("vendor.form.list")} value={quote.list} onChange={(list) => put({ list })} isInvalid={amountOf(quote.list) === undefined} />
              <TextLine label={say("vendor.form.quoted")} value={quote.quoted} onChange={(quoted) => put({ quoted })} isInvalid={amountOf(quote.quoted) === undefined} />
              <TextLine label={say("vendor.form.until")} value={quote.validUntil} onChange={(validUntil) => put({ validUntil })} isInvalid={dayOf(quote.validUntil) === undefined} />
              <button type="button" className="link" aria-label={say("vendor.form.remove-quote", { item: quote.item })} onClick={() => setQuotes((before) => before.filter((_each, place) => place !== index))}>×</button>
            </div>
          );
        })}
        <PickQuote currency={selection.currency} onPick={(quote) => setQuotes((before) => [...before, quote])} />
        <p className="actions"><button type="button" className="link" onClick={() => setQuotes((before) => [...before, { item: "", list: "", quoted: "", validUntil: "" }])}>{say("vendor.form.add-quote")}</button></p>
      </fieldset>
    </FormDialog>
  );
}

/** What the pilot is of the ledger, and what was planned for it. */
export function PilotForm({ selection, onClose }: FormProps) {
  const { say } = useSpeech();
  const save = useSave(onClose);
  const scopes = useAsk("scope.values", {});
  const known = scopes.state === "answered" ? scopes.value : null;
  const { pilot } = selection;
  const [fields, setFields] = useState({
    vendor: pilot?.vendor ?? selection.vendors[0]?.name ?? "",
    firstDay: pilot?.firstDay ?? "",
    lastDay: pilot?.lastDay ?? "",
    provider: pilot?.provider ?? "",
    gpuModel: pilot?.gpuModel ?? "",
    team: pilot?.team ?? "",
    hours: pilot?.plannedGpuHours ?? "",
    cost: pilot?.plannedCost ?? "",
    use: pilot === null || pilot.plannedUse === null ? "" : String(Number((Number(pilot.plannedUse) * 100).toFixed(4))),
  });
  const [isTried, setTried] = useState(false);
  const put = (change: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...change }));
  const [first, last, hours, cost, use] = [dayOf(fields.firstDay), dayOf(fields.lastDay), amountOf(fields.hours), amountOf(fields.cost), shareOf(fields.use)];
  const isSpan = typeof first === "string" && typeof last === "string" && first <= last;
  const wrong = !isSpan ? say("vendor.wrong.day") : [hours, cost, use].includes(undefined) ? say("vendor.wrong.amount") : null;
  const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  const names = (values: readonly (string | null)[] | undefined): readonly string[] => (values ?? []).filter((value) => value !== null);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (wrong !== null || typeof first !== "string" || typeof last !== "string") return;
    await save.take({
      ...selection,
      pilot: { vendor: fields.vendor, firstDay: first, lastDay: last, provider: orNull(fields.provider), gpuModel: orNull(fields.gpuModel), team: orNull(fields.team), plannedGpuHours: hours ?? null, plannedCost: cost ?? null, plannedUse: use ?? null },
    });
  };
  return (
    <FormDialog
      title={say("vendor.form.pilot")}
      isWide
      onClose={() => onClose(null)}
      onSave={() => void submit()}
      isBusy={save.isBusy}
      wrong={isTried ? wrong : null}
      error={save.error}
      aside={pilot === null ? null : <button type="button" className="link" onClick={() => void save.take({ ...selection, pilot: null })}>{say("vendor.form.no-pilot")}</button>}
    >
      <div className="form-grid">
        <Choice label={say("vendor.form.vendor")} value={fields.vendor} choices={selection.vendors.map(({ name }) => ({ id: name, text: name }))} onChoose={(vendor) => put({ vendor })} />
        <NameField label={say("vendor.form.provider")} value={fields.provider} names={names(known?.provider)} onChange={(provider) => put({ provider })} />
        <TextLine label={say("vendor.form.first-day")} value={fields.firstDay} onChange={(firstDay) => put({ firstDay })} isInvalid={isTried && !isSpan} />
        <TextLine label={say("vendor.form.last-day")} value={fields.lastDay} onChange={(lastDay) => put({ lastDay })} isInvalid={isTried && !isSpan} />
        <NameField label={say("vendor.form.model")} value={fields.gpuModel} names={known?.gpuModel ?? []} onChange={(gpuModel) => put({ gpuModel })} />
        <NameField label={say("vendor.form.team")} value={fields.team} names={names(known?.team)} onChange={(team) => put({ team })} />
        <TextLine label={say("vendor.form.planned-hours")} value={fields.hours} onChange={(text) => put({ hours: text })} isInvalid={hours === undefined} />
        <TextLine label={say("vendor.form.planned-cost")} value={fields.cost} onChange={(text) => put({ cost: text })} isInvalid={cost === undefined} />
        <TextLine label={say("vendor.form.planned-use")} value={fields.use} onChange={(text) => put({ use: text })} isInvalid={use === undefined} />
      </div>
    </FormDialog>
  );
}

/** A number in a table; its label is for readers. */
function Small({ label, value, isInvalid, onChange }: { readonly label: string; readonly value: string; readonly isInvalid: boolean; readonly onChange: (value: string) => void }) {
  return (
    <TextField className="form-field" aria-label={label} value={value} onChange={onChange} isInvalid={isInvalid}>
      <Input className="text-input n" inputMode="decimal" />
    </TextField>
  );
}
