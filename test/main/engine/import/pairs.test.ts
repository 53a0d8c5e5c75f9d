import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImportOutcome } from "../../../../shared/contract/methods.ts";
import type { Result } from "../../../../shared/result.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { fixtures } from "./read-bill.ts";

const project = join(import.meta.dirname, "../../../..");
let folder = "";
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-pairs-"));
  engine = createEngine({
    ledgerPath: null,
    userDataFolder: join(folder, "data"),
    resourcesFolder: join(project, "resources"),
    jobRunner: "inline",
    readerFile: new URL(`file://${join(project, "main/engine/import/reader.ts")}`),
    emit: () => undefined,
  });
  must(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

async function post(name: string): Promise<ImportOutcome> {
  const path = join(folder, name.replace("/", "-"));
  copyFileSync(join(fixtures, name), path);
  const { plan } = must(await engine.ask("import.preview", { files: [path], options: {} }));
  return must(await engine.ask("import.post", { plan }));
}

async function totals(): Promise<unknown> {
  return must(await engine.ask("totals.read", { period: null, by: ["month"] })).rows.map(({ month, currency, BilledCost, EffectiveCost }) => [month, currency, BilledCost, EffectiveCost]);
}

describe("actual and amortized exports of one month", () => {
  const pair = ["azure/enterprise-actual.csv", "azure/enterprise-amortized.csv"];
  it.each([pair, [...pair].reverse(), [...pair, ...pair]])("add up to both ledgers once, in whatever order they come", async (...names) => {
    for (const name of names) await post(name);
    // 2363.8700564902 without a commitment; 30000 for the reservation's month; 833.333333333333 + 166.666666666667 + 11 of what commitments cover or leave unused.
    expect(await totals()).toEqual([["2026-09", "EUR", "32363.8700564902", "3374.8700564902"]]);
  });

  it("can each be undone", async () => {
    await post(pair[0] as string);
    const { files } = await post(pair[1] as string);
    must(await engine.ask("batches.undo", { batch: files[0]?.batch ?? 0 }));
    expect(await totals()).toEqual([["2026-09", "EUR", "32363.8700564902", "2363.8700564902"]]);
  });
});

describe("formats beside each other", () => {
  it("post what their files state", async () => {
    for (const name of ["gcp/detailed-json-lines.jsonl", "oci/gpu-shapes.csv", "focus/usage-only-array.json", "focus/lite-four-columns.csv", "azure/usage-localized.csv"]) await post(name);
    expect(await totals()).toEqual(expect.arrayContaining([
      ["2026-09", "EUR", "95.904", "95.904"],
      ["2026-09", "USD", "120.510000000006266091", "120.510000000006266091"],
      ["2026-09", "XXX", "12.25", null],
    ]));
  });
});
