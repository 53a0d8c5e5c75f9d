/** The fleet by host and hour, for the heat map, and hosts that no bill knows. */
import type { HeatBlock, HeatRow, TableBlock } from "../../../shared/contract/report.ts";
import { dayOf, parsePeriod, startOfDay } from "../../../shared/domain/period.ts";
import { figureOf, sumHours } from "../metrics/metric.ts";
import { query, readAll, readOne, scopeFilter } from "../store/sql.ts";
import { column, compareNames, nameCell, row, shown, text, words } from "./cells.ts";
import { message } from "./context.ts";
import type { Gathered } from "./gather.ts";

/** What one hour of a host was, in a byte (HeatBlock). */
const NOT_RUNNING = -1;
const UNKNOWN = -2;
const HELD = -3;
const DEAD = -4;
const IDLE_MEMORY_UNKNOWN = -5;
const HOSTS_SHOWN = 48;

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
  const hours = hostHours(gathered, firstDay, endDay);
  const billed = billedHours(gathered, firstDay, endDay);
  const byHost = Map.groupBy(hours, ({ host }) => host);
  const joins = Map.groupBy(gathered.hosts(), ({ host }) => host);
  const teams = new Map(gathered.gpuHours().flatMap(({ resource, team }) => (resource === null ? [] : [[resource.toLowerCase(), team] as const])));
  const rows: HeatRow[] = [];
  const joined = new Set<string>();
  for (const { host, gpuModel, gpus } of hosts) {
    const own = new Map((byHost.get(host) ?? []).map((entry) => [entry.hour, entry]));
    const resources = joins.get(host) ?? [];
    for (const { resource } of resources) joined.add(resource.toLowerCase());
    const billedAt = (hour: number): number =>
      sumHours(resources.map(({ resource, fromHour, toHour }) => (hour >= fromHour && hour < toHour ? billed.get(`${resource.toLowerCase()} ${hour}`) ?? 0 : 0)));
    const states = statesOf(own, billedAt, gpus, firstDay, endDay);
    if (states.every((state) => state === NOT_RUNNING)) continue;
    const known = sumHours([...own.values()].map((entry) => entry.known));
    const useful = sumHours([...own.values()].map((entry) => entry.useful));
    const running = states.filter((state) => state !== NOT_RUNNING).length;
    const coverage = running === 0 ? 0 : states.filter((state) => state !== NOT_RUNNING && state !== UNKNOWN).length / running;
    rows.push({
      id: `host ${host}`,
      label: host,
      gpuModel,
      team: resources.map(({ resource }) => teams.get(resource.toLowerCase())).find((team) => typeof team === "string") ?? null,
      gpus,
      states,
      mean: figureOf("gpu-utilization", known === 0 ? null : useful / known, "ratio", "measured", coverage, "no-telemetry"),
      idleHours: figureOf("idle-gpu-hours", known === 0 ? null : states.filter((state) => state <= HELD).length, "hours", "measured", coverage, "no-telemetry"),
    });
  }
  rows.push(...unseenResources(gathered, billed, joined, firstDay, endDay));
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

/** The state that most of the hour's GPU time had; on a tie, the one that claims less waste. */
function statesOf(own: ReadonlyMap<number, HostHour>, billedAt: (hour: number) => number, gpus: number, firstDay: number, endDay: number): number[] {
  const seen = [...own.keys()];
  const [first, last] = [Math.min(...seen), Math.max(...seen)];
  const states: number[] = [];
  for (let hour = firstDay * 24; hour < endDay * 24; hour += 1) {
    const entry = own.get(hour);
    const billed = billedAt(hour) * 3600;
    if (entry === undefined) {
      // Between two observed hours a host without a bill was somewhere: unknown, not off.
      states.push(billed > 0 || (hour > first && hour < last && billed === 0 && !hasBill(billedAt, firstDay, endDay)) ? UNKNOWN : NOT_RUNNING);
      continue;
    }
    const expected = billed > 0 ? billed : gpus * 3600;
    const active = entry.known - entry.held - entry.dead - entry.idleMemoryUnknown;
    const candidates: readonly (readonly [number, number])[] = [
      [Math.round((100 * entry.useful) / (entry.known === 0 ? 1 : entry.known)), active],
      [UNKNOWN, Math.max(0, expected - entry.known)],
      [IDLE_MEMORY_UNKNOWN, entry.idleMemoryUnknown],
      [HELD, entry.held],
      [DEAD, entry.dead],
    ];
    const strongest = candidates.reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best));
    states.push(strongest[0]);
  }
  return states;
}

function hasBill(billedAt: (hour: number) => number, firstDay: number, endDay: number): boolean {
  for (let hour = firstDay * 24; hour < endDay * 24; hour += 1) if (billedAt(hour) > 0) return true;
  return false;
}

/** GPU resources that are billed in the month and that no host is joined to: unknown while they run. */
function unseenResources(gathered: Gathered, billed: ReadonlyMap<string, number>, joined: ReadonlySet<string>, firstDay: number, endDay: number): HeatRow[] {
  const seen = new Set<string>();
  const rows: HeatRow[] = [];
  for (const entry of gathered.gpuHours()) {
    const key = entry.resource?.toLowerCase();
    if (key === undefined || entry.resource === null || joined.has(key) || seen.has(key)) continue;
    seen.add(key);
    const states: number[] = [];
    let most = 0;
    for (let hour = firstDay * 24; hour < endDay * 24; hour += 1) {
      const hours = billed.get(`${key} ${hour}`);
      if (hours !== undefined && hours > most) most = hours;
      states.push(hours !== undefined && hours > 0 ? UNKNOWN : NOT_RUNNING);
    }
    if (most === 0) continue;
    rows.push({
      id: `resource ${key}`,
      label: entry.resource.split("/").at(-1) ?? entry.resource,
      gpuModel: entry.gpuModel,
      team: entry.team,
      gpus: Math.round(most * 1000) / 1000,
      states,
      mean: figureOf("gpu-utilization", null, "ratio", "measured", 0, "no-telemetry"),
      idleHours: figureOf("idle-gpu-hours", null, "hours", "measured", 0, "no-telemetry"),
    });
  }
  return rows;
}

/** The last month of the period in which anything was seen or billed. */
function monthOf({ context, firstDay, endDay, months }: Gathered): { readonly firstDay: number; readonly endDay: number } | null {
  const last = readOne(context.ledger.db, query<{ day: number | null }>("day")`
    -- last-gpu-day
    SELECT max(Day) AS day FROM (
      SELECT max(Day) AS Day FROM gpu_hour_current WHERE Day >= ${firstDay} AND Day < ${endDay}
      UNION ALL SELECT max(Day) FROM gpu_hour_cost_current WHERE Day >= ${firstDay} AND Day < ${endDay}
    )`)?.day;
  if (last === null || last === undefined) return null;
  const spans = months.flatMap((month) => parsePeriod(month) ?? []).map(({ start, end }) => ({ firstDay: dayOf(start), endDay: dayOf(end) }));
  return spans.find((span) => last >= span.firstDay && last < span.endDay) ?? null;
}

/** Hosts of the devices, narrowed to the scope by the resources they are joined to. */
function hostsInScope(gathered: Gathered): readonly Host[] {
  const { scope } = gathered.asked;
  const all = readAll(gathered.context.ledger.db, query<Host>("host", "gpuModel", "gpus")`
    -- hosts
    SELECT Host AS host, max(GpuModel) AS gpuModel, sum(Share) AS gpus FROM device GROUP BY Host ORDER BY Host`);
  if (Object.values(scope).every((wanted) => wanted === undefined)) return all;
  const resources = new Set(gathered.gpuHours().flatMap(({ resource }) => (resource === null ? [] : [resource.toLowerCase()])));
  const names = new Set(gathered.hosts().filter(({ resource }) => resources.has(resource.toLowerCase())).map(({ host }) => host));
  return all.filter(({ host }) => names.has(host));
}

function hostHours({ context }: Gathered, firstDay: number, endDay: number): HostHour[] {
  return readAll(context.ledger.db, query<HostHour>("host", "hour", "known", "useful", "held", "dead", "idleMemoryUnknown")`
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
    ORDER BY d.Host, h.HourStart`);
}

/** Billed GPU-hours of each resource and hour, under `resource hour`; of any currency, since a machine runs in none. */
function billedHours({ context, asked }: Gathered, firstDay: number, endDay: number): ReadonlyMap<string, number> {
  const rows = readAll(context.ledger.db, query<{ resource: string; hour: number; gpuHours: number }>("resource", "hour", "gpuHours")`
    -- billed-hours
    SELECT lower(s.ResourceId) AS resource, h.HourStart AS hour, sum(h.GpuHours) AS gpuHours
    FROM gpu_hour_cost_current AS h
    JOIN series AS s ON s.SeriesId = h.SeriesId
    WHERE h.Day >= ${firstDay} AND h.Day < ${endDay} AND h.GpuHours > 0 AND s.ResourceId IS NOT NULL ${scopeFilter(asked.scope, "s")}
    GROUP BY 1, 2
    ORDER BY 1, 2`);
  return new Map(rows.map(({ resource, hour, gpuHours }) => [`${resource} ${hour}`, gpuHours]));
}

interface UnbilledHost {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly known: number;
  readonly useful: number;
  readonly idle: number;
}

/** Hosts with telemetry in the period whose resource no bill names, of the whole ledger or of a GPU model. */
export function unbilledHosts(gathered: Gathered): readonly UnbilledHost[] {
  const { scope } = gathered.asked;
  if (Object.entries(scope).some(([dimension, wanted]) => dimension !== "gpuModel" && wanted !== undefined)) return [];
  const { firstDay, endDay, context } = gathered;
  const billed = new Set(readAll(context.ledger.db, query<{ resource: string }>("resource")`
    -- billed-resources
    SELECT DISTINCT lower(s.ResourceId) AS resource
    FROM (SELECT DISTINCT SeriesId FROM gpu_hour_cost_current WHERE Day >= ${firstDay} AND Day < ${endDay}) AS h
    JOIN series AS s ON s.SeriesId = h.SeriesId
    WHERE s.ResourceId IS NOT NULL`).map(({ resource }) => resource));
  const joined = new Set(gathered.hosts().filter(({ resource }) => billed.has(resource.toLowerCase())).map(({ host }) => host));
  return readAll(context.ledger.db, query<UnbilledHost>("host", "gpuModel", "known", "useful", "idle")`
    -- observed-hosts
    SELECT
      d.Host                                    AS host,
      max(d.GpuModel)                           AS gpuModel,
      sum(h.KnownSeconds * d.Share) / 3600.0    AS known,
      coalesce(sum(h.UtilizationMean * h.KnownSeconds * d.Share), 0.0) / 3600.0 AS useful,
      sum((h.HeldIdleSeconds + h.DeadIdleSeconds + h.IdleMemoryUnknownSeconds) * d.Share) / 3600.0 AS idle
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day >= ${firstDay} AND h.Day < ${endDay} AND h.KnownSeconds > 0
    GROUP BY d.Host
    ORDER BY d.Host`).filter(({ host, gpuModel }) => !joined.has(host) && (scope.gpuModel === undefined || scope.gpuModel.includes(gpuModel)));
}

export function unbilledHostsTable(hosts: readonly UnbilledHost[]): TableBlock {
  const hours = (metric: "gpu-hours" | "idle-gpu-hours", value: number) => figureOf(metric, value, "gpu-hours", "measured", 1);
  const utilization = (useful: number, known: number) => figureOf("gpu-utilization", known === 0 ? null : useful / known, "ratio", "measured", 1, "no-telemetry");
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
    rows: hosts.map(({ host, gpuModel, known, useful, idle }) =>
      row(`host ${host}`, [text(host), nameCell(gpuModel, "gpu.none"), shown(hours("gpu-hours", known)), shown(utilization(useful, known)), shown(hours("idle-gpu-hours", idle))]),
    ),
    total: row("total", [
      words("row.total"),
      { absent: "not-applicable" },
      shown(hours("gpu-hours", sum(({ known }) => known))),
      shown(utilization(sum(({ useful }) => useful), sum(({ known }) => known))),
      shown(hours("idle-gpu-hours", sum(({ idle }) => idle))),
    ]),
  };
}
