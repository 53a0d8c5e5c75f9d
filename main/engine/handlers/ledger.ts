import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { LedgerStatus } from "../../../shared/contract/methods.ts";
import { defaultIdlePolicy } from "../../../shared/contract/report.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { startOfDay } from "../../../shared/domain/period.ts";
import { idlePolicyOf, rememberAnswer, type EngineContext, type Opened } from "../context.ts";
import { makeFolder, writeWhole } from "../files.ts";
import { pointSampleTo } from "../sample-files.ts";
import type { OpenLedger } from "../store/open.ts";
import { query, readAll, readOne, type Db } from "../store/sql.ts";
import { storeTrouble } from "../store/trouble.ts";
import { isSampleLedger } from "./app.ts";
import { chosenCounter } from "../reports/gather.ts";
import { keepBeside } from "./sources.ts";
import type { HandlersOf } from "./index.ts";
import { workOutAnew } from "./match.ts";

export const ledgerHandlers: HandlersOf<"ledger.status" | "ledger.open" | "ledger.close" | "sample.open"> = {
  "ledger.status"(context) {
    const opened = context.open();
    // No ledger is a state of the window, not an error; one that cannot be opened is.
    if (!opened.ok) return opened.error.code === "ledger.none-open" ? ok(noLedger) : opened;
    return ok(statusOf(opened.value));
  },

  async "ledger.open"(context, { file, create }) {
    const path = file ?? rememberedLedger(context, create);
    if (path === null) return err(ledgerError("ledger.none-open", {}));
    const opened = await context.openAt(path, create);
    if (!opened.ok) return opened;
    if (context.options.jobRunner !== "inline") rememberLedger(context, path);
    resumePolicy(context, opened.value);
    keepBeside(context, opened.value);
    return ok(statusOf(opened.value));
  },

  async "ledger.close"(context) {
    await context.close();
    return ok(null);
  },

  async "sample.open"(context) {
    const copy = copySample(context);
    if (!copy.ok) return copy;
    const opened = await context.openAt(copy.value, false);
    return opened.ok ? ok(statusOf(opened.value)) : opened;
  },
};

const noLedger: LedgerStatus = {
  name: null,
  isSample: false,
  isReadOnly: false,
  revision: 0,
  isEmpty: true,
  months: [],
  currencies: [],
  completeUntil: null,
  lastImportAt: null,
  rowsSetAside: 0,
  idlePolicy: defaultIdlePolicy,
  hoursUnderOldPolicy: false,
  counter: null,
  hoursWithoutCounter: false,
};

interface BatchFacts {
  readonly posted: number;
  readonly lastImportAt: string | null;
  readonly rowsSetAside: number;
}

/** What is said of the open ledger as a whole. */
export function statusOf({ ledger }: Opened): LedgerStatus {
  return { ...rememberAnswer(ledger, "status", () => workOutStatus(ledger)), isReadOnly: ledger.isReadOnly };
}

function workOutStatus(ledger: OpenLedger): LedgerStatus {
  const { db } = ledger;
  const batches = readOne(db, query<BatchFacts>("posted", "lastImportAt", "rowsSetAside")`-- status.batches
    SELECT count(*) AS posted, max(ImportedAt) AS lastImportAt, coalesce(sum(RowsSetAside), 0) AS rowsSetAside
    FROM batch
    WHERE State = 'posted'`);
  const bills = new Set(
    readAll(db, query<{ Month: string }>("Month")`-- status.months-of-bills
      SELECT DISTINCT g.Month
      FROM delivery_group g
      WHERE EXISTS (SELECT 1 FROM charge_month m WHERE m.GroupId = g.GroupId AND m.Generation = g.CurrentGeneration)`).map(({ Month }) => Month),
  );
  const logs = new Set(
    readAll(db, query<{ Day: number }>("Day")`-- status.days-of-logs
      SELECT g.Day
      FROM day_generation g
      WHERE EXISTS (SELECT 1 FROM gpu_hour h WHERE h.Day = g.Day AND h.Generation = g.Generation)`).map(({ Day }) => startOfDay(Day).slice(0, 7)),
  );
  const months = [...new Set([...bills, ...logs])].sort().reverse();
  const lastBillMonth = [...bills].sort().at(-1) ?? null;
  const idlePolicy = idlePolicyOf(db);
  return {
    name: ledger.name,
    isSample: isSampleLedger(db),
    isReadOnly: ledger.isReadOnly,
    revision: ledger.revision(),
    isEmpty: (batches?.posted ?? 0) === 0,
    months: months.map((label) => ({ label, hasBill: bills.has(label), hasTelemetry: logs.has(label) })),
    currencies: readAll(db, query<{ currency: string }>("currency")`-- status.currencies
      SELECT s.BillingCurrency AS currency
      FROM charge_month_current c
      JOIN series s ON s.SeriesId = c.SeriesId
      GROUP BY s.BillingCurrency
      ORDER BY sum(c.RowCount) DESC, s.BillingCurrency`).map(({ currency }) => currency),
    completeUntil: lastBillMonth === null ? null : completeUntil(db, lastBillMonth),
    lastImportAt: batches?.lastImportAt ?? null,
    rowsSetAside: batches?.rowsSetAside ?? 0,
    idlePolicy,
    hoursUnderOldPolicy: isUnderOldPolicy(db),
    counter: chosenCounter(db),
    hoursWithoutCounter: daysWithoutCounter(db).length > 0,
  };
}

/** The end of the last day that every provider with a bill of the month has delivered. */
function completeUntil(db: Db, month: string): string | null {
  const reached = readAll(db, query<{ lastDay: number }>("lastDay")`-- status.complete-until
    SELECT max(d.LastDay) AS lastDay
    FROM delivery_group g
    JOIN delivery d ON d.GroupId = g.GroupId
    JOIN batch b ON b.BatchId = d.BatchId AND b.State = 'posted'
    WHERE g.Month = ${month}
    GROUP BY g.ProviderName`);
  return reached.length === 0 ? null : startOfDay(Math.min(...reached.map(({ lastDay }) => lastDay + 1)));
}

/** Whether hours show that were worked out under another policy than the one set now. */
export function isUnderOldPolicy(db: Db): boolean {
  return readOne(db, query<{ found: number }>("found")`-- status.old-policy
    SELECT 1 AS found FROM day_generation WHERE Policy <> ${JSON.stringify(idlePolicyOf(db))} LIMIT 1`) !== null;
}

/** Days that show hours of which nobody knows the counter: worked out by a version that did not keep it. */
function daysWithoutCounter(db: Db): number[] {
  return readAll(db, query<{ day: number }>("day")`-- status.days-without-counter
    SELECT DISTINCT a.Day AS day
    FROM day_generation g
    CROSS JOIN gpu_activity_day a ON a.Day = g.Day AND a.Generation = g.Generation AND a.Counter = 'unknown'
    ORDER BY a.Day`).map(({ day }) => day);
}

/**
 * A policy that was changed, and the program ended before all hours were worked out anew: that goes on. Hours whose counter was not kept are
 * worked out anew as well.
 */
function resumePolicy(context: EngineContext, opened: Opened): void {
  if (opened.ledger.isReadOnly) return;
  if (isUnderOldPolicy(opened.ledger.db)) context.behindTheScenes(() => workOutAnew(context, opened, null));
  else {
    const days = daysWithoutCounter(opened.ledger.db);
    if (days.length > 0) context.behindTheScenes(() => workOutAnew(context, opened, days));
  }
}

/** The ledger that was open last; or, to make one, the person's own beside the settings. */
function rememberedLedger(context: EngineContext, create: boolean): string | null {
  const own = join(context.options.userDataFolder, "ledger.gpuledger");
  try {
    const remembered: unknown = JSON.parse(readFileSync(memoryFile(context), "utf8"));
    const { path } = remembered as { readonly path?: unknown };
    if (typeof path === "string" && existsSync(path)) return path;
  } catch {
    // Nothing remembered yet.
  }
  if (create) makeFolder(context.options.userDataFolder);
  return create || existsSync(own) ? own : null;
}

function rememberLedger(context: EngineContext, path: string): void {
  try {
    makeFolder(context.options.userDataFolder);
    if (writeWhole(memoryFile(context), JSON.stringify({ path: resolve(path) })).ok) return;
  } catch {
    // The folder cannot be made: nothing is remembered either.
  }
  context.log.write("ledger.not-remembered");
}

function memoryFile({ options }: EngineContext): string {
  return join(options.userDataFolder, "last-ledger.json");
}

/**
 * The person's own copy of the sample company, with its files so that rows stay within reach; made anew when the built one is newer.
 * Changes in it are the person's to play with, and go with the next version.
 */
function copySample(context: EngineContext): Result<string> {
  const built = join(context.options.resourcesFolder, "..", "dist", "sample", "sample.gpuledger");
  const folder = join(context.options.userDataFolder, "sample");
  const copy = join(folder, "sample.gpuledger");
  if (!existsSync(built)) return err(ledgerError("ledger.not-found", { file: basename(built) }));
  const opened = context.open();
  if (opened.ok && opened.value.ledger.path === copy) return ok(copy);
  try {
    const { mtimeMs, size } = statSync(built);
    const stamp = `${mtimeMs} ${size}`;
    const stampFile = join(folder, "made-from");
    if (existsSync(copy) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return ok(copy);
    rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
    copyFileSync(built, copy);
    const files = join(built, "..", "files");
    if (existsSync(files)) cpSync(files, join(folder, "files"), { recursive: true });
    const pointed = pointSampleTo(copy, join(folder, "files"));
    if (!pointed.ok) return pointed;
    writeFileSync(stampFile, stamp);
    return ok(copy);
  } catch (fault) {
    const trouble = storeTrouble(fault, basename(copy));
    if (trouble === null) throw fault;
    return err(trouble);
  }
}
