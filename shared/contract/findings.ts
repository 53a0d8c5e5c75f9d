import { z } from "zod";

/** Tools that a stop plan can be written for. */
export const stopTools = ["aws", "azure", "gcloud", "kubectl", "slurm"] as const;
export type StopTool = (typeof stopTools)[number];

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/**
 * When a machine would be stopped: once all its GPUs together have been idle for so long. Percent and seconds.
 * It is replayed on history and written into a script; the app itself stops nothing.
 */
export const stopRuleSchema = z.strictObject({
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
  readonly list: readonly { readonly at: string; readonly until: string; readonly hours: number; readonly endedBy: "work" | "hours" | "unknown" | "window"; readonly isFalse: boolean }[];
}
export type StopWorth = "cash" | "mixed" | "committed" | "unclear" | "pinned";

export interface StopScript {
  readonly file: string;
  /** Commands in the script that would run, and machines left as comments. */
  readonly commands: number;
  readonly comments: number;
}

