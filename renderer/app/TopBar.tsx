import type { ReactNode } from "react";
import { useMemo, useState } from "react";
import { Button, Checkbox, CheckboxGroup, Dialog, DialogTrigger, Header, Label, ListBox, ListBoxItem, ListBoxSection, Popover, Select, SelectValue } from "react-aria-components";
import type { LedgerStatus, ScopeValues } from "../../shared/contract/methods.ts";
import { converted, convertedTo } from "../../shared/domain/currency.ts";
import { costBases } from "../../shared/domain/figure.ts";
import type { CostBasis } from "../../shared/domain/figure.ts";
import type { Scope, ScopeDimension } from "../../shared/domain/scope.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { targetsOf } from "../reports/review/Converted.tsx";
import { periodOf } from "../reports/useReport.ts";
import { useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Glass } from "./icons.tsx";
import { periodChoices } from "./periods.ts";

/** Period, scope, cost basis and currency: kept across screens and in the address. */
export function TopBar({ status, onFind }: { readonly status: LedgerStatus; readonly onFind: () => void }) {
  const { say } = useSpeech();
  return (
    <header className="top-bar">
      <PeriodPicker status={status} />
      <ScopePicker />
      <BasisPicker />
      <CurrencyPicker status={status} />
      <button type="button" className="find" onClick={onFind} aria-keyshortcuts="Control+K Meta+K">
        <Glass />
        <span>{say("find.label")}</span>
        <kbd aria-hidden="true">{/mac/i.test(navigator.platform) ? "⌘ K" : "Ctrl K"}</kbd>
      </button>
    </header>
  );
}

interface PickProps<K extends string> {
  readonly label: string;
  readonly value: K;
  readonly shown: ReactNode;
  readonly onPick: (value: K) => void;
  readonly children: ReactNode;
}

function Pick<K extends string>({ label, value, shown, onPick, children }: PickProps<K>) {
  return (
    <Select className="pick" value={value} onChange={(key) => key !== null && onPick(String(key) as K)}>
      <Label className="pick-label">{label}</Label>
      <Button className="pick-button"><SelectValue>{() => shown}</SelectValue></Button>
      <Popover className="popover" placement="bottom start">{children}</Popover>
    </Select>
  );
}

function PeriodPicker({ status }: { readonly status: LedgerStatus }) {
  const { say, words } = useSpeech();
  const look = useView((view) => view.look);
  const period = useView((view) => view.period);
  const shown = periodOf({ period }, status);
  const choices = useMemo(() => periodChoices(status.months), [status.months]);
  const month = status.months.find(({ label }) => label === shown);
  const about = (entry: { readonly hasBill: boolean; readonly hasTelemetry: boolean } | undefined): string =>
    entry === undefined ? "" : say(entry.hasBill && entry.hasTelemetry ? "period.both" : entry.hasBill ? "period.bill" : "period.telemetry");
  return (
    <Pick label={say("pick.period")} value={shown ?? ""} onPick={(label) => look({ period: label })} shown={shown === null ? say("period.none") : <>{words.period(shown)} <em>{about(month)}</em></>}>
      <ListBox>
        {([["months", choices.months], ["quarters", choices.quarters], ["years", choices.years]] as const)
          .filter(([, labels]) => labels.length > 0)
          .map(([kind, labels]) => (
            <ListBoxSection key={kind} id={kind}>
              <Header className="option-group">{say(`period.${kind}`)}</Header>
              {labels.map((label) => (
                <ListBoxItem key={label} id={label} className="option" textValue={words.period(label)}>
                  {words.period(label)}
                  <em>{about(status.months.find((entry) => entry.label === label))}</em>
                </ListBoxItem>
              ))}
            </ListBoxSection>
          ))}
      </ListBox>
    </Pick>
  );
}

function BasisPicker() {
  const { say } = useSpeech();
  const basis = useView((view) => view.basis);
  const look = useView((view) => view.look);
  return (
    <Pick<CostBasis> label={say("pick.basis")} value={basis} onPick={(chosen) => look({ basis: chosen })} shown={<>{say(`pick.basis.${basis}`)} <em>{say(`pick.basis.${basis}.note`)}</em></>}>
      <ListBox>
        {costBases.map((entry) => (
          <ListBoxItem key={entry} id={entry} className="option" textValue={say(`pick.basis.${entry}`)}>{say(`pick.basis.${entry}`)}<em>{say(`pick.basis.${entry}.note`)}</em></ListBoxItem>
        ))}
      </ListBox>
    </Pick>
  );
}

function CurrencyPicker({ status }: { readonly status: LedgerStatus }) {
  const { say } = useSpeech();
  const currency = useView((view) => view.currency);
  const look = useView((view) => view.look);
  const rates = useAsk("rates.list", {});
  const targets = targetsOf(status, rates.state === "answered" ? rates.value.currencies : []);
  if (status.currencies.length === 0) return null;
  const target = convertedTo(currency);
  const value = currency ?? status.currencies[0] ?? "";
  return (
    <Pick label={say("pick.currency")} value={value} onPick={(chosen) => look({ currency: chosen })} shown={target === null ? value : <>{say("pick.currency.converted", { currency: target })} <em>{say("pick.currency.converted.note")}</em></>}>
      <ListBox>
        <ListBoxSection id="billed" aria-label={say("pick.currency.billed-group")}>
          {targets.length > 0 && <Header className="option-group">{say("pick.currency.billed-group")}</Header>}
          {status.currencies.map((entry) => (
            <ListBoxItem key={entry} id={entry} className="option" textValue={entry}>{entry}</ListBoxItem>
          ))}
        </ListBoxSection>
        {targets.length > 0 && (
          <ListBoxSection id="converted">
            <Header className="option-group">{say("pick.currency.converted-group")}</Header>
            {targets.map((entry) => (
              <ListBoxItem key={converted(entry)} id={converted(entry)} className="option" textValue={say("pick.currency.converted", { currency: entry })}>{say("pick.currency.converted", { currency: entry })}</ListBoxItem>
            ))}
          </ListBoxSection>
        )}
      </ListBox>
    </Pick>
  );
}

const pickable = ["provider", "team", "gpuModel", "service", "region", "account"] as const satisfies readonly ScopeDimension[];

function ScopePicker() {
  const { say } = useSpeech();
  const scope = useView((view) => view.scope);
  const look = useView((view) => view.look);
  const asked = useAsk("scope.values", {});
  const [isOpen, setOpen] = useState(false);
  const values = asked.state === "answered" ? asked.value : null;
  return (
    <div className="pick">
      <span className="pick-label">{say("pick.scope")}</span>
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
        <Button className="pick-button" aria-label={say("pick.scope.named", { scope: scopeText(scope, values, say) })}><span>{scopeText(scope, values, say)}</span></Button>
        <Popover className="popover" placement="bottom start" UNSTABLE_portalContainer={document.querySelector("header") ?? document.body}>
          <Dialog className="scope-box" aria-label={say("pick.scope")}>
            {values === null ? <p role="status">{say("state.asking")}</p> : <ScopeForm values={values} scope={scope} onChange={(changed) => look({ scope: changed })} />}
            <p className="actions">
              <button type="button" className="link" disabled={Object.keys(scope).length === 0} onClick={() => look({ scope: {} })}>{say("scope.everything")}</button>
              <button type="button" className="link" onClick={() => setOpen(false)}>{say("action.close")}</button>
            </p>
          </Dialog>
        </Popover>
      </DialogTrigger>
    </div>
  );
}

function ScopeForm({ values, scope, onChange }: { readonly values: ScopeValues; readonly scope: Scope; readonly onChange: (scope: Scope) => void }) {
  const { say } = useSpeech();
  return (
    <div className="scope-columns">
      {pickable.map((dimension) => {
        const choices = choicesOf(values, dimension);
        if (choices.length === 0) return null;
        return (
          <CheckboxGroup
            key={dimension}
            value={(scope[dimension] ?? []).map((value) => value ?? "")}
            onChange={(chosen) => {
              const { [dimension]: _before, ...rest } = scope;
              onChange(chosen.length === 0 ? rest : { ...rest, [dimension]: chosen.map((value) => (value === "" ? null : value)) });
            }}
          >
            <Label className="group-label">{say(`scope.${dimension}`)}</Label>
            <div className="choices">
              {choices.map(({ value, name }) => (
                <Checkbox key={value ?? ""} value={value ?? ""} className="check"><i aria-hidden="true" /><span>{name ?? say("scope.without")}</span></Checkbox>
              ))}
            </div>
          </CheckboxGroup>
        );
      })}
    </div>
  );
}

function choicesOf(values: ScopeValues, dimension: (typeof pickable)[number]): readonly { readonly value: string | null; readonly name: string | null }[] {
  if (dimension === "account") return values.account.map(({ id, name }) => ({ value: id, name: name ?? id }));
  return values[dimension].map((value) => ({ value, name: value }));
}

/** "3 providers · 6 teams", or what it is narrowed to. */
function scopeText(scope: Scope, values: ScopeValues | null, say: ReturnType<typeof useSpeech>["say"]): string {
  const chosen = pickable.flatMap((dimension) => {
    const list = scope[dimension];
    if (list === undefined) return [];
    const [only] = list;
    return [list.length === 1 ? (only ?? say("scope.without.of", { dimension: say(`scope.${dimension}`) })) : say(`scope.count.${dimension}`, { count: list.length })];
  });
  if (chosen.length > 0) return chosen.join(" · ");
  if (values === null) return say("scope.all");
  const known = (list: readonly (string | null)[]): number => list.filter((value) => value !== null).length;
  const parts = [
    ...(known(values.provider) > 0 ? [say("scope.count.provider", { count: known(values.provider) })] : []),
    ...(known(values.team) > 0 ? [say("scope.count.team", { count: known(values.team) })] : []),
  ];
  return parts.length === 0 ? say("scope.all") : parts.join(" · ");
}
