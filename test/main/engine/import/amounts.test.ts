/** Amounts at the edge of 64 bits of nanos (9.2 billion units): exact, or refused in words; never a fault. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerOf, errorOf, makeWorld, type World } from "../../../errors/world.ts";
import { focusBill, type BillRow } from "./bills-of.ts";

let folder: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "amounts-"));
  world = await makeWorld(folder);
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const dong = (rows: readonly BillRow[]): string => focusBill(rows.map((row) => ({ currency: "VND", resource: "gpu-1", ...row })));
const totals = async () => answerOf(await world.engine.ask("totals.read", { period: null, by: ["month"] })).rows;

async function posted(name: string, bill: string) {
  const { plan } = answerOf(await world.engine.ask("import.preview", { files: [world.file(name, bill)], options: {} }));
  return world.engine.ask("import.post", { plan });
}

describe("sums beyond 64 bits", () => {
  it("adds lines that fit one by one beyond 64 bits, exactly", async () => {
    await world.post(world.file("a.csv", dong([{ day: "2026-09-01", cost: "9000000000.000000001" }, { day: "2026-09-01", cost: "9000000000.000000002", resource: "gpu-2" }])));
    expect((await totals()).map(({ BilledCost }) => BilledCost)).toEqual(["18000000000.000000003"]);
  });

  it("takes a month whose days go beyond and come back", async () => {
    await world.post(world.file("a.csv", dong([{ day: "2026-09-01", cost: "9000000000" }, { day: "2026-09-02", cost: "9000000000" }, { day: "2026-09-03", cost: "-9000000000" }])));
    expect((await totals()).map(({ BilledCost }) => BilledCost)).toEqual(["9000000000"]);
  });

  it("refuses a line whose month does not fit, names it, and leaves the ledger as it was", async () => {
    await world.post(world.file("before.csv", dong([{ day: "2026-08-01", cost: "1" }])));
    const error = errorOf(await posted("a.csv", dong([{ day: "2026-09-01", cost: "-9000000000" }, { day: "2026-09-02", cost: "-9000000000" }])));
    expect(error).toEqual({ code: "ledger.amount-range", params: { line: "2026-09, gpu-1, VND" } });
    expect((await totals()).map(({ month, BilledCost }) => [month, BilledCost])).toEqual([["2026-08", "1"]]);
    expect(await posted("b.csv", dong([{ day: "2026-09-01", cost: "2" }]))).toMatchObject({ ok: true });
  });

  it("refuses a cell of two parts of one delivery that does not fit", async () => {
    const files = [1, 2].map((part) => world.file(`part_0_000${part}.csv`, dong([{ day: "2026-09-01", cost: "9000000000" }])));
    const { files: previews } = answerOf(await world.engine.ask("import.preview", { files, options: {} }));
    expect(previews.map(({ state, error }) => [state, error?.code])).toEqual([["refused", "import.value-invalid"], ["refused", "import.value-invalid"]]);
  });

  it("refuses a day of a GPU that two billing months carry beyond 64 bits", async () => {
    const gpu = { cost: "9000000000", resource: "i-1", description: "p5.48xlarge", day: "2026-09-30" };
    const bill = (month: string): string => focusBill([{ ...gpu, month, currency: "VND" }]).replace(/ServiceName/, "x_InstanceType").replace(/,Compute,/, ",p5.48xlarge,");
    expect(await posted("september.csv", bill("2026-09"))).toMatchObject({ ok: true });
    expect(errorOf(await posted("october.csv", bill("2026-10"))).code).toBe("ledger.amount-range");
  });
});

describe("totals", () => {
  it("say beside each cost which share of the rows state it", async () => {
    const bill = focusBill([{ day: "2026-09-01", cost: "1" }, { day: "2026-09-01", cost: "2" }, { day: "2026-09-02", cost: "3" }, { day: "2026-09-03", cost: "4" }]);
    const [head = "", ...lines] = bill.trim().split("\n");
    const list = head.split(",").indexOf("ListCost");
    const without = lines.map((line, at) => (at === 3 ? line.split(",").map((cell, index) => (index === list ? "" : cell)).join(",") : line));
    await world.post(world.file("a.csv", [head, ...without].join("\n")));
    expect((await totals()).map(({ ListCost, coverage }) => [ListCost, coverage])).toEqual([["6", { BilledCost: 1, EffectiveCost: 1, ListCost: 0.75, ContractedCost: 1 }]]);
  });
});
