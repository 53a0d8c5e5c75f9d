import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wordsOf } from "../../main/cli/words.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { catalogs, languages } from "../../shared/i18n/index.ts";
import { makeWorld, type Cause } from "./world.ts";

/**
 * Every code of shared/contract/errors.ts has a folder here, named as the code: `cause.ts` makes the error happen, through the
 * engine or the terminal; or, where no file and no call can make it happen on every machine, `cause.md` says how it comes about
 * and gives its facts as JSON. `expected.txt` is what the person reads, in every language.
 */
const codes = Object.keys(catalogs.en).flatMap((key) => /^error\.([a-z-]+\.[a-z-]+)\.what$/.exec(key)?.[1] ?? []);
const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);

it("has a folder for every error code, and none for a code that is gone", () => {
  expect(folders.sort()).toEqual([...codes].sort());
});

it("names every code of the contract in the catalogs, and no other", () => {
  const contract = readFileSync(join(import.meta.dirname, "../../shared/contract/errors.ts"), "utf8");
  const named = [...contract.matchAll(/^ {2}"([a-z-]+\.[a-z-]+)": /gm)].map((match) => match[1]);
  expect(named.sort()).toEqual([...codes].sort());
});

describe.each(codes.filter((code) => folders.includes(code)))("%s", (code) => {
  const folder = join(import.meta.dirname, code);

  it("is caused, and says what happened and what to do", async () => {
    const error = await caused(folder);
    expect(error.code).toBe(code);
    const text = [`${error.code} ${JSON.stringify(error.params)}`];
    for (const language of languages) {
      const { what, todo } = (await wordsOf(language)).error(error);
      expect([what, todo].filter((words) => words.trim() === "" || /\{\{|undefined|\bNaN\b|^error\./.test(words))).toEqual([]);
      text.push("", language, what, todo);
    }
    await expect(`${text.join("\n")}\n`).toMatchFileSnapshot(join(folder, "expected.txt"));
  });
});

async function caused(folder: string): Promise<LedgerError> {
  if (!existsSync(join(folder, "cause.ts"))) {
    const [, facts = ""] = /```json\n([\s\S]*?)```/.exec(readFileSync(join(folder, "cause.md"), "utf8")) ?? [];
    return JSON.parse(facts) as LedgerError;
  }
  const { default: cause } = (await import(/* @vite-ignore */ join(folder, "cause.ts"))) as { readonly default: Cause };
  const place = mkdtempSync(join(tmpdir(), "gpu-ledger-error-"));
  const world = await makeWorld(place);
  try {
    return await cause(world);
  } finally {
    await world.close();
    rmSync(place, { recursive: true, force: true });
  }
}
