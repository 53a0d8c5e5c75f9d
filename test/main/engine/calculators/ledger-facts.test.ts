import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import type { CalculatorAnswer, SelectionOutcome, VendorSelectionInput } from "../../../../shared/contract/calculators.ts";
import type { Result } from "../../../../shared/result.ts";
import { focusBill, smiLog } from "../import/bills-of.ts";

/** A machine billed for two days, and one of its GPUs logged from midnight to 9:50: five hours idle, then at 80 %. */
const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-facts-"));
let engine: Engine;
beforeAll(async () => {
  mkdirSync(join(folder, "data"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined });
  valueOf(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
  const hours = ["2026-09-01", "2026-09-02"].flatMap((day) => Array.from({ length: 24 }, (_, hour) => ({ day, hour, cost: "98.32", resource: "i-0123456789abcdef0", description: "p5.48xlarge instance hours" })));
  await post("bill.csv", focusBill(hours));
  await post("i-0123456789abcdef0.csv", smiLog("2026-09-01", Array.from({ length: 590 }, (_, minute) => (minute < 300 ? 0 : 80))));
}, 60_000);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
async function post(name: string, text: string): Promise<void> {
  writeFileSync(join(folder, name), text);
  const { plan } = valueOf(await engine.ask("import.preview", { files: [join(folder, name)], options: { timezone: "UTC" } }));
  valueOf(await engine.ask("import.post", { plan }));
}
const run = async (calculator: "batch" | "granularity", inputs: Readonly<Record<string, string>>, month: string | null = null): Promise<CalculatorAnswer> => valueOf(await engine.ask("calculator.run", { calculator, inputs, currency: null, month, log: null }));
const shown = ({ lines }: CalculatorAnswer, id: string) => {
  const value = lines.find((line) => line.id === id)?.shown ?? null;
  return value !== null && "value" in value ? Number(value.value) : null;
};

describe("what the ledger knows for a calculator", () => {
  it("offers the models that telemetry has seen, and its newest month", async () => {
    expect(valueOf(await engine.ask("calculator.facts", { month: null }))).toMatchObject({ currency: "USD", month: "2026-09", models: ["H100"] });
  });

  it("replays the busy time of each GPU: seconds, started hours, the month", async () => {
    const answer = await run("granularity", { "gpu-model": "H100", "second-price": "4", "hour-price": "3", "month-price": "1440" });
    expect(answer.month).toBe("2026-09");
    const busy = 290 / 60;
    expect(shown(answer, "busy-hours")).toBeCloseTo(busy, 1);
    const hours = answer.table?.rows.map(({ cells: [, billed] }) => (billed !== null && billed !== undefined && "value" in billed ? Number(billed.value) : null));
    expect(hours).toEqual([expect.closeTo(busy, 1), 5, 720]);
  });

  it("shows the fullest that memory was, and nothing for a month or model without telemetry", async () => {
    const inputs = { "gpu-memory": "80", "gpu-model": "H100" };
    expect(shown(await run("batch", inputs), "memory-peak")).toBeGreaterThan(0);
    for (const answer of [await run("batch", inputs, "2026-08"), await run("batch", { ...inputs, "gpu-model": "MI300X" })]) {
      expect(answer.lines.find(({ id }) => id === "memory-peak")).toMatchObject({ shown: null, why: "no-telemetry" });
    }
    expect((await run("granularity", { "gpu-model": "MI300X" })).table).toBeNull();
  });
});

describe("a pilot against the bill", () => {
  const steps = { score: null, evidence: "", source: "", foundOn: null };
  const each = <T>(value: T) => ({ benchmark: value, elasticity: value, ecosystem: value, support: value, pilot: value });
  const outcome = async (change: Partial<NonNullable<VendorSelectionInput["pilot"]>>): Promise<SelectionOutcome["pilot"]> => {
    const selection: VendorSelectionInput = {
      id: null, name: JSON.stringify(change), currency: "USD", workload: "", weights: each("1"), minimums: each(null), vendors: [{ name: "alpha", steps: each(steps), quotes: [] }], decision: { vendor: null, reason: "", by: "" },
      pilot: { vendor: "alpha", firstDay: "2026-08-30", lastDay: "2026-09-02", provider: null, gpuModel: null, team: null, plannedGpuHours: "300", plannedCost: "3000", plannedUse: "0.5", ...change },
    };
    const { id } = valueOf(await engine.ask("selection.save", { selection, by: "Ana" }));
    return valueOf(await engine.ask("selection.read", { id })).pilot;
  };

  it("adds up what was billed in its days, across the end of a month", async () => {
    // 8 GPUs for 48 hours at 98.32.
    expect(await outcome({})).toMatchObject({ days: 4, daysBilled: 2, gpuHours: "384", cost: "4719.36", price: "12.29", plannedPrice: "10", coverage: expect.closeTo(9.83 / 384, 3) as number, use: expect.stringMatching(/^0\.39/) as string });
  });

  it("narrows to the pilot's provider and GPU model, and says nothing where there is none of it", async () => {
    expect(await outcome({ gpuModel: "H100" })).toMatchObject({ gpuHours: "384" });
    expect(await outcome({ gpuModel: "A100" })).toMatchObject({ gpuHours: null, cost: null, price: null, use: null, coverage: 0 });
    expect(await outcome({ provider: "Nobody" })).toMatchObject({ daysBilled: 0, gpuHours: null });
  });
});
