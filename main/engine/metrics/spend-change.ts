import type { ChargeFacts } from "./charges.ts";
import { figureOf, sumStated, type Metric } from "./metric.ts";
import { spend } from "./spend.ts";

/**
 * How much more the period cost than the one before it.
 *
 * unit      the currency; below zero when it cost less
 * formula   spend of this period − spend of the period before, same scope and cost basis
 * unknown   `null` without a bill of either period
 */
export const spendChange: Metric<ChargeFacts> = {
  id: "spend-change",
  needs: "charges",
  addsUp: true,
  figure: (facts) => {
    const now = sumStated(facts.rows.map(({ costAttos }) => costAttos));
    const before = facts.previousRows === null ? null : sumStated(facts.previousRows.map(({ costAttos }) => costAttos));
    const change = changeBetween(now, before, facts.rows.length, facts.previousRows?.length ?? null);
    return figureOf("spend-change", change, facts.currency, "derived", facts.billCoverage, facts.previousRows === null ? "no-previous-period" : "no-bill");
  },
  inputs: (facts) => [
    { label: "input.this-period", figure: spend.figure(facts) },
    { label: "input.previous-period", figure: { ...spend.figure({ ...facts, rows: facts.previousRows ?? [] }), coverage: facts.previousRows === null ? 0 : 1 } },
  ],
};

/** A part that only one of the two periods has counts from, or to, zero; a period without any bill has no change. */
function changeBetween(now: bigint | null, before: bigint | null, rowsNow: number, rowsBefore: number | null): bigint | null {
  if (rowsBefore === null) return null;
  if (now === null && (before === null || rowsNow > 0)) return null;
  if (before === null && rowsBefore > 0) return null;
  return (now === null ? 0n : now) - (before === null ? 0n : before);
}
