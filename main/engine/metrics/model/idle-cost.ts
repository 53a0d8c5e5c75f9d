import { add, compare, decimal, divide, multiply, ONE, ratio, subtract, whole, ZERO, type Rational } from "../../../../shared/domain/rational.ts";

/** How far a figure that rests on telemetry can be trusted, by the share of billed time that was observed. */
export type Confidence = "high" | "medium" | "low" | "insufficient";

/** ≥ 95 % high, ≥ 80 % medium, ≥ 50 % low, else insufficient: then no single figure is given (model d.5). */
export function confidence(coverage: Rational | null): Confidence {
  if (coverage === null) return "insufficient";
  if (compare(coverage, decimal("0.95")) >= 0) return "high";
  if (compare(coverage, decimal("0.8")) >= 0) return "medium";
  return compare(coverage, decimal("0.5")) >= 0 ? "low" : "insufficient";
}

export interface IdleCostInputs {
  readonly idleSeconds: Rational;
  readonly unknownSeconds: Rational;
  readonly billedSeconds: Rational;
  readonly gpus: Rational;
  /** Σ EffectiveCost ÷ Σ billed GPU-hours of the same resource and period. */
  readonly pricePerGpuHour: Rational;
  /** Share of the hours that a commitment pays for until it expires. */
  readonly committedShare: Rational;
}

export interface IdleCost {
  readonly idleGpuHours: Rational;
  /** Cost of the idle time that was seen; a lower bound where some was not. */
  readonly idleCost: Rational;
  readonly avoidableNow: Rational;
  readonly sunkUntilExpiry: Rational;
  /** As if the unknown time were like the known; null with insufficient coverage. */
  readonly scaledCost: Rational | null;
  /** As if all unknown time were idle. */
  readonly upperBound: Rational;
  readonly coverage: Rational | null;
  readonly confidence: Confidence;
}

/**
 * What idle GPUs cost (model d.5).
 *
 * formula    idle seconds ÷ 3600 × GPUs × effective price per GPU-hour; the committed share is sunk, the rest avoidable now
 * coverage   (billed − unknown) ÷ billed seconds; null if nothing was billed
 * range      from `idleCost` to `upperBound`; the point estimate divides by the coverage
 */
export function idleCost({ idleSeconds, unknownSeconds, billedSeconds, gpus, pricePerGpuHour, committedShare }: IdleCostInputs): IdleCost {
  const gpuHours = (seconds: Rational): Rational => multiply(divide(seconds, SECONDS_PER_HOUR), gpus);
  const cost = multiply(gpuHours(idleSeconds), pricePerGpuHour);
  const coverage = ratio(subtract(billedSeconds, unknownSeconds), billedSeconds);
  const trust = confidence(coverage);
  return {
    idleGpuHours: gpuHours(idleSeconds),
    idleCost: cost,
    avoidableNow: multiply(cost, subtract(ONE, committedShare)),
    sunkUntilExpiry: multiply(cost, committedShare),
    scaledCost: coverage === null || trust === "insufficient" ? null : ratio(cost, coverage),
    upperBound: multiply(gpuHours(add(idleSeconds, unknownSeconds)), pricePerGpuHour),
    coverage,
    confidence: trust,
  };
}

export interface FleetRow {
  readonly gpus: Rational;
  readonly knownHours: Rational;
  /** Time-weighted mean over the known hours; null if there are none. */
  readonly mean: Rational | null;
  readonly pricePerGpuHour: Rational;
}

export interface FleetUtilization {
  /** Σ GPUs·hours·mean ÷ Σ GPUs·hours: the fleet figure. */
  readonly gpuHourWeighted: Rational | null;
  /** The same weighed by what the hours cost. */
  readonly costWeighted: Rational | null;
  /** The mean of the machines' means, for contrast only: it gives a small machine the say of a big one. */
  readonly simpleMean: Rational | null;
}

/** Utilization of a fleet (model d.6): every known GPU-hour weighs the same; null where there is no weight. */
export function fleetUtilization(rows: readonly FleetRow[]): FleetUtilization {
  const weighted = (weightOf: (row: FleetRow) => Rational): Rational | null => {
    let [weights, values] = [ZERO, ZERO];
    for (const row of rows) {
      if (row.mean === null) continue;
      weights = add(weights, weightOf(row));
      values = add(values, multiply(weightOf(row), row.mean));
    }
    return ratio(values, weights);
  };
  const gpuHours = ({ gpus, knownHours }: FleetRow): Rational => multiply(gpus, knownHours);
  return {
    gpuHourWeighted: weighted(gpuHours),
    costWeighted: weighted((row) => multiply(gpuHours(row), row.pricePerGpuHour)),
    simpleMean: weighted(() => ONE),
  };
}

const SECONDS_PER_HOUR = whole(3600);
