import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrations } from "../../../../../main/engine/store/migrations/index.ts";
import { openLedger } from "../../../../../main/engine/store/open.ts";
import { readCharges, withGrain } from "../../../../../main/engine/store/grain.ts";
import { totalsQuery } from "../../../../../main/engine/handlers/totals.ts";
import { hasLeftovers, sweepAtOpen } from "../../../../../main/engine/import/sweep.ts";
import type { Db } from "../../../../../main/engine/store/sql.ts";
import { opened } from "../../reports/look.ts";

const totals = (db: Db): unknown => readCharges(db, { months: null, dimensions: ["month", "team"] }, (grain) => totalsQuery(["month", "team"], null, grain)).map(({ month, team, billed, list, listRows }) => [month, team, billed, list, listRows]);
const grainOf = (db: Db): string => withGrain(db, { months: null }, ({ kind }) => kind);

it("answers of bills posted before as they were, from their series, until their lines have been worked out, once", () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-lines-"));
  try {
    const path = join(folder, "company.gpuledger");
    const before = opened(openLedger(path, { create: true, migrations: migrations.filter(({ version }) => version < 15) }));
    before.db.exec(`
      INSERT INTO account (AccountKey, SubAccountId) VALUES (1, 'a');
      INSERT INTO series (SeriesId, SeriesHash, AccountKey, NullCosts, ChargeCategory, BillingCurrency, x_Team) VALUES (1, x'01', 1, 0, 'Usage', 'USD', 'vision'), (2, x'02', 1, 4, 'Usage', 'USD', 'vision');
      INSERT INTO batch (BatchId, Kind, State, PostedOrder, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES (1, 'billing', 'posted', 1, 'focus', 5, 5, 0, '{}');
      INSERT INTO delivery_group (GroupId, ProviderName, DatasetKind, BillingPeriodStart, BillingPeriodEnd, Month, CurrentGeneration) VALUES (1, 'AWS', 'cash', '2026-09-01', '2026-10-01', '2026-09', 3);
      INSERT INTO delivery (DeliveryId, BatchId, GroupId, FirstDay, LastDay, CoversAllAccounts, RowCount, Totals, CellsKept) VALUES (1, 1, 1, 20697, 20698, 0, 5, '{}', 1);
      INSERT INTO day_owner (GroupId, Generation, AccountKey, Day, DeliveryId) VALUES (1, 3, 1, 20697, 1), (1, 3, 1, 20698, 1);
      INSERT INTO charge_day VALUES
        (1, 20697, 1, 2, 5000000000, 1, 5000000000, 1, 6000000000, 0, 5000000000, 1, NULL, NULL, NULL),
        (1, 20698, 2, 3, 7000000000, 999999999, 7000000000, 0, NULL, NULL, 7000000000, 0, NULL, NULL, NULL);
      INSERT INTO charge_month SELECT 1, 3, SeriesId, RowCount, BilledCostNanos, BilledCostRest, EffectiveCostNanos, EffectiveCostRest, ListCostNanos, ListCostRest, ContractedCostNanos, ContractedCostRest, NULL, NULL, NULL FROM charge_day;
    `);
    before.close();

    const { db, close } = opened(openLedger(path, { create: false }));
    // 5 and 7 units and what is below: 1 and 999999999 attos; the list cost is stated by 2 of the 5 rows.
    const expected = [["2026-09", "vision", 12_000_000_001_000_000_000n, 6_000_000_000_000_000_000n, 2]];
    expect([grainOf(db), totals(db), hasLeftovers(db)]).toEqual(["series", expected, true]);
    sweepAtOpen(db);
    expect([grainOf(db), totals(db), hasLeftovers(db)]).toEqual(["line", expected, false]);
    expect(db.prepare("SELECT count(*), sum(RowCount) FROM charge_line_day").raw().get()).toEqual([2, 5]);
    const rows = db.prepare("SELECT total_changes()").pluck().get();
    sweepAtOpen(db);
    expect(db.prepare("SELECT total_changes()").pluck().get()).toBe(rows);
    close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
