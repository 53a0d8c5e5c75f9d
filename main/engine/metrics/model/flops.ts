import { add, compare, decimal, divide, isZero, multiply, ONE, ratio, whole, type Rational } from "../../../../shared/domain/rational.ts";

export interface FlopsPerDollarInputs {
  /** Dense TFLOPS of one GPU at the precision that is used; never the figure "with sparsity". */
  readonly peakTflopsDense: Rational;
  readonly gpus: Rational;
  /** For all GPUs together. */
  readonly priceHourly: Rational;
  /** Share of time the tensor pipes were active, 0 to 1; null without telemetry. */
  readonly activity: Rational | null;
  /** Model FLOPS utilization, 0 to 1; null if not known. */
  readonly mfu: Rational | null;
}

export interface FlopsPerDollar {
  readonly tflopsPerDollarHour: Rational | null;
  readonly peakPflopPerDollar: Rational | null;
  readonly effectivePflopPerDollar: Rational | null;
  readonly achievedPflopPerDollar: Rational | null;
  /** MFU above the activity of the pipes that did the work is impossible: a sparse peak, the wrong precision or GPU count. */
  readonly isSuspect: boolean;
}

/**
 * Floating-point work per unit of money at three levels (model e.1).
 *
 * peak        peak TFLOPS × GPUs × 3600 ÷ hourly price ÷ 1000, in PFLOP: a property of the price list alone
 * effective   × activity: what the telemetry says the pipes did
 * achieved    × MFU: what the model needed
 * unknown     null without telemetry or MFU, and for a price of 0
 */
export function flopsPerDollar({ peakTflopsDense, gpus, priceHourly, activity, mfu }: FlopsPerDollarInputs): FlopsPerDollar {
  const tflopsPerDollarHour = ratio(multiply(peakTflopsDense, gpus), priceHourly);
  const peak = tflopsPerDollarHour === null ? null : multiply(tflopsPerDollarHour, SECONDS_PER_HOUR_PER_PETA);
  return {
    tflopsPerDollarHour,
    peakPflopPerDollar: peak,
    effectivePflopPerDollar: peak === null || activity === null ? null : multiply(peak, activity),
    achievedPflopPerDollar: peak === null || mfu === null ? null : multiply(peak, mfu),
    isSuspect: activity !== null && mfu !== null && compare(mfu, activity) > 0,
  };
}

/** The shape of a transformer as its attention costs FLOP. */
export interface AttentionShape {
  readonly layers: Rational;
  readonly heads: Rational;
  readonly headDimension: Rational;
  readonly sequenceLength: Rational;
}

export interface MfuInputs {
  readonly mode: "train" | "infer";
  /** Of a mixture of experts only the routed ones. */
  readonly activeParameters: Rational;
  /** Null leaves the attention term out. */
  readonly attention: AttentionShape | null;
  readonly tokensPerSecond: Rational;
  readonly gpus: Rational;
  readonly peakTflopsDense: Rational;
}

/**
 * Model FLOPS utilization (model e.2): FLOP a token × tokens a second ÷ (GPUs × peak).
 *
 * train   6 × parameters + 12 × layers × heads × head dimension × sequence length
 * infer   2 × parameters + a third of that attention term
 *
 * Recomputation is no model FLOP. Causal attention is counted in full. `mfu` is null for a peak of 0.
 */
export function modelFlopsUtilization({ mode, activeParameters, attention, tokensPerSecond, gpus, peakTflopsDense }: MfuInputs): {
  readonly flopPerToken: Rational;
  readonly achievedTflops: Rational;
  readonly mfu: Rational | null;
} {
  const [parameterFlop, attentionFlop] = mode === "train" ? [whole(6), whole(12)] : [whole(2), whole(4)];
  const weights = multiply(parameterFlop, activeParameters);
  const flopPerToken =
    attention === null
      ? weights
      : add(weights, [attention.layers, attention.heads, attention.headDimension, attention.sequenceLength].reduce(multiply, attentionFlop));
  const achievedTflops = divide(multiply(flopPerToken, tokensPerSecond), TERA);
  return { flopPerToken, achievedTflops, mfu: ratio(achievedTflops, multiply(gpus, peakTflopsDense)) };
}

export interface TrainingRunInputs {
  readonly activeParameters: Rational;
  readonly tokens: Rational;
  readonly mfu: Rational;
  readonly peakTflopsDense: Rational;
  readonly gpus: Rational;
  readonly pricePerGpuHour: Rational;
  /** Restarts, evaluation, failures, as a share of the useful GPU-hours. */
  readonly overheadShare: Rational;
}

export interface TrainingRun {
  readonly totalFlop: Rational;
  readonly gpuHours: Rational | null;
  readonly wallHours: Rational | null;
  readonly cost: Rational | null;
  readonly costPerMillionTokens: Rational | null;
}

/**
 * What a training run takes (model e.3): FLOP = 6 × parameters × tokens; GPU-hours = FLOP ÷ (peak × 1e12 × MFU × 3600), plus
 * the overhead; cost = GPU-hours × price. Null where the peak or the MFU is 0.
 */
export function trainingRun({ activeParameters, tokens, mfu, peakTflopsDense, gpus, pricePerGpuHour, overheadShare }: TrainingRunInputs): TrainingRun {
  const totalFlop = multiply(whole(6), multiply(activeParameters, tokens));
  const flopPerGpuHour = multiply(multiply(peakTflopsDense, mfu), multiply(TERA, whole(3600)));
  const gpuHours = ratio(multiply(totalFlop, add(ONE, overheadShare)), flopPerGpuHour);
  const cost = gpuHours === null ? null : multiply(gpuHours, pricePerGpuHour);
  return {
    totalFlop,
    gpuHours,
    wallHours: gpuHours === null ? null : ratio(gpuHours, gpus),
    cost,
    costPerMillionTokens: cost === null || isZero(tokens) ? null : multiply(divide(cost, tokens), whole(1_000_000)),
  };
}

const TERA = whole(10n ** 12n);
/** A TFLOPS for an hour is 3.6 PFLOP. */
const SECONDS_PER_HOUR_PER_PETA = decimal("3.6");
