import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amortizedPart, amortizedRange } from "../../../../main/engine/allocation/amortize.ts";

describe("amortizing an upfront fee", () => {
  it("spreads 10 over 4 periods as 2, 3, 2, 3", () => {
    expect([1, 2, 3, 4].map((k) => amortizedPart(10n, 4, k))).toEqual([2n, 3n, 2n, 3n]);
    expect([1, 2, 3, 4].map((k) => amortizedPart(-10n, 4, k))).toEqual([-2n, -3n, -2n, -3n]);
  });

  it("refuses a period that is none", () => {
    expect(() => amortizedPart(10n, 4, 0)).toThrow(RangeError);
    expect(() => amortizedPart(10n, 4, 5)).toThrow(RangeError);
    expect(() => amortizedRange(10n, 0)).toThrow(RangeError);
  });

  it("adds to the fee, in parts that differ by at most one unit", () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.integer({ min: 1, max: 100 }), (fee, periods) => {
        const parts = Array.from({ length: periods }, (_, index) => amortizedPart(fee, periods, index + 1));
        expect(parts.reduce((a, b) => a + b, 0n)).toBe(fee);
        const sorted = parts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(amortizedRange(fee, periods)).toEqual({ smallest: sorted[0], largest: sorted.at(-1) });
        expect(sorted.at(-1)! - sorted[0]!).toBeLessThanOrEqual(1n);
      }),
    );
  });
});
