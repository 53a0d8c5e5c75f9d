import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { formatAttos, sumAttos } from "../../../../shared/domain/money.ts";
import { focusBill } from "./bills-of.ts";

/**
 * 200 GPUs of 25 machines, logged by five tools in as many formats over two hours, and the machines' bill of a day: what is joined is joined by
 * the machine's id, and what no log covers is unknown, in GPU-hours and in money.
 */
const day = "2026-09-01";
const start = Date.parse(`${day}T10:00:00Z`);
const minutes = Array.from({ length: 120 }, (_, minute) => minute);
const gpus = [0, 1, 2, 3, 4, 5, 6, 7];
const machines = Array.from({ length: 26 }, (_, machine) => `i-0${(machine + 1).toString(16).padStart(16, "0")}`);
/** Five machines to each format; the last one is in no log. */
const of = (format: number) => machines.slice(format * 5, format * 5 + 5);
/** Half of the machines work, half hold a model. */
const isBusy = (machine: string) => machines.indexOf(machine) % 2 === 0;
const utilization = (machine: string) => (isBusy(machine) ? 80 : 0);
const uuid = (machine: string, gpu: number) => `GPU-${machine.slice(-8)}-0000-0000-0000-00000000000${gpu}`;
const iso = (minute: number) => new Date(start + minute * 60_000).toISOString();

let folder = "";
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-fleet-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined });
  await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true });
  const files = new Map<string, string>();
  files.set("bill.csv", focusBill(machines.flatMap((resource) => Array.from({ length: 24 }, (_, hour) => ({ day, hour, cost: "80.1", resource, description: "p5.48xlarge instance hours" })))));
  for (const machine of of(0)) {
    files.set(`smi/${machine}.csv`, `timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n${minutes.flatMap((minute) => gpus.map((gpu) => `${iso(minute).slice(0, 19).replaceAll("-", "/").replace("T", " ")}.00${gpu}, ${gpu}, ${uuid(machine, gpu)}, NVIDIA H100 80GB HBM3, ${utilization(machine)} %, 60000 MiB, 81559 MiB`)).join("\n")}\n`);
  }
  for (const machine of of(1)) {
    files.set(`dmon/${machine}.txt`, `#Date       Time        gpu    pwr     sm     fb\n#YYYYMMDD   HH:MM:SS    Idx      W      %     MB\n${minutes.flatMap((minute) => gpus.map((gpu) => ` ${iso(minute).slice(0, 10).replaceAll("-", "")}   ${iso(minute).slice(11, 19)}      ${gpu}    ${300 + machines.indexOf(machine)}     ${utilization(machine)}  60000 `)).join("\n")}\n`);
  }
  const labels = (machine: string, gpu: number, name: string) => ({ __name__: name, UUID: uuid(machine, gpu), gpu: String(gpu), Hostname: machine, modelName: "NVIDIA H100 80GB HBM3" });
  files.set("prometheus.json", JSON.stringify({ status: "success", data: { resultType: "matrix", result: of(2).flatMap((machine) => gpus.map((gpu) => ({ metric: labels(machine, gpu, "DCGM_FI_DEV_GPU_UTIL"), values: minutes.map((minute) => [start / 1000 + minute * 60, String(utilization(machine))]) }))) } }));
  files.set("victoria.jsonl", `${of(3).flatMap((machine) => gpus.map((gpu) => JSON.stringify({ metric: labels(machine, gpu, "DCGM_FI_PROF_GR_ENGINE_ACTIVE"), values: minutes.map(() => utilization(machine) / 100), timestamps: minutes.map((minute) => start + (minute + 1) * 60_000) }))).join("\n")}\n`);
  files.set("stream.jsonl", `${minutes.flatMap((minute) => of(4).flatMap((machine) => gpus.map((gpu) => JSON.stringify({ metric_stream_name: "s", account_id: "1", region: "us-east-1", namespace: "CWAgent", metric_name: "nvidia_smi_utilization_gpu", dimensions: { InstanceId: machine, index: String(gpu), name: "NVIDIA H100 80GB HBM3" }, timestamp: start + minute * 60_000, value: { max: 100, min: 0, sum: utilization(machine) * 3, count: 3 }, unit: "Percent" })))).join("\n")}\n`);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const preview = await engine.ask("import.preview", { files: [...files.keys()].map((name) => join(folder, name)), options: { timezone: "UTC" } });
  if (!preview.ok) throw new Error(preview.error.code);
  expect(preview.value.files.filter(({ error }) => error !== null)).toEqual([]);
  const posted = await engine.ask("import.post", { plan: preview.value.plan });
  expect(posted).toMatchObject({ ok: true });
  expect(new Set(preview.value.files.map(({ format }) => format))).toEqual(new Set(["focus", "nvidia-smi", "nvidia-smi-dmon", "prometheus-json", "prometheus-lines", "cloudwatch"]));
}, 120_000);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a fleet of 200 GPUs from five formats", () => {
  it("joins every logged machine to its bill by id, and leaves the one without a log", async () => {
    const matched = await engine.ask("match.list", {});
    if (!matched.ok) throw new Error(matched.error.code);
    expect(matched.value.hosts.map(({ host, devices, resource, rule }) => [host, devices, resource, rule])).toEqual(machines.slice(0, 25).map((machine) => [machine, 8, machine, "explicit-id"]));
    expect(matched.value.unmatchedResources.map(({ resource }) => resource)).toEqual([machines[25]]);
  });

  it("says which share of the money its logs cover, and splits all of it without a rest", async () => {
    const report = await engine.ask("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    if (!report.ok) throw new Error(report.error.code);
    const ways = report.value.blocks.find(({ id }) => id === "four-ways");
    if (ways?.kind !== "table" || ways.total === null) throw new Error("no four ways");
    const money = (row: (typeof ways.rows)[number]) => {
      const cell = row.cells[1];
      return cell !== undefined && "figure" in cell && typeof cell.figure.value === "bigint" ? cell.figure.value : 0n;
    };
    expect(formatAttos(money(ways.total))).toBe("49982.4");
    expect(sumAttos(ways.rows.map(money))).toBe(money(ways.total));
    // 25 of 26 machines for two of 24 hours; a reading holds on for three minutes, a mean up to its time begins one before.
    expect(report.value.provenance.telemetryCoverage).toBeCloseTo((25 * 2) / (26 * 24), 2);
    const held = ways.rows.find(({ id }) => id === "held-idle-cost");
    // Memory is known of the first two formats: there, the idle machines hold a model.
    expect(Number(formatAttos(money(held!))) / 80.1 / 2).toBeCloseTo([...of(0)].filter((machine) => !isBusy(machine)).length, 0);
  });

  it("holds utilization to GPU-Util, which four of the five formats measure, and says what the engine's counter measured beside it", async () => {
    const report = await engine.ask("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    if (!report.ok) throw new Error(report.error.code);
    const rules = report.value.blocks.find(({ id }) => id === "rules");
    expect(rules?.kind === "notes" ? rules.notes.find(({ id }) => id === "counter")?.lines : null).toMatchObject([{ key: "rules.counter.utilization" }, { key: "rules.counter.mixed", params: { engine: { ratio: expect.closeTo(0.2, 1) as number } } }]);
    const counters = report.value.blocks.find(({ id }) => id === "counters");
    if (counters?.kind !== "table") throw new Error("no counters");
    const figures = new Map(counters.rows.map(({ id, cells: [, mean, hours] }) => [id, [mean, hours].map((cell) => (cell !== undefined && "figure" in cell ? Number(cell.figure.value) : null))]));
    // Machines 1 to 15 and 21 to 25 are logged by GPU-Util, 16 to 20 by the engine's counter; every second one works at 80 %. Eight cards, two hours.
    const mean = (own: readonly string[]) => own.filter(isBusy).length * 0.8 / own.length;
    expect(figures.get("counter utilization")).toEqual([expect.closeTo(mean([...of(0), ...of(1), ...of(2), ...of(4)]), 2), expect.closeTo(20 * 8 * 2, -1)]);
    expect(figures.get("counter engine-active")).toEqual([expect.closeTo(mean(of(3)), 2), expect.closeTo(5 * 8 * 2, -1)]);
  });

  it("imported again changes nothing", async () => {
    const again = await engine.ask("import.preview", { files: [join(folder, "prometheus.json"), join(folder, "victoria.jsonl"), join(folder, "stream.jsonl")], options: { timezone: "UTC" } });
    expect(again).toMatchObject({ ok: true, value: { files: [{ state: "unchanged" }, { state: "unchanged" }, { state: "unchanged" }] } });
  });
});
