/** The ladder of activity: what each counter says, each for itself, and what was not measured (maths.md d.1). */
import type { Cell, TableBlock } from "../../../shared/contract/report.ts";
import { coverageOf, figureOf } from "../metrics/metric.ts";
import { column, groupsBy, nameCell, row, shown, words } from "./cells.ts";
import { message } from "./context.ts";
import { deviceMonth, type BandSeconds, type CounterSum } from "./device-month.ts";
import type { Gathered } from "./gather.ts";

const steps = ["utilization", "engine-active", "sm-active", "tensor-active", "dram-active"] as const;

/** Sums of every counter of the hosts in scope; devices with GPU-Util alone have no rows of their own, their hours are it. What is not there was not measured. */
function counterSums(gathered: Gathered): readonly CounterSum[] {
  const { context, months } = gathered;
  const all = months.flatMap((month) => deviceMonth(context, month).counters);
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
  const engineSeconds = counterSums(gathered).filter(({ counter, isActivity }) => counter === "engine-active" && isActivity).reduce((total, { seconds }) => total + seconds, 0);
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

/** How the observed GPU-hours of each model lie over utilization: device hours by their mean. A fleet at 50 % may be half at work and half idle. */
export function distributionTable(gathered: Gathered): TableBlock | null {
  const { context, months, asked } = gathered;
  const all = months.flatMap((month) => deviceMonth(context, month).bands);
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
