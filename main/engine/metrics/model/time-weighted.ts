import { knownWithin, type Segment, type TimeWindow } from "./segments.ts";

export interface TimeWeighted {
  readonly knownSeconds: number;
  readonly unknownSeconds: number;
  /** Known ÷ window; null for an empty window. */
  readonly coverage: number | null;
  /** Null if nothing is known. */
  readonly meanKnown: number | null;
  /** The mean of the window if all that is unknown were 0, and if it were `maximum`. */
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
}

/**
 * The mean of a counter over a window, each value weighing as long as it held (model d.2).
 *
 * unit      that of the counter; seconds for the times
 * formula   Σ value × seconds ÷ Σ known seconds; the bounds divide by the whole window, unknown time at 0 and at `maximum`
 * unknown   holes between segments and null segments: neither 0 nor the mean
 *
 * `segments` are sorted by start and do not overlap. O(n).
 */
export function timeWeighted(segments: readonly Segment[], window: TimeWindow, maximum = 100): TimeWeighted {
  let knownSeconds = 0;
  let weighted = 0;
  for (const { start, end, value } of knownWithin(segments, window)) {
    knownSeconds += end - start;
    weighted += value * (end - start);
  }
  const total = Math.max(0, window.end - window.start);
  const unknownSeconds = total - knownSeconds;
  return {
    knownSeconds,
    unknownSeconds,
    coverage: total === 0 ? null : knownSeconds / total,
    meanKnown: knownSeconds === 0 ? null : weighted / knownSeconds,
    lowerBound: total === 0 ? null : weighted / total,
    upperBound: total === 0 ? null : (weighted + unknownSeconds * maximum) / total,
  };
}
