import type { ChargeFacts } from "./charges.ts";
import { figureOf, share, sumStated, type Metric } from "./metric.ts";
import { unusedCommitmentCost } from "./unused-commitment-cost.ts";

/**
 * How much of what was committed found a use.
 *
 * unit      ratio, 0 to 1
 * formula   effective cost of usage that commitments covered ÷ (that + effective cost of commitments unused) (maths.md b.6)
 * unknown   `null` when the period has no commitment
 */
export const commitmentUtilization: Metric<ChargeFacts> = {
  id: "commitment-utilization",
  needs: "charges",
  addsUp: false,
  figure: (facts) => {
    const { used, unused } = committed(facts);
    const why = facts.rows.length === 0 ? "no-bill" : "no-commitments";
    return figureOf("commitment-utilization", share(used, used + unused), "ratio", "derived", facts.billCoverage, why);
  },
  inputs: (facts) => [
    { label: "input.covered-usage", figure: figureOf("spend", committed(facts).used, facts.currency, "billed", facts.billCoverage) },
    { label: "input.unused-commitments", figure: unusedCommitmentCost.figure(facts) },
  ],
};

function committed({ rows }: ChargeFacts): { readonly used: bigint; readonly unused: bigint } {
  const total = (amounts: readonly (bigint | null)[]): bigint => {
    const stated = sumStated(amounts);
    return stated === null ? 0n : stated;
  };
  return {
    used: total(rows.filter(({ isCovered }) => isCovered === 1).map(({ effectiveAttos }) => effectiveAttos)),
    unused: total(rows.filter(({ chargeClass }) => chargeClass === "unused-commitment").map(({ effectiveAttos }) => effectiveAttos)),
  };
}
