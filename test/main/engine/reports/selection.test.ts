import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wordsOf } from "../../../../main/cli/words.ts";
import { printerOf } from "../../../../main/engine/print/index.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { selectionSteps, type SelectionStep, type VendorSelectionInput } from "../../../../shared/contract/calculators.ts";
import type { ReportDocument } from "../../../../shared/contract/report.ts";
import { languages } from "../../../../shared/i18n/index.ts";

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-selection-"));
let engine: Engine;
beforeAll(async () => {
  engine = createEngine({ ledgerPath: null, userDataFolder: folder, resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined });
  await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const each = <T>(of: (step: SelectionStep, index: number) => T): Record<SelectionStep, T> => Object.fromEntries(selectionSteps.map((step, index) => [step, of(step, index)])) as Record<SelectionStep, T>;
const vendor = (name: string, scores: readonly string[]) => ({
  name,
  steps: each((step, index) => ({ score: scores[index] ?? null, evidence: step === "benchmark" ? "=2+3 runs of our own job" : "", source: "bench.csv", foundOn: "2026-09-20" })),
  quotes: [{ item: "H100 an hour", list: "4", quoted: "3", validUntil: "2026-12-31" }],
});
const selection: VendorSelectionInput = {
  id: null, name: "GPU clouds", currency: "USD", workload: "serving", weights: each((_step, index) => ["35", "20", "15", "15", "15"][index] ?? "0"), minimums: each(() => null),
  vendors: [vendor("alpha", ["8", "7", "9", "6", "8"]), vendor("beta", ["9", "7", "6", "7"])],
  pilot: { vendor: "alpha", firstDay: "2026-09-01", lastDay: "2026-09-30", provider: null, gpuModel: null, team: null, plannedGpuHours: "100", plannedCost: "400", plannedUse: "0.6" },
  decision: { vendor: null, reason: "", by: "" },
};
const read = async (name?: string): Promise<ReportDocument> => {
  const answer = await engine.ask("report.read", { report: "selection", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null, ...(name === undefined ? {} : { selection: name }) });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
};

describe("the decision report", () => {
  it("says that there is none, before there is one", async () => {
    const document = await read();
    expect(document.answer.key).toBe("selection.answer.none");
    expect(document.blocks).toEqual([]);
  });

  it("keeps inputs, not results, and prints them in every language", async () => {
    const saved = await engine.ask("selection.save", { selection, by: "Ana" });
    expect(saved).toMatchObject({ ok: true, value: { id: 1 } });
    const document = await read("GPU clouds");
    expect(document.answer.key).toBe("selection.answer.leads");
    expect(document.blocks.map(({ id }) => id)).toEqual(["scorecard", "weights", "evidence", "quotes", "pilot", "decision"]);
    for (const language of languages) {
      const words = await wordsOf(language);
      await expect(String(await printerOf("text")?.print(document, words))).toMatchFileSnapshot(`../../../golden/selection.${language}.txt`);
      for (const as of ["text", "csv", "md", "html", "json"]) {
        const printed = await printerOf(as)?.print(document, words);
        const text = typeof printed === "string" ? printed : new TextDecoder().decode(printed);
        expect([as, /alpha/.test(text), /\{\{|undefined|NaN|\bselection\.(step|state|answer)/.test(as === "json" ? "" : text)]).toEqual([as, true, false]);
        // Evidence that a person typed never becomes a formula of a spreadsheet.
        if (as === "csv") expect(text).not.toMatch(/(^|,)"?=2\+3/m);
      }
    }
  });

  it("names the leader and the weight that would turn it once both are scored in full, and then the decision", async () => {
    const full = { ...selection, id: 1, vendors: [vendor("alpha", ["8", "7", "9", "6", "8"]), vendor("beta", ["9", "7", "6", "7", "6"])] };
    await engine.ask("selection.save", { selection: full, by: "Ana" });
    expect((await read()).answer).toMatchObject({ key: expect.stringMatching(/^selection\.answer\.leads-until-/) as string, params: { vendor: { text: "alpha" } } });
    await engine.ask("selection.save", { selection: { ...full, decision: { vendor: "beta", reason: "region", by: "Ana" } }, by: "Ana" });
    expect((await read()).answer).toMatchObject({ key: "selection.answer.decided-other", params: { vendor: { text: "alpha" }, chosen: { text: "beta" } } });
  });

  it("is removed with a trace of who did it", async () => {
    await engine.ask("selection.remove", { id: 1, by: "Ana" });
    expect(await engine.ask("selections.list", {})).toEqual({ ok: true, value: { selections: [] } });
    const changes = await engine.ask("changes.list", { area: "selection", offset: 0, limit: 10 });
    expect(changes).toMatchObject({ ok: true, value: { total: 4 } });
  });

  it.each([["two of a name", { vendors: [vendor("a", []), vendor("a", [])] }], ["no weight at all", { weights: each(() => "0") }], ["a score of 11", { vendors: [vendor("a", ["11"])] }], ["a pilot that ends before it begins", { pilot: { ...selection.pilot, firstDay: "2026-10-01" } }]])("refuses %s", async (_what, change) => {
    expect(await engine.ask("selection.save", { selection: { ...selection, ...change }, by: null } as never)).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
  });
});
