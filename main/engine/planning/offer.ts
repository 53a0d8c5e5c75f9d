import { compareIds } from "../../../shared/domain/money.ts";
import { add, compare, divide, isNegative, isPositive, isZero, multiply, ONE, ratio, subtract, whole, ZERO, type Rational } from "../../../shared/domain/rational.ts";

/** A commitment as a vendor offers it, for one unit. */
export interface Offer {
  readonly termMonths: number;
  /** Of the whole term: 8,760 a year for the big vendors' commitments, measured for calendar subscriptions. */
  readonly hours: Rational;
  readonly upfront: Rational;
  /** Due every hour, used or not. */
  readonly hourly: Rational;
  readonly monthly: Rational;
}

export interface OfferMetrics {
  readonly totalCost: Rational;
  readonly effectiveHourly: Rational | null;
  readonly discount: Rational | null;
  readonly breakEvenUtilization: Rational | null;
  readonly onDemandCost: Rational;
  readonly saving: Rational;
  readonly savingShare: Rational | null;
  /** Months until the upfront is earned back; 0 if there is none and nothing is lost; null if never. */
  readonly paybackMonths: Rational | null;
  readonly isPaybackWithinTerm: boolean;
  /** The month from which it was right even if usage stopped there and nothing came back; null if never. */
  readonly exitBreakEvenMonths: Rational | null;
  readonly isExitBreakEvenWithinTerm: boolean;
  readonly decision: "commit" | "indifferent" | "on_demand";
}

/**
 * A commitment beside staying on demand (model a.1 to a.3). p on-demand price, u utilization of the commitment, H hours of the
 * term, m its months:
 *
 * total cost            C = upfront + hourly·H + monthly·m; effective price e = C ÷ H; discount 1 − e ÷ p
 * break-even            u* = e ÷ p: commit if u is above; equal is indifferent. Above 1 the offer is bad and never advised
 * saving                p·u·H − C; share of the on-demand bill, null if that is 0
 * payback               upfront ÷ (monthly saving before the upfront)
 * exit break-even       m·u* ÷ u
 */
export function offerMetrics(offer: Offer, onDemandHourly: Rational, utilization: Rational): OfferMetrics {
  const months = whole(offer.termMonths);
  const running = runningCost(offer);
  const totalCost = add(offer.upfront, running);
  const effectiveHourly = ratio(totalCost, offer.hours);
  const breakEvenUtilization = effectiveHourly === null ? null : ratio(effectiveHourly, onDemandHourly);
  const onDemandCost = multiply(onDemandHourly, multiply(utilization, offer.hours));
  const saving = subtract(onDemandCost, totalCost);
  const paybackMonths = payback(offer, saving, ratio(subtract(onDemandCost, running), months));
  const exitBreakEvenMonths = breakEvenUtilization === null ? null : ratio(multiply(months, breakEvenUtilization), utilization);
  const isBad = breakEvenUtilization !== null && compare(breakEvenUtilization, ONE) > 0;
  return {
    totalCost,
    effectiveHourly,
    discount: breakEvenUtilization === null ? null : subtract(ONE, breakEvenUtilization),
    breakEvenUtilization,
    onDemandCost,
    saving,
    savingShare: ratio(saving, onDemandCost),
    paybackMonths,
    isPaybackWithinTerm: paybackMonths !== null && compare(paybackMonths, months) <= 0,
    exitBreakEvenMonths,
    isExitBreakEvenWithinTerm: exitBreakEvenMonths !== null && compare(exitBreakEvenMonths, months) <= 0,
    decision: isNegative(saving) || isBad ? "on_demand" : isZero(saving) ? "indifferent" : "commit",
  };
}

export interface RankedOffer {
  readonly id: string;
  /** Effective price ÷ utilization; null if nothing is used. */
  readonly costPerUsedHour: Rational | null;
}

/**
 * Offers and on demand from the cheapest used hour (model a.2). At a tie on demand comes first, then the shorter term, the
 * lower upfront, the id: cautious, and the same every time.
 */
export function rankOffers(offers: readonly (Offer & { readonly id: string })[], onDemandHourly: Rational, utilization: Rational): readonly RankedOffer[] {
  const onDemand = { id: ON_DEMAND, costPerUsedHour: onDemandHourly, termMonths: 0, upfront: ZERO };
  const rated = offers.map((offer) => {
    const effective = ratio(add(offer.upfront, runningCost(offer)), offer.hours);
    return { id: offer.id, costPerUsedHour: effective === null ? null : ratio(effective, utilization), termMonths: offer.termMonths, upfront: offer.upfront };
  });
  return [onDemand, ...rated]
    .toSorted(
      (a, b) =>
        lowestFirst(a.costPerUsedHour, b.costPerUsedHour) ||
        Number(b.id === ON_DEMAND) - Number(a.id === ON_DEMAND) ||
        a.termMonths - b.termMonths ||
        compare(a.upfront, b.upfront) ||
        compareIds(a.id, b.id),
    )
    .map(({ id, costPerUsedHour }) => ({ id, costPerUsedHour }));
}

export interface ConvertibleInputs {
  readonly standardTotal: Rational;
  readonly convertibleTotal: Rational;
  /** On-demand price of what would be needed instead. */
  readonly replacementHourly: Rational;
  readonly utilization: Rational;
  readonly hoursRemainingAtSwitch: Rational;
  /** What the standard commitment could be sold for. */
  readonly salvage: Rational;
}

/**
 * When an exchangeable commitment is worth its premium (model a.5): if the chance that the need changes is above
 * premium ÷ loss, where the loss is what the replacement costs the standard buyer, replacement·u·hours left − salvage. Null if
 * there is nothing to lose; 0 if it costs no more.
 */
export function convertibleBreakEven(inputs: ConvertibleInputs): {
  readonly premium: Rational;
  readonly lossIfSwitchWithStandard: Rational;
  readonly breakEvenProbability: Rational | null;
  readonly canConvertibleWin: boolean;
} {
  const premium = subtract(inputs.convertibleTotal, inputs.standardTotal);
  const replacement = multiply(inputs.replacementHourly, multiply(inputs.utilization, inputs.hoursRemainingAtSwitch));
  const loss = subtract(replacement, inputs.salvage);
  const probability = !isPositive(loss) ? null : isPositive(premium) ? divide(premium, loss) : ZERO;
  return { premium, lossIfSwitchWithStandard: loss, breakEvenProbability: probability, canConvertibleWin: probability !== null && compare(probability, ONE) < 0 };
}

export interface SunkInputs {
  readonly units: Rational;
  readonly effectiveHourly: Rational;
  readonly termHours: Rational;
  readonly elapsedHours: Rational;
  readonly usedUnitHours: Rational;
  /** Units that will be in use for the rest of the term. */
  readonly expectedUnits: Rational;
  readonly onDemandHourly: Rational;
  /** Fee that is still due a committed unit-hour, and would not be after leaving. */
  readonly recurringHourly: Rational;
  readonly netResale: Rational;
}

/**
 * Keep a running commitment or leave it (model a.6). What is unused so far is history and enters no decision.
 *
 * unused       units × elapsed − used, at least 0; its cost at the effective price is sunk
 * keeping      on-demand price × min(units, expected) × hours left
 * leaving      net resale + the recurring fees avoided; leave only if that is strictly more
 * marginal     one more unit-hour costs nothing below the committed units, the on-demand price from there on
 */
export function sunkCommitment(inputs: SunkInputs): {
  readonly unusedUnitHours: Rational;
  readonly sunkWaste: Rational;
  readonly remainingObligation: Rational;
  readonly valueOfKeeping: Rational;
  readonly valueOfLeaving: Rational;
  readonly decision: "keep" | "leave";
  readonly marginalCostOfOneMoreUnitHour: Rational;
} {
  const unused = atLeastZero(subtract(multiply(inputs.units, inputs.elapsedHours), inputs.usedUnitHours));
  const hoursLeft = atLeastZero(subtract(inputs.termHours, inputs.elapsedHours));
  const inUse = compare(inputs.units, inputs.expectedUnits) <= 0 ? inputs.units : inputs.expectedUnits;
  const remainingObligation = multiply(multiply(inputs.recurringHourly, inputs.units), hoursLeft);
  const valueOfKeeping = multiply(multiply(inputs.onDemandHourly, inUse), hoursLeft);
  const valueOfLeaving = add(inputs.netResale, remainingObligation);
  return {
    unusedUnitHours: unused,
    sunkWaste: multiply(unused, inputs.effectiveHourly),
    remainingObligation,
    valueOfKeeping,
    valueOfLeaving,
    decision: compare(valueOfLeaving, valueOfKeeping) > 0 ? "leave" : "keep",
    marginalCostOfOneMoreUnitHour: compare(inputs.expectedUnits, inputs.units) < 0 ? ZERO : inputs.onDemandHourly,
  };
}

export interface RenewalInputs {
  readonly renewalPrice: Rational;
  readonly newPrice: Rational;
  readonly migrationCost: Rational;
  readonly onDemandHourly: Rational;
  readonly expectedUsedHours: Rational;
  /** Other vendors, with what moving there costs. */
  readonly alternatives: readonly { readonly id: string; readonly total: Rational; readonly migrationCost: Rational }[];
}

export type RenewalFlag = "renewal_above_new_purchase" | "renewal_above_on_demand";

export interface RenewalCheck {
  /** Renewal ÷ new price − 1; null if the new price is 0. */
  readonly renewalPremium: Rational | null;
  /** From the cheapest; at a tie on demand first, then by id. */
  readonly options: readonly { readonly id: string; readonly total: Rational }[];
  readonly savingVersusRenewal: Rational;
  readonly flags: readonly RenewalFlag[];
}

/** Renew, buy new and move, go on demand, or go elsewhere (model a.7). Totals include migration; the flags compare prices. */
export function renewalCheck({ renewalPrice, newPrice, migrationCost, onDemandHourly, expectedUsedHours, alternatives }: RenewalInputs): RenewalCheck {
  const onDemandTotal = multiply(onDemandHourly, expectedUsedHours);
  const options = [
    { id: "renew", total: renewalPrice },
    { id: "new_purchase", total: add(newPrice, migrationCost) },
    { id: ON_DEMAND, total: onDemandTotal },
    ...alternatives.map(({ id, total, migrationCost: moving }) => ({ id, total: add(total, moving) })),
  ].toSorted((a, b) => compare(a.total, b.total) || Number(b.id === ON_DEMAND) - Number(a.id === ON_DEMAND) || compareIds(a.id, b.id));
  const quotient = ratio(renewalPrice, newPrice);
  const flags: RenewalFlag[] = [];
  if (compare(renewalPrice, newPrice) > 0) flags.push("renewal_above_new_purchase");
  if (compare(renewalPrice, onDemandTotal) > 0) flags.push("renewal_above_on_demand");
  return {
    renewalPremium: quotient === null ? null : subtract(quotient, ONE),
    options,
    savingVersusRenewal: subtract(renewalPrice, options[0]?.total ?? renewalPrice),
    flags,
  };
}

/**
 * What a mix of prices saves together (model a.8): Σ share × discount over on-demand-equivalent shares. A share without a
 * discount, and what is missing to 1, stays at the on-demand price. Shares below 0 or over 1 in all are no mix: null.
 */
export function pricingMix(shares: readonly { readonly share: Rational; readonly discount: Rational }[]): {
  readonly shareTotal: Rational;
  readonly blendedSaving: Rational | null;
  readonly blendedPriceRatio: Rational | null;
} {
  const shareTotal = shares.reduce((total, { share }) => add(total, share), ZERO);
  if (compare(shareTotal, ONE) > 0 || shares.some(({ share }) => isNegative(share))) return { shareTotal, blendedSaving: null, blendedPriceRatio: null };
  const blendedSaving = shares.reduce((total, { share, discount }) => add(total, multiply(share, discount)), ZERO);
  return { shareTotal, blendedSaving, blendedPriceRatio: subtract(ONE, blendedSaving) };
}

export interface OwnedInputs {
  readonly capex: Rational;
  readonly residual: Rational;
  /** Above 0. */
  readonly lifeMonths: Rational;
  readonly usedHoursPerMonth: Rational;
  readonly powerKilowattsBusy: Rational;
  readonly powerKilowattsIdle: Rational;
  /** Null if it is switched off when it is not used. */
  readonly poweredHoursPerMonth: Rational | null;
  readonly tariffPerKilowattHour: Rational;
  readonly fixedMonthly: Rational;
  readonly cloudHourly: Rational;
  /** Work an hour of the own card does, in hours of the cloud's. */
  readonly relativeSpeed: Rational;
}

/**
 * An own card beside renting (model a.9).
 *
 * own a month      (capex − residual) ÷ life + fixed + tariff × (busy kW × used + idle kW × (powered − used))
 * cloud a month    used hours × relative speed × price
 * break-even       (fixed part + idle energy if always on) ÷ (price × speed − tariff × (busy − idle kW)); null if that is not above 0
 */
export function ownedVersusCloud(inputs: OwnedInputs): {
  readonly ownedMonthly: Rational;
  readonly cloudMonthly: Rational;
  readonly ownedCostPerCloudEquivalentHour: Rational | null;
  readonly savingShare: Rational | null;
  readonly breakEvenUsedHoursPerMonth: Rational | null;
} {
  const { usedHoursPerMonth: used, tariffPerKilowattHour: tariff, poweredHoursPerMonth: powered } = inputs;
  const idlePower = powered === null ? ZERO : inputs.powerKilowattsIdle;
  const depreciation = divide(subtract(inputs.capex, inputs.residual), inputs.lifeMonths);
  const standing = add(depreciation, inputs.fixedMonthly);
  const idleHours = powered === null ? ZERO : atLeastZero(subtract(powered, used));
  const energy = multiply(tariff, add(multiply(inputs.powerKilowattsBusy, used), multiply(idlePower, idleHours)));
  const ownedMonthly = add(standing, energy);
  const equivalentHours = multiply(used, inputs.relativeSpeed);
  const cloudMonthly = multiply(equivalentHours, inputs.cloudHourly);
  const quotient = ratio(ownedMonthly, cloudMonthly);
  const alwaysOn = powered === null ? ZERO : multiply(tariff, multiply(idlePower, powered));
  const gainPerHour = subtract(multiply(inputs.cloudHourly, inputs.relativeSpeed), multiply(tariff, subtract(inputs.powerKilowattsBusy, idlePower)));
  return {
    ownedMonthly,
    cloudMonthly,
    ownedCostPerCloudEquivalentHour: ratio(ownedMonthly, equivalentHours),
    savingShare: quotient === null ? null : subtract(ONE, quotient),
    breakEvenUsedHoursPerMonth: isPositive(gainPerHour) ? divide(add(standing, alwaysOn), gainPerHour) : null,
  };
}

function runningCost({ hourly, hours, monthly, termMonths }: Offer): Rational {
  return add(multiply(hourly, hours), multiply(monthly, whole(termMonths)));
}

function payback({ upfront }: Offer, saving: Rational, monthlySaving: Rational | null): Rational | null {
  if (isZero(upfront)) return isNegative(saving) ? null : ZERO;
  return monthlySaving === null || !isPositive(monthlySaving) ? null : divide(upfront, monthlySaving);
}

function lowestFirst(a: Rational | null, b: Rational | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(a, b);
}

function atLeastZero(value: Rational): Rational {
  return isNegative(value) ? ZERO : value;
}

const ON_DEMAND = "on_demand";
