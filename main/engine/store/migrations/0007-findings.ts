/** Findings from telemetry and stop rules. */
export const findings = {
  version: 7,
  name: "0007-findings",
  sql: /* sql */ `
-- Counters of a device in an hour, each on its own and never averaged with another: GPU-Util, activity of the engine, of the SMs, of tensor pipes,
-- of memory. Only for devices that have more than GPU-Util; a counter without a row was not measured.
CREATE TABLE gpu_hour_counter (
  Day          INTEGER NOT NULL,
  Generation   INTEGER NOT NULL,
  HourStart    INTEGER NOT NULL,            -- hours since 1970-01-01T00:00Z
  DeviceId     INTEGER NOT NULL,
  Counter      TEXT NOT NULL,               -- names of store/traces.ts
  KnownSeconds REAL NOT NULL,
  Mean         REAL NOT NULL,               -- ratio over KnownSeconds
  IsActivity   INTEGER NOT NULL,            -- 1: the hour's states in gpu_hour go by this one
  PRIMARY KEY (Day, Generation, HourStart, DeviceId, Counter)
) STRICT, WITHOUT ROWID;
`,
} as const;
