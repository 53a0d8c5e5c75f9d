/** Rates between currencies: the person's own, with their dates; and totals in one currency by them. */
import { z } from "zod";
import type { MoneyTotals } from "./methods.ts";
import { dayLabel, sentence, who } from "./teams.ts";

/** ISO 4217, or a virtual currency's name. */
export const currencyCode = z.string().trim().min(1).max(40);
export const rateText = z.string().regex(/^\d{1,12}(\.\d{1,18})?$/).refine((text) => /[1-9]/.test(text));

export const rateInput = z.strictObject({
  /** Units of `quote` for one unit of `base`. */
  base: currencyCode,
  quote: currencyCode,
  day: dayLabel,
  /** null takes it out. */
  rate: rateText.nullable(),
  /** Where it is from, as the person says. */
  source: sentence.nullable(),
  by: who,
});

/** One pair of currencies, with its newest rate. */
export interface RatePair {
  readonly base: string;
  readonly quote: string;
  readonly days: number;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly lastRate: string;
  readonly source: string;
}

export interface RateImport {
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly pairs: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly revision: number;
}

export const convertedDimensions = ["month", "provider", "service", "team", "currency"] as const;
export type ConvertedDimension = (typeof convertedDimensions)[number];

/** A row of converted totals; `currency` is of the bill. Costs are in the currency asked for, and add up to `whole` to the last digit. */
export interface ConvertedRow extends MoneyTotals {
  readonly month?: string;
  readonly provider?: string | null;
  readonly service?: string | null;
  readonly team?: string | null;
  readonly currency?: string;
  /** The billed and effective cost as the bills state them; null where the row holds several currencies. */
  readonly stated: { readonly currency: string; readonly BilledCost: string | null; readonly EffectiveCost: string | null } | null;
}

export interface ConvertedTotals {
  readonly in: string;
  readonly rows: readonly ConvertedRow[];
  readonly whole: MoneyTotals;
  /** Days of a currency that no rate covers: their amounts are in no total here. Effective cost as stated, billed where there is none. */
  readonly missing: readonly { readonly currency: string; readonly days: number; readonly firstDay: string; readonly lastDay: string; readonly amount: string }[];
  /** Share of the days of all currencies that a rate covers; null without a bill. */
  readonly coverage: number | null;
  /** Every rate that was used, by the day that it was published. */
  readonly rates: readonly { readonly base: string; readonly quote: string; readonly day: string; readonly rate: string; readonly source: string; readonly daysUsed: number }[];
}
