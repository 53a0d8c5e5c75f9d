import { useId, useState } from "react";
import type { ChangeArea, ChangePage } from "../../shared/contract/teams.ts";
import { changeAreas } from "../../shared/contract/teams.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

const pageSize = 10;

/** Who changed what, and when: rules, budgets, answers, closed months. */
export function ChangeLog() {
  const { say, words } = useSpeech();
  const id = useId();
  const [area, setArea] = useState<ChangeArea | "all">("all");
  const [shown, setShown] = useState(pageSize);
  const [open, setOpen] = useState<number | null>(null);
  const asked = useAsk("changes.list", { area: area === "all" ? null : area, offset: 0, limit: shown });
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking") return null;
  const { total, changes } = asked.value;
  return (
    <section aria-labelledby={id} className="change-log">
      <SectionHead id={id} title={say("log.title")} note={say("log.note", { count: total })}>
        <Choice label={say("log.area")} isLabelHidden value={area} choices={(["all", ...changeAreas] as const).map((each) => ({ id: each, text: say(`log.area.${each}`) }))} onChoose={(chosen) => { setArea(chosen); setShown(pageSize); }} />
      </SectionHead>
      {changes.length === 0 ? <p className="note">{say("log.none")}</p> : (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("log.when")}</th><th scope="col">{say("log.who")}</th><th scope="col">{say("log.area")}</th><th scope="col">{say("log.what")}</th><th scope="col">{say("log.subject")}</th></tr></thead>
          <tbody>
            {changes.map((change) => <Line key={change.id} change={change} when={words.instant(change.at, "minute")} isOpen={open === change.id} onToggle={() => setOpen(open === change.id ? null : change.id)} />)}
          </tbody>
        </table>
      )}
      {total > changes.length && <p className="actions"><button type="button" className="link" onClick={() => setShown(shown + 5 * pageSize)}>{say("log.more")}</button></p>}
    </section>
  );
}

interface LineProps {
  readonly change: ChangePage["changes"][number];
  readonly when: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Line({ change, when, isOpen, onToggle }: LineProps) {
  const { say } = useSpeech();
  const id = useId();
  const hasMore = change.before !== null || change.after !== null;
  return (
    <>
      <tr>
        <th scope="row">{hasMore ? <button type="button" className="row-toggle" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={onToggle}>{when}</button> : when}</th>
        <td>{change.who}</td>
        <td>{say(`log.area.${change.area}`)}</td>
        <td>{say(`log.what.${change.what}`)}</td>
        <td className="reason" title={change.subject}>{change.subject}</td>
      </tr>
      {isOpen && (
        <tr className="detail" id={id}>
          <td colSpan={5}>
            <dl>
              {change.before !== null && <div><dt>{say("log.before")}</dt><dd className="mono">{change.before}</dd></div>}
              {change.after !== null && <div><dt>{say("log.after")}</dt><dd className="mono">{change.after}</dd></div>}
            </dl>
          </td>
        </tr>
      )}
    </>
  );
}
