import { useId, useMemo, useState } from "react";
import type { BudgetStatus, BurnDown as BurnDownData } from "../../shared/contract/teams.ts";
import { convertedTo } from "../../shared/domain/currency.ts";
import { bandOption } from "../charts/burn-down.ts";
import { Chart } from "../charts/Chart.tsx";
import { chartTokens } from "../charts/tokens.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { useTheme } from "../parts/media.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useView } from "../state/view.ts";
import { amountIn } from "../teams/amounts.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

const font = '400 12px "Source Sans 3 Variable", "Noto Sans SC Variable", sans-serif';

/** One budget day by day: plan, actual, the forecast with its band, and when it is used up. */
export function BurnDown({ status, month }: { readonly status: BudgetStatus; readonly month: string }) {
  const { say } = useSpeech();
  const choice = useView((view) => view.currency);
  const asked = useAsk("budget.burn-down", { id: status.plan.id, month, ...(convertedTo(choice) === null ? {} : { currency: choice }) });
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking") return <p className="context" role="status">{say("state.asking")}</p>;
  return <Drawn status={status} burn={asked.value} />;
}

function Drawn({ status, burn }: { readonly status: BudgetStatus; readonly burn: BurnDownData }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const tokens = chartTokens[useTheme()];
  const [hasDays, setDays] = useState(false);
  const option = useMemo(() => {
    const number = (text: string | null): number | null => (text === null ? null : Number(text));
    const shown = (amount: string | null): string => amountIn(speech, amount, burn.unit);
    const end = burn.days.at(-1);
    const actual = burn.days.findLast((day) => day.actual !== null)?.actual ?? null;
    const forecast = end?.forecast ?? null;
    return bandOption(
      burn.days.map(({ day, plan, actual: spent, forecast: ahead, low, high }) => ({ day, plan: number(plan), actual: number(spent), forecast: number(ahead), low: number(low), high: number(high) })),
      {
        tokens,
        font,
        names: { plan: `${say("burn.plan")} ${shown(end?.plan ?? null)}`, actual: `${say("burn.actual")} ${shown(actual)}`, forecast: forecast === null ? null : `${say("column.forecast")} ${shown(forecast)}` },
        amount: (value) => compact(value, speech.language),
        day: (day) => dayShort(day, speech.language),
        level: burn.budget === null ? null : { value: Number(burn.budget), text: `${say("column.budget")} ${shown(burn.budget)}` },
        runsOutOn: burn.runsOutOn,
      },
    );
  }, [burn, say, speech, tokens]);
  const until = status.dataUntil;
  const runway = burn.runsOutOn === null ? "burn.runway.lasts" : until !== null && burn.runsOutOn <= until ? "burn.runway.past" : "burn.runway";
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("burn-down.title", { name: status.plan.name })} note={say("burn.note", { period: periodText(status.period, words) })}>
        <button type="button" className="link" aria-expanded={hasDays} onClick={() => setDays(!hasDays)}>{say(hasDays ? "burn.hide-days" : "burn.days")}</button>
      </SectionHead>
      {burn.days.length === 0 ? <p className="note">{say("burn.nothing")}</p> : (
        <>
          <Chart option={option} height={232} className="burn-down" summary={say("burn.summary", { name: status.plan.name, period: periodText(status.period, words) })} />
          {burn.budget !== null && <p className="note">{say(runway, burn.runsOutOn === null ? {} : { day: words.instant(`${burn.runsOutOn}T00:00:00Z`, "day") })}</p>}
        </>
      )}
      {hasDays && (
        <div className="days-scroll" tabIndex={0} role="region" aria-label={say("burn.days")}>
          <table className="statement dense">
            <thead><tr><th scope="col">{say("column.day")}</th><th scope="col" className="n">{say("burn.plan")}</th><th scope="col" className="n">{say("burn.actual")}</th><th scope="col" className="n">{say("column.forecast")}</th><th scope="col" className="n">{say("burn.low")}</th><th scope="col" className="n">{say("burn.high")}</th></tr></thead>
            <tbody>
              {burn.days.map((day) => (
                <tr key={day.day}>
                  <th scope="row">{words.instant(`${day.day}T00:00:00Z`, "day")}</th>
                  {[day.plan, day.actual, day.forecast, day.low, day.high].map((amount, index) => <td key={index} className="n">{amount === null ? <span className="unknown">—</span> : amountIn(speech, amount, burn.unit, { bare: true })}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** 2026-09, 2026-Q3, 2026 in words; FY2027 stays as it is. */
export function periodText(period: string, words: ReturnType<typeof useSpeech>["words"]): string {
  return /^\d{4}(-\d{2}|-Q[1-4])?$/.test(period) ? words.period(period) : period;
}

export function compact(value: number, language: string): string {
  return new Intl.NumberFormat(language === "zh-CN" ? "zh-CN" : "en-US", { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** "28 Sep" or "9月28日". */
export function dayShort(day: string, language: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  if (language === "zh-CN") return new Intl.DateTimeFormat("zh-CN", { day: "numeric", month: "short", timeZone: "UTC" }).format(at);
  return `${new Date(at).getUTCDate()} ${new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" }).format(at)}`;
}
