import { gpuViews } from "./gpu.ts";
import { chargeViews } from "./charges.ts";
import { emissionsViews } from "./emissions.ts";

/** What shows of bills and hours with amounts in it: tables of the same names take their place where all money is in one currency. */
export const amountTables = ["charge_day_current", "charge_month_current", "gpu_cost_day_current", "gpu_hour_cost_current"] as const;
export type AmountTable = (typeof amountTables)[number];

/** How each is looked up: by the months or days of a question. */
export const amountKeys: Readonly<Record<AmountTable, readonly string[]>> = {
  charge_day_current: ["Month", "Day"],
  charge_month_current: ["Month"],
  gpu_cost_day_current: ["Day"],
  gpu_hour_cost_current: ["Day"],
};

/** All views but those of amounts, which are filled tables here (rates/ledger.ts). */
export const viewsWithoutAmounts: readonly string[] = [...chargeViews, ...gpuViews, ...emissionsViews].filter((statement) => !amountTables.some((name) => statement.startsWith(`CREATE TEMP VIEW ${name} `)));

/** The series as they are, but for the currency: that of every amount that stands beside them. `BilledIn` is that of the bill. */
export function seriesIn(currency: string, columns: readonly string[]): string {
  const others = columns.filter((column) => column !== "BillingCurrency");
  return `CREATE TEMP VIEW series AS SELECT ${others.join(", ")}, '${currency.replaceAll("'", "''")}' AS BillingCurrency, BillingCurrency AS BilledIn FROM main.series`;
}
