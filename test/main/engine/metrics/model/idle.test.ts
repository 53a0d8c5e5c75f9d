import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_IDLE_POLICY, idleEpisodes, secondsByState, stateSegments, stateSplit } from "../../../../../main/engine/metrics/model/idle.ts";

const policy = { idleEnter: 5, idleExit: 10, minimumSeconds: 20, bridgeSeconds: 0 };
/** Ten-second segments; null is a hole. */
const segmentsOf = (values: readonly (number | null)[]) => values.map((value, index) => ({ start: index * 10, end: index * 10 + 10, value }));
const windowOf = (values: readonly unknown[]) => ({ start: 0, end: values.length * 10 });
const episodes = (values: readonly (number | null)[], changes: Partial<typeof policy> = {}) => idleEpisodes(segmentsOf(values), windowOf(values), { ...policy, ...changes });

describe("idle episodes", () => {
  it("start at the lower threshold and end at the upper one", () => {
    expect(episodes([90, 5, 9, 0, 10, 0])).toEqual({ episodes: [{ start: 10, end: 40, idleSeconds: 30 }], idleSeconds: 30, discardedShortSeconds: 10 });
    expect(episodes([7, 7, 90])).toEqual({ episodes: [], idleSeconds: 0, discardedShortSeconds: 0 });
  });

  it("end at unknown time, unless it is short enough to bridge; bridged time is not idle", () => {
    expect(episodes([0, 0, null, 0, 0]).episodes).toEqual([{ start: 0, end: 20, idleSeconds: 20 }, { start: 30, end: 50, idleSeconds: 20 }]);
    expect(episodes([0, 0, null, 7, 0], { bridgeSeconds: 10 }).episodes).toEqual([{ start: 0, end: 50, idleSeconds: 40 }]);
    expect(episodes([0, 0, null, 7, 0], { bridgeSeconds: 9 }).episodes).toEqual([{ start: 0, end: 20, idleSeconds: 20 }]);
    expect(episodes([0, 0, null, 50], { bridgeSeconds: 10 }).episodes).toEqual([{ start: 0, end: 20, idleSeconds: 20 }]);
  });

  it("count from exactly the minimum on, 15 minutes by default", () => {
    const at = (seconds: number) => idleEpisodes([{ start: 0, end: seconds, value: 0 }], { start: 0, end: 3600 }, DEFAULT_IDLE_POLICY).idleSeconds;
    expect([at(899), at(900)]).toEqual([0, 900]);
  });
});

describe("the states of a GPU", () => {
  it("part idle time by what the memory holds", () => {
    const utilization = segmentsOf([90, 0, 0, 0, null, 90]);
    const memory = segmentsOf([null, 0.5, 0.1, null, 0.9, 0.9]).map((segment) => (segment.start === 20 ? { ...segment, value: 0.09 } : segment));
    const window = { start: 0, end: 70 };
    expect(stateSegments(utilization, memory, window, policy)).toEqual([
      { start: 0, end: 10, state: "active" },
      { start: 10, end: 20, state: "idle-parked" },
      { start: 20, end: 30, state: "idle-empty" },
      { start: 30, end: 40, state: "idle-memory-unknown" },
      { start: 40, end: 50, state: "unknown" },
      { start: 50, end: 60, state: "active" },
      { start: 60, end: 70, state: "unknown" },
    ]);
    expect(stateSplit(utilization, memory, window, policy)).toEqual({ active: 20, idleEmpty: 10, idleParked: 10, idleMemoryUnknown: 10, unknown: 20, total: 70 });
  });

  it("call short idleness active", () => {
    expect(stateSplit(segmentsOf([90, 0, 90]), [], windowOf([0, 0, 0]), policy)).toMatchObject({ active: 30, idleMemoryUnknown: 0 });
  });

  it("fill the window without hole or overlap, and agree with the episodes (property 4)", () => {
    const values = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }), { minLength: 1, maxLength: 30 });
    const memories = fc.array(fc.option(fc.constantFrom(0, 0.05, 0.1, 0.9), { nil: null }), { maxLength: 40 });
    fc.assert(
      fc.property(values, memories, fc.constantFrom(0, 10, 25), (given, memory, bridgeSeconds) => {
        const [utilization, held] = [segmentsOf(given), segmentsOf(memory).map(({ start, end, value }) => ({ start: start * 0.7, end: end * 0.7, value }))];
        const [window, rule] = [windowOf(given), { ...policy, bridgeSeconds }];
        const states = stateSegments(utilization, held, window, rule);
        expect(states[0]!.start).toBe(0);
        expect(states.at(-1)!.end).toBe(window.end);
        states.slice(1).forEach((segment, index) => {
          expect(segment.start).toBe(states[index]!.end);
          expect(segment.state).not.toBe(states[index]!.state);
        });
        const split = secondsByState(states, window);
        expect(split.active + split.idleEmpty + split.idleParked + split.idleMemoryUnknown + split.unknown).toBeCloseTo(split.total, 6);
        expect(split.idleEmpty + split.idleParked + split.idleMemoryUnknown).toBeCloseTo(idleEpisodes(utilization, window, rule).idleSeconds, 6);
        expect(split.unknown).toBe(given.filter((value) => value === null).length * 10);
      }),
    );
  });
});
