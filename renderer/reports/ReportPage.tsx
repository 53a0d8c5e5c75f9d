import type { ReactNode } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { ReportDocument, ReportId } from "../../shared/contract/report.ts";
import { Context, Sentence } from "../parts/Sentence.tsx";
import { EmptyState, Refused, Skeleton } from "../parts/states.tsx";
import { useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { CopyCommand } from "./CopyCommand.tsx";
import { ExportMenu } from "./ExportMenu.tsx";
import { useReport } from "./useReport.ts";

interface ReportPageProps {
  readonly report: ReportId;
  readonly status: LedgerStatus;
  /** Puts the blocks of the document on the page. */
  readonly children: (document: ReportDocument) => ReactNode;
  /** What else can be done on this screen, after the copy of its command and its export. */
  readonly actions?: ReactNode;
}

/** A report: its question, the answer as a sentence, a line of context, and its blocks. */
export function ReportPage({ report, status, children, actions }: ReportPageProps) {
  const { words, say } = useSpeech();
  const look = useView((view) => view.look);
  const scope = useView((view) => view.scope);
  const { request, asked } = useReport(report, status);
  if (request === null) {
    return (
      <EmptyState name={say(`screen.${report}`)} title={say("page.nothing-yet")} text={say("page.nothing-yet.todo")}>
        <button type="button" className="link main" onClick={() => look({ screen: "imports" })}>{say("screen.imports")}</button>
      </EmptyState>
    );
  }
  if (asked.state === "asking") return <><h1 className="for-readers">{say(`screen.${report}`)}</h1><Skeleton label={say("state.asking")} /></>;
  if (asked.state === "refused") {
    return (
      <>
      <div className="page-head"><h1>{say(`screen.${report}`)}</h1></div>
      <Refused error={asked.error}>
        <button type="button" className="link" onClick={asked.again}>{say("action.again")}</button>
        {asked.error.code === "report.no-data" && Object.keys(scope).length > 0 && <button type="button" className="link" onClick={() => look({ scope: {} })}>{say("scope.everything")}</button>}
        {asked.error.code.startsWith("currency.") && <button type="button" className="link" onClick={() => look({ currency: null })}>{say("pick.currency.as-billed")}</button>}
        {asked.error.code === "report.no-data" && <button type="button" className="link" onClick={() => look({ period: null })}>{say("period.newest")}</button>}
      </Refused>
      </>
    );
  }
  const document = asked.value;
  return (
    <div aria-busy={asked.isOld}>
      <div className="page-head">
        <h1>{words.text(document.title)}</h1>
        <span className="actions">
          <CopyCommand request={document.request} ledgerName={document.provenance.ledgerName} />
          <ExportMenu request={document.request} />
          {actions}
        </span>
      </div>
      <Sentence message={document.answer} />
      <Context messages={document.context} />
      {children(document)}
    </div>
  );
}
