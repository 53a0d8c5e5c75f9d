import type { BillingFormat } from "../format.ts";
import { savedDates } from "./date-order.ts";
import { absent, constant, derived, money, noMoney, nothingStated, optional, utcTime } from "../format.ts";

/**
 * RunPod billing history: records of pods, endpoints and network volumes as its interface answers them (docs.runpod.io, "Pod billing
 * history"), as JSON or as a table of the same names. Amounts are USD.
 *
 * hours  the time billed is that of the pod, and nothing says how many GPUs it has: GPU-hours are unknown unless a column `gpuCount` is added
 * period a record has a beginning but no end: its bucket is chosen in the question, not told in the answer
 */
export const runpod: BillingFormat = {
  id: "runpod",
  telltale: [["timeBilledMs"], ["amount"], ["gpuTypeId", "podId", "endpointId", "networkVolumeId"], ["diskSpaceBilledGb"], ["time"]],
  required: [["amount"], ["time"], ["timeBilledMs", "diskSpaceBilledGb"]],
  relatives: [],
  version: () => null,
  datasetKind: () => "cash-and-accrual",
  covers: "what-it-holds",
  nullTexts: nothingStated,
  survey: savedDates(["time"], ["endTime"]),
  charge: {
    ...perHourTable("RunPod", ["podId", "endpointId", "networkVolumeId"]),
    ServiceName: derived(["podId", "endpointId", "networkVolumeId", "gpuTypeId"], (row) =>
      row.text("endpointId") !== null ? "Serverless" : row.text("networkVolumeId") !== null ? "Network Volumes" : "Pods",
    ),
    ChargeDescription: optional("gpuTypeId"),
    SkuId: optional("gpuTypeId"),
    ConsumedUnit: constant("Milliseconds"),
    BilledCost: money("amount"),
    EffectiveCost: money("amount"),
    ConsumedQuantity: money("timeBilledMs"),
    ChargePeriodStart: utcTime("time"),
    ChargePeriodEnd: utcTime("endTime"),
    GpuHours: derived(["gpuTypeId", "gpuCount"], (row) => {
      const count = row.gpu()?.gpuCount ?? null;
      return count === null ? null : { quantity: "ConsumedQuantity", hoursAUnit: count / 3_600_000 };
    }),
    gpu: derived(["gpuTypeId", "gpuCount"], (row) =>
      row.text("gpuTypeId") === null ? null : { provider: "RunPod", chargeCategory: "Usage", gpuModel: row.text("gpuTypeId"), gpuCount: row.text("gpuCount") },
    ),
  },
};

type HourTable = Omit<BillingFormat["charge"], "ServiceName" | "ChargeDescription" | "SkuId" | "ConsumedUnit" | "BilledCost" | "EffectiveCost" | "ConsumedQuantity" | "ChargePeriodStart" | "ChargePeriodEnd" | "GpuHours" | "gpu">;

/** What hosts that rent by the hour and state little leave out, and how their rows name what they are of. */
export function perHourTable(provider: string, resources: readonly string[]): HourTable {
  return {
    ProviderName: constant(provider),
    PublisherName: constant(provider),
    InvoiceIssuerName: absent(),
    BillingAccountId: absent(),
    BillingAccountName: absent(),
    SubAccountId: absent(),
    SubAccountName: absent(),
    InvoiceId: absent(),
    ServiceCategory: constant("Compute"),
    ChargeCategory: constant("Usage"),
    ChargeClass: absent(),
    ChargeFrequency: constant("Usage-Based"),
    PricingCategory: constant("Standard"),
    PricingUnit: absent(),
    SkuPriceId: absent(),
    SkuMeter: absent(),
    ResourceId: optional(...resources),
    ResourceName: absent(),
    ResourceType: absent(),
    RegionId: absent(),
    RegionName: absent(),
    AvailabilityZone: absent(),
    CommitmentDiscountId: absent(),
    CommitmentDiscountName: absent(),
    CommitmentDiscountCategory: absent(),
    CommitmentDiscountType: absent(),
    CommitmentDiscountStatus: absent(),
    CapacityReservationId: absent(),
    CapacityReservationStatus: absent(),
    BillingCurrency: constant("USD"),
    Tags: absent(),
    x_LineItemType: absent(),
    x_PurchaseOption: constant("on-demand"),
    x_InstanceType: absent(),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: absent(),
    ListCost: noMoney(),
    ContractedCost: noMoney(),
    PricingQuantity: noMoney(),
    BillingPeriodStart: utcTime(),
    BillingPeriodEnd: utcTime(),
    correction: absent(),
  };
}
