import { moneyColumns } from "../../../../shared/domain/charge.ts";

/** The six measures of a cell, in the order of `nullBits`. */
export const measureNames = [...moneyColumns, "ConsumedQuantity", "PricingQuantity"] as const;
export const MEASURES = measureNames.length;
export const COSTS = moneyColumns.length;
/** A cell's counters: nanos and rest of each cost, then the quantities. */
export const COUNTERS = COSTS * 2 + 2;
export const BILLED = 0;
export const EFFECTIVE = 1;
export const LIST = 2;
export const CONTRACTED = 3;

/** Bits of what is said of a row's measures: those not stated (`nullBits`), whether any is wide, whether any is finer than an atto. */
export const ALL_MEASURES = 63;
export const ALL_COSTS = 15;
export const HAS_WIDE = 64;
export const IS_FINER = 128;

/** Where a measure stands among the counters of its cell; a cost's rest is behind its nanos. */
export function counterOf(measure: number): number {
  return measure < COSTS ? measure * 2 : COSTS + measure;
}
