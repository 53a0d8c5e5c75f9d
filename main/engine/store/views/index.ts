import { chargeViews } from "./charges.ts";
import { contractViews } from "./contracts.ts";
import { emissionsViews } from "./emissions.ts";
import { gpuViews } from "./gpu.ts";
import { jobViews } from "./jobs.ts";
import { lineViews } from "./lines.ts";

/**
 * Views hold meaning: which of the stored facts show today. They are temporary, made anew by each connection, so changing one
 * needs no migration and opening a ledger writes nothing.
 */
export const viewStatements: readonly string[] = [...chargeViews, ...gpuViews, ...emissionsViews, ...contractViews, ...jobViews, ...lineViews];
