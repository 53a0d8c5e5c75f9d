import { findAlias } from "./alias.ts";
import type { Accelerator, FamilyMatch, ProviderId, Reference } from "./catalog.ts";
import { recognizeDevice } from "./device.ts";
import { familyKey, familyOfType, providerOf, type TypeName, typeKey, typesIn } from "./type-names.ts";

/** What a billing row says that can name an accelerator. Absent and null are the same. */
export interface GpuChargeEvidence {
  /** ProviderName or ServiceProviderName, in the provider's own words. */
  readonly provider?: string | null;
  readonly serviceName?: string | null;
  readonly chargeCategory?: string | null;
  readonly pricingCategory?: string | null;
  readonly commitmentDiscountStatus?: string | null;
  readonly capacityReservationStatus?: string | null;
  /** The native line type where there is one (CUR `lineItemType`). */
  readonly lineItemType?: string | null;
  /** product/instanceType, AdditionalInfo.ServiceType, machine_spec, InstanceSpec, shape. */
  readonly instanceType?: string | null;
  /** AWS usage type: `USW2-BoxUsage:p4d.24xlarge`. */
  readonly usageType?: string | null;
  /** SkuMeter, Azure MeterName. */
  readonly skuMeter?: string | null;
  /** sku.description, product/Description, Azure ProductName or MeterSubCategory, Tencent subproduct or component. */
  readonly skuDescription?: string | null;
  readonly chargeDescription?: string | null;
  /** SkuPriceDetails, x_SkuDetails or AdditionalInfo, parsed. */
  readonly skuDetails?: Readonly<Record<string, unknown>> | null;
  readonly pricingUnit?: string | null;
  readonly consumedUnit?: string | null;
  /** Named outright: a mapped column, RunPod's gpuTypeId. */
  readonly gpuModel?: string | null;
  readonly gpuCount?: number | string | null;
}

export interface GpuRecognition {
  /** Null when the charge names a family whose exact part it leaves open. */
  readonly acceleratorId: string | null;
  /** Label to group by ("H100", "A100"). For a family newer than our tables its own name ("p7"). */
  readonly model: string;
  /** Accelerators that one hour of the row's quantity stands for, fractions allowed; null when the size is unknown. 1 where hoursMeaning is "gpu-hours". */
  readonly gpuCount: number | null;
  /** "none": the row's quantity is no GPU time (a fee, a vCPU or memory row, a reservation's bookkeeping) and must not be counted as hours. */
  readonly hoursMeaning: "instance-hours" | "gpu-hours" | "none";
  readonly instanceType: string | null;
  readonly purchaseHint: "spot" | "on-demand" | "reserved" | null;
  readonly step: "explicit" | "instance-type" | "sku-text" | "description" | "family-unknown-size";
  readonly unknownSize: boolean;
  /** Reserved capacity that nothing used: paid for, wholly idle. */
  readonly unusedReservation: boolean;
}

/** What a step of the chain finds; the rest of the recognition follows from the row's kind. */
interface Finding {
  readonly acceleratorId: string | null;
  readonly model: string;
  readonly gpuCount: number | null;
  readonly hoursMeaning: GpuRecognition["hoursMeaning"];
  readonly instanceType: string | null;
  readonly step: GpuRecognition["step"];
}

/**
 * Which accelerators a billing row pays for, or null when it names none. The first step that finds something decides and is kept:
 * what the row says outright, its machine type, the text of its SKU, its description. A member of an accelerated family that our tables
 * do not list is never dropped: it comes back with its size unknown.
 */
export function recognizeGpuCharge(reference: Reference, evidence: GpuChargeEvidence): GpuRecognition | null {
  const provider = providerOf(evidence.provider);
  const row: Row = { reference, provider, evidence, usage: usageOf(evidence) };
  if (isAboutSomethingElse(row)) return null;
  const finding = explicitly(row) ?? (provider === "gcp" ? byGoogleSku(row) : null) ?? byInstanceType(row) ?? bySkuText(row) ?? byDescription(row);
  if (finding === null || finding === "not-gpu") return null;
  const hoursMeaning = countsNoHours(row) ? "none" : finding.hoursMeaning;
  return {
    acceleratorId: finding.acceleratorId,
    model: finding.model,
    gpuCount: finding.gpuCount,
    hoursMeaning,
    instanceType: finding.instanceType,
    purchaseHint: purchaseHint(row),
    step: finding.step,
    unknownSize: finding.gpuCount === null && hoursMeaning !== "none",
    unusedReservation: isUnused(row),
  };
}

interface Row {
  readonly reference: Reference;
  readonly provider: ProviderId | null;
  readonly evidence: GpuChargeEvidence;
  readonly usage: AwsUsage | null;
}

/**
 * GPU-hours of a row: its hours times gpuCount. 0 where the row's quantity is no GPU time; null where the size is unknown.
 * `hours` is the row's quantity in hours, whatever unit the file counts in.
 */
export function gpuHoursOf(recognition: GpuRecognition, hours: number): number | null {
  if (recognition.hoursMeaning === "none") return 0;
  return recognition.gpuCount === null ? null : hours * recognition.gpuCount;
}

/* Step 1: said outright. */

function explicitly(row: Row): Finding | null {
  const { reference, evidence } = row;
  const count = positive(evidence.gpuCount) ?? positive(detail(evidence, "GpuCount"));
  const named = text(evidence.gpuModel);
  if (count === null && named === null) return null;
  const listed = findType(row, [evidence.instanceType, ...detailTypes(evidence)]);
  const typeCount = listed === null ? null : listed.gpuCount;
  const perGpu = unitIsGpuHours(evidence);
  const common = {
    gpuCount: perGpu ? 1 : (count ?? typeCount),
    hoursMeaning: perGpu ? "gpu-hours" : "instance-hours",
    instanceType: listed?.instanceType ?? text(evidence.instanceType),
    step: "explicit",
  } as const;
  if (named !== null) {
    const { acceleratorId, model } = recognizeDevice(reference, { name: named, memoryTotalMiB: null });
    return { acceleratorId: acceleratorId ?? narrowed(row, named), model: model ?? named, ...common };
  }
  if (listed !== null) return { acceleratorId: listed.acceleratorId, model: listed.model, ...common };
  // A count without a type: the model is looked for in the texts. Without one there is nothing to group by, and later steps may know more.
  const spoken = spokenAccelerator(row, [evidence.skuMeter, evidence.skuDescription, evidence.chargeDescription], true);
  return spoken === null ? null : { ...spoken, ...common };
}

/* Step 2: the machine type. */

function byInstanceType(row: Row): Finding | null {
  const { evidence, usage } = row;
  return findType(row, [
    evidence.instanceType,
    ...detailTypes(evidence),
    usage?.subject,
    afterColon(evidence.skuMeter),
    // AWS spot rows have no product attributes: there the type is the first word of the description.
    row.provider === "aws" || row.provider === null ? firstWord(evidence.chargeDescription) : null,
  ]);
}

/** The first of these names that is an accelerated machine type, whole. */
function findType(row: Row, names: readonly (string | null | undefined)[]): Finding | null {
  for (const name of names) {
    const written = text(name);
    if (written === null) continue;
    for (const provider of row.provider === null ? typeOwners : [row.provider]) {
      const listed = listedType(row, { provider, name: written }, "instance-type");
      if (listed !== null) return listed;
    }
    for (const type of typesIn(row.provider, written)) {
      const found = listedType(row, type, "instance-type") ?? unlistedType(row, type);
      if (found !== null) return found;
    }
    const family = usageFamily(row, written);
    if (family !== null) return family;
  }
  return null;
}

const typeOwners: readonly ProviderId[] = ["aws", "azure", "gcp", "oracle", "alibaba", "tencent", "lambda", "coreweave"];

function listedType(row: Row, { provider, name }: TypeName, step: Finding["step"]): Finding | null {
  const { lookups } = row.reference;
  const type = lookups.typeByKey.get(typeKey(provider, name)) ?? (provider === "azure" ? longestAzureSize(row, name) : undefined);
  const accelerator = type === undefined ? undefined : lookups.acceleratorById.get(type.acceleratorId);
  if (type === undefined || accelerator === undefined) return null;
  const perGpu = unitIsGpuHours(row.evidence);
  return {
    acceleratorId: accelerator.id,
    model: accelerator.family,
    gpuCount: perGpu ? 1 : type.acceleratorCount,
    hoursMeaning: perGpu ? "gpu-hours" : "instance-hours",
    instanceType: type.instanceType,
    step,
  };
}

/** Azure sizes have spaces in meters, so words of the sentence may follow: the longest beginning that is a size counts. */
function longestAzureSize(row: Row, name: string): ReturnType<Reference["lookups"]["typeByKey"]["get"]> {
  const words = name.split(/[_ ]/);
  for (let length = words.length - 1; length > 0; length -= 1) {
    const type = row.reference.lookups.typeByKey.get(typeKey("azure", words.slice(0, length).join(" ")));
    if (type !== undefined) return type;
  }
  return undefined;
}

/** A type of an accelerated family that the table does not list: its name may still say how many of what. */
function unlistedType(row: Row, type: TypeName): Finding | null {
  const said = countInName(row, type);
  const family = familyOf(row, type);
  const model = said?.model ?? family?.model ?? null;
  if (model === null) return null;
  const perGpu = unitIsGpuHours(row.evidence);
  const count = said?.count ?? null;
  return {
    acceleratorId: said === null ? (family?.acceleratorId ?? null) : said.acceleratorId,
    model,
    gpuCount: perGpu ? 1 : count,
    hoursMeaning: perGpu ? "gpu-hours" : "instance-hours",
    instanceType: type.name,
    step: count === null ? "family-unknown-size" : "instance-type",
  };
}

/** Names that carry their count: Alibaba `gn7i-c8g1.2xlarge`, OCI `BM.GPU.H100.8`, Lambda `gpu_8x_h100_sxm5`, Baidu `…c208m1024.8l20`. */
function countInName(row: Row, { provider, name }: TypeName): { acceleratorId: string | null; model: string; count: number } | null {
  if (provider === "alibaba") {
    // `cXgY`: X vCPU for Y cards. A size of n x xlarge has 4 n vCPU.
    const parts = /^ecs\.([a-z]+\d+[a-z]*)-c(\d+)g(\d+)\.(\d*)xlarge$/i.exec(name);
    const family = parts === null ? undefined : row.reference.lookups.familyByKey.get(familyKey("alibaba", parts[1] ?? ""));
    if (parts === null || family === undefined) return null;
    const vcpu = 4 * Number(parts[4] === "" ? 1 : parts[4]);
    return { ...family, count: (vcpu / Number(parts[2])) * Number(parts[3]) };
  }
  const [, count, model] =
    provider === "oracle"
      ? swapped(/^(?:BM|VM)\.(GPU[\w.-]*)\.(\d+)$/i.exec(name))
      : provider === "lambda"
        ? (/^gpu_(\d+)x_(\w+)$/i.exec(name) ?? [])
        : provider === "baidu"
          ? (/\.(\d+)([a-z]+\d+[a-z0-9]*)$/i.exec(name) ?? [])
          : provider === "coreweave"
            ? (/^gd-(\d+)x([a-z]+\d+[a-z]*?)(?:ib)?(?:-|$)/i.exec(name) ?? [])
            : [];
  if (count === undefined || model === undefined || Number(count) === 0) return null;
  const family = provider === "oracle" ? row.reference.lookups.familyByKey.get(familyKey("oracle", model)) : undefined;
  const spoken = family ?? accelerator(row, model.replace(/^GPU\./i, ""));
  return spoken === null ? null : { ...spoken, count: Number(count) };
}

function swapped(match: RegExpExecArray | null): readonly (string | undefined)[] {
  return match === null ? [] : [match[0], match[2], match[1]];
}

function familyOf(row: Row, type: TypeName): FamilyMatch | null {
  const { lookups } = row.reference;
  const family = familyOfType(type.provider, type.name);
  const known = family === null ? undefined : lookups.familyByKey.get(familyKey(type.provider, family));
  if (known !== undefined) return known;
  if (type.provider === "azure") return azureFamily(row, type.name);
  // Every pattern but Huawei's and CoreWeave's matches accelerated families only: an unknown one is new, not another kind of machine.
  if (type.provider === "huawei" || type.provider === "coreweave") return null;
  return { acceleratorId: null, model: family ?? type.name };
}

function azureFamily(row: Row, name: string): FamilyMatch | null {
  const spoken = accelerator(row, name.replace(/^.*?\d+[a-z]*(?:-\d+[a-z]*)?[_ ]/i, ""));
  if (spoken !== null) return ofAzureSeries(row, spoken, /^(?:Standard_)?(N[CDGV])/i.exec(name)?.[1] ?? "");
  // Without a card in its name only the full spelling is sure to be a size.
  const series = /^(?:Standard_)?(N[A-Z]+)\d+[a-z]*(?:-\d+[a-z]*)?(?:[_ ][A-Za-z0-9]+)*?[_ ]v(\d+)/i.exec(name);
  return series === null ? null : { acceleratorId: null, model: `${(series[1] ?? "").toUpperCase()} v${series[2] ?? ""}` };
}

/** `HostUsage:p3` and Tencent's `GPU型GN10Xp` name the family alone. */
function usageFamily(row: Row, written: string): Finding | null {
  const { provider, reference } = row;
  if (provider !== "tencent" && !(provider === "aws" && row.usage?.subject === written)) return null;
  for (const word of written.split(/[^A-Za-z0-9-]+/)) {
    const family = word === "" ? undefined : reference.lookups.familyByKey.get(familyKey(provider, word));
    if (family !== undefined) return { ...family, gpuCount: null, hoursMeaning: "instance-hours", instanceType: null, step: "family-unknown-size" };
  }
  return null;
}

/* Step 3: the text of the SKU. */

/** Google bills the accelerator as a row of its own, in accelerator-hours, beside the vCPU and memory rows of the same machine. */
function byGoogleSku(row: Row): Finding | "not-gpu" | null {
  const { evidence, reference } = row;
  const ownSku = text(evidence.skuDescription) ?? text(evidence.skuMeter);
  const sku = ownSku ?? text(evidence.chargeDescription);
  if (sku === null) return null;
  if (/licen[sc]/i.test(sku)) return "not-gpu";
  const machine = findType(row, [evidence.instanceType, ...detailTypes(evidence)]);
  const instanceType = machine?.instanceType ?? null;
  if (googleAccelerator.test(sku)) {
    const perGpu = { gpuCount: 1, hoursMeaning: "gpu-hours", instanceType, step: "sku-text" } as const;
    const spoken = accelerator(row, sku);
    if (spoken !== null) return { ...spoken, ...perGpu };
    const unknown = /nvidia\s+(?:tesla\s+)?(.+?)\s+gpu\b/i.exec(sku)?.[1] ?? /\b(TPU\s*v?\d+\w*)/i.exec(sku)?.[1];
    return unknown === undefined ? null : { acceleratorId: null, model: unknown, ...perGpu };
  }
  const part = /\b(A2|A3\w*|A4X?\w*|G2|G4)\b.*?\b(core|cpu|ram|memory)\b/i.exec(sku);
  const family = part === null ? undefined : reference.lookups.familyByKey.get(familyKey("gcp", part[1] ?? ""));
  if (machine !== null && googleHostPart.test(sku)) return { ...machine, hoursMeaning: "none", step: "instance-type" };
  if (family !== undefined) return { ...family, gpuCount: null, hoursMeaning: "none", instanceType, step: "sku-text" };
  // The machine's label also stands on its network and disk rows, which are no GPU time. A description that is no SKU proves nothing.
  return ownSku !== null || /egress|network|traffic|transfer|\bdisk|storage|snapshot|\bip\b/i.test(sku) ? "not-gpu" : null;
}

const googleAccelerator = /\bgpus?\b|nvidia|\bRTX\b|\bTPU|Trillium|Ironwood/i;
const googleHostPart = /\b(core|cpu|ram|memory|local storage|local ssd)\b/i;

function bySkuText(row: Row): Finding | null {
  const { evidence } = row;
  const names = [evidence.skuMeter, evidence.skuDescription];
  const type = typeInText(row, names, "sku-text");
  if (type !== null) return type;
  const series = azureSeries(row, names);
  if (series !== null) return series;
  return bySpokenName(row, names, "sku-text");
}

/** `Virtual Machines NCadsA100v4 Series` names the card but no size. */
function azureSeries(row: Row, names: readonly (string | null | undefined)[]): Finding | null {
  if (row.provider !== "azure" && row.provider !== null) return null;
  for (const name of names) {
    const [, series, card] = /\b(N[CDGV])[a-z]*([A-Z]+\d+[A-Z]?)v\d+ Series/.exec(text(name) ?? "") ?? [];
    const spoken = series === undefined || card === undefined ? null : accelerator(row, card);
    if (spoken !== null) return { ...ofAzureSeries(row, spoken, series ?? ""), gpuCount: null, hoursMeaning: "instance-hours", instanceType: null, step: "family-unknown-size" };
  }
  return null;
}

/** Azure rents an A100 as PCIe in its NC series and as SXM in ND: the listed sizes of the series decide, if they agree. */
function ofAzureSeries(row: Row, spoken: FamilyMatch, series: string): FamilyMatch {
  if (spoken.acceleratorId !== null) return spoken;
  const ids = new Set(
    row.reference.instanceTypes
      .filter(({ provider, instanceType }) => provider === "azure" && instanceType.toLowerCase().startsWith(`standard_${series.toLowerCase()}`))
      .filter(({ acceleratorId }) => row.reference.lookups.acceleratorById.get(acceleratorId)?.family === spoken.model)
      .map(({ acceleratorId }) => acceleratorId),
  );
  return ids.size === 1 ? { ...spoken, acceleratorId: [...ids][0] ?? null } : spoken;
}

/* Step 4: the description. */

function byDescription(row: Row): Finding | null {
  const names = [row.evidence.chargeDescription];
  return typeInText(row, names, "description") ?? azureSeries(row, names) ?? bySpokenName(row, names, "description");
}

function typeInText(row: Row, names: readonly (string | null | undefined)[], step: "sku-text" | "description"): Finding | null {
  for (const name of names) {
    const written = text(name);
    if (written === null) continue;
    for (const type of typesIn(row.provider, written)) {
      const found = listedType(row, type, step) ?? unlistedType(row, type);
      if (found !== null) return found.step === "instance-type" ? { ...found, step } : found;
    }
    if (row.provider === "tencent") {
      const family = usageFamily(row, written);
      if (family !== null) return family;
    }
  }
  return null;
}

function bySpokenName(row: Row, names: readonly (string | null | undefined)[], step: "sku-text" | "description"): Finding | null {
  const spoken = spokenAccelerator(row, names, false);
  if (spoken === null) return null;
  // Oracle prices its GPU shapes by the GPU-hour.
  const perGpu = unitIsGpuHours(row.evidence) || row.provider === "oracle";
  const said = names.map((name) => countBesideName(text(name) ?? "")).find((count) => count !== null) ?? null;
  return { ...spoken, gpuCount: perGpu ? 1 : said, hoursMeaning: perGpu ? "gpu-hours" : "instance-hours", instanceType: null, step };
}

/** Text that speaks of accelerators at all; without it a short name such as "P4" or "A2" is a disk or a plan. */
const acceleratorTalk = /(?<![A-Za-z])gpus?(?![A-Za-z])|nvidia|tesla|geforce|instinct|accelerator|\btpu|gaudi|trainium|inferentia|ascend|昇腾|显卡/i;
/** Names that mean an accelerator wherever they stand. */
const unmistakable = /(?<![A-Za-z0-9])(?:[HB]\d00|H20|H800|A[18]00|G[HB]\d00|V100|L40S|A10G|A6000|MI\d{3}[AX]|RTX[ _-]?(?:PRO[ _-]?)?[A-Z]?\d{4})(?![A-Za-z0-9])/i;

function spokenAccelerator(row: Row, names: readonly (string | null | undefined)[], sure: boolean): { acceleratorId: string | null; model: string } | null {
  for (const name of names) {
    const written = text(name);
    if (written === null || !(sure || acceleratorTalk.test(written) || unmistakable.test(written))) continue;
    if (/licen[sc]|\bsoftware\b|marketplace/i.test(written)) continue;
    const spoken = accelerator(row, written);
    if (spoken !== null) return spoken;
  }
  return null;
}

/** `8x NVIDIA H100`, `1x_A100-80GB_SECURE`, `H100 SXM x 8`, `2 * RTX 4090`. */
function countBesideName(written: string): number | null {
  const before = /(?<![A-Za-z0-9.])(\d{1,3})\s*[x×*][\s_-]*(?=[A-Za-z])/i.exec(written)?.[1];
  const after = /[\s_](?:x|×)\s?(\d{1,3})(?![A-Za-z0-9.])/i.exec(written)?.[1];
  const count = Number(before ?? after ?? 0);
  return count > 0 ? count : null;
}

/** The accelerator a text names; where the name fits several, those that the provider rents out decide. */
function accelerator(row: Row, written: string): { acceleratorId: string | null; model: string } | null {
  const match = findAlias(row.reference.lookups.aliases, written.replace(/_/g, " "));
  if (match === null) return null;
  const parts = (match.exact.length === 1 ? match.exact : match.ids).flatMap((id) => partOf(row.reference, id));
  const rented = row.provider === null ? undefined : row.reference.lookups.acceleratorsOfProvider.get(row.provider);
  const offered = rented === undefined ? [] : parts.filter(({ id }) => rented.has(id));
  const first = offered[0] ?? parts[0];
  if (first === undefined) return null;
  const only = offered.length === 1 ? offered[0] : parts.length === 1 ? parts[0] : undefined;
  return { acceleratorId: only?.id ?? null, model: first.family };
}

function narrowed(row: Row, named: string): string | null {
  return accelerator(row, named)?.acceleratorId ?? null;
}

function partOf(reference: Reference, id: string): readonly Accelerator[] {
  const part = reference.lookups.acceleratorById.get(id);
  return part === undefined ? [] : [part];
}

/* What kind of row it is. */

interface AwsUsage {
  /** `BoxUsage`, `SpotUsage`, `UnusedBox`, `Train` … */
  readonly kind: string;
  /** What stands after the colon. */
  readonly subject: string;
}

function usageOf(evidence: GpuChargeEvidence): AwsUsage | null {
  for (const candidate of [evidence.usageType, evidence.skuMeter]) {
    const parts = /^(?:[A-Za-z0-9]+-)*([A-Za-z]+):(.+)$/.exec(text(candidate) ?? "");
    if (parts !== null) return { kind: parts[1] ?? "", subject: parts[2] ?? "" };
  }
  return null;
}

/** Rows that name an accelerated machine but sell something else: storage throughput, software, network. */
function isAboutSomethingElse({ provider, evidence, usage }: Row): boolean {
  if (usage !== null && /^(EBSOptimized|SoftwareUsage|DataTransfer|DataXfer|EBS|CW|CPUCredits)$/i.test(usage.kind)) return true;
  if (provider === "azure") {
    const words = `${evidence.serviceName ?? ""} ${evidence.skuMeter ?? ""}`;
    return /bandwidth|\bdisks?\b|storage|virtual network|licen[sc]e|\bip address/i.test(words);
  }
  return /marketplace/i.test(evidence.serviceName ?? "");
}

/**
 * Rows whose quantity is no GPU time of its own. Reservation and DedicatedRes are the bookkeeping of a capacity reservation at rate 0,
 * HostBoxUsage repeats the host; a Capacity Block is paid by one fee, whose hours the usage rows carry; EMR adds a fee beside the EC2 row.
 */
function countsNoHours({ provider, evidence, usage }: Row): boolean {
  if (evidence.chargeCategory !== undefined && evidence.chargeCategory !== null && evidence.chargeCategory !== "Usage") return true;
  if (usage !== null && /^(HostBoxUsage|Reservation|DedicatedRes|CapacityBlockFee|HeavyUsage)$/i.test(usage.kind)) return true;
  const lineType = text(evidence.lineItemType);
  if (provider === "aws" && lineType !== null && !/^(Usage|DiscountedUsage|SavingsPlanCoveredUsage)$/.test(lineType)) return true;
  if (provider === "aws" && /elastic ?mapreduce|\bEMR\b/i.test(evidence.serviceName ?? "")) return true;
  const words = allText(evidence);
  if (provider === "gcp") return /\bcommitment\b/i.test(words) || (googleHostPart.test(words) && !googleAccelerator.test(words));
  // The purchase of a reservation; a row that says Usage is its use, or its time unused.
  return provider === "azure" && evidence.chargeCategory !== "Usage" && /reserved vm instance/i.test(words);
}

function isUnused({ evidence, usage }: Row): boolean {
  if (usage !== null && /^Unused(Box|Ded)$/i.test(usage.kind)) return true;
  return evidence.commitmentDiscountStatus === "Unused" || evidence.capacityReservationStatus === "Unused";
}

function purchaseHint(row: Row): GpuRecognition["purchaseHint"] {
  const { evidence, usage } = row;
  const words = allText(evidence);
  if (evidence.pricingCategory === "Dynamic" || (usage !== null && /^SpotUsage$/i.test(usage.kind)) || /\bspot\b|preemptible|low priority|抢占|竞价/i.test(words)) return "spot";
  if (evidence.pricingCategory === "Committed" || text(evidence.commitmentDiscountStatus) !== null) return "reserved";
  if (usage !== null && /^(CapacityBlockFee|HeavyUsage|UnusedBox|UnusedDed|Reservation|DedicatedRes)$/i.test(usage.kind)) return "reserved";
  if (/\breserved\b|reservation|\bcommitment\b|calendar mode|capacity block|包年|包月|预留/i.test(words)) return "reserved";
  if (evidence.pricingCategory === "Standard" || /on[ -]demand|按量/i.test(words)) return "on-demand";
  return null;
}

/** A unit that counts accelerators already: "GPU Hours", "GPU per hour", "chip-hours". */
function unitIsGpuHours(evidence: GpuChargeEvidence): boolean {
  return [evidence.consumedUnit, evidence.pricingUnit].some((unit) => /gpu|accelerator|\bchip|\bcard/i.test(unit ?? ""));
}

function detailTypes(evidence: GpuChargeEvidence): (string | null)[] {
  return ["InstanceType", "instanceType", "ServiceType", "serviceType", "x_InstanceType", "machine_spec", "compute.googleapis.com/machine_spec"].map((name) => {
    const value = detail(evidence, name);
    return typeof value === "string" ? value : null;
  });
}

function detail(evidence: GpuChargeEvidence, name: string): unknown {
  return evidence.skuDetails?.[name] ?? null;
}

function allText(evidence: GpuChargeEvidence): string {
  return [evidence.skuMeter, evidence.skuDescription, evidence.chargeDescription].filter((part) => text(part) !== null).join(" | ");
}

function afterColon(written: string | null | undefined): string | null {
  return /:(.+)$/.exec(written ?? "")?.[1] ?? null;
}

function firstWord(written: string | null | undefined): string | null {
  return /^\S+/.exec((written ?? "").trim())?.[0] ?? null;
}

function text(written: string | null | undefined): string | null {
  return written === null || written === undefined || written.trim() === "" ? null : written.trim();
}

/** A count above zero. An explicit 0 is no evidence: lists give 0 for machines that share a card. */
function positive(value: unknown): number | null {
  const number = typeof value === "number" ? value : typeof value === "string" && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : NaN;
  return number > 0 ? number : null;
}
