import { compare, decimal, divide, floor, isNegative, isPositive, larger, multiply, ONE, ratio, subtract, whole, type Rational } from "../../../../shared/domain/rational.ts";

export interface SliceInputs {
  readonly gpuPriceHourly: Rational;
  /** Share of the card's SMs, 0 to 1: 14 of 108 for a 1g slice of an A100, not 1/7. */
  readonly computeShare: Rational;
  readonly memoryShare: Rational;
  /** What decides the slice's share of the price; the larger of the two unless told otherwise. */
  readonly basis: "max" | "compute" | "memory";
  /** Share of the compute that virtualization loses; an input with a source. */
  readonly virtualizationLoss: Rational;
}

/**
 * What a slice of a GPU costs beside a whole one (model e.7).
 *
 * allocated   price × the share of the basis
 * effective   compute share × (1 − loss)
 * equivalent  allocated ÷ effective, the price of a full GPU's compute bought in such slices; null if nothing is effective
 * penalty     equivalent ÷ price − 1
 */
export function slicePrice({ gpuPriceHourly, computeShare, memoryShare, basis, virtualizationLoss }: SliceInputs): {
  readonly allocatedCostHourly: Rational;
  readonly effectiveComputeShare: Rational;
  readonly pricePerFullGpuEquivalent: Rational | null;
  readonly penaltyVersusFullGpu: Rational | null;
} {
  const share = basis === "compute" ? computeShare : basis === "memory" ? memoryShare : larger(computeShare, memoryShare);
  const allocatedCostHourly = multiply(gpuPriceHourly, share);
  const effectiveComputeShare = multiply(computeShare, subtract(ONE, virtualizationLoss));
  const equivalent = ratio(allocatedCostHourly, effectiveComputeShare);
  const overPrice = equivalent === null ? null : ratio(equivalent, gpuPriceHourly);
  return {
    allocatedCostHourly,
    effectiveComputeShare,
    pricePerFullGpuEquivalent: equivalent,
    penaltyVersusFullGpu: overPrice === null ? null : subtract(overPrice, ONE),
  };
}

export interface BatchSizeInputs {
  readonly gpuMemoryGigabytes: Rational;
  /** Share of the memory left free. */
  readonly reserveShare: Rational;
  readonly parameters: Rational;
  /** 2 for 16-bit inference, 1 for 8-bit, about 16 for mixed-precision training with Adam. */
  readonly bytesPerParameter: Rational;
  readonly gigabytesPerSample: Rational;
}

/**
 * A first guess at the batch that fits, to be replaced by a measured peak (model e.9):
 * ⌊(memory × (1 − reserve) − parameters × bytes × 1.2) ÷ memory per sample⌋, 0 if below; null for samples without size.
 */
export function batchSize({ gpuMemoryGigabytes, reserveShare, parameters, bytesPerParameter, gigabytesPerSample }: BatchSizeInputs): {
  readonly weightsWithOverheadGigabytes: Rational;
  readonly freeGigabytes: Rational;
  readonly batchSize: number | null;
  /** The weights and at least one sample. */
  readonly fits: boolean;
} {
  const weights = divide(multiply(multiply(parameters, bytesPerParameter), WEIGHT_OVERHEAD), GIGA);
  const free = subtract(multiply(gpuMemoryGigabytes, subtract(ONE, reserveShare)), weights);
  const samples = isPositive(gigabytesPerSample) ? (isNegative(free) ? 0 : Number(floor(divide(free, gigabytesPerSample)))) : null;
  return { weightsWithOverheadGigabytes: weights, freeGigabytes: free, batchSize: samples, fits: samples === null ? !isNegative(free) : samples >= 1 };
}

/** Host memory should be at least twice the GPUs' (model e.10): a warning, not a limit. */
export function hostRamCheck(gpuMemoryGigabytes: Rational, gpus: Rational, hostRamGigabytes: Rational): {
  readonly requiredGigabytes: Rational;
  /** Host ÷ GPU memory; null without GPU memory. */
  readonly ratio: Rational | null;
  readonly isEnough: boolean;
} {
  const gpuMemory = multiply(gpuMemoryGigabytes, gpus);
  const required = multiply(gpuMemory, whole(2));
  return { requiredGigabytes: required, ratio: ratio(hostRamGigabytes, gpuMemory), isEnough: compare(hostRamGigabytes, required) >= 0 };
}

/** Activations and buffers beside the weights (model e.9). */
const WEIGHT_OVERHEAD = decimal("1.2");
const GIGA = whole(10n ** 9n);
