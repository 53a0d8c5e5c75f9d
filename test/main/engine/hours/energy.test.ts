import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceEnergy, energyFactNames, noEnergy, splitEnergy, type EnergyFacts } from "../../../../main/engine/hours/energy.ts";
import { emptyTrace, idleStates, type Trace } from "../../../../main/engine/hours/timeline.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";

const hour = 3_600_000;
const minute = 60_000;
/** Segments as [start, end, value], in minutes of hour 0. */
function trace(...segments: readonly (readonly [number, number, number])[]): Trace {
  return {
    startMs: Float64Array.from(segments, ([start]) => start * minute),
    endMs: Float64Array.from(segments, ([, end]) => end * minute),
    value: Float32Array.from(segments, ([, , value]) => value),
  };
}
function energyOf(traces: { utilization?: Trace; memoryUsed?: Trace; power?: Trace; counter?: Trace; memoryTotalMiB?: number | null }): EnergyFacts {
  const { utilization = emptyTrace, memoryUsed = emptyTrace, power = emptyTrace, counter = emptyTrace, memoryTotalMiB = 1000 } = traces;
  const facts = deviceEnergy({ utilization, memoryUsed, power, counter, memoryTotalMiB }, idleStates(utilization, defaultIdlePolicy), defaultIdlePolicy, 0, 1);
  return facts.get(0) ?? noEnergy();
}

describe("energy of a device's hour", () => {
  it("takes the counter first, then power samples, then the utilization: no minute counts twice", () => {
    // 20 minutes counted at 600 W, 20 sampled at 300 W, 20 with a utilization of 50 % alone. The samples of the first 20 minutes are passed over.
    const facts = energyOf({ utilization: trace([0, 60, 50]), power: trace([0, 40, 300]), counter: trace([0, 20, 600]) });
    expect(facts).toEqual({
      ...noEnergy(), counterHours: 20 / 60, counterWattHours: 200, powerHours: 20 / 60, powerWattHours: 100, modelHours: 20 / 60, modelUsefulHours: 10 / 60,
    });
  });

  it("joins power samples by trapezoids and lets a counter's mean hold", () => {
    expect(energyOf({ power: trace([0, 30, 100], [30, 60, 300]) }).powerWattHours).toBeCloseTo(100 + 150, 9);
    expect(energyOf({ counter: trace([0, 30, 100], [30, 60, 300]) }).counterWattHours).toBeCloseTo(50 + 150, 9);
  });

  it("tells what was drawn while idle, with memory held, empty, or not known", () => {
    const facts = energyOf({ utilization: trace([0, 60, 0]), memoryUsed: trace([0, 20, 500], [20, 40, 1]), power: trace([0, 60, 90]) });
    expect(facts).toMatchObject({ powerWattHours: 90, heldWattHours: 30, deadWattHours: 30, idleMemoryUnknownWattHours: 30, modelHours: 0 });
    const modeled = energyOf({ utilization: trace([0, 60, 0]), memoryUsed: trace([0, 20, 500], [20, 40, 1]) });
    expect(modeled).toMatchObject({ modelHours: 1, modelHeldHours: 20 / 60, modelDeadHours: 20 / 60, modelIdleMemoryUnknownHours: 20 / 60, powerWattHours: 0 });
  });

  it("never cuts a reading at a rated maximum", () => {
    expect(energyOf({ power: trace([0, 60, 1234]) }).powerWattHours).toBe(1234);
  });

  it("leaves an hour without telemetry to whoever bills it", () => {
    expect(deviceEnergy({ utilization: emptyTrace, memoryUsed: emptyTrace, power: emptyTrace, counter: emptyTrace, memoryTotalMiB: null }, idleStates(emptyTrace, defaultIdlePolicy), defaultIdlePolicy, 0, 24).size).toBe(0);
    expect(hour).toBe(60 * minute);
  });
});

describe("energy of an hour among its charges", () => {
  it("goes by the GPU-hours each bills, as the cost does", () => {
    const facts = { ...noEnergy(), powerHours: 8, powerWattHours: 4000, heldWattHours: 400 };
    expect(splitEnergy([{ seriesId: 1, gpuHours: 6 }, { seriesId: 2, gpuHours: 2 }, { seriesId: 3, gpuHours: -1 }], facts).map(({ powerHours, powerWattHours, heldWattHours }) => [powerHours, powerWattHours, heldWattHours])).toEqual([
      [6, 3_000_000, 300_000], [2, 1_000_000, 100_000], [0, 0, 0],
    ]);
  });

  it("scales telemetry beyond what was billed down to it", () => {
    const [part] = splitEnergy([{ seriesId: 1, gpuHours: 4 }], { ...noEnergy(), powerHours: 6, powerWattHours: 3000, modelHours: 2, modelUsefulHours: 1 });
    expect(part).toMatchObject({ powerHours: 3, powerWattHours: 1_500_000, modelHours: 1, modelUsefulHours: 0.5 });
  });

  it("adds up to the hour's milliwatt-hours for any charges", () => {
    const hours = fc.double({ min: 0, max: 64, noNaN: true });
    fc.assert(
      fc.property(fc.array(hours, { minLength: 1, maxLength: 9 }), fc.array(fc.double({ min: 0, max: 50_000, noNaN: true }), { minLength: 5, maxLength: 5 }), (billed, energy) => {
        const [counter = 0, power = 0, held = 0, dead = 0, unknown = 0] = energy;
        const facts = { ...noEnergy(), counterWattHours: counter, powerWattHours: power, heldWattHours: held, deadWattHours: dead, idleMemoryUnknownWattHours: unknown };
        const parts = splitEnergy(billed.map((gpuHours, seriesId) => ({ seriesId, gpuHours })), facts);
        for (const name of energyFactNames.filter((each) => each.endsWith("WattHours"))) {
          const whole = billed.some((each) => each > 0) ? Math.round(facts[name] * 1000) : 0;
          expect(parts.reduce((sum, part) => sum + part[name], 0)).toBe(whole);
          parts.forEach((part, index) => {
            expect(Number.isInteger(part[name]) && part[name] >= 0).toBe(true);
            if (billed[index] === 0) expect(part[name]).toBe(0);
          });
        }
      }),
    );
  });
});
