import type { ChargeCategory, PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, DimensionRow, MoneyTerm } from "../format.ts";
import { absent, constant, derived, moneyBy, nothingStated, optional, plus, plusIfStated, utcTime } from "../format.ts";
import { statedCurrency } from "./currencies.ts";
import { savedDates } from "./date-order.ts";
import { creditAmounts, creditsBesideCommitments, negotiatedCredits } from "./gcp-credits.ts";
import { gpuHoursRule } from "./hours.ts";
import type { Literal } from "./literals.ts";
import { isLiteralObject, literalText, parseLiteral } from "./literals.ts";
import { canonicalTags, teamOf } from "./tags.ts";

const kindColumns = ["cost_type", "sku.description"];
const tagColumns = ["labels", "project.labels", "tags"];
const machineColumns = ["system_labels"];
const modelColumns = ["consumption_model.id", "consumption_model.description"];

/**
 * Google Cloud's billing export, standard and detailed, as people take it out of BigQuery: CSV with the nested names flattened by a query
 * (dots, underscores or spaces), or a JSON object a line (docs.cloud.google.com, "Structure of Detailed data export").
 *
 * costs   billed is `cost` and every element of `credits`, by which it ties to the invoice. Effective is the same under spend-based
 *         commitments, where each row's cost and credits are what it costs and the fee's row is offset by FEE_UTILIZATION_OFFSET. Of the
 *         older commitments effective is read before their credits; once the whole delivery is read, the credits are taken off and the
 *         day's fees put in their place, and what a fee keeps is the unused part (import/commitment-fees.ts; opencost PR 2296).
 *         Contracted is `cost` and what was negotiated (gcp-credits.ts); list is `cost_at_list`, where the export has it.
 * month   `invoice.month`, which is not the month of use: invoices follow Pacific time and late usage. Without it, the Pacific month of use.
 * GPUs    are rows of their own, in GPU-hours, beside the processor and memory rows of the same machine, so no hour counts twice
 */
export const gcp: BillingFormat = {
  id: "gcp",
  telltale: [["sku.description"], ["service.description"], ["usage_start_time"], ["cost"], ["project.id", "billing_account_id"], ["usage.pricing_unit", "cost_type", "invoice.month"]],
  required: [["cost"], ["usage_start_time"]],
  relatives: [
    { name: "gcp-pricing", column: "pricing_as_of_time" },
    { name: "gcp-cud-subscriptions", column: "subscription_instance_id" },
  ],
  version: (columns) => (columns.has("resourceglobalname") || columns.has("resourcename") ? "detailed" : "standard"),
  datasetKind: () => "cash-and-accrual",
  covers: "what-it-holds",
  survey: savedDates(["usage_start_time"], ["usage_end_time"]),
  nullTexts: nothingStated,
  monthOf: pacificMonth,
  charge: {
    ProviderName: constant("Google Cloud"),
    PublisherName: optional("seller_name"),
    InvoiceIssuerName: absent(),
    BillingAccountId: optional("billing_account_id"),
    BillingAccountName: optional("billing_account_name"),
    SubAccountId: optional("project.id"),
    SubAccountName: optional("project.name"),
    InvoiceId: absent(),
    ServiceName: optional("service.description"),
    ServiceCategory: absent(),
    ChargeCategory: derived(kindColumns, categoryOf),
    ChargeClass: derived(["cost_type"], (row) => (row.text("cost_type")?.trim().toLowerCase() === "adjustment" ? "Correction" : null)),
    ChargeFrequency: derived(kindColumns, (row) => (categoryOf(row) === "Usage" ? "Usage-Based" : categoryOf(row) === "Purchase" ? "Recurring" : null)),
    ChargeDescription: optional("sku.description"),
    PricingCategory: derived([...kindColumns, ...modelColumns], (row) => {
      if (categoryOf(row) !== "Usage") return null;
      const option = purchaseOption(row);
      return option === "spot" ? "Dynamic" : option === "on-demand" ? "Standard" : "Committed";
    }),
    PricingUnit: optional("usage.pricing_unit", "price.unit"),
    ConsumedUnit: optional("usage.unit"),
    SkuId: optional("sku.id"),
    SkuPriceId: absent(),
    SkuMeter: optional("sku.description"),
    ResourceId: optional("resource.global_name", "resource.name"),
    ResourceName: optional("resource.name"),
    ResourceType: absent(),
    RegionId: optional("location.region", "location.location"),
    RegionName: optional("location.location"),
    AvailabilityZone: optional("location.zone"),
    CommitmentDiscountId: optional("subscription.instance_id"),
    CommitmentDiscountName: absent(),
    CommitmentDiscountCategory: absent(),
    CommitmentDiscountType: absent(),
    // What a fee keeps once its use is taken off: the unused part, as on the fees of AWS.
    CommitmentDiscountStatus: derived(kindColumns, (row) => (categoryOf(row) === "Purchase" ? "Unused" : null)),
    CapacityReservationId: absent(),
    CapacityReservationStatus: derived(machineColumns, (row) => (isUnusedReservation(row) ? "Unused" : null)),
    BillingCurrency: statedCurrency("currency"),
    Tags: derived(tagColumns, (row) => canonicalTags(tagsOf(row))),
    x_LineItemType: optional("cost_type"),
    x_PurchaseOption: derived([...kindColumns, ...modelColumns], (row) => (categoryOf(row) === "Usage" || categoryOf(row) === "Purchase" ? purchaseOption(row) : null)),
    x_InstanceType: derived(machineColumns, (row) => row.gpu()?.instanceType ?? machineOf(row)),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: derived(tagColumns, (row) => teamOf(tagsOf(row))),
    BilledCost: moneyBy(constant("net"), { net: net(), otherwise: null }),
    EffectiveCost: moneyBy(
      derived([...kindColumns, ...modelColumns], (row) => {
        if (categoryOf(row) === "Purchase") row.repaired("commitment-fee-spread");
        return categoryOf(row) === "Usage" && !isPricedByModel(row) ? "besideCommitments" : "net";
      }),
      { besideCommitments: net(creditsBesideCommitments), net: net(), otherwise: null },
    ),
    ListCost: moneyBy(constant("list"), { list: [plus("cost_at_list")], otherwise: null }),
    ContractedCost: moneyBy(constant("contracted"), { contracted: [plus("cost"), { ...plusIfStated("credits"), amounts: negotiatedCredits }], otherwise: null }),
    ConsumedQuantity: moneyBy(derived(kindColumns, (row) => categoryOf(row)), { Usage: [plus("usage.amount")], otherwise: null }),
    PricingQuantity: moneyBy(derived(kindColumns, (row) => categoryOf(row)), { Usage: [plus("usage.amount_in_pricing_units")], Purchase: [plusIfStated("usage.amount_in_pricing_units")], otherwise: null }),
    ChargePeriodStart: utcTime("usage_start_time"),
    ChargePeriodEnd: utcTime("usage_end_time"),
    BillingPeriodStart: { columns: ["invoice.month"], states: "month" },
    BillingPeriodEnd: { columns: ["invoice.month"], states: "month-end" },
    GpuHours: derived([...kindColumns, "usage.pricing_unit", "usage.unit"], (row) => {
      if (categoryOf(row) !== "Usage") return null;
      return gpuHoursRule(row.gpu(), [
        { quantity: "PricingQuantity", unit: row.text("usage.pricing_unit") },
        { quantity: "ConsumedQuantity", unit: row.text("usage.unit") },
      ]);
    }),
    correction: absent(),
    gpu: derived(["service.description", "sku.description", "usage.pricing_unit", ...machineColumns, ...kindColumns], (row) => ({
      provider: "Google Cloud",
      serviceName: row.text("service.description"),
      chargeCategory: categoryOf(row),
      pricingCategory: null,
      commitmentDiscountStatus: null,
      capacityReservationStatus: isUnusedReservation(row) ? "Unused" : null,
      instanceType: machineOf(row),
      skuDescription: row.text("sku.description"),
      pricingUnit: row.text("usage.pricing_unit"),
    })),
  },
};

function net(amounts = creditAmounts): readonly MoneyTerm[] {
  return [plus("cost"), { ...plusIfStated("credits"), amounts }, plusIfStated("credits_total", "total_credits", "credits_amount", "credit_amount")];
}

const costTypes: Readonly<Record<string, ChargeCategory>> = { regular: "Usage", tax: "Tax", adjustment: "Adjustment", rounding_error: "Adjustment", "rounding error": "Adjustment" };

function categoryOf(row: DimensionRow): ChargeCategory {
  const stated = row.text("cost_type")?.trim().toLowerCase() ?? "regular";
  const category = costTypes[stated];
  if (category === undefined) row.repaired("charge-type-unknown");
  if (category !== undefined && category !== "Usage") return category;
  return isCommitmentFee(row) ? "Purchase" : "Usage";
}

/** `Commitment v1: Nvidia H100 80GB in …`, `Commitment - dollar based v1: …`. */
function isCommitmentFee(row: DimensionRow): boolean {
  return /^\s*commitment\b/i.test(row.text("sku.description") ?? "");
}

function purchaseOption(row: DimensionRow): PurchaseOption {
  const sku = row.text("sku.description") ?? "";
  if (/^\s*(?:spot )?preemptible\b|attached to spot|\bspot\b/i.test(sku)) return "spot";
  if (/calendar mode/i.test(sku)) return "capacity-block";
  if (isCommitmentFee(row)) return "commitment";
  return isPricedByModel(row) ? "commitment" : "on-demand";
}

/** Under the spend-based commitments of today a covered row is priced by its consumption model. */
function isPricedByModel(row: DimensionRow): boolean {
  const model = row.text("consumption_model.description", "consumption_model.id") ?? "";
  return model !== "" && !/default/i.test(model);
}

function entriesOf(text: string | null): Map<string, unknown> {
  const entries = new Map<string, unknown>();
  const parsed = text === null ? null : parseLiteral(text);
  if (isLiteralObject(parsed)) for (const [key, value] of parsed) entries.set(key, literalText(value) ?? value ?? true);
  if (!Array.isArray(parsed)) return entries;
  for (const item of parsed as readonly Literal[]) {
    if (!isLiteralObject(item)) continue;
    const key = literalText(item.get("key"));
    if (key !== null) entries.set(key, literalText(item.get("value")) ?? true);
  }
  return entries;
}

/** A row's own labels before those of its project; tags of the resource manager last. */
function tagsOf(row: DimensionRow): Map<string, unknown> {
  const tags = new Map<string, unknown>();
  for (const column of ["tags", "project.labels", "labels"]) for (const [key, value] of entriesOf(row.text(column))) tags.set(key, value);
  return tags;
}

function systemLabel(row: DimensionRow, name: string): string | null {
  const value = entriesOf(row.text("system_labels")).get(`compute.googleapis.com/${name}`);
  return typeof value === "string" && value !== "" ? value : null;
}

function machineOf(row: DimensionRow): string | null {
  return systemLabel(row, "machine_spec");
}

function isUnusedReservation(row: DimensionRow): boolean {
  return systemLabel(row, "is_unused_reservation")?.toLowerCase() === "true";
}

/** Months since year 0 in Los Angeles. At the turn of a month it is 7 hours behind from April to November, else 8: summer time has lasted so since 2007. */
function pacificMonth(seconds: number): number {
  const turn = new Date((seconds + 12 * 3600) * 1000).getUTCMonth();
  const local = new Date((seconds - (turn >= 3 && turn <= 10 ? 7 : 8) * 3600) * 1000);
  return local.getUTCFullYear() * 12 + local.getUTCMonth();
}
