import { useId, useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { OptionFigure, PlanAnswer, PlanOption, PoolLine } from "../../shared/contract/plan.ts";
import type { ReportRequest } from "../../shared/contract/report.ts";
import { billed, convertedTo } from "../../shared/domain/currency.ts";
import { formatAttos } from "../../shared/domain/money.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Context, Said, Sentence, type Explained } from "../parts/Sentence.tsx";
import { EmptyState, Refused, Skeleton } from "../parts/states.tsx";
import { CopyCommand } from "../reports/CopyCommand.tsx";
import { ExportMenu, useExport } from "../reports/ExportMenu.tsx";
import { periodOf } from "../reports/useReport.ts";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { usePlan } from "../state/plan.ts";
import { useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { BreakEven, UsageLevel } from "./Charts.tsx";
import { Contracts } from "./Contracts.tsx";
import { AssumptionsForm, QuotesForm } from "./forms.tsx";
import { Options } from "./Options.tsx";
import { Portfolio } from "./Portfolio.tsx";
import { Levels, Risk, Sensitivity } from "./Risk.tsx";
import { Scenarios } from "./Scenarios.tsx";
import { sourceText } from "./source.ts";
import { Worked, WorkedBy } from "./Worked.tsx";
import { sentences } from "../../shared/contract/words.ts";

/** What shall we reserve? Usage against every price that is known, with what is held and what happens if things turn out otherwise. */
export function Commitments({ status }: { readonly status: LedgerStatus }) {
  const { say } = useSpeech();
  const view = useView();
  const inputs = usePlan((store) => store.inputs);
  const change = usePlan((store) => store.change);
  const period = periodOf(view, status);
  // Prices and plans are each in a currency of their own.
  const currency = billed(view.currency);
  const asked = useAsk("plan.read", period === null ? null : { period, scope: view.scope, currency, inputs });
  if (period === null) {
    return (
      <EmptyState name={say("screen.commitments")} title={say("page.nothing-yet")} text={say("page.nothing-yet.todo")}>
        <button type="button" className="link main" onClick={() => view.look({ screen: "imports" })}>{say("screen.imports")}</button>
      </EmptyState>
    );
  }
  if (asked.state === "asking") return <><h1 className="for-readers">{say("screen.commitments")}</h1><Skeleton label={say("state.asking")} /></>;
  if (asked.state === "refused") {
    return (
      <>
        <div className="page-head"><h1>{say("screen.commitments")}</h1></div>
        <Refused error={asked.error}>
          {inputs.pool !== null && <button type="button" className="link" onClick={() => change({ pool: null, option: null, gpus: null })}>{say("commit.other-pool")}</button>}
          {inputs.leavesOutSpot && <button type="button" className="link" onClick={() => change({ leavesOutSpot: false, leavesOutOneOffs: false })}>{say("commit.count-all")}</button>}
          {Object.keys(view.scope).length > 0 && <button type="button" className="link" onClick={() => view.look({ scope: {} })}>{say("scope.everything")}</button>}
          {view.period !== null && <button type="button" className="link" onClick={() => view.look({ period: null })}>{say("period.newest")}</button>}
        </Refused>
        <Contracts />
      </>
    );
  }
  return <Page key={`${asked.value.pool.key} ${asked.value.shown ?? ""}`} plan={asked.value} status={status} isOld={asked.isOld} request={{ report: "commitments", period, scope: view.scope, basis: view.basis, currency, plan: inputs }} />;
}

function Page({ plan, status, isOld, request }: { readonly plan: PlanAnswer; readonly status: LedgerStatus; readonly isOld: boolean; readonly request: ReportRequest }) {
  const { say, words } = useSpeech();
  const inputs = usePlan((store) => store.inputs);
  const change = usePlan((store) => store.change);
  const open = usePlan((store) => store.open);
  const look = useView((view) => view.look);
  const memo = useExport(request);
  const [form, setForm] = useState<"assumptions" | "quote" | null>(null);
  const option = plan.options.find(({ id }) => id === plan.shown) ?? null;
  const explained = useExplained(plan);
  const isConverted = convertedTo(useView((view) => view.currency)) !== null;
  return (
    <div aria-busy={isOld} className="commitments-page">
      <div className="page-head">
        <h1>{say("commit.question")}</h1>
        <PoolPicker plan={plan} onPick={(pool) => change({ pool, option: null, gpus: null })} />
        <span className="actions">
          <CopyCommand request={request} ledgerName={status.name ?? "my"} />
          {option !== null && !status.isReadOnly && <TakeUp plan={plan} option={option} />}
          <button type="button" className="link" onClick={() => setForm("assumptions")}>{say("commit.form.assumptions")}</button>
          <ExportMenu request={request} />
          <Act className="link main" isBusy={memo.isBusy} onPress={() => void memo.run("pdf")}>{say("commit.memo.title")}</Act>
        </span>
      </div>
      <Sentence message={plan.answer} explained={explained} />
      <Context messages={plan.context} explained={explained} />
      {isConverted && <p className="note warning"><span aria-hidden="true">◇</span> {say("commit.not-converted", { currency: plan.currency })}</p>}
      {plan.baseline.warnings.map((warning) => <p key={warning.key} className="note warning"><span aria-hidden="true">◇</span> {words.text(warning)}</p>)}
      {option !== null && <Drawn plan={plan} option={option} />}
      <Options plan={plan} onSelect={(id) => change({ option: id, gpus: null })}>
        {option !== null && <TakeLevel option={option} />}
        {option !== null && inputs.gpus !== null && <button type="button" className="link" onClick={() => change({ gpus: null })}>{say("commit.best-level")}</button>}
        <button type="button" className="link" onClick={() => setForm("quote")}>{say("commit.form.quote")}</button>
      </Options>
      <SpotLine plan={plan} />
      <div className="pair">
        {option !== null && option.risks.length > 0 ? <Risk plan={plan} option={option} /> : <div />}
        <Portfolio plan={plan} isReadOnly={status.isReadOnly} />
      </div>
      <Contracts />
      {option !== null && <More plan={plan} option={option} />}
      <Scenarios asked={{ period: request.period, scope: request.scope, currency: request.currency, inputs: { ...inputs, pool: plan.pool.key, option: plan.shown } }} isReadOnly={status.isReadOnly} onOpen={(scenario) => { open(scenario.inputs); look({ period: scenario.period, scope: scenario.scope, currency: scenario.currency }); }} />
      <Assumptions plan={plan} />
      {form === "assumptions" && <AssumptionsForm inputs={inputs} onChange={change} onClose={() => setForm(null)} />}
      {form === "quote" && <QuotesForm inputs={inputs} onChange={change} onClose={() => setForm(null)} />}
    </div>
  );
}

/** The recommended option's figures by their names in the sentences. */
const figuresSaid: Readonly<Record<string, OptionFigure>> = { count: "level", price: "price", saving: "saving", breakEven: "breakEven", used: "utilization", months: "exit", drop: "breakEvenDrop" };

/** The numbers of the answer and of the lines under it, each worked out in place as in the table. */
function useExplained({ options, recommended, answer }: PlanAnswer): Explained {
  const { say, words } = useSpeech();
  const best = options.find(({ id }) => id === recommended);
  const renew = options.find(({ id }) => id === "renew");
  return (name, text) => {
    if (best === undefined) return null;
    if (name === "renewal" && renew !== undefined) return <Worked option={renew} figure="price">{text}</Worked>;
    const fact = answer.params?.[name];
    if (name === "more" && renew !== undefined && fact !== undefined && "figure" in fact) {
      const inputs = [best, renew].map((each) => ({ label: words.text(each.name), figure: each.figures.saving }));
      return <WorkedBy title={say("commit.figure.more")} of={words.text(best.name)} formula={say("commit.formula.more")} inputs={inputs} result={fact.figure}>{text}</WorkedBy>;
    }
    if (name === "money" && best.moneyHourly !== null) {
      const inputs = (["price", "level"] as const).map((input) => ({ label: say(`commit.input.${input}`), figure: best.inputs[input] }));
      return <WorkedBy title={say("commit.figure.money")} of={words.text(best.name)} formula={say("commit.formula.money")} inputs={inputs} result={best.moneyHourly}>{text}</WorkedBy>;
    }
    const figure = figuresSaid[name];
    return figure === undefined ? null : <Worked option={best} figure={figure}>{text}</Worked>;
  };
}

/** The two charts, which follow the slider; nothing else on the page does. */
function Drawn({ plan, option }: { readonly plan: PlanAnswer; readonly option: PlanOption }) {
  const moved = usePlan((store) => store.moved);
  const move = usePlan((store) => store.move);
  const gpus = moved ?? Number(option.exact.gpus);
  return (
    <div className="pair wide-first">
      <UsageLevel plan={plan} option={option} gpus={gpus} onMove={move} />
      <BreakEven plan={plan} option={option} gpus={gpus} />
    </div>
  );
}

/** Works the whole page out at the level that the slider was moved to. */
function TakeLevel({ option }: { readonly option: PlanOption }) {
  const { say, words } = useSpeech();
  const moved = usePlan((store) => store.moved);
  const change = usePlan((store) => store.change);
  if (moved === null || moved === Number(option.exact.gpus)) return null;
  return <button type="button" className="link" onClick={() => change({ option: option.id, gpus: String(moved) })}>{say("commit.take-level", { gpus: words.number(moved) })}</button>;
}

/** Puts what the page says into the register of actions, one for each kind of GPU time. */
function TakeUp({ plan, option }: { readonly plan: PlanAnswer; readonly option: PlanOption }) {
  const { say, words, error } = useSpeech();
  const save = useTell("action.save");
  const tell = useNotice((store) => store.tell);
  const { value } = option.figures.saving;
  if (option.id !== plan.recommended || typeof value !== "bigint") return null;
  const take = async (): Promise<void> => {
    const done = await save.tell({
      action: {
        id: null, findingKey: JSON.stringify(["plan", plan.pool.key]), kind: "commitment", subject: words.text(plan.answer), resource: null, team: null, owner: null, dueOn: plan.startsOn, state: "open", currency: plan.currency,
        expected: formatAttos(value), realised: null, note: sentences(plan.context.map((line) => words.text(line)), words.language),
      },
      by: null,
    });
    tell(done.ok ? { text: say("commit.taken") } : { text: error(done.error).what, detail: error(done.error).todo });
  };
  return <Act isBusy={save.isBusy} onPress={() => void take()}>{say("commit.take")}</Act>;
}

/** Which GPU time is looked at; what ends soon comes first. */
function PoolPicker({ plan, onPick }: { readonly plan: PlanAnswer; readonly onPick: (key: string) => void }) {
  const { say, words } = useSpeech();
  const textOf = (pool: PoolLine): string => {
    const name = [pool.gpuModel ?? pool.instanceType, pool.provider, pool.region].filter((part) => part !== null).join(" · ");
    return pool.endsInDays !== null && pool.endsInDays <= 90 ? say("commit.pool.ending", { pool: name, count: pool.endsInDays }) : say("commit.pool", { pool: name, hours: words.number(pool.gpuHours, { digits: 0 }) });
  };
  return <span className="pool-picker"><Choice label={say("commit.pool.label")} isLabelHidden value={plan.pool.key} choices={plan.pools.map((pool) => ({ id: pool.key, text: textOf(pool) }))} onChoose={onPick} /></span>;
}

/** What spot and a convertible commitment would come to, each number worked out in place. */
function SpotLine({ plan }: { readonly plan: PlanAnswer }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const { spot, convertible, onDemand, options } = plan;
  const priceOnDemand = { label: say("commit.input.onDemand"), figure: onDemand.price };
  const ofSpot: Explained = (name, text) => {
    if (spot === null || (name !== "price" && name !== "saving")) return null;
    const of = say("commit.kind-name.spot");
    if (name === "price") return <WorkedBy title={say("commit.figure.spot")} of={of} formula={say("commit.formula.on-demand-stated")} inputs={[]} result={spot.price} source={sourceText(spot.source, speech)}>{text}</WorkedBy>;
    return <WorkedBy title={say("commit.figure.spot-saving")} of={of} formula={say("commit.formula.spot")} inputs={[priceOnDemand, { label: say("commit.figure.spot"), figure: spot.price }]} result={spot.saving}>{text}</WorkedBy>;
  };
  const ofConvertible: Explained = (name, text) => {
    const [exchanged, standard] = [convertible?.convertible, convertible?.standard].map((id) => options.find((option) => option.id === id));
    if (convertible === null || exchanged === undefined || standard === undefined) return null;
    const term = { label: say("commit.input.term"), figure: standard.inputs.term };
    if (name === "premium") {
      const inputs = [{ label: say("commit.input.convertible"), figure: exchanged.figures.price }, { label: say("commit.input.standard"), figure: standard.figures.price }, term];
      return <WorkedBy title={say("commit.figure.premium")} of={words.text(exchanged.name)} formula={say("commit.formula.premium")} inputs={inputs} result={convertible.premium}>{text}</WorkedBy>;
    }
    const inputs = [{ label: say("commit.figure.premium"), figure: convertible.premium }, priceOnDemand, { label: say("commit.input.utilization"), figure: standard.figures.utilization }, term];
    return <WorkedBy title={say("commit.figure.probability")} of={words.text(exchanged.name)} formula={say("commit.formula.probability")} inputs={inputs} result={convertible.probability}>{text}</WorkedBy>;
  };
  return (
    <>
      {spot !== null && <p className="note"><Said message={{ key: spot.percent > 0 ? "commit.spot.line" : "commit.spot.idle", params: { price: { figure: spot.price }, percent: { number: spot.percent }, saving: { figure: spot.saving } } }} explained={ofSpot} /></p>}
      {plan.advice.map((line, index) => <p key={index} className="note">{words.text(line)}</p>)}
      {convertible !== null && <p className="note"><Said message={{ key: "commit.convertible.line", params: { premium: { figure: convertible.premium }, probability: { figure: convertible.probability } } }} explained={ofConvertible} /></p>}
    </>
  );
}

/** What only some want to see: levels by window, layers of terms, the sensitivity grid. */
function More({ plan, option }: { readonly plan: PlanAnswer; readonly option: PlanOption }) {
  const { say } = useSpeech();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section className="more">
      <SectionHead title={say("commit.more.title")} note={say("commit.more.note")}>
        <button type="button" className="link" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>{say(isOpen ? "commit.more.hide" : "commit.more.show")}</button>
      </SectionHead>
      <div id={id} hidden={!isOpen}>
        {isOpen && <div className="pair"><Levels plan={plan} /><Sensitivity plan={plan} option={option} /></div>}
      </div>
    </section>
  );
}

function Assumptions({ plan }: { readonly plan: PlanAnswer }) {
  const { say, words } = useSpeech();
  const id = useId();
  return (
    <section aria-labelledby={id} className="assumptions">
      <SectionHead id={id} title={say("commit.memo.assumptions")} />
      <ul>{plan.assumptions.map((line, index) => <li key={index}>{words.text(line)}</li>)}</ul>
    </section>
  );
}
