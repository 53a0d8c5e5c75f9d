import { useId, useMemo, useState } from "react";
import type { AnomalyDetail, AnomalyLine } from "../../shared/contract/teams.ts";
import { askedAlike, type CurrencyChoice } from "../../shared/domain/currency.ts";
import type { CostBasis } from "../../shared/domain/figure.ts";
import { formatAttos, parseAmount, sumAttos } from "../../shared/domain/money.ts";
import { compact, dayShort } from "../budgets/BurnDown.tsx";
import { bandOption } from "../charts/burn-down.ts";
import { Chart } from "../charts/Chart.tsx";
import { chartTokens } from "../charts/tokens.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { useTheme } from "../parts/media.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { amountIn, isDay, shortName } from "./amounts.ts";
import { FormDialog, TextLine } from "./fields.tsx";

interface AnomaliesProps {
  readonly period: string;
  readonly currency: string | null;
  readonly basis: CostBasis;
  readonly isReadOnly: boolean;
}
const firstShown = 6;
const font = '400 12px "Source Sans 3 Variable", "Noto Sans SC Variable", sans-serif';

/** Costs that the same weekdays did not lead anybody to expect, with the person's word on each. */
export function Anomalies({ period, currency, basis, isReadOnly }: AnomaliesProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const asked = useAsk("anomalies.read", { period, currency, basis });
  const [looked, setLooked] = useState<AnomalyLine | null>(null);
  const [isAll, setAll] = useState(false);
  if (asked.state === "refused") return asked.error.code === "report.no-data" ? null : <Refused error={asked.error} />;
  if (asked.state === "asking" || asked.value.currency === null) return null;
  const { events, rule, currency: own } = asked.value;
  const shown = isAll ? events : events.slice(0, firstShown);
  return (
    <section className="work-unexpected" aria-labelledby={id} aria-busy={asked.isOld}>
      <SectionHead id={id} title={say("odd.title")} note={say("odd.note", { currency: own, alarms: words.number(rule.expectedFalseAlarmsAMonth, { digits: 1 }) })}>
        {events.length > firstShown && <button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: events.length })}</button>}
      </SectionHead>
      {events.length === 0 ? <p className="note">{say("odd.none", { period: words.period(period) })}</p> : (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("odd.when")}</th><th scope="col">{say("odd.where")}</th><th scope="col">{say("odd.kind")}</th><th scope="col" className="n">{say("odd.impact")}</th><th scope="col">{say("odd.word")}</th><th scope="col"><span className="for-readers">{say("odd.look")}</span></th></tr></thead>
          <tbody>
            {shown.map((event) => (
              <tr key={event.id}>
                <th scope="row">{daysText(event, speech)}</th>
                <td>{scopeText(event, say)}</td>
                <td>{kindText(event, say)}</td>
                <td className="n">{amountIn(speech, event.impact, own, { bare: true, signed: true })}</td>
                <td className="reason" title={event.word?.because}>{event.word === null ? "" : say(event.word.isExpected ? "odd.expected" : "odd.unexpected", { because: event.word.because })}</td>
                <td className="n"><button type="button" className="link" aria-label={`${say("odd.look")}: ${scopeText(event, say)}, ${daysText(event, speech)}`} onClick={() => setLooked(event)}>{say("odd.look")}</button></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {looked !== null && <Detail key={looked.id} event={looked} currency={askedAlike(currency, own)} shownIn={own} basis={basis} isReadOnly={isReadOnly} onClose={() => setLooked(null)} />}
    </section>
  );
}

interface DetailProps {
  readonly event: AnomalyLine;
  readonly currency: CurrencyChoice;
  readonly shownIn: string;
  readonly basis: CostBasis;
  readonly isReadOnly: boolean;
  readonly onClose: () => void;
}

/** Days around it, what made it, and the word on it. */
function Detail({ event, currency, shownIn, basis, isReadOnly, onClose }: DetailProps) {
  const { say } = useSpeech();
  const asked = useAsk("anomaly.detail", { scope: event.scope, start: event.start, end: event.end, currency, basis });
  const save = useTell("anomaly.answer");
  const tell = useNotice((store) => store.tell);
  const [because, setBecause] = useState(event.word?.because ?? "");
  const [until, setUntil] = useState(event.word?.until ?? event.end);
  const [isExpected, setExpected] = useState(event.word?.isExpected ?? true);
  const [isTried, setTried] = useState(false);
  const isWrong = because.trim() === "" || !isDay(until) || until < event.start;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (isWrong) return;
    const result = await save.tell({ scope: event.scope, direction: event.direction, from: event.start, until, isExpected, because: because.trim(), by: null });
    if (!result.ok) return;
    tell({ text: say("odd.answered") });
    onClose();
  };
  return (
    <FormDialog title={say("odd.detail", { name: scopeText(event, say) })} isWide onClose={onClose} onSave={() => void submit()} isBusy={save.isBusy} isDisabled={isReadOnly} error={save.error} wrong={isTried && isWrong ? say("odd.wrong") : null}>
      {asked.state === "refused" && <Refused error={asked.error} />}
      {asked.state === "asking" && <p role="status">{say("state.asking")}</p>}
      {asked.state === "answered" && <Drawn detail={asked.value} currency={shownIn} />}
      {!isReadOnly && (
        <div className="form-grid">
          <Choice label={say("odd.word")} value={isExpected ? "expected" : "not"} choices={[{ id: "expected", text: say("odd.is-expected") }, { id: "not", text: say("odd.is-not") }]} onChoose={(id) => setExpected(id === "expected")} />
          <TextLine label={say("odd.until")} value={until} onChange={setUntil} isInvalid={isTried && !isDay(until)} />
          <TextLine label={say("odd.because")} value={because} onChange={setBecause} isInvalid={isTried && because.trim() === ""} />
        </div>
      )}
    </FormDialog>
  );
}

function Drawn({ detail, currency }: { readonly detail: AnomalyDetail; readonly currency: string }) {
  const speech = useSpeech();
  const { say } = speech;
  const tokens = chartTokens[useTheme()];
  const option = useMemo(() => {
    const number = (text: string | null): number | null => (text === null ? null : Number(text));
    return bandOption(
      detail.days.map(({ day, cost, expected, low, high, isFlagged }) => ({ day, plan: number(expected), actual: number(cost), forecast: null, low: low === null ? null : Math.max(0, Number(low)), high: number(high), isMarked: isFlagged })),
      { tokens, font, names: { plan: say("odd.band"), actual: say("odd.cost"), forecast: null }, amount: (value) => compact(value, speech.language), day: (day) => dayShort(day, speech.language), level: null, runsOutOn: null },
    );
  }, [detail, say, speech, tokens]);
  const shown = detail.drivers.slice(0, 8);
  const rest = formatAttos(sumAttos([...detail.drivers.slice(8).map(({ difference }) => difference), detail.otherDifference].map((text) => parseAmount(text)?.value).filter((value) => value !== undefined)));
  const total = formatAttos(sumAttos([...detail.drivers.map(({ difference }) => difference), detail.otherDifference].map((text) => parseAmount(text)?.value).filter((value) => value !== undefined)));
  return (
    <>
      <Chart option={option} height={190} summary={say("odd.chart")} />
      <SectionHead title={say("odd.drivers")} note={say("odd.drivers.note", { currency })} />
      <table className="statement dense" aria-label={say("odd.drivers")}>
        <thead><tr><th scope="col">{say("odd.driver")}</th><th scope="col">{say("odd.cause")}</th><th scope="col" className="n">{say("odd.before")}</th><th scope="col" className="n">{say("odd.now")}</th><th scope="col" className="n">{say("odd.difference")}</th></tr></thead>
        <tbody>
          {shown.map((driver) => (
            <tr key={driver.seriesId}>
              <th scope="row" className="clip" title={driver.resource ?? undefined}>{driver.resourceName ?? (driver.resource === null ? driver.description : shortName(driver.resource))}</th>
              <td>{say(`odd.cause.${driver.cause}`)}</td>
              <td className="n">{amountIn(speech, driver.before, currency, { bare: true })}</td>
              <td className="n">{amountIn(speech, driver.now, currency, { bare: true })}</td>
              <td className="n">{amountIn(speech, driver.difference, currency, { bare: true, signed: true })}</td>
            </tr>
          ))}
          <tr><th scope="row">{say("odd.others")}</th><td /><td /><td /><td className="n">{amountIn(speech, rest, currency, { bare: true, signed: true })}</td></tr>
          <tr className="total"><th scope="row">{say("odd.total")}</th><td /><td /><td /><td className="n">{amountIn(speech, total, currency, { bare: true, signed: true })}</td></tr>
        </tbody>
      </table>
    </>
  );
}

function daysText({ start, end }: AnomalyLine, { say, language }: Speech): string {
  return start === end ? dayShort(start, language) : say("odd.days", { from: dayShort(start, language), to: dayShort(end, language) });
}

function scopeText({ scope }: AnomalyLine, say: Speech["say"]): string {
  const parts = ([scope.team, scope.provider, scope.service] as const).filter((part) => part !== undefined).map((part) => part ?? say("field.nobody"));
  return parts.length === 0 ? say("field.everything") : parts.join(" · ");
}

function kindText({ kind, direction }: AnomalyLine, say: Speech["say"]): string {
  return kind === "level_shift" ? say(direction === "up" ? "odd.shift-up" : "odd.shift-down") : say(direction === "up" ? "odd.up" : "odd.down");
}
