/** What the app knows of accelerators, cloud machine types, prices and carbon factors, as plain readonly data. */
import { type Precision, precisions } from "../../../shared/contract/offers.ts";
import type { Result } from "../../../shared/result.ts";
import type { CarbonTables } from "./load.ts";

export { type Precision, precisions };

/** Where a row comes from; every row of every reference file carries it. */
export interface Provenance {
  readonly source: string;
  readonly licence: string;
  /** Day the source was read, `YYYY-MM-DD`. */
  readonly retrieved: string;
}

export interface Accelerator extends Provenance {
  readonly id: string;
  readonly vendor: string;
  /** The short label that reports group by: "H100", "A100", "L4". One family, several ids. */
  readonly family: string;
  /** The longer label of this very part: "A100 SXM4 80 GB". */
  readonly label: string;
  /** GB as the vendor states them. */
  readonly memoryGb: number | null;
  /** GiB as tools report them, where it is known to differ. */
  readonly memoryUsableGib: number | null;
  /** 10^9 byte/s. */
  readonly memoryBandwidthGbs: number | null;
  /** W, the vendor's rated maximum (TDP, TGP or TBP). */
  readonly tdpW: number | null;
  readonly idleW: number | null;
  readonly idleBasis: "measured" | "modeled" | null;
  /** 10^12 FLOP/s (INT8: 10^12 operation/s), dense. */
  readonly peakTflops: Readonly<Record<Precision, number | null>>;
  readonly interconnect: string | null;
  /** 10^9 byte/s, both directions and all links together. */
  readonly interconnectGbsBidirectional: number | null;
  /** Streaming multiprocessors (AMD: compute units). */
  readonly smCount: number | null;
  /** How many devices a driver shows for one such part: 2 for a two-die module, else 1. */
  readonly devicesPerUnit: number;
  readonly releaseYear: number | null;
  /** Strings that drivers, bills and schedulers use. A name may stand at several parts; memory then decides. */
  readonly names: readonly string[];
  readonly confidence: "high" | "medium" | "low";
}

export interface InstanceType extends Provenance {
  readonly provider: ProviderId;
  readonly instanceType: string;
  readonly acceleratorId: string;
  /** Accelerators per instance, a fraction where a card is shared; null when no source states it. */
  readonly acceleratorCount: number | null;
  readonly vcpu: number | null;
  readonly memoryGib: number | null;
}

/** What the family part of a type's name says alone ("gn7i", "GN10Xp", "A3Plus"). */
export interface InstanceFamily extends Provenance {
  readonly provider: ProviderId;
  readonly family: string;
  readonly acceleratorId: string | null;
  readonly model: string;
}

export interface MigProfile {
  readonly profile: string;
  readonly acceleratorId: string;
  readonly computeSlices: number;
  readonly totalSlices: number;
  readonly memoryGb: number;
  readonly maxCount: number;
  /** SMs of the instance ÷ SMs of the card where both are known, else slices ÷ slices of the card (maths.md e.7). */
  readonly computeShare: number;
  /** Memory of the profile ÷ memory of the card. */
  readonly memoryShare: number;
  /** The larger of the two: what a slice costs of its card. */
  readonly share: number;
}

export const providerIds = ["aws", "azure", "gcp", "oracle", "alibaba", "tencent", "huawei", "baidu", "lambda", "coreweave", "runpod", "vast"] as const;
export type ProviderId = (typeof providerIds)[number];

/** The tables that recognition needs, with their lookups built once. */
export interface Reference {
  readonly accelerators: readonly Accelerator[];
  readonly instanceTypes: readonly InstanceType[];
  readonly instanceFamilies: readonly InstanceFamily[];
  readonly migProfiles: readonly MigProfile[];
  readonly lookups: ReferenceLookups;
  /** Regions, grid factors, PUE, embodied carbon and host power: read when first asked for. Errors: reference.missing, reference.broken. */
  readonly carbonTables: () => Result<CarbonTables>;
}

export interface ReferenceLookups {
  readonly acceleratorById: ReadonlyMap<string, Accelerator>;
  /** Key: `typeKey(provider, name)`. */
  readonly typeByKey: ReadonlyMap<string, InstanceType>;
  /** Key: `provider family`, lower case. */
  readonly familyByKey: ReadonlyMap<string, FamilyMatch>;
  readonly aliases: AliasIndex;
  /** Accelerators that a provider is known to rent out. */
  readonly acceleratorsOfProvider: ReadonlyMap<ProviderId, ReadonlySet<string>>;
}

export interface FamilyMatch {
  readonly acceleratorId: string | null;
  readonly model: string;
}

export interface AliasIndex {
  /** Whole names, every word kept. */
  readonly exact: ReadonlyMap<string, readonly string[]>;
  /** Names without the words that every vendor repeats (NVIDIA, Tesla, GPU). */
  readonly significant: ReadonlyMap<string, readonly string[]>;
  /** Words in the longest alias. */
  readonly longest: number;
}

export function acceleratorById(reference: Reference, id: string | null): Accelerator | null {
  return id === null ? null : (reference.lookups.acceleratorById.get(id) ?? null);
}

/** Dense peak in 10^12 FLOP/s (INT8: operation/s), or null when the part lacks that precision or no source states it. */
export function peakTflops(accelerator: Accelerator, precision: Precision): number | null {
  return accelerator.peakTflops[precision];
}

/**
 * The MIG profile of that name on that card. A profile name alone does not identify a card: `1g.35gb` is one of four on an H200
 * and one of seven on a GB300. Media variants (`+me`, `+gfx`, `-me`) have the shares of their plain profile.
 */
export function migProfile(reference: Reference, name: string, acceleratorId: string): MigProfile | null {
  const plain = name.trim().toLowerCase().replace(/^mig[ -]*/, "").replace(/(\+me(\.all)?|\+gfx|-me)+$/, "");
  return reference.migProfiles.find((row) => row.acceleratorId === acceleratorId && row.profile === plain) ?? null;
}
