import { useCallback, useEffect, useRef, useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { useLedger } from "../ledger/LedgerProvider.tsx";
import { useTell } from "../ledger/useAsk.ts";
import { ExplainPanel } from "../parts/ExplainPanel.tsx";
import { Efficiency } from "../reports/efficiency/Efficiency.tsx";
import { Imports } from "../reports/imports/Imports.tsx";
import { Review } from "../reports/review/Review.tsx";
import { Settings } from "../settings/Settings.tsx";
import { useDesk } from "../state/desk.ts";
import { useNotice } from "../state/notice.ts";
import { usePanel } from "../state/panel.ts";
import { firstView, useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { Navigation } from "./Navigation.tsx";
import { Palette } from "./Palette.tsx";
import { StatusBar } from "./StatusBar.tsx";
import { Toast } from "./Toast.tsx";
import { TopBar } from "./TopBar.tsx";

/** Rail, top bar, the screen, status bar; the explanation and the palette over them. */
export function Frame({ status }: { readonly status: LedgerStatus }) {
  const { say, error } = useSpeech();
  const { opened } = useLedger();
  const screen = useView((view) => view.screen);
  const period = useView((view) => view.period);
  const look = useView((view) => view.look);
  const closePanel = usePanel((panel) => panel.close);
  const clearDesk = useDesk((desk) => desk.clear);
  const tellNotice = useNotice((store) => store.tell);
  const close = useTell("ledger.close");
  const [isFinding, setFinding] = useState(false);
  const page = useRef<HTMLElement>(null);
  useKeys(useCallback(() => setFinding(true), []));
  useEffect(() => {
    closePanel();
    page.current?.scrollTo({ top: 0 });
  }, [screen, period, closePanel]);
  const closeLedger = async (): Promise<void> => {
    const result = await close.tell({});
    if (!result.ok) return tellNotice({ text: error(result.error).what, detail: error(result.error).todo });
    clearDesk();
    look(firstView);
    opened();
  };
  return (
    <div className="app">
      <a className="skip-link" href="#page" onClick={(event) => { event.preventDefault(); page.current?.focus(); }}>{say("frame.skip")}</a>
      <Navigation status={status} onClose={() => void closeLedger()} />
      <TopBar status={status} onFind={() => setFinding(true)} />
      <main className="page" id="page" ref={page} tabIndex={-1}>
        <ErrorBoundary key={screen}>
          {screen === "review" && <Review status={status} />}
          {screen === "efficiency" && <Efficiency status={status} />}
          {screen === "imports" && <Imports status={status} />}
          {screen === "settings" && <Settings status={status} />}
        </ErrorBoundary>
      </main>
      <StatusBar status={status} />
      <ExplainPanel />
      {isFinding && <Palette status={status} onClose={() => setFinding(false)} />}
      <Toast />
    </div>
  );
}

/** Ctrl or ⌘ K opens the palette; ? explains the figure under the pointer (the focused one hears its own key). */
function useKeys(find: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        find();
      } else if (event.key === "?" && !isTyping(event.target)) {
        const figure = document.querySelector<HTMLElement>("[data-figure]:hover");
        if (figure !== null) figure.click();
      }
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, [find]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));
}
