/** Every machine that somebody prices, with what the reference tables, the factor book and the person know of it. */
import { join } from "node:path";
import { defaultCarbonSettings } from "../../../shared/contract/carbon.ts";
import { type AsicKind, EVERY_REGION, type Precision, precisions } from "../../../shared/contract/offers.ts";
import { add, decimal, fromNumber, type Rational } from "../../../shared/domain/rational.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { factorBook, type FactorBook } from "../carbon/factors.ts";
import type { EngineContext } from "../context.ts";
import type { Candidate } from "../planning/offers.ts";
import { bookOf } from "../prices/store.ts";
import type { PriceBook } from "../reference/price-book.ts";
import { type Accelerator, peakTflops, providerIds, type ProviderId } from "../reference/catalog.ts";
import { loadMachineFeatures, type MachineFeatures, type Region } from "../reference/load.ts";
import { carbonReference, carbonSettings, ownFactors } from "../reports/carbon-rows.ts";

const features = new Map<string, Result<readonly MachineFeatures[]>>();
/** A price book is made anew with every revision of the ledger, and with it what rests on it. */
const made = new WeakMap<PriceBook, readonly Candidate[]>();

/** Errors: reference.missing, reference.broken. */
export function candidatesOf(context: EngineContext, on: string | null): Result<readonly Candidate[]> {
  const reference = context.reference();
  if (!reference.ok) return reference;
  const folder = join(context.options.resourcesFolder, "reference");
  const known = features.get(folder) ?? loadMachineFeatures(folder);
  features.set(folder, known);
  if (!known.ok) return known;
  const carbon = carbonReference(reference.value);
  if (!carbon.ok) return carbon;
  const tables = reference.value.carbonTables();
  if (!tables.ok) return tables;
  const book = bookOf(context, on);
  if (!book.ok) return book;
  const before = made.get(book.value);
  if (before !== undefined) return ok(before);
  const opened = context.open();
  const factors = opened.ok ? factorBook(carbon.value, ownFactors(opened.value.ledger.db), carbonSettings(opened.value.ledger.db)) : factorBook(carbon.value, [], defaultCarbonSettings);
  const regions = new Map(tables.value.regions.map((region) => [`${region.provider} ${region.region.toLowerCase()}`, region]));
  const month = book.value.on.slice(0, 7);
  const candidates = book.value.prices.map((price): Candidate => {
    const accelerator = price.acceleratorId === null ? null : (reference.value.lookups.acceleratorById.get(price.acceleratorId) ?? null);
    const feature = featuresOf(known.value, price.provider, price.instanceType);
    const place = placeOf(factors, regions, price.provider, price.region, month);
    return {
      provider: price.provider, instanceType: price.instanceType, region: price.region, country: place.region?.country ?? null, location: place.region?.location ?? null,
      mode: price.mode, payment: price.payment, isConvertible: price.isConvertible, scope: price.scope, currency: price.currency, pricePerHour: decimal(price.effectivePerHour),
      priceOrigin: price.origin, priceSource: price.source, priceDate: price.priceDate, ageDays: price.ageDays, discountPercent: price.discount?.percent ?? null, isSuperseded: price.isSuperseded,
      acceleratorId: accelerator?.id ?? null,
      accelerator: accelerator?.label ?? "",
      asic: accelerator === null ? null : asicOf(accelerator),
      gpus: price.acceleratorCount === null ? null : countOf(price.acceleratorCount),
      memoryGb: numberOf(accelerator?.memoryGb ?? null),
      bandwidthTbs: numberOf(accelerator?.memoryBandwidthGbs === undefined || accelerator.memoryBandwidthGbs === null ? null : accelerator.memoryBandwidthGbs / 1000),
      peakTflops: peaksOf(accelerator),
      gpuLink: feature?.gpuLink ?? null,
      hasRdma: feature?.nodeLink === "rdma",
      isConfidential: feature?.isConfidential === true,
      watts: wattsOf(factors, price.provider, price.instanceType, price.region, accelerator, month),
      pue: place.pue,
      grid: place.grid,
    };
  });
  made.set(book.value, candidates);
  return ok(candidates);
}

/** A count as the fraction it is meant to be: a sixth of a card is 1/6, not the double nearest to it. */
function countOf(count: number): Rational {
  if (Number.isInteger(count)) return fromNumber(count);
  for (let parts = 2; parts <= 64; parts += 1) if (Math.abs(count * parts - Math.round(count * parts)) < 1e-9) return { numerator: BigInt(Math.round(count * parts)), denominator: BigInt(parts) };
  return fromNumber(Number(count.toPrecision(12)));
}

function peaksOf(accelerator: Accelerator | null): ReadonlyMap<Precision, Rational> {
  const peaks = new Map<Precision, Rational>();
  if (accelerator === null) return peaks;
  for (const precision of precisions) {
    const peak = peakTflops(accelerator, precision);
    if (peak !== null) peaks.set(precision, fromNumber(peak));
  }
  return peaks;
}

/** Accelerators that need another software stack than a GPU's, by whose it is; null for GPUs. */
export function asicOf({ vendor }: Pick<Accelerator, "vendor">): AsicKind | null {
  return asicVendors.find(([name]) => vendor.toLowerCase() === name)?.[1] ?? null;
}

const asicVendors: readonly (readonly [string, AsicKind])[] = [["aws", "neuron"], ["google", "tpu"], ["intel", "gaudi"], ["habana", "gaudi"], ["huawei", "cann"], ["groq", "other"], ["baidu", "other"], ["cambricon", "other"], ["qualcomm", "other"]];

function featuresOf(rows: readonly MachineFeatures[], provider: string, instanceType: string): MachineFeatures | null {
  const fitting = rows.filter((row) => row.provider === provider && instanceType.toLowerCase().startsWith(row.startsWith.toLowerCase()));
  return fitting.toSorted((a, b) => b.startsWith.length - a.startsWith.length)[0] ?? null;
}

interface Placed {
  readonly region: Region | null;
  readonly grid: Candidate["grid"];
  readonly pue: Rational | null;
}
const places = new WeakMap<FactorBook, Map<string, Placed>>();

function placeOf(factors: FactorBook, regions: ReadonlyMap<string, Region>, provider: string, region: string, month: string): Placed {
  let known = places.get(factors);
  if (known === undefined) places.set(factors, (known = new Map<string, Placed>()));
  const key = `${provider} ${region.toLowerCase()}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const place = { provider, providerId: providerIdOf(provider), region: region === EVERY_REGION ? null : region, month };
  const grid = factors.grid(place);
  const placed = { region: regions.get(key) ?? null, grid: grid === null ? null : { grams: grid.value, year: grid.year }, pue: factors.pue(place)?.value ?? null };
  known.set(key, placed);
  return placed;
}

/** Of one GPU at its rated maximum, with its part of the host where the type's size is known. */
function wattsOf(factors: FactorBook, provider: string, instanceType: string, region: string, accelerator: Accelerator | null, month: string): Rational | null {
  if (accelerator === null) return null;
  const hardware = { provider, providerId: providerIdOf(provider), region, month, acceleratorId: accelerator.id, gpuModel: accelerator.family, instanceType };
  const power = factors.gpuPower(hardware);
  if (power === null) return null;
  const host = factors.hostPower(hardware);
  return host === null ? power.fullWatts : add(power.fullWatts, host.value);
}

function providerIdOf(provider: string): ProviderId | null {
  return providerIds.find((id) => id === provider) ?? null;
}

function numberOf(value: number | null): Rational | null {
  return value === null ? null : fromNumber(value);
}
