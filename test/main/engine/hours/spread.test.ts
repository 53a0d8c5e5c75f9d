import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { toSeenHours } from "../../../../main/engine/hours/spread.ts";

const day = (gpuHours: number, cost: bigint): { hour: number; gpuHours: number; effectiveAttos: bigint }[] =>
  Array.from({ length: 24 }, (_, hour) => ({ hour, gpuHours: gpuHours / 24, effectiveAttos: (cost * BigInt(hour + 1)) / 24n - (cost * BigInt(hour)) / 24n }));
const sums = (shares: readonly { gpuHours: number; effectiveAttos: bigint | null }[]): [number, bigint] => [
  Math.round(shares.reduce((sum, { gpuHours }) => sum + gpuHours, 0) * 1e6) / 1e6,
  shares.reduce((sum, { effectiveAttos }) => sum + (effectiveAttos ?? 0n), 0n),
];

describe("a charge that states only its day", () => {
  it("lies where the machine was seen: ten hours billed, ten hours seen, all of them known", () => {
    const moved = toSeenHours(day(40, 400n), (hour) => (hour >= 8 && hour < 18 ? 4 : 0));
    expect(moved.filter(({ gpuHours }) => gpuHours > 0).map(({ hour, gpuHours, effectiveAttos }) => [hour, gpuHours, effectiveAttos])).toEqual(Array.from({ length: 10 }, (_, index) => [8 + index, 4, 40n]));
  });

  it("puts what is billed beyond the log into the other hours, where it is unknown", () => {
    const moved = toSeenHours(day(40, 400n), (hour) => (hour < 5 ? 4 : 0));
    for (const { gpuHours } of moved.slice(0, 5)) expect(gpuHours).toBeCloseTo(4, 9);
    expect(moved[23]?.gpuHours).toBeCloseTo(20 / 19, 6);
    expect(sums(moved)).toEqual([40, 400n]);
  });

  it("stays an even share without telemetry, and a refund stays as it is", () => {
    expect(toSeenHours(day(40, 400n), () => 0)).toEqual(day(40, 400n));
    expect(toSeenHours(day(-40, -400n), () => 4)).toEqual(day(-40, -400n));
  });

  it("never changes the day's hours or cost", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 192 }), fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.array(fc.double({ min: 0, max: 8, noNaN: true }), { minLength: 24, maxLength: 24 }), (gpuHours, cost, seen) => {
        const shares = day(gpuHours, cost);
        const moved = toSeenHours(shares, (hour) => seen[hour] as number);
        expect(sums(moved)[1]).toBe(cost);
        expect(moved.reduce((sum, share) => sum + share.gpuHours, 0)).toBeCloseTo(gpuHours, 6);
        expect(moved.every((share) => share.gpuHours >= 0)).toBe(true);
      }),
    );
  });
});
