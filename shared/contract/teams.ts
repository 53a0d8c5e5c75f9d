/** What crosses for allocation, budgets, forecasts, anomalies, actions and the monthly close. Amounts are plain decimal text of one currency. */
import { z } from "zod";
import { ruleColumns, splitMethods } from "../domain/allocation.ts";
import type { AllocationRule, RuleCondition, SharedPoolRule } from "../domain/allocation.ts";

const name = z.string().trim().min(1).max(200);
const value = z.string().min(1).max(2048);
export const monthLabel = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);
export const dayLabel = z.iso.date();
/** Who makes a change, as the person wants to be named; null: the name this computer knows them by. */
export const who = z.string().trim().min(1).max(120).nullable();
export const decimalText = z.string().regex(/^-?\d{1,12}(\.\d{1,18})?$/);

const test = z.union([
  z.strictObject({ op: z.literal("exists") }),
  z.strictObject({ op: z.enum(["equals", "equals-ignoring-case", "prefix", "pattern"]), value }),
  z.strictObject({ op: z.literal("in"), values: z.array(value).min(1).max(1000) }),
]);
const conditionFields = {
  tag: { source: z.literal("tag"), key: z.string().trim().min(1).max(300) },
  column: { source: z.literal("column"), key: z.enum(ruleColumns) },
};
export const ruleConditionSchema: z.ZodType<RuleCondition> = z.union(
  [conditionFields.tag, conditionFields.column].flatMap((fields) => test.options.map((option) => z.strictObject({ ...fields, ...option.shape }))),
) as unknown as z.ZodType<RuleCondition>;

export const allocationRuleSchema: z.ZodType<AllocationRule> = z
  .strictObject({
    name,
    team: name,
    conditions: z.array(ruleConditionSchema).min(1).max(20),
    fromMonth: monthLabel.nullable(),
    toMonth: monthLabel.nullable(),
  })
  .refine(({ fromMonth, toMonth }) => fromMonth === null || toMonth === null || fromMonth <= toMonth, { path: ["toMonth"] });
export const allocationRules = z.array(allocationRuleSchema).max(2000);

export const sharedPoolSchema: z.ZodType<SharedPoolRule> = z.strictObject({
  name,
  source: z.union([
    z.strictObject({ kind: z.literal("team"), team: name }),
    z.strictObject({ kind: z.literal("class"), chargeClass: z.enum(["unused-commitment", "other", "purchase", "tax", "credit"]) }),
    z.strictObject({ kind: z.literal("service"), service: name }),
    z.strictObject({ kind: z.literal("rest") }),
  ]),
  method: z.enum(splitMethods),
  shares: z.array(z.strictObject({ team: name, percent: z.string().regex(/^\d{1,3}(\.\d{1,12})?$/) })).max(500),
});

export const ledgerAccountsSchema = z.strictObject({
  clearing: z.string().trim().min(1).max(60).nullable(),
  teams: z.record(z.string().max(200), z.string().trim().min(1).max(60)),
});

export interface StoredAllocationRule extends AllocationRule {
  readonly id: number;
}

export interface AllocationState {
  readonly rules: readonly StoredAllocationRule[];
  readonly pools: readonly SharedPoolRule[];
  readonly accounts: LedgerAccounts;
  /** Every team that a rule, a tag or a budget names. */
  readonly teams: readonly string[];
  /** Tag keys that the ledger knows, without their prefixes. */
  readonly tagKeys: readonly string[];
}

/** Where chargebacks are booked in the ledger of accounts. */
export interface LedgerAccounts {
  /** Credited with what the teams are charged. */
  readonly clearing: string | null;
  readonly teams: Readonly<Record<string, string>>;
}

export interface AllocationPreview {
  readonly period: string;
  readonly currency: string | null;
  /** Effective cost that changes hands, largest first. null is nobody. */
  readonly moves: readonly { readonly from: string | null; readonly to: string | null; readonly series: number; readonly amount: string }[];
  readonly moved: string;
  /** What each rule of the draft takes, in their order. */
  readonly byRule: readonly { readonly series: number; readonly amount: string }[];
  readonly byTeam: readonly { readonly team: string | null; readonly before: string; readonly after: string }[];
  /** Of the cost of the period, what has a team; null without cost. */
  readonly allocatedShareBefore: number | null;
  readonly allocatedShareAfter: number | null;
  readonly total: string;
}

export interface AllocationInbox {
  readonly period: string;
  readonly currency: string | null;
  readonly total: string;
  readonly unallocated: string;
  readonly allocatedShare: number | null;
  /** Spend of nobody by size. */
  readonly lines: readonly InboxLine[];
  /** Lines left out for being smaller, and what they add up to. */
  readonly more: { readonly lines: number; readonly amount: string };
}
export interface InboxLine {
  readonly chargeClass: string;
  readonly provider: string | null;
  readonly account: string | null;
  readonly accountName: string | null;
  readonly service: string | null;
  readonly resource: string | null;
  readonly resourceName: string | null;
  readonly tags: readonly string[];
  readonly series: number;
  readonly amount: string;
  /** A rule that would give it to a team, and how sure that is; or that it is shared by nature (tax, support, credits); or nothing. */
  readonly suggestion:
    | { readonly kind: "rule"; readonly rule: AllocationRule; readonly because: "tag" | "name" | "account" | "service-of-account"; readonly share: number; readonly takes: string }
    | { readonly kind: "share"; readonly pool: SharedPoolRule }
    | null;
}

export const changeAreas = ["allocation", "shared-costs", "accounts", "budget", "alert", "forecast", "anomaly", "action", "month"] as const;
export type ChangeArea = (typeof changeAreas)[number];
export interface ChangePage {
  readonly total: number;
  readonly changes: readonly {
    readonly id: number;
    readonly at: string;
    readonly who: string;
    readonly area: ChangeArea;
    readonly what: string;
    readonly subject: string;
    /** JSON text; null where there was, or is, nothing. */
    readonly before: string | null;
    readonly after: string | null;
  }[];
}
