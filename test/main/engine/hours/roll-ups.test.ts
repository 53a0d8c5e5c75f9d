import { describe, expect, it } from "vitest";
import { workOutDays } from "../../../../main/engine/hours/work-out.ts";
import { noControl } from "../../../../main/engine/import/control.ts";
import { showHours } from "../../../../main/engine/import/post.ts";
import { readPivot } from "../../../../main/engine/pivot/pivot.ts";
import { deviceMonth } from "../../../../main/engine/reports/device-month.ts";
import { gather } from "../../../../main/engine/reports/gather.ts";
import { decodeDeviceDay } from "../../../../main/engine/store/gpu-device-day.ts";
import { costParts, decodeGpuSeriesDay, eachHourRun, NO_COST, seenHours, type AmountColumn } from "../../../../main/engine/store/gpu-series-day.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { encodeSegments } from "../../../../main/engine/store/traces.ts";
import type { PivotDimension, PivotFilter } from "../../../../shared/contract/pivot.ts";
import { defaultIdlePolicy, type IdlePolicy } from "../../../../shared/contract/report.ts";
import { dayOf } from "../../../../shared/domain/period.ts";
import { addDevice, dumpViews, flip, ledgerWith, stageDelivery } from "../ledger-with.ts";
import { contextOf } from "../reports/company.ts";

/**
 * The roll-ups of GPU hours say what the hours themselves say, added up here hour by hour: after bills and logs of any shape, after an undo and
 * after another idle policy.
 */
const FIRST = dayOf("2026-09-28T00:00:00Z");
const DAYS = ["2026-09-28", "2026-09-29", "2026-09-30", "2026-10-01", "2026-10-02"];
const teams = ["vision", "search", null];
const regions = ["us-east-1", "eu-west-1"];
const lenient: IdlePolicy = { ...defaultIdlePolicy, idleAtOrUnderPercent: 30, busyAtOrOverPercent: 40, minimumSeconds: 60 };

function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Six machines, of which some are in logs; hours and amounts at random, refunds and parts of hours among them. */
function randomLedger(seed: number): { readonly ledger: OpenLedger; readonly bill: number; readonly logs: readonly number[] } {
  const random = chance(seed);
  const ledger = ledgerWith();
  const cells = (from: number, months: (day: string) => boolean) => Array.from({ length: 6 }, (_, machine) => machine).flatMap((machine) => DAYS.filter(months).map((day) => {
    const hours = Array.from({ length: 24 }, (_, hour) => hour).filter(() => random(5) > 0).map((hour) => {
      const gpuHours = random(12) === 0 ? -1 : random(4) === 0 ? 0.25 * (1 + random(7)) : 2;
      return { hour, gpuHours, cost: `${gpuHours < 0 ? "-" : ""}${random(9)}.${String(random(1e9)).padStart(9, "0")}${String(random(1e9)).padStart(9, "0")}` };
    });
    return { day, cost: "1", hours, series: { ResourceId: `i-0123456789abcde${from}${machine}`, x_GpuModel: "H100", x_GpuCount: 2, x_Team: teams[machine % 3] ?? null, RegionId: regions[machine % 2] ?? null } };
  }));
  const september = stageDelivery(ledger.db, { month: "2026-09", cells: cells(0, (day) => day.startsWith("2026-09")) });
  const october = stageDelivery(ledger.db, { month: "2026-10", cells: cells(0, (day) => day.startsWith("2026-10")) });
  flip(ledger, { withBatches: [september, october], withoutBatches: [] });
  const other = stageDelivery(ledger.db, { month: "2026-09", billingAccount: "2", cells: cells(1, (day) => day.startsWith("2026-09")) });
  const logs = [0, 1].map((log) => {
    const batch = Number(ledger.db.prepare("INSERT INTO batch (Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('telemetry', 'staging', 'nvidia-smi', 1, 1, 0, '{}')").run().lastInsertRowid);
    for (let machine = log * 2; machine < log * 2 + 3; machine += 1) for (const card of [0, 1]) addCard(ledger, batch, machine, card, random);
    return batch;
  });
  flip(ledger, { withBatches: [other, ...logs], withoutBatches: [] });
  return { ledger, bill: other, logs };
}

function addCard(ledger: OpenLedger, batch: number, machine: number, card: number, random: (below: number) => number): void {
  const host = `i-0123456789abcde0${machine}`;
  const known = ledger.db.prepare<[string, number], number>("SELECT DeviceId FROM device WHERE Host = ? AND DeviceIndex = ?").pluck().get(host, card);
  const device = known ?? addDevice(ledger.db, { host, index: card, gpuModel: card === 0 ? "H100" : null, memoryTotalMiB: 100 });
  if (card === 1) ledger.db.prepare("UPDATE device SET Share = 0.5 WHERE DeviceId = ?").run(device);
  const metrics = ["utilization", "memory-used", ...(machine % 2 === 0 ? ["engine-active", "sm-active"] : [])];
  for (const metric of metrics) {
    DAYS.forEach((_, day) => {
      if (random(6) === 0) return;
      const segments: [number, number, number][] = [];
      for (let at = random(3_600_000); at < 86_000_000; at += 60_000 + random(9_000_000)) segments.push([at, 0, random(3) === 0 ? 0 : random(101)]);
      segments.forEach((segment, index) => (segment[1] = Math.min(86_400_000, segments[index + 1]?.[0] ?? 86_400_000) - segment[0] - (random(4) === 0 ? 30_000 : 0)));
      const blob = encodeSegments({ startMs: Uint32Array.from(segments, ([start]) => start), lengthMs: Uint32Array.from(segments, ([, length]) => length), value: Float32Array.from(segments, ([, , value]) => value) });
      ledger.db.prepare("INSERT INTO gpu_trace VALUES (?, ?, ?, ?, ?, ?)").run(device, metric, FIRST + day, batch, segments.length, blob);
    });
  }
}

function applyPolicy(ledger: OpenLedger, policy: IdlePolicy): void {
  const days = DAYS.map((_, index) => FIRST + index);
  const { generation, days: done } = workOutDays(ledger.db, { days, policy, withBatches: [], withoutBatches: [], groupGenerations: new Map(), control: noControl });
  showHours(ledger.db, { generation, days: done, policy });
  ledger.bump();
}

type Row = Record<string, number | bigint | string | null>;

function rowsOf(ledger: OpenLedger, text: string): Row[] {
  return ledger.db.prepare<[], Row>(text).safeIntegers().all().map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" && !/Nanos|Rest/.test(name) ? Number(value) : value])));
}

function attosIn(row: Row, column: string): bigint | null {
  const [nanos, rest] = [row[`${column}Nanos`], row[`${column}Rest`]];
  return typeof nanos === "bigint" && typeof rest === "bigint" ? nanos * 10n ** 9n + rest : null;
}

function amountAt({ low, high, rest }: AmountColumn, place: number): bigint {
  return (BigInt(high[place] ?? 0) * 2n ** 32n + BigInt(low[place] ?? 0)) * 10n ** 9n + BigInt(rest[place] ?? 0);
}

/** Hours as whole billionths, which is what they are kept as. */
function billionths(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 1e9), 0);
}

function sameSeries(ledger: OpenLedger): void {
  const hours = Map.groupBy(rowsOf(ledger, "SELECT * FROM gpu_hour_cost_current"), ({ Day, SeriesId }) => `${Day} ${SeriesId}`);
  const seen = new Set<string>();
  for (const { Day, Series } of ledger.db.prepare<[], { Day: number; Series: Uint8Array }>("SELECT * FROM gpu_series_day_current").all()) {
    const day = decodeGpuSeriesDay(Series);
    const ran = new Map<string, number>();
    eachHourRun(day, (place, hour, gpuHours) => ran.set(`${place} ${hour}`, gpuHours));
    for (let place = 0; place < day.count; place += 1) {
      const key = `${Day} ${day.series[place]}`;
      const own = hours.get(key) ?? [];
      seen.add(key);
      const seenPlace = day.seenAt.indexOf(place);
      const stated = own.filter((row) => attosIn(row, "EffectiveCost") !== null);
      expect(day.hourCount[place]).toBe(own.length);
      expect(day.gpuHours[place]).toBe(billionths(own, "GpuHours"));
      expect(day.pricedGpuHours[place]).toBe(billionths(stated, "GpuHours"));
      expect(((day.flags[place] ?? 0) & NO_COST) !== 0).toBe(stated.length === 0);
      expect(amountAt(day.cost, place)).toBe(stated.reduce((sum, row) => sum + (attosIn(row, "EffectiveCost") ?? 0n), 0n));
      for (const part of costParts) {
        const expected = stated.reduce((sum, row) => sum + (attosIn(row, part) ?? 0n), 0n);
        expect(seenPlace < 0 ? (part === "UnknownCost" ? amountAt(day.cost, place) : 0n) : amountAt(day.parts[part], seenPlace)).toBe(expected);
      }
      for (const way of seenHours) {
        const expected = way === "PricedUsefulGpuHours" ? billionths(stated, "UsefulGpuHours") : billionths(own, way);
        expect(seenPlace < 0 ? 0 : day.seen[way][seenPlace]).toBe(expected);
      }
      for (let hour = 0; hour < 24; hour += 1) {
        const gpuHours = Number(own.find(({ HourStart }) => Number(HourStart) === Day * 24 + hour)?.["GpuHours"] ?? 0);
        expect(ran.get(`${place} ${hour}`) ?? 0).toBe(Math.max(0, gpuHours));
      }
    }
  }
  expect(seen).toEqual(new Set(hours.keys()));
}

function sameDevices(ledger: OpenLedger): void {
  const rows = Map.groupBy(rowsOf(ledger, "SELECT * FROM gpu_hour_current WHERE KnownSeconds > 0 OR MemoryKnownSeconds > 0 ORDER BY HourStart"), ({ Day, DeviceId }) => `${Day} ${DeviceId}`);
  const counted = Map.groupBy(rowsOf(ledger, "SELECT * FROM gpu_hour_counter_current"), ({ Day, DeviceId }) => `${Day} ${DeviceId}`);
  const blobs = new Map(ledger.db.prepare<[], { Day: number; DeviceId: number; Hours: Uint8Array }>("SELECT * FROM gpu_device_day_current").all().map(({ Day, DeviceId, Hours }) => [`${Day} ${DeviceId}`, decodeDeviceDay(Hours)]));
  expect(new Set(blobs.keys())).toEqual(new Set([...rows.keys(), ...counted.keys()]));
  for (const [key, day] of blobs) {
    const [own, counters] = [rows.get(key) ?? [], counted.get(key) ?? []];
    const countedHours = new Set(counters.map(({ HourStart }) => HourStart));
    expect(day.hours).toEqual(own.map((row) => ({
      hour: Number(row["HourStart"]) % 24, knownSeconds: row["KnownSeconds"], utilizationMean: row["UtilizationMean"], heldSeconds: row["HeldIdleSeconds"], deadSeconds: row["DeadIdleSeconds"],
      idleMemoryUnknownSeconds: row["IdleMemoryUnknownSeconds"], hasCounters: countedHours.has(row["HourStart"] ?? null), memoryKnownSeconds: row["MemoryKnownSeconds"],
      memoryP95: row["MemoryShareP95"] === null ? null : Number(Number(row["MemoryShareP95"]).toFixed(4)),
    })));
    const peaks = own.flatMap((row) => (row["MemorySharePeak"] === null ? [] : [Number(row["MemorySharePeak"])]));
    expect(day.memoryPeak).toBe(peaks.length === 0 ? null : Math.max(...peaks));
    for (const { counter, isActivity, seconds, sum } of day.counters) {
      const same = counters.filter((row) => row["Counter"] === counter && row["IsActivity"] === (isActivity ? 1 : 0));
      expect(seconds).toBeCloseTo(same.reduce((total, row) => total + Number(row["KnownSeconds"]), 0), 6);
      expect(sum).toBeCloseTo(same.reduce((total, row) => total + Number(row["KnownSeconds"]) * Number(row["Mean"]), 0), 6);
    }
    expect(day.counters.length).toBe(new Set(counters.map((row) => `${row["Counter"]} ${row["IsActivity"]}`)).size);
  }
}

/** The map of hosts and what stands beside it, against sums that SQL makes of the hours. */
function sameMonth(ledger: OpenLedger, month: string): void {
  const { hours, observed, bands } = deviceMonth(contextOf(ledger), month);
  const first = dayOf(`${month}-01T00:00:00Z`);
  const byHour = rowsOf(ledger, `SELECT d.Host, h.HourStart, sum(h.KnownSeconds * d.Share) AS known, sum((h.HeldIdleSeconds + h.DeadIdleSeconds + h.IdleMemoryUnknownSeconds) * d.Share) AS idle, sum(h.UtilizationMean * h.KnownSeconds * d.Share) AS useful
    FROM gpu_hour_current h JOIN device d ON d.DeviceId = h.DeviceId WHERE h.KnownSeconds > 0 AND strftime('%Y-%m', h.Day * 86400, 'unixepoch') = '${month}' GROUP BY 1, 2`);
  let known = 0;
  for (const row of byHour) {
    const own = hours.get(String(row["Host"]));
    const at = Number(row["HourStart"]) - first * 24;
    expect(own?.known[at]).toBeCloseTo(Number(row["known"]), 6);
    expect(own?.useful[at]).toBeCloseTo(Number(row["useful"]), 6);
    expect((own?.held[at] ?? 0) + (own?.dead[at] ?? 0) + (own?.idleMemoryUnknown[at] ?? 0)).toBeCloseTo(Number(row["idle"]), 6);
    known += Number(row["known"]);
  }
  expect([...hours.values()].reduce((sum, own) => sum + own.known.filter((seconds) => seconds > 0).length, 0)).toBe(byHour.length);
  expect(observed.reduce((sum, host) => sum + host.known, 0)).toBeCloseTo(known, 4);
  expect(bands.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(known, 4);
}

const dimensionColumns: Partial<Record<PivotDimension, string>> = { day: "date(h.Day * 86400, 'unixepoch')", month: "strftime('%Y-%m', h.Day * 86400, 'unixepoch')", team: "s.x_Team", region: "s.RegionId", resource: "s.ResourceId", account: "s.SubAccountId" };

/** A page of the Ledger screen against the hours themselves. */
function samePivot(ledger: OpenLedger, by: readonly PivotDimension[], filters: readonly PivotFilter[], where: string): void {
  const gathered = gather(contextOf(ledger), { period: "2026-Q3", scope: {}, basis: "EffectiveCost", currency: "USD" });
  if (gathered === null) throw new Error("a quarter is a period");
  const page = readPivot(gathered, { view: { table: "gpu-hours", by, filters, sort: null }, offset: 0, limit: 500 });
  if (!page.ok) throw new Error(page.error.code);
  const rows = Map.groupBy(rowsOf(ledger, `SELECT h.*, json_array(${by.map((dimension) => dimensionColumns[dimension]).join(", ")}) AS key FROM gpu_hour_cost_current h JOIN series s ON s.SeriesId = h.SeriesId WHERE h.Day < ${dayOf("2026-10-01T00:00:00Z")} AND ${where}`), ({ key }) => String(key));
  expect(new Set(page.value.rows.map(({ keys }) => JSON.stringify(keys)))).toEqual(new Set(rows.keys()));
  const sum = (own: readonly Row[], columns: readonly string[]): bigint => own.reduce((total, row) => columns.reduce((attos, column) => attos + (attosIn(row, column) ?? 0n), total), 0n);
  const amounts = [["EffectiveCost"], ["HeldIdleCost", "DeadIdleCost", "IdleMemoryUnknownCost"], ["UnknownCost"]];
  for (const { keys, values } of page.value.rows) {
    const own = rows.get(JSON.stringify(keys)) ?? [];
    expect(values.slice(0, 3).map(({ value }) => value)).toEqual(amounts.map((columns) => sum(own, columns)));
    ["GpuHours", "KnownGpuHours", "UsefulGpuHours", "IdleGpuHours"].forEach((column, index) => expect(values[3 + index]?.value).toBeCloseTo(billionths(own, column) / 1e9, 6));
  }
  const all = [...rows.values()].flat();
  expect(page.value.total.slice(0, 3).map(({ value }) => value)).toEqual(all.length === 0 ? [null, null, null] : amounts.map((columns) => sum(all, columns)));
}

function same(ledger: OpenLedger): void {
  sameSeries(ledger);
  sameDevices(ledger);
  for (const month of ["2026-09", "2026-10"]) sameMonth(ledger, month);
  samePivot(ledger, ["day"], [{ dimension: "team", among: ["vision", null] }], "(s.x_Team = 'vision' OR s.x_Team IS NULL)");
  samePivot(ledger, ["month", "region"], [], "1");
  samePivot(ledger, ["resource", "day"], [{ dimension: "region", contains: "EAST" }, { dimension: "day", among: ["2026-09-29", "2026-09-30"] }], `s.RegionId = 'us-east-1' AND h.Day > ${FIRST}`);
  samePivot(ledger, ["team"], [{ dimension: "team", among: ["nobody"] }], "0");
}

describe("the roll-ups of GPU hours", () => {
  it.each([1, 2, 3])("say what the hours say, after an undo and another policy too (%i)", (seed) => {
    const { ledger, bill, logs } = randomLedger(seed);
    same(ledger);
    const before = dumpViews(ledger.db);
    flip(ledger, { withBatches: [], withoutBatches: [logs[0] as number] });
    same(ledger);
    flip(ledger, { withBatches: [], withoutBatches: [bill] });
    same(ledger);
    flip(ledger, { withBatches: [bill, logs[0] as number], withoutBatches: [] });
    expect(dumpViews(ledger.db)).toBe(before);
    applyPolicy(ledger, lenient);
    same(ledger);
    expect(dumpViews(ledger.db)).not.toBe(before);
    applyPolicy(ledger, defaultIdlePolicy);
    expect(dumpViews(ledger.db)).toBe(before);
  }, 240_000);
});
