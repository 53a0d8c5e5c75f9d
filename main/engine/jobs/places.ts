/** Which host of the logs, and which billed machine, the hosts of jobs are. */
import { matchHosts, type HostMatch } from "../hours/match.ts";
import { deviceHosts, gpuResources, hostMap } from "../hours/work-out.ts";
import type { Db } from "../store/sql.ts";
import type { Job } from "./list.ts";

export interface Places {
  /** The host of the logs: by its name, else as the one that is joined to the same billed machine. null: no log knows it. */
  readonly hostAt: (name: string, hour: number) => string | null;
  /** The billed resource in small letters; null: no bill knows it in that hour (since 1970-01-01T00:00Z). */
  readonly machineAt: (name: string, hour: number) => string | null;
  /** All billed resources that are hosts of jobs in some hours. */
  readonly machinesBetween: (fromHour: number, toHour: number) => ReadonlySet<string>;
}

export function placesOf(db: Db, jobs: readonly Job[]): Places {
  const logged = deviceHosts(db);
  const hostOf = hostFinder(logged);
  const [resources, map] = [gpuResources(db), hostMap(db)];
  const lists = new Set(jobs.map(({ hosts }) => hosts));
  const names = new Set([...lists].flat());
  const matches = Map.groupBy(matchHosts([...new Set([...names].map((name) => hostOf(name) ?? name))], resources, map).matches, ({ host }) => host);
  const none: readonly HostMatch[] = [];
  const ofName = new Map([...names].map((name) => [name, matches.get(hostOf(name) ?? name) ?? none]));
  const onMachine = Map.groupBy(matchHosts(logged, resources, map).matches, ({ resourceId }) => resourceId.toLowerCase());
  const machineAt = (name: string, hour: number): string | null => ofName.get(name)?.find(({ fromHour, toHour }) => hour >= fromHour && hour < toHour)?.resourceId.toLowerCase() ?? null;
  return {
    hostAt: (name, hour) => hostOf(name) ?? onMachine.get(machineAt(name, hour) ?? "")?.find(({ fromHour, toHour }) => hour >= fromHour && hour < toHour)?.host ?? null,
    machineAt,
    machinesBetween: (from, to) => new Set([...ofName.values()].flatMap((spans) => spans.filter(({ fromHour, toHour }) => fromHour < to && toHour > from).map(({ resourceId }) => resourceId.toLowerCase()))),
  };
}

/**
 * A scheduler says `gpu01` where a log says `GPU01.cluster.example`, or the other way round: a name is a host whatever the case, and a short
 * name is the only host that begins with it. Two long names are one host only where they are the same.
 */
export function hostFinder(logged: readonly string[]): (name: string) => string | null {
  const whole = new Map(logged.map((host) => [host.toLowerCase(), host]));
  const byLabel = new Map<string, string | null>();
  for (const host of whole.keys()) byLabel.set(labelOf(host), byLabel.has(labelOf(host)) ? null : (whole.get(host) ?? null));
  const known = new Map<string, string | null>();
  const find = (name: string): string | null => {
    const same = whole.get(name);
    if (same !== undefined) return same;
    const label = labelOf(name);
    if (name === label) return byLabel.get(label) ?? null;
    return whole.get(label) ?? null;
  };
  return (name) => {
    let found = known.get(name);
    if (found === undefined) known.set(name, (found = find(name.toLowerCase())));
    return found;
  };
}

function labelOf(name: string): string {
  return name.split(".")[0] ?? "";
}
