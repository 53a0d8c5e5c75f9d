import { compareIds } from "../../../shared/domain/money.ts";
import { compare, isNegative, ONE, subtract, sum, whole, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import { splitExactly, type Part } from "./split.ts";

/** How a shared amount reaches its targets. A weight is a direct cost or a usage measure; a percent is of the whole amount. */
export type Shares =
  | { readonly method: "even"; readonly targets: readonly { readonly id: string }[] }
  | { readonly method: "proportional"; readonly targets: readonly { readonly id: string; readonly weight: Rational }[] }
  | { readonly method: "fixed"; readonly targets: readonly { readonly id: string; readonly percent: Rational }[] };

/** What the split had to do that nobody asked for: said beside it, never silent. */
export type AllocationFallback = "even" | "negative_weight";

export type Allocation =
  | { readonly ok: true; readonly parts: readonly Part[]; readonly unallocated: bigint; readonly fallback: AllocationFallback | null }
  | { readonly ok: false; readonly refusal: "percent_over_100" };

/**
 * Allocates an amount (model h.3). Parts and `unallocated` always add to it, to the last unit.
 *
 * even           the same for each
 * proportional   by weight; a weight below 0 counts as 0 (`negative_weight`), and if none is left, evenly (`even`)
 * fixed          by percent; over 100 in all is refused, what is under 100 stays unallocated
 */
export function allocate(amount: bigint, shares: Shares): Allocation {
  if (shares.targets.length === 0) return { ok: true, parts: [], unallocated: amount, fallback: null };
  if (shares.method === "fixed") return allocateFixed(amount, shares.targets);
  const targets = shares.method === "even" ? shares.targets.map(({ id }) => ({ id, weight: ONE })) : shares.targets;
  const { parts, isEven, hasNegativeWeight } = splitExactly(amount, targets);
  return { ok: true, parts, unallocated: 0n, fallback: isEven ? "even" : hasNegativeWeight ? "negative_weight" : null };
}

/** The rest up to 100 % takes part in the split like a target, so that rounding favors neither side. */
function allocateFixed(amount: bigint, targets: readonly { readonly id: string; readonly percent: Rational }[]): Allocation {
  const percents = targets.map(({ id, percent }) => ({ id, weight: isNegative(percent) ? ZERO : percent }));
  const rest = subtract(HUNDRED, sum(percents.map(({ weight }) => weight)));
  if (isNegative(rest)) return { ok: false, refusal: "percent_over_100" };
  // Sorts after every id, so that at a full tie a target comes first.
  const unallocatedId = [...targets.map(({ id }) => id)].sort(compareIds).at(-1) + "\u{10FFFF}";
  const { parts } = splitExactly(amount, [...percents, { id: unallocatedId, weight: rest }]);
  return {
    ok: true,
    parts: parts.slice(0, -1),
    unallocated: parts.slice(-1).reduce((total, part) => total + part.amount, 0n),
    fallback: targets.some(({ percent }) => compare(percent, ZERO) < 0) ? "negative_weight" : null,
  };
}

const HUNDRED = whole(100);
