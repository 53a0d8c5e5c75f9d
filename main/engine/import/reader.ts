// Entry of the reader thread: its own connection to the ledger, one job at a time (architecture.md section 3).
import { parentPort, workerData } from "node:worker_threads";
import { connectReader } from "../store/connection.ts";
import { Cancelled, type JobControl } from "./control.ts";
import { CANCELS, ENGINE_WANTS_TO_WRITE, type FromReader, type ReaderData, type ToReader } from "./jobs.ts";
import { runJob } from "./work.ts";

const { ledgerPath, resourcesFolder, flags: shared } = workerData as ReaderData;
const flags = new Int32Array(shared);
const db = connectReader(ledgerPath);
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (message: ToReader) => {
  last = last.then(() => work(message));
});

async function work({ id, kind, input, cancels }: ToReader): Promise<void> {
  const control: JobControl = {
    isCancelled: () => Atomics.load(flags, CANCELS) !== cancels,
    standAside() {
      while (Atomics.load(flags, ENGINE_WANTS_TO_WRITE) === 1) Atomics.wait(flags, ENGINE_WANTS_TO_WRITE, 1, 100);
    },
    progress: (done, total) => say({ id, progress: { kind: "work", done, total } }),
  };
  try {
    if (control.isCancelled()) throw new Cancelled();
    const output = await runJob(kind, { db, resourcesFolder, control, progress: (progress) => say({ id, progress }) }, input as never);
    say({ id, output });
  } catch (thrown) {
    // A transaction that was open when something was thrown: better-sqlite3 has rolled back its own; this is for all others.
    if (db.inTransaction) db.exec("ROLLBACK");
    say({ id, thrown: plain(thrown) });
  }
}

function say(message: FromReader): void {
  parentPort?.postMessage(message);
}

function plain(thrown: unknown): Extract<FromReader, { thrown: unknown }>["thrown"] {
  if (!(thrown instanceof Error)) return { isCancelled: false, name: "Error", message: String(thrown), code: null, stack: null };
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : null;
  return { isCancelled: thrown instanceof Cancelled, name: thrown.name, message: thrown.message, code, stack: thrown.stack ?? null };
}
