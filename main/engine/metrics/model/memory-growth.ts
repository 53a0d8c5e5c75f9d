import type { KnownSegment } from "./segments.ts";

/** Memory that only grows: from where to where, in mebibytes, and how fast. Seconds of the segments' clock. */
export interface MemoryGrowth {
  readonly start: number;
  readonly end: number;
  readonly fromMiB: number;
  readonly toMiB: number;
  readonly mebibytesPerHour: number;
  /** Hours until the card is full at that rate; 0 if it is. */
  readonly hoursUntilFull: number;
}

export interface GrowthLimits {
  /** Memory is judged by the least of each stretch of this length: what is not given back even then. */
  readonly binSeconds: number;
  /** How long it must grow. */
  readonly minimumSeconds: number;
  /** By what share of the card. */
  readonly minimumShare: number;
  /** Falls up to this share of the card are no release. */
  readonly toleratedShare: number;
  /** No single step may be more than this part of the growth: a model that is loaded is one step. */
  readonly largestStep: number;
  /** Steps upwards that it takes at least. */
  readonly minimumSteps: number;
}

/** Ten minutes, two hours, a twentieth of the card, half a percent, half of it, five steps. */
export const GROWTH_LIMITS: GrowthLimits = { binSeconds: 600, minimumSeconds: 7200, minimumShare: 0.05, toleratedShare: 0.005, largestStep: 0.5, minimumSteps: 5 };

/**
 * The longest stretch in which memory grows step by step and is never given back (own).
 *
 * floor    the least memory in use in each bin; a bin without any value ends the stretch
 * growth   the floor never falls by more than the tolerated share from its highest so far
 * leak     it lasts and rises for long enough, in several steps none of which makes up most of it
 *
 * A cache that fills and stays, a model loaded at once or memory that comes and goes is none. null if nothing of the kind is there.
 * `segments` in mebibytes, sorted, without overlap. O(n).
 */
export function memoryGrowth(segments: readonly KnownSegment[], cardMiB: number, limits: GrowthLimits = GROWTH_LIMITS): MemoryGrowth | null {
  if (cardMiB <= 0) return null;
  const floors = new Map<number, number>();
  for (const { start, end, value } of segments) {
    if (end <= start) continue;
    for (let bin = Math.floor(start / limits.binSeconds); bin * limits.binSeconds < end; bin += 1) floors.set(bin, Math.min(floors.get(bin) ?? Infinity, value));
  }
  let best: MemoryGrowth | null = null;
  let run: { readonly bin: number; readonly floor: number }[] = [];
  let highest = -Infinity;
  const close = (): void => {
    const found = growthOf(run, cardMiB, limits);
    if (found !== null && (best === null || found.toMiB - found.fromMiB > best.toMiB - best.fromMiB)) best = found;
    run = [];
    highest = -Infinity;
  };
  for (const [bin, floor] of [...floors].sort(([a], [b]) => a - b)) {
    const last = run.at(-1);
    if (last !== undefined && (bin !== last.bin + 1 || floor < highest - limits.toleratedShare * cardMiB)) close();
    run.push({ bin, floor });
    highest = Math.max(highest, floor);
  }
  close();
  return best;
}

function growthOf(run: readonly { readonly bin: number; readonly floor: number }[], cardMiB: number, limits: GrowthLimits): MemoryGrowth | null {
  // Level ground before the first step and after the last is no growth.
  const noise = limits.toleratedShare * cardMiB * 0.1;
  let first = 0;
  while (first + 1 < run.length && (run[first + 1]?.floor ?? 0) - (run[first]?.floor ?? 0) <= noise) first += 1;
  let last = run.length - 1;
  while (last > first && (run[last]?.floor ?? 0) - (run[last - 1]?.floor ?? 0) <= noise) last -= 1;
  const [from, to] = [run[first], run[last]];
  if (from === undefined || to === undefined || last <= first) return null;
  const seconds = (to.bin - from.bin) * limits.binSeconds;
  const growth = to.floor - from.floor;
  if (seconds < limits.minimumSeconds || growth < limits.minimumShare * cardMiB) return null;
  let [steps, largest] = [0, 0];
  for (let index = first + 1; index <= last; index += 1) {
    const step = (run[index]?.floor ?? 0) - (run[index - 1]?.floor ?? 0);
    if (step > noise) steps += 1;
    largest = Math.max(largest, step);
  }
  if (steps < limits.minimumSteps || largest > limits.largestStep * growth) return null;
  const perHour = growth / (seconds / 3600);
  return {
    start: from.bin * limits.binSeconds,
    end: (to.bin + 1) * limits.binSeconds,
    fromMiB: from.floor,
    toMiB: to.floor,
    mebibytesPerHour: perHour,
    hoursUntilFull: Math.max(0, cardMiB - to.floor) / perHour,
  };
}
