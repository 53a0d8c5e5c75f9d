import type { Message, MessageParam } from "../../../shared/contract/report.ts";
import type { Result } from "../../../shared/result.ts";
import type { PricesOfPool } from "../commitments/prices.ts";
import type { ConvertedLedger } from "../rates/ledger.ts";
import type { Reference } from "../reference/catalog.ts";
import type { Db } from "../store/sql.ts";

/** What a report is read from. The clock is passed in for what compares with today; figures depend on the ledger alone. */
export interface ReportContext {
  readonly ledger: { readonly db: Db; readonly name: string; revision(): number };
  readonly reference: Reference;
  readonly now: () => Date;
  /** What can be bought, for reports that plan; without it no price is known. */
  readonly prices?: () => Result<PricesOfPool>;
  /** Where all money is in one currency: the ledger as it is billed, beside this one. */
  readonly convertedFrom?: ConvertedLedger | null;
}

export function message(key: string, params?: Readonly<Record<string, MessageParam>>): Message {
  return params === undefined ? { key } : { key, params };
}
