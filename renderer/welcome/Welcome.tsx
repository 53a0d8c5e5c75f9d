import { useState } from "react";
import type { LedgerError } from "../../shared/contract/errors.ts";
import type { Result } from "../../shared/result.ts";
import { Icon } from "../app/icons.tsx";
import { Toast } from "../app/Toast.tsx";
import { LanguageSelect } from "../settings/selects.tsx";
import { useLedger } from "../ledger/LedgerProvider.tsx";
import { asked } from "../ledger/useAsk.ts";
import { useFiles } from "../ledger/useFiles.ts";
import { DropArea } from "../parts/DropArea.tsx";
import { ProgressBar, Refused } from "../parts/states.tsx";
import { usePulls } from "../state/pulls.ts";
import { useView } from "../state/view.ts";
import { useWork } from "../state/work.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** First run: one screen with its doors. Files may be dropped anywhere on it. */
export function Welcome() {
  const { say } = useSpeech();
  const { client, opened } = useLedger();
  const files = useFiles();
  const look = useView((view) => view.look);
  const openPull = usePulls((store) => store.open);
  const working = useWork((work) => work.working);
  const [busy, setBusy] = useState<"sample" | "files" | "ledger" | null>(null);
  const [error, setError] = useState<LedgerError | null>(null);

  const settle = (result: Result<unknown>): boolean => {
    setBusy(null);
    setError(result.ok ? null : result.error);
    if (result.ok) opened();
    return result.ok;
  };
  const openSample = async (): Promise<void> => {
    setBusy("sample");
    if (settle(await asked(client, "sample.open", {}))) look({ screen: "review" });
  };
  /** A person's first files need a ledger to go to: it is made beside where they choose. */
  const withLedger = async (take: () => Promise<boolean>): Promise<void> => {
    setError(null);
    if (!(await take())) return;
    const place = await asked(client, "files.choose", { kind: "ledger-save", suggestedName: say("ledger.suggested-name") });
    const file = place.ok ? place.value[0] : undefined;
    if (!place.ok) return setError(place.error);
    if (file === undefined) return;
    setBusy("files");
    if (settle(await asked(client, "ledger.open", { file: file.token, create: true }))) look({ screen: "imports" });
  };
  /** The dialog with the price waits on Imports; nothing is asked of AWS before. */
  const pull = (): Promise<boolean> => {
    openPull();
    return Promise.resolve(true);
  };
  const openLedger = async (): Promise<void> => {
    setError(null);
    const chosen = await asked(client, "files.choose", { kind: "ledger-open" });
    const file = chosen.ok ? chosen.value[0] : undefined;
    if (!chosen.ok) return setError(chosen.error);
    if (file === undefined) return;
    setBusy("ledger");
    if (settle(await asked(client, "ledger.open", { file: file.token, create: false }))) look({ screen: "review" });
  };
  return (
    <main className="welcome">
      <DropArea className="welcome-inner" label={say("welcome.title")} onDrop={(list) => void withLedger(() => files.drop(list))}>
        <div className="brand"><Icon name="brand" /><span>{say("app.name")}</span></div>
        <h1 className="answer">{say("welcome.title")}</h1>
        <p className="context">{say("welcome.text")}</p>
        <div className="doors">
          <button type="button" className="door" disabled={busy !== null} onClick={() => void withLedger(() => files.choose("import"))}>
            <Icon name="imports" />
            <span><b>{say("welcome.files")}</b><span className="door-text">{say("welcome.files.text")}</span></span>
            <span className="go">{say("import.choose")}</span>
          </button>
          <button type="button" className="door" disabled={busy !== null} onClick={() => void openSample()}>
            <Icon name="sample" />
            <span><b>{say("welcome.sample")}</b><span className="door-text">{say("welcome.sample.text")}</span></span>
            <span className="go">{busy === "sample" ? (working === null ? say("state.opening") : <ProgressBar label={say("work.sample")} value={working.done} total={working.total} />) : say("welcome.sample.open")}</span>
          </button>
          <button type="button" className="door" disabled={busy !== null} onClick={() => void withLedger(pull)}>
            <Icon name="pull" />
            <span><b>{say("connect.door")}</b><span className="door-text">{say("connect.door.text")}</span></span>
            <span className="go">{say("connect.door.go")}</span>
          </button>
          <button type="button" className="door" disabled={busy !== null} onClick={() => void openLedger()}>
            <Icon name="ledger" />
            <span><b>{say("welcome.ledger")}</b><span className="door-text">{say("welcome.ledger.text")}</span></span>
            <span className="go">{say("welcome.ledger.open")}</span>
          </button>
        </div>
        {error !== null && <Refused error={error} />}
        <div className="foot"><span>{say("welcome.privacy")}</span><a className="link" href="#/help">{say("screen.help")}</a><LanguageSelect isLabelled /></div>
      </DropArea>
      <Toast />
    </main>
  );
}
