import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutSegments, dayMs, decodeSegments, encodeSegments, mergeTraces } from "../../../../main/engine/store/traces.ts";
import type { Segments } from "../../../../main/engine/store/traces.ts";

type Triple = readonly [startMs: number, lengthMs: number, value: number];

function segments(...triples: readonly Triple[]): Segments {
  return {
    startMs: Uint32Array.from(triples, ([start]) => start),
    lengthMs: Uint32Array.from(triples, ([, length]) => length),
    value: Float32Array.from(triples, ([, , value]) => value),
  };
}
function triples({ startMs, lengthMs, value }: Segments): Triple[] {
  return Array.from(startMs, (start, index) => [start, lengthMs[index] as number, value[index] as number] as const);
}
function blob(...each: readonly Triple[]): Uint8Array {
  return encodeSegments(segments(...each));
}

describe("a trace of one day", () => {
  it("comes back from its blob as it went in, in few bytes", () => {
    const written = segments([0, 10_000, 0], [10_000, 10_000, 97], [40_000, 2_000, 100]);
    const bytes = encodeSegments({ ...written, isCarried: true });
    expect(decodeSegments(bytes)).toEqual({ ...written, isCarried: true });
    expect(bytes.length).toBe(8 + 3 * 4 + 2);
  });

  it("keeps hundredths of a watt, odd floats and sentinels of neither kind exactly", () => {
    for (const values of [[433.78, 69.85], [700.25, 1000.5], [1 / 3, 2], [65_535, 0], [81_559.5, 3], [-1, 4], [100_000, 1]]) {
      const written = segments(...values.map((value, index) => [index * 1000, 1000, value] as const));
      expect(decodeSegments(encodeSegments(written))).toEqual({ ...written, isCarried: false });
    }
  });

  it("refuses segments that overlap or leave the day, as a fault", () => {
    expect(() => blob([0, 20, 1], [10, 5, 2])).toThrow(RangeError);
    expect(() => blob([dayMs - 1, 2, 1])).toThrow(RangeError);
    expect(() => decodeSegments(new Uint8Array(12))).toThrow(RangeError);
  });

  it("is cut at the edges of an hour", () => {
    const day = segments([0, 100, 1], [100, 100, 2], [300, 100, 3]);
    expect(triples(cutSegments(day, 50, 350))).toEqual([[50, 50, 1], [100, 100, 2], [300, 50, 3]]);
    expect(triples(cutSegments(day, 200, 300))).toEqual([]);
  });
});

describe("traces of several batches", () => {
  it("count an equal timestamp once, and the newest batch's value", () => {
    expect(triples(mergeTraces([blob([0, 10, 5], [10, 10, 6]), blob([0, 10, 7])]))).toEqual([[0, 10, 7], [10, 10, 6]]);
  });

  it("let a sample end the hold of an earlier one, whichever file came first", () => {
    const first = blob([0, 10, 5], [10, 30, 6]);
    const second = blob([20, 10, 1], [30, 30, 2]);
    const whole = [[0, 10, 5], [10, 10, 6], [20, 10, 1], [30, 30, 2]];
    expect(triples(mergeTraces([first, second]))).toEqual(whole);
    expect(triples(mergeTraces([second, first]))).toEqual(whole);
  });

  it("go back to a slower source where a quicker one falls silent", () => {
    expect(triples(mergeTraces([blob([0, 300, 50]), blob([100, 30, 10])]))).toEqual([[0, 100, 50], [100, 30, 10], [130, 170, 50]]);
  });

  it("let a reading without a value end every earlier hold", () => {
    expect(triples(mergeTraces([blob([0, 300, 50]), blob([100, 0, 0])]))).toEqual([[0, 100, 50]]);
    expect(triples(mergeTraces([blob([0, 10, 50], [10, 0, 0])]))).toEqual([[0, 10, 50]]);
  });

  it("prefer a sample taken at midnight to the rest of yesterday's last", () => {
    const carried = encodeSegments({ ...segments([0, 20, 9]), isCarried: true });
    const today = blob([0, 10, 1], [10, 10, 2]);
    for (const order of [[carried, today], [today, carried]]) expect(triples(mergeTraces(order))).toEqual([[0, 10, 1], [10, 10, 2]]);
  });

  it("of no batch at all are unknown", () => {
    expect(triples(mergeTraces([]))).toEqual([]);
  });
});

describe("properties", () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 100 }),
    fc.integer({ min: 0, max: 70_000 }).map((hundredths) => Math.fround(hundredths / 100)),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  );
  const anyDay = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 90_000 }), value), { maxLength: 60 })
    .map((parts) => {
      let end = 0;
      return segments(
        ...parts.map(([gap, length, each]) => {
          const start = end + gap;
          end = start + length;
          return [start, length, each] as const;
        }),
      );
    });

  it("decode(encode(x)) is x", () => {
    fc.assert(
      fc.property(anyDay, fc.boolean(), (day, isCarried) => {
        expect(decodeSegments(encodeSegments({ ...day, isCarried }))).toEqual({ ...day, isCarried });
      }),
    );
  });

  it("merging the same content again, in any place, changes nothing", () => {
    fc.assert(
      fc.property(anyDay, anyDay, (one, other) => {
        const [a, b] = [encodeSegments(one), encodeSegments(other)];
        const merged = triples(mergeTraces([a, b]));
        expect(triples(mergeTraces([b, a, b]))).toEqual(merged);
        expect(triples(mergeTraces([a, a, b]))).toEqual(merged);
      }),
    );
  });

  it("a merge is what looking at every instant by hand gives", () => {
    const small = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 9 })), { maxLength: 6 }).map((parts) => {
      let end = 0;
      return parts.map(([gap, length, each]) => {
        const start = end + gap;
        end = start + length;
        return [start, length, each] as const;
      });
    });
    fc.assert(
      fc.property(fc.array(small, { maxLength: 4 }), (batches) => {
        const merged = mergeTraces(batches.map((each) => blob(...each)));
        for (let instant = 0; instant < 70; instant++) {
          const [seen] = triples(cutSegments(merged, instant, instant + 1));
          expect(seen?.[2] ?? null).toBe(valueByHand(batches, instant));
        }
      }),
    );
  });
});

/** The sample begun last at or before the instant, newest batch first, unless a later mark ended it. */
function valueByHand(batches: readonly (readonly Triple[])[], instant: number): number | null {
  for (let start = instant; start >= 0; start--) {
    const here = batches.flatMap((each) => each.filter(([from]) => from === start));
    const counts = here.at(-1); // of equal timestamps the newest
    if (counts === undefined) continue;
    const [from, length, value] = counts;
    if (length === 0) return null;
    if (from + length > instant) return value;
  }
  return null;
}
