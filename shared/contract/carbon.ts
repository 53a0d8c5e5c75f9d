/**
 * What crosses for energy and carbon. Energy is a whole number of milliwatt-hours, emissions of micrograms CO2e, water of microlitres
 * (bigint): one milliwatt-hour at one gram per kilowatt-hour is one microgram, so parts add up to the whole to the last digit.
 * null is "not calculated", with its reason among the gaps; it is never 0.
 */
import { z } from "zod";
import type { LedgerError } from "./errors.ts";
import type { PurchaseOption } from "../domain/charge.ts";
import type { Scope } from "../domain/scope.ts";

/** How the energy of an hour is known, best first (model f.1). */
export const energyTiers = ["counter", "power", "model", "rated"] as const;
export type EnergyTier = (typeof energyTiers)[number];
/** A energy counter, B measured power, C modeled from utilization, D rated power assumed for hours without telemetry. */
export const energyGrades = { counter: "A", power: "B", model: "C", rated: "D" } as const satisfies Record<EnergyTier, string>;
export type EnergyGrade = (typeof energyGrades)[EnergyTier];

/** Why something of a row is not calculated. */
export const carbonGapReasons = [
  "gpu-power-unknown", // no rated power of the accelerator, and no measurement: no energy
  "host-power-unknown", // CPU, memory and network left out: the machine type is not known
  "region-unknown", // the bill names no region, or one that is in no list
  "grid-factor-missing", // the region's zone has no factor up to that year
  "pue-missing",
  "embodied-missing",
  "water-missing",
  "market-is-grid", // no contract and no residual mix: the market-based figure falls back on the grid factor
] as const;
export type CarbonGapReason = (typeof carbonGapReasons)[number];

/** Three values a range is made of; lows multiply with lows, highs with highs (model f.7). */
export interface CarbonSpan {
  readonly low: bigint;
  readonly central: bigint;
  readonly high: bigint;
}

/** Amounts of one row, or the exact sum over rows. A sum holds what is known; `covered` says of how many GPU-hours that is. */
export interface CarbonAmounts {
  readonly gpuHours: number;
  /** Of them with utilization, and these × utilization. */
  readonly knownGpuHours: number;
  readonly usefulGpuHours: number;
  /** Of the GPUs alone, by how it is known. GPU-hours of `tiers` and `powerUnknownGpuHours` add up to `gpuHours`. */
  readonly tiers: Readonly<Record<EnergyTier, { readonly gpuHours: number; readonly milliwattHours: bigint }>>;
  readonly powerUnknownGpuHours: number;
  /** Sum over the tiers; null where no power is known. */
  readonly gpuMilliwattHours: bigint | null;
  /** CPU, memory and network: a model, always. null where the machine type is not known. */
  readonly hostMilliwattHours: bigint | null;
  /** GPUs and, where known, host. */
  readonly itMilliwattHours: bigint | null;
  /** × PUE: what the site drew for it. null without a PUE. */
  readonly facilityMilliwattHours: bigint | null;
  /** Of the GPUs' energy what was drawn while idle: memory held, empty, memory not known. Rated hours are in none of them. */
  readonly heldIdleMilliwattHours: bigint;
  readonly deadIdleMilliwattHours: bigint;
  readonly idleMemoryUnknownMilliwattHours: bigint;
  /** Facility energy × the grid's factor. */
  readonly locationMicrograms: bigint | null;
  /** Facility energy × contracts, residual mix, or the grid's factor where there is neither. Never netted against the location-based figure. */
  readonly marketMicrograms: bigint | null;
  /** Share of making the hardware, by time reserved and part of the host. */
  readonly embodiedMicrograms: CarbonSpan | null;
  readonly waterMicrolitres: bigint | null;
  readonly locationSpan: CarbonSpan | null;
  readonly marketSpan: CarbonSpan | null;
  /** GPU-hours for which each is calculated. `market`: of them those with a contract or a residual mix. */
  readonly covered: {
    readonly energy: number;
    readonly host: number;
    readonly location: number;
    readonly market: number;
    readonly embodied: number;
    readonly water: number;
  };
}

/** One charge series in one month: the finest row; every total is a sum of these. */
export interface CarbonRow extends CarbonAmounts {
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
  /** Effective cost of its GPU-hours, attos of `currency`; null where no row states one. */
  readonly costAttos: bigint | null;
  /** Scope 2 for hardware that the company owns or controls, 3 for the cloud's. */
  readonly ghgScope: 2 | 3;
  /** The tier of most of its energy; null where none is known. */
  readonly grade: EnergyGrade | null;
  /** Keys into `factors` of the answer. */
  readonly factors: Readonly<Partial<Record<CarbonFactorUseKind, string>>>;
  readonly gaps: readonly CarbonGapReason[];
}

export const carbonFactorUseKinds = ["gpu-power", "host-power", "pue", "grid", "contract", "residual", "embodied", "water"] as const;
export type CarbonFactorUseKind = (typeof carbonFactorUseKinds)[number];

/** A factor that rows of the answer rest on, as it is in the reference or in the person's own table. */
export interface CarbonFactorUse {
  readonly key: string;
  readonly kind: CarbonFactorUseKind;
  /** What it is a factor of, as its source names it: a zone, a region, an accelerator, a machine type. */
  readonly subject: string;
  /** Exact decimal text; the range's ends where it has one. */
  readonly value: string;
  readonly low: string | null;
  readonly high: string | null;
  readonly unit: CarbonFactorUnit;
  /** Year the factor is of, and the year of the energy it is used for. null: the source states none. */
  readonly year: number | null;
  readonly usedForYear: number;
  readonly method: string | null;
  readonly boundary: string | null;
  readonly gases: string | null;
  /** Share of the energy under a contract, exact decimal text 0 to 1; null for what is no contract. */
  readonly share: string | null;
  readonly source: string;
  readonly licence: string;
  readonly retrieved: string | null;
  /** The person's own beats the shipped one. */
  readonly origin: "own" | "shipped";
  /** Which step of the stated order found it; see help page carbon. `own` is the first. */
  readonly step: CarbonFactorStep;
  /** Key of the shipped factor that an own one beats, in words of its value and source; null where there is none. */
  readonly beats: { readonly value: string; readonly source: string } | null;
  /** What rests on it. */
  readonly gpuHours: number;
  readonly facilityMilliwattHours: bigint;
}
export type CarbonFactorUnit = "W" | "ratio" | "g/kWh" | "kg" | "L/kWh";
export type CarbonFactorStep =
  | "own"
  | "region" // of the very region
  | "subregion" // eGRID subregion, Chinese province
  | "country"
  | "fleet" // the provider's average
  | "industry" // any provider's average
  | "accelerator"
  | "machine-type"
  | "generic"; // of any card or machine of the kind

/** One dimension's part of the whole; the parts of a dimension add up to `total`. */
export interface CarbonGroup {
  readonly key: string | null;
  readonly amounts: CarbonAmounts;
}
export const carbonDimensions = ["team", "region", "provider", "gpuModel", "month", "ghgScope"] as const;
export type CarbonDimension = (typeof carbonDimensions)[number];

export interface CarbonGap {
  readonly reason: CarbonGapReason;
  /** What it is about: a region, a model, a machine type; null where the bill leaves it blank. */
  readonly subject: string | null;
  readonly provider: string | null;
  readonly gpuHours: number;
}

/** Answer of `carbon.read`. */
export interface CarbonAnswer {
  readonly period: string;
  readonly scope: Scope;
  readonly total: CarbonAmounts;
  readonly groups: Readonly<Record<CarbonDimension, readonly CarbonGroup[]>>;
  readonly factors: readonly CarbonFactorUse[];
  readonly gaps: readonly CarbonGap[];
  readonly settings: CarbonSettings;
  /** Days of the period with GPU-hours, and days of the period. */
  readonly coveredDays: number;
  readonly days: number;
}

/** A factor of the person's own, as it is kept and as its file stated it. */
export interface OwnFactorLine {
  readonly id: number;
  readonly kind: string;
  readonly provider: string | null;
  readonly region: string | null;
  readonly subject: string | null;
  readonly fromMonth: string | null;
  readonly toMonth: string | null;
  /** In the unit of the kind. */
  readonly value: string;
  readonly low: string | null;
  readonly high: string | null;
  readonly share: string | null;
  readonly statedValue: string;
  readonly statedUnit: string;
  readonly method: string | null;
  readonly boundary: string | null;
  readonly gases: string | null;
  readonly source: string;
  readonly licence: string | null;
  readonly retrieved: string | null;
  readonly importedAt: string;
  readonly file: string;
  readonly line: number;
}

/** What a month came to and would come to: mWh and µg. */
export interface FactorsDifference {
  readonly month: string;
  /** It was closed: its figures change only where that is said outright. */
  readonly isClosed: boolean;
  readonly energyBefore: bigint | null;
  readonly energyAfter: bigint | null;
  readonly locationBefore: bigint | null;
  readonly locationAfter: bigint | null;
  readonly marketBefore: bigint | null;
  readonly marketAfter: bigint | null;
  readonly embodiedBefore: bigint | null;
  readonly embodiedAfter: bigint | null;
}

/** Answer of `factors.import`: what the file holds, and what taking it changes, or has changed. */
export interface FactorsImport {
  readonly file: string;
  readonly added: number;
  /** Held already, word for word. */
  readonly same: number;
  readonly setAside: readonly LedgerError[];
  readonly differences: readonly FactorsDifference[];
  readonly revision: number;
}
export interface FactorsChange {
  readonly differences: readonly FactorsDifference[];
  readonly revision: number;
}

/** The person's choices; see `carbon-settings.save`. */
export interface CarbonSettings {
  /** Providers, as bills spell them, whose hardware the company owns or controls: Scope 2 there, else Scope 3. */
  readonly ownedProviders: readonly string[];
  /** Internal price of a tonne, exact decimal text, and its currency; null for none. */
  readonly pricePerTonne: string | null;
  readonly priceCurrency: string | null;
  /** `nearest`: the most local grid factor, whatever its boundary. `life-cycle`: only factors of that boundary, so that all can be compared. */
  readonly gridChoice: "nearest" | "life-cycle";
}
export const defaultCarbonSettings: CarbonSettings = { ownedProviders: [], pricePerTonne: null, priceCurrency: null, gridChoice: "nearest" };
export const carbonSettingsSchema = z.strictObject({
  ownedProviders: z.array(z.string().trim().min(1).max(200)).max(200),
  pricePerTonne: z.string().regex(/^\d{1,9}(\.\d{1,6})?$/).nullable(),
  priceCurrency: z.string().trim().min(1).max(40).nullable(),
  gridChoice: z.enum(["nearest", "life-cycle"]),
}) satisfies z.ZodType<CarbonSettings>;
