import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { IdleRules } from "../reports/efficiency/IdleRules.tsx";
import { FiscalYear } from "./FiscalYear.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Prices } from "./Prices.tsx";
import { Mappings } from "./Mappings.tsx";
import { KeptSources } from "./KeptSources.tsx";
import { Rates } from "./Rates.tsx";
import { AlertsSelect, LanguageSelect, NegativeSelect, ThemeSelect } from "./selects.tsx";

/** The person's rules: how the window speaks and looks, when a GPU is idle, and what leaves this computer (nothing). */
export function Settings({ status }: { readonly status: LedgerStatus }) {
  const { say } = useSpeech();
  const info = useAsk("app.info", {});
  return (
    <>
      <div className="page-head"><h1>{say("screen.settings")}</h1></div>
      <p className="answer">{say("settings.answer")}</p>
      <p className="context">{say("settings.context")}</p>
      <div className="settings">
        <section aria-label={say("settings.window")}>
          <SectionHead title={say("settings.window")} />
          <div className="rules">
            <div><span>{say("settings.language")}</span><LanguageSelect /></div>
            <div><span>{say("settings.theme")}</span><ThemeSelect /></div>
            <div><span>{say("settings.negative")}</span><NegativeSelect /></div>
            <div><span>{say("settings.alerts")}</span><AlertsSelect /></div>
          </div>
        </section>
        <section aria-label={say("settings.privacy")}>
          <SectionHead title={say("settings.privacy")} />
          <p className="prose">{say("settings.privacy.text")}</p>
          <p className="prose">{say("settings.privacy.files")}</p>
        </section>
        <IdleRules status={status} />
        <FiscalYear isReadOnly={status.isReadOnly} />
        <KeptSources />
        <Rates isReadOnly={status.isReadOnly} />
        <Mappings isReadOnly={status.isReadOnly} />
        <Prices />
        <section aria-label={say("settings.about")}>
          <SectionHead title={say("settings.about")} />
          <p className="prose">{info.state === "answered" ? say("settings.about.version", { version: info.value.version }) : say("app.name")}</p>
          <p className="prose">{say("settings.about.license")}</p>
        </section>
      </div>
    </>
  );
}
