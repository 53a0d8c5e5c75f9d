import { z } from "zod";
import type { Message } from "./report.ts";

/** The tables of the Ledger screen: what bills say, and GPU-hours where bill and telemetry meet. */
export const pivotTables = ["charges", "gpu-hours"] as const;
export type PivotTable = (typeof pivotTables)[number];

/** What rows can be grouped and filtered by. `month` is the billing month of charges, the UTC month of GPU-hours. */
export const pivotDimensions = [
  "month", "day", "hour", "provider", "account", "team", "service", "region", "gpuModel", "resource", "chargeCategory", "chargeClass", "purchaseOption",
  "sku", "instanceType", "commitment", "invoice", "batch",
] as const;
export type PivotDimension = (typeof pivotDimensions)[number];
/** Dimensions that only one of the tables has. */
export const pivotDimensionsOf: Readonly<Record<PivotTable, readonly PivotDimension[]>> = {
  charges: pivotDimensions.filter((dimension) => dimension !== "hour"),
  "gpu-hours": pivotDimensions.filter((dimension) => !["chargeCategory", "chargeClass", "batch"].includes(dimension)),
};

export const chargeMeasures = ["EffectiveCost", "BilledCost", "ListCost", "ContractedCost", "GpuHours", "RowCount"] as const;
export const gpuHourMeasures = ["EffectiveCost", "IdleCost", "UnknownCost", "GpuHours", "KnownGpuHours", "UsefulGpuHours", "IdleGpuHours"] as const;
export type PivotMeasure = (typeof chargeMeasures)[number] | (typeof gpuHourMeasures)[number];
export const pivotMeasuresOf: Readonly<Record<PivotTable, readonly PivotMeasure[]>> = { charges: chargeMeasures, "gpu-hours": gpuHourMeasures };

export const mostPivotRows = 500;

const label = z.string().max(2048);
export const pivotFilterSchema = z.strictObject({
  dimension: z.enum(pivotDimensions),
  /** One of these; null stands for rows that state nothing there. */
  among: z.array(label.nullable()).max(1000).readonly().optional(),
  /** Has this text anywhere in it, whatever the case. */
  contains: z.string().min(1).max(200).optional(),
});
export type PivotFilter = z.infer<typeof pivotFilterSchema>;

/** How the Ledger screen shows its rows, apart from period, scope and currency: what a saved view keeps. */
export const pivotViewSchema = z.strictObject({
  table: z.enum(pivotTables),
  by: z.array(z.enum(pivotDimensions)).min(1).max(5).readonly(),
  filters: z.array(pivotFilterSchema).max(20).readonly(),
  sort: z.strictObject({ column: z.string().max(40), descending: z.boolean() }).nullable(),
});
export type PivotView = z.infer<typeof pivotViewSchema>;

/** Groups of rows and what they add up to. Amounts are attos; a null measure is one that no row of the group states. */
export interface PivotPage {
  readonly currency: string | null;
  readonly otherCurrencies: readonly string[];
  /** Where amounts are converted: from what, by which rates, and what no rate covers. */
  readonly conversion: readonly Message[];
  /** All groups, of which the page is a part. */
  readonly groups: number;
  readonly measures: readonly PivotMeasure[];
  readonly rows: readonly PivotRow[];
  /** Of all groups together, whatever the page. */
  readonly total: readonly PivotValue[];
}
export interface PivotRow {
  /** One a dimension asked for, in order. */
  readonly keys: readonly (string | null)[];
  readonly values: readonly PivotValue[];
}
/** Money in attos, hours or a count as a number; with the share of the rows that state it. */
export interface PivotValue {
  readonly value: bigint | number | null;
  /** Of an amount: what is shown of it, in attos of whole minor units, where rounding it alone would not let the groups add up to their total. */
  readonly shown?: bigint;
  readonly coverage: number;
}
