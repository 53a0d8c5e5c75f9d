import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backtest, empiricalHalfWidth } from "../../../../main/engine/budgets/backtest.ts";
import { burnDown, runwayDay } from "../../../../main/engine/budgets/burn-down.ts";
import { budgetPeriod } from "../../../../main/engine/budgets/periods.ts";
import { identifiedSavings } from "../../../../main/engine/budgets/savings.ts";
import { anomalies, DEFAULT_ANOMALY_POLICY, judgedDays, watch } from "../../../../main/engine/budgets/anomalies.ts";
import { decimal, toNumber } from "../../../../shared/domain/rational.ts";

describe("the period of a budget", () => {
  it("is the calendar's unless the fiscal year starts elsewhere", () => {
    expect(budgetPeriod("month", "2026-09", 4)).toEqual({ label: "2026-09", months: ["2026-09"] });
    expect(budgetPeriod("quarter", "2026-09", 1)).toEqual({ label: "2026-Q3", months: ["2026-07", "2026-08", "2026-09"] });
    expect(budgetPeriod("quarter", "2027-02", 4)).toMatchObject({ label: "FY2027-Q4", months: ["2027-01", "2027-02", "2027-03"] });
    expect(budgetPeriod("fiscal-year", "2026-12", 10)).toMatchObject({ label: "FY2027" });
    expect(budgetPeriod("fiscal-year", "2026-12", 1).months).toHaveLength(12);
  });
});

describe("a burn-down", () => {
  it("adds up plan, past and what is to come", () => {
    const days = burnDown([{ start: 0, end: 3, plan: 10n }], (day) => (day < 2 ? 4n : null), () => 5n);
    expect(days).toEqual([
      { day: 0, plan: 3n, actual: 4n, forecast: null },
      { day: 1, plan: 6n, actual: 8n, forecast: null },
      { day: 2, plan: 10n, actual: null, forecast: 13n },
    ]);
    expect([runwayDay(days, 8n), runwayDay(days, 13n), runwayDay(days, 14n)]).toEqual([1, 2, null]);
  });

  it("ends on the plan of its months exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ length: fc.integer({ min: 28, max: 31 }), plan: fc.bigInt(0n, 10n ** 24n) }), { minLength: 1, maxLength: 4 }), (months) => {
        let start = 0;
        const spans = months.map(({ length, plan }) => ({ start, end: (start += length), plan }));
        const days = burnDown(spans, () => null, () => null);
        for (const { end } of spans) expect(days[end - 1]?.plan).toBe(spans.filter((span) => span.end <= end).reduce((sum, { plan }) => sum + plan, 0n));
        expect(days.at(-1)?.forecast).toBeNull();
      }),
    );
  });
});

describe("looking back", () => {
  it("finds a constant cost without a miss, by every method, and keeps to the level", () => {
    const { origins, errors, coverage, best } = backtest("2026-01-01", Array.from({ length: 120 }, () => 240n * 10n ** 18n));
    // February, March and April have 28 known days before them.
    expect(origins.map(({ month, day }) => `${month} ${day}`)).toEqual(["2026-02", "2026-03", "2026-04"].flatMap((month) => [5, 10, 15, 20, 25].map((day) => `${month} ${day}`)));
    for (const { wape, bias } of Object.values(errors)) expect([wape, bias].map((value) => (value === null ? null : Math.abs(toNumber(value)) < 1e-9))).toEqual([true, true]);
    expect([coverage, best]).toEqual([1, "level"]);
  });

  it("leaves a method only for one that is a tenth better over fifteen origins", () => {
    // A level that steps once each month is better told by the month's own days.
    const stepping = Array.from({ length: 365 }, (_, day) => BigInt(1000 + 900 * (Math.floor(day / 30.42) % 2)) * 10n ** 15n);
    const { errors, best, origins } = backtest("2026-01-01", stepping);
    expect(origins.length).toBeGreaterThanOrEqual(15);
    const [own, other] = [errors.level.wape, errors[best].wape];
    expect(best === "level" || (own !== null && other !== null && toNumber(other) <= 0.9 * toNumber(own))).toBe(true);
  });

  it("skips months with a hole, and widens the interval to what was missed before", () => {
    const days = Array.from({ length: 365 }, (_, day): bigint | null => (day === 45 ? null : BigInt(100 + (day % 9)) * 10n ** 18n));
    const past = backtest("2026-01-01", days);
    expect(past.origins.some(({ month }) => month === "2026-02")).toBe(false);
    expect(empiricalHalfWidth(past, "level", 10, 1000n, 0n)).toBeGreaterThan(0n);
    expect(empiricalHalfWidth(past, "level", 10, 1000n, 10n ** 30n)).toBe(10n ** 30n);
  });
});

describe("identified savings", () => {
  it("count overlapping advice once and never exceed what the thing costs", () => {
    expect(identifiedSavings([{ on: "i-1", saving: 40n, cost: 100n }, { on: "i-1", saving: 70n, cost: 100n }, { on: "i-2", saving: 50n, cost: 30n }, { on: "i-3", saving: -5n, cost: 10n }])).toBe(100n);
    const advice = fc.array(fc.record({ on: fc.constantFrom("a", "b", "c"), saving: fc.bigInt(-50n, 200n), cost: fc.bigInt(0n, 100n) }));
    fc.assert(fc.property(advice, (list) => {
      const cost = [...new Set(list.map(({ on }) => on))].reduce((sum, on) => sum + list.filter((each) => each.on === on).reduce((most, each) => (each.cost > most ? each.cost : most), 0n), 0n);
      const saved = identifiedSavings(list);
      expect(saved >= 0n && saved <= cost).toBe(true);
    }));
  });
});

describe("watching a scope", () => {
  const steady = (day: number): bigint => BigInt(1000 + 3 * (day % 5)) * 10n ** 15n;

  it("shows the band that a day left", () => {
    const history = Array.from({ length: 100 }, (_, day) => (day === 90 ? 2n * steady(day) : steady(day)));
    const { events, z } = watch("2026-01-01", history);
    const days = judgedDays("2026-01-01", history, { ...DEFAULT_ANOMALY_POLICY, z });
    expect(events).toMatchObject([{ direction: "up", flaggedDays: 1 }]);
    const flagged = days.filter(({ isFlagged }) => isFlagged);
    expect(flagged).toHaveLength(1);
    for (const { cost, low, high, expected, isFlagged } of days) expect(isFlagged).toBe(cost < low || cost > high || (cost !== expected && low === high));
  });

  it("flags by its shortcut the days that it flags with every band worked out", () => {
    const cost = fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 980, max: 1020 }) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 2000 }) }, { weight: 1, arbitrary: fc.constant(null) });
    fc.assert(
      fc.property(fc.array(cost, { minLength: 60, maxLength: 160 }), fc.constantFrom("3.5", "2", "5"), (costs, z) => {
        const history = costs.map((amount) => (amount === null ? null : BigInt(amount) * 10n ** 18n + 7n));
        const policy = { ...DEFAULT_ANOMALY_POLICY, z: decimal(z) };
        const first = Date.parse("2026-01-01") / 86_400_000;
        const flagged = judgedDays("2026-01-01", history, policy).filter(({ isFlagged }) => isFlagged).map(({ day }) => day - first);
        expect(anomalies("2026-01-01", history, policy).flagged.map((date) => Date.parse(date) / 86_400_000 - first)).toEqual(flagged);
      }),
    );
  });

  it("raises the limit of a scope that cries too often", () => {
    const noisy = Array.from({ length: 200 }, (_, day) => (day > 100 && day % 8 === 0 ? (17n * steady(day)) / 10n : steady(day)));
    const { z, events } = watch("2026-01-01", noisy);
    expect(toNumber(z)).toBeGreaterThan(3.5);
    expect(events.length).toBeLessThan(12);
  });
});
