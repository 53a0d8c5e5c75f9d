import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { regionOfHost } from "../../../../main/engine/findings/aggregate.ts";
import { focusBill, smiLog } from "../import/bills-of.ts";

let folder = "";
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-aggregate-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined });
  await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true });
  // Two H100 of opaque ids at 10 an hour, four hours each; a log of one H100 under a name that no bill knows: two hours at 80 %, then idle.
  const bill = focusBill(["pod-x1", "pod-x2"].flatMap((resource) => [0, 1, 2, 3].map((hour) => ({ day: "2026-09-01", hour, cost: "10", resource, description: "p5.4xlarge instance hours" }))));
  for (const [name, text] of [["bill.csv", bill], ["somewhere.csv", smiLog("2026-09-01", Array.from({ length: 238 }, (_, minute) => (minute < 120 ? 80 : 0)))]] as const) {
    writeFileSync(join(folder, name), text);
    const preview = await engine.ask("import.preview", { files: [join(folder, name)], options: { timezone: "UTC" } });
    if (!preview.ok) throw new Error(preview.error.code);
    expect(await engine.ask("import.post", { plan: preview.value.plan })).toMatchObject({ ok: true });
  }
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("what is not joined, by type", () => {
  it("lays telemetry over bills of the same model and hour; what is billed beyond it is unknown, and the parts close", async () => {
    const answer = await engine.ask("aggregate.read", { period: "2026-09", scope: {}, currency: null });
    // Eight GPU-hours billed, four seen: half of the 80 is known, 20 of it at 80 %, 20 idle with a model in memory.
    expect(answer).toMatchObject({ ok: true, value: { currency: "USD", rows: [{ gpuModel: "H100", billedGpuHours: 8, seenGpuHours: 4, assignedGpuHours: 4, hosts: 1, cost: "80", productive: "16", busyInefficient: "4", heldIdle: "20", deadIdle: "0", idleMemoryUnknown: "0", unknown: "40" }] } });
  });

  it("enters no other figure: in the report the machines stay unknown", async () => {
    const report = await engine.ask("report.read", { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    expect(report.ok && report.value.provenance.telemetryCoverage).toBe(0);
  });

  it("answers for a year, and for a currency without a bill", async () => {
    expect(await engine.ask("aggregate.read", { period: "2026", scope: {}, currency: "EUR" })).toMatchObject({ ok: true });
  });
});

describe("the region of a host that no bill knows", () => {
  it("is the billed one that its name holds, whole", () => {
    const billed = ["us-west-2", "us-west-1", "us-central1", null];
    expect(regionOfHost("ip-10-0-0-1.us-west-2.compute.internal", billed)).toBe("us-west-2");
    expect(regionOfHost("node-7.us-central1-a.c.project.internal", billed)).toBe("us-central1");
    expect(regionOfHost("gpu-us-west-1b-03", billed)).toBe("us-west-1");
    expect(regionOfHost("gpu-us-west-17", ["us-west-1", "us-west-2"])).toBeUndefined();
    expect(regionOfHost("ip-10-0-0-1.ec2.internal", ["us-east-1", "us-west-2"])).toBe("us-east-1");
  });

  it("is the only one where the model is billed, and else cannot be told", () => {
    expect(regionOfHost("node-1", ["westeurope"])).toBe("westeurope");
    expect(regionOfHost("node-1", [null])).toBeNull();
    expect(regionOfHost("node-1", ["westeurope", "northeurope"])).toBeUndefined();
    expect(regionOfHost("node-1", [])).toBeUndefined();
  });
});
