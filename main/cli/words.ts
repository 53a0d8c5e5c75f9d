import i18next from "i18next";
import { makeWords } from "../../shared/i18n/format.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { catalogs } from "../../shared/i18n/index.ts";
import type { Language } from "../../shared/i18n/index.ts";

/** The words of one language for terminal and files. */
export async function wordsOf(language: Language): Promise<Words> {
  const instance = i18next.createInstance();
  await instance.init({
    lng: language,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    resources: { [language]: { translation: { ...catalogs[language] } } },
  });
  return makeWords((key, options) => instance.t(key, options), language);
}
