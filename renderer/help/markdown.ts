import { helpHeadingOf } from "../../shared/contract/help.ts";

/** A piece of a line. A link leads to a page of the help, or to a section of one; what leads elsewhere is text. */
export type Inline =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly page: string | null; readonly section: string | null };

export type HelpBlock =
  | { readonly kind: "heading"; readonly level: number; readonly id: string | null; readonly content: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "table"; readonly head: readonly (readonly Inline[])[]; readonly rows: readonly (readonly (readonly Inline[])[])[]; readonly isNumber: readonly boolean[] }
  | { readonly kind: "code"; readonly text: string };

/**
 * Reads the Markdown of the help: headings with an id, paragraphs, flat lists, tables, fenced code; within a line code, strong,
 * emphasis and links. Everything else, HTML above all, is the text it is written as. O(n).
 */
export function readMarkdown(text: string): readonly HelpBlock[] {
  const lines = text.split(/\r?\n/);
  const blocks: HelpBlock[] = [];
  let at = 0;
  /** Takes lines for as long as they are wanted. */
  const take = (isWanted: (line: string) => boolean): string[] => {
    const start = at;
    while (at < lines.length && isWanted(lines[at] ?? "")) at += 1;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = helpHeadingOf(line);
    if (line.trim() === "") at += 1;
    else if (heading !== null) {
      at += 1;
      blocks.push({ kind: "heading", level: heading.level, id: heading.id, content: readInline(heading.text) });
    } else if (line.startsWith("```")) {
      at += 1;
      blocks.push({ kind: "code", text: take((each) => !each.startsWith("```")).join("\n") });
      at += 1;
    } else if (line.startsWith("|")) {
      blocks.push(readTable(take((each) => each.startsWith("|"))));
    } else if (itemStart.test(line)) {
      const isOrdered = !line.startsWith("-");
      blocks.push({ kind: "list", isOrdered, items: itemsOf(take((each) => itemStart.test(each) || /^\s+\S/.test(each))).map(readInline) });
    } else {
      blocks.push({ kind: "paragraph", content: readInline(join(take((each) => each.trim() !== "" && !startsBlock(each)))) });
    }
  }
  return blocks;
}

/** The pieces of one line. */
export function readInline(text: string): readonly Inline[] {
  const pieces: Inline[] = [];
  let at = 0;
  for (const found of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]*)\)/g)) {
    const [whole, code, strong, emphasis, label, target] = found;
    if (found.index > at) pieces.push({ kind: "text", text: text.slice(at, found.index) });
    at = found.index + whole.length;
    if (code !== undefined) pieces.push({ kind: "code", text: code });
    else if (strong !== undefined) pieces.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) pieces.push({ kind: "emphasis", text: emphasis });
    else pieces.push(linkOf(label ?? "", target ?? ""));
  }
  if (at < text.length) pieces.push({ kind: "text", text: text.slice(at) });
  return pieces;
}

const itemStart = /^(?:-|\d+\.) /;

function startsBlock(line: string): boolean {
  return line.startsWith("```") || line.startsWith("|") || itemStart.test(line) || helpHeadingOf(line) !== null;
}

function linkOf(text: string, target: string): Inline {
  const [, page, section] = /^([a-z-]+)?(?:#([a-z0-9-]+))?$/.exec(target) ?? [];
  return page === undefined && section === undefined ? { kind: "text", text } : { kind: "link", text, page: page ?? null, section: section ?? null };
}

function itemsOf(lines: readonly string[]): string[] {
  const items: string[][] = [];
  for (const line of lines) {
    if (itemStart.test(line)) items.push([line.replace(itemStart, "")]);
    else items.at(-1)?.push(line.trim());
  }
  return items.map(join);
}

/** Lines of one paragraph as one; no space where Han characters meet over the break. */
function join(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).reduce((text, line) => (text === "" || /[\u3000-\u9fff\uff00-\uffef]$/u.test(text) || /^[\u3000-\u9fff\uff00-\uffef]/u.test(line) ? text + line : `${text} ${line}`), "");
}

function readTable(lines: readonly string[]): HelpBlock {
  const cells = (line: string): string[] => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim());
  const [head = "", rule = "", ...rows] = lines;
  return { kind: "table", head: cells(head).map(readInline), rows: rows.map((line) => cells(line).map(readInline)), isNumber: cells(rule).map((cell) => cell.endsWith(":")) };
}
