/** The first ledger: batches and their files, deliveries, cells, telemetry, and where the two meet. */
export const firstLedger = {
  version: 1,
  name: "0001-first-ledger",
  sql: /* sql */ `
-- What this ledger is. Keys: id, name, created-at, is-sample, revision.
CREATE TABLE ledger_info (
  Key   TEXT PRIMARY KEY,
  Value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The person's rules: idle policy, fiscal year … Value is JSON.
CREATE TABLE setting (
  Key   TEXT PRIMARY KEY,
  Value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One import: a bill or a log, posted or undone as a whole. A staging batch is seen by nobody and swept at open.
CREATE TABLE batch (
  BatchId       INTEGER PRIMARY KEY,
  Kind          TEXT NOT NULL CHECK (Kind IN ('billing', 'telemetry')),
  State         TEXT NOT NULL CHECK (State IN ('staging', 'posted', 'undone')),
  PostedOrder   INTEGER,           -- place among all postings, kept when undone and redone; the newest shows
  ImportedAt    TEXT,
  FormatId      TEXT NOT NULL,
  FormatVersion TEXT,
  RowsRead      INTEGER NOT NULL,
  RowsPosted    INTEGER NOT NULL,
  RowsSetAside  INTEGER NOT NULL,
  Report        TEXT NOT NULL      -- JSON: totals, corrections, repairs, periods, devices, coverage as the terminal prints them
) STRICT;

-- Path stays inside the engine; the window knows Name alone.
CREATE TABLE source_file (
  FileId      INTEGER PRIMARY KEY,
  BatchId     INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
  Path        TEXT NOT NULL,
  Name        TEXT NOT NULL,
  Size        INTEGER NOT NULL,
  Sha256      TEXT NOT NULL,
  Compression TEXT,                -- gzip, or NULL
  Encoding    TEXT NOT NULL,       -- utf-8, utf-16le, utf-16be, gb18030
  Delimiter   TEXT NOT NULL,
  Layout      TEXT NOT NULL        -- JSON: header line, columns, options: what a second reading needs
) STRICT;
CREATE INDEX source_file_by_batch ON source_file (BatchId);
CREATE INDEX source_file_by_hash  ON source_file (Sha256);

-- Where in the file each series lies: for every block of about 4 MiB of text its first byte, line and record, and the series in it.
CREATE TABLE source_block (
  FileId      INTEGER NOT NULL REFERENCES source_file ON DELETE CASCADE,
  Block       INTEGER NOT NULL,
  FirstByte   INTEGER NOT NULL,    -- of the decompressed text
  FirstLine   INTEGER NOT NULL,
  FirstRecord INTEGER NOT NULL,
  SeriesIds   BLOB NOT NULL,       -- ascending SeriesId, uint32 little-endian
  PRIMARY KEY (FileId, Block)
) STRICT, WITHOUT ROWID;

-- Rows that could not be read, whole; 10,000 a file, then only counted.
CREATE TABLE set_aside (
  FileId     INTEGER NOT NULL REFERENCES source_file ON DELETE CASCADE,
  Line       INTEGER NOT NULL,
  ColumnName TEXT NOT NULL,
  Value      TEXT NOT NULL,
  Reason     TEXT NOT NULL,
  Raw        TEXT NOT NULL,
  PRIMARY KEY (FileId, Line)
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  AccountKey     INTEGER PRIMARY KEY,
  SubAccountId   TEXT,
  SubAccountName TEXT
) STRICT;
CREATE UNIQUE INDEX account_by_id ON account (SubAccountId) WHERE SubAccountId IS NOT NULL;

-- Every dimension of a charge, once. NullCosts says which costs its rows do not state, so that a cell is wholly known or wholly unknown.
CREATE TABLE series (
  SeriesId                   INTEGER PRIMARY KEY,
  SeriesHash                 BLOB NOT NULL UNIQUE,  -- 16 bytes over all columns below
  AccountKey                 INTEGER NOT NULL REFERENCES account,
  NullCosts                  INTEGER NOT NULL,      -- bits: 1 Billed, 2 Effective, 4 List, 8 Contracted, 16 ConsumedQuantity, 32 PricingQuantity
  ProviderName               TEXT,
  PublisherName              TEXT,
  InvoiceIssuerName          TEXT,
  BillingAccountId           TEXT,
  BillingAccountName         TEXT,
  SubAccountId               TEXT,
  SubAccountName             TEXT,
  InvoiceId                  TEXT,
  ServiceName                TEXT,
  ServiceCategory            TEXT,
  ChargeCategory             TEXT NOT NULL,
  ChargeClass                TEXT,
  ChargeFrequency            TEXT,
  ChargeDescription          TEXT,
  PricingCategory            TEXT,
  PricingUnit                TEXT,
  ConsumedUnit               TEXT,
  SkuId                      TEXT,
  SkuPriceId                 TEXT,
  SkuMeter                   TEXT,
  ResourceId                 TEXT,
  ResourceName               TEXT,
  ResourceType               TEXT,
  RegionId                   TEXT,
  RegionName                 TEXT,
  AvailabilityZone           TEXT,
  CommitmentDiscountId       TEXT,
  CommitmentDiscountName     TEXT,
  CommitmentDiscountCategory TEXT,
  CommitmentDiscountType     TEXT,
  CommitmentDiscountStatus   TEXT,
  CapacityReservationId      TEXT,
  CapacityReservationStatus  TEXT,
  BillingCurrency            TEXT NOT NULL,
  Tags                       TEXT,
  x_LineItemType             TEXT,
  x_PurchaseOption           TEXT,
  x_InstanceType             TEXT,
  x_GpuModel                 TEXT,
  x_AcceleratorId            TEXT,
  x_GpuCount                 REAL,
  x_GpuEvidence              TEXT,
  x_Team                     TEXT,
  x_Correction               TEXT,
  x_PeriodSeconds            INTEGER
) STRICT;
CREATE INDEX series_by_resource ON series (ResourceId) WHERE ResourceId IS NOT NULL;
CREATE INDEX series_by_gpu ON series (x_GpuModel) WHERE x_GpuModel IS NOT NULL;

-- All deliveries of one provider, dataset kind, billing account and billing period compete; CurrentGeneration is what shows.
CREATE TABLE delivery_group (
  GroupId            INTEGER PRIMARY KEY,
  ProviderName       TEXT,
  DatasetKind        TEXT NOT NULL,
  BillingAccountId   TEXT,
  BillingPeriodStart TEXT NOT NULL,
  BillingPeriodEnd   TEXT NOT NULL,
  Month              TEXT NOT NULL,                 -- of BillingPeriodStart, 2026-09
  CurrentGeneration  INTEGER NOT NULL               -- 0: nothing posted yet
) STRICT;
CREATE UNIQUE INDEX delivery_group_key
  ON delivery_group (ifnull(ProviderName, char(0)), DatasetKind, ifnull(BillingAccountId, char(0)), BillingPeriodStart, BillingPeriodEnd);
CREATE INDEX delivery_group_by_month ON delivery_group (Month);

-- What one batch says of one group, and which accounts and days it covers. delivery_account lists the accounts it has rows of, also
-- where it covers all.
CREATE TABLE delivery (
  DeliveryId        INTEGER PRIMARY KEY,
  BatchId           INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
  GroupId           INTEGER NOT NULL REFERENCES delivery_group,
  FirstDay          INTEGER NOT NULL,               -- days since 1970-01-01 UTC, inclusive
  LastDay           INTEGER NOT NULL,               -- inclusive
  CoversAllAccounts INTEGER NOT NULL,               -- 0: only those of delivery_account
  RowCount          INTEGER NOT NULL,
  Totals            TEXT NOT NULL,                  -- JSON: the file's exact sums by currency, finer than an atto included
  CellsKept         INTEGER NOT NULL                -- 0: older than the last three of its group; its totals remain
) STRICT;
CREATE INDEX delivery_by_group ON delivery (GroupId);
CREATE INDEX delivery_by_batch ON delivery (BatchId);

CREATE TABLE delivery_account (
  DeliveryId INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
  AccountKey INTEGER NOT NULL REFERENCES account,
  PRIMARY KEY (DeliveryId, AccountKey)
) STRICT, WITHOUT ROWID;

-- The accounts and days of which a delivery has cells, kept when the cells are gone.
CREATE TABLE delivery_day (
  DeliveryId INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
  AccountKey INTEGER NOT NULL REFERENCES account,
  Day        INTEGER NOT NULL,
  PRIMARY KEY (DeliveryId, AccountKey, Day)
) STRICT, WITHOUT ROWID;

-- For each generation of a group: whose cells an account and day show.
CREATE TABLE day_owner (
  GroupId    INTEGER NOT NULL REFERENCES delivery_group,
  Generation INTEGER NOT NULL,
  AccountKey INTEGER NOT NULL,
  Day        INTEGER NOT NULL,
  DeliveryId INTEGER NOT NULL,
  PRIMARY KEY (GroupId, Generation, AccountKey, Day)
) STRICT, WITHOUT ROWID;

-- The cells: a UTC day of ChargePeriodStart of a series. Money is nanos and, below them, attos; NULL where the source states none.
CREATE TABLE charge_day (
  DeliveryId          INTEGER NOT NULL,
  Day                 INTEGER NOT NULL,
  SeriesId            INTEGER NOT NULL,
  RowCount            INTEGER NOT NULL,
  BilledCostNanos     INTEGER,
  BilledCostRest      INTEGER,
  EffectiveCostNanos  INTEGER,
  EffectiveCostRest   INTEGER,
  ListCostNanos       INTEGER,
  ListCostRest        INTEGER,
  ContractedCostNanos INTEGER,
  ContractedCostRest  INTEGER,
  ConsumedQuantity    REAL,
  PricingQuantity     REAL,
  GpuHours            REAL,                         -- NULL where the charge buys no GPU time or the count is not known
  PRIMARY KEY (DeliveryId, Day, SeriesId)
) STRICT, WITHOUT ROWID;

-- The cells of a group that count, by month.
CREATE TABLE charge_month (
  GroupId             INTEGER NOT NULL,
  Generation          INTEGER NOT NULL,
  SeriesId            INTEGER NOT NULL,
  RowCount            INTEGER NOT NULL,
  BilledCostNanos     INTEGER,
  BilledCostRest      INTEGER,
  EffectiveCostNanos  INTEGER,
  EffectiveCostRest   INTEGER,
  ListCostNanos       INTEGER,
  ListCostRest        INTEGER,
  ContractedCostNanos INTEGER,
  ContractedCostRest  INTEGER,
  ConsumedQuantity    REAL,
  PricingQuantity     REAL,
  GpuHours            REAL,
  PRIMARY KEY (GroupId, Generation, SeriesId)
) STRICT, WITHOUT ROWID;

-- Hour by hour what a GPU series cost, one blob a UTC month of charge time. Layout: store/gpu-charge-hours.ts.
CREATE TABLE gpu_charge_hours (
  DeliveryId INTEGER NOT NULL,
  SeriesId   INTEGER NOT NULL,
  Month      TEXT NOT NULL,
  Hours      BLOB NOT NULL,
  PRIMARY KEY (DeliveryId, SeriesId, Month)
) STRICT;

CREATE TABLE device (
  DeviceId       INTEGER PRIMARY KEY,
  DeviceKey      TEXT NOT NULL UNIQUE,              -- uuid, else host + PCI bus id, else host + index (formats/telemetry.md 2.5)
  Host           TEXT NOT NULL,
  Uuid           TEXT,
  PciBusId       TEXT,
  DeviceIndex    INTEGER,
  Name           TEXT,
  AcceleratorId  TEXT,
  GpuModel       TEXT,
  MemoryTotalMiB REAL,
  Share          REAL NOT NULL                      -- 1, or the part of a card that a slice is
) STRICT;
CREATE INDEX device_by_host ON device (Host);

-- Every sample as segments (start, length, value) of one device, metric, UTC day and batch. A hole is unknown. Layout: store/traces.ts.
CREATE TABLE gpu_trace (
  DeviceId    INTEGER NOT NULL REFERENCES device,
  Metric      TEXT NOT NULL,                        -- names of store/traces.ts
  Day         INTEGER NOT NULL,
  BatchId     INTEGER NOT NULL,
  SampleCount INTEGER NOT NULL,
  Segments    BLOB NOT NULL,
  PRIMARY KEY (DeviceId, Metric, Day, BatchId)
) STRICT;
CREATE INDEX gpu_trace_by_day   ON gpu_trace (Day);
CREATE INDEX gpu_trace_by_batch ON gpu_trace (BatchId);

-- Which generation of gpu_hour, idle_episode and gpu_hour_cost shows for a day.
CREATE TABLE day_generation (
  Day        INTEGER PRIMARY KEY,
  Generation INTEGER NOT NULL,
  Policy     TEXT NOT NULL                          -- JSON of the idle policy it was worked out under
) STRICT;

-- One device, one hour. Seconds of the states add up to KnownSeconds.
CREATE TABLE gpu_hour (
  Day                      INTEGER NOT NULL,
  Generation               INTEGER NOT NULL,
  HourStart                INTEGER NOT NULL,        -- hours since 1970-01-01T00:00Z
  DeviceId                 INTEGER NOT NULL,
  KnownSeconds             REAL NOT NULL,           -- with a utilization value
  UtilizationMean          REAL,                    -- ratio over KnownSeconds
  UtilizationPeak          REAL,
  ActiveUtilizationSeconds REAL NOT NULL,           -- integral of utilization over active time
  ActiveSeconds            REAL NOT NULL,
  HeldIdleSeconds          REAL NOT NULL,
  DeadIdleSeconds          REAL NOT NULL,
  IdleMemoryUnknownSeconds REAL NOT NULL,
  MemoryKnownSeconds       REAL NOT NULL,
  MemoryShareMean          REAL,                    -- used / total
  MemoryShareP95           REAL,
  MemorySharePeak          REAL,
  PowerKnownSeconds        REAL NOT NULL,
  EnergyWattHours          REAL,
  PRIMARY KEY (Day, Generation, HourStart, DeviceId)
) STRICT, WITHOUT ROWID;

-- Idle time as it lay in a UTC day. Pieces of a device that adjoin at midnight (EndSecond = the next StartSecond) are one episode.
CREATE TABLE idle_episode (
  Day                 INTEGER NOT NULL,
  Generation          INTEGER NOT NULL,
  DeviceId            INTEGER NOT NULL,
  StartSecond         INTEGER NOT NULL,             -- Unix seconds
  EndSecond           INTEGER NOT NULL,
  IdleSeconds         REAL NOT NULL,
  HeldSeconds         REAL NOT NULL,
  DeadSeconds         REAL NOT NULL,
  UtilizationMean     REAL NOT NULL,
  MemoryShareMean     REAL,
  PowerMeanWatts      REAL,
  PRIMARY KEY (Day, Generation, DeviceId, StartSecond)
) STRICT, WITHOUT ROWID;

-- The person's word on which host is which billed resource, with validity.
CREATE TABLE host_map (
  HostMapId  INTEGER PRIMARY KEY,
  Host       TEXT NOT NULL,
  ResourceId TEXT NOT NULL,
  ValidFrom  TEXT,
  ValidTo    TEXT,
  EnteredAt  TEXT NOT NULL
) STRICT;

-- Where bill and telemetry meet: one GPU series, one hour. The six parts add up to EffectiveCost exactly.
CREATE TABLE gpu_hour_cost (
  Day                        INTEGER NOT NULL,
  Generation                 INTEGER NOT NULL,
  HourStart                  INTEGER NOT NULL,
  SeriesId                   INTEGER NOT NULL,
  GpuHours                   REAL NOT NULL,         -- billed
  KnownGpuHours              REAL NOT NULL,         -- of them with telemetry
  UsefulGpuHours             REAL NOT NULL,         -- known × utilization
  IdleGpuHours               REAL NOT NULL,
  MemoryKnownGpuHours        REAL NOT NULL,
  MemoryUsedGpuHours         REAL NOT NULL,         -- known × share of memory used
  EnergyWattHours            REAL,
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
  PRIMARY KEY (Day, Generation, HourStart, SeriesId)
) STRICT, WITHOUT ROWID;
`,
} as const;
