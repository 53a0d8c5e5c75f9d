import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDecimalReader, EMPTY, NO_DECIMAL, NULL_TEXT, OUT_OF_RANGE, READ, readExact, WIDE } from "../../../../main/engine/import/decimal.ts";
import { divideHalfEven } from "../../../../shared/domain/money.ts";

const reader = createDecimalReader({ slots: 1, mark: ".", nullTexts: ["NULL"] });

/** Code, attos and what is below an atto in 1e-36. */
function money(text: string): { readonly code: number; readonly attos: bigint; readonly residue: bigint } {
  const bytes = Buffer.from(`x${text}y`);
  const code = reader.money(bytes, 1, bytes.length - 1, 0);
  if (code === READ) return { code, attos: BigInt(reader.nanos[0] as number) * 1_000_000_000n + BigInt(reader.rest[0] as number), residue: 0n };
  if (code === WIDE) return { code, attos: reader.big[0] as bigint, residue: reader.residue[0] as bigint };
  return { code, attos: 0n, residue: 0n };
}

describe("reading decimals from bytes", () => {
  it.each([
    ["32.7726", 32_772_600_000_000_000_000n],
    ["0", 0n],
    ["-0.000", 0n],
    ["+1.5", 1_500_000_000_000_000_000n],
    [".5", 500_000_000_000_000_000n],
    ["5.", 5_000_000_000_000_000_000n],
    ["1.2E-05", 12_000_000_000_000n],
    ["5e-06", 5_000_000_000_000n],
    ["1E2", 100_000_000_000_000_000_000n],
    ["-1.5e-17", -15n],
    ["0.000000000000000001", 1n],
    ["-9007199.254740993", -9_007_199_254_740_993_000_000_000n],
    ["9223372036.854775807", 9_223_372_036_854_775_807_000_000_000n],
    ['"12.5"', 12_500_000_000_000_000_000n],
    ["(5.00)", -5_000_000_000_000_000_000n],
    [" 7 ", 7_000_000_000_000_000_000n],
    ["0.1234567890000000000000", 123_456_789_000_000_000n],
  ])("%s is exact", (text, attos) => {
    expect(money(text)).toMatchObject({ attos, residue: 0n });
  });

  it("rounds what is finer than an atto half-even and keeps what that took away", () => {
    expect(money("0.0000000000000000005")).toEqual({ code: WIDE, attos: 0n, residue: 5n * 10n ** 17n });
    expect(money("0.0000000000000000015")).toEqual({ code: WIDE, attos: 2n, residue: -5n * 10n ** 17n });
    expect(money("-0.1000000000000000001")).toEqual({ code: WIDE, attos: -(10n ** 17n), residue: -(10n ** 17n) });
  });

  it.each(["", "  ", '""'])("an empty cell (%j) states nothing", (text) => expect(money(text).code).toBe(EMPTY));
  it.each(["NULL", "null", '"NULL"'])("%s is a word for nothing", (text) => expect(money(text).code).toBe(NULL_TEXT));
  it.each(["#REF!", "1,234.56", "1.2.3", "12abc", "$$5", "$1,000", "-", ".", "1e", "e5", "1 2", "NaN", "Infinity", "0x10", "１"])("%s is no decimal", (text) =>
    expect(money(text).code).toBe(NO_DECIMAL),
  );
  it.each(["9223372036.854775808", "99999999999", "1E999999999", "1e300"])("%s does not fit the ledger", (text) => expect(money(text).code).toBe(OUT_OF_RANGE));
  it("a sign of currency is left out and counted; another one later might be another currency", () => {
    const reader = createDecimalReader({ slots: 1, mark: ".", nullTexts: [] });
    const read = (text: string): number => {
      const bytes = new Uint8Array(Buffer.from(`${text}    `));
      return reader.money(bytes, 0, Buffer.byteLength(text), 0);
    };
    expect(["$12.5", "-$3", "4 $", "3 €", "5"].map(read)).toEqual([WIDE, WIDE, WIDE, NO_DECIMAL, READ]);
    expect(reader.currencySigns()).toBe(3);
  });

  it.each([
    ["($12.50)", "-12.50"],
    ["$(12.50)", "-12.50"],
    ["( 12.50 )", "-12.50"],
    ["$-12.50", "-12.50"],
    ["-$5E-06", "-0.000005"],
    ["12.50-", "-12.50"],
    ["\u221212.50", "-12.50"],
    ["HK$12.50", "12.50"],
    ["US$ 12.50", "12.50"],
    ["12.50元", "12.50"],
    ["￥12.50", "12.50"],
    ['="12.50"', "12.50"],
    ['=""12.50""', "12.50"],
    ["'12.50", "12.50"],
  ])("%s is an amount in what people and programs put around it", (text, plain) => {
    const dressed = createDecimalReader({ slots: 1, mark: ".", nullTexts: [] });
    const bytes = Buffer.from(text);
    expect(dressed.money(bytes, 0, bytes.length, 0)).toBe(WIDE);
    expect((dressed.big[0] as bigint) * 10n ** 18n).toBe(readExact(plain, "."));
  });
  it("a sign of currency is known in GB18030 too", () => {
    const bytes = Uint8Array.of(0xa3, 0xa4, 0x37);
    expect(createDecimalReader({ slots: 1, mark: ".", nullTexts: [] }).money(bytes, 0, 3, 0)).toBe(WIDE);
  });
  it.each(["(-5)", "--5", "-5-", "-(5)", "(5", "5)", "$5$", "$5 €", "5 6", "( )", "USD5", '="x"'])("%s is none", (text) => expect(money(text).code).toBe(NO_DECIMAL));

  it("digits finer than 1e-36 are no amount", () => expect(money("1e-37").code).toBe(NO_DECIMAL));

  it("agrees with whole numbers on every decimal that can be written", () => {
    const decimal = fc
      .tuple(fc.constantFrom("", "-", "+"), fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.option(fc.stringMatching(/^\d{0,24}$/)), fc.option(fc.integer({ min: -25, max: 4 })), fc.boolean())
      .map(([sign, whole, decimals, exponent, isQuoted]) => {
        const text = `${sign}${whole}${decimals === null ? "" : `.${decimals}`}${exponent === null ? "" : `e${exponent}`}`;
        return { text, cell: isQuoted ? `"${text}"` : text };
      });
    fc.assert(
      fc.property(decimal, ({ text, cell }) => {
        const exact = readExact(text, ".");
        const read = money(cell);
        if (typeof exact !== "bigint") return read.code === (exact === "no-decimal" ? NO_DECIMAL : OUT_OF_RANGE);
        const attos = divideHalfEven(exact, 10n ** 18n);
        if (attos >= 2n ** 63n * 10n ** 9n || attos < -(2n ** 63n) * 10n ** 9n) return read.code === OUT_OF_RANGE;
        return read.attos === attos && read.residue === exact - attos * 10n ** 18n;
      }),
      { numRuns: 3000 },
    );
  });

  it("takes quantities in whole 1e-9, half-even, however large", () => {
    const quantity = (text: string): bigint => {
      const bytes = Buffer.from(text);
      return reader.quantity(bytes, 0, bytes.length, 0) === WIDE ? (reader.big[0] as bigint) : BigInt(reader.nanos[0] as number);
    };
    expect([quantity("1.0000000005"), quantity("1.0000000015"), quantity("123456789012345"), quantity("2E-10")]).toEqual([1_000_000_000n, 1_000_000_002n, 123_456_789_012_345_000_000_000n, 0n]);
  });

  it("reads a decimal comma where the file has one, and then no point", () => {
    const comma = createDecimalReader({ slots: 1, mark: ",", nullTexts: [] });
    const bytes = Buffer.from("-1,25;1.25");
    expect([comma.money(bytes, 0, 5, 0), comma.nanos[0]]).toEqual([READ, -1_250_000_000]);
    expect(comma.money(bytes, 6, 10, 0)).toBe(NO_DECIMAL);
  });
});
