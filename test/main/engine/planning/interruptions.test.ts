import { describe, expect, it } from "vitest";
import { meanTimeToInterruption, savingClaim } from "../../../../main/engine/planning/interruptions.ts";
import { spotCost } from "../../../../main/engine/planning/spot.ts";

const run = (hours: number, wasInterrupted: boolean) => ({ hours, wasInterrupted });

describe("the person's own log of interruptions", () => {
  it("gives hours that ran by interruptions; a run that ended by itself adds its hours", () => {
    expect(meanTimeToInterruption([run(20, true), run(10, false), run(18, true)])).toEqual({ runs: 3, hours: 48, interruptions: 2, meanHours: 24, atLeastHours: null });
  });

  it("says no mean where nothing was interrupted, but a bound: the rule of three", () => {
    expect(meanTimeToInterruption([run(300, false)])).toMatchObject({ meanHours: null, atLeastHours: 100 });
    // At the bound, seeing none in 300 hours has a chance of 5 %.
    expect(Math.exp(-300 / 100)).toBeCloseTo(0.05, 3);
  });

  it("knows nothing from no hours", () => {
    expect(meanTimeToInterruption([])).toMatchObject({ meanHours: null, atLeastHours: null });
    expect(meanTimeToInterruption([run(0, true)])).toMatchObject({ meanHours: null, atLeastHours: null });
  });
});

describe("a claimed saving", () => {
  const cost = spotCost({ meanTimeHours: 24, instances: 1, spotHourly: 1.8, onDemandHourly: 12, checkpointHours: 0.05, restartHours: 0.2, intervalHours: null, waitHours: 0, storagePerUsefulHour: 0, reserved: null });

  it("of 85 % fails where the price difference alone is 85 %", () => {
    const claim = savingClaim({ spotHourly: 1.8, onDemandHourly: 12, overheadFactor: cost?.overheadFactor ?? 0, claim: 0.85 });
    expect(claim).toMatchObject({ byPrice: 0.85, holds: false });
    expect(claim?.net).toBeCloseTo(cost?.savingShare ?? 0, 12);
    expect(claim?.needsPriceShare).toBeCloseTo(0.13936, 4);
  });

  it("holds from the price that it needs, and not a hair above", () => {
    const needs = savingClaim({ spotHourly: 1, onDemandHourly: 10, overheadFactor: 1.5, claim: 0.4 });
    expect(needs?.needsPriceShare).toBeCloseTo(0.4, 12);
    expect(savingClaim({ spotHourly: 3.999, onDemandHourly: 10, overheadFactor: 1.5, claim: 0.4 })?.holds).toBe(true);
    expect(savingClaim({ spotHourly: 4.001, onDemandHourly: 10, overheadFactor: 1.5, claim: 0.4 })?.holds).toBe(false);
  });

  it("counts the storage of checkpoints", () => {
    expect(savingClaim({ spotHourly: 3, onDemandHourly: 10, overheadFactor: 1, claim: 0.7, storageShare: 0.01 })).toMatchObject({ holds: false, net: expect.closeTo(0.69, 12) as number });
  });

  it("is not tested without a price to save from", () => expect(savingClaim({ spotHourly: 1, onDemandHourly: 0, overheadFactor: 1, claim: 0.5 })).toBeNull());
});
