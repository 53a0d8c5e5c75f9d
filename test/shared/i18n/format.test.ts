import { describe, expect, it } from "vitest";
import i18next from "i18next";
import { makeWords } from "../../../shared/i18n/format.ts";
import type { Words } from "../../../shared/i18n/format.ts";
import type { Language } from "../../../shared/i18n/index.ts";

async function wordsIn(language: Language, texts: Record<string, string>): Promise<Words> {
  const instance = i18next.createInstance();
  await instance.init({ lng: language, keySeparator: false, nsSeparator: false, interpolation: { escapeValue: false }, resources: { [language]: { translation: texts } } });
  return makeWords((key, options) => instance.t(key, options), language);
}

const ATTOS = 10n ** 18n;

describe("words", () => {
  it("writes money with the currency's own digits, exactly, with a true minus", async () => {
    const en = await wordsIn("en", {});
    const zh = await wordsIn("zh-CN", {});
    expect(en.money(214_380_170_000_000_000_000_000n, "USD")).toBe("$214,380.17");
    expect(zh.money(214_380_170_000_000_000_000_000n, "USD")).toBe("$214,380.17");
    expect(en.money(-5n * ATTOS, "USD", { signed: true })).toBe("−$5.00");
    expect(en.money(5n * ATTOS, "USD", { signed: true, bare: true })).toBe("+5.00");
    expect(en.money(2n * ATTOS + ATTOS / 2n, "JPY")).toBe("¥2");
    expect(zh.money(1234n * ATTOS, "CNY")).toBe("¥1,234.00");
    expect(en.money(1234n * ATTOS, "CNY")).toBe("CN¥1,234.00");
    expect(en.money(3n * ATTOS, "DBU-credits")).toBe("3.00\u00a0DBU-credits");
  });

  it("keeps every digit of an amount no double can hold", async () => {
    const en = await wordsIn("en", {});
    expect(en.money(9_007_199_254_740_993n * ATTOS + ATTOS / 100n, "USD")).toBe("$9,007,199,254,740,993.01");
  });

  it("writes ratios, counts, months and days as each language does", async () => {
    const en = await wordsIn("en", {});
    const zh = await wordsIn("zh-CN", {});
    expect([en.ratio(0.0612), zh.ratio(0.0612), en.ratio(-0.05, { signed: true })]).toEqual(["6.1\u202f%", "6.1%", "−5.0\u202f%"]);
    expect([en.count(12345), zh.count(12345)]).toEqual(["12,345", "12,345"]);
    expect([en.period("2026-09"), zh.period("2026-09"), en.period("2026-09", { short: true }), zh.period("2026-Q3")]).toEqual(["September 2026", "2026年9月", "September", "2026年第三季度"]);
    expect([en.instant("2026-09-30T09:05:00Z", "minute"), zh.instant("2026-09-30T09:05:00Z", "day")]).toEqual(["30 Sep 2026, 09:05", "2026年9月30日"]);
  });

  it("never signs what is shown as zero", async () => {
    const en = await wordsIn("en", {});
    expect([en.ratio(-0.0001), en.number(-0.001, { digits: 1, signed: true }), en.money(-1n, "USD", { signed: true })]).toEqual(["0.0\u202f%", "0.0", "$0.00"]);
  });

  it("puts facts into a sentence, picks the plural by the count, and marks the amounts and whose numbers they are", async () => {
    const en = await wordsIn("en", { cost: "{{month}} cost {{spend}} in {{rows}} rows.", left_one: "{{count}} row left", left_other: "{{count}} rows left" });
    const message = { key: "cost", params: { month: { period: "2026-09", short: true }, spend: { money: 5n * ATTOS, currency: "USD" }, rows: { count: 1200 } } } as const;
    expect(en.text(message)).toBe("September cost $5.00 in 1,200 rows.");
    expect(en.parts(message)).toEqual([
      { text: "September cost ", strong: false },
      { text: "$5.00", strong: true, name: "spend" },
      { text: " in ", strong: false },
      { text: "1,200", strong: false, name: "rows" },
      { text: " rows.", strong: false },
    ]);
    expect(en.text({ key: "left", params: { count: { count: 1 } } })).toBe("1 row left");
    expect(en.text({ key: "left", params: { count: { count: 4321 } } })).toBe("4,321 rows left");
  });
});
