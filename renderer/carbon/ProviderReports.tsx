import { Fragment, useId, useState } from "react";
import type { EmissionsComparison, EmissionsMethodComparison, EmissionsPreview } from "../../shared/contract/provider-emissions.ts";
import type { ReportRequest } from "../../shared/contract/report.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { FigureButton } from "../parts/FigureButton.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { FormDialog } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { kilogramsText, listText, monthsText } from "./amounts.ts";
import { sentences } from "../../shared/contract/words.ts";

interface Chosen {
  readonly token: string;
  readonly preview: EmissionsPreview;
}

/** The provider's own figures beside ours, step by step, and the reports they come from. */
export function ProviderReports({ request, isReadOnly }: { readonly request: ReportRequest; readonly isReadOnly: boolean }) {
  const { say, words, error } = useSpeech();
  const id = useId();
  const compared = useAsk("provider-emissions.compare", { period: request.period });
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const choose = useTell("files.choose");
  const look = useTell("provider-emissions.preview");
  const tell = useNotice((store) => store.tell);
  const pick = async (): Promise<void> => {
    const files = await choose.tell({ kind: "import" });
    if (!files.ok) return tell({ text: error(files.error).what, detail: error(files.error).todo });
    const [file] = files.value;
    if (file === undefined) return;
    const preview = await look.tell({ file: file.token });
    if (!preview.ok) return tell({ text: error(preview.error).what, detail: error(preview.error).todo });
    setChosen({ token: file.token, preview: preview.value });
  };
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("esg.table.provider-reports")} note={say("carbon-page.reports.note")}>
        {!isReadOnly && <button type="button" className="link" onClick={() => void pick()}>{say("carbon-page.reports.import")}</button>}
      </SectionHead>
      {compared.state === "refused" && <Refused error={compared.error} />}
      {compared.state === "answered" && compared.value.providers.length === 0 && <p className="context">{say("carbon-page.reports.none")}</p>}
      {compared.state === "answered" && compared.value.providers.length > 0 && (
        <div className="pair">
          {compared.value.providers.map((comparison) => <Comparison key={comparison.provider} comparison={comparison} request={request} />)}
        </div>
      )}
      {compared.state === "answered" && compared.value.providers.length > 0 && compared.value.without.length > 0 && <p className="note">{say("carbon-page.reports.without", { providers: listText(compared.value.without, words) })}</p>}
      <ReportList isReadOnly={isReadOnly} />
      {chosen !== null && <ImportForm chosen={chosen} onClose={() => setChosen(null)} />}
    </section>
  );
}

function Comparison({ comparison, request }: { readonly comparison: EmissionsComparison; readonly request: ReportRequest }) {
  const { say, words } = useSpeech();
  const id = useId();
  const { provider, months, monthsMissing, lagDays, hasScopes, methods } = comparison;
  const notes = [
    say("carbon-page.compare.months", { months: monthsText(months, words) }),
    ...(monthsMissing.length === 0 ? [] : [say("carbon-page.compare.missing", { months: listText(monthsMissing.map((month) => words.period(month)), words) })]),
    ...(lagDays === null ? [] : [say("carbon-page.compare.lag", { count: lagDays })]),
    ...(hasScopes ? [] : [say("carbon-page.compare.no-scopes")]),
    ...methods.flatMap(({ method, reportMicrograms }) => (reportMicrograms === null ? [say(`carbon-page.compare.no-${method}`)] : [])),
  ];
  const stated = methods.filter(({ reportMicrograms, ledgerMicrograms }) => reportMicrograms !== null && ledgerMicrograms !== null);
  return (
    <div>
      <SectionHead id={id} title={provider} note="kg CO2e" />
      <table className="statement" aria-labelledby={id}>
        <tbody>
          {stated.map((method) => <MethodRows key={method.method} method={method} provider={provider} request={request} />)}
        </tbody>
      </table>
      <p className="note">{sentences(notes, words.language)}</p>
    </div>
  );
}

function MethodRows({ method: { method, reportMicrograms, ledgerMicrograms, steps }, provider, request }: { readonly method: EmissionsMethodComparison; readonly provider: string; readonly request: ReportRequest }) {
  const { say, words } = useSpeech();
  const metric = method === "location" ? "emissions-location" : "emissions-market";
  return (
    <>
      <tr className="group"><th scope="colgroup" colSpan={2}>{say(`esg.method-name.${method}`)}</th></tr>
      <tr><th scope="row">{say("esg.step.report")}</th><td className="n">{kilogramsText(reportMicrograms, words)}</td></tr>
      {steps.map(({ step, micrograms, details, gpuHours }) => (
        <Fragment key={step}>
          <tr>
            <th scope="row">{say(`esg.step.${step}`)}{details.length > 0 && <> <span className="first-note">{listText(details.map((detail) => (/^\d{4}-\d{2}$/.test(detail) ? words.period(detail) : detail)), words)}</span></>}</th>
            <td className="n">{gpuHours === null ? kilogramsText(micrograms, words) : say("carbon-page.compare.hours", { hours: words.number(gpuHours, { digits: 0 }) })}</td>
          </tr>
        </Fragment>
      ))}
      <tr className="total">
        <th scope="row">{say("esg.step.ledger")}</th>
        <td className="n">
          <FigureButton
            figure={{ metric, value: ledgerMicrograms === null ? null : Number(ledgerMicrograms) / 1e9, unit: "kgCO2e", basis: "derived", coverage: 1 }}
            explain={{ metric, period: request.period, scope: { provider: [provider] }, basis: request.basis, currency: request.currency }}
          >
            {kilogramsText(ledgerMicrograms, words)}
          </FigureButton>
        </td>
      </tr>
    </>
  );
}

/** Reports as they were imported; each can be taken back and put back. */
function ReportList({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const { say, words, error } = useSpeech();
  const asked = useAsk("provider-emissions.list", {});
  const undo = useTell("provider-emissions.undo");
  const redo = useTell("provider-emissions.redo");
  const tell = useNotice((store) => store.tell);
  if (asked.state !== "answered" || asked.value.reports.length === 0) return null;
  const toggle = async (report: number, isPosted: boolean): Promise<void> => {
    const done = await (isPosted ? undo : redo).tell({ report, by: null });
    tell(done.ok ? { text: say(isPosted ? "emissions.cli.undone" : "emissions.cli.redone", { report: String(report) }) } : { text: error(done.error).what, detail: error(done.error).todo });
  };
  return (
    <table className="statement report-list" aria-label={say("carbon-page.reports.list")}>
      <thead><tr><th scope="col">{say("carbon-page.reports.file")}</th><th scope="col">{say("column.provider")}</th><th scope="col">{say("carbon-page.reports.months")}</th><th scope="col" className="n">{say("esg.column.location_kg")}</th><th scope="col" className="n">{say("esg.column.market_kg")}</th><th scope="col">{say("esg.column.state")}</th>{!isReadOnly && <td />}</tr></thead>
      <tbody>
        {asked.value.reports.map(({ report, file, provider, firstMonth, lastMonth, amounts, state, isShown, format, rows, rowsSetAside }) => (
          <tr key={report}>
            <th scope="row" title={say("carbon-page.reports.rows", { format: say(`format.${format}` as "format.aws-carbon-emissions"), rows: words.count(rows), aside: words.count(rowsSetAside) })}>{file}</th>
            <td>{provider}</td>
            <td>{monthsText([firstMonth, lastMonth], words)}</td>
            <td className="n">{kilogramsText(amounts.locationMicrograms, words)}</td>
            <td className="n">{kilogramsText(amounts.marketMicrograms, words)}</td>
            <td>{say(`emissions.state.${state === "undone" ? "undone" : isShown ? "shown" : "replaced"}`)}</td>
            {!isReadOnly && <td className="n"><button type="button" className="link" onClick={() => void toggle(report, state === "posted")}>{say(state === "posted" ? "carbon-page.reports.undo" : "carbon-page.reports.redo")}</button></td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ImportForm({ chosen: { token, preview }, onClose }: { readonly chosen: Chosen; readonly onClose: () => void }) {
  const { say, words } = useSpeech();
  const keep = useTell("provider-emissions.import");
  const tell = useNotice((store) => store.tell);
  const submit = async (): Promise<void> => {
    const done = await keep.tell({ file: token, sha256: preview.sha256, by: null });
    if (!done.ok) return;
    tell({ text: say("emissions.cli.kept", { file: preview.file, format: say(`format.${preview.format}` as "format.aws-carbon-emissions"), count: preview.rows, months: monthsText(preview.months.map(({ month }) => month), words), report: String(done.value.report) }) });
    onClose();
  };
  const [aside] = preview.setAside;
  return (
    <FormDialog title={say("carbon-page.reports.form", { file: preview.file })} onClose={onClose} onSave={() => void submit()} saveLabel={say("carbon-page.reports.take")} isBusy={keep.isBusy} isDisabled={preview.sameAs !== null} error={keep.error} isWide>
      <p className="prose">{say(preview.sameAs === null ? "emissions.cli.ready" : "emissions.cli.same", { file: preview.file, format: say(`format.${preview.format}` as "format.aws-carbon-emissions"), count: preview.rows, months: monthsText(preview.months.map(({ month }) => month), words), report: String(preview.sameAs ?? "") })}</p>
      {preview.rowsOutdated > 0 && <p className="prose">{say("emissions.cli.outdated", { count: preview.rowsOutdated })}</p>}
      {aside !== undefined && <p className="prose">{say("emissions.cli.aside", { count: preview.rowsSetAside, line: String(aside.line), column: aside.column, value: aside.value, reason: say(`expected.${aside.reason}` as "expected.decimal") })}</p>}
      <table className="statement" aria-label={say("carbon-page.reports.months")}>
        <thead><tr><th scope="col">{say("esg.column.month")}</th><th scope="col" className="n">{say("esg.column.location_kg")}</th><th scope="col" className="n">{say("esg.column.market_kg")}</th><th scope="col" className="n">{say("carbon-page.reports.was")}</th></tr></thead>
        <tbody>
          {preview.months.map(({ month, amounts, was }) => (
            <tr key={month}>
              <th scope="row">{words.period(month)}</th>
              <td className="n">{kilogramsText(amounts.locationMicrograms, words)}</td>
              <td className="n">{kilogramsText(amounts.marketMicrograms, words)}</td>
              <td className="n">{was === null ? say("carbon-page.reports.new") : kilogramsText(was.locationMicrograms ?? was.marketMicrograms, words)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  );
}
