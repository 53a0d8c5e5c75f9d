/** The ladder of activity: what each counter says, each for itself, and what was not measured (maths.md d.1). */
import type { Cell, TableBlock } from "../../../shared/contract/report.ts";
import { coverageOf, figureOf } from "../metrics/metric.ts";
import { query, readAll } from "../store/sql.ts";
import { column, groupsBy, nameCell, row, shown, words } from "./cells.ts";
import { message } from "./context.ts";
import type { Gathered } from "./gather.ts";
import { keptOfMonth } from "./kept.ts";

/** One counter of the devices of a host and model: seconds × cards with a value, and the integral of it. */
interface CounterSum {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly counter: string;
  readonly isActivity: number;
  readonly seconds: number;
  readonly sum: number;
}

const steps = ["utilization", "engine-active", "sm-active", "tensor-active", "dram-active"] as const;

/** Sums of every counter of the hosts in scope; devices with GPU-Util alone have no rows of their own, their hours are it. What is not there was not measured. */
function counterSums(gathered: Gathered): readonly CounterSum[] {
  const { context, months } = gathered;
  const all = months.flatMap((month) => keptOfMonth(context, month, "counters", ({ firstDay, endDay }) => [...readAll(context.ledger.db, query<CounterSum>("host", "gpuModel", "counter", "isActivity", "seconds", "sum")`
    -- counters
    SELECT d.Host AS host, d.GpuModel AS gpuModel, c.Counter AS counter, c.IsActivity AS isActivity, sum(c.KnownSeconds * d.Share) AS seconds, sum(c.KnownSeconds * c.Mean * d.Share) AS sum
    FROM gpu_hour_counter_current AS c
    JOIN device AS d ON d.DeviceId = c.DeviceId
    WHERE c.Day >= ${firstDay} AND c.Day < ${endDay}
    GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, 4`), ...readAll(context.ledger.db, query<CounterSum>("host", "gpuModel", "counter", "isActivity", "seconds", "sum")`
    -- counters-of-gpu-util-alone
    SELECT d.Host AS host, d.GpuModel AS gpuModel, 'utilization' AS counter, 1 AS isActivity, sum(h.KnownSeconds * d.Share) AS seconds, coalesce(sum(h.KnownSeconds * h.UtilizationMean * d.Share), 0.0) AS sum
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day >= ${firstDay} AND h.Day < ${endDay} AND h.KnownSeconds > 0
      AND NOT EXISTS (SELECT 1 FROM gpu_hour_counter_current AS c WHERE c.Day = h.Day AND c.HourStart = h.HourStart AND c.DeviceId = h.DeviceId)
    GROUP BY 1, 2
    ORDER BY 1, 2`)]));
  const hosts = hostsWithin(gathered);
  return hosts === null ? all : all.filter(({ host }) => hosts.has(host));
}

/** What each counter measured of a host; a host of which nothing was measured is not there. */
export function hostCounters(gathered: Gathered): ReadonlyMap<string, ReadonlyMap<string, { readonly seconds: number; readonly sum: number }>> {
  return new Map([...Map.groupBy(counterSums(gathered), ({ host }) => host)].map(([host, own]) => [
    host,
    new Map([...Map.groupBy(own, ({ counter }) => counter)].map(([counter, sums]) => [
      counter,
      { seconds: sums.reduce((total, { seconds }) => total + seconds, 0), sum: sums.reduce((total, { sum }) => total + sum, 0) },
    ])),
  ]));
}

/** Seconds × cards of hosts by the counter that their hours go by. */
export interface ActivityCounters {
  readonly gpuUtilSeconds: number;
  readonly engineSeconds: number;
}

/** What the utilization of the period goes by. Hours without a counter of their own go by GPU-Util. */
export function activityCountersOf(gathered: Gathered, observedGpuHours: number): ActivityCounters {
  const engineSeconds = counterSums(gathered).filter(({ counter, isActivity }) => counter === "engine-active" && isActivity === 1).reduce((total, { seconds }) => total + seconds, 0);
  return { engineSeconds, gpuUtilSeconds: Math.max(0, observedGpuHours * 3600 - engineSeconds) };
}

/** By GPU model, each counter's mean over the time in which it was measured. null where no device has more than GPU-Util. */
export function ladderTable(gathered: Gathered): TableBlock | null {
  const sums = counterSums(gathered);
  if (sums.every(({ counter }) => counter === "utilization")) return null;
  const groups = groupsBy(sums, ({ gpuModel }) => gpuModel, ({ seconds }) => BigInt(Math.round(seconds)));
  return {
    kind: "table",
    id: "ladder",
    title: message("activity-ladder.title"),
    note: message("activity-ladder.note"),
    chart: null,
    columns: [column("model", "text", 1, message("column.gpu")), ...steps.map((step) => column(step, "figure", 1, message(`activity-ladder.${step}`)))],
    rows: groups.map(({ key, rows }) => {
      const measured = Math.max(...steps.map((step) => secondsOf(rows, step)));
      const cells = steps.map((step): Cell => {
        const seconds = secondsOf(rows, step);
        const sum = rows.filter(({ counter }) => counter === step).reduce((total, each) => total + each.sum, 0);
        return shown(figureOf("gpu-utilization", seconds === 0 ? null : sum / seconds, "ratio", "measured", coverageOf(seconds, measured), "not-measured"));
      });
      return row(`model ${key}`, [nameCell(key, "gpu.none"), ...cells]);
    }),
    total: null,
  };
}

function secondsOf(rows: readonly CounterSum[], step: string): number {
  return rows.filter(({ counter }) => counter === step).reduce((total, { seconds }) => total + seconds, 0);
}

/** Bands of utilization, from and up to (the last one holds its end), in percent. */
const bands = [[0, 5], [5, 20], [20, 50], [50, 80], [80, 100]] as const;

interface BandSeconds {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly band: number;
  readonly seconds: number;
}

/** How the observed GPU-hours of each model lie over utilization: device hours by their mean. A fleet at 50 % may be half at work and half idle. */
export function distributionTable(gathered: Gathered): TableBlock | null {
  const { context, months, asked } = gathered;
  const all = months.flatMap((month) => keptOfMonth(context, month, "distribution", ({ firstDay, endDay }) => readAll(context.ledger.db, query<BandSeconds>("host", "gpuModel", "band", "seconds")`
    -- distribution
    SELECT
      d.Host AS host, d.GpuModel AS gpuModel,
      CASE WHEN h.UtilizationMean < 0.05 THEN 0 WHEN h.UtilizationMean < 0.2 THEN 1 WHEN h.UtilizationMean < 0.5 THEN 2 WHEN h.UtilizationMean < 0.8 THEN 3 ELSE 4 END AS band,
      sum(h.KnownSeconds * d.Share) AS seconds
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day >= ${firstDay} AND h.Day < ${endDay} AND h.KnownSeconds > 0
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3`)));
  const hosts = hostsWithin(gathered);
  const rows = hosts === null ? all : all.filter(({ host }) => hosts.has(host));
  if (rows.length === 0) return null;
  const cells = (own: readonly BandSeconds[]): Cell[] => {
    const known = own.reduce((total, { seconds }) => total + seconds, 0);
    const inBand = (index: number): number => own.filter(({ band }) => band === index).reduce((total, { seconds }) => total + seconds, 0);
    return [
      shown(figureOf("gpu-hours", known / 3600, "gpu-hours", "measured", 1)),
      ...bands.map((_, index) => shown(figureOf("gpu-hours", known === 0 ? null : inBand(index) / known, "ratio", "measured", 1, "no-telemetry"))),
    ];
  };
  const isScoped = Object.values(asked.scope).some((wanted) => wanted !== undefined);
  return {
    kind: "table",
    id: "distribution",
    title: message("distribution.title"),
    note: message(isScoped ? "distribution.note-scope" : "distribution.note"),
    chart: null,
    columns: [
      column("model", "text", 1, message("column.gpu")),
      column("hours", "figure", 1, message("column.known-gpu-hours")),
      ...bands.map(([from, to]) => column(`band-${from}`, "figure", 1, message("distribution.band", { from: { number: from, digits: 0 }, to: { number: to, digits: 0 } }))),
    ],
    rows: groupsBy(rows, ({ gpuModel }) => gpuModel, ({ seconds }) => BigInt(Math.round(seconds))).map(({ key, rows: own }) => row(`model ${key}`, [nameCell(key, "gpu.none"), ...cells(own)])),
    total: row("total", [words("row.total"), ...cells(rows)]),
  };
}

/** The hosts that are joined to what the scope bills; null for a scope that holds everything. */
function hostsWithin(gathered: Gathered): ReadonlySet<string> | null {
  if (Object.values(gathered.asked.scope).every((wanted) => wanted === undefined)) return null;
  const resources = new Set(gathered.gpuHours().flatMap(({ resource }) => (resource === null ? [] : [resource.toLowerCase()])));
  return new Set(gathered.hosts().filter(({ resource }) => resources.has(resource.toLowerCase())).map(({ host }) => host));
}
