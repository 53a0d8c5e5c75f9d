import { useId } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { periodOf } from "../reports/useReport.ts";
import { useNotice } from "../state/notice.ts";
import { useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { sentences } from "../../shared/contract/words.ts";

/** Writes the pack of the period and scope on the page to a folder or a ZIP that the person names. */
export function EsgPackButton({ status }: { readonly status: LedgerStatus }) {
  const { say, words, language, error } = useSpeech();
  const view = useView();
  const choose = useTell("files.choose");
  const write = useTell("esg.export");
  const tell = useNotice((store) => store.tell);
  const period = periodOf(view, status);
  if (period === null) return null;
  const run = async (): Promise<void> => {
    const chosen = await choose.tell({ kind: "export-save", suggestedName: `esg-${period}.zip` });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    const [file] = chosen.value;
    if (file === undefined) return;
    const written = await write.tell({ period, scope: view.scope, language, file: file.token, by: null, statement: null });
    if (!written.ok) return tell({ text: error(written.error).what, detail: error(written.error).todo });
    const { issue, isSame, coveredDays, days, isFrozen, hasStatement, files } = written.value;
    const detail = [
      ...(issue === null ? [] : [say(isSame ? "esg.cli.same" : "esg.cli.issue", { issue: String(issue) })]),
      ...(coveredDays < days ? [say("esg.cli.partial", { covered: words.count(coveredDays), days: words.count(days) })] : []),
      ...(isFrozen ? [] : [say("esg.cli.provisional")]),
      ...(hasStatement ? [] : [say("esg.cli.no-statement")]),
    ];
    tell({ text: say("esg.cli.written", { period: words.period(period), file: file.name, count: files.length }), detail: sentences(detail, language) });
  };
  return <Act className="link main" isBusy={write.isBusy} onPress={() => void run()}>{say(write.isBusy ? "carbon-page.pack.busy" : "carbon-page.pack")}</Act>;
}

/** The packs that were issued, newest first. */
export function EsgIssues({ period }: { readonly period: string }) {
  const { say, words } = useSpeech();
  const id = useId();
  const asked = useAsk("esg.list", {});
  if (asked.state !== "answered" || asked.value.issues.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("carbon-page.issues")} note={say("carbon-page.issues.note")} />
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("carbon-page.issue")}</th><th scope="col">{say("carbon-page.issue.period")}</th><th scope="col">{say("carbon-page.issue.boundary")}</th><th scope="col">{say("carbon-page.issue.when")}</th><th scope="col">{say("carbon-page.issue.by")}</th><th scope="col">{say("esg.column.sha256")}</th></tr></thead>
        <tbody>
          {asked.value.issues.map((issue) => (
            <tr key={issue.issue} aria-current={issue.period === period ? "true" : undefined}>
              <th scope="row">#{issue.issue}</th>
              <td>{words.period(issue.period)}</td>
              <td>{issue.boundary === "{}" ? say("carbon-page.issue.all") : boundaryText(issue.boundary)}</td>
              <td>{words.instant(issue.issuedAt, "minute")}</td>
              <td>{issue.issuedBy}</td>
              <td className="mono" title={issue.sha256}>{issue.sha256.slice(0, 16)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The values that a boundary was narrowed to, as the bills spell them. */
function boundaryText(boundary: string): string {
  return Object.values(JSON.parse(boundary) as Readonly<Record<string, readonly (string | null)[]>>).flat().map((value) => value ?? "—").join(", ");
}
