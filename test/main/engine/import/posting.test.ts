import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noControl } from "../../../../main/engine/import/control.ts";
import { prepareFlip } from "../../../../main/engine/import/post.ts";
import { sweepAfterFlip, sweepAtOpen } from "../../../../main/engine/import/sweep.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { encodeSegments } from "../../../../main/engine/store/traces.ts";
import { query, readAll, sumMoney } from "../../../../main/engine/store/sql.ts";
import { workOutDays } from "../../../../main/engine/hours/work-out.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";
import { dayOf } from "../../../../shared/domain/period.ts";
import { addDelivery, addDevice, dumpViews, flip, ledgerWith, stageDelivery, type DeliverySpec } from "../ledger-with.ts";

const day = (number: number): string => `2026-09-${String(number).padStart(2, "0")}`;
const cell = (account: string, on: number, cost: string) => ({ day: day(on), series: { SubAccountId: account }, cost });

const monthTotals = query<{ Month: string; rows: number; cost: bigint }>("Month", "rows", "cost")`
  SELECT Month, sum(RowCount) AS rows, ${sumMoney("BilledCost")} AS cost FROM charge_month_current GROUP BY Month ORDER BY Month`;
const dayTotals = query<{ Day: number; cost: bigint }>("Day", "cost")`
  SELECT Day, ${sumMoney("BilledCost")} AS cost FROM charge_day_current GROUP BY Day ORDER BY Day`;
const unit = 10n ** 18n;

describe("posting a delivery", () => {
  it("replaces what the delivery covers and keeps the rest of the older one", () => {
    const ledger = ledgerWith({
      deliveries: [
        { month: "2026-09", cells: [cell("a", 1, "1"), cell("a", 2, "2"), cell("a", 3, "4")] },
        { month: "2026-09", cells: [cell("a", 2, "20"), cell("a", 3, "40")] },
      ],
    });
    expect(readAll(ledger.db, monthTotals)).toEqual([{ Month: "2026-09", rows: 3, cost: 61n * unit }]);
    expect(readAll(ledger.db, dayTotals).map(({ cost }) => cost / unit)).toEqual([1n, 20n, 40n]);
  });

  it("lets an account and day that a newer delivery covers without rows show nothing", () => {
    const ledger = ledgerWith({
      deliveries: [
        { month: "2026-09", cells: [cell("a", 1, "1"), cell("b", 1, "2")] },
        { month: "2026-09", coversAllAccounts: true, cells: [cell("a", 1, "10")] },
      ],
    });
    expect(readAll(ledger.db, monthTotals)).toEqual([{ Month: "2026-09", rows: 1, cost: 10n * unit }]);
  });

  it("lets deliveries of other accounts, kinds, providers and months stand beside each other", () => {
    const ledger = ledgerWith({
      deliveries: [
        { month: "2026-09", cells: [cell("a", 1, "1")] },
        { month: "2026-09", billingAccount: "2", cells: [cell("a", 1, "2")] },
        { month: "2026-09", datasetKind: "cash", cells: [cell("a", 1, "4")] },
        { month: "2026-09", provider: null, billingAccount: null, cells: [cell("a", 1, "8")] },
        { month: "2026-08", cells: [cell("a", 1, "16")] },
      ],
    });
    expect(readAll(ledger.db, monthTotals).map(({ cost }) => cost / unit)).toEqual([16n, 15n]);
  });

  it("keeps a cost that no row states unknown", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [{ day: day(1), BilledCost: "1", EffectiveCost: "1", ContractedCost: null }] }] });
    expect(ledger.db.prepare("SELECT ListCostNanos, ContractedCostRest FROM charge_month_current").get()).toEqual({ ListCostNanos: null, ContractedCostRest: null });
  });

  it("takes back an undone batch without a trace, and shows it again in its old place when redone", () => {
    const ledger = ledgerWith();
    const older = addDelivery(ledger, { month: "2026-09", cells: [cell("a", 1, "1"), cell("a", 2, "2")] });
    const before = dumpViews(ledger.db);
    const newer = addDelivery(ledger, { month: "2026-09", cells: [cell("a", 2, "20")] });
    const after = dumpViews(ledger.db);
    flip(ledger, { withBatches: [], withoutBatches: [newer] });
    expect(dumpViews(ledger.db)).toBe(before);
    flip(ledger, { withBatches: [newer], withoutBatches: [] });
    expect(dumpViews(ledger.db)).toBe(after);
    flip(ledger, { withBatches: [], withoutBatches: [older] });
    flip(ledger, { withBatches: [older], withoutBatches: [] });
    expect(dumpViews(ledger.db)).toBe(after);
  });

  it("keeps the cells of the last three deliveries; undoing back to an older one is refused", () => {
    const ledger = ledgerWith();
    const batches = [1, 2, 3, 4].map((cost) => addDelivery(ledger, { month: "2026-09", cells: [cell("a", 1, String(cost))] }));
    sweepAfterFlip(ledger.db, noControl);
    const cells = ledger.db.prepare("SELECT d.BatchId, d.CellsKept, count(c.DeliveryId) FROM delivery d LEFT JOIN charge_day c ON c.DeliveryId = d.DeliveryId GROUP BY d.DeliveryId").raw().all();
    expect(cells).toEqual([[batches[0], 0, 0], [batches[1], 1, 1], [batches[2], 1, 1], [batches[3], 1, 1]]);
    for (const batch of batches.slice(2)) flip(ledger, { withBatches: [], withoutBatches: [batch] });
    const refused = prepareFlip(ledger.db, { withBatches: [], withoutBatches: [batches[1] as number] }, { policy: defaultIdlePolicy, control: noControl, workOutDays });
    expect(refused).toEqual({ ok: false, error: { code: "batch.cells-gone", params: { batch: batches[1] } } });
  });

  it("sweeps what a killed import staged", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [cell("a", 1, "1")] }] });
    const before = dumpViews(ledger.db);
    const batch = stageDelivery(ledger.db, { month: "2026-09", cells: [cell("a", 1, "2"), cell("b", 2, "3")] });
    prepareFlip(ledger.db, { withBatches: [batch], withoutBatches: [] }, { policy: defaultIdlePolicy, control: noControl, workOutDays });
    sweepAtOpen(ledger.db);
    expect(dumpViews(ledger.db)).toBe(before);
    for (const table of ["batch", "delivery", "charge_day", "source_file"]) expect(ledger.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(1);
    expect(ledger.db.prepare("SELECT count(DISTINCT Generation) FROM charge_month").pluck().get()).toBe(1);
  });
});

/** The rule of the architecture, said plainly: of the deliveries not undone, each account and day shows the newest that covers it. */
function naive(deliveries: readonly { readonly spec: DeliverySpec; readonly isLive: boolean }[]): string[] {
  const shown: string[] = [];
  for (const account of ["a", "b", "c"]) {
    for (let on = 1; on <= 5; on += 1) {
      const owner = deliveries.findLast(({ spec, isLive }) => {
        const days = spec.cells.map((cell) => cell.day).sort();
        const covers = spec.coversAllAccounts === true || spec.cells.some((cell) => cell.series?.SubAccountId === account);
        return isLive && covers && day(on) >= (spec.firstDay ?? days[0] ?? "") && day(on) <= (spec.lastDay ?? days.at(-1) ?? "");
      });
      for (const cell of owner?.spec.cells ?? []) if (cell.day === day(on) && cell.series?.SubAccountId === account) shown.push(`${account} ${on} ${cell.cost}`);
    }
  }
  return shown.sort();
}

function shownCells(ledger: OpenLedger): string[] {
  return readAll(ledger.db, query<{ account: string; on: number; cost: bigint }>("account", "on", "cost")`
    SELECT s.SubAccountId AS account, c.Day - unixepoch('2026-08-31') / 86400 AS "on", ${sumMoney("BilledCost", "c")} AS cost
    FROM charge_day_current c JOIN series s ON s.SeriesId = c.SeriesId
    GROUP BY c.Day, c.SeriesId`).map(({ account, on, cost }) => `${account} ${on} ${cost / unit}`).sort();
}

describe("any sequence of import, undo and redo", () => {
  const cells = fc.uniqueArray(fc.record({ account: fc.constantFrom("a", "b", "c"), on: fc.integer({ min: 1, max: 5 }) }), { minLength: 1, maxLength: 6, selector: ({ account, on }) => account + String(on) });
  const importing = fc.record({ kind: fc.constant("import" as const), cells, coversAll: fc.boolean(), whole: fc.boolean() });
  const toggling = fc.record({ kind: fc.constant("toggle" as const), which: fc.nat() });

  it("shows what the rule says, by day and by month, and undo restores every byte", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(importing, toggling), { maxLength: 12 }), (steps) => {
        const ledger = ledgerWith();
        const model: { spec: DeliverySpec; isLive: boolean; batch: number }[] = [];
        let nextCost = 1;
        for (const step of steps) {
          if (step.kind === "import") {
            // Three deliveries keep their cells whatever happens; more would meet the refusal tested above.
            if (model.length === 3) continue;
            const spec: DeliverySpec = {
              month: "2026-09",
              coversAllAccounts: step.coversAll,
              ...(step.whole ? { firstDay: day(1), lastDay: day(5) } : {}),
              cells: step.cells.map(({ account, on }) => cell(account, on, String(nextCost++))),
            };
            const before = dumpViews(ledger.db);
            const batch = addDelivery(ledger, spec);
            const after = dumpViews(ledger.db);
            flip(ledger, { withBatches: [], withoutBatches: [batch] });
            expect(dumpViews(ledger.db)).toBe(before);
            flip(ledger, { withBatches: [batch], withoutBatches: [] });
            expect(dumpViews(ledger.db)).toBe(after);
            model.push({ spec, isLive: true, batch });
          } else {
            const chosen = model[step.which % Math.max(1, model.length)];
            if (chosen === undefined) continue;
            flip(ledger, chosen.isLive ? { withBatches: [], withoutBatches: [chosen.batch] } : { withBatches: [chosen.batch], withoutBatches: [] });
            chosen.isLive = !chosen.isLive;
          }
          const expected = naive(model);
          expect(shownCells(ledger)).toEqual(expected);
          const sum = expected.reduce((total, text) => total + BigInt(text.split(" ")[2] ?? ""), 0n);
          expect(readAll(ledger.db, monthTotals)[0]?.cost ?? 0n).toBe(sum * unit);
        }
        ledger.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe("bills and hosts", () => {
  const gpu = (resource: string, name: string, on: number) => ({
    day: day(on), cost: "24", series: { ResourceId: resource, ResourceName: name, x_GpuModel: "H100", x_GpuCount: 8 }, hours: [{ hour: 0, gpuHours: 8, cost: "24" }],
  });

  it("joins a host anew when a second resource of its name is billed, and as before when that bill is undone", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [gpu("arn:one/i-1", "trainer", 1)] }] });
    const device = addDevice(ledger.db, { host: "trainer" });
    const log = Number(ledger.db.prepare("INSERT INTO batch (Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('telemetry', 'staging', 'nvidia-smi', 1, 1, 0, '{}')").run().lastInsertRowid);
    const hour = encodeSegments({ startMs: Uint32Array.of(0), lengthMs: Uint32Array.of(3_600_000), value: Float32Array.of(50) });
    ledger.db.prepare("INSERT INTO gpu_trace (DeviceId, Metric, Day, BatchId, SampleCount, Segments) VALUES (?, 'utilization', ?, ?, 60, ?)").run(device, dayOf("2026-09-01"), log, hour);
    flip(ledger, { withBatches: [log], withoutBatches: [] });
    const known = (): unknown => ledger.db.prepare("SELECT sum(KnownGpuHours) FROM gpu_hour_cost_current").pluck().get();
    expect(known()).toBeGreaterThan(0);
    const before = dumpViews(ledger.db);

    const other = addDelivery(ledger, { month: "2026-09", billingAccount: "2", cells: [gpu("arn:two/i-2", "trainer", 20)] });
    expect(known()).toBe(0);
    flip(ledger, { withBatches: [], withoutBatches: [other] });
    expect(dumpViews(ledger.db)).toBe(before);
  });
});
