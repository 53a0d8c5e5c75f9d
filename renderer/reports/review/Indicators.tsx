import { useId, useState } from "react";
import type { ReportRequest } from "../../../shared/contract/report.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { Statement } from "../../parts/Statement.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { ExportMenu } from "../ExportMenu.tsx";

const shownFirst = 8;

/** Eight indicators of the field with their bands, and the others on demand; each explains itself. */
export function Indicators({ request }: { readonly request: ReportRequest }) {
  const { say, words } = useSpeech();
  const id = useId();
  const [isAll, setAll] = useState(false);
  const own: ReportRequest = { ...request, report: "kpis" };
  const asked = useAsk("report.read", own);
  if (asked.state === "refused") return asked.error.code === "report.no-data" ? null : <Refused error={asked.error} />;
  if (asked.state === "asking") return null;
  const table = asked.value.blocks.find(({ id: block }) => block === "kpis");
  if (table?.kind !== "table") return null;
  const rows = isAll ? table.rows : table.rows.slice(0, shownFirst);
  return (
    <section aria-labelledby={id} aria-busy={asked.isOld} className="indicators">
      <SectionHead id={id} title={words.text(table.title)} note={words.text(asked.value.answer)}>
        <ExportMenu request={own} />
        {table.rows.length > shownFirst && <button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: table.rows.length })}</button>}
      </SectionHead>
      <Statement block={{ ...table, rows }} labelledBy={id} />
    </section>
  );
}
