import { amountsIn, isTrouble, microgramsPer, monthIn, plus, type EmissionsFormat } from "./format.ts";

/**
 * AWS Data Exports, table CARBON_EMISSIONS (AWS Data Exports user guide, "Carbon emissions columns"): one row an account, product and
 * region a month, by the location-based and the market-based method, in MTCO2e. Newer model versions state the scopes apart.
 */
export const aws: EmissionsFormat = {
  id: "aws-carbon-emissions",
  provider: "aws",
  required: [["total_mbm_emissions_value"], ["usage_account_id"], ["usage_period_start", "usage_month"]],
  read(cell) {
    const start = cell("usage_period_start", "usage_month");
    const month = monthIn(start);
    if (month === null) return { trouble: { column: "usage_period_start", value: start ?? "", expected: "month" } };
    for (const column of ["total_mbm_emissions_unit", "total_lbm_emissions_unit"]) {
      const unit = cell(column);
      if (unit !== null && microgramsPer(unit) !== TONNE) return { unit: { column, value: unit } };
    }
    const read = amountsIn(cell, columns, TONNE);
    if (isTrouble(read)) return { trouble: read };
    return {
      row: {
        month,
        payerId: cell("payer_account_id"),
        accountId: cell("usage_account_id"),
        serviceName: cell("product_code"),
        regionId: cell("region_code"),
        location: read.location,
        market: read.market,
        scope1: read.scope1,
        scope2Location: read.scope2Location,
        scope2Market: read.scope2Market,
        // The two methods part in scope 3 as well (fuel and energy related); the location-based one is kept, as the total is compared so.
        scope3: read.scope3Location ?? plus(read.scope3Market, null),
        modelVersion: cell("model_version"),
        refreshedAt: cell("last_refresh_timestamp"),
      },
    };
  },
};

const TONNE = 10n ** 12n;

const columns = {
  location: "total_lbm_emissions_value",
  market: "total_mbm_emissions_value",
  scope1: "total_scope_1_emissions_value",
  scope2Location: "total_scope_2_lbm_emissions_value",
  scope2Market: "total_scope_2_mbm_emissions_value",
  scope3Location: "total_scope_3_lbm_emissions_value",
  scope3Market: "total_scope_3_mbm_emissions_value",
} as const;
