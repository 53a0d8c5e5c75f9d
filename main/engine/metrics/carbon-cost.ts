import { decimal, divideHalfEven } from "../../../shared/domain/rational.ts";
import { carbonSums, input, totalCoverage, totalMicrograms, whyNoEmissions, type CarbonFacts } from "./carbon-facts.ts";
import { emissionsTotal } from "./emissions-total.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * What the emissions would cost at the company's internal price of carbon: a scenario, on no invoice (model f.6).
 *
 * unit      money
 * formula   (location-based + embodied share) in tonnes × internal price of a tonne
 * unknown   null without a price
 */
export const carbonCost = {
  id: "carbon-cost",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    const total = totalMicrograms(sums);
    const { pricePerTonne, priceCurrency } = facts;
    if (pricePerTonne === null || priceCurrency === null) return figureOf("carbon-cost", null, facts.currency, "assumed", 1, "no-carbon-price");
    return figureOf("carbon-cost", total === null ? null : costOfMicrograms(total, pricePerTonne), priceCurrency, "assumed", totalCoverage(sums), whyNoEmissions(sums));
  },
  inputs: (facts) => {
    const { pricePerTonne, priceCurrency } = facts;
    const price = pricePerTonne === null ? null : costOfMicrograms(1_000_000_000_000n, pricePerTonne);
    return [
      input("metric.emissions-total.name", emissionsTotal.figure(facts)),
      input("input.carbon-price", figureOf("carbon-cost", price, priceCurrency ?? facts.currency, "assumed", 1, "no-carbon-price")),
    ];
  },
} as const satisfies Metric<CarbonFacts>;

/** Attos: a microgram is 1e-12 of a tonne. Rounded once, half-even. */
export function costOfMicrograms(micrograms: bigint, pricePerTonne: string): bigint {
  const price = decimal(pricePerTonne);
  return divideHalfEven(micrograms * 1_000_000n * price.numerator, price.denominator);
}
