import { sumAttos } from "../../../shared/domain/money.ts";
import { ratio, whole, type Rational } from "../../../shared/domain/rational.ts";

/** One condition on a row's tag, or on one of its columns. Something absent or empty does not exist, whatever the condition. */
export type TagCondition = { readonly source: "tag" | "column"; readonly key: string } & (
  | { readonly op: "exists" }
  | { readonly op: "equals" | "equals_ci" | "prefix"; readonly value: string }
  | { readonly op: "in"; readonly values: readonly string[] }
);

export interface TagRule {
  readonly team: string;
  /** All of them must hold. */
  readonly conditions: readonly TagCondition[];
}

export interface TaggedRow {
  readonly id: string;
  readonly amount: bigint;
  readonly tags: Readonly<Record<string, string | null>>;
  readonly columns: Readonly<Record<string, string | null>>;
}

export interface TagAssignment {
  /** For each row its team and the place of the rule that took it; null where none did. */
  readonly rows: readonly { readonly id: string; readonly team: string | null; readonly rule: number | null }[];
  readonly totals: ReadonlyMap<string | null, bigint>;
  readonly grandTotal: bigint;
  /** What a rule took ÷ grand total; null if the grand total is 0. */
  readonly allocatedShare: Rational | null;
}

/** Assigns rows to teams by an ordered list of rules: the first whose conditions all hold takes the row (model h.1). */
export function assignByTagRules(rules: readonly TagRule[], rows: readonly TaggedRow[]): TagAssignment {
  const totals = new Map<string | null, bigint>();
  const assigned = rows.map((row) => {
    const found = rules.findIndex(({ conditions }) => conditions.every((condition) => holds(condition, row)));
    const team = rules[found]?.team ?? null;
    const before = totals.get(team);
    totals.set(team, before === undefined ? row.amount : before + row.amount);
    return { id: row.id, team, rule: found === -1 ? null : found };
  });
  const grandTotal = sumAttos(totals.values());
  const allocated = sumAttos([...totals].filter(([team]) => team !== null).map(([, amount]) => amount));
  return { rows: assigned, totals, grandTotal, allocatedShare: ratio(whole(allocated), whole(grandTotal)) };
}

function holds(condition: TagCondition, { tags, columns }: TaggedRow): boolean {
  const from = condition.source === "tag" ? tags : columns;
  const value = Object.hasOwn(from, condition.key) ? from[condition.key] : null;
  if (value === undefined || value === null || value === "") return false;
  switch (condition.op) {
    case "exists":
      return true;
    case "equals":
      return value === condition.value;
    case "equals_ci":
      return value.toLowerCase() === condition.value.toLowerCase();
    case "prefix":
      return value.startsWith(condition.value);
    case "in":
      return condition.values.includes(value);
  }
}
