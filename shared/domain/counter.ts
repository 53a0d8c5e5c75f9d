/**
 * Counters that say how much of the time, or of the chip, a GPU was at work. Each means something else, so no figure adds two of them
 * (maths.md d.1): GPU-Util is the share of time in which any kernel ran, engine active that in which the engine was busy, SM active the
 * share of cycles of the multiprocessors with a warp, tensor and DRAM active those in which these parts worked.
 */
export const utilizationCounters = ["utilization", "engine-active", "sm-active", "tensor-active", "dram-active"] as const;
export type UtilizationCounter = (typeof utilizationCounters)[number];

/** What a utilization is held to: a counter, or `unknown` for days worked out before the counters were kept apart. */
export type KeptCounter = UtilizationCounter | "unknown";

export function isUtilizationCounter(text: string): text is UtilizationCounter {
  return utilizationCounters.some((counter) => counter === text);
}
