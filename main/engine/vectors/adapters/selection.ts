import { ONE } from "../../../../shared/domain/rational.ts";
import { paretoFront } from "../../planning/pareto.ts";
import { scorecard } from "../../planning/scorecard.ts";
import { interconnects, selectOffers, type Interconnect, type SelectableOffer } from "../../planning/selection.ts";
import { asDecimal, asText, decimalAt, decimalOr, decimalsAt, fieldsAt, isAbsent, listAt, rowsAt, textAt, textOf, textOr, UnreadableInput, type Adapter, type Fields } from "../fields.ts";

/** Model j. */
export const selectionAdapters: Readonly<Record<string, Adapter>> = {
  select_offers: (input) => {
    const requirement = fieldsAt(input, "requirement");
    const selection = selectOffers(
      {
        precision: textAt(requirement, "precision"),
        workload: textAt(requirement, "workload"),
        units: decimalAt(requirement, "units"),
        defaultMfu: decimalAt(requirement, "default_mfu"),
        tflopPerUnit: decimalOr(requirement, "tflop_per_unit", null),
        calibrate: requirement["calibrate"] !== false,
        minimumMemoryGigabytesPerGpu: decimalOr(requirement, "min_memory_gb_per_gpu", null),
        minimumTotalMemoryGigabytes: decimalOr(requirement, "min_total_memory_gb", null),
        minimumBandwidthTerabytesPerSecond: decimalOr(requirement, "min_bandwidth_tbs", null),
        minimumInterconnect: interconnectAt(requirement, "min_interconnect"),
        regions: isAbsent(requirement, "regions") ? null : listAt(requirement, "regions").map((region) => asText(region)),
        needsConfidential: requirement["confidential"] === true,
        maximumGridGramsPerKilowattHour: decimalOr(requirement, "max_grid_g_per_kwh", null),
        deadlineHours: decimalOr(requirement, "deadline_hours", decimalOr(requirement, "max_hours", null)),
        maximumJobCost: decimalOr(requirement, "max_job_cost", null),
      },
      rowsAt(input, "offers").map(offerOf),
    );
    const { ranking } = selection;
    return {
      rejected: Object.fromEntries(selection.rejected),
      ranking: ranking.map(({ id }) => id),
      cost_per_unit: Object.fromEntries(ranking.map(({ id, costPerUnit }) => [id, textOf(costPerUnit)])),
      job_cost: Object.fromEntries(ranking.map(({ id, jobCost }) => [id, textOf(jobCost)])),
      job_hours: Object.fromEntries(ranking.map(({ id, jobHours }) => [id, textOf(jobHours)])),
      job_carbon_g: Object.fromEntries(ranking.map(({ id, jobCarbonGrams }) => [id, textOf(jobCarbonGrams)])),
      estimated: Object.fromEntries(ranking.map(({ id, isEstimated }) => [id, isEstimated])),
      mfu_used: textOf(selection.mfuUsed),
      mfu_source: selection.mfuSource,
      pareto: selection.pareto,
    };
  },
  pareto: (input) => {
    const points = rowsAt(input, "points").map((point) => ({ id: textAt(point, "id"), values: listAt(point, "values").map((value) => (value === null ? null : asDecimal(value))) }));
    const { front, dominatedBy } = paretoFront(points, listAt(input, "directions").map((direction) => (direction === "max" ? "max" : "min")));
    return { front, dominated: Object.fromEntries(dominatedBy) };
  },
  scorecard: (input) => {
    const vendors = rowsAt(input, "vendors").map((vendor) => ({
      id: textAt(vendor, "id"),
      scores: new Map(Object.entries(fieldsAt(vendor, "scores")).map(([criterion, score]) => [criterion, score === null ? null : asDecimal(score)])),
    }));
    const card = scorecard(new Map(decimalsAt(input, "weights")), vendors, new Map(decimalsAt(input, "minimums")));
    return {
      score: Object.fromEntries(card.vendors.map(({ id, score }) => [id, textOf(score)])),
      known_weight: Object.fromEntries(card.vendors.map(({ id, knownWeight }) => [id, textOf(knownWeight)])),
      failed_minimums: Object.fromEntries(card.vendors.filter(({ failedMinimums }) => failedMinimums.length > 0).map(({ id, failedMinimums }) => [id, failedMinimums])),
      ranking: card.ranking,
      weight_at_which_top_two_tie: Object.fromEntries([...card.weightAtWhichTopTwoTie].map(([criterion, weight]) => [criterion, textOf(weight)])),
    };
  },
};

function offerOf(offer: Fields): SelectableOffer {
  return {
    id: textAt(offer, "id"),
    priceHourly: decimalAt(offer, "price_hourly"),
    gpus: decimalOr(offer, "gpus", ONE),
    memoryGigabytesPerGpu: decimalOr(offer, "memory_gb_per_gpu", null),
    bandwidthTerabytesPerSecond: decimalOr(offer, "bandwidth_tbs", null),
    interconnect: interconnectAt(offer, "interconnect"),
    region: textOr(offer, "region", null),
    isConfidential: offer["confidential"] === true,
    tflopsDense: new Map(decimalsAt(offer, "tflops_dense")),
    benchmarks: new Map(decimalsAt(offer, "benchmarks")),
    powerKilowatts: decimalOr(offer, "power_kw", null),
    pue: decimalOr(offer, "pue", null),
    gridGramsPerKilowattHour: decimalOr(offer, "grid_g_per_kwh", null),
  };
}

function interconnectAt(fields: Fields, key: string): Interconnect | null {
  if (isAbsent(fields, key)) return null;
  const known = interconnects.find((interconnect) => interconnect === fields[key]);
  if (known === undefined) throw new UnreadableInput(`${key} is ${JSON.stringify(fields[key])}`);
  return known;
}
