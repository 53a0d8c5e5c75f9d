import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../main/cli/words.ts";
import { catalogs } from "../../../shared/i18n/index.ts";
import { sentences } from "../../../shared/contract/words.ts";

const ends = [["from", "to"], ["from", "until"], ["first", "last"], ["oldest", "newest"]] as const;
const joined = /(?:to|until|[–—-]|至|到)\s*\{\{(\w+)\}\}/g;

describe("texts as they are said", () => {
  it.each(["en", "zh-CN"] as const)("name one day once, in every text that has a span of days (%s)", async (language) => {
    const words = await wordsOf(language);
    const day = words.instant("2026-08-03T00:00:00Z", "day");
    let spans = 0;
    for (const [key, text] of Object.entries(catalogs[language])) {
      const pair = ends.find(([first, last]) => text.includes(`{{${first}}}`) && [...text.matchAll(joined)].some(([, name]) => name === last) && text.indexOf(`{{${first}}}`) < text.indexOf(`{{${last}}}`));
      if (pair === undefined) continue;
      spans += 1;
      const said = words.say(key.replace(/_(one|other)$/, ""), { count: 2, [pair[0]]: day, [pair[1]]: day });
      expect(said.split(day), `${key}: ${said}`).toHaveLength(2);
    }
    expect(spans).toBeGreaterThan(20);
    expect(words.say("import.days.some", { from: day, to: day })).toBe(language === "en" ? "3 Aug 2026" : "2026年8月3日");
    expect(words.say("import.days.some", { from: day, to: words.instant("2026-08-04T00:00:00Z", "day") })).toBe(language === "en" ? "3 Aug 2026 to 4 Aug 2026" : "2026年8月3日至2026年8月4日");
    // Hours on from 08:00 to 08:00 are a whole day, and stay said.
    expect(words.say("stop-script.rule-schedule", { from: "08:00", to: "08:00", zone: "UTC" }).match(/08:00/g)).toHaveLength(2);
  });

  it.each(["en", "zh-CN"] as const)("say of which currency a figure for each unit of money is (%s)", async (language) => {
    const words = await wordsOf(language);
    const figure = { metric: "carbon-per-money", value: 412, unit: "gCO2e/EUR", basis: "derived", coverage: 1 } as const;
    expect([words.figure(figure), words.figure(figure, { bare: true }), words.figure({ ...figure, unit: "gCO2e/kWh" })]).toEqual(["412\u00a0/\u00a0EUR", "412", "412"]);
  });

  it("put each counted thing in its number", async () => {
    const words = await wordsOf("en");
    const read = (rows: number, posted: number): string => words.say("prices.answer", { prices: words.count(rows), own: words.count(posted), sheets: words.count(0), discounted: words.count(1) });
    expect(read(1, 1)).toBe("1 price holds today; 1 is yours, 0 come from your sheets, 1 has a negotiated discount.");
    expect(read(21, 1001)).toBe("21 prices hold today; 1,001 are yours, 0 come from your sheets, 1 has a negotiated discount.");
    expect(words.say("calc.unit.months", { value: "0.1" })).toBe("0.1 months");
  });

  it("leave no counted noun without its number: no plural stands after a value", () => {
    const verbs = new Set(["is", "was", "has", "as", "less", "plus", "does", "its", "this", "says", "costs", "needs", "weighs", "leads", "decides", "falls", "belongs", "counts", "looks", "gives", "lacks", "exists", "breaks", "holds", "prices", "stays", "times", "kinds", "ends"]);
    const months = new Set(["review.context.per-day-more", "review.context.per-day-less", "review.context.per-day-same", "completeness.complete", "completeness.partial", "esg.gap.period-partial", "esg.note.partial", "esg.cli.partial", "imports.context.short-provider"]);
    const more = new Set(["error.import.part-missing.what", "error.pivot.too-many-rows.what", "esg.method.embodied", "spark.summary_other", "aside.corrected_one", "aside.corrected_other", "connect.terms.of_other"]);
    const found = Object.entries(catalogs.en).flatMap(([key, text]) =>
      months.has(key) || more.has(key) ? [] : [...text.matchAll(/\{\{(\w+)\}\} (?:more |new |other |billed |list |own |GPU )?([a-z]+s)\b(?!\|)/g)].flatMap(([, name, noun = ""]) =>
        // i18next's own plural forms count their first value.
        verbs.has(noun) || (key.endsWith("_other") && name === /\{\{(\w+)\}\}/.exec(text.replaceAll("{{period}}", ""))?.[1]) || (key.endsWith("_other") && name === "count") ? [] : [`${key}: {{${name}}} ${noun}`]));
    expect(found).toEqual([]);
  });

  it("stand one after the other without a space in Chinese", () => {
    expect([sentences(["A.", "B."], "en"), sentences(["甲。", "乙。"], "zh-CN")]).toEqual(["A. B.", "甲。乙。"]);
  });
});
