import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import i18next from "i18next";
import type { i18n } from "i18next";
import { I18nextProvider, initReactI18next, useTranslation } from "react-i18next";
import type { LedgerError } from "../../shared/contract/errors.ts";
import type { TextKey } from "../../shared/i18n/en.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { makeWords } from "../../shared/i18n/format.ts";
import type { Language } from "../../shared/i18n/index.ts";
import { catalogs } from "../../shared/i18n/index.ts";
import { languageOf, usePreferences } from "../state/preferences.ts";
import { withParentheses } from "./negative.ts";

/** A key as it is asked for: plural forms without their ending. */
export type PlainKey = TextKey extends infer K ? (K extends `${infer Stem}_one` ? Stem : K extends `${string}_other` ? never : K) : never;
export type Say = (key: PlainKey, values?: Readonly<Record<string, string | number>>) => string;

export interface Speech {
  readonly language: Language;
  readonly say: Say;
  readonly words: Words;
  /** What happened and what to do, in words. */
  readonly error: (error: LedgerError) => { readonly what: string; readonly todo: string };
}

const SpeechContext = createContext<Speech | null>(null);

/** One instance with both catalogs; a missing key is a fault that tests look for, so it is told through `missing`. */
export function createI18n(missing: (key: string) => void = () => undefined): i18n {
  const instance = i18next.createInstance();
  void instance.use(initReactI18next).init({
    resources: { en: { translation: { ...catalogs.en } }, "zh-CN": { translation: { ...catalogs["zh-CN"] } } },
    lng: "en",
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    initAsync: false,
    saveMissing: true,
    missingKeyHandler: (_languages, _namespace, key) => missing(key),
    react: { useSuspense: false },
  });
  return instance;
}

/** Speaks the language that the person chose, or the system's, to everything inside. */
export function WordsProvider({ i18n, children }: { readonly i18n: i18n; readonly children: ReactNode }) {
  const choice = usePreferences(({ language }) => language);
  const system = useSyncExternalStore(followLanguage, systemLanguages);
  const language = languageOf(choice, system.split(","));
  useEffect(() => {
    void i18n.changeLanguage(language);
    document.documentElement.lang = language;
  }, [i18n, language]);
  return (
    <I18nextProvider i18n={i18n}>
      <Speaker language={language}>{children}</Speaker>
    </I18nextProvider>
  );
}

function Speaker({ language, children }: { readonly language: Language; readonly children: ReactNode }) {
  const { i18n } = useTranslation();
  const negative = usePreferences((preferences) => preferences.negative);
  const speech = useMemo<Speech>(() => {
    const fixed = i18n.getFixedT(language);
    const translate = (key: string, options: { readonly count?: number; readonly replace?: Readonly<Record<string, string>> }): string => String(fixed(key, options));
    const plain = makeWords(translate, language);
    const words = negative === "parentheses" ? withParentheses(plain) : plain;
    const say: Say = (key, values) => plain.say(key, values);
    return { language, say, words, error: plain.error };
  }, [i18n, language, negative]);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (speech === null) throw new Error("useSpeech outside of WordsProvider");
  return speech;
}

function systemLanguages(): string {
  return navigator.languages.join(",");
}
function followLanguage(hear: () => void): () => void {
  window.addEventListener("languagechange", hear);
  return () => window.removeEventListener("languagechange", hear);
}
