import type { ReportDocument, ReportId, ReportRequest } from "../../../shared/contract/report.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { settledDocument } from "../../../shared/contract/table.ts";
import { moneyColumns } from "../../../shared/domain/charge.ts";
import { converted } from "../../../shared/domain/currency.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { message, type ReportContext } from "./context.ts";
import { conversionOf, convertedDocument } from "./converted.ts";
import { readEfficiency } from "./efficiency.ts";
import { readImports } from "./imports.ts";
import { readCarbon } from "./carbon.ts";
import { readEsg } from "./esg.ts";
import { readBudgets } from "./budgets.ts";
import { readCommitments } from "./commitments.ts";
import { readKpis } from "./kpis.ts";
import { readMonthly } from "./monthly.ts";
import { readReview } from "./review.ts";
import { readSelection } from "./selection.ts";
import { readShowback } from "./showback.ts";

export type { ReportContext } from "./context.ts";
export { carbonActions } from "./carbon-actions.ts";
export { cleanerRegions } from "./cleaner-regions.ts";
export { explainFigure } from "./explain.ts";

const reports: Readonly<Record<ReportId, (context: ReportContext, request: ReportRequest) => Result<ReportDocument>>> = {
  review: readReview,
  efficiency: readEfficiency,
  imports: readImports,
  budgets: readBudgets,
  showback: readShowback,
  kpis: readKpis,
  selection: readSelection,
  monthly: readMonthly,
  carbon: readCarbon,
  esg: readEsg,
  commitments: readCommitments,
};

/** Of the currency of the bill, or of one of their own: what a team is charged, what a commitment costs, what a vendor asks. */
const billedOnly: ReadonlySet<ReportId> = new Set<ReportId>(["showback", "commitments", "selection"]);

/**
 * The report of a request as a document.
 *
 * errors  period.invalid; report.no-data when the period has neither bill nor telemetry (imports: when the ledger has no batch);
 *         currency.billed-only, currency.no-rates where all money is to be in one currency
 */
export function readReport(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const { convertedFrom = null } = context;
  if (convertedFrom === null) {
    const document = reports[request.report](context, request);
    return document.ok ? ok(settledDocument(document.value)) : document;
  }
  const { currency, billed } = convertedFrom;
  if (billedOnly.has(request.report)) return err(ledgerError("currency.billed-only", { currency }));
  // What files say is held against them as it stands there, every currency apart.
  if (request.report === "imports") {
    const document = readReport({ ...context, ledger: billed, convertedFrom: null }, { ...request, currency: null });
    return document.ok ? ok({ ...document.value, context: [message("report.context.as-stated"), ...document.value.context], request: { ...request, currency: converted(currency) } }) : document;
  }
  const conversion = conversionOf(context, request);
  // Of a period of which no rate covers anything there is nothing to say.
  if (conversion !== null && conversion.missing.length > 0 && moneyColumns.every((column) => conversion.whole[column] === null)) return err(ledgerError("currency.no-rates", { currency }));
  const document = reports[request.report](context, request);
  if (!document.ok) return document;
  return ok(settledDocument(conversion === null ? document.value : convertedDocument(document.value, request, conversion)));
}
