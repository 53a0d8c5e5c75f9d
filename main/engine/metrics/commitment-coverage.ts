import type { ChargeFacts } from "./charges.ts";
import { isGpu } from "./gpu-spend.ts";
import { coverageOf, figureOf, share, type Metric } from "./metric.ts";

/**
 * How much of the GPU usage that a commitment could cover was covered.
 *
 * unit      ratio, 0 to 1
 * formula   list cost of covered GPU usage ÷ list cost of GPU usage that is not spot (maths.md b.6: in on-demand equivalents)
 * unknown   `null` when no such usage states a list cost
 * coverage  share of the effective cost of that usage whose list cost is stated
 */
export const commitmentCoverage: Metric<ChargeFacts> = {
  id: "commitment-coverage",
  needs: "charges",
  addsUp: false,
  figure: (facts) => {
    const eligible = facts.rows.filter((row) => isGpu(row) && row.purchaseOption !== "spot");
    const list = sumList(eligible);
    const why = facts.rows.length === 0 ? "no-bill" : eligible.length === 0 ? "no-gpu-hours" : "no-list-price";
    const coverage = coverageOf(
      eligible.reduce((total, row) => total + row.effectiveWithListAttos, 0n),
      eligible.reduce((total, { effectiveAttos }) => (effectiveAttos === null ? total : total + effectiveAttos), 0n),
    );
    return figureOf("commitment-coverage", share(sumList(eligible.filter(({ isCovered }) => isCovered === 1)), list), "ratio", "derived", coverage, why);
  },
  inputs: (facts) => {
    const eligible = facts.rows.filter((row) => isGpu(row) && row.purchaseOption !== "spot");
    const covered = eligible.filter(({ isCovered }) => isCovered === 1);
    return [
      { label: "input.covered-list-cost", figure: figureOf("spend", sumList(covered), facts.currency, "billed", facts.billCoverage) },
      { label: "input.eligible-list-cost", figure: figureOf("spend", sumList(eligible), facts.currency, "billed", facts.billCoverage) },
    ];
  },
};

function sumList(rows: ChargeFacts["rows"]): bigint {
  return rows.reduce((total, { listAttos }) => total + listAttos, 0n);
}
