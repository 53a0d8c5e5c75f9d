import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { complement, intersection, replaySchedule, replayStops, union, type DeviceActivity, type StopTimes } from "../../../../../main/engine/metrics/model/stop-replay.ts";

const times: StopTimes = { idleSeconds: 2, bridgeSeconds: 0, falseStopSeconds: 2, restartSeconds: 0 };
const always = [{ start: 0, end: 1000 }];

/** A device by the second: `i` idle, `b` at work, anything else unknown. */
function device(text: string): DeviceActivity {
  const stretches = (letter: string) => union([...text].flatMap((each, second) => (each === letter ? [{ start: second, end: second + 1 }] : [])));
  return { idle: stretches("i"), busy: stretches("b") };
}
const replay = (texts: readonly string[], changes: Partial<StopTimes> = {}, allowed = always) => replayStops(texts.map(device), allowed, { ...times, ...changes });

describe("replaying a stop rule", () => {
  it("stops a machine once it has been idle for long enough, and counts until it works again", () => {
    expect(replay(["biiiiib"])).toEqual({
      stops: [{ at: 3, until: 6, endedBy: "work", isFalse: false, off: [{ start: 3, end: 6 }], cut: [], heldSeconds: 0 }],
      lastKnownAt: 7,
      idleSince: null,
    });
    expect(replay(["biib"]).stops).toEqual([]);
  });

  it("takes a machine as idle only while every device of it is known to be", () => {
    expect(replay(["iiiiii", "iibiii"]).stops).toEqual([{ at: 5, until: 6, endedBy: "window", isFalse: false, off: [{ start: 5, end: 6 }], cut: [], heldSeconds: 0 }]);
    expect(replay(["iiiiii", "ii..ii"]).stops).toEqual([]);
    expect(replay([]).stops).toEqual([]);
  });

  it("calls a stop false when work comes soon after it", () => {
    expect(replay(["iiib"]).stops).toMatchObject([{ at: 2, until: 3, isFalse: true }]);
    expect(replay(["iiiib"]).stops).toMatchObject([{ at: 2, until: 4, isFalse: false }]);
  });

  it("never claims what nobody saw: unknown time ends a stop, and a bridged gap is not saved", () => {
    expect(replay(["iiii..b"]).stops).toMatchObject([{ until: 4, endedBy: "unknown", isFalse: false, off: [{ start: 2, end: 4 }] }]);
    expect(replay(["iiii..ib"], { bridgeSeconds: 2 }).stops).toMatchObject([{ until: 7, endedBy: "work", off: [{ start: 2, end: 4 }, { start: 6, end: 7 }] }]);
    expect(replay(["ii.i.ib"], { bridgeSeconds: 1, idleSeconds: 3 }).stops).toMatchObject([{ at: 5, off: [{ start: 5, end: 6 }] }]);
  });

  it("stops only in the hours where it may, and gives the machine back at their end", () => {
    expect(replay(["iiiiiiiiii"], {}, [{ start: 0, end: 4 }, { start: 7, end: 20 }])).toMatchObject({
      stops: [
        { at: 2, until: 4, endedBy: "hours", off: [{ start: 2, end: 4 }] },
        { at: 7, until: 10, endedBy: "window", off: [{ start: 7, end: 10 }] },
      ],
      lastKnownAt: 10,
      idleSince: 0,
    });
  });

  it("takes the restart off the end of what a stop saves, where someone wanted the machine again", () => {
    expect(replay(["iiiiiib"], { restartSeconds: 3 }).stops).toMatchObject([{ off: [{ start: 2, end: 3 }] }]);
    expect(replay(["iiiib"], { restartSeconds: 3 }).stops).toMatchObject([{ off: [] }]);
    expect(replay(["iiiiii"], { restartSeconds: 3 }).stops).toMatchObject([{ off: [{ start: 2, end: 6 }] }]);
  });

  it("agrees with a slow second implementation that walks second by second", () => {
    const texts = fc.array(fc.array(fc.constantFrom("i", "i", "i", "b", "."), { minLength: 24, maxLength: 24 }).map((letters) => letters.join("")), { minLength: 1, maxLength: 3 });
    const mayStop = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(texts, mayStop, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 3 }), (given, may, idleSeconds, bridgeSeconds) => {
        const allowed = union(may.flatMap((isAllowed, second) => (isAllowed ? [{ start: second, end: second + 1 }] : [])));
        const { stops } = replay(given, { idleSeconds, bridgeSeconds }, [...allowed]);
        const off = Array.from({ length: 24 }, (_, second) => stops.some((stop) => stop.off.some(({ start, end }) => start <= second && second < end)));
        expect(off).toEqual(secondBySecond(given, may, idleSeconds, bridgeSeconds));
        for (const stop of stops) expect(stop.off[0]?.start).toBe(stop.at);
      }),
      { numRuns: 500 },
    );
  });
});

/** Whether the machine would have been off, each second. */
function secondBySecond(texts: readonly string[], may: readonly boolean[], idleSeconds: number, bridgeSeconds: number): boolean[] {
  let [idle, gap] = [0, 0];
  return may.map((isAllowed, second) => {
    const letters = texts.map((text) => text[second]);
    if (letters.includes("b")) idle = 0;
    else if (letters.every((letter) => letter === "i")) {
      if (gap > bridgeSeconds) idle = 0;
      gap = 0;
      idle += 1;
      return isAllowed && idle > idleSeconds;
    } else {
      gap += 1;
      return false;
    }
    gap = 0;
    return false;
  });
}

describe("replaying a schedule", () => {
  const scheduled = (texts: readonly string[], off: readonly (readonly [number, number])[], restartSeconds = 0, end = 100) => replaySchedule(texts.map(device), off.map(([start, until]) => ({ start, end: until })), { restartSeconds }, end).stops;

  it("stops when the hours on end, and saves the time known to be idle until they begin", () => {
    expect(scheduled(["bbiiiiiibb"], [[2, 8]])).toEqual([{ at: 2, until: 8, endedBy: "hours", isFalse: false, off: [{ start: 2, end: 8 }], cut: [], heldSeconds: 0 }]);
    expect(scheduled(["bbiiiiiibb"], [[2, 8]], 2)[0]?.off).toEqual([{ start: 2, end: 6 }]);
    expect(scheduled(["bbiiiiii"], [[2, 8]], 2, 8)).toMatchObject([{ endedBy: "window", off: [{ start: 2, end: 8 }] }]);
  });

  it("is false where the machine worked in its hours off: that is cut short, and saved by nobody", () => {
    expect(scheduled(["iiibbiii", "iiiiiiii"], [[0, 8]])).toEqual([{ at: 0, until: 8, endedBy: "hours", isFalse: true, off: [{ start: 0, end: 3 }, { start: 5, end: 8 }], cut: [{ start: 3, end: 5 }], heldSeconds: 0 }]);
  });

  it("claims nothing of unknown time, and knows no stop where nothing is known", () => {
    expect(scheduled(["ii....ii"], [[0, 8]])[0]?.off).toEqual([{ start: 0, end: 2 }, { start: 6, end: 8 }]);
    expect(scheduled(["iiiiiiii", "........"], [[0, 8]])).toEqual([]);
    expect(scheduled([], [[0, 8]])).toEqual([]);
  });

  it("agrees with a slow second implementation that walks second by second", () => {
    const texts = fc.array(fc.array(fc.constantFrom("i", "i", "b", "."), { minLength: 24, maxLength: 24 }).map((letters) => letters.join("")), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(texts, fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }), (given, isOff) => {
        const off = union(isOff.flatMap((each, second) => (each ? [{ start: second, end: second + 1 }] : [])));
        const stops = replaySchedule(given.map(device), off, { restartSeconds: 0 }, 24).stops;
        const within = (second: number, of: "off" | "cut") => stops.some((stop) => stop[of].some(({ start, end }) => start <= second && second < end));
        isOff.forEach((each, second) => {
          const letters = given.map((text) => text[second]);
          expect(within(second, "off")).toBe(each && letters.every((letter) => letter === "i"));
          expect(within(second, "cut")).toBe(each && letters.includes("b"));
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe("stretches of time", () => {
  it("are joined, cut and turned round", () => {
    expect(union([{ start: 5, end: 6 }, { start: 1, end: 3 }, { start: 3, end: 4 }, { start: 2, end: 2 }])).toEqual([{ start: 1, end: 4 }, { start: 5, end: 6 }]);
    expect(intersection([{ start: 0, end: 4 }, { start: 6, end: 9 }], [{ start: 2, end: 7 }])).toEqual([{ start: 2, end: 4 }, { start: 6, end: 7 }]);
    expect(complement([{ start: 2, end: 3 }, { start: -5, end: 1 }], { start: 0, end: 5 })).toEqual([{ start: 1, end: 2 }, { start: 3, end: 5 }]);
    expect(complement([], { start: 0, end: 5 })).toEqual([{ start: 0, end: 5 }]);
  });
});
