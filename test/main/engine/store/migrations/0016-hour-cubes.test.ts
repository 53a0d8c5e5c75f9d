import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { decodeDeviceDay } from "../../../../../main/engine/store/gpu-device-day.ts";
import { decodeGpuSeriesDay, eachHourRun, NO_COST } from "../../../../../main/engine/store/gpu-series-day.ts";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import type { Db } from "../../../../../main/engine/store/sql.ts";
import { opened } from "../../reports/look.ts";

const DAY = 20_700;

function insert(db: Db, table: string, row: Readonly<Record<string, number | bigint | string | null>>): void {
  db.prepare(`INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row).map(() => "?").join(", ")})`).run(...Object.values(row));
}

/** A day of two series: 7 seen, of which an hour is a refund, 9 without a cost; and a device of three hours, one with a counter of its own. */
function fill(db: Db): void {
  const hour = (HourStart: number, SeriesId: number, GpuHours: number) => insert(db, "gpu_hour_cost", { Day: DAY, Generation: 4, HourStart: DAY * 24 + HourStart, SeriesId, GpuHours, KnownGpuHours: 0, UsefulGpuHours: 0, IdleGpuHours: 0, MemoryKnownGpuHours: 0, MemoryUsedGpuHours: 0 });
  hour(0, 7, 2);
  hour(1, 7, 2);
  hour(2, 7, 0.5);
  hour(3, 7, -1);
  hour(23, 9, 8);
  const nothing = { UsefulGpuHours: 0, IdleGpuHours: 0, MemoryKnownGpuHours: 0, MemoryUsedGpuHours: 0 };
  const noParts = Object.fromEntries(["BusyInefficientCost", "HeldIdleCost", "DeadIdleCost", "IdleMemoryUnknownCost"].flatMap((cost): [string, number][] => [[`${cost}Nanos`, 0], [`${cost}Rest`, 0]]));
  insert(db, "gpu_cost_day", {
    Day: DAY, Generation: 4, SeriesId: 7, HourCount: 4, GpuHours: 3.5, KnownGpuHours: 2.25, ...nothing, UsefulGpuHours: 1.5, PricedGpuHours: 3.5, PricedUsefulGpuHours: 1.5,
    EffectiveCostNanos: 9_007_199_254_740_993n, EffectiveCostRest: 5, ProductiveCostNanos: 9_007_199_254_740_993n, ProductiveCostRest: 4, ...noParts, UnknownCostNanos: 0, UnknownCostRest: 1,
  });
  insert(db, "gpu_cost_day", { Day: DAY, Generation: 4, SeriesId: 9, HourCount: 1, GpuHours: 8, KnownGpuHours: 0, ...nothing, PricedGpuHours: 0, PricedUsefulGpuHours: 0 });
  const device = (HourStart: number, values: Record<string, number | null>) => insert(db, "gpu_hour", {
    Day: DAY, Generation: 4, HourStart: DAY * 24 + HourStart, DeviceId: 3, KnownSeconds: 3600, UtilizationMean: 0.5, ActiveUtilizationSeconds: 0, ActiveSeconds: 0, HeldIdleSeconds: 0, DeadIdleSeconds: 0,
    IdleMemoryUnknownSeconds: 0, MemoryKnownSeconds: 0, PowerKnownSeconds: 0, ...values,
  });
  device(5, { HeldIdleSeconds: 600, MemoryKnownSeconds: 3600, MemoryShareP95: 0.12345, MemorySharePeak: 0.25 });
  device(6, { KnownSeconds: 0, UtilizationMean: null, MemoryKnownSeconds: 60, MemoryShareP95: 0.5, MemorySharePeak: 0.75 });
  device(7, { KnownSeconds: 0, UtilizationMean: null, PowerKnownSeconds: 3600 });
  insert(db, "gpu_hour_counter", { Day: DAY, Generation: 4, HourStart: DAY * 24 + 5, DeviceId: 3, Counter: "sm-active", KnownSeconds: 1800, Mean: 0.25, IsActivity: 0 });
}

it("rolls up hours worked out before, unknown apart from zero and money to the atto", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-hours-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: migrations.filter(({ version }) => version < 16) }));
    fill(before.db);
    before.close();
    const { db, close } = opened(openLedger(path, { create: false, migrations: migrations.filter(({ version }) => version <= 16) }));
    const [stored] = db.prepare<[], { Day: number; Generation: number; Series: Uint8Array }>("SELECT * FROM gpu_series_day").all();
    expect(stored).toMatchObject({ Day: DAY, Generation: 4 });
    const day = decodeGpuSeriesDay(stored?.Series ?? new Uint8Array());
    expect([...day.series]).toEqual([7, 9]);
    expect([...day.hourCount]).toEqual([4, 1]);
    expect([...day.gpuHours]).toEqual([3.5e9, 8e9]);
    expect([...day.pricedGpuHours]).toEqual([3.5e9, 0]);
    expect([...day.flags].map((flags) => (flags & NO_COST) !== 0)).toEqual([false, true]);
    expect([...day.seenAt]).toEqual([0]);
    expect([...day.seen.KnownGpuHours]).toEqual([2.25e9]);
    expect(BigInt(day.parts.ProductiveCost.high[0] ?? 0) * 2n ** 32n + BigInt(day.parts.ProductiveCost.low[0] ?? 0)).toBe(9_007_199_254_740_993n);
    expect([day.cost.rest[0], day.parts.ProductiveCost.rest[0], day.parts.UnknownCost.rest[0]]).toEqual([5, 4, 1]);
    const ran: [number, number, number][] = [];
    eachHourRun(day, (place, hour, gpuHours) => ran.push([place, hour, gpuHours]));
    expect(ran).toEqual([[0, 0, 2], [0, 1, 2], [0, 2, 0.5], [1, 23, 8]]);

    const devices = db.prepare<[], { DeviceId: number; Hours: Uint8Array }>("SELECT DeviceId, Hours FROM gpu_device_day").all();
    expect(devices.map(({ DeviceId, Hours }) => [DeviceId, decodeDeviceDay(Hours)])).toEqual([[3, {
      memoryPeak: 0.75,
      counters: [{ counter: "sm-active", isActivity: false, seconds: 1800, sum: 450 }],
      hours: [
        { hour: 5, knownSeconds: 3600, utilizationMean: 0.5, heldSeconds: 600, deadSeconds: 0, idleMemoryUnknownSeconds: 0, hasCounters: true, memoryKnownSeconds: 3600, memoryP95: 0.1235 },
        { hour: 6, knownSeconds: 0, utilizationMean: null, heldSeconds: 0, deadSeconds: 0, idleMemoryUnknownSeconds: 0, hasCounters: false, memoryKnownSeconds: 60, memoryP95: 0.5 },
      ],
    }]]);
    close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
