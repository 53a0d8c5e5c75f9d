import { useRef } from "react";
import { useQueries } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { PivotDimension, PivotMeasure, PivotPage, PivotValue, PivotView } from "../../shared/contract/pivot.ts";
import type { Scope } from "../../shared/domain/scope.ts";
import { dash } from "../../shared/i18n/format.ts";
import { useLedger } from "../ledger/LedgerProvider.tsx";
import { asked } from "../ledger/useAsk.ts";
import { useRovingCells } from "../parts/useRovingCells.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { keyText } from "./keys.ts";

const pageSize = 200;
const rowHeight = 26;

interface PivotGridProps {
  readonly question: { readonly view: PivotView; readonly period: string; readonly scope: Scope; readonly currency: string | null };
  /** The first answer: how many groups there are, and their total. */
  readonly first: PivotPage;
  readonly onSort: (column: string) => void;
  readonly onOnly: (dimension: PivotDimension, key: string | null) => void;
  readonly onRows: (keys: readonly (string | null)[]) => void;
}

/** Groups as they come in sight, a page at a time, their total always at the foot. A million of them scroll like ten. */
export function PivotGrid({ question, first, onSort, onOnly, onRows }: PivotGridProps) {
  const { say, words } = useSpeech();
  const { client, revision } = useLedger();
  const scroll = useRef<HTMLDivElement>(null);
  const { view } = question;
  const { groups, measures, total, currency } = first;
  const virtual = useVirtualizer({ count: groups, getScrollElement: () => scroll.current, estimateSize: () => rowHeight, overscan: 10 });
  const items = virtual.getVirtualItems();
  const cells = useRovingCells(scroll);
  const pages = [...new Set(items.map(({ index }) => Math.floor(index / pageSize)))];
  const answers = useQueries({
    queries: pages.map((page) => ({
      queryKey: ["pivot.read", question, page, revision],
      queryFn: () => asked(client, "pivot.read", { ...question, offset: page * pageSize, limit: pageSize }),
    })),
  });
  const rowAt = (index: number): PivotPage["rows"][number] | undefined => {
    const answer = answers[pages.indexOf(Math.floor(index / pageSize))]?.data;
    return answer?.ok === true ? answer.value.rows[index % pageSize] : undefined;
  };
  const valueText = (measure: PivotMeasure, { value, shown }: PivotValue): string => {
    if (value === null) return dash;
    if (typeof value === "bigint") return words.money(shown ?? value, currency ?? "", { bare: true });
    return measure === "RowCount" ? words.count(value) : words.number(value, { digits: 1 });
  };
  const valueTitle = ({ value, coverage }: PivotValue): string | undefined => (value === null || coverage < 1 ? say("pivot.covered", { share: words.ratio(coverage) }) : undefined);
  const sortMark = (column: string): string => (view.sort?.column !== column ? "" : view.sort.descending ? " ↓" : " ↑");
  const sorting = (column: string): "ascending" | "descending" | "none" => (view.sort?.column !== column ? "none" : view.sort.descending ? "descending" : "ascending");
  // Every row is a grid of its own: their columns stand under each other because no content widens them.
  const columns = { gridTemplateColumns: `repeat(${view.by.length}, minmax(0, 1.7fr)) repeat(${measures.length}, minmax(0, 1fr)) 52px` };
  const width = { minWidth: view.by.length * 140 + measures.length * 96 + 52 };
  return (
    <div className="pivot-grid" role="table" aria-label={say("pivot.table.label")} aria-rowcount={groups + 2}>
      <div className="pivot-scroll" ref={scroll} tabIndex={0} role="rowgroup" {...cells}>
        <div style={width} role="presentation">
        <div className="pivot-head" role="row" aria-rowindex={1} style={columns}>
          {view.by.map((dimension) => (
            <span key={dimension} role="columnheader" aria-sort={sorting(dimension)}><button type="button" className="figure" title={say("pivot.sort", { name: say(`pivot.dimension.${dimension}`) })} onClick={() => onSort(dimension)}>{say(`pivot.dimension.${dimension}`)}{sortMark(dimension)}</button></span>
          ))}
          {measures.map((measure) => (
            <span key={measure} role="columnheader" className="n" aria-sort={sorting(measure)}><button type="button" className="figure" title={say("pivot.sort", { name: say(`pivot.measure.${measure}`) })} onClick={() => onSort(measure)}>{say(`pivot.measure.${measure}`)}{sortMark(measure)}</button></span>
          ))}
          <span role="columnheader"><span className="for-readers">{say("rows.title")}</span></span>
        </div>
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: "relative" }}>
          {items.map((item) => {
            const row = rowAt(item.index);
            return (
              <div key={item.key} className="pivot-row" role="row" aria-rowindex={item.index + 2} style={{ ...columns, transform: `translateY(${item.start}px)` }}>
                {view.by.map((dimension, index) => {
                  if (row === undefined) return <span key={dimension} role="cell">…</span>;
                  const key = row.keys[index] ?? null;
                  const text = keyText(say, words, dimension, key);
                  return (
                    <span key={dimension} role="cell" title={text}>
                      <button type="button" className={key === null ? "figure unknown" : "figure"} aria-label={say("pivot.only", { name: text })} onClick={() => onOnly(dimension, key)}>{text}</button>
                    </span>
                  );
                })}
                {measures.map((measure, index) => {
                  const value = row?.values[index];
                  return <span key={measure} role="cell" className={value?.value === null ? "n unknown" : "n"} title={value === undefined ? undefined : valueTitle(value)}>{value === undefined ? "" : valueText(measure, value)}</span>;
                })}
                <span role="cell" className="n">{row !== undefined && <button type="button" className="link" aria-label={say("pivot.rows", { name: row.keys.map((key, index) => keyText(say, words, view.by[index] ?? "month", key)).join(", ") })} onClick={() => onRows(row.keys)}>{say("pivot.rows.show")}</button>}</span>
              </div>
            );
          })}
        </div>
        <div className="pivot-total" role="row" aria-rowindex={groups + 2} style={columns}>
          {view.by.map((dimension, index) => <span key={dimension} role={index === 0 ? "rowheader" : "cell"}>{index === 0 ? say("pivot.total") : ""}</span>)}
          {measures.map((measure, index) => {
            const value = total[index] ?? { value: null, coverage: 0 };
            return <span key={measure} role="cell" className={value.value === null ? "n unknown" : "n"} title={valueTitle(value)}>{valueText(measure, value)}{value.coverage < 1 && <small>{say("pivot.coverage", { share: words.ratio(value.coverage) })}</small>}</span>;
          })}
          <span role="cell" />
        </div>
        </div>
      </div>
      <p className="small muted pivot-foot">{say("pivot.groups", { count: groups })}{currency === null ? "" : ` · ${currency}`}</p>
    </div>
  );
}
