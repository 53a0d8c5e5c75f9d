/** Where the same machines would have emitted less: a hint, since where data may lie and what a move costs are not in the ledger. */
import type { CleanerRegion, CleanerRegionsAnswer, RegionChoice, RegionNeed } from "../../../shared/contract/cleaner-regions.ts";
import type { CarbonRow } from "../../../shared/contract/carbon.ts";
import type { PeriodLabel } from "../../../shared/domain/period.ts";
import { divideHalfEven, multiply, toDecimal, type Rational } from "../../../shared/domain/rational.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { factorBook, type CarbonReference, type Factor, type FactorBook } from "../carbon/factors.ts";
import type { ListPrice } from "../reference/load.ts";
import { providerOf, typeKey } from "../reference/type-names.ts";
import { carbonOf, carbonReference, carbonSettings, ownFactors } from "./carbon-rows.ts";
import type { ReportContext } from "./context.ts";

/**
 * For each machine type in each region: the region with the least PUE × grid factor, among those of the provider in which a price list
 * sells the machine, or the ledger has it running. Factors of another boundary, or of other gases, are not held against each other.
 *
 * errors  those of `carbonOf`
 */
export function cleanerRegions(context: ReportContext, prices: readonly ListPrice[], { period, scope, need }: { readonly period: PeriodLabel; readonly scope: Scope; readonly need: RegionNeed }): Result<CleanerRegionsAnswer> {
  const read = carbonOf(context, { period, scope });
  if (!read.ok) return read;
  const tables = carbonReference(context.reference);
  if (!tables.ok) return tables;
  const { db } = context.ledger;
  const sites = sitesOf(tables.value, factorBook(tables.value, ownFactors(db), carbonSettings(db)), prices, read.value.rows);
  const groups = Map.groupBy(read.value.rows.filter(({ locationMicrograms, itMilliwattHours }) => locationMicrograms !== null && itMilliwattHours !== null), ({ provider, region, gpuModel, instanceType }) => JSON.stringify([provider, region, gpuModel, instanceType]));
  const lines = [...groups.values()].flatMap((rows) => lineOf(rows, sites, need) ?? []);
  const saving = ({ nowMicrograms, bestMicrograms }: CleanerRegion): bigint => (bestMicrograms === null ? -1n : nowMicrograms - bestMicrograms);
  return ok({ period, need, lines: lines.sort((a, b) => (saving(a) > saving(b) ? -1 : saving(a) < saving(b) ? 1 : a.provider < b.provider ? -1 : 1)) });
}

interface Site {
  readonly choice: (instanceType: string | null) => RegionChoice;
  readonly country: string;
  readonly cloud: string;
  readonly grams: Rational;
  readonly grid: Factor;
}
interface Sites {
  /** Regions of a provider in which a machine can be had. */
  regionsOf(provider: string, instanceType: string | null, gpuModel: string | null): readonly string[];
  site(provider: string, region: string, month: string): Site | null;
}

function lineOf(rows: readonly CarbonRow[], sites: Sites, need: RegionNeed): CleanerRegion | null {
  const [first] = rows;
  const month = rows.at(-1)?.month;
  if (first === undefined || month === undefined || first.provider === null || first.region === null) return null;
  const { provider, region, gpuModel, instanceType } = first;
  const now = sites.site(provider, region, month);
  if (now === null) return null;
  const others = sites.regionsOf(provider, instanceType, gpuModel).flatMap((name) => (name === region ? [] : (sites.site(provider, name, month) ?? [])));
  const fitting = others.filter((site) => (need === "anywhere" || site.country === now.country) && site.cloud === now.cloud && isAlike(site.grid, now.grid));
  const best = fitting.reduce<Site | null>((least, site) => (isLess(site.grams, (least ?? now).grams) ? site : least), null);
  const nowMicrograms = rows.reduce((sum, { locationMicrograms }) => sum + (locationMicrograms ?? 0n), 0n);
  const itMilliwattHours = rows.reduce((sum, { itMilliwattHours: own }) => sum + (own ?? 0n), 0n);
  return {
    provider,
    gpuModel,
    instanceType,
    gpuHours: rows.reduce((sum, { gpuHours }) => sum + gpuHours, 0),
    now: now.choice(instanceType),
    best: best === null ? null : best.choice(instanceType),
    known: fitting.length,
    nowMicrograms,
    bestMicrograms: best === null ? null : divideHalfEven(itMilliwattHours * best.grams.numerator, best.grams.denominator),
  };
}

/** Clouds for governments and those run in China are closed to accounts of the common one. */
function cloudOf(region: string): "government" | "china" | "common" {
  if (/(^|-)gov(-|$)|^usgov|^usdod/.test(region)) return "government";
  return /^cn-|^china/.test(region) ? "china" : "common";
}

/** Emissions at the stack and over the life cycle differ by more than most regions do. */
function isAlike(a: Factor, b: Factor): boolean {
  return a.boundary === b.boundary && a.gases === b.gases;
}

function isLess(a: Rational, b: Rational): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

function sitesOf(tables: CarbonReference, book: FactorBook, prices: readonly ListPrice[], rows: readonly CarbonRow[]): Sites {
  const listed = new Map<string, Map<string, ListPrice>>();
  for (const price of prices) {
    if (price.status !== "current" || price.mode !== "on-demand") continue;
    const key = typeKey(price.provider, price.instanceType);
    const ofType = listed.get(key) ?? new Map<string, ListPrice>();
    ofType.set(price.region, price);
    listed.set(key, ofType);
  }
  const seen = new Map<string, Set<string>>();
  for (const { provider, region, gpuModel } of rows) {
    if (provider === null || region === null) continue;
    const key = JSON.stringify([provider, gpuModel]);
    seen.set(key, (seen.get(key) ?? new Set<string>()).add(region));
  }
  const priceOf = (provider: string, region: string, instanceType: string | null): ListPrice | null => {
    const id = providerOf(provider);
    return id === null || instanceType === null ? null : (listed.get(typeKey(id, instanceType))?.get(region) ?? null);
  };
  return {
    regionsOf(provider, instanceType, gpuModel) {
      const id = providerOf(provider);
      const sold = id === null || instanceType === null ? [] : [...(listed.get(typeKey(id, instanceType))?.keys() ?? [])];
      return [...new Set([...sold, ...(seen.get(JSON.stringify([provider, gpuModel])) ?? [])])].sort();
    },
    site(provider, region, month) {
      const providerId = providerOf(provider);
      const place = { provider, providerId, region, month };
      const [grid, pue] = [book.grid(place), book.pue(place)];
      if (grid === null || pue === null) return null;
      const known = tables.regions.find((row) => row.provider === providerId && row.region === region);
      const grams = multiply(pue.value, grid.value);
      return {
        country: known?.country ?? "",
        cloud: cloudOf(region),
        grams,
        grid,
        choice(instanceType) {
          const price = priceOf(provider, region, instanceType);
          return { region, country: known?.country ?? "", gramsPerKwh: toDecimal(grams), pricePerHour: price?.pricePerHour ?? null, currency: price?.currency ?? null };
        },
      };
    },
  };
}
