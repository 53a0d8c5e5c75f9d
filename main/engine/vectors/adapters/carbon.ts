import { carbon, carbonRange, linearPower, type CarbonBound } from "../../carbon/model.ts";
import { fieldsAt, isAbsent, numberAt, numberOr, numberText, type Adapter, type Fields } from "../fields.ts";

/** Model f. */
export const carbonAdapters: Readonly<Record<string, Adapter>> = {
  gpu_power: (input) => ({ power_w: numberText(linearPower(numberOr(input, "utilisation", null), numberAt(input, "idle_w"), numberAt(input, "max_w"))) }),
  carbon: (input) => {
    const embodied = isAbsent(input, "embodied") ? null : fieldsAt(input, "embodied");
    const result = carbon({
      gpuKilowattHours: numberAt(input, "gpu_kwh"),
      hostOverheadShare: numberOr(input, "host_overhead_fraction", 0),
      pue: numberOr(input, "pue", 1),
      gridGramsPerKilowattHour: numberOr(input, "grid_g_per_kwh", null),
      contractedShare: numberOr(input, "contracted_fraction", 0),
      contractedGramsPerKilowattHour: numberOr(input, "contracted_g_per_kwh", 0),
      residualGramsPerKilowattHour: numberOr(input, "residual_g_per_kwh", null),
      embodied:
        embodied === null
          ? null
          : {
              totalKilograms: numberAt(embodied, "total_kg"),
              reservedHours: numberAt(embodied, "reserved_hours"),
              lifetimeHours: numberAt(embodied, "lifetime_hours"),
              resourcesReserved: numberOr(embodied, "resources_reserved", 1),
              resourcesTotal: numberOr(embodied, "resources_total", 1),
            },
      functionalUnits: numberOr(input, "functional_units", null),
      pricePerTonne: numberOr(input, "price_per_tonne", null),
    });
    return {
      energy_kwh: numberText(result.energyKilowattHours),
      location_g: numberText(result.locationGrams),
      market_g: numberText(result.marketGrams),
      embodied_g: numberText(result.embodiedGrams),
      total_location_g: numberText(result.totalLocationGrams),
      sci_g_per_unit: numberText(result.intensityGramsPerUnit),
      carbon_cost: numberText(result.carbonCost),
    };
  },
  carbon_range: (input) => {
    const range = carbonRange(boundAt(input, "low"), boundAt(input, "central"), boundAt(input, "high"));
    return {
      low_g: numberText(range.lowGrams),
      central_g: numberText(range.centralGrams),
      high_g: numberText(range.highGrams),
      minus_fraction: numberText(range.minusShare),
      plus_fraction: numberText(range.plusShare),
    };
  },
};

function boundAt(input: Fields, key: string): CarbonBound {
  const bound = fieldsAt(input, key);
  return { kilowattHours: numberAt(bound, "kwh"), pue: numberAt(bound, "pue"), gridGramsPerKilowattHour: numberAt(bound, "grid_g_per_kwh"), embodiedGrams: numberOr(bound, "embodied_g", 0) };
}
