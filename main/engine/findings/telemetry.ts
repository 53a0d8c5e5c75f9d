/** What telemetry says of machines that is worth someone's time, each with its evidence and what can be done. */
import type { FindingsAnswer, TelemetryFinding } from "../../../shared/contract/findings.ts";
import type { MessageParam } from "../../../shared/contract/report.ts";
import { formatAttos, sumAttos } from "../../../shared/domain/money.ts";
import { fromNumber, toNumber, whole } from "../../../shared/domain/rational.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import type { GpuHourRow } from "../metrics/gpu-hours-where-met.ts";
import { hostRamCheck } from "../metrics/model/sizing.ts";
import { acceleratorById, peakTflops, type InstanceType } from "../reference/catalog.ts";
import { providerOf, typeKey } from "../reference/type-names.ts";
import { message, type ReportContext } from "../reports/context.ts";
import { hostEpisodes, type HostEpisode } from "../reports/episodes.ts";
import { gather, type Gathered } from "../reports/gather.ts";
import { query, readAll } from "../store/sql.ts";
import { ownerIn } from "../teams/owners.ts";
import type { CounterWhileWorking, DeviceScan } from "./scan.ts";
import { smallerFit } from "./smaller-fit.ts";
import type { MachineReplay, ReplayInput } from "./replay.ts";
import { replayStopRule, stopSavings, type StopSavings } from "./stops.ts";

export interface FindingsAsked {
  readonly period: string;
  readonly scope: Scope;
  readonly currency: string | null;
}

/** Below these a finding would be noise. */
const IDLE_HOURS = 1;
const WORK_SECONDS = 3600;
const JUDGED_SECONDS = 8 * 3600;
const FINDINGS_SHOWN = 200;
/** Tensor activity under which a card of the tensor class does other work than it was bought for. */
const LOW_TENSOR = 0.1;
/** Below this, SMs wait: NVIDIA calls 0.8 necessary for effective use, and under 0.5 likely poor. */
const LOW_SM = 0.5;
/** Memory interfaces reach about 0.8 in practice. */
const MEMORY_BOUND = 0.6;
/** A card whose matrix rate is that much above its plain rate is of the tensor class. */
const TENSOR_CLASS = 3;
/** Processors a GPU wants for loading data, as a rule of thumb; named as assumed. */
const VCPUS_PER_GPU = 6;

/** null: the period is none. `scan` and `replay` read the traces, in the reader. */
export async function telemetryFindings(context: ReportContext, asked: FindingsAsked, run: {
  readonly scan: (days: { readonly firstDay: number; readonly endDay: number }) => Promise<readonly DeviceScan[]>;
  readonly replay: (input: ReplayInput) => Promise<readonly MachineReplay[]>;
}): Promise<FindingsAnswer | null> {
  const gathered = gather(context, { period: asked.period, scope: asked.scope, basis: "EffectiveCost", currency: asked.currency });
  if (gathered === null) return null;
  const machines = machinesOf(gathered);
  const stopPlan = await replayStopRule(context, { ...asked, rule: null }, run.replay);
  if (stopPlan === null) return null;
  const isEverything = Object.values(asked.scope).every((wanted) => wanted === undefined);
  const scans = (await run.scan({ firstDay: gathered.firstDay, endDay: gathered.endDay })).filter(({ host }) => isEverything || machines.has(host));
  const ownerOf = ownerIn(context.ledger.db);
  const byHost = [...Map.groupBy(scans, ({ host }) => host)];
  const stops = stopSavings(stopPlan);
  const found = [
    ...idle(gathered, machines, stops),
    ...byHost.flatMap(([host, devices]) => [leak(host, devices), lowTensor(context, host, devices), starved(context, host, devices, machines.get(host)), tooLarge(context, host, devices, machines.get(host))].filter((finding) => finding !== null)),
  ].map(({ host, ...finding }): TelemetryFinding => {
    const machine = machines.get(host);
    const resource = machine?.resource ?? null;
    return { host, resource, team: machine?.team ?? null, owner: ownerOf(resource, machine?.team ?? null), gpuModel: machine?.gpuModel ?? null, cost: machine === undefined ? null : formatAttos(machine.costAttos), saving: null, ...finding };
  });
  // What can be saved first, then what nobody looks for, then idle time that is paid anyway.
  const rank = ({ saving, kind }: TelemetryFinding): number => (saving !== null && Number(saving) > 0 ? 0 : kind === "idle" ? 2 : 1);
  found.sort((a, b) => rank(a) - rank(b) || compareAmounts(b.saving, a.saving) || compareAmounts(b.cost, a.cost) || (a.key < b.key ? -1 : 1));
  return {
    period: asked.period,
    currency: gathered.currency,
    findings: found.slice(0, FINDINGS_SHOWN),
    devices: scans.length,
    measured: {
      tensor: scans.filter(({ tensor }) => tensor !== null).length,
      sm: scans.filter(({ smP95 }) => smP95 !== null).length,
      memory: scans.filter(({ memoryPeakMiB }) => memoryPeakMiB !== null).length,
    },
  };
}

interface Machine {
  readonly resource: string;
  readonly provider: string | null;
  readonly team: string | null;
  readonly gpuModel: string | null;
  readonly acceleratorId: string | null;
  readonly costAttos: bigint;
  readonly stoppableAttos: bigint;
  readonly instanceType: InstanceType | null;
}

/** The billed machine of each host in the period and scope. */
function machinesOf(gathered: Gathered): ReadonlyMap<string, Machine> {
  const rows = Map.groupBy(gathered.gpuHours(), ({ resource }) => resource?.toLowerCase() ?? "");
  const types = new Map(readAll(gathered.context.ledger.db, query<{ resource: string; instanceType: string | null }>("resource", "instanceType")`-- findings.instance-types
    SELECT lower(ResourceId) AS resource, max(x_InstanceType) AS instanceType
    FROM series
    WHERE x_GpuModel IS NOT NULL AND ResourceId IS NOT NULL AND ChargeCategory = 'Usage'
    GROUP BY 1`).map(({ resource, instanceType }) => [resource, instanceType]));
  const machines = new Map<string, Machine>();
  for (const { host, resource } of gathered.hosts()) {
    const own = rows.get(resource.toLowerCase());
    const [first] = own ?? [];
    if (own === undefined || first === undefined) continue;
    const sum = (of: readonly GpuHourRow[]): bigint => sumAttos(of.map(({ costAttos }) => costAttos));
    const provider = providerOf(first.provider);
    const instanceType = types.get(resource.toLowerCase()) ?? null;
    machines.set(host, {
      resource,
      provider: first.provider,
      team: first.team,
      gpuModel: first.gpuModel,
      acceleratorId: first.acceleratorId,
      costAttos: sum(own),
      stoppableAttos: sum(own.filter(({ purchaseOption }) => purchaseOption === "on-demand" || purchaseOption === "spot")),
      instanceType: provider === null || instanceType === null ? null : (gathered.context.reference.lookups.typeByKey.get(typeKey(provider, instanceType)) ?? null),
    });
  }
  return machines;
}

type Found = Pick<TelemetryFinding, "key" | "kind" | "host" | "gpus" | "confidence" | "what" | "evidence" | "todo"> & Partial<Pick<TelemetryFinding, "cost" | "saving" | "gpuModel">>;

/** Idle stretches of each host together: what they cost, and what the stop rule would have saved of its machine. */
function idle(gathered: Gathered, machines: ReadonlyMap<string, Machine>, stops: StopSavings): Found[] {
  return [...Map.groupBy(hostEpisodes(gathered), ({ host }) => host)].flatMap(([host, episodes]): Found[] => {
    const sum = (of: (episode: HostEpisode) => number): number => episodes.reduce((total, episode) => total + of(episode), 0);
    const hours = sum(({ idleSeconds }) => idleSeconds) / 3600;
    const longest = episodes.reduce((a, b) => (b.endSecond - b.startSecond > a.endSecond - a.startSecond ? b : a));
    const machine = machines.get(host);
    if (hours < IDLE_HOURS || machine === undefined) return [];
    const saving = stops(machine.resource);
    const avoidable = sumAttos(episodes.map((episode) => episode.avoidable));
    const isHeld = sum(({ heldSeconds }) => heldSeconds) > sum(({ deadSeconds }) => deadSeconds);
    return [{
      key: JSON.stringify(["idle", host]),
      kind: "idle",
      host,
      gpus: Math.max(...episodes.map(({ gpus }) => gpus)),
      cost: formatAttos(sumAttos(episodes.map(({ cost }) => cost))),
      saving: saving === null ? null : formatAttos(saving),
      confidence: "high",
      what: message(isHeld ? "finding.idle.held" : "finding.idle.dead", { hours: number(hours, 0), count: { count: episodes.length } }),
      evidence: message("finding.idle.evidence", { from: instant(longest.startSecond), until: instant(longest.endSecond), utilization: { ratio: longest.utilizationMean } }),
      todo: [message(avoidable > 0n ? (isHeld ? "finding.idle.todo.held" : "finding.idle.todo.stop") : "finding.idle.todo.committed")],
    }];
  });
}

function leak(host: string, devices: readonly DeviceScan[]): Found | null {
  const growing = devices.flatMap(({ memoryGrowth, memoryTotalMiB }) => (memoryGrowth === null || memoryTotalMiB === null ? [] : [{ ...memoryGrowth, card: memoryTotalMiB }]));
  if (growing.length === 0) return null;
  const worst = growing.reduce((a, b) => (b.toMiB - b.fromMiB > a.toMiB - a.fromMiB ? b : a));
  const share = (worst.toMiB - worst.fromMiB) / worst.card;
  return {
    key: JSON.stringify(["memory-leak", host]),
    kind: "memory-leak",
    host,
    gpus: growing.length,
    gpuModel: devices[0]?.gpuModel ?? null,
    confidence: share >= 0.25 ? "high" : share >= 0.1 ? "medium" : "low",
    what: message("finding.memory-leak.what", { rate: number(worst.mebibytesPerHour / 1024, 2), gpus: number(growing.length, 0) }),
    evidence: message("finding.memory-leak.evidence", { from: instant(worst.start), until: instant(worst.end), least: number(worst.fromMiB / 1024, 1), most: number(worst.toMiB / 1024, 1), full: number(worst.hoursUntilFull, 0) }),
    todo: [message("finding.memory-leak.todo.references"), message("finding.memory-leak.todo.allocator"), message("finding.memory-leak.todo.restart")],
  };
}

/** Tensor pipes of a card that has them, while it works. */
function lowTensor({ reference }: ReportContext, host: string, devices: readonly DeviceScan[]): Found | null {
  const judged = devices.filter(({ acceleratorId, tensor }) => {
    const card = acceleratorById(reference, acceleratorId);
    const [matrix, plain] = card === null ? [null, null] : [peakTflops(card, "bf16") ?? peakTflops(card, "fp16"), peakTflops(card, "fp32")];
    return tensor !== null && matrix !== null && plain !== null && matrix >= TENSOR_CLASS * plain;
  });
  const tensor = together(judged.map((device) => device.tensor));
  if (tensor === null || tensor.seconds < WORK_SECONDS || tensor.mean >= LOW_TENSOR) return null;
  const [sm, dram] = [together(judged.map((device) => device.sm)), together(judged.map((device) => device.dram))];
  const cause = sm === null ? "unknown" : sm.mean < LOW_SM ? "waiting" : dram !== null && dram.mean >= MEMORY_BOUND ? "memory" : "precision";
  const facts = { tensor: { ratio: tensor.mean }, hours: number(tensor.seconds / 3600, 0) } satisfies Record<string, MessageParam>;
  return {
    key: JSON.stringify(["low-tensor", host]),
    kind: "low-tensor",
    host,
    gpus: judged.length,
    gpuModel: judged[0]?.gpuModel ?? null,
    confidence: sm === null ? "low" : tensor.seconds >= 24 * 3600 ? "high" : "medium",
    what: message(`finding.low-tensor.what.${cause}`, facts),
    evidence:
      sm === null ? message("finding.low-tensor.evidence", facts)
      : dram === null ? message("finding.low-tensor.evidence-sm", { ...facts, sm: { ratio: sm.mean } })
      : message("finding.low-tensor.evidence-sm-memory", { ...facts, sm: { ratio: sm.mean }, memory: { ratio: dram.mean } }),
    todo: checklists[cause].map((step) => message(`finding.check.${step}`)),
  };
}

/** The field's tuning checklist, what fits the cause first. */
const checklists: Readonly<Record<"waiting" | "memory" | "precision" | "unknown", readonly string[]>> = {
  waiting: ["data-loading", "batch", "network", "nccl", "launches"],
  memory: ["attention", "fuse", "precision", "batch"],
  precision: ["precision", "shapes", "attention", "compile"],
  unknown: ["precision", "data-loading", "attention", "network", "nccl"],
};

/** Processors and memory of the machine's type beside its GPUs (maths.md e.10). A check of the type, not a measurement. */
function starved({ reference }: ReportContext, host: string, devices: readonly DeviceScan[], machine: Machine | undefined): Found | null {
  const type = machine?.instanceType ?? null;
  const card = acceleratorById(reference, machine?.acceleratorId ?? null);
  if (type === null || type.acceleratorCount === null || type.acceleratorCount < 1) return null;
  const ram = card === null || card.memoryGb === null || type.memoryGib === null ? null : hostRamCheck(fromNumber(card.memoryGb), fromNumber(type.acceleratorCount), fromNumber((type.memoryGib * 1_073_741_824) / 1e9));
  const perGpu = type.vcpu === null ? null : type.vcpu / type.acceleratorCount;
  const isShort = ram !== null && !ram.isEnough;
  const isSlow = perGpu !== null && perGpu < VCPUS_PER_GPU;
  if (!isShort && !isSlow) return null;
  const work = devices.reduce((sum, { workSeconds }) => sum + workSeconds, 0);
  // A machine that does not work is not starved.
  if (work < WORK_SECONDS) return null;
  return {
    key: JSON.stringify(["host-starved", host]),
    kind: "host-starved",
    host,
    gpus: devices.length,
    confidence: "low",
    what: message(isShort && isSlow ? "finding.host-starved.both" : isShort ? "finding.host-starved.memory" : "finding.host-starved.processors", { type: { text: type.instanceType } }),
    evidence: message("finding.host-starved.evidence", {
      processors: perGpu === null ? { text: "—" } : number(perGpu, 1),
      wanted: number(VCPUS_PER_GPU, 0),
      ratio: ram === null || ram.ratio === null ? { text: "—" } : number(toNumber(ram.ratio), 2),
      least: number(toNumber(whole(2)), 0),
    }),
    todo: [message("finding.check.data-loading"), message("finding.host-starved.todo")],
  };
}

/** Memory and compute that never came near the card's. */
function tooLarge({ reference }: ReportContext, host: string, devices: readonly DeviceScan[], machine: Machine | undefined): Found | null {
  const acceleratorId = machine?.acceleratorId ?? devices[0]?.acceleratorId ?? null;
  const whole = devices.filter((device) => device.share === 1 && device.acceleratorId !== null);
  const [first] = whole;
  if (first === undefined || acceleratorId === null || whole.length < devices.length) return null;
  if (whole.some(({ knownSeconds, memoryKnownSeconds, memoryPeakMiB }) => knownSeconds < JUDGED_SECONDS || memoryKnownSeconds < JUDGED_SECONDS || memoryPeakMiB === null)) return null;
  // A machine that never worked is idle, not too large.
  if (whole.every(({ workSeconds }) => workSeconds < WORK_SECONDS)) return null;
  const isSmMeasured = whole.every(({ smP95 }) => smP95 !== null);
  // No kernel, no SM at work: the share of time with kernels bounds SM activity from above.
  const computeShare = Math.max(...whole.map(({ smP95, activityP95 }) => smP95 ?? activityP95 ?? 1));
  const memoryPeakMiB = Math.max(...whole.map((device) => device.memoryPeakMiB ?? 0));
  const fit = smallerFit(reference, { acceleratorId: first.acceleratorId ?? acceleratorId, memoryPeakMiB, computeShare, provider: machine?.provider ?? null });
  if (fit === null || (fit.slice === null && fit.card === null)) return null;
  const facts: Record<string, MessageParam> = { memory: number(memoryPeakMiB / 1024, 1), compute: { ratio: computeShare }, slice: { text: fit.slice?.profile ?? "" }, card: { text: fit.card?.label ?? "" } };
  const share = fit.slice?.share ?? null;
  return {
    key: JSON.stringify(["over-provisioned", host]),
    kind: "over-provisioned",
    host,
    gpus: whole.length,
    gpuModel: first.gpuModel,
    // At most: the rest of the card must find other work, or a smaller machine its price.
    saving: share === null || machine === undefined ? null : formatAttos((machine.stoppableAttos * BigInt(Math.round((1 - share) * 1e6))) / 1_000_000n),
    confidence: isSmMeasured ? "medium" : "low",
    what: message(fit.slice !== null && fit.card !== null ? "finding.over-provisioned.both" : fit.slice !== null ? "finding.over-provisioned.slice" : "finding.over-provisioned.card", facts),
    evidence: message(isSmMeasured ? "finding.over-provisioned.evidence-sm" : "finding.over-provisioned.evidence", facts),
    todo: [message("finding.over-provisioned.todo.try"), ...(fit.slice === null ? [] : [message("finding.over-provisioned.todo.slice")])],
  };
}

function together(counters: readonly (CounterWhileWorking | null)[]): CounterWhileWorking | null {
  const known = counters.filter((counter) => counter !== null);
  const seconds = known.reduce((sum, counter) => sum + counter.seconds, 0);
  return seconds === 0 ? null : { mean: known.reduce((sum, counter) => sum + counter.mean * counter.seconds, 0) / seconds, seconds };
}

function number(value: number, digits: number): MessageParam {
  return { number: value, digits };
}

function instant(second: number): MessageParam {
  return { instant: new Date(second * 1000).toISOString(), precision: "minute" };
}

/** Plain decimal text by its amount; none stands last. */
function compareAmounts(a: string | null, b: string | null): number {
  return Number(a ?? "-1") - Number(b ?? "-1");
}
