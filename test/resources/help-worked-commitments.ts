import { offerMetrics, renewalCheck } from "../../main/engine/planning/offer.ts";
import { workOutOption, type OptionTerms } from "../../main/engine/planning/plan-option.ts";
import { commitmentLevels } from "../../main/engine/planning/recommendation.ts";
import { rankHours } from "../../main/engine/planning/usage-rank.ts";
import { decimal, ONE, toNumber, whole, ZERO, type Rational } from "../../shared/domain/rational.ts";

/** The results of the page on commitments, by the functions that the page speaks of. */
export function commitmentsWorked(): Readonly<Record<string, readonly string[]>> {
  const day = rankHours(Float64Array.from({ length: 24 }, (_, hour) => (hour < 12 ? 4_000_000 : 10_000_000)));
  const outcomeAt = (price: number, upfront = ZERO) => {
    const terms: OptionTerms = { termMonths: 12, upfront, hourly: whole(price), monthly: ZERO, monthlyTiming: "arrears", isSavingsPlan: false };
    return workOutOption(day, terms, whole(10), { lot: null, maximum: null }, { monthlyGrowth: ZERO, annualDecline: ZERO, annualDiscountRate: 0.08 }, null);
  };
  const six = outcomeAt(6);
  const upfront = offerMetrics({ termMonths: 12, hours: whole(8760), upfront: whole(43_800), hourly: ZERO, monthly: ZERO }, whole(10), ONE);
  const levels = commitmentLevels([...Array.from({ length: 88 * 24 }, () => 8_000_000), ...Array.from({ length: 3 * 24 }, () => 2_000_000)], 91, { committedHourly: whole(1), onDemandHourly: whole(2) });
  const { renewalPremium } = renewalCheck({ renewalPrice: decimal("1.95"), newPrice: decimal("1.72"), migrationCost: ZERO, onDemandHourly: whole(4), expectedUsedHours: whole(1), alternatives: [] });
  const count = (value: Rational | null): string => String(value === null ? null : toNumber(value));
  const percent = (value: Rational | null): string => `${(toNumber(value ?? ZERO) * 100).toFixed(1)}%`;
  const months = (value: Rational | null): string => toNumber(value ?? ZERO).toFixed(1);
  return {
    "commitments#level": [count(six.optimum.commitment), `$${toNumber(six.savingAMonth).toLocaleString("en-US", { minimumFractionDigits: 2 })}`, count(outcomeAt(4).optimum.commitment)],
    "commitments#break-even": [percent(six.offer.breakEvenUtilization), months(upfront.paybackMonths), months(six.offer.exitBreakEvenMonths)],
    "commitments#risk": [percent(six.breakEvenDrop), count(levels.stable), count(levels.optimal), count(levels.cautious)],
    "commitments#portfolio": [percent(renewalPremium)],
  };
}
