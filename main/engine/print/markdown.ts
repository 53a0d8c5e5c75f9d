import type { ReportDocument } from "../../../shared/contract/report.ts";
import type { Words } from "../../../shared/contract/words.ts";
import { sentences } from "../../../shared/contract/words.ts";
import type { TextPrinter } from "./printer.ts";
import { wordedTable } from "../../../shared/contract/worded.ts";
import { figureText, footer } from "./text.ts";

export const markdownPrinter: TextPrinter = { id: "md", extension: "md", print: printMarkdown };

function printMarkdown(document: ReportDocument, words: Words): string {
  const lines: string[] = [`# ${escaped(words.text(document.title))}`, ""];
  lines.push(words.parts(document.answer).map(({ text, strong }) => (strong ? `**${escaped(text)}**` : escaped(text))).join(""), "");
  for (const message of document.context) lines.push(escaped(words.text(message)), "");
  for (const block of document.blocks) {
    if (block.kind === "figures") {
      if (block.title !== null) lines.push(`## ${escaped(words.text(block.title))}`, "");
      lines.push(...block.tiles.map(({ label, figure, note }) => `- ${escaped(words.text(label))}: **${escaped(figureText(figure, words))}**${note === null ? "" : `, ${escaped(words.text(note))}`}`), "");
    } else if (block.kind === "table") {
      const table = wordedTable(block, words);
      lines.push(`## ${escaped(words.text(block.title))}`, "");
      const notes = [...(table.currency === null ? [] : [table.currency]), ...(block.note === null ? [] : [words.text(block.note)])];
      if (notes.length > 0) lines.push(escaped(notes.join(", ")), "");
      lines.push(row(table.head), `|${table.isRight.map((isRight) => (isRight ? "---:" : "---")).join("|")}|`, ...table.rows.map(row));
      if (table.total !== null) lines.push(`| ${table.total.map((cell) => (cell === "" ? "" : `**${escaped(cell)}**`)).join(" | ")} |`);
      lines.push("");
    } else if (block.kind === "notes") {
      lines.push(...block.notes.flatMap(({ title, lines: notes }) => [`**${escaped(words.text(title))}** ${sentences(notes.map((note) => escaped(words.text(note))), words.language)}`, ""]));
    } else {
      lines.push(`## ${escaped(words.text(block.title))}`, "", row([words.say("print.host"), words.say("print.mean"), words.say("print.idle-hours")]), "|---|---:|---:|");
      lines.push(...block.rows.map(({ label, mean, idleHours }) => row([label, words.figure(mean), words.figure(idleHours)])), "");
    }
  }
  lines.push("---", "", ...footer(document, words).map((line) => `- ${escaped(line)}`));
  return `${lines.join("\n")}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(" | ")} |`;
}

/** Names of resources and tags are other people's text: what Markdown or HTML would act on is escaped. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|#~]/g, (character) => `\\${character}`).replace(/\r?\n/g, " ");
}
