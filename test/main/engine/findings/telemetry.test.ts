import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FindingsAnswer } from "../../../../shared/contract/findings.ts";
import { catalogs } from "../../../../shared/i18n/index.ts";
import { wordsOf } from "../../../../main/cli/words.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { smallerFit } from "../../../../main/engine/findings/smaller-fit.ts";
import { loadReference } from "../../../../main/engine/reference/load.ts";
import { focusBill } from "../import/bills-of.ts";

const resources = join(import.meta.dirname, "../../../../resources");
let folder = "";
let engine: Engine;
let answer: FindingsAnswer;

/** Ten hours of one H100 a minute apart, as VictoriaMetrics exports them. */
const minutes = 600;
const start = Date.parse("2026-09-01T00:00:00Z");
function series(host: string, metric: string, valueAt: (minute: number) => number): string {
  return JSON.stringify({
    metric: { __name__: metric, UUID: `GPU-${host.slice(2, 10)}-0000-0000-0000-000000000001`, gpu: "0", Hostname: host, modelName: "NVIDIA H100 80GB HBM3" },
    values: Array.from({ length: minutes }, (_, minute) => valueAt(minute)),
    timestamps: Array.from({ length: minutes }, (_, minute) => start + minute * 60_000),
  });
}
const [leaking, waiting, small, well] = ["i-0000000a000000000", "i-0000000b000000000", "i-0000000c000000000", "i-0000000d000000000"] as const;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-findings-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: resources, jobRunner: "inline", emit: () => undefined });
  await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true });
  const bill = focusBill([leaking, waiting, small, well].flatMap((resource) => Array.from({ length: 10 }, (_, hour) => ({ day: "2026-09-01", hour, cost: "10", resource, description: "p5.4xlarge instance hours" }))));
  await importText("bill.csv", bill.trim().split("\n").map((line, index) => `${line},${index === 0 ? "PricingCategory" : "Standard"}`).join("\n").replaceAll('""team"": ""research""', '""team"": ""research"", ""owner"": ""Ana""'));
  await importText("metrics.jsonl", [
    series(leaking, "DCGM_FI_DEV_GPU_UTIL", () => 80), series(leaking, "DCGM_FI_DEV_FB_USED", (minute) => 10_000 + minute * 50), series(leaking, "DCGM_FI_DEV_FB_FREE", (minute) => 70_559 - minute * 50), series(leaking, "DCGM_FI_DEV_FB_RESERVED", () => 1000), series(leaking, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", () => 0.4),
    series(waiting, "DCGM_FI_PROF_GR_ENGINE_ACTIVE", () => 0.95), series(waiting, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", () => 0.02), series(waiting, "DCGM_FI_PROF_SM_ACTIVE", () => 0.2), series(waiting, "DCGM_FI_PROF_DRAM_ACTIVE", () => 0.1),
    series(small, "DCGM_FI_PROF_GR_ENGINE_ACTIVE", () => 0.3), series(small, "DCGM_FI_PROF_SM_ACTIVE", () => 0.1), series(small, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", () => 0.2), series(small, "DCGM_FI_DEV_FB_USED", () => 7000),
    series(well, "DCGM_FI_PROF_GR_ENGINE_ACTIVE", (minute) => (minute < 300 ? 0.9 : 0)), series(well, "DCGM_FI_DEV_FB_USED", () => 70_000), series(well, "DCGM_FI_DEV_FB_FREE", () => 10_559), series(well, "DCGM_FI_DEV_FB_RESERVED", () => 1000), series(well, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", () => 0.5),
  ].join("\n"));
  const read = await engine.ask("findings.read", { period: "2026-09", scope: {}, currency: null });
  if (!read.ok) throw new Error(read.error.code);
  answer = read.value;
}, 60_000);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function importText(name: string, text: string): Promise<void> {
  writeFileSync(join(folder, name), `${text}\n`);
  const preview = await engine.ask("import.preview", { files: [join(folder, name)], options: {} });
  if (!preview.ok) throw new Error(preview.error.code);
  expect(await engine.ask("import.post", { plan: preview.value.plan })).toMatchObject({ ok: true, value: { files: [{ state: "posted" }] } });
}
const of = (host: string) => answer.findings.filter((finding) => finding.host === host).map(({ kind }) => kind);

describe("findings from telemetry", () => {
  it("finds memory that grows and is never given back, with its owner and what to do", () => {
    expect(of(leaking)).toEqual(["memory-leak"]);
    expect(answer.findings.find(({ kind }) => kind === "memory-leak")).toMatchObject({ team: "research", owner: "Ana", gpuModel: "H100", cost: "100", saving: null, confidence: "high", what: { params: { rate: { number: expect.closeTo(3000 / 1024, 1) as number } } } });
  });

  it("tells tensor pipes that wait for data from those that the work does not use", async () => {
    const low = answer.findings.find(({ host, kind }) => host === waiting && kind === "low-tensor");
    expect(low).toMatchObject({ what: { key: "finding.low-tensor.what.waiting" }, evidence: { key: "finding.low-tensor.evidence-sm-memory" } });
    expect(low?.todo[0]).toEqual({ key: "finding.check.data-loading" });
    const words = await wordsOf("en");
    expect(words.text(low!.evidence)).toBe("Means over 10 GPU-hours at work: tensor 2.0\u202f%, SM 20.0\u202f%, memory bandwidth 10.0\u202f%.");
  });

  it("finds a card that a slice of it, or a smaller one, would do for", () => {
    expect(of(small)).toEqual(["over-provisioned"]);
    // A 1g slice has 16 of 132 SMs and an eighth of the memory: seven eighths of what can be stopped, at most.
    expect(answer.findings.find(({ kind }) => kind === "over-provisioned")).toMatchObject({ saving: "87.5", what: { params: { slice: { text: "1g.10gb" } } }, confidence: "medium" });
  });

  it("says since when a machine was idle and what of it can stop, by the engine's counter where that is the one measured", () => {
    expect(of(well)).toEqual(["idle"]);
    expect(answer.findings.find(({ kind }) => kind === "idle")).toMatchObject({ cost: "50", saving: "50", what: { key: "finding.idle.held" } });
  });

  it("says of how many GPUs each counter was measured: what is not measured is not found", () => {
    expect(answer).toMatchObject({ devices: 4, measured: { tensor: 4, sm: 2, memory: 3 } });
  });

  it("puts what saves most first, and speaks both languages", () => {
    expect(answer.findings.map(({ kind }) => kind)).toEqual(["over-provisioned", "idle", "low-tensor", "memory-leak"]);
    const keys = answer.findings.flatMap(({ what, evidence, todo }) => [what, evidence, ...todo].map(({ key }) => key));
    for (const catalog of Object.values(catalogs)) expect(keys.filter((key) => !(key in catalog) && !(`${key}_other` in catalog))).toEqual([]);
  });

  it("is empty for a period without telemetry, and refuses what is no period", async () => {
    expect(await engine.ask("findings.read", { period: "2026-08", scope: {}, currency: null })).toMatchObject({ ok: true, value: { findings: [], devices: 0 } });
    expect(await engine.ask("findings.read", { period: "2026", scope: { team: ["other"] }, currency: null })).toMatchObject({ ok: true, value: { findings: [], devices: 0 } });
  });
});

describe("the efficiency report of devices with more than GPU-Util", () => {
  it("shows each counter for itself, what was not measured as such, and names what the headline goes by", async () => {
    const report = await engine.ask("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    if (!report.ok) throw new Error(report.error.code);
    const ladder = report.value.blocks.find(({ id }) => id === "ladder");
    const cells = ladder?.kind === "table" ? ladder.rows[0]?.cells.slice(1).map((cell) => ("figure" in cell ? [Math.round((cell.figure.value as number) * 1000) / 1000, Math.round(cell.figure.coverage * 100) / 100] : cell)) : null;
    // GPU-Util of one of four machines, the engine of three, SMs of two, tensor pipes of all, memory of one.
    expect(cells).toEqual([[0.8, 0.25], [0.566, 0.75], [0.15, 0.5], [0.28, 1], [0.1, 0.25]]);
    const notes = report.value.blocks.find(({ id }) => id === "rules");
    const counter = notes?.kind === "notes" ? notes.notes.find(({ id }) => id === "counter")?.lines[0] : null;
    expect(counter).toMatchObject({ key: "rules.counter.mixed", params: { engine: { ratio: expect.closeTo(0.75, 2) as number } } });
  });
});

describe("a machine minute by minute", () => {
  it("shows the states of each device, and what it was around them", async () => {
    const timeline = await engine.ask("timeline.read", { host: well, from: "2026-09-01T04:00:00Z", hours: 2 });
    if (!timeline.ok) throw new Error(timeline.error.code);
    const [device] = timeline.value.devices;
    // At work until 04:59, then idle with a model in memory: a profiling counter is a mean up to its time.
    expect(device?.states).toEqual([...Array.from({ length: 59 }, () => 90), ...Array.from({ length: 61 }, () => -3)]);
    expect(timeline.value).toMatchObject({ host: well, start: "2026-09-01T04:00:00Z", minutes: 120, firstAt: "2026-09-01T00:00:00Z", devices: [{ label: "GPU 0", gpuModel: "H100", utilization: expect.closeTo((59 * 0.9) / 120, 6) as number }] });
  });

  it("knows nothing of a host that is in no log, and refuses a time that is none", async () => {
    expect(await engine.ask("timeline.read", { host: "nobody", from: "2026-09-01T04:00:00Z", hours: 2 })).toMatchObject({ ok: true, value: { devices: [], firstAt: null } });
    expect(await engine.ask("timeline.read", { host: well, from: "2026-19-01T04:00:00Z", hours: 2 })).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
  });
});

describe("a smaller fit", () => {
  const reference = loadReference(join(resources, "reference"));
  if (!reference.ok) throw new Error(reference.error.code);
  const fit = (memoryPeakMiB: number, computeShare: number, provider: string | null = null) => {
    const found = smallerFit(reference.value, { acceleratorId: "nvidia-h100-sxm5-80gb", memoryPeakMiB, computeShare, provider });
    return [found?.slice?.profile ?? null, found?.card?.family ?? null];
  };

  it("holds the highest peak with a tenth to spare, and has the compute", () => {
    expect(fit(8000, 0.05)[0]).toBe("1g.10gb");
    expect(fit(9500, 0.05)[0]).toBe("1g.20gb");
    expect(fit(8000, 0.2)[0]).toBe("2g.20gb");
    expect(fit(70_000, 0.05)).toEqual([null, null]);
    expect(fit(8000, 0.9)).toEqual([null, null]);
  });

  it("proposes only cards that the machine's provider rents out, and none of a card that it does not know", () => {
    expect(fit(8000, 0.05, "AWS")[1]).toMatch(/^(L4|T4|A10G)$/);
    expect(smallerFit(reference.value, { acceleratorId: "nothing", memoryPeakMiB: 1, computeShare: 0, provider: null })).toBeNull();
  });
});

describe("the lookup behind “no kernel image”", () => {
  it("takes a GPU as drivers name it", async () => {
    expect(await engine.ask("cuda.check", { gpu: "NVIDIA H100 80GB HBM3", toolkit: "12.1", driver: "470.82.01", isWindows: false, builtFor: "sm_80 sm_86" })).toMatchObject({
      ok: true,
      value: { gpu: "H100", capability: "9.0", architecture: "Hopper", firstToolkit: "11.8", leastDriver: "525.60.13", toolkit: "fits", driver: "does-not", build: "does-not" },
    });
    expect(await engine.ask("cuda.check", { gpu: "toaster", toolkit: null, driver: null, isWindows: false, builtFor: null })).toMatchObject({ ok: true, value: { gpu: null, capability: null } });
  });
});
