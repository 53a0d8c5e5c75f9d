import { sumAttos } from "../../../shared/domain/money.ts";
import { whole, type Rational } from "../../../shared/domain/rational.ts";
import { allocate, type Shares } from "./allocate.ts";
import type { Part } from "./split.ts";

/** A cost that belongs to nobody alone: support fees, shared clusters, egress. */
export type SharedPool =
  | { readonly amount: bigint; readonly method: "even" | "proportional" }
  | { readonly amount: bigint; readonly method: "fixed"; readonly percents: readonly { readonly id: string; readonly percent: Rational }[] };

export type SharedSplit =
  | { readonly ok: true; readonly final: readonly Part[]; readonly unallocated: bigint; readonly grandTotal: bigint }
  | { readonly ok: false; readonly refusal: "percent_over_100" };

/**
 * Adds shared pools to teams' direct costs (model h.3).
 *
 * base    every pool is split on the *direct* costs, so the order of pools changes nothing
 * credit  a team whose direct cost is below 0 gets no proportional share
 * fixed   a team named only in the percents joins the result; percents over 100 refuse the whole split
 * total   Σ final + unallocated = Σ direct + Σ pools
 */
export function splitShared(direct: readonly Part[], pools: readonly SharedPool[]): SharedSplit {
  const final = new Map(direct.map(({ id, amount }) => [id, amount]));
  let unallocated = 0n;
  for (const pool of pools) {
    const allocation = allocate(pool.amount, sharesOf(pool, direct));
    if (!allocation.ok) return allocation;
    unallocated += allocation.unallocated;
    for (const { id, amount } of allocation.parts) {
      const before = final.get(id);
      final.set(id, before === undefined ? amount : before + amount);
    }
  }
  return {
    ok: true,
    final: [...final].map(([id, amount]) => ({ id, amount })),
    unallocated,
    grandTotal: sumAttos(direct.map(({ amount }) => amount)) + sumAttos(pools.map(({ amount }) => amount)),
  };
}

function sharesOf(pool: SharedPool, direct: readonly Part[]): Shares {
  if (pool.method === "fixed") return { method: "fixed", targets: pool.percents };
  if (pool.method === "even") return { method: "even", targets: direct };
  return { method: "proportional", targets: direct.map(({ id, amount }) => ({ id, weight: whole(amount) })) };
}
