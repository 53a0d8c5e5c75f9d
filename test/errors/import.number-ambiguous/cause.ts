import type { Cause } from "../world.ts";

/** "1.234" is a thousand in one half of the world and a little over one in the other. */
const cause: Cause = ({ refusalOf, file }) => refusalOf(file("september.csv", "ChargePeriodStart;ChargeCategory;BilledCost;BillingCurrency\n2026-09-01;Usage;1.234;EUR\n"));

export default cause;
