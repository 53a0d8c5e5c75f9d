import { z } from "zod";
import type { UtilizationCounter } from "../domain/counter.ts";
import type { Figure, MetricId, UnknownReason } from "../domain/figure.ts";
import { parseAmount } from "../domain/money.ts";
import type { FigureRef, Message } from "./report.ts";

/** GPUs that a scheduler gave to jobs: what they held, and what the machines did and cost meanwhile. */
export const jobGroupings = ["job", "team", "user", "account", "partition"] as const;
export type JobGrouping = (typeof jobGroupings)[number];

/** Where a job's GPU-hours, and their money, went: the four ways (maths.md d.4) and the two in which it is not known. They add up to the whole. */
export const jobWays = ["productive", "busyInefficient", "heldIdle", "deadIdle", "idleMemoryUnknown", "unknown"] as const;
export type JobWay = (typeof jobWays)[number];

export const jobColumns = ["key", "name", "team", "user", "partition", "hosts", "gpus", "start", "jobs", "gpuHours", "utilization", "cost", "idleCost", "usefulGpuHourCost", ...jobWays.map((way) => `hours.${way}` as const), ...jobWays.map((way) => `cost.${way}` as const)] as const;
export type JobColumn = (typeof jobColumns)[number];

export const mostJobLines = 500;

const name = z.string().max(2048).nullable();
/** Which jobs: those whose number or name holds the text, whatever the case, and that are of these teams, users …; null: not stated. */
export const jobFilterSchema = z.strictObject({
  search: z.string().max(200).optional(),
  /** One job, by its line: `JobLine.job`. */
  job: z.string().regex(/^\d{1,15}:\d{1,15}$/).optional(),
  team: name.optional(),
  user: name.optional(),
  account: name.optional(),
  partition: name.optional(),
});
export type JobFilter = z.infer<typeof jobFilterSchema>;
export const jobSortSchema = z.strictObject({ column: z.enum(jobColumns), descending: z.boolean() });
export type JobSort = z.infer<typeof jobSortSchema>;

export interface JobLine {
  /** The job's number, or whose or where the jobs are; null: not stated. */
  readonly key: string | null;
  /** Of a single job: the line of the file that states it, `file:line` by number, and what that says. */
  readonly job: string | null;
  readonly name: string | null;
  readonly team: string | null;
  readonly user: string | null;
  readonly partition: string | null;
  readonly state: string | null;
  /** The first eight of its hosts, and how many there are. */
  readonly hosts: readonly string[];
  readonly hostCount: number;
  readonly gpus: number | null;
  /** Unix seconds. The end is null while it runs, and where it is not stated; `knownUntil` is until when it is known to have held its GPUs. */
  readonly startSecond: number | null;
  readonly endSecond: number | null;
  readonly knownUntil: number | null;
  readonly jobs: number;
  /** GPUs × hours held in the period, of jobs of which both are known; null where of none. Held, not used. */
  readonly gpuHours: number | null;
  /** The share of the jobs of which they are known, 0 to 1. */
  readonly gpuHoursCoverage: number;
  /** The GPU-hours held as the ways they went; where jobs together hold more than a machine has, their shares of it. null: no log knows any of them. */
  readonly hours: Readonly<Record<JobWay, number>> | null;
  /** What the hosts' GPUs did in the hours held, by GPU-hours held, 0 to 1; null where no log knows it. Utilization by the page's counter. */
  readonly utilization: number | null;
  readonly utilizationCoverage: number;
  readonly idleShare: number | null;
  /** The share of the GPU-hours held that a log covers, 0 to 1. */
  readonly telemetryCoverage: number;
  /** A host had more GPUs than the job held of it: utilization and idleness are then the host's. */
  readonly isOfHost: boolean;
  /** Effective cost of the GPU-hours held and its ways, exact decimal text in the answer's currency; null where no bill knows it. */
  readonly cost: string | null;
  readonly costs: Readonly<Record<JobWay, string>> | null;
  /** Idle cost: held, dead and idle with memory unknown. */
  readonly idleCost: string | null;
  /** Cost of the hours with telemetry per GPU-hour of work in them; null where none did anything. */
  readonly usefulGpuHourCost: string | null;
  /** The share of the GPU-hours held that a bill covers, 0 to 1. */
  readonly costCoverage: number;
}

/** Billed machines that jobs ran on, in all hours of the period: what jobs held of them and what nobody did. Exact decimal text. */
export interface JobMachines {
  readonly machines: number;
  readonly gpuHours: number;
  readonly cost: string;
  readonly unassignedGpuHours: number;
  readonly unassignedCost: string;
  readonly unassignedCosts: Readonly<Record<JobWay, string>>;
}

export interface JobsAnswer {
  readonly period: string;
  readonly by: JobGrouping;
  readonly currency: string | null;
  /** Where amounts are converted: from what, by which rates, and what no rate covers. */
  readonly conversion: readonly Message[];
  /** The counter that utilization goes by; null: none measured anything. */
  readonly counter: UtilizationCounter | null;
  /** Whether any import holds jobs at all. */
  readonly hasJobs: boolean;
  /** All lines, of which these are a part. */
  readonly count: number;
  readonly lines: readonly JobLine[];
  /** Of all jobs that the filter leaves. */
  readonly total: JobLine;
  /** null: the jobs are narrowed, so that what they leave is not what nobody held; or no bill knows a machine. */
  readonly machines: JobMachines | null;
}

/** A job that held GPUs of a host in some hours. */
export interface HostJob {
  readonly job: string;
  readonly jobId: string;
  readonly name: string | null;
  readonly user: string | null;
  readonly team: string | null;
  readonly gpus: number | null;
  readonly startSecond: number;
  readonly endSecond: number | null;
  readonly knownUntil: number | null;
}
export interface HostJobs {
  /** Earliest first, 200 at most. */
  readonly jobs: readonly HostJob[];
  readonly count: number;
}

export const mostTimelineDevices = 64;

/** A job's GPUs over its time. */
export interface JobTimeline {
  readonly line: JobLine;
  readonly account: string | null;
  readonly gpuModel: string | null;
  readonly cluster: string;
  readonly elapsedSeconds: number | null;
  /** Of the same number: it was put back and began anew. */
  readonly otherRuns: readonly { readonly job: string; readonly startSecond: number; readonly endSecond: number | null; readonly state: string | null }[];
  readonly allHosts: readonly string[];
  /** First step, UTC; a step is a minute or whole hours. */
  readonly start: string;
  readonly stepSeconds: number;
  readonly steps: number;
  /** GPUs of its hosts that logs know, of which these are a part. */
  readonly deviceCount: number;
  readonly devices: readonly JobDevice[];
}
export interface JobDevice {
  readonly id: number;
  readonly host: string;
  readonly label: string;
  readonly gpuModel: string | null;
  /** Codes of HeatBlock, one a step. */
  readonly states: readonly number[];
  /** Share of the card's memory in use and of the most watts seen among these devices, 0 to 100 a step; -2 unknown. */
  readonly memory: readonly number[];
  readonly power: readonly number[];
  /** Over the job's own time. */
  readonly utilization: number | null;
  readonly memoryPeak: number | null;
  readonly powerMeanWatts: number | null;
}

// Figures of jobs: each explains itself by the jobs that it is of

export const jobFigureIds = ["gpuHours", "utilization", "cost", "idleCost", "usefulGpuHourCost", ...jobWays.map((way) => `hours.${way}` as const), ...jobWays.map((way) => `cost.${way}` as const)] as const;
export type JobFigureId = (typeof jobFigureIds)[number];

const metricOfWay = { productive: "productive-cost", busyInefficient: "busy-inefficient-cost", heldIdle: "held-idle-cost", deadIdle: "dead-idle-cost", idleMemoryUnknown: "idle-memory-unknown-cost", unknown: "unknown-cost" } as const satisfies Record<JobWay, MetricId>;
const metricOf: Readonly<Record<Exclude<JobFigureId, `${"hours" | "cost"}.${JobWay}`>, MetricId>> = { gpuHours: "gpu-hours", utilization: "gpu-utilization", cost: "gpu-hours-cost", idleCost: "idle-cost", usefulGpuHourCost: "useful-gpu-hour-cost" };

function wayOf(id: JobFigureId): { readonly kind: "hours" | "cost"; readonly way: JobWay } | null {
  const [kind, way] = id.split(".") as ["hours" | "cost", JobWay | undefined];
  return way === undefined ? null : { kind, way };
}

/** One figure of a line, with the share of the GPU-hours held that it speaks of. */
export function jobFigure(line: JobLine, id: JobFigureId, currency: string | null): Figure {
  const of = wayOf(id);
  if (of?.kind === "hours") return figure(of.way === "productive" ? "useful-gpu-hours" : "gpu-hours", line.hours === null ? null : line.hours[of.way], "gpu-hours", "measured", line.telemetryCoverage, "no-telemetry");
  if (of !== null) return figure(metricOfWay[of.way], attosOf(line.costs === null ? null : line.costs[of.way]), currency ?? "", "derived", line.costCoverage, "no-bill");
  switch (id) {
    case "gpuHours": return figure("gpu-hours", line.gpuHours, "gpu-hours", "derived", line.gpuHoursCoverage, "not-stated");
    case "utilization": return figure("gpu-utilization", line.utilization, "ratio", "measured", line.utilizationCoverage, "no-telemetry");
    case "usefulGpuHourCost": return figure("useful-gpu-hour-cost", attosOf(line.usefulGpuHourCost), `${currency ?? ""}/gpu-hour`, "derived", Math.min(line.costCoverage, line.telemetryCoverage), line.cost === null ? "no-bill" : line.telemetryCoverage === 0 ? "no-telemetry" : "no-useful-hours");
    default: return figure(metricOf[id as "cost" | "idleCost"], attosOf(line[id as "cost" | "idleCost"]), currency ?? "", "derived", line.costCoverage, "no-bill");
  }
}

function figure(metric: MetricId, value: Figure["value"], unit: string, basis: Figure["basis"], coverage: number, why: UnknownReason): Figure {
  return value === null ? { metric, value, unit, basis, coverage: 0, why } : { metric, value, unit, basis, coverage };
}

function attosOf(text: string | null): bigint | null {
  return text === null ? null : (parseAmount(text)?.value ?? null);
}

/** A reference to a figure of the jobs that a filter leaves; it is told from the metric's own by its params. What is not stated is an empty text. */
export function jobFigureRef(asked: Pick<FigureRef, "period" | "scope" | "currency">, id: JobFigureId, filter: JobFilter): FigureRef {
  const of = wayOf(id);
  const metric = of === null ? metricOf[id as keyof typeof metricOf] : of.kind === "cost" ? metricOfWay[of.way] : of.way === "productive" ? "useful-gpu-hours" : "gpu-hours";
  const params = Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value ?? ""]])));
  return { metric, period: asked.period, scope: asked.scope, basis: "EffectiveCost", currency: asked.currency, params: { ...params, jobs: id } };
}

/** What such a reference asks for; null for every other reference. */
export function jobsAskedBy({ params }: Pick<FigureRef, "params">): { readonly id: JobFigureId; readonly filter: JobFilter } | null {
  const { jobs, ...rest } = params ?? {};
  const id = jobFigureIds.find((each) => each === jobs);
  if (id === undefined) return null;
  const filter = jobFilterSchema.safeParse(Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value === "" && name !== "search" ? null : value])));
  return filter.success ? { id, filter: filter.data } : null;
}
