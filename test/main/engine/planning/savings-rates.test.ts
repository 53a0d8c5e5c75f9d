import { describe, expect, it } from "vitest";
import { commitmentKpis, effectiveSavingsRateFromParts, poolUsage } from "../../../../main/engine/planning/savings-rates.ts";
import { decimal, whole } from "../../../../shared/domain/rational.ts";

describe("commitment rates", () => {
  it("make the savings rate from coverage, discount and utilization", () => {
    const parts = { coverage: decimal("0.5"), discount: decimal("0.4"), utilization: decimal("0.8") };
    expect(effectiveSavingsRateFromParts(parts)).toEqual({ effectiveSavingsRate: decimal("0.125"), breakEvenUtilization: decimal("0.6") });
    expect(effectiveSavingsRateFromParts({ ...parts, utilization: whole(0) }).effectiveSavingsRate).toBeNull();
  });

  it("come from the costs of a period, and are null where nothing was spent", () => {
    const totals = { listCost: whole(200), contractedCost: whole(160), effectiveCost: whole(120), commitmentCost: whole(50), commitmentUnusedCost: whole(10), coveredContractedCost: whole(60), eligibleContractedCost: whole(80) };
    expect(commitmentKpis(totals)).toEqual({
      savingsRateOverContracted: decimal("0.25"),
      savingsRateOverList: decimal("0.4"),
      commitmentUtilization: decimal("0.8"),
      commitmentWaste: decimal("0.2"),
      coverage: decimal("0.75"),
      netSaving: whole(40),
    });
    expect(commitmentKpis({ ...totals, contractedCost: whole(0), commitmentCost: whole(0) })).toMatchObject({ savingsRateOverContracted: null, commitmentUtilization: null, commitmentWaste: null });
  });
});

describe("pooling usage", () => {
  it("follows size factors only where the vendor pools and the factor is known", () => {
    const instances = [["m", "large", 1], ["m", "small", 2], ["gpu", "large", 3], ["m", "odd", 1]].map(([family, size, count]) => ({ family: String(family), size: String(size), count: whole(Number(count)) }));
    const pools = poolUsage(instances, new Map([["large", whole(4)], ["small", whole(1)]]), new Set(["gpu"]));
    expect([...pools]).toEqual([["gpu.large", whole(3)], ["m", whole(6)], ["m.odd", whole(1)]]);
  });
});
