import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryGrowth } from "../../../../../main/engine/metrics/model/memory-growth.ts";

const card = 80_000;
/** One value for each ten minutes; null is a hole. */
const every = (values: readonly (number | null)[]) => values.flatMap((value, index) => (value === null ? [] : [{ start: index * 600, end: index * 600 + 600, value }]));
const steady = (bins: number, from = 10_000, step = 500): number[] => Array.from({ length: bins }, (_, index) => from + index * step);

describe("a memory leak", () => {
  it("is memory that grows step by step and is never given back, with its rate and when the card is full", () => {
    expect(memoryGrowth(every(steady(25)), card)).toEqual({ start: 0, end: 25 * 600, fromMiB: 10_000, toMiB: 22_000, mebibytesPerHour: 3000, hoursUntilFull: 58_000 / 3000 });
  });

  it("is judged by what stays: peaks of each batch do not hide it", () => {
    const withPeaks = steady(25).flatMap((value, index) => [{ start: index * 600, end: index * 600 + 300, value: value + 20_000 }, { start: index * 600 + 300, end: index * 600 + 600, value }]);
    expect(memoryGrowth(withPeaks, card)).toMatchObject({ fromMiB: 10_000, toMiB: 22_000 });
  });

  it("is not a model that is loaded, a cache that fills in one go, or memory that comes and goes", () => {
    expect(memoryGrowth(every([0, ...Array.from({ length: 30 }, () => 60_000)]), card)).toBeNull();
    expect(memoryGrowth(every([0, 30_000, 31_000, 32_000, 33_000, 34_000, 35_000, ...Array.from({ length: 20 }, () => 35_000)]), card)).toBeNull();
    expect(memoryGrowth(every(Array.from({ length: 60 }, (_, index) => (index % 6) * 5000)), card)).toBeNull();
    expect(memoryGrowth(every(Array.from({ length: 60 }, () => 50_000)), card)).toBeNull();
    expect(memoryGrowth([], card)).toBeNull();
    expect(memoryGrowth(every(steady(25)), 0)).toBeNull();
  });

  it("ends at a release, at a hole, and is not made of less than two hours", () => {
    expect(memoryGrowth(every([...steady(8), 0, ...steady(8)]), card)).toBeNull();
    expect(memoryGrowth(every([...steady(8), null, ...steady(8, 14_500)]), card)).toBeNull();
    expect(memoryGrowth(every([...steady(20), 0, ...steady(15)]), card)).toMatchObject({ start: 0, toMiB: 19_500 });
  });

  it("never lies outside of what was measured, whatever the series", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 0, max: card }), { nil: null }), { maxLength: 80 }), (values) => {
        const found = memoryGrowth(every(values), card);
        if (found === null) return;
        const within = values.slice(found.start / 600, found.end / 600);
        expect(within.every((value) => value !== null && value >= found.fromMiB - 0.005 * card)).toBe(true);
        expect(found.toMiB - found.fromMiB).toBeGreaterThanOrEqual(0.05 * card);
      }),
      { numRuns: 500 },
    );
  });
});
