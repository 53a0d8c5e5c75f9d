/** Teams: allocation rules, shared costs, budgets and their alerts, forecasts as they were made, anomalies, actions, closed months. */
export const teams = {
  version: 2,
  name: "0002-teams",
  sql: /* sql */ `
-- Whose a charge is: in the order of Place, the first rule whose conditions all hold takes the series; else its team tag; else nobody.
CREATE TABLE allocation_rule (
  RuleId     INTEGER PRIMARY KEY,
  Place      INTEGER NOT NULL,
  Name       TEXT NOT NULL,
  Team       TEXT NOT NULL,
  Conditions TEXT NOT NULL,                         -- JSON, shared/domain/allocation.ts
  FromMonth  TEXT,                                  -- 2026-07, inclusive; NULL: from the first month on
  ToMonth    TEXT                                   -- inclusive; NULL: open
) STRICT;

-- Series that a rule took. series.x_Team is the result for all months outside series_team_span; what the team tag says is kept here.
CREATE TABLE series_rule (
  SeriesId INTEGER PRIMARY KEY REFERENCES series,
  RuleId   INTEGER,                                 -- NULL: only in some months
  TagTeam  TEXT
) STRICT;

-- Months in which rules with dates give a series another team than its x_Team; both ends inclusive. Team NULL: nobody's.
CREATE TABLE series_team_span (
  SeriesId  INTEGER NOT NULL REFERENCES series,
  FromMonth TEXT NOT NULL,
  ToMonth   TEXT NOT NULL,
  RuleId    INTEGER,
  Team      TEXT,
  PRIMARY KEY (SeriesId, FromMonth)
) STRICT, WITHOUT ROWID;

-- Costs that belong to nobody alone, and how they reach the teams.
CREATE TABLE shared_pool (
  PoolId INTEGER PRIMARY KEY,
  Place  INTEGER NOT NULL,
  Name   TEXT NOT NULL,
  Source TEXT NOT NULL,                             -- JSON: a team, a class of charges, or the rest
  Method TEXT NOT NULL CHECK (Method IN ('even', 'proportional', 'fixed', 'gpu-hours')),
  Shares TEXT NOT NULL                              -- JSON: percents by team of a fixed split, else []
) STRICT;

-- Who changed what, when. Before and After are JSON, NULL where there was or is nothing.
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
CREATE INDEX change_log_by_area ON change_log (Area, ChangeId);

-- A limit over a scope. Its plan is by month; a quarter or fiscal year is the sum of its months.
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

-- Money in two integers as everywhere; GPU-hours and kgCO2e as exact decimal text.
CREATE TABLE budget_month (
  BudgetId    INTEGER NOT NULL REFERENCES budget ON DELETE CASCADE,
  Month       TEXT NOT NULL,
  AmountNanos INTEGER,
  AmountRest  INTEGER,
  Quantity    TEXT,
  PRIMARY KEY (BudgetId, Month)
) STRICT, WITHOUT ROWID;

-- A threshold crossed. Round counts up when a forecast that fell back may speak again, so that each alert is raised once.
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

-- Every forecast as it was made, one a budget, period and day of data, so that drift can be seen.
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

-- Budget moved from one to another, month by month.
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

-- What is known to change: a commitment that starts or ends, a planned run. Amount is by day, or once on FromDay.
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

-- The person's word on an anomaly: expected, because … It is remembered for the same scope and direction until UntilDay.
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

-- Findings that someone took up. Money is of one currency; what was saved is measured afterwards.
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

-- What an invoice says, entered by the person: the month is held against it.
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

-- Months frozen with their figures; a reopened one keeps its line, and the difference is against the last.
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
CREATE INDEX month_close_by_month ON month_close (Month, CloseId);
`,
} as const;
