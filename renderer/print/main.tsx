import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import i18next from "i18next";
import "@fontsource-variable/source-sans-3/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import "@fontsource-variable/noto-sans-sc/index.css";
import "./print.css";
import type { ReportDocument } from "../../shared/contract/report.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { makeWords } from "../../shared/i18n/format.ts";
import type { Language } from "../../shared/i18n/index.ts";
import { catalogs } from "../../shared/i18n/index.ts";
import { fromText } from "../ledger/host.ts";
import { densities, FlowingPages, isOnePage, OnePage } from "./Paper.tsx";

/** What main hands over: one document, and how to say it. */
interface PrintJob {
  readonly document: ReportDocument;
  readonly language: Language;
  readonly paper: "A4" | "Letter";
  readonly hash: string;
}

declare global {
  interface Window {
    /** Kept when the page stands as it is to be printed: data, fonts and charts are in. */
    drawn?: Promise<{ readonly isOnePage: boolean }>;
  }
}

window.drawn = draw();

async function draw(): Promise<{ readonly isOnePage: boolean }> {
  const answer = await fetch(`./print/${window.location.hash.slice(1)}.json`);
  if (!answer.ok) throw new Error("there is nothing to print at this address");
  const { document: report, language, paper, hash } = fromText(await answer.text()) as PrintJob;
  const words = await wordsOf(language);
  const page = document.documentElement;
  page.lang = language;
  page.dataset["paper"] = paper;
  document.title = words.text(report.title);
  const place = document.getElementById("root");
  if (place === null) throw new Error("the page has no place to draw in");
  const root = createRoot(place);
  if (!isOnePage(report)) {
    flushSync(() => root.render(<FlowingPages document={report} words={words} hash={hash} />));
    await fontsIn(page);
    return { isOnePage: false };
  }
  page.dataset["layout"] = "one-page";
  // Denser until it fits; what still does not is made smaller as a whole.
  for (const density of densities) {
    flushSync(() => root.render(<OnePage document={report} words={words} hash={hash} density={density} />));
    await fontsIn(page);
    if (overflow() <= 0) return { isOnePage: true };
  }
  const sheet = document.querySelector<HTMLElement>(".content");
  for (let zoom = 0.98; sheet !== null && overflow() > 0 && zoom >= 0.5; zoom -= 0.02) sheet.style.setProperty("zoom", zoom.toFixed(2));
  return { isOnePage: true };
}

/** Pixels by which the content is higher than the sheet leaves room for. */
function overflow(): number {
  const room = document.querySelector(".sheet-body");
  const content = document.querySelector(".content");
  return room === null || content === null ? 0 : content.getBoundingClientRect().height - room.getBoundingClientRect().height;
}

/** Asking for the height lays the page out, which is what makes fonts load. */
async function fontsIn(page: HTMLElement): Promise<void> {
  do {
    page.getBoundingClientRect();
    await document.fonts.ready;
  } while (document.fonts.status === "loading");
}

async function wordsOf(language: Language): Promise<Words> {
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
