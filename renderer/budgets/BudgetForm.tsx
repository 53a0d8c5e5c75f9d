import { useState } from "react";
import { Input, TextField } from "react-aria-components";
import type { BudgetInput, BudgetPlan } from "../../shared/contract/teams.ts";
import { budgetKinds, budgetLevels, budgetSpans, defaultThresholds } from "../../shared/contract/teams.ts";
import { costBases } from "../../shared/domain/figure.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Choice } from "../settings/selects.tsx";
import { Act } from "../parts/Act.tsx";
import { monthShort } from "../parts/table.ts";
import { useNotice } from "../state/notice.ts";
import { decimalOf } from "../teams/amounts.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

interface BudgetFormProps {
  /** null: a new one. */
  readonly plan: BudgetPlan | null;
  readonly plans: readonly BudgetPlan[];
  readonly currency: string | null;
  /** The year that the months start with. */
  readonly month: string;
  readonly onClose: (saved: number | null) => void;
}

const everything = "*";

/** A budget: whose, of what, how much each month, and when it speaks. */
export function BudgetForm({ plan, plans, currency, month, onClose }: BudgetFormProps) {
  const { say, words } = useSpeech();
  const scopes = useAsk("scope.values", {});
  const save = useTell("budget.save");
  const remove = useTell("budget.remove");
  const suggest = useTell("budget.suggest");
  const tell = useNotice((store) => store.tell);
  const [fields, setFields] = useState(() => ({
    name: plan?.name ?? "",
    level: plan?.level ?? "team",
    kind: plan?.kind ?? "money",
    currency: plan?.currency ?? currency ?? "USD",
    basis: plan?.basis ?? "EffectiveCost",
    span: plan?.span ?? "month",
    parent: plan?.parent ?? null,
    owner: plan?.owner ?? "",
    scope: plan?.scope ?? {},
    actual: percentsOf(plan, "actual"),
    forecast: percentsOf(plan, "forecast"),
  }));
  const [months, setMonths] = useState<Readonly<Record<string, string>>>(plan?.months ?? {});
  const [year, setYear] = useState(Number(month.slice(0, 4)));
  const [from, setFrom] = useState<number | null>(null);
  const [isTried, setTried] = useState(false);
  const [isSure, setSure] = useState(false);
  const put = (change: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...change }));
  const labels = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, "0")}`);
  const wrongMonths = Object.values(months).some((text) => text.trim() !== "" && decimalOf(text) === null);
  const thresholds = [thresholdsOf("actual", fields.actual), thresholdsOf("forecast", fields.forecast)];
  const wrong = fields.name.trim() === "" ? say("plan.form.wrong-name") : wrongMonths ? say("plan.form.wrong-amount") : thresholds.includes(null) ? say("plan.form.wrong-percent") : null;
  const known = scopes.state === "answered" ? scopes.value : null;

  const submit = async (): Promise<void> => {
    setTried(true);
    if (wrong !== null) return;
    const isMoney = fields.kind === "money";
    const budget: BudgetInput = {
      id: plan?.id ?? null, parent: fields.parent, name: fields.name.trim(), level: fields.level, kind: fields.kind, currency: isMoney ? fields.currency.trim() : null, basis: isMoney ? fields.basis : null, span: fields.span,
      scope: fields.scope, owner: fields.owner.trim() === "" ? null : fields.owner.trim(), thresholds: thresholds.flatMap((list) => list ?? []),
      months: Object.fromEntries(Object.entries(months).map(([label, text]) => [label, text.trim() === "" ? null : decimalOf(text)])),
    };
    const result = await save.tell({ budget, by: null });
    if (!result.ok) return;
    tell({ text: say("plan.saved", { name: budget.name }) });
    onClose(result.value.id);
  };
  const fill = async (): Promise<void> => {
    const isMoney = fields.kind === "money";
    const result = await suggest.tell({ kind: fields.kind, currency: isMoney ? fields.currency.trim() : null, basis: isMoney ? fields.basis : null, scope: fields.scope, fromMonth: `${year}-01`, months: 12 });
    if (!result.ok) return;
    setMonths((before) => ({ ...before, ...Object.fromEntries(result.value.months.map(({ month: label, amount }) => [label, rounded(amount)])) }));
    setFrom(result.value.from.length);
  };
  const throwAway = async (): Promise<void> => {
    if (plan === null) return;
    if (!isSure) return setSure(true);
    const result = await remove.tell({ id: plan.id, by: null });
    if (!result.ok) return;
    tell({ text: say("plan.removed", { name: plan.name }) });
    onClose(null);
  };

  return (
    <FormDialog
      title={plan === null ? say("plan.form.new") : say("plan.form.edit", { name: plan.name })}
      isWide
      onClose={() => onClose(null)}
      onSave={() => void submit()}
      isBusy={save.isBusy}
      wrong={isTried ? wrong : null}
      error={save.error ?? suggest.error ?? remove.error}
      aside={plan === null ? null : <button type="button" className="link" onClick={() => void throwAway()}>{say(isSure ? "field.remove-sure" : "field.remove")}</button>}
    >
      <div className="form-grid">
        <TextLine label={say("plan.form.name")} value={fields.name} onChange={(name) => put({ name })} isInvalid={isTried && fields.name.trim() === ""} isFirst />
        <TextLine label={say("plan.form.owner")} value={fields.owner} onChange={(owner) => put({ owner })} />
        <Choice label={say("plan.form.level")} value={fields.level} choices={budgetLevels.map((id) => ({ id, text: say(`budgets.level.${id}`) }))} onChoose={(level) => put({ level })} />
        <Choice label={say("plan.form.parent")} value={String(fields.parent ?? everything)} choices={[{ id: everything, text: say("field.none") }, ...plans.filter(({ id }) => id !== plan?.id).map(({ id, name }) => ({ id: String(id), text: name }))]} onChoose={(id) => put({ parent: id === everything ? null : Number(id) })} />
        <Choice label={say("plan.form.kind")} value={fields.kind} choices={budgetKinds.map((id) => ({ id, text: say(`plan.kind.${id}`) }))} onChoose={(kind) => put({ kind })} />
        <Choice label={say("plan.form.span")} value={fields.span} choices={budgetSpans.map((id) => ({ id, text: say(`plan.span.${id}`) }))} onChoose={(span) => put({ span })} />
        {fields.kind === "money" && <TextLine label={say("plan.form.currency")} value={fields.currency} onChange={(code) => put({ currency: code })} />}
        {fields.kind === "money" && <Choice label={say("plan.form.basis")} value={fields.basis} choices={costBases.map((id) => ({ id, text: say(`pick.basis.${id}`) }))} onChoose={(basis) => put({ basis })} />}
        {(["team", "provider"] as const).map((dimension) => {
          const own = fields.scope[dimension] ?? [];
          const names = [...new Set([...own, ...(known?.[dimension] ?? [])])].filter((value) => value !== null);
          return (
            <Choice
              key={dimension}
              label={say(`plan.form.${dimension}`)}
              value={own[0] ?? everything}
              choices={[{ id: everything, text: say("field.everything") }, ...names.map((id) => ({ id, text: id }))]}
              onChoose={(chosen) => { const { [dimension]: _before, ...rest } = fields.scope; put({ scope: chosen === everything ? rest : { ...rest, [dimension]: [chosen] } }); }}
            />
          );
        })}
        <TextLine label={say("plan.form.actual")} value={fields.actual} onChange={(actual) => put({ actual })} isInvalid={isTried && thresholds[0] === null} />
        <TextLine label={say("plan.form.forecast")} value={fields.forecast} onChange={(forecast) => put({ forecast })} isInvalid={isTried && thresholds[1] === null} />
      </div>
      <fieldset className="form-months">
        <legend>{say("plan.form.months")} <small>{say("plan.form.months.note")}</small></legend>
        <p className="form-year">
          <span className="pager"><button type="button" aria-label={say("plan.form.earlier")} onClick={() => setYear(year - 1)}>‹</button><button type="button" aria-label={say("plan.form.later")} onClick={() => setYear(year + 1)}>›</button></span>
          <b>{words.period(String(year))}</b>
          <Act isBusy={suggest.isBusy} onPress={() => void fill()}>{say("plan.form.suggest")}</Act>
          {from !== null && <span className="muted small" role="status">{say("plan.form.suggested", { count: from, method: say("plan.method.mean") })}</span>}
        </p>
        <div className="months-grid">
          {labels.map((label) => (
            <TextField key={label} className="form-field" aria-label={words.period(label)} value={months[label] ?? ""} isInvalid={(months[label] ?? "").trim() !== "" && decimalOf(months[label] ?? "") === null} onChange={(text) => setMonths((before) => ({ ...before, [label]: text }))}>
              <span className="small muted" aria-hidden="true">{monthShort(label, words.language)}</span>
              <Input className="text-input n" inputMode="decimal" />
            </TextField>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}

function percentsOf(plan: BudgetPlan | null, type: "actual" | "forecast"): string {
  return (plan?.thresholds ?? defaultThresholds).filter((threshold) => threshold.type === type).map(({ percent }) => percent).join(", ");
}

/** `50, 75` as thresholds; null where it is not understood. */
export function thresholdsOf(type: "actual" | "forecast", text: string): BudgetInput["thresholds"] | null {
  const parts = text.split(/[,，、;\s]+/).filter((part) => part !== "").map((part) => part.replace(/%$/, ""));
  return parts.every((part) => /^\d{1,4}(\.\d{1,6})?$/.test(part)) ? [...new Set(parts)].map((percent) => ({ type, percent })) : null;
}

/** A suggestion is a starting point: whole units are enough. */
function rounded(amount: string): string {
  const [whole = amount, fraction = ""] = amount.split(".");
  return /^[5-9]/.test(fraction) && !whole.startsWith("-") ? String(BigInt(whole) + 1n) : whole;
}
