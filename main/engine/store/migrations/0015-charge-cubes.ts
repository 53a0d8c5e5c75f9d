/** Charges rolled up for questions: by month and by day, of lines instead of series. */
export const chargeCubes = {
  version: 15,
  name: "0015-charge-cubes",
  sql: /* sql */ `
-- What a charge is to reports: all that they group and filter by most, without account, region and resource. Many series are one line. Whose it is
-- holds for the billing month of the cells that name the line, by the rules as they were when these were added up.
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

-- charge_month, added up by line. Facts: 1 states BilledCost, 2 EffectiveCost, 4 ListCost, 8 ContractedCost, 16 GpuHours, 32 a believable list
-- cost: cells that differ in one stay apart, so that what is stated is never added to what is not. Part: 0, or the series where the sum of all
-- would be beyond 64 bits.
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

-- The cells that count of each UTC day of charge time, added up by line. Facts as above, without 32.
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

-- The generation of which lines are worked out. Where it is not the one that shows (bills posted before there were lines, rules that changed whose
-- a series is), series are read until lines are worked out again behind the scenes.
ALTER TABLE delivery_group ADD COLUMN LinesGeneration INTEGER NOT NULL DEFAULT 0;
`,
} as const;
