import { defaultNeed, type Need, needKeys } from "../../shared/contract/offers.ts";
import { inTerminal, ledgerFile } from "../reports/command.ts";

/** The terminal command that ranks the same offers. */
export function offersCommand(need: Need, { ledgerName, language, isPackaged }: { readonly ledgerName: string | null; readonly language: string; readonly isPackaged: boolean }): string {
  const parts = Object.entries(needKeys).flatMap(([key, name]) => {
    const value = need[name];
    if (JSON.stringify(value) === JSON.stringify(defaultNeed[name])) return [];
    return [`${key}=${Array.isArray(value) ? value.join("+") : value === null ? "" : value === true ? "yes" : value === false ? "no" : String(value)}`];
  });
  return inTerminal(["offers", ...(parts.length === 0 ? [] : ["--need", parts.join(",")]), ...(ledgerName === null ? [] : ["--ledger", ledgerFile(ledgerName)]), "--lang", language], isPackaged);
}
