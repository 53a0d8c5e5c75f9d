import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultStopRule, type FindingsAnswer } from "../../../../shared/contract/findings.ts";
import type { UtilizationCounter } from "../../../../shared/domain/counter.ts";
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

  it("says since when a machine was idle, by the engine's counter where that is the one measured, and what it cost", () => {
    expect(of(well)).toEqual(["idle"]);
    // The usual stop rule leaves a machine on that holds a model: it saves nothing of the 50.
    expect(answer.findings.find(({ kind }) => kind === "idle")).toMatchObject({ cost: "50", saving: "0", what: { key: "finding.idle.held" } });
  });

  it("says one saving of a machine, the stop rule's own, in the findings, in the stop plan and in what to do next", async () => {
    const read = async () => {
      const [found, plan, actions] = await Promise.all([
        engine.ask("findings.read", { period: "2026-09", scope: {}, currency: null }),
        engine.ask("stops.replay", { period: "2026-09", scope: {}, currency: null, rule: null }),
        engine.ask("actions.read", { period: "2026-09", currency: null, basis: "EffectiveCost" }),
      ]);
      if (!found.ok || !plan.ok || !actions.ok) throw new Error("refused");
      return {
        found: found.value.findings.find(({ kind }) => kind === "idle")?.saving,
        plan: plan.value.machines.find(({ resource }) => resource === well)?.saved ?? "0",
        next: actions.value.findings.find(({ kind, resource }) => kind === "idle" && resource === well),
      };
    };
    expect(await read()).toMatchObject({ found: "0", plan: "0", next: { expected: "0", idleCost: "50", owner: "Ana" } });
    // Stopping what holds a model too: idle from 04:59 to 09:59, stopped after an hour of it, at 10 an hour.
    await engine.ask("stop-rule.save", { rule: { ...defaultStopRule, stopsHeld: true } });
    const saved = await read();
    expect(saved.found).toBe("40");
    expect(saved).toMatchObject({ plan: saved.found, next: { expected: saved.found, idleCost: "50" } });
    await engine.ask("stop-rule.save", { rule: defaultStopRule });
  });

  it("says of how many GPUs each counter was measured: what is not measured is not found", () => {
    expect(answer).toMatchObject({ devices: 4, measured: { tensor: 4, sm: 2, memory: 3 } });
  });

  it("puts what saves most first, and speaks both languages", () => {
    expect(answer.findings.map(({ kind }) => kind)).toEqual(["over-provisioned", "low-tensor", "memory-leak", "idle"]);
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
    const lines = notes?.kind === "notes" ? notes.notes.find(({ id }) => id === "counter")?.lines : null;
    expect(lines).toMatchObject([{ key: "rules.counter.engine-active" }, { key: "rules.counter.mixed", params: { engine: { ratio: expect.closeTo(0.75, 2) as number } } }]);
  });

  it("holds utilization to the counter that measured most, and puts each of the others beside it with its own coverage", async () => {
    // 10 GPU-hours a machine: the engine's counter saw three machines at 95, 30 and 45 %, GPU-Util one at 80 %.
    const utilizationOf = async (report: "efficiency" | "review", counter?: UtilizationCounter) => {
      const read = await engine.ask("report.read", { report, period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null, ...(counter === undefined ? {} : { counter }) });
      if (!read.ok) throw new Error(read.error.code);
      const teams = read.value.blocks.find(({ id }) => id === "teams");
      const at = teams?.kind === "table" ? teams.columns.findIndex(({ id }) => id === "utilization") : -1;
      const cell = teams?.kind === "table" ? teams.total?.cells[at] : undefined;
      const rows = read.value.blocks.find(({ id }) => id === "counters");
      return {
        total: cell !== undefined && "figure" in cell ? [cell.figure.value, cell.figure.coverage] : null,
        explain: cell !== undefined && "figure" in cell ? cell.explain : undefined,
        counters: rows?.kind === "table" ? rows.rows.map(({ id, cells: [, mean, hours] }) => [id, ...[mean, hours].map((each) => (each !== undefined && "figure" in each && typeof each.figure.value === "number" ? Math.round(each.figure.value * 100) / 100 : null))]) : null,
        sentence: read.value.context.find(({ key }) => key === "counters.sentence")?.params,
      };
    };
    const [engineMean, some] = [(0.95 + 0.3 + (0.9 * 300 + 0 * 300) / 600) / 3, 0.005];
    for (const report of ["efficiency", "review"] as const) {
      const { total, sentence } = await utilizationOf(report);
      expect(total).toEqual([expect.closeTo(engineMean, 2), expect.closeTo(0.75, 2)]);
      expect(sentence).toMatchObject({ ratio: { ratio: expect.closeTo(0.75, 2) as number }, otherRatio: { ratio: expect.closeTo(0.25, 2) as number }, utilization: { figure: { value: expect.closeTo(0.8, 2) as number } } });
      expect(Math.abs(Number(total?.[0]) - (0.75 * engineMean + 0.25 * 0.8))).toBeGreaterThan(some);
    }
    expect((await utilizationOf("efficiency")).counters).toEqual([
      ["counter engine-active", 0.57, expect.closeTo(29.98, 1)],
      ["counter utilization", 0.8, expect.closeTo(10, 1)],
      ["counter sm-active", 0.15, expect.closeTo(19.98, 1)],
      ["counter tensor-active", 0.28, expect.closeTo(39.98, 1)],
      ["counter dram-active", 0.1, expect.closeTo(9.98, 1)],
    ]);
    const asked = await utilizationOf("efficiency", "utilization");
    expect(asked.total).toEqual([expect.closeTo(0.8, 4), expect.closeTo(0.25, 3)]);
    const explained = await engine.ask("figure.explain", { ...asked.explain!, scope: {} });
    expect(explained).toMatchObject({ ok: true, value: { figure: { value: asked.total?.[0], coverage: asked.total?.[1] } } });
    // The person's choice holds for every report of the ledger, until it is taken back.
    expect(await engine.ask("counter.save", { counter: "utilization" })).toMatchObject({ ok: true });
    expect((await utilizationOf("review")).total).toEqual(asked.total);
    expect(await engine.ask("ledger.status", {})).toMatchObject({ ok: true, value: { counter: "utilization", hoursWithoutCounter: false } });
    expect(await engine.ask("counter.save", { counter: null })).toMatchObject({ ok: true });
    expect((await utilizationOf("review")).total).toEqual([expect.closeTo(engineMean, 2), expect.closeTo(0.75, 2)]);
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
