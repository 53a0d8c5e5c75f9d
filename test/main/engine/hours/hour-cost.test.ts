import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { splitExactly, splitHour } from "../../../../main/engine/hours/hour-cost.ts";
import type { ObservedHour } from "../../../../main/engine/hours/hour-cost.ts";

const observed = (over: Partial<ObservedHour>): ObservedHour => ({ known: 0, useful: 0, active: 0, activeUseful: 0, held: 0, dead: 0, idleMemoryUnknown: 0, memoryKnown: 0, memoryUsed: 0, ...over });

describe("what an hour bought", () => {
  it("splits the cost by what the GPUs did, and what nobody saw is unknown", () => {
    // 8 GPUs billed for an hour at 80.00; 6 observed: 3 active at 50 %, 2 held, 1 dead.
    const [cost] = splitHour([{ seriesId: 1, gpuHours: 8, effectiveAttos: 80n }], observed({ known: 6, useful: 1.5, active: 3, activeUseful: 1.5, held: 2, dead: 1 }));
    expect(cost).toMatchObject({ knownGpuHours: 6, usefulGpuHours: 1.5, idleGpuHours: 3, parts: [15n, 15n, 20n, 10n, 0n, 20n] });
  });

  it("scales telemetry beyond the billed time down to it: idle is never more than was paid for", () => {
    const [cost] = splitHour([{ seriesId: 1, gpuHours: 4, effectiveAttos: 40n }], observed({ known: 8, dead: 8 }));
    expect(cost).toMatchObject({ knownGpuHours: 4, idleGpuHours: 4, parts: [0n, 0n, 0n, 40n, 0n, 0n] });
  });

  it("shares a resource's telemetry over its charges by their GPU-hours", () => {
    const costs = splitHour(
      [
        { seriesId: 1, gpuHours: 6, effectiveAttos: 60n },
        { seriesId: 2, gpuHours: 2, effectiveAttos: 100n },
      ],
      observed({ known: 8, useful: 4, active: 4, activeUseful: 4, dead: 4 }),
    );
    expect(costs.map(({ knownGpuHours, parts }) => [knownGpuHours, parts])).toEqual([
      [6, [30n, 0n, 0n, 30n, 0n, 0n]],
      [2, [50n, 0n, 0n, 50n, 0n, 0n]],
    ]);
  });

  it("calls everything unknown without telemetry, and keeps an unstated cost unstated", () => {
    expect(splitHour([{ seriesId: 1, gpuHours: 1, effectiveAttos: 7n }], null)[0]?.parts).toEqual([0n, 0n, 0n, 0n, 0n, 7n]);
    expect(splitHour([{ seriesId: 1, gpuHours: 1, effectiveAttos: null }], observed({ known: 1, dead: 1 }))[0]?.parts).toBeNull();
  });

  it("adds up to the atto for any amount, credits included, and gives nothing to a weight of zero", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 64, noNaN: true })), { minLength: 6, maxLength: 6 }), (attos, weights) => {
        const parts = splitExactly(attos, weights);
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(attos);
        parts.slice(0, 5).forEach((part, index) => {
          if (weights[index] === 0) expect(part).toBe(0n);
          expect(attos >= 0n ? part >= 0n : part <= 0n).toBe(true);
        });
      }),
    );
  });
});
