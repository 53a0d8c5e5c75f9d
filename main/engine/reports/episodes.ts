/** Idle episodes with their evidence and cost. */
import type { Cell, Row, TableBlock } from "../../../shared/contract/report.ts";
import { committedOptions, sumGpuHours, type GpuHourFacts } from "../metrics/gpu-hours-where-met.ts";
import { idleAvoidableCost } from "../metrics/idle-avoidable-cost.ts";
import { idleCost } from "../metrics/idle-cost.ts";
import { coverageOf, figureOf, sumStated } from "../metrics/metric.ts";
import type { PurchaseOption } from "../../../shared/domain/charge.ts";
import { startOfDay } from "../../../shared/domain/period.ts";
import { money, query, readAll } from "../store/sql.ts";
import { column, compareNames, nameCell, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { refTo, type Gathered } from "./gather.ts";
import { deviceMonth } from "./device-month.ts";
import type { HostJoin } from "./hosts.ts";
import { keptOfMonth, type Days } from "./kept.ts";

const EPISODES = 8;

/** One stretch in which GPUs of a host were idle together. Costs are attos. */
export interface HostEpisode {
  readonly host: string;
  readonly resource: string;
  readonly team: string | null;
  readonly startSecond: number;
  readonly endSecond: number;
  readonly gpus: number;
  readonly heldSeconds: number;
  readonly deadSeconds: number;
  readonly idleSeconds: number;
  readonly utilizationMean: number;
  readonly memoryShareMean: number | null;
  readonly memoryMebibytes: number | null;
  readonly powerMeanWatts: number | null;
  readonly cost: bigint;
  readonly avoidable: bigint;
}

/** An episode before anyone asked: what it cost by series, of whatever scope and currency. */
interface PricedEpisode extends Omit<HostEpisode, "resource" | "team" | "cost" | "avoidable"> {
  readonly costs: ReadonlyMap<number, bigint>;
}

interface DeviceEpisode {
  readonly deviceId: number;
  readonly host: string;
  readonly share: number;
  readonly memoryTotalMiB: number | null;
  readonly startSecond: number;
  readonly endSecond: number;
  readonly idleSeconds: number;
  readonly heldSeconds: number;
  readonly deadSeconds: number;
  readonly utilizationMean: number;
  readonly memoryShareMean: number | null;
  readonly powerMeanWatts: number | null;
}

/**
 * Episodes of the period by cost, those of the scope and currency. An hour's idle cost of a charge is shared out over the idle seconds of
 * its resource's devices in that hour, and a device's part over its episodes by their time in the hour; by cumulative floors, so that the
 * parts of an hour add up to it exactly. Devices of a host that idle together (nine tenths of the time of either) and alike stand as one episode;
 * an episode that crosses the edge of a month stands in both.
 */
export function hostEpisodes(gathered: Gathered): readonly HostEpisode[] {
  const { context, months, currency, asked } = gathered;
  const ofWhom = JSON.stringify([currency, asked.scope, asked.billedIn]);
  const byMonth = months.map((month) => keptOfMonth(context, month, `host-episodes ${ofWhom}`, () => episodesOfMonth(gathered, month)));
  const [only] = byMonth;
  return only !== undefined && byMonth.length === 1 ? only : byMonth.flat().sort(dearestFirst);
}

/** Those of a month, the dearest first, whose machine is as its charges of that month say. */
function episodesOfMonth(gathered: Gathered, month: string): HostEpisode[] {
  const series = new Map(gathered.gpuHoursOf(month).map((entry) => [entry.seriesId, entry]));
  return keptOfMonth(gathered.context, month, "episodes", (days) => pricedEpisodes(gathered.context, gathered.hosts(), days)).flatMap(({ costs, ...episode }): HostEpisode[] => {
    const own = [...costs].flatMap(([seriesId, attos]) => {
      const entry = series.get(seriesId);
      return entry === undefined ? [] : [{ entry, attos }];
    });
    const [first] = own;
    if (first === undefined) return [];
    const cost = own.reduce((total, { attos }) => total + attos, 0n);
    const avoidable = own.reduce((total, { entry, attos }) => (isAvoidable(entry.purchaseOption) ? total + attos : total), 0n);
    return [{ ...episode, resource: first.entry.resource ?? "", team: first.entry.team, cost, avoidable }];
  }).sort(dearestFirst);
}

function dearestFirst(a: HostEpisode, b: HostEpisode): number {
  return a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : a.startSecond - b.startSecond || compareNames(a.host, b.host);
}

function isAvoidable(option: PurchaseOption | null): boolean {
  return option === "on-demand" || option === "spot";
}

function pricedEpisodes(context: ReportContext, joins: readonly HostJoin[], days: Days): PricedEpisode[] {
  const devices = deviceEpisodes(context, days);
  if (devices.length === 0) return [];
  const costs = episodeCosts(context, joins, days, devices);
  const clusters: { members: DeviceEpisode[]; seed: DeviceEpisode }[] = [];
  for (const [, ofHost] of Map.groupBy(devices, ({ host }) => host)) {
    let open: { members: DeviceEpisode[]; seed: DeviceEpisode }[] = [];
    for (const episode of [...ofHost].sort((a, b) => a.startSecond - b.startSecond || a.deviceId - b.deviceId)) {
      // Later ones start later still: what ended before this one can take no more.
      open = open.filter(({ seed }) => seed.endSecond > episode.startSecond);
      const together = open.find(({ seed, members }) => overlap(seed, episode) >= 0.9 && stateKind(seed) === stateKind(episode) && members.every(({ deviceId }) => deviceId !== episode.deviceId));
      if (together) together.members.push(episode);
      else {
        const cluster = { members: [episode], seed: episode };
        open.push(cluster);
        clusters.push(cluster);
      }
    }
  }
  return clusters.flatMap(({ members, seed }) => {
    const bySeries = new Map<number, bigint>();
    for (const member of members) {
      for (const [seriesId, attos] of costs.get(member) ?? []) {
        const known = bySeries.get(seriesId);
        bySeries.set(seriesId, known === undefined ? attos : known + attos);
      }
    }
    if (bySeries.size === 0) return [];
    const weighted = (of: (member: DeviceEpisode) => number | null): number | null => weightedMean(members, of);
    const sum = (of: (member: DeviceEpisode) => number): number => members.reduce((total, member) => total + of(member), 0);
    const memoryShareMean = weighted((member) => member.memoryShareMean);
    const card = members.every((member) => member.memoryTotalMiB !== null) ? weighted((member) => member.memoryTotalMiB) : null;
    return [{
      host: seed.host,
      startSecond: Math.min(...members.map((member) => member.startSecond)),
      endSecond: Math.max(...members.map((member) => member.endSecond)),
      gpus: sum((member) => member.share),
      heldSeconds: sum((member) => member.heldSeconds * member.share),
      deadSeconds: sum((member) => member.deadSeconds * member.share),
      idleSeconds: sum((member) => member.idleSeconds * member.share),
      utilizationMean: weighted((member) => member.utilizationMean) as number,
      memoryShareMean,
      memoryMebibytes: memoryShareMean === null || card === null ? null : memoryShareMean * card,
      powerMeanWatts: weighted((member) => member.powerMeanWatts),
      costs: bySeries,
    }];
  });
}

function weightedMean(members: readonly DeviceEpisode[], of: (member: DeviceEpisode) => number | null): number | null {
  let [sum, weight] = [0, 0];
  for (const member of members) {
    const value = of(member);
    if (value === null) continue;
    sum += value * member.idleSeconds;
    weight += member.idleSeconds;
  }
  return weight === 0 ? null : sum / weight;
}

/** Shared time ÷ time of both together. */
function overlap(a: DeviceEpisode, b: DeviceEpisode): number {
  const both = Math.min(a.endSecond, b.endSecond) - Math.max(a.startSecond, b.startSecond);
  return both <= 0 ? 0 : both / (Math.max(a.endSecond, b.endSecond) - Math.min(a.startSecond, b.startSecond));
}

/** The ledger keeps an episode in pieces of UTC days; pieces that adjoin are one. */
function deviceEpisodes(context: ReportContext, { firstDay, endDay }: Days): DeviceEpisode[] {
  const pieces = readAll(context.ledger.db, query<DeviceEpisode>(
    "deviceId", "host", "share", "memoryTotalMiB", "startSecond", "endSecond", "idleSeconds", "heldSeconds", "deadSeconds", "utilizationMean", "memoryShareMean", "powerMeanWatts",
  )`
    -- idle-episodes
    SELECT
      e.DeviceId        AS deviceId,
      d.Host            AS host,
      d.Share           AS share,
      d.MemoryTotalMiB  AS memoryTotalMiB,
      e.StartSecond     AS startSecond,
      e.EndSecond       AS endSecond,
      e.IdleSeconds     AS idleSeconds,
      e.HeldSeconds     AS heldSeconds,
      e.DeadSeconds     AS deadSeconds,
      e.UtilizationMean AS utilizationMean,
      e.MemoryShareMean AS memoryShareMean,
      e.PowerMeanWatts  AS powerMeanWatts
    FROM idle_episode_current AS e
    JOIN device AS d ON d.DeviceId = e.DeviceId
    WHERE e.Day >= ${firstDay} AND e.Day < ${endDay}
    ORDER BY e.DeviceId, e.StartSecond`);
  const episodes: DeviceEpisode[] = [];
  for (const piece of pieces) {
    const last = episodes.at(-1);
    if (last === undefined || last.deviceId !== piece.deviceId || last.endSecond !== piece.startSecond) {
      episodes.push(piece);
      continue;
    }
    const mean = (of: (episode: DeviceEpisode) => number | null): number | null => weightedMean([last, piece], of);
    episodes[episodes.length - 1] = {
      ...last,
      endSecond: piece.endSecond,
      idleSeconds: last.idleSeconds + piece.idleSeconds,
      heldSeconds: last.heldSeconds + piece.heldSeconds,
      deadSeconds: last.deadSeconds + piece.deadSeconds,
      utilizationMean: mean((episode) => episode.utilizationMean) as number,
      memoryShareMean: mean((episode) => episode.memoryShareMean),
      powerMeanWatts: mean((episode) => episode.powerMeanWatts),
    };
  }
  return episodes;
}

interface IdleHour {
  readonly seriesId: number;
  readonly resource: string;
  readonly hour: number;
  readonly held: bigint | null;
  readonly dead: bigint | null;
  readonly memoryUnknown: bigint | null;
}

/** An episode's claim on an hour of a resource, in whole microseconds × cards. */
interface Claim {
  readonly episode: DeviceEpisode;
  readonly weight: number;
}

/**
 * By resource, its id in small letters, and hour of the month: the claims on it, device after device. A device's idle seconds of an hour are
 * shared out over its episodes by their time in the hour. `idleOf`: idle seconds of a device, hour by hour of the month.
 */
function claimsOf(episodes: readonly DeviceEpisode[], joins: readonly HostJoin[], idleOf: ReadonlyMap<number, Float64Array>, { firstDay, endDay }: Days): ReadonlyMap<string, readonly (Claim[] | undefined)[]> {
  const [firstHour, hours] = [firstDay * 24, (endDay - firstDay) * 24];
  const byResource = new Map<string, (Claim[] | undefined)[]>();
  const resourcesOf = new Map([...Map.groupBy(joins, ({ host }) => host)].map(([host, own]) => [host, own.map(({ resource, fromHour, toHour }) => {
    const key = resource.toLowerCase();
    let list = byResource.get(key);
    if (list === undefined) byResource.set(key, (list = new Array<Claim[] | undefined>(hours)));
    return { list, from: fromHour - firstHour, to: toHour - firstHour };
  })]));
  for (const [deviceId, ofDevice] of Map.groupBy(episodes, (episode) => episode.deviceId)) {
    const idle = idleOf.get(deviceId);
    if (idle === undefined) continue;
    const inEpisodes = new Float64Array(hours);
    for (const episode of ofDevice) eachHourOf(episode, firstHour, (hour, seconds) => (inEpisodes[hour] = (inEpisodes[hour] as number) + seconds));
    for (const episode of ofDevice) {
      const resources = resourcesOf.get(episode.host) ?? [];
      eachHourOf(episode, firstHour, (hour, seconds) => {
        const [known, all] = [idle[hour] ?? 0, inEpisodes[hour] as number];
        if (known === 0 || all === 0) return;
        const weight = Math.round(((known * seconds) / all) * episode.share * 1e6);
        for (const { list, from, to } of resources) if (hour >= from && hour < to) (list[hour] ??= []).push({ episode, weight });
      });
    }
  }
  return byResource;
}

/** The hours of an episode, counted from `firstHour`, with its seconds in each. */
function eachHourOf({ startSecond, endSecond }: DeviceEpisode, firstHour: number, visit: (hour: number, seconds: number) => void): void {
  for (let hour = Math.floor(startSecond / 3600); hour * 3600 < endSecond; hour += 1) visit(hour - firstHour, Math.min(endSecond, (hour + 1) * 3600) - Math.max(startSecond, hour * 3600));
}

/** What each episode cost, by series; an episode of a device that no billed resource is joined to has no entry. */
function episodeCosts(context: ReportContext, joins: readonly HostJoin[], { firstDay, endDay }: Days, episodes: readonly DeviceEpisode[]): Map<DeviceEpisode, Map<number, bigint>> {
  const costs = new Map<DeviceEpisode, Map<number, bigint>>();
  const { db } = context.ledger;
  const idleHours = readAll(db, query<IdleHour>("seriesId", "resource", "hour", "held", "dead", "memoryUnknown")`
    -- idle-hours
    SELECT
      h.SeriesId                             AS seriesId,
      lower(s.ResourceId)                    AS resource,
      h.HourStart                            AS hour,
      ${money("HeldIdleCost", "h")}          AS held,
      ${money("DeadIdleCost", "h")}          AS dead,
      ${money("IdleMemoryUnknownCost", "h")} AS memoryUnknown
    FROM gpu_hour_cost_current AS h
    JOIN series AS s ON s.SeriesId = h.SeriesId
    WHERE h.Day >= ${firstDay} AND h.Day < ${endDay} AND h.IdleGpuHours > 0 AND s.ResourceId IS NOT NULL
    ORDER BY h.Day, h.HourStart, h.SeriesId`);
  const claims = claimsOf(episodes, joins, deviceMonth(context, startOfDay(firstDay).slice(0, 7)).idle, { firstDay, endDay });
  for (const { seriesId, resource, hour, held, dead, memoryUnknown } of idleHours) {
    const list = claims.get(resource)?.[hour - firstDay * 24] ?? [];
    const all = BigInt(list.reduce((sum, { weight }) => sum + weight, 0));
    const attos = sumStated([held, dead, memoryUnknown]);
    if (all === 0n || attos === null) continue;
    let [reached, taken] = [0n, 0n];
    for (const { episode, weight } of list) {
      reached += BigInt(weight);
      const upTo = (attos * reached) / all;
      let bySeries = costs.get(episode);
      if (bySeries === undefined) costs.set(episode, (bySeries = new Map<number, bigint>()));
      const known = bySeries.get(seriesId);
      bySeries.set(seriesId, known === undefined ? upTo - taken : known + upTo - taken);
      taken = upTo;
    }
  }
  return costs;
}

export function episodesTable(gathered: Gathered, hours: GpuHourFacts, episodes: readonly HostEpisode[]): TableBlock {
  const currency = hours.currency;
  const totals = sumGpuHours(hours.rows);
  const coverage = coverageOf(totals.knownCostAttos, totals.costAttos);
  const idle = (attos: bigint) => figureOf("idle-cost", attos, currency, "measured", coverage);
  const avoidable = (attos: bigint) => figureOf("idle-avoidable-cost", attos, currency, "measured", coverage);
  const top = episodes.slice(0, EPISODES).filter(({ cost }) => cost !== 0n);
  const cells = (episode: HostEpisode): Cell[] => [
    text(episode.host),
    nameCell(episode.team, "team.none"),
    { instant: instantOf(episode.startSecond), precision: "minute" },
    shown(figureOf("idle-gpu-hours", (episode.endSecond - episode.startSecond) / 3600, "hours", "measured", 1)),
    shown(figureOf("row-count", episode.gpus, "count", "measured", 1)),
    stateOf(episode),
    evidenceOf(episode),
    shown(idle(episode.cost), refTo(gathered, "idle-cost", { resource: [episode.resource] })),
    episode.avoidable === 0n && isCommitted(hours, episode.resource) ? words("cell.sunk") : shown(avoidable(episode.avoidable)),
  ];
  const rows: Row[] = top.map((episode) => row(`${episode.host} ${episode.startSecond}`, cells(episode), toneOf(episode)));
  const restCost = totals.idleAttos - top.reduce((attos, { cost }) => attos + cost, 0n);
  const restAvoidable = totals.avoidableIdleAttos - top.reduce((attos, episode) => attos + episode.avoidable, 0n);
  const others = episodes.length - top.length;
  if (others > 0 || restCost !== 0n) {
    rows.push(row("all-other", [
      words("row.all-other-episodes", { count: { count: others } }),
      ...new Array<Cell>(6).fill(notApplicable),
      shown(idle(restCost)),
      shown(avoidable(restAvoidable)),
    ], "muted"));
  }
  return {
    kind: "table",
    id: "episodes",
    title: message("episodes.title"),
    note: message("episodes.note", { currency: { text: currency } }),
    chart: null,
    columns: [
      column("host", "mono", 1, message("column.host")),
      column("team", "text", 1, message("column.team")),
      column("from", "time", 1, message("column.from-utc")),
      column("hours", "figure", 1, message("column.hours")),
      column("gpus", "figure", 2, message("column.gpus")),
      column("state", "text", 1, message("column.state")),
      column("evidence", "text", 2, message("column.evidence")),
      column("cost", "figure", 1, message("column.cost")),
      column("avoidable", "figure", 1, message("column.avoidable")),
    ],
    rows,
    total: row("total", [
      words("row.idle-total", { period: { period: gathered.asked.period } }),
      ...new Array<Cell>(6).fill(notApplicable),
      shown(idleCost.figure(hours), refTo(gathered, "idle-cost")),
      shown(idleAvoidableCost.figure(hours), refTo(gathered, "idle-avoidable-cost")),
    ]),
  };
}

function isCommitted(hours: GpuHourFacts, resource: string): boolean {
  const own = hours.rows.filter((entry) => entry.resource?.toLowerCase() === resource.toLowerCase());
  return own.length > 0 && own.every(({ purchaseOption }) => purchaseOption !== null && committedOptions.has(purchaseOption));
}

function stateKind({ heldSeconds, deadSeconds, idleSeconds }: Pick<HostEpisode, "heldSeconds" | "deadSeconds" | "idleSeconds">): "held" | "dead" | "memory-unknown" {
  const unknown = idleSeconds - heldSeconds - deadSeconds;
  if (unknown > heldSeconds && unknown > deadSeconds) return "memory-unknown";
  return heldSeconds >= deadSeconds ? "held" : "dead";
}

function stateOf(episode: HostEpisode): Cell {
  return words(`state.${stateKind(episode)}`);
}

function toneOf(episode: HostEpisode): NonNullable<Row["tone"]> {
  const kind = stateKind(episode);
  return kind === "memory-unknown" ? "unknown" : kind;
}

/** What was measured: utilization, memory and power, each only where it was. */
function evidenceOf({ utilizationMean, memoryShareMean, memoryMebibytes, powerMeanWatts }: HostEpisode): Cell {
  const utilization = { ratio: utilizationMean };
  const watts = powerMeanWatts === null ? null : { number: powerMeanWatts, digits: 0 };
  if (memoryMebibytes !== null) {
    const gibibytes = { number: memoryMebibytes / 1024, digits: 1 };
    return watts === null ? words("evidence.utilization-memory", { utilization, gibibytes }) : words("evidence.utilization-memory-power", { utilization, gibibytes, watts });
  }
  if (memoryShareMean !== null) {
    const memory = { ratio: memoryShareMean };
    return watts === null ? words("evidence.utilization-share", { utilization, memory }) : words("evidence.utilization-share-power", { utilization, memory, watts });
  }
  return watts === null ? words("evidence.utilization", { utilization }) : words("evidence.utilization-power", { utilization, watts });
}

function instantOf(second: number): string {
  return new Date(second * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}
