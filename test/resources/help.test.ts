import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../main/cli/arguments.ts";
import { billingFormats, telemetryFormats } from "../../main/engine/formats/index.ts";
import { methods } from "../../main/engine/reports/explain.ts";
import { helpPages } from "../../shared/contract/help.ts";
import { reportIds } from "../../shared/contract/report.ts";
import { catalogs, languages, type Language } from "../../shared/i18n/index.ts";
import { readMarkdown, type HelpBlock, type Inline } from "../../renderer/help/markdown.ts";
import { workedResults } from "./help-worked.ts";

const folder = join(import.meta.dirname, "../../resources/help");
const textOf = (language: Language, page: string): string => readFileSync(join(folder, language, `${page}.md`), "utf8");
const blocksOf = (language: Language, page: string): readonly HelpBlock[] => readMarkdown(textOf(language, page));
const headingsOf = (language: Language, page: string) => blocksOf(language, page).filter((block) => block.kind === "heading");
const idsOf = (language: Language, page: string): readonly (string | null)[] => headingsOf(language, page).map(({ id }) => id);
const everyPage = languages.flatMap((language) => helpPages.map((page) => ({ language, page })));

describe("the help", () => {
  it.each(languages)("has a file for every page and no other in %s", (language) => {
    expect(readdirSync(join(folder, language)).sort()).toEqual(helpPages.map((page) => `${page}.md`).sort());
  });

  it.each(helpPages)("has the same headings on %s in both languages", (page) => {
    const shape = (language: Language) => headingsOf(language, page).map(({ level, id }) => ({ level, id }));
    expect(shape("zh-CN")).toEqual(shape("en"));
    expect(headingsOf("en", page).filter(({ level }) => level === 1)).toHaveLength(1);
    expect(headingsOf("en", page).filter(({ level, id }) => level === 2 && id === null)).toEqual([]);
  });

  it.each(helpPages)("has the same tables, lists and code on %s in both languages", (page) => {
    const shape = (language: Language) =>
      blocksOf(language, page).map((block) => (block.kind === "table" ? `table ${block.rows.map((cells) => cells.length).join()}` : block.kind === "list" ? `list ${block.items.length}` : block.kind));
    expect(shape("zh-CN")).toEqual(shape("en"));
  });

  it.each(everyPage)("leads only to pages and sections that are there: $language/$page", ({ language, page }) => {
    const dead = piecesOf(blocksOf(language, page)).flatMap((piece) => {
      if (piece.kind !== "link") return [];
      const to = piece.page ?? page;
      const isThere = (helpPages as readonly string[]).includes(to) && (piece.section === null || idsOf(language, to).includes(piece.section));
      return isThere ? [] : [`${to}#${piece.section}`];
    });
    expect(dead).toEqual([]);
    expect(piecesOf(blocksOf(language, page)).filter((piece) => piece.kind === "text" && /\]\(/.test(piece.text))).toEqual([]);
  });

  it.each(languages)("has a section of the method for every metric in %s", (language) => {
    const sections = idsOf(language, "method");
    expect(Object.entries(methods).filter(([, section]) => !sections.includes(section))).toEqual([]);
  });

  it.each(languages)("prints results that the product's own functions give in %s", (language) => {
    expect(Object.fromEntries(Object.keys(workedResults()).map((place) => [place, resultsAt(language, place)]))).toEqual(workedResults());
  });

  it.each(languages)("has no result in bold that is not recomputed in %s", (language) => {
    const places = ["method", "claims", "calculators", "carbon", "money", "months-and-time"].flatMap((page) => idsOf(language, page).flatMap((id) => (id === null ? [] : [`${page}#${id}`])));
    expect(places.filter((place) => resultsAt(language, place).length > 0 && workedResults()[place] === undefined)).toEqual([]);
  });

  it.each(languages)("names every format that is read in %s", (language) => {
    const page = textOf(language, "import");
    const names = [...billingFormats, ...telemetryFormats].map(({ id }) => catalogs[language][`format.${id}`] ?? id);
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  });

  it.each(languages)("names repairs and corrections as the product does in %s", (language) => {
    const named = [...textOf(language, "import").matchAll(/^\| (`[a-z-]+`.*?) \|/gm)].flatMap(([, cell = ""]) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => catalogs[language][`imports.repair.${name}`] === undefined)).toEqual([]);
  });

  it.each(everyPage)("gives commands that the terminal understands: $language/$page", ({ language, page }) => {
    const commands = commandsIn(piecesOf(blocksOf(language, page)).flatMap((piece) => (piece.kind === "code" ? [piece.text] : [])).join("\n"))
      .concat(commandsIn(blocksOf(language, page).flatMap((block) => (block.kind === "code" ? [block.text] : [])).join("\n")));
    expect(commands.filter((words) => !parseCommandLine(words).ok)).toEqual([]);
  });

  it.each(languages)("lists every command and option of the terminal's own help in %s", (language) => {
    const own = catalogs[language]["terminal.help"] ?? "";
    const page = textOf(language, "terminal");
    const commands = [...own.matchAll(/^ {2}([a-z]+)/gm)].map(([, command = ""]) => command).filter((command) => parseCommandLine([command]).ok);
    const options = [...own.matchAll(/--[a-z]+/g)].map(([option]) => option);
    expect(commands.length).toBeGreaterThan(7);
    expect([...commands.map((command) => `gpu-ledger ${command}`), ...options].filter((each) => !page.includes(each))).toEqual([]);
  });

  it.each(everyPage)("is calm: no exclamation mark, no HTML: $language/$page", ({ language, page }) => {
    expect(/[!！]|<[a-z]/i.exec(textOf(language, page))).toBeNull();
  });

  it.each(helpPages)("has full-width punctuation between Han characters on %s", (page) => {
    const plain = textOf("zh-CN", page).replace(/```[\s\S]*?```|`[^`]*`/g, "");
    expect([...plain.matchAll(/[\u4e00-\u9fff][,;:?()][^\n]{0,6}|[,;:?][\u4e00-\u9fff]/g)].map(([found]) => found)).toEqual([]);
    expect([...plain.matchAll(/\d+ 年|\d+ 月/g)].map(([found]) => found)).toEqual([]);
  });
});

describe.each(languages)("what to do about an error, in %s", (language) => {
  const todos = Object.entries(catalogs[language]).filter(([key]) => /^error\..+\.todo$/.test(key));

  it("names commands and options that there are", () => {
    const untrue = todos.flatMap(([key, text]) => [
      ...commandsIn(text).filter((words) => !parseCommandLine(words).ok).map((words) => `${key}: ${words.join(" ")}`),
      ...[...text.matchAll(/--[a-z]+/g)].filter(([option]) => ![["import", "PATH"], ["pull", "aws"]].some((command) => parseCommandLine([...command, option, "x"]).ok)).map(([option]) => `${key}: ${option}`),
    ]);
    expect(untrue).toEqual([]);
  });

  it("names reports that there are", () => {
    const text = catalogs[language]["error.report.unknown.todo"] ?? "";
    expect(reportIds.filter((id) => !text.includes(id))).toEqual([]);
  });

  it("names periods that are understood", () => {
    const text = catalogs[language]["error.period.invalid.todo"] ?? "";
    for (const period of text.match(/\d{4}(?:-\w+)?/g) ?? []) expect(parseCommandLine(["report", "review", "--period", period]).ok).toBe(true);
    expect(text.match(/\d{4}(?:-\w+)?/g)).toEqual(["2026-09", "2026-Q3", "2026"]);
  });
});

/** Command lines in a text, as the words after the program's name. */
function commandsIn(text: string): string[][] {
  return [...text.matchAll(/(?:gpu-ledger|npm run -s cli --) ([a-z][^“”`|\n]*)/g)].map(([, rest = ""]) => rest.trim().replaceAll("…", "").split(/\s+/));
}

/** Texts in bold under a heading of the second level, without spaces. */
function resultsAt(language: Language, place: string): string[] {
  const [page = "", section = ""] = place.split("#");
  const blocks = blocksOf(language, page);
  const start = blocks.findIndex((block) => block.kind === "heading" && block.id === section);
  if (start < 0) return [];
  const length = blocks.slice(start + 1).findIndex((block) => block.kind === "heading" && block.level <= 2);
  const own = blocks.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return piecesOf(own).flatMap((piece) => (piece.kind === "strong" ? [piece.text.replace(/\s/g, "")] : []));
}

function piecesOf(blocks: readonly HelpBlock[]): readonly Inline[] {
  return blocks.flatMap((block) => {
    if (block.kind === "code") return [];
    if (block.kind === "list") return block.items.flat();
    if (block.kind === "table") return [...block.head.flat(), ...block.rows.flat(2)];
    return block.content;
  });
}
