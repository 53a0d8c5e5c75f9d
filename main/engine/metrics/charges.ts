import type { CostBasis, MetricId } from "../../../shared/domain/figure.ts";
import type { PurchaseOption } from "../../../shared/domain/charge.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { BELIEVABLE_LIST, seriesGrain, type ChargeGrain } from "./grain.ts";
import { isOneOf, joined, query, sql, sumMoneyOrNull, sumMoneyWhere, type Fragment, type Query } from "../store/sql.ts";

/**
 * What a charge is for, so that a month closes into few lines:
 *   gpu                 usage that bought accelerator time
 *   unused-commitment   a commitment or capacity reservation that nothing used: it bought no time
 *   other               every other usage: storage, network, support
 *   purchase            buying a commitment (cash only: FOCUS spreads its cost over the usage)
 *   tax, credit         as named; adjustments and refunds count with credits
 */
export const chargeClasses = ["gpu", "unused-commitment", "other", "purchase", "tax", "credit"] as const;
export type ChargeClass = (typeof chargeClasses)[number];

/** Cells of one billing month that share class and keys, added. Amounts are attos of one currency; null where no row states one. */
export interface ChargeRow {
  readonly month: string;
  readonly chargeClass: ChargeClass;
  readonly provider: string | null;
  readonly account: string | null;
  readonly team: string | null;
  readonly service: string | null;
  readonly region: string | null;
  readonly gpuModel: string | null;
  readonly purchaseOption: PurchaseOption | null;
  /** Usage that a commitment covered. */
  readonly isCovered: number;
  readonly rowCount: number;
  /** In the cost basis asked for. */
  readonly costAttos: bigint | null;
  readonly unstatedRows: number;
  readonly effectiveAttos: bigint | null;
  /** Of usage rows that state a believable list cost: that cost, and their effective cost. */
  readonly listAttos: bigint;
  readonly effectiveWithListAttos: bigint;
  /** Billed GPU-hours; null where no row tells. */
  readonly gpuHours: number | null;
  readonly rowsWithHours: number;
  /** Cost, in the basis asked for, of the rows that tell their GPU-hours. */
  readonly costWithHoursAttos: bigint;
}

/** The facts of metrics that come from the bill. */
export interface ChargeFacts {
  readonly currency: string;
  readonly basis: CostBasis;
  readonly rows: readonly ChargeRow[];
  /** Rows of the period before; null when no bill of it is known. */
  readonly previousRows: readonly ChargeRow[] | null;
  /** Share of the period's days, over all providers, that a bill covers. */
  readonly billCoverage: number;
}

export type ChargeKey = "provider" | "account" | "team" | "service" | "region" | "gpuModel" | "purchaseOption";
const keyColumns: Readonly<Record<Exclude<ChargeKey, "team">, Fragment>> = {
  provider: sql`s.ProviderName`,
  account: sql`s.SubAccountId`,
  service: sql`s.ServiceName`,
  region: sql`s.RegionId`,
  gpuModel: sql`s.x_GpuModel`,
  purchaseOption: sql`s.x_PurchaseOption`,
};

export interface ChargesAsked {
  readonly months: readonly string[];
  readonly scope: Scope;
  readonly currency: string;
  readonly basis: CostBasis;
  readonly by: readonly ChargeKey[];
  /** Of a ledger in which all money is in one currency: only what was billed in this one. */
  readonly billedIn?: string | undefined;
}

/**
 * The charges of some billing months in one currency, added by month, class and the keys asked for; other keys read null.
 * Every cell of the scope is in exactly one row, so any split of the rows adds up to the whole.
 */
export function chargeRows(asked: ChargesAsked, grain: ChargeGrain = seriesGrain): Query<ChargeRow> {
  const key = (name: ChargeKey): Fragment => (!asked.by.includes(name) ? sql`NULL` : name === "team" ? grain.team() : keyColumns[name]);
  const isUsage = sql`s.ChargeCategory = 'Usage'`;
  const hasList = grain.kind === "line" ? sql`c.Facts >= ${BigInt(BELIEVABLE_LIST)}` : hasBelievableList;
  const hasHours = sql`c.GpuHours IS NOT NULL`;
  return query<ChargeRow>(
    "month", "chargeClass", "provider", "account", "team", "service", "region", "gpuModel", "purchaseOption", "isCovered",
    "rowCount", "costAttos", "unstatedRows", "effectiveAttos", "listAttos", "effectiveWithListAttos", "gpuHours", "rowsWithHours", "costWithHoursAttos",
  )`
  -- charges
  SELECT
    c.Month                                       AS month,
    ${classOf}                                    AS chargeClass,
    ${key("provider")}                            AS provider,
    ${key("account")}                             AS account,
    ${key("team")}                                AS team,
    ${key("service")}                             AS service,
    ${key("region")}                              AS region,
    ${key("gpuModel")}                            AS gpuModel,
    ${key("purchaseOption")}                      AS purchaseOption,
    CASE WHEN ${isUsage} AND NOT ${isUnused} AND lower(ifnull(s.CommitmentDiscountStatus, '')) = 'used' THEN 1 ELSE 0 END AS isCovered,
    sum(c.RowCount)                               AS rowCount,
    ${sumMoneyOrNull(asked.basis, "c")}           AS costAttos,
    sum(CASE WHEN ${nanosOf(asked.basis)} IS NULL THEN c.RowCount ELSE 0 END) AS unstatedRows,
    ${sumMoneyOrNull("EffectiveCost", "c")}       AS effectiveAttos,
    ${sumMoneyWhere("ListCost", hasList, "c")}    AS listAttos,
    ${sumMoneyWhere("EffectiveCost", hasList, "c")} AS effectiveWithListAttos,
    sum(c.GpuHours)                               AS gpuHours,
    sum(CASE WHEN ${hasHours} THEN c.RowCount ELSE 0 END) AS rowsWithHours,
    ${sumMoneyWhere(asked.basis, hasHours, "c")}  AS costWithHoursAttos
  FROM ${grain.months()}
  WHERE ${isOneOf("Month", asked.months, "c")} AND s.BillingCurrency = ${asked.currency} ${asked.billedIn === undefined ? sql`` : sql`AND s.BilledIn = ${asked.billedIn}`}
    ${grain.within(asked.scope)}
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`;
}

/** Paid and not used: FOCUS says so in the status of the commitment discount, or of the capacity reservation. */
export const isUnused = sql`(lower(ifnull(s.CommitmentDiscountStatus, '')) = 'unused' OR lower(ifnull(s.CapacityReservationStatus, '')) = 'unused')`;

/**
 * Usage that states what it would cost on demand, of a month's cell. A list cost of 0 beside a cost is a missing one (formats/billing.md section 1),
 * not a gift; unused hours have no worth on demand.
 */
export const hasBelievableList = sql`s.ChargeCategory = 'Usage' AND NOT ${isUnused} AND c.ListCostNanos IS NOT NULL AND c.EffectiveCostNanos IS NOT NULL
    AND NOT (c.ListCostNanos = 0 AND c.ListCostRest = 0 AND (c.EffectiveCostNanos <> 0 OR c.EffectiveCostRest <> 0))`;

export const classOf = sql`CASE
      WHEN ${isUnused}                                                    THEN 'unused-commitment'
      WHEN s.ChargeCategory = 'Usage' AND s.x_GpuModel IS NOT NULL        THEN 'gpu'
      WHEN s.ChargeCategory = 'Usage'                                     THEN 'other'
      WHEN s.ChargeCategory = 'Purchase'                                  THEN 'purchase'
      WHEN s.ChargeCategory = 'Tax'                                       THEN 'tax'
      ELSE                                                                     'credit'
    END`;

/** What narrows a figure further than its scope: one class of charges, all but one, or one way of buying (empty: not told). */
export interface ChargeParams {
  readonly chargeClass?: string;
  readonly without?: string;
  readonly purchaseOption?: string;
}

/** Whether a row takes part in a figure with these parameters. */
export function takesPart(row: ChargeRow, params: ChargeParams): boolean {
  if (params.chargeClass !== undefined && row.chargeClass !== params.chargeClass) return false;
  if (params.without !== undefined && row.chargeClass === params.without) return false;
  return params.purchaseOption === undefined || row.purchaseOption === (params.purchaseOption === "" ? null : params.purchaseOption);
}

/** The same as AND conditions on `series AS s`, for whoever lists the rows behind a figure. */
export function chargesBehind(metric: MetricId, params: ChargeParams = {}): Fragment {
  const conditions: Fragment[] = [];
  const ownClass = params.chargeClass ?? (metricsOfAllCharges.has(metric) ? undefined : metric === "unused-commitment-cost" ? "unused-commitment" : "gpu");
  if (ownClass !== undefined) conditions.push(sql`AND ${classOf} = ${ownClass}`);
  if (params.without !== undefined) conditions.push(sql`AND ${classOf} <> ${params.without}`);
  if (params.purchaseOption !== undefined) conditions.push(sql`AND ifnull(s.x_PurchaseOption, '') = ${params.purchaseOption}`);
  return joined(conditions, " ");
}

/** Metrics that speak of every class of charges; all others but unused commitments speak of GPU charges. */
const metricsOfAllCharges: ReadonlySet<MetricId> = new Set<MetricId>(["spend", "spend-change", "effective-savings-rate", "commitment-utilization", "bill-coverage", "row-count"]);

function nanosOf(basis: CostBasis): Fragment {
  const columns: Readonly<Record<CostBasis, Fragment>> = {
    BilledCost: sql`c.BilledCostNanos`,
    EffectiveCost: sql`c.EffectiveCostNanos`,
    ContractedCost: sql`c.ContractedCostNanos`,
    ListCost: sql`c.ListCostNanos`,
  };
  return columns[basis];
}
