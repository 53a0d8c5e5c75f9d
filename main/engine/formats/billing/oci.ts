import type { PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, DimensionRow } from "../format.ts";
import { absent, constant, derived, money, noMoney, nothingStated, optional, utcTime } from "../format.ts";
import { statedCurrency } from "./currencies.ts";
import { savedDates } from "./date-order.ts";
import { gpuHoursRule } from "./hours.ts";
import { canonicalTags, teamOf } from "./tags.ts";

/**
 * Oracle Cloud's own cost report, CSV (docs.oracle.com, "Cost and Usage Reports Overview"). Its FOCUS reports are of the format `focus`.
 *
 * costs        `cost/myCost` is what a row costs at the contract's price; billed and effective are the same. The overage columns say how much
 *              of it is beyond the credits bought, and are not added.
 * reports      are written every few hours and add to each other; only the same report, by its number, replaces
 * corrections  are rows of their own that point to the first by its reference number: both are kept, their sum is right
 * quantity     a flexible machine has processor and memory rows for one resource: only a row whose unit counts GPUs or instances of a GPU
 *              shape buys GPU-hours
 */
export const oci: BillingFormat = {
  id: "oci",
  telltale: [["lineItem/intervalUsageStart"], ["cost/myCost"], ["product/Description"], ["cost/billingUnitReadable"], ["usage/billedQuantity"]],
  required: [["cost/myCost"], ["lineItem/intervalUsageStart"]],
  relatives: [{ name: "oci-usage", column: "usage/consumedQuantityUnits" }],
  version: () => null,
  datasetKind: () => "cash-and-accrual",
  covers: "what-it-holds",
  // `reports_cost-csv_0001000000603747.csv.gz`: several a day, none of which states a row of another.
  reportNumber: (name) => /cost-csv[_-](\d{8,})/i.exec(name)?.[1] ?? null,
  survey: savedDates(["lineItem/intervalUsageStart"], ["lineItem/intervalUsageEnd"]),
  unitPrices: [{ cost: ["cost/myCost"], unitPrice: ["cost/unitPrice"], quantity: ["usage/billedQuantity"] }],
  nullTexts: nothingStated,
  charge: {
    ProviderName: constant("Oracle"),
    PublisherName: constant("Oracle"),
    InvoiceIssuerName: absent(),
    BillingAccountId: optional("lineItem/tenantId"),
    BillingAccountName: absent(),
    SubAccountId: optional("product/compartmentId"),
    SubAccountName: optional("product/compartmentName"),
    InvoiceId: absent(),
    ServiceName: optional("product/service"),
    ServiceCategory: absent(),
    ChargeCategory: constant("Usage"),
    ChargeClass: derived(["lineItem/isCorrection"], (row) => (row.text("lineItem/isCorrection")?.trim().toLowerCase() === "true" ? "Correction" : null)),
    ChargeFrequency: constant("Usage-Based"),
    ChargeDescription: optional("product/Description"),
    PricingCategory: derived(["product/Description"], (row) => (purchaseOption(row) === "spot" ? "Dynamic" : "Standard")),
    PricingUnit: optional("cost/skuUnitDescription", "cost/billingUnitReadable"),
    ConsumedUnit: optional("cost/skuUnitDescription", "cost/billingUnitReadable"),
    SkuId: optional("cost/productSku"),
    SkuPriceId: absent(),
    SkuMeter: absent(),
    ResourceId: optional("product/resourceId"),
    ResourceName: absent(),
    ResourceType: absent(),
    RegionId: optional("product/region"),
    RegionName: absent(),
    AvailabilityZone: optional("product/availabilityDomain"),
    CommitmentDiscountId: absent(),
    CommitmentDiscountName: absent(),
    CommitmentDiscountCategory: absent(),
    CommitmentDiscountType: absent(),
    CommitmentDiscountStatus: absent(),
    CapacityReservationId: absent(),
    CapacityReservationStatus: absent(),
    BillingCurrency: statedCurrency("cost/currencyCode"),
    Tags: derived(["tags/*"], (row) => canonicalTags(tagsOf(row))),
    x_LineItemType: absent(),
    x_PurchaseOption: derived(["product/Description"], purchaseOption),
    x_InstanceType: derived([], (row) => row.gpu()?.instanceType ?? null),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: derived(["tags/*"], (row) => teamOf(tagsOf(row))),
    BilledCost: money("cost/myCost"),
    EffectiveCost: money("cost/myCost"),
    ListCost: noMoney(),
    ContractedCost: noMoney(),
    ConsumedQuantity: money("usage/billedQuantity"),
    PricingQuantity: noMoney(),
    ChargePeriodStart: utcTime("lineItem/intervalUsageStart"),
    ChargePeriodEnd: utcTime("lineItem/intervalUsageEnd"),
    BillingPeriodStart: utcTime(),
    BillingPeriodEnd: utcTime(),
    GpuHours: derived(["cost/billingUnitReadable", "cost/skuUnitDescription"], (row) => {
      // `1 NONE HOURS INSTANCE`; the unit in words (`GPU Per Hour`) where that is missing.
      const block = /^\s*(\d+)\s+\S+\s+HOURS\b/i.exec(row.text("cost/billingUnitReadable") ?? "")?.[1];
      const unit = block ?? (/\bhours?\b/i.test(row.text("cost/skuUnitDescription") ?? "") ? "1" : null);
      return gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit: unit === null ? null : `${unit} Hours` }]);
    }),
    correction: absent(),
    gpu: derived(["product/service", "product/Description", "cost/billingUnitReadable", "cost/skuUnitDescription"], (row) => ({
      provider: "Oracle",
      serviceName: row.text("product/service"),
      chargeCategory: "Usage",
      skuDescription: row.text("product/Description"),
      pricingUnit: row.text("cost/skuUnitDescription"),
      consumedUnit: row.text("cost/billingUnitReadable"),
    })),
  },
};

function purchaseOption(row: DimensionRow): PurchaseOption {
  return /preemptible/i.test(row.text("product/Description") ?? "") ? "spot" : "on-demand";
}

/** `tags/<namespace>.<key>`: the key as the header spells it, with its namespace, whose last part a team is looked for in. */
function tagsOf(row: DimensionRow): Map<string, unknown> {
  const tags = new Map<string, unknown>();
  for (const { name, value } of row.startingWith("tags/")) {
    const key = /^tags\/(.+)$/i.exec(name.trim())?.[1];
    if (key !== undefined) tags.set(key.replace(/^([^.]+)\.(?=team$)/i, "$1/"), value);
  }
  return tags;
}
