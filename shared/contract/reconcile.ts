/** The ledger held against an invoice: the difference taken apart until nothing of it is unexplained. */
import { z } from "zod";
import { decimalText, monthLabel, sentence, who } from "./teams.ts";

/** What an invoice has lines for. Every charge is in exactly one. */
export const invoiceClasses = ["usage", "discounts", "commitment-fees", "other-fees", "marketplace", "tax", "credits", "refunds", "adjustments"] as const;
export type InvoiceClass = (typeof invoiceClasses)[number];

/** Why an amount is on one side only. */
export const invoiceReasons = ["other-invoice", "not-in-export", "other"] as const;
export type InvoiceReason = (typeof invoiceReasons)[number];

/** A charge class, or `invoice:NUMBER` for all charges of another invoice. */
const item = z.string().min(1).max(300).refine((text) => (invoiceClasses as readonly string[]).includes(text) || /^invoice:./.test(text));

export const invoiceItemInput = z.strictObject({
  month: monthLabel,
  provider: z.string().max(200),
  currency: z.string().min(1).max(40),
  item,
  because: z.enum(invoiceReasons),
  /** Invoice less ledger; null takes the explanation back. */
  amount: decimalText.nullable(),
  note: sentence.nullable(),
  by: who,
});

export interface InvoiceItem {
  readonly item: string;
  readonly because: InvoiceReason;
  readonly amount: string;
  readonly note: string | null;
  readonly enteredBy: string;
}

/** One provider and currency of a billing month. Exact decimals; what is `invoice less ledger` is above 0 where the invoice says more. */
export interface Reconciliation {
  readonly month: string;
  readonly provider: string;
  readonly currency: string;
  /** null: not entered. */
  readonly invoice: string | null;
  readonly enteredBy: string | null;
  /** Billed cost; null where the bills do not state it. */
  readonly ledger: string | null;
  /** They add up to `ledger`. */
  readonly classes: readonly { readonly id: InvoiceClass; readonly amount: string; readonly rows: number }[];
  /** By the invoice number that the rows state; empty where they state none, or one. They add up to `ledger`. */
  readonly numbers: readonly { readonly number: string | null; readonly amount: string }[];
  /** Invoice less ledger. */
  readonly difference: string | null;
  /** Rows of the bills behind it that the ledger did not take, and what they would add; null where an amount could not be read. */
  readonly setAside: { readonly rows: number; readonly amount: string | null };
  readonly items: readonly InvoiceItem[];
  /** What is finer than the currency's smallest coin, which no invoice states. */
  readonly rounding: string | null;
  /** Difference less set aside, items and rounding. */
  readonly unexplained: string | null;
  readonly isReconciled: boolean;
  /** Ways to explain what is left to the cent, the shortest first. */
  readonly suggestions: readonly (readonly Pick<InvoiceItem, "item" | "because" | "amount">[])[];
  /** What Cost Explorer says, where it was asked: unblended cost. */
  readonly explorer: string | null;
}

export interface InvoiceImport {
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly invoices: readonly { readonly month: string; readonly provider: string; readonly currency: string; readonly amount: string; readonly before: string | null }[];
  readonly revision: number;
}
