import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../../../main/cli/index.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import type { MethodInput, MethodOutput } from "../../../../shared/contract/methods.ts";
import type { MethodName } from "../../../../shared/contract/names.ts";
import { defaultNeed, type Need } from "../../../../shared/contract/offers.ts";

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-offers-"));
const ledger = join(folder, "mine.gpuledger");
const fixtures = join(import.meta.dirname, "../../../fixtures");
let engine: Engine;
const ask = async <N extends MethodName>(name: N, input: MethodInput<N>): Promise<MethodOutput<N>> => {
  const result = await engine.ask(name, input);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const find = (change: Partial<Need> = {}) => ask("offers.find", { need: { ...defaultNeed, ...change }, tiers: ["50000"], limit: 500, rejectedLimit: 5000 });
const list = (text: string) => ask("prices.list", { text, provider: null, mode: null, origin: null, on: null, offset: 0, limit: 100 });

beforeAll(async () => {
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-12-01T12:00:00Z") });
  await ask("ledger.open", { file: ledger, create: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the price book of a ledger", () => {
  it("looks first, then takes a sheet in; the same sheet again replaces itself; it can be taken out", async () => {
    const file = join(fixtures, "prices/aws-offer.csv");
    const before = await list("aws p5.48xlarge us-east-1");
    expect(before.prices).toMatchObject([{ origin: "list", effectivePerHour: "55.04" }]);
    expect(await ask("prices.import", { file, isPreview: true, by: null })).toMatchObject({ sheet: null, prices: 2, added: 1, cheaper: 1, dearer: 0, same: 0 });
    expect((await list("aws p5.48xlarge us-east-1")).prices).toEqual(before.prices);
    const { sheet } = await ask("prices.import", { file, isPreview: false, by: "Ana" });
    const after = await list("aws p5.48xlarge us-east-1");
    expect(after.prices).toMatchObject([{ mode: "commit-3y", payment: "partial", effectivePerHour: "22.5" }, { mode: "on-demand", origin: "sheet", effectivePerHour: "50", ageDays: 30, beaten: [{ origin: "list", pricePerHour: "55.04" }] }]);
    expect(after.sheets).toMatchObject([{ file: "aws-offer.csv", importedBy: "Ana", prices: 2, rowsRead: 5, rowsSkipped: 2 }]);
    await ask("prices.import", { file, isPreview: false, by: null });
    expect((await list("")).sheets).toHaveLength(1);
    await ask("prices.remove-sheet", { id: (await list("")).sheets[0]?.id ?? sheet ?? 0, by: null });
    expect((await list("aws p5.48xlarge us-east-1")).prices).toEqual(before.prices);
  });

  it("converts a price in another currency by the rate of its day, and says so; without one it is left out with the reason", async () => {
    const own = { id: null, provider: "own", instanceType: "box-8", region: "*", mode: "on-demand", payment: null, currency: "EUR", pricePerHour: "20", upfront: "0", acceleratorId: "nvidia-h100-sxm5-80gb", acceleratorCount: 8, priceDate: "2026-11-10", note: "letter" } as const;
    const { id } = await ask("price.save", { price: own, by: null });
    const line = async () => (await find({ providers: ["own"] })).ranked.find(({ instanceType }) => instanceType === "box-8");
    expect((await find({ providers: ["own"] })).reasons).toEqual({ currency: 1 });
    // Eight days before the price a rate holds no more; seven days before it does.
    await ask("rate.save", { base: "EUR", quote: "USD", day: "2026-11-02", rate: "2", source: "ECB", by: null });
    expect(await line()).toBeUndefined();
    await ask("rate.save", { base: "EUR", quote: "USD", day: "2026-11-03", rate: "1.25", source: "ECB", by: null });
    expect(await line()).toMatchObject({ currency: "USD", pricePerHour: "25", stated: { currency: "EUR", pricePerHour: "20", rate: "1.25", rateDay: "2026-11-03", rateSource: "ECB" } });
    // Two machines together, as stated too.
    expect((await find({ providers: ["own"], gpus: 16 })).ranked[0]).toMatchObject({ pricePerHour: "50", stated: { pricePerHour: "40" } });
    // A need in euros takes the price as it is.
    expect((await find({ providers: ["own"], currency: "EUR" })).ranked[0]).toMatchObject({ pricePerHour: "20", stated: null });
    await ask("price.remove", { id, by: null });
  });

  it("lets a discount and an own price win, and writes both into the log of changes", async () => {
    const { id } = await ask("discount.save", { discount: { id: null, name: "Framework", provider: "AWS", instanceType: "p5", region: null, mode: "on-demand", percent: "10", fromDay: "2026-01-01", untilDay: "2026-12-31", note: null }, by: "Ana" });
    expect((await list("aws p5.48xlarge us-east-1")).prices).toMatchObject([{ effectivePerHour: "49.536", statedPerHour: "55.04", discount: { name: "Framework", percent: "10" } }]);
    const own = { id: null, provider: "Amazon Web Services", instanceType: "p5.48xlarge", region: "us-east-1", mode: "on-demand", payment: null, currency: "USD", pricePerHour: "33", upfront: "0", acceleratorId: "nvidia-h100-sxm5-80gb", acceleratorCount: 8, priceDate: "2026-11-30", note: "quote of May" } as const;
    const saved = await ask("price.save", { price: own, by: "Ana" });
    expect((await list("aws p5.48xlarge us-east-1")).prices).toMatchObject([{ origin: "own", effectivePerHour: "33", discount: null, source: "quote of May" }]);
    await ask("price.remove", { id: saved.id, by: null });
    await ask("discount.remove", { id, by: null });
    expect((await list("aws p5.48xlarge us-east-1")).prices).toMatchObject([{ effectivePerHour: "55.04", discount: null }]);
    expect((await ask("changes.list", { area: "prices", offset: 0, limit: 3 })).changes.map(({ what, subject }) => `${what} ${subject}`)).toEqual(["removed Framework", "removed aws p5.48xlarge us-east-1 on-demand", "added aws p5.48xlarge us-east-1 on-demand"]);
  });

  it("answers an unknown machine with nothing, never with 0", async () => {
    expect(await list("aws p9.48xlarge")).toMatchObject({ total: 0, prices: [] });
    expect((await list("")).prices.filter(({ effectivePerHour }) => !(Number(effectivePerHour) > 0))).toEqual([]);
  });
});

describe("offers from the shipped lists", () => {
  it("ranks by cost, gives each rejected offer its reasons, and counts them", async () => {
    const answer = await find();
    const costs = answer.ranked.map(({ cost }) => Number(cost));
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
    expect(answer.rejected).toHaveLength(answer.rejectedTotal);
    expect(answer.rejected.every(({ reasons }) => reasons.length > 0)).toBe(true);
    expect(answer.rejected.flatMap(({ reasons }) => reasons).length).toBe(Object.values(answer.reasons).reduce((sum, count) => sum + count, 0));
    expect(answer.ranked.every(({ totalMemoryGb }) => totalMemoryGb !== null && totalMemoryGb >= 160)).toBe(true);
    expect(answer.pareto.length).toBeGreaterThan(0);
  });

  it("filters by precision, confidential computing and carbon", async () => {
    expect((await find({ precision: "fp8", totalMemoryGb: null })).ranked.every(({ tflopsPerMoney }) => tflopsPerMoney.fp8 !== undefined)).toBe(true);
    const confidential = await find({ confidential: true, totalMemoryGb: null });
    expect([...new Set(confidential.ranked.map(({ instanceType }) => instanceType))]).toEqual(expect.arrayContaining(["Standard_NCC40ads_H100_v5"]));
    expect(confidential.ranked.every(({ isConfidential }) => isConfidential)).toBe(true);
    const clean = await find({ maximumGrams: "60" });
    expect(clean.ranked.every(({ gridGrams }) => gridGrams !== null && gridGrams <= 60)).toBe(true);
  });

  it("asks for a network between machines that every offer named for it has", async () => {
    const { ranked } = await find({ gpus: 16, link: "infiniband", totalMemoryGb: null });
    expect(ranked.every(({ hasRdma, machines, gpusPerMachine }) => hasRdma && machines * gpusPerMachine >= 16)).toBe(true);
    // Azure's sizes say it with an r: ND96isr has InfiniBand, ND96is and the noIB sizes have not.
    const azure = ranked.filter(({ provider, instanceType }) => provider === "azure" && instanceType.startsWith("Standard_ND96")).map(({ instanceType }) => instanceType);
    expect(azure.length).toBeGreaterThan(3);
    expect(azure.filter((name) => !/^Standard_ND96(is|as|ams)r/.test(name))).toEqual([]);
  });

  it("takes own benchmarks from a log and ranks by them", async () => {
    const file = join(fixtures, "benchmarks/log.csv");
    expect(await ask("benchmarks.import", { file, isPreview: true, by: null })).toMatchObject({ added: 5, changed: 0 });
    await ask("benchmarks.import", { file, isPreview: false, by: null });
    expect(await ask("benchmarks.import", { file, isPreview: true, by: null })).toMatchObject({ added: 0, changed: 0, same: 5 });
    const { benchmarks, scaling, workloads } = await ask("benchmarks.list", {});
    expect(benchmarks).toHaveLength(5);
    expect(workloads).toEqual([{ workload: "inference llama-3-70b", unit: "token" }, { workload: "training llama-3-8b", unit: "token" }]);
    expect(scaling).toMatchObject([{ accelerator: "A100 SXM4 80 GB", largestEfficient: 32, points: [{ efficiency: 1 }, { gpus: 8 }, { gpus: 32 }] }]);
    const answer = await find({ workload: "inference llama-3-70b", totalMemoryGb: "320" });
    expect(answer.mfuSource).toBe("calibrated");
    expect(answer.ranked.find(({ instanceType }) => instanceType === "p5.48xlarge")).toMatchObject({ rateBasis: "benchmark", unitsPerSecond: 2500 });
    expect(answer.ranked.find(({ instanceType }) => instanceType === "a2-highgpu-8g")).toMatchObject({ rateBasis: "calibrated", benchmark: null });
  });

  it("refuses a benchmark log in words", async () => {
    const bad = (text: string) => {
      writeFileSync(join(folder, "bad.csv"), text);
      return engine.ask("benchmarks.import", { file: join(folder, "bad.csv"), isPreview: true, by: null });
    };
    expect(await bad("task,gpus\nx,1\n")).toMatchObject({ error: { code: "import.column-missing", params: { columns: "accelerator, throughput" } } });
    expect(await bad("task,gpu,gpus,throughput\nx,H100 SXM5,8,-4\n")).toMatchObject({ error: { code: "import.value-invalid", params: { line: 2, column: "throughput" } } });
    expect(await bad("task,gpu,gpus,throughput\nx,Voodoo2,8,4\n")).toMatchObject({ error: { params: { column: "accelerator", expected: "accelerator" } } });
  });
});

describe("the terminal", () => {
  const run = async (...words: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> => {
    let [out, err] = ["", ""];
    const code = await runCli(words, { out: (text) => (out += text), err: (text) => (err += text), environment: {} });
    return { code, out, err };
  };

  it("ranks offers for a need without a ledger, as text and as JSON", async () => {
    const json = await run("offers", "--need", "task=training,parameters=8,units=2000000000000,mfu=0.4,gpus=8,countries=US+EU,modes=on-demand", "--json");
    const answer = JSON.parse(json.out) as MethodOutput<"offers.find">;
    expect([json.code, answer.need.gpus, answer.tflopPerUnit]).toEqual([0, 8, "0.048"]);
    expect(answer.ranked.length).toBeGreaterThan(10);
    expect(answer.tiers.map(({ budget }) => budget)).toEqual(["5000", "50000", "200000"]);
    const text = await run("offers", "--need", "budget=1", "--tiers", "7000", "--lang", "zh-CN");
    expect([text.code, text.out]).toEqual([0, expect.stringContaining("没有符合条件的报价")]);
    const everywhere = await run("offers", "--need", "providers=coreweave");
    expect(everywhere.out).toContain("every region");
    expect(everywhere.out).not.toMatch(/ \*[,\t]/);
  });

  it("says which part of a need it does not understand", async () => {
    expect(await run("offers", "--need", "colour=blue")).toMatchObject({ code: 2, err: expect.stringContaining("colour=blue") as string });
    expect(await run("offers", "--need", "units=-5")).toMatchObject({ code: 2, err: expect.stringContaining("units") as string });
    expect(await run("offers", "--tiers", "none")).toMatchObject({ code: 2 });
  });

  it("takes a sheet and lists what holds", async () => {
    await engine.close();
    const sheet = join(fixtures, "prices/own.csv");
    expect(await run("prices", "import", sheet, "--ledger", ledger)).toMatchObject({ code: 0, out: expect.stringContaining("3 prices of machines with GPUs taken") as string });
    expect((await run("prices", "list", "nebius", "--ledger", ledger)).out).toContain("nebius\tgpu-h200-sxm-8\teu-north1\ton demand\tUSD\t28\t\tsheet own.csv\t2026-11-20");
    expect(await run("prices", "import", join(fixtures, "benchmarks/log.csv"), "--ledger", ledger)).toMatchObject({ code: 1, err: expect.stringContaining("prices.unrecognized") as string });
  });
});
