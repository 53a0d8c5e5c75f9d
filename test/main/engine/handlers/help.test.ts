import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { helpPages } from "../../../../shared/contract/help.ts";

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-help-"));
const engineOver = (resourcesFolder: string): Engine => createEngine({ ledgerPath: null, userDataFolder: folder, resourcesFolder, jobRunner: "inline", emit: () => undefined });
let engine: Engine;
beforeAll(() => {
  engine = engineOver(join(import.meta.dirname, "../../../../resources"));
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

describe("the help's questions", () => {
  it("lists every page with its sections, without a ledger", async () => {
    const list = await engine.ask("help.list", { language: "en" });
    if (!list.ok) throw new Error(list.error.code);
    expect(list.value.map(({ page }) => page)).toEqual(helpPages);
    expect(list.value.find(({ page }) => page === "method")?.sections).toContainEqual({ id: "four-ways", title: "Where GPU money goes: the four ways" });
  });

  it("gives a page in the language asked for", async () => {
    const read = await engine.ask("help.read", { page: "privacy", language: "zh-CN" });
    if (!read.ok) throw new Error(read.error.code);
    expect(read.value.page).toBe("privacy");
    expect(read.value.text).toMatch(/^# 隐私\n/);
  });

  it("refuses a page that is none, and says which file is missing where one is", async () => {
    expect(await engine.ask("help.read", { page: "../../package" as never, language: "en" })).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
    const bare = engineOver(folder);
    expect(await bare.ask("help.read", { page: "start", language: "en" })).toEqual({ ok: false, error: { code: "reference.missing", params: { file: "help/en/start.md" } } });
    await bare.close();
  });
});
