import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../../../main/cli/index.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import type { ImportOptions, ImportPreview, MethodInput, MethodOutput } from "../../../../shared/contract/methods.ts";
import type { MethodName } from "../../../../shared/contract/names.ts";
import { focusBill, smiLog } from "./bills-of.ts";

let folder: string;
let engine: Engine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "same-bytes-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined });
  await asked("ledger.open", { file: join(folder, "mine.gpuledger"), create: true });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function asked<N extends MethodName>(name: N, input: MethodInput<N>): Promise<MethodOutput<N>> {
  const answer = await engine.ask(name, input);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const preview = (files: readonly string[], options: ImportOptions = {}): Promise<ImportPreview> => asked("import.preview", { files: [...files], options: { timezone: "UTC", ...options } });
const told = ({ files }: ImportPreview) => files.map(({ state, sameAs, telemetry }) => [state, sameAs, telemetry?.hosts.join() ?? null]);
const post = async (files: readonly string[], options: ImportOptions = {}): Promise<void> => {
  await asked("import.post", { plan: (await preview(files, options)).plan });
};
/** Hosts with a log, and on how many devices. */
const hosts = async () => (await asked("match.list", {})).hosts.map(({ host, devices }) => [host, devices]);

/** A night at rest, of a tool that names neither host nor UUID. */
const atRest = "timestamp, index, name, utilization.gpu [%]\n2026/09/01 10:00:00.000, 0, NVIDIA L4, 0 %\n2026/09/01 10:01:00.000, 0, NVIDIA L4, 0 %\n";
const uuid = "GPU-00000001-0000-0000-0000-000000000001";
const named = `timestamp, uuid, name, utilization.gpu [%]\n2026/09/01 10:00:00.000, ${uuid}, NVIDIA L4, 50 %\n2026/09/01 10:01:00.000, ${uuid}, NVIDIA L4, 50 %\n`;

describe("logs of the same bytes", () => {
  it("of two hosts are both read where the log names none, and the preview says so", async () => {
    const files = [file("node-a.csv", atRest), file("node-b.csv", atRest), file("copies/node-a.csv", atRest)];
    const looked = await preview(files);
    // The third is the first again.
    expect(told(looked)).toEqual([["ready", null, "node-a"], ["ready", "node-a.csv", "node-b"], ["unchanged", "node-a.csv", "node-a"]]);
    await asked("import.post", { plan: looked.plan });
    expect(await hosts()).toEqual([["node-a", 1], ["node-b", 1]]);
  });

  it("of another host are read in another import too; of the same host they change nothing", async () => {
    const path = file("smi.csv", atRest);
    await post([path], { host: "node-a" });
    expect(told(await preview([path], { host: "node-a" }))).toEqual([["unchanged", "smi.csv", null]]);
    expect(told(await preview([path], { host: "node-b" }))).toEqual([["ready", "smi.csv", "node-b"]]);
    await post([path], { host: "node-b" });
    expect(await hosts()).toEqual([["node-a", 1], ["node-b", 1]]);
    for (const host of ["node-a", "node-b"]) expect(told(await preview([path], { host }))).toEqual([["unchanged", "smi.csv", null]]);
  });

  it("that name their host are one, whatever the files are called", async () => {
    const log = JSON.stringify({ metric: { __name__: "DCGM_FI_DEV_GPU_UTIL", UUID: uuid, gpu: "0", Hostname: "node-a" }, values: [50, 50], timestamps: [1_788_256_800_000, 1_788_256_860_000] });
    const files = [file("node-a.jsonl", log), file("node-b.jsonl", log)];
    expect(told(await preview(files))).toEqual([["ready", null, "node-a"], ["unchanged", "node-a.jsonl", "node-a"]]);
    await post([files[0] ?? ""]);
    // It was called as its host is: read again under another name, it is found to name its own.
    expect((await preview([files[1] ?? ""])).files.map(({ state, sameAs }) => [state, sameAs])).toEqual([["unchanged", "node-a.jsonl"]]);
    expect(await hosts()).toEqual([["node-a", 1]]);
  });

  it("count a sample of one UUID once, of however many hosts they are", async () => {
    await post([file("node-a.csv", named)]);
    const alone = await asked("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    await post([file("node-b.csv", named)]);
    expect((await hosts()).reduce((sum, [, devices]) => sum + Number(devices), 0)).toBe(1);
    const both = await asked("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    const figures = ({ blocks }: typeof both) => JSON.stringify(blocks);
    expect(figures(both)).toBe(figures(alone));
  });
});

it("bills of the same bytes are one, whatever they are called", async () => {
  const bill = focusBill([{ day: "2026-09-01", cost: "3" }]);
  const looked = await preview([file("a.csv", bill), file("b.csv", bill)]);
  expect(told(looked)).toEqual([["ready", null, null], ["unchanged", "a.csv", null]]);
  await asked("import.post", { plan: looked.plan });
  expect((await asked("totals.read", { period: null, by: [] })).rows).toMatchObject([{ BilledCost: "3" }]);
});

it("the terminal says of files what they are copies of", async () => {
  let out = "";
  const ledger = join(folder, "terminal.gpuledger");
  await runCli(["import", file("node-a.csv", atRest), file("node-b.csv", atRest), file("x/node-a.csv", atRest), "--ledger", ledger, "--timezone", "UTC", "--lang", "en"], { out: (text) => (out += text), err: (text) => (out += text), environment: {} });
  expect(out).toMatch(/the same bytes as node-a\.csv; it names no host itself and is read as the log of another/);
  expect(out).toMatch(/x\/node-a\.csv: the same bytes as node-a\.csv, counted once\./);
});

it("says nothing of files that are not the same", async () => {
  await post([file("node-a.csv", smiLog("2026-09-01", [10, 20]))]);
  expect(told(await preview([file("node-b.csv", smiLog("2026-09-01", [10, 30]))]))).toMatchObject([["ready", null, "node-b"]]);
});
