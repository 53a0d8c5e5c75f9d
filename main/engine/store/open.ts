import { randomUUID } from "node:crypto";
import { accessSync, closeSync, constants, copyFileSync, openSync, readFileSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { APPLICATION_ID, connect, connectToCopy, prepareConnection } from "./connection.ts";
import { takeWriterLock, type WriterLock } from "./lock.ts";
import { migrations as allMigrations } from "./migrations/index.ts";
import type { Db } from "./sql.ts";
import { storeTrouble } from "./trouble.ts";

/** A ledger that is open. */
export interface OpenLedger {
  readonly db: Db;
  /** Where it lies; null in memory. Never shown to the window. */
  readonly path: string | null;
  /** The file's name without its ending. */
  readonly name: string;
  readonly isReadOnly: boolean;
  /** Asked before each write: null when this engine may write, else why not. A ledger that another one wrote becomes ours when that one has closed. */
  whyNotWritable(): LedgerError | null;
  /** Grows with everything that can change an answer. */
  revision(): number;
  /** Counts the revision up and returns it; call it inside the transaction that changes something. */
  bump(): number;
  close(): void;
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** What SQL alone cannot say, after it, in the same transaction. */
  readonly fill?: (db: Db) => void;
}

export interface OpenOptions {
  /** Make the ledger when there is no such file (or an empty one, as a save dialog leaves it). */
  readonly create: boolean;
  /** Only look, even where writing would be possible. */
  readonly readOnly?: boolean;
  /** Bring a ledger of an older version up to date; without it such a ledger is refused. Default: yes. */
  readonly migrate?: boolean;
  readonly migrations?: readonly Migration[];
  readonly now?: () => Date;
}

/**
 * Opens a ledger for writing, or for reading where another engine writes it or its place is read-only.
 *
 * errors  ledger.not-found, ledger.not-a-ledger, ledger.damaged, ledger.newer (the file is left as it is), ledger.read-only and
 *         ledger.in-use (it must be migrated first, and cannot), ledger.disk-full
 */
export function openLedger(path: string, options: OpenOptions): Result<OpenLedger> {
  const file = basename(path);
  const opened: { lock: WriterLock | null; db: Db | null } = { lock: null, db: null };
  try {
    const result = open(path, options, opened);
    if (!result.ok) closeAll(opened);
    return result;
  } catch (error) {
    closeAll(opened);
    const trouble = storeTrouble(error, file);
    if (trouble === null) throw error;
    return err(trouble);
  }
}

/** A ledger of its own in memory, for tests and for trying things. */
export function openMemoryLedger({ now = () => new Date() }: { readonly now?: () => Date } = {}): OpenLedger {
  const db = connect(":memory:");
  migrateFrom(db, 0, allMigrations, now);
  prepareConnection(db, { role: "engine", isQueryOnly: false });
  return ledgerOver(db, { path: null, name: "memory", lock: null, why: null });
}

function open(path: string, options: OpenOptions, opened: { lock: WriterLock | null; db: Db | null }): Result<OpenLedger> {
  const { create, readOnly = false, migrate = true, migrations = allMigrations, now = () => new Date() } = options;
  const file = basename(path);
  const supported = migrations.at(-1)?.version ?? 0;

  const size = sizeOf(path);
  if (size === "folder") return err(ledgerError("ledger.not-a-ledger", { file }));
  if (size === null || size === 0) {
    if (size === null && !create) return err(ledgerError("ledger.not-found", { file }));
    if (size === 0 && !create) return err(ledgerError("ledger.not-a-ledger", { file }));
    if (readOnly || !isWritable(dirname(path))) return err(ledgerError("ledger.read-only", { file }));
  }

  // A place where SQLite may put no file beside the ledger: it is read from a copy in memory.
  const isPlaceWritable = isWritable(dirname(path)) && (size === null || isWritable(path));
  if (!isPlaceWritable) {
    const db = (opened.db = connectToCopy(readFileSync(path)));
    const version = versionOf(db);
    if (version === null) return err(ledgerError("ledger.not-a-ledger", { file }));
    if (version > supported) return err(ledgerError("ledger.newer", { file, version, supported }));
    if (version < supported) return err(ledgerError("ledger.read-only", { file }));
    prepareConnection(db, { role: "engine", isQueryOnly: true });
    return ok(ledgerOver(db, { path, name: ledgerName(path), lock: null, why: ledgerError("ledger.read-only", { file }) }));
  }

  if (size !== null && size > 0) {
    const trouble = headerTrouble(path, file, supported);
    if (trouble !== null) return err(trouble);
  }
  const lock = (opened.lock = readOnly ? null : takeWriterLock(path));
  const why = lock !== null ? null : ledgerError(readOnly ? "ledger.read-only" : "ledger.in-use", { file });
  if (size === null || size === 0) {
    if (why !== null) return err(why);
    createAt(path, migrations, now);
  }
  const db = (opened.db = connect(path));
  const version = versionOf(db);
  if (version === null) return err(ledgerError("ledger.not-a-ledger", { file }));
  if (version > supported) return err(ledgerError("ledger.newer", { file, version, supported }));
  if (version < supported) {
    if (why !== null) return err(why);
    if (!migrate) return err(ledgerError("ledger.read-only", { file }));
    copyBeforeMigrating(db, path, version);
    migrateFrom(db, version, migrations, now);
  }
  if (lock !== null) db.pragma("journal_mode = WAL");
  prepareConnection(db, { role: "engine", isQueryOnly: why !== null });
  return ok(ledgerOver(db, { path, name: ledgerName(path), lock, why }));
}

function ledgerOver(db: Db, start: { readonly path: string | null; readonly name: string; readonly lock: WriterLock | null; readonly why: LedgerError | null }): OpenLedger {
  const { path, name } = start;
  let { lock, why } = start;
  const readRevision = db.prepare<[], string>("SELECT Value FROM ledger_info WHERE Key = 'revision'").pluck();
  return {
    db,
    path,
    name,
    get isReadOnly() {
      return why !== null;
    },
    whyNotWritable() {
      if (why?.code !== "ledger.in-use" || path === null) return why;
      lock = takeWriterLock(path);
      if (lock !== null) {
        db.pragma("query_only = OFF");
        why = null;
      }
      return why;
    },
    revision: () => Number(readRevision.get()),
    bump() {
      db.prepare("UPDATE ledger_info SET Value = CAST(Value AS INTEGER) + 1 WHERE Key = 'revision'").run();
      return Number(readRevision.get());
    },
    close() {
      if (db.open) db.close();
      lock?.release();
      lock = null;
    },
  };
}

/** user_version of a ledger; null for a database that is not one. */
function versionOf(db: Db): number | null {
  const applicationId = Number(db.pragma("application_id", { simple: true }));
  // The first page is read whole only when something is asked of it.
  db.prepare("SELECT count(*) FROM sqlite_schema").get();
  return applicationId === APPLICATION_ID ? Number(db.pragma("user_version", { simple: true })) : null;
}

/** What the first hundred bytes say, before anything is opened: so that a ledger of a newer version, or another file, is left as it is. */
function headerTrouble(path: string, file: string, supported: number): LedgerError | null {
  const header = readHeader(path);
  if (header.length < 100 || header.subarray(0, 16).toString("latin1") !== "SQLite format 3\0") return ledgerError("ledger.not-a-ledger", { file });
  if (header.readUInt32BE(68) !== APPLICATION_ID) return ledgerError("ledger.not-a-ledger", { file });
  const version = header.readUInt32BE(60);
  return version > supported ? ledgerError("ledger.newer", { file, version, supported }) : null;
}

function readHeader(path: string): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(descriptor, header, 0, 100, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a new ledger under another name first: whoever is killed meanwhile leaves no half of one. */
function createAt(path: string, migrations: readonly Migration[], now: () => Date): void {
  const unfinished = `${path}-new`;
  rmSync(unfinished, { force: true });
  rmSync(`${unfinished}-journal`, { force: true });
  const db = connect(unfinished);
  try {
    migrateFrom(db, 0, migrations, now);
  } finally {
    db.close();
  }
  renameSync(unfinished, path);
}

function migrateFrom(db: Db, version: number, migrations: readonly Migration[], now: () => Date): void {
  for (const migration of migrations.filter((candidate) => candidate.version > version)) {
    db.transaction(() => {
      db.exec(migration.sql);
      migration.fill?.(db);
      if (migration.version === 1) {
        const insert = db.prepare("INSERT INTO ledger_info (Key, Value) VALUES (?, ?)");
        for (const [key, value] of [["id", randomUUID()], ["created-at", now().toISOString()], ["is-sample", "0"], ["revision", "1"]]) insert.run(key, value);
      }
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${migration.version}`);
    }).exclusive();
  }
}

/** The ledger as it was, kept beside it: `company.gpuledger.version-1`. */
function copyBeforeMigrating(db: Db, path: string, version: number): void {
  db.pragma("wal_checkpoint(TRUNCATE)");
  copyFileSync(path, `${path}.version-${version}`);
}

function closeAll({ lock, db }: { readonly lock: WriterLock | null; readonly db: Db | null }): void {
  db?.close();
  lock?.release();
}

function ledgerName(path: string): string {
  return basename(path).replace(/\.gpuledger$/, "");
}

function sizeOf(path: string): number | "folder" | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isDirectory() ? "folder" : found.size;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
