import type { ReportRequest } from "../../shared/contract/report.ts";
import { scopeDimensions } from "../../shared/domain/scope.ts";
import type { Language } from "../../shared/i18n/index.ts";

/** The terminal command that prints this report. In the project's folder it runs through npm. */
export function commandOf(request: ReportRequest, { ledgerName, language, isPackaged }: { readonly ledgerName: string; readonly language: Language; readonly isPackaged: boolean }): string {
  const words = [
    ...(isPackaged ? ["gpu-ledger", "--headless"] : ["npm", "run", "-s", "cli", "--"]),
    "report",
    request.report,
    ...(request.selection === undefined ? [] : [request.selection]),
    "--ledger",
    ledgerName.endsWith(".gpuledger") ? ledgerName : `${ledgerName}.gpuledger`,
    "--period",
    request.period,
    ...(request.basis === "EffectiveCost" ? [] : ["--basis", request.basis]),
    ...(request.currency === null ? [] : ["--currency", request.currency]),
    ...scopeDimensions.flatMap((dimension) => (request.scope[dimension] ?? []).flatMap((value) => ["--scope", `${dimension}=${value ?? ""}`])),
    "--lang",
    language,
  ];
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
