import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakEvenMeanTime, checkpointIntervals, meanTimeFromBand, overheadFactor, spotCost, spotWithNotice, spotWithoutCheckpoints, type SpotInputs } from "../../../../main/engine/planning/spot.ts";

const spot: SpotInputs = { meanTimeHours: 10, instances: 1, spotHourly: 1, onDemandHourly: 4, checkpointHours: 0.1, restartHours: 0.2, intervalHours: null, waitHours: 0, storagePerUsefulHour: 0, reserved: null };

describe("the interval between checkpoints", () => {
  it("is near √(2δM) where interruptions are rare, and never beyond M", () => {
    expect(checkpointIntervals(200, 0.01)!.young).toBeCloseTo(2, 12);
    expect(checkpointIntervals(1, 50)!).toMatchObject({ young: 10, daly: 1, exact: 1 });
    expect(checkpointIntervals(5, 0)).toEqual({ young: 0, daly: 0, exact: 0 });
    expect([checkpointIntervals(0, 1), checkpointIntervals(1, -1)]).toEqual([null, null]);
  });

  it("has less overhead than the intervals beside it", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 1e4, noNaN: true }), fc.double({ min: 1e-6, max: 1, noNaN: true }), (meanTime, checkpoint) => {
        fc.pre(checkpoint < 20 * meanTime);
        const { exact } = checkpointIntervals(meanTime, checkpoint)!;
        const at = (interval: number) => overheadFactor(meanTime, interval, checkpoint, 0.1);
        for (const factor of [0.5, 0.9, 1.1, 2]) expect(at(exact * factor)).toBeGreaterThanOrEqual(at(exact) * (1 - 1e-12));
      }),
    );
  });
});

describe("the overhead of interruptions", () => {
  it("is at least 1 and falls with the mean time (property 9)", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.2, max: 1e4, noNaN: true }), fc.double({ min: 1.01, max: 3, noNaN: true }), (meanTime, factor) => {
        const overhead = (hours: number) => spotCost({ ...spot, meanTimeHours: hours })!.overheadFactor;
        expect(overhead(meanTime)).toBeGreaterThanOrEqual(1);
        expect(overhead(meanTime * factor)).toBeLessThan(overhead(meanTime));
      }),
    );
  });

  it("is the restart alone where checkpoints are free", () => {
    expect(spotCost({ ...spot, checkpointHours: 0 })!.overheadFactor).toBeCloseTo(Math.exp(0.02), 14);
  });

  it("grows with a gang that stops together", () => {
    const [one, four] = [spotCost(spot)!, spotCost({ ...spot, instances: 4 })!];
    expect(four.systemMeanTimeHours).toBe(2.5);
    expect(four.costPerUsefulHour).toBeGreaterThan(4 * one.costPerUsefulHour);
    expect(four.onDemandCostPerUsefulHour).toBe(16);
  });
});

describe("spot, on demand or reserved", () => {
  it("takes spot only if it is strictly cheaper", () => {
    expect(spotCost(spot)).toMatchObject({ cheapest: "spot", reservedCostPerUsefulHour: null });
    expect(spotCost({ ...spot, spotHourly: 4 })).toMatchObject({ cheapest: "on_demand" });
    expect(spotCost({ ...spot, reserved: { effectiveHourly: 0.5, utilization: 1 } })).toMatchObject({ cheapest: "reserved", reservedCostPerUsefulHour: 0.5 });
    expect(spotCost({ ...spot, reserved: { effectiveHourly: 0.5, utilization: 0 } })).toMatchObject({ cheapest: "spot", reservedCostPerUsefulHour: null });
  });

  it("breaks even where the spot price makes both cost the same", () => {
    const { breakEvenSpotHourly } = spotCost({ ...spot, storagePerUsefulHour: 0.3 })!;
    const at = spotCost({ ...spot, storagePerUsefulHour: 0.3, spotHourly: breakEvenSpotHourly })!;
    expect(at.costPerUsefulHour).toBeCloseTo(at.onDemandCostPerUsefulHour, 12);
  });

  it("waits by the wall clock, not by the bill", () => {
    const [without, waiting] = [spotCost(spot)!, spotCost({ ...spot, waitHours: 2 })!];
    expect(waiting.costPerUsefulHour).toBe(without.costPerUsefulHour);
    expect(waiting.wallHoursPerUsefulHour).toBeCloseTo(without.overheadFactor + 2 * without.interruptionsPerUsefulHour, 12);
  });
});

describe("special cases of spot", () => {
  it("without checkpoints explodes with the length of the job", () => {
    const job = spotWithoutCheckpoints(8, 0, 8)!;
    expect(job.expectedWallHours).toBeCloseTo(8 * (Math.E - 1), 12);
    expect(job).toMatchObject({ probabilityOfNoInterruption: Math.exp(-1) });
    expect([spotWithoutCheckpoints(8, 0, 0)!.overheadFactor, spotWithoutCheckpoints(0, 0, 1), spotWithoutCheckpoints(1, 0, 1e4)]).toEqual([null, null, null]);
  });

  it("loses only checkpoint and restart where a notice is long enough", () => {
    const inputs = { meanTimeHours: 10, instances: 1, checkpointHours: 0.5, restartHours: 0.5, noticeHours: 0.5, spotHourly: 1, onDemandHourly: 2 };
    expect(spotWithNotice(inputs)).toEqual({ fitsInNotice: true, overheadFactor: 1.1, costPerUsefulHour: 1.1, savingShare: expect.closeTo(0.45, 12) as number });
    expect(spotWithNotice({ ...inputs, noticeHours: 0.4 })).toEqual({ fitsInNotice: false, overheadFactor: null, costPerUsefulHour: null, savingShare: null });
  });

  it("finds the mean time at which spot stops to win", () => {
    const inputs = { spotHourly: 1, alternativePerUsefulHour: 2, checkpointHours: 0.1, restartHours: 0.2 };
    const { meanTimeHours } = breakEvenMeanTime(inputs);
    expect(spotCost({ ...spot, meanTimeHours: meanTimeHours! })!.overheadFactor).toBeCloseTo(2, 10);
    expect(breakEvenMeanTime({ ...inputs, spotHourly: 2 })).toEqual({ meanTimeHours: null, reason: "spot_price_not_lower" });
    expect(breakEvenMeanTime({ ...inputs, checkpointHours: 0, restartHours: 0 })).toEqual({ meanTimeHours: 0, reason: null });
  });

  it("reads a rate out of a monthly share, where there is one", () => {
    expect(meanTimeFromBand(1 - Math.exp(-1))).toBeCloseTo(730, 9);
    expect([meanTimeFromBand(0), meanTimeFromBand(1)]).toEqual([null, null]);
  });
});
