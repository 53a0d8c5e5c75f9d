import { way } from "./four-ways.ts";

/**
 * GPU money spent idle and empty.
 *
 * unit      the currency, effective cost
 * formula   Σ cost of idle time with memory under the parked share (maths.md d.4)
 * unknown   `null` when no billed hour has telemetry
 * coverage  share of the cost whose hours have telemetry
 */
export const deadIdleCost = way("dead-idle-cost", (totals) => totals.deadIdleAttos, (totals) => totals.idleMemoryUnknownAttos + totals.unknownAttos);
