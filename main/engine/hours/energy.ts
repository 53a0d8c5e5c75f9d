/**
 * Energy of one hour: what was measured, and the time for which only a model or an assumption is left (maths.md f.1). The model itself is
 * not here: it is linear in time and in time × utilization, so the sums of these serve whatever watts are put in later. Pure.
 */
import type { IdlePolicy } from "../../../shared/contract/report.ts";
import { eachPart, eachState, wattHoursBetween, type DeviceState, type DeviceTraces, type IdleStates, type Trace } from "./timeline.ts";

/** Hours are GPU-hours. Measured energy while idle is part of what the counter or the power samples say, not beside it. */
export const energyFactNames = [
  "counterHours",
  "counterWattHours",
  "powerHours",
  "powerWattHours",
  "heldWattHours",
  "deadWattHours",
  "idleMemoryUnknownWattHours",
  "modelHours",
  "modelUsefulHours",
  "modelHeldHours",
  "modelHeldUsefulHours",
  "modelDeadHours",
  "modelDeadUsefulHours",
  "modelIdleMemoryUnknownHours",
  "modelIdleMemoryUnknownUsefulHours",
] as const;
export type EnergyFacts = Record<(typeof energyFactNames)[number], number>;

export function noEnergy(): EnergyFacts {
  return {
    counterHours: 0, counterWattHours: 0, powerHours: 0, powerWattHours: 0, heldWattHours: 0, deadWattHours: 0, idleMemoryUnknownWattHours: 0,
    modelHours: 0, modelUsefulHours: 0, modelHeldHours: 0, modelHeldUsefulHours: 0, modelDeadHours: 0, modelDeadUsefulHours: 0,
    modelIdleMemoryUnknownHours: 0, modelIdleMemoryUnknownUsefulHours: 0,
  };
}

/** Adds facts into others, times a share: a slice of a card is a share of its hours and of its watts. */
export function addEnergy(into: EnergyFacts, facts: EnergyFacts, share = 1): void {
  for (const name of energyFactNames) into[name] += facts[name] * share;
}

const HOUR_MS = 3_600_000;
const measuredWhile = { held: "heldWattHours", dead: "deadWattHours", "idle-memory-unknown": "idleMemoryUnknownWattHours" } as const;
const modelHoursWhile = { held: "modelHeldHours", dead: "modelDeadHours", "idle-memory-unknown": "modelIdleMemoryUnknownHours" } as const;
const modelUsefulWhile = { held: "modelHeldUsefulHours", dead: "modelDeadUsefulHours", "idle-memory-unknown": "modelIdleMemoryUnknownUsefulHours" } as const;

/**
 * The facts of one device by hour. A counter beats power samples, those beat the utilization: no instant counts twice. A counter's value
 * is its mean power between two readings, so it holds; power samples are joined by trapezoids.
 */
export function deviceEnergy(
  traces: DeviceTraces & { readonly counter: Trace },
  states: IdleStates,
  policy: IdlePolicy,
  fromHour: number,
  toHour: number,
): Map<number, EnergyFacts> {
  const hours = new Map<number, EnergyFacts>();
  const at = (hour: number): EnergyFacts => {
    let facts = hours.get(hour);
    if (facts === undefined) hours.set(hour, (facts = noEnergy()));
    return facts;
  };
  const { counter, power, utilization } = traces;
  eachPart(counter, fromHour, toHour, (hour, start, end, index) => {
    const facts = at(hour);
    facts.counterHours += (end - start) / HOUR_MS;
    facts.counterWattHours += heldWattHours(counter, index, start, end);
  });
  const besideCounter = holesOf(counter);
  eachPart(power, fromHour, toHour, (hour, start, end, index) => {
    besideCounter(start, end, (from, to) => {
      const facts = at(hour);
      facts.powerHours += (to - from) / HOUR_MS;
      facts.powerWattHours += wattHoursBetween(power, index, from, to);
    });
  });
  const counterIn = partsOf(counter);
  const besideCounterIn = holesOf(counter);
  const powerIn = partsOf(power);
  const besidePowerIn = holesOf(power);
  eachState(traces, states, policy, fromHour, toHour, (hour, start, end, state, index) => {
    const facts = at(hour);
    if (state !== "active") {
      counterIn(start, end, (from, to, segment) => {
        facts[measuredWhile[state]] += heldWattHours(counter, segment, from, to);
      });
    }
    besideCounterIn(start, end, (holeStart, holeEnd) => {
      if (state !== "active") {
        powerIn(holeStart, holeEnd, (from, to, segment) => {
          facts[measuredWhile[state]] += wattHoursBetween(power, segment, from, to);
        });
      }
      besidePowerIn(holeStart, holeEnd, (from, to) => {
        addModel(facts, state, (to - from) / HOUR_MS, (utilization.value[index] as number) / 100);
      });
    });
  });
  return hours;
}

function addModel(facts: EnergyFacts, state: DeviceState, hours: number, ratio: number): void {
  const useful = hours * Math.min(Math.max(ratio, 0), 1);
  facts.modelHours += hours;
  facts.modelUsefulHours += useful;
  if (state === "active") return;
  facts[modelHoursWhile[state]] += hours;
  facts[modelUsefulWhile[state]] += useful;
}

function heldWattHours(trace: Trace, index: number, startMs: number, endMs: number): number {
  return ((trace.value[index] as number) * (endMs - startMs)) / HOUR_MS;
}

type Within = (startMs: number, endMs: number, visit: (fromMs: number, toMs: number, index: number) => void) => void;

/** The parts of a trace's segments within spans that are asked for in ascending order. */
function partsOf(trace: Trace): Within {
  let first = 0;
  return (startMs, endMs, visit) => {
    while (first < trace.value.length && (trace.endMs[first] as number) <= startMs) first += 1;
    for (let index = first; index < trace.value.length && (trace.startMs[index] as number) < endMs; index += 1) {
      const from = Math.max(startMs, trace.startMs[index] as number);
      const to = Math.min(endMs, trace.endMs[index] as number);
      if (to > from) visit(from, to, index);
    }
  };
}

/** What no segment of a trace covers within spans that are asked for in ascending order. */
function holesOf(trace: Trace): (startMs: number, endMs: number, visit: (fromMs: number, toMs: number) => void) => void {
  const parts = partsOf(trace);
  return (startMs, endMs, visit) => {
    let reached = startMs;
    parts(startMs, endMs, (from, to) => {
      if (from > reached) visit(reached, from);
      reached = Math.max(reached, to);
    });
    if (reached < endMs) visit(reached, endMs);
  };
}

/** One charge's part of its resource's hour. Energy in whole milliwatt-hours, hours in GPU-hours. */
export interface ChargeEnergy extends EnergyFacts {
  readonly seriesId: number;
  readonly gpuHours: number;
}

const energyParts = ["counterWattHours", "powerWattHours", "heldWattHours", "deadWattHours", "idleMemoryUnknownWattHours"] as const;

/**
 * Splits a resource's energy of an hour over its charges as its cost is: by the GPU-hours each bills. Watt-hours come out as whole
 * milliwatt-hours that add up to the hour's own, rounded once. Telemetry beyond what was billed is scaled down to it.
 */
export function splitEnergy(charges: readonly { readonly seriesId: number; readonly gpuHours: number }[], facts: EnergyFacts | null): ChargeEnergy[] {
  const weights = charges.map(({ gpuHours }) => (gpuHours > 0 ? gpuHours : 0));
  const billed = weights.reduce((sum, weight) => sum + weight, 0);
  if (facts === null || billed === 0) return charges.map(({ seriesId, gpuHours }) => ({ seriesId, gpuHours, ...noEnergy() }));
  const seen = facts.counterHours + facts.powerHours + facts.modelHours;
  const scale = seen <= billed ? 1 : billed / seen;
  const shares = charges.map(({ seriesId, gpuHours }, index) => {
    const share: ChargeEnergy = { seriesId, gpuHours, ...noEnergy() };
    addEnergy(share, facts, ((weights[index] as number) / billed) * scale);
    return share;
  });
  for (const name of energyParts) {
    const whole = Math.round(facts[name] * scale * 1000);
    let reachedWeight = 0;
    let taken = 0;
    shares.forEach((share, index) => {
      reachedWeight += weights[index] as number;
      const upTo = index === shares.length - 1 ? whole : Math.round((whole * reachedWeight) / billed);
      share[name] = upTo - taken;
      taken = upTo;
    });
  }
  return shares;
}
