/** What a stop rule would have done in a period, in machines, hours and money. */
import { createHash } from "node:crypto";
import type { NotReplayed, StoppedMachine, StopReplay, StopRule, StopWorth } from "../../../shared/contract/findings.ts";
import { defaultStopRule, stopRuleSchema } from "../../../shared/contract/findings.ts";
import type { PurchaseOption } from "../../../shared/domain/charge.ts";
import { formatAttos, parseAmount } from "../../../shared/domain/money.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { idlePolicyOf } from "../context.ts";
import { sumHours } from "../metrics/metric.ts";
import { stopSaving, type MachineHour } from "../metrics/model/stop-saving.ts";
import { secondsOf, type ReplayedStop } from "../metrics/model/stop-replay.ts";
import { noControl } from "../import/control.ts";
import type { HostJoin } from "../reports/hosts.ts";
import type { ReportContext } from "../reports/context.ts";
import { gather, type Gathered } from "../reports/gather.ts";
import { money, query, readAll, readOne, type Db } from "../store/sql.ts";
import { keptAt } from "../teams/daily.ts";
import { replayMachines, type MachineReplay, type MachineToReplay, type ReplayInput } from "./replay.ts";

export interface ReplayAsked {
  readonly period: string;
  readonly scope: Scope;
  readonly currency: string | null;
  /** null: the rule that the ledger keeps, else the usual one. */
  readonly rule: StopRule | null;
}

const STOPS_LISTED = 40;
/** GPUs that a bill counts and no log shows, up to which a machine counts as wholly seen: counts are whole numbers and slices. */
const UNSEEN_TOLERATED = 0.01;

const RULE_KEY = "stop-rule";

/** The rule that the ledger keeps; null where the person saved none. */
export function savedStopRule(db: Db): StopRule | null {
  const saved = readOne(db, query<{ value: string }>("value")`-- stops.rule
    SELECT Value AS value FROM setting WHERE Key = ${RULE_KEY}`);
  if (saved === null) return null;
  const checked = stopRuleSchema.safeParse({ ...defaultStopRule, ...(JSON.parse(saved.value) as object) });
  return checked.success ? checked.data : null;
}

/** Keeps the rule, inside the caller's transaction. */
export function saveStopRule(db: Db, rule: StopRule): void {
  db.prepare("INSERT INTO setting (Key, Value) VALUES (?, ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(RULE_KEY, JSON.stringify(rule));
}

/** A billed machine of the period and scope. */
interface Machine {
  readonly resource: string;
  readonly provider: string | null;
  readonly region: string | null;
  readonly team: string | null;
  readonly gpuModel: string | null;
  readonly gpus: number;
}

/**
 * Replays a rule. null when the period is none. `run` replays traces, in the reader.
 * A machine with a GPU that no log shows is not replayed: that GPU may have been at work.
 */
export async function replayStopRule(context: ReportContext, asked: ReplayAsked, run: (input: ReplayInput) => Promise<readonly MachineReplay[]>): Promise<StopReplay | null> {
  const gathered = gather(context, { period: asked.period, scope: asked.scope, basis: "EffectiveCost", currency: asked.currency });
  if (gathered === null) return null;
  const input = inputOf(gathered, asked.rule);
  const missing = missingOf(context, input);
  // Kept under what the days showed before: should a log come meanwhile, it is asked again.
  const keyOf = keysOf(context, missing);
  if (missing.machines.length > 0) keepReplays(context, missing, keyOf, await run(missing));
  return stopReplay(gathered, asked.rule, replaysOf(context, input));
}

/**
 * What the ledger's stop rule would have saved in a period: the one saving of idle machines, wherever it is shown. Replays that nobody ran yet
 * are run here; `replayStopRule` with no rule has the reader run them first.
 */
export function keptStopReplay(gathered: Gathered): StopReplay {
  const { context } = gathered;
  const input = inputOf(gathered, null);
  const missing = missingOf(context, input);
  if (missing.machines.length > 0) keepReplays(context, missing, keysOf(context, missing), replayMachines({ db: context.ledger.db, control: noControl }, missing));
  return stopReplay(gathered, null, replaysOf(context, input));
}

/** What the stop rule would have saved of a machine, in attos: 0 where it would not have stopped it; null where it could not be replayed. */
export type StopSavings = (resource: string) => bigint | null;

export function stopSavings({ machines, notReplayed }: StopReplay): StopSavings {
  const saved = new Map(machines.map((machine) => [machine.resource.toLowerCase(), parseAmount(machine.saved)?.value ?? 0n]));
  const unknown = new Set(notReplayed.map(({ resource }) => resource.toLowerCase()));
  return (resource) => (unknown.has(resource.toLowerCase()) ? null : (saved.get(resource.toLowerCase()) ?? 0n));
}

/** Of a machine whose saving is not known: why its hours were not replayed. */
export type NotReplayedOf = (resource: string) => StopReplay["notReplayed"][number] | null;

export function notReplayedOf({ notReplayed }: StopReplay): NotReplayedOf {
  const byResource = new Map(notReplayed.map((each) => [each.resource.toLowerCase(), each]));
  return (resource) => byResource.get(resource.toLowerCase()) ?? null;
}

/**
 * Replays of one ledger, by what each was asked with and by the generations that its days showed: a replay reads logs, and days of which a log
 * comes or goes show another generation. So nothing else that a person changes has a trace read twice.
 */
const kept = new WeakMap<Db, Map<string, MachineReplay>>();
const REPLAYS_KEPT = 20_000;

function keptOf({ ledger }: ReportContext): Map<string, MachineReplay> {
  let known = kept.get(ledger.db);
  if (known === undefined) kept.set(ledger.db, (known = new Map<string, MachineReplay>()));
  return known;
}

/** What the replays of an input are kept under; its days are read with one more before them and after. */
function keysOf({ ledger }: ReportContext, { machines: _machines, ...asked }: ReplayInput): (machine: MachineToReplay) => string {
  const shown = readAll(ledger.db, query<{ day: number; generation: number }>("day", "generation")`-- stops.generations
    SELECT Day AS day, Generation AS generation FROM day_generation WHERE Day >= ${asked.firstDay - 1} AND Day <= ${asked.endDay} ORDER BY Day`);
  const common = createHash("sha256").update(JSON.stringify([asked, shown])).digest("hex");
  return (machine) => `${common} ${JSON.stringify(machine)}`;
}

function missingOf(context: ReportContext, input: ReplayInput): ReplayInput {
  const [replays, keyOf] = [keptOf(context), keysOf(context, input)];
  return { ...input, machines: input.machines.filter((machine) => !replays.has(keyOf(machine))) };
}

function keepReplays(context: ReportContext, input: ReplayInput, keyOf: (machine: MachineToReplay) => string, found: readonly MachineReplay[]): void {
  const replays = keptOf(context);
  if (replays.size > REPLAYS_KEPT) replays.clear();
  found.forEach((replay, index) => {
    const machine = input.machines[index];
    if (machine !== undefined) replays.set(keyOf(machine), replay);
  });
}

function replaysOf(context: ReportContext, input: ReplayInput): readonly MachineReplay[] {
  const [replays, keyOf] = [keptOf(context), keysOf(context, input)];
  return input.machines.flatMap((machine) => replays.get(keyOf(machine)) ?? []);
}

function joinsOf(gathered: Gathered): ReadonlyMap<string, readonly HostJoin[]> {
  return Map.groupBy(gathered.hosts(), ({ resource }) => resource.toLowerCase());
}

function inputOf(gathered: Gathered, asked: StopRule | null): ReplayInput {
  const { db } = gathered.context.ledger;
  const joins = joinsOf(gathered);
  // Machines that are pinned change what is made of a replay and not the replay.
  return {
    machines: machinesOf(gathered).map(({ resource }) => ({ resource, hosts: (joins.get(resource.toLowerCase()) ?? []).map(({ host, fromHour, toHour }) => ({ host, fromHour, toHour })) })),
    firstDay: gathered.firstDay,
    endDay: gathered.endDay,
    rule: { ...(asked ?? savedStopRule(db) ?? defaultStopRule), pinned: [] },
    heldFrom: idlePolicyOf(db).parkedMemoryShare,
  };
}

function stopReplay(gathered: Gathered, asked: StopRule | null, replays: readonly MachineReplay[]): StopReplay {
  const { db } = gathered.context.ledger;
  const saved = savedStopRule(db);
  const rule = asked ?? saved ?? defaultStopRule;
  const machines = machinesOf(gathered);
  const joins = joinsOf(gathered);
  const replayOf = new Map(replays.map((replay) => [replay.resource, replay]));
  const hours = machineHours(gathered, new Set(replays.flatMap(({ resource, stops }) => (stops.length === 0 ? [] : [resource.toLowerCase()]))));
  const pinned = new Set(rule.pinned.map((resource) => resource.toLowerCase()));

  const stopped: (StoppedMachine & { readonly attos: readonly [bigint, bigint, bigint] })[] = [];
  const notReplayed: { resource: string; why: NotReplayed; gpusSeen: number; gpusBilled: number }[] = [];
  const replayed = new Set<string>();
  for (const machine of machines) {
    const replay = replayOf.get(machine.resource);
    const gpusSeen = replay?.gpusSeen ?? 0;
    if (replay === undefined || gpusSeen < machine.gpus - UNSEEN_TOLERATED || gpusSeen === 0) {
      notReplayed.push({ resource: machine.resource, why: gpusSeen === 0 ? "no-log" : "gpus-unseen", gpusSeen, gpusBilled: machine.gpus });
      continue;
    }
    replayed.add(machine.resource.toLowerCase());
    if (replay.stops.length === 0) continue;
    const own = hours.get(machine.resource.toLowerCase()) ?? [];
    const gpus = machine.gpus > 0 ? machine.gpus : gpusSeen;
    const isPinned = pinned.has(machine.resource.toLowerCase());
    const { seconds, gpuHours, savedAttos, sunkAttos, unclearAttos } = stopSaving(isPinned ? [] : replay.stops.flatMap(({ off }) => off), gpus, own);
    stopped.push({
      ...machine,
      gpus,
      hosts: [...new Set((joins.get(machine.resource.toLowerCase()) ?? []).map(({ host }) => host))].sort(),
      stops: isPinned ? 0 : replay.stops.length,
      falseStops: isPinned ? 0 : replay.stops.filter(({ isFalse }) => isFalse).length,
      hours: seconds / 3600,
      gpuHours,
      workHours: isPinned ? 0 : replay.stops.reduce((sum, { cut }) => sum + secondsOf(cut), 0) / 3600,
      heldHours: isPinned ? 0 : replay.stops.reduce((sum, { heldSeconds }) => sum + heldSeconds, 0) / 3600,
      saved: formatAttos(savedAttos),
      sunk: formatAttos(sunkAttos),
      unclear: formatAttos(unclearAttos),
      attos: [savedAttos, sunkAttos, unclearAttos],
      worth: isPinned ? "pinned" : worthOf(own),
      idleSince: instantOf(replay.idleSince),
      lastKnownAt: instantOf(replay.lastKnownAt),
      list: longest(replay.stops).map(({ at, until, off, cut, endedBy, isFalse }) => ({ at: isoOf(at), until: isoOf(until), hours: secondsOf(off) / 3600, workHours: secondsOf(cut) / 3600, endedBy, isFalse })),
    });
  }
  stopped.sort((a, b) => compareAttos(b.attos[0], a.attos[0]) || compareAttos(b.attos[1], a.attos[1]) || b.hours - a.hours || (a.resource < b.resource ? -1 : 1));
  const counted = stopped.filter(({ worth }) => worth !== "pinned");
  const attos = (index: 0 | 1 | 2): string => formatAttos(counted.reduce((sum, machine) => sum + machine.attos[index], 0n));
  return {
    period: gathered.asked.period,
    currency: gathered.currency,
    rule,
    isSaved: saved !== null && JSON.stringify(saved) === JSON.stringify(rule),
    totals: {
      machines: counted.length,
      stops: counted.reduce((sum, { stops }) => sum + stops, 0),
      falseStops: counted.reduce((sum, { falseStops }) => sum + falseStops, 0),
      hours: sumHours(counted.map((machine) => machine.hours)),
      gpuHours: sumHours(counted.map((machine) => machine.gpuHours)),
      workHours: sumHours(counted.map((machine) => machine.workHours)),
      heldHours: sumHours(counted.map((machine) => machine.heldHours)),
      saved: attos(0),
      sunk: attos(1),
      unclear: attos(2),
    },
    machines: stopped.map(({ attos: _attos, ...machine }) => machine),
    replayed: replayed.size,
    notReplayed: notReplayed.sort((a, b) => (a.resource < b.resource ? -1 : 1)),
    coverage: coverageOf(gathered, replayed),
  };
}

/** Machines with GPU-hours in the period, scope and currency. */
function machinesOf(gathered: Gathered): readonly Machine[] {
  const { ledger } = gathered.context;
  const counts = keptAt(ledger, "gpus-of-machines", () => new Map(
    readAll(ledger.db, query<{ resource: string; gpus: number | null }>("resource", "gpus")`-- stops.gpus-of-machines
      SELECT lower(ResourceId) AS resource, max(x_GpuCount) AS gpus
      FROM series
      WHERE x_GpuModel IS NOT NULL AND ResourceId IS NOT NULL AND ChargeCategory = 'Usage'
      GROUP BY lower(ResourceId)`).map(({ resource, gpus }) => [resource, gpus]),
  ));
  return [...Map.groupBy(gathered.gpuHours().filter(({ gpuHours }) => gpuHours > 0), ({ resource }) => resource?.toLowerCase() ?? null)].flatMap(([key, rows]): Machine[] => {
    const [first] = rows;
    if (key === null || first === undefined || first.resource === null) return [];
    const { resource, provider, region, team, gpuModel } = first;
    return [{ resource, provider, region, team, gpuModel, gpus: counts.get(key) ?? 0 }];
  });
}

/** Hour by hour what each of some machines cost, by charge. */
function machineHours(gathered: Gathered, machines: ReadonlySet<string>): ReadonlyMap<string, readonly MachineHour[]> {
  const { context, firstDay, endDay } = gathered;
  const own = gathered.gpuHours().filter(({ resource }) => resource !== null && machines.has(resource.toLowerCase()));
  const series = new Map(own.map(({ seriesId, resource, purchaseOption }) => [seriesId, { resource, purchaseOption }]));
  if (series.size === 0) return new Map<string, readonly MachineHour[]>();
  const byMachine = new Map<string, MachineHour[]>();
  const rows = readAll(context.ledger.db, query<{ seriesId: number; hour: number; gpuHours: number; costAttos: bigint | null }>("seriesId", "hour", "gpuHours", "costAttos")`-- stops.machine-hours
    SELECT SeriesId AS seriesId, HourStart AS hour, GpuHours AS gpuHours, ${money("EffectiveCost")} AS costAttos
    FROM gpu_hour_cost_current
    WHERE Day >= ${firstDay} AND Day < ${endDay} AND SeriesId IN (SELECT value FROM json_each(${JSON.stringify([...series.keys()])}))
    ORDER BY Day, HourStart, SeriesId`);
  for (const { seriesId, hour, gpuHours, costAttos } of rows) {
    const of = series.get(seriesId);
    if (of === undefined || of.resource === null) continue;
    const key = of.resource.toLowerCase();
    let list = byMachine.get(key);
    if (list === undefined) byMachine.set(key, (list = []));
    list.push({ hour, gpuHours, costAttos, purchaseOption: of.purchaseOption });
  }
  return byMachine;
}

const cashOptions: ReadonlySet<PurchaseOption | null> = new Set<PurchaseOption | null>(["on-demand", "spot"]);

function worthOf(hours: readonly MachineHour[]): StopWorth {
  const options = new Set(hours.filter(({ gpuHours }) => gpuHours > 0).map(({ purchaseOption }) => purchaseOption));
  const cash = [...options].filter((option) => cashOptions.has(option)).length;
  if (cash === options.size && cash > 0) return "cash";
  if (cash > 0) return "mixed";
  return [...options].some((option) => option === null || option === "other") || options.size === 0 ? "unclear" : "committed";
}

function coverageOf(gathered: Gathered, replayed: ReadonlySet<string>): number | null {
  let [all, seen] = [0n, 0n];
  for (const { resource, costAttos, unknownAttos } of gathered.gpuHours()) {
    all += costAttos;
    if (resource !== null && replayed.has(resource.toLowerCase())) seen += costAttos - unknownAttos;
  }
  return all <= 0n ? null : Number((seen * 1_000_000n) / all) / 1_000_000;
}

function longest(stops: readonly ReplayedStop[]): readonly ReplayedStop[] {
  return [...stops].sort((a, b) => b.until - b.at - (a.until - a.at)).slice(0, STOPS_LISTED).sort((a, b) => a.at - b.at);
}

function compareAttos(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function instantOf(second: number | null): string | null {
  return second === null ? null : isoOf(second);
}

function isoOf(second: number): string {
  return new Date(Math.round(second) * 1000).toISOString().replace(/\.000Z$/, "Z");
}
