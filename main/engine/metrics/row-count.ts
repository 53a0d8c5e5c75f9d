import type { ChargeFacts } from "./charges.ts";
import { figureOf, type Metric } from "./metric.ts";

/** How many rows of bills stand behind the period: rows as the files have them, after set-aside ones are left out. */
export const rowCount: Metric<ChargeFacts> = {
  id: "row-count",
  needs: "charges",
  addsUp: true,
  figure: (facts) => figureOf("row-count", facts.rows.reduce((total, row) => total + row.rowCount, 0), "rows", "billed", facts.billCoverage),
  inputs: (facts) => [{ label: "metric.row-count.name", figure: rowCount.figure(facts) }],
};
