import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { openLedger } from "../../../../main/engine/store/open.ts";
import { dumpViews } from "../ledger-with.ts";

const driver = join(import.meta.dirname, "kill-driver.ts");
const resources = join(import.meta.dirname, "../../../../resources");
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-kill-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A FOCUS bill of some GPU instances, hour by hour; `price` makes two bills of the same days differ. */
function bill(price: string, hours: number): string {
  const columns = "ProviderName,BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,EffectiveCost,ListCost,ContractedCost,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,ServiceName,SkuId,ResourceId,ChargeDescription,Tags";
  const rows: string[] = [];
  for (let hour = 0; hour < hours; hour += 1) {
    const from = new Date(Date.UTC(2026, 8, 1, hour)).toISOString().replace(".000Z", "Z");
    const to = new Date(Date.UTC(2026, 8, 1, hour + 1)).toISOString().replace(".000Z", "Z");
    for (let node = 0; node < 8; node += 1) {
      rows.push(`AWS,1,a${node % 3},2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,${from},${to},Usage,USD,${price},${price},${price},${price},1,Hours,1,Hours,Amazon Elastic Compute Cloud,SKU${node},i-0000000000000${100 + node},p5.48xlarge on demand,"{""team"": ""research""}"`);
    }
  }
  return `${columns}\n${rows.join("\n")}\n`;
}

/** A log of one host: eight GPUs polled each minute. */
function log(minutes: number): string {
  const rows: string[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const at = new Date(Date.UTC(2026, 8, 1, 0, minute)).toISOString().slice(0, 19).replaceAll("-", "/").replace("T", " ");
    for (let gpu = 0; gpu < 8; gpu += 1) rows.push(`${at}.000, ${gpu}, GPU-00000000-0000-0000-0000-00000000000${gpu}, NVIDIA H100 80GB HBM3, ${(minute * 7 + gpu) % 100} %, ${minute % 3 === 0 ? 500 : 60000} MiB, 81559 MiB, 300.00 W`);
  }
  return `timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]\n${rows.join("\n")}\n`;
}

function engineOn(ledger: string): Engine {
  return createEngine({ ledgerPath: ledger, userDataFolder: `${ledger}.data`, resourcesFolder: resources, jobRunner: "inline", emit: () => undefined });
}

async function importInto(engine: Engine, file: string): Promise<void> {
  const preview = await engine.ask("import.preview", { files: [file], options: { timezone: "UTC" } });
  if (!preview.ok) throw new Error(preview.error.code);
  const posted = await engine.ask("import.post", { plan: preview.value.plan });
  expect(posted).toMatchObject({ ok: true, value: { files: [{ state: "posted", error: null }] } });
}

function dumpOf(path: string): string {
  const opened = openLedger(path, { create: false });
  if (!opened.ok) throw new Error(opened.error.code);
  try {
    expect(opened.value.isReadOnly).toBe(false);
    expect(opened.value.db.pragma("integrity_check", { simple: true })).toBe("ok");
    return dumpViews(opened.value.db);
  } finally {
    opened.value.close();
  }
}

/** Ends when the driver is dead; resolves with what it had said. */
function killedAfter(milliseconds: number, ledger: string, runner: string, file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [driver, ledger, runner, file], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    let complained = "";
    child.stderr.on("data", (chunk: Buffer) => (complained += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => {
      if (said === "") setTimeout(() => child.kill("SIGKILL"), milliseconds);
      said += chunk.toString();
    });
    child.on("exit", (_code, signal) => {
      if (signal === "SIGKILL") resolve(said);
      else reject(new Error(`the driver ended by itself: ${said}${complained}`));
    });
  });
}

describe("a process killed at any moment", () => {
  it.each([
    ["thread", "bill"],
    ["inline", "log"],
  ])("leaves the ledger as before or as after (%s, %s)", async (runner, kind) => {
    const start = join(folder, `start-${kind}.gpuledger`);
    const first = join(folder, `first-${kind}.csv`);
    const file = join(folder, `second-${kind}.csv`);
    writeFileSync(first, bill("98.32", 120));
    writeFileSync(file, kind === "bill" ? bill("75.001", 240) : log(1800));
    const made = openLedger(start, { create: true });
    if (made.ok) made.value.close();
    const engine = engineOn(start);
    await importInto(engine, first);
    await engine.close();
    const before = dumpOf(start);
    const clean = join(folder, `clean-${kind}.gpuledger`);
    copyFileSync(start, clean);
    const afterwards = engineOn(clean);
    await importInto(afterwards, file);
    await afterwards.close();
    const after = dumpOf(clean);
    expect(after).not.toBe(before);

    const seen = { before: 0, after: 0 };
    for (let trial = 0; trial < 6; trial += 1) {
      const ledger = join(folder, `trial-${kind}-${trial}.gpuledger`);
      copyFileSync(start, ledger);
      await killedAfter(60 + Math.floor(Math.random() * 900), ledger, runner, file);
      const dump = dumpOf(ledger);
      if (dump === before) seen.before += 1;
      else if (dump === after) seen.after += 1;
      else expect(dump).toBe(before);
      // And it goes on from there.
      const next = engineOn(ledger);
      const status = await next.ask("ledger.status", {});
      expect(status).toMatchObject({ ok: true, value: { isReadOnly: false } });
      await next.close();
      expect([before, after]).toContain(dumpOf(ledger));
    }
    expect(seen.before + seen.after).toBe(6);
  }, 60_000);
});
