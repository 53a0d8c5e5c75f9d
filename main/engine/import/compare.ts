import type { CellChanges, DeliveryPreview } from "../../../shared/contract/methods.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import type { DatasetKind } from "../../../shared/domain/charge.ts";
import { startOfDay } from "../../../shared/domain/period.ts";
import { billingFormats } from "../formats/index.ts";
import { isOneOf, prepared, query, readAll, readOne, sql, sumMoneyOrNull, type Db } from "../store/sql.ts";

interface StagedDelivery {
  readonly GroupId: number;
  readonly ProviderName: string | null;
  readonly BillingAccountId: string | null;
  readonly DatasetKind: DatasetKind;
  readonly Month: string;
  readonly BillingPeriodStart: string;
  readonly BillingPeriodEnd: string;
  readonly FormatId: string;
  readonly CurrentGeneration: number;
  readonly FirstDay: number;
  readonly LastDay: number;
  readonly CoversAllAccounts: number;
}

/** What posting a staged delivery would change of what its group shows now: counts of cells, each a day of a series. */
export function compareDelivery(db: Db, deliveryId: number): DeliveryPreview {
  const staged = stagedDelivery(db, deliveryId);
  return {
    delivery: deliveryId,
    coverage: isWhole(staged) ? "whole" : staged.CoversAllAccounts === 1 ? "widened" : "held",
    providerName: staged.ProviderName,
    billingAccountId: staged.BillingAccountId,
    datasetKind: staged.DatasetKind,
    period: staged.Month,
    firstDay: startOfDay(staged.FirstDay).slice(0, 10),
    lastDay: startOfDay(staged.LastDay).slice(0, 10),
    coversAllAccounts: staged.CoversAllAccounts === 1,
    replacesBatches: replacedBatches(db, deliveryId, staged),
    changes: [...stagedCells(db, deliveryId, staged), ...shownCells(db, deliveryId, staged)].map(({ was, becomes, ...changes }) => ({
      ...changes,
      was: was === null ? null : formatAttos(was),
      becomes: becomes === null ? null : formatAttos(becomes),
    })),
  };
}

function stagedDelivery(db: Db, deliveryId: number): StagedDelivery {
  const staged = readOne(db, query<StagedDelivery>("GroupId", "ProviderName", "BillingAccountId", "DatasetKind", "Month", "BillingPeriodStart", "BillingPeriodEnd", "FormatId", "CurrentGeneration", "FirstDay", "LastDay", "CoversAllAccounts")`-- compare.staged-delivery
    SELECT g.GroupId, g.ProviderName, g.BillingAccountId, g.DatasetKind, g.Month, g.BillingPeriodStart, g.BillingPeriodEnd, b.FormatId, g.CurrentGeneration, d.FirstDay, d.LastDay, d.CoversAllAccounts
    FROM delivery d
    JOIN delivery_group g ON g.GroupId = d.GroupId
    JOIN batch b ON b.BatchId = d.BatchId
    WHERE d.DeliveryId = ${deliveryId}`);
  if (staged === null) throw new Error("compared a delivery that is not there");
  return staged;
}

/** Whether its format itself says that a delivery is all of its account and period. */
function isWhole({ FormatId }: StagedDelivery): boolean {
  return billingFormats.find(({ id }) => id === FormatId)?.covers === "account-and-period";
}

/**
 * Lets a staged delivery cover all of its account and billing period, or again only the accounts and days it holds: what it covers and does not
 * hold is gone from the ledger once it is posted. One whose format says that it is whole stays so. Inside nobody's transaction.
 */
export function coverDelivery(db: Db, deliveryId: number, covers: "period" | "held"): DeliveryPreview {
  const staged = stagedDelivery(db, deliveryId);
  if (!isWhole(staged)) {
    const held = readOne(db, query<{ firstDay: number | null; lastDay: number | null }>("firstDay", "lastDay")`-- compare.days-held
      SELECT min(Day) AS firstDay, max(Day) AS lastDay FROM delivery_day WHERE DeliveryId = ${deliveryId}`);
    const [firstHeld, lastHeld] = [held?.firstDay ?? staged.FirstDay, held?.lastDay ?? staged.LastDay];
    const [periodFirst, periodLast] = [Math.floor(Date.parse(staged.BillingPeriodStart) / 86_400_000), Math.ceil(Date.parse(staged.BillingPeriodEnd) / 86_400_000) - 1];
    const isPeriod = covers === "period";
    prepared(db, "UPDATE delivery SET FirstDay = ?, LastDay = ?, CoversAllAccounts = ? WHERE DeliveryId = ?").run(
      isPeriod ? Math.min(firstHeld, periodFirst) : firstHeld, isPeriod ? Math.max(lastHeld, periodLast) : lastHeld, isPeriod ? 1 : 0, deliveryId,
    );
  }
  return compareDelivery(db, deliveryId);
}

type Changes = Omit<CellChanges, "was" | "becomes"> & { readonly was: bigint | null; readonly becomes: bigint | null };

const measures = [
  "BilledCostNanos", "BilledCostRest", "EffectiveCostNanos", "EffectiveCostRest", "ListCostNanos", "ListCostRest",
  "ContractedCostNanos", "ContractedCostRest", "ConsumedQuantity", "PricingQuantity",
] as const;
const isSame = { text: `x.RowCount = c.RowCount AND ${measures.map((measure) => `x.${measure} IS c.${measure}`).join(" AND ")}`, values: [], moneyNames: [] };

/** The staged cells: new, or the same as, or another than what shows in their place. */
function stagedCells(db: Db, deliveryId: number, { GroupId, CurrentGeneration }: StagedDelivery): Changes[] {
  return readAll(db, query<Changes>("currency", "kind", "cells", "rows", "was", "becomes")`-- compare.staged-cells
    SELECT
      s.BillingCurrency AS currency,
      CASE WHEN x.SeriesId IS NULL THEN 'new' WHEN ${isSame} THEN 'same' ELSE 'changed' END AS kind,
      count(*) AS cells,
      sum(c.RowCount) AS rows,
      ${sumMoneyOrNull("EffectiveCost", "x")} AS was,
      ${sumMoneyOrNull("EffectiveCost", "c")} AS becomes
    FROM charge_day c
    CROSS JOIN series s ON s.SeriesId = c.SeriesId
    LEFT JOIN day_owner o ON o.GroupId = ${GroupId} AND o.Generation = ${CurrentGeneration} AND o.AccountKey = s.AccountKey AND o.Day = c.Day
    LEFT JOIN charge_day x ON x.DeliveryId = o.DeliveryId AND x.Day = c.Day AND x.SeriesId = c.SeriesId
    WHERE c.DeliveryId = ${deliveryId}
    GROUP BY 1, 2
    ORDER BY 1, 2`);
}

/** The cells that show now and that the delivery does not state: removed where it covers them, kept where it does not. */
function shownCells(db: Db, deliveryId: number, staged: StagedDelivery): Changes[] {
  if (staged.CurrentGeneration === 0) return [];
  return readAll(db, query<Changes>("currency", "kind", "cells", "rows", "was", "becomes")`-- compare.shown-cells
    SELECT
      s.BillingCurrency AS currency,
      CASE WHEN ${covers(deliveryId, staged, "x.Day")} THEN 'removed' ELSE 'kept-from-older' END AS kind,
      count(*) AS cells,
      sum(x.RowCount) AS rows,
      ${sumMoneyOrNull("EffectiveCost", "x")} AS was,
      ${sumMoneyOrNull("EffectiveCost", "x")} AS becomes
    FROM delivery d
    CROSS JOIN charge_day x ON x.DeliveryId = d.DeliveryId
    CROSS JOIN series s ON s.SeriesId = x.SeriesId
    CROSS JOIN day_owner o ON o.GroupId = d.GroupId AND o.Generation = ${staged.CurrentGeneration} AND o.AccountKey = s.AccountKey AND o.Day = x.Day
    LEFT JOIN charge_day c ON c.DeliveryId = ${deliveryId} AND c.Day = x.Day AND c.SeriesId = x.SeriesId
    WHERE d.GroupId = ${staged.GroupId} AND d.CellsKept = 1 AND o.DeliveryId = x.DeliveryId
      AND (c.SeriesId IS NULL OR NOT ${covers(deliveryId, staged, "x.Day")})
    GROUP BY 1, 2
    ORDER BY 1, 2`).map((change) => (change.kind === "removed" ? { ...change, becomes: null } : { ...change, becomes: change.was }));
}

/** Rows of staged batches that a later one of them covers, by its group, accounts and days. */
export function coveredRows(db: Db, batches: readonly number[]): { readonly batch: number; readonly rows: number }[] {
  return readAll(db, query<{ batch: number; rows: number }>("batch", "rows")`-- compare.covered-by-later
    SELECT e.BatchId AS batch, sum(c.RowCount) AS rows
    FROM delivery e
    CROSS JOIN charge_day c ON c.DeliveryId = e.DeliveryId
    CROSS JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("BatchId", batches, "e")} AND EXISTS (
      SELECT 1
      FROM delivery l
      WHERE l.GroupId = e.GroupId AND l.BatchId > e.BatchId AND ${isOneOf("BatchId", batches, "l")} AND c.Day BETWEEN l.FirstDay AND l.LastDay
        AND (l.CoversAllAccounts = 1 OR s.AccountKey IN (SELECT AccountKey FROM delivery_account a WHERE a.DeliveryId = l.DeliveryId))
    )
    GROUP BY e.BatchId`);
}

function replacedBatches(db: Db, deliveryId: number, staged: StagedDelivery): number[] {
  return readAll(db, query<{ BatchId: number }>("BatchId")`-- compare.replaced-batches
    SELECT DISTINCT e.BatchId
    FROM day_owner s
    JOIN delivery e ON e.DeliveryId = s.DeliveryId
    WHERE s.GroupId = ${staged.GroupId} AND s.Generation = ${staged.CurrentGeneration} AND ${covers(deliveryId, staged, "s.Day")}
    ORDER BY e.BatchId`).map(({ BatchId }) => BatchId);
}

/** Whether the delivery covers the day and, under alias s, the account. */
function covers(deliveryId: number, { FirstDay, LastDay, CoversAllAccounts }: StagedDelivery, day: "x.Day" | "s.Day") {
  const days = day === "x.Day" ? sql`x.Day BETWEEN ${FirstDay} AND ${LastDay}` : sql`s.Day BETWEEN ${FirstDay} AND ${LastDay}`;
  if (CoversAllAccounts === 1) return sql`(${days})`;
  return sql`(${days} AND s.AccountKey IN (SELECT AccountKey FROM delivery_account WHERE DeliveryId = ${deliveryId}))`;
}
