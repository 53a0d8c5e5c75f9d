import { useId } from "react";
import type { PlanAnswer, PlanInput, PlanOption, PlanRisk } from "../../shared/contract/plan.ts";
import type { Figure } from "../../shared/domain/figure.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Said } from "../parts/Sentence.tsx";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Worked, WorkedBy } from "./Worked.tsx";

/** What stands in a saving under a risk. */
const riskInputs = ["level", "onDemand", "price", "term", "utilization"] as const;
const sensitivityInputs = ["level", "onDemand", "utilization", "upfront", "hourly"] as const;
const levelInputs = ["price", "onDemand"] as const;
const layerInputs = ["price", "onDemand", "term", "growth", "decline"] as const;

/** What an option is worked out with, named. */
function inputsOf(option: PlanOption, inputs: readonly PlanInput[], say: Speech["say"]): readonly { readonly label: string; readonly figure: Figure }[] {
  return inputs.map((input) => ({ label: say(`commit.input.${input}`), figure: option.inputs[input] }));
}

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
  const worked = (of: PlanOption, risk: PlanRisk, saving: Figure) => (
    <WorkedBy title={say("commit.figure.saving")} of={[words.text(of.name), say(`commit.risk.${risk}`, { decline: words.number(plan.inputs.declinePercentAYear) })].join(" · ")} formula={say("commit.formula.risk")} inputs={inputsOf(of, riskInputs, say)} result={saving}>
      {words.figure(saving, { bare: true, digits: 0 })}
    </WorkedBy>
  );
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
              <td className="n">{worked(option, risk, saving)}</td>
              {other !== null && <td className="n muted">{other.risks[index] === undefined ? "—" : worked(other, risk, other.risks[index].saving)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {option.figures.breakEvenDrop.value !== null && <p className="note"><Said message={{ key: "commit.context.drop", params: { drop: { figure: option.figures.breakEvenDrop } } }} explained={(_name, text) => <Worked option={option} figure="breakEvenDrop">{text}</Worked>} /></p>}
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
                {cells.map(({ ratePercent, value }) => <td key={ratePercent} className={typeof value.value === "bigint" && value.value < 0n ? "n idle-text" : "n"}><WorkedBy title={say("commit.figure.presentValue")} of={[words.text(option.name), percent(first.usagePercent), words.ratio(first.declinePercent / 100, { digits: 0 }), words.ratio(ratePercent / 100, { digits: 0 })].join(" · ")} formula={say("commit.formula.sensitivity")} inputs={inputsOf(option, sensitivityInputs, say)} result={value}>{words.figure(value, { bare: true, digits: 0 })}</WorkedBy></td>)}
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
  const shown = plan.options.find(({ id: option }) => option === plan.shown) ?? null;
  const layerInputsOf = (option: string) => { const found = plan.options.find((each) => each.id === option); return found === undefined ? [] : inputsOf(found, layerInputs, say); };
  const nameOf = (option: string): string => { const found = plan.options.find((each) => each.id === option); return found === undefined ? "" : words.text(found.name); };
  return (
    <div className="stack">
      {levels !== null && (
        <section aria-labelledby={id}>
          <SectionHead id={id} title={say("commit.levels.title")} note={say("commit.levels.note", { stable: words.figure(levels.stable), optimal: words.figure(levels.optimal), cautious: words.figure(levels.cautious), spread: words.figure(levels.spread) })} />
          <table className="statement dense" aria-labelledby={id}>
            <thead><tr><th scope="col">{say("commit.column.window")}</th><th scope="col" className="n">{say("commit.column.stable")}</th><th scope="col" className="n">{say("commit.column.optimal")}</th></tr></thead>
            <tbody>{levels.windows.map(({ days, stable, optimal }) => <tr key={days}><th scope="row">{say("commit.days", { count: days })}</th><td className="n"><WorkedBy title={say("commit.figure.stable")} of={say("commit.days", { count: days })} formula={say("commit.formula.stable")} inputs={[]} result={stable}>{words.figure(stable)}</WorkedBy></td><td className="n"><WorkedBy title={say("commit.figure.lowest")} of={say("commit.days", { count: days })} formula={say("commit.formula.lowest")} inputs={shown === null ? [] : inputsOf(shown, levelInputs, say)} result={optimal}>{words.figure(optimal)}</WorkedBy></td></tr>)}</tbody>
          </table>
        </section>
      )}
      {layers !== null && (
        <section>
          <SectionHead title={say("commit.layers.title")} note={layers.short === null ? say("commit.layers.note-alone", { long: nameOf(layers.long.option), saving: words.figure(layers.savingAMonth) }) : say("commit.layers.note", { long: nameOf(layers.long.option), short: nameOf(layers.short.option), saving: words.figure(layers.savingAMonth) })} />
          <table className="statement dense">
            <thead><tr><th scope="col">{say("commit.column.layer")}</th>{layers.yearMultipliers.map((_, year) => <th key={year} scope="col" className="n">{say("commit.column.year", { year: words.count(year + 1) })}</th>)}</tr></thead>
            <tbody>
              <tr><th scope="row">{say("commit.layers.long", { name: nameOf(layers.long.option) })}</th>{layers.yearMultipliers.map((_, year) => <td key={year} className="n"><WorkedBy title={say("commit.figure.layer")} of={nameOf(layers.long.option)} formula={say("commit.formula.layers")} inputs={layerInputsOf(layers.long.option)} result={layers.long.gpus}>{words.figure(layers.long.gpus)}</WorkedBy></td>)}</tr>
              {layers.short !== null && <tr><th scope="row">{say("commit.layers.short", { name: nameOf(layers.short.option) })}</th>{layers.short.gpus.map((gpus, year) => <td key={year} className="n"><WorkedBy title={say("commit.figure.layer")} of={nameOf(layers.short?.option ?? "")} formula={say("commit.formula.layers")} inputs={layerInputsOf(layers.short?.option ?? "")} result={gpus}>{words.figure(gpus)}</WorkedBy></td>)}</tr>}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
