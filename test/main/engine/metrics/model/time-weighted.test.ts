import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeWeighted } from "../../../../../main/engine/metrics/model/time-weighted.ts";

/** Ten-second segments; null is a hole. */
const series = fc.array(fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }), { minLength: 1, maxLength: 20 });
const segmentsOf = (values: readonly (number | null)[]) => values.map((value, index) => ({ start: index * 10, end: index * 10 + 10, value }));

describe("a time-weighted mean", () => {
  it("weighs each value by how long it held, and bounds what is not known", () => {
    // 10 s at 100 %, 30 s at 0 %, then 40 s unknown.
    const segments = [{ start: 0, end: 10, value: 100 }, { start: 10, end: 40, value: 0 }];
    expect(timeWeighted(segments, { start: 0, end: 80 })).toEqual({ knownSeconds: 40, unknownSeconds: 40, coverage: 0.5, meanKnown: 25, lowerBound: 12.5, upperBound: 62.5 });
  });

  it("has no mean without a known second, and nothing at all without a window", () => {
    expect(timeWeighted([{ start: 0, end: 9, value: null }], { start: 0, end: 10 })).toEqual({ knownSeconds: 0, unknownSeconds: 10, coverage: 0, meanKnown: null, lowerBound: 0, upperBound: 100 });
    expect(timeWeighted([], { start: 5, end: 5 })).toEqual({ knownSeconds: 0, unknownSeconds: 0, coverage: null, meanKnown: null, lowerBound: null, upperBound: null });
  });

  it("clips what reaches over the window's ends", () => {
    expect(timeWeighted([{ start: -50, end: 150, value: 40 }], { start: 0, end: 100 })).toMatchObject({ knownSeconds: 100, meanKnown: 40 });
  });

  it("never narrows its bounds when known time becomes unknown (property 5)", () => {
    fc.assert(
      fc.property(series, fc.nat(), (values, pick) => {
        const window = { start: 0, end: values.length * 10 };
        const before = timeWeighted(segmentsOf(values), window);
        const after = timeWeighted(segmentsOf(values.with(pick % values.length, null)), window);
        expect(after.upperBound!).toBeGreaterThanOrEqual(before.upperBound!);
        expect(after.lowerBound!).toBeLessThanOrEqual(before.lowerBound!);
        expect(after.knownSeconds + after.unknownSeconds).toBe(window.end);
      }),
    );
  });
});
