import type { ChargeCategory, PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, ChargeTable, DimensionRow } from "../format.ts";
import { absent, constant, derived, firstTime, lastDay, money, moneyBy, noMoney, optional, periodHours, plus, utcTime } from "../format.ts";
import { beijing, currencyOrCny, dashes, englishUnit, tagPairs } from "./beijing.ts";
import { savedDates } from "./date-order.ts";
import { gpuHoursRule } from "./hours.ts";
import { namedColumns } from "./named-columns.ts";
import { canonicalTags, parseTags, teamOf } from "./tags.ts";

/** What the columns of such a bill mean. */
type Meaning =
  | "BillMonth" | "BillDay" | "Start" | "End" | "ConsumedAt" | "PaidAt" | "AccountID" | "AccountName" | "OwnerID" | "Project" | "ProductCode" | "ProductName" | "ProductDetail"
  | "Mode" | "Type" | "InstanceID" | "InstanceName" | "Tag" | "Spec" | "Item" | "Region" | "Zone" | "Usage" | "UsageUnit" | "List" | "Payable" | "Currency";

/** A provider's detail bill, told by the names that its columns go by. */
export interface ChineseDetail {
  readonly id: string;
  readonly provider: string;
  readonly names: Readonly<Partial<Record<Meaning, readonly string[]>>> & Readonly<Record<string, readonly string[]>>;
  readonly telltale: BillingFormat["telltale"];
  readonly required: BillingFormat["required"];
  readonly relatives?: BillingFormat["relatives"];
  /** What of a specification may be shown to the recognition of GPUs. */
  readonly specText?: (text: string) => string;
}

const kinds = ["Mode", "Type"];
const described = ["ProductCode", "ProductName", "ProductDetail", "Spec", "Item"];

/**
 * Detail bills of Chinese providers whose files nobody of us has seen whole, only their documented columns: amounts payable and at list, a
 * month, a day or a period in UTC+8, a product, an instance, its specification, usage and unit.
 *
 * costs      billed is the amount payable; effective the same. What is paid ahead for a term (包年包月) is spread over it: the charge period,
 *            whose length the ledger keeps (maths h.4).
 */
export function chineseDetail({ id, provider, names, telltale, required, relatives = [], specText = (text) => text }: ChineseDetail): BillingFormat {
  return {
    id,
    headerName: namedColumns(names),
    telltale,
    required,
    relatives,
    version: () => null,
    datasetKind: () => "cash-and-accrual",
    covers: "what-it-holds",
    nullTexts: dashes,
    nullAmounts: dashes,
    zone: beijing,
    survey: savedDates(["Start", "BillDay", "PaidAt"], ["End"], ["BillDay"], ["PaidAt"]),
    charge: chargeTable(provider, specText),
  };
}

function chargeTable(provider: string, specText: (text: string) => string): ChargeTable {
  return {
    ProviderName: constant(provider),
    PublisherName: constant(provider),
    InvoiceIssuerName: absent(),
    BillingAccountId: optional("AccountID", "AccountName"),
    BillingAccountName: optional("AccountName"),
    SubAccountId: optional("OwnerID", "Project"),
    SubAccountName: optional("Project"),
    InvoiceId: absent(),
    ServiceName: optional("ProductName", "ProductCode"),
    ServiceCategory: absent(),
    ChargeCategory: derived(kinds, chargeCategory),
    ChargeClass: derived(kinds, (row) => (isRefund(row) ? "Correction" : null)),
    ChargeFrequency: derived(kinds, (row) => (isPrepaid(row) ? "One-Time" : "Usage-Based")),
    ChargeDescription: derived(described, (row) => row.text("Item") ?? row.text("ProductDetail") ?? row.text("ProductName")),
    PricingCategory: derived([...kinds, ...described], (row) => (chargeCategory(row) !== "Usage" ? null : isSpot(row) ? "Dynamic" : isReserved(row) ? "Committed" : "Standard")),
    PricingUnit: optional("UsageUnit"),
    ConsumedUnit: derived([...kinds, "UsageUnit"], (row) => (isPrepaid(row) && statesTerm(row) ? "Hours" : row.text("UsageUnit"))),
    SkuId: optional("Spec", "ProductCode"),
    SkuPriceId: absent(),
    SkuMeter: optional("Item"),
    ResourceId: optional("InstanceID"),
    ResourceName: optional("InstanceName"),
    ResourceType: optional("ProductDetail"),
    RegionId: optional("Region"),
    RegionName: optional("Region"),
    AvailabilityZone: optional("Zone"),
    CommitmentDiscountId: absent(),
    CommitmentDiscountName: absent(),
    CommitmentDiscountCategory: absent(),
    CommitmentDiscountType: absent(),
    CommitmentDiscountStatus: absent(),
    CapacityReservationId: absent(),
    CapacityReservationStatus: absent(),
    BillingCurrency: currencyOrCny("Currency"),
    Tags: derived(["Tag"], (row) => {
      const stated = row.text("Tag");
      const tags = tagsOf(row);
      if (stated !== null && tags === null) row.repaired("tags-unreadable");
      return tags === null ? null : canonicalTags(tags);
    }),
    x_LineItemType: optional("Type", "Mode"),
    x_PurchaseOption: derived([...kinds, ...described], purchaseOption),
    x_InstanceType: derived([], (row) => row.gpu()?.instanceType ?? null),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: derived(["Tag"], (row) => {
      const tags = tagsOf(row);
      return tags === null ? null : teamOf(tags);
    }),
    BilledCost: money("Payable"),
    EffectiveCost: money("Payable"),
    ListCost: money("List"),
    ContractedCost: noMoney(),
    ConsumedQuantity: moneyBy(derived(kinds, (row) => (isRefund(row) ? "none" : !isPrepaid(row) ? "usage" : statesTerm(row) ? "term" : "none")), {
      usage: [plus("Usage")],
      term: [periodHours()],
      otherwise: null,
    }),
    PricingQuantity: noMoney(),
    ChargePeriodStart: firstTime(utcTime("Start"), { columns: ["ConsumedAt"], states: "range-start" }, utcTime("ConsumedAt"), utcTime("BillDay"), utcTime("PaidAt"), { columns: ["BillMonth"], states: "month" }),
    ChargePeriodEnd: firstTime(utcTime("End"), { columns: ["ConsumedAt"], states: "range-end" }, utcTime(), lastDay("BillDay"), utcTime(), { columns: ["BillMonth"], states: "month-end" }),
    BillingPeriodStart: { columns: ["BillMonth"], states: "month" },
    BillingPeriodEnd: { columns: ["BillMonth"], states: "month-end" },
    GpuHours: derived([...kinds, "UsageUnit"], (row) => {
      if (row.gpu() === null || isRefund(row)) return null;
      if (isPrepaid(row)) return statesTerm(row) ? gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit: "Hours" }]) : null;
      return gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit: englishUnit(row.text("UsageUnit")) }]);
    }),
    correction: absent(),
    gpu: derived([...kinds, ...described, "UsageUnit"], (row) => {
      if (beside.test(`${row.text("Item") ?? ""} ${row.text("ProductDetail") ?? ""}`)) return null;
      const spec = row.text("Spec");
      return {
        provider,
        serviceName: row.text("ProductName", "ProductCode"),
        chargeCategory: "Usage",
        pricingCategory: isSpot(row) ? "Dynamic" : null,
        instanceType: spec === null ? null : specText(spec),
        skuMeter: row.text("Item"),
        skuDescription: spec === null ? row.text("ProductDetail") : specText(spec),
        pricingUnit: englishUnit(row.text("UsageUnit")),
      };
    }),
  };
}

/** Rows of an instance that sell something beside the machine. */
const beside = /系统盘|数据盘|云盘|云硬盘|磁盘|快照|镜像|带宽|流量|公网|弹性IP|disk|volume|snapshot|image|bandwidth|traffic|\bEIP\b/i;

function isPrepaid(row: DimensionRow): boolean {
  const mode = row.text("Mode") ?? "";
  if (mode !== "") return /包年|包月|预付|pre-?pa(?:id|y)|subscription|yearly|monthly/i.test(mode) && !/按需|按量|后付|post-?pa/i.test(mode);
  return /新购|续订|续费|consume-new|consume-renew/i.test(row.text("Type") ?? "");
}

function isReserved(row: DimensionRow): boolean {
  return /预留|节省计划|reserved|savings/i.test(`${row.text("Mode") ?? ""} ${row.text("Type") ?? ""}`);
}

function isRefund(row: DimensionRow): boolean {
  return /退款|退订|refund|unsubscri/i.test(row.text("Type") ?? "") && !/手续费增收/.test(row.text("Type") ?? "");
}

function chargeCategory(row: DimensionRow): ChargeCategory {
  if (/调账|transfer-|adjust/i.test(row.text("Type") ?? "")) return "Adjustment";
  return isPrepaid(row) ? "Purchase" : "Usage";
}

function isSpot(row: DimensionRow): boolean {
  return /竞价|抢占|\bspot\b|preemptible/i.test([...kinds, ...described].map((column) => row.text(column) ?? "").join(" "));
}

function purchaseOption(row: DimensionRow): PurchaseOption | null {
  if (chargeCategory(row) === "Adjustment") return null;
  const words = `${row.text("Mode") ?? ""} ${row.text("Type") ?? ""}`;
  if (/节省计划|savings/i.test(words)) return "savings-plan";
  return isPrepaid(row) || /预留|reserved/i.test(words) ? "reservation" : isSpot(row) ? "spot" : "on-demand";
}

function statesTerm(row: DimensionRow): boolean {
  return row.has("Start") && row.has("End");
}

function tagsOf(row: DimensionRow): ReadonlyMap<string, unknown> | null {
  const stated = row.text("Tag");
  if (stated === null) return null;
  return (/^\s*[[{]/.test(stated) ? parseTags(stated) : null) ?? tagPairs(stated);
}
