import { useEffect } from "react";
import { I18nProvider } from "react-aria-components";
import { useAsk } from "../ledger/useAsk.ts";
import { HelpAlone } from "../help/HelpAlone.tsx";
import { useHelpKey } from "../help/useHelpKey.ts";
import { useLedgerEvent } from "../ledger/LedgerProvider.tsx";
import { Refused } from "../parts/states.tsx";
import { preferencesOf, usePreferences } from "../state/preferences.ts";
import { useView } from "../state/view.ts";
import { useWork } from "../state/work.ts";
import { Welcome } from "../welcome/Welcome.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Frame } from "./Frame.tsx";

/** The window: the first-run screen while no ledger is open, else the frame with its screens. */
export function App() {
  const { language, say } = useSpeech();
  const screen = useView((view) => view.screen);
  const theme = usePreferences((preferences) => preferences.theme);
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  useSavedPreferences();
  useHelpKey();
  useLedgerEvent("import.progress", useWork((work) => work.hearReading));
  useLedgerEvent("work.progress", useWork((work) => work.hearWorking));
  useLedgerEvent("engine.restarted", useWork((work) => work.rest));
  const status = useAsk("ledger.status", {});
  const name = status.state === "answered" ? status.value.name : null;
  useEffect(() => {
    document.title = name === null ? say("app.name") : say("app.title", { ledger: name });
  }, [name, say]);
  return (
    <I18nProvider locale={language}>
      {status.state === "asking" && <div className="welcome" role="status" aria-busy="true"><span className="for-readers">{say("state.asking")}</span></div>}
      {status.state === "refused" && <main className="welcome"><Refused error={status.error}><button type="button" className="link" onClick={status.again}>{say("action.again")}</button></Refused></main>}
      {status.state === "answered" && (status.value.name === null ? (screen === "help" ? <HelpAlone /> : <Welcome />) : <Frame status={status.value} />)}
    </I18nProvider>
  );
}

/** What the settings say wins over what the browser remembers, once the settings are there. */
function useSavedPreferences(): void {
  const settings = useAsk("settings.read", {});
  const prefer = usePreferences((preferences) => preferences.prefer);
  const saved = settings.state === "answered" ? settings.value : null;
  useEffect(() => {
    if (saved !== null) prefer(preferencesOf((key) => saved[key]));
  }, [saved, prefer]);
}
