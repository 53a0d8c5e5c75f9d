import type { ChargeFacts } from "./charges.ts";
import { coverageOf, figureOf, share, sumStated, type Metric } from "./metric.ts";

/**
 * How much less usage cost than at list price, commitments left unused included.
 *
 * unit      ratio; below zero when unused commitments eat more than discounts save
 * formula   (list cost − effective cost) ÷ list cost, of usage alone: never taxes, purchases or credits (maths.md b.6, on list).
 *           Effective cost includes commitments that nothing used; their list cost is none, as they bought nothing.
 * unknown   `null` when no usage states a list cost; rows without one (or with 0 beside a cost) are left out on both sides
 * coverage  share of the effective cost of usage whose list cost is stated
 */
export const effectiveSavingsRate: Metric<ChargeFacts> = {
  id: "effective-savings-rate",
  needs: "charges",
  addsUp: false,
  figure: (facts) => {
    const { list, effective, unused, effectiveOfUsage } = savingsOf(facts);
    const why = facts.rows.length === 0 ? "no-bill" : "no-list-price";
    return figureOf("effective-savings-rate", list > 0n ? share(list - effective - unused, list) : null, "ratio", "derived", coverageOf(effective, effectiveOfUsage), why);
  },
  inputs: (facts) => {
    const { list, effective, unused } = savingsOf(facts);
    return [
      { label: "input.list-cost", figure: figureOf("spend", list === 0n ? null : list, facts.currency, "billed", facts.billCoverage, "no-list-price") },
      { label: "input.effective-cost-listed", figure: figureOf("spend", effective, facts.currency, "billed", facts.billCoverage) },
      { label: "input.unused-commitments", figure: figureOf("unused-commitment-cost", unused, facts.currency, "billed", facts.billCoverage) },
    ];
  },
};

function savingsOf({ rows }: ChargeFacts): { readonly list: bigint; readonly effective: bigint; readonly unused: bigint; readonly effectiveOfUsage: bigint } {
  const used = rows.filter(({ chargeClass }) => chargeClass === "gpu" || chargeClass === "other");
  const unused = rows.filter(({ chargeClass }) => chargeClass === "unused-commitment");
  const total = (amounts: readonly (bigint | null)[]): bigint => {
    const stated = sumStated(amounts);
    return stated === null ? 0n : stated;
  };
  return {
    list: total(used.map(({ listAttos }) => listAttos)),
    effective: total(used.map(({ effectiveWithListAttos }) => effectiveWithListAttos)),
    unused: total(unused.map(({ effectiveAttos }) => effectiveAttos)),
    effectiveOfUsage: total(used.map(({ effectiveAttos }) => effectiveAttos)),
  };
}
