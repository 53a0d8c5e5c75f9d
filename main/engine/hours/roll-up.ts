import { prepared, type Db } from "../store/sql.ts";

/** What the hours of each day cost by series, for the questions about whole months: `gpu_cost_day` of a generation, from its `gpu_hour_cost`. */
export function addUpDays(db: Db, days: readonly number[], generation: number, control: { isCancelled(): boolean; standAside(): void }): void {
  const add = prepared(db, ADD_UP_DAY);
  for (const day of days) {
    if (control.isCancelled()) return;
    db.transaction(() => add.run(day, generation))();
    control.standAside();
  }
}

const ADD_UP_DAY = `INSERT INTO gpu_cost_day
SELECT
  Day, Generation, SeriesId, count(*), sum(GpuHours), sum(KnownGpuHours), sum(UsefulGpuHours), sum(IdleGpuHours), sum(MemoryKnownGpuHours), sum(MemoryUsedGpuHours),
  sum(CASE WHEN EffectiveCostNanos IS NULL THEN 0.0 ELSE GpuHours END), sum(CASE WHEN EffectiveCostNanos IS NULL THEN 0.0 ELSE UsefulGpuHours END),
  sum(EffectiveCostNanos), sum(EffectiveCostRest),
  sum(ProductiveCostNanos), sum(ProductiveCostRest),
  sum(BusyInefficientCostNanos), sum(BusyInefficientCostRest),
  sum(HeldIdleCostNanos), sum(HeldIdleCostRest),
  sum(DeadIdleCostNanos), sum(DeadIdleCostRest),
  sum(IdleMemoryUnknownCostNanos), sum(IdleMemoryUnknownCostRest),
  sum(UnknownCostNanos), sum(UnknownCostRest)
FROM gpu_hour_cost
WHERE Day = ? AND Generation = ?
GROUP BY SeriesId`;
