import { useId, useMemo, useState } from "react";
import type { HeatBlock } from "../../../shared/contract/report.ts";
import { Chart } from "../../charts/Chart.tsx";
import { heatOffsets, heatOption, heatRowHeight } from "../../charts/heat.ts";
import { chartTokens } from "../../charts/tokens.ts";
import { useTheme } from "../../parts/media.ts";
import { FigureButton } from "../../parts/FigureButton.tsx";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { dayLabel } from "../../words/days.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { Timeline } from "./Timeline.tsx";

const week = 168;
/** Of HeatBlock. */
const notRunning = -1;
const viewport = 336;

/** The last hour in which any host ran; -1 where none did. */
function lastHour({ rows }: HeatBlock): number {
  return Math.max(-1, ...rows.map(({ states }) => states.findLastIndex((state) => state !== notRunning)));
}

/** The fleet hour by hour, a week at a time; mean and idle hours at the right of each row. Only the rows in sight are drawn. */
export function Fleet({ block }: { readonly block: HeatBlock }) {
  const { words, say } = useSpeech();
  const id = useId();
  const tokens = chartTokens[useTheme()];
  const weeks = Math.max(1, Math.ceil(block.hours / week));
  const [chosenWeek, chooseWeek] = useState<number | null>(null);
  const [top, setTop] = useState(0);
  // It opens on the last seven days with anything in them: a month that is not over ends in days of nothing.
  const opensAt = useMemo(() => Math.max(0, Math.min(Math.ceil((lastHour(block) + 1) / 24) * 24, block.hours) - week), [block]);
  const place = Math.min(chosenWeek ?? Math.ceil(opensAt / week), weeks - 1);
  // Whole weeks from the start; the last one ends with the period, so it may overlap the one before.
  const from = chosenWeek === null ? opensAt : Math.max(0, Math.min(place * week, block.hours - week));
  const to = Math.min(block.hours, from + week);
  const { tops, height } = useMemo(() => heatOffsets(block.rows), [block]);
  // Of a tall fleet the rows in sight are thousands of cells, redrawn while one scrolls: pixels then, not elements.
  const isTall = height > viewport;
  const firstShown = isTall ? Math.max(0, tops.findIndex((y) => y + heatRowHeight > top - 64)) : 0;
  const endShown = isTall ? tops.filter((y) => y < top + viewport + 64).length : block.rows.length;
  const shift = tops[firstShown] ?? 0;
  const shownRows = useMemo(() => block.rows.slice(firstShown, endShown).map((row, index) => ({ row, y: tops[firstShown + index] ?? 0 })), [block, tops, firstShown, endShown]);
  const start = Date.parse(block.start);
  const startHour = new Date(start).getUTCHours();
  const option = useMemo(
    () => heatOption(shownRows.map(({ row, y }) => ({ y: y - shift, states: row.states })), { from, to, startHour, tokens }),
    [shownRows, shift, from, to, startHour, tokens],
  );
  const days = useMemo(() => {
    const list: { readonly at: number; readonly label: string }[] = [];
    for (let hour = from; hour < to; hour += 1) {
      if ((startHour + hour) % 24 === 0 || (hour === from && (startHour + from) % 24 < 18)) list.push({ at: (hour - from) / (to - from), label: dayLabel(start + hour * 3_600_000, words.language) });
    }
    return list;
  }, [from, to, start, startHour, words.language]);
  const [looked, lookAt] = useState<{ readonly host: string; readonly hour: number } | null>(null);
  const instantAt = (hour: number): string => new Date(start + hour * 3_600_000).toISOString();
  return (
    <section className="fleet" aria-labelledby={id}>
      <SectionHead id={id} title={words.text(block.title)} note={block.note === null ? null : words.text(block.note)}>
        <span className="fleet-key" aria-hidden="true">
          <i className="held" />{say("heat.held")}<i className="dead" />{say("heat.dead")}<i className="ramp" />{say("heat.ramp")}<i className="hatched" />{say("heat.unknown")}<i className="none" />{say("heat.not-running")}
        </span>
        {weeks > 1 && (
          <span className="pager">
            <button type="button" aria-label={say("heat.earlier")} disabled={place === 0} onClick={() => chooseWeek(place - 1)}>‹</button>
            <button type="button" aria-label={say("heat.later")} disabled={place === weeks - 1} onClick={() => chooseWeek(place + 1)}>›</button>
          </span>
        )}
      </SectionHead>
      {block.rows.length === 0 ? (
        <p className="context">{say("heat.empty")}</p>
      ) : (
        <div role="table" aria-rowcount={block.rows.length + 1} aria-label={say("heat.summary", { count: block.rows.length, from: words.instant(instantAt(from), "day"), to: words.instant(instantAt(to - 1), "day") })}>
          <div className="fleet-head" role="row">
            <span role="columnheader"><span className="for-readers">{say("heat.node")}</span></span>
            <span className="fleet-days" role="columnheader">
              {days.map(({ at, label }) => (
                <span key={label} style={{ left: `${(at * 100).toFixed(3)}%` }}>{label}</span>
              ))}
            </span>
            <span className="n" role="columnheader">{say("heat.mean")}</span>
            <span className="n" role="columnheader">{say("heat.idle-hours")}</span>
          </div>
          <div className="fleet-scroll" role="rowgroup" tabIndex={isTall ? 0 : undefined} onScroll={(event) => setTop(Math.floor(event.currentTarget.scrollTop / heatRowHeight) * heatRowHeight)}>
            <div className="fleet-rows" role="presentation" style={{ height }}>
              <div className="fleet-plot" role="presentation" style={{ top: shift }}>
                <Chart option={option} height={Math.max(heatRowHeight, (tops[endShown - 1] ?? 0) + heatRowHeight - shift)} summary={null} renderer={isTall ? "canvas" : "svg"} />
              </div>
              {shownRows.map(({ row, y }, index) => (
                <div key={row.id} className="fleet-row" role="row" aria-rowindex={firstShown + index + 2} style={{ top: y }}>
                  <span role="rowheader" title={[row.label, row.gpuModel, row.team].filter((part) => part !== null).join(" · ")}>
                    {row.id.startsWith("host ") ? <button type="button" className="row-toggle" onClick={() => lookAt({ host: row.label, hour: firstBusy(row.states, from, to) })}>{row.label}</button> : row.label}
                  </span>
                  <span role="cell" onClick={(event) => { if (row.id.startsWith("host ")) lookAt({ host: row.label, hour: from + Math.floor((event.nativeEvent.offsetX / Math.max(1, event.currentTarget.clientWidth)) * (to - from)) }); }}><span className="for-readers">{say("heat.states", states(row.states, from, to))}</span></span>
                  <span role="cell" className={row.mean.value === null ? "n none" : "n"}><FigureButton figure={row.mean} explain={row.explain ?? undefined}>{words.figure(row.mean, { bare: true })}</FigureButton></span>
                  <span role="cell" className={row.idleHours.value === null || row.idleHours.value === 0 ? "n none" : "n idle-text"}>{words.figure(row.idleHours, { digits: 0 })}</span>
                </div>
              ))}
            </div>
          </div>
        </div>
      )}
      {looked !== null && <Timeline host={looked.host} at={start + looked.hour * 3_600_000} onClose={() => lookAt(null)} />}
    </section>
  );
}

/** The last hour in sight in which the machine ran: what a person looks at first. */
function firstBusy(states: readonly number[], from: number, to: number): number {
  const found = states.slice(from, to).findLastIndex((state) => state !== -1);
  return found < 0 ? from : from + found;
}

/** Hours in each state, as words say them of one row. */
function states(all: readonly number[], from: number, to: number): { readonly active: number; readonly held: number; readonly dead: number; readonly unknown: number } {
  const part = all.slice(from, to);
  const hours = (test: (state: number) => boolean): number => part.filter(test).length;
  return { active: hours((state) => state >= 0), held: hours((state) => state === -3), dead: hours((state) => state === -4), unknown: hours((state) => state === -2 || state === -5) };
}
