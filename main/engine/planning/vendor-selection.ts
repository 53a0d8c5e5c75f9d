import { selectionSteps, type PilotOutcome, type SelectionOutcome, type SelectionStep, type VendorSelection } from "../../../shared/contract/calculators.ts";
import { compare, decimal, ONE, parseDecimal, ratio, subtract, toDecimal, type Rational } from "../../../shared/domain/rational.ts";
import { scorecard } from "./scorecard.ts";

/** What the ledger says of the pilot's days, in its scope. Amounts in attos of the selection's currency. */
export interface PilotFacts {
  readonly days: number;
  readonly daysBilled: number;
  /** Null where the ledger holds no GPU-hours of it. */
  readonly gpuHours: Rational | null;
  readonly cost: Rational | null;
  readonly usedGpuHours: Rational;
  readonly knownGpuHours: Rational;
}

/** A scorecard with less of its weight scored is called incomplete (model j.5). */
const COMPLETE_FROM = decimal("0.7");

/**
 * The five steps as a scorecard (model j.5), quotes against list, and the pilot's plan against what the ledger billed.
 *
 * discount   1 − quoted ÷ list; null where either is not known
 * use        used ÷ GPU-hours with telemetry; price = cost ÷ GPU-hours, both null over nothing
 */
export function selectionOutcome(selection: VendorSelection, pilot: PilotFacts | null): SelectionOutcome {
  const weights = new Map(selectionSteps.map((step) => [step as string, decimal(selection.weights[step])]));
  const minimums = new Map(selectionSteps.flatMap((step) => {
    const minimum = selection.minimums[step];
    return minimum === null ? [] : [[step, decimal(minimum)] as const];
  }));
  const vendors = selection.vendors.map(({ name, steps }) => ({ id: name, scores: new Map(selectionSteps.map((step) => [step as string, decimalOrNull(steps[step].score)])) }));
  const { vendors: scored, ranking, weightAtWhichTopTwoTie: ties } = scorecard(weights, vendors, minimums);
  return {
    selection,
    vendors: scored.map(({ id, score, knownWeight, failedMinimums }) => {
      const place = ranking.indexOf(id);
      return {
        name: id,
        score: textOrNull(score),
        knownWeight: textOrNull(knownWeight),
        isComplete: knownWeight !== null && compare(knownWeight, COMPLETE_FROM) >= 0,
        failedMinimums: selectionSteps.filter((step) => failedMinimums.includes(step)),
        place: place < 0 || score === null ? null : place + 1,
        quotes: quotesOf(selection, id),
      };
    }),
    ties: ties.size === 0 ? [] : selectionSteps.map((step) => ({ step, weight: textOrNull(ties.get(step) ?? null) })),
    pilot: selection.pilot === null || pilot === null ? null : pilotOutcome(selection.pilot, pilot),
  };
}

function quotesOf({ vendors }: VendorSelection, name: string): SelectionOutcome["vendors"][number]["quotes"] {
  return (vendors.find((vendor) => vendor.name === name)?.quotes ?? []).map((quote) => {
    const [list, quoted] = [decimalOrNull(quote.list), decimalOrNull(quote.quoted)];
    const share = list === null || quoted === null ? null : ratio(quoted, list);
    return { ...quote, discount: share === null ? null : toDecimal(subtract(ONE, share)) };
  });
}

function pilotOutcome({ plannedCost, plannedGpuHours }: NonNullable<VendorSelection["pilot"]>, facts: PilotFacts): PilotOutcome {
  const [plannedMoney, plannedHours] = [decimalOrNull(plannedCost), decimalOrNull(plannedGpuHours)];
  const { gpuHours, cost, knownGpuHours } = facts;
  const use = ratio(facts.usedGpuHours, knownGpuHours);
  const coverage = gpuHours === null ? null : ratio(knownGpuHours, gpuHours);
  return {
    days: facts.days,
    daysBilled: facts.daysBilled,
    gpuHours: textOrNull(gpuHours),
    cost: textOrNull(cost),
    use: textOrNull(use),
    coverage: coverage === null ? 0 : Math.min(1, Number(toDecimal(coverage))),
    plannedPrice: plannedMoney === null || plannedHours === null ? null : textOrNull(ratio(plannedMoney, plannedHours)),
    price: cost === null || gpuHours === null ? null : textOrNull(ratio(cost, gpuHours)),
  };
}

/** The vendor that leads; null without any that is ranked. */
export function leaderOf({ vendors }: SelectionOutcome): SelectionOutcome["vendors"][number] | null {
  return vendors.find(({ place }) => place === 1) ?? null;
}

/** The step whose weight would have to change least, by its share, for the first two to tie; null if none does. */
export function nearestTie({ ties, selection }: SelectionOutcome): { readonly step: SelectionStep; readonly weight: string; readonly isAbove: boolean } | null {
  const distances = ties.flatMap(({ step, weight }) => {
    if (weight === null) return [];
    const [now, tie] = [Number(selection.weights[step]), Number(weight)];
    return [{ step, weight, isAbove: tie > now, distance: Math.abs(tie - now) }];
  });
  const [nearest] = distances.toSorted((a, b) => a.distance - b.distance || selectionSteps.indexOf(a.step) - selectionSteps.indexOf(b.step));
  return nearest === undefined ? null : { step: nearest.step, weight: nearest.weight, isAbove: nearest.isAbove };
}

function decimalOrNull(text: string | null): Rational | null {
  return text === null ? null : parseDecimal(text);
}

function textOrNull(value: Rational | null): string | null {
  return value === null ? null : toDecimal(value);
}
