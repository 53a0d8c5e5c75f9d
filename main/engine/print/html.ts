import type { HeatBlock, Message, ReportDocument, Row, TableBlock } from "../../../shared/contract/report.ts";
import { wordedTable } from "../../../shared/contract/worded.ts";
import type { Words } from "../../../shared/contract/words.ts";
import { sentences } from "../../../shared/contract/words.ts";
import { hashOfFigures } from "./hash.ts";
import type { TextPrinter } from "./printer.ts";
import { figureText, footer } from "./text.ts";

/** One document that needs nothing beside it: styled for paper, no script, nothing fetched, every name of other people escaped. */
export const htmlPrinter: TextPrinter = { id: "html", extension: "html", print: printHtml };

function printHtml(document: ReportDocument, words: Words): string {
  const title = words.text(document.title);
  return `<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${escaped(title)}</h1><p class="answer">${said(document.answer, words)}</p><p class="context">${sentences(document.context.map((message) => escaped(words.text(message))), words.language)}</p></header>
${document.blocks.map((block) => {
    if (block.kind === "figures") {
      const tiles = block.tiles.map(({ label, figure, note }) => `<div><dt>${escaped(words.text(label))}</dt><dd>${escaped(figureText(figure, words))}</dd>${note === null ? "" : `<dd class="note">${escaped(words.text(note))}</dd>`}</div>`);
      return `<section>${block.title === null ? "" : `<h2>${escaped(words.text(block.title))}</h2>`}<dl class="tiles">${tiles.join("")}</dl></section>`;
    }
    if (block.kind === "table") return table(block, words);
    if (block.kind === "heat") return heat(block, words);
    const notes = block.notes.map(({ title: heading, tone, lines }) => `<div><h2 class="${tone}">${escaped(words.text(heading))}</h2>${lines.map((line) => `<p>${escaped(words.text(line))}</p>`).join("")}</div>`);
    return `<section class="notes">${notes.join("")}</section>`;
  }).join("\n")}
<footer>${[...footer(document, words), words.say("print.hash", { hash: hashOfFigures(document).slice(0, 16) })].map((line) => `<p>${escaped(line)}</p>`).join("")}</footer>
</body>
</html>
`;
}

function table(block: TableBlock, words: Words): string {
  const worded = wordedTable(block, words);
  const cells = (row: readonly string[]): string =>
    row.map((cell, index) => (index === 0 ? `<th scope="row">${escaped(cell)}</th>` : `<td${worded.isRight[index] === true ? ' class="n"' : ""}>${escaped(cell)}</td>`)).join("");
  const head = worded.head.map((cell, index) => `<th scope="col"${worded.isRight[index] === true ? ' class="n"' : ""}>${escaped(cell)}</th>`).join("");
  const body = worded.rows.map((row, index) => `<tr${toneOf(block.rows[index])}>${cells(row)}</tr>`).join("\n");
  const total = worded.total === null ? "" : `<tfoot><tr>${cells(worded.total)}</tr></tfoot>`;
  return `<section>${heading(block.title, block.note, worded.currency, words)}<table><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody>${total}</table></section>`;
}

function toneOf(row: Row | undefined): string {
  return row?.tone === undefined || row.tone === "plain" ? "" : ` class="${row.tone}"`;
}

function heat(block: HeatBlock, words: Words): string {
  const rows = block.rows.map(({ label, gpuModel, mean, idleHours }) => `<tr><th scope="row">${escaped(label)}</th><td>${escaped(gpuModel ?? "")}</td><td class="n">${escaped(words.figure(mean))}</td><td class="n">${escaped(words.figure(idleHours))}</td></tr>`);
  return `<section>${heading(block.title, block.note, null, words)}<table><thead><tr><th scope="col">${escaped(words.say("print.host"))}</th><th scope="col">${escaped(words.say("column.gpu"))}</th><th scope="col" class="n">${escaped(words.say("print.mean"))}</th><th scope="col" class="n">${escaped(words.say("print.idle-hours"))}</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table></section>`;
}

function heading(title: Message, note: Message | null, currency: string | null, words: Words): string {
  const noted = note === null ? null : words.text(note);
  const unit = currency === null || noted?.includes(currency) === true ? [] : [currency];
  const small = [...unit, ...(noted === null ? [] : [noted])].join(words.language === "zh-CN" ? "；" : "; ");
  return `<h2>${escaped(words.text(title))}${small === "" ? "" : ` <small>${escaped(small)}</small>`}</h2>`;
}

function said(message: Message, words: Words): string {
  return words.parts(message).map(({ text, strong }) => (strong ? `<b>${escaped(text)}</b>` : escaped(text))).join("");
}

/** Names of resources and tags are other people's text. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

const style = `
@page { margin: 14mm 15mm; }
:root { --ink: #191c22; --second: #42454c; --muted: #5c5f66; --line: #2c2f36; --rule: #dcdbd8; }
body { font: 13px/1.45 "Source Sans 3", "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif; color: var(--ink); background: #fff; max-width: 1080px; margin: 24px auto; padding: 0 24px; font-variant-numeric: tabular-nums lining-nums; }
h1 { font-size: 14px; font-weight: 600; margin: 0; }
h2 { font-size: 14px; font-weight: 600; margin: 22px 0 4px; break-after: avoid; }
h2 small { font-size: 12px; font-weight: 400; color: var(--muted); margin-left: 6px; }
.answer { font-size: 22px; line-height: 1.35; margin: 6px 0; } .answer b { font-weight: 600; }
.context { color: var(--second); margin: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); margin: 18px 0 0; }
.tiles > div { border-left: 1px solid var(--rule); padding: 0 12px; } .tiles > div:first-child { border: 0; padding-left: 0; }
.tiles dt, .tiles .note { font-size: 12px; color: var(--muted); } .tiles dd { margin: 0; font-size: 24px; } .tiles dd.note { font-size: 12px; }
table { border-collapse: collapse; width: 100%; } tr { break-inside: avoid; }
th, td { text-align: left; font-weight: 400; padding: 2px 0 2px 12px; border-bottom: 1px solid var(--rule); vertical-align: top; } th:first-child { padding-left: 0; }
thead th { font-size: 12px; color: var(--muted); border-bottom: 1px solid var(--line); vertical-align: bottom; }
.n { text-align: right; white-space: nowrap; }
tfoot th, tfoot td { font-weight: 600; border-top: 1px solid var(--line); border-bottom: 3px double var(--line); }
tr.muted th { color: var(--muted); } .committed, tr.committed th { color: #4338a0; } .useful { color: #00655f; }
.notes { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 0 20px; } .notes p { margin: 0; color: var(--second); }
footer { margin-top: 26px; border-top: 1px solid var(--line); padding-top: 6px; font-size: 11px; color: var(--muted); } footer p { margin: 0; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 11px; } .answer { font-size: 17px; } .tiles dd { font-size: 19px; } }
`;
