import type { ChargeCategory, PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, DimensionCell, DimensionRow, MoneyTerm } from "../format.ts";
import { absent, constant, derived, lastDay, moneyBy, noMoney, nothingStated, optional, plus, utcTime } from "../format.ts";
import { azureSurvey } from "./azure-survey.ts";
import { statedCurrency } from "./currencies.ts";
import { gpuHoursRule } from "./hours.ts";
import { canonicalTags, parseJson, parseTags, teamOf } from "./tags.ts";

const resourceNames = ["ResourceId", "InstanceId", "InstanceName"] as const;
/** What says how a row was bought. */
const bought = ["PricingModel", "ReservationId", "benefitId", "ProductOrderId", "ChargeType", "MeterName", "MeterSubCategory"];

/**
 * Azure usage and cost exports, all of their spellings: pay-as-you-go usage, enterprise agreement, customer agreement and partner, in any
 * case, with a byte order mark, and localized with the English name in brackets (Microsoft: "Understand the terms in your Azure usage and
 * charges file"; the spellings met are in the fixtures).
 *
 * actual and amortized   have the same header. Which one a file is, its rows say (azure-survey.ts). What no commitment has to do with is the same
 *         in both, so those rows compete as one dataset (`cash-and-accrual`, both costs are the row's cost) and whichever file came last
 *         shows. Rows of commitments are of the dataset that their file is. ActualCost (`cash`): the purchase is billed and has an effective
 *         cost of 0; usage that a commitment covers is billed at its 0, its effective cost is unknown and its hours stand in the other
 *         file. AmortizedCost (`accrual`): covered usage, and what of a commitment nobody used, is billed 0 and costs what the row states.
 *         So each file can be read alone, both add up to both ledgers, and every row that is read is posted.
 * taxes   are in none of these exports, nor are credits, so that they fall short of the invoice by them
 */
export const azure: BillingFormat = {
  id: "azure",
  headerName: azureName,
  telltale: [["MeterCategory"], names("SubscriptionId"), names("Date"), names("Cost"), ["ConsumedService", "PublisherType", "ResourceLocation", "MeterId"]],
  required: [names("Cost"), names("Date")],
  relatives: [
    { name: "azure-price-sheet", column: "TierMinimumUnits" },
    { name: "azure-reservation-details", column: "ReservedHours" },
    { name: "azure-reservation-recommendations", column: "LookBackPeriod" },
  ],
  version: (columns) =>
    columns.has("customertenantid") ? "partner"
    : columns.has("costinpricingcurrency") || columns.has("pricingcurrency") ? "customer-agreement"
    : columns.has("chargetype") ? "enterprise"
    : "usage",
  datasetKind: () => "cash-and-accrual",
  datasets: {
    kinds: (facts) => (facts["dataset"] === "amortized" ? ["cash-and-accrual", "accrual"] : facts["dataset"] === "actual" ? ["cash-and-accrual", "cash"] : []),
    ofRow: derived(bought, (row) => (commitmentOf(row) === null ? "cash-and-accrual" : isAmortized(row) ? "accrual" : "cash")),
  },
  covers: "what-it-holds",
  // The effective price is in the pricing currency, where the export has one of its own.
  unitPrices: [{ cost: ["costInPricingCurrency", "Cost", "CostInBillingCurrency", "PreTaxCost"], unitPrice: ["EffectivePrice", "ResourceRate"], quantity: ["Quantity", "UsageQuantity"] }],
  nullTexts: nothingStated,
  survey: azureSurvey,
  charge: {
    ProviderName: constant("Microsoft"),
    PublisherName: optional("PublisherName"),
    InvoiceIssuerName: optional("partnerName", "resellerName"),
    BillingAccountId: optional("BillingAccountId"),
    BillingAccountName: optional("BillingAccountName"),
    SubAccountId: optional(...names("SubscriptionId")),
    SubAccountName: optional("SubscriptionName"),
    InvoiceId: optional("invoiceId"),
    ServiceName: optional("MeterCategory", "ConsumedService"),
    ServiceCategory: derived(["ServiceFamily"], (row) => serviceCategory(row.text("ServiceFamily"))),
    ChargeCategory: derived(["ChargeType"], (row) => chargeType(row).category),
    ChargeClass: derived(["ChargeType"], (row) => (isWord(row.text("ChargeType"), "refund") ? "Correction" : null)),
    ChargeFrequency: derived(["Frequency"], (row) => frequencies[word(row.text("Frequency"))] ?? null),
    ChargeDescription: optional("Product", "ProductName", "MeterName"),
    PricingCategory: derived(bought, (row) => (chargeType(row).category !== "Usage" ? null : commitmentOf(row) !== null ? "Committed" : isSpot(row) ? "Dynamic" : "Standard")),
    PricingUnit: optional("UnitOfMeasure"),
    ConsumedUnit: optional("UnitOfMeasure"),
    SkuId: optional("MeterId"),
    SkuPriceId: optional("PartNumber", "ProductId"),
    SkuMeter: optional("MeterName"),
    ResourceId: optional(...resourceNames),
    // A machine of a scale set has its own name beside that of the set.
    ResourceName: derived(["AdditionalInfo", "ResourceName", ...resourceNames], (row) => infoText(row, "VMName") ?? row.text("ResourceName") ?? lastPart(row.text(...resourceNames))),
    ResourceType: optional("ResourceType", "ConsumedService"),
    RegionId: optional("ResourceLocation", "Location", "ResourceLocationNormalized"),
    RegionName: optional("MeterRegion"),
    AvailabilityZone: optional("AvailabilityZone"),
    CommitmentDiscountId: derived(bought, (row) => (commitmentOf(row) === null ? null : row.text("benefitId", "ReservationId", "ProductOrderId"))),
    CommitmentDiscountName: derived([...bought, "benefitName", "ReservationName"], (row) => (commitmentOf(row) === null ? null : row.text("benefitName", "ReservationName"))),
    CommitmentDiscountCategory: byCommitment("Usage", "Spend"),
    CommitmentDiscountType: byCommitment("Reservation", "Savings Plan"),
    CommitmentDiscountStatus: derived(bought, (row) => {
      if (commitmentOf(row) === null || chargeType(row).category !== "Usage") return null;
      return chargeType(row).isUnused ? "Unused" : "Used";
    }),
    CapacityReservationId: derived(["AdditionalInfo"], (row) => infoText(row, "VMCapacityReservationId")),
    CapacityReservationStatus: absent(),
    BillingCurrency: statedCurrency("BillingCurrencyCode", "BillingCurrency", "Currency", "CurrencyCode"),
    Tags: derived(["Tags"], (row) => {
      const stated = row.text("Tags");
      const tags = stated === null ? null : parseTags(stated);
      if (stated !== null && tags === null) row.repaired("tags-unreadable");
      return tags === null ? null : canonicalTags(tags);
    }),
    x_LineItemType: optional("ChargeType"),
    x_PurchaseOption: derived(bought, purchaseOption),
    x_InstanceType: derived(["AdditionalInfo"], (row) => row.gpu()?.instanceType ?? infoText(row, "ServiceType")),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: derived(["Tags"], (row) => {
      const stated = row.text("Tags");
      const tags = stated === null ? null : parseTags(stated);
      return tags === null ? null : teamOf(tags);
    }),
    BilledCost: moneyBy(ledgerCell(), { "accrual-covered": [], otherwise: cost() }),
    EffectiveCost: moneyBy(ledgerCell(), { "cash-covered": null, "cash-bought": [], otherwise: cost() }),
    ListCost: moneyBy(derived(["pricingCurrency", "BillingCurrency", ...bought], listCase), {
      stated: [plus("paygCostInBillingCurrency")],
      price: [{ ...plus("PayGPrice", "MarketPrice"), times: ["Quantity", "UsageQuantity"] }],
      otherwise: null,
    }),
    ContractedCost: noMoney(),
    ConsumedQuantity: moneyBy(derived(bought, (row) => (isCounted(row) ? "usage" : "none")), {
      usage: [plus("Quantity", "UsageQuantity", "ConsumedQuantity")],
      otherwise: null,
    }),
    PricingQuantity: noMoney(),
    ChargePeriodStart: utcTime(...names("Date")),
    // Rows are of a day and name it.
    ChargePeriodEnd: lastDay(...names("Date")),
    BillingPeriodStart: utcTime("BillingPeriodStartDate", "BillingPeriodStart"),
    BillingPeriodEnd: lastDay("BillingPeriodEndDate", "BillingPeriodEnd"),
    GpuHours: derived(["UnitOfMeasure", "AdditionalInfo", ...bought], (row) => {
      if (!isCounted(row) || row.gpu() === null) return null;
      const unit = row.text("UnitOfMeasure") ?? (isWord(infoText(row, "UsageType"), "computehr") ? "1 Hour" : null);
      const block = /^\s*(\d+)\s*(?:hours?|hrs?)\s*$/i.exec(unit ?? "")?.[1];
      if (block === undefined || block === "1") return gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit }]);
      if (row.fact("hourQuantities") === "hours") return gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit: "1 Hour" }]);
      row.repaired("quantity-blocks-unclear");
      return null;
    }),
    correction: absent(),
    gpu: derived(
      ["MeterCategory", "ConsumedService", "ChargeType", "AdditionalInfo", "MeterName", "Product", "ProductName", "MeterSubCategory", "ProductOrderName", "UnitOfMeasure", ...bought],
      (row) => ({
        provider: "azure",
        serviceName: row.text("MeterCategory", "ConsumedService"),
        chargeCategory: chargeType(row).category,
        pricingCategory: isSpot(row) ? "Dynamic" : commitmentOf(row) === null ? null : "Committed",
        commitmentDiscountStatus: chargeType(row).isUnused ? "Unused" : null,
        lineItemType: row.text("ChargeType"),
        instanceType: infoText(row, "ServiceType"),
        skuMeter: row.text("MeterName"),
        skuDescription: row.text("MeterSubCategory"),
        chargeDescription: row.text("Product", "ProductName", "ProductOrderName"),
        skuDetails: info(row),
        pricingUnit: row.text("UnitOfMeasure"),
      }),
    ),
  },
};

/** `Abonnement-GUID (SubscriptionGuid)`: localized files keep the English name in brackets, of either width; some put it before them. */
function azureName(name: string): string {
  return /[(（]\s*([A-Za-z][A-Za-z0-9 _]*?)\s*[)）]\s*$/.exec(name)?.[1] ?? /^\s*([A-Za-z][A-Za-z0-9 _]*?)\s*[(（].*\P{ASCII}.*[)）]\s*$/u.exec(name)?.[1] ?? name;
}

/** The spellings of the columns that every family has; of two in one file the first here is taken. */
function names(column: "SubscriptionId" | "Date" | "Cost"): readonly string[] {
  if (column === "SubscriptionId") return ["SubscriptionId", "SubscriptionGuid"];
  if (column === "Date") return ["Date", "UsageDateTime", "UsageDate"];
  return ["CostInBillingCurrency", "Cost", "PreTaxCost"];
}

function cost(): readonly MoneyTerm[] {
  return [plus(...names("Cost"))];
}

function isAmortized(row: DimensionRow): boolean {
  return row.fact("dataset") === "amortized";
}

/** Which of the two datasets, and whether a commitment pays for the row or is bought by it. */
function ledgerCell(): DimensionCell<string> {
  return derived(bought, (row) => {
    if (commitmentOf(row) === null) return "plain";
    const { category } = chargeType(row);
    if (category === "Purchase") return isAmortized(row) ? "plain" : "cash-bought";
    if (category !== "Usage") return "plain";
    if (!isAmortized(row)) row.repaired("covered-usage-unpriced");
    return isAmortized(row) ? "accrual-covered" : "cash-covered";
  });
}

/**
 * What a row would cost without any agreement: as stated, else the pay-as-you-go price times the quantity, where both are in one currency.
 * What nobody used, and what only the AmortizedCost file counts, has none.
 */
function listCase(row: DimensionRow): string {
  if (!isCounted(row)) return "none";
  if (row.has("paygCostInBillingCurrency")) return "stated";
  const pricing = row.text("pricingCurrency");
  return pricing === null || pricing === row.text("BillingCurrency") ? "price" : "none";
}

/** Whether a row's quantity is usage of its own: not what nobody used, and not what the AmortizedCost file counts. */
function isCounted(row: DimensionRow): boolean {
  const { category, isUnused } = chargeType(row);
  return category === "Usage" && !isUnused && (commitmentOf(row) === null || isAmortized(row));
}

const chargeTypes: Readonly<Record<string, { readonly category: ChargeCategory; readonly isUnused: boolean }>> = {
  usage: { category: "Usage", isUnused: false },
  purchase: { category: "Purchase", isUnused: false },
  refund: { category: "Purchase", isUnused: false },
  tax: { category: "Tax", isUnused: false },
  credit: { category: "Credit", isUnused: false },
  unusedreservation: { category: "Usage", isUnused: true },
  unusedsavingsplan: { category: "Usage", isUnused: true },
  roundingadjustment: { category: "Adjustment", isUnused: false },
  adjustment: { category: "Adjustment", isUnused: false },
};

/** A file without the column holds usage alone. */
function chargeType(row: DimensionRow): { readonly category: ChargeCategory; readonly isUnused: boolean } {
  const stated = word(row.text("ChargeType"));
  const known = chargeTypes[stated === "" ? "usage" : stated];
  if (known === undefined) row.repaired("charge-type-unknown");
  return known ?? { category: "Usage", isUnused: false };
}

/** The kind of commitment that a row is about; its id decides where an older file has no PricingModel. */
function commitmentOf(row: DimensionRow): "reservation" | "savings-plan" | null {
  const model = word(row.text("PricingModel"));
  if (model === "reservation") return "reservation";
  if (model === "savingsplan") return "savings-plan";
  if (model !== "") return null;
  const benefit = row.text("benefitId") ?? "";
  if (/\/microsoft\.billingbenefits\//i.test(benefit) || word(row.text("ChargeType")) === "unusedsavingsplan") return "savings-plan";
  return benefit !== "" || row.text("ReservationId") !== null || word(row.text("ChargeType")) === "unusedreservation" ? "reservation" : null;
}

function byCommitment<T>(reservation: T, savingsPlan: T): DimensionCell<T | null> {
  return derived(bought, (row) => {
    const commitment = commitmentOf(row);
    return commitment === null ? null : commitment === "reservation" ? reservation : savingsPlan;
  });
}

function isSpot(row: DimensionRow): boolean {
  return word(row.text("PricingModel")) === "spot" || /\b(?:spot|low priority)\s*$/i.test(row.text("MeterName") ?? "");
}

function purchaseOption(row: DimensionRow): PurchaseOption | null {
  const { category } = chargeType(row);
  if (category !== "Usage" && category !== "Purchase") return null;
  return commitmentOf(row) ?? (category === "Purchase" ? null : isSpot(row) ? "spot" : "on-demand");
}

const frequencies: Readonly<Record<string, string>> = { usagebased: "Usage-Based", recurring: "Recurring", onetime: "One-Time" };

const families: Readonly<Record<string, string>> = {
  compute: "Compute",
  storage: "Storage",
  networking: "Networking",
  databases: "Databases",
  aimachinelearning: "AI and Machine Learning",
  analytics: "Analytics",
  security: "Security",
  web: "Web",
};

function serviceCategory(family: string | null): string | null {
  return family === null ? null : (families[word(family)] ?? "Other");
}

function info(row: DimensionRow): Record<string, unknown> | null {
  const stated = row.text("AdditionalInfo");
  if (stated === null) return null;
  const parsed = parseJson(stated) ?? parseJson(`{${stated}}`);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, unknown>) : null;
}

function infoText(row: DimensionRow, key: string): string | null {
  const value = info(row)?.[key];
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function lastPart(id: string | null): string | null {
  const part = id?.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return part === "" ? null : part;
}

/** Letters and digits alone, lower case: `Usage Based` is `UsageBased`. */
function word(text: string | null): string {
  return (text ?? "").toLowerCase().replace(/[^a-z0-9]+/g, "");
}

function isWord(text: string | null, wanted: string): boolean {
  return word(text) === wanted;
}
