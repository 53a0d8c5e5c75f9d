import { useCallback, useEffect, useRef, useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { useLedger, useLedgerEvent } from "../ledger/LedgerProvider.tsx";
import { useTell } from "../ledger/useAsk.ts";
import { Help } from "../help/Help.tsx";
import { ExplainPanel } from "../parts/ExplainPanel.tsx";
import { Budgets } from "../budgets/Budgets.tsx";
import { Carbon } from "../carbon/Carbon.tsx";
import { Commitments } from "../commitments/Commitments.tsx";
import { Efficiency } from "../reports/efficiency/Efficiency.tsx";
import { Offers } from "../offers/Offers.tsx";
import { Imports } from "../reports/imports/Imports.tsx";
import { Ledger } from "../pivot/Ledger.tsx";
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
  useLedgerEvent("alert.raised", useCallback(({ budgetName, type }) => tellNotice({ text: say(`notice.${type}`, { name: budgetName }) }), [say, tellNotice]));
  useLedgerEvent("alert.opened", useCallback(() => look({ screen: "budgets" }), [look]));
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
          {screen === "commitments" && <Commitments status={status} />}
          {screen === "budgets" && <Budgets status={status} />}
          {screen === "carbon" && <Carbon status={status} />}
          {screen === "offers" && <Offers status={status} />}
          {screen === "ledger" && <Ledger status={status} />}
          {screen === "imports" && <Imports status={status} />}
          {screen === "settings" && <Settings status={status} />}
          {screen === "help" && <Help />}
        </ErrorBoundary>
      </main>
      <StatusBar status={status} />
      <ExplainPanel />
      {isFinding && <Palette status={status} onClose={() => setFinding(false)} />}
      <Toast />
    </div>
  );
}

/** Ctrl or ⌘ K opens the palette; ? explains the figure under the pointer, or the focused one where the focus moved last. */
function useKeys(find: () => void): void {
  useEffect(() => {
    let hasPointed = false;
    const point = (): void => { hasPointed = true; };
    const focus = (): void => { hasPointed = false; };
    const hear = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        find();
      } else if (event.key === "?" && hasPointed && !isTyping(event.target)) {
        const figure = document.querySelector<HTMLElement>("[data-figure]:hover");
        if (figure === null) return;
        event.preventDefault();
        event.stopPropagation();
        figure.click();
      }
    };
    // Before the focused figure hears the key itself.
    window.addEventListener("keydown", hear, true);
    window.addEventListener("pointermove", point);
    window.addEventListener("focusin", focus);
    return () => {
      window.removeEventListener("keydown", hear, true);
      window.removeEventListener("pointermove", point);
      window.removeEventListener("focusin", focus);
    };
  }, [find]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));
}
