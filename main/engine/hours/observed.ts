/** What the devices of hosts were seen to do, by hour, and which billed resources those hosts are. Pure. */
import { hourCounters, type HourCounter } from "./activity.ts";
import { addEnergy, noEnergy, type EnergyFacts } from "./energy.ts";
import type { CounterSum } from "./hour-cost.ts";
import type { HostMatch } from "./match.ts";
import type { DeviceHour } from "./timeline.ts";

/** Observed GPU-hours by host and hour, for the join. */
export type ObservedHosts = Map<string, Map<number, ObservedSum>>;
export interface ObservedSum {
  known: number;
  useful: number;
  active: number;
  activeUseful: number;
  held: number;
  dead: number;
  idleMemoryUnknown: number;
  memoryKnown: number;
  memoryUsed: number;
  readonly energy: EnergyFacts;
  /** What each counter measured; null while all of it is GPU-Util, which then is `known` and `useful`. */
  counters: CounterSums | null;
}
export type CounterSums = Partial<Record<HourCounter, CounterSum>>;

export function hoursOfHost(observed: ObservedHosts, host: string): Map<number, ObservedSum> {
  let hours = observed.get(host);
  if (!hours) observed.set(host, (hours = new Map<number, ObservedSum>()));
  return hours;
}

export function addObserved(hours: Map<number, ObservedSum>, row: DeviceHour, energy: EnergyFacts | undefined, share: number, counters: CounterSums | null): void {
  let sum = hours.get(row.hour);
  if (!sum) {
    sum = { known: 0, useful: 0, active: 0, activeUseful: 0, held: 0, dead: 0, idleMemoryUnknown: 0, memoryKnown: 0, memoryUsed: 0, energy: noEnergy(), counters: null };
    hours.set(row.hour, sum);
  }
  const gpuHours = (seconds: number): number => (seconds / 3600) * share;
  if (counters !== null || sum.counters !== null) {
    sum.counters = plusCounters(countersOf(sum), counters ?? { utilization: { known: gpuHours(row.knownSeconds), useful: gpuHours(row.utilizationSeconds) } });
  }
  sum.known += gpuHours(row.knownSeconds);
  sum.useful += gpuHours(row.utilizationSeconds);
  sum.active += gpuHours(row.activeSeconds);
  sum.activeUseful += gpuHours(row.activeUtilizationSeconds);
  sum.held += gpuHours(row.heldIdleSeconds);
  sum.dead += gpuHours(row.deadIdleSeconds);
  sum.idleMemoryUnknown += gpuHours(row.idleMemoryUnknownSeconds);
  sum.memoryKnown += gpuHours(row.memoryKnownSeconds);
  sum.memoryUsed += gpuHours(row.memoryShareSeconds);
  if (energy !== undefined) addEnergy(sum.energy, energy, share);
}

export function countersOf({ counters, known, useful }: ObservedSum): CounterSums {
  return counters ?? (known === 0 ? {} : { utilization: { known, useful } });
}

function plusCounters(a: CounterSums, b: CounterSums): CounterSums {
  const sum: CounterSums = { ...a };
  for (const counter of hourCounters) {
    const more = b[counter];
    if (more === undefined) continue;
    const before = sum[counter];
    sum[counter] = before === undefined ? more : { known: before.known + more.known, useful: before.useful + more.useful };
  }
  return sum;
}

/** By resource, its id in small letters: what the hosts joined to it were seen to do. */
export function observedResources(matches: readonly HostMatch[], observed: ObservedHosts): Map<string, Map<number, ObservedSum>> {
  const resources = new Map<string, Map<number, ObservedSum>>();
  for (const match of matches) {
    const hours = observed.get(match.host);
    if (!hours) continue;
    const key = match.resourceId.toLowerCase();
    let into = resources.get(key);
    if (!into) resources.set(key, (into = new Map<number, ObservedSum>()));
    for (const [hour, sum] of hours) {
      if (hour < match.fromHour || hour >= match.toHour) continue;
      const known = into.get(hour);
      into.set(hour, known ? plus(known, sum) : sum);
    }
  }
  return resources;
}

function plus(a: ObservedSum, b: ObservedSum): ObservedSum {
  return {
    known: a.known + b.known,
    useful: a.useful + b.useful,
    active: a.active + b.active,
    activeUseful: a.activeUseful + b.activeUseful,
    held: a.held + b.held,
    dead: a.dead + b.dead,
    idleMemoryUnknown: a.idleMemoryUnknown + b.idleMemoryUnknown,
    memoryKnown: a.memoryKnown + b.memoryKnown,
    memoryUsed: a.memoryUsed + b.memoryUsed,
    energy: sumOf(a.energy, b.energy),
    counters: a.counters === null && b.counters === null ? null : plusCounters(countersOf(a), countersOf(b)),
  };
}

function sumOf(a: EnergyFacts, b: EnergyFacts): EnergyFacts {
  const sum = { ...a };
  addEnergy(sum, b);
  return sum;
}
