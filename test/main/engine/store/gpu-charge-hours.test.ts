import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeGpuChargeHours, encodeGpuChargeHours } from "../../../../main/engine/store/gpu-charge-hours.ts";

describe("hours of GPU charges", () => {
  it("are 24 bytes each, ascending", () => {
    const bytes = encodeGpuChargeHours([
      { hour: 5, gpuHours: 8, effectiveAttos: -1n },
      { hour: 2, gpuHours: 0.5, effectiveAttos: null },
    ]);
    expect(bytes.length).toBe(48);
    expect(decodeGpuChargeHours(bytes)).toEqual([
      { hour: 2, gpuHours: 0.5, effectiveAttos: null },
      { hour: 5, gpuHours: 8, effectiveAttos: -1n },
    ]);
  });

  it("come back as they went in", () => {
    const hour = fc.record({ hour: fc.integer({ min: 0, max: 743 }), gpuHours: fc.double({ min: 0, max: 1e6, noNaN: true }), effectiveAttos: fc.option(fc.bigInt({ min: -(10n ** 27n), max: 10n ** 27n })) });
    fc.assert(
      fc.property(fc.uniqueArray(hour, { selector: (item) => item.hour, maxLength: 50 }), (hours) => {
        expect(decodeGpuChargeHours(encodeGpuChargeHours(hours))).toEqual([...hours].sort((a, b) => a.hour - b.hour));
      }),
    );
  });
});
