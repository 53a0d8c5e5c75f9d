/** What contracts say of commitments (FOCUS Contract Commitment): never a cost, and the source of when a commitment ends. */
import type { CommitmentTerm, ContractCommitment } from "../../../shared/contract/plan.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { money, query, readAll, type Db } from "../store/sql.ts";
import { storedTerms } from "./scenarios.ts";
import { dayIn, paymentIn } from "./stated-terms.ts";

interface ContractRow extends Omit<ContractCommitment, "cost"> {
  readonly cost: bigint | null;
}

/** All that shows, by their ends; those without one last. */
export function contractCommitments(db: Db): ContractCommitment[] {
  return readAll(db, query<ContractRow>(
    "commitment", "contract", "provider", "type", "category", "description", "cost", "currency", "quantity", "unit", "periodStart", "periodEnd", "status", "paymentModel", "file", "line", "batch",
  )`-- plan.contracts
    SELECT
      ContractCommitmentId AS commitment, ContractId AS contract, coalesce(ServiceProviderName, InvoiceIssuerName) AS provider, ContractCommitmentType AS type,
      ContractCommitmentCategory AS category, ContractCommitmentDescription AS description, ${money("ContractCommitmentCost")} AS cost, BillingCurrency AS currency,
      ContractCommitmentQuantity AS quantity, ContractCommitmentUnit AS unit, ContractCommitmentPeriodStart AS periodStart, ContractCommitmentPeriodEnd AS periodEnd,
      ContractCommitmentLifecycleStatus AS status, ContractCommitmentPaymentModel AS paymentModel, FileName AS file, Line AS line, BatchId AS batch
    FROM contract_commitment_current
    ORDER BY ContractCommitmentPeriodEnd IS NULL, ContractCommitmentPeriodEnd, ContractCommitmentId, Line`).map((row) => ({ ...row, cost: row.cost === null ? null : formatAttos(row.cost) }));
}

/** A term, and the contract that states its end where the person said none. */
export interface SourcedTerm {
  readonly term: CommitmentTerm;
  readonly contract: { readonly file: string; readonly line: number } | null;
}

/**
 * Terms by commitment as bills name them, in lower case: exports differ in the case of ids. The person's word stands before the contract's,
 * part by part.
 */
export function termsOfCommitments(db: Db): ReadonlyMap<string, SourcedTerm> {
  const terms = new Map<string, SourcedTerm>();
  for (const { commitment, periodStart, periodEnd, paymentModel, file, line } of contractCommitments(db)) {
    const [startsOn, endsOn] = [dayIn(periodStart ?? undefined), dayIn(periodEnd ?? undefined)];
    const term = { commitment, startsOn, endsOn, termMonths: monthsBetween(startsOn, endsOn), payment: paymentIn(paymentModel ?? undefined), gpus: null, isConvertible: null, renewalHourly: null, note: null };
    terms.set(commitment.toLowerCase(), { term, contract: { file, line } });
  }
  for (const own of storedTerms(db)) {
    const known = terms.get(own.commitment.toLowerCase());
    const { term, contract } = known ?? { term: own, contract: null };
    terms.set(own.commitment.toLowerCase(), {
      term: { ...own, startsOn: own.startsOn ?? term.startsOn, endsOn: own.endsOn ?? term.endsOn, termMonths: own.termMonths ?? term.termMonths, payment: own.payment ?? term.payment },
      contract: own.endsOn === null ? contract : null,
    });
  }
  return terms;
}

/** Whole months of a term, to the nearest; null where it has none. */
function monthsBetween(startsOn: string | null, endsOn: string | null): number | null {
  if (startsOn === null || endsOn === null) return null;
  const months = Math.round((Date.parse(endsOn) - Date.parse(startsOn)) / 86_400_000 / (365.25 / 12));
  return months >= 1 && months <= 120 ? months : null;
}
