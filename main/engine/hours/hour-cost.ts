/**
 * Where bill and telemetry meet: what one hour of one billed resource bought. Pure.
 *
 * A resource's GPU-hours of the hour are shared out over its charges by the GPU-hours each bills; its telemetry is the sum over the devices
 * of the hosts joined to it. Telemetry beyond what was billed (a clock, or an hour billed in part) is scaled down to it, so idle is never
 * more than was paid for; what is billed beyond the telemetry is unknown, never idle.
 */

/** One charge series in one hour. */
export interface ChargeHour {
  readonly seriesId: number;
  readonly gpuHours: number;
  /** null where the source states no effective cost. */
  readonly effectiveAttos: bigint | null;
}

/** Telemetry of one resource in one hour, summed over its devices, in GPU-hours. */
export interface ObservedHour {
  readonly known: number;
  readonly useful: number;
  readonly active: number;
  readonly activeUseful: number;
  readonly held: number;
  readonly dead: number;
  readonly idleMemoryUnknown: number;
  readonly memoryKnown: number;
  readonly memoryUsed: number;
}

export interface HourCost {
  readonly seriesId: number;
  readonly gpuHours: number;
  readonly knownGpuHours: number;
  readonly usefulGpuHours: number;
  readonly idleGpuHours: number;
  readonly memoryKnownGpuHours: number;
  readonly memoryUsedGpuHours: number;
  readonly effectiveAttos: bigint | null;
  /** productive, busy but inefficient, held idle, dead idle, idle with memory unknown, unknown: they add up to the cost. */
  readonly parts: readonly [bigint, bigint, bigint, bigint, bigint, bigint] | null;
}

/**
 * Splits each charge of one resource and hour.
 * productive = active × u, busy but inefficient = active × (1 − u), the idle states by their time, the rest unknown (maths.md d.4).
 */
export function splitHour(charges: readonly ChargeHour[], observed: ObservedHour | null): HourCost[] {
  let billed = 0;
  for (const charge of charges) if (charge.gpuHours > 0) billed += charge.gpuHours;
  const scale = observed === null || observed.known <= billed || observed.known === 0 ? 1 : billed / observed.known;
  return charges.map((charge) => {
    const share = observed === null || billed === 0 || charge.gpuHours <= 0 ? 0 : (charge.gpuHours / billed) * scale;
    const part = (hours: number): number => hours * share;
    const known = observed === null ? 0 : Math.min(charge.gpuHours > 0 ? charge.gpuHours : 0, part(observed.known));
    const weights =
      observed === null || share === 0
        ? [0, 0, 0, 0, 0, 1]
        : [
            part(observed.activeUseful),
            part(observed.active - observed.activeUseful),
            part(observed.held),
            part(observed.dead),
            part(observed.idleMemoryUnknown),
            charge.gpuHours - known,
          ];
    return {
      seriesId: charge.seriesId,
      gpuHours: charge.gpuHours,
      knownGpuHours: known,
      usefulGpuHours: observed === null ? 0 : part(observed.useful),
      idleGpuHours: observed === null ? 0 : part(observed.held + observed.dead + observed.idleMemoryUnknown),
      memoryKnownGpuHours: observed === null ? 0 : part(observed.memoryKnown),
      memoryUsedGpuHours: observed === null ? 0 : part(observed.memoryUsed),
      effectiveAttos: charge.effectiveAttos,
      parts: charge.effectiveAttos === null ? null : splitExactly(charge.effectiveAttos, weights),
    };
  });
}

/** What one counter measured of a resource in an hour, over its devices: GPU-hours with a value, and those times the value. */
export interface CounterSum {
  readonly known: number;
  readonly useful: number;
}

/** One counter's hours shared out over the charges of the resource as its telemetry is: by the GPU-hours billed, never more than them. */
export function splitCounter(charges: readonly ChargeHour[], { known, useful }: CounterSum): CounterSum[] {
  const positive = ({ gpuHours }: ChargeHour): number => (gpuHours > 0 ? gpuHours : 0);
  const billed = charges.reduce((sum, charge) => sum + positive(charge), 0);
  const scale = known <= billed || known === 0 ? 1 : billed / known;
  return charges.map((charge) => {
    const share = billed === 0 ? 0 : (positive(charge) / billed) * scale;
    return { known: Math.min(positive(charge), known * share), useful: useful * share };
  });
}

/**
 * Six parts of an amount by weights: each is the difference of two cumulative floors, so they add up to the amount to the atto and a
 * weight of zero takes nothing. Weights are GPU-hours taken to the microsecond (3.6e9 a GPU-hour). No weight at all: everything is unknown.
 */
export function splitExactly(attos: bigint, weights: readonly number[]): [bigint, bigint, bigint, bigint, bigint, bigint] {
  const parts: [bigint, bigint, bigint, bigint, bigint, bigint] = [0n, 0n, 0n, 0n, 0n, 0n];
  const whole = weights.map((weight) => (weight > 0 ? Math.round(weight * 3.6e9) : 0));
  const total = whole.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) {
    parts[5] = attos;
    return parts;
  }
  const sign = attos < 0n ? -1n : 1n;
  const amount = attos * sign;
  const divisor = BigInt(total);
  let reached = 0;
  let taken = 0n;
  for (let index = 0; index < 6; index += 1) {
    const weight = whole[index] as number;
    if (weight === 0) continue;
    reached += weight;
    const upTo = reached === total ? amount : (amount * BigInt(reached)) / divisor;
    parts[index] = sign * (upTo - taken);
    taken = upTo;
  }
  return parts;
}
