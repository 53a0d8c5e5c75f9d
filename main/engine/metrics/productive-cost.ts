import { way } from "./four-ways.ts";

/**
 * GPU money that did work; an upper bound where GPU-Util is the counter.
 *
 * unit      the currency, effective cost
 * formula   Σ cost of active time × utilization (maths.md d.4)
 * unknown   `null` when no billed hour has telemetry
 * coverage  share of the cost whose hours have telemetry
 */
export const productiveCost = way("productive-cost", (totals) => totals.productiveAttos, (totals) => totals.unknownAttos);
