import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anomalies, DEFAULT_ANOMALY_POLICY } from "../../../../main/engine/budgets/anomalies.ts";
import { rational, toNumber, whole } from "../../../../shared/domain/rational.ts";

const flat = (days: number, amount = 1000n): bigint[] => Array.from({ length: days }, () => amount);
const find = (history: readonly (bigint | null)[]) => anomalies("2026-01-01", history);
const dates = (from: string, count: number) => Array.from({ length: count }, (_, index) => new Date(Date.parse(from) + index * 86_400_000).toISOString().slice(0, 10));

describe("anomalies of daily cost", () => {
  it("are days far from their weekday, in share and in spread", () => {
    // 2 % of 1000 is the least spread: 100 more is z = 5 and exactly 10 %.
    const history = flat(70).with(60, 1100n);
    expect(find(history)).toEqual({
      flagged: ["2026-03-02"],
      events: [{ start: "2026-03-02", end: "2026-03-02", direction: "up", flaggedDays: 1, impact: whole(100), maximumAbsoluteZ: whole(5), kind: "anomaly" }],
    });
    expect(find(flat(70).with(60, 1099n)).flagged).toEqual([]);
    expect(anomalies("2026-01-01", history, { ...DEFAULT_ANOMALY_POLICY, minimumAmount: 101n }).flagged).toEqual([]);
    expect(anomalies("2026-01-01", history, { ...DEFAULT_ANOMALY_POLICY, z: rational(5n) }).flagged).toEqual([]);
  });

  it("need three same weekdays and 28 judged days first", () => {
    // Days are judged from the 22nd on: the 50th is the first with 28 of them behind it.
    expect(find(flat(60).with(48, 5000n)).flagged).toEqual([]);
    expect(find(flat(60).with(49, 5000n)).flagged).toEqual(["2026-02-19"]);
  });

  it("of one direction with one day between are one event; from seven days on a level shift", () => {
    const ups = flat(80).with(60, 2000n).with(62, 3000n).with(65, 2000n).with(66, 100n);
    expect(find(ups).events.map(({ start, end, direction, flaggedDays, impact }) => [start, end, direction, flaggedDays, toNumber(impact)])).toEqual([
      ["2026-03-02", "2026-03-04", "up", 2, 3000],
      ["2026-03-07", "2026-03-07", "up", 1, 1000],
      ["2026-03-08", "2026-03-08", "down", 1, -900],
    ]);
    const shift = [...flat(60), ...flat(7, 2000n), ...flat(10)];
    expect(find(shift).events).toMatchObject([{ kind: "level_shift", flaggedDays: 7, start: "2026-03-02", end: "2026-03-08" }]);
  });

  it("stay out of the baseline until 14 in a row: then the level is accepted", () => {
    const { flagged } = find([...flat(60), ...flat(60, 2000n)]);
    expect(flagged.slice(0, 14)).toEqual(dates("2026-03-02", 14));
    expect(flagged.length).toBeLessThanOrEqual(28);
    expect(flagged.at(-1)! < "2026-04-01").toBe(true);
  });

  it("leave unknown days out, and judge nothing by nothing", () => {
    expect(find(flat(70).map((amount, day) => (day % 5 === 0 ? null : amount))).flagged).toEqual([]);
    expect(find(flat(70, 0n).with(60, 500n)).flagged).toEqual([]);
    expect(find([])).toEqual({ flagged: [], events: [] });
  });

  it("do not depend on the currency's size", () => {
    const history = fc.array(fc.integer({ min: 800, max: 3000 }), { minLength: 60, maxLength: 90 });
    fc.assert(
      fc.property(history, (amounts) => {
        const once = find(amounts.map(BigInt));
        const scaled = find(amounts.map((amount) => BigInt(amount) * 10n ** 18n));
        expect(scaled.flagged).toEqual(once.flagged);
        expect(scaled.events.map(({ maximumAbsoluteZ }) => maximumAbsoluteZ)).toEqual(once.events.map(({ maximumAbsoluteZ }) => maximumAbsoluteZ));
      }),
      { numRuns: 30 },
    );
  });
});
