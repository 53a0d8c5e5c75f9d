import { en } from "./en.ts";
import { zhCN } from "./zh-CN.ts";

export const languages = ["en", "zh-CN"] as const;
export type Language = (typeof languages)[number];

/** Plain data for i18next: `resources: { en: { translation: en }, … }`, with keySeparator and nsSeparator off. */
export const catalogs: Record<Language, Readonly<Record<string, string>>> = { en, "zh-CN": zhCN };
