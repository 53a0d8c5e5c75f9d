import type { HeatBlock, ReportDocument, Row, TableBlock } from "../../../shared/contract/report.ts";
import type { Words } from "../../../shared/contract/words.ts";
import type { TextPrinter } from "./printer.ts";
import { wordedTable } from "../../../shared/contract/worded.ts";

/** For a terminal: aligned columns, Han characters counted as two. */
export const textPrinter: TextPrinter = { id: "text", extension: "txt", print: printText };

function printText(document: ReportDocument, words: Words): string {
  const lines: string[] = [words.text(document.title), words.text(document.answer), ...document.context.map((message) => words.text(message)), ""];
  for (const block of document.blocks) {
    if (block.kind === "figures") {
      if (block.title !== null) lines.push(words.text(block.title));
      const rows = block.tiles.map(({ label, figure, note }) => [words.text(label), figureText(figure, words), note === null ? "" : words.text(note)]);
      lines.push(...aligned(rows, [false, true, false]), "");
    } else if (block.kind === "table") {
      const table = wordedTable(withoutDetails(block), words);
      const note = block.note === null ? null : words.text(block.note);
      const unit = table.currency === null || note?.includes(table.currency) === true ? [] : [table.currency];
      const head = [words.text(block.title), ...unit, ...(note === null ? [] : [note])];
      lines.push(head.join("  "));
      const body = aligned([table.head, ...table.rows, ...(table.total === null ? [] : [table.total])], table.isRight);
      const rule = "─".repeat(Math.max(...body.map(width)));
      lines.push(body[0] ?? "", rule, ...body.slice(1, 1 + table.rows.length));
      if (table.total !== null) lines.push(rule, body.at(-1) ?? "", "═".repeat(width(rule)));
      lines.push("");
    } else if (block.kind === "notes") {
      for (const { title, lines: notes } of block.notes) lines.push(words.text(title), ...notes.map((note) => `  ${words.text(note)}`));
      lines.push("");
    } else lines.push(...heatLines(block, words), "");
  }
  lines.push(...footer(document, words));
  return `${lines.join("\n").replace(/[ \t]+$/gm, "").trimEnd()}\n`;
}

/** The columns that a page has room for; the rest stands in the files for spreadsheets. */
function withoutDetails(block: TableBlock): TableBlock {
  const places = block.columns.flatMap(({ priority }, index) => (priority < 3 ? [index] : []));
  const kept = (row: Row): Row => ({ ...row, cells: places.flatMap((index) => row.cells[index] ?? []) });
  return { ...block, columns: places.flatMap((index) => block.columns[index] ?? []), rows: block.rows.map(kept), total: block.total === null ? null : kept(block.total) };
}

/** Where the document comes from: for every printer's foot. */
export function footer(document: ReportDocument, words: Words): string[] {
  const { provenance } = document;
  return [
    provenance.completeUntil === null ? words.say("print.no-bill") : words.say("print.complete-until", { until: words.instant(provenance.completeUntil, "minute") }),
    provenance.telemetryCoverage === null ? words.say("print.no-gpu-hours") : words.say("print.telemetry-coverage", { share: words.ratio(provenance.telemetryCoverage) }),
    ...(provenance.rowsSetAside > 0 ? [words.say("print.set-aside", { count: provenance.rowsSetAside })] : []),
    ...document.otherCurrencies.map((currency) => words.say("print.other-currency", { currency })),
    words.say("print.basis", { basis: words.say(`basis.${document.request.basis}`), ledger: provenance.ledgerName }),
  ];
}

export function figureText(figure: Parameters<Words["figure"]>[0], words: Words): string {
  return figure.value === null && figure.why !== undefined ? `${words.figure(figure)} (${words.unknown(figure.why)})` : words.figure(figure);
}

function heatLines(block: HeatBlock, words: Words): string[] {
  const rows = block.rows.map(({ label, mean, idleHours }) => [label, words.figure(mean), words.figure(idleHours)]);
  return [
    [words.text(block.title), ...(block.note === null ? [] : [words.text(block.note)])].join("  "),
    ...aligned([[words.say("print.host"), words.say("print.mean"), words.say("print.idle-hours")], ...rows], [false, true, true]),
  ];
}

function aligned(rows: readonly (readonly string[])[], isRight: readonly boolean[]): string[] {
  const widths = isRight.map((_, column) => Math.max(0, ...rows.map((row) => width(row[column] ?? ""))));
  return rows.map((row) => row.map((cell, column) => (isRight[column] === true ? padded(widths[column] ?? 0, cell) + cell : cell + padded(widths[column] ?? 0, cell))).join("  "));
}

function padded(to: number, text: string): string {
  return " ".repeat(Math.max(0, to - width(text)));
}

/** Columns of a terminal that a text takes: East Asian wide and full-width characters take two. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u.test(character) ? 2 : 1;
  return columns;
}
