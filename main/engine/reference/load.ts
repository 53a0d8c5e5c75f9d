import type { PriceMode } from "../../../shared/contract/offers.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { buildAliasIndex } from "./alias.ts";
import {
  type Accelerator,
  type FamilyMatch,
  type InstanceFamily,
  type InstanceType,
  type MigProfile,
  precisions,
  type Precision,
  type Provenance,
  type ProviderId,
  providerIds,
  type Reference,
} from "./catalog.ts";
import { readTable, type Cells } from "./table.ts";
import { familyKey, familyOfType, typeKey } from "./type-names.ts";

/** Reads what recognition needs from the folder `reference` of the app's resources. Errors: reference.missing, reference.broken. */
export function loadReference(folder: string): Result<Reference> {
  const accelerators = readTable(folder, "accelerators.csv", readAccelerator, ({ id }) => id);
  if (!accelerators.ok) return accelerators;
  const instanceTypes = readTable(folder, "instance_types.csv", readInstanceType, (row) => typeKey(row.provider, row.instanceType));
  if (!instanceTypes.ok) return instanceTypes;
  const instanceFamilies = readTable(folder, "instance_families.csv", readInstanceFamily, (row) => familyKey(row.provider, row.family));
  if (!instanceFamilies.ok) return instanceFamilies;
  const byId = new Map(accelerators.value.map((row) => [row.id, row]));
  const migRows = readTable(folder, "mig_profiles.csv", readMigRow, (row) => `${row.acceleratorId} ${row.profile}`);
  if (!migRows.ok) return migRows;
  let carbonTables: Result<CarbonTables> | null = null;
  return ok({
    accelerators: accelerators.value,
    instanceTypes: instanceTypes.value,
    instanceFamilies: instanceFamilies.value,
    migProfiles: migRows.value.map((row) => migProfileOf(row, migRows.value, byId)),
    carbonTables: () => (carbonTables ??= loadCarbonTables(folder)),
    lookups: {
      acceleratorById: byId,
      typeByKey: new Map(instanceTypes.value.map((row) => [typeKey(row.provider, row.instanceType), row])),
      familyByKey: familiesByKey(instanceTypes.value, instanceFamilies.value, byId),
      aliases: buildAliasIndex(accelerators.value),
      acceleratorsOfProvider: acceleratorsOfProvider(instanceTypes.value),
    },
  });
}

/** One list price, before tax and discounts. Unique by provider, type, region and mode. */
export interface ListPrice extends Provenance {
  readonly provider: ProviderId;
  readonly instanceType: string;
  readonly acceleratorId: string;
  readonly region: string;
  readonly mode: PriceMode;
  /** Exact decimal text, per hour, in `currency`. */
  readonly pricePerHour: string;
  readonly currency: string;
  /** `machine`: host and accelerators together. `accelerator`: one card or chip, the host is billed apart. */
  readonly scope: "machine" | "accelerator";
  /** `superseded`: an old list, kept for history and ratios. */
  readonly status: "current" | "superseded";
  /** Day the price list was published or fetched. */
  readonly priceDate: string;
}

/** Reads the list prices. They serve planning only, so they are not part of `loadReference`. */
export function loadPrices(folder: string): Result<readonly ListPrice[]> {
  const prices: ListPrice[] = [];
  for (const file of ["prices-aws.csv", "prices-azure.csv", "prices-gcp.csv", "prices-gpu-clouds.csv"]) {
    const read = readTable(folder, file, readPrices, (row) => `${row.provider} ${row.instanceType} ${row.region}`);
    if (!read.ok) return read;
    for (const row of read.value) prices.push(...row.prices);
  }
  return ok(prices);
}

/** What a machine type's name does not say: how its accelerators are joined, and whether memory is encrypted in use. */
export interface MachineFeatures extends Provenance {
  readonly provider: ProviderId;
  /** Machine types that begin so; the longest beginning decides. */
  readonly startsWith: string;
  /** Between the accelerators of one machine; null where it has one. */
  readonly gpuLink: "pcie" | "nvlink" | "nvswitch" | null;
  /** `rdma`: InfiniBand, RoCE or EFA between machines. */
  readonly nodeLink: "rdma" | "none" | null;
  readonly isConfidential: boolean | null;
}

export function loadMachineFeatures(folder: string): Result<readonly MachineFeatures[]> {
  return readTable(folder, "machine_features.csv", readMachineFeatures, (row) => `${row.provider} ${row.startsWith}`);
}

function readMachineFeatures(cells: Cells): MachineFeatures {
  const optional = <const Word extends string>(column: string, words: readonly Word[]): Word | null => (cells.optionalText(column) === null ? null : cells.oneOf(column, words));
  const confidential = optional("confidential", ["yes", "no"]);
  return {
    provider: cells.oneOf("provider", providerIds),
    startsWith: cells.text("starts_with"),
    gpuLink: optional("gpu_link", ["pcie", "nvlink", "nvswitch"]),
    nodeLink: optional("node_link", ["rdma", "none"]),
    isConfidential: confidential === null ? null : confidential === "yes",
    ...readProvenance(cells),
  };
}

export interface Region extends Provenance {
  readonly provider: ProviderId;
  readonly region: string;
  readonly location: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly egridSubregion: string | null;
  readonly chinaProvince: string | null;
}

/** Average grid intensity. Rows of different method, boundary or gas scope must not be mixed without saying so. */
export interface GridIntensity extends Provenance {
  readonly zone: string;
  readonly zoneName: string;
  readonly country: string | null;
  readonly year: number;
  readonly gco2ePerKwh: number;
  readonly gasScope: "CO2" | "CO2e";
  readonly method: (typeof gridMethods)[number];
  readonly boundary: (typeof gridBoundaries)[number];
}

export interface DataCenterEfficiency extends Provenance {
  /** A provider, or `any-cloud`, `on-premises`. */
  readonly provider: string;
  /** A region, or `default`. */
  readonly region: string;
  readonly year: number | null;
  readonly pue: number | null;
  readonly wueLitresPerKwh: number | null;
  readonly kind: (typeof pueKinds)[number];
}

export interface EmbodiedCarbon extends Provenance {
  readonly subject: string;
  /** `host` rows are the WHOLE host: scale by the instance's share of it. */
  readonly subjectKind: (typeof embodiedKinds)[number];
  readonly acceleratorId: string | null;
  readonly kgco2e: number | null;
  readonly kgco2eLow: number | null;
  readonly kgco2eHigh: number | null;
  readonly scope: string;
  readonly lifetimeHours: number | null;
}

/** What the machine around the GPUs draws. `vcpu` and `memory-gib` each, `network-per-gpu` for every GPU of a machine with eight or more. */
export interface HostPower extends Provenance {
  readonly component: "vcpu" | "memory-gib" | "network-per-gpu";
  readonly watts: number;
  readonly wattsLow: number;
  readonly wattsHigh: number;
}

export interface CarbonTables {
  readonly regions: readonly Region[];
  readonly gridIntensity: readonly GridIntensity[];
  readonly efficiency: readonly DataCenterEfficiency[];
  readonly embodied: readonly EmbodiedCarbon[];
  readonly hostPower: readonly HostPower[];
}

const gridMethods = ["consumption", "production", "provider", "exchange-adjusted"] as const;
const gridBoundaries = ["life-cycle", "direct", "unstated"] as const;
const pueKinds = ["region", "fleet-average", "industry-average", "tool-default", "lower-bound"] as const;
const embodiedKinds = ["card", "board", "chip", "server", "card-and-host-share", "host"] as const;

/** Reads regions, grid intensity, PUE, embodied carbon and host power. */
export function loadCarbonTables(folder: string): Result<CarbonTables> {
  const regions = readTable(folder, "regions.csv", readRegion, (row) => `${row.provider} ${row.region}`);
  if (!regions.ok) return regions;
  const gridKey = (row: GridIntensity): string => `${row.zone} ${row.year}`;
  const grid = readTable(folder, "grid_intensity.csv", readGridIntensity, gridKey);
  if (!grid.ok) return grid;
  const electricityMaps = readTable(folder, "grid_intensity_electricity_maps.csv", readGridIntensity, gridKey);
  if (!electricityMaps.ok) return electricityMaps;
  const efficiency = readTable(folder, "pue.csv", readEfficiency, (row) => `${row.provider} ${row.region} ${row.year ?? ""} ${row.kind} ${row.source}`);
  if (!efficiency.ok) return efficiency;
  const embodied = readTable(folder, "embodied.csv", readEmbodied, (row) => `${row.subject} ${row.source}`);
  if (!embodied.ok) return embodied;
  const hostPower = readTable(folder, "host_power.csv", readHostPower, ({ component }) => component);
  if (!hostPower.ok) return hostPower;
  return ok({
    regions: regions.value,
    gridIntensity: [...grid.value, ...electricityMaps.value],
    efficiency: efficiency.value,
    embodied: embodied.value,
    hostPower: hostPower.value,
  });
}

function readProvenance(cells: Cells): Provenance {
  return { source: cells.text("source"), licence: cells.text("licence"), retrieved: cells.date("retrieved") };
}

function readAccelerator(cells: Cells): Accelerator {
  return {
    id: cells.text("id"),
    vendor: cells.text("vendor"),
    family: cells.text("family"),
    label: cells.text("label"),
    memoryGb: cells.optionalNumber("memory_gb"),
    memoryUsableGib: cells.optionalNumber("memory_usable_gib"),
    memoryBandwidthGbs: cells.optionalNumber("memory_bandwidth_gbs"),
    tdpW: cells.optionalNumber("tdp_w"),
    idleW: cells.optionalNumber("idle_w"),
    idleBasis: cells.optionalText("idle_basis") === null ? null : cells.oneOf("idle_basis", ["measured", "modeled"]),
    peakTflops: Object.fromEntries(precisions.map((precision) => [precision, cells.optionalNumber(peakColumns[precision])])) as Record<Precision, number | null>,
    interconnect: cells.optionalText("interconnect"),
    interconnectGbsBidirectional: cells.optionalNumber("interconnect_gbs_bidirectional"),
    smCount: cells.optionalNumber("sm_count"),
    devicesPerUnit: cells.number("devices_per_unit"),
    releaseYear: cells.optionalNumber("release_year"),
    names: cells.text("names").split(";"),
    confidence: cells.oneOf("confidence", ["high", "medium", "low"]),
    ...readProvenance(cells),
  };
}

const peakColumns: Readonly<Record<Precision, string>> = {
  fp64: "fp64_tflops",
  "fp64-tensor": "fp64_tensor_tflops",
  fp32: "fp32_tflops",
  tf32: "tf32_tflops",
  fp16: "fp16_tflops",
  bf16: "bf16_tflops",
  fp8: "fp8_tflops",
  int8: "int8_tops",
  fp4: "fp4_tflops",
};

function readInstanceType(cells: Cells): InstanceType {
  return {
    provider: cells.oneOf("provider", providerIds),
    instanceType: cells.text("instance_type"),
    acceleratorId: cells.text("accelerator_id"),
    acceleratorCount: cells.optionalFraction("accelerator_count"),
    vcpu: cells.optionalNumber("vcpu"),
    memoryGib: cells.optionalNumber("memory_gib"),
    ...readProvenance(cells),
  };
}

function readInstanceFamily(cells: Cells): InstanceFamily {
  return {
    provider: cells.oneOf("provider", providerIds),
    family: cells.text("family"),
    acceleratorId: cells.optionalText("accelerator_id"),
    model: cells.text("model"),
    ...readProvenance(cells),
  };
}

interface MigRow extends Omit<MigProfile, "computeShare" | "memoryShare" | "share"> {
  readonly smCount: number | null;
}

function readMigRow(cells: Cells): MigRow {
  readProvenance(cells);
  return {
    profile: cells.text("profile"),
    acceleratorId: cells.text("accelerator_id"),
    computeSlices: cells.number("compute_slices"),
    totalSlices: cells.number("total_slices"),
    memoryGb: cells.number("memory_gb"),
    maxCount: cells.number("max_count"),
    smCount: cells.optionalNumber("sm_count"),
  };
}

function migProfileOf(row: MigRow, rows: readonly MigRow[], accelerators: ReadonlyMap<string, Accelerator>): MigProfile {
  const { smCount, ...profile } = row;
  const cardSms = accelerators.get(row.acceleratorId)?.smCount ?? null;
  // The profile that takes every slice names the memory there is to share (7g.180gb on a card sold with 192 GB).
  const whole = rows.find(({ acceleratorId, computeSlices, totalSlices }) => acceleratorId === row.acceleratorId && computeSlices === totalSlices);
  const memoryShare = row.memoryGb / (whole?.memoryGb ?? row.memoryGb);
  // A profile of all slices is the card: the SMs it cannot reach (98 of 108 on an A100) are nobody else's either.
  const isWhole = row.computeSlices === row.totalSlices;
  const computeShare = isWhole ? 1 : smCount === null || cardSms === null ? row.computeSlices / row.totalSlices : smCount / cardSms;
  return { ...profile, computeShare, memoryShare, share: Math.max(computeShare, memoryShare) };
}

/** Families by name: those of the file, and those whose every listed type has the same accelerator. */
function familiesByKey(types: readonly InstanceType[], families: readonly InstanceFamily[], accelerators: ReadonlyMap<string, Accelerator>): ReadonlyMap<string, FamilyMatch> {
  const byKey = new Map<string, FamilyMatch>();
  for (const { provider, instanceType, acceleratorId } of types) {
    const family = familyOfType(provider, instanceType);
    const accelerator = accelerators.get(acceleratorId);
    if (family === null || accelerator === undefined) continue;
    const key = familyKey(provider, family);
    const earlier = byKey.get(key);
    byKey.set(key, { model: accelerator.family, acceleratorId: earlier === undefined || earlier.acceleratorId === acceleratorId ? acceleratorId : null });
  }
  for (const { provider, family, acceleratorId, model } of families) byKey.set(familyKey(provider, family), { acceleratorId, model });
  return byKey;
}

function acceleratorsOfProvider(types: readonly InstanceType[]): ReadonlyMap<ProviderId, ReadonlySet<string>> {
  const byProvider = new Map<ProviderId, Set<string>>();
  for (const { provider, acceleratorId } of types) {
    const ids = byProvider.get(provider) ?? new Set<string>();
    byProvider.set(provider, ids.add(acceleratorId));
  }
  return byProvider;
}

interface PriceRow {
  readonly provider: ProviderId;
  readonly instanceType: string;
  readonly region: string;
  readonly prices: readonly ListPrice[];
}

/** One row of the file holds up to four prices; each becomes a price of its own. */
function readPrices(cells: Cells): PriceRow {
  const common = {
    provider: cells.oneOf("provider", providerIds),
    instanceType: cells.text("instance_type"),
    acceleratorId: cells.text("accelerator_id"),
    region: cells.text("region"),
    currency: cells.text("currency"),
    scope: cells.oneOf("scope", ["machine", "accelerator"] as const),
    status: cells.oneOf("status", ["current", "superseded"] as const),
    priceDate: cells.date("price_date"),
    ...readProvenance(cells),
  };
  const prices: ListPrice[] = [];
  for (const [mode, column] of priceColumns) {
    const pricePerHour = cells.optionalPrice(column);
    if (pricePerHour !== null) prices.push({ ...common, mode, pricePerHour });
  }
  return { provider: common.provider, instanceType: common.instanceType, region: common.region, prices };
}

const priceColumns: readonly (readonly [PriceMode, string])[] = [
  ["on-demand", "on_demand_per_hour"],
  ["spot", "spot_per_hour"],
  ["commit-1y", "commit_1y_per_hour"],
  ["commit-3y", "commit_3y_per_hour"],
];

function readRegion(cells: Cells): Region {
  return {
    provider: cells.oneOf("provider", providerIds),
    region: cells.text("region"),
    location: cells.optionalText("location"),
    country: cells.text("country"),
    egridSubregion: cells.optionalText("egrid_subregion"),
    chinaProvince: cells.optionalText("china_province"),
    ...readProvenance(cells),
  };
}

function readGridIntensity(cells: Cells): GridIntensity {
  return {
    zone: cells.text("zone"),
    zoneName: cells.text("zone_name"),
    country: cells.optionalText("country"),
    year: cells.number("year"),
    gco2ePerKwh: cells.number("gco2e_per_kwh"),
    gasScope: cells.oneOf("gas_scope", ["CO2", "CO2e"]),
    method: cells.oneOf("method", gridMethods),
    boundary: cells.oneOf("boundary", gridBoundaries),
    ...readProvenance(cells),
  };
}

function readEfficiency(cells: Cells): DataCenterEfficiency {
  return {
    provider: cells.text("provider"),
    region: cells.text("region"),
    year: cells.optionalNumber("year"),
    pue: cells.optionalNumber("pue"),
    wueLitresPerKwh: cells.optionalNumber("wue_litres_per_kwh"),
    kind: cells.oneOf("kind", pueKinds),
    ...readProvenance(cells),
  };
}

function readHostPower(cells: Cells): HostPower {
  return {
    component: cells.oneOf("component", ["vcpu", "memory-gib", "network-per-gpu"]),
    watts: cells.number("watts"),
    wattsLow: cells.number("watts_low"),
    wattsHigh: cells.number("watts_high"),
    ...readProvenance(cells),
  };
}

function readEmbodied(cells: Cells): EmbodiedCarbon {
  return {
    subject: cells.text("subject"),
    subjectKind: cells.oneOf("subject_kind", embodiedKinds),
    acceleratorId: cells.optionalText("accelerator_id"),
    kgco2e: cells.optionalNumber("kgco2e"),
    kgco2eLow: cells.optionalNumber("kgco2e_low"),
    kgco2eHigh: cells.optionalNumber("kgco2e_high"),
    scope: cells.text("scope"),
    lifetimeHours: cells.optionalNumber("lifetime_hours"),
    ...readProvenance(cells),
  };
}
