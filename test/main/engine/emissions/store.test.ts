import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import type { MethodOutput } from "../../../../shared/contract/methods.ts";
import { answerOf } from "../../../errors/world.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");
let folder = "";
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-emissions-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: folder, resourcesFolder, jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-11-01T00:00:00Z") });
  answerOf(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A Google report: kilograms by month. */
async function kept(name: string, kilograms: Readonly<Record<string, string>>, payer = "A"): Promise<MethodOutput<"provider-emissions.import">> {
  const file = join(folder, name);
  writeFileSync(file, `usage_month,billing_account_id,carbon_footprint_total_kgCO2e.location_based\n${Object.entries(kilograms).map(([month, value]) => `${month}-01,${payer},${value}\n`).join("")}`);
  return answerOf(await engine.ask("provider-emissions.import", { file, sha256: null, by: "Wei" }));
}
const shown = async (): Promise<readonly [number, boolean][]> => answerOf(await engine.ask("provider-emissions.list", {})).reports.map(({ report, isShown }) => [report, isShown] as const);
const september = async (name: string, kilograms: string): Promise<bigint | null | undefined> => {
  const file = join(folder, name);
  writeFileSync(file, `usage_month,billing_account_id,carbon_footprint_total_kgCO2e.location_based\n2026-09-01,A,${kilograms}\n`);
  return answerOf(await engine.ask("provider-emissions.preview", { file })).months[0]?.was?.locationMicrograms;
};

describe("providers' emissions reports in the ledger", () => {
  it("are replaced month by month, never appended", async () => {
    await kept("first.csv", { "2026-08": "5", "2026-09": "7" });
    await kept("second.csv", { "2026-09": "8" });
    expect(await september("look.csv", "9")).toBe(8_000_000_000n);
    expect(await shown()).toEqual([[2, true], [1, true]]);
    await kept("third.csv", { "2026-08": "5", "2026-09": "9" });
    expect(await shown()).toEqual([[3, true], [2, false], [1, false]]);
  });

  it("show what was before when the newer one is taken back, and again when it is put back", async () => {
    await kept("first.csv", { "2026-09": "7" });
    const { report } = await kept("second.csv", { "2026-09": "8" });
    answerOf(await engine.ask("provider-emissions.undo", { report, by: null }));
    expect(await september("look.csv", "9")).toBe(7_000_000_000n);
    answerOf(await engine.ask("provider-emissions.redo", { report, by: null }));
    expect(await september("look.csv", "9")).toBe(8_000_000_000n);
  });

  it("of two billing accounts add up; the same file twice changes nothing", async () => {
    await kept("a.csv", { "2026-09": "7" });
    await kept("b.csv", { "2026-09": "5" }, "B");
    expect(await september("look.csv", "9")).toBe(12_000_000_000n);
    const again = await kept("a.csv", { "2026-09": "7" });
    expect(again.sameAs).toBe(1);
    expect(await shown()).toHaveLength(2);
  });

  it("are refused when the file has changed since its preview", async () => {
    const file = join(folder, "report.csv");
    writeFileSync(file, "usage_month,billing_account_id,carbon_footprint_total_kgCO2e.location_based\n2026-09-01,A,1\n");
    const { sha256 } = answerOf(await engine.ask("provider-emissions.preview", { file }));
    writeFileSync(file, "usage_month,billing_account_id,carbon_footprint_total_kgCO2e.location_based\n2026-09-01,A,2\n");
    expect(await engine.ask("provider-emissions.import", { file, sha256, by: null })).toMatchObject({ ok: false, error: { code: "import.changed" } });
  });

  it("are in nobody's bill", async () => {
    await kept("first.csv", { "2026-09": "7" });
    expect(answerOf(await engine.ask("ledger.status", {}))).toMatchObject({ months: [], isEmpty: true });
    expect(answerOf(await engine.ask("batches.list", {}))).toEqual([]);
  });
});
