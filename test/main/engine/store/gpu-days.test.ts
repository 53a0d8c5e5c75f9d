import { describe, expect, it } from "vitest";
import { decodeDeviceDay, encodeDeviceDay, type DeviceDay } from "../../../../main/engine/store/gpu-device-day.ts";
import { costParts, decodeGpuSeriesDay, eachHourRun, encodeGpuSeriesDay, type SeriesOfDay } from "../../../../main/engine/store/gpu-series-day.ts";

describe("the day of all GPU series", () => {
  const ran = (hours: Readonly<Record<number, number>>): Float64Array => Float64Array.from({ length: 24 }, (_, hour) => hours[hour] ?? 0);
  const refund: SeriesOfDay = { seriesId: 4_000_000_000, hourCount: 2, gpuHours: -1_500_000_000, pricedGpuHours: 0, effectiveAttos: -1n, seen: null, ran: ran({}) };
  const seen: SeriesOfDay = {
    seriesId: 5, hourCount: 3, gpuHours: 6e9, pricedGpuHours: 6e9, effectiveAttos: 9n * 10n ** 27n, ran: ran({ 0: 2, 9: 2, 23: 0.1 }),
    seen: { hours: [5e9, 4e9, 3e9, 2e9, 1e9, 7], parts: [-(10n ** 27n), 2n, 3n, 4n, 5n, 9n * 10n ** 27n] },
  };

  it("comes back as it was laid down, in the order of its series, with amounts of either sign", () => {
    const day = decodeGpuSeriesDay(encodeGpuSeriesDay([refund, seen]));
    expect([...day.series]).toEqual([5, 4_000_000_000]);
    expect([...day.gpuHours]).toEqual([6e9, -1.5e9]);
    expect([day.cost.low[1], day.cost.high[1], day.cost.rest[1]]).toEqual([0, 0, -1]);
    expect(BigInt(day.cost.high[0] ?? 0) * 2n ** 32n + BigInt(day.cost.low[0] ?? 0)).toBe(9n * 10n ** 18n);
    const [productive] = costParts;
    expect(BigInt(day.parts[productive].high[0] ?? 0) * 2n ** 32n + BigInt(day.parts[productive].low[0] ?? 0)).toBe(-(10n ** 18n));
    expect([...day.seen.PricedUsefulGpuHours]).toEqual([7]);
    const hours: [number, number, number][] = [];
    eachHourRun(day, (place, hour, gpuHours) => hours.push([place, hour, gpuHours]));
    expect(hours).toEqual([[0, 0, 2], [0, 9, 2], [0, 23, 0.1]]);
  });

  it("is read wherever its bytes lie, and refused where they are not its own", () => {
    const blob = encodeGpuSeriesDay([seen]);
    const shifted = new Uint8Array(blob.length + 3);
    shifted.set(blob, 3);
    expect([...decodeGpuSeriesDay(shifted.subarray(3)).gpuHours]).toEqual([6e9]);
    expect(() => decodeGpuSeriesDay(blob.slice(0, -4))).toThrow(TypeError);
    expect(() => encodeGpuSeriesDay([{ ...refund, effectiveAttos: 10n ** 29n }])).toThrow(/64 bits/);
  });
});

describe("the day of a device", () => {
  it("comes back as it was laid down: what is not known is null, never 0", () => {
    const day: DeviceDay = {
      memoryPeak: null,
      counters: [{ counter: "dram-active", isActivity: false, seconds: 12.5, sum: 0.1 }, { counter: "engine-active", isActivity: true, seconds: 3600, sum: 0 }],
      hours: [
        { hour: 0, knownSeconds: 3600, utilizationMean: 0, heldSeconds: 0, deadSeconds: 3600, idleMemoryUnknownSeconds: 0, hasCounters: true, memoryKnownSeconds: 3600, memoryP95: 0 },
        { hour: 7, knownSeconds: 0.001, utilizationMean: null, heldSeconds: 0.001, deadSeconds: 0, idleMemoryUnknownSeconds: 1, hasCounters: false, memoryKnownSeconds: 0, memoryP95: null },
        { hour: 23, knownSeconds: 0, utilizationMean: null, heldSeconds: 0, deadSeconds: 0, idleMemoryUnknownSeconds: 0, hasCounters: false, memoryKnownSeconds: 17, memoryP95: 1.25 },
      ],
    };
    expect(decodeDeviceDay(encodeDeviceDay(day))).toEqual(day);
    expect(decodeDeviceDay(encodeDeviceDay({ ...day, memoryPeak: 0 })).memoryPeak).toBe(0);
    expect(() => decodeDeviceDay(Uint8Array.of(9, 0, 0))).toThrow(TypeError);
  });
});
