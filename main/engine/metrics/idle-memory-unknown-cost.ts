import { way } from "./four-ways.ts";

/**
 * GPU money spent idle, where no memory reading tells whether it was held.
 *
 * unit      the currency, effective cost
 * formula   Σ cost of idle time without a memory reading (maths.md d.4)
 * unknown   `null` when no billed hour has telemetry
 * coverage  share of the cost whose hours have telemetry
 */
export const idleMemoryUnknownCost = way("idle-memory-unknown-cost", (totals) => totals.idleMemoryUnknownAttos, (totals) => totals.unknownAttos);
