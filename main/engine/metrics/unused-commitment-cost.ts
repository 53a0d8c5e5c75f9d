import type { ChargeFacts } from "./charges.ts";
import { figureOf, sumStated, type Metric } from "./metric.ts";

/**
 * What commitments and capacity reservations cost that nothing used.
 *
 * unit      the currency, effective cost
 * formula   Σ EffectiveCost of usage whose commitment discount, or capacity reservation, has the status Unused
 * unknown   `null` without a bill; a bill without such rows is a true zero
 */
export const unusedCommitmentCost: Metric<ChargeFacts> = {
  id: "unused-commitment-cost",
  needs: "charges",
  addsUp: true,
  figure: (facts) => {
    const unused = facts.rows.filter(({ chargeClass }) => chargeClass === "unused-commitment");
    const attos = unused.length === 0 && facts.rows.length > 0 ? 0n : sumStated(unused.map(({ effectiveAttos }) => effectiveAttos));
    return figureOf("unused-commitment-cost", attos, facts.currency, "billed", facts.billCoverage, facts.rows.length === 0 ? "no-bill" : "not-stated");
  },
  inputs: (facts) => [{ label: "metric.unused-commitment-cost.name", figure: unusedCommitmentCost.figure(facts) }],
};
