import { carbonSums, emissionsFigure, input, spanBounds, totalCoverage, totalMicrograms, whyNoEmissions, type CarbonFacts } from "./carbon-facts.ts";
import { emissionsEmbodied } from "./emissions-embodied.ts";
import { emissionsLocation } from "./emissions-location.ts";
import { type Metric } from "./metric.ts";

/**
 * Location-based and embodied emissions together: what the intensities and the price of carbon rest on. Contracts do not enter.
 *
 * unit      kg CO2e
 * formula   location-based + embodied share
 * unknown   null where either is
 */
export const emissionsTotal = {
  id: "emissions-total",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return emissionsFigure("emissions-total", totalMicrograms(sums), totalCoverage(sums), whyNoEmissions(sums));
  },
  inputs: (facts) => [
    input("metric.emissions-location.name", emissionsLocation.figure(facts)),
    input("metric.emissions-embodied.name", emissionsEmbodied.figure(facts)),
  ],
  bounds: (facts) => {
    const sums = carbonSums(facts);
    const { locationSpan: place, embodiedMicrograms: making } = sums;
    if (place === null || making === null) return null;
    return spanBounds("emissions-total", { low: place.low + making.low, central: place.central + making.central, high: place.high + making.high }, totalCoverage(sums));
  },
} as const satisfies Metric<CarbonFacts>;
