import type { Expected, LedgerError } from "../../../../shared/contract/errors.ts";
import type { ReadOptions } from "../../../../shared/contract/methods.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { TimestampReading } from "../../import/timestamp.ts";
import type { TraceMetric } from "../../store/traces.ts";
import type { DateOrder, Recognition } from "../format.ts";

/**
 * A telemetry format: how sure it is of a file, and a reader that turns the file's records into samples of devices.
 * It never guesses a value: what it cannot read becomes unknown and is counted, and a row without time or identity is set aside.
 */
export interface TelemetryFormat {
  readonly id: string;
  readonly recognize: (sniffed: Sniffed, options: ReadOptions) => Recognition;
  readonly open: (job: LogFormatJob, sink: LogSink) => Result<LogReader>;
}

export interface LogFormatJob {
  readonly sniffed: Sniffed;
  readonly options: ReadOptions;
  /** Host of rows that name none. */
  readonly host: string;
  /** When the last poll was, where the polls do not say: as the person stated, else when the file was last written. Unix milliseconds. */
  readonly modifiedMs: number;
  /** Whether the person stated it. */
  readonly isTimeStated: boolean;
  /** The same as a wall clock reading in the zone that the person gave; null without a zone. */
  readonly modifiedWallMs: number | null;
  /** How far polls that state no time lie apart, as the person stated; null: by the tool's own default. */
  readonly everyMs: number | null;
  /** Which way round its dates are that end with the year; null where nothing in the file says it. */
  readonly dateOrder: DateOrder | null;
}

/** Takes a file in order, record by record or, where the format is no table, in pieces of bytes. */
export type LogReader = RecordReader | BytesReader;
export interface RecordReader extends AnyReader {
  readonly takes: "records";
  /** Trouble that ends the reading of the whole file, or null to go on. */
  readonly record: (record: LogRecord) => LedgerError | null;
}
export interface BytesReader extends AnyReader {
  readonly takes: "bytes";
  /** The next piece of the text, in UTF-8; it may end anywhere and is valid during the call only. */
  readonly bytes: (piece: Uint8Array) => LedgerError | null;
}
interface AnyReader {
  readonly end: () => LedgerError | null;
  /** Whether the records so far held any column or series of a GPU that the ledger keeps. */
  readonly hasGpuSeries: () => boolean;
  /** Dialect or tool version where the file tells it. */
  readonly version: () => string | null;
}

/** One record: cells are bytes[starts[i], ends[i]) of UTF-8, quotes taken off, not trimmed. Valid during the call only. */
export interface LogRecord {
  bytes: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  count: number;
  /** Physical line on which it begins, from 1. */
  line: number;
  /** The record's bytes as a whole. */
  from: number;
  to: number;
  /** False for a last record that no line end follows: it may have been cut anywhere. */
  isTerminated: boolean;
}

/** What a format hands its findings to. */
export interface LogSink {
  /**
   * A series of a device, with the metrics that each of its samples states together: one and the same for the same device, metrics and hold.
   * Values hold forward from their time, or backward from it where they are averages up to it (maths.md d.2).
   */
  readonly series: (identity: DeviceIdentity, metrics: readonly TraceMetric[], holds: Holds) => DeviceSeries;
  /** A data row begins; what follows until the next call belongs to it. */
  readonly rowRead: () => void;
  /** It belongs to a series that the ledger does not keep. */
  readonly rowIgnored: () => void;
  readonly repaired: (name: LogRepair, count?: number) => void;
  /** A job that held GPUs. Says what hinders it: the zone is not known, or the zone skipped an hour in which it began or ended. */
  readonly job: (job: JobReading) => "added" | "zone-needed" | "hour-skipped";
  readonly setAside: (record: Pick<LogRecord, "bytes" | "from" | "to" | "line">, column: string, value: string, reason: Expected) => void;
}
export type Holds = "forward" | "backward";

/** What a scheduler says of one job that held GPUs. Texts are null where it says nothing. */
export interface JobReading {
  /** Line of the file; in JSON the job's place in it, from 1. */
  readonly line: number;
  readonly source: "slurm" | "kubernetes";
  readonly cluster: string | null;
  readonly jobId: string;
  readonly name: string | null;
  readonly user: string | null;
  readonly account: string | null;
  readonly partition: string | null;
  readonly state: string | null;
  /** Names of nodes, expanded; empty where they are not known. */
  readonly hosts: readonly string[];
  /** GPUs held on all hosts together; null: some, and nobody says how many. Never 0. */
  readonly gpuCount: number | null;
  readonly gpuModel: string | null;
  readonly start: TimestampReading;
  /** null while it runs, or unknown. */
  readonly end: TimestampReading | null;
  /** Seconds without those suspended; null: unknown. */
  readonly elapsedSeconds: number | null;
}

export interface DeviceIdentity {
  readonly host: string;
  /** Lower case, without `GPU-`. */
  readonly uuid: string | null;
  /** `0000:0a:00.0`, lower case. */
  readonly pciBusId: string | null;
  readonly index: number | null;
}

export interface DeviceSeries {
  readonly identity: DeviceIdentity;
  /** What the rows say of the device itself; the first that says anything counts. */
  readonly describe: (facts: { readonly name?: string; readonly memoryTotalMiB?: number; readonly index?: number; readonly pciBusId?: string }) => void;
  /** Adds one sample: a value for each metric, NaN for unknown. Says what hinders it: the zone is not known, or the zone skipped that hour. */
  readonly add: (time: TimestampReading, values: Float64Array) => "added" | "zone-needed" | "hour-skipped";
}

/** What a reading mends or drops and counts. Words: `imports.repair.<name>` in both catalogs. */
export const logRepairs = [
  "value-not-available",
  "value-not-supported",
  "value-not-permitted",
  "value-gpu-error",
  "value-sentinel",
  "value-unreadable",
  "percent-capped",
  "percent-out-of-range",
  "power-out-of-range",
  "memory-out-of-range",
  "mig-utilization-unknown",
  "low-trust-sample",
  "duplicate-timestamp",
  "out-of-order",
  "truncated-last-line",
  "unfinished-last-value",
  "repeated-header",
  "ambiguous-hour",
  "assumed-time",
  "stated-time",
  "scale-unknown",
  "energy-counter-reset",
  "process-list",
  "allocation-only",
  "assumed-single-gpu",
  "shared-gpu",
  "partial-answer",
] as const;
export type LogRepair = (typeof logRepairs)[number];
