import { add, multiply, ONE, ratio, subtract, type Rational } from "../../../shared/domain/rational.ts";

/**
 * The effective savings rate from its parts (model b.6): coverage × (1 − (1 − discount) ÷ utilization). The commitment breaks
 * even at a utilization of 1 − discount. Null for a commitment that nobody uses.
 */
export function effectiveSavingsRateFromParts({ coverage, discount, utilization }: {
  readonly coverage: Rational;
  readonly discount: Rational;
  readonly utilization: Rational;
}): { readonly effectiveSavingsRate: Rational | null; readonly breakEvenUtilization: Rational } {
  const breakEvenUtilization = subtract(ONE, discount);
  const paid = ratio(breakEvenUtilization, utilization);
  return { effectiveSavingsRate: paid === null ? null : multiply(coverage, subtract(ONE, paid)), breakEvenUtilization };
}

/** Sums of a period's charges, all on the same scope. */
export interface CommitmentTotals {
  readonly listCost: Rational;
  readonly contractedCost: Rational;
  readonly effectiveCost: Rational;
  /** Effective cost of all commitments, and the part of it that nobody used. */
  readonly commitmentCost: Rational;
  readonly commitmentUnusedCost: Rational;
  /** Contracted cost of the usage that commitments covered, and of all they could have covered. */
  readonly coveredContractedCost: Rational;
  readonly eligibleContractedCost: Rational;
}

export interface CommitmentKpis {
  /** (Contracted − effective) ÷ contracted. */
  readonly savingsRateOverContracted: Rational | null;
  /** (List − effective) ÷ list: shown beside, not instead. */
  readonly savingsRateOverList: Rational | null;
  readonly commitmentUtilization: Rational | null;
  readonly commitmentWaste: Rational | null;
  /** On-demand-equivalent money, not hours and not money paid. */
  readonly coverage: Rational | null;
  readonly netSaving: Rational;
}

/** The commitment figures of a period from FOCUS costs (model b.6); each ratio is null where its denominator is 0. */
export function commitmentKpis(totals: CommitmentTotals): CommitmentKpis {
  const { listCost, contractedCost, effectiveCost, commitmentCost, commitmentUnusedCost } = totals;
  return {
    savingsRateOverContracted: ratio(subtract(contractedCost, effectiveCost), contractedCost),
    savingsRateOverList: ratio(subtract(listCost, effectiveCost), listCost),
    commitmentUtilization: ratio(subtract(commitmentCost, commitmentUnusedCost), commitmentCost),
    commitmentWaste: ratio(commitmentUnusedCost, commitmentCost),
    coverage: ratio(totals.coveredContractedCost, totals.eligibleContractedCost),
    netSaving: subtract(contractedCost, effectiveCost),
  };
}

export interface InstanceCount {
  readonly family: string;
  readonly size: string;
  readonly count: Rational;
}

/**
 * Pools usage of a family by size factors where the vendor pools it (model b.2). A family that is named as not flexible, and a
 * size without a factor, stay apart as `family.size`, counted in instances: never inferred. In order of the pools' names.
 */
export function poolUsage(instances: readonly InstanceCount[], factors: ReadonlyMap<string, Rational>, notFlexible: ReadonlySet<string>): ReadonlyMap<string, Rational> {
  const pools = new Map<string, Rational>();
  for (const { family, size, count } of instances) {
    const factor = notFlexible.has(family) ? undefined : factors.get(size);
    const pool = factor === undefined ? `${family}.${size}` : family;
    const units = factor === undefined ? count : multiply(count, factor);
    const before = pools.get(pool);
    pools.set(pool, before === undefined ? units : add(before, units));
  }
  return new Map([...pools].sort(([a], [b]) => (a < b ? -1 : 1)));
}
