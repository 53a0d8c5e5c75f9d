import type { Cause } from "../world.ts";

/** The 3rd of January or the 1st of March: nothing in the file tells. */
const cause: Cause = ({ refusalOf, file }) =>
  refusalOf(file("usage.csv", "SubscriptionGuid,UsageDateTime,MeterCategory,MeterName,UsageQuantity,UnitOfMeasure,PreTaxCost,Currency,InstanceId,ConsumedService\ns-1,3/1/2026,Virtual Machines,D2,1,1 Hour,1,USD,vm-1,Microsoft.Compute\n"));

export default cause;
