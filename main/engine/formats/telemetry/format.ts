import type { Expected } from "../../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../../shared/contract/errors.ts";
import type { ImportOptions } from "../../../../shared/contract/methods.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Sniffed } from "../../import/sniff.ts";
import type { TimestampReading } from "../../import/timestamp.ts";
import type { Recognition } from "../format.ts";

/**
 * A telemetry format: how sure it is of a file, and a reader that turns the file's records into samples of devices.
 * It never guesses a value: what it cannot read becomes unknown and is counted, and a row without time or identity is set aside.
 */
export interface TelemetryFormat {
  readonly id: string;
  readonly recognize: (sniffed: Sniffed, options: ImportOptions) => Recognition;
  readonly open: (job: LogFormatJob, sink: LogSink) => Result<RecordReader>;
}

export interface LogFormatJob {
  readonly sniffed: Sniffed;
  readonly options: ImportOptions;
  /** Host of rows that name none. */
  readonly host: string;
  /** When the file was last written: the time of a single poll that states none. Unix milliseconds. */
  readonly modifiedMs: number;
}

/** Takes a file's records one after another, in file order. */
export interface RecordReader {
  /** Trouble that ends the reading of the whole file, or null to go on. */
  readonly record: (record: LogRecord) => LedgerError | null;
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
  /** The series of a device: one and the same for the same identity. */
  readonly series: (identity: DeviceIdentity) => DeviceSeries;
  /** A data row begins; what follows until the next call belongs to it. */
  readonly rowRead: () => void;
  readonly repaired: (name: LogRepair, count?: number) => void;
  readonly setAside: (record: LogRecord, column: string, value: string, reason: Expected) => void;
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
  /** Adds one sample. NaN is unknown. Says what hinders it: the zone is not known, or the zone skipped that hour. */
  readonly add: (time: TimestampReading, values: SampleValues) => "added" | "zone-needed" | "hour-skipped";
}

/** One sample in the ledger's units; NaN where the source states no value. */
export interface SampleValues {
  /** Percent. */
  utilization: number;
  memoryUsedMiB: number;
  powerW: number;
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
  "assumed-single-gpu",
] as const;
export type LogRepair = (typeof logRepairs)[number];
