import type { ScopeValues, TotalsRow } from "../../../shared/contract/methods.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import { err, ok } from "../../../shared/result.ts";
import { rememberAnswer } from "../context.ts";
import { seriesGrain, type ChargeGrain } from "../metrics/grain.ts";
import { readCharges } from "../store/grain.ts";
import { identifier, isOneOf, joined, query, readAll, sql, sumMoneyOrNull, teamIn, type Db, type Fragment, type Query } from "../store/sql.ts";
import type { HandlersOf } from "./index.ts";

export const totalHandlers: HandlersOf<"totals.read" | "scope.values"> = {
  "totals.read"(context, { period, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const parsed = period === null ? null : parsePeriod(period);
    if (period !== null && parsed === null) return err(ledgerError("period.invalid", { text: period }));
    const months = parsed === null ? null : monthsOf(parsed);
    return ok({ rows: readCharges(opened.value.ledger.db, { months, dimensions: by }, (grain) => totalsQuery(by, months, grain)).map((row) => rowOf(by, row)) });
  },

  "scope.values"(context) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger } = opened.value;
    return ok(rememberAnswer(ledger, "scope.values", () => scopeValuesOf(ledger.db)));
  },
};

type Dimension = "month" | "provider" | "service" | "team";
/** Where each dimension stands: months are billing months, so that they tie to the invoice. */
const dimensionColumns = (grain: ChargeGrain): Readonly<Record<Dimension, Fragment>> => ({ month: sql`c.Month`, provider: sql`s.ProviderName`, service: sql`s.ServiceName`, team: grain.team() });

interface SummedRow {
  readonly month: string;
  readonly provider: string | null;
  readonly service: string | null;
  readonly team: string | null;
  readonly currency: string;
  readonly rows: number;
  readonly billed: bigint | null;
  readonly effective: bigint | null;
  readonly list: bigint | null;
  readonly contracted: bigint | null;
  /** Rows that state each cost. */
  readonly billedRows: number;
  readonly effectiveRows: number;
  readonly listRows: number;
  readonly contractedRows: number;
}

/** Sums of what shows, corrections included, by the dimensions asked for and always by currency. */
export function totalsQuery(by: readonly Dimension[], months: readonly string[] | null, grain: ChargeGrain = seriesGrain): Query<SummedRow> {
  const dimensions = [...new Set(by)];
  const columns = dimensionColumns(grain);
  const named = dimensions.map((dimension) => sql`${columns[dimension]} AS ${identifier(dimension)}`);
  const order = [...dimensions.map((dimension) => columns[dimension]), identifier("s.BillingCurrency")];
  return query<SummedRow>(...dimensions, "currency", "rows", "billed", "effective", "list", "contracted", "billedRows", "effectiveRows", "listRows", "contractedRows")`-- totals.read
    SELECT
      ${joined([...named, sql`s.BillingCurrency AS currency`], ", ")},
      sum(c.RowCount) AS rows,
      ${sumMoneyOrNull("BilledCost", "c")} AS billed,
      ${sumMoneyOrNull("EffectiveCost", "c")} AS effective,
      ${sumMoneyOrNull("ListCost", "c")} AS list,
      ${sumMoneyOrNull("ContractedCost", "c")} AS contracted,
      sum(CASE WHEN c.BilledCostNanos IS NULL THEN 0 ELSE c.RowCount END) AS billedRows,
      sum(CASE WHEN c.EffectiveCostNanos IS NULL THEN 0 ELSE c.RowCount END) AS effectiveRows,
      sum(CASE WHEN c.ListCostNanos IS NULL THEN 0 ELSE c.RowCount END) AS listRows,
      sum(CASE WHEN c.ContractedCostNanos IS NULL THEN 0 ELSE c.RowCount END) AS contractedRows
    FROM ${grain.months()}
    ${months === null ? sql`` : sql`WHERE ${isOneOf("Month", months, "c")}`}
    GROUP BY ${joined(order, ", ")}
    ORDER BY ${joined(order, ", ")}`;
}

function rowOf(by: readonly Dimension[], row: SummedRow): TotalsRow {
  const text = (attos: bigint | null): string | null => (attos === null ? null : formatAttos(attos));
  // A correction is no row of the file: it adds to the sum and to no count.
  const share = (rows: number): number => (row.rows === 0 ? 1 : rows / row.rows);
  return {
    ...Object.fromEntries(by.map((dimension) => [dimension, row[dimension]])),
    currency: row.currency,
    rows: row.rows,
    BilledCost: text(row.billed),
    EffectiveCost: text(row.effective),
    ListCost: text(row.list),
    ContractedCost: text(row.contracted),
    coverage: { BilledCost: share(row.billedRows), EffectiveCost: share(row.effectiveRows), ListCost: share(row.listRows), ContractedCost: share(row.contractedRows) },
  };
}

interface ScopeRow {
  readonly ProviderName: string | null;
  readonly SubAccountId: string | null;
  readonly SubAccountName: string | null;
  readonly x_Team: string | null;
  readonly ServiceName: string | null;
  readonly RegionId: string | null;
  readonly x_GpuModel: string | null;
}

/** Every value that what shows can be narrowed to, in order, null last. */
function scopeValuesOf(db: Db): ScopeValues {
  const rows = readAll(db, query<ScopeRow>("ProviderName", "SubAccountId", "SubAccountName", "x_Team", "ServiceName", "RegionId", "x_GpuModel")`-- scope.values
    SELECT DISTINCT s.ProviderName, s.SubAccountId, s.SubAccountName, ${teamIn(sql`c.Month`)} AS x_Team, s.ServiceName, s.RegionId, s.x_GpuModel
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId`);
  const values = (column: keyof ScopeRow): (string | null)[] => [...new Set(rows.map((row) => row[column]))].sort(nullLast);
  const names = new Map<string | null, string | null>();
  for (const { SubAccountId, SubAccountName } of rows) if (SubAccountName !== null || !names.has(SubAccountId)) names.set(SubAccountId, SubAccountName);
  return {
    provider: values("ProviderName"),
    account: [...names].sort(([a], [b]) => nullLast(a, b)).map(([id, name]) => ({ id, name })),
    team: values("x_Team"),
    service: values("ServiceName"),
    region: values("RegionId"),
    gpuModel: values("x_GpuModel").filter((model) => model !== null),
  };
}

function nullLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
