CREATE TABLE account (
  AccountKey     INTEGER PRIMARY KEY,
  SubAccountId   TEXT,
  SubAccountName TEXT
) STRICT;

CREATE TABLE action (
  ActionId      INTEGER PRIMARY KEY,
  FindingKey    TEXT UNIQUE,                        -- of the finding it came from; NULL: the person's own
  Kind          TEXT NOT NULL,
  Subject       TEXT NOT NULL,
  Resource      TEXT,                               -- advice on the same one overlaps
  Team          TEXT,
  Owner         TEXT,
  DueOn         TEXT,
  State         TEXT NOT NULL CHECK (State IN ('open', 'agreed', 'done', 'rejected')),
  Currency      TEXT,
  ExpectedNanos INTEGER,                            -- a month
  ExpectedRest  INTEGER,
  RealisedNanos INTEGER,                            -- a month; NULL until measured
  RealisedRest  INTEGER,
  Note          TEXT,
  MadeAt        TEXT NOT NULL,
  DoneAt        TEXT
) STRICT;

CREATE TABLE allocation_rule (
  RuleId     INTEGER PRIMARY KEY,
  Place      INTEGER NOT NULL,
  Name       TEXT NOT NULL,
  Team       TEXT NOT NULL,
  Conditions TEXT NOT NULL,                         -- JSON, shared/domain/allocation.ts
  FromMonth  TEXT,                                  -- 2026-07, inclusive; NULL: from the first month on
  ToMonth    TEXT                                   -- inclusive; NULL: open
) STRICT;

CREATE TABLE anomaly_word (
  WordId    INTEGER PRIMARY KEY,
  ScopeKey  TEXT NOT NULL,
  Direction TEXT NOT NULL CHECK (Direction IN ('up', 'down')),
  FromDay   TEXT NOT NULL,
  UntilDay  TEXT NOT NULL,
  IsExpected INTEGER NOT NULL,
  Because   TEXT NOT NULL,
  Who       TEXT NOT NULL,
  At        TEXT NOT NULL
) STRICT;

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

CREATE TABLE budget (
  BudgetId   INTEGER PRIMARY KEY,
  ParentId   INTEGER REFERENCES budget,
  Name       TEXT NOT NULL,
  Level      TEXT NOT NULL CHECK (Level IN ('company', 'team', 'project')),
  Kind       TEXT NOT NULL CHECK (Kind IN ('money', 'gpu-hours', 'carbon')),
  Currency   TEXT,                                  -- of money; else NULL
  Basis      TEXT,                                  -- cost basis of money; else NULL
  Span       TEXT NOT NULL CHECK (Span IN ('month', 'quarter', 'fiscal-year')),
  Scope      TEXT NOT NULL,                         -- JSON, shared/domain/scope.ts
  Owner      TEXT,
  Thresholds TEXT NOT NULL                          -- JSON: id, type, percent as decimal text
) STRICT;

CREATE TABLE budget_alert (
  AlertId     INTEGER PRIMARY KEY,
  BudgetId    INTEGER NOT NULL REFERENCES budget ON DELETE CASCADE,
  Period      TEXT NOT NULL,                        -- label of the budget's period: 2026-09, 2026-Q3, FY2026
  ThresholdId TEXT NOT NULL,
  Round       INTEGER NOT NULL,
  RaisedAt    TEXT NOT NULL,
  DataUntil   TEXT NOT NULL,                        -- the day up to which the bills were known
  Value       TEXT NOT NULL,                        -- exact decimal: what crossed
  Amount      TEXT NOT NULL,                        -- exact decimal: the budget then
  RearmedAt   TEXT,
  Reason      TEXT,
  Action      TEXT,
  AnsweredBy  TEXT,
  AnsweredAt  TEXT,
  UNIQUE (BudgetId, Period, ThresholdId, Round)
) STRICT;

CREATE TABLE budget_month (
  BudgetId    INTEGER NOT NULL REFERENCES budget ON DELETE CASCADE,
  Month       TEXT NOT NULL,
  AmountNanos INTEGER,
  AmountRest  INTEGER,
  Quantity    TEXT,
  PRIMARY KEY (BudgetId, Month)
) STRICT, WITHOUT ROWID;

CREATE TABLE budget_move (
  MoveId       INTEGER PRIMARY KEY,
  At           TEXT NOT NULL,
  Who          TEXT NOT NULL,
  FromBudgetId INTEGER NOT NULL,
  ToBudgetId   INTEGER NOT NULL,
  Month        TEXT NOT NULL,
  Amount       TEXT NOT NULL,                       -- exact decimal
  Reason       TEXT NOT NULL
) STRICT;

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

CREATE TABLE change_log (
  ChangeId INTEGER PRIMARY KEY,
  At       TEXT NOT NULL,
  Who      TEXT NOT NULL,
  Area     TEXT NOT NULL,                           -- allocation, shared-costs, accounts, budget, alert, anomaly, action, month
  What     TEXT NOT NULL,                           -- added, changed, removed, moved, imported, answered, closed, reopened
  Subject  TEXT NOT NULL,
  Before   TEXT,
  After    TEXT
) STRICT;

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

CREATE TABLE charge_line (
  LineId                    INTEGER PRIMARY KEY,
  LineKey                   TEXT NOT NULL UNIQUE,    -- JSON list of the columns below, in their order
  BillingCurrency           TEXT NOT NULL,
  ProviderName              TEXT,
  ServiceName               TEXT,
  ChargeCategory            TEXT NOT NULL,
  CommitmentDiscountStatus  TEXT,
  CapacityReservationStatus TEXT,
  x_PurchaseOption          TEXT,
  x_GpuModel                TEXT,
  x_Team                    TEXT,
  x_IsLong                  INTEGER NOT NULL         -- 1: a charge for more than a day
) STRICT;

CREATE TABLE charge_line_day (
  GroupId             INTEGER NOT NULL,
  Generation          INTEGER NOT NULL,
  Day                 INTEGER NOT NULL,
  LineId              INTEGER NOT NULL REFERENCES charge_line,
  Facts               INTEGER NOT NULL,
  Part                INTEGER NOT NULL,
  RowCount            INTEGER NOT NULL,
  BilledCostNanos     INTEGER,
  BilledCostRest      INTEGER,
  EffectiveCostNanos  INTEGER,
  EffectiveCostRest   INTEGER,
  ListCostNanos       INTEGER,
  ListCostRest        INTEGER,
  ContractedCostNanos INTEGER,
  ContractedCostRest  INTEGER,
  GpuHours            REAL,
  PRIMARY KEY (GroupId, Generation, Day, LineId, Facts, Part)
) STRICT, WITHOUT ROWID;

CREATE TABLE charge_line_month (
  GroupId             INTEGER NOT NULL,
  Generation          INTEGER NOT NULL,
  LineId              INTEGER NOT NULL REFERENCES charge_line,
  Facts               INTEGER NOT NULL,
  Part                INTEGER NOT NULL,
  RowCount            INTEGER NOT NULL,
  BilledCostNanos     INTEGER,
  BilledCostRest      INTEGER,
  EffectiveCostNanos  INTEGER,
  EffectiveCostRest   INTEGER,
  ListCostNanos       INTEGER,
  ListCostRest        INTEGER,
  ContractedCostNanos INTEGER,
  ContractedCostRest  INTEGER,
  GpuHours            REAL,
  PRIMARY KEY (GroupId, Generation, LineId, Facts, Part)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE column_mapping (
  MappingId  INTEGER PRIMARY KEY,
  Name       TEXT NOT NULL UNIQUE,
  -- The names of the header it was made for, without case, punctuation and order, hashed.
  Header     TEXT NOT NULL UNIQUE,
  -- As JSON: the contract's mapping of a bill, or of a log.
  Mapping    TEXT NOT NULL,
  SavedAt    TEXT,
  LastUsedAt TEXT,
  LastFile   TEXT,
  LastBatch  INTEGER
) STRICT;

CREATE TABLE commitment_term (
  CommitmentDiscountId TEXT PRIMARY KEY,
  StartsOn             TEXT,
  EndsOn               TEXT,          -- the first day without it
  TermMonths           INTEGER,
  Payment              TEXT CHECK (Payment IN ('no-upfront', 'partial-upfront', 'all-upfront')),
  Gpus                 TEXT,          -- decimal
  IsConvertible        INTEGER,
  RenewalHourly        TEXT,          -- decimal, money a GPU-hour
  Note                 TEXT,
  EnteredAt            TEXT NOT NULL,
  EnteredBy            TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE contract_commitment (
  FileId                                     INTEGER NOT NULL REFERENCES source_file ON DELETE CASCADE,
  Line                                       INTEGER NOT NULL,
  BatchId                                    INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
  ContractCommitmentId                       TEXT NOT NULL,
  ContractId                                 TEXT,
  ServiceProviderName                        TEXT,
  InvoiceIssuerName                          TEXT,
  ContractCommitmentType                     TEXT,
  ContractCommitmentCategory                 TEXT,
  ContractCommitmentDescription              TEXT,
  ContractCommitmentCostNanos                INTEGER,
  ContractCommitmentCostRest                 INTEGER,
  BillingCurrency                            TEXT,
  ContractCommitmentQuantity                 TEXT,     -- decimal
  ContractCommitmentUnit                     TEXT,
  ContractCommitmentPeriodStart              TEXT,     -- instants in UTC, inclusive and exclusive
  ContractCommitmentPeriodEnd                TEXT,
  ContractPeriodStart                        TEXT,
  ContractPeriodEnd                          TEXT,
  ContractCommitmentLifecycleStatus          TEXT,     -- from here on since FOCUS 1.4
  ContractCommitmentModel                    TEXT,
  ContractCommitmentFulfillmentInterval      TEXT,
  ContractCommitmentPaymentModel             TEXT,
  ContractCommitmentPaymentInterval          TEXT,
  ContractCommitmentPaymentUpfrontPercentage TEXT,     -- decimal
  ContractCommitmentDiscountPercentage       TEXT,     -- decimal
  PRIMARY KEY (FileId, Line)
) STRICT, WITHOUT ROWID;

CREATE TABLE cost_explorer_page (
  RequestId INTEGER NOT NULL REFERENCES cost_explorer_request ON DELETE CASCADE,
  Page      INTEGER NOT NULL,
  Answer    TEXT NOT NULL,                          -- JSON as it came
  PRIMARY KEY (RequestId, Page)
) STRICT, WITHOUT ROWID;

CREATE TABLE cost_explorer_request (
  RequestId INTEGER PRIMARY KEY,
  Slot      TEXT NOT NULL,
  Call      TEXT NOT NULL,
  Profile   TEXT,                                   -- name of the AWS profile, NULL: the usual one. No key and no login is kept.
  Month     TEXT,                                   -- 2026-09; NULL: of no single month
  Question  TEXT NOT NULL,                          -- JSON as it was sent
  NextToken TEXT,                                   -- where to go on
  IsDone    INTEGER NOT NULL,
  IsFinal   INTEGER NOT NULL,                       -- 0: the answer may still change
  AskedAt   TEXT NOT NULL
) STRICT;

CREATE TABLE cost_explorer_sent (
  Day      TEXT PRIMARY KEY,
  Requests INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE day_generation (
  Day        INTEGER PRIMARY KEY,
  Generation INTEGER NOT NULL,
  Policy     TEXT NOT NULL                          -- JSON of the idle policy it was worked out under
) STRICT;

CREATE TABLE day_owner (
  GroupId    INTEGER NOT NULL REFERENCES delivery_group,
  Generation INTEGER NOT NULL,
  AccountKey INTEGER NOT NULL,
  Day        INTEGER NOT NULL,
  DeliveryId INTEGER NOT NULL,
  PRIMARY KEY (GroupId, Generation, AccountKey, Day)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE delivery_account (
  DeliveryId INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
  AccountKey INTEGER NOT NULL REFERENCES account,
  PRIMARY KEY (DeliveryId, AccountKey)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery_day (
  DeliveryId INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
  AccountKey INTEGER NOT NULL REFERENCES account,
  Day        INTEGER NOT NULL,
  PRIMARY KEY (DeliveryId, AccountKey, Day)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery_group (
  GroupId            INTEGER PRIMARY KEY,
  ProviderName       TEXT,
  DatasetKind        TEXT NOT NULL,
  BillingAccountId   TEXT,
  BillingPeriodStart TEXT NOT NULL,
  BillingPeriodEnd   TEXT NOT NULL,
  Month              TEXT NOT NULL,                 -- of BillingPeriodStart, 2026-09
  CurrentGeneration  INTEGER NOT NULL               -- 0: nothing posted yet
, ReportNumber TEXT NOT NULL DEFAULT '', LinesGeneration INTEGER NOT NULL DEFAULT 0) STRICT;

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

CREATE TABLE emissions_cover (
  ReportId INTEGER NOT NULL REFERENCES emissions_report ON DELETE CASCADE,
  Month    TEXT NOT NULL,
  PayerId  TEXT                                     -- NULL: the report names none
) STRICT;

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

CREATE TABLE emissions_set_aside (
  ReportId   INTEGER NOT NULL REFERENCES emissions_report ON DELETE CASCADE,
  Line       INTEGER NOT NULL,
  ColumnName TEXT NOT NULL,
  Value      TEXT NOT NULL,
  Reason     TEXT NOT NULL,
  PRIMARY KEY (ReportId, Line)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE exchange_rate (
  Base      TEXT NOT NULL,
  Quote     TEXT NOT NULL,
  Day       TEXT NOT NULL,
  Rate      TEXT NOT NULL,                          -- exact decimal
  Source    TEXT NOT NULL,                          -- name of the file, or of what the person took it from
  EnteredBy TEXT NOT NULL,
  EnteredAt TEXT NOT NULL,
  PRIMARY KEY (Base, Quote, Day)
) STRICT, WITHOUT ROWID;

CREATE TABLE forecast_snapshot (
  BudgetId  INTEGER NOT NULL REFERENCES budget ON DELETE CASCADE,
  Period    TEXT NOT NULL,
  DataUntil TEXT NOT NULL,
  MadeAt    TEXT NOT NULL,
  Method    TEXT NOT NULL,
  Forecast  TEXT NOT NULL,                          -- exact decimal
  HalfWidth TEXT,
  PRIMARY KEY (BudgetId, Period, DataUntil)
) STRICT, WITHOUT ROWID;

CREATE TABLE gpu_activity_day (
  Day            INTEGER NOT NULL,
  Generation     INTEGER NOT NULL,
  SeriesId       INTEGER NOT NULL,
  Counter        TEXT NOT NULL CHECK (Counter IN ('utilization', 'engine-active', 'sm-active', 'tensor-active', 'dram-active', 'unknown')),
  KnownGpuHours  REAL NOT NULL,
  UsefulGpuHours REAL CHECK ((UsefulGpuHours IS NULL) = (Counter = 'unknown')),
  PRIMARY KEY (Day, Generation, SeriesId, Counter)
) STRICT, WITHOUT ROWID;

CREATE TABLE gpu_charge_hours (
  DeliveryId INTEGER NOT NULL,
  SeriesId   INTEGER NOT NULL,
  Month      TEXT NOT NULL,
  Hours      BLOB NOT NULL,
  PRIMARY KEY (DeliveryId, SeriesId, Month)
) STRICT;

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

CREATE TABLE gpu_device_day (
  Day        INTEGER NOT NULL,
  Generation INTEGER NOT NULL,
  DeviceId   INTEGER NOT NULL,
  Hours      BLOB NOT NULL,
  PRIMARY KEY (Day, Generation, DeviceId)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE gpu_job (
  FileId         INTEGER NOT NULL REFERENCES source_file ON DELETE CASCADE,
  Line           INTEGER NOT NULL,                  -- of the file; in JSON the job's place in it, from 1
  BatchId        INTEGER NOT NULL REFERENCES batch ON DELETE CASCADE,
  Source         TEXT NOT NULL CHECK (Source IN ('slurm', 'kubernetes')),
  Cluster        TEXT NOT NULL,                     -- '' where the source names none
  JobId          TEXT NOT NULL,                     -- with its place in an array or a heterogeneous job; of Kubernetes the allocation's name
  Name           TEXT,
  User           TEXT,
  Account        TEXT,                              -- whose it is: Slurm account, team label or namespace
  Partition      TEXT,                              -- of Kubernetes the namespace
  State          TEXT,
  Hosts          TEXT NOT NULL,                     -- JSON list of node names; [] where unknown
  GpuCount       REAL CHECK (GpuCount > 0),         -- held on all hosts together; NULL: GPUs, and nobody says how many
  GpuModel       TEXT,
  StartSecond    INTEGER NOT NULL,                  -- Unix seconds
  EndSecond      INTEGER,                           -- NULL: still running when it was exported, or unknown
  ElapsedSeconds INTEGER CHECK (ElapsedSeconds >= 0), -- without time suspended; NULL: unknown
  PRIMARY KEY (FileId, Line)
) STRICT, WITHOUT ROWID;

CREATE TABLE gpu_series_day (
  Day        INTEGER NOT NULL,
  Generation INTEGER NOT NULL,
  Series     BLOB NOT NULL,
  PRIMARY KEY (Day, Generation)
) STRICT;

CREATE TABLE gpu_trace (
  DeviceId    INTEGER NOT NULL REFERENCES device,
  Metric      TEXT NOT NULL,                        -- names of store/traces.ts
  Day         INTEGER NOT NULL,
  BatchId     INTEGER NOT NULL,
  SampleCount INTEGER NOT NULL,
  Segments    BLOB NOT NULL,
  PRIMARY KEY (DeviceId, Metric, Day, BatchId)
) STRICT;

CREATE TABLE host_map (
  HostMapId  INTEGER PRIMARY KEY,
  Host       TEXT NOT NULL,
  ResourceId TEXT NOT NULL,
  ValidFrom  TEXT,
  ValidTo    TEXT,
  EnteredAt  TEXT NOT NULL
) STRICT;

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

CREATE TABLE invoice_item (
  Month        TEXT NOT NULL,
  ProviderName TEXT NOT NULL,
  Currency     TEXT NOT NULL,
  Item         TEXT NOT NULL,                       -- a charge class, or invoice:NUMBER
  Because      TEXT NOT NULL CHECK (Because IN ('other-invoice', 'not-in-export', 'other')),
  AmountNanos  INTEGER NOT NULL,
  AmountRest   INTEGER NOT NULL,
  Note         TEXT,
  EnteredBy    TEXT NOT NULL,
  EnteredAt    TEXT NOT NULL,
  PRIMARY KEY (Month, ProviderName, Currency, Item, Because)
) STRICT, WITHOUT ROWID;

CREATE TABLE invoice_total (
  Month        TEXT NOT NULL,
  ProviderName TEXT NOT NULL,
  Currency     TEXT NOT NULL,
  AmountNanos  INTEGER NOT NULL,
  AmountRest   INTEGER NOT NULL,
  EnteredBy    TEXT NOT NULL,
  EnteredAt    TEXT NOT NULL,
  PRIMARY KEY (Month, ProviderName, Currency)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_info (
  Key   TEXT PRIMARY KEY,
  Value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE month_close (
  CloseId    INTEGER PRIMARY KEY,
  Month      TEXT NOT NULL,
  ClosedAt   TEXT NOT NULL,
  ClosedBy   TEXT NOT NULL,
  Revision   INTEGER NOT NULL,
  Figures    TEXT NOT NULL,                         -- JSON: exact totals by currency and by team
  Note       TEXT,
  ReopenedAt TEXT,
  ReopenedBy TEXT,
  Reason     TEXT
) STRICT;

CREATE TABLE negotiated_discount (
  DiscountId   INTEGER PRIMARY KEY,
  Name         TEXT NOT NULL,
  Provider     TEXT NOT NULL,
  InstanceType TEXT,                                -- begins with these letters; NULL: every machine type
  Region       TEXT,
  Mode         TEXT,
  Percent      TEXT NOT NULL,
  FromDay      TEXT NOT NULL,
  UntilDay     TEXT,
  Note         TEXT
) STRICT;

CREATE TABLE own_benchmark (
  BenchmarkId    INTEGER PRIMARY KEY,
  Workload       TEXT NOT NULL,
  Unit           TEXT NOT NULL,
  AcceleratorId  TEXT NOT NULL,
  InstanceType   TEXT,                              -- NULL: any machine with this accelerator
  Gpus           REAL NOT NULL,
  UnitsPerSecond TEXT NOT NULL,
  NumberFormat   TEXT,                              -- bf16, fp8 …
  Stack          TEXT,                              -- software, versions
  MeasuredOn     TEXT NOT NULL,
  Source         TEXT NOT NULL                      -- file and line, or who typed it
) STRICT;

CREATE TABLE own_price (
  PriceId          INTEGER PRIMARY KEY,
  Provider         TEXT NOT NULL,
  InstanceType     TEXT NOT NULL,
  Region           TEXT NOT NULL,
  Mode             TEXT NOT NULL,
  Payment          TEXT,
  Currency         TEXT NOT NULL,
  PricePerHour     TEXT NOT NULL,
  Upfront          TEXT NOT NULL,
  AcceleratorId    TEXT,
  AcceleratorCount REAL,
  PriceDate        TEXT NOT NULL,
  Note             TEXT,
  SavedAt          TEXT NOT NULL,
  SavedBy          TEXT NOT NULL
) STRICT;

CREATE TABLE plan_scenario (
  ScenarioId INTEGER PRIMARY KEY,
  Name       TEXT NOT NULL UNIQUE,
  Period     TEXT NOT NULL,
  Scope      TEXT NOT NULL,          -- JSON
  Currency   TEXT,
  Inputs     TEXT NOT NULL,          -- JSON of PlanInputs
  SavedAt    TEXT NOT NULL,
  SavedBy    TEXT NOT NULL
) STRICT;

CREATE TABLE planned_change (
  ChangeId INTEGER PRIMARY KEY,
  Name     TEXT NOT NULL,
  Team     TEXT,
  Currency TEXT NOT NULL,
  FromDay  TEXT NOT NULL,
  ToDay    TEXT,                                    -- inclusive; NULL: open
  IsDaily  INTEGER NOT NULL,
  AmountNanos INTEGER NOT NULL,
  AmountRest  INTEGER NOT NULL
) STRICT;

CREATE TABLE price_sheet (
  SheetId     INTEGER PRIMARY KEY,
  FormatId    TEXT NOT NULL,                        -- aws-offer, azure-retail, gcp-pricing, own
  FileName    TEXT NOT NULL,
  Sha256      TEXT NOT NULL,
  PriceDate   TEXT NOT NULL,                        -- newest day of its prices
  ImportedAt  TEXT NOT NULL,
  ImportedBy  TEXT NOT NULL,
  RowsRead    INTEGER NOT NULL,
  RowsSkipped INTEGER NOT NULL                      -- of machines without accelerators, other systems, other units of sale
) STRICT;

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

CREATE TABLE series_rule (
  SeriesId INTEGER PRIMARY KEY REFERENCES series,
  RuleId   INTEGER,                                 -- NULL: only in some months
  TagTeam  TEXT
) STRICT;

CREATE TABLE series_team_span (
  SeriesId  INTEGER NOT NULL REFERENCES series,
  FromMonth TEXT NOT NULL,
  ToMonth   TEXT NOT NULL,
  RuleId    INTEGER,
  Team      TEXT,
  PRIMARY KEY (SeriesId, FromMonth)
) STRICT, WITHOUT ROWID;

CREATE TABLE set_aside (
  FileId     INTEGER NOT NULL REFERENCES source_file ON DELETE CASCADE,
  Line       INTEGER NOT NULL,
  ColumnName TEXT NOT NULL,
  Value      TEXT NOT NULL,
  Reason     TEXT NOT NULL,
  Raw        TEXT NOT NULL,
  PRIMARY KEY (FileId, Line)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
  Key   TEXT PRIMARY KEY,
  Value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE shared_pool (
  PoolId INTEGER PRIMARY KEY,
  Place  INTEGER NOT NULL,
  Name   TEXT NOT NULL,
  Source TEXT NOT NULL,                             -- JSON: a team, a class of charges, or the rest
  Method TEXT NOT NULL CHECK (Method IN ('even', 'proportional', 'fixed', 'gpu-hours')),
  Shares TEXT NOT NULL                              -- JSON: percents by team of a fixed split, else []
) STRICT;

CREATE TABLE sheet_price (
  SheetId          INTEGER NOT NULL REFERENCES price_sheet ON DELETE CASCADE,
  Line             INTEGER NOT NULL,                -- 0: the file has no lines
  Provider         TEXT NOT NULL,
  InstanceType     TEXT NOT NULL,
  Region           TEXT NOT NULL,                   -- * : every region
  Mode             TEXT NOT NULL,
  Payment          TEXT,                            -- none, partial, all; NULL where nothing is committed
  IsConvertible    INTEGER NOT NULL,
  Currency         TEXT NOT NULL,
  PricePerHour     TEXT NOT NULL,
  Upfront          TEXT NOT NULL,                   -- for the whole term
  AcceleratorId    TEXT,
  AcceleratorCount REAL,
  Scope            TEXT NOT NULL,
  PriceDate        TEXT NOT NULL
) STRICT;

CREATE TABLE source_block (
  FileId      INTEGER NOT NULL REFERENCES source_file ON DELETE CASCADE,
  Block       INTEGER NOT NULL,
  FirstByte   INTEGER NOT NULL,    -- of the decompressed text
  FirstLine   INTEGER NOT NULL,
  FirstRecord INTEGER NOT NULL,
  SeriesIds   BLOB NOT NULL,       -- ascending SeriesId, uint32 little-endian
  PRIMARY KEY (FileId, Block)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE vendor_selection (
  SelectionId INTEGER PRIMARY KEY,
  Name        TEXT NOT NULL UNIQUE,
  ChangedAt   TEXT NOT NULL,
  Inputs      TEXT NOT NULL                         -- JSON, contract/calculators.ts: weights, scores with evidence, quotes, pilot plan, decision
) STRICT;

CREATE TABLE virtual_tag_rule (
  RuleId     INTEGER PRIMARY KEY,
  Place      INTEGER NOT NULL,
  Tag        TEXT NOT NULL,
  Value      TEXT NOT NULL,
  Conditions TEXT NOT NULL                          -- JSON, shared/domain/allocation.ts
) STRICT;

CREATE UNIQUE INDEX account_by_id ON account (SubAccountId) WHERE SubAccountId IS NOT NULL;

CREATE INDEX change_log_by_area ON change_log (Area, ChangeId);

CREATE INDEX contract_commitment_by_batch ON contract_commitment (BatchId);

CREATE INDEX cost_explorer_request_by_slot ON cost_explorer_request (Slot);

CREATE INDEX delivery_by_batch ON delivery (BatchId);

CREATE INDEX delivery_by_group ON delivery (GroupId);

CREATE INDEX delivery_group_by_month ON delivery_group (Month);

CREATE UNIQUE INDEX delivery_group_key
  ON delivery_group (ifnull(ProviderName, char(0)), DatasetKind, ifnull(BillingAccountId, char(0)), BillingPeriodStart, BillingPeriodEnd, ReportNumber);

CREATE INDEX device_by_host ON device (Host);

CREATE INDEX emissions_cover_by_month ON emissions_cover (Month, ReportId);

CREATE INDEX esg_pack_by_period ON esg_pack (Period, PackId);

CREATE INDEX gpu_job_by_batch ON gpu_job (BatchId);

CREATE INDEX gpu_trace_by_batch ON gpu_trace (BatchId, Day);

CREATE INDEX gpu_trace_by_day ON gpu_trace (Day, Metric, DeviceId, BatchId, SampleCount);

CREATE INDEX month_close_by_month ON month_close (Month, CloseId);

CREATE INDEX series_by_gpu ON series (x_GpuModel) WHERE x_GpuModel IS NOT NULL;

CREATE INDEX series_by_resource ON series (ResourceId) WHERE ResourceId IS NOT NULL;

CREATE INDEX sheet_price_by_sheet ON sheet_price (SheetId);

CREATE INDEX source_file_by_batch ON source_file (BatchId);

CREATE INDEX source_file_by_hash  ON source_file (Sha256);

CREATE TEMP VIEW charge_month_current AS
   SELECT
     g.Month, g.GroupId, g.ProviderName, g.DatasetKind, g.BillingAccountId, m.SeriesId, m.RowCount, m.BilledCostNanos, m.BilledCostRest, m.EffectiveCostNanos, m.EffectiveCostRest, m.ListCostNanos, m.ListCostRest, m.ContractedCostNanos, m.ContractedCostRest, m.ConsumedQuantity, m.PricingQuantity, m.GpuHours
   FROM delivery_group g
   CROSS JOIN charge_month m ON m.GroupId = g.GroupId AND m.Generation = g.CurrentGeneration;

CREATE TEMP VIEW charge_day_current AS
   SELECT
     g.Month, g.GroupId, g.ProviderName, g.DatasetKind, g.BillingAccountId, d.BatchId, c.DeliveryId, c.Day, c.SeriesId, c.RowCount, c.BilledCostNanos, c.BilledCostRest, c.EffectiveCostNanos, c.EffectiveCostRest, c.ListCostNanos, c.ListCostRest, c.ContractedCostNanos, c.ContractedCostRest, c.ConsumedQuantity, c.PricingQuantity, c.GpuHours
   FROM delivery_group g
   CROSS JOIN delivery d ON d.GroupId = g.GroupId AND d.CellsKept = 1
   CROSS JOIN charge_day c ON c.DeliveryId = d.DeliveryId
   CROSS JOIN series s ON s.SeriesId = c.SeriesId
   CROSS JOIN day_owner o ON o.GroupId = g.GroupId AND o.Generation = g.CurrentGeneration AND o.AccountKey = s.AccountKey AND o.Day = c.Day
   WHERE o.DeliveryId = c.DeliveryId;

CREATE TEMP VIEW gpu_charge_hours_current AS
   SELECT * FROM (
     SELECT
       h.Month, g.GroupId, h.DeliveryId, h.SeriesId, s.AccountKey, h.Hours,
       (
         SELECT json_group_array(o.Day)
         FROM day_owner o
         WHERE o.GroupId = g.GroupId AND o.Generation = g.CurrentGeneration AND o.AccountKey = s.AccountKey
           AND o.Day >= unixepoch(h.Month || '-01') / 86400 AND o.Day < unixepoch(h.Month || '-01', '+1 month') / 86400
           AND o.DeliveryId = h.DeliveryId
       ) AS ShownDays
     FROM delivery_group g
     CROSS JOIN delivery d ON d.GroupId = g.GroupId AND d.CellsKept = 1
     CROSS JOIN gpu_charge_hours h ON h.DeliveryId = d.DeliveryId
     CROSS JOIN series s ON s.SeriesId = h.SeriesId
   ) WHERE ShownDays <> '[]';

CREATE TEMP VIEW gpu_hour_current AS
   SELECT t.Day, t.HourStart, t.DeviceId, t.KnownSeconds, t.UtilizationMean, t.UtilizationPeak, t.ActiveUtilizationSeconds, t.ActiveSeconds, t.HeldIdleSeconds, t.DeadIdleSeconds, t.IdleMemoryUnknownSeconds, t.MemoryKnownSeconds, t.MemoryShareMean, t.MemoryShareP95, t.MemorySharePeak, t.PowerKnownSeconds, t.EnergyWattHours
   FROM day_generation g
   JOIN gpu_hour t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW gpu_hour_counter_current AS
   SELECT t.Day, t.HourStart, t.DeviceId, t.Counter, t.KnownSeconds, t.Mean, t.IsActivity
   FROM day_generation g
   JOIN gpu_hour_counter t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW idle_episode_current AS
   SELECT t.Day, t.DeviceId, t.StartSecond, t.EndSecond, t.IdleSeconds, t.HeldSeconds, t.DeadSeconds, t.UtilizationMean, t.MemoryShareMean, t.PowerMeanWatts
   FROM day_generation g
   JOIN idle_episode t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW gpu_hour_cost_current AS
   SELECT t.Day, t.HourStart, t.SeriesId, t.GpuHours, t.KnownGpuHours, t.UsefulGpuHours, t.IdleGpuHours, t.MemoryKnownGpuHours, t.MemoryUsedGpuHours, t.EnergyWattHours, t.EffectiveCostNanos, t.EffectiveCostRest, t.ProductiveCostNanos, t.ProductiveCostRest, t.BusyInefficientCostNanos, t.BusyInefficientCostRest, t.HeldIdleCostNanos, t.HeldIdleCostRest, t.DeadIdleCostNanos, t.DeadIdleCostRest, t.IdleMemoryUnknownCostNanos, t.IdleMemoryUnknownCostRest, t.UnknownCostNanos, t.UnknownCostRest
   FROM day_generation g
   JOIN gpu_hour_cost t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW gpu_cost_day_current AS
   SELECT t.Day, t.SeriesId, t.HourCount, t.GpuHours, t.KnownGpuHours, t.UsefulGpuHours, t.IdleGpuHours, t.MemoryKnownGpuHours, t.MemoryUsedGpuHours, t.PricedGpuHours, t.PricedUsefulGpuHours, t.EffectiveCostNanos, t.EffectiveCostRest, t.ProductiveCostNanos, t.ProductiveCostRest, t.BusyInefficientCostNanos, t.BusyInefficientCostRest, t.HeldIdleCostNanos, t.HeldIdleCostRest, t.DeadIdleCostNanos, t.DeadIdleCostRest, t.IdleMemoryUnknownCostNanos, t.IdleMemoryUnknownCostRest, t.UnknownCostNanos, t.UnknownCostRest
   FROM day_generation g
   JOIN gpu_cost_day t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW gpu_series_day_current AS
   SELECT t.Day, t.Series
   FROM day_generation g
   JOIN gpu_series_day t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW gpu_device_day_current AS
   SELECT t.Day, t.DeviceId, t.Hours
   FROM day_generation g
   JOIN gpu_device_day t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW gpu_activity_day_current AS
   SELECT t.Day, t.SeriesId, t.Counter, t.KnownGpuHours, t.UsefulGpuHours
   FROM day_generation g
   JOIN gpu_activity_day t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW gpu_energy_day_current AS
   SELECT t.Day, t.SeriesId, t.GpuHours, t.CounterGpuHours, t.CounterMilliwattHours, t.PowerGpuHours, t.PowerMilliwattHours, t.HeldIdleMilliwattHours, t.DeadIdleMilliwattHours, t.IdleMemoryUnknownMilliwattHours, t.ModelGpuHours, t.ModelUsefulGpuHours, t.ModelHeldGpuHours, t.ModelHeldUsefulGpuHours, t.ModelDeadGpuHours, t.ModelDeadUsefulGpuHours, t.ModelIdleMemoryUnknownGpuHours, t.ModelIdleMemoryUnknownUsefulGpuHours
   FROM day_generation g
   JOIN gpu_energy_day t ON t.Day = g.Day AND t.Generation = g.Generation;

CREATE TEMP VIEW emissions_line_current AS
   SELECT
     r.ProviderId, r.FormatId, r.FileName, l.ReportId, l.LineNumber, l.Month, l.PayerId, l.AccountId, l.ServiceName, l.RegionId, l.ModelVersion, l.RefreshedAt,
     l.FirstFileLine, l.RowCount, l.LocationMicrograms, l.MarketMicrograms, l.Scope1Micrograms, l.Scope2LocationMicrograms, l.Scope2MarketMicrograms, l.Scope3Micrograms
   FROM emissions_report r
   JOIN emissions_line l ON l.ReportId = r.ReportId
   WHERE r.State = 'posted'
     AND r.FormatId = (
       SELECT o.FormatId
       FROM emissions_cover c
       JOIN emissions_report o ON o.ReportId = c.ReportId
       WHERE c.Month = l.Month AND o.ProviderId = r.ProviderId AND o.State = 'posted'
       ORDER BY o.ReportId DESC
       LIMIT 1
     )
     AND r.ReportId = (
       SELECT max(o.ReportId)
       FROM emissions_cover c
       JOIN emissions_report o ON o.ReportId = c.ReportId
       WHERE c.Month = l.Month AND c.PayerId IS l.PayerId AND o.ProviderId = r.ProviderId AND o.FormatId = r.FormatId AND o.State = 'posted'
     );

CREATE TEMP VIEW contract_commitment_current AS
   SELECT * FROM (
     SELECT
       c.*, f.Name AS FileName, b.PostedOrder,
       max(b.PostedOrder) OVER (PARTITION BY ifnull(c.ContractId, c.ContractCommitmentId)) AS NewestOrder
     FROM batch b
     JOIN contract_commitment c ON c.BatchId = b.BatchId
     JOIN source_file f ON f.FileId = c.FileId
     WHERE b.State = 'posted'
   ) WHERE PostedOrder = NewestOrder;

CREATE TEMP VIEW gpu_job_current AS
   SELECT * FROM (
     SELECT
       j.*, f.Name AS FileName,
       row_number() OVER (PARTITION BY j.Source, j.Cluster, j.JobId, j.StartSecond ORDER BY b.PostedOrder DESC, j.FileId DESC, j.Line DESC) AS Place
     FROM batch b
     JOIN gpu_job j ON j.BatchId = b.BatchId
     JOIN source_file f ON f.FileId = j.FileId
     WHERE b.State = 'posted'
   ) WHERE Place = 1;

CREATE TEMP VIEW charge_line_month_current AS
   SELECT g.Month, g.GroupId, m.LineId, m.Facts, m.RowCount, m.BilledCostNanos, m.BilledCostRest, m.EffectiveCostNanos, m.EffectiveCostRest, m.ListCostNanos, m.ListCostRest, m.ContractedCostNanos, m.ContractedCostRest, m.GpuHours
   FROM delivery_group g
   CROSS JOIN charge_line_month m ON m.GroupId = g.GroupId AND m.Generation = g.LinesGeneration
   WHERE g.LinesGeneration = g.CurrentGeneration;

CREATE TEMP VIEW charge_line_day_current AS
   SELECT g.Month, g.GroupId, d.Day, d.LineId, d.Facts, d.RowCount, d.BilledCostNanos, d.BilledCostRest, d.EffectiveCostNanos, d.EffectiveCostRest, d.ListCostNanos, d.ListCostRest, d.ContractedCostNanos, d.ContractedCostRest, d.GpuHours
   FROM delivery_group g
   CROSS JOIN charge_line_day d ON d.GroupId = g.GroupId AND d.Generation = g.LinesGeneration
   WHERE g.LinesGeneration = g.CurrentGeneration;
