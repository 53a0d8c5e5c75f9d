import { type Rational } from "../../../../shared/domain/rational.ts";
import { optimalLayers } from "../../planning/commitment-layers.ts";
import { commitmentMetrics, commitmentRisk, optimalCommitment, type CommitmentMetrics } from "../../planning/commitment.ts";
import { optimalSavingsPlan } from "../../planning/savings-plan.ts";
import { commitmentKpis, effectiveSavingsRateFromParts, poolUsage } from "../../planning/savings-rates.ts";
import { hoursOf, netOfExisting, type UsageProfile } from "../../planning/usage-profile.ts";
import { asDecimal, asList, asNumber, asText, decimalAt, decimalOr, decimalsAt, isAbsent, listAt, listOr, textOf, type Adapter, type Fields } from "../fields.ts";

/** Model b. */
export const commitmentAdapters: Readonly<Record<string, Adapter>> = {
  optimal_commit: (input) => {
    const optimum = optimalCommitment(netUsage(input), pricesOf(input), { lot: decimalOr(input, "lot", null), maximum: decimalOr(input, "max_commitment", null) });
    return { optimal_low: textOf(optimum.optimalLow), optimal_high: textOf(optimum.optimalHigh), chosen: textOf(optimum.commitment), ...metricsOut(optimum) };
  },
  commit_metrics: (input) => {
    const metrics = commitmentMetrics(netUsage(input), decimalAt(input, "commitment"), pricesOf(input));
    return { commitment: textOf(metrics.commitment), ...metricsOut(metrics) };
  },
  optimal_layers: (input) => {
    const layers = optimalLayers({
      profile: profileOf(listAt(input, "usage")),
      yearMultipliers: listAt(input, "year_multipliers").map((multiplier) => asDecimal(multiplier)),
      longHourly: decimalAt(input, "long_hourly"),
      shortHourly: decimalOr(input, "short_hourly", null),
      onDemandHourly: decimalAt(input, "on_demand_hourly"),
    });
    return {
      long_commitment: textOf(layers.longCommitment),
      short_commitments: layers.shortCommitments.map(textOf),
      total_cost: textOf(layers.totalCost),
      on_demand_cost: textOf(layers.onDemandCost),
      saving: textOf(layers.saving),
    };
  },
  sp_optimal: (input) => {
    const weights = listOr(input, "weights");
    const profile = listAt(input, "hours").map((items, index) => ({
      items: asList(items).map((item) => ({ onDemandCost: asDecimal(asList(item)[0]), planRatio: asDecimal(asList(item)[1]) })),
      hours: weights[index] === undefined ? 1 : asNumber(weights[index]),
    }));
    const plan = optimalSavingsPlan(profile, decimalOr(input, "lot", null));
    return {
      optimal_commitment: textOf(plan.optimalCommitment),
      chosen: textOf(plan.chosen),
      total_cost: textOf(plan.totalCost),
      on_demand_cost: textOf(plan.onDemandCost),
      saving: textOf(plan.saving),
      utilisation: textOf(plan.utilization),
      coverage: textOf(plan.coverage),
      waste_cost: textOf(plan.wasteCost),
    };
  },
  commit_risk: (input) => {
    const drops = listAt(input, "drops").map((drop) => ({ name: asText(drop), drop: asDecimal(drop) }));
    const { savings, breakEvenDrop } = commitmentRisk(netUsage(input), decimalAt(input, "commitment"), pricesOf(input), drops.map(({ drop }) => drop));
    return {
      saving_by_drop: Object.fromEntries(drops.map(({ name }, index) => [name, textOf(savings[index]?.saving)])),
      break_even_drop: textOf(breakEvenDrop),
    };
  },
  esr_from_parts: (input) => {
    const result = effectiveSavingsRateFromParts({ coverage: decimalAt(input, "coverage"), discount: decimalAt(input, "discount"), utilization: decimalAt(input, "utilisation") });
    return { effective_savings_rate: textOf(result.effectiveSavingsRate), break_even_utilisation: textOf(result.breakEvenUtilization) };
  },
  focus_kpis: (input) => {
    const kpis = commitmentKpis({
      listCost: decimalAt(input, "list_cost"),
      contractedCost: decimalAt(input, "contracted_cost"),
      effectiveCost: decimalAt(input, "effective_cost"),
      commitmentCost: decimalAt(input, "commitment_cost"),
      commitmentUnusedCost: decimalAt(input, "commitment_unused_cost"),
      coveredContractedCost: decimalAt(input, "covered_contracted_cost"),
      eligibleContractedCost: decimalAt(input, "eligible_contracted_cost"),
    });
    return {
      esr_over_contracted: textOf(kpis.savingsRateOverContracted),
      esr_over_list: textOf(kpis.savingsRateOverList),
      commitment_utilisation: textOf(kpis.commitmentUtilization),
      commitment_waste: textOf(kpis.commitmentWaste),
      coverage: textOf(kpis.coverage),
      net_saving: textOf(kpis.netSaving),
    };
  },
  normalise_usage: (input) => {
    const instances = listAt(input, "instances").map((instance) => {
      const [family, size, count] = asList(instance);
      return { family: asText(family), size: asText(size), count: asDecimal(count) };
    });
    const pools = poolUsage(instances, new Map(decimalsAt(input, "factors")), new Set(listOr(input, "not_flexible").map((family) => asText(family))));
    return { pools: Object.fromEntries([...pools].map(([pool, units]) => [pool, textOf(units)])) };
  },
};

function pricesOf(input: Fields): { readonly committedHourly: Rational; readonly onDemandHourly: Rational } {
  return { committedHourly: decimalAt(input, "committed_hourly"), onDemandHourly: decimalAt(input, "on_demand_hourly") };
}

/** `value` or [value, hours], in order. */
function profileOf(usage: readonly unknown[]): UsageProfile {
  return usage.map((entry) => {
    const [units, hours] = Array.isArray(entry) ? asList(entry) : [entry, 1];
    return { units: asDecimal(units, "usage"), hours: asNumber(hours, "hours") };
  });
}

function netUsage(input: Fields): UsageProfile {
  const usage = profileOf(listAt(input, "usage"));
  if (isAbsent(input, "existing")) return usage;
  const existing = input["existing"];
  return netOfExisting(usage, Array.isArray(existing) ? profileOf(asList(existing)) : [{ units: asDecimal(existing, "existing"), hours: hoursOf(usage) }]);
}

function metricsOut(metrics: CommitmentMetrics): Readonly<Record<string, string | null>> {
  return {
    total_cost: textOf(metrics.totalCost),
    on_demand_cost: textOf(metrics.onDemandCost),
    saving: textOf(metrics.saving),
    effective_savings_rate: textOf(metrics.effectiveSavingsRate),
    utilisation: textOf(metrics.utilization),
    coverage: textOf(metrics.coverage),
    unused_hours: textOf(metrics.unusedUnitHours),
    waste_cost: textOf(metrics.wasteCost),
    uncovered_units: textOf(metrics.uncoveredUnitHours),
  };
}
