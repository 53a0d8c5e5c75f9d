import { divide, ONE, rational, toNumber, whole, ZERO, type Rational } from "../../../../shared/domain/rational.ts";
import { elapsedSeconds } from "../../metrics/model/civil-time.ts";
import { commitmentCashFlow, presentValue } from "../../planning/cash-flow.ts";
import { convertibleBreakEven, offerMetrics, ownedVersusCloud, pricingMix, rankOffers, renewalCheck, sunkCommitment, type Offer } from "../../planning/offer.ts";
import { asDecimal, asList, decimalAt, decimalOr, decimalsAt, fieldsAt, isAbsent, listAt, numberAt, numberText, rowsAt, textAt, textOf, textOr, type Adapter, type Fields } from "../fields.ts";

/** Model a. */
export const breakEvenAdapters: Readonly<Record<string, Adapter>> = {
  offer_metrics: (input) => {
    const metrics = offerMetrics(offerOf(fieldsAt(input, "offer")), decimalAt(input, "on_demand_hourly"), decimalAt(input, "utilisation"));
    return {
      total_cost: textOf(metrics.totalCost),
      effective_hourly: textOf(metrics.effectiveHourly),
      discount: textOf(metrics.discount),
      break_even_utilisation: textOf(metrics.breakEvenUtilization),
      on_demand_cost: textOf(metrics.onDemandCost),
      saving: textOf(metrics.saving),
      saving_fraction: textOf(metrics.savingShare),
      payback_months: textOf(metrics.paybackMonths),
      payback_within_term: metrics.isPaybackWithinTerm,
      exit_break_even_months: textOf(metrics.exitBreakEvenMonths),
      exit_break_even_within_term: metrics.isExitBreakEvenWithinTerm,
      decision: metrics.decision,
    };
  },
  npv_irr: (input) => {
    const terms = fieldsAt(input, "offer");
    const offer = offerOf(terms);
    const evenHours = offer.termMonths === 0 ? ZERO : divide(offer.hours, whole(offer.termMonths));
    const utilization = input["utilisation"];
    const flow = commitmentCashFlow({
      offer,
      monthlyTiming: textOr(terms, "monthly_timing", "arrears") === "advance" ? "advance" : "arrears",
      onDemandHourly: decimalAt(input, "on_demand_hourly"),
      onDemandAnnualDecline: decimalOr(input, "on_demand_annual_decline", ZERO),
      hoursByMonth: isAbsent(input, "hours_by_month") ? monthly(offer, evenHours) : listAt(input, "hours_by_month").map((hours) => asDecimal(hours)),
      utilizationByMonth: Array.isArray(utilization) ? asList(utilization).map((share) => asDecimal(share)) : monthly(offer, asDecimal(utilization, "utilisation")),
    });
    const value = presentValue(flow, toNumber(decimalAt(input, "annual_discount_rate")));
    return {
      undiscounted_saving: textOf(value.undiscountedSaving),
      npv: numberText(value.netPresentValue),
      irr_annual: numberText(value.internalRateOfReturn),
      irr_reason: value.noReturnReason,
      first_month_cumulative_non_negative: value.firstMonthCumulativeNonNegative,
    };
  },
  compare_offers: (input) => {
    const offers = rowsAt(input, "offers").map((offer) => ({ id: textAt(offer, "id"), ...offerOf(offer) }));
    const ranked = rankOffers(offers, decimalAt(input, "on_demand_hourly"), decimalAt(input, "utilisation"));
    return {
      ranking: ranked.map(({ id }) => id),
      cost_per_used_hour: Object.fromEntries(ranked.map(({ id, costPerUsedHour }) => [id, textOf(costPerUsedHour)])),
      best: ranked[0]?.id ?? null,
    };
  },
  convertible_break_even: (input) => {
    const result = convertibleBreakEven({
      standardTotal: decimalAt(input, "standard_total"),
      convertibleTotal: decimalAt(input, "convertible_total"),
      replacementHourly: decimalAt(input, "replacement_hourly"),
      utilization: decimalAt(input, "utilisation"),
      hoursRemainingAtSwitch: decimalAt(input, "hours_remaining_at_switch"),
      salvage: decimalOr(input, "salvage", ZERO),
    });
    return {
      premium: textOf(result.premium),
      loss_if_switch_with_standard: textOf(result.lossIfSwitchWithStandard),
      break_even_probability: textOf(result.breakEvenProbability),
      convertible_can_win: result.canConvertibleWin,
    };
  },
  renewal_check: (input) => {
    const check = renewalCheck({
      renewalPrice: decimalAt(input, "renewal_price"),
      newPrice: decimalAt(input, "new_price"),
      migrationCost: decimalOr(input, "migration_cost", ZERO),
      onDemandHourly: decimalAt(input, "on_demand_hourly"),
      expectedUsedHours: decimalAt(input, "expected_used_hours"),
      alternatives: isAbsent(input, "alternatives")
        ? []
        : rowsAt(input, "alternatives").map((row) => ({ id: textAt(row, "id"), total: decimalAt(row, "total"), migrationCost: decimalOr(row, "migration_cost", ZERO) })),
    });
    return {
      renewal_premium: textOf(check.renewalPremium),
      ranking: check.options.map(({ id }) => id),
      totals: Object.fromEntries(check.options.map(({ id, total }) => [id, textOf(total)])),
      best: check.options[0]?.id ?? null,
      saving_vs_renew: textOf(check.savingVersusRenewal),
      flags: check.flags,
    };
  },
  pricing_mix: (input) => {
    const discounts = new Map(decimalsAt(input, "discounts"));
    const mix = pricingMix(decimalsAt(input, "shares").map(([name, share]) => ({ share, discount: discounts.get(name) ?? ZERO })));
    return { share_total: textOf(mix.shareTotal), blended_saving: textOf(mix.blendedSaving), blended_price_ratio: textOf(mix.blendedPriceRatio) };
  },
  owned_vs_cloud: (input) => {
    const result = ownedVersusCloud({
      capex: decimalAt(input, "capex"),
      residual: decimalOr(input, "residual", ZERO),
      lifeMonths: decimalAt(input, "life_months"),
      usedHoursPerMonth: decimalAt(input, "used_hours_per_month"),
      powerKilowattsBusy: decimalOr(input, "power_kw_busy", ZERO),
      powerKilowattsIdle: decimalOr(input, "power_kw_idle", ZERO),
      poweredHoursPerMonth: decimalOr(input, "powered_hours_per_month", null),
      tariffPerKilowattHour: decimalOr(input, "tariff_per_kwh", ZERO),
      fixedMonthly: decimalOr(input, "fixed_monthly", ZERO),
      cloudHourly: decimalAt(input, "cloud_hourly"),
      relativeSpeed: decimalOr(input, "relative_speed", ONE),
    });
    return {
      owned_monthly: textOf(result.ownedMonthly),
      cloud_monthly: textOf(result.cloudMonthly),
      owned_cost_per_cloud_equivalent_hour: textOf(result.ownedCostPerCloudEquivalentHour),
      saving_fraction: textOf(result.savingShare),
      break_even_used_hours_per_month: textOf(result.breakEvenUsedHoursPerMonth),
    };
  },
  sunk_commitment: (input) => {
    const result = sunkCommitment({
      units: decimalAt(input, "units"),
      effectiveHourly: decimalAt(input, "effective_hourly"),
      termHours: decimalAt(input, "term_hours"),
      elapsedHours: decimalAt(input, "elapsed_hours"),
      usedUnitHours: decimalAt(input, "used_unit_hours"),
      expectedUnits: decimalAt(input, "expected_units"),
      onDemandHourly: decimalAt(input, "on_demand_hourly"),
      recurringHourly: decimalOr(input, "recurring_hourly", ZERO),
      netResale: decimalOr(input, "net_resale", ZERO),
    });
    return {
      unused_unit_hours: textOf(result.unusedUnitHours),
      sunk_waste: textOf(result.sunkWaste),
      remaining_obligation: textOf(result.remainingObligation),
      value_of_keeping: textOf(result.valueOfKeeping),
      value_of_leaving: textOf(result.valueOfLeaving),
      decision: result.decision,
      marginal_cost_of_one_more_unit_hour: textOf(result.marginalCostOfOneMoreUnitHour),
    };
  },
  period_hours: (input) => {
    const seconds = elapsedSeconds(textAt(input, "tz"), textAt(input, "start"), textAt(input, "end"));
    return { seconds, hours: seconds === null ? null : textOf(rational(BigInt(seconds), 3600n)) };
  },
};

function offerOf(offer: Fields): Offer {
  return {
    termMonths: numberAt(offer, "term_months"),
    hours: decimalOr(offer, "hours", ZERO),
    upfront: decimalOr(offer, "upfront", ZERO),
    hourly: decimalOr(offer, "hourly", ZERO),
    monthly: decimalOr(offer, "monthly", ZERO),
  };
}

function monthly({ termMonths }: Offer, value: Rational): readonly Rational[] {
  return Array.from({ length: termMonths }, () => value);
}
