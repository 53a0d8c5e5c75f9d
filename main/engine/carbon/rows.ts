/**
 * From what a GPU series drew in a month to its emissions (model f), in whole numbers: each product is rounded once, half-even, and every
 * total is a sum of rows, so parts add up to the whole to the last digit.
 *
 *   gpu        counter + power samples (measured) + model (idle W × hours + (full W − idle W) × useful hours) + rated W × hours without telemetry
 *   it         gpu + host W × GPU-hours
 *   facility   it × PUE
 *   location   facility × grid g/kWh                                   (mWh × g/kWh = µg)
 *   market     facility × (Σ share × contract + the rest × residual mix, else grid)
 *   embodied   kg × GPU-hours ÷ lifetime hours
 *   water      it × L/kWh                                              (mWh × L/kWh = µL)
 */
import { energyGrades, energyTiers, type CarbonAmounts, type CarbonGapReason, type CarbonRow, type CarbonSettings, type CarbonSpan, type EnergyTier } from "../../../shared/contract/carbon.ts";
import type { PurchaseOption } from "../../../shared/domain/charge.ts";
import { divideHalfEven } from "../../../shared/domain/money.ts";
import { add, compare, decimal, multiply, ONE, smaller, subtract, ZERO, type Rational } from "../../../shared/domain/rational.ts";
import { LIFETIME_HOURS, type Factor, type FactorBook } from "./factors.ts";

/** What the ledger knows of one series in one month: measured energy in mWh, time in GPU-hours. */
export interface EnergyRow {
  readonly month: string;
  readonly seriesId: number;
  readonly provider: string | null;
  readonly account: string | null;
  readonly team: string | null;
  readonly service: string | null;
  readonly region: string | null;
  readonly gpuModel: string | null;
  readonly acceleratorId: string | null;
  readonly instanceType: string | null;
  readonly purchaseOption: PurchaseOption | null;
  readonly resource: string | null;
  readonly currency: string;
  readonly gpuHours: number;
  readonly counterHours: number;
  readonly counterMilliwattHours: number;
  readonly powerHours: number;
  readonly powerMilliwattHours: number;
  readonly heldMilliwattHours: number;
  readonly deadMilliwattHours: number;
  readonly idleMemoryUnknownMilliwattHours: number;
  readonly modelHours: number;
  readonly modelUsefulHours: number;
  readonly modelHeldHours: number;
  readonly modelHeldUsefulHours: number;
  readonly modelDeadHours: number;
  readonly modelDeadUsefulHours: number;
  readonly modelIdleMemoryUnknownHours: number;
  readonly modelIdleMemoryUnknownUsefulHours: number;
}

/**
 * How far each way of knowing may be off, as shares of the energy: what NVML states of its own readings; readings taken now and then; a
 * straight line between two points. Ours, but for the first. Hours without telemetry lie between no load and full load.
 */
const TIER_SPREAD: Readonly<Record<Exclude<EnergyTier, "rated">, Rational>> = { counter: decimal("0.05"), power: decimal("0.1"), model: decimal("0.25") };

/** What the hours of the same series and month say beside their energy. */
export interface HoursBeside {
  readonly costAttos: bigint | null;
  readonly knownGpuHours: number;
  readonly usefulGpuHours: number;
}

export function carbonRow(row: EnergyRow, beside: HoursBeside, book: FactorBook, settings: CarbonSettings, providerId: string | null): CarbonRow & { readonly used: readonly Factor[] } {
  const place = { provider: row.provider, providerId, region: row.region, month: row.month };
  const hardware = { ...place, acceleratorId: row.acceleratorId, gpuModel: row.gpuModel, instanceType: row.instanceType };
  const power = book.gpuPower(hardware);
  const hostFactor = book.hostPower(hardware);
  const pue = book.pue(place);
  const grid = book.grid(place);
  const residual = book.residual(place);
  const contracts = withinWhole(book.contracts(place));
  const embodied = book.embodied(hardware);
  const water = book.water(place);

  const gpuHours = Math.max(0, row.gpuHours);
  const unseen = Math.max(0, billionths(gpuHours) - billionths(row.counterHours) - billionths(row.powerHours) - billionths(row.modelHours)) / 1e9;
  const counter = BigInt(row.counterMilliwattHours);
  const measured = BigInt(row.powerMilliwattHours);
  const line = (hours: number, useful: number): bigint =>
    power === null ? 0n : milli(add(multiply(power.idleWatts, hoursOf(hours)), multiply(subtract(power.fullWatts, power.idleWatts), hoursOf(useful))));
  const model = line(row.modelHours, row.modelUsefulHours);
  const rated = power === null ? 0n : milli(multiply(power.fullWatts, hoursOf(unseen)));
  const unknownHours = power === null ? (billionths(row.modelHours) + billionths(unseen)) / 1e9 : 0;
  const seenHours = (billionths(gpuHours) - billionths(unknownHours)) / 1e9;
  const isKnown = seenHours > 0 || gpuHours === 0;
  const gpu = isKnown ? counter + measured + model + rated : null;
  // The host is on for as long as it is reserved, whatever its GPUs do.
  const host = hostFactor === null ? null : milli(multiply(hostFactor.value, hoursOf(gpuHours)));
  const it = gpu === null ? null : gpu + (host ?? 0n);
  const facility = it === null || pue === null ? null : times(it, pue.value);
  const market = marketOf(contracts, residual, grid);

  const span = spanOf({ counter, measured, model, rated, ratedLow: power === null ? 0n : milli(multiply(power.idleWatts, hoursOf(unseen))) });
  const hostSpan = hostFactor === null ? nothing : { low: milli(multiply(hostFactor.low, hoursOf(gpuHours))), central: host ?? 0n, high: milli(multiply(hostFactor.high, hoursOf(gpuHours))) };
  const facilitySpan = facility === null || pue === null ? null : {
    low: times(span.low + hostSpan.low, pue.low), central: facility, high: times(span.high + hostSpan.high, pue.high),
  };
  const gaps: CarbonGapReason[] = [];
  if (unknownHours > 0) gaps.push("gpu-power-unknown");
  if (host === null) gaps.push("host-power-unknown");
  if (grid === null) gaps.push(book.zonesOf(place).length === 0 ? "region-unknown" : "grid-factor-missing");
  if (pue === null) gaps.push("pue-missing");
  if (embodied === null) gaps.push("embodied-missing");
  if (water === null) gaps.push("water-missing");
  if (grid !== null && contracts.length === 0 && residual === null) gaps.push("market-is-grid");

  const location = facility === null || grid === null ? null : times(facility, grid.value);
  const inMarket = facility === null || market === null ? null : times(facility, market.central);
  const coveredIf = (known: unknown): number => (known === null ? 0 : gpuHours);
  const used = [power === null || unknownHours + billionths(row.modelHours) + billionths(unseen) === 0 ? null : power.factor, hostFactor, pue, grid, ...contracts.map(({ factor }) => factor), residual, embodied, water].filter((factor) => factor !== null);
  return {
    month: row.month,
    seriesId: row.seriesId,
    provider: row.provider,
    account: row.account,
    team: row.team,
    service: row.service,
    region: row.region,
    gpuModel: row.gpuModel,
    acceleratorId: row.acceleratorId,
    instanceType: row.instanceType,
    purchaseOption: row.purchaseOption,
    resource: row.resource,
    currency: row.currency,
    costAttos: beside.costAttos,
    ghgScope: row.provider !== null && settings.ownedProviders.some((name) => name.toLowerCase() === row.provider?.toLowerCase()) ? 2 : 3,
    gpuHours,
    knownGpuHours: beside.knownGpuHours,
    usefulGpuHours: beside.usefulGpuHours,
    tiers: {
      counter: { gpuHours: row.counterHours, milliwattHours: counter },
      power: { gpuHours: row.powerHours, milliwattHours: measured },
      model: { gpuHours: power === null ? 0 : row.modelHours, milliwattHours: model },
      rated: { gpuHours: power === null ? 0 : unseen, milliwattHours: rated },
    },
    powerUnknownGpuHours: unknownHours,
    gpuMilliwattHours: gpu,
    hostMilliwattHours: host,
    itMilliwattHours: it,
    facilityMilliwattHours: facility,
    heldIdleMilliwattHours: BigInt(row.heldMilliwattHours) + line(row.modelHeldHours, row.modelHeldUsefulHours),
    deadIdleMilliwattHours: BigInt(row.deadMilliwattHours) + line(row.modelDeadHours, row.modelDeadUsefulHours),
    idleMemoryUnknownMilliwattHours: BigInt(row.idleMemoryUnknownMilliwattHours) + line(row.modelIdleMemoryUnknownHours, row.modelIdleMemoryUnknownUsefulHours),
    locationMicrograms: location,
    marketMicrograms: inMarket,
    embodiedMicrograms: embodied === null ? null : {
      low: embodiedOf(embodied.low, gpuHours, LIFETIME_HOURS.low),
      central: embodiedOf(embodied.value, gpuHours, LIFETIME_HOURS.central),
      high: embodiedOf(embodied.high, gpuHours, LIFETIME_HOURS.high),
    },
    waterMicrolitres: it === null || water === null ? null : times(it, water.value),
    locationSpan: facilitySpan === null || grid === null || location === null ? null : { low: times(facilitySpan.low, grid.low), central: location, high: times(facilitySpan.high, grid.high) },
    marketSpan: facilitySpan === null || market === null || inMarket === null ? null : { low: times(facilitySpan.low, market.low), central: inMarket, high: times(facilitySpan.high, market.high) },
    covered: {
      energy: seenHours,
      host: coveredIf(host),
      location: location === null ? 0 : seenHours,
      market: inMarket === null || (contracts.length === 0 && residual === null) ? 0 : seenHours,
      embodied: coveredIf(embodied),
      water: it === null || water === null ? 0 : seenHours,
    },
    grade: gradeOf({
      counter: { milliwattHours: counter }, power: { milliwattHours: measured }, model: { milliwattHours: model }, rated: { milliwattHours: rated },
    }),
    factors: Object.fromEntries(used.map(({ kind, key }) => [kind, key])),
    gaps,
    used,
  };
}

/** The exact sum of rows, or of sums. */
export function sumCarbon(rows: Iterable<CarbonAmounts>): CarbonAmounts {
  const hours = { gpuHours: 0, known: 0, useful: 0, unknown: 0, energy: 0, host: 0, location: 0, market: 0, embodied: 0, water: 0 };
  const tiers = { counter: { hours: 0, energy: 0n }, power: { hours: 0, energy: 0n }, model: { hours: 0, energy: 0n }, rated: { hours: 0, energy: 0n } };
  let [held, dead, idleUnknown] = [0n, 0n, 0n];
  const sums = { gpu: null, host: null, it: null, facility: null, location: null, market: null, water: null } as Record<string, bigint | null>;
  const spans = { embodied: null, location: null, market: null } as Record<"embodied" | "location" | "market", CarbonSpan | null>;
  const put = (name: string, value: bigint | null): void => {
    if (value !== null) sums[name] = (sums[name] ?? 0n) + value;
  };
  const putSpan = (name: keyof typeof spans, value: CarbonSpan | null): void => {
    if (value !== null) spans[name] = plusSpan(spans[name] ?? nothing, value);
  };
  for (const row of rows) {
    hours.gpuHours += billionths(row.gpuHours);
    hours.known += billionths(row.knownGpuHours);
    hours.useful += billionths(row.usefulGpuHours);
    hours.unknown += billionths(row.powerUnknownGpuHours);
    for (const name of ["energy", "host", "location", "market", "embodied", "water"] as const) hours[name] += billionths(row.covered[name]);
    for (const tier of energyTiers) {
      tiers[tier].hours += billionths(row.tiers[tier].gpuHours);
      tiers[tier].energy += row.tiers[tier].milliwattHours;
    }
    held += row.heldIdleMilliwattHours;
    dead += row.deadIdleMilliwattHours;
    idleUnknown += row.idleMemoryUnknownMilliwattHours;
    put("gpu", row.gpuMilliwattHours);
    put("host", row.hostMilliwattHours);
    put("it", row.itMilliwattHours);
    put("facility", row.facilityMilliwattHours);
    put("location", row.locationMicrograms);
    put("market", row.marketMicrograms);
    put("water", row.waterMicrolitres);
    putSpan("embodied", row.embodiedMicrograms);
    putSpan("location", row.locationSpan);
    putSpan("market", row.marketSpan);
  }
  const tier = (name: EnergyTier) => ({ gpuHours: tiers[name].hours / 1e9, milliwattHours: tiers[name].energy });
  return {
    gpuHours: hours.gpuHours / 1e9,
    knownGpuHours: hours.known / 1e9,
    usefulGpuHours: hours.useful / 1e9,
    tiers: { counter: tier("counter"), power: tier("power"), model: tier("model"), rated: tier("rated") },
    powerUnknownGpuHours: hours.unknown / 1e9,
    gpuMilliwattHours: sums["gpu"] ?? null,
    hostMilliwattHours: sums["host"] ?? null,
    itMilliwattHours: sums["it"] ?? null,
    facilityMilliwattHours: sums["facility"] ?? null,
    heldIdleMilliwattHours: held,
    deadIdleMilliwattHours: dead,
    idleMemoryUnknownMilliwattHours: idleUnknown,
    locationMicrograms: sums["location"] ?? null,
    marketMicrograms: sums["market"] ?? null,
    embodiedMicrograms: spans.embodied,
    waterMicrolitres: sums["water"] ?? null,
    locationSpan: spans.location,
    marketSpan: spans.market,
    covered: {
      energy: hours.energy / 1e9, host: hours.host / 1e9, location: hours.location / 1e9, market: hours.market / 1e9, embodied: hours.embodied / 1e9, water: hours.water / 1e9,
    },
  };
}

const nothing: CarbonSpan = { low: 0n, central: 0n, high: 0n };

function plusSpan(a: CarbonSpan, b: CarbonSpan): CarbonSpan {
  return { low: a.low + b.low, central: a.central + b.central, high: a.high + b.high };
}

interface Market {
  readonly low: Rational;
  readonly central: Rational;
  readonly high: Rational;
}

/** g/kWh by contracts and, for the rest, the residual mix or else the grid (model f.3); null where the rest has neither. */
function marketOf(contracts: readonly { readonly factor: Factor; readonly share: Rational }[], residual: Factor | null, grid: Factor | null): Market | null {
  const rest = contracts.reduce((left, { share }) => subtract(left, share), ONE);
  const beyond = residual ?? grid;
  if (beyond === null && compare(rest, ZERO) > 0) return null;
  const mix = (of: (factor: Factor) => Rational): Rational =>
    contracts.reduce((total, { factor, share }) => add(total, multiply(share, of(factor))), beyond === null ? ZERO : multiply(rest, of(beyond)));
  return { low: mix(({ low }) => low), central: mix(({ value }) => value), high: mix(({ high }) => high) };
}

function withinWhole(contracts: readonly Factor[]): { readonly factor: Factor; readonly share: Rational }[] {
  let left = ONE;
  return contracts.flatMap((factor) => {
    const share = smaller(factor.share ?? ONE, left);
    left = subtract(left, share);
    return compare(share, ZERO) > 0 ? [{ factor, share }] : [];
  });
}

function spanOf({ counter, measured, model, rated, ratedLow }: { counter: bigint; measured: bigint; model: bigint; rated: bigint; ratedLow: bigint }): CarbonSpan {
  const known = [[counter, TIER_SPREAD.counter], [measured, TIER_SPREAD.power], [model, TIER_SPREAD.model]] as const;
  return {
    low: known.reduce((sum, [energy, spread]) => sum + times(energy, subtract(ONE, spread)), ratedLow),
    central: counter + measured + model + rated,
    high: known.reduce((sum, [energy, spread]) => sum + times(energy, add(ONE, spread)), rated),
  };
}

function embodiedOf(kilograms: Rational, gpuHours: number, lifetime: Rational): bigint {
  const grams = multiply(multiply(kilograms, hoursOf(gpuHours)), { numerator: 1_000_000_000n * lifetime.denominator, denominator: lifetime.numerator });
  return divideHalfEven(grams.numerator, grams.denominator);
}

/** The tier that most of the energy is known by; between equals the worse. */
export function gradeOf(tiers: Readonly<Record<EnergyTier, { readonly milliwattHours: bigint }>>): CarbonRow["grade"] {
  const energy = (tier: EnergyTier): bigint => tiers[tier].milliwattHours;
  const most = energyTiers.reduce((best, tier) => (energy(tier) >= energy(best) && energy(tier) > 0n ? tier : best));
  return energy(most) > 0n ? energyGrades[most] : null;
}

function times(amount: bigint, factor: Rational): bigint {
  return divideHalfEven(amount * factor.numerator, factor.denominator);
}

/** Watt-hours as whole milliwatt-hours. */
function milli(wattHours: Rational): bigint {
  return divideHalfEven(wattHours.numerator * 1000n, wattHours.denominator);
}

/** GPU-hours count to the billionth. */
function hoursOf(hours: number): Rational {
  return { numerator: BigInt(billionths(hours)), denominator: 1_000_000_000n };
}

function billionths(hours: number): number {
  return Math.round(hours * 1e9);
}
