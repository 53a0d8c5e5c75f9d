import { describe, expect, it } from "vitest";
import { reconcileCommitments, type ReconcileRow } from "../../../../main/engine/allocation/reconcile.ts";
import { rational } from "../../../../shared/domain/rational.ts";

const row = (ChargeCategory: string, CommitmentDiscountId: string | null, CommitmentDiscountStatus: string | null, BilledCost: bigint, EffectiveCost: bigint): ReconcileRow => ({
  ChargeCategory,
  CommitmentDiscountId,
  CommitmentDiscountStatus,
  BilledCost,
  EffectiveCost,
});

describe("reconciling commitments", () => {
  it("holds what was bought against what was used up", () => {
    const rows = [row("Purchase", "plan", null, 10n, 0n), row("Usage", "plan", "Used", 0n, 6n), row("Usage", "plan", "Unused", 0n, 3n), row("Usage", null, null, 2n, 2n), row("Tax", "plan", null, 1n, 1n)];
    expect(reconcileCommitments(rows)).toEqual({
      commitments: [{ CommitmentDiscountId: "plan", purchaseBilled: 10n, usageEffective: 9n, used: 6n, unused: 3n, difference: 1n, isBalanced: false, wasteShare: rational(1n, 3n) }],
      billedTotal: 13n,
      effectiveTotal: 12n,
    });
  });

  it("gives no waste share of no usage", () => {
    expect(reconcileCommitments([row("Purchase", "plan", null, 10n, 0n)]).commitments[0]).toMatchObject({ wasteShare: null, difference: 10n });
  });
});
