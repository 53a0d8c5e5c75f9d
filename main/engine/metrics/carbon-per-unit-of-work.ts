import { add, decimal, toNumber, ZERO } from "../../../shared/domain/rational.ts";
import { carbonSums, gramsPer, input, totalCoverage, whyNoEmissions, type CarbonFacts } from "./carbon-facts.ts";
import { emissionsTotal } from "./emissions-total.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * Software carbon intensity by the unit of work that the company counts: tokens, images, requests (model f.5).
 *
 * unit      g CO2e/unit
 * formula   (location-based + embodied share) of the months counted ÷ units of work
 * unknown   null where no work is counted, or none was done
 */
export const carbonPerUnitOfWork = {
  id: "carbon-per-unit-of-work",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    const units = unitsOf(facts);
    return figureOf("carbon-per-unit-of-work", gramsPer(sums, units), "gCO2e/unit", "derived", totalCoverage(sums), units === 0 ? "no-work-units" : whyNoEmissions(sums));
  },
  inputs: (facts) => [
    input("metric.emissions-total.name", emissionsTotal.figure(facts)),
    input("input.work-units", figureOf("carbon-per-unit-of-work", facts.work.length === 0 ? null : unitsOf(facts), "count", "assumed", 1, "no-work-units")),
  ],
} as const satisfies Metric<CarbonFacts>;

function unitsOf({ work }: CarbonFacts): number {
  return toNumber(work.reduce((sum, { count }) => add(sum, decimal(count)), ZERO));
}
