/**
 * Energy and carbon of GPU work (model f). Grams of CO2e, kWh and watts, in doubles: every factor here is known to two digits
 * at best. A factor that is not known is null and makes null what rests on it; it is never taken as 0.
 */

/**
 * Power of a card by its utilization (model f.1): idle + u × (maximum − idle), u held within 0 to 1. The last resort, after an
 * energy counter and power samples; whoever shows it says so. Null without a utilization.
 */
export function linearPower(utilization: number | null, idleWatts: number, maximumWatts: number): number | null {
  if (utilization === null) return null;
  return idleWatts + Math.min(Math.max(utilization, 0), 1) * (maximumWatts - idleWatts);
}

/** Making the hardware, shared by time and by part reserved (model f.4). Reserved, not busy: an idle reservation carries its share. */
export interface EmbodiedInputs {
  readonly totalKilograms: number;
  readonly reservedHours: number;
  readonly lifetimeHours: number;
  readonly resourcesReserved: number;
  readonly resourcesTotal: number;
}

export interface CarbonInputs {
  readonly gpuKilowattHours: number;
  /** What the host draws on top, as a share of the GPUs' energy. */
  readonly hostOverheadShare: number;
  /** Power usage effectiveness of the site. */
  readonly pue: number;
  /** Grid intensity of region and period. */
  readonly gridGramsPerKilowattHour: number | null;
  /** Share of the energy bought by contract. */
  readonly contractedShare: number;
  readonly contractedGramsPerKilowattHour: number;
  /** Of the energy without a contract; null for the grid's. */
  readonly residualGramsPerKilowattHour: number | null;
  /** Null where the hardware is left out. */
  readonly embodied: EmbodiedInputs | null;
  /** Units of work for the intensity: tokens, images, requests. Null for none. */
  readonly functionalUnits: number | null;
  /** Internal price of carbon; null for none. */
  readonly pricePerTonne: number | null;
}

export interface Carbon {
  readonly energyKilowattHours: number;
  readonly locationGrams: number | null;
  /** Never called "zero emissions", and never netted against the location-based figure. */
  readonly marketGrams: number | null;
  readonly embodiedGrams: number | null;
  readonly totalLocationGrams: number | null;
  /** Software carbon intensity; null without functional units. */
  readonly intensityGramsPerUnit: number | null;
  readonly carbonCost: number | null;
}

/**
 * Carbon of an amount of GPU energy (model f.2 to f.6).
 *
 * energy      GPU kWh × (1 + host overhead) × PUE
 * location    energy × grid intensity
 * market      energy × (contracted share × contracted + the rest × residual)
 * embodied    total × reserved ÷ lifetime hours × reserved ÷ total resources
 * intensity   (location + embodied) ÷ functional units; contracts and offsets do not enter
 * cost        (location + embodied) in tonnes × internal price
 */
export function carbon(inputs: CarbonInputs): Carbon {
  const energy = inputs.gpuKilowattHours * (1 + inputs.hostOverheadShare) * inputs.pue;
  const grid = inputs.gridGramsPerKilowattHour;
  const residual = inputs.residualGramsPerKilowattHour ?? grid;
  const location = grid === null ? null : energy * grid;
  const embodied = inputs.embodied === null ? 0 : embodiedGrams(inputs.embodied);
  const total = location === null || embodied === null ? null : location + embodied;
  return {
    energyKilowattHours: energy,
    locationGrams: location,
    marketGrams: marketGrams(energy, inputs.contractedShare, inputs.contractedGramsPerKilowattHour, residual),
    embodiedGrams: embodied,
    totalLocationGrams: total,
    intensityGramsPerUnit: total === null || inputs.functionalUnits === null || inputs.functionalUnits === 0 ? null : total / inputs.functionalUnits,
    carbonCost: total === null || inputs.pricePerTonne === null ? null : (total / 1e6) * inputs.pricePerTonne,
  };
}

/** The share of the hardware's making that a reservation carries, in grams (model f.4); null without a lifetime or resources. */
export function embodiedGrams({ totalKilograms, reservedHours, lifetimeHours, resourcesReserved, resourcesTotal }: EmbodiedInputs): number | null {
  if (lifetimeHours === 0 || resourcesTotal === 0) return null;
  return totalKilograms * 1000 * (reservedHours / lifetimeHours) * (resourcesReserved / resourcesTotal);
}

/** One end, or the middle, of what the factors may be. */
export interface CarbonBound {
  readonly kilowattHours: number;
  readonly pue: number;
  readonly gridGramsPerKilowattHour: number;
  readonly embodiedGrams: number;
}

export interface CarbonRange {
  readonly lowGrams: number;
  readonly centralGrams: number;
  readonly highGrams: number;
  /** (central − low) ÷ central and (high − central) ÷ central; null if the central value is 0. */
  readonly minusShare: number | null;
  readonly plusShare: number | null;
}

/** The range of a carbon figure (model f.7): all factors are ≥ 0, so the lows together bound it below and the highs above. */
export function carbonRange(low: CarbonBound, central: CarbonBound, high: CarbonBound): CarbonRange {
  const [lowGrams, centralGrams, highGrams] = [gramsOf(low), gramsOf(central), gramsOf(high)];
  return {
    lowGrams,
    centralGrams,
    highGrams,
    minusShare: centralGrams === 0 ? null : (centralGrams - lowGrams) / centralGrams,
    plusShare: centralGrams === 0 ? null : (highGrams - centralGrams) / centralGrams,
  };
}

function marketGrams(energy: number, contractedShare: number, contracted: number, residual: number | null): number | null {
  if (contractedShare === 1) return energy * contracted;
  return residual === null ? null : energy * (contractedShare * contracted + (1 - contractedShare) * residual);
}

function gramsOf({ kilowattHours, pue, gridGramsPerKilowattHour, embodiedGrams: embodied }: CarbonBound): number {
  return kilowattHours * pue * gridGramsPerKilowattHour + embodied;
}
