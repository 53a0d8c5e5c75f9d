import type { TimeWindow } from "./segments.ts";

/** What telemetry knows of one device: stretches of idleness and of work, each in order and without overlap, never both at once. The rest is unknown. */
export interface DeviceActivity {
  readonly idle: readonly TimeWindow[];
  readonly busy: readonly TimeWindow[];
  /** The part of `busy` in which it does nothing and holds a model in memory. */
  readonly held?: readonly TimeWindow[];
}

/** When a machine is to be stopped. Times in seconds. */
export interface StopTimes {
  /** Known idle time of all its devices together after which it is stopped. */
  readonly idleSeconds: number;
  /** Unknown time up to this long does not end idleness; it is neither counted nor saved. */
  readonly bridgeSeconds: number;
  /** Work again within this long after a stop: the stop was false. */
  readonly falseStopSeconds: number;
  /** Time of the machine that bringing it back costs; taken off the end of what a stop saves. */
  readonly restartSeconds: number;
}

export interface ReplayedStop {
  readonly at: number;
  /** When the machine was wanted again, as far as anyone knows. */
  readonly until: number;
  /** What ended it: work, hours in which the rule does not stop, unknown time, or the end of the window. */
  readonly endedBy: "work" | "hours" | "unknown" | "window";
  readonly isFalse: boolean;
  /** Known idle stretches between the two, without the restart: what would not have been paid for. */
  readonly off: readonly TimeWindow[];
  /** Of a schedule: stretches between the two in which it was at work. */
  readonly cut: readonly TimeWindow[];
  /** Seconds of `cut` in which no device worked and one held a model in memory. */
  readonly heldSeconds: number;
}

export interface ReplayedMachine {
  readonly stops: readonly ReplayedStop[];
  /** The last known instant, and since when the machine has been idle then; null where it was at work, or nothing is known. */
  readonly lastKnownAt: number | null;
  readonly idleSince: number | null;
}

/**
 * Replays a stop rule on what a machine did (own, on model d.3 and d.7).
 *
 * idle     while every device of the machine is known to be idle; at work while any device is; else unknown
 * stopped  once its known idle time has reached `idleSeconds`, in the windows where the rule may stop
 * until    work, the window's end, or unknown time longer than the bridge: what nobody saw is never claimed as saved
 * false    work came within `falseStopSeconds` of the stop
 * saved    the known idle stretches of the stop, less `restartSeconds` at their end where someone wanted the machine again
 *
 * `allowed` are the windows where the rule may stop, in order and without overlap. O(n) in the stretches of all devices.
 */
export function replayStops(devices: readonly DeviceActivity[], allowed: readonly TimeWindow[], times: StopTimes): ReplayedMachine {
  const idle = devices.map((device) => device.idle).reduce(intersection, devices.length === 0 ? [] : EVERYTHING);
  const busy = union(devices.flatMap((device) => device.busy));
  const stops: ReplayedStop[] = [];
  let run: TimeWindow[] = [];
  let [nextIdle, nextBusy] = [0, 0];
  let lastKnownAt: number | null = null;

  const close = (nextBusyStart: number | null): void => {
    if (run.length > 0) stops.push(...stopsOf(run, nextBusyStart, allowed, times));
    run = [];
  };
  for (;;) {
    const [restful, working] = [idle[nextIdle], busy[nextBusy]];
    if (restful === undefined && working === undefined) break;
    const reached: number = run.at(-1)?.end ?? -Infinity;
    if (restful === undefined || (working !== undefined && working.start < restful.start)) {
      close(working !== undefined && working.start - reached <= times.bridgeSeconds ? working.start : null);
      lastKnownAt = Math.max(lastKnownAt ?? -Infinity, working?.end ?? -Infinity);
      nextBusy += 1;
    } else {
      if (restful.start - reached > times.bridgeSeconds) close(null);
      run.push(restful);
      lastKnownAt = Math.max(lastKnownAt ?? -Infinity, restful.end);
      nextIdle += 1;
    }
  }
  const idleSince = run[0]?.start ?? null;
  const endsWithData = run;
  close(null);
  const last = stops.at(-1);
  // The run that reaches the end of what is known was ended by nothing that happened.
  if (last !== undefined && endsWithData.length > 0 && last.endedBy === "unknown" && last.until === endsWithData.at(-1)?.end) stops[stops.length - 1] = { ...last, endedBy: "window" };
  return { stops, lastKnownAt, idleSince };
}

/**
 * Replays a schedule on what a machine did (maths.md d.7): it stops when each window off begins, whatever the machine does, and comes back when
 * the window ends.
 *
 * saved    the known idle stretches of the window, less `restartSeconds` at their end; time at work and unknown time are never claimed
 * false    the machine was at work in the window: the schedule would have cut that short
 *
 * A window of which nothing is known is no stop. `off` are the windows in which it is off, in order and without overlap; `end` the end of all data.
 */
export function replaySchedule(devices: readonly DeviceActivity[], off: readonly TimeWindow[], { restartSeconds }: Pick<StopTimes, "restartSeconds">, end: number): ReplayedMachine {
  const idle = devices.map((device) => device.idle).reduce(intersection, devices.length === 0 ? [] : EVERYTHING);
  const busy = union(devices.flatMap((device) => device.busy));
  const working = union(devices.flatMap(({ busy: inUse, held = [] }) => inUse.flatMap((stretch) => complement(held, stretch))));
  const stops = off.flatMap((window): ReplayedStop[] => {
    const [resting, cut] = [intersection(idle, [window]), intersection(busy, [window])];
    const last = Math.max(resting.at(-1)?.end ?? -Infinity, cut.at(-1)?.end ?? -Infinity);
    if (last === -Infinity) return [];
    const comesBack = window.end < end;
    const heldSeconds = secondsOf(cut) - secondsOf(intersection(working, cut));
    return [{ at: window.start, until: window.end, endedBy: comesBack ? "hours" : "window", isFalse: cut.length > 0, off: comesBack ? withoutEnd(resting, restartSeconds) : resting, cut, heldSeconds }];
  });
  const [lastIdle, lastBusy] = [idle.at(-1), busy.at(-1)];
  const lastKnownAt = Math.max(lastIdle?.end ?? -Infinity, lastBusy?.end ?? -Infinity);
  const isIdleAtEnd = lastIdle !== undefined && lastIdle.end > (lastBusy?.end ?? -Infinity);
  return { stops, lastKnownAt: lastKnownAt === -Infinity ? null : lastKnownAt, idleSince: isIdleAtEnd ? lastIdle.start : null };
}

const EVERYTHING: readonly TimeWindow[] = [{ start: -Infinity, end: Infinity }];

/** The stops of one run of idleness: one in each window where the rule may stop and it has lasted long enough. */
function stopsOf(run: readonly TimeWindow[], workAt: number | null, allowed: readonly TimeWindow[], times: StopTimes): ReplayedStop[] {
  const ripeAt = instantAfter(run, times.idleSeconds);
  if (ripeAt === null) return [];
  const runEnd = run.at(-1)?.end ?? ripeAt;
  const stops: ReplayedStop[] = [];
  for (const window of windowsAround(allowed, ripeAt, runEnd)) {
    const known = intersection(run, [{ start: Math.max(ripeAt, window.start), end: Math.min(runEnd, window.end) }]);
    const at = known[0]?.start;
    const knownEnd = known.at(-1)?.end;
    if (at === undefined || knownEnd === undefined) continue;
    const isCut = window.end < runEnd;
    const endedBy = isCut ? "hours" : workAt !== null ? "work" : "unknown";
    const until = isCut ? window.end : workAt === null ? knownEnd : Math.min(workAt, window.end);
    const isWanted = endedBy === "work" || endedBy === "hours";
    stops.push({ at, until, endedBy, isFalse: endedBy === "work" && (workAt ?? Infinity) - at < times.falseStopSeconds, off: isWanted ? withoutEnd(known, times.restartSeconds) : known, cut: [], heldSeconds: 0 });
  }
  return stops;
}

/** The windows that overlap a stretch, found by halving: a year has many. */
function windowsAround(windows: readonly TimeWindow[], start: number, end: number): readonly TimeWindow[] {
  let [low, high] = [0, windows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((windows[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while ((windows[last]?.start ?? Infinity) < end) last += 1;
  return windows.slice(low, last);
}

/** The instant at which so many seconds of the stretches have passed; null if they are fewer. Exactly as many count. */
function instantAfter(stretches: readonly TimeWindow[], seconds: number): number | null {
  let left = seconds;
  for (const { start, end } of stretches) {
    if (end - start >= left) return start + left;
    left -= end - start;
  }
  return null;
}

function withoutEnd(stretches: readonly TimeWindow[], seconds: number): readonly TimeWindow[] {
  const kept = [...stretches];
  let left = seconds;
  while (left > 0) {
    const last = kept.pop();
    if (last === undefined) break;
    if (last.end - last.start > left) kept.push({ start: last.start, end: last.end - left });
    left -= last.end - last.start;
  }
  return kept;
}

export function secondsOf(stretches: readonly TimeWindow[]): number {
  return stretches.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** What two lists of stretches, each in order and without overlap, have in common. */
export function intersection(a: readonly TimeWindow[], b: readonly TimeWindow[]): readonly TimeWindow[] {
  const common: TimeWindow[] = [];
  let [nextA, nextB] = [0, 0];
  for (;;) {
    const [first, second] = [a[nextA], b[nextB]];
    if (first === undefined || second === undefined) return common;
    const [start, end] = [Math.max(first.start, second.start), Math.min(first.end, second.end)];
    if (start < end) common.push({ start, end });
    if (first.end <= second.end) nextA += 1;
    if (second.end <= first.end) nextB += 1;
  }
}

/** Stretches as one list in order, without overlap; those that adjoin are one. */
export function union(stretches: readonly TimeWindow[]): readonly TimeWindow[] {
  const found: { start: number; end: number }[] = [];
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (end <= start) continue;
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** The part of a window that no stretch covers; the stretches in any order. */
export function complement(stretches: readonly TimeWindow[], { start, end }: TimeWindow): readonly TimeWindow[] {
  const free: TimeWindow[] = [];
  let reached = start;
  for (const stretch of union(stretches)) {
    if (stretch.start > reached) free.push({ start: reached, end: Math.min(stretch.start, end) });
    reached = Math.max(reached, stretch.end);
    if (reached >= end) break;
  }
  if (reached < end) free.push({ start: reached, end });
  return free.filter((window) => window.end > window.start);
}
