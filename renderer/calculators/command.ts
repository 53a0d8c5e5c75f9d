import type { MethodInput } from "../../shared/contract/methods.ts";
import type { Language } from "../../shared/i18n/index.ts";
import { currencyOptions, inTerminal, ledgerFile } from "../reports/command.ts";

/** The terminal command that works out the same. */
export function calculationCommand({ calculator, inputs, currency, month }: MethodInput<"calculator.run">, { ledgerName, logName, language, isPackaged }: { readonly ledgerName: string | null; readonly logName: string | null; readonly language: Language; readonly isPackaged: boolean }): string {
  const asksLedger = inputs["gpu-model"] !== undefined && ledgerName !== null;
  return inTerminal(
    [
      "calc",
      calculator,
      ...Object.entries(inputs).flatMap(([field, value]) => (value.trim() === "" ? [] : [`--${field}`, value])),
      ...(logName === null ? [] : ["--log", logName]),
      ...currencyOptions(currency),
      ...(asksLedger ? ["--ledger", ledgerFile(ledgerName), ...(month === null ? [] : ["--period", month])] : []),
      "--lang",
      language,
    ],
    isPackaged,
  );
}
