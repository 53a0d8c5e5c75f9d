import { describe, expect, it } from "vitest";
import { allGpuDays, sweepGenerations, workOutDays } from "../../../../main/engine/hours/work-out.ts";
import { encodeSegments } from "../../../../main/engine/store/traces.ts";
import { decodeGpuChargeHours, encodeGpuChargeHours } from "../../../../main/engine/store/gpu-charge-hours.ts";
import { query, readAll, sumMoney } from "../../../../main/engine/store/sql.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";
import type { IdlePolicy } from "../../../../shared/contract/report.ts";
import { dayOf } from "../../../../shared/domain/period.ts";
import { addDevice, ledgerWith } from "../ledger-with.ts";

const DAY = dayOf("2026-09-07T00:00:00Z");
const DOLLAR = 10n ** 18n;

/** A bill of one 2-GPU machine for 24 hours at 10.00 an hour, and a log batch that is posted. */
function billed(): { ledger: OpenLedger; device: number; log: number } {
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, gpuHours: 2, cost: "10" }));
  const ledger = ledgerWith({
    deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-07", cost: "240", series: { ResourceId: "i-0123456789abcdef0", x_GpuModel: "H100", x_GpuCount: 2 }, hours }] }],
  });
  const device = addDevice(ledger.db, { host: "i-0123456789abcdef0", memoryTotalMiB: 100 });
  return { ledger, device, log: addLog(ledger) };
}

function addLog(ledger: OpenLedger): number {
  const { lastInsertRowid } = ledger.db
    .prepare("INSERT INTO batch (Kind, State, PostedOrder, ImportedAt, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('telemetry', 'posted', 1000, '2026-10-01T00:00:00Z', 'nvidia-smi', 1, 1, 0, '{}')")
    .run();
  return Number(lastInsertRowid);
}

function addTrace(ledger: OpenLedger, batch: number, device: number, metric: string, day: number, segments: readonly (readonly [number, number, number])[]): void {
  const blob = encodeSegments({
    startMs: Uint32Array.from(segments, ([start]) => start * 3_600_000),
    lengthMs: Uint32Array.from(segments, ([start, end]) => (end - start) * 3_600_000),
    value: Float32Array.from(segments, ([, , value]) => value),
  });
  ledger.db.prepare("INSERT INTO gpu_trace VALUES (?, ?, ?, ?, ?, ?)").run(device, metric, day, batch, segments.length, blob);
}

function workOut(ledger: OpenLedger, days: readonly number[], policy: IdlePolicy = defaultIdlePolicy): number {
  const work = { days, policy, withBatches: [], withoutBatches: [], groupGenerations: new Map<number, number>(), control: { isCancelled: () => false, standAside: () => undefined, progress: () => undefined } };
  const { generation, days: done } = workOutDays(ledger.db, work);
  for (const day of done) ledger.db.prepare("INSERT INTO day_generation VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET Generation = excluded.Generation, Policy = excluded.Policy").run(day, generation, JSON.stringify(policy));
  return generation;
}

interface Parts {
  hours: number;
  known: number;
  cost: bigint;
  productive: bigint;
  busy: bigint;
  held: bigint;
  dead: bigint;
  unknown: bigint;
}

function parts(ledger: OpenLedger): Parts | undefined {
  return readAll(ledger.db, query<Parts>("hours", "known", "cost", "productive", "busy", "held", "dead", "unknown")`
    SELECT sum(GpuHours) AS hours, sum(KnownGpuHours) AS known, ${sumMoney("EffectiveCost")} AS cost, ${sumMoney("ProductiveCost")} AS productive,
      ${sumMoney("BusyInefficientCost")} AS busy, ${sumMoney("HeldIdleCost")} AS held, ${sumMoney("DeadIdleCost")} AS dead, ${sumMoney("UnknownCost")} AS unknown
    FROM gpu_hour_cost_current`)[0];
}

describe("working out days", () => {
  it("says what each dollar of a day bought", () => {
    const { ledger, device, log } = billed();
    // One of two GPUs observed: 12 h at 50 %, 6 h idle holding half its memory, 6 h idle and empty.
    addTrace(ledger, log, device, "utilization", DAY, [[0, 12, 50], [12, 24, 0]]);
    addTrace(ledger, log, device, "memory-used", DAY, [[0, 18, 50], [18, 24, 1]]);
    workOut(ledger, [DAY]);
    expect(parts(ledger)).toEqual({ hours: 48, known: 24, cost: 240n * DOLLAR, productive: 30n * DOLLAR, busy: 30n * DOLLAR, held: 30n * DOLLAR, dead: 30n * DOLLAR, unknown: 120n * DOLLAR });
  });

  it("keeps the bill unknown where no log covers it", () => {
    const { ledger } = billed();
    workOut(ledger, [DAY]);
    expect(parts(ledger)).toMatchObject({ hours: 48, known: 0, dead: 0n, unknown: 240n * DOLLAR });
  });

  it("sees an episode across midnight whole although neither day alone would count", () => {
    const { ledger, device, log } = billed();
    const idle = (start: number, length: number): Uint8Array => encodeSegments({ startMs: Uint32Array.of(start), lengthMs: Uint32Array.of(length), value: Float32Array.of(0) });
    const tenMinutes = 600_000;
    ledger.db.prepare("INSERT INTO gpu_trace VALUES (?, 'utilization', ?, ?, 1, ?)").run(device, DAY, log, idle(86_400_000 - tenMinutes, tenMinutes));
    ledger.db.prepare("INSERT INTO gpu_trace VALUES (?, 'utilization', ?, ?, 1, ?)").run(device, DAY + 1, log, idle(0, tenMinutes));
    workOut(ledger, [DAY]);
    const pieces = readAll(ledger.db, query<{ Day: number; IdleSeconds: number }>("Day", "IdleSeconds")`SELECT Day, IdleSeconds FROM idle_episode_current ORDER BY Day`);
    expect(pieces).toEqual([{ Day: DAY, IdleSeconds: 600 }, { Day: DAY + 1, IdleSeconds: 600 }]);
  });

  it("applies a changed policy to history from the stored traces, and leaves nothing of the old generation behind once swept", () => {
    const { ledger, device, log } = billed();
    addTrace(ledger, log, device, "utilization", DAY, [[0, 12, 20], [12, 24, 60]]);
    addTrace(ledger, log, device, "memory-used", DAY, [[0, 24, 0]]);
    workOut(ledger, [DAY]);
    expect(parts(ledger)?.dead).toBe(0n);
    workOut(ledger, allGpuDays(ledger.db), { ...defaultIdlePolicy, idleAtOrUnderPercent: 25, busyAtOrOverPercent: 30 });
    expect(parts(ledger)?.dead).toBe(60n * DOLLAR);
    expect(sweepGenerations(ledger.db)).toBeGreaterThan(0);
    expect(sweepGenerations(ledger.db)).toBe(0);
    expect(parts(ledger)).toMatchObject({ cost: 240n * DOLLAR, dead: 60n * DOLLAR });
  });

  it("lays a bill that states only the day into the hours its machine was seen", () => {
    // 20 GPU-hours of a 2-GPU machine in a day, 100.00; both GPUs seen for ten hours at full load.
    const ledger = ledgerWith({
      deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-07", cost: "100", series: { ResourceId: "vm-1", x_GpuModel: "A100", x_GpuCount: 2 }, hours: Array.from({ length: 24 }, (_, hour) => ({ hour, gpuHours: 20 / 24, cost: hour === 23 ? "4.240" : "4.163478260869565217" })) }] }],
    });
    const blob = ledger.db.prepare<[], { Hours: Uint8Array }>("SELECT Hours FROM gpu_charge_hours").get();
    if (blob === undefined) throw new Error("no hours");
    ledger.db.prepare("UPDATE gpu_charge_hours SET Hours = ?").run(Buffer.from(encodeGpuChargeHours(decodeGpuChargeHours(blob.Hours).map((hour) => ({ ...hour, isSpread: true })))));
    const log = addLog(ledger);
    for (const index of [0, 1]) addTrace(ledger, log, addDevice(ledger.db, { host: "vm-1", index }), "utilization", DAY, [[8, 18, 100]]);
    workOut(ledger, [DAY]);
    const seen = parts(ledger);
    expect(seen?.hours).toBeCloseTo(20, 6);
    expect(seen?.known).toBeCloseTo(20, 6);
    expect(seen).toMatchObject({ productive: seen?.cost, unknown: 0n });
  });

  it("counts the same log imported twice once", () => {
    const { ledger, device, log } = billed();
    const again = addLog(ledger);
    for (const batch of [log, again]) addTrace(ledger, batch, device, "utilization", DAY, [[0, 24, 100]]);
    workOut(ledger, [DAY]);
    expect(parts(ledger)).toMatchObject({ known: 24, productive: 120n * DOLLAR, unknown: 120n * DOLLAR });
  });
});
