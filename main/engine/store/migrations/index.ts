import { firstLedger } from "./0001-first-ledger.ts";
import { teams } from "./0002-teams.ts";

/** All migrations in order. Never edit one that was released; add the next. */
export const migrations = [firstLedger, teams] as const;
