import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceTraces, holdFor } from "../../../../main/engine/import/samples.ts";
import type { FinishedDay, TraceSummary } from "../../../../main/engine/import/samples.ts";
import { dayMs, encodeSegments, mergeTraces } from "../../../../main/engine/store/traces.ts";

type Sample = readonly [ms: number, value: number | null];
/** A piece of known time of the first metric, in Unix milliseconds. */
type Piece = readonly [startMs: number, endMs: number, value: number];

function traced(samples: readonly Sample[], holds: "forward" | "backward" = "forward"): { readonly finished: readonly FinishedDay[]; readonly summary: TraceSummary } {
  const finished: FinishedDay[] = [];
  const traces = deviceTraces(1, (day) => finished.push(day), holds);
  for (const [ms, value] of samples) traces.add(ms, [value ?? Number.NaN]);
  return { finished, summary: traces.finish() };
}
function pieces(samples: readonly Sample[], holds: "forward" | "backward" = "forward"): Piece[] {
  const blobs = new Map<number, Uint8Array[]>();
  for (const { day, trace } of traced(samples, holds).finished) blobs.set(day, [...(blobs.get(day) ?? []), encodeSegments(trace)]);
  return [...blobs.entries()].sort(([one], [other]) => one - other).flatMap(([day, each]) => {
    const { startMs, lengthMs, value } = mergeTraces(each);
    return Array.from(startMs, (start, index) => [day * dayMs + start, day * dayMs + start + (lengthMs[index] as number), value[index] as number] as const);
  });
}
const s = 1000;
const at = (time: string): number => Date.parse(`2026-09-01T${time}Z`);

describe("the hold", () => {
  it("is three times the spacing, at least 2 s, at most 15 min", () => {
    expect([0, 500, 10_000, 600_000].map(holdFor)).toEqual([2000, 2000, 30_000, 900_000]);
  });
});

describe("samples of a device", () => {
  it("hold until the next, and three spacings at most: the rest is unknown", () => {
    const start = at("10:00:00");
    expect(pieces([[start, 10], [start + 60 * s, 20], [start + 120 * s, 30], [start + 600 * s, 40]])).toEqual([
      [start, start + 60 * s, 10],
      [start + 60 * s, start + 120 * s, 20],
      [start + 120 * s, start + 300 * s, 30],
      [start + 600 * s, start + 780 * s, 40],
    ]);
  });

  it("without a value end the hold before them", () => {
    const start = at("10:00:00");
    expect(pieces([[start, 10], [start + 60 * s, null], [start + 120 * s, 30], [start + 180 * s, 40]])[0]).toEqual([start, start + 60 * s, 10]);
  });

  it("of equal timestamps count once, the last in file order; unsorted rows are sorted", () => {
    const start = at("10:00:00");
    const { summary } = traced([[start + 60 * s, 1], [start, 5], [start + 60 * s, 2], [start + 120 * s, 3]]);
    expect(summary).toMatchObject({ duplicates: 1, outOfOrder: 1, firstMs: start, lastMs: start + 120 * s, knownMs: 120 * s });
    expect(pieces([[start + 60 * s, 1], [start, 5], [start + 60 * s, 2], [start + 120 * s, 3]]).slice(0, 2)).toEqual([[start, start + 60 * s, 5], [start + 60 * s, start + 120 * s, 2]]);
  });

  it("are cut at UTC midnight, also when nothing follows, and the rest is marked as carried", () => {
    const start = at("23:58:00");
    const { finished } = traced([[start, 1], [start + 60 * s, 2]]);
    expect(finished.map(({ day, trace }) => [day * dayMs, [...trace.startMs], [...trace.lengthMs], trace.isCarried])).toEqual([
      [at("00:00:00"), [dayMs - 120 * s, dayMs - 60 * s], [60 * s, 60 * s], false],
      [at("00:00:00") + dayMs, [0], [120 * s], true],
    ]);
  });

  it("finer than 10 s are folded to 10 s, weighted by time", () => {
    const start = at("10:00:00");
    // 1 s at 100, then 9 s at 0, in uneven steps: the plain mean would say 33.
    const uneven: Sample[] = [[start, 100], [start + s, 0], [start + 4 * s, 0], [start + 10 * s, 50], [start + 12 * s, 50], [start + 14 * s, 50]];
    expect(pieces(uneven)).toEqual([[start, start + 10 * s, 10], [start + 10 * s, start + 20 * s, 50]]);
  });

  it("of a day handed out long ago are merged into it", () => {
    const start = at("10:00:00");
    const { finished } = traced([[start, 1], [start + 60 * s, 2], [start + 3 * dayMs, 3], [start + 30 * s, 9]]);
    expect(finished.map(({ isLate }) => isLate)).toEqual([false, false, true]);
  });

  it("that are averages up to their time hold backward: the first for one spacing, the others to the one before, three spacings at most", () => {
    const start = at("10:00:00");
    expect(pieces([[start, 10], [start + 60 * s, 20], [start + 120 * s, 30], [start + 600 * s, 40], [start + 660 * s, null], [start + 720 * s, 50]], "backward")).toEqual([
      [start - 60 * s, start, 10],
      [start, start + 60 * s, 20],
      [start + 60 * s, start + 120 * s, 30],
      [start + 420 * s, start + 600 * s, 40],
      [start + 660 * s, start + 720 * s, 50],
    ]);
    expect(traced([[start, 10], [start + 60 * s, 20], [start + 120 * s, 30]], "backward").summary.knownMs).toBe(120 * s);
  });

  it("that hold backward over midnight are cut there", () => {
    const midnight = at("00:00:00") + dayMs;
    expect(pieces([[midnight - 90 * s, 1], [midnight - 30 * s, 2], [midnight + 30 * s, 3]], "backward").slice(1)).toEqual([
      [midnight - 90 * s, midnight - 30 * s, 2],
      [midnight - 30 * s, midnight, 3],
      [midnight, midnight + 30 * s, 3],
    ]);
  });

  it("none at all say nothing", () => {
    expect(traced([])).toEqual({ finished: [], summary: { firstMs: null, lastMs: null, knownMs: 0, duplicates: 0, outOfOrder: 0, cadences: [] } });
  });
});

describe("properties", () => {
  const series = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 400_000 }), fc.option(fc.integer({ min: 0, max: 100 }), { freq: 6 })), { minLength: 1, maxLength: 80 })
    .map((steps) => {
      let ms = at("20:00:00");
      return steps.map(([gap, value]): Sample => [(ms += gap), value]);
    });

  it("the segments weigh time as a slow walk over the samples does", () => {
    fc.assert(
      fc.property(series, (samples) => {
        const expected = byHand(samples);
        const found = integral(pieces(samples));
        expect(found.knownMs).toBeCloseTo(expected.knownMs, 3);
        expect(found.weighted / 1e6).toBeCloseTo(expected.weighted / 1e6, 2);
      }),
    );
  });

  it("the order of rows changes nothing", () => {
    fc.assert(
      fc.property(series, fc.array(fc.nat(), { minLength: 80, maxLength: 80 }), (samples, keys) => {
        const shuffled = samples.map((sample, index) => ({ sample, key: keys[index] ?? 0 })).sort((one, other) => one.key - other.key).map(({ sample }) => sample);
        expect(pieces(shuffled)).toEqual(pieces(samples));
      }),
    );
  });

  it("known time lies within the samples' span", () => {
    fc.assert(
      fc.property(series, (samples) => {
        const { summary } = traced(samples);
        expect(summary.knownMs).toBeLessThanOrEqual((summary.lastMs as number) - (summary.firstMs as number));
      }),
    );
  });
});

function integral(known: readonly Piece[]): { readonly knownMs: number; readonly weighted: number } {
  return {
    knownMs: known.reduce((sum, [start, end]) => sum + end - start, 0),
    weighted: known.reduce((sum, [start, end, value]) => sum + value * (end - start), 0),
  };
}

/** Slow and plain: each sample on its own, with the hold of its day by a sorted list of gaps. */
function byHand(samples: readonly Sample[]): { readonly knownMs: number; readonly weighted: number } {
  let knownMs = 0;
  let weighted = 0;
  let lastGap: number | null = null;
  const holds = new Map<number, number>();
  for (const day of new Set(samples.map(([ms]) => Math.floor(ms / dayMs)))) {
    const own = samples.filter(([ms]) => Math.floor(ms / dayMs) === day).map(([ms]) => ms);
    const gaps = own.slice(1).map((ms, index) => ms - (own[index] as number)).sort((one, other) => one - other);
    const middle = gaps.length === 0 ? null : ((gaps[Math.floor((gaps.length - 1) / 2)] as number) + (gaps[Math.ceil((gaps.length - 1) / 2)] as number)) / 2;
    const following = samples.find(([ms]) => Math.floor(ms / dayMs) === day + 1);
    lastGap = middle ?? lastGap ?? (following === undefined ? null : following[0] - (own.at(-1) as number));
    holds.set(day, Math.min(Math.max(Math.round(3 * (lastGap ?? 0)), 2000), 900_000));
  }
  samples.forEach(([ms, value], index) => {
    if (value === null) return;
    const next = samples[index + 1]?.[0] ?? Infinity;
    const length = Math.min(next - ms, holds.get(Math.floor(ms / dayMs)) as number);
    knownMs += length;
    weighted += value * length;
  });
  return { knownMs, weighted };
}
