import { useState } from "react";
import type { SelectionVendor, VendorSelectionInput } from "../../shared/contract/calculators.ts";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { Block, ReportDocument, ReportRequest } from "../../shared/contract/report.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { Context, Sentence } from "../parts/Sentence.tsx";
import { Refused } from "../parts/states.tsx";
import { CopyCommand } from "../reports/CopyCommand.tsx";
import { ExportMenu } from "../reports/ExportMenu.tsx";
import { BlockView } from "../reports/standard/BlockView.tsx";
import { useRequest } from "../reports/useReport.ts";
import { Choice } from "../settings/selects.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { inputsOf, newSelection } from "./vendor-form.ts";
import { PilotForm, SelectionForm, VendorForm } from "./VendorForms.tsx";

type Open = { readonly form: "new" | "selection" | "pilot" } | { readonly form: "vendor"; readonly vendor: SelectionVendor | null };

/** Which vendor, and why: five steps scored with evidence, quotes, the pilot against the bill, the decision. It shows the report itself. */
export function Vendors({ status }: { readonly status: LedgerStatus }) {
  const { say, words } = useSpeech();
  const [chosen, setChosen] = useState<number | null>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const listed = useAsk("selections.list", {});
  const list = listed.state === "answered" ? listed.value.selections : [];
  const current = list.find(({ id }) => id === chosen) ?? list[0] ?? null;
  const asked = useAsk("selection.read", current === null ? null : { id: current.id });
  const facts = useAsk("calculator.facts", { month: null });
  const request = useRequest("selection", status);
  const wanted: ReportRequest | null = request === null || current === null ? null : { ...request, selection: current.name };
  const report = useAsk("report.read", wanted);
  const selection: VendorSelectionInput | null = current !== null && asked.state === "answered" ? inputsOf(asked.value.selection) : null;
  const close = (saved: number | null): void => {
    if (saved !== null) setChosen(saved);
    setOpen(null);
  };
  const isEditable = !status.isReadOnly;
  return (
    <div className="vendors">
      <div className="page-head">
        <h1>{report.state === "answered" && current !== null ? words.text(report.value.title) : say("vendor.title")}</h1>
        <span className="actions">
          {list.length > 1 && current !== null && <Choice label={say("vendor.which")} isLabelHidden value={String(current.id)} choices={list.map(({ id, name }) => ({ id: String(id), text: name }))} onChoose={(id) => setChosen(Number(id))} />}
          {report.state === "answered" && current !== null && <CopyCommand request={report.value.request} ledgerName={report.value.provenance.ledgerName} />}
          {report.state === "answered" && current !== null && <ExportMenu request={report.value.request} />}
          {isEditable && <button type="button" className="link main" onClick={() => setOpen({ form: "new" })}>{say("vendor.new")}</button>}
        </span>
      </div>
      {listed.state === "refused" && <Refused error={listed.error} />}
      {listed.state === "answered" && current === null && <><p className="answer">{say("vendor.none.answer")}</p><p className="context">{say("vendor.none")}</p></>}
      {report.state === "refused" && current !== null && <Refused error={report.error} />}
      {report.state === "answered" && current !== null && <Shown document={report.value} />}
      {isEditable && selection !== null && (
        <p className="actions vendor-actions">
          <button type="button" className="link" onClick={() => setOpen({ form: "vendor", vendor: null })}>{say("vendor.add")}</button>
          {selection.vendors.map((vendor) => <button key={vendor.name} type="button" className="link" onClick={() => setOpen({ form: "vendor", vendor })}>{say("vendor.edit-one", { name: vendor.name })}</button>)}
          {selection.vendors.length > 0 && <button type="button" className="link" onClick={() => setOpen({ form: "pilot" })}>{say("vendor.pilot")}</button>}
          <button type="button" className="link" onClick={() => setOpen({ form: "selection" })}>{say("vendor.edit")}</button>
        </p>
      )}
      {open?.form === "new" && <SelectionForm selection={newSelection(say("vendor.new-name"), facts.state === "answered" ? facts.value.currency : "USD")} onClose={close} />}
      {open?.form === "selection" && selection !== null && <SelectionForm selection={selection} onClose={close} />}
      {open?.form === "vendor" && selection !== null && <VendorForm selection={selection} vendor={open.vendor === null ? null : (selection.vendors.find(({ name }) => name === open.vendor?.name) ?? null)} onClose={close} />}
      {open?.form === "pilot" && selection !== null && <PilotForm selection={selection} onClose={close} />}
    </div>
  );
}

/** The report's own words and tables; quotes and pilot beside the weights. */
function Shown({ document }: { readonly document: ReportDocument }) {
  const block = (id: string): Block | undefined => document.blocks.find((each) => each.id === id);
  const [scores, weights, evidence, quotes, pilot, decision] = ["scorecard", "weights", "evidence", "quotes", "pilot", "decision"].map(block);
  return (
    <>
      <Sentence message={document.answer} />
      <Context messages={document.context} />
      <div className="vendor-blocks">
        {scores !== undefined && <BlockView block={scores} />}
        <div className="vendor-pair">
          {weights !== undefined && <BlockView block={weights} />}
          {(quotes ?? pilot) !== undefined && (
            <div className="vendor-blocks">
              {quotes !== undefined && <BlockView block={quotes} />}
              {pilot !== undefined && <BlockView block={pilot} />}
            </div>
          )}
        </div>
        {evidence !== undefined && <BlockView block={evidence} />}
        {decision !== undefined && <BlockView block={decision} />}
      </div>
    </>
  );
}
