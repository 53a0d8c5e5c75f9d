/**
 * Usage of thousands of hours, sorted once, so that every question about a level is answered by two look-ups: what would be covered, what is
 * above, which level is cheapest. `commitment.ts` says the same of short profiles of any fractions; a test holds the two together.
 * Usage is in whole millionths of a unit: 10⁻⁶ GPU is finer than any bill, and a fleet of 10⁶ GPUs still is a whole number.
 */
import { add, compare, divide, floor, isPositive, larger, multiply, rational, smaller, subtract, whole, ZERO, ONE, type Rational } from "../../../shared/domain/rational.ts";
import { lotBelow, metricsOf, type CommitmentLimits, type CommitmentMetrics, type CommitmentPrices, type OptimalCommitment, type OptimalLevels } from "./commitment.ts";
import type { UsageProfile } from "./usage-profile.ts";

export const MILLIONTHS = 1_000_000;

export interface UsageRank {
  /** Distinct levels in millionths of a unit, from the highest. */
  readonly levels: Float64Array;
  /** Hours at or above each level. */
  readonly hours: Float64Array;
  /** Millionths used in those hours, hour by hour; exact in either form. */
  readonly unitHours: Float64Array | readonly bigint[];
}

/** Ranks the usage of single hours, in whole millionths; below 0 counts as 0. O(n log n). */
export function rankHours(usage: Float64Array): UsageRank {
  const sorted = usage.slice().sort();
  const levels = new Float64Array(sorted.length);
  const hours = new Float64Array(sorted.length);
  // Sums of doubles are exact up to 2^53, and a hundred times as fast; a fleet beyond that is added in whole numbers without an end.
  const isSmall = Math.max(0, sorted.at(-1) ?? 0) * sorted.length <= Number.MAX_SAFE_INTEGER;
  const small = new Float64Array(isSmall ? sorted.length : 0);
  const large: bigint[] = [];
  let distinct = 0;
  for (let end = sorted.length - 1; end >= 0; ) {
    const level = Math.max(0, sorted[end] as number);
    let start = end;
    while (start > 0 && Math.max(0, sorted[start - 1] as number) === level) start -= 1;
    const own = end - start + 1;
    levels[distinct] = level;
    hours[distinct] = sorted.length - start;
    if (isSmall) small[distinct] = (distinct === 0 ? 0 : (small[distinct - 1] as number)) + level * own;
    else large.push((large.at(-1) ?? 0n) + BigInt(level) * BigInt(own));
    distinct += 1;
    end = start - 1;
  }
  return { levels: levels.subarray(0, distinct), hours: hours.subarray(0, distinct), unitHours: isSmall ? small.subarray(0, distinct) : large };
}

/** Ranks runs of hours, in whole millionths. */
export function rankRuns(runs: Iterable<{ readonly level: number; readonly hours: number }>): UsageRank {
  const byLevel = new Map<number, number>();
  for (const { level, hours } of runs) if (hours > 0) byLevel.set(Math.max(0, level), (byLevel.get(Math.max(0, level)) ?? 0) + hours);
  const sorted = [...byLevel].sort(([a], [b]) => b - a);
  let reached = 0;
  let used = 0n;
  const unitHours: bigint[] = [];
  const hours = Float64Array.from(sorted, ([level, own]) => {
    reached += own;
    used += BigInt(level) * BigInt(own);
    unitHours.push(used);
    return reached;
  });
  return { levels: Float64Array.from(sorted, ([level]) => level), hours, unitHours };
}

export function rankedHours({ hours }: UsageRank): number {
  return hours.at(-1) ?? 0;
}

/** Σ units × hours. */
export function rankedUnitHours({ unitHours }: UsageRank): Rational {
  return rational(BigInt(unitHours.at(-1) ?? 0), BigInt(MILLIONTHS));
}

/** The same usage as a profile, highest first. */
export function profileOfRank({ levels, hours }: UsageRank): UsageProfile {
  return Array.from(levels, (level, index) => ({ units: rational(BigInt(level), BigInt(MILLIONTHS)), hours: (hours[index] as number) - (hours[index - 1] ?? 0) }));
}

/** Hours and unit-hours of the hours whose usage is above a level. */
function aboveLevel({ levels, hours, unitHours }: UsageRank, level: Rational): { readonly hours: number; readonly unitHours: Rational } {
  const limit = floor(multiply(level, whole(MILLIONTHS)));
  const bound = Number(limit);
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // A whole number of millionths is above the level if it is above the level's whole part.
    if ((levels[middle] as number) > bound) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? { hours: 0, unitHours: ZERO } : { hours: hours[low - 1] as number, unitHours: rational(BigInt(unitHours[low - 1] as number | bigint), BigInt(MILLIONTHS)) };
}

/** How many hours use more than a level. */
export function hoursAbove(rank: UsageRank, level: Rational): number {
  return aboveLevel(rank, level).hours;
}

/** Σ max(0, units − level). */
export function unitHoursAbove(rank: UsageRank, level: Rational): Rational {
  const { hours, unitHours } = aboveLevel(rank, level);
  return subtract(unitHours, multiply(level, whole(hours)));
}

/** Σ min(scale × units, level): what a commitment of the level covers when usage is `scale` times what it was. */
export function coveredUnitHours(rank: UsageRank, level: Rational, scale: Rational = ONE): Rational {
  if (!isPositive(scale)) return ZERO;
  const equal = compare(scale, ONE) === 0;
  const within = equal ? level : divide(level, scale);
  const covered = subtract(rankedUnitHours(rank), unitHoursAbove(rank, within));
  return equal ? covered : multiply(scale, covered);
}

/** As `optimalLevels`, by two look-ups: k = ⌊n·e ÷ p⌋ in whole numbers, then the usage of the hours of rank k and k + 1. */
export function optimalLevelsOfRank(rank: UsageRank, { committedHourly, onDemandHourly }: CommitmentPrices): OptimalLevels {
  const hours = rankedHours(rank);
  if (hours === 0 || compare(committedHourly, onDemandHourly) >= 0) return { low: ZERO, high: ZERO };
  const over = BigInt(hours) * committedHourly.numerator * onDemandHourly.denominator;
  const under = committedHourly.denominator * onDemandHourly.numerator;
  const k = Number(over / under);
  const low = levelAtRank(rank, k + 1);
  return over % under === 0n && k >= 1 ? { low, high: levelAtRank(rank, k) } : { low, high: low };
}

/** As `commitmentMetrics`. */
export function metricsOfRank(rank: UsageRank, commitment: Rational, prices: CommitmentPrices): CommitmentMetrics {
  return metricsOf(commitment, prices, { used: rankedUnitHours(rank), hours: whole(rankedHours(rank)), uncoveredUnitHours: unitHoursAbove(rank, commitment) });
}

/** As `optimalCommitment`: the cheaper of the lots next to the optimum, at a tie the smaller, cut down to a maximum. */
export function optimalCommitmentOfRank(rank: UsageRank, prices: CommitmentPrices, { lot, maximum }: CommitmentLimits = { lot: null, maximum: null }): OptimalCommitment {
  const { low, high } = optimalLevelsOfRank(rank, prices);
  const hasLot = lot !== null && isPositive(lot);
  let chosen = low;
  if (hasLot) {
    const lower = lotBelow(low, lot);
    const upper = add(lower, lot);
    chosen = compare(lower, low) === 0 || compare(costAt(rank, lower, prices), costAt(rank, upper, prices)) <= 0 ? lower : upper;
  }
  if (maximum !== null) chosen = smaller(chosen, larger(ZERO, hasLot ? lotBelow(maximum, lot) : maximum));
  return { ...metricsOfRank(rank, chosen, prices), optimalLow: low, optimalHigh: high };
}

function costAt(rank: UsageRank, level: Rational, { committedHourly, onDemandHourly }: CommitmentPrices): Rational {
  return add(multiply(multiply(level, whole(rankedHours(rank))), committedHourly), multiply(onDemandHourly, unitHoursAbove(rank, level)));
}

/** The usage of the `wanted`-th hour when the highest is the first; 0 past the last. */
function levelAtRank({ levels, hours }: UsageRank, wanted: number): Rational {
  let low = 0;
  let high = hours.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hours[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  const level = levels[low];
  return level === undefined ? ZERO : rational(BigInt(level), BigInt(MILLIONTHS));
}

export interface CapacitySpan {
  /** Units of existing commitments in force. */
  readonly capacity: Rational;
  readonly days: number;
}

/**
 * What the coming days would use beside what is already committed (model b.3), if the hours of the window came again and again: for each
 * span of days with the same capacity, max(0, usage − capacity), weighed by its days. The capacity counts, not what it happened to cover.
 */
export function futureUsage(usage: UsageRank, spans: readonly CapacitySpan[]): UsageRank {
  const left = spans.filter(({ days }) => days > 0);
  const divisor = left.reduce((common, { days }) => greatestCommon(common, days), 0);
  const { levels, hours } = usage;
  return rankRuns(
    left.flatMap(({ capacity, days }) => {
      // A part of a millionth that is committed frees no whole one.
      const taken = Number(floor(multiply(capacity, whole(MILLIONTHS))));
      return Array.from(levels, (level, index) => ({ level: level - taken, hours: ((hours[index] as number) - (hours[index - 1] ?? 0)) * (days / divisor) }));
    }),
  );
}

function greatestCommon(a: number, b: number): number {
  return b === 0 ? a : greatestCommon(b, a % b);
}
