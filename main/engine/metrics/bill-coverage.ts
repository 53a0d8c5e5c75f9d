import type { ChargeFacts } from "./charges.ts";
import { figureOf, type Metric } from "./metric.ts";

/**
 * How much of the period the bills cover.
 *
 * unit      ratio, 0 to 1
 * formula   Σ days that a delivery covers ÷ (providers × days of the period); a provider with a bill in the twelve months before counts even
 *           if its bill of this period is missing
 */
export const billCoverage: Metric<ChargeFacts> = {
  id: "bill-coverage",
  needs: "charges",
  addsUp: false,
  figure: (facts) => figureOf("bill-coverage", facts.rows.length === 0 ? null : facts.billCoverage, "ratio", "billed", 1, "no-bill"),
  inputs: (facts) => [{ label: "metric.bill-coverage.name", figure: billCoverage.figure(facts) }],
};

interface CoveredDays {
  readonly provider: string | null;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Days that any delivery of a provider covers within the period, over all providers; 0 without a provider. Days are since 1970-01-01 UTC. */
export function billedShare(deliveries: readonly CoveredDays[], providers: readonly (string | null)[], firstDay: number, endDay: number): number {
  if (providers.length === 0 || endDay <= firstDay) return 0;
  const covered = providers.reduce((days, provider) => days + daysCovered(deliveries, provider, firstDay, endDay), 0);
  return covered / (providers.length * (endDay - firstDay));
}

/** How many days of the period any delivery of the provider covers. */
export function daysCovered(deliveries: readonly CoveredDays[], provider: string | null, firstDay: number, endDay: number): number {
  const days = new Set<number>();
  for (const delivery of deliveries) {
    if (delivery.provider !== provider) continue;
    for (let day = Math.max(firstDay, delivery.firstDay); day <= Math.min(endDay - 1, delivery.lastDay); day += 1) days.add(day);
  }
  return days.size;
}
