import { useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { BudgetImport, BudgetPlan, BudgetStatus } from "../../shared/contract/teams.ts";
import { convertedTo } from "../../shared/domain/currency.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Refused } from "../parts/states.tsx";
import { ReportPage } from "../reports/ReportPage.tsx";
import { periodOf } from "../reports/useReport.ts";
import { useNotice } from "../state/notice.ts";
import { useView } from "../state/view.ts";
import { FormDialog } from "../teams/fields.tsx";
import { Allocation } from "../teams/Allocation.tsx";
import { ChangeLog } from "../teams/ChangeLog.tsx";
import { Showback } from "../teams/Showback.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { AlertLadder, AlertLog } from "./Alerts.tsx";
import { BudgetForm } from "./BudgetForm.tsx";
import { BudgetTree } from "./BudgetTree.tsx";
import { BurnDown } from "./BurnDown.tsx";
import { Forecast } from "./Forecast.tsx";
import { MoveBudget } from "./MoveBudget.tsx";

/** Who will run over? The budgets, one of them day by day, what its alerts said; and whose the spend is. */
export function Budgets({ status }: { readonly status: LedgerStatus }) {
  const { say, error } = useSpeech();
  const view = useView();
  const period = periodOf(view, status);
  const month = period === null ? null : lastMonthOf(period);
  // Each is counted in its own currency, unless everything is converted into one.
  const isConverted = convertedTo(view.currency) !== null;
  const asked = useAsk("budgets.list", month === null ? null : { month, ...(isConverted ? { currency: view.currency } : {}) });
  const [selected, setSelected] = useState<number | null>(null);
  const [isMoving, setMoving] = useState(false);
  const [form, setForm] = useState<"new" | "edit" | null>(null);
  const [plan, setPlan] = useState<{ readonly file: { readonly token: string; readonly name: string }; readonly preview: BudgetImport } | null>(null);
  const choose = useTell("files.choose");
  const read = useTell("budgets.import");
  const write = useTell("budgets.export");
  const tell = useNotice((store) => store.tell);
  const budgets = asked.state === "answered" ? asked.value.budgets : [];
  const current = budgets.find(({ plan: { id } }) => id === selected) ?? worst(budgets);

  const importPlan = async (): Promise<void> => {
    const chosen = await choose.tell({ kind: "import" });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    const [file] = chosen.value;
    if (file === undefined) return;
    const preview = await read.tell({ file: file.token, currency: null, isPreview: true, by: null });
    if (!preview.ok) return tell({ text: error(preview.error).what, detail: error(preview.error).todo });
    setPlan({ file, preview: preview.value });
  };
  const take = async (): Promise<void> => {
    if (plan === null) return;
    const done = await read.tell({ file: plan.file.token, currency: null, isPreview: false, by: null });
    if (!done.ok) return;
    tell({ text: say("budgets.imported", countsOf(done.value)) });
    setPlan(null);
  };
  const exportPlan = async (as: "xlsx" | "csv"): Promise<void> => {
    const chosen = await choose.tell({ kind: "export-save", suggestedName: `budgets.${as}` });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    const [file] = chosen.value;
    if (file === undefined) return;
    const written = await write.tell({ file: file.token });
    tell(written.ok ? { text: say("plan.exported", { file: file.name }) } : { text: error(written.error).what, detail: error(written.error).todo });
  };

  return (
    <ReportPage
      report="budgets"
      status={status}
      actions={
        <>
          <MenuTrigger>
            <Button className="link">{say(budgets.length > 0 ? "plan.export" : "plan.template")}</Button>
            <Popover className="popover" placement="bottom end">
              <Menu aria-label={say("plan.export")} onAction={(key) => void exportPlan(key === "csv" ? "csv" : "xlsx")}>
                {(["xlsx", "csv"] as const).map((as) => <MenuItem key={as} id={as} className="option">{say(`export.${as}`)}</MenuItem>)}
              </Menu>
            </Popover>
          </MenuTrigger>
          {!status.isReadOnly && <button type="button" className="link" onClick={() => void importPlan()}>{say("plan.import")}</button>}
          {!status.isReadOnly && <button type="button" className="link main" onClick={() => setForm("new")}>{say("plan.add")}</button>}
        </>
      }
    >
      {() => (
        <div className="budgets-page">
          {asked.state === "refused" && <Refused error={asked.error} />}
          {asked.state === "answered" && budgets.length === 0 && <p className="context">{say("plan.empty.todo")}</p>}
          {budgets.length > 0 && <BudgetTree budgets={budgets} selected={current?.plan.id ?? null} onSelect={setSelected} />}
          {current !== null && month !== null && (
            <div className="pair burn-first">
              <BurnDown key={current.plan.id} status={current} month={month} />
              <div className="stack">
                {isConverted ? <p className="note">{say("alert-log.not-converted")}</p> : <AlertLadder status={current} />}
                {!status.isReadOnly && <p className="actions"><button type="button" className="link" onClick={() => setForm("edit")}>{say("plan.edit")}</button><button type="button" className="link" onClick={() => setMoving(true)}>{say("move.open")}</button></p>}
              </div>
            </div>
          )}
          {current !== null && <Forecast key={`ahead ${current.plan.id}`} status={current} teams={teamsOf(budgets.map(({ plan: own }) => own))} isReadOnly={status.isReadOnly} />}
          {budgets.length > 0 && !isConverted && <AlertLog isReadOnly={status.isReadOnly} />}
          <Showback status={status} />
          <Allocation status={status} />
          <ChangeLog />
          {isMoving && current !== null && month !== null && <MoveBudget key={current.plan.id} from={current.plan} plans={budgets.map(({ plan: own }) => own)} month={month} onClose={() => setMoving(false)} />}
          {form !== null && month !== null && (
            <BudgetForm
              plan={form === "edit" ? (current?.plan ?? null) : null}
              plans={budgets.map(({ plan: own }) => own)}
              currency={status.months.length === 0 ? null : (budgets[0]?.plan.currency ?? null)}
              month={month}
              onClose={(saved) => { setForm(null); if (saved !== null) setSelected(saved); }}
            />
          )}
          {plan !== null && (
            <FormDialog title={say("plan.import.title", { file: plan.file.name })} onClose={() => setPlan(null)} onSave={() => void take()} saveLabel={say("plan.import.take")} isBusy={read.isBusy} error={read.error}>
              <p className="prose">{say("budgets.import-preview", countsOf(plan.preview))}</p>
              {plan.preview.added.length > 0 && <p className="prose">{say("plan.import.added", { names: plan.preview.added.join(" · ") })}</p>}
              {plan.preview.changed.length > 0 && <p className="prose">{say("plan.import.changed", { names: plan.preview.changed.join(" · ") })}</p>}
            </FormDialog>
          )}
        </div>
      )}
    </ReportPage>
  );
}

/** Teams that budgets name, for changes that are known to come. */
function teamsOf(plans: readonly BudgetPlan[]): readonly string[] {
  return [...new Set(plans.flatMap(({ scope }) => (scope.team ?? []).filter((team) => team !== null)))].sort();
}

/** The month that a period ends with. */
export function lastMonthOf(period: string): string {
  if (/^\d{4}$/.test(period)) return `${period}-12`;
  const quarter = /^(\d{4})-Q([1-4])$/.exec(period);
  return quarter === null ? period : `${quarter[1] ?? ""}-${String(Number(quarter[2]) * 3).padStart(2, "0")}`;
}

/** The one to look at first: over, then over by forecast, then near. */
function worst(budgets: readonly BudgetStatus[]): BudgetStatus | null {
  for (const state of ["over", "forecast-over", "near"] as const) {
    const found = budgets.find((budget) => budget.state === state);
    if (found !== undefined) return found;
  }
  return budgets[0] ?? null;
}

function countsOf({ added, changed, same, months }: BudgetImport): Readonly<Record<string, number>> {
  return { added: added.length, changed: changed.length, same: same.length, months };
}
