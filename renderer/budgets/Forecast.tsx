import { useId, useState } from "react";
import type { BudgetStatus, ForecastAnswer, PlannedChangeInput } from "../../shared/contract/teams.ts";
import { askedAlike } from "../../shared/domain/currency.ts";
import { formatAttos, parseAmount } from "../../shared/domain/money.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { useView } from "../state/view.ts";
import { amountIn, decimalOf, isDay } from "../teams/amounts.ts";
import { FormDialog, NameField, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { periodText } from "./BurnDown.tsx";

/** What a budget's scope will cost, what is known to change, how well that went on past months, and how the forecasts drifted. */
export function Forecast({ status, teams, isReadOnly }: { readonly status: BudgetStatus; readonly teams: readonly string[]; readonly isReadOnly: boolean }) {
  const { kind, scope, currency, basis } = status.plan;
  const choice = useView((view) => view.currency);
  const asked = useAsk("forecast.read", kind === "carbon" ? null : { kind, scope, currency: askedAlike(choice, currency), basis: basis ?? "EffectiveCost" });
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking" || asked.value.dataUntil === null) return null;
  return (
    <div className="pair ahead">
      <Ahead status={status} forecast={asked.value} />
      <div className="stack">
        <LookedBack forecast={asked.value} />
        <KnownChanges forecast={asked.value} teams={teams} currency={currency} isReadOnly={isReadOnly} />
      </div>
    </div>
  );
}

/** Months to come with the band of 80 %, the next 3, 6 and 12 added, and the forecasts as they were made. */
function Ahead({ status, forecast }: { readonly status: BudgetStatus; readonly forecast: ForecastAnswer }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const { unit, months, spans, drift, dataUntil } = forecast;
  const bare = { bare: true } as const;
  const shown = (amount: string | null) => (amount === null ? <span className="unknown">—</span> : amountIn(speech, amount, unit, bare));
  const own = drift.filter(({ budget, period }) => budget === status.plan.id && period === status.period);
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("ahead.title", { name: status.plan.name })} note={say("ahead.note", { unit: unit === "gpu-hours" ? say("scope-unit.gpu-hours") : (unit ?? ""), until: dataUntil === null ? "—" : words.instant(`${dataUntil}T00:00:00Z`, "day") })} />
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("ahead.span")}</th><th scope="col" className="n">{say("column.forecast")}</th><th scope="col" className="n">{say("ahead.band")}</th><th scope="col" className="n">{say("ahead.run-rate")}</th></tr></thead>
        <tbody>
          {months.slice(0, 4).map((month) => (
            <tr key={month.month}><th scope="row">{words.period(month.month)}</th><td className="n">{shown(month.forecast)}</td><td className="n">{month.halfWidth80 === null ? <span className="unknown">—</span> : `± ${amountIn(speech, month.halfWidth80, unit, bare)}`}</td><td className="n">{month.daysToCome === 0 || month.runRate === null ? "" : shown(month.runRate)}</td></tr>
          ))}
          {spans.map((span) => (
            <tr key={span.months}><th scope="row">{say("ahead.months", { count: span.months })}</th><td className="n">{shown(span.forecast)}</td><td className="n">{span.halfWidth80 === null ? <span className="unknown">—</span> : `± ${amountIn(speech, span.halfWidth80, unit, bare)}`}</td><td /></tr>
          ))}
        </tbody>
      </table>
      <p className="note">{say("ahead.lumps", { amount: amountIn(speech, forecast.notExtrapolated, unit) })}</p>
      {own.length > 0 && (
        <>
          <h3>{say("drift.title", { period: periodText(status.period, words) })}</h3>
          <table className="statement dense" aria-label={say("drift.title", { period: periodText(status.period, words) })}>
            <thead><tr><th scope="col">{say("drift.until")}</th><th scope="col" className="n">{say("column.forecast")}</th><th scope="col" className="n">{say("drift.change")}</th></tr></thead>
            <tbody>
              {own.slice(-8).map((made, index, all) => {
                const before = all[index - 1];
                return (
                  <tr key={made.dataUntil}><th scope="row">{words.instant(`${made.dataUntil}T00:00:00Z`, "day")}</th><td className="n">{shown(made.forecast)}</td><td className="n">{before === undefined ? "" : amountIn(speech, difference(made.forecast, before.forecast), unit, { bare: true, signed: true })}</td></tr>
                );
              })}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

function difference(amount: string, before: string): string {
  return formatAttos((parseAmount(amount)?.value ?? 0n) - (parseAmount(before)?.value ?? 0n));
}

/** Each method on the ledger's own closed months; the one in use is marked. */
function LookedBack({ forecast }: { readonly forecast: ForecastAnswer }) {
  const { say, words } = useSpeech();
  const id = useId();
  const { backtest, method } = forecast;
  const share = (value: number | null, isSigned = false) => (value === null ? <span className="unknown">—</span> : words.ratio(value, isSigned ? { signed: true } : {}));
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("backtest.title")} note={say("backtest.note")} />
      {backtest.origins === 0 ? <p className="note">{say("backtest.none")}</p> : (
        <>
          <table className="statement" aria-labelledby={id}>
            <thead><tr><th scope="col">{say("backtest.method")}</th><th scope="col" className="n" title={say("input.mape")}>MAPE</th><th scope="col" className="n" title={say("input.wape")}>WAPE</th><th scope="col" className="n">{say("backtest.bias")}</th></tr></thead>
            <tbody>
              {backtest.methods.map((line) => (
                <tr key={line.method} aria-selected={line.method === method}><th scope="row">{say(`backtest.method.${line.method}`)}{line.method === method && <span className="muted"> · {say("backtest.used")}</span>}</th><td className="n">{share(line.mape)}</td><td className="n">{share(line.wape)}</td><td className="n">{share(line.bias, true)}</td></tr>
              ))}
            </tbody>
          </table>
          <p className="note">{say("backtest.coverage", { count: backtest.origins, share: backtest.coverage === null ? "—" : words.ratio(backtest.coverage) })}</p>
        </>
      )}
    </section>
  );
}

interface KnownProps {
  readonly forecast: ForecastAnswer;
  readonly teams: readonly string[];
  readonly currency: string | null;
  readonly isReadOnly: boolean;
}

/** Changes that are known to come: what the person planned, and commitments that end. */
function KnownChanges({ forecast, teams, currency, isReadOnly }: KnownProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const [editing, setEditing] = useState<{ readonly at: number | null; readonly change: PlannedChangeInput } | null>(null);
  const save = useTell("planned-changes.save");
  const tell = useNotice((store) => store.tell);
  const { plannedChanges: changes, commitmentEnds } = forecast;
  if (currency === null) return null;
  const keep = async (next: readonly PlannedChangeInput[]): Promise<void> => {
    const result = await save.tell({ changes: [...next], by: null });
    if (!result.ok) return;
    tell({ text: say("known.saved") });
    setEditing(null);
  };
  const dayText = (day: string): string => words.instant(`${day}T00:00:00Z`, "day");
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("known.title")} note={say("known.note", { currency })}>
        {!isReadOnly && <button type="button" className="link" onClick={() => setEditing({ at: null, change: { name: "", team: null, currency, fromDay: "", toDay: null, isDaily: true, amount: "" } })}>{say("known.add")}</button>}
      </SectionHead>
      {changes.length + commitmentEnds.length === 0 ? <p className="note">{say("known.none")}</p> : (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("known.what")}</th><th scope="col">{say("known.from")}</th><th scope="col">{say("known.to")}</th><th scope="col" className="n">{say("known.amount")}</th><th scope="col"><span className="for-readers">{say("field.edit")}</span></th></tr></thead>
          <tbody>
            {changes.map((change, index) => (
              <tr key={`${index} ${change.name}`}>
                <th scope="row" className="clip" title={change.name}>{change.name}{change.team !== null && <span className="muted"> · {change.team}</span>}</th>
                <td>{dayText(change.fromDay)}</td>
                <td>{change.isDaily && change.toDay !== null ? dayText(change.toDay) : ""}</td>
                <td className="n">{amountIn(speech, change.amount, change.currency, { bare: change.currency === currency, signed: true })}{change.isDaily && <span className="muted"> {say("known.a-day")}</span>}</td>
                <td className="n">{!isReadOnly && <button type="button" className="link" aria-label={`${say("field.edit")}: ${change.name}`} onClick={() => setEditing({ at: index, change })}>{say("field.edit")}</button>}</td>
              </tr>
            ))}
            {commitmentEnds.map((end, index) => (
              <tr key={`end ${index}`}>
                <th scope="row" className="clip" title={end.commitment}>{say("known.commitment-ends", { commitment: end.commitment.split("/").at(-1) ?? end.commitment })}{end.team !== null && <span className="muted"> · {end.team}</span>}</th>
                <td>{dayText(end.endsOn)}</td><td /><td className="n">{amountIn(speech, end.amount, currency, { bare: true, signed: true })}<span className="muted"> {say("known.a-day")}</span></td><td />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {editing !== null && (
        <ChangeForm
          change={editing.change}
          teams={teams}
          isBusy={save.isBusy}
          error={save.error}
          onClose={() => setEditing(null)}
          onRemove={editing.at === null ? null : () => void keep(changes.filter((_change, at) => at !== editing.at))}
          onSave={(change) => void keep(editing.at === null ? [...changes, change] : changes.map((before, at) => (at === editing.at ? change : before)))}
        />
      )}
    </section>
  );
}

interface ChangeFormProps {
  readonly change: PlannedChangeInput;
  readonly teams: readonly string[];
  readonly isBusy: boolean;
  readonly error: Parameters<typeof FormDialog>[0]["error"];
  readonly onClose: () => void;
  readonly onRemove: (() => void) | null;
  readonly onSave: (change: PlannedChangeInput) => void;
}

function ChangeForm({ change, teams, isBusy, error, onClose, onRemove, onSave }: ChangeFormProps) {
  const { say } = useSpeech();
  const [fields, setFields] = useState({ name: change.name, team: change.team ?? "", fromDay: change.fromDay, toDay: change.toDay ?? "", amount: change.amount, kind: change.isDaily ? ("daily" as const) : ("once" as const) });
  const [isTried, setTried] = useState(false);
  const put = (next: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...next }));
  const amount = decimalOf(fields.amount);
  const isEnd = fields.kind === "once" || fields.toDay === "" || (isDay(fields.toDay) && fields.toDay >= fields.fromDay);
  const isWrong = fields.name.trim() === "" || !isDay(fields.fromDay) || !isEnd || amount === null;
  const submit = (): void => {
    setTried(true);
    if (isWrong || amount === null) return;
    onSave({ name: fields.name.trim(), team: fields.team.trim() === "" ? null : fields.team.trim(), currency: change.currency, fromDay: fields.fromDay, toDay: fields.kind === "once" || fields.toDay === "" ? null : fields.toDay, isDaily: fields.kind === "daily", amount });
  };
  return (
    <FormDialog title={say("known.form")} onClose={onClose} onSave={submit} isBusy={isBusy} {...(error === undefined ? {} : { error })} wrong={isTried && isWrong ? say("known.wrong") : null} aside={onRemove === null ? null : <button type="button" className="link" onClick={onRemove}>{say("field.remove")}</button>}>
      <TextLine label={say("known.what")} value={fields.name} onChange={(name) => put({ name })} isInvalid={isTried && fields.name.trim() === ""} isFirst />
      <div className="form-grid">
        <NameField label={say("known.team")} value={fields.team} names={teams} onChange={(team) => put({ team })} />
        <Choice label={say("known.kind")} value={fields.kind} choices={(["daily", "once"] as const).map((kind) => ({ id: kind, text: say(`known.kind.${kind}`) }))} onChoose={(kind) => put({ kind })} />
        <TextLine label={say("known.from")} value={fields.fromDay} onChange={(fromDay) => put({ fromDay })} hint={say("field.day-hint")} isInvalid={isTried && !isDay(fields.fromDay)} />
        <TextLine label={say("known.to-last")} value={fields.toDay} onChange={(toDay) => put({ toDay })} hint={say("field.day-hint")} isInvalid={isTried && !isEnd} isDisabled={fields.kind === "once"} />
        <TextLine label={`${say("known.amount")} (${change.currency})`} value={fields.amount} onChange={(typed) => put({ amount: typed })} isInvalid={isTried && amount === null} />
      </div>
      <p className="note">{say("known.hint")}</p>
    </FormDialog>
  );
}
