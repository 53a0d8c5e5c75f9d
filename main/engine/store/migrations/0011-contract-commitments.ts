/** Contract commitments: the FOCUS dataset of commitments, and reports that add to each other by their number. */
export const contractCommitments = {
  version: 11,
  name: "0011-contract-commitments",
  sql: /* sql */ `
-- FOCUS Contract Commitment: what was agreed, a row each. It is no cost and is added to none. Names and meaning are the specification's.
-- A contract shows as the newest posted import that holds it states it.
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
CREATE INDEX contract_commitment_by_batch ON contract_commitment (BatchId);

-- Some reports come many a day, each with rows of its own: only a report of the same number competes. Empty: all of the group do.
ALTER TABLE delivery_group ADD COLUMN ReportNumber TEXT NOT NULL DEFAULT '';
DROP INDEX delivery_group_key;
CREATE UNIQUE INDEX delivery_group_key
  ON delivery_group (ifnull(ProviderName, char(0)), DatasetKind, ifnull(BillingAccountId, char(0)), BillingPeriodStart, BillingPeriodEnd, ReportNumber);
`,
} as const;
