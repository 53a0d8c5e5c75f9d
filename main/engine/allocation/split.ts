import { compareIds, sumAttos } from "../../../shared/domain/money.ts";
import { compare, isNegative, isPositive, ONE, rational, sum, ZERO, type Rational } from "../../../shared/domain/rational.ts";

export interface Weighted {
  readonly id: string;
  readonly weight: Rational;
}

export interface Part {
  readonly id: string;
  readonly amount: bigint;
}

export interface ExactSplit {
  /** In the order of the targets; they add to the amount. */
  readonly parts: readonly Part[];
  /** No target weighed anything, so the amount went out evenly. */
  readonly isEven: boolean;
  /** A weight below 0 counted as 0. */
  readonly hasNegativeWeight: boolean;
}

/**
 * Shares out a whole amount without losing or gaining a unit (model h.2, largest remainder).
 *
 * quota    |amount| × weight ÷ Σ weights, rounded down
 * rest     the units left over go one by one to the largest remainder, then to the larger weight, then by id
 * sign     of a negative amount the absolute value is split and the parts negated
 * zero     if no weight is above 0 every target weighs the same, and `isEven` says so
 *
 * Exact at any scale; each part is within one unit of its quota. Without targets there are no parts: the caller keeps the amount.
 */
export function splitExactly(amount: bigint, targets: readonly Weighted[]): ExactSplit {
  const hasNegativeWeight = targets.some(({ weight }) => isNegative(weight));
  const positive = targets.map(({ weight }) => (isNegative(weight) ? ZERO : weight));
  const isEven = !positive.some(isPositive);
  const weights = isEven ? targets.map(() => ONE) : positive;
  const total = sum(weights);
  const magnitude = amount < 0n ? -amount : amount;

  const quotas = targets.map(({ id }, index) => {
    const weight = weights[index] ?? ZERO;
    const numerator = magnitude * weight.numerator * total.denominator;
    const denominator = weight.denominator * total.numerator;
    return { index, id, weight, floor: numerator / denominator, remainder: rational(numerator % denominator, denominator) };
  });
  const left = Number(magnitude - sumAttos(quotas.map(({ floor }) => floor)));
  const lifted = new Set(
    left === 0 || quotas.length === 0
      ? []
      : [...quotas]
          .sort((a, b) => compare(b.remainder, a.remainder) || compare(b.weight, a.weight) || compareIds(a.id, b.id))
          .slice(0, left)
          .map(({ index }) => index),
  );
  const parts = quotas.map(({ id, index, floor }) => {
    const share = lifted.has(index) ? floor + 1n : floor;
    return { id, amount: amount < 0n ? -share : share };
  });
  return { parts, isEven: isEven && targets.length > 0, hasNegativeWeight };
}
