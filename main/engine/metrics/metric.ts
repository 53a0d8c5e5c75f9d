import type { Basis, Figure, MetricId, Unit, UnknownReason } from "../../../shared/domain/figure.ts";
import { divideHalfEven } from "../../../shared/domain/rational.ts";

/** One figure's rule: from the facts it needs to the figure, and what a person needs to recompute it. */
export interface Metric<Facts> {
  readonly id: MetricId;
  /** Which question's rows it is worked out from: `charges.ts` (bill, by billing month), `gpu-hours-where-met.ts` or `carbon-facts.ts` (UTC hours). */
  readonly needs: "charges" | "gpu-hours" | "carbon";
  /** Whether the figures of the parts of a split add up to the figure of the whole. A ratio's do not. */
  readonly addsUp: boolean;
  readonly figure: (facts: Facts) => Figure;
  /** The figures of the formula, in its order. */
  readonly inputs: (facts: Facts) => readonly Input[];
  /** What it would be if all unknown time were one thing or the other (maths.md d.2, d.5); null where nothing is unknown. */
  readonly bounds?: (facts: Facts) => Bounds | null;
}
/** `label` is a catalog key. */
export interface Input {
  readonly label: string;
  readonly figure: Figure;
}
export interface Bounds {
  readonly low: Figure;
  readonly high: Figure;
}

/** A figure that is known, or null for the reason given. */
export function figureOf(
  metric: MetricId,
  value: number | bigint | null,
  unit: Unit,
  basis: Basis,
  coverage: number,
  why: UnknownReason = "no-denominator",
): Figure {
  return value === null ? { metric, value, unit, basis, coverage, why } : { metric, value, unit, basis, coverage };
}

/** `part ÷ whole` as a number for showing; null over nothing. Both in attos or both in hours. */
export function share(part: bigint | number, whole: bigint | number): number | null {
  if (Number(whole) === 0) return null;
  return Number(part) / Number(whole);
}

/** A share that says how much is known: of nothing, nothing is known. Never outside 0 to 1, whatever the last bit of a sum of hours does. */
export function coverageOf(part: bigint | number, whole: bigint | number): number {
  const ratio = share(part, whole);
  return ratio === null ? 0 : Math.min(1, Math.max(0, ratio));
}

/** The sum of the amounts that are stated; null where none is. */
export function sumStated(amounts: Iterable<bigint | null>): bigint | null {
  let total: bigint | null = null;
  for (const amount of amounts) if (amount !== null) total = total === null ? amount : total + amount;
  return total;
}

/**
 * Sum of hours or other measured quantities that do not depend on the order of the rows: added as whole billionths, where a
 * value beyond 9 million has fewer digits than that.
 */
export function sumHours(hours: Iterable<number>): number {
  let whole = 0n;
  // Whole numbers that a double holds are added as such, which is exact and quick.
  let small = 0;
  for (const value of hours) {
    const billionths = Math.round(value * 1e9);
    if (Number.isSafeInteger(small + billionths)) small += billionths;
    else {
      whole += BigInt(small) + BigInt(billionths);
      small = 0;
    }
  }
  return Number(whole + BigInt(small)) / 1e9;
}

/** Attos ÷ hours, rounded half-even to the atto once; null over no hours. Hours count to the billionth. */
export function attosPerHour(attos: bigint, hours: number): bigint | null {
  const billionths = BigInt(Math.round(hours * 1e9));
  if (billionths === 0n) return null;
  return divideHalfEven(attos * 1_000_000_000n, billionths);
}
