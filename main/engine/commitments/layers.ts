/** What stands beside the options: several terms at once, levels by window, spot, convertible. */
import type { PlanAnswer, PlanLayers, PlanLevels, PlanOption, SpotBlend } from "../../../shared/contract/plan.ts";
import type { Figure } from "../../../shared/domain/figure.ts";
import { compare, decimal, divide, fromNumber, multiply, ONE, type Rational, subtract, whole, ZERO } from "../../../shared/domain/rational.ts";
import { optimalLayers } from "../planning/commitment-layers.ts";
import { convertibleBreakEven } from "../planning/offer.ts";
import { HOURS_A_MONTH } from "../planning/plan-option.ts";
import { commitmentLevels } from "../planning/recommendation.ts";
import { MILLIONTHS, profileOfRank, rankedHours, unitHoursAbove } from "../planning/usage-rank.ts";
import type { Demand } from "./baseline.ts";
import { attosOf, datedSource, gpuFigure, moneyFigure, numberFigure, priceFigure, ratioFigure } from "./figures.ts";
import { type Asked, exactPrice } from "./options.ts";
import type { KnownPrice } from "./prices.ts";

/** The long base with yearly layers on top, where a one-year and a longer price are known. */
export function layersOf(options: readonly PlanOption[], { inputs, onDemand, currency, usageOver }: Asked): PlanLayers | null {
  const cheapest = (isOf: (months: number) => boolean): PlanOption | null => options.filter(({ termMonths, decision, source }) => isOf(termMonths) && decision === "commit" && (inputs.acceptsOldPrices || !source.isOld)).toSorted((a, b) => compare(exactPrice(a), exactPrice(b)))[0] ?? null;
  const long = cheapest((months) => months > 12 && months % 12 === 0);
  if (long === null) return null;
  const short = cheapest((months) => months === 12);
  const years = long.termMonths / 12;
  const growth = 1 + inputs.growthPercentAMonth / 100;
  // The mean of a year's months, to six digits: multipliers are an outlook, not a measurement.
  const yearMultipliers = Array.from({ length: years }, (_, year) => Number((Array.from({ length: 12 }, (__, month) => growth ** (year * 12 + month)).reduce((sum, each) => sum + each, 0) / 12).toFixed(6)));
  const yearPrices = Array.from({ length: years }, (_, year) => Number(((1 - inputs.declinePercentAYear / 100) ** year).toFixed(6)));
  const { usage } = usageOver(long.termMonths);
  const layers = optimalLayers({
    profile: profileOfRank(usage),
    yearMultipliers: yearMultipliers.map(fromNumber),
    yearPrices: yearPrices.map(fromNumber),
    longHourly: exactPrice(long),
    shortHourly: short === null ? null : exactPrice(short),
    onDemandHourly: onDemand.price,
  });
  return {
    long: { option: long.id, gpus: gpuFigure(layers.longCommitment) },
    short: short === null ? null : { option: short.id, gpus: layers.shortCommitments.map((gpus) => gpuFigure(gpus)) },
    yearMultipliers,
    yearPrices,
    // A year of the model has the hours of the window; a month of 730 hours is its part.
    savingAMonth: moneyFigure(attosOf(multiply(divide(layers.saving, whole(rankedHours(usage) * years)), whole(HOURS_A_MONTH))), currency, "assumed"),
  };
}

export function levelsOf({ units }: Demand, option: PlanOption, { onDemand }: Asked): PlanLevels {
  const taken = Math.floor(option.standsOn * MILLIONTHS);
  const levels = commitmentLevels(units.map((each) => (each === null ? null : Math.max(0, each - taken))), windowDaysOf(units.length), { committedHourly: exactPrice(option), onDemandHourly: onDemand.price });
  const figure = (level: Rational | null): Figure => (level === null ? numberFigure("gpu-hours", null, "gpus", "derived") : gpuFigure(level));
  return {
    windows: levels.windows.map(({ days, stable, optimal }) => ({ days, stable: figure(stable), optimal: figure(optimal) })),
    stable: figure(levels.stable),
    optimal: figure(levels.optimal),
    cautious: figure(levels.cautious),
    spread: figure(levels.spread),
  };
}

function windowDaysOf(hours: number): 7 | 28 | 56 | 91 {
  const days = hours / 24;
  return days >= 91 ? 91 : days >= 56 ? 56 : days >= 28 ? 28 : 7;
}

/** What could run on spot of that which is above the level shown. */
export function spotOf(known: readonly KnownPrice[], shown: PlanOption | null, { inputs, onDemand, currency, usageOver, window }: Asked): SpotBlend | null {
  const quote = inputs.quotes.find(({ kind, hourly: perHour }) => kind === "spot" && perHour !== null);
  const listed = known.find(({ kind }) => kind === "spot");
  const price = quote === undefined || quote.hourly === null ? (listed?.hourly ?? null) : decimal(quote.hourly);
  if (price === null || compare(price, onDemand.price) >= 0) return null;
  const source = quote === undefined ? datedSource("list", listed?.priceDate ?? null, listed?.source ?? null, window) : datedSource("quote", quote.quotedOn, quote.note, window);
  const { usage } = usageOver(shown?.termMonths ?? 12);
  const over = unitHoursAbove(usage, shown === null ? ZERO : decimal(shown.exact.gpus));
  const aMonth = multiply(divide(over, whole(rankedHours(usage))), whole(HOURS_A_MONTH));
  const saving = multiply(multiply(aMonth, fromNumber(inputs.spotPercent / 100)), subtract(onDemand.price, price));
  return { price: priceFigure(price, currency, "assumed"), source, percent: inputs.spotPercent, saving: moneyFigure(attosOf(saving), currency, "assumed") };
}

/** From which chance of a change on an exchangeable commitment is right, where both are priced for one term (model a.5); the switch is half-way. */
export function convertibleOf(options: readonly PlanOption[], { onDemand, currency }: Asked): PlanAnswer["convertible"] {
  for (const convertible of options.filter(({ isConvertible }) => isConvertible === true)) {
    const standard = options.filter((other) => other.isConvertible === false && other.termMonths === convertible.termMonths && other.payment === convertible.payment && other.id !== "renew").toSorted((a, b) => compare(exactPrice(a), exactPrice(b)))[0];
    if (standard === undefined) continue;
    const hours = whole(convertible.termMonths * HOURS_A_MONTH);
    const utilization = standard.figures.utilization.value;
    const found = convertibleBreakEven({
      standardTotal: multiply(exactPrice(standard), hours), convertibleTotal: multiply(exactPrice(convertible), hours), replacementHourly: onDemand.price,
      utilization: typeof utilization === "number" ? fromNumber(Number(utilization.toFixed(6))) : ONE, hoursRemainingAtSwitch: divide(hours, whole(2)), salvage: ZERO,
    });
    return { premium: moneyFigure(attosOf(found.premium), currency, "assumed"), probability: ratioFigure("effective-savings-rate", found.breakEvenProbability), standard: standard.id, convertible: convertible.id };
  }
  return null;
}
