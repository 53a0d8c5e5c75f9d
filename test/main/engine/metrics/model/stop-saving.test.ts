import { describe, expect, it } from "vitest";
import { stopSaving } from "../../../../../main/engine/metrics/model/stop-saving.ts";

const hour = (at: number, gpuHours: number, cost: bigint | null, purchaseOption: "on-demand" | "reservation" | null = "on-demand") => ({ hour: at, gpuHours, costAttos: cost, purchaseOption });

describe("what a stop saves", () => {
  it("is the cost of the hours by the time it was off in them", () => {
    expect(stopSaving([{ start: 1800, end: 5400 }], 8, [hour(0, 8, 100n), hour(1, 8, 200n), hour(2, 8, 900n)])).toEqual({ seconds: 3600, gpuHours: 8, savedAttos: 150n, sunkAttos: 0n, unclearAttos: 0n });
  });

  it("is never more than an hour billed: a machine that ran half of it costs half", () => {
    expect(stopSaving([{ start: 0, end: 3600 }], 8, [hour(0, 4, 100n)])).toMatchObject({ gpuHours: 4, savedAttos: 100n });
    expect(stopSaving([{ start: 0, end: 3600 }], 8, [])).toMatchObject({ seconds: 3600, gpuHours: 0, savedAttos: 0n });
  });

  it("is not cash where a commitment pays, or where nobody says how the hour was bought", () => {
    expect(stopSaving([{ start: 0, end: 1800 }], 8, [hour(0, 4, 100n), hour(0, 2, 60n, "reservation"), hour(0, 2, 40n, null)])).toMatchObject({ gpuHours: 4, savedAttos: 50n, sunkAttos: 30n, unclearAttos: 20n });
  });

  it("leaves out what no bill prices, and follows a credit below zero", () => {
    expect(stopSaving([{ start: 0, end: 3600 }], 8, [hour(0, 8, null)])).toMatchObject({ savedAttos: 0n });
    expect(stopSaving([{ start: 0, end: 1800 }], 8, [hour(0, 8, -101n)])).toMatchObject({ savedAttos: -50n });
  });
});
