import type { ReportRequest } from "../../shared/contract/report.ts";
import { convertedTo, type CurrencyChoice } from "../../shared/domain/currency.ts";
import { scopeDimensions } from "../../shared/domain/scope.ts";
import { planOptions } from "../commitments/command.ts";
import type { Language } from "../../shared/i18n/index.ts";

/** The terminal command that prints this report. In the project's folder it runs through npm. */
export function commandOf(request: ReportRequest, { ledgerName, language, isPackaged }: { readonly ledgerName: string; readonly language: Language; readonly isPackaged: boolean }): string {
  const words = [
    ...(request.plan === undefined ? ["report", request.report] : ["plan"]),
    ...(request.selection === undefined ? [] : [request.selection]),
    "--ledger",
    ledgerFile(ledgerName),
    "--period",
    request.period,
    ...(request.plan === undefined ? [] : planOptions(request.plan)),
    ...(request.plan !== undefined || request.basis === "EffectiveCost" ? [] : ["--basis", request.basis]),
    ...currencyOptions(request.currency),
    ...scopeDimensions.flatMap((dimension) => (request.scope[dimension] ?? []).flatMap((value) => ["--scope", `${dimension}=${value ?? ""}`])),
    "--lang",
    language,
  ];
  return inTerminal(words, isPackaged);
}

/** `--in USD` for all of it converted, `--currency USD` for what is billed in it. */
export function currencyOptions(choice: CurrencyChoice): string[] {
  const target = convertedTo(choice);
  return choice === null ? [] : target === null ? ["--currency", choice] : ["--in", target];
}

/** A ledger's name as the file that it is. */
export function ledgerFile(name: string): string {
  return name.endsWith(".gpuledger") ? name : `${name}.gpuledger`;
}

/** The words of a command as they are typed. In the project's folder it runs through npm. */
export function inTerminal(words: readonly string[], isPackaged: boolean): string {
  return [...(isPackaged ? ["gpu-ledger", "--headless"] : ["npm", "run", "-s", "cli", "--"]), ...words].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
