import type { Database } from "better-sqlite3";
import type { ImportOptions, MoneyTotals, SetAsideRow } from "../../../shared/contract/methods.ts";
import type { MoneyColumn } from "../../../shared/domain/charge.ts";
import type { Result } from "../../../shared/result.ts";
import type { Reference } from "../reference/catalog.ts";
import type { Sniffed } from "./sniff.ts";

/** One file to read into one batch that already stands in the ledger in state `staging`. */
export interface BillJob {
  readonly sniffed: Sniffed;
  readonly formatId: string;
  readonly batchId: number;
  readonly options: ImportOptions;
  /** The shipped catalog, by which GPUs are recognized. */
  readonly reference: Reference;
}

/** How a reading hears from, and speaks to, whoever runs it. All calls are cheap and synchronous. */
export interface ReadControl {
  /** Bytes of the file as it lies on disk. Called after each buffer. */
  progress(done: { readonly bytesRead: number; readonly rowsRead: number }): void;
  /** Looked for after each buffer. */
  isCancelled(): boolean;
  /** Called between two short write transactions: returns once the engine does not want to write. */
  standAside(): void;
}

/** What one file said, all of it in staging rows of its batch. */
export interface BillReading {
  readonly fileId: number;
  readonly sha256: string;
  readonly size: number;
  readonly format: string;
  readonly version: string | null;
  readonly rowsRead: number;
  readonly rowsPosted: number;
  readonly rowsSetAside: number;
  /** At most 10,000; the rest is only counted. `reason` is a code of `expectedKinds`. */
  readonly setAside: readonly Omit<SetAsideRow, "file">[];
  readonly repairs: Readonly<Record<string, number>>;
  /** Billing months, ascending. */
  readonly periods: readonly string[];
  /** Exact sums of the posted rows by currency as plain decimal text, what is finer than an atto included. */
  readonly totals: Readonly<Record<string, MoneyTotals>>;
  /** What rules of ours add, by currency; null for costs no rule touches. */
  readonly corrections: Readonly<Record<string, MoneyTotals>>;
  readonly deliveries: readonly number[];
  /** UTC days, since 1970-01-01, for which the file states hours of GPUs; ascending. */
  readonly touchedGpuDays: readonly number[];
}

/**
 * Reads a bill into staging rows of its batch: account, series, source_file, source_block, set_aside, delivery_group (found or made, never
 * flipped), delivery, delivery_account, charge_day, gpu_charge_hours. Writes in transactions of at most some 20 ms.
 *
 * errors   import.cancelled, import.truncated, import.unreadable, import.number-ambiguous, import.column-missing, import.no-rows-usable;
 *          what was staged until then is the caller's to sweep with the batch
 */
export declare function readBill(job: BillJob, db: Database, control: ReadControl): Promise<Result<BillReading>>;

export type { MoneyColumn };
