/** What crosses for allocation, budgets, forecasts, anomalies, actions and the monthly close. Amounts are plain decimal text of one currency. */
import { z } from "zod";
import { ruleColumns, splitMethods } from "../domain/allocation.ts";
import { parseAmount } from "../domain/money.ts";
import type { AllocationRule, RuleCondition, SharedPoolRule, VirtualTagRule } from "../domain/allocation.ts";

const name = z.string().trim().min(1).max(200);
const value = z.string().min(1).max(2048);
/** Months and days that people plan with: from the year 1000 to 9899, so that what is reckoned on from them has a year of four digits too. */
export const monthLabel = z.string().regex(/^(?:[1-8]\d|9[0-8])\d{2}-(?:0[1-9]|1[0-2])$/);
export const dayLabel = z.iso.date().regex(/^(?:[1-8]\d|9[0-8])/);
/** Who makes a change, as the person wants to be named; null: the name this computer knows them by. */
export const who = z.string().trim().min(1).max(120).nullable();
export const rowId = z.number().int().positive();
export const sentence = z.string().trim().min(1).max(2000);
/** As far as the ledger's amounts go: 9.2 billion units either way. */
export const decimalText = z.string().regex(/^-?\d{1,12}(\.\d{1,18})?$/).refine((text) => parseAmount(text) !== null);

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
);

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

export const virtualTagRuleSchema: z.ZodType<VirtualTagRule> = z.strictObject({ tag: name, value: name, conditions: z.array(ruleConditionSchema).min(1).max(20) });
export const virtualTagRules = z.array(virtualTagRuleSchema).max(2000);

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
  readonly virtualTags: readonly VirtualTagRule[];
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
  /** What is shown of it: the cents that the teams' rows leave under the total, as in the showback. */
  readonly unallocatedShown: string;
  /** Spend of nobody that shared pools take to the teams: no part of `unallocated`. */
  readonly shared: string;
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

export const changeAreas = ["allocation", "shared-costs", "accounts", "budget", "alert", "forecast", "anomaly", "action", "month", "plan", "prices", "rates", "selection", "carbon", "emissions"] as const;
export type ChangeArea = (typeof changeAreas)[number];
export type ChangeKind = "added" | "changed" | "removed" | "moved" | "imported" | "answered" | "closed" | "reopened" | "issued";
export interface ChangePage {
  readonly total: number;
  readonly changes: readonly {
    readonly id: number;
    readonly at: string;
    readonly who: string;
    readonly area: ChangeArea;
    readonly what: ChangeKind;
    readonly subject: string;
    /** JSON text; null where there was, or is, nothing. */
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

// Budgets

const scopeList = z.array(z.string().max(2048).nullable()).min(1).max(1000);
export const budgetScopeSchema = z.strictObject({
  provider: scopeList.optional(),
  account: scopeList.optional(),
  team: scopeList.optional(),
  service: scopeList.optional(),
  region: scopeList.optional(),
  gpuModel: scopeList.optional(),
  resource: scopeList.optional(),
});
export const budgetLevels = ["company", "team", "project"] as const;
export type BudgetLevel = (typeof budgetLevels)[number];
export const budgetKinds = ["money", "gpu-hours", "carbon"] as const;
export type BudgetKind = (typeof budgetKinds)[number];
export const budgetSpans = ["month", "quarter", "fiscal-year"] as const;
export type BudgetSpan = (typeof budgetSpans)[number];

/** `actual-50`: what was spent reaches 50 % of the budget; `forecast-100`: what the forecast says reaches all of it. */
export const thresholdSchema = z.strictObject({ type: z.enum(["actual", "forecast"]), percent: z.string().regex(/^\d{1,4}(\.\d{1,6})?$/) });
export interface BudgetThreshold {
  readonly type: "actual" | "forecast";
  readonly percent: string;
}
export const defaultThresholds: readonly BudgetThreshold[] = [
  { type: "actual", percent: "50" },
  { type: "actual", percent: "75" },
  { type: "actual", percent: "90" },
  { type: "actual", percent: "100" },
  { type: "forecast", percent: "100" },
];

export const budgetSchema = z.strictObject({
  id: z.number().int().positive().nullable(),
  parent: z.number().int().positive().nullable(),
  name,
  level: z.enum(budgetLevels),
  kind: z.enum(budgetKinds),
  /** Of money; null for the other kinds. */
  currency: z.string().min(1).max(40).nullable(),
  basis: z.enum(["BilledCost", "EffectiveCost", "ContractedCost", "ListCost"]).nullable(),
  span: z.enum(budgetSpans),
  scope: budgetScopeSchema,
  owner: z.string().trim().min(1).max(120).nullable(),
  thresholds: z.array(thresholdSchema).max(20),
  /** Exact decimals; null takes the month's plan away. Months that are not named keep theirs. */
  months: z.record(monthLabel, decimalText.nullable()),
});
export type BudgetInput = z.infer<typeof budgetSchema>;

export interface BudgetPlan {
  readonly id: number;
  readonly parent: number | null;
  readonly name: string;
  readonly level: BudgetLevel;
  readonly kind: BudgetKind;
  readonly currency: string | null;
  readonly basis: "BilledCost" | "EffectiveCost" | "ContractedCost" | "ListCost" | null;
  readonly span: BudgetSpan;
  readonly scope: z.infer<typeof budgetScopeSchema>;
  readonly owner: string | null;
  readonly thresholds: readonly BudgetThreshold[];
  readonly months: Readonly<Record<string, string>>;
}

/**
 * `over`: more was spent than planned. `forecast-over`: it will be if the forecast holds. `near`: a threshold under 100 % is reached. `no-plan`:
 * a month of the period has none. `unknown`: what was spent is not known.
 */
export type BudgetState = "over" | "forecast-over" | "near" | "within" | "no-plan" | "unknown";

/** One budget at one time. Amounts are exact decimals in its unit: the currency, GPU-hours or kgCO2e. */
export interface BudgetStatus {
  readonly plan: BudgetPlan;
  /** 2026-09, 2026-Q3, 2026; FY2027 where the fiscal year is not the calendar's. */
  readonly period: string;
  readonly months: readonly string[];
  /** The last day that bills of the scope cover; null without one. */
  readonly dataUntil: string | null;
  readonly budget: string | null;
  readonly actual: string | null;
  /** The budget's part of the days so far. */
  readonly prorated: string | null;
  readonly remaining: string | null;
  /** actual ÷ budget. */
  readonly consumed: number | null;
  readonly forecast: string | null;
  readonly halfWidth80: string | null;
  readonly runRate: string | null;
  readonly method: string | null;
  /** The day on which the budget is used up, past or to come; null if it lasts. */
  readonly runsOutOn: string | null;
  readonly state: BudgetState;
  readonly alerts: readonly BudgetAlertLine[];
}

export interface BudgetAlertLine {
  readonly id: number;
  readonly budget: number;
  readonly budgetName: string;
  readonly owner: string | null;
  readonly unit: string;
  readonly period: string;
  readonly threshold: BudgetThreshold;
  readonly raisedAt: string;
  readonly dataUntil: string;
  readonly value: string;
  readonly amount: string;
  readonly rearmedAt: string | null;
  readonly reason: string | null;
  readonly action: string | null;
  readonly answeredBy: string | null;
  readonly answeredAt: string | null;
}

export interface BudgetsCheck {
  readonly isOver: boolean;
  readonly budgets: readonly BudgetStatus[];
  /** Alerts that spoke for the first time. */
  readonly raised: readonly BudgetAlertLine[];
}

export interface BurnDown {
  readonly unit: string;
  readonly period: string;
  readonly budget: string | null;
  /** Cumulated, exact decimals. `low` and `high` are the 80 % band around the forecast. */
  readonly days: readonly { readonly day: string; readonly plan: string | null; readonly actual: string | null; readonly forecast: string | null; readonly low: string | null; readonly high: string | null }[];
  readonly runsOutOn: string | null;
}

export interface BudgetImport {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly same: readonly string[];
  readonly months: number;
  readonly revision: number;
}

export interface BudgetSuggestion {
  readonly unit: string;
  readonly months: readonly { readonly month: string; readonly amount: string }[];
  /** Closed months that it rests on, and what they were. */
  readonly from: readonly { readonly month: string; readonly amount: string }[];
  readonly method: string;
}

export const plannedChangeSchema = z
  .strictObject({
    name,
    team: name.nullable(),
    currency: z.string().min(1).max(40),
    fromDay: dayLabel,
    toDay: dayLabel.nullable(),
    isDaily: z.boolean(),
    amount: decimalText,
  })
  .refine(({ fromDay, toDay }) => toDay === null || fromDay <= toDay, { path: ["toDay"] });
export type PlannedChangeInput = z.infer<typeof plannedChangeSchema>;

/** Ways to say what a month will cost (budgets/backtest.ts). */
export type ForecastMethodName = "level" | "run-rate" | "four-weekdays" | "damped-trend";

export interface ForecastAnswer {
  readonly unit: string | null;
  readonly dataUntil: string | null;
  readonly method: ForecastMethodName;
  /** The month of the last day, then months to come. */
  readonly months: readonly {
    readonly month: string;
    readonly soFar: string;
    readonly forecast: string | null;
    readonly halfWidth80: string | null;
    readonly runRate: string | null;
    readonly daysToCome: number;
  }[];
  /** The next 3, 6 and 12 whole months added. */
  readonly spans: readonly { readonly months: number; readonly forecast: string | null; readonly halfWidth80: string | null }[];
  readonly backtest: {
    readonly origins: number;
    /** Share of outcomes inside the nominal 80 % interval; null without one. */
    readonly coverage: number | null;
    readonly methods: readonly { readonly method: ForecastMethodName; readonly mape: number | null; readonly wape: number | null; readonly bias: number | null }[];
    readonly points: readonly { readonly month: string; readonly day: number; readonly actual: string; readonly forecast: string | null; readonly runRate: string | null }[];
  };
  /** Forecasts as they were made for each budget over exactly this scope, newest last. */
  readonly drift: readonly { readonly budget: number; readonly period: string; readonly dataUntil: string; readonly forecast: string; readonly halfWidth80: string | null; readonly method: string }[];
  readonly plannedChanges: readonly PlannedChangeInput[];
  /** Commitments known to end, by team: what a day costs more from then on if usage goes on. */
  readonly commitmentEnds: readonly { readonly commitment: string; readonly team: string | null; readonly endsOn: string; readonly amount: string }[];
  /** Of the month of the last day: what is never extrapolated (purchases, tax, credits, usage billed for more than a day). */
  readonly notExtrapolated: string;
}

// Anomalies

/** What an anomaly is an anomaly of; an absent part is everything. */
export const anomalyScopeSchema = z.strictObject({ team: z.string().max(200).nullable().optional(), provider: z.string().max(200).nullable().optional(), service: z.string().max(300).nullable().optional() });
export type AnomalyScope = z.infer<typeof anomalyScopeSchema>;

export interface AnomalyLine {
  /** The same for the same scope, direction and first day. */
  readonly id: string;
  readonly scope: AnomalyScope;
  readonly start: string;
  /** Included. */
  readonly end: string;
  readonly direction: "up" | "down";
  readonly kind: "anomaly" | "level_shift";
  readonly flaggedDays: number;
  /** Cost beyond what was expected over the flagged days; below 0 for a fall. */
  readonly impact: string;
  readonly z: number;
  /** The person's word on it, or null. `isExpected`: it is normal, and such ones are for as long as the word holds. */
  readonly word: { readonly isExpected: boolean; readonly because: string; readonly who: string; readonly at: string; readonly until: string } | null;
}
export interface AnomalyList {
  readonly period: string;
  readonly currency: string | null;
  readonly events: readonly AnomalyLine[];
  /** How the false alarms are held down. */
  readonly rule: { readonly z: number; readonly scopes: number; readonly expectedFalseAlarmsAMonth: number; readonly minimumAmount: string; readonly minimumShare: number };
  /** Share of the period's daily usage cost that lies in unexpected events upwards; null without cost. */
  readonly rate: number | null;
}
export interface AnomalyDetail {
  readonly currency: string | null;
  /** 70 days around the event. */
  readonly days: readonly { readonly day: string; readonly cost: string | null; readonly expected: string | null; readonly low: string | null; readonly high: string | null; readonly isFlagged: boolean }[];
  /** The series that made it, largest difference first; they add up to the event's days against their weekdays' mean. */
  readonly drivers: readonly {
    readonly resource: string | null;
    readonly resourceName: string | null;
    readonly description: string | null;
    readonly cause: "new" | "gone" | "price" | "volume";
    readonly before: string;
    readonly now: string;
    readonly difference: string;
    readonly seriesId: number;
  }[];
  readonly otherDifference: string;
}

// Actions and the monthly close

export const actionKinds = ["idle", "commitment", "anomaly", "allocation", "rightsizing", "carbon", "other"] as const;
export type ActionKind = (typeof actionKinds)[number];
export const actionStates = ["open", "agreed", "done", "rejected"] as const;
export type ActionState = (typeof actionStates)[number];

export const actionSchema = z.strictObject({
  id: rowId.nullable(),
  /** Of the finding that it takes up; null: the person's own. */
  findingKey: z.string().max(4000).nullable(),
  kind: z.enum(actionKinds),
  subject: sentence,
  resource: z.string().max(2048).nullable(),
  team: name.nullable(),
  owner: z.string().trim().min(1).max(120).nullable(),
  dueOn: dayLabel.nullable(),
  state: z.enum(actionStates),
  currency: z.string().min(1).max(40).nullable(),
  /** A month. */
  expected: decimalText.nullable(),
  realised: decimalText.nullable(),
  note: z.string().max(4000).nullable(),
});
export type ActionInput = z.infer<typeof actionSchema>;

export interface ActionLine extends Omit<ActionInput, "id"> {
  readonly id: number;
  readonly madeAt: string;
  readonly doneAt: string | null;
  /** Of one that is done: what its resource cost in the month before it was done less the first whole month after; null until that month is there. */
  readonly measured: string | null;
}
/** Something the data say is worth doing, that nobody has taken up. */
export interface FindingLine {
  readonly key: string;
  readonly kind: "idle" | "rightsizing" | "commitment" | "anomaly";
  readonly resource: string | null;
  readonly resourceName: string | null;
  readonly team: string | null;
  /** What it is about: a service or commitment as the bills name it; for rightsizing the slice or card that would do. */
  readonly about: string | null;
  readonly since: string | null;
  /** A person, as `main/engine/teams/owners.ts` finds one. */
  readonly owner: string | null;
  /** A month, as the period was; of idle time what the ledger's stop rule, replayed, would have saved. null where no saving can be told. */
  readonly expected: string | null;
  /** Of idle time: what all of it cost a month, pauses too short to stop for included. No saving reaches it. */
  readonly idleCost: string | null;
  /** What the resource cost in the period: no saving exceeds it. */
  readonly cost: string;
}
export interface ActionsAnswer {
  readonly period: string;
  readonly currency: string | null;
  readonly actions: readonly ActionLine[];
  readonly findings: readonly FindingLine[];
  /** Of findings and open actions: on each resource the largest advice only, and no more than the resource costs. */
  readonly identified: string;
  /** Of actions that are done this year, as the person wrote it, else as it was measured; null where neither is there. */
  readonly realised: string | null;
}

export const closeItems = ["sources-complete", "reconciled", "unallocated-under", "anomalies-reviewed", "actions-owned"] as const;
export interface CloseItem {
  readonly id: (typeof closeItems)[number];
  readonly state: "done" | "open" | "unknown";
  /** How many things are left to do, and of how many. */
  readonly open: number;
  readonly of: number;
  /** A share that the item looks at (days covered, cost without a team); null where it has none. */
  readonly share: number | null;
  readonly limit: number | null;
  readonly details: readonly string[];
}
export interface InvoiceLine {
  readonly provider: string;
  readonly currency: string;
  /** What the ledger holds of the billing month; null where its rows do not state it. */
  readonly ledger: string | null;
  /** null: not entered. */
  readonly invoice: string | null;
  readonly difference: string | null;
  readonly enteredBy: string | null;
}
export interface MonthAnswer {
  readonly month: string;
  readonly state: "open" | "closed" | "reopened";
  readonly items: readonly CloseItem[];
  readonly invoices: readonly InvoiceLine[];
  readonly closings: readonly {
    readonly id: number;
    readonly closedAt: string;
    readonly closedBy: string;
    readonly note: string | null;
    readonly reopenedAt: string | null;
    readonly reopenedBy: string | null;
    readonly reason: string | null;
  }[];
  /** What differs from the figures frozen last; empty where nothing does, or the month was never closed. */
  readonly differences: readonly { readonly what: "billed" | "effective" | "team"; readonly team: string | null; readonly currency: string; readonly frozen: string | null; readonly now: string | null; readonly difference: string }[];
}
