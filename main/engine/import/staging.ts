import { createHash } from "node:crypto";
import type { DatasetKind, MoneyColumn, Series } from "../../../shared/domain/charge.ts";
import { moneyColumns } from "../../../shared/domain/charge.ts";
import { decodeGpuChargeHours, encodeGpuChargeHours } from "../store/gpu-charge-hours.ts";
import type { GpuChargeHour } from "../store/gpu-charge-hours.ts";
import type { Db, SqlValue } from "../store/sql.ts";

/** Every column of a series, in the order of its table. */
export const seriesColumns = [
  "ProviderName",
  "PublisherName",
  "InvoiceIssuerName",
  "BillingAccountId",
  "BillingAccountName",
  "SubAccountId",
  "SubAccountName",
  "InvoiceId",
  "ServiceName",
  "ServiceCategory",
  "ChargeCategory",
  "ChargeClass",
  "ChargeFrequency",
  "ChargeDescription",
  "PricingCategory",
  "PricingUnit",
  "ConsumedUnit",
  "SkuId",
  "SkuPriceId",
  "SkuMeter",
  "ResourceId",
  "ResourceName",
  "ResourceType",
  "RegionId",
  "RegionName",
  "AvailabilityZone",
  "CommitmentDiscountId",
  "CommitmentDiscountName",
  "CommitmentDiscountCategory",
  "CommitmentDiscountType",
  "CommitmentDiscountStatus",
  "CapacityReservationId",
  "CapacityReservationStatus",
  "BillingCurrency",
  "Tags",
  "x_LineItemType",
  "x_PurchaseOption",
  "x_InstanceType",
  "x_GpuModel",
  "x_AcceleratorId",
  "x_GpuCount",
  "x_GpuEvidence",
  "x_Team",
  "x_Correction",
  "x_PeriodSeconds",
] as const satisfies readonly (keyof Series)[];
type ForgottenColumn = Exclude<keyof Series, (typeof seriesColumns)[number]>;
/** Does not compile when a column of Series is missing above. */
export const everySeriesColumnIsListed: [ForgottenColumn] extends [never] ? true : ForgottenColumn = true;

/** Bits of `series.NullCosts`, in the order of a cell's measures. */
export const nullBits = { BilledCost: 1, EffectiveCost: 2, ListCost: 4, ContractedCost: 8, ConsumedQuantity: 16, PricingQuantity: 32 } as const;

/** Longest that a transaction of staging rows runs before it is closed and the engine may write (architecture.md section 3). */
const TRANSACTION_MS = 12;
const ROWS_A_STATEMENT = 64;

export interface GroupKey {
  readonly ProviderName: string | null;
  readonly DatasetKind: DatasetKind;
  readonly BillingAccountId: string | null;
  readonly BillingPeriodStart: string;
  readonly BillingPeriodEnd: string;
}

/** One cell of charge_day, its values in the order of the table's columns. Amounts as whole numbers, bigint beyond 2^53. */
export type CellRow = readonly (number | bigint | null)[];
interface Statement {
  run(...values: SqlValue[]): unknown;
}

/** Writes staging rows of one batch, in short transactions. */
export interface Staging {
  /** Finds a series or makes it; the account too. */
  series(values: Series, nullCosts: number): { readonly seriesId: number; readonly accountKey: number };
  /** The batch's delivery of a group, found or made. */
  delivery(key: GroupKey): number;
  /** The delivery's totals so far: a batch may read several files of one group. */
  totalsSoFar(deliveryId: number): string;
  deliveryTotals(deliveryId: number, coverage: { readonly firstDay: number; readonly lastDay: number; readonly coversAllAccounts: boolean; readonly rowCount: number; readonly totals: string; readonly accounts: Iterable<number> }): void;
  cells(rows: readonly CellRow[]): void;
  /** Adds hours, as store/gpu-charge-hours.ts lays them down, to those that the series has in that month. */
  gpuHours(deliveryId: number, seriesId: number, month: string, hours: Uint8Array): void;
  file(values: { readonly path: string; readonly name: string; readonly size: number; readonly compression: string | null; readonly encoding: string; readonly delimiter: string; readonly layout: string }): number;
  fileHash(fileId: number, sha256: string): void;
  block(fileId: number, block: { readonly number: number; readonly firstByte: number; readonly firstLine: number; readonly firstRecord: number; readonly seriesIds: Uint32Array }): void;
  setAside(fileId: number, row: { readonly line: number; readonly column: string; readonly value: string; readonly reason: string; readonly raw: string }): void;
  /** A row of another table of the batch, in the same transactions. */
  write(work: () => unknown): void;
  /** Closes the transaction that is open: nothing of ours holds the ledger while a buffer is scanned. */
  settle(): void;
}

const measureNames = [...moneyColumns.flatMap((column: MoneyColumn) => [`${column}Nanos`, `${column}Rest`]), "ConsumedQuantity", "PricingQuantity", "GpuHours"];
const cellColumns = ["DeliveryId", "Day", "SeriesId", "RowCount", ...measureNames];

/** `reportNumber`: of a file whose format's reports add to each other. */
export function createStaging(db: Db, { batchId, standAside, reportNumber = "" }: { readonly batchId: number; readonly standAside: () => void; readonly reportNumber?: string }): Staging {
  let openedAt: number | null = null;
  const write = <T>(work: () => T): T => {
    if (openedAt === null) {
      db.exec("BEGIN IMMEDIATE");
      openedAt = performance.now();
    }
    const answer = work();
    if (performance.now() - openedAt > TRANSACTION_MS) settle();
    return answer;
  };
  function settle(): void {
    if (openedAt === null) return;
    openedAt = null;
    // A full disk may have closed it already.
    if (db.inTransaction) db.exec("COMMIT");
    standAside();
  }

  const findAccount = db.prepare<[string | null], { AccountKey: number; SubAccountName: string | null }>("SELECT AccountKey, SubAccountName FROM account WHERE SubAccountId IS ?");
  const addAccount = db.prepare<[string | null, string | null]>("INSERT INTO account (SubAccountId, SubAccountName) VALUES (?, ?)");
  const nameAccount = db.prepare<[string, number]>("UPDATE account SET SubAccountName = ? WHERE AccountKey = ?");
  const accounts = new Map<string | null, number>();
  const addSeries = db.prepare(
    `INSERT INTO series (SeriesHash, AccountKey, NullCosts, ${seriesColumns.join(", ")}) VALUES (?, ?, ?, ${seriesColumns.map(() => "?").join(", ")}) ON CONFLICT (SeriesHash) DO NOTHING`,
  );
  const findSeries = db.prepare<[Buffer], { SeriesId: number }>("SELECT SeriesId FROM series WHERE SeriesHash = ?");
  const findGroup = db.prepare<[string | null, string, string | null, string, string, string], { GroupId: number }>(
    `SELECT GroupId FROM delivery_group
     WHERE ProviderName IS ? AND DatasetKind = ? AND BillingAccountId IS ? AND BillingPeriodStart = ? AND BillingPeriodEnd = ? AND ReportNumber = ?`,
  );
  const addGroup = db.prepare(
    `INSERT INTO delivery_group (ProviderName, DatasetKind, BillingAccountId, BillingPeriodStart, BillingPeriodEnd, ReportNumber, Month, CurrentGeneration)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  const findDelivery = db.prepare<[number, number], { DeliveryId: number }>("SELECT DeliveryId FROM delivery WHERE BatchId = ? AND GroupId = ?");
  const findTotals = db.prepare<[number], { Totals: string }>("SELECT Totals FROM delivery WHERE DeliveryId = ?");
  const addDelivery = db.prepare(
    "INSERT INTO delivery (BatchId, GroupId, FirstDay, LastDay, CoversAllAccounts, RowCount, Totals, CellsKept) VALUES (?, ?, 0, -1, 0, 0, '{}', 1)",
  );
  const describeDelivery = db.prepare(
    `UPDATE delivery SET
       FirstDay = CASE WHEN RowCount = 0 THEN @firstDay ELSE min(FirstDay, @firstDay) END,
       LastDay  = CASE WHEN RowCount = 0 THEN @lastDay ELSE max(LastDay, @lastDay) END,
       CoversAllAccounts = @covers, RowCount = RowCount + @rowCount, Totals = @totals
     WHERE DeliveryId = @deliveryId`,
  );
  const addDeliveryAccount = db.prepare("INSERT OR IGNORE INTO delivery_account (DeliveryId, AccountKey) VALUES (?, ?)");
  const upsertCells = new Map<number, Statement>();
  const findHours = db.prepare<[number, number, string], { Hours: Uint8Array }>("SELECT Hours FROM gpu_charge_hours WHERE DeliveryId = ? AND SeriesId = ? AND Month = ?");
  const putHours = db.prepare(
    "INSERT INTO gpu_charge_hours (DeliveryId, SeriesId, Month, Hours) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET Hours = excluded.Hours",
  );
  const addFile = db.prepare(
    "INSERT INTO source_file (BatchId, Path, Name, Size, Sha256, Compression, Encoding, Delimiter, Layout) VALUES (?, ?, ?, ?, '', ?, ?, ?, ?)",
  );
  const hashFile = db.prepare("UPDATE source_file SET Sha256 = ? WHERE FileId = ?");
  const addBlock = db.prepare("INSERT INTO source_block (FileId, Block, FirstByte, FirstLine, FirstRecord, SeriesIds) VALUES (?, ?, ?, ?, ?, ?)");
  const addSetAside = db.prepare("INSERT OR REPLACE INTO set_aside (FileId, Line, ColumnName, Value, Reason, Raw) VALUES (?, ?, ?, ?, ?, ?)");

  function accountKey(id: string | null, name: string | null): number {
    const known = accounts.get(id);
    if (known !== undefined) return known;
    const found = findAccount.get(id);
    const key = found?.AccountKey ?? Number(addAccount.run(id, name).lastInsertRowid);
    if (found !== undefined && found.SubAccountName === null && name !== null) nameAccount.run(name, key);
    accounts.set(id, key);
    return key;
  }

  return {
    series(values, nullCosts) {
      const texts = seriesColumns.map((column) => values[column]);
      const hash = seriesHash(values, nullCosts);
      return write(() => {
        const key = accountKey(values.SubAccountId, values.SubAccountName);
        const { changes, lastInsertRowid } = addSeries.run(hash, key, nullCosts, ...texts);
        const seriesId = changes === 1 ? Number(lastInsertRowid) : (findSeries.get(hash)?.SeriesId ?? 0);
        return { seriesId, accountKey: key };
      });
    },
    delivery(key) {
      return write(() => {
        const identity = [key.ProviderName, key.DatasetKind, key.BillingAccountId, key.BillingPeriodStart, key.BillingPeriodEnd, reportNumber] as const;
        const group = findGroup.get(...identity)?.GroupId ?? Number(addGroup.run(...identity, key.BillingPeriodStart.slice(0, 7)).lastInsertRowid);
        return findDelivery.get(batchId, group)?.DeliveryId ?? Number(addDelivery.run(batchId, group).lastInsertRowid);
      });
    },
    totalsSoFar: (deliveryId) => findTotals.get(deliveryId)?.Totals ?? "{}",
    deliveryTotals(deliveryId, { firstDay, lastDay, coversAllAccounts, rowCount, totals, accounts: held }) {
      write(() => {
        describeDelivery.run({ firstDay, lastDay, covers: coversAllAccounts ? 1 : 0, rowCount, totals, deliveryId });
        for (const account of held) addDeliveryAccount.run(deliveryId, account);
      });
    },
    cells(rows) {
      for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
        const part = rows.slice(start, start + ROWS_A_STATEMENT);
        let statement: Statement | undefined = upsertCells.get(part.length);
        if (statement === undefined) upsertCells.set(part.length, (statement = db.prepare<SqlValue[]>(upsertOf(part.length))));
        const values = part.flat();
        const run = statement;
        write(() => run.run(...values));
      }
    },
    gpuHours(deliveryId, seriesId, month, hours) {
      write(() => {
        const known = findHours.get(deliveryId, seriesId, month);
        putHours.run(deliveryId, seriesId, month, known === undefined ? hours : addedHours(known.Hours, hours));
      });
    },
    file: ({ path, name, size, compression, encoding, delimiter, layout }) => write(() => Number(addFile.run(batchId, path, name, size, compression, encoding, delimiter, layout).lastInsertRowid)),
    fileHash(fileId, sha256) {
      write(() => hashFile.run(sha256, fileId));
    },
    block(fileId, { number, firstByte, firstLine, firstRecord, seriesIds }) {
      write(() => addBlock.run(fileId, number, firstByte, firstLine, firstRecord, Buffer.from(seriesIds.buffer, seriesIds.byteOffset, seriesIds.byteLength)));
    },
    setAside(fileId, { line, column, value, reason, raw }) {
      write(() => addSetAside.run(fileId, line, column, value, reason, raw));
    },
    write: (work) => void write(work),
    settle,
  };
}

/** What makes a series the same series: all its columns and which costs it does not state. */
export function seriesHash(values: Series, nullCosts: number): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([nullCosts, ...seriesColumns.map((column) => values[column])]))
    .digest()
    .subarray(0, 16);
}

/** For a second reading: knows every series that the first one wrote, and writes nothing. A series it does not know is 0. */
export function knownSeriesOnly(db: Db): Staging {
  const find = db.prepare<[Buffer], { SeriesId: number; AccountKey: number }>("SELECT SeriesId, AccountKey FROM series WHERE SeriesHash = ?");
  const nothing = (): void => undefined;
  return {
    series(values, nullCosts) {
      const found = find.get(seriesHash(values, nullCosts));
      return { seriesId: found?.SeriesId ?? 0, accountKey: found?.AccountKey ?? 0 };
    },
    delivery: () => 0,
    totalsSoFar: () => "{}",
    deliveryTotals: nothing,
    cells: nothing,
    gpuHours: nothing,
    file: () => 0,
    fileHash: nothing,
    block: nothing,
    setAside: nothing,
    write: nothing,
    settle: nothing,
  };
}

function addedHours(known: Uint8Array, more: Uint8Array): Uint8Array {
  const sums = new Map(decodeGpuChargeHours(more).map((hour) => [hour.hour, hour]));
  for (const hour of decodeGpuChargeHours(known)) sums.set(hour.hour, addHours(hour, sums.get(hour.hour)));
  return encodeGpuChargeHours([...sums.values()]);
}

function addHours(a: GpuChargeHour, b: GpuChargeHour | undefined): GpuChargeHour {
  if (b === undefined) return a;
  return {
    hour: a.hour,
    gpuHours: (Math.round(a.gpuHours * 1e9) + Math.round(b.gpuHours * 1e9)) / 1e9,
    effectiveAttos: a.effectiveAttos === null || b.effectiveAttos === null ? null : a.effectiveAttos + b.effectiveAttos,
    ...(a.isSpread === true || b.isSpread === true ? { isSpread: true } : {}),
  };
}

/**
 * Adds to a cell that is there already: when memory passed its bound, or one batch reads two files of a group. Rests are 0 to below a
 * nano, so what two of them carry goes up into the nanos; quantities add as whole 1e-9, so that order changes nothing.
 */
function upsertOf(rows: number): string {
  const sums = measureNames.map((name) => {
    if (name.endsWith("Nanos")) {
      const rest = name.replace(/Nanos$/, "Rest");
      return `${name} = ${name} + excluded.${name} + (${rest} + excluded.${rest}) / 1000000000`;
    }
    if (name.endsWith("Rest")) return `${name} = (${name} + excluded.${name}) % 1000000000`;
    return `${name} = (round(${name} * 1e9) + round(excluded.${name} * 1e9)) / 1e9`;
  });
  const row = `(${cellColumns.map(() => "?").join(", ")})`;
  return `INSERT INTO charge_day (${cellColumns.join(", ")}) VALUES ${Array.from({ length: rows }, () => row).join(", ")}
    ON CONFLICT DO UPDATE SET RowCount = RowCount + excluded.RowCount, ${sums.join(", ")}`;
}
