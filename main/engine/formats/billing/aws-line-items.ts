import type { ChargeCategory } from "../../../../shared/domain/charge.ts";
import type { DimensionCell, DimensionRow } from "../format.ts";
import { derived } from "../format.ts";

/** What the kinds of AWS line items are, by lineItem/LineItemType and what else it takes to tell them apart (AWS: "Line item details"). */
interface Kind {
  readonly category: ChargeCategory;
  readonly frequency: "Usage-Based" | "Recurring" | "One-Time" | null;
  readonly commitmentStatus: "Used" | "Unused" | null;
  /** Whether its usage amount is usage: a negation repeats hours of the rows that it cancels. */
  readonly countsUsage: boolean;
  /** Whether "how was it bought" has an answer. */
  readonly isBought: boolean;
}

// What most kinds share
const used = { category: "Usage", frequency: "Usage-Based", commitmentStatus: "Used", countsUsage: true, isBought: true } as const;
const bought = { category: "Purchase", commitmentStatus: null, countsUsage: false, isBought: true } as const;
const aside = { category: "Adjustment", frequency: null, commitmentStatus: null, countsUsage: false, isBought: false } as const;

export const kinds = {
  Usage: { ...used, commitmentStatus: null },
  DiscountedUsage: used,
  SavingsPlanCoveredUsage: used,
  FlatRateSubscription: { ...used, commitmentStatus: null },
  SavingsPlanNegation: { ...used, commitmentStatus: null, countsUsage: false },
  RIFee: { ...bought, frequency: "Recurring", commitmentStatus: "Unused" },
  SavingsPlanRecurringFee: { ...bought, frequency: "Recurring", commitmentStatus: "Unused" },
  SavingsPlanUpfrontFee: { ...bought, frequency: "One-Time" },
  reservationUpfront: { ...bought, frequency: "One-Time" },
  fee: { ...bought, frequency: "One-Time" },
  Credit: { ...aside, category: "Credit" },
  Tax: { ...aside, category: "Tax" },
  Refund: aside,
  commitmentRefund: aside,
  discount: aside,
  split: { ...used, commitmentStatus: null, countsUsage: false, isBought: false },
  unknown: { ...used, commitmentStatus: null, countsUsage: false, isBought: false },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof kinds;

const kindColumns = [
  "lineItem/LineItemType",
  "lineItem/Operation",
  "lineItem/LineItemDescription",
  "lineItem/ProductCode",
  "lineItem/UsageType",
  "reservation/ReservationARN",
  "savingsPlan/SavingsPlanARN",
  "splitLineItem/ParentResourceId",
];

export function kindOf(row: DimensionRow): KindName {
  const type = row.text("lineItem/LineItemType")?.trim() ?? "";
  if (/^(?:EKSPod|ECSTask)-EC2/i.test(row.text("lineItem/Operation") ?? "") || row.text("splitLineItem/ParentResourceId") !== null) return "split";
  if (type === "Fee") return row.text("reservation/ReservationARN") === null ? "fee" : "reservationUpfront";
  if (type === "Refund") {
    const isCommitment = /SavingsPlans?$/i.test(row.text("lineItem/ProductCode") ?? "") && /^Refund for one-time fee/i.test(row.text("lineItem/LineItemDescription") ?? "");
    return isCommitment ? "commitmentRefund" : "Refund";
  }
  if (/Discount$/.test(type)) return "discount";
  return Object.hasOwn(kinds, type) ? (type as KindName) : "unknown";
}

export function kindCell(): DimensionCell<string> {
  return derived(kindColumns, (row) => {
    const kind = kindOf(row);
    if (kind === "split") row.repaired("split-row-without-cost");
    if (kind === "unknown") row.repaired("line-item-type-unknown");
    return kind;
  });
}

export function byKind<T>(read: (kind: KindName, row: DimensionRow) => T): DimensionCell<T> {
  return derived(kindColumns, (row) => read(kindOf(row), row));
}
