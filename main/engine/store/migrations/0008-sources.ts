/** Sources: kept copies, rates between currencies, answers of Cost Explorer, what explains an invoice. */
export const sources = {
  version: 8,
  name: "0008-sources",
  sql: /* sql */ `
-- What Cost Explorer was asked, and how far its answer got. A source of its own: nothing here is ever added to a bill.
-- Of one slot (call, profile and month or period) the newest that is done shows; one may be on its way.
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
CREATE INDEX cost_explorer_request_by_slot ON cost_explorer_request (Slot);

CREATE TABLE cost_explorer_page (
  RequestId INTEGER NOT NULL REFERENCES cost_explorer_request ON DELETE CASCADE,
  Page      INTEGER NOT NULL,
  Answer    TEXT NOT NULL,                          -- JSON as it came
  PRIMARY KEY (RequestId, Page)
) STRICT, WITHOUT ROWID;

-- Every request that was sent is paid for: how many, by UTC day.
CREATE TABLE cost_explorer_sent (
  Day      TEXT PRIMARY KEY,
  Requests INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Units of Quote for one unit of Base, as published on Day.
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

-- What of the difference between an invoice and the ledger is explained: Amount is invoice less ledger.
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
`,
} as const;
