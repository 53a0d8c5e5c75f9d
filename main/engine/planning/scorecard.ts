import { compareIds } from "../../../shared/domain/money.ts";
import { add, compare, divide, isNegative, isZero, multiply, negate, ratio, subtract, sum, ZERO, type Rational } from "../../../shared/domain/rational.ts";

export interface ScoredVendor {
  readonly id: string;
  /** By criterion; null or missing where nobody has scored it yet. */
  readonly scores: ReadonlyMap<string, Rational | null>;
}

export interface Scorecard {
  /** Of every vendor, the excluded ones too; null without any scored criterion. */
  readonly vendors: readonly { readonly id: string; readonly score: Rational | null; readonly knownWeight: Rational | null; readonly failedMinimums: readonly string[] }[];
  /** Without those that fail a minimum: by score, then known weight, then id. */
  readonly ranking: readonly string[];
  /** Per criterion, the weight at which the first two would tie; null if no weight does. Empty unless both are scored in full. */
  readonly weightAtWhichTopTwoTie: ReadonlyMap<string, Rational | null>;
}

/**
 * Scores vendors by weighted criteria (model j.5).
 *
 * score     Σ weight × score over the scored criteria ÷ their weight: a missing score lowers the known weight, not the score
 * minimum   a vendor below one, or not scored where there is one, is not ranked
 * tie       of the first two, a and b: w_k = −Σ_{i≠k} wᵢ·(aᵢ − bᵢ) ÷ (a_k − b_k), if that is not below 0
 */
export function scorecard(weights: ReadonlyMap<string, Rational>, vendors: readonly ScoredVendor[], minimums: ReadonlyMap<string, Rational> = new Map()): Scorecard {
  const totalWeight = sum(weights.values());
  const scored = vendors.map(({ id, scores }) => {
    const known = [...weights].flatMap(([criterion, weight]) => {
      const score = scores.get(criterion) ?? null;
      return score === null ? [] : [{ weight, score }];
    });
    const knownWeight = sum(known.map(({ weight }) => weight));
    return {
      id,
      score: ratio(sum(known.map(({ weight, score }) => multiply(weight, score))), knownWeight),
      knownWeight: ratio(knownWeight, totalWeight),
      failedMinimums: [...minimums].filter(([criterion, minimum]) => isBelow(scores.get(criterion) ?? null, minimum)).map(([criterion]) => criterion),
    };
  });
  const ranking = scored
    .filter(({ failedMinimums }) => failedMinimums.length === 0)
    .toSorted((a, b) => highestFirst(a.score, b.score) || highestFirst(a.knownWeight, b.knownWeight) || compareIds(a.id, b.id))
    .map(({ id }) => id);
  const [first, second] = ranking.map((id) => vendors.find((vendor) => vendor.id === id));
  return { vendors: scored, ranking, weightAtWhichTopTwoTie: first === undefined || second === undefined ? new Map() : tieWeights(weights, first, second) };
}

function tieWeights(weights: ReadonlyMap<string, Rational>, a: ScoredVendor, b: ScoredVendor): ReadonlyMap<string, Rational | null> {
  const differences = new Map<string, Rational>();
  for (const criterion of weights.keys()) {
    const [ofA, ofB] = [a.scores.get(criterion) ?? null, b.scores.get(criterion) ?? null];
    if (ofA === null || ofB === null) return new Map();
    differences.set(criterion, subtract(ofA, ofB));
  }
  const lead = [...weights].reduce((total, [criterion, weight]) => add(total, multiply(weight, differences.get(criterion) ?? ZERO)), ZERO);
  return new Map(
    [...weights].map(([criterion, weight]) => {
      const difference = differences.get(criterion) ?? ZERO;
      if (isZero(difference)) return [criterion, null];
      const tie = negate(divide(subtract(lead, multiply(weight, difference)), difference));
      return [criterion, isNegative(tie) ? null : tie];
    }),
  );
}

function isBelow(score: Rational | null, minimum: Rational): boolean {
  return score === null || compare(score, minimum) < 0;
}

function highestFirst(a: Rational | null, b: Rational | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(b, a);
}
