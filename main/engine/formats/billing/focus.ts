import { chargeCategories } from "../../../../shared/domain/charge.ts";
import type { PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, DimensionRow, FileSurvey } from "../format.ts";
import { canonicalName, derived, money, nothingStated, oneOf, optional, utcTime } from "../format.ts";
import { statedCurrency } from "./currencies.ts";
import { lookForOrder } from "./date-order.ts";
import { gpuHoursRule } from "./hours.ts";
import { canonicalTags, parseJson, parseTags, teamOf } from "./tags.ts";

/**
 * FOCUS Cost and Usage, versions 0.5 to 1.4, by any provider that speaks it (specification of the FinOps Foundation, v1.0 to v1.3; columns of
 * 1.4 by its model). The names of 0.5 and the 1.0 preview are taken where a column only changed its name.
 *
 * few columns   a category, a day and any cost or quantity are enough. What is not stated stays unknown; a file without a currency stands
 *               apart under XXX
 * no money      a file in which no row states a billed or an effective cost is of usage alone
 */
export const focus: BillingFormat = {
  id: "focus",
  telltale: [["BilledCost"], ["EffectiveCost", "AmortizedCost"], ["ChargePeriodStart"], ["ChargePeriodEnd"], ["ChargeCategory", "ChargeType"]],
  // Any of the costs or quantities will do (a bill of usage alone has no money), but not none of them.
  required: [
    ["BilledCost", "EffectiveCost", "AmortizedCost", "ListCost", "ContractedCost", "ConsumedQuantity", "UsageQuantity", "PricingQuantity"],
    ["ChargeCategory", "ChargeType"],
    ["ChargePeriodStart"],
  ],
  relatives: [
    { name: "focus-contract-commitment", column: "ContractCommitmentId" },
    { name: "focus-billing-period", column: "BillingPeriodStatus" },
    { name: "focus-invoice-detail", column: "InvoiceDetailId" },
  ],
  version: (columns) => versionOf(columns),
  survey: wholeFile(),
  datasetKind: (columns, facts) => {
    const hasCash = columns.has("billedcost") && facts["billed"] !== "unstated";
    const hasAccrual = (columns.has("effectivecost") || columns.has("amortizedcost")) && facts["effective"] !== "unstated";
    return hasCash && hasAccrual ? "cash-and-accrual" : hasCash ? "cash" : hasAccrual ? "accrual" : "usage";
  },
  covers: "what-it-holds",
  // Oracle's FOCUS reports come several a day: `0001000001530921.csv.gz`, `0001000001530921-00001.csv.gz`.
  reportNumber: (name) => /^(000\d{13}(?:-\d{1,5})?)\.csv\b/i.exec(name)?.[1] ?? null,
  unitPrices: [
    { cost: ["ListCost"], unitPrice: ["ListUnitPrice"], quantity: ["PricingQuantity"] },
    { cost: ["ContractedCost"], unitPrice: ["ContractedUnitPrice"], quantity: ["PricingQuantity"] },
  ],
  nullTexts: nothingStated,
  charge: {
    ProviderName: optional("ProviderName", "Provider", "ServiceProviderName"),
    PublisherName: optional("PublisherName", "Publisher", "HostProviderName"),
    InvoiceIssuerName: optional("InvoiceIssuerName", "InvoiceIssuer"),
    BillingAccountId: optional("BillingAccountId"),
    BillingAccountName: optional("BillingAccountName"),
    SubAccountId: optional("SubAccountId"),
    SubAccountName: optional("SubAccountName"),
    InvoiceId: optional("InvoiceId"),
    ServiceName: optional("ServiceName"),
    ServiceCategory: derived(["ServiceCategory"], (row) => {
      const stated = row.text("ServiceCategory");
      const listed = stated?.startsWith("[") === true ? parseJson(stated) : null;
      if (!Array.isArray(listed) || typeof listed[0] !== "string") return stated;
      row.repaired("list-for-a-text");
      return listed[0];
    }),
    ChargeCategory: oneOf(chargeCategories, "charge-category", "ChargeCategory", "ChargeType"),
    ChargeClass: optional("ChargeClass"),
    ChargeFrequency: optional("ChargeFrequency"),
    ChargeDescription: optional("ChargeDescription"),
    PricingCategory: optional("PricingCategory"),
    PricingUnit: optional("PricingUnit"),
    ConsumedUnit: optional("ConsumedUnit", "UsageUnit"),
    SkuId: optional("SkuId"),
    SkuPriceId: optional("SkuPriceId"),
    SkuMeter: optional("SkuMeter"),
    ResourceId: optional("ResourceId"),
    ResourceName: optional("ResourceName"),
    ResourceType: optional("ResourceType"),
    RegionId: optional("RegionId", "Region"),
    RegionName: optional("RegionName"),
    AvailabilityZone: optional("AvailabilityZone"),
    CommitmentDiscountId: optional("CommitmentDiscountId"),
    CommitmentDiscountName: optional("CommitmentDiscountName"),
    CommitmentDiscountCategory: optional("CommitmentDiscountCategory"),
    CommitmentDiscountType: optional("CommitmentDiscountType"),
    CommitmentDiscountStatus: optional("CommitmentDiscountStatus"),
    CapacityReservationId: optional("CapacityReservationId"),
    CapacityReservationStatus: optional("CapacityReservationStatus"),
    BillingCurrency: statedCurrency("BillingCurrency", "BilledCurrency"),
    Tags: derived(["Tags"], (row) => {
      const stated = row.text("Tags");
      if (stated === null) return null;
      const tags = parseTags(stated);
      if (tags === null) row.repaired("tags-unreadable");
      return tags === null ? null : canonicalTags(tags);
    }),
    x_LineItemType: optional("x_LineItemType"),
    x_PurchaseOption: derived(
      ["ChargeCategory", "ChargeType", "PricingCategory", "CommitmentDiscountId", "CommitmentDiscountType", "CommitmentDiscountCategory", "ChargeDescription", "x_UsageType"],
      purchaseOption,
    ),
    x_InstanceType: derived([], (row) => row.gpu()?.instanceType ?? row.text("x_InstanceType") ?? detailText(row, "InstanceType")),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: derived(["Tags", "x_Team"], (row) => {
      const stated = row.text("Tags");
      const tags = stated === null ? null : parseTags(stated);
      return (tags === null ? null : teamOf(tags)) ?? row.text("x_Team")?.trim() ?? null;
    }),
    BilledCost: money("BilledCost"),
    EffectiveCost: money("EffectiveCost", "AmortizedCost"),
    ListCost: money("ListCost"),
    ContractedCost: money("ContractedCost"),
    ConsumedQuantity: money("ConsumedQuantity", "UsageQuantity"),
    PricingQuantity: money("PricingQuantity"),
    ChargePeriodStart: utcTime("ChargePeriodStart"),
    ChargePeriodEnd: utcTime("ChargePeriodEnd"),
    BillingPeriodStart: utcTime("BillingPeriodStart"),
    BillingPeriodEnd: utcTime("BillingPeriodEnd"),
    // Hours of use only: a fee buys none by itself, and the unused part of a commitment is money without machines.
    GpuHours: derived(["ChargeCategory", "ChargeType", "CommitmentDiscountStatus", "ConsumedUnit", "UsageUnit", "PricingUnit"], (row) => {
      if (!isUsage(row) || isWord(row.text("CommitmentDiscountStatus"), "unused")) return null;
      return gpuHoursRule(row.gpu(), [
        { quantity: "ConsumedQuantity", unit: row.text("ConsumedUnit", "UsageUnit") },
        { quantity: "PricingQuantity", unit: row.text("PricingUnit") },
      ]);
    }),
    // FOCUS gives a purchase that pays for later charges an EffectiveCost of 0, since the usage it covers carries the amount.
    correction: derived(["ChargeCategory", "ChargeType", "CommitmentDiscountId"], (row) =>
      isWord(row.text("ChargeCategory", "ChargeType"), "purchase") && row.text("CommitmentDiscountId") !== null ? "purchase-effective-cost" : null,
    ),
    gpu: derived(
      [
        "ProviderName", "Provider", "ServiceProviderName", "ServiceName", "ChargeCategory", "ChargeType", "PricingCategory", "CommitmentDiscountStatus",
        "CapacityReservationStatus", "x_InstanceType", "x_UsageType", "SkuMeter", "x_SkuDescription", "ChargeDescription", "SkuPriceDetails", "x_SkuDetails",
        "PricingUnit", "ConsumedUnit", "UsageUnit", "x_GpuModel", "x_GpuCount", "x_LineItemType",
      ],
      (row) => ({
        provider: row.text("ProviderName", "Provider", "ServiceProviderName"),
        serviceName: row.text("ServiceName"),
        chargeCategory: spelled(chargeCategories, row.text("ChargeCategory", "ChargeType")),
        pricingCategory: spelled(["Standard", "Dynamic", "Committed", "Other"], row.text("PricingCategory")),
        commitmentDiscountStatus: spelled(["Used", "Unused"], row.text("CommitmentDiscountStatus")),
        capacityReservationStatus: spelled(["Used", "Unused"], row.text("CapacityReservationStatus")),
        lineItemType: row.text("x_LineItemType"),
        instanceType: row.text("x_InstanceType"),
        usageType: row.text("x_UsageType"),
        skuMeter: row.text("SkuMeter"),
        skuDescription: row.text("x_SkuDescription"),
        chargeDescription: row.text("ChargeDescription"),
        skuDetails: details(row),
        pricingUnit: row.text("PricingUnit"),
        consumedUnit: row.text("ConsumedUnit", "UsageUnit"),
        gpuModel: row.text("x_GpuModel"),
        gpuCount: row.text("x_GpuCount"),
      }),
    ),
  },
};

/** Which of the two ledgers the file states anywhere, and the order of dates that a spreadsheet saved: mostly the first row tells both. A file without rows says nothing of it. */
function wholeFile(): FileSurvey {
  return {
    columns: [["BilledCost"], ["EffectiveCost", "AmortizedCost"], ["ChargePeriodStart"], ["ChargePeriodEnd"], ["BillingPeriodStart"], ["BillingPeriodEnd"]],
    begin(columns) {
      const dates = lookForOrder();
      let isBilled = false;
      let isEffective = !columns.has("effectivecost") && !columns.has("amortizedcost");
      let hasRows = false;
      let hasMoreDates = true;
      return {
        row([billed, effective, ...times]) {
          hasRows = true;
          isBilled ||= !columns.has("billedcost") || (billed ?? null) !== null;
          isEffective ||= (effective ?? null) !== null;
          hasMoreDates &&= dates.row(times);
          return !(isBilled && isEffective) || hasMoreDates;
        },
        finish: () => dates.finding("ChargePeriodStart", !hasRows ? {} : { ...(isBilled ? {} : { billed: "unstated" }), ...(isEffective ? {} : { effective: "unstated" }) }),
      };
    },
  };
}

/** The columns of each version, newest first; what 1.0 already had proves nothing more. */
const marks: readonly { readonly version: string; readonly columns: readonly string[] }[] = [
  { version: "1.4", columns: ["InvoiceDetailId", "CommitmentProgramEligibilityDetails"] },
  { version: "1.3", columns: ["ServiceProviderName", "HostProviderName", "ContractApplied", "AllocatedMethodId", "AllocatedResourceId"] },
  { version: "1.2", columns: ["PricingCurrency", "InvoiceId"] },
  { version: "1.1", columns: ["SkuMeter", "SkuPriceDetails", "CapacityReservationId", "CommitmentDiscountQuantity", "ServiceSubcategory"] },
  { version: "1.0", columns: ["ChargeClass", "ContractedCost", "ConsumedQuantity"] },
  { version: "1.0-preview", columns: ["ChargeSubcategory", "UsageQuantity"] },
  { version: "0.5", columns: ["AmortizedCost", "ChargeType"] },
  { version: "1.0-preview", columns: ["Provider", "Region"] },
];

function versionOf(columns: ReadonlySet<string>): string | null {
  return marks.find((mark) => mark.columns.some((name) => columns.has(canonicalName(name))))?.version ?? null;
}

function isWord(text: string | null, word: string): boolean {
  return text !== null && text.trim().toLowerCase() === word;
}

/** The specification's spelling of a value that exports write in any case. */
function spelled(allowed: readonly string[], text: string | null): string | null {
  return allowed.find((value) => isWord(text, value.toLowerCase())) ?? text;
}

function isUsage(row: DimensionRow): boolean {
  return isWord(row.text("ChargeCategory", "ChargeType"), "usage");
}

function details(row: DimensionRow): Record<string, unknown> | null {
  const stated = row.text("SkuPriceDetails", "x_SkuDetails");
  const parsed = stated === null ? null : parseJson(stated);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : null;
}

function detailText(row: DimensionRow, key: string): string | null {
  const value = details(row)?.[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * How a charge was bought. A commitment's id decides before PricingCategory: some exports label covered usage Standard
 * (that is counted as a repair).
 */
function purchaseOption(row: DimensionRow): PurchaseOption | null {
  const category = row.text("PricingCategory")?.trim().toLowerCase() ?? null;
  const texts = `${row.text("x_UsageType") ?? ""} ${row.text("ChargeDescription") ?? ""}`;
  if (/capacity\s?block/i.test(texts)) return "capacity-block";
  if (row.text("CommitmentDiscountId") !== null || category === "committed" || category?.startsWith("commitment") === true) {
    if (category === "standard" && isUsage(row)) row.repaired("standard-with-commitment");
    const type = row.text("CommitmentDiscountType") ?? "";
    if (/saving/i.test(type)) return "savings-plan";
    if (/reserv/i.test(type)) return "reservation";
    return "commitment";
  }
  if (category === "dynamic" || /\bspot(?:usage)?\b|preemptible/i.test(row.text("x_UsageType") ?? "")) return "spot";
  if (category === "standard" || category === "on-demand") return "on-demand";
  return category === "other" ? "other" : null;
}
