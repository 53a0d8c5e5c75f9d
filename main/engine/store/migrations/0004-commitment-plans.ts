/** Commitment plans: saved scenarios and their inputs, and the terms of commitments that their bills do not state. */
export const plan = {
  version: 4,
  name: "0004-commitment-plans",
  sql: /* sql */ `
-- A comparison kept as what was asked, never as what came out: it is worked out anew when it is opened.
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

-- The person's word on a commitment: most bills name it and do not say when it ends.
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
`,
} as const;
