import type { Block, Cell, FigureRef, Message, MessageParam, ReportDocument, Row } from "../../../shared/contract/report.ts";
import type { Words } from "../../../shared/contract/words.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import type { TextPrinter } from "./printer.ts";

/** For scripts: the whole document, money as plain decimal strings to the last digit, what is unknown as null with its reason. */
export const jsonPrinter: TextPrinter = { id: "json", extension: "json", print: (document, words) => `${JSON.stringify(jsonDocument(document, words), null, 2)}\n` };

export function jsonDocument(document: ReportDocument, words: Words): unknown {
  const message = (of: Message): unknown => ({ key: of.key, text: words.text(of), ...(of.params === undefined ? {} : { params: Object.fromEntries(Object.entries(of.params).map(([name, value]) => [name, param(value)])) }) });
  const param = (value: MessageParam): unknown => {
    if ("figure" in value) return { figure: jsonFigure(value.figure) };
    if ("money" in value) return { money: formatAttos(value.money), currency: value.currency };
    if ("message" in value) return message(value.message);
    return value;
  };
  const cell = (of: Cell): unknown => {
    if ("figure" in of) return { figure: jsonFigure(of.figure), ...(of.explain === undefined ? {} : { explain: jsonRef(of.explain) }) };
    if ("absent" in of) return { absent: of.absent };
    if ("instant" in of) return of;
    return of.message === undefined ? { text: of.text } : { message: message(of.message) };
  };
  const row = (of: Row): unknown => ({ id: of.id, ...(of.tone === undefined ? {} : { tone: of.tone }), cells: of.cells.map(cell) });
  const block = (of: Block): unknown => {
    if (of.kind === "figures") {
      return {
        kind: of.kind,
        id: of.id,
        title: of.title === null ? null : message(of.title),
        tiles: of.tiles.map(({ id, label, figure, explain, note, series }) => ({
          id,
          label: message(label),
          figure: jsonFigure(figure),
          explain: jsonRef(explain),
          note: note === null ? null : message(note),
          series: series.map(({ at, value }) => ({ at, value: typeof value === "bigint" ? formatAttos(value) : value })),
        })),
      };
    }
    if (of.kind === "table") {
      return {
        kind: of.kind,
        id: of.id,
        title: message(of.title),
        note: of.note === null ? null : message(of.note),
        columns: of.columns.map(({ label, ...column }) => ({ ...column, label: message(label) })),
        rows: of.rows.map(row),
        total: of.total === null ? null : row(of.total),
      };
    }
    if (of.kind === "notes") {
      return { kind: of.kind, id: of.id, notes: of.notes.map(({ id, title, tone, lines }) => ({ id, title: message(title), tone, lines: lines.map(message) })) };
    }
    return {
      kind: of.kind,
      id: of.id,
      title: message(of.title),
      note: of.note === null ? null : message(of.note),
      start: of.start,
      hours: of.hours,
      rows: of.rows.map(({ mean, idleHours, ...heat }) => ({ ...heat, mean: jsonFigure(mean), idleHours: jsonFigure(idleHours) })),
    };
  };
  return {
    report: document.report,
    request: document.request,
    period: document.period,
    currency: document.currency,
    otherCurrencies: document.otherCurrencies,
    provenance: document.provenance,
    title: message(document.title),
    answer: message(document.answer),
    context: document.context.map(message),
    blocks: document.blocks.map(block),
  };
}

/** A figure with its amount as decimal text. */
export function jsonFigure(figure: Figure): unknown {
  const { shown: _shown, ...stated } = figure;
  return { ...stated, value: typeof figure.value === "bigint" ? formatAttos(figure.value) : figure.value };
}

function jsonRef(ref: FigureRef): unknown {
  return ref;
}
