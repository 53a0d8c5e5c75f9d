import type { CarbonAmounts, CarbonRow, CarbonSpan } from "../../../shared/contract/carbon.ts";
import type { Basis, Figure, MetricId, UnknownReason } from "../../../shared/domain/figure.ts";
import { sumCarbon } from "../carbon/rows.ts";
import { coverageOf, figureOf, type Bounds, type Input } from "./metric.ts";

/** The facts of metrics of energy and emissions: rows of any currency, since emissions have none; money is of `currency` alone. */
export interface CarbonFacts {
  readonly currency: string;
  readonly rows: readonly CarbonRow[];
  /** Internal price of a tonne, exact decimal text, and its currency; null for none. */
  readonly pricePerTonne: string | null;
  readonly priceCurrency: string | null;
  /** Units of work that the rows did, all of one kind; empty where none are known. */
  readonly work: readonly WorkDone[];
}

/** How many units of work a month did, of one team or of all. */
export interface WorkDone {
  readonly unit: string;
  readonly team: string | null;
  readonly month: string;
  /** Exact decimal text. */
  readonly count: string;
}

/** The facts of one kind of work: the rows of its team in the months it is counted of. */
export function factsOfWork(facts: CarbonFacts, work: readonly WorkDone[]): CarbonFacts {
  const months = new Set(work.map(({ month }) => month));
  const [first] = work;
  return { ...facts, work, rows: facts.rows.filter((row) => months.has(row.month) && (first === undefined || first.team === null || row.team === first.team)) };
}

const sums = new WeakMap<readonly CarbonRow[], CarbonAmounts>();

/** The exact sum of the rows; several figures ask for the sums of the same rows, which never change. */
export function carbonSums({ rows }: Pick<CarbonFacts, "rows">): CarbonAmounts {
  let sum = sums.get(rows);
  if (sum === undefined) sums.set(rows, (sum = sumCarbon(rows)));
  return sum;
}

/** Milliwatt-hours as kWh, for showing. */
export function kilowattHours(milliwattHours: bigint | null): number | null {
  return milliwattHours === null ? null : Number(milliwattHours) / 1e6;
}

/** Micrograms as kg CO2e, for showing. */
export function kilograms(micrograms: bigint | null): number | null {
  return micrograms === null ? null : Number(micrograms) / 1e9;
}

/** Measured where counters and power samples are all there is, assumed where they are none of it. */
export function energyBasis({ tiers }: CarbonAmounts): Basis {
  if (tiers.model.milliwattHours + tiers.rated.milliwattHours === 0n) return "measured";
  return tiers.counter.milliwattHours + tiers.power.milliwattHours === 0n ? "assumed" : "derived";
}

/** Location-based emissions and the embodied share: the numerator of every intensity (model f.5). Null where either is not known. */
export function totalMicrograms({ locationMicrograms, embodiedMicrograms }: CarbonAmounts): bigint | null {
  return locationMicrograms === null || embodiedMicrograms === null ? null : locationMicrograms + embodiedMicrograms.central;
}

/** GPU-hours for which both parts of the total are calculated, as a share. */
export function totalCoverage({ covered, gpuHours }: CarbonAmounts): number {
  return coverageOf(Math.min(covered.location, covered.embodied), gpuHours);
}

export function energyFigure(metric: MetricId, milliwattHours: bigint | null, basis: Basis, coverage: number): Figure {
  return figureOf(metric, kilowattHours(milliwattHours), "kWh", basis, coverage, "no-energy");
}

export function emissionsFigure(metric: MetricId, micrograms: bigint | null, coverage: number, why: UnknownReason): Figure {
  return figureOf(metric, kilograms(micrograms), "kgCO2e", "derived", coverage, why);
}

/** Energy that only telemetry tells: null without any. */
export function observedEnergyFigure(metric: MetricId, amounts: CarbonAmounts, milliwattHours: bigint): Figure {
  const basis = energyBasis(amounts) === "assumed" ? "assumed" : "measured";
  return figureOf(metric, amounts.knownGpuHours === 0 ? null : kilowattHours(milliwattHours), "kWh", basis, coverageOf(amounts.knownGpuHours, amounts.gpuHours), "no-telemetry");
}

/** Why there are no emissions: no energy to begin with, or no factor. */
export function whyNoEmissions({ facilityMilliwattHours, locationMicrograms, gpuHours }: CarbonAmounts): UnknownReason {
  if (gpuHours === 0) return "no-gpu-hours";
  if (facilityMilliwattHours === null) return "no-energy";
  return locationMicrograms === null ? "no-grid-factor" : "no-embodied-factor";
}

export function spanBounds(metric: MetricId, span: CarbonSpan | null, coverage: number): Bounds | null {
  if (span === null || (span.low === span.central && span.high === span.central)) return null;
  return { low: emissionsFigure(metric, span.low, coverage, "no-energy"), high: emissionsFigure(metric, span.high, coverage, "no-energy") };
}

export function input(label: string, figure: Figure): Input {
  return { label, figure };
}

/** g CO2e of the total over a number of units of work; null over none (model f.5: undefined is not zero). */
export function gramsPer(amounts: CarbonAmounts, units: number): number | null {
  const total = totalMicrograms(amounts);
  return total === null || units === 0 ? null : Number(total) / 1e6 / units;
}
