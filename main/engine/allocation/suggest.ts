import type { AllocationRule, RuleCondition } from "../../../shared/domain/allocation.ts";
import { toNumber, rational } from "../../../shared/domain/rational.ts";
import type { Assignable } from "./assign.ts";

/** A series that has a team, and what it cost. */
export interface Teamed {
  readonly row: Assignable;
  readonly team: string;
  readonly attos: bigint;
}

export interface RuleSuggestion {
  readonly rule: AllocationRule;
  readonly because: "tag" | "name" | "account" | "service-of-account";
  /** Of the cost that has a team and fits the same conditions, the part that this team has: 0.8 to 1. */
  readonly share: number;
}

const SURE_FROM = rational(4n, 5n);
type Trait = { readonly because: RuleSuggestion["because"]; readonly key: string; readonly name: string; readonly conditions: readonly RuleCondition[] };

/**
 * Finds a rule for what has no team from what has one: if of the cost that shares a trait with it four fifths or more are one team's, it
 * is likely that team's too. Traits in the order asked: a tag, the beginning of the resource's name, its service within the account, its
 * account.
 */
export function suggestRule(teamed: readonly Teamed[]): (row: Assignable) => RuleSuggestion | null {
  const costs = new Map<string, Map<string, bigint>>();
  for (const { row, team, attos } of teamed) {
    if (attos <= 0n) continue;
    for (const { key } of traitsOf(row)) {
      const byTeam = costs.get(key) ?? new Map<string, bigint>();
      const before = byTeam.get(team);
      byTeam.set(team, before === undefined ? attos : before + attos);
      costs.set(key, byTeam);
    }
  }
  return (row) => {
    for (const { key, because, name, conditions } of traitsOf(row)) {
      const byTeam = costs.get(key);
      if (byTeam === undefined) continue;
      const total = [...byTeam.values()].reduce((sum, attos) => sum + attos, 0n);
      const [team, most] = [...byTeam].reduce((best, entry) => (entry[1] > best[1] || (entry[1] === best[1] && entry[0] < best[0]) ? entry : best));
      if (most * SURE_FROM.denominator < total * SURE_FROM.numerator) continue;
      return { rule: { name, team, conditions, fromMonth: null, toMonth: null }, because, share: toNumber(rational(most, total)) };
    }
    return null;
  };
}

/** Keys under which every resource has a value of its own, or that say the team already. */
const ownTags = new Set(["name", "team", "id", "arn"]);

function traitsOf({ tags, columns }: Assignable): Trait[] {
  const traits: Trait[] = [];
  for (const [key, value] of tags) {
    if (key !== key.toLowerCase() || /[/:]/.test(key) || ownTags.has(key)) continue;
    traits.push({ because: "tag", key: JSON.stringify(["tag", key, value]), name: `${key} = ${value}`, conditions: [{ source: "tag", key, op: "equals", value }] });
  }
  const { resourceName, account, service } = columns;
  const stem = typeof resourceName === "string" ? (/^(.{2,}?[a-z]{2,}[-_.])[^-_.]*$/i.exec(resourceName)?.[1] ?? null) : null;
  if (stem !== null) traits.push({ because: "name", key: JSON.stringify(["name", stem]), name: `${stem}*`, conditions: [{ source: "column", key: "resourceName", op: "prefix", value: stem }] });
  if (typeof account === "string" && account !== "") {
    const ofAccount: RuleCondition = { source: "column", key: "account", op: "equals", value: account };
    if (typeof service === "string" && service !== "") {
      traits.push({
        because: "service-of-account",
        key: JSON.stringify(["service", account, service]),
        name: `${service}, ${account}`,
        conditions: [ofAccount, { source: "column", key: "service", op: "equals", value: service }],
      });
    }
    traits.push({ because: "account", key: JSON.stringify(["account", account]), name: account, conditions: [ofAccount] });
  }
  return traits;
}
