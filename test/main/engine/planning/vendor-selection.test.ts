import { describe, expect, it } from "vitest";
import { selectionSteps, type SelectionStep, type VendorSelection } from "../../../../shared/contract/calculators.ts";
import { whole, ZERO } from "../../../../shared/domain/rational.ts";
import { leaderOf, nearestTie, selectionOutcome } from "../../../../main/engine/planning/vendor-selection.ts";

const each = <T>(of: (step: SelectionStep, index: number) => T): Record<SelectionStep, T> => Object.fromEntries(selectionSteps.map((step, index) => [step, of(step, index)])) as Record<SelectionStep, T>;
const weights = ["35", "20", "15", "15", "15"];
const vendor = (name: string, scores: readonly (string | null)[]) => ({ name, steps: each((_step, index) => ({ score: scores[index] ?? null, evidence: "", source: "", foundOn: null })), quotes: [] });
const selection = (change: Partial<VendorSelection> = {}): VendorSelection => ({
  id: 1, changedAt: "2026-10-01T00:00:00Z", name: "clouds", currency: "USD", workload: "", weights: each((_step, index) => weights[index] ?? "0"), minimums: each(() => null),
  // 8×35 + 7×20 + 9×15 + 6×15 + 8×15 = 765 of 100; the other 740.
  vendors: [vendor("alpha", ["8", "7", "9", "6", "8"]), vendor("beta", ["9", "7", "6", "7", "6"])],
  pilot: null, decision: { vendor: null, reason: "", by: "" }, ...change,
});

describe("a vendor selection", () => {
  it("ranks by weighted score and says which weight would turn it", () => {
    const outcome = selectionOutcome(selection(), null);
    expect(outcome.vendors.map(({ name, score, place }) => [name, score, place])).toEqual([["alpha", "7.65", 1], ["beta", "7.4", 2]]);
    expect(leaderOf(outcome)?.name).toBe("alpha");
    const tie = nearestTie(outcome);
    // At the weight named, both score the same.
    const turned = selectionOutcome(selection({ weights: { ...selection().weights, [tie?.step ?? "pilot"]: tie?.weight ?? "0" } }), null);
    expect(turned.vendors[0]?.score).toBe(turned.vendors[1]?.score);
  });

  it("lowers the known weight for a missing score, not the score, and calls less than 70 % incomplete", () => {
    const outcome = selectionOutcome(selection({ vendors: [vendor("alpha", ["8", null, null, null, null])] }), null);
    expect(outcome.vendors[0]).toMatchObject({ score: "8", knownWeight: "0.35", isComplete: false, place: 1 });
    expect(outcome.ties).toEqual([]);
  });

  it("excludes a vendor under a minimum, and ranks nobody without a score", () => {
    const outcome = selectionOutcome(selection({ minimums: { ...each(() => null), support: "7" } }), null);
    expect(outcome.vendors.map(({ name, place, failedMinimums }) => [name, place, failedMinimums])).toEqual([["alpha", null, ["support"]], ["beta", 1, []]]);
    expect(leaderOf(selectionOutcome(selection({ vendors: [vendor("gamma", [])] }), null))).toBeNull();
  });

  it("holds quotes against list; an unknown list price gives no discount", () => {
    const quotes = [{ item: "H100", list: "4", quoted: "3", validUntil: null }, { item: "A100", list: null, quoted: "2", validUntil: null }, { item: "free", list: "0", quoted: "0", validUntil: null }];
    const outcome = selectionOutcome(selection({ vendors: [{ ...vendor("alpha", ["8"]), quotes }] }), null);
    expect(outcome.vendors[0]?.quotes.map(({ discount }) => discount)).toEqual(["0.25", null, null]);
  });

  it("holds the pilot's plan against the bill, and leaves unknown what has none", () => {
    const pilot = { vendor: "alpha", firstDay: "2026-09-01", lastDay: "2026-09-10", provider: null, gpuModel: null, team: null, plannedGpuHours: "100", plannedCost: "400", plannedUse: "0.6" };
    const facts = { days: 10, daysBilled: 9, gpuHours: whole(120), cost: whole(540), usedGpuHours: whole(30), knownGpuHours: whole(60) };
    expect(selectionOutcome(selection({ pilot }), facts).pilot).toMatchObject({ plannedPrice: "4", price: "4.5", use: "0.5", coverage: 0.5, daysBilled: 9 });
    expect(selectionOutcome(selection({ pilot }), { ...facts, daysBilled: 0, gpuHours: null, cost: null, usedGpuHours: ZERO, knownGpuHours: ZERO }).pilot).toMatchObject({ gpuHours: null, cost: null, price: null, use: null, coverage: 0 });
  });
});
