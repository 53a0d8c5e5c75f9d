import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { deviceHours, emptyTrace, episodePieces, idleStates } from "../../../../main/engine/hours/timeline.ts";
import type { Trace } from "../../../../main/engine/hours/timeline.ts";
import { stateSplit } from "../../../../main/engine/metrics/model/idle.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";

/** [start second, end second, value] */
function trace(...segments: readonly (readonly [number, number, number])[]): Trace {
  return {
    startMs: Float64Array.from(segments, ([start]) => start * 1000),
    endMs: Float64Array.from(segments, ([, end]) => end * 1000),
    value: Float32Array.from(segments, ([, , value]) => value),
  };
}

describe("idle states of a device", () => {
  it("starts idleness at 5 %, keeps it at 7 % and ends it at 10 %", () => {
    const states = idleStates(trace([0, 600, 90], [600, 1200, 7], [1200, 1800, 2], [1800, 2400, 7], [2400, 3000, 9], [3000, 4200, 10]), defaultIdlePolicy);
    expect(states.episodes).toMatchObject([{ startMs: 1_200_000, endMs: 3_000_000, idleMs: 1_800_000 }]);
    expect([...states.isIdle]).toEqual([0, 0, 1, 1, 1, 0]);
  });

  it("counts an idle run of exactly the minimum and calls a shorter one active", () => {
    expect(idleStates(trace([0, 900, 0], [900, 1000, 50]), defaultIdlePolicy).episodes).toHaveLength(1);
    expect([...idleStates(trace([0, 899, 0], [899, 1000, 50]), defaultIdlePolicy).isIdle]).toEqual([0, 0]);
  });

  it("lets unknown time end an episode, or bridges it without counting it", () => {
    const holed = trace([0, 1000, 0], [1200, 2600, 0]);
    expect(idleStates(holed, defaultIdlePolicy).episodes.map(({ idleMs }) => idleMs)).toEqual([1_000_000, 1_400_000]);
    expect(idleStates(holed, { ...defaultIdlePolicy, bridgeSeconds: 200 }).episodes).toMatchObject([{ startMs: 0, endMs: 2_600_000, idleMs: 2_400_000 }]);
  });
});

describe("hours of a device", () => {
  it("splits an hour into active, held, dead and idle with memory unknown", () => {
    const traces = { utilization: trace([0, 600, 80], [600, 3600, 0]), memoryUsed: trace([0, 1200, 40], [1200, 2400, 1]), power: trace([0, 1800, 100], [1800, 3600, 300]), memoryTotalMiB: 80 };
    const [hour] = deviceHours(traces, idleStates(traces.utilization, defaultIdlePolicy), defaultIdlePolicy, 0, 1);
    expect(hour).toMatchObject({
      knownSeconds: 3600,
      activeSeconds: 600,
      activeUtilizationSeconds: 480,
      heldIdleSeconds: 600,
      deadIdleSeconds: 1200,
      idleMemoryUnknownSeconds: 1200,
      memoryKnownSeconds: 2400,
      memorySharePeak: 0.5,
    });
    // 100 W rising to 300 W over half an hour, then 300 W: 100 + 150 Wh.
    expect(hour?.energyWattHours).toBeCloseTo(250, 9);
  });

  it("knows nothing of hours without a sample", () => {
    const traces = { utilization: trace([3600, 7200, 50]), memoryUsed: emptyTrace, power: emptyTrace, memoryTotalMiB: null };
    expect(deviceHours(traces, idleStates(traces.utilization, defaultIdlePolicy), defaultIdlePolicy, 0, 3).map(({ hour }) => hour)).toEqual([1]);
  });

  it("agrees with the model's state split on any series, hour by hour and as a whole", () => {
    const series = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 900 }), length: fc.integer({ min: 1, max: 1800 }), value: fc.constantFrom(0, 3, 5, 7, 9, 10, 50, 100) }), { maxLength: 30 });
    fc.assert(
      fc.property(series, series, fc.constantFrom(0, 300), (utilization, memory, bridgeSeconds) => {
        const policy = { ...defaultIdlePolicy, bridgeSeconds };
        const u = segments(utilization);
        const m = segments(memory);
        const traces = { utilization: trace(...u), memoryUsed: trace(...m), power: emptyTrace, memoryTotalMiB: 100 };
        const end = 60 * 1800;
        const states = idleStates(traces.utilization, policy);
        const hours = deviceHours(traces, states, policy, 0, 30);
        const want = stateSplit(
          u.map(([start, end_, value]) => ({ start, end: end_, value })),
          m.map(([start, end_, value]) => ({ start, end: end_, value: value / 100 })),
          { start: 0, end },
          { idleEnter: 5, idleExit: 10, minimumSeconds: 900, bridgeSeconds },
          policy.parkedMemoryShare,
        );
        const sum = (pick: (hour: (typeof hours)[number]) => number): number => hours.reduce((total, hour) => total + pick(hour), 0);
        expect(sum((h) => h.activeSeconds)).toBeCloseTo(want.active, 6);
        expect(sum((h) => h.heldIdleSeconds)).toBeCloseTo(want.idleParked, 6);
        expect(sum((h) => h.deadIdleSeconds)).toBeCloseTo(want.idleEmpty, 6);
        expect(sum((h) => h.idleMemoryUnknownSeconds)).toBeCloseTo(want.idleMemoryUnknown, 6);
        const pieces = episodePieces(traces.utilization, states.episodes, 0, end * 500).concat(episodePieces(traces.utilization, states.episodes, end * 500, end * 1000));
        expect(pieces.reduce((total, { idleMs }) => total + idleMs, 0) / 1000).toBeCloseTo(want.idleEmpty + want.idleParked + want.idleMemoryUnknown, 6);
      }),
      { numRuns: 300 },
    );
  });
});

function segments(parts: readonly { readonly gap: number; readonly length: number; readonly value: number }[]): (readonly [number, number, number])[] {
  let at = 0;
  return parts.map(({ gap, length, value }) => {
    const start = at + (gap < 300 ? 0 : gap);
    at = start + length;
    return [start, at, value] as const;
  });
}
