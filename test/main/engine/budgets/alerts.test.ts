import { describe, expect, it } from "vitest";
import { budgetAlerts, proratedBudget, type BudgetState } from "../../../../main/engine/budgets/alerts.ts";
import { falseAlarms, twoSided } from "../../../../main/engine/budgets/false-alarms.ts";
import { rational, whole } from "../../../../shared/domain/rational.ts";

const thresholds = [
  { id: "half", type: "actual", percent: whole(50) },
  { id: "forecast", type: "forecast", percent: whole(100) },
] as const;
const alerts = (changes: Partial<BudgetState> = {}) => budgetAlerts(thresholds, { budget: 1000n, actual: 0n, forecast: null, alreadyFired: new Set(), ...changes });

describe("budget alerts", () => {
  it("fire from exactly the threshold on, once", () => {
    expect(alerts({ actual: 499n }).fire).toEqual([]);
    expect(alerts({ actual: 500n, forecast: 1000n })).toEqual({ fire: ["half", "forecast"], rearm: [], consumedShare: rational(1n, 2n), remaining: 500n });
    expect(alerts({ actual: 900n, forecast: 2000n, alreadyFired: new Set(["half", "forecast"]) }).fire).toEqual([]);
  });

  it("re-arm a forecast that fell back 5 points, never an actual", () => {
    const alreadyFired = new Set(["half", "forecast"]);
    expect(alerts({ forecast: 951n, alreadyFired }).rearm).toEqual([]);
    expect(alerts({ forecast: 950n, alreadyFired }).rearm).toEqual(["forecast"]);
    expect(alerts({ forecast: null, alreadyFired }).rearm).toEqual([]);
  });

  it("fire on any cost against a budget of nothing, and on none without a forecast", () => {
    expect(alerts({ budget: 0n, actual: 1n })).toEqual({ fire: ["half"], rearm: [], consumedShare: null, remaining: -1n });
    expect(alerts({ budget: 0n, actual: 0n, forecast: 0n }).fire).toEqual([]);
    expect(alerts({ actual: -20n })).toMatchObject({ fire: [], consumedShare: rational(-1n, 50n), remaining: 1020n });
  });

  it("prorate a part of a period by hours", () => {
    expect(proratedBudget(743n, whole(24), whole(743))).toEqual(whole(24));
    expect(proratedBudget(743n, whole(24), whole(0))).toBeNull();
  });
});

describe("false alarms", () => {
  it("follow the normal distribution", () => {
    // Tabled values of 2·(1 − Φ(z)).
    expect(twoSided(0)).toBe(1);
    expect(twoSided(1.959963984540054)).toBeCloseTo(0.05, 14);
    expect(twoSided(3)).toBeCloseTo(0.0026997960632601866, 16);
    expect(twoSided(6) / 1.9731752900753e-9).toBeCloseTo(1, 10);
    expect(twoSided(-1) + twoSided(1)).toBeCloseTo(2, 14);
  });

  it("give the limit for a number of alarms", () => {
    expect(falseAlarms({ z: 3, scopes: 10, days: 10, targetAlarms: 5 }).zForTarget).toBeCloseTo(1.959963984540054, 12);
    expect([0, 101].map((targetAlarms) => falseAlarms({ z: 3, scopes: 10, days: 10, targetAlarms }).zForTarget)).toEqual([null, null]);
  });
});
