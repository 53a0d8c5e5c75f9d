import { sumGpuHours, type GpuHourFacts, type GpuHourRow } from "./gpu-hours-where-met.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * GPU money of resources that no telemetry speaks of at all in the period: not joined to a host, or without a log.
 *
 * unit      the currency, effective cost
 * formula   Σ effective cost of the resources (or charges without one) none of whose billed hours has telemetry
 * unknown   `null` without billed GPU-hours
 */
export const unmatchedGpuCost: Metric<GpuHourFacts> = {
  id: "unmatched-gpu-cost",
  needs: "gpu-hours",
  addsUp: true,
  figure: ({ rows, currency }) =>
    figureOf("unmatched-gpu-cost", rows.length === 0 ? null : sumGpuHours(unmatchedRows(rows)).costAttos, currency, "billed", 1, "no-gpu-hours"),
  inputs: (facts) => {
    const { costAttos, unknownAttos } = sumGpuHours(facts.rows);
    return [
      { label: "metric.gpu-hours-cost.name", figure: figureOf("gpu-hours-cost", costAttos, facts.currency, "billed", 1) },
      { label: "metric.unknown-cost.name", figure: figureOf("unknown-cost", unknownAttos, facts.currency, "billed", 1) },
    ];
  },
};

/** The rows of resources without any hour of telemetry. A resource with some has gaps; it is not unmatched. */
export function unmatchedRows(rows: readonly GpuHourRow[]): GpuHourRow[] {
  const observed = new Set(rows.filter((row) => row.knownGpuHours > 0).map(resourceKey));
  return rows.filter((row) => !observed.has(resourceKey(row)));
}

export function resourceKey({ resource, seriesId }: GpuHourRow): string {
  return resource === null ? `series ${seriesId}` : `resource ${resource.toLowerCase()}`;
}
