import { firstLedger } from "./0001-first-ledger.ts";

/** All migrations in order. Never edit one that was released; add the next. */
export const migrations = [firstLedger] as const;
