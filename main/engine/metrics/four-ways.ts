import type { Figure, MetricId } from "../../../shared/domain/figure.ts";
import { sumGpuHours, type GpuHourFacts, type GpuHourTotals } from "./gpu-hours-where-met.ts";
import { coverageOf, figureOf, type Bounds, type Metric } from "./metric.ts";

/**
 * The four ways in which GPU money goes, and the two in which it is not known (maths.md d.4). The six add up to the cost exactly,
 * hour by hour:
 *
 *   productive             cost of active time × utilization
 *   busy but inefficient   cost of active time × (1 − utilization)
 *   held idle              idle, with memory held at or over the threshold (a model loaded, nothing asked of it)
 *   dead idle              idle and empty
 *   idle, memory unknown   idle, and no memory reading tells which
 *   unknown                billed without telemetry: neither idle nor busy
 *
 * With GPU-Util as the counter, productive is an upper bound: a busy kernel may still use little of the chip.
 */
export type WayId =
  | "productive-cost"
  | "busy-inefficient-cost"
  | "held-idle-cost"
  | "dead-idle-cost"
  | "idle-memory-unknown-cost"
  | "unknown-cost";

/** One way's metric: its part of the cost, and the most it could be if everything unknown were of its kind. */
export function way(id: WayId & MetricId, part: (totals: GpuHourTotals) => bigint, unknownThatCouldBe: (totals: GpuHourTotals) => bigint): Metric<GpuHourFacts> {
  const figure = (facts: GpuHourFacts, attos: bigint): Figure => {
    const { costAttos, knownCostAttos } = sumGpuHours(facts.rows);
    const isKnown = id === "unknown-cost" ? facts.rows.length > 0 : facts.rows.some((row) => row.knownGpuHours > 0);
    const coverage = id === "unknown-cost" ? 1 : coverageOf(knownCostAttos, costAttos);
    return figureOf(id, isKnown ? attos : null, facts.currency, id === "unknown-cost" ? "billed" : "measured", coverage, facts.rows.length === 0 ? "no-gpu-hours" : "no-telemetry");
  };
  return {
    id,
    needs: "gpu-hours",
    addsUp: true,
    figure: (facts) => figure(facts, part(sumGpuHours(facts.rows))),
    inputs: (facts) => {
      const totals = sumGpuHours(facts.rows);
      return [
        { label: "metric.gpu-hours-cost.name", figure: figureOf("gpu-hours-cost", totals.costAttos, facts.currency, "billed", 1) },
        { label: "input.known-cost", figure: figureOf("gpu-hours-cost", totals.knownCostAttos, facts.currency, "measured", 1) },
      ];
    },
    bounds: (facts): Bounds | null => {
      const totals = sumGpuHours(facts.rows);
      const open = unknownThatCouldBe(totals);
      if (open === 0n) return null;
      return { low: figure(facts, part(totals)), high: figure(facts, part(totals) + open) };
    },
  };
}
