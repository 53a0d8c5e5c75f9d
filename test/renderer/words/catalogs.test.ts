import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogs, languages } from "../../../shared/i18n/index.ts";

const folder = join(import.meta.dirname, "../../../shared/i18n");

describe.each(languages)("the catalog %s", (language) => {
  it("has every key in one area alone", async () => {
    const areas = await Promise.all(readdirSync(join(folder, language)).map(async (file) => ({ file, texts: (await import(join(folder, language, file))) as Record<string, Record<string, string>> })));
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const { file, texts } of areas) {
      for (const key of Object.values(texts).flatMap((area) => Object.keys(area))) {
        if (seen.has(key)) twice.push(`${key} in ${seen.get(key)} and ${file}`);
        seen.set(key, file);
      }
    }
    expect(twice).toEqual([]);
  });

  it("fills the same places as English", () => {
    const places = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? "").sort();
    const different = Object.entries(catalogs[language]).filter(([key, text]) => [...new Set(places(text))].join() !== [...new Set(places(catalogs.en[key] ?? ""))].join()).map(([key]) => key);
    expect(different).toEqual([]);
  });
});
