import { ONE, whole, ZERO } from "../../../../shared/domain/rational.ts";
import { flopsPerDollar, modelFlopsUtilization, trainingRun, type AttentionShape } from "../../metrics/model/flops.ts";
import { batchSize, hostRamCheck, slicePrice } from "../../metrics/model/sizing.ts";
import { parallelEfficiency, servingCost, workPerDollar } from "../../metrics/model/work-per-dollar.ts";
import { asDecimal, asList, asNumber, decimalAt, decimalOr, isAbsent, listAt, rowsAt, textAt, textOf, textOr, UnreadableInput, type Adapter, type Fields } from "../fields.ts";

/** Model e. */
export const workAdapters: Readonly<Record<string, Adapter>> = {
  flops_per_dollar: (input) => {
    const result = flopsPerDollar({
      peakTflopsDense: decimalAt(input, "peak_tflops_dense"),
      gpus: decimalOr(input, "gpus", ONE),
      priceHourly: decimalAt(input, "price_hourly"),
      activity: decimalOr(input, "activity", null),
      mfu: decimalOr(input, "mfu", null),
    });
    return {
      tflops_per_dollar_hour: textOf(result.tflopsPerDollarHour),
      peak_pflop_per_dollar: textOf(result.peakPflopPerDollar),
      effective_pflop_per_dollar: textOf(result.effectivePflopPerDollar),
      achieved_pflop_per_dollar: textOf(result.achievedPflopPerDollar),
      suspect: result.isSuspect,
    };
  },
  mfu: (input) => {
    const mode = textAt(input, "mode");
    if (mode !== "train" && mode !== "infer") throw new UnreadableInput(`mode is ${mode}`);
    const result = modelFlopsUtilization({
      mode,
      activeParameters: decimalAt(input, "active_params"),
      attention: attentionOf(input),
      tokensPerSecond: decimalAt(input, "tokens_per_s"),
      gpus: decimalOr(input, "gpus", ONE),
      peakTflopsDense: decimalAt(input, "peak_tflops_dense"),
    });
    return { flop_per_token: textOf(result.flopPerToken), achieved_tflops: textOf(result.achievedTflops), mfu: textOf(result.mfu) };
  },
  training_run: (input) => {
    const run = trainingRun({
      activeParameters: decimalAt(input, "active_params"),
      tokens: decimalAt(input, "tokens"),
      mfu: decimalAt(input, "mfu"),
      peakTflopsDense: decimalAt(input, "peak_tflops_dense"),
      gpus: decimalOr(input, "gpus", ONE),
      pricePerGpuHour: decimalAt(input, "price_per_gpu_hour"),
      overheadShare: decimalOr(input, "overhead_fraction", decimalOr(input, "overhead", ZERO)),
    });
    return {
      total_flop: textOf(run.totalFlop),
      gpu_hours: textOf(run.gpuHours),
      wall_hours: textOf(run.wallHours),
      cost: textOf(run.cost),
      cost_per_million_tokens: textOf(run.costPerMillionTokens),
    };
  },
  serving_cost: (input) => {
    const cost = servingCost({
      priceHourly: decimalAt(input, "price_hourly"),
      unitsPerSecond: decimalAt(input, "units_per_s"),
      loadFactor: decimalOr(input, "load_factor", ONE),
      per: decimalOr(input, "per", whole(1_000_000)),
    });
    return { usage_based: textOf(cost.usageBased), allocation_based: textOf(cost.allocationBased), utilisation: textOf(cost.utilization) };
  },
  work_per_dollar: (input) => {
    const result = workPerDollar(
      rowsAt(input, "offers").map((offer) => ({
        id: textAt(offer, "id"),
        priceHourly: decimalAt(offer, "price_hourly"),
        unitsPerSecond: decimalAt(offer, "units_per_s"),
        peakTflopsDense: decimalOr(offer, "peak_tflops_dense", null),
      })),
    );
    return {
      units_per_dollar: Object.fromEntries([...result.unitsPerDollar].map(([id, units]) => [id, textOf(units)])),
      ranking_by_work: result.rankingByWork,
      ranking_by_peak: result.rankingByPeak,
      rankings_agree: result.rankingsAgree,
      advantage_of_best: Object.fromEntries([...result.advantageOfBest].map(([id, advantage]) => [id, textOf(advantage)])),
    };
  },
  parallel_efficiency: (input) => {
    const points = listAt(input, "points").map((point) => {
      const [gpus, throughput] = asList(point);
      return { gpus: asNumber(gpus), throughput: asDecimal(throughput) };
    });
    return {
      points: parallelEfficiency(decimalAt(input, "throughput_1"), points).map(({ gpus, efficiency, speedup, costMultiplier }) => ({
        gpus,
        efficiency: textOf(efficiency),
        speedup: textOf(speedup),
        cost_multiplier: textOf(costMultiplier),
      })),
    };
  },
  fraction_price: (input) => {
    const basis = textOr(input, "basis", "max");
    if (basis !== "max" && basis !== "compute" && basis !== "memory") throw new UnreadableInput(`basis is ${basis}`);
    const price = slicePrice({
      gpuPriceHourly: decimalAt(input, "gpu_price_hourly"),
      computeShare: decimalAt(input, "compute_share"),
      memoryShare: decimalAt(input, "memory_share"),
      basis,
      virtualizationLoss: decimalOr(input, "virtualisation_loss", ZERO),
    });
    return {
      allocated_cost_hourly: textOf(price.allocatedCostHourly),
      effective_compute_fraction: textOf(price.effectiveComputeShare),
      price_per_full_gpu_equivalent: textOf(price.pricePerFullGpuEquivalent),
      penalty_vs_full_gpu: textOf(price.penaltyVersusFullGpu),
    };
  },
  batch_size: (input) => {
    const batch = batchSize({
      gpuMemoryGigabytes: decimalAt(input, "gpu_memory_gb"),
      reserveShare: decimalOr(input, "reserve_fraction", decimalOr(input, "reserve", ZERO)),
      parameters: decimalAt(input, "params"),
      bytesPerParameter: decimalAt(input, "bytes_per_param"),
      gigabytesPerSample: decimalAt(input, "gb_per_sample"),
    });
    return { weights_with_overhead_gb: textOf(batch.weightsWithOverheadGigabytes), free_gb: textOf(batch.freeGigabytes), batch_size: batch.batchSize, fits: batch.fits };
  },
  host_ram_check: (input) => {
    const check = hostRamCheck(decimalAt(input, "gpu_memory_gb"), decimalOr(input, "gpus", ONE), decimalAt(input, "host_ram_gb"));
    return { required_gb: textOf(check.requiredGigabytes), ratio: textOf(check.ratio), ok: check.isEnough };
  },
};

function attentionOf(input: Fields): AttentionShape | null {
  if (["layers", "heads", "head_dim", "seq_len"].some((key) => isAbsent(input, key))) return null;
  return { layers: decimalAt(input, "layers"), heads: decimalAt(input, "heads"), headDimension: decimalAt(input, "head_dim"), sequenceLength: decimalAt(input, "seq_len") };
}
