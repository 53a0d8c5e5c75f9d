import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceMinutes } from "../../../../main/engine/hours/minutes.ts";
import { emptyTrace, idleStates, type Trace } from "../../../../main/engine/hours/timeline.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";

/** [start minute, end minute, value] */
const trace = (...segments: readonly (readonly [number, number, number])[]): Trace => ({
  startMs: Float64Array.from(segments, ([from]) => from * 60_000),
  endMs: Float64Array.from(segments, ([, to]) => to * 60_000),
  value: Float32Array.from(segments, ([, , value]) => value),
});
const policy = { ...defaultIdlePolicy, minimumSeconds: 120 };
const minutes = (utilization: Trace, memoryUsed: Trace = emptyTrace) => deviceMinutes({ utilization, memoryUsed, power: trace([0, 30, 100]), memoryTotalMiB: 100 }, idleStates(utilization, policy), policy, 0, 1);

describe("the minutes of a device", () => {
  it("are each the state that most of it had", () => {
    const found = minutes(trace([0, 2.4, 80], [2.4, 10, 0], [20, 21, 50]), trace([2.4, 5, 50], [5, 8, 1]));
    expect(found.states.slice(0, 12)).toEqual([80, 80, -3, -3, -3, -4, -4, -4, -5, -5, -2, -2]);
    expect([found.states[20], found.states[21], found.states.length]).toEqual([50, -2, 60]);
    expect(found).toMatchObject({ utilization: expect.closeTo((2.4 * 80 + 50) / 11 / 100) as number, memoryPeak: 0.5, powerMeanWatts: 100 });
  });

  it("know nothing without samples", () => {
    expect(minutes(emptyTrace)).toMatchObject({ states: Array.from({ length: 60 }, () => -2), utilization: null, memoryPeak: null });
  });

  it("are all there, whatever the series", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 100 })), { maxLength: 30 }), (parts) => {
        let at = 0;
        const segments = parts.map(([gap, length, value]) => {
          const from = at + gap / 10;
          at = from + length / 10;
          return [from, at, value] as const;
        });
        const { states } = minutes(trace(...segments));
        expect(states).toHaveLength(60);
        expect(states.every((state) => Number.isInteger(state) && state >= -5 && state <= 100)).toBe(true);
      }),
    );
  });
});
