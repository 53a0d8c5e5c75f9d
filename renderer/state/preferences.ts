import { create } from "zustand";
import type { Language } from "../../shared/i18n/index.ts";

export type LanguageChoice = Language | "system";
export type ThemeChoice = "light" | "dark" | "system";
/** Whether budgets speak on the desktop. */
export type AlertNotices = "on" | "off";
export type NegativeStyle = "minus" | "parentheses";

export interface Preferences {
  readonly language: LanguageChoice;
  readonly theme: ThemeChoice;
  readonly negative: NegativeStyle;
  readonly alerts: AlertNotices;
}
const first: Preferences = { language: "system", theme: "system", negative: "minus", alerts: "on" };
/** Key of each in the settings, and in the browser's own memory, which is there before any answer of the engine. */
export const preferenceKeys = { language: "window.language", theme: "window.theme", negative: "window.negative", alerts: "notifications.budgets" } as const;

interface PreferenceStore extends Preferences {
  readonly prefer: (change: Partial<Preferences>) => void;
}
export const usePreferences = create<PreferenceStore>()((set) => ({
  ...first,
  ...preferencesOf((key) => localStorage.getItem(key)),
  prefer: (change) => {
    for (const name of Object.keys(change) as (keyof Preferences)[]) {
      const value = change[name];
      if (value !== undefined) localStorage.setItem(preferenceKeys[name], value);
    }
    set(change);
  },
}));

/** Preferences as settings hold them; what is not understood is left out. */
export function preferencesOf(read: (key: string) => string | null | undefined): Partial<Preferences> {
  const language = oneOf(["system", "en", "zh-CN"] as const, read(preferenceKeys.language));
  const theme = oneOf(["system", "light", "dark"] as const, read(preferenceKeys.theme));
  const negative = oneOf(["minus", "parentheses"] as const, read(preferenceKeys.negative));
  const alerts = oneOf(["on", "off"] as const, read(preferenceKeys.alerts));
  return { ...(language && { language }), ...(theme && { theme }), ...(negative && { negative }), ...(alerts && { alerts }) };
}

function oneOf<T extends string>(known: readonly T[], value: string | null | undefined): T | undefined {
  return known.find((candidate) => candidate === value);
}

/** The language to show: the person's, else the first of the system's that we speak, else English. */
export function languageOf(choice: LanguageChoice, system: readonly string[]): Language {
  if (choice !== "system") return choice;
  for (const tag of system) {
    if (/^zh\b/i.test(tag)) return "zh-CN";
    if (/^en\b/i.test(tag)) return "en";
  }
  return "en";
}
