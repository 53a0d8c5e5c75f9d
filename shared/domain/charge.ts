/** How a charge was bought, derived while reading (formats of each provider say how). */
export type PurchaseOption = "on-demand" | "spot" | "reservation" | "savings-plan" | "commitment" | "capacity-block" | "other";

export const chargeCategories = ["Usage", "Purchase", "Tax", "Credit", "Adjustment"] as const;
export type ChargeCategory = (typeof chargeCategories)[number];

/** What a delivery holds: both ledgers, cash only, accrual only, or usage without money. */
export const datasetKinds = ["cash-and-accrual", "cash", "accrual", "usage"] as const;
export type DatasetKind = (typeof datasetKinds)[number];

/**
 * Every dimension of a charge that the ledger keeps, stored once (table `series`). FOCUS spelling; our own begin with x_.
 * Absent is null. Tags is JSON text of an object, keys sorted.
 */
export interface Series {
  readonly ProviderName: string | null;
  readonly PublisherName: string | null;
  readonly InvoiceIssuerName: string | null;
  readonly BillingAccountId: string | null;
  readonly BillingAccountName: string | null;
  readonly SubAccountId: string | null;
  readonly SubAccountName: string | null;
  readonly InvoiceId: string | null;
  readonly ServiceName: string | null;
  readonly ServiceCategory: string | null;
  readonly ChargeCategory: ChargeCategory;
  readonly ChargeClass: string | null;
  readonly ChargeFrequency: string | null;
  readonly ChargeDescription: string | null;
  readonly PricingCategory: string | null;
  readonly PricingUnit: string | null;
  readonly ConsumedUnit: string | null;
  readonly SkuId: string | null;
  readonly SkuPriceId: string | null;
  readonly SkuMeter: string | null;
  readonly ResourceId: string | null;
  readonly ResourceName: string | null;
  readonly ResourceType: string | null;
  readonly RegionId: string | null;
  readonly RegionName: string | null;
  readonly AvailabilityZone: string | null;
  readonly CommitmentDiscountId: string | null;
  readonly CommitmentDiscountName: string | null;
  readonly CommitmentDiscountCategory: string | null;
  readonly CommitmentDiscountType: string | null;
  readonly CommitmentDiscountStatus: string | null;
  readonly CapacityReservationId: string | null;
  readonly CapacityReservationStatus: string | null;
  readonly BillingCurrency: string;
  readonly Tags: string | null;
  /** The native line type where the format has one (`SavingsPlanCoveredUsage`). */
  readonly x_LineItemType: string | null;
  readonly x_PurchaseOption: PurchaseOption | null;
  readonly x_InstanceType: string | null;
  /** Group label of the accelerator, "H100", "A100", "L4"; null when the charge buys no accelerator. */
  readonly x_GpuModel: string | null;
  readonly x_AcceleratorId: string | null;
  /** Accelerators an instance (may be a fraction); null when unknown. */
  readonly x_GpuCount: number | null;
  /** Which step of the chain of evidence decided (formats/billing.md section 8.1). */
  readonly x_GpuEvidence: string | null;
  /** From the `team` tag or label, until allocation rules exist. */
  readonly x_Team: string | null;
  /** Set on cells that a rule of ours adds beside the file's rows: the rule's name. */
  readonly x_Correction: string | null;
  /** Seconds of the charge period when it is longer than a day, else null. */
  readonly x_PeriodSeconds: number | null;
}
export type SeriesColumn = keyof Series;

/** The four costs a cell holds. */
export const moneyColumns = ["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"] as const;
export type MoneyColumn = (typeof moneyColumns)[number];
