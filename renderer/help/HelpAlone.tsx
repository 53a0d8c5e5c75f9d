import { Icon } from "../app/icons.tsx";
import { firstView, addressOf } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Help } from "./Help.tsx";

/** The help before any ledger is open: the page alone, and the way back to the first screen. */
export function HelpAlone() {
  const { say } = useSpeech();
  return (
    <main className="page help-alone">
      <div className="help-top">
        <div className="brand"><Icon name="brand" /><span>{say("app.name")}</span></div>
        <a className="link" href={addressOf(firstView)}>{say("help.back")}</a>
      </div>
      <Help hasOwnBack />
    </main>
  );
}
