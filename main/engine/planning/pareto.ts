import { compareIds } from "../../../shared/domain/money.ts";
import { compare, type Rational } from "../../../shared/domain/rational.ts";

export type Direction = "min" | "max";

export interface Candidate {
  readonly id: string;
  /** One a direction; null is the worst there is. */
  readonly values: readonly (Rational | null)[];
}

/**
 * The candidates that no other beats (model j.4): one is dropped if another is at least as good in everything and better in
 * something. Equal candidates both stay. Both results are in order of ids; `dominatedBy` lists everyone that beats the dropped.
 */
export function paretoFront(candidates: readonly Candidate[], directions: readonly Direction[]): { readonly front: readonly string[]; readonly dominatedBy: ReadonlyMap<string, readonly string[]> } {
  const front: string[] = [];
  const dominatedBy = new Map<string, readonly string[]>();
  for (const candidate of candidates.toSorted((a, b) => compareIds(a.id, b.id))) {
    const better = candidates.filter((other) => dominates(other, candidate, directions)).map(({ id }) => id);
    if (better.length === 0) front.push(candidate.id);
    else dominatedBy.set(candidate.id, better.toSorted(compareIds));
  }
  return { front, dominatedBy };
}

function dominates(a: Candidate, b: Candidate, directions: readonly Direction[]): boolean {
  let isBetter = false;
  for (const [index, direction] of directions.entries()) {
    const order = comparison(a.values[index] ?? null, b.values[index] ?? null, direction);
    if (order > 0) return false;
    if (order < 0) isBetter = true;
  }
  return isBetter;
}

/** Below 0 if a is better. */
function comparison(a: Rational | null, b: Rational | null, direction: Direction): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return direction === "min" ? compare(a, b) : compare(b, a);
}
