/**
 * Which billed resource a telemetry host is. Rules in order, first hit wins:
 * `user-map`     the person said so, within the dates they gave
 * `explicit-id`  the host is the resource's id (EC2 instance id, ARM id, instance path) or its last segment when that is an id
 * `node-name`    the host's name is the resource's name or the last segment of its path; AKS scale-set suffixes are understood
 * The person's word stands first: whoever corrects a wrong join must not be overruled by a name pattern.
 * A name that fits several resources joins none of them; they become proposals.
 */

export interface BilledResource {
  readonly ResourceId: string;
  readonly ResourceName: string | null;
}
export interface HostMapEntry {
  readonly Host: string;
  readonly ResourceId: string;
  /** Inclusive instant, null: from the beginning. */
  readonly ValidFrom: string | null;
  /** Exclusive instant, null: for good. */
  readonly ValidTo: string | null;
}
export type MatchRule = "explicit-id" | "node-name" | "user-map";
export interface HostMatch {
  readonly host: string;
  readonly resourceId: string;
  readonly rule: MatchRule;
  /** Hours since 1970 in which the match holds: inclusive, exclusive. */
  readonly fromHour: number;
  readonly toHour: number;
}
export interface HostMatches {
  readonly matches: readonly HostMatch[];
  /** For hosts that no rule joined: resources that come close, with the reason's code. */
  readonly proposals: ReadonlyMap<string, readonly { readonly resourceId: string; readonly reason: "same-name" | "similar-name" }[]>;
}

const ALWAYS_FROM = 0;
const ALWAYS_TO = 100_000_000;

export function matchHosts(hosts: readonly string[], resources: readonly BilledResource[], map: readonly HostMapEntry[]): HostMatches {
  const byKey = resourceKeys(resources);
  const matches: HostMatch[] = [];
  const proposals = new Map<string, { resourceId: string; reason: "same-name" | "similar-name" }[]>();
  for (const host of hosts) {
    const entries = map.filter((entry) => entry.Host.toLowerCase() === host.toLowerCase());
    for (const entry of entries) {
      matches.push({
        host,
        resourceId: entry.ResourceId,
        rule: "user-map",
        fromHour: entry.ValidFrom === null ? ALWAYS_FROM : Math.floor(Date.parse(entry.ValidFrom) / 3_600_000),
        toHour: entry.ValidTo === null ? ALWAYS_TO : Math.ceil(Date.parse(entry.ValidTo) / 3_600_000),
      });
    }
    if (entries.some((entry) => entry.ValidFrom === null && entry.ValidTo === null)) continue;
    const found = byRules(host, byKey);
    const only = found.resourceIds.length === 1 ? found.resourceIds[0] : undefined;
    if (only !== undefined) {
      for (const [fromHour, toHour] of hoursLeft(matches.filter((match) => match.host === host))) {
        matches.push({ host, resourceId: only, rule: found.rule, fromHour, toHour });
      }
    } else if (entries.length === 0) {
      const close = found.resourceIds.map((resourceId) => ({ resourceId, reason: "same-name" as const }));
      proposals.set(host, close.length > 0 ? close : similar(host, resources));
    }
  }
  return { matches, proposals };
}

interface ResourceKeys {
  readonly byId: ReadonlyMap<string, readonly string[]>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

function resourceKeys(resources: readonly BilledResource[]): ResourceKeys {
  const byId = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  const add = (keys: Map<string, string[]>, key: string, id: string): void => {
    const list = keys.get(key);
    if (!list) keys.set(key, [id]);
    else if (!list.includes(id)) list.push(id);
  };
  for (const { ResourceId, ResourceName } of resources) {
    const id = ResourceId.toLowerCase();
    add(byId, id, ResourceId);
    const segments = id.split(/[/:]/).filter((segment) => segment !== "");
    const last = segments.at(-1);
    if (last !== undefined && last !== id) {
      add(/^i-[0-9a-f]{8,17}$/.test(last) ? byId : byName, last, ResourceId);
      const scaleSet = segments.indexOf("virtualmachinescalesets");
      if (scaleSet >= 0 && segments[scaleSet + 1] !== undefined) {
        const instance = segments[scaleSet + 2] === "virtualmachines" ? segments[scaleSet + 3] : undefined;
        add(byName, instance === undefined ? `${segments[scaleSet + 1]}*` : `${segments[scaleSet + 1]}#${instance}`, ResourceId);
      }
    }
    if (ResourceName !== null && ResourceName !== "") add(byName, ResourceName.toLowerCase(), ResourceId);
  }
  return { byId, byName };
}

function byRules(host: string, keys: ResourceKeys): { rule: MatchRule; resourceIds: readonly string[] } {
  const full = host.toLowerCase();
  const label = full.split(".")[0] ?? full;
  for (const key of [full, label]) {
    const found = keys.byId.get(key);
    if (found) return { rule: "explicit-id", resourceIds: found };
  }
  const scaleSet = /^(.+-vmss|.+vmss)([0-9a-z]{6})$/.exec(label);
  const names = [full, label];
  if (scaleSet?.[1] !== undefined && scaleSet[2] !== undefined) names.push(`${scaleSet[1]}#${parseInt(scaleSet[2], 36)}`, `${scaleSet[1]}*`);
  for (const name of names) {
    const found = keys.byName.get(name);
    if (found) return { rule: "node-name", resourceIds: found };
  }
  return { rule: "node-name", resourceIds: [] };
}

function similar(host: string, resources: readonly BilledResource[]): { resourceId: string; reason: "similar-name" }[] {
  const label = (host.toLowerCase().split(".")[0] ?? "").replace(/[^a-z0-9]/g, "");
  if (label.length < 3) return [];
  const close: { resourceId: string; reason: "similar-name" }[] = [];
  for (const { ResourceId, ResourceName } of resources) {
    const name = (ResourceName ?? ResourceId.split(/[/:]/).at(-1) ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");
    if (name.length >= 3 && (name.includes(label) || label.includes(name))) close.push({ resourceId: ResourceId, reason: "similar-name" });
    if (close.length === 5) break;
  }
  return close;
}

/** The hours that dated entries leave free, so that a rule speaks only where the person did not. */
function hoursLeft(taken: readonly HostMatch[]): (readonly [number, number])[] {
  const spans = taken.map(({ fromHour, toHour }) => [fromHour, toHour] as const).sort((a, b) => a[0] - b[0]);
  const left: (readonly [number, number])[] = [];
  let from = ALWAYS_FROM;
  for (const [start, end] of spans) {
    if (start > from) left.push([from, start]);
    from = Math.max(from, end);
  }
  if (from < ALWAYS_TO) left.push([from, ALWAYS_TO]);
  return left;
}
