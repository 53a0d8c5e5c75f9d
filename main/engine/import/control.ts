import type { Db } from "../store/sql.ts";

/** How long work behind the scenes hears of a cancel, says how far it is, and lets the engine's own writes pass. */
export interface JobControl {
  isCancelled(): boolean;
  /** Called between two short transactions: waits while the engine wants to write. */
  standAside(): void;
  progress(done: number, total: number): void;
}

/** For work in process, where nobody waits. */
export const noControl: JobControl = { isCancelled: () => false, standAside: () => undefined, progress: () => undefined };

/** Thrown between two transactions when the person cancelled: a way out of deep work, caught by the job. */
export class Cancelled extends Error {}

/** Rows a transaction: under 20 ms on the slowest disk tried (architecture.md section 3). */
const ROWS_A_TRANSACTION = 2000;

/** Writes rows in short transactions, standing aside between two. */
export function writeInChunks<Row>(db: Db, control: JobControl, rows: readonly Row[], write: (row: Row) => void, size = ROWS_A_TRANSACTION): void {
  for (let start = 0; start < rows.length; start += size) {
    giveWay(control);
    db.transaction(() => {
      for (let index = start; index < Math.min(rows.length, start + size); index += 1) write(rows[index] as Row);
    }).immediate();
  }
}

/** Runs a statement that changes at most so many rows again and again, until it finds nothing more to do. */
export function repeatInChunks(control: JobControl, step: () => number): void {
  do giveWay(control);
  while (step() > 0);
}

/** Lets the engine's writes pass, and leaves when cancelled. */
export function giveWay(control: JobControl): void {
  if (control.isCancelled()) throw new Cancelled();
  control.standAside();
}

/** Between two pieces of work in the engine itself: whatever else waits there is answered first. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
