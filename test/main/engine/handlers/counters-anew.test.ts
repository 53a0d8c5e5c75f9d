import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { openLedger } from "../../../../main/engine/store/open.ts";
import { focusBill, smiLog } from "../import/bills-of.ts";
import { opened, tiles } from "../reports/look.ts";

/** A ledger whose hours a version worked out that did not keep their counter: opened to be written to, it works them out anew. */
let folder = "";
let path = "";
const machine = "i-0123456789abcdef0";
const start = (): Engine => createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-anew-"));
  path = join(folder, "own.gpuledger");
  const engine = start();
  await engine.ask("ledger.open", { file: path, create: true });
  const bill = focusBill([0, 1, 2, 3].map((hour) => ({ day: "2026-09-01", hour, cost: "10", resource: machine, description: "p5.4xlarge instance hours" })));
  for (const [name, text] of [["bill.csv", bill], [`${machine}.csv`, smiLog("2026-09-01", Array.from({ length: 240 }, (_, minute) => (minute < 180 ? 80 : 20)))]] as const) {
    writeFileSync(join(folder, name), text);
    const preview = await engine.ask("import.preview", { files: [join(folder, name)], options: { timezone: "UTC" } });
    if (!preview.ok) throw new Error(preview.error.code);
    expect(await engine.ask("import.post", { plan: preview.value.plan })).toMatchObject({ ok: true });
  }
  await engine.close();
  const ledger = opened(openLedger(path, { create: false }));
  ledger.db.exec("UPDATE gpu_activity_day SET Counter = 'unknown', UsefulGpuHours = NULL");
  ledger.close();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("works out anew what was kept without its counter, and says so until then", async () => {
  const engine = start();
  try {
    expect(await engine.ask("ledger.open", { file: path, create: false })).toMatchObject({ ok: true, value: { hoursWithoutCounter: true } });
    await vi.waitFor(async () => expect(await engine.ask("ledger.status", {})).toMatchObject({ ok: true, value: { hoursWithoutCounter: false } }), { timeout: 30_000, interval: 50 });
    const review = await engine.ask("report.read", { report: "review", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    if (!review.ok) throw new Error(review.error.code);
    // Three hours at 80 % and one at 20 %.
    expect(tiles(review.value).find(({ id }) => id === "gpu-utilization")).toMatchObject({ figure: { value: expect.closeTo(0.65, 2) as number }, note: { params: { counter: { message: { key: "activity-ladder.utilization" } } } } });
  } finally {
    await engine.close();
  }
}, 60_000);
