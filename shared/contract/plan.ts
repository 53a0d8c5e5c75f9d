/** What crosses for commitments: what to reserve, at which price, until when; scenarios are kept as their inputs and worked out when opened. */
import { z } from "zod";
import type { Figure } from "../domain/figure.ts";
import type { PeriodLabel } from "../domain/period.ts";
import type { Scope } from "../domain/scope.ts";
import type { LedgerError } from "./errors.ts";
import type { Message } from "./report.ts";
import { dayLabel, decimalText, sentence } from "./teams.ts";

export const lookbackWeeks = [1, 4, 8, 13] as const;
export type LookbackWeeks = (typeof lookbackWeeks)[number];

/** How a quote is bought. `renewal`: what a commitment that ends would cost from then on. */
export const quoteKinds = ["commitment", "savings-plan", "subscription", "capacity-block", "renewal", "spot"] as const;
export type QuoteKind = (typeof quoteKinds)[number];
export const paymentKinds = ["no-upfront", "partial-upfront", "all-upfront"] as const;
export type PaymentKind = (typeof paymentKinds)[number];

/** A price the person was quoted, for one GPU; the engine refuses amounts below 0 in words. */
export const quoteSchema = z.strictObject({
  kind: z.enum(quoteKinds),
  termMonths: z.number().int().min(1).max(60),
  payment: z.enum(paymentKinds),
  /** Of the whole term, once. */
  upfront: decimalText.nullable(),
  /** Every hour, used or not; a spot price. */
  hourly: decimalText.nullable(),
  monthly: decimalText.nullable(),
  isConvertible: z.boolean(),
  quotedOn: dayLabel.nullable(),
  note: sentence.nullable(),
});
export type Quote = z.infer<typeof quoteSchema>;

const share = z.number().min(-100).max(100);
export const planInputsSchema = z.strictObject({
  /** Key of a pool of the answer; null: the one with the most at stake. */
  pool: z.string().max(600).nullable(),
  weeks: z.union([z.literal(1), z.literal(4), z.literal(8), z.literal(13)]),
  leavesOutOneOffs: z.boolean(),
  leavesOutIdle: z.boolean(),
  /** Spot is demand that a commitment need not cover. */
  leavesOutSpot: z.boolean(),
  netsExisting: z.boolean(),
  /** Commitments that end are taken to be renewed. */
  renewsExpiring: z.boolean(),
  /** On-demand price of a GPU-hour; null: as billed, else as listed. */
  onDemandHourly: decimalText.nullable(),
  /** GPUs that are bought together; null: those of a machine. */
  lotGpus: decimalText.nullable(),
  maximumGpus: decimalText.nullable(),
  growthPercentAMonth: share,
  declinePercentAYear: z.number().min(0).max(90),
  discountPercentAYear: z.number().min(0).max(100),
  /** Of what is above the level, the share that could run on spot. */
  spotPercent: z.number().min(0).max(100),
  /** Cost of moving to a new purchase instead of renewing, once. */
  migrationCost: decimalText,
  /** Prices older than the window may be recommended. */
  acceptsOldPrices: z.boolean(),
  quotes: z.array(quoteSchema).max(40),
  /** The option and level that the person looks at; null: the recommended ones. */
  option: z.string().max(400).nullable(),
  gpus: decimalText.nullable(),
});
export type PlanInputs = z.infer<typeof planInputsSchema>;

export const defaultPlanInputs: PlanInputs = {
  pool: null,
  weeks: 13,
  leavesOutOneOffs: true,
  leavesOutIdle: false,
  leavesOutSpot: true,
  netsExisting: true,
  renewsExpiring: false,
  onDemandHourly: null,
  lotGpus: null,
  maximumGpus: null,
  growthPercentAMonth: 0,
  declinePercentAYear: 15,
  discountPercentAYear: 8,
  spotPercent: 0,
  migrationCost: "0",
  acceptsOldPrices: false,
  quotes: [],
  option: null,
  gpus: null,
};

/** Terms of a commitment that its bill does not state. */
export const commitmentTermSchema = z.strictObject({
  commitment: z.string().trim().min(1).max(2048),
  startsOn: dayLabel.nullable(),
  /** The first day without it. */
  endsOn: dayLabel.nullable(),
  termMonths: z.number().int().min(1).max(120).nullable(),
  payment: z.enum(paymentKinds).nullable(),
  gpus: decimalText.nullable(),
  isConvertible: z.boolean().nullable(),
  /** What a GPU-hour would cost if it were renewed; null: as today. */
  renewalHourly: decimalText.nullable(),
  note: sentence.nullable(),
});
export type CommitmentTerm = z.infer<typeof commitmentTermSchema>;

/** What a row of the bill says of a commitment's term; each part null where it says nothing. */
export interface StatedTerm extends Pick<CommitmentTerm, "startsOn" | "endsOn" | "termMonths" | "payment" | "isConvertible"> {
  readonly file: string;
  readonly line: number;
}

/** What a contract says of a commitment (FOCUS Contract Commitment); each part null where it says nothing. Never a cost. */
export interface ContractCommitment {
  readonly commitment: string;
  readonly contract: string | null;
  readonly provider: string | null;
  readonly type: string | null;
  readonly category: string | null;
  readonly description: string | null;
  /** What was agreed to be paid, as decimal text in `currency`. */
  readonly cost: string | null;
  readonly currency: string | null;
  /** Decimal text, in `unit`. */
  readonly quantity: string | null;
  readonly unit: string | null;
  /** Instants in UTC, inclusive and exclusive. */
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  readonly status: string | null;
  readonly paymentModel: string | null;
  readonly file: string;
  readonly line: number;
  readonly batch: number;
}

export const scenarioName = z.string().trim().min(1).max(120);
export interface PlanScenario {
  readonly id: number;
  readonly name: string;
  readonly period: PeriodLabel;
  readonly scope: Scope;
  readonly currency: string | null;
  readonly inputs: PlanInputs;
  readonly savedAt: string;
  readonly savedBy: string;
}

/** One kind of GPU time that is bought together: a machine type of a provider in a region, billed in one currency. */
export interface PoolLine {
  readonly key: string;
  readonly provider: string | null;
  readonly region: string | null;
  readonly gpuModel: string | null;
  readonly instanceType: string | null;
  readonly currency: string;
  /** Null where no source says how many GPUs a machine has. */
  readonly gpusAMachine: number | null;
  readonly gpuHours: number;
  readonly onDemandGpuHours: number;
  readonly coveredGpuHours: number;
  readonly spotGpuHours: number;
  readonly onDemandCost: Figure;
  /** Days to the first end of a commitment that is known; null if none is. */
  readonly endsInDays: number | null;
}

/** Hourly usage of the window, in GPUs. */
export interface PlanBaseline {
  readonly firstDay: string;
  /** The first day after the window: the day from which is bought. */
  readonly endDay: string;
  readonly hours: number;
  readonly knownHours: number;
  /** Millionths of a GPU, hour by hour; null: no bill says. */
  readonly units: readonly (number | null)[];
  readonly mean: Figure;
  readonly p10: Figure;
  readonly median: Figure;
  readonly p90: Figure;
  readonly most: Figure;
  /** Share of the GPU-hours whose bill states only the day or longer. */
  readonly spreadShare: number;
  /** GPU-hours that were left out, by why. */
  readonly leftOut: readonly { readonly why: "spot" | "one-off" | "idle"; readonly gpuHours: number }[];
  /** GPUs of commitments that are in force at the end of the window. */
  readonly capacity: Figure;
  readonly warnings: readonly Message[];
}

/** Where a price comes from. */
export interface PriceSource {
  readonly kind: "bill" | "list" | "quote" | "current";
  /** The day of the list or the quote; null: the window's bill. */
  readonly date: string | null;
  readonly ageDays: number | null;
  /** Older than the first day of the window. */
  readonly isOld: boolean;
  readonly source: string | null;
}

/** What an option's figures are worked out from, for whoever wants to recompute them. */
export type PlanInput = "onDemand" | "upfront" | "hourly" | "monthly" | "term" | "termHours" | "hours" | "used" | "committed" | "level" | "utilization" | "price" | "discountRate" | "decline" | "growth" | "rank";

export type OptionFigure =
  | "price" | "discount" | "level" | "lowest" | "highest" | "utilization" | "coverage" | "breakEven" | "payback" | "exit" | "cashPositive" | "presentValue" | "returnRate"
  | "saving" | "upfront" | "waste" | "breakEvenDrop";

/** Formula of each figure, and the inputs that stand in it. The words are `commit.formula.<figure>` and `commit.input.<input>`. */
export const workedFrom: Readonly<Record<OptionFigure, readonly PlanInput[]>> = {
  price: ["upfront", "hourly", "monthly", "term", "termHours"],
  discount: ["price", "onDemand"],
  level: ["rank", "hours", "price", "onDemand"],
  lowest: ["rank", "hours", "price", "onDemand"],
  highest: ["rank", "hours", "price", "onDemand"],
  utilization: ["used", "committed"],
  coverage: ["used", "hours", "level"],
  breakEven: ["price", "onDemand"],
  payback: ["upfront", "onDemand", "utilization", "hourly", "monthly"],
  exit: ["term", "price", "onDemand", "utilization"],
  cashPositive: ["upfront", "onDemand", "utilization", "hourly", "growth", "decline"],
  presentValue: ["level", "onDemand", "utilization", "upfront", "hourly", "discountRate", "growth", "decline"],
  returnRate: ["upfront", "onDemand", "utilization", "hourly", "growth", "decline"],
  saving: ["onDemand", "used", "price", "committed", "hours"],
  upfront: ["level", "upfront"],
  waste: ["price", "committed", "used", "hours"],
  breakEvenDrop: ["onDemand", "price", "level", "hours"],
};

/** What may turn out otherwise. */
export type PlanRisk = "as-is" | "usage-20" | "usage-50" | "price-decline" | "retired" | "usage-20-and-decline";

export interface PlanOption {
  readonly id: string;
  readonly name: Message;
  readonly kind: QuoteKind;
  readonly termMonths: number;
  readonly payment: PaymentKind | null;
  readonly isConvertible: boolean | null;
  readonly source: PriceSource;
  readonly figures: Readonly<Record<OptionFigure, Figure>>;
  readonly inputs: Readonly<Record<PlanInput, Figure>>;
  /** Exact prices of a GPU as decimal text, for the window's own reckoning. */
  readonly exact: { readonly committedHourly: string; readonly onDemandHourly: string; readonly gpus: string };
  /** Money an hour of a savings plan. */
  readonly moneyHourly: Figure | null;
  readonly decision: "commit" | "indifferent" | "on_demand";
  /** Why it is not recommended, or what to watch. */
  readonly notes: readonly Message[];
  readonly risks: readonly { readonly risk: PlanRisk; readonly saving: Figure }[];
  readonly sensitivity: readonly { readonly usagePercent: number; readonly declinePercent: number; readonly ratePercent: number; readonly value: Figure }[];
  /** GPUs of other commitments at the end of its term: the level stands on them. */
  readonly standsOn: number;
  readonly curve: UsageCurve;
}

/** Usage beside other commitments over a term, sorted: enough to price any level. Levels in millionths of a GPU, highest first. */
export interface UsageCurve {
  readonly levels: readonly number[];
  /** Hours with exactly that usage. */
  readonly hours: readonly number[];
}

export interface PlanLayers {
  readonly long: { readonly option: string; readonly gpus: Figure };
  readonly short: { readonly option: string; readonly gpus: readonly Figure[] } | null;
  readonly yearMultipliers: readonly number[];
  readonly yearPrices: readonly number[];
  readonly savingAMonth: Figure;
}

export interface PlanLevels {
  readonly windows: readonly { readonly days: number; readonly stable: Figure; readonly optimal: Figure }[];
  readonly stable: Figure;
  readonly optimal: Figure;
  readonly cautious: Figure;
  readonly spread: Figure;
}

export interface SpotBlend {
  readonly price: Figure;
  readonly source: PriceSource;
  readonly percent: number;
  /** Saves a month on top of the recommended level, before interruptions. */
  readonly saving: Figure;
}

/** A commitment that the bills of the period name. */
export interface CommitmentLine {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
  readonly provider: string | null;
  readonly gpuModel: string | null;
  readonly pool: string | null;
  readonly currency: string;
  /** What it covers. */
  readonly gpus: Figure;
  readonly price: Figure;
  readonly utilization: Figure;
  readonly cost: Figure;
  /** History: it enters no decision. */
  readonly unused: Figure;
  readonly savingsRate: Figure;
  readonly term: CommitmentTerm | null;
  /** Where its end is stated, if not by the person. */
  readonly termSource: { readonly file: string; readonly line: number } | null;
  readonly daysLeft: number | null;
  /** 90, 60, 30 or 7 days before its end. */
  readonly window: number | null;
  readonly checks: readonly { readonly daysBefore: number; readonly day: string; readonly isPast: boolean }[];
  /** Still due until its end, and what keeping it is worth; null where the end is not known. */
  readonly obligation: Figure;
  readonly keeping: Figure;
  readonly decision: "keep" | "leave" | null;
  readonly renewal: { readonly renewal: Figure; readonly purchase: Figure; readonly onDemand: Figure; readonly premium: Figure; readonly best: string } | null;
}

export interface PlanAnswer {
  readonly period: PeriodLabel;
  readonly scope: Scope;
  readonly inputs: PlanInputs;
  readonly pools: readonly PoolLine[];
  readonly pool: PoolLine;
  readonly currency: string;
  /** What else the scope's GPU time is billed in; never added. */
  readonly otherCurrencies: readonly string[];
  readonly baseline: PlanBaseline;
  readonly onDemand: { readonly price: Figure; readonly source: PriceSource };
  readonly lotGpus: number | null;
  readonly options: readonly PlanOption[];
  readonly recommended: string | null;
  /** The best of another term, to compare with. */
  readonly runnerUp: string | null;
  /** The option the person looks at: the one asked for, else the recommended, else the first. */
  readonly shown: string | null;
  /** What this provider sells and no price is known for. */
  readonly unpriced: readonly Message[];
  readonly layers: PlanLayers | null;
  readonly levels: PlanLevels | null;
  readonly spot: SpotBlend | null;
  readonly convertible: { readonly premium: Figure; readonly probability: Figure; readonly standard: string; readonly convertible: string } | null;
  /** What the vendor itself recommends, where that was pulled; beside the options, never added to them. */
  readonly advice: readonly Message[];
  readonly commitments: readonly CommitmentLine[];
  readonly portfolio: { readonly utilization: Figure; readonly coverage: Figure; readonly unused: Figure; readonly savingsRate: Figure };
  /** The day from which an option holds: when the first of what ends soon ends, else the day after the window. */
  readonly startsOn: string;
  readonly answer: Message;
  readonly context: readonly Message[];
  readonly assumptions: readonly Message[];
}

/** What a scenario comes to when it is opened: of the option it looks at. */
export interface ScenarioOutcome {
  readonly scenario: PlanScenario;
  /** Why it cannot be worked out any more. */
  readonly error: LedgerError | null;
  readonly outcome: {
    readonly pool: PoolLine;
    readonly firstDay: string;
    readonly endDay: string;
    readonly option: Message | null;
    readonly figures: PlanOption["figures"] | null;
    readonly isRecommended: boolean;
  } | null;
}
