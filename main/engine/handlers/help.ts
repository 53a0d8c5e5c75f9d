import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { helpHeadingOf, helpPages, type HelpEntry, type HelpPageId } from "../../../shared/contract/help.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import type { HandlersOf } from "./index.ts";

/** The help needs no ledger: it is there before the first one is opened. */
export const helpHandlers: HandlersOf<"help.list" | "help.read"> = {
  "help.list"(context, { language }) {
    const entries: HelpEntry[] = [];
    for (const page of helpPages) {
      const read = readPage(context, page, language);
      if (!read.ok) return read;
      const headings = read.value.split("\n").map(helpHeadingOf).filter((heading) => heading !== null);
      entries.push({
        page,
        title: headings.find(({ level }) => level === 1)?.text ?? page,
        sections: headings.flatMap(({ level, id, text }) => (level === 2 && id !== null ? [{ id, title: text }] : [])),
      });
    }
    return ok(entries);
  },

  "help.read"(context, { page, language }) {
    const read = readPage(context, page, language);
    return read.ok ? ok({ page, text: read.value }) : read;
  },
};

function readPage({ options }: EngineContext, page: HelpPageId, language: "en" | "zh-CN"): Result<string> {
  const file = `help/${language}/${page}.md`;
  try {
    return ok(readFileSync(join(options.resourcesFolder, file), "utf8"));
  } catch {
    return err(ledgerError("reference.missing", { file }));
  }
}
