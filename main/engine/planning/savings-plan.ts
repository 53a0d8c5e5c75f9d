import { add, compare, divide, isPositive, multiply, ONE, ratio, smaller, subtract, sum, whole, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import { lotBelow } from "./commitment.ts";

/** One kind of usage in an hour. */
export interface SavingsPlanItem {
  readonly onDemandCost: Rational;
  /** Plan rate ÷ on-demand rate. Above 1, or not above 0, the plan does not cover it. */
  readonly planRatio: Rational;
}

/** Hours that are alike. */
export interface SavingsPlanHours {
  readonly items: readonly SavingsPlanItem[];
  readonly hours: number;
}

export interface OptimalSavingsPlan {
  /** Money an hour, before lots. */
  readonly optimalCommitment: Rational;
  readonly chosen: Rational;
  readonly totalCost: Rational;
  readonly onDemandCost: Rational;
  readonly saving: Rational;
  readonly utilization: Rational | null;
  /** On-demand-equivalent of what the plan covers ÷ that of what it could cover. */
  readonly coverage: Rational | null;
  readonly wasteCost: Rational;
}

/**
 * How much money an hour to commit to a savings plan (model b.5). A plan covers the items of an hour from the lowest ratio s
 * up; an item of on-demand cost o takes o·s of it. So an hour's cost has the slope 1 − 1/s inside an item and +1 after the
 * last, and rises ever steeper; the sum over hours is cheapest at the first breakpoint whose slope to the right is not below 0.
 * With a lot the multiples on both sides are compared, at a tie the smaller is taken. Exact.
 */
export function optimalSavingsPlan(profile: readonly SavingsPlanHours[], lot: Rational | null = null): OptimalSavingsPlan {
  const filled = profile.map(({ items, hours }) => ({ hours, steps: fillOrder(items), onDemandCost: sum(items.map(({ onDemandCost }) => onDemandCost)) }));
  const optimalCommitment = firstLevelThatDoesNotFall(filled);
  let chosen = optimalCommitment;
  if (lot !== null && isPositive(lot)) {
    const lower = lotBelow(optimalCommitment, lot);
    const upper = compare(lower, optimalCommitment) === 0 ? lower : add(lower, lot);
    chosen = compare(planOutcome(filled, upper).totalCost, planOutcome(filled, lower).totalCost) < 0 ? upper : lower;
  }
  const { totalCost, onDemandCost, planUsed, coveredOnDemand, eligibleOnDemand, hours } = planOutcome(filled, chosen);
  const committed = multiply(chosen, whole(hours));
  return {
    optimalCommitment,
    chosen,
    totalCost,
    onDemandCost,
    saving: subtract(onDemandCost, totalCost),
    utilization: ratio(planUsed, committed),
    coverage: ratio(coveredOnDemand, eligibleOnDemand),
    wasteCost: subtract(committed, planUsed),
  };
}

/** An item at its place in the hour's filling: `end` is the plan money an hour that covers it and all before. */
interface FillStep {
  readonly onDemandCost: Rational;
  readonly planRatio: Rational;
  readonly start: Rational;
  readonly end: Rational;
}

interface FilledHours {
  readonly hours: number;
  readonly steps: readonly FillStep[];
  readonly onDemandCost: Rational;
}

/** The items a plan covers, from the highest saving; at a tie the lowest plan cost first. */
function fillOrder(items: readonly SavingsPlanItem[]): readonly FillStep[] {
  const eligible = items
    .filter(({ planRatio, onDemandCost }) => isPositive(planRatio) && compare(planRatio, ONE) <= 0 && isPositive(onDemandCost))
    .toSorted((a, b) => compare(a.planRatio, b.planRatio) || compare(a.onDemandCost, b.onDemandCost));
  let start = ZERO;
  return eligible.map(({ onDemandCost, planRatio }) => {
    const end = add(start, multiply(onDemandCost, planRatio));
    const step = { onDemandCost, planRatio, start, end };
    start = end;
    return step;
  });
}

function firstLevelThatDoesNotFall(profile: readonly FilledHours[]): Rational {
  // All 1/s over one common denominator: thousands of slopes are then added as whole numbers.
  const ratios = new Map(profile.flatMap(({ steps }) => steps.map(({ planRatio }) => [`${planRatio.numerator}/${planRatio.denominator}`, planRatio] as const)));
  const common = [...ratios.values()].reduce((denominator, { numerator }) => leastCommonMultiple(denominator, numerator), 1n);
  const slopeIn = ({ planRatio }: FillStep): bigint => common - (common / planRatio.numerator) * planRatio.denominator;

  let slope = 0n;
  const changes: { at: Rational; by: bigint }[] = [];
  for (const { hours, steps } of profile) {
    const slopes = [...steps.map(slopeIn), common];
    slope += BigInt(hours) * (slopes[0] ?? common);
    steps.forEach(({ end }, index) => changes.push({ at: end, by: BigInt(hours) * ((slopes[index + 1] ?? common) - (slopes[index] ?? common)) }));
  }
  if (slope >= 0n) return ZERO;
  // Slopes only rise, so of equal levels each may be added by itself: the first that reaches 0 is at the same level.
  for (const { at, by } of changes.toSorted((a, b) => compare(a.at, b.at))) {
    slope += by;
    if (slope >= 0n) return at;
  }
  return ZERO;
}

function planOutcome(profile: readonly FilledHours[], commitment: Rational): {
  readonly hours: number;
  readonly totalCost: Rational;
  readonly onDemandCost: Rational;
  readonly planUsed: Rational;
  readonly coveredOnDemand: Rational;
  readonly eligibleOnDemand: Rational;
} {
  let [planUsed, coveredOnDemand, eligibleOnDemand, onDemandCost, hours] = [ZERO, ZERO, ZERO, ZERO, 0];
  for (const { hours: alike, steps, onDemandCost: inHour } of profile) {
    const weight = whole(alike);
    hours += alike;
    onDemandCost = add(onDemandCost, multiply(inHour, weight));
    for (const step of steps) {
      eligibleOnDemand = add(eligibleOnDemand, multiply(step.onDemandCost, weight));
      if (compare(step.start, commitment) >= 0) continue;
      const used = subtract(smaller(step.end, commitment), step.start);
      planUsed = add(planUsed, multiply(used, weight));
      coveredOnDemand = add(coveredOnDemand, multiply(divide(used, step.planRatio), weight));
    }
  }
  const totalCost = add(multiply(commitment, whole(hours)), subtract(onDemandCost, coveredOnDemand));
  return { hours, totalCost, onDemandCost, planUsed, coveredOnDemand, eligibleOnDemand };
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
