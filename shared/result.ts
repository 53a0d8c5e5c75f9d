import type { LedgerError } from "./contract/errors.ts";

/** The answer of anything that can meet ordinary trouble. A fault in our own code is an exception instead. */
export type Result<T, E = LedgerError> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
