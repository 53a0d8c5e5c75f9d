/**
 * Where long work runs: in the reader, a worker thread with its own connection, so that the engine answers questions meanwhile; or in
 * process, for the terminal and tests. One job at a time, in the order asked.
 */
import { Worker } from "node:worker_threads";
import type { Db } from "../store/sql.ts";
import { Cancelled, type JobControl } from "./control.ts";
import { runJob, type JobInput, type JobKind, type JobOutput, type JobProgress } from "./work.ts";

export interface Jobs {
  /** Runs a job. Rejects with `Cancelled`, with what the store threw (it keeps its `code`), or with a fault. */
  run<K extends JobKind>(kind: K, input: JobInput<K>, onProgress?: (progress: JobProgress) => void): Promise<JobOutput<K>>;
  /** Asks the running job to stop, and those that wait. */
  cancel(): void;
  /** The engine's own write: the reader stands aside until it is done. */
  write<T>(work: () => T): T;
  close(): Promise<void>;
}

/** Words of the shared memory between engine and reader. */
export const flagCount = 2;
export const ENGINE_WANTS_TO_WRITE = 0;
/** Counts up with each cancel; a job asked for before it is to stop. */
export const CANCELS = 1;

/** What goes to the reader thread and comes back. */
export interface ToReader {
  readonly id: number;
  readonly kind: JobKind;
  readonly input: unknown;
  readonly cancels: number;
}
export type FromReader =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly progress: JobProgress }
  | { readonly id: number; readonly thrown: { readonly isCancelled: boolean; readonly name: string; readonly message: string; readonly code: string | null; readonly stack: string | null } };
export interface ReaderData {
  readonly ledgerPath: string;
  readonly resourcesFolder: string;
  readonly flags: SharedArrayBuffer;
}

/** Jobs in process, on the engine's own connection. */
export function inlineJobs({ db, resourcesFolder }: { readonly db: Db; readonly resourcesFolder: string }): Jobs {
  let cancels = 0;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(kind, input, onProgress) {
      if (isClosed) return Promise.reject(new Cancelled());
      const askedAt = cancels;
      const control: JobControl = {
        isCancelled: () => cancels !== askedAt,
        standAside: () => undefined,
        progress: (done, total) => onProgress?.({ kind: "work", done, total }),
      };
      const running = last.then(() => {
        if (control.isCancelled()) throw new Cancelled();
        // As on the reader's own connection: what a job stages need not wait for the disk, the flip after it does.
        db.pragma("synchronous = NORMAL");
        return runJob(kind, { db, resourcesFolder, control, progress: (progress) => onProgress?.(progress) }, input).finally(() => db.pragma("synchronous = FULL"));
      });
      last = running.catch(() => undefined);
      return running;
    },
    cancel() {
      cancels += 1;
    },
    write: (work) => work(),
    async close() {
      isClosed = true;
      cancels += 1;
      await last;
    },
  };
}

/** Jobs in the reader thread. A thread that died is started anew for the next job. */
export function threadJobs({ ledgerPath, resourcesFolder, readerFile }: { readonly ledgerPath: string; readonly resourcesFolder: string; readonly readerFile: URL }): Jobs {
  const flags = new Int32Array(new SharedArrayBuffer(flagCount * Int32Array.BYTES_PER_ELEMENT));
  const waiting = new Map<number, { resolve(output: never): void; reject(reason: unknown): void; onProgress: ((progress: JobProgress) => void) | undefined }>();
  let worker: Worker | null = null;
  let lastId = 0;
  let isClosed = false;

  function reader(): Worker {
    if (worker !== null) return worker;
    const data: ReaderData = { ledgerPath, resourcesFolder, flags: flags.buffer };
    const started = new Worker(readerFile, { workerData: data, name: "reader" });
    started.on("message", hear);
    started.on("error", (fault) => died(started, fault));
    started.on("exit", () => died(started, new Error("the reader thread ended")));
    started.unref();
    return (worker = started);
  }

  function hear(message: FromReader): void {
    const asked = waiting.get(message.id);
    if (asked === undefined) return;
    if ("progress" in message) {
      asked.onProgress?.(message.progress);
      return;
    }
    waiting.delete(message.id);
    if (waiting.size === 0) worker?.unref();
    if ("output" in message) asked.resolve(message.output as never);
    else asked.reject(message.thrown.isCancelled ? new Cancelled() : thrownAgain(message.thrown));
  }

  function died(thread: Worker, fault: unknown): void {
    if (worker !== thread) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(fault);
    waiting.clear();
  }

  return {
    run(kind, input, onProgress) {
      if (isClosed) return Promise.reject(new Cancelled());
      return new Promise((resolve, reject) => {
        const id = (lastId += 1);
        waiting.set(id, { resolve, reject, onProgress });
        const thread = reader();
        thread.ref();
        const message: ToReader = { id, kind, input, cancels: Atomics.load(flags, CANCELS) };
        thread.postMessage(message);
      });
    },
    cancel() {
      Atomics.add(flags, CANCELS, 1);
    },
    write(work) {
      Atomics.store(flags, ENGINE_WANTS_TO_WRITE, 1);
      try {
        return work();
      } finally {
        Atomics.store(flags, ENGINE_WANTS_TO_WRITE, 0);
        Atomics.notify(flags, ENGINE_WANTS_TO_WRITE);
      }
    },
    async close() {
      isClosed = true;
      Atomics.add(flags, CANCELS, 1);
      const ending = [...waiting.keys()].length > 0 ? settled(waiting) : Promise.resolve();
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 3000).unref())]);
      const thread = worker;
      worker = null;
      await thread?.terminate();
      for (const { reject } of waiting.values()) reject(new Cancelled());
      waiting.clear();
    },
  };
}

/** Resolves when nothing waits any more. */
async function settled(waiting: ReadonlyMap<number, unknown>): Promise<void> {
  while (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

function thrownAgain({ name, message, code, stack }: { readonly name: string; readonly message: string; readonly code: string | null; readonly stack: string | null }): Error {
  const fault = new Error(message);
  fault.name = name;
  if (stack !== null) fault.stack = stack;
  return code === null ? fault : Object.assign(fault, { code });
}
