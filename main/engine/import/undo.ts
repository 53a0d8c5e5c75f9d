import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { idlePolicyOf, type EngineContext, type Opened } from "../context.ts";
import { query, readOne } from "../store/sql.ts";
import { commitFlip, type Flip } from "./post.ts";
import type { JobProgress } from "./work.ts";

/** Takes a posted batch back: what shows is as if it had never been. Errors: batch.not-found, batch.already-undone, batch.cells-gone. */
export function undoBatch(context: EngineContext, opened: Opened, batch: number): Promise<Result<{ readonly revision: number }>> {
  return toggle(context, opened, batch, "posted");
}

/** Lets an undone batch show again, in its old place among the others. Errors: batch.not-found, batch.not-undone, batch.cells-gone. */
export function redoBatch(context: EngineContext, opened: Opened, batch: number): Promise<Result<{ readonly revision: number }>> {
  return toggle(context, opened, batch, "undone");
}

async function toggle(context: EngineContext, opened: Opened, batch: number, from: "posted" | "undone"): Promise<Result<{ readonly revision: number }>> {
  const found = readOne(opened.ledger.db, query<{ State: string }>("State")`-- undo.state-of-batch
    SELECT State FROM batch WHERE BatchId = ${batch} AND State <> 'staging'`);
  if (found === null) return err(ledgerError("batch.not-found", { batch }));
  if (found.State !== from) return err(ledgerError(from === "posted" ? "batch.already-undone" : "batch.not-undone", { batch }));
  const flip: Flip = from === "posted" ? { withBatches: [], withoutBatches: [batch] } : { withBatches: [batch], withoutBatches: [] };
  return runFlip(context, opened, flip, (progress) => {
    if (progress.kind === "work") context.emit({ name: "work.progress", payload: { kind: "undo", done: progress.done, total: progress.total } });
  });
}

/** Prepares a flip where long work runs, then flips. */
export async function runFlip(context: EngineContext, { ledger, jobs }: Opened, flip: Flip, onProgress: (progress: JobProgress) => void): Promise<Result<{ readonly revision: number }>> {
  const startedAt = Date.now();
  const prepared = await jobs.run("prepare-flip", { flip, policy: idlePolicyOf(ledger.db) }, onProgress);
  if (!prepared.ok) return prepared;
  const revision = jobs.write(() => commitFlip(ledger, prepared.value, context.now().toISOString()));
  context.log.write("ledger.flipped", { posted: flip.withBatches.length, undone: flip.withoutBatches.length, revision, ms: Date.now() - startedAt });
  context.emit({ name: "ledger.changed", payload: { revision } });
  context.behindTheScenes(() => jobs.run("sweep-after-flip", null));
  return ok({ revision });
}
