import type { PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, DimensionCell, DimensionRow, MoneyTerm } from "../format.ts";
import { absent, canonicalName, constant, currency, derived, minus, moneyBy, noMoney, nothingStated, optional, plus, plusIfStated, required, utcTime } from "../format.ts";
import { byKind, kindCell, kindOf, kinds } from "./aws-line-items.ts";
import { savedDates } from "./date-order.ts";
import { gpuHoursRule } from "./hours.ts";
import { canonicalTags, parseJson, parseTags, teamOf } from "./tags.ts";

/**
 * The AWS Cost and Usage Report: legacy with `category/Name` headers, the same names in snake_case (Athena), both mixed, and CUR 2.0 of Data
 * Exports, where product attributes, tags and discounts are maps in JSON (`product`, `resource_tags`) beside a few flat columns.
 *
 * costs   by lineItem/LineItemType, as AWS's own Cloud Intelligence Dashboards define them (summary_view.sql): billed is the unblended
 *         cost, effective the amortized one. Where the report has a Net… twin and the row states it (accounts whose discounts stand on
 *         the usage row itself), the twin is taken.
 * split   rows of split cost allocation (EKS pods, ECS tasks) repeat money that stands on the instance's row: they are kept without costs
 */
export const awsCur: BillingFormat = {
  id: "aws-cur",
  telltale: [["lineItem/LineItemType"], ["lineItem/UnblendedCost"], ["lineItem/UsageStartDate"], ["bill/BillingPeriodStartDate"]],
  required: [["lineItem/LineItemType"], ["lineItem/UnblendedCost"], ["lineItem/UsageStartDate"], ["lineItem/CurrencyCode"]],
  relatives: [],
  version: (columns) => (columns.has("product") || columns.has("resourcetags") ? "2.0" : "legacy"),
  datasetKind: () => "cash-and-accrual",
  covers: "account-and-period",
  survey: savedDates(["lineItem/UsageStartDate"], ["lineItem/UsageEndDate"], ["bill/BillingPeriodStartDate"], ["bill/BillingPeriodEndDate"]),
  nullTexts: nothingStated,
  charge: {
    ProviderName: constant("AWS"),
    PublisherName: optional("lineItem/LegalEntity"),
    InvoiceIssuerName: optional("bill/InvoicingEntity"),
    BillingAccountId: optional("bill/PayerAccountId"),
    BillingAccountName: optional("bill/PayerAccountName"),
    SubAccountId: optional("lineItem/UsageAccountId"),
    SubAccountName: optional("lineItem/UsageAccountName"),
    InvoiceId: optional("bill/InvoiceId"),
    ServiceName: derived(["product/ProductName", "product/servicename", "product", "lineItem/ProductCode"], serviceName),
    ServiceCategory: absent(),
    ChargeCategory: byKind((kind) => kinds[kind].category),
    ChargeClass: absent(),
    ChargeFrequency: byKind((kind) => kinds[kind].frequency),
    ChargeDescription: optional("lineItem/LineItemDescription"),
    PricingCategory: byKind((kind, row) => {
      if (kinds[kind].category !== "Usage") return null;
      return purchaseOption(row) === "on-demand" ? "Standard" : purchaseOption(row) === "spot" ? "Dynamic" : "Committed";
    }),
    PricingUnit: optional("pricing/unit"),
    ConsumedUnit: optional("pricing/unit"),
    SkuId: optional("product/sku"),
    SkuPriceId: optional("pricing/RateCode"),
    SkuMeter: optional("lineItem/UsageType"),
    ResourceId: optional("lineItem/ResourceId"),
    // The console shows the tag Name as the name of a machine.
    ResourceName: derived(["resourceTags*"], (row) => {
      const name = row.text("resourceTags/user:Name") ?? tagsOf(row).get("user_name");
      return typeof name === "string" ? name : null;
    }),
    ResourceType: derived(["product/productFamily", "product"], (row) => productText(row, "productFamily")),
    RegionId: derived(["product/regionCode", "product/region", "product"], (row) => productText(row, "regionCode") ?? productText(row, "region")),
    RegionName: derived(["product/location", "product"], (row) => productText(row, "location")),
    AvailabilityZone: optional("lineItem/AvailabilityZone"),
    CommitmentDiscountId: optional("savingsPlan/SavingsPlanARN", "reservation/ReservationARN"),
    CommitmentDiscountName: absent(),
    CommitmentDiscountCategory: byCommitment("Spend", "Usage"),
    CommitmentDiscountType: byCommitment("Savings Plan", "Reserved Instance"),
    // The effective cost of a commitment's fee row is its unused part, and nothing else.
    CommitmentDiscountStatus: byKind((kind) => kinds[kind].commitmentStatus),
    CapacityReservationId: derived(["lineItem/UsageType", "lineItem/ResourceId"], (row) => (isUnusedCapacity(row) ? row.text("lineItem/ResourceId") : null)),
    CapacityReservationStatus: derived(["lineItem/UsageType"], (row) => (isUnusedCapacity(row) ? "Unused" : null)),
    BillingCurrency: currency("lineItem/CurrencyCode"),
    Tags: derived(["resourceTags*"], (row) => canonicalTags(tagsOf(row))),
    x_LineItemType: required("required", "lineItem/LineItemType"),
    x_PurchaseOption: byKind((kind, row) => (kinds[kind].isBought ? purchaseOption(row) : null)),
    x_InstanceType: derived(["product/instanceType", "product"], (row) => row.gpu()?.instanceType ?? productText(row, "instanceType")),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: derived(["resourceTags*"], (row) => teamOf(tagsOf(row))),
    BilledCost: moneyBy(kindCell(), { split: null, otherwise: unblended() }),
    EffectiveCost: moneyBy(kindCell(), {
      DiscountedUsage: [plus("reservation/NetEffectiveCost", "reservation/EffectiveCost")],
      RIFee: [
        plusIfStated("reservation/NetUnusedAmortizedUpfrontFeeForBillingPeriod", "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod"),
        plusIfStated("reservation/NetUnusedRecurringFee", "reservation/UnusedRecurringFee"),
      ],
      reservationUpfront: [],
      SavingsPlanCoveredUsage: [plus("savingsPlan/NetSavingsPlanEffectiveCost", "savingsPlan/SavingsPlanEffectiveCost")],
      SavingsPlanNegation: [],
      SavingsPlanRecurringFee: [plus("savingsPlan/TotalCommitmentToDate"), minus("savingsPlan/UsedCommitment")],
      SavingsPlanUpfrontFee: [],
      commitmentRefund: [],
      split: null,
      otherwise: unblended(),
    }),
    ListCost: moneyBy(kindCell(), {
      Usage: listed(),
      DiscountedUsage: listed(),
      SavingsPlanCoveredUsage: listed(),
      SavingsPlanNegation: [],
      discount: [],
      fee: gross(),
      Credit: gross(),
      Refund: gross(),
      commitmentRefund: gross(),
      Tax: gross(),
      FlatRateSubscription: gross(),
      otherwise: null,
    }),
    ContractedCost: noMoney(),
    ConsumedQuantity: moneyBy(kindCell(), {
      Usage: usageAmount(),
      DiscountedUsage: usageAmount(),
      SavingsPlanCoveredUsage: usageAmount(),
      FlatRateSubscription: usageAmount(),
      otherwise: null,
    }),
    PricingQuantity: noMoney(),
    ChargePeriodStart: utcTime("lineItem/UsageStartDate"),
    ChargePeriodEnd: utcTime("lineItem/UsageEndDate"),
    BillingPeriodStart: utcTime("bill/BillingPeriodStartDate"),
    BillingPeriodEnd: utcTime("bill/BillingPeriodEndDate"),
    GpuHours: derived(["pricing/unit", "lineItem/UsageType"], (row) => {
      if (!kinds[kindOf(row)].countsUsage) return null;
      // Spot rows may come without pricing attributes: a usage type that counts machine hours says the unit by itself.
      const unit = row.text("pricing/unit") ?? (/(?:BoxUsage|SpotUsage|DedicatedUsage|UnusedBox|UnusedDed)/.test(row.text("lineItem/UsageType") ?? "") ? "Hrs" : null);
      return gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit }]);
    }),
    correction: absent(),
    gpu: derived(
      ["product/ProductName", "product/servicename", "product", "lineItem/ProductCode", "product/instanceType", "lineItem/UsageType", "lineItem/LineItemDescription", "product/gpu", "pricing/unit"],
      (row) => ({
        provider: "aws",
        serviceName: serviceName(row),
        chargeCategory: kinds[kindOf(row)].category,
        pricingCategory: null,
        commitmentDiscountStatus: kinds[kindOf(row)].commitmentStatus,
        capacityReservationStatus: isUnusedCapacity(row) ? "Unused" : null,
        lineItemType: row.text("lineItem/LineItemType"),
        instanceType: productText(row, "instanceType"),
        usageType: row.text("lineItem/UsageType"),
        chargeDescription: row.text("lineItem/LineItemDescription"),
        pricingUnit: row.text("pricing/unit"),
        gpuCount: productText(row, "gpu"),
      }),
    ),
  },
};

function byCommitment<T>(savingsPlan: T, reservation: T): DimensionCell<T | null> {
  return derived(["savingsPlan/SavingsPlanARN", "reservation/ReservationARN"], (row) =>
    row.text("savingsPlan/SavingsPlanARN") !== null ? savingsPlan : row.text("reservation/ReservationARN") !== null ? reservation : null,
  );
}

function serviceName(row: DimensionRow): string | null {
  return productText(row, "ProductName") ?? productText(row, "servicename") ?? row.text("lineItem/ProductCode");
}

/** A product attribute: a column of its own, or a key of the map (`instance_type`). */
function productText(row: DimensionRow, attribute: string): string | null {
  const flat = row.text(`product/${attribute}`);
  const stated = flat === null ? row.text("product") : null;
  if (stated === null) return flat;
  const wanted = canonicalName(attribute);
  for (const [key, value] of parseTags(stated) ?? []) if (canonicalName(key) === wanted && typeof value === "string" && value !== "") return value;
  return null;
}

/** In the order of AWS's own dashboards: savings plan, reservation, spot by the usage type, else on demand. */
function purchaseOption(row: DimensionRow): PurchaseOption {
  if (/CapacityBlock/i.test(row.text("lineItem/UsageType") ?? "")) return "capacity-block";
  if (row.text("savingsPlan/SavingsPlanARN") !== null || /^SavingsPlan/.test(row.text("lineItem/LineItemType") ?? "")) return "savings-plan";
  if (row.text("reservation/ReservationARN") !== null || /^(?:DiscountedUsage|RIFee)$/.test(row.text("lineItem/LineItemType") ?? "")) return "reservation";
  return /Spot/.test(row.text("lineItem/UsageType") ?? "") ? "spot" : "on-demand";
}

/** An on-demand capacity reservation that nothing ran in. */
function isUnusedCapacity(row: DimensionRow): boolean {
  return /(?:^|-)Unused(?:Box|Ded)\b/.test(row.text("lineItem/UsageType") ?? "");
}

/** Tags under the keys that the header spells (`user:team`); a report with a map column has them as JSON. */
function tagsOf(row: DimensionRow): Map<string, unknown> {
  const tags = new Map<string, unknown>();
  for (const { name, value } of row.startingWith("resourceTags")) {
    const key = /^resource_?tags[/_](.+)$/i.exec(name)?.[1];
    if (key !== undefined) tags.set(key, value);
    else if (parseJson(value) !== null) for (const [mapped, text] of parseTags(value) ?? []) tags.set(mapped, text);
  }
  return tags;
}

function unblended(): readonly MoneyTerm[] {
  return [plus("lineItem/NetUnblendedCost", "lineItem/UnblendedCost")];
}
function gross(): readonly MoneyTerm[] {
  return [plus("lineItem/UnblendedCost")];
}
function listed(): readonly MoneyTerm[] {
  return [plus("pricing/publicOnDemandCost")];
}
function usageAmount(): readonly MoneyTerm[] {
  return [plus("lineItem/UsageAmount")];
}
