import type { CarbonRow } from "../../../shared/contract/carbon.ts";
import { carbonSums, gramsPer, input, totalCoverage, whyNoEmissions, type CarbonFacts } from "./carbon-facts.ts";
import { emissionsTotal } from "./emissions-total.ts";
import { figureOf, sumStated, type Metric } from "./metric.ts";

/**
 * Emissions for each unit of money spent on GPU time, in one currency: rows of others are left out on both sides.
 *
 * unit      g CO2e/unit of the currency
 * formula   (location-based + embodied share) of the currency's rows ÷ their effective cost
 * unknown   null without a cost
 */
export const carbonPerMoney = {
  id: "carbon-per-money",
  needs: "carbon",
  addsUp: false,
  figure: (facts) => {
    const priced = pricedOf(facts);
    const sums = carbonSums({ rows: priced });
    return figureOf("carbon-per-money", gramsPer(sums, Number(costOf(priced)) / 1e18), `gCO2e/${facts.currency}`, "derived", totalCoverage(sums), priced.length === 0 ? "no-bill" : whyNoEmissions(sums));
  },
  inputs: (facts) => {
    const priced = pricedOf(facts);
    return [
      input("metric.emissions-total.name", emissionsTotal.figure({ ...facts, rows: priced })),
      input("metric.gpu-hours-cost.name", figureOf("gpu-hours-cost", priced.length === 0 ? null : costOf(priced), facts.currency, "billed", 1, "no-bill")),
    ];
  },
} as const satisfies Metric<CarbonFacts>;

const kept = new WeakMap<readonly CarbonRow[], Map<string, readonly CarbonRow[]>>();

function pricedOf({ rows, currency }: CarbonFacts): readonly CarbonRow[] {
  let byCurrency = kept.get(rows);
  if (byCurrency === undefined) kept.set(rows, (byCurrency = new Map<string, readonly CarbonRow[]>()));
  let priced = byCurrency.get(currency);
  if (priced === undefined) byCurrency.set(currency, (priced = rows.filter((row) => row.currency === currency && row.costAttos !== null)));
  return priced;
}

function costOf(rows: readonly CarbonRow[]): bigint {
  return sumStated(rows.map(({ costAttos }) => costAttos)) ?? 0n;
}
