import { stringify } from "csv-stringify/sync";
import type { Cell, ReportDocument, Row } from "../../../shared/contract/report.ts";
import { displayedAmounts, displayedQuantities } from "../../../shared/contract/table.ts";
import type { Words } from "../../../shared/contract/words.ts";
import { sentences } from "../../../shared/contract/words.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import type { TextPrinter } from "./printer.ts";

/**
 * For spreadsheets and scripts: one line a figure, so that every table of the report fits one sheet and can be filtered.
 * `value` is exact: money as a plain decimal to its last digit, ratios as 0.547; empty where it is not known, and then `why` says the reason.
 */
export const csvPrinter: TextPrinter = { id: "csv", extension: "csv", print: printCsv };

const columns = ["block", "row", "column", "value", "unit", "basis", "coverage", "why", "text"] as const;

function printCsv(document: ReportDocument, words: Words): string {
  const lines: string[][] = [];
  const add = (block: string, row: string, column: string, figure: Figure, text = words.figure(figure)): void => {
    lines.push([block, row, column, decimal(figure), figure.unit, figure.basis, String(figure.coverage), figure.why ?? "", text]);
  };
  const addText = (block: string, row: string, column: string, text: string): void => {
    lines.push([block, row, column, "", "", "", "", "", text]);
  };
  addText("answer", "", "", words.text(document.answer));
  document.context.forEach((message, index) => addText("context", String(index + 1), "", words.text(message)));
  for (const block of document.blocks) {
    if (block.kind === "figures") for (const tile of block.tiles) add(block.id, words.text(tile.label), "", tile.figure);
    else if (block.kind === "heat") {
      for (const row of block.rows) {
        add(block.id, row.label, words.say("print.mean"), row.mean);
        add(block.id, row.label, words.say("print.idle-hours"), row.idleHours);
      }
    } else if (block.kind === "notes") {
      for (const note of block.notes) addText(block.id, words.text(note.title), "", sentences(note.lines.map((line) => words.text(line)), words.language));
    } else {
      const amounts = displayedAmounts(block);
      const quantities = displayedQuantities(block);
      const shownText = (figure: Figure, key: string): string => {
        const quantity = quantities.get(key);
        return quantity === undefined ? words.figure({ ...figure, value: amounts.get(key) ?? figure.value }) : words.figure({ ...figure, value: quantity.value }, { digits: quantity.digits });
      };
      const rows: readonly Row[] = block.total === null ? block.rows : [...block.rows, block.total];
      for (const row of rows) {
        const name = row === block.total ? words.say("print.total") : rowName(row, words);
        row.cells.forEach((cell, index) => {
          const column = block.columns[index];
          if (column === undefined) return;
          const label = words.text(column.label);
          if ("figure" in cell) add(block.id, name, label, cell.figure, shownText(cell.figure, `${row === block.total ? "total" : row.id}/${index}`));
          else if ("absent" in cell) lines.push([block.id, name, label, "", "", "", "", cell.absent, ""]);
          else if (index > 0) addText(block.id, name, label, textOf(cell, words));
        });
      }
    }
  }
  return stringify([[...columns], ...lines.map((line) => line.map((text, index) => (columns[index] === "value" ? text : harmless(text))))], { record_delimiter: "\r\n" });
}

/** A text that a spreadsheet would take for a formula is led by an apostrophe. Values are decimals of our own and stay as they are. */
export function harmless(text: string): string {
  return /^[=+\-@\t\r\u2212]/.test(text) ? `'${text}` : text;
}

function rowName(row: Row, words: Words): string {
  const names = row.cells.slice(0, 1).map((cell) => textOf(cell, words));
  return names[0] === undefined || names[0] === "" ? row.id : names[0];
}

function textOf(cell: Cell, words: Words): string {
  if ("figure" in cell) return words.figure(cell.figure);
  if ("absent" in cell) return "";
  if ("instant" in cell) return cell.instant;
  return cell.message === undefined ? cell.text : words.text(cell.message);
}

function decimal(figure: Figure): string {
  if (figure.value === null) return "";
  return typeof figure.value === "bigint" ? formatAttos(figure.value) : String(figure.value);
}
