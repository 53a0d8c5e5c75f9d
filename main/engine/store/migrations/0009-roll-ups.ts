/** Roll-ups: what reports ask of whole months, added up once when the hours are worked out. */
export const rollUps = {
  version: 9,
  name: "0009-roll-ups",
  sql: /* sql */ `
-- gpu_hour_cost of a day and series, added up exactly: a year of a fleet is read in a twenty-fourth of its rows.
CREATE TABLE gpu_cost_day (
  Day                        INTEGER NOT NULL,
  Generation                 INTEGER NOT NULL,
  SeriesId                   INTEGER NOT NULL,
  HourCount                  INTEGER NOT NULL,
  GpuHours                   REAL NOT NULL,
  KnownGpuHours              REAL NOT NULL,
  UsefulGpuHours             REAL NOT NULL,
  IdleGpuHours               REAL NOT NULL,
  MemoryKnownGpuHours        REAL NOT NULL,
  MemoryUsedGpuHours         REAL NOT NULL,
  PricedGpuHours             REAL NOT NULL,
  PricedUsefulGpuHours       REAL NOT NULL,
  EffectiveCostNanos         INTEGER,
  EffectiveCostRest          INTEGER,
  ProductiveCostNanos        INTEGER,
  ProductiveCostRest         INTEGER,
  BusyInefficientCostNanos   INTEGER,
  BusyInefficientCostRest    INTEGER,
  HeldIdleCostNanos          INTEGER,
  HeldIdleCostRest           INTEGER,
  DeadIdleCostNanos          INTEGER,
  DeadIdleCostRest           INTEGER,
  IdleMemoryUnknownCostNanos INTEGER,
  IdleMemoryUnknownCostRest  INTEGER,
  UnknownCostNanos           INTEGER,
  UnknownCostRest            INTEGER,
  PRIMARY KEY (Day, Generation, SeriesId)
) STRICT, WITHOUT ROWID;
-- Hours worked out before.
INSERT INTO gpu_cost_day
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
GROUP BY Day, Generation, SeriesId;
`,
} as const;
