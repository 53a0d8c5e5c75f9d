import { ONE, ZERO } from "../../../../shared/domain/rational.ts";
import { fleetUtilization, idleCost } from "../../metrics/model/idle-cost.ts";
import { DEFAULT_PARKED_MEMORY_FRACTION, idleEpisodes, stateSplit, type IdlePolicy } from "../../metrics/model/idle.ts";
import { scheduleSavings } from "../../metrics/model/schedule.ts";
import { holdForward, type Sample } from "../../metrics/model/segments.ts";
import { timeWeighted } from "../../metrics/model/time-weighted.ts";
import { asList, asNumber, asText, decimalAt, decimalOr, fieldsAt, isAbsent, listAt, numberAt, numberOr, numberText, rowsAt, textAt, textOf, type Adapter, type Fields } from "../fields.ts";

/** Model d. */
export const utilizationAdapters: Readonly<Record<string, Adapter>> = {
  time_weighted: (input) => {
    const samples = samplesAt(input, "samples");
    const result = timeWeighted(holdForward(samples, numberAt(input, "max_hold_s")), windowOf(input), numberOr(input, "max_value", 100));
    const stated = samples.flatMap(({ value }) => (value === null ? [] : [value]));
    return {
      known_s: result.knownSeconds,
      unknown_s: result.unknownSeconds,
      coverage: numberText(result.coverage),
      mean_known: numberText(result.meanKnown),
      lower_bound: numberText(result.lowerBound),
      upper_bound: numberText(result.upperBound),
      // The contrast is the vectors' own: the product never shows a mean of samples.
      naive_mean: stated.length === 0 ? null : String(stated.reduce((total, value) => total + value, 0) / stated.length),
    };
  },
  idle_episodes: (input) => {
    const { episodes, idleSeconds, discardedShortSeconds } = idleEpisodes(holdForward(samplesAt(input, "samples"), numberAt(input, "max_hold_s")), windowOf(input), policyOf(input));
    return {
      episodes: episodes.map(({ start, end, idleSeconds: idle_s }) => ({ start, end, idle_s })),
      idle_s: idleSeconds,
      discarded_short_s: discardedShortSeconds,
    };
  },
  state_split: (input) => {
    const hold = numberAt(input, "max_hold_s");
    const utilization = holdForward(samplesAt(input, "util"), hold);
    const memory = holdForward(samplesAt(input, "memory_fraction"), hold);
    const seconds = stateSplit(utilization, memory, windowOf(input), policyOf(input), numberOr(input, "parked_memory_fraction", DEFAULT_PARKED_MEMORY_FRACTION));
    return {
      active_s: seconds.active,
      idle_empty_s: seconds.idleEmpty,
      idle_parked_s: seconds.idleParked,
      idle_memory_unknown_s: seconds.idleMemoryUnknown,
      unknown_s: seconds.unknown,
      total_s: seconds.total,
    };
  },
  idle_cost: (input) => {
    const cost = idleCost({
      idleSeconds: decimalAt(input, "idle_s"),
      unknownSeconds: decimalAt(input, "unknown_s"),
      billedSeconds: decimalAt(input, "billed_s"),
      gpus: decimalOr(input, "gpus", ONE),
      pricePerGpuHour: decimalAt(input, "effective_price_per_gpu_hour"),
      committedShare: decimalOr(input, "committed_fraction", ZERO),
    });
    return {
      idle_gpu_hours: textOf(cost.idleGpuHours),
      idle_cost: textOf(cost.idleCost),
      avoidable_now: textOf(cost.avoidableNow),
      sunk_until_expiry: textOf(cost.sunkUntilExpiry),
      idle_cost_scaled: textOf(cost.scaledCost),
      idle_cost_upper: textOf(cost.upperBound),
      coverage: textOf(cost.coverage),
      confidence: cost.confidence,
    };
  },
  fleet_utilisation: (input) => {
    const fleet = fleetUtilization(
      rowsAt(input, "rows").map((row) => ({
        gpus: decimalOr(row, "gpus", ONE),
        knownHours: decimalAt(row, "known_hours"),
        mean: decimalOr(row, "mean", null),
        pricePerGpuHour: decimalOr(row, "price", ZERO),
      })),
    );
    return { gpu_hour_weighted: textOf(fleet.gpuHourWeighted), cost_weighted: textOf(fleet.costWeighted), simple_mean: textOf(fleet.simpleMean) };
  },
  schedule_savings: (input) => {
    const savings = scheduleSavings({
      timeZone: textAt(input, "tz"),
      startDate: textAt(input, "start_date"),
      endDate: textAt(input, "end_date"),
      onWindows: Object.fromEntries(
        Object.entries(fieldsAt(input, "on_windows")).map(([weekday, windows]) => [weekday, asList(windows).map((pair) => [asText(asList(pair)[0]), asText(asList(pair)[1])] as const)]),
      ),
      hourlyPrice: decimalAt(input, "hourly_price"),
      instances: decimalOr(input, "instances", ONE),
      committedShare: decimalOr(input, "committed_fraction", ZERO),
    });
    return {
      total_hours: textOf(savings?.totalHours),
      on_hours: textOf(savings?.onHours),
      off_hours: textOf(savings?.offHours),
      off_fraction: textOf(savings?.offShare),
      gross_saving: textOf(savings?.grossSaving),
      avoidable_saving: textOf(savings?.avoidableSaving),
    };
  },
};

function samplesAt(input: Fields, key: string): readonly Sample[] {
  return listAt(input, key).map((sample) => {
    const [at, value] = asList(sample, key);
    return { at: asNumber(at, key), value: value === null || value === undefined ? null : asNumber(value, key) };
  });
}

function windowOf(input: Fields): { readonly start: number; readonly end: number } {
  return { start: numberAt(input, "start"), end: numberAt(input, "end") };
}

function policyOf(input: Fields): IdlePolicy {
  return {
    idleEnter: numberAt(input, "idle_enter"),
    idleExit: numberAt(input, "idle_exit"),
    minimumSeconds: numberAt(input, "min_duration_s"),
    bridgeSeconds: isAbsent(input, "bridge_s") ? 0 : numberAt(input, "bridge_s"),
  };
}
