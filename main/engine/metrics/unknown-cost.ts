import { way } from "./four-ways.ts";

/**
 * GPU money whose hours have no telemetry: neither idle nor busy.
 *
 * unit      the currency, effective cost
 * formula   Σ cost of billed GPU time without telemetry (maths.md d.4)
 * unknown   `null` without billed GPU-hours; without any telemetry it is the whole cost
 * coverage  1: what is billed and not observed is known exactly
 */
export const unknownCost = way("unknown-cost", (totals) => totals.unknownAttos, () => 0n);
