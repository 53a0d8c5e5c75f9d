/** The fleet by host and hour, for the heat map, and hosts that no bill knows. */
import type { HeatBlock, HeatRow, TableBlock } from "../../../shared/contract/report.ts";
import { dayOf, parsePeriod, startOfDay } from "../../../shared/domain/period.ts";
import type { UtilizationCounter } from "../../../shared/domain/counter.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { gpuUtilization } from "../metrics/gpu-utilization.ts";
import { coverageOf, figureOf, share, sumHours } from "../metrics/metric.ts";
import { decodeGpuSeriesDay, eachHourRun } from "../store/gpu-series-day.ts";
import { query, readAll, readOne, scopeFilter, sql } from "../store/sql.ts";
import { column, compareNames, nameCell, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { deviceMonth, type HostHours } from "./device-month.ts";
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

interface Host {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly gpus: number;
}

/** A row before its hours are drawn: only those shown are. */
interface Drawn {
  readonly gpuModel: string | null;
  readonly label: string;
  readonly draw: () => HeatRow;
}

/** Hosts by hours of a month: the last one of the period in which anything was seen or billed. */
export function fleetHeat(gathered: Gathered): HeatBlock | null {
  const month = monthOf(gathered);
  if (month === null) return null;
  const { firstDay, endDay } = month;
  const billed = billedHours(gathered, month);
  const rows = [...seenHosts(gathered, month, billed), ...unseenResources(gathered, billed, new Set(gathered.hosts().map(({ resource }) => resource.toLowerCase())))];
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
    rows: shownRows.map(({ draw }) => draw()),
  };
}

type Month = Days & { readonly label: string };

/** Hosts of the scope with an hour that was seen or billed. */
function seenHosts(gathered: Gathered, month: Month, billed: ReadonlyMap<string, BilledMonth>): Drawn[] {
  const seen = deviceMonth(gathered.context, month.label).hours;
  const joins = Map.groupBy(gathered.hosts(), ({ host }) => host);
  const teams = new Map(gathered.gpuHours().flatMap(({ resource, team }) => (resource === null ? [] : [[resource.toLowerCase(), team] as const])));
  const ofResource = Map.groupBy(gathered.gpuHoursOf(month.label), ({ resource }) => resource?.toLowerCase() ?? "");
  const byCounter = hostCounters(gathered);
  const firstHour = month.firstDay * 24;
  const hours = (month.endDay - month.firstDay) * 24;
  return hostsInScope(gathered).flatMap(({ host, gpuModel, gpus }): Drawn[] => {
    const found = seen.get(host);
    const own = found !== undefined && found.known.some((seconds) => seconds > 0) ? found : null;
    const resources = joins.get(host) ?? [];
    const billedHere = new Float64Array(hours);
    for (const { resource, fromHour, toHour } of resources) {
      billed.get(resource.toLowerCase())?.hours.forEach((gpuHours, index) => {
        if (firstHour + index >= fromHour && firstHour + index < toHour) billedHere[index] = (billedHere[index] as number) + gpuHours;
      });
    }
    if (own === null && billedHere.every((gpuHours) => gpuHours === 0)) return [];
    const draw = (): HeatRow => {
      const states = statesOf(own, billedHere, gpus);
      const running = countOf(states, (state) => state !== NOT_RUNNING);
      const billedRows = [...resources.flatMap(({ resource }) => ofResource.get(resource.toLowerCase()) ?? [])];
      const metric = billedRows.length === 0 ? null : gpuUtilization.figure(gathered.gpuHourFacts(billedRows));
      const names = [...new Set(billedRows.flatMap(({ resource }) => resource ?? []))];
      // Hours that a bill knows: the mean is then the one that the metric explains, by the page's counter as every row's.
      const explained = metric !== null && metric.value !== null ? metric : null;
      const coverage = running === 0 ? 0 : countOf(states, (state) => state !== NOT_RUNNING && state !== UNKNOWN) / running;
      return {
        id: `host ${host}`,
        label: host,
        gpuModel,
        team: resources.map(({ resource }) => teams.get(resource.toLowerCase())).find((team) => typeof team === "string") ?? null,
        gpus,
        states,
        mean: metric !== null && metric.why !== "no-gpu-hours" ? metric : utilizationOf(byCounter, host, gathered.counter() ?? "utilization", coverage),
        explain: explained === null ? null : { ...refTo(gathered, "gpu-utilization", { resource: names }), period: month.label },
        idleHours: figureOf("idle-gpu-hours", own === null ? null : countOf(states, (state) => state <= HELD), "hours", "measured", coverage, "no-telemetry"),
      };
    };
    return [{ gpuModel, label: host, draw }];
  });
}

function countOf(states: readonly number[], test: (state: number) => boolean): number {
  return states.reduce((count, state) => (test(state) ? count + 1 : count), 0);
}

/** The mean of a host that no bill knows, by one counter. */
function utilizationOf(byCounter: ReturnType<typeof hostCounters>, host: string, counter: UtilizationCounter, coverage: number): Figure {
  const own = byCounter.get(host)?.get(counter);
  const value = own === undefined ? null : share(own.sum, own.seconds);
  return figureOf("gpu-utilization", value, "ratio", "measured", value === null ? 0 : coverage, byCounter.has(host) ? "not-measured" : "no-telemetry");
}

/** The state that most of the hour's GPU time had; on a tie, the one that claims less waste. `billed`: GPU-hours hour by hour. */
function statesOf(own: HostHours | null, billed: Float64Array, gpus: number): number[] {
  const first = own === null ? Number.POSITIVE_INFINITY : own.known.findIndex((seconds) => seconds > 0);
  const last = own === null ? Number.NEGATIVE_INFINITY : own.known.findLastIndex((seconds) => seconds > 0);
  const isBilled = billed.some((gpuHours) => gpuHours > 0);
  return Array.from(billed, (gpuHours, index) => {
    const known = own?.known[index] ?? 0;
    // Between two observed hours a host without a bill was somewhere: unknown, not off.
    if (own === null || known === 0) return gpuHours > 0 || (!isBilled && index > first && index < last) ? UNKNOWN : NOT_RUNNING;
    const [useful, held, dead, idleMemoryUnknown] = [own.useful[index] as number, own.held[index] as number, own.dead[index] as number, own.idleMemoryUnknown[index] as number];
    let state = Math.round((100 * useful) / known);
    let most = known - held - dead - idleMemoryUnknown;
    const consider = (candidate: number, seconds: number): void => {
      if (seconds > most) [state, most] = [candidate, seconds];
    };
    consider(UNKNOWN, Math.max(0, (gpuHours > 0 ? gpuHours : gpus) * 3600 - known));
    consider(IDLE_MEMORY_UNKNOWN, idleMemoryUnknown);
    consider(HELD, held);
    consider(DEAD, dead);
    return state;
  });
}

/** GPU resources that are billed in the month and that no host is joined to: unknown while they run. */
function unseenResources(gathered: Gathered, billed: ReadonlyMap<string, BilledMonth>, joined: ReadonlySet<string>): Drawn[] {
  const seen = new Set<string>();
  return gathered.gpuHours().flatMap(({ resource, gpuModel, team }): Drawn[] => {
    const key = resource?.toLowerCase();
    if (key === undefined || resource === null || joined.has(key) || seen.has(key)) return [];
    seen.add(key);
    const month = billed.get(key);
    if (month === undefined) return [];
    const label = resource.split("/").at(-1) ?? resource;
    const draw = (): HeatRow => ({
      id: `resource ${key}`,
      label,
      gpuModel,
      team,
      gpus: Math.round(month.most * 1000) / 1000,
      states: Array.from(month.hours, (gpuHours) => (gpuHours > 0 ? UNKNOWN : NOT_RUNNING)),
      mean: figureOf("gpu-utilization", null, "ratio", "measured", 0, "no-telemetry"),
      explain: null,
      idleHours: figureOf("idle-gpu-hours", null, "hours", "measured", 0, "no-telemetry"),
    });
    return [{ gpuModel, label, draw }];
  });
}

/** The last month of the period in which anything was seen or billed. */
function monthOf({ context, firstDay, endDay, months }: Gathered): Month | null {
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

interface BilledMonth {
  /** Its id in small letters. */
  readonly resource: string;
  /** GPU-hours, hour by hour of the month, and the most of them. */
  readonly hours: Float64Array;
  readonly most: number;
}

/** Billed GPU-hours of each resource of the scope, hour by hour of the month; of any currency, since a machine runs in none. */
function billedHours({ context, asked }: Gathered, { label }: Month): ReadonlyMap<string, BilledMonth> {
  const months = keptOfMonth(context, label, `billed-hours ${JSON.stringify(asked.scope)}`, (days) => billedMonths(context, asked.scope, label, days));
  return new Map(months.map((month) => [month.resource, month]));
}

function billedMonths({ ledger: { db } }: ReportContext, scope: Scope, label: string, { firstDay, endDay }: Days): readonly BilledMonth[] {
  const days = readAll(db, query<{ day: number; series: Uint8Array }>("day", "series")`
    -- billed-days
    SELECT Day AS day, Series AS series FROM gpu_series_day_current WHERE Day >= ${firstDay} AND Day < ${endDay} ORDER BY Day`).map(({ day, series }) => ({ day, of: decodeGpuSeriesDay(series) }));
  const ids = new Set<number>();
  for (const { of } of days) for (const seriesId of of.series) ids.add(seriesId);
  const byResource = new Map<string, Float64Array>();
  const hoursOf = new Map(readAll(db, query<{ seriesId: number; resource: string }>("seriesId", "resource")`
    -- billed-series
    SELECT s.SeriesId AS seriesId, lower(s.ResourceId) AS resource
    FROM json_each(${JSON.stringify([...ids])}) AS i
    CROSS JOIN series AS s ON s.SeriesId = i.value
    WHERE s.ResourceId IS NOT NULL ${scopeFilter(scope, "s", sql`${label}`)}
    ORDER BY s.SeriesId`).map(({ seriesId, resource }) => {
    let hours = byResource.get(resource);
    if (hours === undefined) byResource.set(resource, (hours = new Float64Array((endDay - firstDay) * 24)));
    return [seriesId, hours] as const;
  }));
  for (const { day, of } of days) {
    eachHourRun(of, (place, hour, gpuHours) => {
      const hours = hoursOf.get(of.series[place] as number);
      const at = (day - firstDay) * 24 + hour;
      if (hours !== undefined) hours[at] = (hours[at] as number) + gpuHours;
    });
  }
  return [...byResource].flatMap(([resource, hours]) => {
    const most = hours.reduce((high, gpuHours) => Math.max(high, gpuHours), 0);
    return most > 0 ? [{ resource, hours, most }] : [];
  });
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
  const observed = months.flatMap((month) => deviceMonth(context, month).observed.map(({ known, idle, ...host }) => ({ ...host, known: known / 3600, idle: idle / 3600 })));
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
