import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultHold, holdBackward, holdForward } from "../../../../../main/engine/metrics/model/segments.ts";

const samples = (...pairs: readonly (readonly [number, number | null])[]) => pairs.map(([at, value]) => ({ at, value }));

describe("samples as segments", () => {
  it("hold until the next sample, and no longer than the limit", () => {
    expect(holdForward(samples([0, 10], [60, 20], [300, 30]), 100)).toEqual([
      { start: 0, end: 60, value: 10 },
      { start: 60, end: 160, value: 20 },
      { start: 300, end: 400, value: 30 },
    ]);
  });

  it("end where the source says it does not know", () => {
    expect(holdForward(samples([0, 10], [60, null], [90, 20]), 100)).toEqual([{ start: 0, end: 60, value: 10 }, { start: 90, end: 190, value: 20 }]);
  });

  it("take the last of equal timestamps", () => {
    expect(holdForward(samples([0, 10], [0, 20]), 5)).toEqual([{ start: 0, end: 5, value: 20 }]);
  });

  it("hold backwards where a value is a mean up to its timestamp", () => {
    expect(holdBackward(samples([60, 10], [90, 20], [300, 30]), 60)).toEqual([
      { start: 0, end: 60, value: 10 },
      { start: 60, end: 90, value: 20 },
      { start: 240, end: 300, value: 30 },
    ]);
  });

  it("come out in order and without overlap, whatever the order they came in", () => {
    const given = fc.uniqueArray(fc.record({ at: fc.integer({ min: 0, max: 100 }), value: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }) }), { selector: ({ at }) => at, maxLength: 20 });
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 30 }), (unsorted, hold) => {
        for (const segments of [holdForward(unsorted, hold), holdBackward(unsorted, hold)]) {
          segments.slice(1).forEach(({ start }, index) => expect(start).toBeGreaterThanOrEqual(segments[index]!.end));
        }
        expect(holdForward(unsorted.toReversed(), hold)).toEqual(holdForward(unsorted, hold));
      }),
    );
  });
});

describe("the default hold", () => {
  it("is three periods, the stated one before the median spacing, between 2 seconds and 15 minutes", () => {
    expect(defaultHold(60, [])).toBe(180);
    expect(defaultHold(null, samples([0, 1], [10, 1], [20, 1], [500, 1]))).toBe(30);
    expect([defaultHold(0.1, []), defaultHold(3600, []), defaultHold(null, samples([0, 1]))]).toEqual([2, 900, null]);
  });
});
