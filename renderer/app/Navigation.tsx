import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { useDesk } from "../state/desk.ts";
import type { Screen } from "../state/view.ts";
import { addressOf, useView, viewOf } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Icon } from "./icons.tsx";

const entries: readonly { readonly screen: Screen; readonly isApart?: boolean }[] = [{ screen: "review" }, { screen: "efficiency" }, { screen: "commitments" }, { screen: "offers" }, { screen: "carbon" }, { screen: "budgets" }, { screen: "ledger", isApart: true }, { screen: "imports" }, { screen: "settings" }, { screen: "help" }];

/** The rail: the screens there are, and whose ledger this is. */
export function Navigation({ status, onClose }: { readonly status: LedgerStatus; readonly onClose: () => void }) {
  const { say } = useSpeech();
  const view = useView();
  const waiting = useDesk(({ files }) => files.length);
  const asked = useAsk("alerts.list", { onlyOpen: true });
  const alerts = asked.state !== "answered" ? 0 : new Set(asked.value.alerts.map(({ budget, period }) => `${budget} ${period}`)).size;
  return (
    <nav className="rail" aria-label={say("frame.screens")}>
      <div className="brand"><Icon name="brand" /><span>{say("app.name")}</span></div>
      <ul>
        {entries.map(({ screen, isApart }) => (
          <li key={screen} className={isApart === true ? "apart" : undefined}>
            <a href={addressOf({ ...viewOf(view), screen })} aria-current={view.screen === screen ? "page" : undefined} title={say(`screen.${screen}`)}>
              <Icon name={screen} />
              <span>{say(`screen.${screen}`)}</span>
              {screen === "budgets" && alerts > 0 && <span className="badge" title={say("alert-log.waiting", { count: alerts })}>{alerts}</span>}
              {screen === "imports" && waiting > 0 && <span className="badge">{waiting}</span>}
            </a>
          </li>
        ))}
      </ul>
      <div className="whose">
        <b>{status.isSample ? say("sample.company") : (status.name ?? "")}</b>
        {status.isSample ? say("sample.data") : status.isReadOnly ? say("ledger.read-only") : say("ledger.yours")}
        {" · "}
        <button type="button" className="link" onClick={onClose}>{say(status.isSample ? "sample.remove" : "ledger.close")}</button>
      </div>
    </nav>
  );
}
