import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confidence, fleetUtilization, idleCost } from "../../../../../main/engine/metrics/model/idle-cost.ts";
import { add, compare, decimal, rational, whole } from "../../../../../shared/domain/rational.ts";

const hour = (count: number) => whole(count * 3600);

describe("the cost of idle time", () => {
  it("splits into what can be stopped now and what is paid until expiry, and gives a range", () => {
    // 10 hours billed for 2 GPUs at 3: 1 hour idle, 2 unknown, a quarter committed.
    expect(idleCost({ idleSeconds: hour(1), unknownSeconds: hour(2), billedSeconds: hour(10), gpus: whole(2), pricePerGpuHour: whole(3), committedShare: decimal("0.25") })).toEqual({
      idleGpuHours: whole(2),
      idleCost: whole(6),
      avoidableNow: decimal("4.5"),
      sunkUntilExpiry: decimal("1.5"),
      scaledCost: decimal("7.5"),
      upperBound: whole(18),
      coverage: decimal("0.8"),
      confidence: "medium",
    });
  });

  it("gives no single figure with less than half observed, nor for nothing billed", () => {
    const inputs = { idleSeconds: hour(1), unknownSeconds: hour(6), billedSeconds: hour(10), gpus: whole(1), pricePerGpuHour: whole(1), committedShare: whole(0) };
    expect(idleCost(inputs)).toMatchObject({ scaledCost: null, confidence: "insufficient", idleCost: whole(1), upperBound: whole(7) });
    expect(idleCost({ ...inputs, idleSeconds: whole(0), unknownSeconds: whole(0), billedSeconds: whole(0) })).toMatchObject({ coverage: null, scaledCost: null, confidence: "insufficient" });
  });

  it("names its confidence by the share observed", () => {
    expect(["1", "0.95", "0.949", "0.8", "0.79", "0.5", "0.49"].map((coverage) => confidence(decimal(coverage)))).toEqual(["high", "high", "medium", "medium", "low", "low", "insufficient"]);
  });

  it("has parts that add up, and a range that only widens (property 4, 5)", () => {
    fc.assert(
      fc.property(fc.nat({ max: 50 }), fc.nat({ max: 50 }), fc.nat({ max: 10 }), (idle, unknown, tenths) => {
        const inputs = { idleSeconds: hour(idle), unknownSeconds: hour(unknown), billedSeconds: hour(100), gpus: whole(8), pricePerGpuHour: decimal("4.0965"), committedShare: rational(BigInt(tenths), 10n) };
        const cost = idleCost(inputs);
        expect(add(cost.avoidableNow, cost.sunkUntilExpiry)).toEqual(cost.idleCost);
        expect(compare(idleCost({ ...inputs, unknownSeconds: hour(unknown + 1) }).upperBound, cost.upperBound)).toBe(1);
      }),
    );
  });
});

describe("the utilization of a fleet", () => {
  const row = (gpus: number, knownHours: number, mean: number | null, price: number) => ({ gpus: whole(gpus), knownHours: whole(knownHours), mean: mean === null ? null : whole(mean), pricePerGpuHour: whole(price) });

  it("weighs GPU-hours, not machines", () => {
    expect(fleetUtilization([row(3, 1, 0, 1), row(1, 1, 100, 3), row(8, 0, null, 1)])).toEqual({ gpuHourWeighted: whole(25), costWeighted: whole(50), simpleMean: whole(50) });
  });

  it("is null where nothing is known", () => {
    expect(fleetUtilization([row(8, 0, null, 1)])).toEqual({ gpuHourWeighted: null, costWeighted: null, simpleMean: null });
  });
});
