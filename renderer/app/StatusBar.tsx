import type { Words } from "../../shared/i18n/format.ts";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { useTell } from "../ledger/useAsk.ts";
import { ProgressBar } from "../parts/states.tsx";
import { useView } from "../state/view.ts";
import { useWork } from "../state/work.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Strong } from "../words/Strong.tsx";
import { progressText } from "../words/progress.ts";

/** Until when, how much is covered, what was set aside, and what goes on behind. */
export function StatusBar({ status }: { readonly status: LedgerStatus }) {
  const { say, words } = useSpeech();
  const look = useView((view) => view.look);
  return (
    <footer className="status-bar">
      <span>{status.completeUntil === null ? say("status.no-bill") : <Strong text="status.complete-until" values={{ at: endOf(status.completeUntil, words) }} />}</span>
      {status.lastImportAt !== null && <span>{say("status.last-import", { at: words.instant(status.lastImportAt, "minute") })}</span>}
      {status.telemetryCoverage !== null && <span><Strong text="status.telemetry-covers" values={{ share: words.ratio(status.telemetryCoverage) }} /></span>}
      {status.rowsSetAside > 0 && <button type="button" className="figure" onClick={() => look({ screen: "imports" })}>{say("status.set-aside", { count: status.rowsSetAside })}</button>}
      {status.hoursUnderOldPolicy && <span>{say("status.old-policy")}</span>}
      <Work />
    </footer>
  );
}

function Work() {
  const speech = useSpeech();
  const { say } = speech;
  const reading = useWork((work) => work.reading);
  const working = useWork((work) => work.working);
  const cancel = useTell("import.cancel");
  if (reading !== null) {
    const text = progressText(reading, speech);
    return (
      <span className="work">
        <ProgressBar label={text} value={reading.bytesRead} total={reading.bytesTotal} />
        <span>{text}</span>
        <button type="button" className="link" disabled={cancel.isBusy} onClick={() => void cancel.tell({ plan: reading.plan })}>{say("action.cancel")}</button>
      </span>
    );
  }
  if (working !== null) {
    const text = say(`work.${working.kind}`);
    return <span className="work"><ProgressBar label={text} value={working.done} total={working.total} /><span>{text}</span></span>;
  }
  return <span className="work">{say("work.none")}</span>;
}

/** An exclusive end at midnight is told as 24:00 of the day before: "30 Sep 2026, 24:00 UTC". */
function endOf(instant: string, words: Words): string {
  if (!/T00:00(:00(\.0+)?)?Z?$/.test(instant)) return `${words.instant(instant, "minute")} UTC`;
  const eve = new Date(Date.parse(instant) - 86_400_000).toISOString();
  return `${words.instant(eve, "minute").replace("00:00", "24:00")} UTC`;
}
