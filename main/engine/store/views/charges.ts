const measures = [
  "RowCount",
  "BilledCostNanos",
  "BilledCostRest",
  "EffectiveCostNanos",
  "EffectiveCostRest",
  "ListCostNanos",
  "ListCostRest",
  "ContractedCostNanos",
  "ContractedCostRest",
  "ConsumedQuantity",
  "PricingQuantity",
  "GpuHours",
] as const;
const measuresOf = (alias: string): string => measures.map((measure) => `${alias}.${measure}`).join(", ");

export const chargeViews: readonly string[] = [
  // The order of the joins is fixed in these views: from the few groups to the many cells, never the other way.
  // What the bills say today, a row a billing month (of its group) and series. Join series on SeriesId for every dimension.
  `CREATE TEMP VIEW charge_month_current AS
   SELECT
     g.Month, g.GroupId, g.ProviderName, g.DatasetKind, g.BillingAccountId, m.SeriesId, ${measuresOf("m")}
   FROM delivery_group g
   CROSS JOIN charge_month m ON m.GroupId = g.GroupId AND m.Generation = g.CurrentGeneration`,

  // The same by UTC day of charge time; Month is the billing month. An account and day show the cells of one delivery only.
  // Cells by delivery and day, then the owner of each by key.
  `CREATE TEMP VIEW charge_day_current AS
   SELECT
     g.Month, g.GroupId, g.ProviderName, g.DatasetKind, g.BillingAccountId, d.BatchId, c.DeliveryId, c.Day, c.SeriesId, ${measuresOf("c")}
   FROM delivery_group g
   CROSS JOIN delivery d ON d.GroupId = g.GroupId AND d.CellsKept = 1
   CROSS JOIN charge_day c ON c.DeliveryId = d.DeliveryId
   CROSS JOIN series s ON s.SeriesId = c.SeriesId
   CROSS JOIN day_owner o ON o.GroupId = g.GroupId AND o.Generation = g.CurrentGeneration AND o.AccountKey = s.AccountKey AND o.Day = c.Day
   WHERE o.DeliveryId = c.DeliveryId`,

  // Hourly profiles of GPU series of which at least one day shows. Month is a UTC month of charge time. ShownDays: the days that
  // count, as a JSON array of days since 1970-01-01; hours of other days in the blob belong to another delivery.
  `CREATE TEMP VIEW gpu_charge_hours_current AS
   SELECT * FROM (
     SELECT
       h.Month, g.GroupId, h.DeliveryId, h.SeriesId, s.AccountKey, h.Hours,
       (
         SELECT json_group_array(o.Day)
         FROM day_owner o
         WHERE o.GroupId = g.GroupId AND o.Generation = g.CurrentGeneration AND o.AccountKey = s.AccountKey
           AND o.Day >= unixepoch(h.Month || '-01') / 86400 AND o.Day < unixepoch(h.Month || '-01', '+1 month') / 86400
           AND o.DeliveryId = h.DeliveryId
       ) AS ShownDays
     FROM delivery_group g
     CROSS JOIN delivery d ON d.GroupId = g.GroupId AND d.CellsKept = 1
     CROSS JOIN gpu_charge_hours h ON h.DeliveryId = d.DeliveryId
     CROSS JOIN series s ON s.SeriesId = h.SeriesId
   ) WHERE ShownDays <> '[]'`,
];
