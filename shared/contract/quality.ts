import type { LedgerError } from "./errors.ts";

/** What a bill says that cannot be quite right, and what it does to figures. A check changes nothing. */
export const qualityChecks = [
  "counted-twice",
  "list-missing",
  "contracted-missing",
  "list-below-contracted",
  "contracted-below-effective",
  "purchase-effective-cost",
  "standard-with-commitment",
  "cost-without-quantity",
  "purchase-usage-based",
  "publisher-missing",
  "effective-whole-numbers",
  "period-not-first",
  "several-currencies",
] as const;
export type QualityCheck = (typeof qualityChecks)[number];

/** Whether rows keep to unit price × quantity = cost, as far as their decimals tell. */
export interface PriceCheck {
  /** Rows of the files behind the period that state all three. */
  readonly rowsChecked: number;
  readonly rowsOff: number;
  /** The first of those that are off, as the file writes them; `product` is exact. */
  readonly rows: readonly { readonly file: string; readonly line: number; readonly column: string; readonly unitPrice: string; readonly quantity: string; readonly cost: string; readonly product: string }[];
  /** Files that could not be read again. */
  readonly missing: readonly LedgerError[];
}

export interface QualityFinding {
  readonly check: QualityCheck;
  readonly provider: string | null;
  /** null where it is no matter of one currency. */
  readonly currency: string | null;
  /** Rows of the bill that it concerns; of what is counted twice the days of accounts. */
  readonly rows: number;
  /** Their effective cost, billed where the bill states no other; exact decimal. */
  readonly amount: string | null;
}
