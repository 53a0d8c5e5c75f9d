import { compareIds } from "../../../shared/domain/money.ts";
import { add, compare, divide, isPositive, isZero, multiply, ratio, whole, type Rational } from "../../../shared/domain/rational.ts";
import { paretoFront } from "./pareto.ts";

/** From the slowest link between GPUs to the one between nodes. */
export const interconnects = ["pcie", "nvlink", "nvswitch", "infiniband"] as const;
export type Interconnect = (typeof interconnects)[number];

export interface SelectableOffer {
  readonly id: string;
  readonly priceHourly: Rational;
  readonly gpus: Rational;
  readonly memoryGigabytesPerGpu: Rational | null;
  readonly bandwidthTerabytesPerSecond: Rational | null;
  readonly interconnect: Interconnect | null;
  readonly region: string | null;
  readonly isConfidential: boolean;
  /** Dense TFLOPS of one GPU by precision; a precision that is missing is not supported. */
  readonly tflopsDense: ReadonlyMap<string, Rational>;
  /** Units a second of the whole offer, by workload. */
  readonly benchmarks: ReadonlyMap<string, Rational>;
  readonly powerKilowatts: Rational | null;
  readonly pue: Rational | null;
  readonly gridGramsPerKilowattHour: Rational | null;
}

export interface Requirement {
  readonly precision: string;
  readonly workload: string;
  readonly units: Rational;
  /** Model FLOPS utilization for offers without a benchmark, if no other offer has one to learn it from. */
  readonly defaultMfu: Rational;
  /** Null where no estimate can be made. */
  readonly tflopPerUnit: Rational | null;
  readonly calibrate: boolean;
  readonly minimumMemoryGigabytesPerGpu: Rational | null;
  readonly minimumTotalMemoryGigabytes: Rational | null;
  readonly minimumBandwidthTerabytesPerSecond: Rational | null;
  readonly minimumInterconnect: Interconnect | null;
  readonly regions: readonly string[] | null;
  readonly needsConfidential: boolean;
  readonly maximumGridGramsPerKilowattHour: Rational | null;
  readonly deadlineHours: Rational | null;
  /** For all units; null: any. */
  readonly maximumJobCost: Rational | null;
}

export type RejectionReason = "precision" | "memory_per_gpu" | "total_memory" | "bandwidth" | "interconnect" | "region" | "confidential" | "carbon" | "deadline" | "rate" | "budget";

export interface RatedOffer {
  readonly id: string;
  readonly costPerUnit: Rational;
  readonly jobCost: Rational;
  readonly jobHours: Rational;
  /** Grams of CO2e; null if power, PUE or grid are not known. */
  readonly jobCarbonGrams: Rational | null;
  /** The rate is an estimate from peak and MFU, not a benchmark. */
  readonly isEstimated: boolean;
}

export interface Selection {
  /** All reasons of each rejected offer. */
  readonly rejected: ReadonlyMap<string, readonly RejectionReason[]>;
  /** From the lowest cost a unit; at a tie the lower carbon (unknown last), then the id. */
  readonly ranking: readonly RatedOffer[];
  readonly mfuUsed: Rational;
  readonly mfuSource: "calibrated" | "default";
  /** Ids that no other offer beats in cost, hours and carbon, in order of ids. */
  readonly pareto: readonly string[];
}

/**
 * Chooses among offers for a workload (model j.1 to j.4).
 *
 * filter      every hard limit that an offer fails is listed; what is unknown fails the limit on it
 * rate        the benchmark of this workload; else peak × GPUs × MFU ÷ TFLOP a unit, marked as estimated
 * MFU         the median of what the benchmarks imply, over all offers that have one, the rejected ones too; else the default.
 *             Without this an unmeasured offer with an optimistic default outranks every measured one
 * cost        price ÷ (rate × 3600) a unit; hours = units ÷ (rate × 3600); carbon = power × hours × PUE × grid
 *
 * An offer whose rate cannot be known or is 0 is rejected for it (`rate`), if nothing else says so already.
 */
export function selectOffers(requirement: Requirement, offers: readonly SelectableOffer[]): Selection {
  const rated = rateOffers(requirement, offers);
  const { front } = paretoFront(
    rated.ranking.map(({ id, jobCost, jobHours, jobCarbonGrams }) => ({ id, values: [jobCost, jobHours, jobCarbonGrams] })),
    ["min", "min", "min"],
  );
  return { ...rated, pareto: front };
}

/** As `selectOffers`, without the front that no offer beats. */
export function rateOffers(requirement: Requirement, offers: readonly SelectableOffer[]): Omit<Selection, "pareto"> {
  const calibrated = requirement.calibrate ? impliedMfu(requirement, offers) : null;
  const mfuUsed = calibrated ?? requirement.defaultMfu;
  const rejected = new Map<string, readonly RejectionReason[]>();
  const rated: RatedOffer[] = [];
  for (const offer of offers) {
    const rate = rateOf(offer, requirement, mfuUsed);
    const outcome = rate === null ? null : rateOffer(offer, requirement, rate);
    const reasons = failures(offer, requirement, outcome);
    if (reasons.length > 0) rejected.set(offer.id, reasons);
    else if (outcome === null) rejected.set(offer.id, ["rate"]);
    else rated.push(outcome);
  }
  const ranking = rated.toSorted((a, b) => compare(a.costPerUnit, b.costPerUnit) || unknownLast(a.jobCarbonGrams, b.jobCarbonGrams) || compareIds(a.id, b.id));
  return { rejected, ranking, mfuUsed, mfuSource: calibrated === null ? "default" : "calibrated" };
}

interface Rate {
  readonly unitsPerSecond: Rational;
  readonly isEstimated: boolean;
}

function rateOf(offer: SelectableOffer, { workload, precision, tflopPerUnit }: Requirement, mfu: Rational): Rate | null {
  const benchmark = offer.benchmarks.get(workload);
  if (benchmark !== undefined) return isPositive(benchmark) ? { unitsPerSecond: benchmark, isEstimated: false } : null;
  const peak = offer.tflopsDense.get(precision);
  if (peak === undefined || tflopPerUnit === null || isZero(tflopPerUnit)) return null;
  const estimate = divide(multiply(multiply(peak, offer.gpus), mfu), tflopPerUnit);
  return isPositive(estimate) ? { unitsPerSecond: estimate, isEstimated: true } : null;
}

function rateOffer(offer: SelectableOffer, { units }: Requirement, { unitsPerSecond, isEstimated }: Rate): RatedOffer {
  const unitsPerHour = multiply(unitsPerSecond, SECONDS_PER_HOUR);
  const jobHours = divide(units, unitsPerHour);
  const { powerKilowatts: power, pue, gridGramsPerKilowattHour: grid } = offer;
  return {
    id: offer.id,
    costPerUnit: divide(offer.priceHourly, unitsPerHour),
    jobCost: multiply(offer.priceHourly, jobHours),
    jobHours,
    jobCarbonGrams: power === null || pue === null || grid === null ? null : [jobHours, pue, grid].reduce(multiply, power),
    isEstimated,
  };
}

/** Median MFU that the benchmarks of this workload imply: rate × TFLOP a unit ÷ (peak × GPUs); null without one. */
function impliedMfu({ workload, precision, tflopPerUnit }: Requirement, offers: readonly SelectableOffer[]): Rational | null {
  if (tflopPerUnit === null) return null;
  const implied = offers.flatMap(({ benchmarks, tflopsDense, gpus }) => {
    const [benchmark, peak] = [benchmarks.get(workload), tflopsDense.get(precision)];
    return benchmark === undefined || peak === undefined ? [] : (ratio(multiply(benchmark, tflopPerUnit), multiply(peak, gpus)) ?? []);
  });
  const sorted = implied.toSorted(compare);
  const middle = Math.floor(sorted.length / 2);
  const [below, above] = [sorted[middle - 1], sorted[middle]];
  if (above === undefined) return null;
  return sorted.length % 2 === 1 || below === undefined ? above : divide(add(below, above), whole(2));
}

function failures(offer: SelectableOffer, limits: Requirement, outcome: RatedOffer | null): readonly RejectionReason[] {
  const memory = offer.memoryGigabytesPerGpu;
  const checks: readonly (readonly [RejectionReason, boolean])[] = [
    ["precision", !offer.tflopsDense.has(limits.precision)],
    ["memory_per_gpu", isBelow(memory, limits.minimumMemoryGigabytesPerGpu)],
    ["total_memory", isBelow(memory === null ? null : multiply(memory, offer.gpus), limits.minimumTotalMemoryGigabytes)],
    ["bandwidth", isBelow(offer.bandwidthTerabytesPerSecond, limits.minimumBandwidthTerabytesPerSecond)],
    ["interconnect", limits.minimumInterconnect !== null && rankOf(offer.interconnect) < rankOf(limits.minimumInterconnect)],
    ["region", limits.regions !== null && (offer.region === null || !limits.regions.includes(offer.region))],
    ["confidential", limits.needsConfidential && !offer.isConfidential],
    ["carbon", isAbove(offer.gridGramsPerKilowattHour, limits.maximumGridGramsPerKilowattHour)],
    ["deadline", outcome !== null && isAbove(outcome.jobHours, limits.deadlineHours)],
    ["budget", outcome !== null && isAbove(outcome.jobCost, limits.maximumJobCost)],
  ];
  return checks.filter(([, fails]) => fails).map(([reason]) => reason);
}

function isBelow(value: Rational | null, minimum: Rational | null): boolean {
  return minimum !== null && (value === null || compare(value, minimum) < 0);
}

function isAbove(value: Rational | null, maximum: Rational | null): boolean {
  return maximum !== null && (value === null || compare(value, maximum) > 0);
}

function rankOf(interconnect: Interconnect | null): number {
  return interconnect === null ? -1 : interconnects.indexOf(interconnect);
}

function unknownLast(a: Rational | null, b: Rational | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(a, b);
}

const SECONDS_PER_HOUR = whole(3600);
