import { amountsIn, isTrouble, monthIn, type EmissionsFormat } from "./format.ts";

/**
 * Google Cloud Carbon Footprint, as its BigQuery table is saved to CSV, JSON or Parquet ("Carbon Footprint export data schema"): one row
 * a project, service and location a month, in kgCO2e. Dots of nested fields may be underscores. Exports from before market-based figures
 * existed have the location-based ones alone.
 */
export const google: EmissionsFormat = {
  id: "google-carbon-footprint",
  provider: "gcp",
  required: [["usage_month"], ["billing_account_id"], ["carbon_footprint_total_kgCO2e.location_based"]],
  read(cell) {
    const stated = cell("usage_month");
    const month = monthIn(stated);
    if (month === null) return { trouble: { column: "usage_month", value: stated ?? "", expected: "month" } };
    const read = amountsIn(cell, columns, KILOGRAM);
    if (isTrouble(read)) return { trouble: read };
    return {
      row: {
        month,
        payerId: cell("billing_account_id"),
        accountId: cell("project.id") ?? cell("project.number"),
        serviceName: cell("service.description") ?? cell("service.id"),
        regionId: cell("location.region") ?? cell("location.location"),
        ...read,
        modelVersion: cell("carbon_model_version"),
        refreshedAt: null,
      },
    };
  },
};

const KILOGRAM = 10n ** 9n;

const columns = {
  location: "carbon_footprint_total_kgCO2e.location_based",
  market: "carbon_footprint_total_kgCO2e.market_based",
  scope1: "carbon_footprint_kgCO2e.scope1",
  scope2Location: "carbon_footprint_kgCO2e.scope2.location_based",
  scope2Market: "carbon_footprint_kgCO2e.scope2.market_based",
  scope3: "carbon_footprint_kgCO2e.scope3",
} as const;
