import type { ReportDocument, ReportId, ReportRequest } from "../../shared/contract/report.ts";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { Asked } from "../ledger/useAsk.ts";
import { useAsk } from "../ledger/useAsk.ts";
import type { View } from "../state/view.ts";
import { useView } from "../state/view.ts";

/** The period that shows: the one chosen, else the newest month with a bill, else the newest with anything. */
export function periodOf(view: Pick<View, "period">, status: Pick<LedgerStatus, "months">): string | null {
  return view.period ?? status.months.find(({ hasBill }) => hasBill)?.label ?? status.months[0]?.label ?? null;
}

export function useRequest(report: ReportId, status: LedgerStatus): ReportRequest | null {
  const view = useView();
  const period = periodOf(view, status);
  return period === null ? null : { report, period, scope: view.scope, basis: view.basis, currency: view.currency };
}

export function useReport(report: ReportId, status: LedgerStatus): { readonly request: ReportRequest | null; readonly asked: Asked<ReportDocument> } {
  const request = useRequest(report, status);
  return { request, asked: useAsk("report.read", request) };
}
