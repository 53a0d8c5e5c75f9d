/** Whose a charge is, and how costs that belong to nobody alone are shared out. */

/** What a rule may look at besides tags and labels. `host`: the telemetry host that is joined to the resource. */
export const ruleColumns = [
  "provider", "billingAccount", "account", "accountName", "service", "resource", "resourceName", "resourceType", "region", "sku", "description", "instanceType", "gpuModel",
  "commitment", "chargeCategory", "host", "kubernetesCluster", "kubernetesNamespace", "kubernetesWorkload", "slurmAccount", "slurmPartition", "slurmUser",
] as const;
export type RuleColumn = (typeof ruleColumns)[number];

/** `pattern` has * for anything and ? for one character, ignoring case. Something absent or empty does not exist, whatever the test. */
export type RuleTest =
  | { readonly op: "exists" }
  | { readonly op: "equals" | "equals-ignoring-case" | "prefix" | "pattern"; readonly value: string }
  | { readonly op: "in"; readonly values: readonly string[] };

/** A tag or label by its key, with or without the prefix that a bill puts before it (`user:project` is found as `project`). */
export type RuleCondition = ({ readonly source: "tag"; readonly key: string } | { readonly source: "column"; readonly key: RuleColumn }) & RuleTest;

/** A value of a tag that no bill has: the first of a tag's rules whose conditions all hold gives it. Rules of allocation may ask for it like any tag. */
export interface VirtualTagRule {
  readonly tag: string;
  readonly value: string;
  readonly conditions: readonly RuleCondition[];
}

/** Months are billing months, both inclusive; null: open. */
export interface AllocationRule {
  readonly name: string;
  readonly team: string;
  /** All of them must hold. */
  readonly conditions: readonly RuleCondition[];
  readonly fromMonth: string | null;
  readonly toMonth: string | null;
}

export const splitMethods = ["even", "proportional", "fixed", "gpu-hours"] as const;
export type SplitMethod = (typeof splitMethods)[number];

/** A team's whole cost; a class of charges that no team has; or all else that no team has. */
export type PoolSource =
  | { readonly kind: "team"; readonly team: string }
  | { readonly kind: "class"; readonly chargeClass: "unused-commitment" | "other" | "purchase" | "tax" | "credit" }
  | { readonly kind: "service"; readonly service: string }
  | { readonly kind: "rest" };

export interface SharedPoolRule {
  readonly name: string;
  readonly source: PoolSource;
  readonly method: SplitMethod;
  /** Of a fixed split: percent as decimal text, by team. */
  readonly shares: readonly { readonly team: string; readonly percent: string }[];
}
