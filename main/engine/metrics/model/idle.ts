import { knownWithin, type Segment, type TimeWindow } from "./segments.ts";

/** When a GPU counts as idle. Utilization in the counter's own unit, times in seconds. */
export interface IdlePolicy {
  /** Idleness starts at or below this … */
  readonly idleEnter: number;
  /** … and ends at or above this; values between keep the state. */
  readonly idleExit: number;
  /** Episodes with fewer known idle seconds are not idleness. */
  readonly minimumSeconds: number;
  /** Unknown time up to this long does not end an episode; it is not counted as idle either. */
  readonly bridgeSeconds: number;
}

/** 5 % in, 10 % out, 15 minutes, no bridging (model d.3). */
export const DEFAULT_IDLE_POLICY: IdlePolicy = { idleEnter: 5, idleExit: 10, minimumSeconds: 900, bridgeSeconds: 0 };

/** Idle and holding at least this share of the card's memory is parked, a model kept warm (model d.4). */
export const DEFAULT_PARKED_MEMORY_FRACTION = 0.1;

export interface IdleEpisode extends TimeWindow {
  /** Known idle seconds; less than end − start where unknown time was bridged. */
  readonly idleSeconds: number;
}

export interface IdleEpisodes {
  readonly episodes: readonly IdleEpisode[];
  readonly idleSeconds: number;
  /** Idle seconds of episodes that were too short to count. */
  readonly discardedShortSeconds: number;
}

/**
 * Finds stretches of idleness with hysteresis (model d.3).
 *
 * starts    at a value ≤ idleEnter; the first known value of the window, or after a gap, is idle only then
 * ends      at a value ≥ idleExit, at unknown time longer than the bridge, or with the window
 * counts    if its known idle seconds reach the minimum, exactly the minimum included
 *
 * `segments` are sorted by start and do not overlap. O(n).
 */
export function idleEpisodes(segments: readonly Segment[], window: TimeWindow, policy: IdlePolicy = DEFAULT_IDLE_POLICY): IdleEpisodes {
  const runs = idleRuns(segments, window, policy);
  const episodes = runs.filter(({ idleSeconds }) => idleSeconds >= policy.minimumSeconds);
  const short = runs.filter(({ idleSeconds }) => idleSeconds < policy.minimumSeconds);
  return {
    episodes: episodes.map(({ start, end, idleSeconds }) => ({ start, end, idleSeconds })),
    idleSeconds: episodes.reduce((total, { idleSeconds }) => total + idleSeconds, 0),
    discardedShortSeconds: short.reduce((total, { idleSeconds }) => total + idleSeconds, 0),
  };
}

export type GpuState = "active" | "idle-empty" | "idle-parked" | "idle-memory-unknown" | "unknown";

export interface StateSegment extends TimeWindow {
  readonly state: GpuState;
}

/**
 * What a GPU was doing, as segments that fill the window without a hole (model d.4). Short idleness is active; idle time is
 * parked where the memory held is at least `parkedMemoryFraction` of the card, empty below, and "memory unknown" where the
 * memory series has a hole. Both series sorted by start, without overlap. O(n).
 */
export function stateSegments(
  utilization: readonly Segment[],
  memoryFraction: readonly Segment[],
  window: TimeWindow,
  policy: IdlePolicy = DEFAULT_IDLE_POLICY,
  parkedMemoryFraction = DEFAULT_PARKED_MEMORY_FRACTION,
): readonly StateSegment[] {
  const found: { start: number; end: number; state: GpuState }[] = [];
  const append = (start: number, end: number, state: GpuState): void => {
    const last = found.at(-1);
    if (end <= start) return;
    if (last !== undefined && last.state === state && last.end === start) last.end = end;
    else found.push({ start, end, state });
  };
  const idle = idleRuns(utilization, window, policy).filter(({ idleSeconds }) => idleSeconds >= policy.minimumSeconds).flatMap(({ spans }) => spans);
  const memory = knownWithin(memoryFraction, window);

  let [nextIdle, nextMemory] = [0, 0];
  let at = window.start;
  for (const known of knownWithin(utilization, window)) {
    append(at, known.start, "unknown");
    at = known.start;
    while (at < known.end) {
      while ((idle[nextIdle]?.end ?? Infinity) <= at) nextIdle += 1;
      const span = idle[nextIdle];
      if (span === undefined || span.start > at) {
        const end = Math.min(known.end, span?.start ?? Infinity);
        append(at, end, "active");
        at = end;
        continue;
      }
      while ((memory[nextMemory]?.end ?? Infinity) <= at) nextMemory += 1;
      const held = memory[nextMemory];
      const isHeld = held !== undefined && held.start <= at;
      const end = Math.min(known.end, span.end, held === undefined ? Infinity : isHeld ? held.end : held.start);
      append(at, end, !isHeld ? "idle-memory-unknown" : held.value >= parkedMemoryFraction ? "idle-parked" : "idle-empty");
      at = end;
    }
  }
  append(at, window.end, "unknown");
  return found;
}

/** Seconds in each state; they add to the window. */
export interface StateSeconds {
  readonly active: number;
  readonly idleEmpty: number;
  readonly idleParked: number;
  readonly idleMemoryUnknown: number;
  readonly unknown: number;
  readonly total: number;
}

/** Adds state segments up inside a window (model d.4); what no segment covers is unknown. O(n). */
export function secondsByState(segments: readonly StateSegment[], window: TimeWindow): StateSeconds {
  const seconds: Record<GpuState, number> = { active: 0, "idle-empty": 0, "idle-parked": 0, "idle-memory-unknown": 0, unknown: 0 };
  for (const { start, end, state } of segments) seconds[state] += Math.max(0, Math.min(end, window.end) - Math.max(start, window.start));
  const total = Math.max(0, window.end - window.start);
  const known = seconds.active + seconds["idle-empty"] + seconds["idle-parked"] + seconds["idle-memory-unknown"];
  return {
    active: seconds.active,
    idleEmpty: seconds["idle-empty"],
    idleParked: seconds["idle-parked"],
    idleMemoryUnknown: seconds["idle-memory-unknown"],
    unknown: total - known,
    total,
  };
}

/** Seconds a GPU spent in each state of a window (model d.4): `stateSegments`, added up. */
export function stateSplit(
  utilization: readonly Segment[],
  memoryFraction: readonly Segment[],
  window: TimeWindow,
  policy: IdlePolicy = DEFAULT_IDLE_POLICY,
  parkedMemoryFraction = DEFAULT_PARKED_MEMORY_FRACTION,
): StateSeconds {
  return secondsByState(stateSegments(utilization, memoryFraction, window, policy, parkedMemoryFraction), window);
}

interface IdleRun extends IdleEpisode {
  /** The known idle stretches, without what was bridged. */
  readonly spans: readonly TimeWindow[];
}

/** All stretches of idleness, the short ones included. */
function idleRuns(segments: readonly Segment[], window: TimeWindow, { idleEnter, idleExit, bridgeSeconds }: IdlePolicy): readonly IdleRun[] {
  const runs: { start: number; end: number; idleSeconds: number; spans: { start: number; end: number }[] }[] = [];
  let current: (typeof runs)[number] | null = null;
  for (const { start, end, value } of knownWithin(segments, window)) {
    if (current !== null && (start - current.end > bridgeSeconds || value >= idleExit)) current = null;
    if (current === null) {
      if (value > idleEnter) continue;
      current = { start, end: start, idleSeconds: 0, spans: [] };
      runs.push(current);
    }
    const span = current.spans.at(-1);
    if (span !== undefined && span.end === start) span.end = end;
    else current.spans.push({ start, end });
    current.end = end;
    current.idleSeconds += end - start;
  }
  return runs;
}
