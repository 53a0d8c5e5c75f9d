/** The shipped tables beside a ledger, for what is asked of the ledger alone and needs them: what a budget in kg CO2e has used. */
import { ok, type Result } from "../../../shared/result.ts";
import type { Db } from "../store/sql.ts";
import type { Reference } from "./catalog.ts";

const references = new WeakMap<Db, () => Result<Reference>>();

export function setReferenceOf(db: Db, reference: () => Result<Reference>): void {
  references.set(db, reference);
}

/** null where nobody set any. */
export function referenceOf(db: Db): Result<Reference | null> {
  return references.get(db)?.() ?? ok(null);
}
