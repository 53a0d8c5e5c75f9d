/** Scenarios and commitment terms in the ledger. */
import { defaultPlanInputs, type CommitmentTerm, type PaymentKind, type PlanInputs, type PlanScenario } from "../../../shared/contract/plan.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { prepared, query, readAll, type Db } from "../store/sql.ts";
import type { Author } from "../teams/changes.ts";

interface ScenarioRow {
  readonly id: number;
  readonly name: string;
  readonly period: string;
  readonly scope: string;
  readonly currency: string | null;
  readonly inputs: string;
  readonly savedAt: string;
  readonly savedBy: string;
}

export function storedScenarios(db: Db): PlanScenario[] {
  return readAll(db, query<ScenarioRow>("id", "name", "period", "scope", "currency", "inputs", "savedAt", "savedBy")`-- plan.scenarios
    SELECT ScenarioId AS id, Name AS name, Period AS period, Scope AS scope, Currency AS currency, Inputs AS inputs, SavedAt AS savedAt, SavedBy AS savedBy
    FROM plan_scenario
    ORDER BY Name, ScenarioId`).map(({ scope, inputs, ...row }) => ({
    ...row,
    scope: JSON.parse(scope) as Scope,
    // What was added since a scenario was saved is as it is by default.
    inputs: { ...defaultPlanInputs, ...(JSON.parse(inputs) as Partial<PlanInputs>) },
  }));
}

/** Keeps a scenario under its name, in place of one that has it, and returns its id. Inside the caller's transaction. */
export function keepScenario(db: Db, { name, period, scope, currency, inputs }: Pick<PlanScenario, "name" | "period" | "scope" | "currency" | "inputs">, { at, who }: Author): number {
  prepared(db, `INSERT INTO plan_scenario (Name, Period, Scope, Currency, Inputs, SavedAt, SavedBy) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (Name) DO UPDATE SET Period = excluded.Period, Scope = excluded.Scope, Currency = excluded.Currency, Inputs = excluded.Inputs, SavedAt = excluded.SavedAt, SavedBy = excluded.SavedBy`)
    .run(name, period, JSON.stringify(scope), currency, JSON.stringify(inputs), at, who);
  const kept = storedScenarios(db).find((scenario) => scenario.name === name);
  if (kept === undefined) throw new Error("a scenario that was kept is there");
  return kept.id;
}

interface TermRow extends Omit<CommitmentTerm, "isConvertible" | "payment"> {
  readonly payment: PaymentKind | null;
  readonly isConvertible: number | null;
}

export function storedTerms(db: Db): CommitmentTerm[] {
  return readAll(db, query<TermRow>("commitment", "startsOn", "endsOn", "termMonths", "payment", "gpus", "isConvertible", "renewalHourly", "note")`-- plan.terms
    SELECT
      CommitmentDiscountId AS commitment, StartsOn AS startsOn, EndsOn AS endsOn, TermMonths AS termMonths, Payment AS payment, Gpus AS gpus,
      IsConvertible AS isConvertible, RenewalHourly AS renewalHourly, Note AS note
    FROM commitment_term
    ORDER BY CommitmentDiscountId`).map(({ isConvertible, ...row }) => ({ ...row, isConvertible: isConvertible === null ? null : isConvertible === 1 }));
}

/** Keeps the person's word on a commitment. Inside the caller's transaction. */
export function keepTerm(db: Db, { commitment, startsOn, endsOn, termMonths, payment, gpus, isConvertible, renewalHourly, note }: CommitmentTerm, { at, who }: Author): void {
  prepared(db, `INSERT INTO commitment_term (CommitmentDiscountId, StartsOn, EndsOn, TermMonths, Payment, Gpus, IsConvertible, RenewalHourly, Note, EnteredAt, EnteredBy) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (CommitmentDiscountId) DO UPDATE SET StartsOn = excluded.StartsOn, EndsOn = excluded.EndsOn, TermMonths = excluded.TermMonths, Payment = excluded.Payment, Gpus = excluded.Gpus,
      IsConvertible = excluded.IsConvertible, RenewalHourly = excluded.RenewalHourly, Note = excluded.Note, EnteredAt = excluded.EnteredAt, EnteredBy = excluded.EnteredBy`)
    .run(commitment, startsOn, endsOn, termMonths, payment, gpus, isConvertible === null ? null : isConvertible ? 1 : 0, renewalHourly, note, at, who);
}
