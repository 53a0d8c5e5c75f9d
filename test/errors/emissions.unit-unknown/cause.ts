import { errorOf, type Cause } from "../world.ts";

const report = "usage_account_id,usage_period_start,total_mbm_emissions_unit,total_mbm_emissions_value\n200000000001,2026-09-01 00:00:00Z,KGCO2e,12\n";
const cause: Cause = async ({ engine, file }) => errorOf(await engine.ask("provider-emissions.preview", { file: file("carbon.csv", report) }));

export default cause;
