import { useId, useState } from "react";
import type { CarbonAction } from "../../shared/contract/carbon-actions.ts";
import type { CurrencyChoice } from "../../shared/domain/currency.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useNotice } from "../state/notice.ts";
import { amountIn, shortName } from "../teams/amounts.ts";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { kilogramsText } from "./amounts.ts";

const firstShown = 6;

/** What would emit less, the largest first, with what it saves or costs; taken up into the register of actions that Review shows. */
export function CarbonActions({ period, currency, isReadOnly }: { readonly period: string; readonly currency: CurrencyChoice; readonly isReadOnly: boolean }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const asked = useAsk("carbon.actions", { period, currency });
  const [isAll, setAll] = useState(false);
  if (asked.state !== "answered" || asked.value.lines.length === 0) return null;
  const { lines } = asked.value;
  const shown = isAll ? lines : lines.slice(0, firstShown);
  return (
    <section aria-labelledby={id} aria-busy={asked.isOld} className="carbon-actions">
      <SectionHead id={id} title={say("carbon-page.actions")} note={say("carbon-page.actions.note")}>
        {lines.length > firstShown && <button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: lines.length })}</button>}
      </SectionHead>
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("act.what")}</th><th scope="col">{say("column.team")}</th><th scope="col" className="n">{say("carbon-page.actions.less")}</th><th scope="col" className="n">{say("column.saving-a-month")}</th><th scope="col"><span className="for-readers">{say("act.take")}</span></th></tr></thead>
        <tbody>
          {shown.map((line) => (
            <tr key={line.key}>
              <th scope="row" className="clip" title={line.resource ?? undefined}>{subjectOf(line, speech)}</th>
              <td>{line.team}</td>
              <td className="n useful-text">{kilogramsText(line.micrograms, words)}</td>
              <td className="n">{line.saving === null ? <span className="unknown" title={say(`carbon-page.actions.no-money.${line.kind}`)}>—</span> : amountIn(speech, line.saving, line.currency)}</td>
              <td className="n">{line.isTaken ? <span className="muted">{say("carbon-page.actions.taken")}</span> : !isReadOnly && <Take line={line} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">{say("carbon-page.actions.overlap")}</p>
    </section>
  );
}

/** Puts it into the register, with its kilograms in words and its money where it saves any. */
function Take({ line }: { readonly line: CarbonAction }) {
  const speech = useSpeech();
  const { say, words, error } = speech;
  const save = useTell("action.save");
  const tell = useNotice((store) => store.tell);
  const subject = subjectOf(line, speech);
  const take = async (): Promise<void> => {
    const isSaving = line.saving !== null && !line.saving.startsWith("-");
    const done = await save.tell({
      action: {
        id: null, findingKey: line.key, kind: line.kind === "idle" ? "idle" : "carbon", subject: say("carbon-page.actions.subject", { subject, kilograms: kilogramsText(line.micrograms, words) }), resource: line.resource, team: line.team, owner: line.owner, dueOn: null,
        state: "open", currency: line.currency, expected: isSaving ? line.saving : null, realised: null, note: line.saving === null || isSaving ? null : say("carbon-page.actions.dearer", { amount: amountIn(speech, line.saving.slice(1), line.currency) }),
      },
      by: null,
    });
    tell(done.ok ? { text: say("carbon-page.actions.kept") } : { text: error(done.error).what, detail: error(done.error).todo });
  };
  return <Act label={`${say("act.take")}: ${subject}`} isBusy={save.isBusy} onPress={() => void take()}>{say("act.take")}</Act>;
}

function subjectOf({ kind, resource, resourceName, gpuModel, instanceType, region, to }: CarbonAction, { say }: Pick<Speech, "say">): string {
  if (kind === "idle") return say("finding.idle", { resource: resourceName ?? (resource === null ? "" : shortName(resource)), about: gpuModel ?? "", since: "" });
  return say("carbon-page.actions.move", { machine: instanceType ?? gpuModel ?? say("gpu.none"), from: region ?? "", to: to ?? "" });
}
