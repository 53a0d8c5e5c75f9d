import type { ReportDocument, ReportId, ReportRequest } from "../../../shared/contract/report.ts";
import { settledDocument } from "../../../shared/contract/table.ts";
import { ok, type Result } from "../../../shared/result.ts";
import type { ReportContext } from "./context.ts";
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

/**
 * The report of a request as a document.
 *
 * errors  period.invalid; report.no-data when the period has neither bill nor telemetry (imports: when the ledger has no batch)
 */
export function readReport(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const document = reports[request.report](context, request);
  return document.ok ? ok(settledDocument(document.value)) : document;
}
