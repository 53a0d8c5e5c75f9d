const measures = [
  "RowCount", "BilledCostNanos", "BilledCostRest", "EffectiveCostNanos", "EffectiveCostRest", "ListCostNanos", "ListCostRest",
  "ContractedCostNanos", "ContractedCostRest", "GpuHours",
];
const measuresOf = (alias: string): string => measures.map((measure) => `${alias}.${measure}`).join(", ");

/** Charges by line. A group without lines of what it shows has no row here: store/grain.ts says where a question may read them. */
export const lineViews: readonly string[] = [
  `CREATE TEMP VIEW charge_line_month_current AS
   SELECT g.Month, g.GroupId, m.LineId, m.Facts, ${measuresOf("m")}
   FROM delivery_group g
   CROSS JOIN charge_line_month m ON m.GroupId = g.GroupId AND m.Generation = g.LinesGeneration
   WHERE g.LinesGeneration = g.CurrentGeneration`,

  // By UTC day of charge time; Month is the billing month.
  `CREATE TEMP VIEW charge_line_day_current AS
   SELECT g.Month, g.GroupId, d.Day, d.LineId, d.Facts, ${measuresOf("d")}
   FROM delivery_group g
   CROSS JOIN charge_line_day d ON d.GroupId = g.GroupId AND d.Generation = g.LinesGeneration
   WHERE g.LinesGeneration = g.CurrentGeneration`,
];
