import type { Words } from "../../shared/i18n/format.ts";
import { dash } from "../../shared/contract/words.ts";

/** Kilograms of micrograms, as the tables of the page show them; a dash for what is not known. */
export function kilogramsText(micrograms: bigint | null, words: Words): string {
  return micrograms === null ? dash : words.figure({ metric: "emissions-location", value: Number(micrograms) / 1e9, unit: "kgCO2e", basis: "derived", coverage: 1 });
}

/** Names beside each other, as the language sets them. */
export function listText(names: readonly string[], words: Words): string {
  return names.join(words.language === "zh-CN" ? "、" : ", ");
}

/** `September 2026`, or the first and the last of several months. */
export function monthsText(months: readonly string[], words: Words): string {
  const [first = "", last = ""] = [months[0], months.at(-1)];
  return first === last ? words.period(first) : `${words.period(first)} – ${words.period(last)}`;
}
