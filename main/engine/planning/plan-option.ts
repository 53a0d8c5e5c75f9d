/** One way to buy, worked out for a usage: how much, what it saves, when it has paid, and what happens if things turn out otherwise (models a and b). */
import type { PlanRisk } from "../../../shared/contract/plan.ts";
import { add, compare, divide, isPositive, larger, multiply, ONE, ratio, rational, subtract, sum, whole, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import { commitmentCashFlow, presentValue, type CashFlowInputs, type PresentValue } from "./cash-flow.ts";
import { commitmentRisk, type CommitmentLimits, type OptimalCommitment } from "./commitment.ts";
import { offerMetrics, type Offer, type OfferMetrics } from "./offer.ts";
import { optimalSavingsPlan } from "./savings-plan.ts";
import { sensitivityGrid, type SensitivityCell } from "./sensitivity.ts";
import { coveredUnitHours, metricsOfRank, optimalCommitmentOfRank, profileOfRank, rankedHours, type UsageRank } from "./usage-rank.ts";

/** Hours of a vendor's month: 8,760 ÷ 12. */
export const HOURS_A_MONTH = 730;

/** What a unit costs under an offer; null parts are due neither up front nor by the hour nor by the month. */
export interface OptionTerms {
  readonly termMonths: number;
  readonly upfront: Rational;
  readonly hourly: Rational;
  readonly monthly: Rational;
  readonly monthlyTiming: "arrears" | "advance";
  /** Bought as money an hour in steps of 0.001, not in units. */
  readonly isSavingsPlan: boolean;
}

export interface Outlook {
  /** By what usage changes from month to month, 0.02 for 2 % growth. */
  readonly monthlyGrowth: Rational;
  /** By what the on-demand price falls at each anniversary. */
  readonly annualDecline: Rational;
  readonly annualDiscountRate: number;
}

export const riskCases: readonly PlanRisk[] = ["as-is", "usage-20", "usage-50", "price-decline", "retired", "usage-20-and-decline"];

export interface OptionOutcome {
  /** Of one unit at the utilization of the level chosen. */
  readonly offer: OfferMetrics;
  readonly optimum: OptimalCommitment;
  /** Money an hour, of a savings plan: the closed form, and the multiple of 0.001 chosen. */
  readonly moneyHourly: { readonly optimal: Rational; readonly chosen: Rational } | null;
  /** Mean of a month of the term, as usage and prices were. */
  readonly savingAMonth: Rational;
  readonly upfrontTotal: Rational;
  readonly value: PresentValue | null;
  /** The largest fall of usage at which it still saves; null if it loses already. */
  readonly breakEvenDrop: Rational | null;
  readonly risks: readonly { readonly risk: PlanRisk; readonly savingAMonth: Rational }[];
  readonly sensitivity: readonly SensitivityCell[];
}

/** Steps of the sensitivity grid (model a.4). */
const usageChanges = ["-3", "-2", "-1", "0", "1"].map((tenths) => rational(BigInt(tenths), 10n));
const declines = ["0", "1", "2"].map((tenths) => rational(BigInt(tenths), 10n));
const discountRates = [0, 0.08, 0.12];

/** Works an offer out for the usage of its term; `level` null takes the optimum. */
export function workOutOption(usage: UsageRank, terms: OptionTerms, onDemandHourly: Rational, limits: CommitmentLimits, outlook: Outlook, level: Rational | null): OptionOutcome {
  const offer = offerOf(terms);
  const prices = { committedHourly: effectiveHourlyOf(terms), onDemandHourly };
  const best = optimalCommitmentOfRank(usage, prices, limits);
  const plan = terms.isSavingsPlan && isPositive(prices.committedHourly) ? planOf(usage, prices.committedHourly, onDemandHourly) : null;
  const own = level ?? (plan === null ? best.commitment : divide(plan.chosen, prices.committedHourly));
  const optimum = { ...metricsOfRank(usage, own, prices), optimalLow: best.optimalLow, optimalHigh: best.optimalHigh };
  const metrics = offerMetrics(offer, onDemandHourly, optimum.utilization ?? ZERO);
  const isBought = isPositive(own);
  const months = whole(terms.termMonths);
  const flow = (outlookOf: { readonly scale?: Rational; readonly decline?: Rational; readonly growth?: Rational; readonly untilMonth?: number }): CashFlowInputs => ({
    offer: { termMonths: terms.termMonths, upfront: multiply(terms.upfront, own), hourly: multiply(terms.hourly, own), monthly: multiply(terms.monthly, own) },
    monthlyTiming: terms.monthlyTiming,
    onDemandHourly: multiply(onDemandHourly, own),
    onDemandAnnualDecline: outlookOf.decline ?? ZERO,
    hoursByMonth: Array.from({ length: terms.termMonths }, () => whole(HOURS_A_MONTH)),
    utilizationByMonth: utilizations(usage, own, terms.termMonths, outlookOf),
  });
  const meanSaving = (of: CashFlowInputs): Rational => divide(sum(commitmentCashFlow(of)), months);
  const asThought = flow({ decline: outlook.annualDecline, growth: outlook.monthlyGrowth });
  const fifth = rational(1n, 5n);
  const risky: Readonly<Record<PlanRisk, Parameters<typeof flow>[0]>> = {
    "as-is": {},
    "usage-20": { scale: subtract(ONE, fifth) },
    "usage-50": { scale: rational(1n, 2n) },
    "price-decline": { decline: outlook.annualDecline },
    retired: { untilMonth: Math.ceil((terms.termMonths * 2) / 3) },
    "usage-20-and-decline": { scale: subtract(ONE, fifth), decline: outlook.annualDecline },
  };
  return {
    offer: metrics,
    optimum,
    moneyHourly: plan === null ? null : { optimal: plan.optimalCommitment, chosen: multiply(own, prices.committedHourly) },
    savingAMonth: divide(multiply(metrics.saving, own), months),
    upfrontTotal: multiply(terms.upfront, own),
    value: isBought ? presentValue(commitmentCashFlow(asThought), outlook.annualDiscountRate) : null,
    breakEvenDrop: isBought ? commitmentRisk(profileOfRank(usage), own, prices, []).breakEvenDrop : null,
    risks: isBought ? riskCases.map((risk) => ({ risk, savingAMonth: meanSaving(flow(risky[risk])) })) : [],
    sensitivity: isBought ? sensitivityGrid({ ...flow({}), usageChanges, declines, discountRates }) : [],
  };
}

export function offerOf({ termMonths, upfront, hourly, monthly }: OptionTerms): Offer {
  return { termMonths, hours: whole(termMonths * HOURS_A_MONTH), upfront, hourly, monthly };
}

/** e = C ÷ H (model a.1). */
export function effectiveHourlyOf(terms: OptionTerms): Rational {
  const { hours, upfront, hourly, monthly, termMonths } = offerOf(terms);
  return divide(add(add(upfront, multiply(hourly, hours)), multiply(monthly, whole(termMonths))), hours);
}

/** Month by month, the share of the commitment that is in use: Σ min(scale·y, Q) ÷ n·Q, the scale growing with the months. */
function utilizations(usage: UsageRank, level: Rational, months: number, { scale = ONE, growth = ZERO, untilMonth = months }: { readonly scale?: Rational; readonly growth?: Rational; readonly untilMonth?: number }): Rational[] {
  const committed = multiply(level, whole(rankedHours(usage)));
  const step = larger(ZERO, add(ONE, growth));
  let current = scale;
  let last: Rational | null = null;
  return Array.from({ length: months }, (_, index) => {
    if (index > 0 && compare(step, ONE) !== 0) {
      current = rounded(multiply(current, step));
      last = null;
    }
    if (index >= untilMonth) return ZERO;
    return (last ??= ratio(coveredUnitHours(usage, level, current), committed) ?? ZERO);
  });
}

/** To 1e-12, so that a growth of many months stays a short fraction. */
function rounded({ numerator, denominator }: Rational): Rational {
  return rational((numerator * 1_000_000_000_000n) / denominator, 1_000_000_000_000n);
}

/** The savings plan over the same hours (model b.5): one item an hour, of ratio e ÷ p. */
function planOf(usage: UsageRank, rate: Rational, onDemandHourly: Rational): { readonly optimalCommitment: Rational; readonly chosen: Rational } {
  const planRatio = divide(rate, onDemandHourly);
  const hours = profileOfRank(usage).map(({ units, hours: alike }) => ({ items: [{ onDemandCost: multiply(units, onDemandHourly), planRatio }], hours: alike }));
  return optimalSavingsPlan(hours, rational(1n, 1000n));
}
