import { ledgerError } from "../../../shared/contract/errors.ts";
import type { BatchSummary, FileReport } from "../../../shared/contract/methods.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { CONTRACT_COMMITMENT } from "../import/contracts.ts";
import { redoBatch, undoBatch } from "../import/undo.ts";
import { query, readAll, readOne, type Db } from "../store/sql.ts";
import type { HandlersOf } from "./index.ts";

export const batchHandlers: HandlersOf<"batches.list" | "batches.undo" | "batches.redo"> = {
  "batches.list"(context) {
    const opened = context.open();
    return opened.ok ? ok(batchesOf(opened.value.ledger.db)) : opened;
  },

  async "batches.undo"(context, { batch }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    return context.exclusive(() => undoBatch(context, opened.value, batch));
  },

  async "batches.redo"(context, { batch }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    return context.exclusive(() => redoBatch(context, opened.value, batch));
  },
};

export function batchExists(db: Db, batch: number): Result<null> {
  const found = readOne(db, query<{ found: number }>("found")`-- batches.exists
    SELECT 1 AS found FROM batch WHERE BatchId = ${batch} AND State <> 'staging'`);
  return found === null ? err(ledgerError("batch.not-found", { batch })) : ok(null);
}

interface BatchRow {
  readonly BatchId: number;
  readonly Kind: BatchSummary["kind"];
  readonly State: "posted" | "undone";
  readonly ImportedAt: string;
  readonly FormatId: string;
  readonly FormatVersion: string | null;
  readonly RowsPosted: number;
  readonly RowsSetAside: number;
  readonly Report: string;
  readonly files: string;
  readonly isShown: number;
  readonly cellsKept: number;
}

/** Every import, newest first. A bill shows when an account and day of which it has cells is its own; a log when it is not undone. */
function batchesOf(db: Db): BatchSummary[] {
  const rows = readAll(db, query<BatchRow>("BatchId", "Kind", "State", "ImportedAt", "FormatId", "FormatVersion", "RowsPosted", "RowsSetAside", "Report", "files", "isShown", "cellsKept")`-- batches.list
    SELECT
      b.BatchId, CASE WHEN b.FormatId = ${CONTRACT_COMMITMENT} THEN 'commitments' ELSE b.Kind END AS Kind, b.State, b.ImportedAt, b.FormatId, b.FormatVersion, b.RowsPosted, b.RowsSetAside, b.Report,
      (SELECT json_group_array(Name) FROM (SELECT f.Name FROM source_file f WHERE f.BatchId = b.BatchId ORDER BY f.FileId)) AS files,
      CASE
        WHEN b.State = 'undone' THEN 0
        WHEN b.FormatId = ${CONTRACT_COMMITMENT} THEN EXISTS (SELECT 1 FROM contract_commitment_current c WHERE c.BatchId = b.BatchId)
        WHEN b.Kind = 'telemetry' THEN EXISTS (SELECT 1 FROM gpu_trace t WHERE t.BatchId = b.BatchId) OR EXISTS (SELECT 1 FROM gpu_job_current j WHERE j.BatchId = b.BatchId)
        ELSE EXISTS (
          SELECT 1
          FROM delivery d
          JOIN delivery_group g ON g.GroupId = d.GroupId
          JOIN delivery_day e ON e.DeliveryId = d.DeliveryId
          JOIN day_owner o ON o.GroupId = d.GroupId AND o.Generation = g.CurrentGeneration AND o.AccountKey = e.AccountKey AND o.Day = e.Day
          WHERE d.BatchId = b.BatchId AND o.DeliveryId = d.DeliveryId
        )
      END AS isShown,
      NOT EXISTS (SELECT 1 FROM delivery d WHERE d.BatchId = b.BatchId AND d.CellsKept = 0) AS cellsKept
    FROM batch b
    WHERE b.State <> 'staging'
    ORDER BY b.BatchId DESC`);
  return rows.map((row) => {
    const { periods = [], totals = {}, corrections = {} } = JSON.parse(row.Report) as Partial<FileReport>;
    return {
      batch: row.BatchId,
      kind: row.Kind,
      state: row.State,
      importedAt: row.ImportedAt,
      format: row.FormatId,
      version: row.FormatVersion,
      files: JSON.parse(row.files) as string[],
      periods,
      rowsPosted: row.RowsPosted,
      rowsSetAside: row.RowsSetAside,
      totals,
      corrections,
      isShown: row.isShown === 1,
      cellsKept: row.cellsKept === 1,
    };
  });
}
