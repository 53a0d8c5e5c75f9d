/** Price book: a person's own prices, negotiated discounts, imported price sheets, own benchmarks. */
export const prices = {
  version: 5,
  name: "0005-price-book",
  sql: /* sql */ `
-- One price list that was taken in. A price stands under the newest sheet that names it.
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

-- Prices are exact decimal text. What a price is for: provider, machine type, region, purchase mode, payment, exchangeable or not.
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
CREATE INDEX sheet_price_by_sheet ON sheet_price (SheetId);

-- A person's own price: it wins over everything.
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

-- A percentage off the list or sheet price, from a day to a day, both included.
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

-- What a person measured: units a second of all GPUs together, as exact decimal text.
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

-- Vendor selection, apart from the prices above. Inputs alone; what follows from them is worked out when it is asked for.
CREATE TABLE vendor_selection (
  SelectionId INTEGER PRIMARY KEY,
  Name        TEXT NOT NULL UNIQUE,
  ChangedAt   TEXT NOT NULL,
  Inputs      TEXT NOT NULL                         -- JSON, contract/calculators.ts: weights, scores with evidence, quotes, pilot plan, decision
) STRICT;
`,
} as const;
