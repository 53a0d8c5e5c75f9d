import type { Cause } from "../world.ts";

const report = "usage_month,billing_account_id,carbon_footprint_total_kgCO2e.location_based\n2026-09-01,00AAAA-11BBBB-22CCCC,12\n";
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("footprint.csv", report));

export default cause;
