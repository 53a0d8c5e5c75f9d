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
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);

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
  /** Found by the filter. */
  readonly total: number;
  readonly prices: readonly BookPrice[];
  /** Of the whole book, whatever is filtered. */
  readonly counts: { readonly all: number; readonly own: number; readonly sheet: number; readonly discounted: number };
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


// Own benchmarks

/** Peak rates are kept for these; DENSE, without 2:4 sparsity (maths.md e.1). */
export const precisions = ["fp64", "fp64-tensor", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4"] as const;
export type Precision = (typeof precisions)[number];

const positiveText = z.string().regex(/^(?=.*[1-9])\d{1,18}(\.\d{1,18})?$/);

export const benchmarkSchema = z.strictObject({
  id: rowId.nullable(),
  /** What ran, as offers are asked for: "llama-3-70b inference". */
  workload: z.string().trim().min(1).max(200),
  /** One of what is counted: token, image, sample. */
  unit: z.string().trim().min(1).max(60),
  acceleratorId: z.string().min(1).max(80),
  /** Null: any machine with this accelerator. */
  instanceType: instanceType.nullable(),
  gpus: z.number().positive().max(1_000_000),
  /** Of all GPUs together. */
  unitsPerSecond: positiveText,
  precision: z.enum(precisions).nullable(),
  stack: z.string().trim().min(1).max(300).nullable(),
  measuredOn: dayLabel,
  source: z.string().trim().min(1).max(300),
});
export type BenchmarkInput = z.infer<typeof benchmarkSchema>;
export interface Benchmark extends BenchmarkInput {
  readonly id: number;
}

/** How a workload scales on one accelerator (maths.md e.6), against the smallest number of GPUs that was measured. */
export interface Scaling {
  readonly workload: string;
  readonly acceleratorId: string;
  readonly accelerator: string;
  readonly points: readonly { readonly gpus: number; readonly unitsPerSecond: string; readonly efficiency: number | null; readonly speedup: number | null; readonly costMultiplier: number | null }[];
  /** The most GPUs above the floor of 80 %; null if none is. */
  readonly largestEfficient: number | null;
}

export interface BenchmarkList {
  readonly benchmarks: readonly Benchmark[];
  readonly workloads: readonly { readonly workload: string; readonly unit: string }[];
  readonly scaling: readonly Scaling[];
  readonly accelerators: readonly { readonly id: string; readonly label: string }[];
}
export interface BenchmarkImport {
  readonly file: string;
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly workloads: readonly string[];
  readonly revision: number;
}

// Offers

export const tasks = ["training", "inference", "other"] as const;
export const rankBases = ["measured", "effective", "peak"] as const;
export type RankBasis = (typeof rankBases)[number];
/** From the slowest link between GPUs to the one between machines (RDMA: InfiniBand, RoCE, EFA). */
export const links = ["pcie", "nvlink", "nvswitch", "infiniband"] as const;
export type Link = (typeof links)[number];
/** Stands for the countries of the European Union. */
export const EU = "EU";

export const needSchema = z.strictObject({
  task: z.enum(tasks),
  /** Of the own benchmarks; empty: none. */
  workload: z.string().trim().max(200),
  unit: z.string().trim().min(1).max(60),
  precision: z.enum(precisions),
  /** Active parameters of the model, in 10^9: with them the work of a token is 6 × N in training and 2 × N in inference. */
  billionParameters: positiveText.nullable(),
  /** Work of one unit in TFLOP, where it is no token of such a model. */
  tflopPerUnit: positiveText.nullable(),
  /** Units a year. */
  units: positiveText,
  /** Model FLOPS utilization where no benchmark says another: 0 to 1. */
  mfu: z.string().regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/),
  /** GPUs that work together at least; machines are added until there are as many. Null: one machine of any size. */
  gpus: z.number().int().min(1).max(100_000).nullable(),
  memoryGb: positiveText.nullable(),
  totalMemoryGb: positiveText.nullable(),
  bandwidthTbs: positiveText.nullable(),
  link: z.enum(links).nullable(),
  providers: z.array(z.string().min(1).max(80)).max(50),
  regions: z.array(z.string().min(1).max(120)).max(200),
  /** ISO 3166-1 alpha-2, or EU. */
  countries: z.array(z.string().regex(/^[A-Z]{2}$/)).max(60),
  confidential: z.boolean(),
  maximumGrams: positiveText.nullable(),
  deadlineHours: positiveText.nullable(),
  budget: positiveText.nullable(),
  currency: currencyCode,
  modes: z.array(z.enum(priceModes)).min(1).max(priceModes.length),
  basis: z.enum(rankBases),
  /** Share of the compute that a shared GPU loses to virtualization, 0 to 1. */
  virtualizationLoss: z.string().regex(/^0(\.\d{1,6})?$/),
  /** Offers older than this many days are left out; null: none. */
  maximumAgeDays: z.number().int().min(1).max(10_000).nullable(),
});
export type Need = z.infer<typeof needSchema>;

/** How the fields of a need are called in the terminal, `--need key=value,key=value`. */
export const needKeys = {
  task: "task", workload: "workload", unit: "unit", precision: "precision", parameters: "billionParameters", tflop: "tflopPerUnit", units: "units", mfu: "mfu", gpus: "gpus", memory: "memoryGb", "total-memory": "totalMemoryGb",
  bandwidth: "bandwidthTbs", link: "link", providers: "providers", regions: "regions", countries: "countries", confidential: "confidential", carbon: "maximumGrams", deadline: "deadlineHours", budget: "budget", currency: "currency",
  modes: "modes", basis: "basis", loss: "virtualizationLoss", "max-age": "maximumAgeDays",
} as const satisfies Readonly<Record<string, keyof Need>>;

export const defaultNeed: Need = {
  task: "inference", workload: "", unit: "token", precision: "bf16", billionParameters: "70", tflopPerUnit: null, units: "50000000000", mfu: "0.1",
  gpus: null, memoryGb: null, totalMemoryGb: "160", bandwidthTbs: null, link: null, providers: [], regions: [], countries: [], confidential: false, maximumGrams: null, deadlineHours: null,
  budget: null, currency: "USD", modes: ["on-demand", "commit-1y", "commit-3y", "savings-1y", "savings-3y"], basis: "measured", virtualizationLoss: "0", maximumAgeDays: null,
};

export const rejectionReasons = ["precision", "memory_per_gpu", "total_memory", "bandwidth", "interconnect", "region", "confidential", "carbon", "deadline", "rate", "budget", "currency", "size", "host-apart", "age"] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** Where a rate comes from: measured on this very machine or number of GPUs; measured and scaled; peak × the MFU of the benchmarks, of the need, or 1. */
export const rateBases = ["benchmark", "scaled", "calibrated", "assumed", "peak"] as const;
export type RateBasis = (typeof rateBases)[number];
/** What an accelerator that is no GPU asks for: a compiler of its own, and one vendor to buy it from. */
export const asicKinds = ["neuron", "tpu", "gaudi", "cann", "other"] as const;
export type AsicKind = (typeof asicKinds)[number];

interface OfferName {
  readonly id: string;
  readonly provider: string;
  readonly instanceType: string;
  readonly region: string;
  readonly mode: PriceMode;
  readonly payment: Payment | null;
  /** Label of the part, or its provider's name for it. */
  readonly accelerator: string;
}
export interface OfferLine extends OfferName {
  /** From 1; ranks between are left out where not all are asked for. */
  readonly rank: number;
  readonly country: string | null;
  readonly location: string | null;
  readonly acceleratorId: string;
  readonly asic: AsicKind | null;
  /** Of one machine; a fraction where a card is shared. */
  readonly gpusPerMachine: number;
  /** Machines that work together. */
  readonly machines: number;
  readonly memoryGb: number | null;
  readonly totalMemoryGb: number | null;
  readonly bandwidthTbs: number | null;
  readonly link: Link | null;
  readonly hasRdma: boolean;
  readonly isConfidential: boolean;
  readonly currency: string;
  /** Of all machines together, before what a commitment leaves unused. */
  readonly pricePerHour: string;
  /** The price as it was stated, of all machines, where it was in another currency; `rate` is of the need's currency for one of its own. */
  readonly stated: { readonly currency: string; readonly pricePerHour: string; readonly rate: string; readonly rateDay: string; readonly rateSource: string } | null;
  readonly priceOrigin: PriceOrigin;
  readonly priceSource: string;
  readonly priceDate: string;
  readonly ageDays: number;
  readonly discountPercent: string | null;
  readonly isSuperseded: boolean;
  readonly unitsPerSecond: number;
  readonly rateBasis: RateBasis;
  /** Workload, GPUs and day of the benchmark it rests on. */
  readonly benchmark: { readonly gpus: number; readonly measuredOn: string; readonly source: string } | null;
  /** What `per` units cost; of a commitment the hours that the work leaves unused are in it. */
  readonly costPer: string;
  /** Of the year's work. */
  readonly cost: string;
  readonly hours: number;
  /** Sets of machines at once that the work takes within a year. */
  readonly atOnce: number;
  /** Hours worked ÷ hours paid; 1 where nothing is committed. */
  readonly utilization: number;
  readonly carbonKg: number | null;
  readonly gridGrams: number | null;
  readonly gridYear: number | null;
  readonly pue: number | null;
  readonly isPareto: boolean;
  /** Price ÷ price of the cheapest hour of the ranking: how many times as fast it must be to pay. */
  readonly breakEvenSpeedUp: number;
  /** Rate ÷ its rate. */
  readonly speedUp: number;
  /** TFLOPS, dense, an hour's unit of money, by precision; GB and GB/s the same. */
  readonly tflopsPerMoney: Readonly<Partial<Record<Precision, number>>>;
  readonly gbPerMoney: number | null;
  readonly gbsPerMoney: number | null;
  /** The same machine, bought the same way, in other regions: dearer without emitting less, or not allowed. */
  readonly otherRegions: { readonly dearer: number; readonly rejected: number };
}
export interface RejectedOffer extends OfferName {
  readonly reasons: readonly RejectionReason[];
  readonly pricePerHour: string;
  readonly currency: string;
}

export interface BudgetTier {
  readonly budget: string;
  /** `any`: most work for the money. `free`: without a commitment. `committed`: with one; null where not even one machine fits. */
  readonly picks: readonly {
    readonly kind: "any" | "free" | "committed";
    readonly offer: string | null;
    readonly hours: number;
    readonly gpuHours: number;
    readonly units: number;
    /** Sets of machines that run the whole year. */
    readonly allYear: number;
  }[];
}

export interface OffersAnswer {
  readonly need: Need;
  readonly currency: string;
  /** For how many units a cost is stated: a million tokens, one of anything else. */
  readonly per: number;
  /** TFLOP a unit, exact decimal; null where only benchmarks can rate. */
  readonly tflopPerUnit: string | null;
  readonly mfuUsed: number;
  readonly mfuSource: "calibrated" | "default" | "peak";
  readonly ranked: readonly OfferLine[];
  readonly rankedTotal: number;
  readonly rejected: readonly RejectedOffer[];
  readonly rejectedTotal: number;
  readonly reasons: Readonly<Partial<Record<RejectionReason, number>>>;
  /** Ids of offers that no other beats in cost, hours and carbon. */
  readonly pareto: readonly string[];
  /** The cheapest of each kind of accelerator that is no GPU, beside the cheapest GPU; for inference alone. */
  readonly asics: readonly { readonly kind: AsicKind; readonly offer: string; readonly savesAYear: string | null; readonly savesShare: number | null }[];
  readonly bestGpu: string | null;
  readonly tiers: readonly BudgetTier[];
  readonly oldestPrice: string | null;
  readonly newestPrice: string | null;
}

export const offersInput = z.strictObject({ need: needSchema, tiers: z.array(positiveText).max(12), limit: z.number().int().min(1).max(10_000), rejectedLimit: z.number().int().min(0).max(10_000) });
export const defaultTiers = ["5000", "50000", "200000"] as const;
