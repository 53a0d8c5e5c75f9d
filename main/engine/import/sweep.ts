/** Takes away what no view sees: staging rows of an import that was cancelled or killed, generations and cells that no longer show. */
import { sweepGenerations } from "../hours/work-out.ts";
import { prepared, query, readAll, type Db } from "../store/sql.ts";
import { noControl, repeatInChunks, type JobControl } from "./control.ts";
import { lacksLines, workOutLines } from "./lines.ts";
import { sweepGroup } from "./post.ts";

/** At open, before anything is asked: nothing is being imported then, so every staging batch is a leftover. */
export function sweepAtOpen(db: Db, control: JobControl = noControl): void {
  for (const { BatchId } of readAll(db, query<{ BatchId: number }>("BatchId")`-- sweep.staging-batches
    SELECT BatchId FROM batch WHERE State = 'staging'`)) deleteBatch(db, BatchId, control);
  sweepAfterFlip(db, control);
}

/** Whether there is anything to sweep. */
export function hasLeftovers(db: Db): boolean {
  const checks = [
    "SELECT 1 FROM batch WHERE State = 'staging' LIMIT 1",
    "SELECT 1 FROM delivery d WHERE CellsKept = 0 AND EXISTS (SELECT 1 FROM charge_day c WHERE c.DeliveryId = d.DeliveryId) LIMIT 1",
    "SELECT 1 FROM delivery_group g WHERE EXISTS (SELECT 1 FROM charge_month m WHERE m.GroupId = g.GroupId AND m.Generation < g.CurrentGeneration) LIMIT 1",
    "SELECT 1 FROM delivery_group g WHERE EXISTS (SELECT 1 FROM charge_month m WHERE m.GroupId = g.GroupId AND m.Generation > g.CurrentGeneration) LIMIT 1",
    // Below and above, each found by the key: "another than" would read every row of the day.
    ...["gpu_hour", "gpu_hour_cost"].flatMap((table) =>
      ["<", ">"].map((side) => `SELECT 1 FROM day_generation g WHERE EXISTS (SELECT 1 FROM ${table} h WHERE h.Day = g.Day AND h.Generation ${side} g.Generation) LIMIT 1`)),
  ];
  return lacksLines(db) || checks.some((check) => prepared(db, check).get() !== undefined);
}

/** Deletes a batch that was never posted, with everything it staged. */
export function deleteBatch(db: Db, batchId: number, control: JobControl): void {
  // Marked first: if this is interrupted, the next opening goes on.
  for (const { DeliveryId } of readAll(db, query<{ DeliveryId: number }>("DeliveryId")`-- sweep.deliveries-of-batch
    SELECT DeliveryId FROM delivery WHERE BatchId = ${batchId}`)) deleteCells(db, DeliveryId, control);
  const traces = prepared(db, "DELETE FROM gpu_trace WHERE BatchId = ? LIMIT 500");
  repeatInChunks(control, () => traces.run(batchId).changes);
  const jobs = prepared(db, "DELETE FROM gpu_job WHERE (FileId, Line) IN (SELECT FileId, Line FROM gpu_job WHERE BatchId = ? LIMIT 2000)");
  repeatInChunks(control, () => jobs.run(batchId).changes);
  control.standAside();
  db.transaction(() => prepared(db, "DELETE FROM batch WHERE BatchId = ? AND State = 'staging'").run(batchId)).immediate();
}

/** Deletes generations of groups, hours and days that do not show any more, and cells of deliveries that keep only their totals. Then what shows gets the lines that it lacks. */
export function sweepAfterFlip(db: Db, control: JobControl): void {
  for (const { GroupId, CurrentGeneration } of readAll(db, query<{ GroupId: number; CurrentGeneration: number }>("GroupId", "CurrentGeneration")`-- sweep.groups
    SELECT GroupId, CurrentGeneration FROM delivery_group`)) sweepGroup(db, GroupId, CurrentGeneration, control);
  const kept = new Set(
    readAll(db, query<{ DeliveryId: number }>("DeliveryId")`-- sweep.deliveries-with-cells
      SELECT DeliveryId FROM delivery WHERE CellsKept = 1`).map(({ DeliveryId }) => DeliveryId),
  );
  for (const table of ["charge_day", "gpu_charge_hours"] as const) {
    for (const deliveryId of distinctDeliveries(db, table)) if (!kept.has(deliveryId)) deleteCells(db, deliveryId, control);
  }
  repeatInChunks(control, () => sweepGenerations(db, 5));
  workOutLines(db, control);
}

function deleteCells(db: Db, deliveryId: number, control: JobControl): void {
  for (const [table, key] of [["charge_day", "DeliveryId, Day, SeriesId"], ["gpu_charge_hours", "DeliveryId, SeriesId, Month"]] as const) {
    const step = prepared(db, `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE DeliveryId = ? LIMIT 2000)`);
    repeatInChunks(control, () => step.run(deliveryId).changes);
  }
}

/** The deliveries that have rows in a table, by jumping from one to the next along its key. */
function distinctDeliveries(db: Db, table: "charge_day" | "gpu_charge_hours"): number[] {
  const next = prepared(db, `SELECT min(DeliveryId) FROM ${table} WHERE DeliveryId > ?`).pluck();
  const found: number[] = [];
  for (let delivery = next.get(0) as number | null; delivery !== null; delivery = next.get(delivery) as number | null) found.push(delivery);
  return found;
}
