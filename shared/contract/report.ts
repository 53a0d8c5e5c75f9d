import type { Figure, MetricId, CostBasis, UnknownReason } from "../domain/figure.ts";
import type { UtilizationCounter } from "../domain/counter.ts";
import type { Scope, ScopeDimension } from "../domain/scope.ts";
import type { Period, PeriodLabel } from "../domain/period.ts";
import type { PlanInputs } from "./plan.ts";

/**
 * A report is data: window, terminal and exporters print this same document.
 * Texts are messages (a catalog key and its facts), never sentences, so each printer speaks its own language.
 */
export interface ReportDocument {
  readonly report: ReportId;
  readonly request: ReportRequest;
  readonly period: Period;
  readonly currency: string | null;
  /** Currencies the period also holds and this document leaves out; never added. */
  readonly otherCurrencies: readonly string[];
  readonly provenance: Provenance;
  readonly title: Message;
  /** The one sentence that answers. */
  readonly answer: Message;
  /** One line of context under it; each message is a sentence. */
  readonly context: readonly Message[];
  readonly blocks: readonly Block[];
}

export const reportIds = ["review", "efficiency", "imports", "budgets", "showback", "kpis", "selection", "monthly", "commitments", "carbon", "esg"] as const;
export type ReportId = (typeof reportIds)[number];

export interface ReportRequest {
  readonly report: ReportId;
  readonly period: PeriodLabel;
  readonly scope: Scope;
  readonly basis: CostBasis;
  /** null: the currency with the most rows of the period. */
  readonly currency: string | null;
  /** The counter that utilization is held to; left out: the one chosen for the ledger, else the one that measured most. */
  readonly counter?: UtilizationCounter | undefined;
  /** Name of the vendor selection; left out: the one changed last. */
  readonly selection?: string | undefined;
  /** What the plan of commitments is worked out with; left out: its defaults. */
  readonly plan?: PlanInputs | undefined;
}

export interface Provenance {
  readonly ledgerName: string;
  readonly isSample: boolean;
  readonly revision: number;
  /** The instant up to which all sources of the period have delivered; null with no bill. */
  readonly completeUntil: string | null;
  readonly lastImportAt: string | null;
  readonly rowsSetAside: number;
  /** Share of the period's GPU-hours that have telemetry; null with no GPU-hours. */
  readonly telemetryCoverage: number | null;
  /** Idle policy that the figures show. */
  readonly idlePolicy: IdlePolicy;
  readonly sources: readonly SourceLine[];
}

export interface SourceLine {
  readonly batch: number;
  readonly file: string;
  readonly sha256: string;
  readonly format: string;
  readonly rows: number;
}

/** Thresholds of the idle states (maths.md d.3): percent, seconds, share of the card's memory. */
export interface IdlePolicy {
  readonly idleAtOrUnderPercent: number;
  readonly busyAtOrOverPercent: number;
  readonly minimumSeconds: number;
  readonly bridgeSeconds: number;
  readonly parkedMemoryShare: number;
}
export const defaultIdlePolicy: IdlePolicy = {
  idleAtOrUnderPercent: 5,
  busyAtOrOverPercent: 10,
  minimumSeconds: 900,
  bridgeSeconds: 0,
  parkedMemoryShare: 0.1,
};

/** A catalog key with its facts. Keys are those of shared/i18n; a test checks every key that the engine can produce. */
export interface Message {
  readonly key: string;
  readonly params?: Readonly<Record<string, MessageParam>>;
}
/** A fact inside a message. `money` attos; `day` and `month` are UTC labels; `text` is a name as the source spells it. */
export type MessageParam =
  | { readonly figure: Figure; readonly explain?: FigureRef }
  | { readonly money: bigint; readonly currency: string; readonly signed?: boolean; readonly shown?: bigint }
  | { readonly ratio: number; readonly signed?: boolean; readonly digits?: number }
  | { readonly count: number }
  | { readonly number: number; readonly digits?: number; readonly signed?: boolean }
  | { readonly period: PeriodLabel; readonly short?: boolean }
  | { readonly instant: string; readonly precision: "day" | "minute" }
  | { readonly text: string }
  /** A text of the reference tables: a place, a kind, a source. Each language has its own words for it. */
  | { readonly reference: string }
  | { readonly message: Message };

export type Block = FiguresBlock | TableBlock | HeatBlock | NotesBlock;

/** The tiles of a report: each a figure with what it is compared with and a series to draw beside it. */
export interface FiguresBlock {
  readonly kind: "figures";
  readonly id: string;
  readonly title: Message | null;
  readonly tiles: readonly Tile[];
}
export interface Tile {
  readonly id: string;
  readonly label: Message;
  readonly figure: Figure;
  readonly explain: FigureRef;
  readonly note: Message | null;
  /** Oldest first; value null is drawn as unknown. Money is in attos. */
  readonly series: readonly { readonly at: PeriodLabel; readonly value: number | bigint | null }[];
}

/** A table that closes: rows and, where it has one, a total they add up to. `chart` says how the window also draws it. */
export interface TableBlock {
  readonly kind: "table";
  readonly id: string;
  readonly title: Message;
  readonly note: Message | null;
  readonly chart: "bridge" | "four-way" | "flops" | "bars" | "completeness" | "level" | "exit" | null;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly total: Row | null;
}
export interface Column {
  readonly id: string;
  readonly label: Message;
  readonly kind: "text" | "figure" | "time" | "mono";
  /** 1 always shown, 2 hidden under 1100 px, 3 only in the row's detail and in exports. */
  readonly priority: 1 | 2 | 3;
  /** Money columns show a sign only when they are changes. */
  readonly signed?: boolean;
}
export interface Row {
  readonly id: string;
  /** One cell a column, in order. */
  readonly cells: readonly Cell[];
  readonly tone?: "plain" | "muted" | "committed" | "useful" | "busy" | "held" | "dead" | "unknown";
}
export type Cell =
  | { readonly text: string; readonly message?: never }
  | { readonly message: Message }
  | { readonly figure: Figure; readonly explain?: FigureRef }
  | { readonly instant: string; readonly precision: "day" | "minute" }
  | { readonly absent: UnknownReason | "not-applicable" };

/** Short closing lines side by side: a title and a few sentences each ("Commitments: 94.7 % used, …"). */
export interface NotesBlock {
  readonly kind: "notes";
  readonly id: string;
  readonly notes: readonly {
    readonly id: string;
    readonly title: Message;
    readonly tone: "plain" | "committed" | "useful" | "unknown";
    readonly lines: readonly Message[];
  }[];
}

/**
 * Fleet by time. States use one byte an hour: -1 not running, -2 unknown, -3 held idle, -4 dead idle, -5 idle with memory
 * unknown, else utilization 0 to 100.
 */
export interface HeatBlock {
  readonly kind: "heat";
  readonly id: string;
  readonly title: Message;
  readonly note: Message | null;
  /** First hour and number of hours, UTC. */
  readonly start: string;
  readonly hours: number;
  readonly rows: readonly HeatRow[];
}
export interface HeatRow {
  readonly id: string;
  readonly label: string;
  readonly gpuModel: string | null;
  readonly team: string | null;
  readonly gpus: number;
  readonly states: readonly number[];
  readonly mean: Figure;
  /** Of the mean, where a bill knows the host: then it is the metric's own figure. */
  readonly explain: FigureRef | null;
  /** Hours of the host (not GPU-hours) in which its GPUs were mostly idle. */
  readonly idleHours: Figure;
}

/** Names one figure so that it can be asked about again: which metric, over what, split to which group. */
export interface FigureRef {
  readonly metric: MetricId;
  readonly period: PeriodLabel;
  readonly scope: Scope;
  readonly basis: CostBasis;
  readonly currency: string | null;
  /** Parameters of the metric, `{ precision: "bf16", gpuModel: "H100" }`. */
  readonly params?: Readonly<Record<string, string>>;
}

/** The answer of `figure.explain`: enough to recompute the figure on paper and to reach its rows. */
export interface Explanation {
  readonly ref: FigureRef;
  readonly figure: Figure;
  readonly title: Message;
  readonly what: Message;
  /** Formula in the words of the inputs' labels, `formula.useful-gpu-hour-cost`. */
  readonly formula: Message;
  /** Where the formula comes from: section of the method page in the help. */
  readonly method: string;
  readonly inputs: readonly { readonly label: Message; readonly figure: Figure }[];
  /** One or more splits that add up to the figure or its inputs. */
  readonly splits: readonly TableBlock[];
  readonly coverage: Message;
  readonly notInIt: readonly Message[];
  readonly assumptions: readonly Message[];
  readonly sources: readonly SourceLine[];
  readonly range: { readonly low: Figure; readonly high: Figure } | null;
  /** How many rows of files stand behind it; ask `rows.read` with the ref. */
  readonly rowCount: number;
  readonly splitBy: readonly ScopeDimension[];
}
