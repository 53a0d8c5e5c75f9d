import { Fragment } from "react";
import type { ReactNode } from "react";
import type { Cell, FiguresBlock, NotesBlock, Row, TableBlock } from "../../shared/contract/report.ts";
import { figureOf, moneyOf } from "../../shared/contract/table.ts";
import { wordedTable } from "../../shared/contract/worded.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { bridgeBars, bridgeColumn, bridgeOption } from "../charts/bridge.ts";
import type { Shape } from "../charts/drawing.ts";
import { shapesOf } from "../charts/drawing.ts";
import { flopsBars, flopsOption } from "../charts/flops.ts";
import { fourWayOption, wayParts } from "../charts/four-way.ts";
import { exitOption, levelOption } from "../charts/memo.ts";
import { sparkline } from "../charts/sparkline.ts";
import { isWithin, Shapes } from "./Shapes.tsx";
import { paperTokens } from "./tokens.ts";
import { sentences } from "../../shared/contract/words.ts";

export function Heading({ title, note }: { readonly title: string; readonly note: string | null }) {
  return <h2>{title}{note !== null && <small>{note}</small>}</h2>;
}

export function Tiles({ block, words }: { readonly block: FiguresBlock; readonly words: Words }) {
  return (
    <section>
      {block.title !== null && <Heading title={words.text(block.title)} note={null} />}
      <dl className="tiles">
        {block.tiles.map(({ id, label, figure, note, series }) => {
          const { line, hatch, end } = sparkline(series.map(({ value }) => value), 146, 24);
          const [, whole = "", rest = ""] = /^([^.]*\d)((?:\.\d+)?[\u202f\u00a0 ]?%?)$/.exec(words.figure(figure)) ?? ["", words.figure(figure), ""];
          return (
            <div key={id}>
              <dt>{words.text(label)}</dt>
              <dd className="value">{figure.unit === figure.unit.toUpperCase() ? <>{whole}<span className="cents">{rest}</span></> : words.figure(figure)}</dd>
              <dd className="note">{note === null ? (figure.why === undefined ? "" : words.unknown(figure.why)) : words.text(note)}</dd>
              {series.length > 1 && (
                <dd className="spark">
                  <svg width={146} height={24} viewBox="0 0 146 24" aria-hidden="true">
                    <path className="spark-hatch" d={hatch} />
                    <path className="spark-line" d={line} />
                    {end !== null && <circle cx={end.x} cy={end.y} r={2.6} />}
                  </svg>
                </dd>
              )}
            </div>
          );
        })}
      </dl>
    </section>
  );
}

export function Notes({ block, words }: { readonly block: NotesBlock; readonly words: Words }) {
  return (
    <section className="closing">
      {block.notes.map(({ id, title, tone, lines }) => (
        <div key={id}>
          <h2 className={id === "carbon" ? "carbon" : tone}>{words.text(title)}</h2>
          <p>{sentences(lines.map((line) => words.text(line)), words.language)}</p>
        </div>
      ))}
    </section>
  );
}

/** Columns that stand small after the first cell's text, by the table. */
function besideFirst(block: TableBlock): readonly number[] {
  if (block.chart === "bridge") return block.columns.flatMap(({ kind }, index) => (index > 0 && kind === "text" ? [index] : []));
  return block.id === "movers" ? [1] : [];
}

interface Plot {
  /** Index of the column that it stands after. */
  readonly after: number;
  readonly width: number;
  readonly rowHeight: number;
  readonly totalHeight: number;
  readonly shapes: readonly Shape[];
}

/** A table under the rules of accounts, with the bars of its chart in a column of their own. */
export function PrintTable({ block, words, rowHeight }: { readonly block: TableBlock; readonly words: Words; readonly rowHeight: number }) {
  if (block.chart === "completeness") return <Months block={block} words={words} />;
  if (block.chart === "level" || block.chart === "exit") return <MemoChart block={block} words={words} />;
  const signed = block.chart === "bridge" ? { ...block, columns: block.columns.map((column, index) => (index === bridgeColumn(block) ? { ...column, signed: true } : column)) } : block;
  const worded = wordedTable(signed, words);
  const beside = besideFirst(block);
  const shown = block.columns.flatMap(({ priority }, index) => (priority < 3 && !beside.includes(index) && isUsed(block, index) ? [index] : []));
  const plot = plotOf(block, words, rowHeight);
  const note = block.note === null ? null : words.text(block.note);
  const unit = worded.currency === null || note?.includes(worded.currency) === true ? [] : [worded.currency];
  const small = [...unit, ...(note === null ? [] : [note])].join(words.language === "zh-CN" ? "；" : "; ");
  const hideHead = block.chart === "bridge";
  const line = (row: Row, texts: readonly string[], at: number, isTotal: boolean): ReactNode => (
    <tr key={row.id} className={isTotal ? "total" : (row.tone ?? "plain")}>
      {shown.map((index, place) => {
        const column = block.columns[index];
        const text = isBlank(row.cells[index], isTotal || row.id.startsWith("all-other"), column?.kind) ? "" : (texts[index] ?? "");
        const body = place === 0 ? (
          <>
            {block.id === "decisions" && !isTotal && <i className="box" aria-hidden="true" />}
            {text}
            {beside.map((each) => (isBlank(row.cells[each], true, "text") ? null : <span key={each} className="beside"> {texts[each]}</span>))}
          </>
        ) : <Figured cell={row.cells[index]} text={text} />;
        return (
          <Fragment key={index}>
            {place === 0 ? <th scope="row">{body}</th> : <td className={classOf(row.cells[index], column?.kind)}>{body}</td>}
            {plot !== null && plot.after === index && <td className="plot">{slice(plot, at, isTotal)}</td>}
          </Fragment>
        );
      })}
    </tr>
  );
  return (
    <section className={`block-${block.id}`}>
      <Heading title={words.text(block.title)} note={small === "" ? null : small} />
      {block.chart === "four-way" && <Shapes shapes={shapesOf(fourWayOption(wayParts(block), paperTokens), 676, 18)} width={676} height={18} />}
      <table className={hideHead ? "without-head" : undefined}>
        <thead className={hideHead ? "for-readers" : undefined}>
          <tr>
            {shown.map((index) => (
              <Fragment key={index}>
                <th scope="col" className={worded.isRight[index] === true ? "n" : undefined}>{worded.head[index]}</th>
                {plot !== null && plot.after === index && <td className="plot" />}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>{block.rows.map((row, index) => line(row, worded.rows[index] ?? [], index, false))}</tbody>
        {block.total !== null && worded.total !== null && <tfoot>{line(block.total, worded.total, block.rows.length, true)}</tfoot>}
      </table>
    </section>
  );
}

/** A picture in place of its table, whose rows stand in the workbook. */
function MemoChart({ block, words }: { readonly block: TableBlock; readonly words: Words }) {
  const style = { tokens: paperTokens, font: "", words };
  const [width, height] = [676, 150];
  return (
    <section className={`block-${block.id}`}>
      <Heading title={words.text(block.title)} note={block.note === null ? null : words.text(block.note)} />
      <Shapes shapes={shapesOf(block.chart === "level" ? levelOption(block, style) : exitOption(block, style), width, height)} width={width} height={height} />
    </section>
  );
}

function plotOf(block: TableBlock, words: Words, rowHeight: number): Plot | null {
  if (block.chart === "bridge") {
    const column = bridgeColumn(block);
    const bars = bridgeBars(block);
    const [opening, closing] = [moneyOf(block.rows[0]?.cells[column]), moneyOf(block.total?.cells[column])];
    const isLevel = bars[0]?.kind === "opening";
    const sum = closing === null ? "" : words.money(isLevel && opening !== null ? closing.value - opening.value : closing.value, closing.currency, { bare: true, signed: true });
    const totalHeight = rowHeight + 3;
    const option = bridgeOption(bars, { tokens: paperTokens, rowHeight, totalHeight, sum, font: "" });
    const width = 218;
    return { after: column, width, rowHeight, totalHeight, shapes: shapesOf(option, width, rowHeight * block.rows.length + totalHeight) };
  }
  if (block.chart === "flops") {
    const height = 22;
    return { after: 0, width: 90, rowHeight: height, totalHeight: height, shapes: shapesOf(flopsOption(flopsBars(block), { tokens: paperTokens, rowHeight: height }), 90, height * block.rows.length) };
  }
  return null;
}

/** The part of a drawing that lies beside one row. */
function slice({ shapes, width, rowHeight, totalHeight }: Plot, at: number, isTotal: boolean): ReactNode {
  const top = at * rowHeight;
  const height = isTotal ? totalHeight : rowHeight;
  return <Shapes shapes={shapes.filter((shape) => isWithin(shape, top, top + height))} width={width} height={height} top={top} />;
}

/** Source by month: full, half, hatched, or nothing yet. */
function Months({ block, words }: { readonly block: TableBlock; readonly words: Words }) {
  const worded = wordedTable(block, words);
  return (
    <section>
      <Heading title={words.text(block.title)} note={block.note === null ? null : words.text(block.note)} />
      <table className="months">
        <thead><tr>{worded.head.map((label, index) => <th key={index} scope="col">{/^\d{4}-\d{2}$/.test(block.columns[index]?.id ?? "") ? words.period(block.columns[index]?.id ?? "", { short: true }).slice(0, 3) : label}</th>)}</tr></thead>
        <tbody>
          {block.rows.map((row, at) => (
            <tr key={row.id}>
              {row.cells.map((cell, index) => (index === 0 ? <th key={index} scope="row">{worded.rows[at]?.[0]}</th> : <td key={index}><i className={`month ${stateOf(cell)}`} role="img" aria-label={worded.rows[at]?.[index]} /></td>))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function stateOf(cell: Cell): "final" | "provisional" | "missing" | "none" {
  const key = "message" in cell && cell.message !== undefined ? cell.message.key : "";
  if (key.endsWith(".complete")) return "final";
  if (key.endsWith(".partial")) return "provisional";
  return key.endsWith(".none") || ("absent" in cell && cell.absent === "not-applicable") ? "none" : "missing";
}

/** A column in which no row says anything takes room from those that do. */
function isUsed({ rows }: TableBlock, index: number): boolean {
  return index === 0 || rows.some(({ cells }) => !isNothing(cells[index]));
}

function isNothing(cell: Cell | undefined): boolean {
  return cell === undefined || ("absent" in cell && cell.absent === "not-applicable");
}

/** A row that sums up says nothing where a cell does not apply to it; nor does a text. Figures that are not known are dashes. */
function isBlank(cell: Cell | undefined, sumsUp: boolean, kind: string | undefined): boolean {
  return isNothing(cell) && (sumsUp || kind !== "figure");
}

/** A utilisation with its bar; everything else as its text. */
function Figured({ cell, text }: { readonly cell: Cell | undefined; readonly text: string }) {
  const figure = figureOf(cell);
  if (figure?.metric !== "gpu-utilization" || typeof figure.value !== "number") return <>{text}</>;
  const share = Math.max(0, Math.min(1, figure.unit === "percent" ? figure.value / 100 : figure.value));
  return (
    <>
      <svg className="share" width={34} height={5} viewBox="0 0 34 5" aria-hidden="true">
        <rect width={34} height={5} fill="#d7efed" />
        <rect width={34 * share} height={5} fill={paperTokens.useful} />
      </svg>
      {text}
    </>
  );
}

function classOf(cell: Cell | undefined, kind: string | undefined): string {
  const metric = figureOf(cell)?.metric ?? "";
  const idle = /idle/.test(metric) && figureOf(cell)?.value !== null ? " idle" : "";
  return kind === "figure" ? `n${idle}` : kind === "mono" ? "mono" : "second";
}
