import { useId } from "react";
import type { ReactNode } from "react";
import type { FigureRef } from "../../shared/contract/report.ts";
import type { BudgetStatus } from "../../shared/contract/teams.ts";
import type { Figure } from "../../shared/domain/figure.ts";
import { formatAttos, parseAmount } from "../../shared/domain/money.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import type { Scope } from "../../shared/domain/scope.ts";
import { FigureButton } from "../parts/FigureButton.tsx";
import { useNarrow } from "../parts/media.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { amountIn, differenceOf, isOtherUnit } from "../teams/amounts.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { periodText } from "./BurnDown.tsx";

/** Every budget stands under its parent, in the order of the list; `depth` counts the parents above it. */
export function treeOf(budgets: readonly BudgetStatus[]): readonly { readonly status: BudgetStatus; readonly depth: number }[] {
  const ids = new Set(budgets.map(({ plan }) => plan.id));
  const under = (parent: number | null, depth: number): { readonly status: BudgetStatus; readonly depth: number }[] =>
    budgets
      .filter(({ plan }) => (plan.parent === null || !ids.has(plan.parent) ? null : plan.parent) === parent)
      .flatMap((status) => [{ status, depth }, ...under(status.plan.id, depth + 1)]);
  return under(null, 0);
}

interface BudgetTreeProps {
  readonly budgets: readonly BudgetStatus[];
  readonly selected: number | null;
  readonly onSelect: (id: number) => void;
}

/** Budgets with what was spent, what is forecast, and how far they are over or under. Each in its own unit, so nothing is added up. */
export function BudgetTree({ budgets, selected, onSelect }: BudgetTreeProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const isNarrow = useNarrow();
  const units = new Set(budgets.map(unitOf));
  const isBare = units.size === 1 && ![...units].some(isOtherUnit);
  const [unit] = units;
  const shown = (status: BudgetStatus, amount: string | null, signed = false) => amount === null ? <span className="unknown">—</span> : amountIn(speech, amount, unitOf(status), { bare: isBare, signed });
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("budgets.tree.title")} note={`${isBare && unit !== undefined ? `${unit}${words.language === "zh-CN" ? "，" : "; "}` : ""}${say("plan.tree.note")}`} />
      <table className="statement budget-tree" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{say("column.budget-name")}</th>
            <th scope="col">{say("column.budget-period")}</th>
            {!isNarrow && <th scope="col">{say("column.owner")}</th>}
            <th scope="col" className="n">{say("column.budget")}</th>
            <th scope="col" className="n">{say("column.actual")}</th>
            <th scope="col" className="n">{say("column.consumed")}</th>
            <th scope="col" className="n">{say("column.forecast")}</th>
            <th scope="col" className="n" title={say("plan.against.note")}>{say("plan.against")}</th>
            {!isNarrow && <th scope="col">{say("column.runs-out")}</th>}
            <th scope="col">{say("column.state")}</th>
          </tr>
        </thead>
        <tbody>
          {treeOf(budgets).map(({ status, depth }) => {
            const difference = differenceOf(status.forecast ?? status.actual, status.budget);
            const isOver = status.state === "over" || status.state === "forecast-over";
            return (
              <tr key={status.plan.id} aria-selected={status.plan.id === selected}>
                <th scope="row" style={{ paddingLeft: depth * 18 }}><button type="button" className="row-toggle" aria-pressed={status.plan.id === selected} onClick={() => onSelect(status.plan.id)}>{status.plan.name}</button></th>
                <td>{periodText(status.period, words)}</td>
                {!isNarrow && <td>{status.plan.owner ?? <span className="muted">{say("field.nobody")}</span>}</td>}
                <td className="n"><Explained status={status} amount={status.budget} explain={ownRef(status, "budget")}>{shown(status, status.budget)}</Explained></td>
                <td className="n"><Explained status={status} amount={status.actual} explain={spentRef(status)}>{shown(status, status.actual)}</Explained></td>
                <td className="n">{status.consumed === null ? <span className="unknown">—</span> : <><span className="plan-bar" aria-hidden="true"><i className={status.consumed > 1 ? "over" : undefined} style={{ width: `${Math.round(Math.min(1, Math.max(0, status.consumed)) * 44)}px` }} /></span>{words.ratio(status.consumed, { digits: 0 })}</>}</td>
                <td className="n"><Explained status={status} amount={status.forecast} explain={ownRef(status, "budget-forecast")}>{shown(status, status.forecast)}</Explained></td>
                <td className={isOver ? "n alert-text" : "n"}>{difference === null ? <span className="unknown">—</span> : shown(status, formatAttos(difference), true)}</td>
                {!isNarrow && <td>{status.runsOutOn === null ? "" : words.instant(`${status.runsOutOn}T00:00:00Z`, "day")}</td>}
                <td>{isOver && <span className="alert-mark" aria-hidden="true">▲ </span>}{say(`plan.state.${status.state}`)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** An amount that opens its explanation; as it is where nothing can explain it. */
function Explained({ status, amount, explain, children }: { readonly status: BudgetStatus; readonly amount: string | null; readonly explain: FigureRef | null; readonly children: ReactNode }) {
  const unit = unitOf(status);
  const attos = amount === null ? null : (parseAmount(amount)?.value ?? null);
  if (explain === null || attos === null) return <>{children}</>;
  const figure: Figure = { metric: explain.metric, value: isOtherUnit(unit) ? Number(attos) / 1e18 : attos, unit, basis: "derived", coverage: 1 };
  return <FigureButton figure={figure} explain={explain}>{children}</FigureButton>;
}

function ownRef({ plan, months }: BudgetStatus, metric: "budget" | "budget-forecast"): FigureRef | null {
  const month = months.at(-1);
  return month === undefined ? null : { metric, period: month, scope: {}, basis: plan.basis ?? "EffectiveCost", currency: plan.currency, params: { budget: String(plan.id) } };
}

/** What was spent is the spend, or the GPU-hours, of the budget's scope; a fiscal year that is not the calendar's has no period of its own. */
function spentRef({ plan: { kind, scope, basis, currency }, period }: BudgetStatus): FigureRef | null {
  if (kind === "carbon" || parsePeriod(period) === null) return null;
  const narrowed = Object.fromEntries(Object.entries(scope).filter(([, values]) => values !== undefined)) as Scope;
  return { metric: kind === "money" ? "spend" : "gpu-hours", period, scope: narrowed, basis: basis ?? "EffectiveCost", currency };
}

export function unitOf({ plan }: Pick<BudgetStatus, "plan">): string {
  return plan.kind === "money" ? (plan.currency ?? "") : plan.kind === "gpu-hours" ? "gpu-hours" : "kgCO2e";
}
