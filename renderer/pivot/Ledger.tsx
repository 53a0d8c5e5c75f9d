import { useMemo, useState } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { PivotView } from "../../shared/contract/pivot.ts";
import { useLedger } from "../ledger/LedgerProvider.tsx";
import { asked as askOnce, useAsk, useTell } from "../ledger/useAsk.ts";
import { Context } from "../parts/Sentence.tsx";
import { Rows } from "../parts/RowsDialog.tsx";
import { EmptyState, Refused, Skeleton } from "../parts/states.tsx";
import { TableExport } from "../parts/TableExport.tsx";
import { periodOf } from "../reports/useReport.ts";
import { useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { PivotControls } from "./PivotControls.tsx";
import { PivotGrid } from "./PivotGrid.tsx";
import { keyText } from "./keys.ts";
import { SavedViews } from "./SavedViews.tsx";
import { firstPivot } from "./views.ts";

/** Show me the rows: charges and GPU-hours grouped and filtered by whatever they state, down to the lines of their files. */
export function Ledger({ status }: { readonly status: LedgerStatus }) {
  const { say, words } = useSpeech();
  const { client } = useLedger();
  const look = useView((store) => store.look);
  const { scope, currency, ...rest } = useView();
  const period = periodOf(rest, status);
  const [view, setView] = useState<PivotView>(firstPivot);
  const [rowsOf, setRowsOf] = useState<readonly (string | null)[] | null>(null);
  const question = useMemo(() => (period === null ? null : { view, period, scope, currency }), [view, period, scope, currency]);
  const first = useAsk("pivot.read", question === null ? null : { ...question, offset: 0, limit: 1 });
  if (question === null) {
    return (
      <EmptyState name={say("screen.ledger")} title={say("page.nothing-yet")} text={say("page.nothing-yet.todo")}>
        <button type="button" className="link main" onClick={() => look({ screen: "imports" })}>{say("screen.imports")}</button>
      </EmptyState>
    );
  }
  if (first.state === "asking") return <><h1 className="for-readers">{say("screen.ledger")}</h1><Skeleton label={say("state.asking")} /></>;
  const page = first.state === "answered" ? first.value : null;
  const total = page?.total[0]?.value ?? null;
  return (
    <div className="pivot-page" aria-busy={first.state === "answered" && first.isOld}>
      <div className="page-head">
        <h1>{say("screen.ledger")}</h1>
        <span className="actions">
          <SavedViews view={view} onChoose={setView} />
          {page !== null && page.groups > 0 && <PivotExport question={question} />}
        </span>
      </div>
      <p className="answer">
        {page === null || page.groups === 0 || typeof total !== "bigint" || page.currency === null
          ? say("pivot.none")
          : say("pivot.answer", { period: words.period(question.period), groups: say("pivot.groups", { count: page.groups }), total: words.money(total, page.currency) })}
      </p>
      {page !== null && <Context messages={page.conversion} />}
      <PivotControls view={view} onChange={setView} />
      {first.state === "refused" && <Refused error={first.error}><button type="button" className="link" onClick={() => setView(firstPivot)}>{say("action.again")}</button></Refused>}
      {page !== null && page.groups === 0 && <p className="context">{say("pivot.none.todo")}</p>}
      {page !== null && page.groups > 0 && (
        <PivotGrid
          key={JSON.stringify(question)}
          question={question}
          first={page}
          onSort={(column) => setView({ ...view, sort: { column, descending: view.sort?.column === column ? !view.sort.descending : !(view.by as readonly string[]).includes(column) } })}
          onOnly={(dimension, key) => setView({ ...view, filters: [...view.filters.filter((filter) => filter.dimension !== dimension), { dimension, among: [key] }] })}
          onRows={setRowsOf}
        />
      )}
      {rowsOf !== null && (
        <ModalOverlay className="veil whole" isDismissable isOpen onOpenChange={(isOpen) => !isOpen && setRowsOf(null)}>
          <Modal className="rows-dialog">
            <Dialog>
              <header>
                <Heading slot="title" level={2}>{say("rows.title")}</Heading>
                <span className="muted small">{view.by.map((dimension, index) => keyText(say, words, dimension, rowsOf[index] ?? null)).join(" · ")}</span>
                <button type="button" className="link" onClick={() => setRowsOf(null)}>{say("action.close")}</button>
              </header>
              <Rows question={["pivot.rows", question, rowsOf]} read={(offset, limit) => askOnce(client, "pivot.rows", { ...question, keys: rowsOf, offset, limit })} />
            </Dialog>
          </Modal>
        </ModalOverlay>
      )}
    </div>
  );
}

interface PivotExportProps {
  readonly question: { readonly view: PivotView; readonly period: string; readonly scope: ReturnType<typeof useView.getState>["scope"]; readonly currency: string | null };
}

function PivotExport({ question }: PivotExportProps) {
  const write = useTell("pivot.export");
  return <TableExport fileName={`ledger-${question.period}`} isBusy={write.isBusy} write={(to) => write.tell({ ...question, ...to })} />;
}
