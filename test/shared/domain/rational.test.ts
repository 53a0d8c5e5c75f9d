import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, compare, decimal, divide, divideHalfEven, floor, fromNumber, multiply, parseDecimal, ratio, rational, subtract, toDecimal, toNumber, whole, ZERO } from "../../../shared/domain/rational.ts";

const fractions = fc.tuple(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.bigInt(1n, 10n ** 9n)).map(([numerator, denominator]) => rational(numerator, denominator));

describe("a fraction", () => {
  it("reads decimals exactly, in plain and in E notation", () => {
    expect(parseDecimal("0.57")).toEqual({ numerator: 57n, denominator: 100n });
    expect(parseDecimal("-1.2E-05")).toEqual({ numerator: -3n, denominator: 250_000n });
    expect(parseDecimal("12e3")).toEqual(whole(12_000));
    expect(parseDecimal(".5")).toEqual(rational(1n, 2n));
  });

  it.each(["", " 1", "1 ", "1,5", "abc", "1e", "--1", "NaN", "0x10", "1e9999"])("refuses %j", (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it("keeps a third a third", () => {
    expect(multiply(divide(whole(1), whole(3)), whole(3))).toEqual(whole(1));
  });

  it("is undefined over zero, not zero", () => {
    expect(ratio(whole(1), ZERO)).toBeNull();
  });

  it("means the decimal a person reads in a number", () => {
    expect(fromNumber(0.57)).toEqual(rational(57n, 100n));
  });

  it("rounds down below zero too", () => {
    expect([floor(decimal("2.5")), floor(decimal("-2.5")), floor(whole(-2))]).toEqual([2n, -3n, -2n]);
  });

  it("rounds a half to the even neighbor, whatever the signs", () => {
    expect([[1n, 2n], [3n, 2n], [-1n, 2n], [-3n, 2n], [3n, -2n], [5n, 3n]].map(([a, b]) => divideHalfEven(a!, b!))).toEqual([0n, 2n, 0n, -2n, -2n, 2n]);
  });

  it("is written exactly when it ends, else to 20 digits", () => {
    expect(toDecimal(decimal("120.0500"))).toBe("120.05");
    expect(toDecimal(rational(-1n, 8n))).toBe("-0.125");
    expect(toDecimal(rational(2n, 3n))).toBe("0.66666666666666666667");
    expect(toDecimal(rational(1n, 90_000n))).toBe("0.000011111111111111111111");
    expect(toDecimal(rational(1_000_000n, 3n))).toBe("333333.33333333333333");
  });

  it("adds and multiplies like the rationals", () => {
    fc.assert(
      fc.property(fractions, fractions, fractions, (a, b, c) => {
        expect(multiply(a, add(b, c))).toEqual(add(multiply(a, b), multiply(a, c)));
        expect(subtract(add(a, b), b)).toEqual(a);
        expect(compare(a, b)).toBe(-compare(b, a) + 0);
      }),
    );
  });

  it("is near its double and its text", () => {
    fc.assert(
      fc.property(fractions, (a) => {
        const want = Number(a.numerator) / Number(a.denominator);
        expect(Math.abs(toNumber(a) - want)).toBeLessThanOrEqual(1e-15 * Math.abs(want));
        expect(Math.abs(Number(toDecimal(a)) - want)).toBeLessThanOrEqual(1e-15 * Math.abs(want));
      }),
    );
    expect(toNumber(rational(10n ** 400n, 3n * 10n ** 400n))).toBe(1 / 3);
  });
});
