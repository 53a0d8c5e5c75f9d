/** The commitments that the bills of a period name: what each covers, costs, wastes and saves. */
import type { Scope } from "../../../shared/domain/scope.ts";
import { isUnused } from "../metrics/charges.ts";
import { isOneOf, query, readAll, scopeFilter, sql, sumMoney, type Db } from "../store/sql.ts";
import type { PoolKey } from "./baseline.ts";

/** One commitment in one pool of GPU time (or without one: what was unused names none). */
interface CommitmentRow {
  readonly id: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly provider: string | null;
  readonly region: string | null;
  readonly gpuModel: string | null;
  readonly instanceType: string | null;
  readonly currency: string;
  readonly isUnused: number;
  readonly costAttos: bigint;
  readonly listAttos: bigint;
  readonly gpuHours: number;
}

export interface HeldCommitment {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
  readonly provider: string | null;
  readonly currency: string;
  /** Where most of it is used; null if it bought no GPU time. */
  readonly pool: PoolKey | null;
  readonly usedAttos: bigint;
  readonly unusedAttos: bigint;
  /** List cost of what it covered; null where no list cost is stated. */
  readonly listAttos: bigint | null;
  /** GPU-hours it covered. */
  readonly gpuHours: number;
  /** By pool, GPU-hours covered and what they cost. */
  readonly byPool: readonly { readonly pool: PoolKey; readonly gpuHours: number; readonly costAttos: bigint }[];
}

/** Every commitment that covers GPU time in the months, dearest first. What is unused counts whole, whatever the scope narrows to. */
export function heldCommitments(db: Db, months: readonly string[], scope: Scope): HeldCommitment[] {
  const rows = readAll(db, query<CommitmentRow>("id", "name", "type", "provider", "region", "gpuModel", "instanceType", "currency", "isUnused", "costAttos", "listAttos", "gpuHours")`-- plan.commitments
    SELECT
      s.CommitmentDiscountId AS id, max(s.CommitmentDiscountName) AS name, max(s.CommitmentDiscountType) AS type, s.ProviderName AS provider, s.RegionId AS region,
      s.x_GpuModel AS gpuModel, s.x_InstanceType AS instanceType, s.BillingCurrency AS currency,
      CASE WHEN ${isUnused} THEN 1 ELSE 0 END AS isUnused,
      ${sumMoney("EffectiveCost", "c")} AS costAttos,
      ${sumMoney("ListCost", "c")} AS listAttos,
      coalesce(sum(c.GpuHours), 0.0) AS gpuHours
    FROM charge_month_current AS c
    JOIN series AS s ON s.SeriesId = c.SeriesId
    WHERE ${isOneOf("Month", months, "c")} AND s.CommitmentDiscountId IS NOT NULL AND (s.ChargeCategory = 'Usage' OR ${isUnused}) ${scopeFilter(withoutWhere(scope), "s", sql`c.Month`)}
    GROUP BY 1, 4, 5, 6, 7, 8, 9
    ORDER BY 1, 4, 5, 6, 7, 8, 9`);
  return [...Map.groupBy(rows, ({ id, currency }) => `${id}\u0000${currency}`).values()]
    .map(heldOf)
    .filter(({ byPool }) => byPool.some(({ pool }) => isWithin(pool, scope)))
    .sort((a, b) => (a.usedAttos + a.unusedAttos > b.usedAttos + b.unusedAttos ? -1 : a.usedAttos + a.unusedAttos < b.usedAttos + b.unusedAttos ? 1 : a.id < b.id ? -1 : 1));
}

/** What is unused has neither team, region nor GPU: only the provider and the account narrow it. */
function withoutWhere({ provider, account }: Scope): Scope {
  return { ...(provider === undefined ? {} : { provider }), ...(account === undefined ? {} : { account }) };
}

function isWithin({ provider, region, gpuModel }: PoolKey, scope: Scope): boolean {
  return (scope.provider?.includes(provider) ?? true) && (scope.region?.includes(region) ?? true) && (scope.gpuModel?.includes(gpuModel) ?? true);
}

function heldOf(rows: readonly CommitmentRow[]): HeldCommitment {
  const [first] = rows;
  if (first === undefined) throw new Error("a group has a row");
  const used = rows.filter((row) => row.isUnused === 0);
  const onGpus = used.filter(({ gpuHours }) => gpuHours > 0);
  const sumOf = (of: readonly CommitmentRow[], value: (row: CommitmentRow) => bigint): bigint => of.reduce((total, row) => total + value(row), 0n);
  const byPool = onGpus
    .map(({ provider, region, gpuModel, instanceType, currency, gpuHours, costAttos }) => ({ pool: { provider, region, gpuModel, instanceType, currency }, gpuHours, costAttos }))
    .sort((a, b) => b.gpuHours - a.gpuHours);
  const list = sumOf(used, ({ listAttos }) => listAttos);
  return {
    id: first.id,
    name: rows.map(({ name }) => name).find((name) => name !== null) ?? shortId(first.id),
    type: rows.map(({ type }) => type).find((type) => type !== null) ?? null,
    provider: first.provider,
    currency: first.currency,
    pool: byPool[0]?.pool ?? null,
    usedAttos: sumOf(used, ({ costAttos }) => costAttos),
    unusedAttos: sumOf(rows.filter((row) => row.isUnused === 1), ({ costAttos }) => costAttos),
    listAttos: list === 0n ? null : list,
    gpuHours: onGpus.reduce((total, { gpuHours }) => total + gpuHours, 0),
    byPool,
  };
}

/** The last part of a long id: its first parts are those of the account. */
function shortId(id: string): string {
  return id.split(/[/:]/).at(-1) ?? id;
}
