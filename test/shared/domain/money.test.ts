import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert, type ExchangeRate } from "../../../shared/domain/exchange.ts";
import { addMoney, ATTOS_PER_UNIT, displayRound, formatAttos, formatFixed, multiply, parseAmount, roundHalfEven, sumMoney } from "../../../shared/domain/money.ts";
import { decimal, whole } from "../../../shared/domain/rational.ts";

describe("adding money", () => {
  it("adds one currency and refuses two", () => {
    expect(addMoney({ attos: 1n, currency: "USD" }, { attos: 2n, currency: "USD" })).toEqual({ attos: 3n, currency: "USD" });
    expect(() => addMoney({ attos: 1n, currency: "USD" }, { attos: 2n, currency: "CNY" })).toThrow(TypeError);
  });

  it("gives nothing of the currency for no amounts", () => {
    expect(sumMoney([], "EUR")).toEqual({ attos: 0n, currency: "EUR" });
  });
});

describe("parsing an amount", () => {
  it("keeps 18 decimals to the last digit", () => {
    expect(parseAmount("0.123456789012345678")).toEqual({ value: 123456789012345678n, rounded: false, remainder: 0n });
  });

  it("rounds what is finer half-even, says so and keeps what it took away", () => {
    expect(parseAmount("0.0000000000000000015")).toEqual({ value: 2n, rounded: true, remainder: -5n * 10n ** 17n });
    expect(parseAmount("0.0000000000000000005")).toEqual({ value: 0n, rounded: true, remainder: 5n * 10n ** 17n });
    expect(parseAmount("-2.5E-9", { scale: 9 })).toEqual({ value: -2n, rounded: true, remainder: -5n * 10n ** 26n });
  });

  it("reads E notation, a plus, parentheses and a bare fraction", () => {
    const hundredths = ["1.5e3", "+7", "(2.5)", ".25", "-0"].map((text) => parseAmount(text)!.value / 10n ** 16n);
    expect(hundredths).toEqual([150_000n, 700n, -250n, 25n, 0n]);
  });

  it("takes thousands separators only where the format has them, in whole groups", () => {
    expect(parseAmount("1,234,567.8", { format: "comma_thousands" })?.value).toBe(12345678n * 10n ** 17n);
    expect(parseAmount("1.234.567,8", { format: "euro" })?.value).toBe(12345678n * 10n ** 17n);
    expect(parseAmount("1234,8", { format: "euro" })?.value).toBe(12348n * 10n ** 17n);
    for (const text of ["1,2345", "1234,567", ",123", "1,,234", "0,123"]) expect(parseAmount(text, { format: "comma_thousands" })).toBeNull();
    for (const text of ["1.2345,0", "12.34", "1,234.5"]) expect(parseAmount(text, { format: "euro" })).toBeNull();
  });

  it.each(["", " ", " 1", "1 ", "1,5", "abc", "NaN", "Infinity", "1e", "e5", "--1", "-(1)", "(-1)", "(1", "1)", "$1", "1.2.3", "٣", "0x1F", "="])("refuses %j rather than calling it 0", (text) => {
    expect(parseAmount(text)).toBeNull();
  });

  it("refuses what no cell can hold, at once", () => {
    expect(parseAmount("9223372036.854775807")?.value).toBe((2n ** 63n - 1n) * 10n ** 9n);
    expect(parseAmount("9223372036.854775808")).toBeNull();
    expect(parseAmount("-9223372036.854775808")?.value).toBe(-(2n ** 63n) * 10n ** 9n);
    expect(parseAmount("1E999999999")).toBeNull();
    expect(parseAmount("1E99999999999999999999999999")).toBeNull();
  });

  it("refuses digits finer than 1e-36, but not trailing zeros", () => {
    expect(parseAmount("1E-37")).toBeNull();
    expect(parseAmount("1E-36")).toEqual({ value: 0n, rounded: true, remainder: 1n });
    expect(parseAmount(`0.5${"0".repeat(60)}`)?.value).toBe(5n * 10n ** 17n);
    expect(parseAmount("1E-999999999")).toBeNull();
    expect(parseAmount("0E-999999999")?.value).toBe(0n);
  });

  it("gives back what it was written from", () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n) * 10n ** 9n, (2n ** 63n - 1n) * 10n ** 9n), (attos) => {
        expect(parseAmount(formatAttos(attos))).toEqual({ value: attos, rounded: false, remainder: 0n });
      }),
    );
  });

  it("loses nothing: value and remainder add to the text", () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 40n), 10n ** 40n), (finest) => {
        const parsed = parseAmount(formatFixed(finest, 36));
        expect(parsed === null ? null : parsed.value * 10n ** 18n + parsed.remainder).toBe(finest);
      }),
    );
  });
});

describe("writing an amount", () => {
  it("is plain text without trailing zeros or a negative zero", () => {
    expect([0n, -1n, 1_500_000_000_000_000_000n, -20n * ATTOS_PER_UNIT].map((attos) => formatAttos(attos))).toEqual(["0", "-0.000000000000000001", "1.5", "-20"]);
  });
});

describe("multiplying", () => {
  it("rounds once, half-even, at the end", () => {
    expect(multiply(whole(3), decimal("0.1"))).toBe(3n * 10n ** 17n);
    expect(multiply(decimal("0.5"), decimal("0.000000001"), 9)).toBe(0n);
    expect(multiply(decimal("1.5"), decimal("0.000000001"), 9)).toBe(2n);
    expect(roundHalfEven(decimal("2.345").numerator * 5n * 10n ** 15n, 2)).toBe(234n * 10n ** 16n);
  });
});

describe("rounding a table for display", () => {
  it("makes the rows add to the total", () => {
    const cents = 10n ** 16n;
    // 0.336 three times is 1.008: 1.01 in all, so two of the three rows show 0.34.
    const rows = ["a", "b", "c"].map((id) => ({ id, amount: (336n * cents) / 10n }));
    expect(displayRound(rows, 2)).toEqual({ rows: [["a", 34n], ["b", 34n], ["c", 33n]].map(([id, minorUnits]) => ({ id, minorUnits })), totalMinorUnits: 101n });
  });

  it("always adds up, never moves a row by a whole unit, and does not mind the order", () => {
    const amounts = fc.array(fc.bigInt(-(10n ** 21n), 10n ** 21n), { maxLength: 12 });
    fc.assert(
      fc.property(amounts, fc.constantFrom(0, 2, 3), (values, digits) => {
        const rows = values.map((amount, index) => ({ id: `row ${index}`, amount }));
        const { rows: shown, totalMinorUnits } = displayRound(rows, digits);
        expect(shown.reduce((total, { minorUnits }) => total + minorUnits, 0n)).toBe(totalMinorUnits);
        const step = 10n ** BigInt(18 - digits);
        shown.forEach(({ minorUnits }, index) => {
          const drift = minorUnits * step - values[index]!;
          expect(drift < step && drift > -step).toBe(true);
        });
        const reversed = displayRound(rows.toReversed(), digits);
        expect(new Map(reversed.rows.map(({ id, minorUnits }) => [id, minorUnits]))).toEqual(new Map(shown.map(({ id, minorUnits }) => [id, minorUnits])));
      }),
    );
  });
});

describe("converting currencies", () => {
  const rate = (base: string, quote: string, date: string, text: string): ExchangeRate => ({ base, quote, date, rate: decimal(text) });
  const unit = ATTOS_PER_UNIT;

  it("takes the newest rate not after the charge", () => {
    const rates = [rate("USD", "EUR", "2026-01-01", "0.5"), rate("USD", "EUR", "2026-01-03", "0.8"), rate("USD", "EUR", "2026-01-09", "2")];
    expect(convert([{ currency: "USD", date: "2026-01-05", amount: 10n * unit }], "EUR", rates)).toEqual({ parts: [{ currency: "USD", date: "2026-01-05", amount: 8n * unit }], total: 8n * unit, missing: [] });
  });

  it("uses the inverse, then the pivot, and names what has no rate within 7 days", () => {
    const rates = [rate("USD", "EUR", "2026-01-01", "0.5"), rate("USD", "JPY", "2026-01-01", "100")];
    const one = (currency: string, date: string) => ({ currency, date, amount: unit });
    expect(convert([one("EUR", "2026-01-08")], "USD", rates).total).toBe(2n * unit);
    expect(convert([one("EUR", "2026-01-08")], "JPY", rates).missing).toEqual([{ currency: "EUR", date: "2026-01-08" }]);
    expect(convert([one("EUR", "2026-01-08")], "JPY", rates, { pivot: "USD" }).total).toBe(200n * unit);
    expect(convert([one("EUR", "2026-01-09")], "USD", rates)).toEqual({ parts: [], total: 0n, missing: [{ currency: "EUR", date: "2026-01-09" }] });
    expect(convert([one("USD", "1999-01-01")], "USD", []).total).toBe(unit);
  });

  it("gives the same total for any order of rows", () => {
    const rates = [rate("USD", "EUR", "2026-01-01", "0.3333333333"), rate("CNY", "EUR", "2026-01-01", "0.1234567891")];
    const rows = fc.array(fc.record({ currency: fc.constantFrom("USD", "CNY", "EUR"), date: fc.constantFrom("2026-01-01", "2026-01-04"), amount: fc.bigInt(-1000n, 1000n) }), { maxLength: 20 });
    fc.assert(
      fc.property(rows, (amounts) => {
        expect(convert(amounts.toReversed(), "EUR", rates)).toEqual(convert(amounts, "EUR", rates));
      }),
    );
  });
});
