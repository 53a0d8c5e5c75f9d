import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { opened } from "../../reports/look.ts";

const upTo = (version: number) => migrations.filter((migration) => migration.version <= version);

it("keeps the counter of hours worked out before where it can be told, and says unknown where two counters met", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-counters-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: upTo(9) }));
    const { db } = before;
    const insert = (table: string, row: Readonly<Record<string, string | number | Uint8Array>>): void => {
      const columns = Object.keys(row);
      db.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`).run(...Object.values(row));
    };
    insert("batch", { BatchId: 1, Kind: "telemetry", State: "posted", PostedOrder: 1, ImportedAt: "2026-10-01T00:00:00Z", FormatId: "dcgm-exporter", RowsRead: 1, RowsPosted: 1, RowsSetAside: 0, Report: "{}" });
    for (const device of [1, 2]) insert("device", { DeviceId: device, DeviceKey: `node-${device}`, Host: `node-${device}`, DeviceIndex: 0, Share: 1 });
    // Day 100 by GPU-Util alone; day 101 all by the engine's counter; day 102 one device by each.
    const days = [[100, [1, 2], []], [101, [1, 2], [1, 2]], [102, [1, 2], [1]]] as const;
    for (const [day, devices, byEngine] of days) {
      for (const device of devices) {
        insert("gpu_hour", { Day: day, Generation: 4, HourStart: day * 24, DeviceId: device, KnownSeconds: 3600, UtilizationMean: 0.5, ActiveUtilizationSeconds: 1800, ActiveSeconds: 3600, HeldIdleSeconds: 0, DeadIdleSeconds: 0, IdleMemoryUnknownSeconds: 0, MemoryKnownSeconds: 0, PowerKnownSeconds: 0 });
      }
      for (const device of byEngine) {
        insert("gpu_hour_counter", { Day: day, Generation: 4, HourStart: day * 24, DeviceId: device, Counter: "engine-active", KnownSeconds: 3600, Mean: 0.5, IsActivity: 1 });
        insert("gpu_trace", { BatchId: 1, DeviceId: device, Day: day, Metric: "engine-active", Segments: Uint8Array.of(), SampleCount: 60 });
      }
      insert("gpu_cost_day", { Day: day, Generation: 4, SeriesId: 7, HourCount: 1, GpuHours: 4, KnownGpuHours: 2, UsefulGpuHours: 1, IdleGpuHours: 0, MemoryKnownGpuHours: 0, MemoryUsedGpuHours: 0, PricedGpuHours: 4, PricedUsefulGpuHours: 1 });
    }
    // Billed and not seen: no counter measured anything.
    insert("gpu_cost_day", { Day: 103, Generation: 4, SeriesId: 7, HourCount: 1, GpuHours: 4, KnownGpuHours: 0, UsefulGpuHours: 0, IdleGpuHours: 0, MemoryKnownGpuHours: 0, MemoryUsedGpuHours: 0, PricedGpuHours: 4, PricedUsefulGpuHours: 0 });
    before.close();
    const after = opened(openLedger(path, { create: false, migrations: upTo(10) }));
    expect(after.db.prepare("SELECT Day, Generation, SeriesId, Counter, KnownGpuHours, UsefulGpuHours FROM gpu_activity_day ORDER BY Day").all()).toEqual([
      { Day: 100, Generation: 4, SeriesId: 7, Counter: "utilization", KnownGpuHours: 2, UsefulGpuHours: 1 },
      { Day: 101, Generation: 4, SeriesId: 7, Counter: "engine-active", KnownGpuHours: 2, UsefulGpuHours: 1 },
      { Day: 102, Generation: 4, SeriesId: 7, Counter: "unknown", KnownGpuHours: 2, UsefulGpuHours: null },
    ]);
    after.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
