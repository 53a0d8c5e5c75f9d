/** What crosses for the calculators and for choosing a vendor. Quantities are typed by a person and read in one place; results are exact decimal text. */
import { z } from "zod";
import { dayLabel, monthLabel } from "./teams.ts";
import { fileToken } from "./token.ts";
import type { Basis, UnknownReason } from "../domain/figure.ts";
import { rational, type Rational } from "../domain/rational.ts";
import type { Message } from "./report.ts";

/** 1 GiB is 2^30 bytes, 1 GB 10^9. */
export const GIGABYTES_PER_GIBIBYTE: Rational = rational(2n ** 30n, 10n ** 9n);

export const calculatorIds = ["batch", "training", "serving", "spot", "granularity", "serverless", "owned", "host", "slice", "path"] as const;
export type CalculatorId = (typeof calculatorIds)[number];

/**
 * How a field is read.
 *
 * memory    GB, or GiB where it says so: `80`, `80 GB`, `74.5 GiB`
 * count     with a suffix for thousands, millions, billions, trillions: `7B`, `2T`, `1e9`, `70亿`
 * percent   `40` or `40 %` is 0.4
 * whole     a whole number
 * model     a GPU model of the ledger; profile and machine: a name of the catalog; file: a file of the person's
 */
export type FieldKind = "memory" | "count" | "percent" | "amount" | "number" | "whole" | "choice" | "model" | "profile" | "machine" | "file";

export interface CalculatorField {
  readonly id: string;
  readonly kind: FieldKind;
  /** Smallest value, itself not allowed. */
  readonly over?: string;
  /** Smallest value. */
  readonly from?: string;
  readonly to?: string;
  /** What holds where nothing is said: nothing lost, one machine, never idle. */
  readonly initial?: string;
  /** A number to start from, shown as an example and never taken for the person's own. */
  readonly example?: string;
  readonly choices?: readonly string[];
}

const GPUS = "100000";
const MONEY = "1000000000";
const amount = (id: string, example?: string): CalculatorField => ({ id, kind: "amount", from: "0", to: MONEY, ...(example === undefined ? {} : { example }) });
const share = (id: string, rest: Partial<CalculatorField> = {}): CalculatorField => ({ id, kind: "percent", from: "0", to: "1", ...rest });
const gpus = (id: string, rest: Partial<CalculatorField> = {}): CalculatorField => ({ id, kind: "whole", from: "1", to: GPUS, ...rest });
const memory = (id: string, example?: string): CalculatorField => ({ id, kind: "memory", over: "0", to: "1000000", ...(example === undefined ? {} : { example }) });
const parameters: CalculatorField = { id: "parameters", kind: "count", over: "0", to: "1e16", example: "7B" };

/** Every calculator with what it asks for. The order is that of the form. */
export const calculatorFields: Readonly<Record<CalculatorId, readonly CalculatorField[]>> = {
  batch: [
    memory("gpu-memory", "80"),
    parameters,
    { id: "bytes-per-parameter", kind: "number", over: "0", to: "64", example: "2" },
    memory("sample-memory", "0.9"),
    share("reserve", { initial: "0" }),
    { id: "gpu-model", kind: "model" },
  ],
  training: [
    parameters,
    { id: "tokens", kind: "count", over: "0", to: "1e18", example: "2T" },
    { id: "peak-tflops", kind: "number", over: "0", to: "1000000", example: "989" },
    share("mfu", { over: "0", example: "40" }),
    gpus("gpus", { example: "256" }),
    amount("gpu-price", "2.5"),
    { id: "overhead", kind: "percent", from: "0", to: "10", initial: "0" },
  ],
  serving: [
    amount("price", "3.6"),
    { id: "tokens-per-second", kind: "count", over: "0", to: "1e12", example: "1000" },
    share("load", { example: "25" }),
    amount("api-price", "2"),
  ],
  spot: [
    { id: "log", kind: "file" },
    { id: "mean-time", kind: "number", over: "0", to: "1000000", example: "24" },
    share("band", { over: "0", to: "0.99" }),
    amount("spot-price", "1.8"),
    amount("on-demand-price", "12"),
    { id: "checkpoint", kind: "number", from: "0", to: "100000", example: "3" },
    { id: "restart", kind: "number", from: "0", to: "100000", example: "12" },
    gpus("instances", { initial: "1" }),
    { id: "interval", kind: "number", over: "0", to: "1000000" },
    { id: "notice", kind: "number", from: "0", to: "1000000" },
    { id: "job-hours", kind: "number", over: "0", to: "1000000" },
    amount("storage"),
    amount("reserved-price"),
    share("reserved-use"),
    share("claim", { initial: "85" }),
  ],
  granularity: [
    { id: "gpu-model", kind: "model" },
    amount("second-price", "4"),
    amount("hour-price", "3.5"),
    amount("month-price", "1500"),
    { id: "start-seconds", kind: "number", from: "0", to: "86400", initial: "0" },
  ],
  serverless: [
    { id: "requests", kind: "count", from: "0", to: "1e15", example: "500k" },
    { id: "request-seconds", kind: "number", over: "0", to: "86400", example: "1.2" },
    amount("second-rate", "0.0014"),
    amount("request-fee", "0"),
    { id: "cold-seconds", kind: "number", from: "0", to: "86400", initial: "0" },
    share("cold-share", { initial: "0" }),
    amount("replica-price", "2.5"),
    { id: "replica-rate", kind: "number", over: "0", to: "1000000", example: "0.8" },
    { id: "peak-factor", kind: "number", from: "1", to: "1000", initial: "1" },
    gpus("least-replicas", { initial: "1" }),
    { id: "month-hours", kind: "number", over: "0", to: "745", initial: "730" },
  ],
  owned: [
    amount("capex", "1800"),
    amount("residual", "600"),
    { id: "life-months", kind: "number", over: "0", to: "600", example: "36" },
    { id: "used-hours", kind: "number", from: "0", to: "745", example: "160" },
    { id: "busy-kw", kind: "number", from: "0", to: "1000", example: "0.45" },
    { id: "idle-kw", kind: "number", from: "0", to: "1000", example: "0.02" },
    { id: "powered-hours", kind: "number", from: "0", to: "745", example: "730" },
    amount("tariff", "0.22"),
    amount("upkeep", "5"),
    amount("cloud-price", "0.69"),
    { id: "relative-speed", kind: "number", over: "0", to: "1000", initial: "1" },
    share("claim", { initial: "35" }),
  ],
  host: [
    { id: "machine", kind: "machine" },
    gpus("gpus", { example: "8" }),
    memory("gpu-memory", "80"),
    gpus("vcpus", { example: "96" }),
    { id: "vcpus-per-gpu", kind: "number", over: "0", to: "1000", example: "8" },
    memory("ram", "1024"),
    { id: "nvme", kind: "memory", from: "0", to: "10000000", example: "3840" },
    { id: "data", kind: "memory", from: "0", to: "10000000", example: "2000" },
    gpus("nodes", { initial: "1" }),
    { id: "rdma", kind: "choice", choices: ["yes", "no"] },
  ],
  slice: [
    amount("gpu-price", "4"),
    { id: "profile", kind: "profile" },
    share("compute-share", { over: "0", example: "50" }),
    share("memory-share", { over: "0", example: "50" }),
    { id: "paid-by", kind: "choice", choices: ["max", "compute", "memory"], initial: "max" },
    share("loss", { initial: "0", example: "40" }),
  ],
  path: [
    { id: "work-hours", kind: "number", over: "0", to: "10000000", example: "1400" },
    memory("needed-memory", "120"),
    memory("gpu-memory", "80"),
    { id: "deadline-hours", kind: "number", over: "0", to: "100000", example: "720" },
    gpus("node-gpus", { example: "8" }),
    share("node-efficiency", { over: "0", example: "92" }),
    gpus("cluster-gpus", { example: "32" }),
    share("cluster-efficiency", { over: "0", example: "78" }),
    share("efficiency-floor", { over: "0", initial: "70" }),
    amount("single-price", "3"),
    amount("node-price", "3.4"),
    amount("cluster-price", "3.8"),
    amount("reserved-price", "2.1"),
    { id: "month-hours", kind: "number", over: "0", to: "745", initial: "730" },
  ],
};

/** `money` of the calculator's currency; `rate` money with the digits that a small price needs; `gb` with GiB beside it, `gb-only` without. */
export type CalculatorUnit = "money" | "rate" | "ratio" | "count" | "number" | "multiple" | "gb" | "gb-only" | "exaflop" | "gpu-hours" | "hours" | "minutes" | "months";

/** A value as exact decimal text with its unit, or words. */
export type CalculatorValue = { readonly value: string; readonly unit: CalculatorUnit } | { readonly message: Message };

/** One result. `missing` names the fields that are needed for it and not there. */
export interface CalculatorLine {
  readonly id: string;
  readonly shown: CalculatorValue | null;
  readonly basis: Basis;
  readonly missing: readonly string[];
  /** Why it has no value although nothing is missing. */
  readonly why: UnknownReason | "never" | null;
  readonly isMain: boolean;
}

/** Lines of the same kind beside each other: stages of a path, checks of a machine. */
export interface CalculatorTable {
  readonly id: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly id: string; readonly tone: "well" | "warn" | "unknown" | "plain"; readonly cells: readonly (CalculatorValue | null)[] }[];
}

export interface CalculatorAnswer {
  readonly calculator: CalculatorId;
  readonly currency: string;
  /** The month of the ledger's facts; null where none was used. */
  readonly month: string | null;
  /** Fields as they were understood, exact, with where they come from: the person, our initial value, the catalog. */
  readonly inputs: readonly { readonly field: string; readonly value: string; readonly from: "person" | "initial" | "catalog" }[];
  readonly lines: readonly CalculatorLine[];
  readonly table: CalculatorTable | null;
  /** What is true of this very result. */
  readonly notes: readonly Message[];
}

/** What the ledger and the catalog offer to choose from. */
export interface CalculatorFacts {
  readonly currency: string;
  readonly month: string | null;
  readonly models: readonly string[];
  readonly profiles: readonly { readonly id: string; readonly text: string }[];
  /** Names of machine types. */
  readonly machines: readonly string[];
}

export const calculatorInput = z.strictObject({
  calculator: z.enum(calculatorIds),
  /** By field, as typed. What is empty is unknown. */
  inputs: z.record(z.string().max(40), z.string().max(200)),
  currency: z.string().min(1).max(40).nullable(),
  /** Month of the ledger for what is measured; null: the newest. */
  month: monthLabel.nullable(),
  /** A log of runs that ended or were interrupted. */
  log: fileToken.nullable(),
});

// Vendor selection

/** The five steps, in their order. */
export const selectionSteps = ["benchmark", "elasticity", "ecosystem", "support", "pilot"] as const;
export type SelectionStep = (typeof selectionSteps)[number];

const name = z.string().trim().min(1).max(200);
const decimalText = z.string().regex(/^\d{1,12}(\.\d{1,18})?$/);
const score = z.string().regex(/^(10(\.0{1,4})?|\d(\.\d{1,4})?)$/);
const note = z.string().max(4000);

const scoredStepSchema = z.strictObject({
  /** 0 to 10; null: not scored yet. */
  score: score.nullable(),
  /** What was found, and where it can be read again. */
  evidence: note,
  source: note,
  foundOn: dayLabel.nullable(),
});
const quoteSchema = z.strictObject({
  item: name,
  /** An hour of the item. */
  list: decimalText.nullable(),
  quoted: decimalText.nullable(),
  validUntil: dayLabel.nullable(),
});
export const selectionVendorSchema = z.strictObject({
  name,
  steps: z.record(z.enum(selectionSteps), scoredStepSchema),
  quotes: z.array(quoteSchema).max(100),
});
export const pilotSchema = z.strictObject({
  vendor: name,
  firstDay: dayLabel,
  lastDay: dayLabel,
  /** What of the ledger is the pilot; null: everything. */
  provider: z.string().max(200).nullable(),
  gpuModel: z.string().max(200).nullable(),
  team: z.string().max(200).nullable(),
  plannedGpuHours: decimalText.nullable(),
  plannedCost: decimalText.nullable(),
  /** Share of GPU time used, 0 to 1. */
  plannedUse: decimalText.nullable(),
});
export const vendorSelectionSchema = z
  .strictObject({
    id: z.number().int().positive().nullable(),
    name,
    currency: z.string().min(1).max(40),
    workload: note,
    weights: z.record(z.enum(selectionSteps), decimalText),
    minimums: z.record(z.enum(selectionSteps), score.nullable()),
    vendors: z.array(selectionVendorSchema).max(50),
    pilot: pilotSchema.nullable(),
    decision: z.strictObject({ vendor: name.nullable(), reason: note, by: z.string().max(200) }),
  })
  .refine(({ vendors }) => new Set(vendors.map((vendor) => vendor.name)).size === vendors.length, { path: ["vendors"] })
  .refine(({ pilot }) => pilot === null || pilot.firstDay <= pilot.lastDay, { path: ["pilot", "lastDay"] })
  .refine(({ weights }) => Object.values(weights).some((weight) => /[1-9]/.test(weight)), { path: ["weights"] });
export type VendorSelectionInput = z.infer<typeof vendorSelectionSchema>;
export type SelectionVendor = z.infer<typeof selectionVendorSchema>;
export type Pilot = z.infer<typeof pilotSchema>;

export interface VendorSelection extends VendorSelectionInput {
  readonly id: number;
  readonly changedAt: string;
}

/** A selection with what follows from it. Scores, shares and amounts are exact decimal text; null is unknown. */
export interface SelectionOutcome {
  readonly selection: VendorSelection;
  readonly vendors: readonly {
    readonly name: string;
    readonly score: string | null;
    /** Share of the weight that is scored. */
    readonly knownWeight: string | null;
    readonly isComplete: boolean;
    readonly failedMinimums: readonly SelectionStep[];
    /** 1 is the best; null: excluded by a minimum, or without any score. */
    readonly place: number | null;
    readonly quotes: readonly { readonly item: string; readonly list: string | null; readonly quoted: string | null; readonly validUntil: string | null; /** 1 − quoted ÷ list. */ readonly discount: string | null }[];
  }[];
  /** For the first two: the weight of each step at which they tie. */
  readonly ties: readonly { readonly step: SelectionStep; readonly weight: string | null }[];
  readonly pilot: PilotOutcome | null;
}

export interface PilotOutcome {
  readonly days: number;
  /** Days of the pilot of which the ledger has a bill. */
  readonly daysBilled: number;
  readonly gpuHours: string | null;
  readonly cost: string | null;
  /** Used share of the GPU-hours that have telemetry. */
  readonly use: string | null;
  /** Share of the GPU-hours with telemetry. */
  readonly coverage: number;
  /** Cost ÷ GPU-hours, as planned and as billed. */
  readonly plannedPrice: string | null;
  readonly price: string | null;
}
