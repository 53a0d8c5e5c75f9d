import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carbon, carbonRange, embodiedGrams, linearPower, type CarbonInputs } from "../../../../main/engine/carbon/model.ts";

const inputs: CarbonInputs = {
  gpuKilowattHours: 10,
  hostOverheadShare: 0.5,
  pue: 2,
  gridGramsPerKilowattHour: 100,
  contractedShare: 0.25,
  contractedGramsPerKilowattHour: 0,
  residualGramsPerKilowattHour: 200,
  embodied: { totalKilograms: 3, reservedHours: 1, lifetimeHours: 3, resourcesReserved: 1, resourcesTotal: 2 },
  functionalUnits: 7,
  pricePerTonne: 1000,
};

describe("power from utilization", () => {
  it("is linear between idle and maximum, and held within them", () => {
    expect([0, 0.5, 1.2, -0.1, null].map((utilization) => linearPower(utilization, 100, 300))).toEqual([100, 200, 300, 100, null]);
  });
});

describe("carbon of GPU work", () => {
  it("shows location and market beside each other, and the share of the making", () => {
    // 10 kWh, half more for the host, twice that at the site: 30 kWh.
    expect(carbon(inputs)).toEqual({ energyKilowattHours: 30, locationGrams: 3000, marketGrams: 4500, embodiedGrams: 500, totalLocationGrams: 3500, intensityGramsPerUnit: 500, carbonCost: 3.5 });
  });

  it("does not take an unknown grid for a clean one", () => {
    expect(carbon({ ...inputs, gridGramsPerKilowattHour: null, residualGramsPerKilowattHour: null })).toMatchObject({ locationGrams: null, marketGrams: null, totalLocationGrams: null, intensityGramsPerUnit: null, carbonCost: null });
    expect(carbon({ ...inputs, gridGramsPerKilowattHour: null, residualGramsPerKilowattHour: null, contractedShare: 1 }).marketGrams).toBe(0);
    expect(carbon({ ...inputs, residualGramsPerKilowattHour: null }).marketGrams).toBe(30 * 0.75 * 100);
    expect(carbon({ ...inputs, functionalUnits: 0 }).intensityGramsPerUnit).toBeNull();
    expect(embodiedGrams({ totalKilograms: 3, reservedHours: 1, lifetimeHours: 0, resourcesReserved: 1, resourcesTotal: 1 })).toBeNull();
  });

  it("scales with the energy", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), (kilowattHours) => {
        expect(carbon({ ...inputs, gpuKilowattHours: kilowattHours }).locationGrams).toBeCloseTo(kilowattHours * 300, 6);
      }),
    );
  });
});

describe("the range of a carbon figure", () => {
  it("multiplies lows with lows and highs with highs", () => {
    const bound = (kilowattHours: number, embodied: number) => ({ kilowattHours, pue: 1, gridGramsPerKilowattHour: 10, embodiedGrams: embodied });
    expect(carbonRange(bound(5, 0), bound(9, 10), bound(20, 50))).toEqual({ lowGrams: 50, centralGrams: 100, highGrams: 250, minusShare: 0.5, plusShare: 1.5 });
    expect(carbonRange(bound(0, 0), bound(0, 0), bound(1, 0))).toMatchObject({ minusShare: null, plusShare: null });
  });
});
