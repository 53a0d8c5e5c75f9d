import { carbonSums, emissionsFigure, input, spanBounds, whyNoEmissions, type CarbonFacts } from "./carbon-facts.ts";
import { energyKwh } from "./energy-kwh.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * Emissions of the electricity by what was bought: contracts and certificates for their share, the residual mix for the rest, and the
 * grid's factor where there is neither (model f.3). Never netted against the location-based figure; zero is not called "zero emissions".
 *
 * unit      kg CO2e
 * formula   Σ energy of the site × (share × contract + the rest × residual mix, else grid)
 * unknown   as the location-based figure. Coverage: GPU-hours with a contract or a residual mix
 */
export const emissionsMarket = {
  id: "emissions-market",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return emissionsFigure("emissions-market", sums.marketMicrograms, coverageOf(sums.covered.market, sums.gpuHours), whyNoEmissions(sums));
  },
  inputs: (facts) => {
    const { marketMicrograms: emitted, facilityMilliwattHours: facility } = carbonSums(facts);
    const factor = emitted === null || facility === null ? null : share(emitted, facility);
    return [input("metric.energy-kwh.name", energyKwh.figure(facts)), input("input.market-weighted", figureOf("emissions-market", factor, "gCO2e/kWh", "derived", 1, "no-grid-factor"))];
  },
  bounds: (facts) => {
    const { marketSpan, covered, gpuHours } = carbonSums(facts);
    return spanBounds("emissions-market", marketSpan, coverageOf(covered.market, gpuHours));
  },
} as const satisfies Metric<CarbonFacts>;
