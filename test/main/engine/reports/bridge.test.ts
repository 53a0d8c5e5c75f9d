import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chargeClasses, type ChargeRow } from "../../../../main/engine/metrics/charges.ts";
import { bridge } from "../../../../main/engine/reports/bridge.ts";

const base: ChargeRow = {
  month: "2026-09", chargeClass: "gpu", provider: "AWS", account: null, team: "vision", service: null, region: null, gpuModel: "H100", purchaseOption: "on-demand", isCovered: 0,
  rowCount: 1, costAttos: 0n, unstatedRows: 0, effectiveAttos: 0n, listAttos: 0n, effectiveWithListAttos: 0n, gpuHours: null, rowsWithHours: 0, costWithHoursAttos: 0n,
};
const line = (team: string, costAttos: bigint, gpuHours: number | null, change: Partial<ChargeRow> = {}): ChargeRow => ({ ...base, team, costAttos, gpuHours, rowsWithHours: gpuHours === null ? 0 : 1, ...change });

describe("the bridge from one period to the next", () => {
  it("takes a dearer hour for price, more hours for volume", () => {
    const parts = bridge([line("vision", 100n, 10)], [line("vision", 132n, 12)]);
    expect(parts).toMatchObject({ before: 100n, now: 132n, price: 12n, volume: 20n, mix: 0n, gpuHoursChange: 2 });
  });

  it("takes a shift to the dearer line at the same hours and prices for mix", () => {
    const parts = bridge([line("a", 100n, 10), line("b", 10n, 10)], [line("a", 150n, 15), line("b", 5n, 5)]);
    expect(parts).toMatchObject({ price: 0n, volume: 0n, mix: 45n });
  });

  it("calls a line that only one period has new or gone, whatever its hours", () => {
    expect(bridge([line("a", 7n, 1)], [line("b", 9n, 3)])).toMatchObject({ added: 9n, gone: -7n, volume: 0n, price: 0n, gpuHoursChange: null });
  });

  it("claims no price where a line does not tell its hours in both periods", () => {
    expect(bridge([line("a", 7n, null)], [line("a", 9n, 3)])).toMatchObject({ gpuWithoutHours: 2n, price: 0n, volume: 0n });
    expect(bridge([line("a", 7n, 0)], [line("a", 9n, 3)])).toMatchObject({ gpuWithoutHours: 2n });
  });

  it("closes to the change, to the atto, whatever the lines", () => {
    const row = fc.record({
      team: fc.constantFrom("a", "b", null),
      gpuModel: fc.constantFrom("H100", "L4"),
      purchaseOption: fc.constantFrom("on-demand" as const, "spot" as const, null),
      chargeClass: fc.constantFrom(...chargeClasses),
      costAttos: fc.oneof(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.constant(null)),
      gpuHours: fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant(null)),
      rowsWithHours: fc.constantFrom(0, 1),
    });
    const rows = fc.array(row.map((change): ChargeRow => ({ ...base, ...change })), { maxLength: 12 });
    fc.assert(
      fc.property(rows, rows, (before, now) => {
        const { before: from, now: to, price, volume, mix, added, gone, gpuWithoutHours, unusedCommitments, purchases, otherServices, tax, credits } = bridge(before, now);
        expect(from + price + volume + mix + added + gone + gpuWithoutHours + unusedCommitments + purchases + otherServices + tax + credits).toBe(to);
      }),
    );
  });
});
