import type { Words } from "../../shared/i18n/format.ts";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { FigureRef } from "../../shared/contract/report.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { FigureButton } from "../parts/FigureButton.tsx";
import { ProgressBar } from "../parts/states.tsx";
import { periodOf } from "../reports/useReport.ts";
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
      <Coverage status={status} />
      {status.rowsSetAside > 0 && <button type="button" className="figure" onClick={() => look({ screen: "imports" })}>{say("status.set-aside", { count: status.rowsSetAside })}</button>}
      {status.hoursUnderOldPolicy && <span>{say("status.old-policy")}</span>}
      {!status.hoursUnderOldPolicy && status.hoursWithoutCounter && !status.isReadOnly && <span>{say("status.counters-unknown")}</span>}
      <Work />
    </footer>
  );
}

/** How much of the GPU money of the period the logs speak of; it opens its explanation. Nothing in a period without GPU spend. */
function Coverage({ status }: { readonly status: LedgerStatus }) {
  const { say, words } = useSpeech();
  const period = useView((view) => periodOf(view, status));
  const currency = useView((view) => view.currency);
  const ref: FigureRef | null = period === null ? null : { metric: "telemetry-cost-coverage", period, scope: {}, basis: "EffectiveCost", currency };
  const asked = useAsk("figure.explain", ref === null ? null : { ...ref, scope: {} });
  if (period === null || asked.state !== "answered") return null;
  const { figure } = asked.value;
  if (typeof figure.value !== "number") return <span>{say("status.telemetry-none", { period: words.period(period) })}</span>;
  const values = { share: words.ratio(figure.value), period: words.period(period) };
  return (
    <FigureButton figure={figure} explain={asked.value.ref} label={say("status.telemetry-covers", values)}>
      <Strong text="status.telemetry-covers" values={values} />
    </FigureButton>
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
        <Act isBusy={cancel.isBusy} onPress={() => void cancel.tell({ plan: reading.plan })}>{say("action.cancel")}</Act>
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
