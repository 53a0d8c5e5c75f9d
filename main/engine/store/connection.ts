import Database from "better-sqlite3";
import type { Db } from "./sql.ts";
import { amountKeys, amountTables, seriesIn, viewsWithoutAmounts } from "./views/converted.ts";
import { viewStatements } from "./views/index.ts";

/** A ledger says in its header what it is: "GPUL". */
export const APPLICATION_ID = 0x4750554c;

/** Where an Electron older than the published addon runs the tests, this names the addon built for it (scripts/electron-runtime.sh). */
export function connectionOptions(): Database.Options {
  const nativeBinding = process.env["GPU_LEDGER_SQLITE_ADDON"];
  return nativeBinding === undefined || nativeBinding === "" ? {} : { nativeBinding };
}

/** Opens a file as it is, without a look at what is in it. */
export function connect(path: string): Db {
  return new Database(path, { ...connectionOptions(), timeout: 10_000 });
}

/** Opens a copy in memory: for a ledger in a place where SQLite can put no file beside it. */
export function connectToCopy(bytes: Buffer): Db {
  // A database in WAL mode wants its side files; in the copy the header says that it has none (bytes 18 and 19, SQLite file format 1.3).
  bytes[18] = 1;
  bytes[19] = 1;
  return new Database(bytes, connectionOptions());
}

/**
 * What every connection to a ledger is set to. The engine's own writes are few and final, so each is on the disk before it is
 * answered (FULL); the reader's staging rows may be lost with the power, since no view sees them (NORMAL).
 */
export function prepareConnection(db: Db, { role, isQueryOnly }: { readonly role: "engine" | "reader"; readonly isQueryOnly: boolean }): void {
  db.pragma("foreign_keys = ON");
  db.pragma(`synchronous = ${role === "engine" ? "FULL" : "NORMAL"}`);
  prepareReading(db);
  for (const statement of viewStatements) db.exec(statement);
  if (isQueryOnly) db.pragma("query_only = ON");
}

function prepareReading(db: Db): void {
  db.pragma("temp_store = MEMORY");
  db.pragma("cache_size = -32000");
  // SQLite's own `lower` knows the letters of English alone.
  db.function("lower_case", { deterministic: true }, (text: unknown) => (typeof text === "string" ? text.toLowerCase() : null));
}

/**
 * A second connection to a ledger, which only looks, and to which all money is in one currency: whatever is asked of `series` and of the views
 * with amounts is answered from temporary tables of the same names. They are empty until somebody fills them.
 */
export function connectConverted(billed: Db, currency: string): Db {
  const db = billed.memory ? connectToCopy(billed.serialize()) : new Database(billed.name, { ...connectionOptions(), timeout: 10_000, readonly: true });
  prepareReading(db);
  const columnsOf = (name: string): string[] => billed.prepare(`SELECT * FROM ${name}`).columns().map((column) => column.name);
  db.exec(seriesIn(currency, columnsOf("series")));
  for (const table of amountTables) {
    db.exec(`CREATE TEMP TABLE ${table} (${columnsOf(table).join(", ")})`);
    for (const key of amountKeys[table]) db.exec(`CREATE INDEX temp.${table}_by_${key} ON ${table} (${key})`);
  }
  for (const statement of viewsWithoutAmounts) db.exec(statement);
  return db;
}

/** Pages of the write-ahead log after which whoever wrote them moves them to the ledger: 16 MB. */
const CHECKPOINT_PAGES = 4000;

/**
 * The engine beside a reader moves no pages itself: after an import that would keep it from answering for seconds. The reader does, as it
 * writes and after each flip.
 */
export function leaveCheckpointsToReader(db: Db): void {
  db.pragma("wal_autocheckpoint = 0");
}

/** Moves what is in the write-ahead log to the ledger, as far as nobody reads older pages. */
export function checkpoint(db: Db): void {
  db.pragma("wal_checkpoint(PASSIVE)");
}

/** The reader thread's connection to a ledger that the engine has open for writing. */
export function connectReader(path: string): Db {
  const db = connect(path);
  prepareConnection(db, { role: "reader", isQueryOnly: false });
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return db;
}
