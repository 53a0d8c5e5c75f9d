import type { ChargeFacts } from "./charges.ts";
import { figureOf, sumStated, type Metric } from "./metric.ts";

/**
 * What the period cost, in the cost basis asked for.
 *
 * unit      the currency
 * formula   Σ of that cost over all charges of the billing months: usage, purchases, taxes, credits. Billed ties to the invoice;
 *           effective spreads prepayments over the usage they pay for.
 * unknown   `null` when no charge states that cost
 * coverage  share of the days of the period, over all providers, that a bill covers
 */
export const spend: Metric<ChargeFacts> = {
  id: "spend",
  needs: "charges",
  addsUp: true,
  figure: ({ rows, currency, billCoverage }) =>
    figureOf("spend", sumStated(rows.map(({ costAttos }) => costAttos)), currency, "billed", billCoverage, rows.length === 0 ? "no-bill" : "not-stated"),
  inputs: (facts) => [
    { label: "input.gpu-charges", figure: spendOf(facts, "gpu") },
    { label: "input.unused-commitments", figure: spendOf(facts, "unused-commitment") },
    { label: "input.other-usage", figure: spendOf(facts, "other") },
    { label: "input.purchases", figure: spendOf(facts, "purchase") },
    { label: "input.tax", figure: spendOf(facts, "tax") },
    { label: "input.credits", figure: spendOf(facts, "credit") },
  ],
};

function spendOf(facts: ChargeFacts, chargeClass: ChargeFacts["rows"][number]["chargeClass"]): ReturnType<Metric<ChargeFacts>["figure"]> {
  const rows = facts.rows.filter((row) => row.chargeClass === chargeClass);
  // No row of a kind is a true zero of that kind, as long as there is a bill at all.
  const attos = rows.length === 0 && facts.rows.length > 0 ? 0n : sumStated(rows.map(({ costAttos }) => costAttos));
  return figureOf("spend", attos, facts.currency, "billed", facts.billCoverage, facts.rows.length === 0 ? "no-bill" : "not-stated");
}
