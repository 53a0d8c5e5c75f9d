/** The jobs of a period as lines: each for itself or added up, narrowed, in an order, a page of them. What was worked out is kept while pages are asked for. */
import { jobWays, type JobColumn, type JobFilter, type JobGrouping, type JobLine, type JobMachines, type JobSort, type JobsAnswer, type JobWay } from "../../../shared/contract/jobs.ts";
import { formatAttos, sumAttos } from "../../../shared/domain/money.ts";
import { startOfDay } from "../../../shared/domain/period.ts";
import { breath } from "../import/control.ts";
import { attosPerHour, share } from "../metrics/metric.ts";
import { compareNames } from "../reports/cells.ts";
import { conversionLines, conversionOf } from "../reports/converted.ts";
import type { Gathered } from "../reports/gather.ts";
import type { Db } from "../store/sql.ts";
import { hasJobs, type Job } from "./list.ts";
import { sortedPlaces } from "./order.ts";
import { teamFinder } from "./teams.ts";
import { jobHours, noCosts, workOutJobs, type JobHours, type WorkedJobs } from "./work-out.ts";

const DAY = 86_400;

/** All jobs of a period and scope, worked out. */
export interface PeriodJobs extends WorkedJobs {
  /** Whose each job is, in the month of its first hours in the period. */
  readonly teams: readonly (string | null)[];
  readonly isScopedToTeam: boolean;
  /** Jobs of the scope's teams, in order. */
  readonly places: Int32Array;
}

const kept = new WeakMap<Db, Map<string, Promise<PeriodJobs>>>();
const KEPT = 2;
const JOBS_A_TURN = 8000;

/** The request without its teams, which narrow jobs by whose they are and not machines by whom they are billed to; and those teams. */
export interface JobsAsked {
  readonly gathered: Gathered;
  readonly teams: readonly (string | null)[] | undefined;
}

/** The jobs of a request; worked out once for all who ask, and anew where the ledger changed meanwhile. */
export async function periodJobs({ gathered, teams }: JobsAsked): Promise<PeriodJobs> {
  const { ledger } = gathered.context;
  for (;;) {
    const revision = ledger.revision();
    const key = JSON.stringify([revision, gathered.asked.period, gathered.asked.scope, teams, gathered.currency, gathered.counter()]);
    let known = kept.get(ledger.db);
    if (known === undefined) kept.set(ledger.db, (known = new Map<string, Promise<PeriodJobs>>()));
    let jobs = known.get(key);
    if (jobs === undefined) {
      const working = workOut(gathered, teams);
      working.catch(() => known.delete(key));
      known.set(key, (jobs = working));
      for (const old of [...known.keys()].slice(0, -KEPT)) known.delete(old);
    }
    const worked = await jobs;
    if (!ledger.db.open || ledger.revision() === revision) return worked;
  }
}

async function workOut(gathered: Gathered, wanted: JobsAsked["teams"]): Promise<PeriodJobs> {
  const { context, firstDay, endDay, currency, asked } = gathered;
  const { scope } = asked;
  const within = Object.keys(scope).length === 0 ? null : new Set(gathered.gpuHours().flatMap(({ resource }) => (resource === null ? [] : [resource.toLowerCase()])));
  const worked = await workOutJobs(context.ledger.db, { firstDay, endDay, currency, scope, within, counter: gathered.counter() });
  const teamOf = teamFinder(context.ledger.db);
  const months = new Map<number, string>();
  const monthOf = (second: number): string => {
    const day = Math.max(firstDay, Math.floor(second / DAY));
    let month = months.get(day);
    if (month === undefined) months.set(day, (month = startOfDay(day).slice(0, 7)));
    return month;
  };
  const teams: (string | null)[] = [];
  for (const job of worked.jobs) {
    teams.push(teamOf(job, monthOf(job.start)));
    if (teams.length % JOBS_A_TURN === 0) await breath();
  }
  const places = Int32Array.from(teams.keys()).filter((place) => wanted === undefined || wanted.includes(teams[place] ?? null));
  return { ...worked, teams, places, isScopedToTeam: wanted !== undefined };
}

export interface LinesAsked {
  readonly by: JobGrouping;
  readonly filter: JobFilter;
  readonly sort: JobSort | null;
  readonly offset: number;
  readonly limit: number;
}

/** A page of the lines, with their total and what nobody held. */
export async function jobsPage(question: JobsAsked, asked: LinesAsked): Promise<JobsAnswer> {
  const jobs = await periodJobs(question);
  const { gathered } = question;
  const { groups, total } = await arranged(jobs, asked);
  const { currency, context } = gathered;
  const lines: JobLine[] = [];
  for (const group of groups.slice(asked.offset, asked.offset + asked.limit)) {
    lines.push(lineOf(jobs, group, asked.by, group.length > JOBS_A_TURN ? await sumsInTurns(jobs, group) : undefined));
  }
  const found = asked.offset === 0 ? conversionOf(context, gathered.asked) : null;
  return {
    period: gathered.asked.period,
    by: asked.by,
    currency,
    conversion: found === null ? [] : conversionLines(found, "EffectiveCost"),
    counter: gathered.counter(),
    hasJobs: jobs.jobs.length > 0 || hasJobs(context.ledger.db),
    count: groups.length,
    lines,
    total,
    machines: jobs.isScopedToTeam || Object.keys(asked.filter).length > 0 || jobs.machines.names.size === 0 || currency === null ? null : machinesOf(jobs),
  };
}

/** Jobs of one line, by their place among all. */
type Group = Int32Array | readonly number[];

interface Arranged {
  readonly key: string;
  readonly groups: readonly Group[];
  readonly total: JobLine;
}
const arrangements = new WeakMap<PeriodJobs, Arranged>();

async function arranged(jobs: PeriodJobs, { by, filter, sort }: LinesAsked): Promise<Arranged> {
  const key = JSON.stringify([by, filter, sort]);
  const known = arrangements.get(jobs);
  if (known?.key === key) return known;
  const places = await narrowed(jobs, filter);
  await breath();
  const groups = grouped(jobs, places, by);
  await breath();
  const order = await sortedPlaces(groups.length, await comparison(jobs, by, sort, groups));
  const sorted = Array.from(order, (place) => groups[place] as Group);
  await breath();
  const made = { key, groups: sorted, total: lineOf(jobs, places, null, await sumsInTurns(jobs, places)) };
  arrangements.set(jobs, made);
  return made;
}

/** The places of the jobs that a filter leaves. */
export async function narrowed(jobs: PeriodJobs, { search, job: line, ...only }: JobFilter): Promise<Int32Array> {
  const text = search?.trim().toLowerCase() ?? "";
  const fits = (place: number): boolean => {
    const job = jobs.jobs[place] as Job;
    if (line !== undefined && refOf(job) !== line) return false;
    if (only.team !== undefined && only.team !== (jobs.teams[place] ?? null)) return false;
    if (only.user !== undefined && only.user !== job.user) return false;
    if (only.account !== undefined && only.account !== job.account) return false;
    if (only.partition !== undefined && only.partition !== job.partition) return false;
    return text === "" || job.id.toLowerCase().includes(text) || (job.name?.toLowerCase().includes(text) ?? false);
  };
  const left: number[] = [];
  for (let from = 0; from < jobs.places.length; from += JOBS_A_TURN) {
    for (const place of jobs.places.subarray(from, from + JOBS_A_TURN)) if (fits(place)) left.push(place);
    await breath();
  }
  return Int32Array.from(left);
}

/** A job by the line that states it. */
export function refOf({ file, line }: Job): string {
  return `${file}:${line}`;
}

function grouped(jobs: PeriodJobs, places: Int32Array, by: JobGrouping): readonly Group[] {
  if (by === "job") return Array.from(places, (place) => [place]);
  const groups = new Map<string | null, number[]>();
  for (const place of places) {
    const key = keyOf(jobs, place, by);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place]);
    else group.push(place);
  }
  return [...groups.values()];
}

function keyOf({ jobs, teams }: PeriodJobs, place: number, by: JobGrouping): string | null {
  const job = jobs[place] as Job;
  return by === "team" ? (teams[place] ?? null) : by === "job" ? job.id : job[by];
}

/** The jobs of a line added up. */
interface Sums {
  held: number;
  /** Jobs of which it is known. */
  heldCount: number;
  readonly hours: Record<JobHours, number>;
  readonly costs: Record<JobWay, bigint>;
  isOfHost: boolean;
}

function addSums(sums: Sums, jobs: PeriodJobs, group: Group): Sums {
  for (const place of group) {
    const held = jobs.held[place] as number;
    if (!Number.isNaN(held)) {
      sums.held += held;
      sums.heldCount += 1;
    }
    sums.isOfHost ||= jobs.isOfHost[place] === 1;
  }
  for (const name of jobHours) sums.hours[name] += sumOf(jobs.hours[name], group);
  const costs = costsOf(jobs, group);
  for (const way of jobWays) sums.costs[way] += costs[way];
  return sums;
}

function noSums(): Sums {
  return { held: 0, heldCount: 0, hours: Object.fromEntries(jobHours.map((name) => [name, 0])) as Record<JobHours, number>, costs: noCosts(), isOfHost: false };
}

/** As `addSums` over many jobs, with a breath now and then. */
async function sumsInTurns(jobs: PeriodJobs, places: Group): Promise<Sums> {
  const sums = noSums();
  for (let from = 0; from < places.length; from += JOBS_A_TURN) {
    addSums(sums, jobs, places.slice(from, from + JOBS_A_TURN));
    await breath();
  }
  return sums;
}

/** The jobs of a line. `by` null: their total. */
export function lineOf(jobs: PeriodJobs, group: Group, by: JobGrouping | null, sums: Sums = addSums(noSums(), jobs, group)): JobLine {
  const only = by === "job" ? jobs.jobs[group[0] ?? -1] : undefined;
  const hours = (name: JobHours): number => sums.hours[name];
  const [shared, counterKnown, priced] = [hours("share"), hours("counterKnown"), hours("priced")];
  const seen = seenHours(hours);
  const seenTotal = Object.values(seen).reduce((sum, value) => sum + value, 0);
  const costs = priced === 0 ? null : sums.costs;
  const cost = costs === null ? null : sumAttos(Object.values(costs));
  const idle = seen.heldIdle + seen.deadIdle + seen.idleMemoryUnknown;
  const useful = costs === null || cost === null ? null : attosPerHour(cost - costs.unknown, hours("pricedUseful"));
  return {
    key: by === null ? null : keyOf(jobs, group[0] ?? 0, by),
    job: only === undefined ? null : refOf(only),
    name: only?.name ?? null,
    team: only === undefined ? null : (jobs.teams[group[0] ?? 0] ?? null),
    user: only?.user ?? null,
    partition: only?.partition ?? null,
    state: only?.state ?? null,
    hosts: only?.hosts.slice(0, 8) ?? [],
    hostCount: only?.hosts.length ?? 0,
    gpus: only?.gpus ?? null,
    startSecond: only?.start ?? null,
    endSecond: only?.end ?? null,
    knownUntil: only?.until ?? null,
    jobs: group.length,
    gpuHours: sums.heldCount === 0 ? null : sums.held,
    gpuHoursCoverage: group.length === 0 ? 0 : sums.heldCount / group.length,
    hours: seenTotal === 0 ? null : { ...seen, unknown: Math.max(0, shared - seenTotal) },
    utilization: share(hours("counterUseful"), counterKnown),
    utilizationCoverage: partOf(counterKnown, shared),
    idleShare: share(idle, seenTotal),
    telemetryCoverage: partOf(seenTotal, shared),
    isOfHost: sums.isOfHost,
    cost: cost === null ? null : formatAttos(cost),
    costs: costs === null ? null : inText(costs),
    idleCost: costs === null ? null : formatAttos(idleOf(costs)),
    usefulGpuHourCost: useful === null ? null : formatAttos(useful),
    costCoverage: partOf(priced, sums.held),
  };
}

function seenHours(hours: (name: JobHours) => number): Record<Exclude<JobWay, "unknown">, number> {
  return { productive: hours("productive"), busyInefficient: hours("busyInefficient"), heldIdle: hours("heldIdle"), deadIdle: hours("deadIdle"), idleMemoryUnknown: hours("idleMemoryUnknown") };
}

function costsOf({ costs }: PeriodJobs, group: Group): Record<JobWay, bigint> {
  return Object.fromEntries(jobWays.map((way) => {
    let sum = 0n;
    for (const place of group) sum += costs[way][place] as bigint;
    return [way, sum];
  })) as Record<JobWay, bigint>;
}

function idleOf(costs: Readonly<Record<JobWay, bigint>>): bigint {
  return costs.heldIdle + costs.deadIdle + costs.idleMemoryUnknown;
}

function inText(costs: Readonly<Record<JobWay, bigint>>): Record<JobWay, string> {
  return Object.fromEntries(jobWays.map((way) => [way, formatAttos(costs[way])])) as Record<JobWay, string>;
}

/** The sum over a line's jobs, but for those of which it is unknown. */
function sumOf(values: Float64Array, group: Group): number {
  let sum = 0;
  for (const place of group) {
    const value = values[place] as number;
    if (!Number.isNaN(value)) sum += value;
  }
  return sum;
}

function partOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

function machinesOf({ machines }: PeriodJobs): JobMachines {
  return {
    machines: machines.names.size,
    gpuHours: machines.gpuHours,
    cost: formatAttos(sumAttos(Object.values(machines.costs))),
    unassignedGpuHours: machines.unassignedGpuHours,
    unassignedCost: formatAttos(sumAttos(Object.values(machines.unassigned))),
    unassignedCosts: inText(machines.unassigned),
  };
}

// Order

type Value = number | string | null;

/** What is not known comes last whichever way is sorted; equal lines stay by their beginning and number. */
async function comparison(jobs: PeriodJobs, by: JobGrouping, sort: JobSort | null, groups: readonly Group[]): Promise<(one: number, other: number) => number> {
  const { column, descending } = sort ?? { column: "gpuHours", descending: true };
  const values: Value[] = [];
  for (const group of groups) {
    values.push(valueOf(jobs, group, by, column));
    if (values.length % JOBS_A_TURN === 0) await breath();
  }
  const direction = descending ? -1 : 1;
  return (one, other) => {
    const [a = null, b = null] = [values[one], values[other]];
    if (a === null || b === null) return a === b ? one - other : a === null ? 1 : -1;
    const order = typeof a === "number" && typeof b === "number" ? a - b : compareNames(String(a), String(b));
    return order === 0 ? one - other : order * direction;
  };
}

function valueOf(jobs: PeriodJobs, group: Group, by: JobGrouping, column: JobColumn): Value {
  const job = by === "job" ? jobs.jobs[group[0] ?? -1] : undefined;
  const hours = (name: JobHours): number => sumOf(jobs.hours[name], group);
  if (column.startsWith("hours.")) return wayHours(hours, column.slice(6) as JobWay);
  if (column.startsWith("cost.")) return hours("priced") === 0 ? null : Number(costsOf(jobs, group)[column.slice(5) as JobWay]);
  switch (column) {
    case "key": return keyOf(jobs, group[0] ?? 0, by);
    case "team": return jobs.teams[group[0] ?? 0] ?? null;
    case "name": case "user": case "partition": return job?.[column] ?? null;
    case "hosts": return job === undefined ? null : (job.hosts[0] ?? null);
    case "gpus": case "start": return job?.[column] ?? null;
    case "jobs": return group.length;
    case "gpuHours": return isAllUnknown(jobs.held, group) ? null : sumOf(jobs.held, group);
    case "utilization": return share(hours("counterUseful"), hours("counterKnown"));
    case "cost": return hours("priced") === 0 ? null : Number(sumAttos(Object.values(costsOf(jobs, group))));
    case "idleCost": return hours("priced") === 0 ? null : Number(idleOf(costsOf(jobs, group)));
    default: {
      if (hours("priced") === 0 || hours("pricedUseful") <= 0) return null;
      const costs = costsOf(jobs, group);
      return Number(sumAttos(Object.values(costs)) - costs.unknown) / hours("pricedUseful");
    }
  }
}

function wayHours(hours: (name: JobHours) => number, way: JobWay): number | null {
  const seen = seenHours(hours);
  const total = Object.values(seen).reduce((sum, value) => sum + value, 0);
  if (total === 0) return null;
  return way === "unknown" ? Math.max(0, hours("share") - total) : seen[way];
}

function isAllUnknown(values: Float64Array, group: Group): boolean {
  for (const place of group) if (!Number.isNaN(values[place])) return false;
  return true;
}
