/** The fleet by host and hour, for the heat map, and hosts that no bill knows. */
import type { HeatBlock, HeatRow, TableBlock } from "../../../shared/contract/report.ts";
import { dayOf, parsePeriod, startOfDay } from "../../../shared/domain/period.ts";
import type { UtilizationCounter } from "../../../shared/domain/counter.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { gpuUtilization } from "../metrics/gpu-utilization.ts";
import { coverageOf, figureOf, share, sumHours } from "../metrics/metric.ts";
import { query, readAll, readOne, scopeFilter, sql } from "../store/sql.ts";
import { column, compareNames, nameCell, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { refTo, type Gathered } from "./gather.ts";
import { hostCounters } from "./ladder.ts";
import { keptOfMonth, type Days } from "./kept.ts";

/** What one hour of a host was, in a byte (HeatBlock). */
const NOT_RUNNING = -1;
const UNKNOWN = -2;
const HELD = -3;
const DEAD = -4;
const IDLE_MEMORY_UNKNOWN = -5;
/** Only the rows in sight are drawn; a document of so many is still small. */
const HOSTS_SHOWN = 512;

interface HostHour {
  readonly host: string;
  readonly hour: number;
  /** Seconds × cards. */
  readonly known: number;
  readonly useful: number;
  readonly held: number;
  readonly dead: number;
  readonly idleMemoryUnknown: number;
}

interface Host {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly gpus: number;
}

/** Hosts by hours of a month: the last one of the period in which anything was seen or billed. */
export function fleetHeat(gathered: Gathered): HeatBlock | null {
  const month = monthOf(gathered);
  if (month === null) return null;
  const { firstDay, endDay } = month;
  const hosts = hostsInScope(gathered);
  const byHost = Map.groupBy(hostHours(gathered, month.label), ({ host }) => host);
  const billed = billedHours(gathered, month);
  const byCounter = hostCounters(gathered);
  const joins = Map.groupBy(gathered.hosts(), ({ host }) => host);
  const teams = new Map(gathered.gpuHours().flatMap(({ resource, team }) => (resource === null ? [] : [[resource.toLowerCase(), team] as const])));
  const ofResource = Map.groupBy(gathered.gpuHoursOf(month.label), ({ resource }) => resource?.toLowerCase() ?? "");
  const rows: HeatRow[] = [];
  const joined = new Set<string>();
  for (const { host, gpuModel, gpus } of hosts) {
    const own = new Map((byHost.get(host) ?? []).map((entry) => [entry.hour, entry]));
    const resources = joins.get(host) ?? [];
    for (const { resource } of resources) joined.add(resource.toLowerCase());
    const billedHere = new Float64Array((endDay - firstDay) * 24);
    for (const { resource, fromHour, toHour } of resources) {
      billed.get(resource.toLowerCase())?.forEach((gpuHours, index) => {
        const hour = firstDay * 24 + index;
        if (hour >= fromHour && hour < toHour) billedHere[index] = (billedHere[index] as number) + gpuHours;
      });
    }
    const states = statesOf(own, billedHere, gpus, firstDay * 24);
    if (states.every((state) => state === NOT_RUNNING)) continue;
    const known = sumHours([...own.values()].map((entry) => entry.known));
    const running = states.filter((state) => state !== NOT_RUNNING).length;
    const billedRows = [...resources.flatMap(({ resource }) => ofResource.get(resource.toLowerCase()) ?? [])];
    const metric = billedRows.length === 0 ? null : gpuUtilization.figure(gathered.gpuHourFacts(billedRows));
    const names = [...new Set(billedRows.flatMap(({ resource }) => resource ?? []))];
    // Hours that a bill knows: the mean is then the one that the metric explains, by the page's counter as every row's.
    const explained = metric !== null && metric.value !== null ? metric : null;
    const coverage = running === 0 ? 0 : states.filter((state) => state !== NOT_RUNNING && state !== UNKNOWN).length / running;
    rows.push({
      id: `host ${host}`,
      label: host,
      gpuModel,
      team: resources.map(({ resource }) => teams.get(resource.toLowerCase())).find((team) => typeof team === "string") ?? null,
      gpus,
      states,
      mean: metric !== null && metric.why !== "no-gpu-hours" ? metric : utilizationOf(byCounter, host, gathered.counter() ?? "utilization", coverage),
      explain: explained === null ? null : { ...refTo(gathered, "gpu-utilization", { resource: names }), period: month.label },
      idleHours: figureOf("idle-gpu-hours", known === 0 ? null : states.filter((state) => state <= HELD).length, "hours", "measured", coverage, "no-telemetry"),
    });
  }
  rows.push(...unseenResources(gathered, billed, joined));
  rows.sort((a, b) => compareNames(a.gpuModel, b.gpuModel) || compareNames(a.label, b.label));
  if (rows.length === 0) return null;
  const shownRows = rows.slice(0, HOSTS_SHOWN);
  const params = { first: { instant: startOfDay(firstDay), precision: "day" }, last: { instant: startOfDay(endDay - 1), precision: "day" } } as const;
  return {
    kind: "heat",
    id: "fleet",
    title: message("fleet.title"),
    note: rows.length > shownRows.length ? message("fleet.note-part", { ...params, count: { count: rows.length - shownRows.length } }) : message("fleet.note", params),
    start: startOfDay(firstDay),
    hours: (endDay - firstDay) * 24,
    rows: shownRows,
  };
}

/** The mean of a host that no bill knows, by one counter. */
function utilizationOf(byCounter: ReturnType<typeof hostCounters>, host: string, counter: UtilizationCounter, coverage: number): Figure {
  const own = byCounter.get(host)?.get(counter);
  const value = own === undefined ? null : share(own.sum, own.seconds);
  return figureOf("gpu-utilization", value, "ratio", "measured", value === null ? 0 : coverage, byCounter.has(host) ? "not-measured" : "no-telemetry");
}

/** The state that most of the hour's GPU time had; on a tie, the one that claims less waste. `billed`: GPU-hours by hour from `firstHour`. */
function statesOf(own: ReadonlyMap<number, HostHour>, billed: Float64Array, gpus: number, firstHour: number): number[] {
  const seen = [...own.keys()];
  const [first, last] = [Math.min(...seen), Math.max(...seen)];
  const isBilled = billed.some((gpuHours) => gpuHours > 0);
  return [...billed].map((gpuHours, index) => {
    const hour = firstHour + index;
    const entry = own.get(hour);
    // Between two observed hours a host without a bill was somewhere: unknown, not off.
    if (entry === undefined) return gpuHours > 0 || (!isBilled && hour > first && hour < last) ? UNKNOWN : NOT_RUNNING;
    const expected = (gpuHours > 0 ? gpuHours : gpus) * 3600;
    const active = entry.known - entry.held - entry.dead - entry.idleMemoryUnknown;
    const candidates: readonly (readonly [number, number])[] = [
      [Math.round((100 * entry.useful) / (entry.known === 0 ? 1 : entry.known)), active],
      [UNKNOWN, Math.max(0, expected - entry.known)],
      [IDLE_MEMORY_UNKNOWN, entry.idleMemoryUnknown],
      [HELD, entry.held],
      [DEAD, entry.dead],
    ];
    return candidates.reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best))[0];
  });
}

/** GPU resources that are billed in the month and that no host is joined to: unknown while they run. */
function unseenResources(gathered: Gathered, billed: ReadonlyMap<string, Float64Array>, joined: ReadonlySet<string>): HeatRow[] {
  const seen = new Set<string>();
  const rows: HeatRow[] = [];
  for (const entry of gathered.gpuHours()) {
    const key = entry.resource?.toLowerCase();
    if (key === undefined || entry.resource === null || joined.has(key) || seen.has(key)) continue;
    seen.add(key);
    const hours = billed.get(key);
    if (hours === undefined) continue;
    const states = [...hours].map((gpuHours) => (gpuHours > 0 ? UNKNOWN : NOT_RUNNING));
    const most = Math.max(...hours);
    if (most === 0) continue;
    rows.push({
      id: `resource ${key}`,
      label: entry.resource.split("/").at(-1) ?? entry.resource,
      gpuModel: entry.gpuModel,
      team: entry.team,
      gpus: Math.round(most * 1000) / 1000,
      states,
      mean: figureOf("gpu-utilization", null, "ratio", "measured", 0, "no-telemetry"),
      explain: null,
      idleHours: figureOf("idle-gpu-hours", null, "hours", "measured", 0, "no-telemetry"),
    });
  }
  return rows;
}

/** The last month of the period in which anything was seen or billed. */
function monthOf({ context, firstDay, endDay, months }: Gathered): (Days & { readonly label: string }) | null {
  const last = readOne(context.ledger.db, query<{ day: number | null }>("day")`
    -- last-gpu-day
    SELECT max(Day) AS day FROM (
      SELECT max(Day) AS Day FROM gpu_hour_current WHERE Day >= ${firstDay} AND Day < ${endDay}
      UNION ALL SELECT max(Day) FROM gpu_hour_cost_current WHERE Day >= ${firstDay} AND Day < ${endDay}
    )`)?.day;
  if (last === null || last === undefined) return null;
  for (const label of months) {
    const period = parsePeriod(label);
    if (period !== null && last >= dayOf(period.start) && last < dayOf(period.end)) return { label, firstDay: dayOf(period.start), endDay: dayOf(period.end) };
  }
  return null;
}

/** Hosts of the devices, narrowed to the scope by the resources they are joined to. */
function hostsInScope(gathered: Gathered): readonly Host[] {
  const { scope } = gathered.asked;
  const all = readAll(gathered.context.ledger.db, query<Host>("host", "gpuModel", "gpus")`
    -- hosts
    SELECT Host AS host, max(GpuModel) AS gpuModel, coalesce(nullif(sum(CASE WHEN Uuid LIKE 'mig-%' THEN 0.0 ELSE Share END), 0.0), sum(Share)) AS gpus FROM device GROUP BY Host ORDER BY Host`);
  if (isEverything(scope)) return all;
  const resources = new Set(gathered.gpuHours().flatMap(({ resource }) => (resource === null ? [] : [resource.toLowerCase()])));
  const names = new Set(gathered.hosts().filter(({ resource }) => resources.has(resource.toLowerCase())).map(({ host }) => host));
  return all.filter(({ host }) => names.has(host));
}

function hostHours({ context }: Gathered, month: string): readonly HostHour[] {
  return keptOfMonth(context, month, "host-hours", ({ firstDay, endDay }) => readAll(context.ledger.db, query<HostHour>("host", "hour", "known", "useful", "held", "dead", "idleMemoryUnknown")`
    -- host-hours
    SELECT
      d.Host                                                   AS host,
      h.HourStart                                              AS hour,
      sum(h.KnownSeconds * d.Share)                            AS known,
      coalesce(sum(h.UtilizationMean * h.KnownSeconds * d.Share), 0.0) AS useful,
      sum(h.HeldIdleSeconds * d.Share)                         AS held,
      sum(h.DeadIdleSeconds * d.Share)                         AS dead,
      sum(h.IdleMemoryUnknownSeconds * d.Share)                AS idleMemoryUnknown
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day >= ${firstDay} AND h.Day < ${endDay} AND h.KnownSeconds > 0
    GROUP BY d.Host, h.HourStart
    ORDER BY d.Host, h.HourStart`));
}

interface BilledMonth {
  /** Its id in small letters. */
  readonly resource: string;
  /** GPU-hours, hour by hour of the month. */
  readonly hours: Float64Array;
}

/** Billed GPU-hours of each resource of the scope, hour by hour of the month; of any currency, since a machine runs in none. */
function billedHours({ context, asked }: Gathered, { label }: Days & { readonly label: string }): ReadonlyMap<string, Float64Array> {
  const months = keptOfMonth(context, label, `billed-hours ${JSON.stringify(asked.scope)}`, (days) => billedMonths(context, asked.scope, label, days));
  return new Map(months.map(({ resource, hours }) => [resource, hours]));
}

/** A day at a time, so that the rows of a large fleet's month are never held together. */
function billedMonths({ ledger: { db } }: ReportContext, scope: Scope, label: string, { firstDay, endDay }: Days): readonly BilledMonth[] {
  const resourceOf = new Map(readAll(db, query<{ seriesId: number; resource: string }>("seriesId", "resource")`
    -- billed-series
    SELECT s.SeriesId AS seriesId, lower(s.ResourceId) AS resource
    FROM series AS s
    WHERE s.ResourceId IS NOT NULL ${scopeFilter(scope, "s", sql`${label}`)}
      AND s.SeriesId IN (SELECT SeriesId FROM gpu_cost_day_current WHERE Day >= ${firstDay} AND Day < ${endDay})
    ORDER BY s.SeriesId`).map(({ seriesId, resource }) => [seriesId, resource]));
  const byResource = new Map<string, Float64Array>();
  for (let day = firstDay; day < endDay; day += 1) {
    for (const { seriesId, hour, gpuHours } of readAll(db, query<{ seriesId: number; hour: number; gpuHours: number }>("seriesId", "hour", "gpuHours")`
      -- billed-hours
      SELECT SeriesId AS seriesId, HourStart AS hour, GpuHours AS gpuHours
      FROM gpu_hour_cost_current
      WHERE Day = ${day} AND GpuHours > 0`)) {
      const resource = resourceOf.get(seriesId);
      if (resource === undefined) continue;
      let hours = byResource.get(resource);
      if (hours === undefined) byResource.set(resource, (hours = new Float64Array((endDay - firstDay) * 24)));
      const index = hour - firstDay * 24;
      hours[index] = (hours[index] as number) + gpuHours;
    }
  }
  return [...byResource].map(([resource, hours]) => ({ resource, hours }));
}

function isEverything(scope: Scope): boolean {
  return Object.values(scope).every((wanted) => wanted === undefined);
}

interface ObservedHost {
  readonly host: string;
  readonly gpuModel: string | null;
  /** GPU-hours. */
  readonly known: number;
  readonly idle: number;
}
export interface UnbilledHost extends ObservedHost {
  /** GPU-hours that the page's counter measured, and those at work by it. */
  readonly counted: number;
  readonly countedUseful: number;
}

/** The page's counter, or, where nothing is billed, the one that most of the unbilled hosts' hours were measured by. */
export function counterOfUnbilled(gathered: Gathered, hosts: readonly ObservedHost[]): UtilizationCounter {
  const chosen = gathered.counter();
  if (chosen !== null) return chosen;
  const byCounter = hostCounters(gathered);
  const measured = (counter: UtilizationCounter): number => sumHours(hosts.map(({ host }) => (byCounter.get(host)?.get(counter)?.seconds ?? 0) / 3600));
  return measured("engine-active") >= measured("utilization") ? "engine-active" : "utilization";
}

/** Hosts with telemetry in the period whose resource no bill names, of the whole ledger or of a GPU model. */
export function unbilledHosts(gathered: Gathered): readonly UnbilledHost[] {
  const { scope } = gathered.asked;
  if (Object.entries(scope).some(([dimension, wanted]) => dimension !== "gpuModel" && wanted !== undefined)) return [];
  const { months, context } = gathered;
  const billed = gathered.billedResources();
  const joined = new Set(gathered.hosts().filter(({ resource }) => billed.has(resource.toLowerCase())).map(({ host }) => host));
  const observed = months.flatMap((month) => keptOfMonth(context, month, "hosts", (days) => readAll(context.ledger.db, query<ObservedHost>("host", "gpuModel", "known", "idle")`
    -- observed-hosts
    SELECT
      d.Host                                    AS host,
      max(d.GpuModel)                           AS gpuModel,
      sum(h.KnownSeconds * d.Share) / 3600.0    AS known,
      sum((h.HeldIdleSeconds + h.DeadIdleSeconds + h.IdleMemoryUnknownSeconds) * d.Share) / 3600.0 AS idle
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day >= ${days.firstDay} AND h.Day < ${days.endDay} AND h.KnownSeconds > 0
    GROUP BY d.Host
    ORDER BY d.Host`)));
  const unbilled = observed.filter(({ host, gpuModel }) => !joined.has(host) && (scope.gpuModel === undefined || scope.gpuModel.includes(gpuModel)));
  const hosts = [...Map.groupBy(unbilled, ({ host }) => host)].map(([host, ofHost]) => ({
    host,
    gpuModel: ofHost[0]?.gpuModel ?? null,
    known: sumHours(ofHost.map(({ known }) => known)),
    idle: sumHours(ofHost.map(({ idle }) => idle)),
  }));
  const counter = counterOfUnbilled(gathered, hosts);
  const byCounter = hostCounters(gathered);
  return hosts.map((host) => {
    const { seconds, sum } = byCounter.get(host.host)?.get(counter) ?? { seconds: 0, sum: 0 };
    return { ...host, counted: seconds / 3600, countedUseful: sum / 3600 };
  });
}

/** How busy they were by the page's one counter; coverage is the share of their observed GPU-hours that it measured. */
export function unbilledUtilization(hosts: readonly UnbilledHost[]): Figure {
  const counted = sumHours(hosts.map(({ counted }) => counted));
  return figureOf("gpu-utilization", share(sumHours(hosts.map(({ countedUseful }) => countedUseful)), counted), "ratio", "measured", coverageOf(counted, sumHours(hosts.map(({ known }) => known))), "not-measured");
}

export function unbilledHostsTable(hosts: readonly UnbilledHost[]): TableBlock {
  const hours = (metric: "gpu-hours" | "idle-gpu-hours", value: number) => figureOf(metric, value, "gpu-hours", "measured", 1);
  const sum = (of: (host: UnbilledHost) => number): number => sumHours(hosts.map(of));
  return {
    kind: "table",
    id: "hosts-without-bill",
    title: message("hosts-without-bill.title"),
    note: message("hosts-without-bill.note"),
    chart: null,
    columns: [
      column("host", "mono", 1, message("column.host")),
      column("model", "text", 1, message("column.gpu")),
      column("known", "figure", 1, message("column.known-gpu-hours")),
      column("utilization", "figure", 1, message("column.utilization")),
      column("idle", "figure", 1, message("column.idle-gpu-hours")),
    ],
    rows: hosts.map((each) => {
      const { host, gpuModel, known, idle } = each;
      return row(`host ${host}`, [text(host), nameCell(gpuModel, "gpu.none"), shown(hours("gpu-hours", known)), shown(unbilledUtilization([each])), shown(hours("idle-gpu-hours", idle))]);
    }),
    total: row("total", [
      words("row.total"),
      { absent: "not-applicable" },
      shown(hours("gpu-hours", sum(({ known }) => known))),
      shown(unbilledUtilization(hosts)),
      shown(hours("idle-gpu-hours", sum(({ idle }) => idle))),
    ]),
  };
}
