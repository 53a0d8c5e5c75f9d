import { compareIds } from "../../../../shared/domain/money.ts";
import { compare, divide, multiply, ONE, ratio, subtract, whole, type Rational } from "../../../../shared/domain/rational.ts";

/**
 * What a unit of served work costs (model e.4), for instance a million tokens, an image, a request.
 *
 * usageBased        price ÷ (units a second × 3600) × per: as if the GPU never waited
 * allocationBased   ÷ load factor: what is really paid a unit; null without traffic, when the cost is all idle
 */
export function servingCost({ priceHourly, unitsPerSecond, loadFactor, per }: {
  readonly priceHourly: Rational;
  /** At full load. */
  readonly unitsPerSecond: Rational;
  /** Share of the time, or of the throughput, that is used; 0 to 1. */
  readonly loadFactor: Rational;
  /** Units a price is named for, such as 1,000,000 tokens. */
  readonly per: Rational;
}): { readonly usageBased: Rational | null; readonly allocationBased: Rational | null; readonly utilization: Rational } {
  const usageBased = ratio(multiply(priceHourly, per), multiply(unitsPerSecond, SECONDS_PER_HOUR));
  return { usageBased, allocationBased: usageBased === null ? null : ratio(usageBased, loadFactor), utilization: loadFactor };
}

export interface WorkOffer {
  readonly id: string;
  readonly priceHourly: Rational;
  /** Measured on this workload. */
  readonly unitsPerSecond: Rational;
  /** For the whole offer; null if not known, then the offer is in no ranking by peak. */
  readonly peakTflopsDense: Rational | null;
}

export interface WorkPerDollar {
  /** Units a second × 3600 ÷ hourly price; null for a price of 0. */
  readonly unitsPerDollar: ReadonlyMap<string, Rational | null>;
  readonly rankingByWork: readonly string[];
  readonly rankingByPeak: readonly string[];
  readonly rankingsAgree: boolean;
  /** Best ÷ other − 1 for every offer but the best. */
  readonly advantageOfBest: ReadonlyMap<string, Rational | null>;
}

/** Ranks offers by measured work per unit of money, beside the ranking their data sheets would give (model e.1, e.5); ties by id. */
export function workPerDollar(offers: readonly WorkOffer[]): WorkPerDollar {
  const rated = offers.map(({ id, priceHourly, unitsPerSecond, peakTflopsDense }) => ({
    id,
    work: ratio(multiply(unitsPerSecond, SECONDS_PER_HOUR), priceHourly),
    peak: peakTflopsDense === null ? null : ratio(peakTflopsDense, priceHourly),
  }));
  const byWork = rated.toSorted((a, b) => highestFirst(a.work, b.work) || compareIds(a.id, b.id));
  const rankingByWork = byWork.map(({ id }) => id);
  const rankingByPeak = rated
    .filter(({ peak }) => peak !== null)
    .toSorted((a, b) => highestFirst(a.peak, b.peak) || compareIds(a.id, b.id))
    .map(({ id }) => id);
  const best = byWork[0]?.work ?? null;
  return {
    unitsPerDollar: new Map(rated.map(({ id, work }) => [id, work])),
    rankingByWork,
    rankingByPeak,
    rankingsAgree: rankingByWork.length === rankingByPeak.length && rankingByWork.every((id, index) => rankingByPeak[index] === id),
    advantageOfBest: new Map(byWork.slice(1).map(({ id, work }) => [id, best === null || work === null ? null : advantage(best, work)])),
  };
}

export interface ScalingPoint {
  readonly gpus: number;
  /** E = T(g) ÷ (g × T(1)); above 1 is possible (caches) and worth a look. */
  readonly efficiency: Rational | null;
  readonly speedup: Rational | null;
  /** What a unit costs beside one GPU: 1 ÷ E. */
  readonly costMultiplier: Rational | null;
}

/** How throughput scales with GPUs (model e.6); null where the single-GPU throughput is 0. */
export function parallelEfficiency(throughputOfOne: Rational, points: readonly { readonly gpus: number; readonly throughput: Rational }[]): readonly ScalingPoint[] {
  return points.map(({ gpus, throughput }) => {
    const speedup = ratio(throughput, throughputOfOne);
    const efficiency = speedup === null ? null : ratio(speedup, whole(gpus));
    return { gpus, efficiency, speedup, costMultiplier: efficiency === null ? null : ratio(ONE, efficiency) };
  });
}

/** The largest GPU count whose efficiency is above the floor (model e.6); null if none is. */
export function largestEfficient(points: readonly ScalingPoint[], floor: Rational): number | null {
  const counts = points.filter(({ efficiency }) => efficiency !== null && compare(efficiency, floor) > 0).map(({ gpus }) => gpus);
  return counts.length === 0 ? null : Math.max(...counts);
}

function advantage(best: Rational, other: Rational): Rational | null {
  return other.numerator === 0n ? null : subtract(divide(best, other), ONE);
}

function highestFirst(a: Rational | null, b: Rational | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(b, a);
}

const SECONDS_PER_HOUR = whole(3600);
