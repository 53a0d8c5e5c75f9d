/** What hours worked out before say of energy. */
export const energyOfHours = `INSERT INTO gpu_energy_day
SELECT
  Day, Generation, SeriesId, sum(GpuHours), 0.0, 0,
  sum(CASE WHEN EnergyWattHours IS NULL THEN 0.0 ELSE KnownGpuHours END), sum(CAST(round(ifnull(EnergyWattHours, 0.0) * 1000) AS INTEGER)), 0, 0, 0,
  sum(CASE WHEN EnergyWattHours IS NULL THEN KnownGpuHours ELSE 0.0 END), sum(CASE WHEN EnergyWattHours IS NULL THEN UsefulGpuHours ELSE 0.0 END),
  0.0, 0.0, 0.0, 0.0, 0.0, 0.0
FROM gpu_hour_cost
GROUP BY Day, Generation, SeriesId`;

/** Carbon: factors a person imported, providers' own reports, issued ESG packs. */
export const carbon = {
  version: 3,
  name: "0003-carbon",
  sql: /* sql */ `
-- What a GPU series drew in a UTC day. Energy is whole milliwatt-hours, split among the charges of a resource as its cost is, so that parts
-- add up exactly. Counter and Power are measured; Model is time with a utilization alone, times which watts are put when it is asked for; what
-- GpuHours has beyond the three is without telemetry. Measured energy while idle is part of the measured energy.
CREATE TABLE gpu_energy_day (
  Day                                  INTEGER NOT NULL,
  Generation                           INTEGER NOT NULL,
  SeriesId                             INTEGER NOT NULL,
  GpuHours                             REAL NOT NULL,    -- billed
  CounterGpuHours                      REAL NOT NULL,
  CounterMilliwattHours                INTEGER NOT NULL,
  PowerGpuHours                        REAL NOT NULL,
  PowerMilliwattHours                  INTEGER NOT NULL,
  HeldIdleMilliwattHours               INTEGER NOT NULL,
  DeadIdleMilliwattHours               INTEGER NOT NULL,
  IdleMemoryUnknownMilliwattHours      INTEGER NOT NULL,
  ModelGpuHours                        REAL NOT NULL,
  ModelUsefulGpuHours                  REAL NOT NULL,    -- × utilization
  ModelHeldGpuHours                    REAL NOT NULL,
  ModelHeldUsefulGpuHours              REAL NOT NULL,
  ModelDeadGpuHours                    REAL NOT NULL,
  ModelDeadUsefulGpuHours              REAL NOT NULL,
  ModelIdleMemoryUnknownGpuHours       REAL NOT NULL,
  ModelIdleMemoryUnknownUsefulGpuHours REAL NOT NULL,
  PRIMARY KEY (Day, Generation, SeriesId)
) STRICT, WITHOUT ROWID;
-- Days worked out before: their energy is that of the power samples, and the time known without any is left to the model. What was drawn
-- while idle comes with the next working out.
${energyOfHours};

-- Factors that the person brought: residual mixes, contracts, their own PUE, watts or meters. Values are exact decimal text in the unit of
-- the kind, as converted from what the file states (StatedValue, StatedUnit). Months are inclusive; NULL is open.
CREATE TABLE carbon_factor (
  FactorId    INTEGER PRIMARY KEY,
  Kind        TEXT NOT NULL,
  Provider    TEXT,
  Region      TEXT,
  Subject     TEXT,                                 -- grid zone, accelerator or machine type; NULL: any
  FromMonth   TEXT,
  ToMonth     TEXT,
  Value       TEXT NOT NULL,
  Low         TEXT,
  High        TEXT,
  Share       TEXT,                                 -- of a contract: part of the energy that it covers
  StatedValue TEXT NOT NULL,
  StatedUnit  TEXT NOT NULL,
  Method      TEXT,
  Boundary    TEXT,
  Gases       TEXT,
  Source      TEXT NOT NULL,
  Licence     TEXT,
  Retrieved   TEXT,
  ImportedAt  TEXT NOT NULL,
  FileName    TEXT NOT NULL,
  Line        INTEGER NOT NULL
) STRICT;


-- Providers' own emissions reports and issued ESG packs

-- One file of a provider's own figures. An import of its own kind: no row of it is a charge.
CREATE TABLE emissions_report (
  ReportId     INTEGER PRIMARY KEY,
  FormatId     TEXT NOT NULL,
  ProviderId   TEXT NOT NULL,                       -- aws, gcp, azure
  FileName     TEXT NOT NULL,
  Sha256       TEXT NOT NULL,
  ImportedAt   TEXT NOT NULL,
  ImportedBy   TEXT NOT NULL,
  State        TEXT NOT NULL CHECK (State IN ('posted', 'undone')),
  RowsRead     INTEGER NOT NULL,
  RowsPosted   INTEGER NOT NULL,
  RowsOutdated INTEGER NOT NULL,                    -- of an older model version of a month that the file states again
  RowsSetAside INTEGER NOT NULL
) STRICT;

-- The months and payers a report speaks for: of each the newest report, not undone, shows whole.
CREATE TABLE emissions_cover (
  ReportId INTEGER NOT NULL REFERENCES emissions_report ON DELETE CASCADE,
  Month    TEXT NOT NULL,
  PayerId  TEXT                                     -- NULL: the report names none
) STRICT;
CREATE INDEX emissions_cover_by_month ON emissions_cover (Month, ReportId);

-- Its figures by month, account, service, region and model version; micrograms of CO2e, NULL where the report states none.
CREATE TABLE emissions_line (
  ReportId                 INTEGER NOT NULL REFERENCES emissions_report ON DELETE CASCADE,
  LineNumber               INTEGER NOT NULL,
  Month                    TEXT NOT NULL,
  PayerId                  TEXT,
  AccountId                TEXT,
  ServiceName              TEXT,
  RegionId                 TEXT,
  ModelVersion             TEXT,
  RefreshedAt              TEXT,
  FirstFileLine            INTEGER NOT NULL,
  RowCount                 INTEGER NOT NULL,
  LocationMicrograms       INTEGER,
  MarketMicrograms         INTEGER,
  Scope1Micrograms         INTEGER,
  Scope2LocationMicrograms INTEGER,
  Scope2MarketMicrograms   INTEGER,
  Scope3Micrograms         INTEGER,
  PRIMARY KEY (ReportId, LineNumber)
) STRICT, WITHOUT ROWID;

CREATE TABLE emissions_set_aside (
  ReportId   INTEGER NOT NULL REFERENCES emissions_report ON DELETE CASCADE,
  Line       INTEGER NOT NULL,
  ColumnName TEXT NOT NULL,
  Value      TEXT NOT NULL,
  Reason     TEXT NOT NULL,
  PRIMARY KEY (ReportId, Line)
) STRICT, WITHOUT ROWID;

-- Every ESG pack as it was issued, so that the next one can say what changed.
CREATE TABLE esg_pack (
  PackId   INTEGER PRIMARY KEY,
  IssuedAt TEXT NOT NULL,
  IssuedBy TEXT NOT NULL,
  Period   TEXT NOT NULL,
  Boundary TEXT NOT NULL,                           -- JSON: the scope it was narrowed to
  Language TEXT NOT NULL,
  Revision INTEGER NOT NULL,
  Sha256   TEXT NOT NULL,                           -- of all figures, shared by the files of the pack
  Figures  TEXT NOT NULL                            -- JSON: exact totals, by team, region, provider, and the factors used
) STRICT;
CREATE INDEX esg_pack_by_period ON esg_pack (Period, PackId);
`,
} as const;
