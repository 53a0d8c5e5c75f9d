import { ok, type Result } from "../../../shared/result.ts";
import { openLedger } from "./open.ts";
import { query, readOne } from "./sql.ts";

export interface LedgerHealth {
  readonly sqliteVersion: string;
  readonly schemaVersion: number;
  readonly batches: number;
  /** Whether SQLite finds every page and index in order. */
  readonly isIntact: boolean;
}

/** Looks a ledger over without changing it: its schema, its imports, and SQLite's own check of every page and index. */
export function inspectLedger(path: string): Result<LedgerHealth> {
  const opened = openLedger(path, { create: false, readOnly: true, migrate: false });
  if (!opened.ok) return opened;
  const { db } = opened.value;
  try {
    const row = readOne(db, query<{ sqliteVersion: string; batches: number }>("sqliteVersion", "batches")`-- store.inspect
      SELECT sqlite_version() AS sqliteVersion, (SELECT count(*) FROM batch WHERE State <> 'staging') AS batches`);
    return ok({
      sqliteVersion: row?.sqliteVersion ?? "",
      schemaVersion: db.pragma("user_version", { simple: true }) as number,
      batches: row?.batches ?? 0,
      isIntact: db.pragma("integrity_check", { simple: true }) === "ok",
    });
  } finally {
    opened.value.close();
  }
}
