/** Reads bills through the product's own path, for tests: sniff, recognize, read into a ledger in memory. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import { recognizeBilling } from "../../../../main/engine/formats/index.ts";
import type { BillReading, ReadControl } from "../../../../main/engine/import/bills.ts";
import { readBill } from "../../../../main/engine/import/bills.ts";
import { sniff } from "../../../../main/engine/import/sniff.ts";
import type { Reference } from "../../../../main/engine/reference/catalog.ts";
import { loadReference } from "../../../../main/engine/reference/load.ts";
import { decodeGpuChargeHours } from "../../../../main/engine/store/gpu-charge-hours.ts";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";
import type { Db } from "../../../../main/engine/store/sql.ts";
import type { MoneyColumn } from "../../../../shared/domain/charge.ts";
import { moneyColumns } from "../../../../shared/domain/charge.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import type { Result } from "../../../../shared/result.ts";

export const fixtures = join(import.meta.dirname, "../../../fixtures/billing");
export const quiet: ReadControl = { progress: () => undefined, isCancelled: () => false, standAside: () => undefined };

export interface Sizes {
  readonly buffer: number;
  readonly cells: number;
  readonly hourDays: number;
}

let loaded: Reference | null = null;
export function shippedReference(): Reference {
  if (loaded === null) {
    const reference = loadReference(join(import.meta.dirname, "../../../../resources/reference"));
    if (!reference.ok) throw new Error(JSON.stringify(reference.error));
    loaded = reference.value;
  }
  return loaded;
}

/** A file with these bytes, gone when the test is over. */
export function fileWith(content: string | Uint8Array, name = "bill.csv"): string {
  const folder = mkdtempSync(join(tmpdir(), "bill-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

export function newBatch(db: Db): number {
  return Number(
    db.prepare("INSERT INTO batch (Kind, State, FormatId, RowsRead, RowsPosted, RowsSetAside, Report) VALUES ('billing', 'staging', '', 0, 0, 0, '{}')").run()
      .lastInsertRowid,
  );
}

export async function readInto(db: Db, path: string, { batch = newBatch(db), sizes, control = quiet }: { readonly batch?: number; readonly sizes?: Sizes | undefined; readonly control?: ReadControl } = {}): Promise<Result<BillReading>> {
  const sniffed = await sniff(path);
  if (!sniffed.ok) return sniffed;
  const recognized = recognizeBilling(sniffed.value);
  if (!recognized.ok) return recognized;
  const job = { sniffed: sniffed.value, formatId: recognized.value.formatId, batchId: batch, options: {}, reference: shippedReference() };
  return readBill(sizes === undefined ? job : { ...job, sizes }, db, control);
}

/** What a file says, without what depends on where it lies: report and cells. */
export async function readingOf(path: string, sizes?: Sizes): Promise<PlainReading> {
  const ledger = openMemoryLedger();
  try {
    const reading = await readInto(ledger.db, path, { sizes });
    if (!reading.ok) throw new Error(JSON.stringify(reading.error));
    return plain(ledger.db, reading.value);
  } finally {
    ledger.close();
  }
}

export interface PlainReading extends Pick<BillReading, "format" | "version" | "rowsRead" | "rowsPosted" | "rowsSetAside" | "repairs" | "periods" | "totals" | "corrections"> {
  readonly setAside: readonly { readonly line: number; readonly column: string; readonly value: string; readonly reason: string }[];
  readonly deliveries: readonly Record<string, unknown>[];
  readonly cells: readonly Record<string, unknown>[];
  readonly hours: readonly Record<string, unknown>[];
}

export function plain(db: Db, reading: BillReading): PlainReading {
  const { format, version, rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, totals, corrections } = reading;
  return { format, version, rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, totals, corrections, deliveries: deliveriesIn(db), cells: cellsIn(db), hours: hoursIn(db) };
}

function deliveriesIn(db: Db): Record<string, unknown>[] {
  return db
    .prepare<[], Record<string, unknown> & { Totals: string }>(
      `SELECT g.ProviderName, g.DatasetKind, g.BillingAccountId, g.BillingPeriodStart, g.BillingPeriodEnd, g.Month,
              date(d.FirstDay * 86400, 'unixepoch') AS firstDay, date(d.LastDay * 86400, 'unixepoch') AS lastDay, d.CoversAllAccounts, d.RowCount, d.Totals,
              (SELECT json_group_array(SubAccountId) FROM (SELECT a.SubAccountId FROM delivery_account da JOIN account a USING (AccountKey) WHERE da.DeliveryId = d.DeliveryId ORDER BY 1)) AS accounts
       FROM delivery d JOIN delivery_group g USING (GroupId) ORDER BY 1, 2, 3, 4, 5`,
    )
    .all()
    .map((row) => ({ ...row, Totals: JSON.parse(row.Totals) as unknown, accounts: JSON.parse(row["accounts"] as string) as unknown }));
}

/** Cells with what matters of their series, money as decimal text, in an order that no id decides. */
export function cellsIn(db: Db): Record<string, unknown>[] {
  const rows = db
    .prepare<[], Record<string, unknown>>(
      `SELECT date(c.Day * 86400, 'unixepoch') AS day, c.*, s.*
       FROM charge_day c JOIN series s USING (SeriesId)`,
    )
    .safeIntegers(true)
    .all();
  const plainRows = rows.map((row) => {
    const cell: Record<string, unknown> = { day: row["day"], rows: Number(row["RowCount"]) };
    for (const column of moneyColumns) cell[column] = amount(row, column);
    for (const column of ["ConsumedQuantity", "PricingQuantity", "GpuHours"]) cell[column] = row[column];
    for (const column of shownColumns) if (row[column] !== null) cell[column] = typeof row[column] === "bigint" ? Number(row[column]) : row[column];
    return cell;
  });
  return plainRows.map((cell) => ({ cell, key: JSON.stringify(cell) })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ cell }) => cell);
}

const shownColumns = [
  "SubAccountId", "ChargeCategory", "ChargeFrequency", "ChargeDescription", "ServiceName", "ResourceId", "RegionId", "PricingCategory", "CommitmentDiscountId",
  "CommitmentDiscountStatus", "CapacityReservationStatus", "BillingCurrency", "Tags", "x_LineItemType", "x_PurchaseOption", "x_InstanceType", "x_GpuModel", "x_GpuCount",
  "x_Team", "x_Correction", "x_PeriodSeconds", "NullCosts",
];

function amount(row: Record<string, unknown>, column: MoneyColumn): string | null {
  const nanos = row[`${column}Nanos`];
  const rest = row[`${column}Rest`];
  return typeof nanos === "bigint" && typeof rest === "bigint" ? formatAttos(nanos * 1_000_000_000n + rest) : null;
}

function hoursIn(db: Db): Record<string, unknown>[] {
  const rows = db
    .prepare<[], { Month: string; Hours: Uint8Array; ResourceId: string | null; x_GpuModel: string }>(
      "SELECT h.Month, h.Hours, s.ResourceId, s.x_GpuModel FROM gpu_charge_hours h JOIN series s USING (SeriesId)",
    )
    .all();
  return rows
    .map(({ Month, Hours, ResourceId, x_GpuModel }) => {
      const hours = decodeGpuChargeHours(Hours);
      const costs = hours.map(({ effectiveAttos }) => effectiveAttos);
      return {
        month: Month,
        resource: ResourceId,
        model: x_GpuModel,
        hours: hours.length,
        firstHour: hours[0]?.hour ?? null,
        gpuHours: hours.reduce((sum, { gpuHours }) => sum + gpuHours, 0),
        EffectiveCost: costs.includes(null) ? null : formatAttos(costs.reduce<bigint>((sum, cost) => sum + (cost ?? 0n), 0n)),
      };
    })
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

export function nameOf(path: string): string {
  return basename(path);
}
