import { useId } from "react";
import type { BudgetStatus } from "../../shared/contract/teams.ts";
import { formatAttos } from "../../shared/domain/money.ts";
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
                <td className="n">{shown(status, status.budget)}</td>
                <td className="n">{shown(status, status.actual)}</td>
                <td className="n">{status.consumed === null ? <span className="unknown">—</span> : <><span className="plan-bar" aria-hidden="true"><i className={status.consumed > 1 ? "over" : undefined} style={{ width: `${Math.round(Math.min(1, Math.max(0, status.consumed)) * 44)}px` }} /></span>{words.ratio(status.consumed, { digits: 0 })}</>}</td>
                <td className="n">{shown(status, status.forecast)}</td>
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

export function unitOf({ plan }: Pick<BudgetStatus, "plan">): string {
  return plan.kind === "money" ? (plan.currency ?? "") : plan.kind === "gpu-hours" ? "gpu-hours" : "kgCO2e";
}
