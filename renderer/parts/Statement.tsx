import { Fragment, useId, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import type { Cell, Column, Row, TableBlock } from "../../shared/contract/report.ts";
import type { ShownQuantity } from "../../shared/contract/table.ts";
import type { Figure } from "../../shared/domain/figure.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { dash } from "../../shared/i18n/format.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { FigureButton } from "./FigureButton.tsx";
import { useNarrow } from "./media.ts";
import { columnsAt, displayedAmounts, displayedQuantities } from "./table.ts";

export interface StatementProps {
  readonly block: Pick<TableBlock, "id" | "columns" | "rows" | "total">;
  readonly labelledBy?: string | undefined;
  readonly label?: string | undefined;
  /** Further classes: "dense" for the densest rows, "bridge" without rules between rows. */
  readonly className?: string | undefined;
  /** A column that a chart is drawn over, after the column of this index. */
  readonly plotAfter?: number | undefined;
  readonly plotWidth?: number | undefined;
  readonly hideHead?: boolean | undefined;
  /** Columns whose text stands small in the first cell, after its text or under it, instead of in cells of their own. */
  readonly inFirst?: { readonly columns: readonly number[]; readonly place: "after" | "under" } | undefined;
}

/** A table under the rules of accounts: head, rows, and a total between a single and a double rule. */
export function Statement({ block, labelledBy, label, className = "", plotAfter, plotWidth = 200, hideHead = false, inFirst }: StatementProps) {
  const { words, say } = useSpeech();
  const isNarrow = useNarrow();
  const places = columnsAt(block.columns, isNarrow);
  const shown = places.shown.filter((index) => inFirst?.columns.includes(index) !== true);
  const { hidden } = places;
  const beside = (inFirst?.columns ?? []).filter((index) => !hidden.includes(index));
  const amounts = displayedAmounts(block);
  const quantities = displayedQuantities(block);
  const table = useRef<HTMLTableElement>(null);
  const [open, setOpen] = useState<string | null>(null);
  const [stop, setStop] = useState<string | null>(null);
  const detailId = useId();
  const firstStop = firstFigure(block, shown);
  const cellProps = (row: Row, index: number, key: string) => ({
    cell: row.cells[index] ?? ({ absent: "not-applicable" } as const),
    column: block.columns[index],
    shownAmount: amounts.get(`${key}/${index}`),
    shownQuantity: quantities.get(`${key}/${index}`),
    isStop: (stop ?? firstStop) === `${key}/${index}`,
    head: words.text(block.columns[index]?.label ?? { key: "" }),
    isTotal: key === "total",
  });
  const width = shown.length + (plotAfter === undefined ? 0 : 1);
  const line = (row: Row, key: string, isTotal: boolean): ReactNode => {
    const details = isTotal ? [] : hidden.filter((index) => !isEmpty(row.cells[index]));
    const isOpen = open === row.id && details.length > 0;
    // A row that sums up speaks over the cells that do not apply to it.
    const sumsUp = isTotal || row.id.startsWith("all-other");
    const after = sumsUp ? shown.slice(1).findIndex((index) => !isNotApplicable(row.cells[index])) : 0;
    const span = 1 + (after === -1 ? shown.length - 1 : after);
    return (
      <Fragment key={key}>
        <tr className={isTotal ? "total" : undefined} data-tone={row.tone === "plain" ? undefined : row.tone} data-row={row.id}>
          {shown.map((index, place) => {
            if (place > 0 && place < span) return null;
            const column = block.columns[index];
            const isBlank = isNotApplicable(row.cells[index]) && (sumsUp || column?.kind !== "figure");
            const text = isBlank ? null : <CellText {...cellProps(row, index, key)} />;
            const notes = place === 0 ? beside.filter((at) => !isEmpty(row.cells[at])) : [];
            const note = notes.length === 0 ? null : <>{inFirst?.place === "under" ? <br /> : " "}<span className="first-note">{notes.map((at, order) => <Fragment key={at}>{order > 0 && " · "}<CellText {...cellProps(row, at, key)} isNote /></Fragment>)}</span></>;
            const stateMark = place === 0 && isStateTone(row.tone) && !block.columns.some(({ id }) => id === "state") ? true : column?.id === "state";
            const marked = stateMark && isStateTone(row.tone) ? <><i className={`state-mark ${row.tone}`} aria-hidden="true" />{text}</> : text;
            const body =
              place === 0 && details.length > 0 ? (
                <button type="button" className="row-toggle" aria-expanded={isOpen} aria-controls={isOpen ? detailId : undefined} onClick={() => setOpen(isOpen ? null : row.id)}>{marked}</button>
              ) : marked;
            const classes = place === 0 ? (column?.kind === "mono" && !sumsUp && !isMessage(row.cells[index]) ? "mono" : "") : cellClass(column, row.cells[index]);
            return (
              <Fragment key={index}>
                {place === 0 ? <th scope="row" className={classes} colSpan={span > 1 ? span : undefined} title={classes === "mono" ? cellTitle(row.cells[index], words) : undefined}>{body}{note}</th> : <td className={classes} data-key={`${key}/${index}`} title={classes === "reason" || classes === "mono" ? cellTitle(row.cells[index], words) : undefined}>{body}</td>}
                {plotAfter === index && <td className="plot" aria-hidden="true" style={{ width: plotWidth }} />}
              </Fragment>
            );
          })}
        </tr>
        {isOpen && (
          <tr className="detail" id={detailId}>
            <td colSpan={width}>
              <dl>
                {details.map((index) => (
                  <div key={index}>
                    <dt>{words.text(block.columns[index]?.label ?? { key: "" })}</dt>
                    <dd><CellText {...cellProps(row, index, key)} isStop /></dd>
                  </div>
                ))}
              </dl>
            </td>
          </tr>
        )}
      </Fragment>
    );
  };
  return (
    <table
      ref={table}
      className={`statement ${className}`}
      aria-labelledby={labelledBy}
      aria-label={label}
      onKeyDown={(event) => moveWithin(table.current, event)}
      onFocus={(event) => {
        const key = event.target.closest("[data-key]")?.getAttribute("data-key");
        if (key !== null && key !== undefined && event.target.hasAttribute("data-figure")) setStop(key);
      }}
    >
      {plotAfter !== undefined && (
        <colgroup>
          {shown.map((index) => (
            <Fragment key={index}>
              <col className={block.columns[index]?.kind === "figure" ? "col-figure" : undefined} />
              {plotAfter === index && <col style={{ width: plotWidth }} />}
            </Fragment>
          ))}
        </colgroup>
      )}
      <thead className={hideHead ? "for-readers" : undefined}>
        <tr>
          {shown.map((index) => {
            const column = block.columns[index];
            const own = column === undefined ? "" : words.text(column.label);
            const joined = index === shown[0] && inFirst?.place === "after" && !hideHead ? [own, ...beside.map((at) => words.text(block.columns[at]?.label ?? { key: "" }))] : [own];
            const text = joined.join(words.language === "zh-CN" ? "、" : ", ");
            return (
              <Fragment key={index}>
                {text === "" ? <td className={headClass(column)} /> : <th scope="col" className={headClass(column)}>{text}</th>}
                {plotAfter === index && <td className="plot" style={{ width: plotWidth }} />}
              </Fragment>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {block.rows.map((row) => line(row, row.id, false))}
        {block.rows.length === 0 && <tr><td className="muted" colSpan={width}>{say("table.empty")}</td></tr>}
        {block.total !== null && line(block.total, "total", true)}
      </tbody>
    </table>
  );
}

interface CellTextProps {
  readonly cell: Cell;
  readonly column: Column | undefined;
  readonly shownAmount: bigint | undefined;
  readonly shownQuantity: ShownQuantity | undefined;
  readonly isStop: boolean;
  readonly head: string;
  /** It stands small beside a name, so it carries its own unit. */
  readonly isNote?: boolean;
  readonly isTotal: boolean;
}

function CellText({ cell, column, shownAmount, shownQuantity, isStop, head, isNote = false, isTotal }: CellTextProps) {
  const { words, say } = useSpeech();
  if ("text" in cell) return <>{cell.text}</>;
  if ("message" in cell) return column?.kind === "figure" ? <span className="muted">{words.text(cell.message)}</span> : <>{words.text(cell.message)}</>;
  if ("instant" in cell) return <span title={words.instant(cell.instant, cell.precision)}>{instantInTable(cell, words)}</span>;
  if ("absent" in cell) {
    const why = words.unknown(cell.absent);
    return <span className="unknown" title={why}><span aria-hidden="true">{dash}</span><span className="for-readers">{why}</span></span>;
  }
  const figure: Figure = shownAmount === undefined && shownQuantity === undefined ? cell.figure : { ...cell.figure, value: shownAmount ?? shownQuantity?.value ?? null };
  const digits = shownQuantity === undefined ? {} : { digits: shownQuantity.digits };
  // In a column of changes the levels they lead from and to have no sign.
  const isChange = column?.signed === true && figure.metric !== "spend";
  const unitInHead = head.includes("%");
  const isPercent = figure.unit === "ratio" || figure.unit === "percent";
  const isRate = figure.unit.endsWith("/gpu-hour");
  const text = isNote ? (isRate ? say("flops-key.price", { price: words.figure(figure) }) : words.figure(figure)) : words.figure(figure, { bare: typeof figure.value === "bigint" || (isPercent && unitInHead), signed: isChange, ...digits });
  return (
    <FigureButton figure={cell.figure} explain={cell.explain} className={column?.id === "idle" || isTotal ? meaningOf(cell.figure) : undefined} tabIndex={isStop ? 0 : -1}>
      {figure.metric === "gpu-utilization" && typeof figure.value === "number" && (
        <span className="use-bar" aria-hidden="true"><i style={{ width: `${Math.round(Math.min(1, Math.max(0, figure.unit === "percent" ? figure.value / 100 : figure.value)) * 44)}px` }} /></span>
      )}
      {text}
    </FigureButton>
  );
}

/** A moment without its year, which the page's period says. */
function instantInTable({ instant, precision }: { readonly instant: string; readonly precision: "day" | "minute" }, words: Words): string {
  const year = instant.slice(0, 4);
  return words.instant(instant, precision).replace(words.language === "zh-CN" ? `${year}年` : ` ${year}`, "");
}

/** Idle money is ochre; all other money is ink. */
function meaningOf(figure: Figure): string | undefined {
  return figure.metric === "idle-cost" && figure.value !== null && figure.value !== 0n ? "idle-text" : undefined;
}

/** The whole text of a cell that may be cut off. */
function cellTitle(cell: Cell | undefined, words: Words): string | undefined {
  if (cell === undefined) return undefined;
  if ("text" in cell) return cell.text;
  return "message" in cell && cell.message !== undefined ? words.text(cell.message) : undefined;
}

function isStateTone(tone: Row["tone"]): boolean {
  return tone === "useful" || tone === "busy" || tone === "held" || tone === "dead" || tone === "unknown";
}

function isMessage(cell: Cell | undefined): boolean {
  return cell !== undefined && "message" in cell;
}

function isNotApplicable(cell: Cell | undefined): boolean {
  return cell === undefined || ("absent" in cell && cell.absent === "not-applicable");
}

function isEmpty(cell: Cell | undefined): boolean {
  return cell === undefined || ("text" in cell && cell.text === "") || ("absent" in cell && cell.absent === "not-applicable");
}

function headClass(column: Column | undefined): string {
  return column?.kind === "figure" ? "n" : "";
}

function cellClass(column: Column | undefined, cell: Cell | undefined): string {
  if (column === undefined) return "";
  if (column.kind === "figure") return "n";
  const isSaid = cell !== undefined && "message" in cell;
  if (column.kind === "mono") return isSaid ? "" : "mono";
  return isSaid && column.id !== "state" ? (column.priority > 1 ? "reason" : "said") : "";
}

function firstFigure(block: StatementProps["block"], shown: readonly number[]): string | null {
  for (const row of block.rows) for (const index of shown) if (hasExplanation(row.cells[index])) return `${row.id}/${index}`;
  if (block.total !== null) for (const index of shown) if (hasExplanation(block.total.cells[index])) return `total/${index}`;
  return null;
}

function hasExplanation(cell: Cell | undefined): boolean {
  return cell !== undefined && "figure" in cell && cell.explain !== undefined;
}

/** The figures of a table are one stop of the Tab key; arrows move between them. */
function moveWithin(table: HTMLTableElement | null, event: KeyboardEvent): void {
  const from = event.target;
  if (table === null || !(from instanceof HTMLElement) || !from.hasAttribute("data-figure") || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...table.querySelectorAll("tr")].map((row) => [...row.querySelectorAll<HTMLElement>("td [data-figure], th [data-figure]")]).filter((figures) => figures.length > 0);
  const rowIndex = rows.findIndex((figures) => figures.includes(from));
  const row = rows[rowIndex] ?? [];
  const place = row.indexOf(from);
  const column = from.closest("td, th");
  const columnIndex = column === null ? 0 : [...(column.parentElement?.children ?? [])].indexOf(column);
  const inRow = (target: readonly HTMLElement[] | undefined): HTMLElement | undefined =>
    target?.find((figure) => [...(figure.closest("tr")?.children ?? [])].indexOf(figure.closest("td, th") ?? figure) === columnIndex) ?? target?.[Math.min(place, target.length - 1)];
  const target =
    event.key === "ArrowRight" ? row[place + 1]
    : event.key === "ArrowLeft" ? row[place - 1]
    : event.key === "ArrowDown" ? inRow(rows[rowIndex + 1])
    : event.key === "ArrowUp" ? inRow(rows[rowIndex - 1])
    : event.key === "Home" ? row[0]
    : event.key === "End" ? row.at(-1)
    : undefined;
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}
