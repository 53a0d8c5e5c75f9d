import { describe, expect, it } from "vitest";
import { activityOf, counterHours } from "../../../../main/engine/hours/activity.ts";
import { emptyTrace, type Trace } from "../../../../main/engine/hours/timeline.ts";

const hour = 3_600_000;
/** Segments of whole hours: from, to, percent. */
const trace = (...segments: readonly (readonly [number, number, number])[]): Trace => ({
  startMs: Float64Array.from(segments, ([from]) => from * hour),
  endMs: Float64Array.from(segments, ([, to]) => to * hour),
  value: Float32Array.from(segments, ([, , value]) => value),
});
const values = ({ startMs, value }: Trace) => [...value].map((each, index) => [(startMs[index] as number) / hour, each]);

describe("the counter that says whether a device works", () => {
  it("is the one that was measured", () => {
    expect(activityOf(emptyTrace, trace([0, 1, 90]))).toMatchObject({ counterOf: new Map([[0, "utilization"]]) });
    expect(values(activityOf(trace([0, 1, 30]), emptyTrace).trace)).toEqual([[0, 30]]);
    expect(activityOf(emptyTrace, emptyTrace).counterOf.size).toBe(0);
  });

  it("is the engine's where both were, a day by one of them and never by a mean of both", () => {
    const { trace: activity, counterOf } = activityOf(trace([0, 24, 30]), trace([0, 24, 90], [24, 48, 80]));
    expect(values(activity)).toEqual([[0, 30], [24, 80]]);
    expect([...counterOf]).toEqual([[0, "engine-active"], [1, "utilization"]]);
  });

  it("is GPU-Util on a day that the engine's counter saw little of", () => {
    expect(activityOf(trace([0, 12, 30]), trace([0, 24, 90])).counterOf.get(0)).toBe("utilization");
  });

  it("is not an engine counter that is stuck at 0 while kernels run", () => {
    expect(activityOf(trace([0, 24, 0]), trace([0, 24, 99])).counterOf.get(0)).toBe("utilization");
    expect(activityOf(trace([0, 24, 0]), trace([0, 24, 1])).counterOf.get(0)).toBe("engine-active");
  });
});

describe("the hours of a counter", () => {
  it("are means over the time in which it was measured; other hours are not there", () => {
    expect(counterHours(trace([0, 0.5, 100], [0.5, 0.75, 50], [2.5, 3.5, 20]), 0, 4)).toEqual([
      { hour: 0, knownSeconds: 2700, mean: (1800 + 450) / 2700 },
      { hour: 2, knownSeconds: 1800, mean: expect.closeTo(0.2) as number },
      { hour: 3, knownSeconds: 1800, mean: expect.closeTo(0.2) as number },
    ]);
  });
});
