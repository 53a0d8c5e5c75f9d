/** Cost Explorer: what may be asked of AWS, what it costs to ask, and what came back. */
import { z } from "zod";
import { formatFixed, multiply } from "../domain/money.ts";
import { decimal, whole } from "../domain/rational.ts";
import type { LedgerError } from "./errors.ts";

/** The calls that a pull makes, by the names that a policy gives them (`ce:GetCostAndUsage`). */
export const connectCalls = [
  "GetCostAndUsage",
  "GetReservationUtilization",
  "GetReservationCoverage",
  "GetSavingsPlansUtilization",
  "GetSavingsPlansCoverage",
  "GetReservationPurchaseRecommendation",
  "GetSavingsPlansPurchaseRecommendation",
  "GetCostForecast",
] as const;
export type ConnectCall = (typeof connectCalls)[number];

/** What a person chooses from. */
export const pullParts = ["costs", "commitments", "recommendations", "forecast"] as const;
export type PullPart = (typeof pullParts)[number];

/** US dollars a request, pages counted one by one (aws.amazon.com/aws-cost-management/aws-cost-explorer/pricing, 2026-11). */
export const PRICE_PER_REQUEST = "0.01";

/** US dollars for a number of requests. */
export function priceText(requests: number): string {
  return formatFixed(multiply(whole(requests), decimal(PRICE_PER_REQUEST), 9) / 10_000_000n, 2);
}

const profile = z.string().trim().min(1).max(200).nullable();
const pullPeriod = z.string().regex(/^\d{4}(-(0[1-9]|1[0-2])|-Q[1-4])?$/);

export const pullWish = z.strictObject({
  period: pullPeriod,
  /** Of ~/.aws/config; null: the environment's, or the default one. */
  profile,
  parts: z.array(z.enum(pullParts)).min(1).max(pullParts.length),
  /** Asks again what is kept and may have changed. */
  isRefresh: z.boolean(),
});
export type PullWish = z.infer<typeof pullWish>;

/** The most requests that the person agreed to pay for: a pull stops there, and never sends one more. */
export const pullOrder = pullWish.extend({ mostRequests: z.number().int().min(1).max(10_000) });
export type PullOrder = z.infer<typeof pullOrder>;

export interface PlannedRequest {
  readonly slot: string;
  readonly part: PullPart;
  readonly call: ConnectCall;
  readonly month: string | null;
  /** As it is sent. */
  readonly question: Readonly<Record<string, unknown>>;
  /** `kept`: in the ledger, not asked again. `begun`: some pages are there, the rest is asked. `old`: kept, may have changed, asked again. */
  readonly state: "new" | "kept" | "begun" | "old";
  /** Where to go on, of one that is begun. */
  readonly nextToken: string | null;
  readonly pagesKept: number;
}

export interface PullPlan {
  readonly period: string;
  readonly profile: string | null;
  readonly months: readonly string[];
  /** Of the period, but beyond what Cost Explorer holds, or still to come. */
  readonly monthsLeftOut: readonly string[];
  readonly requests: readonly PlannedRequest[];
  /** How many are sent at least: a long answer has pages, and each is a request. */
  readonly requestsToSend: number;
  /** US dollars for these. */
  readonly price: string;
  /** What to agree to, unless the person says otherwise: three pages a question. */
  readonly mostRequests: number;
  readonly pricePerRequest: string;
  /** Sent this UTC month, before. */
  readonly requestsSent: number;
}

export interface PullOutcome {
  readonly requestsSent: number;
  readonly price: string;
  /** Questions whose whole answer is in the ledger now, and all that there were. */
  readonly answered: number;
  readonly asked: number;
  /** `limit`: the answers have more pages than were agreed to; go on to ask for the rest. */
  readonly state: "done" | "limit" | "cancelled" | "stopped";
  /** What ended it, of one that was stopped or came to its limit. */
  readonly error: LedgerError | null;
  /** Calls that this login may not make; the others were made. */
  readonly refused: readonly LedgerError[];
}

/** One page as it came, kept before the next is asked; or, without an answer, one that was sent in vain and is paid all the same. */
export const keptPage = z.strictObject({
  slot: z.string().min(1).max(400),
  call: z.enum(connectCalls),
  profile,
  month: z.string().max(7).nullable(),
  question: z.string().max(20_000),
  /** 0 begins anew. */
  page: z.number().int().min(0).max(10_000),
  answer: z.string().max(64_000_000).nullable(),
  nextToken: z.string().max(20_000).nullable(),
});
export type KeptPage = z.infer<typeof keptPage>;

/** What one month cost as Cost Explorer says, beside what the bills in the ledger say. Exact decimals. */
export interface ExplorerMonth {
  readonly month: string;
  readonly profile: string | null;
  readonly currency: string;
  readonly askedAt: string;
  /** The month is not final at AWS. */
  readonly isEstimated: boolean;
  readonly unblended: string | null;
  readonly netUnblended: string | null;
  readonly amortized: string | null;
  readonly netAmortized: string | null;
  /** The bills of AWS in this ledger; null without one, or where it does not state that cost. */
  readonly billed: string | null;
  readonly effective: string | null;
  /** By AWS's record type, largest first; they add up to the month. */
  readonly recordTypes: readonly { readonly recordType: string; readonly unblended: string; readonly amortized: string }[];
  /** Machines with GPUs by type and way of buying, largest first. */
  readonly machines: readonly { readonly instanceType: string; readonly purchaseType: string; readonly amortized: string; readonly hours: string; readonly gpuModel: string | null }[];
}

/** Percentages as AWS states them, of a month. */
export interface ExplorerCommitments {
  readonly month: string;
  readonly profile: string | null;
  readonly kind: "reservation" | "savings-plan";
  readonly utilizationPercent: string | null;
  readonly coveragePercent: string | null;
  /** What was paid and not used, and what was saved against on demand: exact decimals. */
  readonly unused: string | null;
  readonly netSavings: string | null;
}

/** What AWS recommends to buy, as it states it. */
export interface ExplorerRecommendation {
  readonly kind: "reservation" | "savings-plan";
  readonly profile: string | null;
  readonly askedAt: string;
  /** When AWS worked it out. */
  readonly generatedAt: string | null;
  /** `COMPUTE_SP`, or the service of a reservation. */
  readonly product: string;
  readonly termYears: 1 | 3;
  readonly payment: string;
  readonly lookbackDays: number;
  readonly currency: string;
  readonly region: string | null;
  readonly instanceType: string | null;
  readonly instanceFamily: string | null;
  /** Of a reservation: instances to buy. Of a savings plan: null. */
  readonly instances: string | null;
  /** Of a savings plan: commitment an hour. */
  readonly hourlyCommitment: string | null;
  readonly upfront: string | null;
  /** A month, as AWS estimates it. */
  readonly monthlySavings: string | null;
  readonly savingsPercent: string | null;
  readonly breakEvenMonths: string | null;
  readonly averageUtilizationPercent: string | null;
}

export interface ExplorerForecast {
  readonly month: string;
  readonly profile: string | null;
  readonly currency: string;
  readonly mean: string;
  readonly low: string | null;
  readonly high: string | null;
  readonly askedAt: string;
}

export interface ExplorerAnswers {
  readonly months: readonly ExplorerMonth[];
  readonly commitments: readonly ExplorerCommitments[];
  readonly recommendations: readonly ExplorerRecommendation[];
  readonly forecast: readonly ExplorerForecast[];
  /** All that this ledger ever sent, and its price in US dollars. */
  readonly requestsSent: number;
  readonly price: string;
}
