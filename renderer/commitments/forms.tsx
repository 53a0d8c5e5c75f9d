import { useState } from "react";
import { Checkbox } from "react-aria-components";
import type { PaymentKind, PlanInputs, Quote, QuoteKind } from "../../shared/contract/plan.ts";
import { lookbackWeeks, paymentKinds, quoteKinds } from "../../shared/contract/plan.ts";
import { Choice } from "../settings/selects.tsx";
import { decimalOf, isDay } from "../teams/amounts.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

interface FormProps {
  readonly inputs: PlanInputs;
  readonly onChange: (changes: Partial<PlanInputs>) => void;
  readonly onClose: () => void;
}

/** What a plan rests on: the window, what counts as usage, the outlook, sizes and limits. */
export function AssumptionsForm({ inputs, onChange, onClose }: FormProps) {
  const { say } = useSpeech();
  const [draft, setDraft] = useState({
    weeks: inputs.weeks, leavesOutSpot: inputs.leavesOutSpot, leavesOutOneOffs: inputs.leavesOutOneOffs, leavesOutIdle: inputs.leavesOutIdle, netsExisting: inputs.netsExisting, renewsExpiring: inputs.renewsExpiring,
    acceptsOldPrices: inputs.acceptsOldPrices,
  });
  const [text, setText] = useState({
    onDemandHourly: inputs.onDemandHourly ?? "", lotGpus: inputs.lotGpus ?? "", maximumGpus: inputs.maximumGpus ?? "", migrationCost: inputs.migrationCost, growth: String(inputs.growthPercentAMonth), decline: String(inputs.declinePercentAYear),
    discount: String(inputs.discountPercentAYear), spot: String(inputs.spotPercent),
  });
  const set = (changes: Partial<typeof draft>): void => setDraft({ ...draft, ...changes });
  const amounts = [text.onDemandHourly, text.lotGpus, text.maximumGpus, text.migrationCost];
  const percents = [[text.growth, -100, 100], [text.decline, 0, 90], [text.discount, 0, 100], [text.spot, 0, 100]] as const;
  const isWrong = amounts.some((each) => each.trim() !== "" && (decimalOf(each) === null || decimalOf(each)?.startsWith("-") === true)) || percents.some(([each, low, high]) => { const value = Number(decimalOf(each) ?? Number.NaN); return !(value >= low && value <= high); });
  const amount = (of: string): string | null => (of.trim() === "" ? null : decimalOf(of));
  const save = (): void => {
    onChange({
      ...draft, onDemandHourly: amount(text.onDemandHourly), lotGpus: amount(text.lotGpus), maximumGpus: amount(text.maximumGpus), migrationCost: amount(text.migrationCost) ?? "0", growthPercentAMonth: Number(decimalOf(text.growth)),
      declinePercentAYear: Number(decimalOf(text.decline)), discountPercentAYear: Number(decimalOf(text.discount)), spotPercent: Number(decimalOf(text.spot)), gpus: null,
    });
    onClose();
  };
  const line = (key: keyof typeof text, label: Parameters<typeof say>[0], hint?: string) => <TextLine label={say(label)} value={text[key]} onChange={(value) => setText({ ...text, [key]: value })} {...(hint === undefined ? {} : { hint })} />;
  const box = (key: "leavesOutSpot" | "leavesOutOneOffs" | "leavesOutIdle" | "netsExisting" | "renewsExpiring" | "acceptsOldPrices") => (
    <Checkbox className="check" isSelected={draft[key]} onChange={(isOn) => set({ [key]: isOn })}><i aria-hidden="true" />{say(`commit.form.${key}`)}</Checkbox>
  );
  return (
    <FormDialog title={say("commit.form.assumptions")} onClose={onClose} onSave={save} saveLabel={say("commit.form.apply")} isDisabled={isWrong} wrong={isWrong ? say("commit.form.wrong-number") : null} isWide>
      <div className="form-condition">
        <Choice label={say("commit.form.window")} value={String(draft.weeks)} choices={lookbackWeeks.map((weeks) => ({ id: String(weeks), text: say("commit.days", { count: weeks * 7 }) }))} onChoose={(value) => set({ weeks: Number(value) as PlanInputs["weeks"] })} />
        {line("onDemandHourly", "commit.form.on-demand", say("commit.form.as-billed"))}
        {line("lotGpus", "commit.form.lot", say("commit.form.a-machine"))}
        {line("maximumGpus", "commit.form.maximum", say("commit.form.none"))}
      </div>
      <div className="form-checks">{box("leavesOutSpot")}{box("leavesOutOneOffs")}{box("leavesOutIdle")}{box("netsExisting")}{box("renewsExpiring")}{box("acceptsOldPrices")}</div>
      <div className="form-condition">
        {line("growth", "commit.form.growth")}
        {line("decline", "commit.form.decline")}
        {line("discount", "commit.form.discount")}
        {line("spot", "commit.form.spot")}
        {line("migrationCost", "commit.form.migration")}
      </div>
    </FormDialog>
  );
}

/** The quotes that stand beside the lists: each the price of one GPU. */
export function QuotesForm({ inputs, onChange, onClose }: FormProps) {
  const { say, words } = useSpeech();
  const [kind, setKind] = useState<QuoteKind>("commitment");
  const [payment, setPayment] = useState<PaymentKind>("no-upfront");
  const [text, setText] = useState({ months: "12", hourly: "", upfront: "", monthly: "", on: "", note: "" });
  const [isConvertible, setConvertible] = useState(false);
  const amount = (of: string): string | null => (of.trim() === "" ? null : decimalOf(of));
  const months = Number(text.months);
  const stated = [text.hourly, text.upfront, text.monthly].filter((each) => each.trim() !== "");
  const isWrong = stated.some((each) => { const value = decimalOf(each); return value === null || value.startsWith("-"); }) || !(Number.isInteger(months) && months >= 1 && months <= 60) || (text.on.trim() !== "" && !isDay(text.on.trim()));
  const isNothing = stated.every((each) => Number(decimalOf(each) ?? 0) === 0);
  const add = (): void => {
    const quote: Quote = { kind, termMonths: months, payment, hourly: amount(text.hourly), upfront: amount(text.upfront), monthly: amount(text.monthly), isConvertible, quotedOn: text.on.trim() === "" ? null : text.on.trim(), note: text.note.trim() === "" ? null : text.note.trim() };
    onChange({ quotes: [...inputs.quotes, quote], option: null, gpus: null });
    onClose();
  };
  const line = (key: keyof typeof text, label: Parameters<typeof say>[0], hint?: string) => <TextLine label={say(label)} value={text[key]} onChange={(value) => setText({ ...text, [key]: value })} {...(hint === undefined ? {} : { hint })} />;
  const amountsOf = (quote: Quote): string => ([["hourly", quote.hourly], ["upfront", quote.upfront], ["monthly", quote.monthly]] as const).flatMap(([name, value]) => (value === null ? [] : [`${say(`commit.form.${name}`)} ${value}`])).join(say("commit.list-comma"));
  return (
    <FormDialog title={say("commit.form.quote")} onClose={onClose} onSave={add} saveLabel={say("commit.form.add-quote")} isDisabled={isWrong || isNothing} wrong={isWrong ? say("commit.form.wrong-number") : null} isWide>
      <p className="prose">{say("commit.form.quote-why")}</p>
      <div className="form-condition">
        <Choice label={say("commit.form.kind")} value={kind} choices={quoteKinds.map((id) => ({ id, text: say(`commit.kind-name.${id}`) }))} onChoose={setKind} />
        {line("months", "commit.form.months")}
        <Choice label={say("commit.form.payment")} value={payment} choices={paymentKinds.map((id) => ({ id, text: say(`commit.payment.${id}`) }))} onChoose={setPayment} />
        {line("hourly", "commit.form.hourly", "1.72")}
        {line("upfront", "commit.form.upfront")}
        {line("monthly", "commit.form.monthly")}
        {line("on", "commit.form.quoted-on", "2026-09-01")}
        {line("note", "commit.form.note")}
      </div>
      <div className="form-checks"><Checkbox className="check" isSelected={isConvertible} onChange={setConvertible}><i aria-hidden="true" />{say("commit.form.convertible")}</Checkbox></div>
      {inputs.quotes.length > 0 && (
        <table className="statement dense">
          <thead><tr><th scope="col">{say("commit.form.quotes")}</th><th scope="col">{say("commit.form.months")}</th><th scope="col">{say("commit.form.amounts")}</th><th scope="col"><span className="for-readers">{say("commit.form.remove")}</span></th></tr></thead>
          <tbody>
            {inputs.quotes.map((quote, index) => (
              <tr key={index}>
                <th scope="row">{say(`commit.kind-name.${quote.kind}`)}</th><td>{words.count(quote.termMonths)}</td><td>{amountsOf(quote)}</td>
                <td className="n"><button type="button" className="link" onClick={() => onChange({ quotes: inputs.quotes.filter((_, other) => other !== index), option: null, gpus: null })}>{say("commit.form.remove")}</button></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </FormDialog>
  );
}
