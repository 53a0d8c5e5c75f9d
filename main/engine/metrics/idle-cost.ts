import type { Figure } from "../../../shared/domain/figure.ts";
import { sumGpuHours, type GpuHourFacts } from "./gpu-hours-where-met.ts";
import { coverageOf, figureOf, type Metric } from "./metric.ts";

/**
 * GPU money that bought idle time.
 *
 * unit      the currency, effective cost
 * formula   held idle + dead idle + idle with memory unknown (maths.md d.4); an hour's cost by its time idle
 * unknown   `null` when no billed hour has telemetry: an unobserved hour is neither idle nor busy
 * coverage  share of the cost whose hours have telemetry
 * range     up to all unknown time idle (maths.md d.5)
 */
export const idleCost: Metric<GpuHourFacts> = {
  id: "idle-cost",
  needs: "gpu-hours",
  addsUp: true,
  figure: (facts) => idleFigure(facts, sumGpuHours(facts.rows).idleAttos),
  inputs: (facts) => {
    const totals = sumGpuHours(facts.rows);
    const part = (metric: Figure["metric"], attos: bigint): Figure => ({ ...idleFigure(facts, attos), metric });
    return [
      { label: "metric.held-idle-cost.name", figure: part("held-idle-cost", totals.heldIdleAttos) },
      { label: "metric.dead-idle-cost.name", figure: part("dead-idle-cost", totals.deadIdleAttos) },
      { label: "metric.idle-memory-unknown-cost.name", figure: part("idle-memory-unknown-cost", totals.idleMemoryUnknownAttos) },
    ];
  },
  bounds: (facts) => {
    const { idleAttos, unknownAttos } = sumGpuHours(facts.rows);
    return unknownAttos === 0n ? null : { low: idleFigure(facts, idleAttos), high: idleFigure(facts, idleAttos + unknownAttos) };
  },
};

function idleFigure({ rows, currency }: GpuHourFacts, attos: bigint): Figure {
  const { costAttos, knownCostAttos } = sumGpuHours(rows);
  const isKnown = rows.some((row) => row.knownGpuHours > 0);
  return figureOf("idle-cost", isKnown ? attos : null, currency, "measured", coverageOf(knownCostAttos, costAttos), rows.length === 0 ? "no-gpu-hours" : "no-telemetry");
}
