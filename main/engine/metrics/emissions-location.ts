import { carbonSums, emissionsFigure, input, spanBounds, whyNoEmissions, type CarbonFacts } from "./carbon-facts.ts";
import { energyKwh } from "./energy-kwh.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * Emissions of the electricity by where it was drawn: what the grids of the regions emit (model f.3).
 *
 * unit      kg CO2e
 * formula   Σ energy of the site × grid factor of its zone and year
 * unknown   rows without energy or factor are left out and lower the coverage; null where all are
 */
export const emissionsLocation = {
  id: "emissions-location",
  needs: "carbon",
  addsUp: true,
  figure: (facts) => {
    const sums = carbonSums(facts);
    return emissionsFigure("emissions-location", sums.locationMicrograms, coverageOf(sums.covered.location, sums.gpuHours), whyNoEmissions(sums));
  },
  inputs: (facts) => {
    const { locationMicrograms: emitted, facilityMilliwattHours: facility } = carbonSums(facts);
    const factor = emitted === null || facility === null ? null : share(emitted, facility);
    return [input("metric.energy-kwh.name", energyKwh.figure(facts)), input("input.grid-weighted", figureOf("emissions-location", factor, "gCO2e/kWh", "derived", 1, "no-grid-factor"))];
  },
  bounds: (facts) => {
    const { locationSpan, covered, gpuHours } = carbonSums(facts);
    return spanBounds("emissions-location", locationSpan, coverageOf(covered.location, gpuHours));
  },
} as const satisfies Metric<CarbonFacts>;
