import type { AllocationRule, RuleColumn, RuleCondition, VirtualTagRule } from "../../../shared/domain/allocation.ts";

/** What rules see of a series. Absent and empty are the same: they do not exist. */
export interface Assignable {
  /** By full key and, in lower case, by the key without its prefix. */
  readonly tags: ReadonlyMap<string, string>;
  readonly columns: Readonly<Partial<Record<RuleColumn, string | null>>>;
  /** Of the team tag; null without one. */
  readonly tagTeam: string | null;
}

/** Whose a series is in some months, both inclusive; null is open. `rule` is the place of the rule in its list; null where the tag, or nobody, has it. */
export interface TeamSpan {
  readonly fromMonth: string | null;
  readonly toMonth: string | null;
  readonly team: string | null;
  readonly rule: number | null;
}

/**
 * Whose a series is (model h.1): the first rule whose conditions all hold and whose months hold the month; else the team of its tag; else
 * nobody's. Without dates in any rule that fits there is one span for all months.
 * Returns a function for one list of rules, so that a ledger's series are judged quickly.
 */
export function assignerOf(rules: readonly AllocationRule[]): (row: Assignable) => readonly TeamSpan[] {
  const compiled = rules.map((rule, place) => ({ ...rule, place, tests: rule.conditions.map(testOf) }));
  return (row) => {
    const fitting = compiled.filter(({ tests }) => tests.length > 0 && tests.every((test) => test(row)));
    const starts = [...new Set(fitting.flatMap(({ fromMonth, toMonth }) => [fromMonth, toMonth === null ? null : monthAfter(toMonth)]).filter((month) => month !== null))].sort();
    const spans: TeamSpan[] = [];
    for (const [index, start] of [null, ...starts].entries()) {
      const next = starts[index];
      const toMonth = next === undefined ? null : monthBefore(next);
      const rule = fitting.find(({ fromMonth, toMonth: last }) => (fromMonth === null || (start !== null && fromMonth <= start)) && (last === null || (toMonth !== null && toMonth <= last)));
      const team = rule === undefined ? row.tagTeam : rule.team;
      const place = rule?.place ?? null;
      const last = spans.at(-1);
      if (last !== undefined && last.team === team && last.rule === place) spans[spans.length - 1] = { ...last, toMonth };
      else spans.push({ fromMonth: start, toMonth, team, rule: place });
    }
    return spans;
  };
}

/** Tags with the virtual ones beside them; what a bill says itself stands before what a rule of ours says. */
export function virtualTagger(rules: readonly VirtualTagRule[]): (row: Assignable) => ReadonlyMap<string, string> {
  const compiled = rules.map(({ tag, value, conditions }) => ({ tag, value, tests: conditions.map(testOf) }));
  return (row) => {
    if (compiled.length === 0) return row.tags;
    const tags = new Map(row.tags);
    for (const { tag, value, tests } of compiled) {
      const key = tag.toLowerCase();
      if (!tags.has(tag) && !tags.has(key) && tests.length > 0 && tests.every((test) => test(row))) tags.set(key, value);
    }
    return tags;
  };
}

/** Keys under which clusters and schedulers tag what they run, without prefixes and in lower case. */
const schedulerKeys = {
  kubernetesCluster: ["eks:cluster-name", "cluster-name", "k8s-cluster", "kubernetes-cluster", "kubernetes_cluster", "kubernetescluster", "goog-k8s-cluster-name", "aks-managed-cluster-name", "cluster"],
  kubernetesNamespace: ["eks:namespace", "namespace", "k8s-namespace", "kubernetes-namespace", "kubernetes_namespace", "kubernetesnamespace"],
  kubernetesWorkload: ["eks:workload-name", "workload-name", "k8s-workload", "kubernetes-workload", "k8s-label-app", "deployment"],
  slurmAccount: ["slurm-account", "slurm_account", "slurmaccount"],
  slurmPartition: ["slurm-partition", "slurm_partition", "slurmpartition", "queue-name", "parallelcluster:queue-name"],
  slurmUser: ["slurm-user", "slurm_user", "slurmuser", "job-user"],
} as const satisfies Partial<Record<RuleColumn, readonly string[]>>;

/** What tags say of the cluster, namespace, partition … a charge ran in; null where no key of theirs is there. */
export function schedulerColumns(tags: ReadonlyMap<string, string>): Readonly<Record<keyof typeof schedulerKeys, string | null>> {
  const find = (keys: readonly string[]): string | null => keys.map((key) => tags.get(key) ?? tags.get(bareKey(key))).find((value) => value !== undefined) ?? null;
  return {
    kubernetesCluster: find(schedulerKeys.kubernetesCluster),
    kubernetesNamespace: find(schedulerKeys.kubernetesNamespace),
    kubernetesWorkload: find(schedulerKeys.kubernetesWorkload),
    slurmAccount: find(schedulerKeys.slurmAccount),
    slurmPartition: find(schedulerKeys.slurmPartition),
    slurmUser: find(schedulerKeys.slurmUser),
  };
}

/** The span of a month among the spans of a series. */
export function spanIn(spans: readonly TeamSpan[], month: string): TeamSpan {
  const found = spans.find(({ fromMonth, toMonth }) => (fromMonth === null || fromMonth <= month) && (toMonth === null || month <= toMonth));
  if (found === undefined) throw new RangeError(`no span holds ${month}`);
  return found;
}

/** Tags as rules find them: by their full key, and in lower case by what follows the last `/` or `:` and a leading `user_`. */
export function tagsByKey(tags: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tags)) {
    const text = typeof value === "string" ? value.trim() : typeof value === "number" || typeof value === "boolean" ? String(value) : "";
    if (text === "") continue;
    found.set(key, text);
    const bare = bareKey(key);
    if (!found.has(bare)) found.set(bare, text);
  }
  return found;
}

export function bareKey(key: string): string {
  return key.trim().replace(/^.*[/:]/, "").replace(/^user_/i, "").toLowerCase();
}

function testOf(condition: RuleCondition): (row: Assignable) => boolean {
  const passes = valueTest(condition);
  if (condition.source === "column") {
    const { key } = condition;
    return ({ columns }) => {
      const value = columns[key];
      return value !== undefined && value !== null && value !== "" && passes(value);
    };
  }
  const [exact, bare] = [condition.key, condition.key.toLowerCase()];
  return ({ tags }) => {
    const value = tags.get(exact) ?? tags.get(bare);
    return value !== undefined && passes(value);
  };
}

function valueTest(condition: RuleCondition): (value: string) => boolean {
  switch (condition.op) {
    case "exists":
      return () => true;
    case "equals":
      return (value) => value === condition.value;
    case "equals-ignoring-case": {
      const wanted = condition.value.toLowerCase();
      return (value) => value.toLowerCase() === wanted;
    }
    case "prefix":
      return (value) => value.startsWith(condition.value);
    case "in": {
      const wanted = new Set(condition.values);
      return (value) => wanted.has(value);
    }
    case "pattern": {
      const wanted = condition.value.toLowerCase();
      return (value) => fitsPattern(wanted, value.toLowerCase());
    }
  }
}

/**
 * `*` is any run of characters, `?` one; everything else stands for itself, whatever its case. Only the last star is ever given more, so the
 * longest pattern on the longest name takes their product of steps at most.
 */
function fitsPattern(pattern: string, value: string): boolean {
  let [at, place, star, from] = [0, 0, -1, 0];
  while (at < value.length) {
    if (pattern[place] === "*") {
      star = place;
      from = at;
      place += 1;
    } else if (place < pattern.length && (pattern[place] === "?" || pattern[place] === value[at])) {
      at += 1;
      place += 1;
    } else if (star !== -1) {
      place = star + 1;
      from += 1;
      at = from;
    } else return false;
  }
  while (pattern[place] === "*") place += 1;
  return place === pattern.length;
}

export function monthAfter(month: string): string {
  return monthShifted(month, 1);
}

export function monthBefore(month: string): string {
  return monthShifted(month, -1);
}

/** `2026-11` shifted by 3 is `2027-02`. */
export function monthShifted(month: string, by: number): string {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + by;
  return `${String(Math.floor(count / 12)).padStart(4, "0")}-${String((count % 12) + 1).padStart(2, "0")}`;
}
