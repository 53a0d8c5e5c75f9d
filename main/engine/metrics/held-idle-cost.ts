import { way } from "./four-ways.ts";

/**
 * GPU money spent idle with memory held: warm, maybe on purpose, and doing nothing.
 *
 * unit      the currency, effective cost
 * formula   Σ cost of idle time with memory at or over the parked share (maths.md d.4)
 * unknown   `null` when no billed hour has telemetry
 * coverage  share of the cost whose hours have telemetry
 */
export const heldIdleCost = way("held-idle-cost", (totals) => totals.heldIdleAttos, (totals) => totals.idleMemoryUnknownAttos + totals.unknownAttos);
