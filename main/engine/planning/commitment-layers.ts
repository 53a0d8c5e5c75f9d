import { add, compare, multiply, smaller, subtract, sum, whole, ZERO, ONE, type Rational } from "../../../shared/domain/rational.ts";
import { commitmentMetrics, optimalLevels } from "./commitment.ts";
import { above, highestFirst, hoursOf, scaled, unitHoursOf, type UsageProfile } from "./usage-profile.ts";

export interface LayerInputs {
  /** The usage of one year. */
  readonly profile: UsageProfile;
  /** The outlook: by what the profile is multiplied in each year of the long term. */
  readonly yearMultipliers: readonly Rational[];
  readonly longHourly: Rational;
  /** Null if there is no short-term offer. */
  readonly shortHourly: Rational | null;
  readonly onDemandHourly: Rational;
  /** By what the on-demand and the short-term price are multiplied in each year, as both fall while the long one is fixed; 1 each if left out. */
  readonly yearPrices?: readonly Rational[];
  /** What a unit of money in each year weighs today, (1 + i)^−year; 1 each if left out. */
  readonly yearWeights?: readonly Rational[];
}

export interface CommitmentLayers {
  readonly longCommitment: Rational;
  /** One a year, on top of the long one. */
  readonly shortCommitments: readonly Rational[];
  readonly totalCost: Rational;
  readonly onDemandCost: Rational;
  readonly saving: Rational;
}

/**
 * A long-term base and short-term layers on top (model b.4). n hours a year, x the hourly usage, m_y the outlook of year y.
 * For the layer at level q:
 *
 * alternative    A(q) = Σ over years of f_y · min(n·e_short, p·#{hours with m_y·x > q}), f_y the price level of the year
 * long           B = years·n·e_long
 *
 * The long term takes the layers where A > B (a tie goes to the short term). A falls with q, so they are [0, Q): one threshold.
 * Each year's short layer is the optimum of what is above it. Exact; O(years·n·log) comparisons.
 */
export function optimalLayers({ profile, yearMultipliers, longHourly, shortHourly, onDemandHourly, yearPrices, yearWeights }: LayerInputs): CommitmentLayers {
  const weightOf = (year: number): Rational => yearWeights?.[year] ?? ONE;
  const hours = whole(hoursOf(profile));
  const years = yearMultipliers.map((multiplier, year) => ({ weight: weightOf(year), price: yearPrices?.[year] ?? ONE, usage: scaled(profile, multiplier) }));
  const longCost = multiply(multiply(hours, longHourly), sum(years.map(({ weight }) => weight)));
  const shortCost = shortHourly === null ? null : multiply(hours, shortHourly);

  // Hours above a rising level: each year's runs from the lowest, dropped as the level passes them.
  const ascending = years.map(({ weight, price, usage }) => ({ weight: multiply(weight, price), runs: highestFirst(usage).toReversed(), next: 0, hoursAbove: hoursOf(usage) }));
  const alternativeAt = (level: Rational): Rational =>
    sum(
      ascending.map((year) => {
        for (let run = year.runs[year.next]; run !== undefined && compare(run.units, level) <= 0; run = year.runs[year.next]) {
          year.hoursAbove -= run.hours;
          year.next += 1;
        }
        const onDemand = multiply(onDemandHourly, whole(year.hoursAbove));
        return multiply(year.weight, shortCost === null ? onDemand : smaller(shortCost, onDemand));
      }),
    );
  const levels = [ZERO, ...years.flatMap(({ usage }) => usage.map(({ units }) => units)).filter((units) => compare(units, ZERO) > 0)].toSorted(compare);
  // Above the highest usage A is 0, so a price above 0 is always found; a free long term covers everything.
  const longCommitment = levels.find((level) => compare(alternativeAt(level), longCost) <= 0) ?? ZERO;

  const layers = years.map(({ weight, price, usage }) => {
    const rest = above(usage, longCommitment);
    const prices = { committedHourly: multiply(price, shortHourly ?? onDemandHourly), onDemandHourly: multiply(price, onDemandHourly) };
    const short = shortHourly === null ? ZERO : optimalLevels(rest, prices).low;
    const cost = add(multiply(multiply(hours, longHourly), longCommitment), commitmentMetrics(rest, short, prices).totalCost);
    return { short, cost: multiply(weight, cost), onDemand: multiply(weight, multiply(prices.onDemandHourly, unitHoursOf(usage))) };
  });
  const totalCost = sum(layers.map(({ cost }) => cost));
  const onDemandCost = sum(layers.map(({ onDemand }) => onDemand));
  return { longCommitment, shortCommitments: layers.map(({ short }) => short), totalCost, onDemandCost, saving: subtract(onDemandCost, totalCost) };
}
