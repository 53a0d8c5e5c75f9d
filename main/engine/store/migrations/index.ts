import { firstLedger } from "./0001-first-ledger.ts";
import { teams } from "./0002-teams.ts";
import { carbon } from "./0003-carbon.ts";
import { plan } from "./0004-commitment-plans.ts";
import { prices } from "./0005-price-book.ts";
import { teamWork } from "./0006-team-work.ts";
import { findings } from "./0007-findings.ts";
import { sources } from "./0008-sources.ts";
import { rollUps } from "./0009-roll-ups.ts";
import { counters } from "./0010-counters.ts";
import { contractCommitments } from "./0011-contract-commitments.ts";
import { mappings } from "./0012-mappings.ts";
import { scale } from "./0013-scale.ts";
import { jobs } from "./0014-jobs.ts";
import { chargeCubes } from "./0015-charge-cubes.ts";
import { hourCubes } from "./0016-hour-cubes.ts";

/** All migrations in order. Never edit one that was released; add the next. */
export const migrations = [firstLedger, teams, carbon, plan, prices, teamWork, findings, sources, rollUps, counters, contractCommitments, mappings, scale, jobs, chargeCubes, hourCubes] as const;
