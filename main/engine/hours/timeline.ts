/**
 * What one device did, second by second: its known time told apart into active, held idle, dead idle and idle with memory unknown
 * (maths.md d.3 and d.4), and the idle episodes with what they rest on. Pure; time in Unix milliseconds.
 */
import type { IdlePolicy } from "../../../shared/contract/report.ts";

/** Segments of one metric, ascending and not overlapping. What no segment covers is unknown. */
export interface Trace {
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  readonly value: Float32Array;
}

export const emptyTrace: Trace = { startMs: new Float64Array(0), endMs: new Float64Array(0), value: new Float32Array(0) };

export interface IdleEpisode {
  readonly startMs: number;
  readonly endMs: number;
  /** Known idle time; bridged time is not counted. */
  readonly idleMs: number;
  /** Segments of the utilization trace, first and one past the last. */
  readonly first: number;
  readonly last: number;
}

export interface IdleStates {
  readonly episodes: readonly IdleEpisode[];
  /** One byte a utilization segment: 1 idle (inside an episode), 0 active. Idle runs shorter than the minimum are active. */
  readonly isIdle: Uint8Array;
}

/**
 * Idle episodes with hysteresis over a utilization trace in percent.
 * Idle starts at a value at or under `idleAtOrUnderPercent`, ends at one at or over `busyAtOrOverPercent`; values between keep the state,
 * and the first known value is idle only if it is at or under the lower threshold. Unknown time ends an episode unless it is no longer
 * than `bridgeSeconds`. Runs with less than `minimumSeconds` of known idle time count as active.
 */
export function idleStates(utilization: Trace, policy: IdlePolicy): IdleStates {
  const count = utilization.value.length;
  const isIdle = new Uint8Array(count);
  const episodes: IdleEpisode[] = [];
  const bridgeMs = policy.bridgeSeconds * 1000;
  const minimumMs = policy.minimumSeconds * 1000;
  let first = -1;
  let idleMs = 0;
  let lastEnd = 0;

  function close(last: number): void {
    if (first < 0) return;
    if (idleMs >= minimumMs) {
      episodes.push({ startMs: at(utilization.startMs, first), endMs: lastEnd, idleMs, first, last });
      isIdle.fill(1, first, last);
    }
    first = -1;
    idleMs = 0;
  }

  for (let index = 0; index < count; index += 1) {
    const start = at(utilization.startMs, index);
    const end = at(utilization.endMs, index);
    const value = at(utilization.value, index);
    if (first >= 0 && start - lastEnd > bridgeMs) close(index);
    const idle = value <= policy.idleAtOrUnderPercent || (first >= 0 && value < policy.busyAtOrOverPercent);
    if (idle) {
      if (first < 0) first = index;
      idleMs += end - start;
    } else close(index);
    lastEnd = end;
  }
  close(count);
  return { episodes, isIdle };
}

/** One device and one UTC hour. Seconds, ratios 0 to 1; a mean over no known time is null. */
export interface DeviceHour {
  readonly hour: number;
  knownSeconds: number;
  utilizationSeconds: number;
  utilizationPeak: number | null;
  activeSeconds: number;
  activeUtilizationSeconds: number;
  heldIdleSeconds: number;
  deadIdleSeconds: number;
  idleMemoryUnknownSeconds: number;
  memoryKnownSeconds: number;
  memoryShareSeconds: number;
  memorySharePeak: number | null;
  memoryShareP95: number | null;
  powerKnownSeconds: number;
  energyWattHours: number | null;
}

export interface DeviceTraces {
  /** Percent of time with work on the device. */
  readonly utilization: Trace;
  /** Mebibytes in use. */
  readonly memoryUsed: Trace;
  /** Watts. */
  readonly power: Trace;
  /** Mebibytes of the device; null when not known, and then the memory share is unknown too. */
  readonly memoryTotalMiB: number | null;
}

const HOUR_MS = 3_600_000;

/** The hours from `fromHour` (inclusive) to `toHour` (exclusive) in which anything of the device is known, ascending. */
export function deviceHours(traces: DeviceTraces, states: IdleStates, policy: IdlePolicy, fromHour: number, toHour: number): DeviceHour[] {
  const hours = new Map<number, DeviceHour>();
  const bins = new Map<number, Float64Array>();
  const total = traces.memoryTotalMiB !== null && traces.memoryTotalMiB > 0 ? traces.memoryTotalMiB : null;

  function hourAt(hour: number): DeviceHour {
    let found = hours.get(hour);
    if (!found) hours.set(hour, (found = emptyHour(hour)));
    return found;
  }

  eachState(traces, states, policy, fromHour, toHour, (hour, start, end, state, index) => {
    const row = hourAt(hour);
    const seconds = (end - start) / 1000;
    const ratio = at(traces.utilization.value, index) / 100;
    row.knownSeconds += seconds;
    row.utilizationSeconds += seconds * ratio;
    row.utilizationPeak = row.utilizationPeak === null ? ratio : Math.max(row.utilizationPeak, ratio);
    if (state === "active") {
      row.activeSeconds += seconds;
      row.activeUtilizationSeconds += seconds * ratio;
    } else if (state === "held") row.heldIdleSeconds += seconds;
    else if (state === "dead") row.deadIdleSeconds += seconds;
    else row.idleMemoryUnknownSeconds += seconds;
  });

  const memory = traces.memoryUsed;
  if (total !== null) {
    eachPart(memory, fromHour, toHour, (hour, start, end, index) => {
      const row = hourAt(hour);
      const seconds = (end - start) / 1000;
      const share = at(memory.value, index) / total;
      row.memoryKnownSeconds += seconds;
      row.memoryShareSeconds += seconds * share;
      row.memorySharePeak = row.memorySharePeak === null ? share : Math.max(row.memorySharePeak, share);
      let bin = bins.get(hour);
      if (!bin) bins.set(hour, (bin = new Float64Array(P95_BINS + 1)));
      const slot = Math.min(P95_BINS, Math.max(0, Math.ceil(share * P95_BINS)));
      bin[slot] = (bin[slot] as number) + seconds;
    });
    for (const [hour, bin] of bins) hourAt(hour).memoryShareP95 = percentile95(bin);
  }

  const power = traces.power;
  eachPart(power, fromHour, toHour, (hour, start, end, index) => {
    const row = hourAt(hour);
    row.powerKnownSeconds += (end - start) / 1000;
    row.energyWattHours = (row.energyWattHours === null ? 0 : row.energyWattHours) + wattHoursBetween(power, index, start, end);
  });
  return [...hours.values()].sort((a, b) => a.hour - b.hour);
}

export type DeviceState = "active" | "held" | "dead" | "idle-memory-unknown";

/**
 * Calls `visit` for the known time in pieces of one hour, one utilization segment and one state, ascending. Where a device is idle its
 * memory decides between held and dead, and time without a memory value stays apart.
 */
export function eachState(
  traces: Pick<DeviceTraces, "utilization" | "memoryUsed" | "memoryTotalMiB">,
  states: IdleStates,
  policy: IdlePolicy,
  fromHour: number,
  toHour: number,
  visit: (hour: number, startMs: number, endMs: number, state: DeviceState, index: number) => void,
): void {
  const { utilization, memoryUsed: memory } = traces;
  const total = traces.memoryTotalMiB !== null && traces.memoryTotalMiB > 0 ? traces.memoryTotalMiB : null;
  let first = 0;
  eachPart(utilization, fromHour, toHour, (hour, start, end, index) => {
    if (states.isIdle[index] === 0) {
      visit(hour, start, end, "active", index);
      return;
    }
    let reached = start;
    if (total !== null) {
      while (first < memory.value.length && at(memory.endMs, first) <= start) first += 1;
      for (let m = first; m < memory.value.length && at(memory.startMs, m) < end; m += 1) {
        const from = Math.max(reached, at(memory.startMs, m));
        const to = Math.min(end, at(memory.endMs, m));
        if (to <= from) continue;
        if (from > reached) visit(hour, reached, from, "idle-memory-unknown", index);
        visit(hour, from, to, at(memory.value, m) / total >= policy.parkedMemoryShare ? "held" : "dead", index);
        reached = to;
      }
    }
    if (reached < end) visit(hour, reached, end, "idle-memory-unknown", index);
  });
}

/**
 * Energy of a part of one segment of a power trace: a trapezoid towards the next sample where it follows without a hole, else the value
 * holds (maths.md f.1).
 */
export function wattHoursBetween(power: Trace, index: number, startMs: number, endMs: number): number {
  const watts = at(power.value, index);
  const from = at(power.startMs, index);
  const to = at(power.endMs, index);
  const next = index + 1 < power.value.length && at(power.startMs, index + 1) === to ? at(power.value, index + 1) : watts;
  const atStart = watts + ((next - watts) * (startMs - from)) / (to - from);
  const atEnd = watts + ((next - watts) * (endMs - from)) / (to - from);
  return (((atStart + atEnd) / 2) * (endMs - startMs)) / HOUR_MS;
}

/** The parts of the episodes that lie between two instants, each with its own known idle time. */
export function episodePieces(utilization: Trace, episodes: readonly IdleEpisode[], fromMs: number, toMs: number): IdleEpisode[] {
  const pieces: IdleEpisode[] = [];
  for (const episode of episodes) {
    if (episode.endMs <= fromMs || episode.startMs >= toMs) continue;
    let first = -1;
    let last = -1;
    let idleMs = 0;
    for (let index = Math.max(episode.first, firstEndingAfter(utilization, fromMs)); index < episode.last; index += 1) {
      const part = Math.min(toMs, at(utilization.endMs, index)) - Math.max(fromMs, at(utilization.startMs, index));
      if (part <= 0) break;
      if (first < 0) first = index;
      last = index + 1;
      idleMs += part;
    }
    if (idleMs > 0) pieces.push({ startMs: Math.max(fromMs, episode.startMs), endMs: Math.min(toMs, episode.endMs), idleMs, first, last });
  }
  return pieces;
}

/** Time-weighted mean of a trace between two instants, and how many milliseconds of it are known; null when none are. */
export function meanBetween(trace: Trace, startMs: number, endMs: number): number | null {
  let known = 0;
  let sum = 0;
  for (let index = firstEndingAfter(trace, startMs); index < trace.value.length && at(trace.startMs, index) < endMs; index += 1) {
    const part = Math.min(endMs, at(trace.endMs, index)) - Math.max(startMs, at(trace.startMs, index));
    known += part;
    sum += part * at(trace.value, index);
  }
  return known > 0 ? sum / known : null;
}

/** Known time inside an episode with memory at or over, and under, the parked share. Milliseconds. */
export function heldAndDead(traces: DeviceTraces, episode: IdleEpisode, policy: IdlePolicy): { heldMs: number; deadMs: number } {
  let heldMs = 0;
  let deadMs = 0;
  const total = traces.memoryTotalMiB;
  if (total === null || total <= 0) return { heldMs, deadMs };
  const { utilization, memoryUsed } = traces;
  let m = firstEndingAfter(memoryUsed, episode.startMs);
  for (let index = episode.first; index < episode.last; index += 1) {
    const start = Math.max(episode.startMs, at(utilization.startMs, index));
    const end = Math.min(episode.endMs, at(utilization.endMs, index));
    while (m < memoryUsed.value.length && at(memoryUsed.endMs, m) <= start) m += 1;
    for (let k = m; k < memoryUsed.value.length && at(memoryUsed.startMs, k) < end; k += 1) {
      const part = Math.min(end, at(memoryUsed.endMs, k)) - Math.max(start, at(memoryUsed.startMs, k));
      if (part <= 0) continue;
      if (at(memoryUsed.value, k) / total >= policy.parkedMemoryShare) heldMs += part;
      else deadMs += part;
    }
  }
  return { heldMs, deadMs };
}

const P95_BINS = 1000;

function percentile95(bin: Float64Array): number {
  let total = 0;
  for (const seconds of bin) total += seconds;
  let seen = 0;
  for (let slot = 0; slot < bin.length; slot += 1) {
    seen += bin[slot] as number;
    if (seen >= total * 0.95) return slot / P95_BINS;
  }
  return 1;
}

/** Calls `visit` for each segment cut at hour boundaries, within the hours asked for. */
export function eachPart(trace: Trace, fromHour: number, toHour: number, visit: (hour: number, startMs: number, endMs: number, index: number) => void): void {
  const from = fromHour * HOUR_MS;
  const to = toHour * HOUR_MS;
  for (let index = firstEndingAfter(trace, from); index < trace.value.length; index += 1) {
    let start = Math.max(from, at(trace.startMs, index));
    const end = Math.min(to, at(trace.endMs, index));
    if (at(trace.startMs, index) >= to) return;
    while (start < end) {
      const hour = Math.floor(start / HOUR_MS);
      const cut = Math.min(end, (hour + 1) * HOUR_MS);
      visit(hour, start, cut, index);
      start = cut;
    }
  }
}

function firstEndingAfter(trace: Trace, ms: number): number {
  let low = 0;
  let high = trace.value.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(trace.endMs, middle) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function emptyHour(hour: number): DeviceHour {
  return {
    hour,
    knownSeconds: 0,
    utilizationSeconds: 0,
    utilizationPeak: null,
    activeSeconds: 0,
    activeUtilizationSeconds: 0,
    heldIdleSeconds: 0,
    deadIdleSeconds: 0,
    idleMemoryUnknownSeconds: 0,
    memoryKnownSeconds: 0,
    memoryShareSeconds: 0,
    memorySharePeak: null,
    memoryShareP95: null,
    powerKnownSeconds: 0,
    energyWattHours: null,
  };
}

function at(values: Float64Array | Float32Array, index: number): number {
  return values[index] as number;
}
