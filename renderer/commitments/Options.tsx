import { useId } from "react";
import type { ReactNode } from "react";
import type { OptionFigure, PlanAnswer, PlanOption } from "../../shared/contract/plan.ts";
import { dash } from "../../shared/contract/words.ts";
import { useNarrow } from "../parts/media.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { sourceText } from "./source.ts";
import { Worked, WorkedBy } from "./Worked.tsx";

interface OptionsProps {
  readonly plan: PlanAnswer;
  readonly onSelect: (id: string) => void;
  readonly children?: ReactNode;
}

/** Every way to buy that is priced, by term. They exclude each other; the one whose curve is drawn is marked. */
export function Options({ plan, onSelect, children }: OptionsProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const isNarrow = useNarrow();
  const { options, onDemand, currency, lotGpus, recommended, shown, inputs, unpriced } = plan;
  const columns: readonly { readonly figure: OptionFigure; readonly head: string; readonly isWide?: boolean; readonly isStrong?: boolean }[] = [
    { figure: "price", head: say("commit.column.price", { currency }) },
    { figure: "level", head: say("commit.column.level") },
    { figure: "utilization", head: say("commit.column.utilization") },
    { figure: "breakEven", head: say("commit.column.breakEven"), isStrong: true },
    { figure: "payback", head: say("commit.column.payback"), isStrong: true, isWide: true },
    { figure: "exit", head: say("commit.column.exit"), isStrong: true },
    { figure: "cashPositive", head: say("commit.column.cashPositive"), isWide: true },
    { figure: "presentValue", head: say("commit.column.presentValue", { rate: words.number(inputs.discountPercentAYear) }), isWide: true },
    { figure: "saving", head: say("commit.column.saving") },
  ];
  const seen = columns.filter(({ isWide }) => isWide !== true || !isNarrow);
  return (
    <section aria-labelledby={id} className="commit-options">
      <SectionHead id={id} title={say("commit.options.title")} note={say("commit.options.note", { price: words.figure(onDemand.price), lot: lotGpus === null ? say("commit.options.any-size") : say("commit.options.lots", { gpus: words.number(lotGpus) }) })}>{children}</SectionHead>
      <div className="scroll-x">
        <table className="statement" aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{say("commit.column.option")}</th>
              {seen.map(({ figure, head, isStrong }) => <th key={figure} scope="col" className={isStrong === true ? "n strong" : "n"}>{head}</th>)}
              <th scope="col"><span className="for-readers">{say("commit.column.note")}</span></th>
            </tr>
          </thead>
          <tbody>
            <tr data-tone="muted">
              <th scope="row">{say("commit.option.on-demand")}</th>
              {seen.map(({ figure }) => <td key={figure} className="n">{figure === "price" ? <OnDemandPrice plan={plan}>{words.figure(onDemand.price, { bare: true })}</OnDemandPrice> : figure === "saving" ? words.money(0n, currency, { bare: true }) : <span className="unknown">{dash}</span>}</td>)}
              <td className="option-note">{sourceText(onDemand.source, speech)}</td>
            </tr>
            {options.map((option) => (
              <tr key={option.id} data-row={option.id} className={option.id === recommended ? "recommended" : undefined} aria-selected={option.id === shown}>
                <th scope="row"><button type="button" className="row-toggle" aria-pressed={option.id === shown} onClick={() => onSelect(option.id)}>{words.text(option.name)}</button></th>
                {seen.map(({ figure }) => <td key={figure} className="n"><Worked option={option} figure={figure}>{figureText(option, figure, speech)}</Worked></td>)}
                <td className="option-note">
                  {option.id === recommended && <b>{say("commit.note.recommended")}</b>}
                  {option.id === recommended && " · "}
                  <span title={[...option.notes.map((note) => words.text(note)), sourceText(option.source, speech)].join(" · ")}>{option.notes.length > 0 ? words.text(option.notes.at(-1) ?? { key: "" }) : sourceText(option.source, speech)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unpriced.length > 0 && <p className="note">{say("commit.unpriced", { names: unpriced.map((name) => words.text(name)).join(words.language === "zh-CN" ? "；" : "; ") })}</p>}
    </section>
  );
}

/** What a GPU-hour costs on demand: of the window's own bill where there is one. */
function OnDemandPrice({ plan, children }: { readonly plan: PlanAnswer; readonly children: ReactNode }) {
  const speech = useSpeech();
  const { say } = speech;
  const { price, source } = plan.onDemand;
  return (
    <WorkedBy title={say("commit.figure.onDemand")} of={[plan.pool.provider, plan.pool.gpuModel, plan.pool.instanceType, plan.pool.region].filter((part) => part !== null).join(" · ")} formula={say(source.kind === "bill" ? "commit.formula.on-demand-billed" : "commit.formula.on-demand-stated")} inputs={[]} result={price} source={sourceText(source, speech)}>
      {children}
    </WorkedBy>
  );
}

/** A figure as the table shows it: months with their term, money without its sign. */
export function figureText(option: PlanOption, figure: OptionFigure, { words, say }: Pick<Speech, "words" | "say">): ReactNode {
  const of = option.figures[figure];
  if (of.value === null) return dash;
  if (figure === "exit" && typeof of.value === "number") return <>{words.number(of.value, { digits: 1 })} <small>{say("commit.of-months", { term: words.number(option.termMonths) })}</small></>;
  if (figure === "payback" && typeof of.value === "number") return words.number(of.value, { digits: of.value === 0 ? 0 : 1 });
  if (figure === "cashPositive" && typeof of.value === "number") return say("commit.month-number", { month: words.number(of.value) });
  if (figure === "presentValue" && typeof of.value === "bigint") return words.money(of.value, of.unit, { bare: true, digits: 0 });
  return words.figure(of, { bare: true });
}
