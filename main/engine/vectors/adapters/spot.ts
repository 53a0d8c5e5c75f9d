import { breakEvenMeanTime, checkpointIntervals, meanTimeFromBand, spotCost, spotWithNotice, spotWithoutCheckpoints } from "../../planning/spot.ts";
import { isAbsent, numberAt, numberOr, numberText, type Adapter, type Fields } from "../fields.ts";

/** Model c. */
export const spotAdapters: Readonly<Record<string, Adapter>> = {
  checkpoint_opt: (input) => {
    const intervals = checkpointIntervals(meanTimeAt(input), numberAt(input, "checkpoint_hours"));
    return { young_hours: numberText(intervals?.young), daly_hours: numberText(intervals?.daly), exact_hours: numberText(intervals?.exact) };
  },
  spot_cost: (input) => {
    const hasReserved = !isAbsent(input, "reserved_effective_hourly");
    const cost = spotCost({
      meanTimeHours: meanTimeAt(input),
      instances: numberOr(input, "instances", 1),
      spotHourly: numberAt(input, "spot_hourly"),
      onDemandHourly: numberAt(input, "on_demand_hourly"),
      checkpointHours: numberAt(input, "checkpoint_hours"),
      restartHours: numberAt(input, "restart_hours"),
      intervalHours: numberOr(input, "interval_hours", null),
      waitHours: numberOr(input, "wait_hours", 0),
      storagePerUsefulHour: numberOr(input, "storage_per_useful_hour", 0),
      reserved: hasReserved ? { effectiveHourly: numberAt(input, "reserved_effective_hourly"), utilization: numberOr(input, "reserved_utilisation", 1) } : null,
    });
    return {
      system_mtbi_hours: numberText(cost?.systemMeanTimeHours),
      interval_hours: numberText(cost?.intervalHours),
      overhead_factor: numberText(cost?.overheadFactor),
      interruptions_per_useful_hour: numberText(cost?.interruptionsPerUsefulHour),
      wall_hours_per_useful_hour: numberText(cost?.wallHoursPerUsefulHour),
      cost_per_useful_hour: numberText(cost?.costPerUsefulHour),
      on_demand_cost_per_useful_hour: numberText(cost?.onDemandCostPerUsefulHour),
      ...(hasReserved ? { reserved_cost_per_useful_hour: numberText(cost?.reservedCostPerUsefulHour) } : {}),
      saving_fraction: numberText(cost?.savingShare),
      break_even_spot_hourly: numberText(cost?.breakEvenSpotHourly),
      cheapest: cost?.cheapest ?? null,
    };
  },
  spot_no_checkpoint: (input) => {
    const job = spotWithoutCheckpoints(systemMeanTimeAt(input), numberOr(input, "restart_hours", 0), numberAt(input, "job_hours"));
    return {
      expected_wall_hours: numberText(job?.expectedWallHours),
      overhead_factor: numberText(job?.overheadFactor),
      expected_interruptions: numberText(job?.expectedInterruptions),
      probability_no_interruption: numberText(job?.probabilityOfNoInterruption),
    };
  },
  spot_notice: (input) => {
    const spot = spotWithNotice({
      meanTimeHours: meanTimeAt(input),
      instances: numberOr(input, "instances", 1),
      checkpointHours: numberAt(input, "checkpoint_hours"),
      restartHours: numberOr(input, "restart_hours", 0),
      noticeHours: numberAt(input, "notice_hours"),
      spotHourly: numberAt(input, "spot_hourly"),
      onDemandHourly: numberAt(input, "on_demand_hourly"),
    });
    return {
      checkpoint_fits_in_notice: spot.fitsInNotice,
      overhead_factor: numberText(spot.overheadFactor),
      cost_per_useful_hour: numberText(spot.costPerUsefulHour),
      saving_fraction: numberText(spot.savingShare),
    };
  },
  spot_break_even_mtbi: (input) => {
    const { meanTimeHours, reason } = breakEvenMeanTime({
      spotHourly: numberAt(input, "spot_hourly"),
      alternativePerUsefulHour: numberAt(input, "compare_cost_per_useful_hour"),
      checkpointHours: numberAt(input, "checkpoint_hours"),
      restartHours: numberOr(input, "restart_hours", 0),
    });
    return { break_even_mtbi_hours: numberText(meanTimeHours), reason };
  },
  mtbi_from_band: (input) => ({ mtbi_hours: numberText(meanTimeFromBand(numberAt(input, "monthly_interruption_fraction"))) }),
};

function meanTimeAt(input: Fields): number {
  return numberAt(input, "mtbi_hours");
}

function systemMeanTimeAt(input: Fields): number {
  return meanTimeAt(input) / numberOr(input, "instances", 1);
}
