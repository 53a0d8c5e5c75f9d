import { useId } from "react";
import type { PlanAnswer, PlanOption } from "../../shared/contract/plan.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { WorkedBy } from "./Worked.tsx";

/** What stands in a saving under a risk. */
const riskInputs = ["level", "onDemand", "price", "term", "utilization"] as const;

/** What is saved a month if usage falls, prices fall or machines go: of the option looked at, and of the best of another term. */
export function Risk({ plan, option }: { readonly plan: PlanAnswer; readonly option: PlanOption }) {
  const { say, words } = useSpeech();
  const id = useId();
  const other = plan.options.find((each) => each.id === (plan.runnerUp === option.id ? plan.recommended : plan.runnerUp) && each.id !== option.id && each.risks.length > 0) ?? null;
  const valueOf = (of: PlanOption, index: number): number => { const value = of.risks[index]?.saving.value; return typeof value === "bigint" ? Number(value) / 1e18 : 0; };
  const all = option.risks.flatMap((_, index) => [valueOf(option, index), ...(other === null ? [] : [valueOf(other, index)])]);
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)];
  const span = most - least || 1;
  const zero = ((0 - least) / span) * 100;
  const bar = (value: number, isMain: boolean) => {
    const from = ((Math.min(0, value) - least) / span) * 100;
    return <i className={`${isMain ? "main" : "other"}${value < 0 ? " loses" : ""}`} style={{ left: `${from}%`, width: `${(Math.abs(value) / span) * 100}%` }} />;
  };
  return (
    <section aria-labelledby={id} className="risk">
      <SectionHead id={id} title={say("commit.risk.title")} note={say("commit.risk.note", { currency: plan.currency })}>
        <span className="risk-key"><i className="main" aria-hidden="true" />{words.text(option.name)}</span>
        {other !== null && <span className="risk-key"><i className="other" aria-hidden="true" />{words.text(other.name)}</span>}
      </SectionHead>
      <table className="statement" aria-labelledby={id}>
        <thead className="for-readers"><tr><th scope="col">{say("commit.column.case")}</th><th scope="col">{words.text(option.name)}</th>{other !== null && <th scope="col">{words.text(other.name)}</th>}</tr></thead>
        <tbody>
          {option.risks.map(({ risk, saving }, index) => (
            <tr key={risk}>
              <th scope="row">{say(`commit.risk.${risk}`, { decline: words.number(plan.inputs.declinePercentAYear) })}</th>
              <td className="plot-cell" aria-hidden="true"><span className="risk-bars"><b style={{ left: `${zero}%` }} />{bar(valueOf(option, index), true)}{other !== null && bar(valueOf(other, index), false)}</span></td>
              <td className="n"><WorkedBy title={say("commit.figure.saving")} of={say(`commit.risk.${risk}`, { decline: words.number(plan.inputs.declinePercentAYear) })} formula={say("commit.formula.risk")} inputs={riskInputs.map((input) => ({ label: say(`commit.input.${input}`), figure: option.inputs[input] }))} result={saving}>{words.figure(saving, { bare: true, digits: 0 })}</WorkedBy></td>
              {other !== null && <td className="n muted">{other.risks[index] === undefined ? "—" : words.figure(other.risks[index].saving, { bare: true, digits: 0 })}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {option.figures.breakEvenDrop.value !== null && <p className="note">{say("commit.context.drop", { drop: words.figure(option.figures.breakEvenDrop) })}</p>}
    </section>
  );
}

/** The grid of the option: net present value by usage, price fall and the cost of money. */
export function Sensitivity({ plan, option }: { readonly plan: PlanAnswer; readonly option: PlanOption }) {
  const { say, words } = useSpeech();
  const id = useId();
  if (option.sensitivity.length === 0) return null;
  const rates = [...new Set(option.sensitivity.map(({ ratePercent }) => ratePercent))];
  const groups = [...Map.groupBy(option.sensitivity, ({ usagePercent, declinePercent }) => `${usagePercent} ${declinePercent}`).values()];
  const percent = (value: number): string => words.ratio(value / 100, { digits: 0, signed: true });
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("commit.sensitivity.title", { option: words.text(option.name) })} note={say("commit.sensitivity.note", { currency: plan.currency })} />
      <table className="statement dense" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("commit.column.usage-change")}</th><th scope="col" className="n">{say("commit.column.decline")}</th>{rates.map((rate) => <th key={rate} scope="col" className="n">{say("commit.column.rate", { rate: words.number(rate) })}</th>)}</tr></thead>
        <tbody>
          {groups.map((cells) => {
            const [first] = cells;
            return first === undefined ? null : (
              <tr key={`${first.usagePercent} ${first.declinePercent}`} className={first.declinePercent === 0 ? "group" : undefined}>
                <th scope="row">{percent(first.usagePercent)}</th>
                <td className="n">{words.ratio(first.declinePercent / 100, { digits: 0 })}</td>
                {cells.map(({ ratePercent, value }) => <td key={ratePercent} className={typeof value.value === "bigint" && value.value < 0n ? "n idle-text" : "n"}>{words.figure(value, { bare: true, digits: 0 })}</td>)}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Levels by window, and the layers of several terms. */
export function Levels({ plan }: { readonly plan: PlanAnswer }) {
  const { say, words } = useSpeech();
  const id = useId();
  const { levels, layers } = plan;
  const nameOf = (option: string): string => { const found = plan.options.find((each) => each.id === option); return found === undefined ? "" : words.text(found.name); };
  return (
    <div className="stack">
      {levels !== null && (
        <section aria-labelledby={id}>
          <SectionHead id={id} title={say("commit.levels.title")} note={say("commit.levels.note", { stable: words.figure(levels.stable), optimal: words.figure(levels.optimal), cautious: words.figure(levels.cautious), spread: words.figure(levels.spread) })} />
          <table className="statement dense" aria-labelledby={id}>
            <thead><tr><th scope="col">{say("commit.column.window")}</th><th scope="col" className="n">{say("commit.column.stable")}</th><th scope="col" className="n">{say("commit.column.optimal")}</th></tr></thead>
            <tbody>{levels.windows.map(({ days, stable, optimal }) => <tr key={days}><th scope="row">{say("commit.days", { count: days })}</th><td className="n">{words.figure(stable)}</td><td className="n">{words.figure(optimal)}</td></tr>)}</tbody>
          </table>
        </section>
      )}
      {layers !== null && (
        <section>
          <SectionHead title={say("commit.layers.title")} note={layers.short === null ? say("commit.layers.note-alone", { long: nameOf(layers.long.option), saving: words.figure(layers.savingAMonth) }) : say("commit.layers.note", { long: nameOf(layers.long.option), short: nameOf(layers.short.option), saving: words.figure(layers.savingAMonth) })} />
          <table className="statement dense">
            <thead><tr><th scope="col">{say("commit.column.layer")}</th>{layers.yearMultipliers.map((_, year) => <th key={year} scope="col" className="n">{say("commit.column.year", { year: words.count(year + 1) })}</th>)}</tr></thead>
            <tbody>
              <tr><th scope="row">{say("commit.layers.long", { name: nameOf(layers.long.option) })}</th>{layers.yearMultipliers.map((_, year) => <td key={year} className="n">{words.figure(layers.long.gpus)}</td>)}</tr>
              {layers.short !== null && <tr><th scope="row">{say("commit.layers.short", { name: nameOf(layers.short.option) })}</th>{layers.short.gpus.map((gpus, year) => <td key={year} className="n">{words.figure(gpus)}</td>)}</tr>}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
