import { add, compare, divide, floor, isPositive, larger, multiply, ratio, rational, smaller, subtract, sum, whole, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import { above, highestFirst, hoursOf, unitHoursOf, type UsageProfile } from "./usage-profile.ts";

export interface CommitmentPrices {
  /** e: effective price of a committed unit-hour, due whether used or not. */
  readonly committedHourly: Rational;
  /** p: contracted on-demand price of a unit-hour. */
  readonly onDemandHourly: Rational;
}

/** What a commitment of a size would have cost and done over a profile. */
export interface CommitmentMetrics {
  readonly commitment: Rational;
  readonly totalCost: Rational;
  readonly onDemandCost: Rational;
  /** Can be below 0. The waste is already inside. */
  readonly saving: Rational;
  readonly effectiveSavingsRate: Rational | null;
  readonly utilization: Rational | null;
  readonly coverage: Rational | null;
  readonly unusedUnitHours: Rational;
  readonly wasteCost: Rational;
  readonly uncoveredUnitHours: Rational;
}

/**
 * Prices a commitment against a profile (model b.1, b.6). n hours, y units used in an hour, Q units committed:
 *
 * total cost     n·e·Q + p·Σ max(0, y − Q)
 * saving         p·Σ y − total cost; rate = saving ÷ p·Σ y
 * utilization    Σ min(y, Q) ÷ n·Q; null without a commitment
 * coverage       Σ min(y, Q) ÷ Σ y, in on-demand-equivalent units; null without usage
 * waste          e × unused unit-hours
 */
export function commitmentMetrics(profile: UsageProfile, commitment: Rational, prices: CommitmentPrices): CommitmentMetrics {
  return metricsOf(commitment, prices, { used: unitHoursOf(profile), hours: whole(hoursOf(profile)), uncoveredUnitHours: unitHoursOf(above(profile, commitment)) });
}

/** The figures of a level from what it meets: unit-hours used, hours, and unit-hours above it. */
export function metricsOf(commitment: Rational, { committedHourly, onDemandHourly }: CommitmentPrices, { used, hours, uncoveredUnitHours }: { readonly used: Rational; readonly hours: Rational; readonly uncoveredUnitHours: Rational }): CommitmentMetrics {
  const committed = multiply(commitment, hours);
  const covered = subtract(used, uncoveredUnitHours);
  const unusedUnitHours = subtract(committed, covered);
  const totalCost = add(multiply(committedHourly, committed), multiply(onDemandHourly, uncoveredUnitHours));
  const onDemandCost = multiply(onDemandHourly, used);
  const saving = subtract(onDemandCost, totalCost);
  return {
    commitment,
    totalCost,
    onDemandCost,
    saving,
    effectiveSavingsRate: ratio(saving, onDemandCost),
    utilization: ratio(covered, committed),
    coverage: ratio(covered, used),
    unusedUnitHours,
    wasteCost: multiply(committedHourly, unusedUnitHours),
    uncoveredUnitHours,
  };
}

/** The levels of commitment that cost least; every level between the two costs the same. */
export interface OptimalLevels {
  readonly low: Rational;
  readonly high: Rational;
}

/**
 * The cheapest commitment in closed form (model b.1). With usage sorted from the highest, y₁ ≥ … ≥ yₙ, and k = ⌊n·e ÷ p⌋:
 *
 * low    y₍ₖ₊₁₎, the smallest optimum and the one to take; 0 if k ≥ n or e ≥ p
 * high   y₍ₖ₎ if n·e = k·p exactly and k ≥ 1, else the same as low
 *
 * k is found in whole numbers: 100 hours at 0.57 is 57, not the 56.99999999999999 of doubles.
 */
export function optimalLevels(profile: UsageProfile, { committedHourly, onDemandHourly }: CommitmentPrices): OptimalLevels {
  const hours = hoursOf(profile);
  if (hours === 0 || compare(committedHourly, onDemandHourly) >= 0) return { low: ZERO, high: ZERO };
  const quantile = divide(multiply(whole(hours), committedHourly), onDemandHourly);
  const k = Number(floor(quantile));
  const sorted = highestFirst(profile);
  const low = larger(ZERO, unitsAtRank(sorted, k + 1));
  return quantile.denominator === 1n && k >= 1 ? { low, high: larger(ZERO, unitsAtRank(sorted, k)) } : { low, high: low };
}

export interface CommitmentLimits {
  /** Commitments come in whole multiples of this, such as 8-GPU nodes; null for any size. */
  readonly lot: Rational | null;
  /** A budget or quota; null for none. */
  readonly maximum: Rational | null;
}

export interface OptimalCommitment extends CommitmentMetrics {
  /** Optimal without lots and maximum. */
  readonly optimalLow: Rational;
  readonly optimalHigh: Rational;
}

/**
 * How much of one offer to commit to (model b.1). By convexity only the lots next to the optimum can be best: the cheaper one,
 * at a tie the smaller. A maximum cuts it, down to a whole lot. `profile` is net of existing commitments (`netOfExisting`).
 */
export function optimalCommitment(profile: UsageProfile, prices: CommitmentPrices, { lot, maximum }: CommitmentLimits = { lot: null, maximum: null }): OptimalCommitment {
  const { low, high } = optimalLevels(profile, prices);
  const inLots = lot === null || !isPositive(lot) ? low : cheaperLot(profile, prices, low, lot);
  const cap = maximum === null ? null : larger(ZERO, lot === null || !isPositive(lot) ? maximum : lotBelow(maximum, lot));
  const chosen = cap === null ? inLots : smaller(inLots, cap);
  return { ...commitmentMetrics(profile, chosen, prices), optimalLow: low, optimalHigh: high };
}

/** The largest multiple of the lot that is not above. */
export function lotBelow(value: Rational, lot: Rational): Rational {
  return multiply(whole(floor(divide(value, lot))), lot);
}

function cheaperLot(profile: UsageProfile, prices: CommitmentPrices, level: Rational, lot: Rational): Rational {
  const lower = lotBelow(level, lot);
  if (compare(lower, level) === 0) return lower;
  const upper = add(lower, lot);
  const isUpperCheaper = compare(costAt(profile, upper, prices), costAt(profile, lower, prices)) < 0;
  return isUpperCheaper ? upper : lower;
}

function costAt(profile: UsageProfile, commitment: Rational, { committedHourly, onDemandHourly }: CommitmentPrices): Rational {
  const fixed = multiply(multiply(commitment, whole(hoursOf(profile))), committedHourly);
  return add(fixed, multiply(onDemandHourly, unitHoursOf(above(profile, commitment))));
}

/** The usage of the `rank`-th hour when the highest is the first; 0 past the last. */
function unitsAtRank(sorted: UsageProfile, rank: number): Rational {
  let reached = 0;
  for (const { units, hours } of sorted) {
    reached += hours;
    if (reached >= rank) return units;
  }
  return ZERO;
}

export interface CommitmentRisk {
  /** The saving if usage falls by each of the shares asked for, at the same commitment. */
  readonly savings: readonly { readonly drop: Rational; readonly saving: Rational }[];
  /** The largest drop at which the commitment still does not lose; null if it loses already. */
  readonly breakEvenDrop: Rational | null;
}

/**
 * How far usage may fall before the commitment loses (model b.7): 1 − z for the smallest z with p·Σ min(z·y, Q) ≥ n·e·Q. The
 * left side is made of straight pieces between the points where hours fill the commitment, so z is exact.
 */
export function commitmentRisk(profile: UsageProfile, commitment: Rational, prices: CommitmentPrices, drops: readonly Rational[]): CommitmentRisk {
  const savingAt = (drop: Rational): Rational => {
    const rest = profile.map(({ units, hours }) => ({ units: multiply(units, subtract(rational(1n), drop)), hours }));
    return subtract(multiply(prices.onDemandHourly, unitHoursOf(rest)), costAt(rest, commitment, prices));
  };
  const least = smallestPayingScale(profile, commitment, prices);
  return {
    savings: drops.map((drop) => ({ drop, saving: savingAt(drop) })),
    breakEvenDrop: least === null || compare(least, rational(1n)) > 0 ? null : subtract(rational(1n), least),
  };
}

/** The smallest scale of the profile at which the commitment pays; null if none does. */
function smallestPayingScale(profile: UsageProfile, commitment: Rational, { committedHourly, onDemandHourly }: CommitmentPrices): Rational | null {
  const target = multiply(multiply(whole(hoursOf(profile)), committedHourly), commitment);
  if (!isPositive(target)) return ZERO;
  const sorted = highestFirst(profile).filter(({ units }) => isPositive(units));
  let slope = multiply(onDemandHourly, sum(sorted.map(({ units, hours }) => multiply(units, whole(hours)))));
  let [scale, value] = [ZERO, ZERO];
  for (const { units, hours } of sorted) {
    const full = divide(commitment, units);
    const valueWhenFull = add(value, multiply(slope, subtract(full, scale)));
    if (compare(valueWhenFull, target) >= 0) return isPositive(slope) ? add(scale, divide(subtract(target, value), slope)) : null;
    [scale, value] = [full, valueWhenFull];
    slope = subtract(slope, multiply(onDemandHourly, multiply(units, whole(hours))));
  }
  return null;
}
