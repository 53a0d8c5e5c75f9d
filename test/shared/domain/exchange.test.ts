import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert, convertParts, type ExchangeRate } from "../../../shared/domain/exchange.ts";
import { decimal } from "../../../shared/domain/rational.ts";

const rate = (base: string, quote: string, date: string, text: string): ExchangeRate => ({ base, quote, date, rate: decimal(text) });

describe("parts of a converted amount", () => {
  it("add up to the whole, where each alone would round away from it", () => {
    // A third of 100 each, at one for three: 33.3 times three is 99.9, and the whole is 100.
    const amounts = ["a", "b", "c"].map((part) => ({ part, currency: "USD", date: "2026-09-01", amount: 100n }));
    const { parts, total, days } = convertParts(amounts, "EUR", [rate("EUR", "USD", "2026-09-01", "3")]);
    expect(total).toBe(100n);
    expect(parts.map(({ part, converted }) => [part, converted])).toEqual([["a", 34n], ["b", 33n], ["c", 33n]]);
    expect(days[0]?.found.from).toMatchObject([{ base: "EUR", quote: "USD", date: "2026-09-01" }]);
  });

  it("always add up, whatever the amounts, signs, days and rates, and give what the whole gives alone", () => {
    const amount = fc.record({ part: fc.constantFrom("a", "b", "c"), currency: fc.constantFrom("USD", "CNY", "EUR"), date: fc.constantFrom("2026-09-01", "2026-09-02", "2026-09-20"), amount: fc.bigInt(-(10n ** 24n), 10n ** 24n) });
    const rates = fc.record({ usd: fc.integer({ min: 1, max: 99_999 }), cny: fc.integer({ min: 1, max: 99_999 }) }).map(({ usd, cny }) => [rate("EUR", "USD", "2026-09-01", `${usd}E-4`), rate("EUR", "CNY", "2026-08-31", `${cny}E-4`)]);
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 30 }), rates, (amounts, known) => {
        const { parts, total, missing } = convertParts(amounts, "USD", known, { pivot: "EUR" });
        expect(parts.reduce((sum, { converted }) => sum + converted, 0n)).toBe(total);
        expect(total).toBe(convert(amounts, "USD", known, { pivot: "EUR" }).total);
        expect(parts.reduce((sum, part) => sum + part.amount, 0n) + missing.reduce((sum, part) => sum + part.amount, 0n)).toBe(amounts.reduce((sum, part) => sum + part.amount, 0n));
        expect(convertParts([...amounts].reverse(), "USD", known, { pivot: "EUR" })).toEqual({ ...convertParts(amounts, "USD", known, { pivot: "EUR" }) });
      }),
      { numRuns: 200 },
    );
  });
});
