import Database from "better-sqlite3";
import { connectionOptions } from "./connection.ts";

/** Holds the right to write a ledger until released. The system frees it when the process dies. */
export interface WriterLock {
  release(): void;
}

/**
 * Takes the right to write: an exclusive SQLite transaction on `LEDGER-lock` beside the ledger.
 * null when another window or terminal has it. Throws what the file system says when the lock file cannot be made.
 */
export function takeWriterLock(ledgerPath: string): WriterLock | null {
  const lock = new Database(`${ledgerPath}-lock`, { ...connectionOptions(), timeout: 0 });
  try {
    // Nothing is ever written to it, so it needs no journal file beside it.
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
  return { release: () => lock.close() };
}
