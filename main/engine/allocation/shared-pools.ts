import { sumAttos } from "../../../shared/domain/money.ts";
import { whole, type Rational } from "../../../shared/domain/rational.ts";
import { allocate, type AllocationFallback, type Shares } from "./allocate.ts";
import type { Part } from "./split.ts";

/** A cost that belongs to nobody alone: support fees, shared clusters, egress. */
export type SharedPool =
  | { readonly amount: bigint; readonly method: "even" | "proportional" }
  | { readonly amount: bigint; readonly method: "fixed"; readonly percents: readonly { readonly id: string; readonly percent: Rational }[] }
  /** By a usage measure of the teams, such as their GPU-hours. */
  | { readonly amount: bigint; readonly method: "measure"; readonly weights: readonly { readonly id: string; readonly weight: Rational }[] };

export type SharedSplit =
  | { readonly ok: true; readonly final: readonly Part[]; readonly unallocated: bigint; readonly grandTotal: bigint }
  | { readonly ok: false; readonly refusal: "percent_over_100" };

/** What each team bears of one pool, in the order of the pools; parts and `unallocated` add to the pool. */
export interface PoolShares {
  readonly parts: readonly Part[];
  readonly unallocated: bigint;
  readonly fallback: AllocationFallback | null;
}

/**
 * Adds shared pools to teams' direct costs (model h.3).
 *
 * base    every pool is split on the *direct* costs, so the order of pools changes nothing
 * credit  a team whose direct cost is below 0 gets no proportional share
 * fixed   a team named only in the percents joins the result; percents over 100 refuse the whole split
 * total   Σ final + unallocated = Σ direct + Σ pools
 */
export function splitShared(direct: readonly Part[], pools: readonly SharedPool[]): SharedSplit {
  const shares = poolShares(direct, pools);
  if (shares === null) return { ok: false, refusal: "percent_over_100" };
  const final = new Map(direct.map(({ id, amount }) => [id, amount]));
  for (const { id, amount } of shares.flatMap(({ parts }) => parts)) {
    const before = final.get(id);
    final.set(id, before === undefined ? amount : before + amount);
  }
  return {
    ok: true,
    final: [...final].map(([id, amount]) => ({ id, amount })),
    unallocated: sumAttos(shares.map(({ unallocated }) => unallocated)),
    grandTotal: sumAttos(direct.map(({ amount }) => amount)) + sumAttos(pools.map(({ amount }) => amount)),
  };
}

/** What each team bears of each pool, in the order of the pools; null where percents are over 100. */
export function poolShares(direct: readonly Part[], pools: readonly SharedPool[]): PoolShares[] | null {
  const shares: PoolShares[] = [];
  for (const pool of pools) {
    const allocation = allocate(pool.amount, sharesOf(pool, direct));
    if (!allocation.ok) return null;
    shares.push({ parts: allocation.parts, unallocated: allocation.unallocated, fallback: allocation.fallback });
  }
  return shares;
}

function sharesOf(pool: SharedPool, direct: readonly Part[]): Shares {
  if (pool.method === "fixed") return { method: "fixed", targets: pool.percents };
  if (pool.method === "measure") return { method: "proportional", targets: pool.weights };
  if (pool.method === "even") return { method: "even", targets: direct };
  return { method: "proportional", targets: direct.map(({ id, amount }) => ({ id, weight: whole(amount) })) };
}
