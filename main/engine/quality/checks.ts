/**
 * Checks of what the bills of some months say (formats/billing.md 1.5). They look at what the ledger keeps, a series and month at a time, and
 * change nothing: amounts stay as the file states them.
 */
import { qualityChecks, type QualityCheck, type QualityFinding } from "../../../shared/contract/quality.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { providerOf } from "../reference/type-names.ts";
import { isOneOf, query, readAll, sql, sumMoneyOrNull, type Db, type Fragment } from "../store/sql.ts";

const isUsage = sql`s.ChargeCategory = 'Usage'`;
const isUsed = sql`lower(ifnull(s.CommitmentDiscountStatus, '')) <> 'unused' AND lower(ifnull(s.CapacityReservationStatus, '')) <> 'unused'`;
const hasCost = sql`(ifnull(c.EffectiveCostNanos, 0) <> 0 OR ifnull(c.EffectiveCostRest, 0) <> 0)`;
/** A tenth of a thousandth of a unit: what two columns rounded apart may differ by. */
const TOLERANCE = 100_000n;

/** What a series and month is found by; `c` is the month's cell, `s` its series. */
const conditions: Readonly<Partial<Record<QualityCheck, Fragment>>> = {
  // Beside a cost, 0 is a missing price and not a gift.
  "list-missing": sql`${isUsage} AND ${isUsed} AND ${hasCost} AND ifnull(c.ListCostNanos, 0) = 0 AND ifnull(c.ListCostRest, 0) = 0`,
  "contracted-missing": sql`${isUsage} AND ${isUsed} AND ${hasCost} AND ifnull(c.ContractedCostNanos, 0) = 0 AND ifnull(c.ContractedCostRest, 0) = 0`,
  "list-below-contracted": sql`${isUsage} AND c.ListCostNanos <> 0 AND c.ListCostNanos < c.ContractedCostNanos - ${TOLERANCE}`,
  "contracted-below-effective": sql`${isUsage} AND ${isUsed} AND c.ContractedCostNanos <> 0 AND c.ContractedCostNanos < c.EffectiveCostNanos - ${TOLERANCE}`,
  // What a commitment did not use is on the row of its fee in bills of AWS: that is no second count.
  "purchase-effective-cost": sql`s.ChargeCategory = 'Purchase' AND s.CommitmentDiscountId IS NOT NULL AND ${isUsed} AND ${hasCost}`,
  "standard-with-commitment": sql`${isUsage} AND ${isUsed} AND s.PricingCategory = 'Standard' AND s.CommitmentDiscountId IS NOT NULL`,
  "cost-without-quantity": sql`${isUsage} AND ${hasCost} AND c.ConsumedQuantity = 0.0`,
  "purchase-usage-based": sql`s.ChargeCategory = 'Purchase' AND s.CommitmentDiscountId IS NOT NULL AND s.ChargeFrequency = 'Usage-Based'`,
  "publisher-missing": sql`s.ProviderName IS NULL OR (s.PublisherName IS NULL AND s.ChargeCategory <> 'Tax')`,
};

interface Found {
  readonly provider: string | null;
  readonly currency: string | null;
  readonly rows: number;
  readonly effective: bigint | null;
  readonly billed: bigint | null;
}

/** In the order of the checks, the largest first within one. */
export function qualityOf(db: Db, months: readonly string[]): QualityFinding[] {
  const found = qualityChecks.flatMap((check): QualityFinding[] => {
    const condition = conditions[check];
    const lines = condition !== undefined ? cellsWhere(db, months, condition) : check === "effective-whole-numbers" ? wholeNumbers(db, months) : check === "period-not-first" ? oddPeriods(db, months) : check === "counted-twice" ? countedTwice(db, months) : severalCurrencies(db, months);
    return lines
      .sort((a, b) => magnitude(b) - magnitude(a) || ((a.provider ?? "") < (b.provider ?? "") ? -1 : 1))
      .map(({ provider, currency, rows, effective, billed }) => ({ check, provider, currency, rows, amount: textOf(effective ?? billed) }));
  });
  return found;
}

function cellsWhere(db: Db, months: readonly string[], condition: Fragment): Found[] {
  return readAll(db, query<Found>("provider", "currency", "rows", "effective", "billed")`-- quality.cells
    SELECT s.ProviderName AS provider, s.BillingCurrency AS currency, sum(c.RowCount) AS rows, ${sumMoneyOrNull("EffectiveCost", "c")} AS effective, ${sumMoneyOrNull("BilledCost", "c")} AS billed
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("Month", months, "c")} AND s.x_Correction IS NULL AND (${condition})
    GROUP BY 1, 2
    ORDER BY 1, 2`);
}

/** Effective costs that are whole numbers in every cell, beside billed ones that are not: a file whose digits were cut off. */
function wholeNumbers(db: Db, months: readonly string[]): Found[] {
  return readAll(db, query<Found & { whole: number; fractions: number }>("provider", "currency", "rows", "effective", "billed", "whole", "fractions")`-- quality.whole-numbers
    SELECT s.ProviderName AS provider, s.BillingCurrency AS currency, sum(c.RowCount) AS rows, ${sumMoneyOrNull("EffectiveCost", "c")} AS effective, ${sumMoneyOrNull("BilledCost", "c")} AS billed,
      min(c.EffectiveCostNanos IS NOT NULL AND c.EffectiveCostNanos % 1000000000 = 0 AND c.EffectiveCostRest = 0) AS whole,
      sum(c.BilledCostNanos % 1000000000 <> 0) AS fractions
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("Month", months, "c")} AND s.x_Correction IS NULL
    GROUP BY 1, 2
    ORDER BY 1, 2`).filter(({ whole, fractions }) => whole === 1 && fractions > 0);
}

/** Billing periods that do not begin on the first of a month. */
function oddPeriods(db: Db, months: readonly string[]): Found[] {
  return readAll(db, query<Found>("provider", "currency", "rows", "effective", "billed")`-- quality.periods
    SELECT g.ProviderName AS provider, NULL AS currency, sum(d.RowCount) AS rows, NULL AS effective, NULL AS billed
    FROM delivery_group g
    JOIN delivery d ON d.GroupId = g.GroupId
    JOIN batch b ON b.BatchId = d.BatchId AND b.State = 'posted'
    WHERE ${isOneOf("Month", months, "g")} AND substr(g.BillingPeriodStart, 9, 2) <> '01'
    GROUP BY 1
    ORDER BY 1`);
}

function severalCurrencies(db: Db, months: readonly string[]): Found[] {
  return readAll(db, query<Found & { currencies: number }>("provider", "currency", "rows", "effective", "billed", "currencies")`-- quality.currencies
    SELECT s.ProviderName AS provider, NULL AS currency, sum(c.RowCount) AS rows, NULL AS effective, NULL AS billed, count(DISTINCT s.BillingCurrency) AS currencies
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("Month", months, "c")}
    GROUP BY 1
    ORDER BY 1`).filter(({ currencies }) => currencies > 1);
}

/**
 * Accounts and days that show in two groups of deliveries of one provider: a native export beside a FOCUS export, or two billing accounts. Both
 * count. Groups of one billing account that one format makes are parts of a bill (Azure: actual, amortized, and what is in both), and so are
 * numbered reports among each other, but not beside a file without a number; usage without money counts nothing.
 */
function countedTwice(db: Db, months: readonly string[]): Found[] {
  interface Pair {
    readonly first: number;
    readonly second: number;
    readonly provider: string | null;
    readonly otherProvider: string | null;
    readonly isOneBill: number;
    readonly days: number;
  }
  const pairs = readAll(db, query<Pair>("first", "second", "provider", "otherProvider", "isOneBill", "days")`-- quality.counted-twice
    SELECT a.GroupId AS first, b.GroupId AS second, a.ProviderName AS provider, b.ProviderName AS otherProvider, max(a.BillingAccountId IS b.BillingAccountId AND a.ProviderName IS b.ProviderName AND ba.FormatId = bb.FormatId AND a.ReportNumber = b.ReportNumber) AS isOneBill, count(*) AS days
    FROM delivery_group a
    CROSS JOIN delivery_group b ON b.Month = a.Month AND b.GroupId > a.GroupId
    CROSS JOIN day_owner one ON one.GroupId = a.GroupId AND one.Generation = a.CurrentGeneration
    CROSS JOIN day_owner two ON two.GroupId = b.GroupId AND two.Generation = b.CurrentGeneration AND two.AccountKey = one.AccountKey AND two.Day = one.Day
    CROSS JOIN account ac ON ac.AccountKey = one.AccountKey
    CROSS JOIN delivery da ON da.DeliveryId = one.DeliveryId
    CROSS JOIN batch ba ON ba.BatchId = da.BatchId
    CROSS JOIN delivery db ON db.DeliveryId = two.DeliveryId
    CROSS JOIN batch bb ON bb.BatchId = db.BatchId
    WHERE ${isOneOf("Month", months, "a")} AND ac.SubAccountId IS NOT NULL AND (a.ReportNumber = '' OR b.ReportNumber = '') AND a.DatasetKind <> 'usage' AND b.DatasetKind <> 'usage'
    GROUP BY 1, 2
    ORDER BY 1, 2`);
  return pairs
    .filter(({ provider, otherProvider, isOneBill }) => isOneBill === 0 && (provider === otherProvider || (providerOf(provider) !== null && providerOf(provider) === providerOf(otherProvider))))
    .flatMap(({ first, second, days }) => {
      const [one, two] = [first, second].map((group) => shownOf(db, group, group === first ? second : first));
      return one === undefined || two === undefined ? [] : [magnitude(one) <= magnitude(two) ? { ...one, rows: days } : { ...two, rows: days }];
    });
}

/** What a group shows of the accounts that another has too. */
function shownOf(db: Db, group: number, other: number): Found | undefined {
  return readAll(db, query<Found>("provider", "currency", "rows", "effective", "billed")`-- quality.shown-of-group
    SELECT s.ProviderName AS provider, s.BillingCurrency AS currency, sum(c.RowCount) AS rows, ${sumMoneyOrNull("EffectiveCost", "c")} AS effective, ${sumMoneyOrNull("BilledCost", "c")} AS billed
    FROM delivery_group g
    CROSS JOIN charge_month c ON c.GroupId = g.GroupId AND c.Generation = g.CurrentGeneration
    CROSS JOIN series s ON s.SeriesId = c.SeriesId
    WHERE g.GroupId = ${group} AND s.AccountKey IN (
      SELECT o.AccountKey FROM delivery_group b JOIN day_owner o ON o.GroupId = b.GroupId AND o.Generation = b.CurrentGeneration WHERE b.GroupId = ${other})
    GROUP BY 1, 2
    ORDER BY rows DESC, 1, 2
    LIMIT 1`)[0];
}

function magnitude({ effective, billed }: Found): number {
  return Math.abs(Number(effective ?? billed ?? 0n));
}

function textOf(attos: bigint | null): string | null {
  return attos === null ? null : formatAttos(attos);
}
