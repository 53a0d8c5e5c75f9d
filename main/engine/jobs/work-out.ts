/**
 * What jobs held in a period, what their machines did meanwhile, and what those hours cost; day by day, with a breath between, so that other
 * questions are answered.
 *
 * GPU-hours   GPUs × seconds within the period ÷ 3600; time suspended is spread evenly over the job
 * host        a job's GPUs lie evenly on its hosts; where that gives no whole number, what lies where is unknown
 * machine     GPU-hours of a host in an hour: those that its bill bought, or more where logs saw more; without a bill the GPUs that its logs name
 * share       what a job held of the machine in the hour. Where jobs together hold more than it has (time-slices, clocks), each its part of it.
 *             Without a bill Slurm's word for how many GPUs there are stands: it gives none twice.
 * ways        the machine's seconds at work, at work in vain, held idle, dead idle and idle with memory unknown, each × share ÷ machine; what no log
 *             knows of the share is unknown
 * cost        each of the six parts of the hour's effective cost, split by share; what nobody held takes its own part. Cumulative floors in the
 *             order of the jobs: parts of jobs and of nobody add up to the machine's cost to the last digit
 */
import { jobWays, type JobWay } from "../../../shared/contract/jobs.ts";
import type { UtilizationCounter } from "../../../shared/domain/counter.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { breath } from "../import/control.ts";
import { query, readAll, scopeFilter, sumMoney, type Db } from "../store/sql.ts";
import { jobsBetween, type Job } from "./list.ts";
import { placesOf, type Places } from "./places.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The ways in which a log saw hours. */
const seenWays = ["productive", "busyInefficient", "heldIdle", "deadIdle", "idleMemoryUnknown"] as const satisfies readonly JobWay[];
/** GPU-hours of a job, by what is known of them. */
export const jobHours = ["share", ...seenWays, "counterKnown", "counterUseful", "priced", "pricedUseful"] as const;
export type JobHours = (typeof jobHours)[number];

/** Jobs with what was worked out of each, in the same order. */
export interface WorkedJobs {
  readonly jobs: readonly Job[];
  /** GPU-hours held in the period; NaN: unknown. */
  readonly held: Float64Array;
  readonly hours: Readonly<Record<JobHours, Float64Array>>;
  /** Attos of each way; 0 where nothing of a job is priced. */
  readonly costs: Readonly<Record<JobWay, bigint[]>>;
  /** 1: a host had more GPUs than the job held of it. */
  readonly isOfHost: Uint8Array;
  readonly machines: MachineSums;
}

/** All hours in the period of the billed machines that jobs ran on, and what of them nobody held. */
export interface MachineSums {
  readonly names: ReadonlySet<string>;
  gpuHours: number;
  unassignedGpuHours: number;
  readonly costs: Record<JobWay, bigint>;
  readonly unassigned: Record<JobWay, bigint>;
}

export interface WorkAsked {
  readonly firstDay: number;
  readonly endDay: number;
  readonly currency: string | null;
  /** Of bills; without a team. */
  readonly scope: Scope;
  /** Billed machines of the scope in small letters; null: the scope is everything. */
  readonly within: ReadonlySet<string> | null;
  readonly counter: UtilizationCounter | null;
}

/** Works all jobs of a period out. Once the ledger changes meanwhile what comes out is neither before nor after: the caller asks again. */
export async function workOutJobs(db: Db, asked: WorkAsked): Promise<WorkedJobs> {
  const { firstDay, endDay, within } = asked;
  const all = await jobsBetween(db, firstDay * DAY, endDay * DAY);
  await breath();
  const places = placesOf(db, all);
  await breath();
  const jobs = within === null ? all : all.filter((job) => touches(job, places, asked, within));
  const worked = emptyWork(jobs, [...places.machinesBetween(firstDay * 24, endDay * 24)].filter((machine) => within === null || within.has(machine)));
  if (within === null) jobs.forEach((job, index) => (worked.held[index] = heldWithin(job, firstDay * DAY, endDay * DAY)));
  else jobs.forEach((job, index) => (worked.held[index] = job.perHost === null || job.until === null ? Number.NaN : 0));
  await breath();
  let active: number[] = [];
  let next = 0;
  for (let day = firstDay; day < endDay; day += 1) {
    active = active.filter((index) => (jobs[index]?.until ?? 0) > day * DAY);
    for (; next < jobs.length && (jobs[next] as Job).start < (day + 1) * DAY; next += 1) {
      const { perHost, until } = jobs[next] as Job;
      if (perHost !== null && until !== null && until > day * DAY) active.push(next);
    }
    await addDay(db, day, active, worked, places, asked);
  }
  for (let index = 0; index < jobs.length; index += 1) worked.hours.share[index] = (worked.held[index] as number) - (worked.hours.share[index] as number);
  return worked;
}

function emptyWork(jobs: readonly Job[], machines: readonly string[]): WorkedJobs {
  const count = jobs.length;
  return {
    jobs,
    held: new Float64Array(count),
    hours: Object.fromEntries(jobHours.map((name) => [name, new Float64Array(count)])) as Record<JobHours, Float64Array>,
    costs: Object.fromEntries(jobWays.map((way) => [way, new Array<bigint>(count).fill(0n)])) as Record<JobWay, bigint[]>,
    isOfHost: new Uint8Array(count),
    machines: { names: new Set(machines), gpuHours: 0, unassignedGpuHours: 0, costs: noCosts(), unassigned: noCosts() },
  };
}

export function noCosts(): Record<JobWay, bigint> {
  return { productive: 0n, busyInefficient: 0n, heldIdle: 0n, deadIdle: 0n, idleMemoryUnknown: 0n, unknown: 0n };
}

/** Seconds that two spans have in common. */
export function overlap(start: number, end: number, from: number, to: number): number {
  return Math.max(0, Math.min(end, to) - Math.max(start, from));
}

/** GPU-hours held between two moments; NaN where the end or the number of GPUs is not known. */
function heldWithin({ start, until, gpus, running }: Job, from: number, to: number): number {
  return until === null || gpus === null ? Number.NaN : (gpus * overlap(start, until, from, to) * running) / HOUR;
}

/** Whether any host of the job is a machine of the scope while it runs in the period. */
function touches({ hosts, start, until }: Job, { machineAt }: Places, { firstDay, endDay }: WorkAsked, within: ReadonlySet<string>): boolean {
  const [first, last] = [Math.max(start, firstDay * DAY), Math.min(until ?? start, endDay * DAY - 1)].map((second) => Math.floor(second / HOUR)) as [number, number];
  return hosts.some((name) => [first, last].some((hour) => within.has(machineAt(name, hour) ?? "")));
}

/** What a job holds of a place in an hour, in GPU-hours. */
interface Claim {
  readonly job: number;
  readonly held: number;
  /** The part of it that the machine has for it: less than 1 where jobs hold more than there is. */
  scale: number;
}

const CLAIMS_A_TURN = 8000;

async function addDay(db: Db, day: number, active: readonly number[], worked: WorkedJobs, places: Places, { within, currency, counter, scope }: WorkAsked): Promise<void> {
  const onHost = new Map<string, Claim[]>();
  const onMachine = new Map<string, Claim[]>();
  const machineOfHost = new Map<string, string>();
  let claims = 0;
  for (const index of active) {
    const job = worked.jobs[index] as Job;
    const firstHour = Math.max(day * 24, Math.floor(job.start / HOUR));
    const endHour = Math.min((day + 1) * 24, Math.ceil((job.until ?? 0) / HOUR));
    for (let hour = firstHour; hour < endHour; hour += 1) {
      const held = ((job.perHost ?? 0) * overlap(job.start, job.until ?? 0, hour * HOUR, (hour + 1) * HOUR) * job.running) / HOUR;
      if (held === 0) continue;
      for (const name of job.hosts) {
        const machine = places.machineAt(name, hour);
        if (within !== null && (machine === null || !within.has(machine))) continue;
        if (within !== null) worked.held[index] = (worked.held[index] as number) + held;
        const claim: Claim = { job: index, held, scale: 1 };
        const host = places.hostAt(name, hour);
        const place = `${hour} ${host ?? machine ?? name.toLowerCase()}`;
        listOf(onHost, place).push(claim);
        if (machine === null) continue;
        machineOfHost.set(place, `${hour} ${machine}`);
        listOf(onMachine, `${hour} ${machine}`).push(claim);
      }
    }
    claims += (endHour - firstHour) * job.hosts.length;
    if (claims < CLAIMS_A_TURN) continue;
    claims = 0;
    await breath();
  }
  const seen = onHost.size === 0 ? new Map<string, HostHour>() : await hostHours(db, day, counter);
  const costs = currency === null ? new Map<string, CostHour>() : await costHours(db, day, currency, scope);
  scaleToMachines(onMachine, costs);
  for (const [place, ofHour] of onHost) {
    addUse(worked, ofHour, seen.get(place), costs.get(machineOfHost.get(place) ?? "")?.gpuHours ?? 0);
    claims += ofHour.length;
    if (claims < CLAIMS_A_TURN) continue;
    claims = 0;
    await breath();
  }
  for (const [place, cost] of costs) {
    addCost(worked, onMachine.get(place) ?? [], cost);
    claims += 1 + (onMachine.get(place)?.length ?? 0);
    if (claims < CLAIMS_A_TURN / 4) continue;
    claims = 0;
    await breath();
  }
  await breath();
}

function listOf<Value>(lists: Map<string, Value[]>, key: string): Value[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
}

/** What logs know of a host in an hour: GPUs, and seconds × GPUs in each way. */
interface HostHour {
  readonly gpus: number;
  readonly known: number;
  readonly productive: number;
  readonly active: number;
  readonly held: number;
  readonly dead: number;
  readonly idleMemoryUnknown: number;
  counterKnown: number;
  counterUseful: number;
}

async function hostHours(db: Db, day: number, counter: UtilizationCounter | null): Promise<Map<string, HostHour>> {
  interface Row extends Omit<HostHour, "counterKnown" | "counterUseful"> {
    readonly host: string;
    readonly hour: number;
  }
  const rows = readAll(db, query<Row>("host", "hour", "gpus", "known", "productive", "active", "held", "dead", "idleMemoryUnknown")`-- jobs.host-hours
    SELECT
      d.Host AS host, h.HourStart AS hour, sum(d.Share) AS gpus, sum(h.KnownSeconds * d.Share) AS known, coalesce(sum(h.ActiveUtilizationSeconds * d.Share), 0.0) AS productive,
      sum(h.ActiveSeconds * d.Share) AS active, sum(h.HeldIdleSeconds * d.Share) AS held, sum(h.DeadIdleSeconds * d.Share) AS dead,
      sum(h.IdleMemoryUnknownSeconds * d.Share) AS idleMemoryUnknown
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day = ${day}
    GROUP BY d.Host, h.HourStart`);
  await breath();
  const hours = new Map(rows.map(({ host, hour, ...row }) => [`${hour} ${host}`, { ...row, counterKnown: 0, counterUseful: 0 }]));
  if (counter === null) return hours;
  // Devices with GPU-Util alone have no rows of counters: their hours are it.
  const counted = readAll(db, query<{ host: string; hour: number; known: number; useful: number }>("host", "hour", "known", "useful")`-- jobs.counter-hours
    SELECT d.Host AS host, c.HourStart AS hour, sum(c.KnownSeconds * d.Share) AS known, sum(c.KnownSeconds * c.Mean * d.Share) AS useful
    FROM gpu_hour_counter_current AS c
    JOIN device AS d ON d.DeviceId = c.DeviceId
    WHERE c.Day = ${day} AND c.Counter = ${counter}
    GROUP BY d.Host, c.HourStart`);
  const alone = counter !== "utilization" ? [] : readAll(db, query<{ host: string; hour: number; known: number; useful: number }>("host", "hour", "known", "useful")`-- jobs.gpu-util-hours
    SELECT d.Host AS host, h.HourStart AS hour, sum(h.KnownSeconds * d.Share) AS known, coalesce(sum(h.KnownSeconds * h.UtilizationMean * d.Share), 0.0) AS useful
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day = ${day} AND h.KnownSeconds > 0
      AND NOT EXISTS (SELECT 1 FROM gpu_hour_counter_current AS c WHERE c.Day = h.Day AND c.HourStart = h.HourStart AND c.DeviceId = h.DeviceId)
    GROUP BY d.Host, h.HourStart`);
  for (const { host, hour, known, useful } of [...counted, ...alone]) {
    const entry = hours.get(`${hour} ${host}`);
    if (entry === undefined) continue;
    entry.counterKnown += known;
    entry.counterUseful += useful;
  }
  await breath();
  return hours;
}

/** What a billed machine cost in an hour. `unstated`: rows whose cost the bill does not state; then none of the hour's is taken as known. */
interface CostHour {
  readonly machine: string;
  readonly gpuHours: number;
  readonly useful: number;
  readonly unstated: number;
  readonly parts: readonly bigint[];
}

async function costHours(db: Db, day: number, currency: string, scope: Scope): Promise<Map<string, CostHour>> {
  interface Row extends Record<JobWay, bigint>, Omit<CostHour, "parts"> {
    readonly hour: number;
  }
  const rows = readAll(db, query<Row>("machine", "hour", "gpuHours", "useful", "unstated", ...jobWays)`-- jobs.cost-hours
    SELECT
      lower(s.ResourceId) AS machine, c.HourStart AS hour, sum(c.GpuHours) AS gpuHours, sum(c.UsefulGpuHours) AS useful, count(*) - count(c.EffectiveCostNanos) AS unstated,
      ${sumMoney("ProductiveCost", "c")} AS productive, ${sumMoney("BusyInefficientCost", "c")} AS busyInefficient, ${sumMoney("HeldIdleCost", "c")} AS heldIdle,
      ${sumMoney("DeadIdleCost", "c")} AS deadIdle, ${sumMoney("IdleMemoryUnknownCost", "c")} AS idleMemoryUnknown, ${sumMoney("UnknownCost", "c")} AS unknown
    FROM gpu_hour_cost_current AS c
    JOIN series AS s ON s.SeriesId = c.SeriesId
    WHERE c.Day = ${day} AND s.BillingCurrency = ${currency} AND s.ResourceId IS NOT NULL ${scopeFilter(scope, "s")}
    GROUP BY lower(s.ResourceId), c.HourStart
    ORDER BY c.HourStart, lower(s.ResourceId)`);
  await breath();
  return new Map(rows.map((row) => [`${row.hour} ${row.machine}`, { machine: row.machine, gpuHours: row.gpuHours, useful: row.useful, unstated: row.unstated, parts: jobWays.map((way) => row[way]) }]));
}

/** Jobs that together hold more of a machine than was billed of it in the hour share what was billed. */
function scaleToMachines(onMachine: ReadonlyMap<string, readonly Claim[]>, costs: ReadonlyMap<string, CostHour>): void {
  for (const [place, claims] of onMachine) {
    const billed = costs.get(place)?.gpuHours ?? 0;
    const taken = claims.reduce((sum, { held }) => sum + held, 0);
    if (billed > 0 && taken > billed) for (const claim of claims) claim.scale = billed / taken;
  }
}

/** Adds a host's ways of an hour to the jobs on it. What is cut of a share is kept under `share` until the end. */
function addUse({ hours, jobs, isOfHost }: WorkedJobs, claims: readonly Claim[], seen: HostHour | undefined, billed: number): void {
  const taken = claims.reduce((sum, { held, scale }) => sum + held * scale, 0);
  // Only of Kubernetes may a GPU be given twice without a bill saying how many there are.
  const isSliced = billed === 0 && seen !== undefined && seen.gpus > 0 && taken > seen.gpus && claims.some(({ job }) => jobs[job]?.source === "kubernetes");
  const machine = billed > 0 ? Math.max(billed, (seen?.known ?? 0) / HOUR) : Math.max(seen?.gpus ?? 0, isSliced ? 0 : taken, isSliced ? 0 : Math.max(...claims.map(({ job }) => jobs[job]?.perHost ?? 0)));
  for (const { job, held, scale } of claims) {
    const share = held * scale * (isSliced ? machine / taken : 1);
    hours.share[job] = (hours.share[job] as number) + held - share;
    if (seen === undefined || seen.known <= 0) continue;
    const part = share / (machine * HOUR);
    const add = (name: JobHours, seconds: number): void => {
      hours[name][job] = (hours[name][job] as number) + seconds * part;
    };
    add("productive", seen.productive);
    add("busyInefficient", seen.active - seen.productive);
    add("heldIdle", seen.held);
    add("deadIdle", seen.dead);
    add("idleMemoryUnknown", seen.idleMemoryUnknown);
    add("counterKnown", seen.counterKnown);
    add("counterUseful", seen.counterUseful);
    if ((jobs[job]?.perHost ?? 0) < Math.max(seen.gpus, Math.round(billed))) isOfHost[job] = 1;
  }
}

/** Splits a machine's hour among the jobs that held it; weights are whole billionths of a GPU-hour. */
function addCost({ hours, costs, machines }: WorkedJobs, claims: readonly Claim[], { machine, gpuHours, useful, unstated, parts }: CostHour): void {
  if (!machines.names.has(machine)) return;
  const weights = claims.map(({ held, scale }) => Math.round(held * scale * 1e9));
  const taken = weights.reduce((sum, weight) => sum + weight, 0);
  const billed = Math.max(Math.round(gpuHours * 1e9), taken);
  machines.gpuHours += gpuHours;
  machines.unassignedGpuHours += (billed - taken) / 1e9;
  if (unstated > 0 || billed <= 0) return;
  for (const [place, way] of jobWays.entries()) {
    const amount = parts[place] ?? 0n;
    machines.costs[way] += amount;
    if (amount === 0n) continue;
    const shares = costs[way];
    const left = splitByFloors(amount, weights, billed, (claim, share) => {
      const { job } = claims[claim] as Claim;
      shares[job] = (shares[job] as bigint) + share;
    });
    machines.unassigned[way] += left;
  }
  for (const [claim, { job, held }] of claims.entries()) {
    hours.priced[job] = (hours.priced[job] as number) + held;
    hours.pricedUseful[job] = (hours.pricedUseful[job] as number) + (useful * (weights[claim] ?? 0)) / billed;
  }
}

/** Hands out an amount by weights that are at most `whole` together, by cumulative floors; returns what is left for nobody. */
function splitByFloors(amount: bigint, weights: readonly number[], whole: number, give: (place: number, share: bigint) => void): bigint {
  const sign = amount < 0n ? -1n : 1n;
  const size = amount * sign;
  const divisor = BigInt(whole);
  let reached = 0;
  let given = 0n;
  for (const [place, weight] of weights.entries()) {
    reached += weight;
    const upTo = reached === whole ? size : (size * BigInt(reached)) / divisor;
    give(place, sign * (upTo - given));
    given = upTo;
  }
  return sign * (size - given);
}
