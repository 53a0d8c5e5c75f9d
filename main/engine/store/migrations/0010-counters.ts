/** Which counter hours worked out before went by, as far as it can be told. */
export const activityOfDays = `INSERT INTO gpu_activity_day
WITH engine_day AS (
  SELECT DISTINCT Day FROM gpu_trace INDEXED BY gpu_trace_by_day WHERE Metric = 'engine-active'
), by_engine AS (
  SELECT h.Day, h.Generation
  FROM gpu_hour AS h
  LEFT JOIN gpu_hour_counter AS c
    ON c.Day = h.Day AND c.Generation = h.Generation AND c.HourStart = h.HourStart AND c.DeviceId = h.DeviceId AND c.Counter = 'engine-active' AND c.IsActivity = 1
  WHERE h.KnownSeconds > 0 AND h.Day IN (SELECT Day FROM engine_day)
  GROUP BY h.Day, h.Generation
  HAVING count(*) = count(c.DeviceId)
), judged AS (
  SELECT
    d.Day, d.Generation, d.SeriesId, d.KnownGpuHours, d.UsefulGpuHours,
    CASE
      WHEN d.Day NOT IN (SELECT Day FROM engine_day) THEN 'utilization'
      WHEN EXISTS (SELECT 1 FROM by_engine AS e WHERE e.Day = d.Day AND e.Generation = d.Generation) THEN 'engine-active'
      ELSE 'unknown'
    END AS Counter
  FROM gpu_cost_day AS d
  WHERE d.KnownGpuHours > 0
)
SELECT Day, Generation, SeriesId, Counter, KnownGpuHours, CASE Counter WHEN 'unknown' THEN NULL ELSE UsefulGpuHours END
FROM judged`;

/** Counters: what each activity counter measured of the billed GPU-hours, by day and series, so that a utilization is held to one of them. */
export const counters = {
  version: 10,
  name: "0010-counters",
  sql: /* sql */ `
-- Billed GPU-hours of a day and series that a counter measured, and those times what it said. Counters mean different things and are never
-- added. 'unknown': worked out before the counters were kept apart, and by which of them cannot be told any more; then UsefulGpuHours is NULL.
CREATE TABLE gpu_activity_day (
  Day            INTEGER NOT NULL,
  Generation     INTEGER NOT NULL,
  SeriesId       INTEGER NOT NULL,
  Counter        TEXT NOT NULL CHECK (Counter IN ('utilization', 'engine-active', 'sm-active', 'tensor-active', 'dram-active', 'unknown')),
  KnownGpuHours  REAL NOT NULL,
  UsefulGpuHours REAL CHECK ((UsefulGpuHours IS NULL) = (Counter = 'unknown')),
  PRIMARY KEY (Day, Generation, SeriesId, Counter)
) STRICT, WITHOUT ROWID;
-- Hours worked out before. A day without any reading of the engine's counter went by GPU-Util; one on which every hour of every device went by
-- the engine's counter went by that. Of the others nobody knows which counter a series' hours went by: they are worked out anew when the
-- ledger is opened to be written to.
${activityOfDays};
`,
} as const;
