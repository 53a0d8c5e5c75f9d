import { useId, useMemo, useState } from "react";
import type { PlanAnswer, PlanOption } from "../../shared/contract/plan.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import { levelOutcome } from "../../shared/domain/usage-curve.ts";
import { breakEvenOption } from "../charts/break-even.ts";
import { Chart } from "../charts/Chart.tsx";
import { chartTokens } from "../charts/tokens.ts";
import { usageLevelOption } from "../charts/usage-level.ts";
import { useTheme } from "../parts/media.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { dayShort } from "../budgets/BurnDown.tsx";

const font = '400 12px "Source Sans 3 Variable", "Noto Sans SC Variable", sans-serif';
const strongFont = '600 12px "Source Sans 3 Variable", "Noto Sans SC Variable", sans-serif';
const MILLIONTHS = 1_000_000;
const SHOWN_HOURS = 28 * 24;

interface LevelProps {
  readonly plan: PlanAnswer;
  readonly option: PlanOption;
  /** GPUs of the level looked at. */
  readonly gpus: number;
  readonly onMove: (gpus: number) => void;
}

/** Hourly usage against the level, which a slider moves; what it saves is worked out in the window at once. */
export function UsageLevel({ plan, option, gpus, onMove }: LevelProps) {
  const { say, words, language } = useSpeech();
  const id = useId();
  const sliderId = useId();
  const tokens = chartTokens[useTheme()];
  const [hasDays, setDays] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const { baseline, currency, lotGpus } = plan;
  const prices = useMemo(() => ({ committedAttos: attosOf(option.exact.committedHourly), onDemandAttos: attosOf(option.exact.onDemandHourly) }), [option.exact]);
  const outcome = useMemo(() => levelOutcome(option.curve, Math.round(gpus * MILLIONTHS), prices), [option.curve, gpus, prices]);
  const units = useMemo(() => (isWhole ? baseline.units : baseline.units.slice(-SHOWN_HOURS)).map((value) => (value === null ? null : value / MILLIONTHS)), [baseline.units, isWhole]);
  const best = option.figures.lowest.value;
  const machines = lotGpus === null || lotGpus <= 1 ? null : gpus / lotGpus;
  const drawing = useMemo(() => {
    const money = (attos: bigint): string => words.money(attos, currency);
    return usageLevelOption(units, {
      tokens, font, strongFont, standsOn: option.standsOn, level: gpus,
      number: (value) => words.number(value),
      day: (hour) => dayShort(dayAt(baseline.endDay, units.length - hour), language),
      above: [say("commit.chart.above", { share: words.ratio(outcome.shareAbove) }), say("commit.chart.on-demand", { money: money(outcome.onDemandAttos) })],
      at: [
        machines !== null && Number.isInteger(machines) ? say("commit.chart.level-machines", { gpus: words.number(gpus), count: machines }) : say("commit.chart.level", { gpus: words.number(gpus) }),
        ...(typeof best === "number" && best !== gpus ? [say("commit.chart.rule", { gpus: words.number(best) })] : []),
        ...(option.standsOn > 0 ? [say("commit.chart.on-top", { gpus: words.number(option.standsOn) })] : []),
      ],
      below: [say("commit.chart.below", { share: words.ratio(outcome.shareBelow) }), say("commit.chart.unused", { money: money(outcome.unusedAttos) })],
      held: null,
      foot: say("commit.chart.percentiles", { days: words.count(baseline.hours / 24), p10: words.figure(baseline.p10), median: words.figure(baseline.median), p90: words.figure(baseline.p90), most: words.figure(baseline.most) }),
    });
  }, [units, tokens, option, gpus, outcome, words, say, language, best, machines, baseline, currency]);
  const saving = words.money(outcome.savingAttos, currency);
  const step = lotGpus ?? 1;
  const top = Math.max(step, Math.ceil((Math.max(...option.curve.levels, Math.round(gpus * MILLIONTHS)) / MILLIONTHS) / step) * step);
  return (
    <section aria-labelledby={id} className="usage-level">
      <SectionHead id={id} title={say("commit.chart.title")} note={say("commit.chart.note", { days: words.count(units.length / 24), window: words.count(baseline.hours / 24), left: leftOutText(plan, say) })}>
        {baseline.hours > SHOWN_HOURS && <button type="button" className="link" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>{say(isWhole ? "commit.chart.month" : "commit.chart.whole")}</button>}
        <button type="button" className="link" aria-expanded={hasDays} onClick={() => setDays(!hasDays)}>{say(hasDays ? "burn.hide-days" : "burn.days")}</button>
      </SectionHead>
      <Chart option={drawing} height={236} renderer="canvas" summary={say("commit.chart.summary", { mean: words.figure(baseline.mean), level: words.number(gpus), used: outcome.utilization === null ? "—" : words.ratio(outcome.utilization) })} />
      <div className="level-slider">
        <label htmlFor={sliderId}>{say("commit.slider")}</label>
        <input id={sliderId} type="range" min={0} max={top} step={step} value={gpus} aria-valuetext={say("commit.slider.value", { gpus: words.number(gpus), saving })} onChange={(event) => onMove(Number(event.target.value))} />
        <output htmlFor={sliderId}>{say("commit.slider.value", { gpus: words.number(gpus), saving })}</output>
        <small>{say("commit.slider.range", { low: words.figure(option.figures.lowest), high: words.figure(option.figures.highest) })}</small>
      </div>
      {hasDays && <Days units={units} endDay={baseline.endDay} level={option.standsOn + gpus} />}
    </section>
  );
}

/** The day so many hours before the end of the window. */
function dayAt(endDay: string, hoursBefore: number): string {
  return new Date(Date.parse(`${endDay}T00:00:00Z`) - hoursBefore * 3_600_000).toISOString().slice(0, 10);
}

/** The chart's numbers by day. */
function Days({ units, endDay, level }: { readonly units: readonly (number | null)[]; readonly endDay: string; readonly level: number }) {
  const { say, words } = useSpeech();
  const days = Array.from({ length: Math.ceil(units.length / 24) }, (_, day) => ({ day: dayAt(endDay, units.length - day * 24), known: units.slice(day * 24, day * 24 + 24).filter((value) => value !== null) }));
  const number = (value: number | null): string => (value === null ? "—" : words.number(value));
  return (
    <div className="days-scroll" tabIndex={0} role="region" aria-label={say("burn.days")}>
      <table className="statement dense">
        <thead><tr><th scope="col">{say("column.day")}</th>{(["least", "mean", "most", "over"] as const).map((key) => <th key={key} scope="col" className="n">{say(`commit.days.${key}`)}</th>)}</tr></thead>
        <tbody>
          {days.map(({ day, known }) => (
            <tr key={day}>
              <th scope="row">{words.instant(`${day}T00:00:00Z`, "day")}</th>
              <td className="n">{number(known.length === 0 ? null : Math.min(...known))}</td>
              <td className="n">{number(known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length)}</td>
              <td className="n">{number(known.length === 0 ? null : Math.max(...known))}</td>
              <td className="n">{known.length === 0 ? "—" : words.count(known.filter((value) => value > level).length)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function leftOutText({ inputs }: PlanAnswer, say: ReturnType<typeof useSpeech>["say"]): string {
  const out = ([["spot", inputs.leavesOutSpot], ["one-off", inputs.leavesOutOneOffs], ["idle", inputs.leavesOutIdle]] as const).flatMap(([what, isOut]) => (isOut ? [what] : []));
  return out.length === 0 ? say("commit.chart.nothing-left-out") : say("commit.chart.left-out", { what: out.map((each) => say(`commit.left-out.${each}`)).join(say("commit.list-comma")) });
}

/** On demand against the price looked at, and against the best of another term. */
export function BreakEven({ plan, option, gpus }: Omit<LevelProps, "onMove">) {
  const { say, words } = useSpeech();
  const id = useId();
  const tokens = chartTokens[useTheme()];
  const second = plan.options.find((other) => other.id === plan.runnerUp && other.id !== option.id) ?? plan.options.find((other) => other.id === plan.recommended && other.id !== option.id) ?? null;
  const drawing = useMemo(() => {
    const lineOf = (of: PlanOption, isMain: boolean) => {
      const { price, breakEven } = of.figures;
      return { price: Number(of.exact.committedHourly), breakEven: typeof breakEven.value === "number" ? breakEven.value : null, name: `${words.text(of.name)} ${words.figure(price, { bare: true })}`, crossing: words.figure(breakEven), isMain };
    };
    const outcome = levelOutcome(option.curve, Math.round(gpus * MILLIONTHS), { committedAttos: attosOf(option.exact.committedHourly), onDemandAttos: attosOf(option.exact.onDemandHourly) });
    const used = outcome.utilization;
    const gap = used === null ? 0 : Number(option.exact.onDemandHourly) * used - Number(option.exact.committedHourly);
    return breakEvenOption([...(second === null ? [] : [lineOf(second, false)]), lineOf(option, true)], {
      tokens, font, strongFont,
      onDemand: { price: Number(option.exact.onDemandHourly), name: say("commit.chart.on-demand-price", { price: words.figure(plan.onDemand.price, { bare: true }) }) },
      used: used === null ? null : { share: used, text: say("commit.chart.used", { share: words.ratio(used) }), saves: say(gap >= 0 ? "commit.chart.saves" : "commit.chart.loses", { money: words.number(Math.abs(gap), { digits: 2 }) }) },
      number: (value) => words.number(value),
      percent: (value) => words.ratio(value, { digits: 0 }),
    }, say("commit.chart.axis"));
  }, [option, second, gpus, tokens, words, say, plan.onDemand.price]);
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("commit.break-even.title")} note={say("commit.break-even.note", { currency: plan.currency })} />
      <Chart option={drawing} height={268} summary={say("commit.break-even.summary", { option: words.text(option.name), breakEven: words.figure(option.figures.breakEven), used: words.figure(option.figures.utilization) })} />
    </section>
  );
}

function attosOf(text: string): bigint {
  return parseAmount(text)?.value ?? 0n;
}
