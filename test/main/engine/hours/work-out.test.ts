import { describe, expect, it } from "vitest";
import { allGpuDays, sweepGenerations, workOutDays } from "../../../../main/engine/hours/work-out.ts";
import { encodeSegments } from "../../../../main/engine/store/traces.ts";
import { decodeGpuChargeHours, encodeGpuChargeHours } from "../../../../main/engine/store/gpu-charge-hours.ts";
import { query, readAll, sumMoney } from "../../../../main/engine/store/sql.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";
import type { IdlePolicy } from "../../../../shared/contract/report.ts";
import { dayOf } from "../../../../shared/domain/period.ts";
import { addDevice, ledgerWith, sumsOfDay } from "../ledger-with.ts";

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

  it("adds the hours up by day and series as SQL does, where machines were seen and where they were not", () => {
    const machine = (resource: string, cost: string) => ({
      day: "2026-09-07",
      cost,
      series: { ResourceId: resource, x_GpuModel: "H100", x_GpuCount: 2 },
      hours: Array.from({ length: 24 }, (_, hour) => ({ hour, gpuHours: 2, cost: "1.000000000000000001" })),
    });
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [machine("i-0123456789abcdef0", "24"), machine("i-0123456789abcdef1", "24")] }] });
    const log = addLog(ledger);
    const device = addDevice(ledger.db, { host: "i-0123456789abcdef0", memoryTotalMiB: 100 });
    addTrace(ledger, log, device, "utilization", DAY, [[0, 9, 35], [9, 20, 0]]);
    addTrace(ledger, log, device, "memory-used", DAY, [[0, 12, 50], [12, 24, 1]]);
    const generation = workOut(ledger, [DAY]);
    // Nanos may carry over from the rest below them: as whole attos both are the same.
    const inAttos = (row: unknown[]): unknown[] => [...row.slice(0, 12), ...Array.from({ length: 7 }, (_, pair) => BigInt(row[12 + 2 * pair] as bigint) * 10n ** 9n + BigInt(row[13 + 2 * pair] as bigint))];
    const read = (text: string): unknown[][] => ledger.db.prepare<[], unknown[]>(text).safeIntegers().raw().all().map(inAttos);
    const kept = read(`SELECT * FROM gpu_cost_day WHERE Generation = ${generation} ORDER BY SeriesId`);
    const added = read(sumsOfDay(DAY, generation));
    expect(kept).toHaveLength(2);
    kept.forEach((row, index) => row.forEach((value, column) => {
      if (typeof value === "number") expect(value).toBeCloseTo(added[index]?.[column] as number, 7);
      else expect(value).toBe(added[index]?.[column]);
    }));
    expect(kept[0]?.slice(12)).toEqual([24n * DOLLAR + 24n, ...(kept[0] ?? []).slice(13)]);
    expect((kept[0] ?? []).slice(13).reduce<bigint>((sum, part) => sum + (part as bigint), 0n)).toBe(24n * DOLLAR + 24n);
  });

  it("works out a bill that is too long to be held at once in pieces, every hour once", () => {
    const days = Array.from({ length: 30 }, (_, index) => `2026-09-${String(index + 1).padStart(2, "0")}`);
    const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, gpuHours: 8, cost: "-0.0000000005" }));
    const cells = Array.from({ length: 90 }, (_, machine) => days.map((day) => ({ day, cost: "-0.000000012", series: { ResourceId: `i-${machine}`, x_GpuModel: "H100", x_GpuCount: 8 }, hours }))).flat();
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells }] });
    const counted = ledger.db.prepare("SELECT count(*) AS rows, count(DISTINCT HourStart) AS hours, count(DISTINCT SeriesId) AS series, sum(GpuHours) AS gpuHours FROM gpu_hour_cost_current").get();
    expect(counted).toEqual({ rows: 90 * 720, hours: 720, series: 90, gpuHours: 90 * 720 * 8 });
    expect(parts(ledger)).toMatchObject({ cost: -90n * 720n * 500_000_000n, unknown: -90n * 720n * 500_000_000n });
    expect(ledger.db.prepare("SELECT count(*) AS days, sum(HourCount) AS hours, sum(PricedGpuHours) AS priced FROM gpu_cost_day_current").get()).toEqual({ days: 90 * 30, hours: 90 * 720, priced: 90 * 720 * 8 });
  }, 30_000);

  it("adds what two bills of different payers say of one series and hour, credits too", () => {
    const series = { BillingAccountId: "1", ResourceId: "i-1", x_GpuModel: "H100", x_GpuCount: 1 };
    const cell = (cost: string, gpuHours: number) => ({ day: "2026-09-07", cost, series, hours: [{ hour: 3, gpuHours, cost }] });
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", billingAccount: "1", cells: [cell("2.5", 1)] }, { month: "2026-09", billingAccount: "2", cells: [cell("-2.5000000000000001", 0.5)] }] });
    expect(ledger.db.prepare("SELECT count(*) AS rows FROM gpu_hour_cost_current").get()).toEqual({ rows: 1 });
    expect(parts(ledger)).toMatchObject({ hours: 1.5, cost: -100n, unknown: -100n });
  });
});
