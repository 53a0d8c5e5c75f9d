/** What crosses for the price book, own benchmarks and offers. Prices are plain decimal text of one currency, an hour of the whole machine. */
import { z } from "zod";
import { dayLabel, rowId } from "./teams.ts";

// Price book

/** How a machine may be bought. A commitment is the provider's own one or three year term, a subscription is prepaid by calendar (包年包月). */
export const priceModes = ["on-demand", "spot", "commit-1y", "commit-3y", "savings-1y", "savings-3y", "subscription-1m", "subscription-1y"] as const;
export type PriceMode = (typeof priceModes)[number];
/** Hours of a term: those of the big vendors' commitments (maths.md 0.1); a subscription's month is 730, its real hours depend on its dates. */
export const termHours: Readonly<Record<PriceMode, number | null>> = { "on-demand": null, spot: null, "commit-1y": 8760, "commit-3y": 26280, "savings-1y": 8760, "savings-3y": 26280, "subscription-1m": 730, "subscription-1y": 8760 };
/** Months of a term; null where nothing is committed. */
export const termMonths: Readonly<Record<PriceMode, number | null>> = { "on-demand": null, spot: null, "commit-1y": 12, "commit-3y": 36, "savings-1y": 12, "savings-3y": 36, "subscription-1m": 1, "subscription-1y": 12 };
export const payments = ["none", "partial", "all"] as const;
export type Payment = (typeof payments)[number];
/** Who states a price, from the weakest: the list that comes with the app, an imported sheet, the person. */
export const priceOrigins = ["list", "sheet", "own"] as const;
export type PriceOrigin = (typeof priceOrigins)[number];
/** `machine`: host and accelerators together. `accelerator`: one card or chip, the host is billed apart. */
export const priceScopes = ["machine", "accelerator"] as const;
export type PriceScope = (typeof priceScopes)[number];
/** Stands for every region of a provider. */
export const EVERY_REGION = "*";

/** One price as somebody states it. */
export interface StatedPrice {
  readonly provider: string;
  readonly instanceType: string;
  /** `*` for every region. */
  readonly region: string;
  readonly mode: PriceMode;
  /** Of a commitment; null where nothing is committed, or the source does not say. */
  readonly payment: Payment | null;
  readonly isConvertible: boolean;
  readonly currency: string;
  readonly pricePerHour: string;
  /** Paid at the start for the whole term, `0` without. */
  readonly upfront: string;
  readonly acceleratorId: string | null;
  /** Null: not known. */
  readonly acceleratorCount: number | null;
  readonly scope: PriceScope;
  readonly priceDate: string;
  readonly origin: PriceOrigin;
  /** A repository, a file's name, the person's note. */
  readonly source: string;
  /** Of the sheet or the own price; null for the app's lists. */
  readonly id: number | null;
  /** An old list, kept for history: it holds only where there is no other. */
  readonly isSuperseded: boolean;
}

/** The price that holds, and those that it beat. */
export interface BookPrice extends StatedPrice {
  /** What a machine costs an hour over the term, after a discount: rounded to 20 digits where it does not end. */
  readonly effectivePerHour: string;
  /** Before the discount; the same without one. */
  readonly statedPerHour: string;
  readonly discount: { readonly id: number; readonly name: string; readonly percent: string; readonly untilDay: string | null } | null;
  /** Days between the price's date and the day it is asked for. */
  readonly ageDays: number;
  readonly beaten: readonly Pick<StatedPrice, "origin" | "source" | "priceDate" | "pricePerHour" | "upfront" | "currency">[];
}

const provider = z.string().trim().min(1).max(80);
const instanceType = z.string().trim().min(1).max(200);
const region = z.string().trim().min(1).max(120);
const price = z.string().regex(/^\d{1,12}(\.\d{1,18})?$/);
const currencyCode = z.string().regex(/^[A-Z]{3}$/);

export const ownPriceSchema = z.strictObject({
  id: rowId.nullable(),
  provider,
  instanceType,
  region,
  mode: z.enum(priceModes),
  payment: z.enum(payments).nullable(),
  currency: currencyCode,
  pricePerHour: price,
  upfront: price,
  acceleratorId: z.string().max(80).nullable(),
  acceleratorCount: z.number().positive().max(100_000).nullable(),
  priceDate: dayLabel,
  note: z.string().trim().min(1).max(500).nullable(),
});
export type OwnPriceInput = z.infer<typeof ownPriceSchema>;

export const discountSchema = z
  .strictObject({
    id: rowId.nullable(),
    name: z.string().trim().min(1).max(200),
    provider,
    /** Machine types that begin so; null: all. */
    instanceType: instanceType.nullable(),
    region: region.nullable(),
    mode: z.enum(priceModes).nullable(),
    /** Off the price, 0 to 100. */
    percent: z.string().regex(/^(100(\.0{1,6})?|\d{1,2}(\.\d{1,6})?)$/),
    fromDay: dayLabel,
    untilDay: dayLabel.nullable(),
    note: z.string().trim().min(1).max(500).nullable(),
  })
  .refine(({ fromDay, untilDay }) => untilDay === null || fromDay <= untilDay, { path: ["untilDay"] });
export type DiscountInput = z.infer<typeof discountSchema>;
export interface Discount extends DiscountInput {
  readonly id: number;
}

export const priceSheetFormats = ["aws-offer", "azure-retail", "gcp-pricing", "own"] as const;
export type PriceSheetFormat = (typeof priceSheetFormats)[number];

export interface PriceSheetLine {
  readonly id: number;
  readonly format: PriceSheetFormat;
  readonly file: string;
  readonly priceDate: string;
  readonly importedAt: string;
  readonly importedBy: string;
  readonly prices: number;
  readonly rowsRead: number;
  readonly rowsSkipped: number;
}

export interface PriceList {
  /** The day for which prices hold: today, or the one asked for. */
  readonly on: string;
  readonly total: number;
  readonly prices: readonly BookPrice[];
  readonly providers: readonly string[];
  readonly regions: readonly string[];
  /** The app's own lists by provider: how many prices, and how old. */
  readonly lists: readonly { readonly provider: string; readonly prices: number; readonly oldest: string; readonly newest: string; readonly source: string }[];
  readonly sheets: readonly PriceSheetLine[];
  readonly discounts: readonly Discount[];
  readonly own: readonly (OwnPriceInput & { readonly id: number })[];
}

export interface PriceSheetImport {
  readonly format: PriceSheetFormat;
  readonly file: string;
  readonly priceDate: string;
  readonly rowsRead: number;
  readonly rowsSkipped: number;
  readonly prices: number;
  readonly currencies: readonly string[];
  readonly providers: readonly string[];
  /** Against what held before. */
  readonly added: number;
  readonly dearer: number;
  readonly cheaper: number;
  readonly same: number;
  readonly sample: readonly { readonly provider: string; readonly instanceType: string; readonly region: string; readonly mode: PriceMode; readonly currency: string; readonly before: string | null; readonly now: string }[];
  /** null: only looked at. */
  readonly sheet: number | null;
  readonly revision: number;
}

export const priceFilterSchema = z.strictObject({
  text: z.string().max(200),
  provider: z.string().max(80).nullable(),
  mode: z.enum(priceModes).nullable(),
  /** Only prices that come from here. */
  origin: z.enum(priceOrigins).nullable(),
  on: dayLabel.nullable(),
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(100_000),
});
export type PriceFilter = z.infer<typeof priceFilterSchema>;

