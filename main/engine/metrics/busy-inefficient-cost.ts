import { way } from "./four-ways.ts";

/**
 * GPU money spent while a GPU was active but not all of the time.
 *
 * unit      the currency, effective cost
 * formula   Σ cost of active time × (1 − utilization) (maths.md d.4)
 * unknown   `null` when no billed hour has telemetry
 * coverage  share of the cost whose hours have telemetry
 */
export const busyInefficientCost = way("busy-inefficient-cost", (totals) => totals.busyInefficientAttos, (totals) => totals.unknownAttos);
