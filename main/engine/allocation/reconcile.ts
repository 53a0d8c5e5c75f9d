import { ratio, whole, type Rational } from "../../../shared/domain/rational.ts";

/** The columns of a FOCUS charge that the commitment check reads; amounts in whole units of any one scale. */
export interface ReconcileRow {
  readonly ChargeCategory: string;
  readonly CommitmentDiscountId: string | null;
  readonly CommitmentDiscountStatus: string | null;
  readonly BilledCost: bigint;
  readonly EffectiveCost: bigint;
}

export interface CommitmentBalance {
  readonly CommitmentDiscountId: string;
  readonly purchaseBilled: bigint;
  readonly usageEffective: bigint;
  readonly used: bigint;
  readonly unused: bigint;
  /** Bought minus used up within these rows: above 0 is prepaid, below 0 was bought earlier. Not an error by itself. */
  readonly difference: bigint;
  readonly isBalanced: boolean;
  /** Unused ÷ effective cost of the commitment's usage; null if that is 0. */
  readonly wasteShare: Rational | null;
}

/**
 * Holds each commitment's purchases against the usage they pay for (model h.5): over the whole term
 * Σ BilledCost of its Purchase rows = Σ EffectiveCost of its Usage rows = used + unused. Inside a month they need not match.
 * The totals are over all rows.
 */
export function reconcileCommitments(rows: Iterable<ReconcileRow>): {
  readonly commitments: readonly CommitmentBalance[];
  readonly billedTotal: bigint;
  readonly effectiveTotal: bigint;
} {
  const balances = new Map<string, { purchaseBilled: bigint; usageEffective: bigint; used: bigint; unused: bigint }>();
  let billedTotal = 0n;
  let effectiveTotal = 0n;
  for (const row of rows) {
    billedTotal += row.BilledCost;
    effectiveTotal += row.EffectiveCost;
    const id = row.CommitmentDiscountId;
    if (id === null || id === "") continue;
    const balance = balances.get(id) ?? { purchaseBilled: 0n, usageEffective: 0n, used: 0n, unused: 0n };
    balances.set(id, balance);
    if (row.ChargeCategory === "Purchase") balance.purchaseBilled += row.BilledCost;
    if (row.ChargeCategory === "Usage") {
      balance.usageEffective += row.EffectiveCost;
      if (row.CommitmentDiscountStatus === "Used") balance.used += row.EffectiveCost;
      if (row.CommitmentDiscountStatus === "Unused") balance.unused += row.EffectiveCost;
    }
  }
  const commitments = [...balances].map(([CommitmentDiscountId, balance]) => ({
    CommitmentDiscountId,
    ...balance,
    difference: balance.purchaseBilled - balance.usageEffective,
    isBalanced: balance.purchaseBilled === balance.usageEffective,
    wasteShare: ratio(whole(balance.unused), whole(balance.usageEffective)),
  }));
  return { commitments, billedTotal, effectiveTotal };
}
