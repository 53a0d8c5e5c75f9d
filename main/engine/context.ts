import { join, resolve } from "node:path";
import { randomUUID } from "node:crypto";
import { ledgerError, type LedgerError } from "../../shared/contract/errors.ts";
import type { LedgerEvent } from "../../shared/contract/events.ts";
import { defaultIdlePolicy, type IdlePolicy } from "../../shared/contract/report.ts";
import type { Words } from "../../shared/contract/words.ts";
import { err, ok, type Result } from "../../shared/result.ts";
import { Cancelled } from "./import/control.ts";
import { inlineJobs, threadJobs, type Jobs } from "./import/jobs.ts";
import type { Plan } from "./import/plan.ts";
import { convertedLedgers, type ConvertedLedger, type ConvertedLedgers } from "./rates/ledger.ts";
import { hasLeftovers } from "./import/sweep.ts";
import { faultFields, openLog, type EngineLog } from "./log.ts";
import { setReferenceOf } from "./reference/at.ts";
import type { Reference } from "./reference/catalog.ts";
import { loadReference } from "./reference/load.ts";
import { leaveCheckpointsToReader } from "./store/connection.ts";
import { openLedger, type OpenLedger } from "./store/open.ts";
import { query, readOne, type Db } from "./store/sql.ts";

export interface EngineOptions {
  /** The ledger to open at start; null to wait for `ledger.open`. */
  readonly ledgerPath: string | null;
  /** Log, window settings and the person's own copy of the sample company. */
  readonly userDataFolder: string;
  /** Holds `reference/`; beside it `dist/sample/`. */
  readonly resourcesFolder: string;
  /** Where long work runs: in the reader thread, or in process (terminal, tests). */
  readonly jobRunner?: "thread" | "inline";
  /** The reader thread's program; by default beside the running one. */
  readonly readerFile?: URL;
  readonly emit: (event: LedgerEvent) => void;
  readonly now?: () => Date;
  /** Under whose name changes are noted where none is given; by default the account that the program runs under. */
  readonly author?: string;
  /** The words of a language for exports: the engine itself speaks none. */
  readonly wordsOf?: (language: "en" | "zh-CN") => Promise<Words>;
}

/** What the handlers work with: the open ledger, if any, and what stands around it. */
export interface EngineContext {
  readonly options: EngineOptions;
  readonly log: EngineLog;
  now(): Date;
  emit(event: LedgerEvent): void;
  /** The open ledger, or the error that says why there is none. */
  open(): Result<Opened>;
  /** As `open`, and it may be written. */
  writable(): Result<Opened>;
  /** Opens another ledger in place of the one that is open; where that fails, it stays. */
  openAt(path: string, create: boolean): Promise<Result<Opened>>;
  close(): Promise<void>;
  reference(): Result<Reference>;
  /** Runs changes of the ledger one after another. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Work that goes on after an answer: waited for when the ledger is closed. */
  behindTheScenes(work: () => Promise<unknown>): void;
}

export interface Opened {
  readonly ledger: OpenLedger;
  readonly jobs: Jobs;
  /** Previews that wait to be posted or discarded. */
  readonly plans: Map<string, Plan>;
  /** The preview or posting that runs now. */
  reading: { readonly plan: string; isCancelled: boolean } | null;
  /** The same ledger with all money in one currency, for questions that ask so. */
  readonly converted: ConvertedLedgers;
  /** Set where `ledger` is one of those. */
  readonly convertedFrom: ConvertedLedger | null;
}

export function createContext(options: EngineOptions): EngineContext {
  const now = options.now ?? (() => new Date());
  const log = openLog(join(options.userDataFolder, "log"), now);
  let opened: Opened | null = null;
  let why: LedgerError = ledgerError("ledger.none-open", {});
  let reference: Result<Reference> | null = null;
  let changes: Promise<unknown> = Promise.resolve();

  const context: EngineContext = {
    options,
    log,
    now,
    emit: options.emit,
    open: () => (opened === null ? err(why) : ok(opened)),
    writable() {
      if (opened === null) return err(why);
      const trouble = opened.ledger.whyNotWritable();
      return trouble === null ? ok(opened) : err(trouble);
    },
    async openAt(path, create) {
      if (opened !== null && opened.ledger.path !== null && resolve(opened.ledger.path) === resolve(path)) return ok(opened);
      const result = openLedger(path, { create, now });
      if (!result.ok) {
        // The one that was open stays open.
        if (opened === null) why = result.error;
        return result;
      }
      await context.close();
      const ledger = result.value;
      const jobs = jobsFor(ledger, options);
      setReferenceOf(ledger.db, () => context.reference());
      opened = { ledger, jobs, plans: new Map(), reading: null, converted: convertedLedgers(ledger), convertedFrom: null };
      if (!ledger.isReadOnly && hasLeftovers(ledger.db)) context.behindTheScenes(() => jobs.run("sweep-at-open", null));
      log.write("ledger.opened", { readOnly: ledger.isReadOnly, revision: ledger.revision() });
      return ok(opened);
    },
    async close() {
      const closing = opened;
      opened = null;
      why = ledgerError("ledger.none-open", {});
      if (closing === null) return;
      // In process nobody waits for an answer meanwhile: what goes on behind the scenes is finished. The reader's is taken up at the next opening.
      if (options.jobRunner === "inline") await changes;
      await closing.jobs.close();
      await changes;
      await closing.converted.close();
      closing.ledger.close();
    },
    reference() {
      reference ??= loadReference(join(options.resourcesFolder, "reference"));
      return reference;
    },
    exclusive(work) {
      const result = changes.then(work);
      changes = result.catch(() => undefined);
      return result;
    },
    behindTheScenes(work) {
      void context.exclusive(work).catch((fault: unknown) => {
        if (fault instanceof Cancelled) return;
        log.write("work.fault", { reference: randomUUID().slice(0, 8), ...faultFields(fault) });
      });
    },
  };
  return context;
}

function jobsFor({ db, path }: OpenLedger, { jobRunner = "thread", resourcesFolder, readerFile }: EngineOptions): Jobs {
  if (jobRunner === "inline" || path === null) return inlineJobs({ db, resourcesFolder });
  leaveCheckpointsToReader(db);
  return threadJobs({ ledgerPath: path, resourcesFolder, readerFile: readerFile ?? new URL("./reader.js", import.meta.url) });
}

const remembered = new WeakMap<Pick<OpenLedger, "revision">, { revision: number; readonly answers: Map<string, unknown> }>();

/** An answer that is the same for as long as the ledger's revision is: worked out once for all who ask. */
export function rememberAnswer<T>(ledger: Pick<OpenLedger, "revision">, name: string, workOut: () => T): T {
  const revision = ledger.revision();
  let known = remembered.get(ledger);
  if (known?.revision !== revision) remembered.set(ledger, (known = { revision, answers: new Map() }));
  if (!known.answers.has(name)) known.answers.set(name, workOut());
  return known.answers.get(name) as T;
}

const POLICY_KEY = "idle-policy";

/** The idle policy that the person set, or ours. What is shown may still be under an older one: `day_generation.Policy`. */
export function idlePolicyOf(db: Db): IdlePolicy {
  const saved = readOne(db, query<{ value: string }>("value")`-- settings.idle-policy
    SELECT Value AS value FROM setting WHERE Key = ${POLICY_KEY}`);
  return saved === null ? defaultIdlePolicy : { ...defaultIdlePolicy, ...(JSON.parse(saved.value) as Partial<IdlePolicy>) };
}

/** Keeps the idle policy, inside the caller's transaction. */
export function saveIdlePolicy(db: Db, policy: IdlePolicy): void {
  db.prepare("INSERT INTO setting (Key, Value) VALUES (?, ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(POLICY_KEY, JSON.stringify(policy));
}
