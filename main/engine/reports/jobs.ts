/**
 * Jobs of a period: GPU-hours held, what the hosts did meanwhile, and what those hours cost.
 *
 * GPU-hours   GPUs × seconds within the period ÷ 3600; time suspended is spread evenly over the job
 * host        a job's GPUs lie evenly on its hosts; where that gives no whole number, what lies where is unknown
 * use         hour by hour: the mean of the host's GPUs, weighted by the GPU-hours the job held in the hour × the share of it that a log knows
 * cost        hour by hour: the resource's effective cost split by GPU-hours held, the rest of the billed GPU-hours taking its own part; where
 *             jobs hold more than was billed, they share what was billed
 */
import type { JobGrouping, JobLine, JobsAnswer } from "../../../shared/contract/jobs.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { rational } from "../../../shared/domain/rational.ts";
import { splitExactly } from "../allocation/split.ts";
import { matchHosts, type HostMatch } from "../hours/match.ts";
import { deviceHosts, gpuResources, hostMap } from "../hours/work-out.ts";
import { query, readAll, sumMoney, type Db } from "../store/sql.ts";
import type { Gathered } from "./gather.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

interface JobRow {
  readonly JobId: string;
  readonly Name: string | null;
  readonly User: string | null;
  readonly Account: string | null;
  readonly Partition: string | null;
  readonly Hosts: string;
  readonly GpuCount: number | null;
  readonly StartSecond: number;
  readonly EndSecond: number | null;
  readonly ElapsedSeconds: number | null;
}

/** A job, and what has been found out about it so far. Hours are GPU-hours. */
interface Job {
  readonly row: JobRow;
  /** Unix seconds until which it is known to have held its GPUs; null: unknown. */
  readonly end: number | null;
  /** Of its time the part that it was not suspended. */
  readonly running: number;
  readonly hosts: readonly string[];
  /** GPUs on each host; null: unknown. */
  readonly perHost: number | null;
  held: number | null;
  known: number;
  useful: number;
  idle: number;
  isOfHost: boolean;
  priced: number;
  attos: bigint;
}

/** The jobs that held GPUs in the period. */
export function jobsReport(gathered: Gathered, by: JobGrouping): JobsAnswer {
  const { firstDay, endDay, currency, asked } = gathered;
  const { db } = gathered.context.ledger;
  const jobs = jobsWithin(db, firstDay * DAY, endDay * DAY);
  const places = placesOf(db, jobs);
  for (let day = firstDay; day < endDay; day += 1) addDay(db, day, jobs, places, currency);
  const keyOf = by === "team" ? teamOf(db) : ({ row }: Job): string | null => row[columnOf[by]];
  const groups = Map.groupBy(jobs, (job) => JSON.stringify(by === "job" ? [job.row.JobId, job.row.StartSecond] : keyOf(job)));
  const lines = [...groups.values()].map((group) => lineOf(group, group[0] === undefined ? null : keyOf(group[0]), by === "job"));
  return { period: asked.period, by, currency, lines: lines.sort((a, b) => (b.gpuHours ?? -1) - (a.gpuHours ?? -1)), total: lineOf(jobs, null, false) };
}

const columnOf = { job: "JobId", user: "User", account: "Account", partition: "Partition" } as const;

/** An account is the team of that name in the bills, whatever the case; else it stands for itself. */
function teamOf(db: Db): (job: Job) => string | null {
  const teams = readAll(db, query<{ team: string }>("team")`-- jobs.teams
    SELECT DISTINCT x_Team AS team FROM series WHERE x_Team IS NOT NULL`);
  const byName = new Map(teams.map(({ team }) => [team.toLowerCase(), team]));
  return ({ row: { Account } }) => (Account === null ? null : (byName.get(Account.toLowerCase()) ?? Account));
}

function jobsWithin(db: Db, from: number, to: number): readonly Job[] {
  const rows = readAll(db, query<JobRow>("JobId", "Name", "User", "Account", "Partition", "Hosts", "GpuCount", "StartSecond", "EndSecond", "ElapsedSeconds")`-- jobs.of-period
    SELECT JobId, Name, User, Account, Partition, Hosts, GpuCount, StartSecond, EndSecond, ElapsedSeconds
    FROM gpu_job_current
    WHERE StartSecond < ${to}
      AND CASE
        WHEN EndSecond IS NOT NULL THEN EndSecond > ${from}
        WHEN ElapsedSeconds IS NOT NULL THEN StartSecond + ElapsedSeconds > ${from}
        ELSE StartSecond >= ${from}
      END
    ORDER BY StartSecond, JobId`);
  return rows.map((row) => {
    const end = row.EndSecond ?? (row.ElapsedSeconds === null ? null : row.StartSecond + row.ElapsedSeconds);
    const span = end === null ? 0 : end - row.StartSecond;
    const running = row.ElapsedSeconds === null || span <= 0 ? 1 : Math.min(1, row.ElapsedSeconds / span);
    const hosts = JSON.parse(row.Hosts) as readonly string[];
    const each = row.GpuCount === null || hosts.length === 0 ? null : row.GpuCount / hosts.length;
    const held = end === null || row.GpuCount === null ? null : (row.GpuCount * overlap(row.StartSecond, end, from, to) * running) / HOUR;
    return { row, end, running, hosts, perHost: hosts.length > 1 && each !== null && !Number.isInteger(each) ? null : each, held, known: 0, useful: 0, idle: 0, isOfHost: false, priced: 0, attos: 0n };
  });
}

function overlap(start: number, end: number, from: number, to: number): number {
  return Math.max(0, Math.min(end, to) - Math.max(start, from));
}

/** Which host of the logs, and which billed resource, a job's host is. */
interface Places {
  readonly hostOf: (name: string) => string | null;
  readonly resourceAt: (name: string, hour: number) => string | null;
}

/** A scheduler says `gpu01` where a log may say `gpu01.cluster.example`: a first label that only one host has is that host. */
function placesOf(db: Db, jobs: readonly Job[]): Places {
  const logged = deviceHosts(db);
  const full = new Map(logged.map((host) => [host.toLowerCase(), host]));
  const labels = new Map<string, string | null>();
  for (const host of logged) labels.set(labelOf(host), labels.has(labelOf(host)) ? null : host);
  const hostOf = (name: string): string | null => full.get(name.toLowerCase()) ?? labels.get(labelOf(name)) ?? null;
  const names = [...new Set(jobs.flatMap(({ hosts }) => hosts))];
  const matches = new Map<string, HostMatch[]>();
  for (const match of matchHosts([...new Set(names.map((name) => hostOf(name) ?? name))], gpuResources(db), hostMap(db)).matches) matches.set(match.host, [...(matches.get(match.host) ?? []), match]);
  return {
    hostOf,
    resourceAt: (name, hour) => matches.get(hostOf(name) ?? name)?.find(({ fromHour, toHour }) => hour >= fromHour && hour < toHour)?.resourceId.toLowerCase() ?? null,
  };
}

function labelOf(host: string): string {
  return host.toLowerCase().split(".")[0] ?? "";
}

interface HostHour {
  readonly host: string;
  readonly hour: number;
  readonly gpus: number;
  readonly known: number;
  readonly useful: number;
  readonly idle: number;
}
interface CostHour {
  readonly resource: string;
  readonly hour: number;
  readonly gpuHours: number;
  readonly costAttos: bigint;
  readonly unstated: number;
}

/** Adds what a UTC day says of the jobs that held GPUs in it. */
function addDay(db: Db, day: number, jobs: readonly Job[], places: Places, currency: string | null): void {
  const running = jobs.filter(({ row, end, perHost }) => perHost !== null && end !== null && overlap(row.StartSecond, end, day * DAY, (day + 1) * DAY) > 0);
  if (running.length === 0) return;
  const seen = new Map(readAll(db, query<HostHour>("host", "hour", "gpus", "known", "useful", "idle")`-- jobs.host-hours
    SELECT
      d.Host AS host, h.HourStart AS hour, sum(d.Share) AS gpus, sum(h.KnownSeconds * d.Share) AS known,
      coalesce(sum(h.UtilizationMean * h.KnownSeconds * d.Share), 0.0) AS useful,
      sum((h.HeldIdleSeconds + h.DeadIdleSeconds + h.IdleMemoryUnknownSeconds) * d.Share) AS idle
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day = ${day}
    GROUP BY d.Host, h.HourStart`).map((row) => [`${row.hour} ${row.host}`, row]));
  const costs = new Map((currency === null ? [] : costHours(db, day, currency)).map((row) => [`${row.hour} ${row.resource}`, row]));
  const holders = new Map<string, Map<Job, number>>();
  for (const job of running) {
    for (let hour = day * 24; hour < (day + 1) * 24; hour += 1) {
      const held = ((job.perHost ?? 0) * overlap(job.row.StartSecond, job.end ?? 0, hour * HOUR, (hour + 1) * HOUR) * job.running) / HOUR;
      if (held === 0) continue;
      for (const name of job.hosts) {
        const [host, resource] = [places.hostOf(name), places.resourceAt(name, hour)];
        if (host !== null) addUse(job, held, seen.get(`${hour} ${host}`), costs.get(`${hour} ${resource ?? ""}`)?.gpuHours ?? 0);
        if (resource === null) continue;
        const key = `${hour} ${resource}`;
        const ofHour = holders.get(key) ?? new Map<Job, number>();
        holders.set(key, ofHour.set(job, (ofHour.get(job) ?? 0) + held));
      }
    }
  }
  for (const [key, ofHour] of holders) addCost(ofHour, costs.get(key));
}

function costHours(db: Db, day: number, currency: string): readonly CostHour[] {
  return readAll(db, query<CostHour>("resource", "hour", "gpuHours", "costAttos", "unstated")`-- jobs.cost-hours
    SELECT
      lower(s.ResourceId) AS resource, c.HourStart AS hour, sum(c.GpuHours) AS gpuHours, ${sumMoney("EffectiveCost", "c")} AS costAttos,
      count(*) - count(c.EffectiveCostNanos) AS unstated
    FROM gpu_hour_cost_current AS c
    JOIN series AS s ON s.SeriesId = c.SeriesId
    WHERE c.Day = ${day} AND s.BillingCurrency = ${currency} AND s.ResourceId IS NOT NULL
    GROUP BY lower(s.ResourceId), c.HourStart`);
}

/** A host has as many GPUs as its logs name, its bill bought in the hour, or the job holds of it: the most of them. */
function addUse(job: Job, held: number, hour: HostHour | undefined, billed: number): void {
  if (hour === undefined || hour.known <= 0) return;
  const gpus = Math.max(hour.gpus, billed, job.perHost ?? 0);
  const known = held * Math.min(1, hour.known / (gpus * HOUR));
  job.known += known;
  job.useful += (known * hour.useful) / hour.known;
  job.idle += (known * hour.idle) / hour.known;
  job.isOfHost ||= (job.perHost ?? 0) < gpus;
}

/** Shares are whole billionths of a GPU-hour. What nobody held keeps its part of the cost. */
function addCost(holders: ReadonlyMap<Job, number>, hour: CostHour | undefined): void {
  if (hour === undefined || hour.unstated > 0 || hour.gpuHours <= 0) return;
  const jobs = [...holders].map(([job, held]) => ({ job, held, weight: BigInt(Math.round(held * 1e9)) }));
  const taken = jobs.reduce((sum, { weight }) => sum + weight, 0n);
  if (taken === 0n) return;
  const billed = BigInt(Math.round(hour.gpuHours * 1e9));
  const rest = billed > taken ? billed - taken : 0n;
  const targets = [...jobs.map(({ weight }, at) => ({ id: String(at), weight: rational(weight) })), { id: "rest", weight: rational(rest) }];
  const { parts } = splitExactly(hour.costAttos, targets);
  for (const [at, { job, held }] of jobs.entries()) {
    job.priced += held;
    job.attos += parts[at]?.amount ?? 0n;
  }
}

function lineOf(jobs: readonly Job[], key: string | null, isSingle: boolean): JobLine {
  const total = (pick: (job: Job) => number): number => jobs.reduce((sum, job) => sum + pick(job), 0);
  const [held, known, priced] = [total((job) => job.held ?? 0), total((job) => job.known), total((job) => job.priced)];
  const counted = jobs.filter((job) => job.held !== null).length;
  const [first] = jobs;
  const ofHeld = (part: number): number => (held === 0 ? 0 : Math.min(1, part / held));
  return {
    key,
    name: isSingle ? (first?.row.Name ?? null) : null,
    startSecond: isSingle ? (first?.row.StartSecond ?? null) : null,
    jobs: jobs.length,
    gpuHours: counted === 0 ? null : held,
    gpuHoursCoverage: jobs.length === 0 ? 0 : counted / jobs.length,
    utilization: known === 0 ? null : total((job) => job.useful) / known,
    idleShare: known === 0 ? null : total((job) => job.idle) / known,
    telemetryCoverage: ofHeld(known),
    isOfHost: jobs.some((job) => job.isOfHost),
    cost: priced === 0 ? null : formatAttos(jobs.reduce((sum, { attos }) => sum + attos, 0n)),
    costCoverage: ofHeld(priced),
  };
}
