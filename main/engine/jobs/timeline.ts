/** One job's GPUs over its time, and the jobs that held GPUs of one host. */
import { mostTimelineDevices, type HostJobs, type JobDevice, type JobTimeline } from "../../../shared/contract/jobs.ts";
import type { IdlePolicy } from "../../../shared/contract/report.ts";
import { startOfHour } from "../../../shared/domain/period.ts";
import { activityOf } from "../hours/activity.ts";
import { deviceMinutes } from "../hours/minutes.ts";
import { idleStates, meanBetween, type Trace } from "../hours/timeline.ts";
import { traceOf } from "../hours/work-out.ts";
import { breath } from "../import/control.ts";
import { isOneOf, query, readAll, type Db } from "../store/sql.ts";
import { jobsBetween, type Job } from "./list.ts";
import { placesOf } from "./places.ts";
import { lineOf, periodJobs, refOf, type JobsAsked } from "./table.ts";
import { teamFinder } from "./teams.ts";
import { overlap } from "./work-out.ts";

const HOUR = 3600;
/** Up to so many hours are shown minute by minute. */
const HOURS_IN_MINUTES = 12;
const MOST_STEPS = 1440;
const UNKNOWN = -2;

/** null: no import holds the job, as far as the period goes. A device's day before and after is read too, so that an idle stretch is judged whole. */
export async function jobTimeline(asked: JobsAsked, ref: string, offset: number, policy: IdlePolicy): Promise<JobTimeline | null> {
  const { db } = asked.gathered.context.ledger;
  const jobs = await periodJobs({ ...asked, teams: undefined });
  const place = jobs.jobs.findIndex((job) => refOf(job) === ref);
  const job = jobs.jobs[place];
  if (job === undefined) return null;
  const fromHour = Math.floor(job.start / HOUR);
  const wholeHours = Math.max(1, Math.ceil((job.until ?? job.start) / HOUR) - fromHour);
  const hoursAStep = wholeHours <= HOURS_IN_MINUTES ? 0 : Math.ceil(wholeHours / MOST_STEPS);
  const span: Span = { fromHour, toHour: fromHour + wholeHours, hoursAStep };
  const { hostAt } = placesOf(db, [job]);
  const hosts = [...new Set(job.hosts.flatMap((name) => hostAt(name, fromHour) ?? []))];
  const found = devicesOf(db, hosts);
  const devices: JobDevice[] = [];
  for (const device of found.slice(offset, offset + mostTimelineDevices)) {
    devices.push(hoursAStep === 0 ? inMinutes(db, device, job, span, policy) : inHours(db, device, job, span));
    await breath();
  }
  return {
    line: lineOf(jobs, [place], "job"),
    account: job.account,
    gpuModel: job.gpuModel,
    cluster: job.cluster,
    elapsedSeconds: job.elapsed,
    otherRuns: jobs.jobs.flatMap((other) => (other !== job && other.id === job.id && other.source === job.source && other.cluster === job.cluster ? [{ job: refOf(other), startSecond: other.start, endSecond: other.end, state: other.state }] : [])),
    allHosts: job.hosts,
    start: startOfHour(fromHour),
    stepSeconds: hoursAStep === 0 ? 60 : hoursAStep * HOUR,
    steps: hoursAStep === 0 ? wholeHours * 60 : Math.ceil(wholeHours / hoursAStep),
    deviceCount: found.length,
    devices: scaledPower(devices),
  };
}

interface Span {
  readonly fromHour: number;
  /** Exclusive. */
  readonly toHour: number;
  /** 0: a step is a minute. */
  readonly hoursAStep: number;
}

interface Device {
  readonly DeviceId: number;
  readonly Host: string;
  readonly Label: string;
  readonly GpuModel: string | null;
  readonly MemoryTotalMiB: number | null;
}

function devicesOf(db: Db, hosts: readonly string[]): readonly Device[] {
  return readAll(db, query<Device>("DeviceId", "Host", "Label", "GpuModel", "MemoryTotalMiB")`-- jobs.devices
    SELECT DeviceId, Host, coalesce('GPU ' || CAST(DeviceIndex AS TEXT), PciBusId, Uuid, '') AS Label, GpuModel, MemoryTotalMiB
    FROM device
    WHERE ${isOneOf("Host", hosts)}
    ORDER BY Host, DeviceIndex, PciBusId, DeviceId`);
}

const live = { withBatches: [], withoutBatches: [] } as const;

function inMinutes(db: Db, device: Device, { start, until }: Job, { fromHour, toHour }: Span, policy: IdlePolicy): JobDevice {
  const [firstDay, lastDay] = [Math.floor(fromHour / 24) - 1, Math.floor((toHour - 1) / 24) + 1];
  const read = (metric: string): Trace => traceOf(db, live, device.DeviceId, metric, firstDay, lastDay);
  const utilization = activityOf(read("engine-active"), read("utilization")).trace;
  const traces = { utilization, memoryUsed: read("memory-used"), power: read("power"), memoryTotalMiB: device.MemoryTotalMiB };
  const { states } = deviceMinutes(traces, idleStates(utilization, policy), policy, fromHour, toHour);
  const [from, to] = [start * 1000, (until ?? start) * 1000];
  const total = device.MemoryTotalMiB !== null && device.MemoryTotalMiB > 0 ? device.MemoryTotalMiB : null;
  const mean = meanBetween(utilization, from, to);
  const peak = total === null ? null : mostBetween(traces.memoryUsed, from, to);
  const minutes = (trace: Trace, scale: number | null): number[] => Array.from({ length: (toHour - fromHour) * 60 }, (_, minute) => {
    const at = fromHour * HOUR * 1000 + minute * 60_000;
    const value = scale === null ? null : meanBetween(trace, at, at + 60_000);
    return value === null || scale === null ? UNKNOWN : value * scale;
  });
  return {
    ...named(device),
    states,
    memory: minutes(traces.memoryUsed, total === null ? null : 100 / total).map(percent),
    power: minutes(traces.power, 1),
    utilization: mean === null ? null : mean / 100,
    memoryPeak: peak === null || total === null ? null : peak / total,
    powerMeanWatts: meanBetween(traces.power, from, to),
  };
}

interface DeviceHour {
  readonly HourStart: number;
  readonly KnownSeconds: number;
  readonly UtilizationMean: number | null;
  readonly ActiveSeconds: number;
  readonly ActiveUtilizationSeconds: number | null;
  readonly HeldIdleSeconds: number;
  readonly DeadIdleSeconds: number;
  readonly IdleMemoryUnknownSeconds: number;
  readonly MemoryKnownSeconds: number;
  readonly MemoryShareMean: number | null;
  readonly MemorySharePeak: number | null;
  readonly PowerKnownSeconds: number;
  readonly EnergyWattHours: number | null;
}

function inHours(db: Db, device: Device, { start, until }: Job, { fromHour, toHour, hoursAStep }: Span): JobDevice {
  const rows = readAll(db, query<DeviceHour>(
    "HourStart", "KnownSeconds", "UtilizationMean", "ActiveSeconds", "ActiveUtilizationSeconds", "HeldIdleSeconds", "DeadIdleSeconds", "IdleMemoryUnknownSeconds", "MemoryKnownSeconds", "MemoryShareMean",
    "MemorySharePeak", "PowerKnownSeconds", "EnergyWattHours",
  )`-- jobs.device-hours
    SELECT
      HourStart, KnownSeconds, UtilizationMean, ActiveSeconds, ActiveUtilizationSeconds, HeldIdleSeconds, DeadIdleSeconds, IdleMemoryUnknownSeconds, MemoryKnownSeconds, MemoryShareMean,
      MemorySharePeak, PowerKnownSeconds, EnergyWattHours
    FROM gpu_hour_current
    WHERE Day >= ${Math.floor(fromHour / 24)} AND Day <= ${Math.floor((toHour - 1) / 24)} AND HourStart >= ${fromHour} AND HourStart < ${toHour} AND DeviceId = ${device.DeviceId}
    ORDER BY HourStart`);
  const steps = Array.from({ length: Math.ceil((toHour - fromHour) / hoursAStep) }, (): DeviceHour[] => []);
  for (const row of rows) steps[Math.floor((row.HourStart - fromHour) / hoursAStep)]?.push(row);
  const sum = (of: readonly DeviceHour[], value: (hour: DeviceHour) => number): number => of.reduce((total, hour) => total + value(hour), 0);
  // An hour at either end counts for the part of it in which the job ran.
  const ran = ({ HourStart }: DeviceHour): number => overlap(start, until ?? start, HourStart * HOUR, (HourStart + 1) * HOUR) / HOUR;
  const mean = (of: readonly DeviceHour[], weight: (hour: DeviceHour) => number, value: (hour: DeviceHour) => number | null): number | null => {
    const known = of.filter((hour) => value(hour) !== null);
    const all = sum(known, weight);
    return all === 0 ? null : sum(known, (hour) => weight(hour) * (value(hour) ?? 0)) / all;
  };
  const watts = (hour: DeviceHour): number | null => (hour.EnergyWattHours === null || hour.PowerKnownSeconds === 0 ? null : (hour.EnergyWattHours * HOUR) / hour.PowerKnownSeconds);
  const peaks = rows.flatMap(({ MemorySharePeak }) => MemorySharePeak ?? []);
  return {
    ...named(device),
    states: steps.map((hours) => stateOf(hours, sum, hoursAStep)),
    memory: steps.map((hours) => percent((mean(hours, ({ MemoryKnownSeconds }) => MemoryKnownSeconds, ({ MemoryShareMean }) => MemoryShareMean) ?? UNKNOWN / 100) * 100)),
    power: steps.map((hours) => mean(hours, ({ PowerKnownSeconds }) => PowerKnownSeconds, watts) ?? UNKNOWN),
    utilization: mean(rows, (hour) => hour.KnownSeconds * ran(hour), ({ UtilizationMean }) => UtilizationMean),
    memoryPeak: peaks.length === 0 ? null : Math.max(...peaks),
    powerMeanWatts: mean(rows, (hour) => hour.PowerKnownSeconds * ran(hour), watts),
  };
}

/** The state that most of a step had; on a tie, the one that claims less waste. */
function stateOf(hours: readonly DeviceHour[], sum: (of: readonly DeviceHour[], value: (hour: DeviceHour) => number) => number, hoursAStep: number): number {
  const active = sum(hours, ({ ActiveSeconds }) => ActiveSeconds);
  const candidates = [
    [active, Math.round((100 * sum(hours, ({ ActiveUtilizationSeconds }) => ActiveUtilizationSeconds ?? 0)) / (active === 0 ? 1 : active))],
    [hoursAStep * HOUR - sum(hours, ({ KnownSeconds }) => KnownSeconds), UNKNOWN],
    [sum(hours, ({ IdleMemoryUnknownSeconds }) => IdleMemoryUnknownSeconds), -5],
    [sum(hours, ({ HeldIdleSeconds }) => HeldIdleSeconds), -3],
    [sum(hours, ({ DeadIdleSeconds }) => DeadIdleSeconds), -4],
  ] as const;
  return candidates.reduce((best, candidate) => (candidate[0] > best[0] ? candidate : best))[1];
}

function named({ DeviceId, Host, Label, GpuModel }: Device): Pick<JobDevice, "id" | "host" | "label" | "gpuModel"> {
  return { id: DeviceId, host: Host, label: Label, gpuModel: GpuModel };
}

function mostBetween(trace: Trace, from: number, to: number): number | null {
  let most: number | null = null;
  for (const [index, value] of trace.value.entries()) if ((trace.startMs[index] as number) < to && (trace.endMs[index] as number) > from) most = Math.max(most ?? 0, value);
  return most;
}

function percent(value: number): number {
  return value < 0 ? UNKNOWN : Math.min(100, Math.round(value));
}

/** Watts of each step as a share of the most that any of the devices drew. */
function scaledPower(devices: readonly JobDevice[]): readonly JobDevice[] {
  const most = Math.max(0, ...devices.map(({ power }) => power.reduce((peak, watts) => Math.max(peak, watts), 0)));
  return devices.map((device) => ({ ...device, power: device.power.map((watts) => (watts < 0 || most === 0 ? UNKNOWN : percent((100 * watts) / most))) }));
}

/** More than fit into a band; how many there are stands beside it. */
const JOBS_SHOWN = 200;

/** The jobs that held GPUs of a host of the logs in some hours. */
export async function jobsOfHost(db: Db, host: string, fromHour: number, hours: number): Promise<HostJobs> {
  const [from, to] = [fromHour * HOUR, (fromHour + hours) * HOUR];
  const month = (second: number): string => new Date(second * 1000).toISOString().slice(0, 7);
  const running = (await monthsJobs(db, from, to)).filter((job) => job.start < to && (job.until ?? job.start + 1) > from);
  const { hostAt } = placesOf(db, running);
  const jobs = running.filter((job) => job.hosts.some((name) => hostAt(name, fromHour) === host));
  const teamOf = teamFinder(db);
  return {
    count: jobs.length,
    jobs: jobs.slice(0, JOBS_SHOWN).map((job) => ({ job: refOf(job), jobId: job.id, name: job.name, user: job.user, team: teamOf(job, month(Math.max(from, job.start))), gpus: job.gpus, startSecond: job.start, endSecond: job.end, knownUntil: job.until })),
  };
}

const kept = new WeakMap<Db, { readonly key: string; readonly jobs: Promise<readonly Job[]> }>();

/** Jobs of whole months around some hours, kept while a person pages through them. */
function monthsJobs(db: Db, from: number, to: number): Promise<readonly Job[]> {
  const [first, last] = [new Date(from * 1000), new Date((to - 1) * 1000)];
  const start = Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), 1) / 1000;
  const end = Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1) / 1000;
  const posted = readAll(db, query<{ shows: string | null }>("shows")`-- jobs.batches-shown
    SELECT group_concat(BatchId) AS shows FROM (SELECT BatchId FROM batch WHERE State = 'posted' ORDER BY PostedOrder)`)[0]?.shows ?? "";
  const key = `${start} ${end} ${posted}`;
  const known = kept.get(db);
  if (known?.key === key) return known.jobs;
  const jobs = jobsBetween(db, start, end);
  jobs.catch(() => kept.delete(db));
  kept.set(db, { key, jobs });
  return jobs;
}
