import { z } from "zod";
import type { Message } from "./report.ts";

/** Tools that a stop plan can be written for. */
export const stopTools = ["aws", "azure", "gcloud", "kubectl", "slurm"] as const;
export type StopTool = (typeof stopTools)[number];

/**
 * A time of day as a person types it, as the contract holds it: `8:00` is 08:00, and where hours end `24:00` is the midnight that follows, 00:00.
 * null where it is none.
 */
export function clockTime(text: string, place: "from" | "to"): string | null {
  const [, hour, minute] = /^(\d{1,2}):(\d\d)$/.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined) return null;
  const padded = place === "to" && Number(hour) === 24 && minute === "00" ? "00:00" : `${hour.padStart(2, "0")}:${minute}`;
  return clock.safeParse(padded).success ? padded : null;
}

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** `idle`: once all its GPUs together have been idle for so long. `schedule`: whenever the hours in which it is kept on are over, whatever it does. */
export const stopTriggers = ["idle", "schedule"] as const;
export type StopTrigger = (typeof stopTriggers)[number];

/**
 * When a machine would be stopped. Percent and seconds. A rule by `schedule` needs `keepOn`; its `minimumSeconds` counts for nothing.
 * It is replayed on history and written into a script; the app itself stops nothing.
 */
export const stopRuleSchema = z.strictObject({
  stopsBy: z.enum(stopTriggers),
  idleAtOrUnderPercent: z.number().min(0).max(100),
  busyAtOrOverPercent: z.number().min(0).max(100),
  /** Known idle time after which it is stopped. */
  minimumSeconds: z.number().int().min(60).max(7 * 86_400),
  /** Unknown time up to this long does not end idleness. */
  bridgeSeconds: z.number().int().min(0).max(86_400),
  /** Machines that hold a model in memory: stopped too, or left alone. */
  stopsHeld: z.boolean(),
  /** Work again within this long after a stop makes the stop a false one. */
  falseStopSeconds: z.number().int().min(0).max(86_400),
  /** Machine time that a restart costs. */
  restartSeconds: z.number().int().min(0).max(86_400),
  /** Hours in which it never stops, in a time zone, on ISO weekdays (Monday 1). `to` at or before `from`: past midnight. null: it may always stop. */
  keepOn: z.strictObject({ zone: z.string().min(1).max(80), weekdays: z.array(z.number().int().min(1).max(7)).max(7).readonly(), from: clock, to: clock }).nullable(),
  /** Resources that are never stopped, whatever they do. */
  pinned: z.array(z.string().min(1).max(2048)).max(5000).readonly(),
});
export type StopRule = z.infer<typeof stopRuleSchema>;

export const defaultStopRule: StopRule = {
  stopsBy: "idle",
  idleAtOrUnderPercent: 5,
  busyAtOrOverPercent: 10,
  minimumSeconds: 3600,
  bridgeSeconds: 0,
  stopsHeld: false,
  falseStopSeconds: 1800,
  restartSeconds: 600,
  keepOn: null,
  pinned: [],
};

/** What a rule would have done in a period. Amounts are plain decimal text of one currency. */
export interface StopReplay {
  readonly period: string;
  readonly currency: string | null;
  readonly rule: StopRule;
  /** Whether it is the one that the ledger keeps. */
  readonly isSaved: boolean;
  readonly totals: StopTotals;
  /** Those it would have stopped, what it saves most first. */
  readonly machines: readonly StoppedMachine[];
  /** How many machines were replayed, and those that could not be. */
  readonly replayed: number;
  readonly notReplayed: readonly { readonly resource: string; readonly why: NotReplayed; readonly gpusSeen: number; readonly gpusBilled: number }[];
  /** Share of the GPU money of the period and scope that lies in observed time of replayed machines; null with no GPU money. */
  readonly coverage: number | null;
}
/** `no-log`: no telemetry of it in the period. `gpus-unseen`: some of its GPUs are in no log, and they may have been at work. */
export type NotReplayed = "no-log" | "gpus-unseen";

export interface StopTotals {
  readonly machines: number;
  readonly stops: number;
  readonly falseStops: number;
  /** Machine hours, and the same times the GPUs of each machine. */
  readonly hours: number;
  readonly gpuHours: number;
  /** Of a schedule: machine hours in use in the hours off, which it would have cut short. They are not counted as saved. */
  readonly workHours: number;
  /** The part of `workHours` in which nothing worked and a model was left in memory. */
  readonly heldHours: number;
  /** On demand and spot: not paid for once stopped. */
  readonly saved: string;
  /** Committed: paid whether it runs or not. */
  readonly sunk: string;
  /** How it was bought is not known: not claimed as saved. */
  readonly unclear: string;
}

export interface StoppedMachine extends Omit<StopTotals, "machines"> {
  readonly resource: string;
  readonly hosts: readonly string[];
  readonly provider: string | null;
  readonly region: string | null;
  readonly team: string | null;
  readonly gpuModel: string | null;
  readonly gpus: number;
  /** What stopping it is worth: `cash` saves, `committed` and `unclear` do not (surely), `mixed` in part; `pinned` is never stopped. */
  readonly worth: StopWorth;
  /** Since when it is idle at the end of its data, and that end. null: at work then. Unix seconds as instants. */
  readonly idleSince: string | null;
  readonly lastKnownAt: string | null;
  /** The longest 40, in order of time. */
  readonly list: readonly { readonly at: string; readonly until: string; readonly hours: number; readonly workHours: number; readonly endedBy: "work" | "hours" | "unknown" | "window"; readonly isFalse: boolean }[];
}
export type StopWorth = "cash" | "mixed" | "committed" | "unclear" | "pinned";

export interface StopScript {
  readonly file: string;
  /** Commands in the script that would run, and machines left as comments. */
  readonly commands: number;
  readonly comments: number;
}


export const telemetryFindingKinds = ["idle", "memory-leak", "low-tensor", "host-starved", "over-provisioned"] as const;
export type TelemetryFindingKind = (typeof telemetryFindingKinds)[number];

/** Something that telemetry says about a machine, with what it rests on and what can be done. Amounts are plain decimal text. */
export interface TelemetryFinding {
  /** The same in every reading of the same data. */
  readonly key: string;
  readonly kind: TelemetryFindingKind;
  readonly host: string;
  readonly resource: string | null;
  readonly team: string | null;
  /** A person, where a tag of the bill or an action names one. */
  readonly owner: string | null;
  readonly gpuModel: string | null;
  readonly gpus: number;
  /** What the machine's GPUs cost in the period; for idle, what their idle time cost. null: no bill. */
  readonly cost: string | null;
  /** Of idle time, what the ledger's stop rule, replayed, would have saved; else at most what could be avoided at once. null: no figure can be given. */
  readonly saving: string | null;
  readonly confidence: "high" | "medium" | "low";
  readonly what: Message;
  readonly evidence: Message;
  readonly todo: readonly Message[];
}

export interface FindingsAnswer {
  readonly period: string;
  readonly currency: string | null;
  readonly findings: readonly TelemetryFinding[];
  /** Devices with telemetry, and those whose tensor activity, SM activity and memory were measured: what was not measured is not found. */
  readonly devices: number;
  readonly measured: { readonly tensor: number; readonly sm: number; readonly memory: number };
}

export const cudaQuestionSchema = z.strictObject({
  /** A GPU as drivers, bills or people name it. */
  gpu: z.string().min(1).max(200),
  toolkit: z.string().regex(/^\d{1,2}(\.\d{1,2})?$/).nullable(),
  driver: z.string().regex(/^\d{3}(\.\d{1,4}){0,3}$/).nullable(),
  isWindows: z.boolean(),
  /** Compute capabilities the program was built for: `8.0 8.6 9.0+PTX`, `sm_80 compute_90`. */
  builtFor: z.string().max(400).nullable(),
});
export type CudaQuestion = z.infer<typeof cudaQuestionSchema>;
export type CudaVerdict = "fits" | "does-not" | "unknown";
/** Why a program may say that there is no kernel image for the device. */
export interface CudaAnswer {
  /** The card as the catalog knows it; null: it does not. */
  readonly gpu: string | null;
  readonly capability: string | null;
  readonly architecture: string | null;
  readonly firstToolkit: string | null;
  readonly lastToolkit: string | null;
  readonly leastDriver: string | null;
  readonly toolkit: CudaVerdict;
  readonly driver: CudaVerdict;
  readonly build: CudaVerdict;
  readonly sources: readonly string[];
}

/** A host's devices minute by minute in some whole hours. */
export interface HostTimeline {
  readonly host: string;
  /** First minute, UTC. */
  readonly start: string;
  readonly minutes: number;
  readonly devices: readonly TimelineDevice[];
  /** The host's first and last minute with anything known, of all its data; null with none. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
}
export interface TimelineDevice {
  readonly id: number;
  readonly label: string;
  readonly gpuModel: string | null;
  /** Codes of HeatBlock, one a minute. */
  readonly states: readonly number[];
  readonly utilization: number | null;
  readonly memoryPeak: number | null;
  readonly powerMeanWatts: number | null;
}

/** Unjoined bills and unjoined logs laid over each other by GPU model, region and hour. An aggregate: nothing is said of a single machine. */
export interface AggregateAnswer {
  readonly period: string;
  readonly currency: string | null;
  readonly rows: readonly AggregateRow[];
}
export interface AggregateRow {
  readonly gpuModel: string;
  /** As the bills name it; null: they name none. */
  readonly region: string | null;
  /** Logs of which nobody can tell in which of several billed regions they are: nothing of them is assigned. */
  readonly isRegionUnknown: boolean;
  readonly billedGpuHours: number;
  readonly seenGpuHours: number;
  /** Billed hours that telemetry of the same model and hour is laid over; never more than were billed. */
  readonly assignedGpuHours: number;
  readonly hosts: number;
  /** Plain decimal text; the six parts add up to the cost. */
  readonly cost: string;
  readonly productive: string;
  readonly busyInefficient: string;
  readonly heldIdle: string;
  readonly deadIdle: string;
  readonly idleMemoryUnknown: string;
  readonly unknown: string;
}
