import { describe, expect, it } from "vitest";
import { decimal, ONE, toDecimal, whole, ZERO } from "../../../../shared/domain/rational.ts";
import { billingGranularity, type BusyDevice } from "../../../../main/engine/planning/billing-granularity.ts";

const device = (busySeconds: number, busyHours: number, starts: number): BusyDevice => ({ busySeconds: whole(busySeconds), busyHours: whole(busyHours), starts: whole(starts), share: ONE });
const prices = { monthHours: whole(720), secondHourly: whole(4), hourHourly: whole(3), monthly: whole(1440) };

describe("one month's busy time, billed three ways", () => {
  it("counts seconds, started hours and months of each GPU by itself", () => {
    // 30 minutes in one hour, and 90 minutes over two: 2 hours of work, 3 started hours, 2 GPU-months.
    const costs = billingGranularity({ devices: [device(1800, 1, 1), device(5400, 2, 1)], ...prices, startSeconds: ZERO });
    expect([costs.busyGpuHours, costs.billedByHour, costs.billedByMonth].map(toDecimal)).toEqual(["2", "3", "1440"]);
    expect([costs.bySecond, costs.byHour, costs.byMonth].map((cost) => (cost === null ? null : toDecimal(cost)))).toEqual(["8", "9", "2880"]);
  });

  it("bills each start, where seconds are billed", () => {
    const costs = billingGranularity({ devices: [device(3600, 1, 10)], ...prices, startSeconds: whole(360) });
    expect(toDecimal(costs.billedBySecond)).toBe("2");
  });

  it("breaks even for a month at its price over the seconds' price of a whole month", () => {
    expect(toDecimal(billingGranularity({ devices: [device(3600, 1, 1)], ...prices, startSeconds: ZERO }).breakEvenUse ?? ZERO)).toBe("0.5");
  });

  it("leaves a GPU out that was never busy, and an unknown price unknown", () => {
    const costs = billingGranularity({ devices: [device(0, 0, 0)], ...prices, hourHourly: null, startSeconds: decimal("9") });
    expect(costs).toMatchObject({ byHour: null, use: null, billedByMonth: ZERO });
  });
});
