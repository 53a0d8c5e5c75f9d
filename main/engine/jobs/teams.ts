/** Whose a job is: what the allocation rules say of its account, user, partition or namespace; else its account. */
import type { RuleColumn } from "../../../shared/domain/allocation.ts";
import { assignerOf, spanIn, virtualTagger, type TeamSpan } from "../allocation/assign.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import { storedRules, storedVirtualTags } from "../teams/rules.ts";
import type { Job } from "./list.ts";

/**
 * The team of a job in a month (`2026-09`). The same ordered rules as for bills, with what is known of a job: the Slurm columns, the Kubernetes
 * ones, the model of its GPUs, its host where it has one alone, and tags that rules give. Without a rule that fits, its account: the team of
 * that name in the bills, whatever the case and whether words are parted by a space, a hyphen or an underline; else the account itself.
 */
export function teamFinder(db: Db): (job: Job, month: string) => string | null {
  const assign = assignerOf(storedRules(db));
  const tagsOf = virtualTagger(storedVirtualTags(db));
  const teams = readAll(db, query<{ team: string }>("team")`-- jobs.teams
    SELECT DISTINCT x_Team AS team FROM series WHERE x_Team IS NOT NULL ORDER BY 1`);
  const byName = new Map(teams.map(({ team }) => [spelling(team), team]));
  const known = new Map<string, readonly TeamSpan[]>();
  return (job, month) => {
    const facts = { tags: new Map<string, string>(), columns: columnsOf(job), tagTeam: job.account === null ? null : (byName.get(spelling(job.account)) ?? job.account) };
    const key = JSON.stringify([facts.columns, facts.tagTeam]);
    let spans = known.get(key);
    if (spans === undefined) known.set(key, (spans = assign({ ...facts, tags: tagsOf(facts) })));
    return spanIn(spans, month).team;
  };
}

function spelling(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, " ").trim();
}

function columnsOf({ source, cluster, name, user, account, partition, hosts, gpuModel }: Job): Partial<Record<RuleColumn, string | null>> {
  const shared = { gpuModel, host: hosts.length === 1 ? (hosts[0] ?? null) : null };
  if (source === "kubernetes") return { ...shared, kubernetesCluster: cluster, kubernetesNamespace: partition, kubernetesWorkload: name };
  return { ...shared, slurmAccount: account, slurmPartition: partition, slurmUser: user };
}
