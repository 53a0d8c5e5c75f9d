import type { Cause } from "../world.ts";

/** Azure's actual and amortized export in one file: added up, every commitment would count twice. */
const cause: Cause = ({ refusalOf, file }) => {
  const header = "SubscriptionId,Date,MeterCategory,MeterName,Quantity,UnitOfMeasure,CostInBillingCurrency,BillingCurrencyCode,ResourceId,ConsumedService,ChargeType,PricingModel";
  const row = (charge: string, model: string): string => `s-1,2026-03-01,Virtual Machines,ND96isr H100 v5,1,1 Hour,1,USD,vm-1,Microsoft.Compute,${charge},${model}`;
  return refusalOf(file("march.csv", `${[header, row("Purchase", "Reservation"), row("UnusedReservation", "Reservation")].join("\n")}\n`));
};

export default cause;
