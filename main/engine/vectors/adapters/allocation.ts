import { toDecimal, ZERO } from "../../../../shared/domain/rational.ts";
import { allocate, type Shares } from "../../allocation/allocate.ts";
import { amortizedPart, amortizedRange } from "../../allocation/amortize.ts";
import { reconcileCommitments } from "../../allocation/reconcile.ts";
import { splitShared, type SharedPool } from "../../allocation/shared-pools.ts";
import type { Part } from "../../allocation/split.ts";
import { assignByTagRules, type TagCondition } from "../../allocation/tag-rules.ts";
import { asText, asWhole, decimalOr, decimalsAt, fieldsAt, isAbsent, listAt, listOr, numberAt, rowsAt, textAt, textOr, UnreadableInput, asNumber, type Adapter, type Fields } from "../fields.ts";

/** Model h, at the scale of the vectors: whole nano-units. */
export const allocationAdapters: Readonly<Record<string, Adapter>> = {
  allocate: (input) => {
    const allocation = allocate(asWhole(input["amount_nano"]), sharesOf(input));
    if (!allocation.ok) return { parts: null, fallback: allocation.refusal, unallocated_nano: null };
    return { parts: byId(allocation.parts), fallback: allocation.fallback, unallocated_nano: String(allocation.unallocated) };
  },
  split_shared: (input) => {
    const direct = Object.entries(fieldsAt(input, "direct_nano")).map(([id, amount]) => ({ id, amount: asWhole(amount) }));
    const split = splitShared(direct, rowsAt(input, "pools").map(poolOf));
    if (!split.ok) return { final_nano: null, unallocated_nano: null, grand_total_nano: null };
    return { final_nano: byId(split.final), unallocated_nano: String(split.unallocated), grand_total_nano: String(split.grandTotal) };
  },
  amortise: (input) => {
    const fee = asWhole(input["upfront_nano"]);
    const periods = numberAt(input, "periods");
    if (!Number.isInteger(periods) || periods < 1) return { parts: null, total_nano: null, min_part: null, max_part: null };
    const shown = isAbsent(input, "show") ? Array.from({ length: periods }, (_, index) => index + 1) : listAt(input, "show").map((k) => asNumber(k));
    const { smallest, largest } = amortizedRange(fee, periods);
    return {
      parts: Object.fromEntries(shown.map((k) => [String(k), String(amortizedPart(fee, periods, k))])),
      total_nano: String(fee),
      min_part: String(smallest),
      max_part: String(largest),
    };
  },
  tag_rules: (input) => {
    const rules = rowsAt(input, "rules").map((rule) => ({ team: textAt(rule, "team"), conditions: rowsAt(rule, "match").map(conditionOf) }));
    const rows = rowsAt(input, "rows").map((row) => ({
      id: String(row["id"]),
      amount: asWhole(row["cost_nano"]),
      tags: texts(isAbsent(row, "tags") ? {} : fieldsAt(row, "tags")),
      columns: texts(row),
    }));
    const { rows: assigned, totals, grandTotal, allocatedShare } = assignByTagRules(rules, rows);
    return {
      assignment: Object.fromEntries(assigned.map(({ id, team }) => [id, team ?? UNALLOCATED])),
      totals_nano: Object.fromEntries([...totals].map(([team, total]) => [team ?? UNALLOCATED, String(total)])),
      grand_total_nano: String(grandTotal),
      allocated_fraction: allocatedShare === null ? null : toDecimal(allocatedShare),
    };
  },
  focus_reconcile: (input) => {
    const { commitments, billedTotal, effectiveTotal } = reconcileCommitments(
      rowsAt(input, "rows").map((row) => ({
        ChargeCategory: textAt(row, "category"),
        CommitmentDiscountId: textOr(row, "commitment", null),
        CommitmentDiscountStatus: textOr(row, "status", null),
        BilledCost: asWhole(row["billed_nano"]),
        EffectiveCost: asWhole(row["effective_nano"]),
      })),
    );
    return {
      commitments: Object.fromEntries(
        commitments.map((balance) => [
          balance.CommitmentDiscountId,
          {
            purchase_billed_nano: String(balance.purchaseBilled),
            usage_effective_nano: String(balance.usageEffective),
            used_nano: String(balance.used),
            unused_nano: String(balance.unused),
            difference_nano: String(balance.difference),
            balanced: balance.isBalanced,
            waste_fraction: balance.wasteShare === null ? null : toDecimal(balance.wasteShare),
          },
        ]),
      ),
      billed_total_nano: String(billedTotal),
      effective_total_nano: String(effectiveTotal),
    };
  },
};

const UNALLOCATED = "unallocated";

function sharesOf(input: Fields): Shares {
  const targets = rowsAt(input, "targets");
  const method = textAt(input, "method");
  switch (method) {
    case "even":
      return { method, targets: targets.map((target) => ({ id: textAt(target, "id") })) };
    case "proportional":
      return { method, targets: targets.map((target) => ({ id: textAt(target, "id"), weight: decimalOr(target, "weight", ZERO) })) };
    case "fixed":
      return { method, targets: targets.map((target) => ({ id: textAt(target, "id"), percent: decimalOr(target, "percent", ZERO) })) };
    default:
      throw new UnreadableInput(`method is ${method}`);
  }
}

function poolOf(pool: Fields): SharedPool {
  const amount = asWhole(pool["amount_nano"]);
  const method = textAt(pool, "method");
  if (method === "even" || method === "proportional") return { amount, method };
  if (method === "fixed") return { amount, method, percents: decimalsAt(pool, "percent").map(([id, percent]) => ({ id, percent })) };
  throw new UnreadableInput(`method is ${method}`);
}

function conditionOf(condition: Fields): TagCondition {
  const place = { source: textOr(condition, "source", "tag") === "column" ? "column" : "tag", key: textAt(condition, "key") } as const;
  const op = textAt(condition, "op");
  switch (op) {
    case "exists":
      return { ...place, op };
    case "equals":
    case "equals_ci":
    case "prefix":
      return { ...place, op, value: textAt(condition, "value") };
    case "in":
      return { ...place, op, values: listOr(condition, "value").map((value) => asText(value)) };
    default:
      throw new UnreadableInput(`op is ${op}`);
  }
}

function texts(fields: Fields): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? value : null]));
}

function byId(parts: readonly Part[]): Readonly<Record<string, string>> {
  return Object.fromEntries(parts.map(({ id, amount }) => [id, String(amount)]));
}
