/** Azure: a FOCUS 1.0 export a month, day by day, with the deviations that Azure's exports are known for. */
import { billRow, type Bill, type BillRow } from "./bill.ts";
import { hourAt, isoHour, months, type Month } from "./calendar.ts";
import { azureSubscriptions, growthAt, machineTypes, nodes, reservationRateNc, reservationsNc, type Team } from "./company.ts";
import { amount, part, text, times, type Attos } from "./money.ts";
import { randomOf } from "./random.ts";

export function azureBills(): Bill[] {
  return months.flatMap(billsOf);
}

function billsOf(month: Month): Bill[] {
  const bill = (version: "only" | "first" | "final", name: string, to = month.to): Bill => ({
    path: `azure/alderfinch-focus-cost_${month.label}${name}.csv`,
    provider: "Microsoft",
    month: month.label,
    isRestated: version === "first",
    columns,
    rows: () => rowsOf(month, to, version !== "first"),
  });
  if (month.label === "2026-02") return [bill("first", "_draft"), bill("final", "_final")];
  if (month.label === "2026-09") return [bill("first", "_to-24", month.from + 24 * 24), bill("final", "_whole")];
  return [bill("only", "")];
}

const columns = [
  "BilledCost", "BillingAccountId", "BillingAccountName", "BillingAccountType", "BillingCurrency", "BillingPeriodEnd", "BillingPeriodStart", "ChargeCategory", "ChargeClass",
  "ChargeDescription", "ChargeFrequency", "ChargePeriodEnd", "ChargePeriodStart", "CommitmentDiscountCategory", "CommitmentDiscountId", "CommitmentDiscountName",
  "CommitmentDiscountStatus", "CommitmentDiscountType", "ConsumedQuantity", "ConsumedUnit", "ContractedCost", "ContractedUnitPrice", "EffectiveCost", "InvoiceIssuerName",
  "ListCost", "ListUnitPrice", "PricingCategory", "PricingQuantity", "PricingUnit", "ProviderName", "PublisherName", "RegionId", "RegionName", "ResourceId", "ResourceName",
  "ResourceType", "ServiceCategory", "ServiceName", "SkuId", "SkuPriceId", "SubAccountId", "SubAccountName", "SubAccountType", "Tags",
  "x_BillingProfileName", "x_CostCenter", "x_EffectiveUnitPrice", "x_InvoiceSectionName", "x_PricingUnitDescription", "x_ResourceGroupName", "x_SkuDescription", "x_SkuDetails",
  "x_SkuMeterCategory", "x_SkuMeterName", "x_SkuMeterSubcategory", "x_SkuOrderId", "x_SkuRegion", "x_SkuTerm",
] as const;
type Cells = Partial<Record<(typeof columns)[number], string>>;

const azureNodes = nodes.filter(({ type }) => machineTypes[type].provider === "Microsoft");
type Subscription = (typeof azureSubscriptions)[keyof typeof azureSubscriptions];

function* rowsOf(month: Month, to: number, isFinal: boolean): Generator<BillRow> {
  const line = (from: number, until: number, subscription: Subscription, cells: Cells): Cells => ({
    BillingAccountId: "/providers/Microsoft.Billing/billingAccounts/7f3c19a0-5d2e-4b86-9a1f-e08b6d4c2f57:61b9d0e4-2f7a-4c35-8e16-0a9d3c5b7e82_2019-05-31",
    BillingAccountName: "Alder & Finch Robotics",
    BillingAccountType: "Billing Account",
    BillingCurrency: "USD",
    BillingPeriodStart: isoHour(month.from),
    BillingPeriodEnd: isoHour(month.to),
    ChargePeriodStart: isoHour(from),
    ChargePeriodEnd: isoHour(until),
    InvoiceIssuerName: "Microsoft",
    ProviderName: "Microsoft",
    PublisherName: "Microsoft",
    RegionId: "westeurope",
    RegionName: "West Europe",
    SubAccountId: subscription.id,
    SubAccountName: subscription.name,
    SubAccountType: "Subscription",
    x_BillingProfileName: "Alder & Finch EA",
    x_CostCenter: "R-204",
    x_InvoiceSectionName: "Research",
    ...cells,
  });
  yield* purchases(month, line);
  for (let hour = month.from; hour < to; hour += 24) {
    const used = reservationsNc.map(() => 0);
    for (const node of azureNodes) {
      if (node.isOn[hour] === 0) continue;
      const list = times(machineTypes.nc.onDemand, 24);
      const team = node.teamAt(hour);
      const isReserved = node.purchase === "reservation";
      if (isReserved) used[node.commitment] = (used[node.commitment] ?? 0) + 1;
      const reservation = reservationsNc[node.commitment];
      const effective = isReserved ? times(reservationRateNc, 24) : list;
      const subscription = node.resourceId.startsWith(azureSubscriptions.speech.id) ? azureSubscriptions.speech : azureSubscriptions.research;
      const cells = line(hour, hour + 24, subscription, {
        ...machineCells,
        BilledCost: isReserved ? "0" : text(list),
        EffectiveCost: text(effective),
        ListCost: text(list),
        ContractedCost: text(list),
        ListUnitPrice: text(machineTypes.nc.onDemand),
        ContractedUnitPrice: text(machineTypes.nc.onDemand),
        x_EffectiveUnitPrice: isReserved ? text(reservationRateNc) : text(machineTypes.nc.onDemand),
        ChargeCategory: "Usage",
        ChargeFrequency: "Usage-Based",
        // Usage under a reservation is labelled Standard, as in the first exports of this format.
        PricingCategory: isReserved && month.label >= "2026-03" ? "Committed" : "Standard",
        ConsumedQuantity: "24",
        ConsumedUnit: "Hours",
        PricingQuantity: "24",
        PricingUnit: "Hours",
        ResourceId: node.resourceId,
        ResourceName: node.name,
        ResourceType: "Virtual machine",
        Tags: JSON.stringify({ "cost-center": "R-204", team }),
        x_ResourceGroupName: "rg-gpu",
        ...(isReserved && reservation !== undefined ? commitmentCells(reservation, "Used") : {}),
      });
      yield billRow(cells, { BilledCost: isReserved ? 0n : list, EffectiveCost: effective, ListCost: list, ContractedCost: list }, { team, gpu: { node, hour, span: 24, machineHours: 24 } });
    }
    for (const [index, reservation] of reservationsNc.entries()) {
      const unused = hour < hourAt(reservation.from) ? 0 : reservation.machines - (used[index] ?? 0);
      if (unused === 0) continue;
      const effective = times(reservationRateNc, 24 * unused);
      const cells = line(hour, hour + 24, azureSubscriptions.research, {
        ...machineCells,
        ...commitmentCells(reservation, "Unused"),
        BilledCost: "0",
        EffectiveCost: text(effective),
        ListCost: "0",
        ContractedCost: "0",
        ChargeCategory: "Usage",
        ChargeFrequency: "Usage-Based",
        PricingCategory: "Committed",
        PricingQuantity: String(24 * unused),
        PricingUnit: "Hours",
        ResourceName: reservation.name,
      });
      yield billRow(cells, { BilledCost: 0n, EffectiveCost: effective, ListCost: 0n, ContractedCost: 0n });
    }
    yield* otherRows(hour, month, line, isFinal);
  }
}

type Line = (from: number, until: number, subscription: Subscription, cells: Cells) => Cells;
type Reservation = (typeof reservationsNc)[number];

const machineCells: Cells = {
  ChargeDescription: "Virtual Machines NCadsA100v4 Series - NC96ads A100 v4 - EU West",
  ServiceCategory: "Compute",
  ServiceName: "Virtual Machines",
  SkuId: "DZH318Z08NRP",
  SkuPriceId: "DZH318Z08NRP_001K",
  x_PricingUnitDescription: "1 Hour",
  x_SkuDescription: "Virtual Machines NCadsA100v4 Series",
  x_SkuDetails: JSON.stringify({ ServiceType: "Standard_NC96ads_A100_v4", VCPUs: 96, ImageType: "Canonical" }),
  x_SkuMeterCategory: "Virtual Machines",
  x_SkuMeterName: "NC96ads A100 v4",
  x_SkuMeterSubcategory: "NCadsA100v4 Series",
  x_SkuRegion: "EU West",
};

function commitmentCells({ order, id, name }: Reservation, status: "Used" | "Unused"): Cells {
  return {
    CommitmentDiscountCategory: "Usage",
    CommitmentDiscountId: `/providers/Microsoft.Capacity/reservationOrders/${order}/reservations/${id}`,
    CommitmentDiscountName: name,
    CommitmentDiscountStatus: status,
    CommitmentDiscountType: "Reservation",
    x_SkuOrderId: order,
  };
}

/** A reservation is paid by the month or once; until January the export gave the payment an effective cost too, which would count it twice. */
function* purchases(month: Month, line: Line): Generator<BillRow> {
  for (const reservation of reservationsNc) {
    const isUpfront = reservation.payment === "upfront";
    const isDue = isUpfront ? month.from === hourAt(reservation.from) : month.from >= hourAt(reservation.from);
    if (!isDue) continue;
    const hours = isUpfront ? hourAt(reservation.to) - hourAt(reservation.from) : month.hours;
    const cost = times(reservationRateNc, hours * reservation.machines);
    const isCarried = month.label <= "2025-12";
    const { CommitmentDiscountStatus: _, ...commitment } = commitmentCells(reservation, "Used");
    const cells = line(month.from, month.to, azureSubscriptions.research, {
      ...commitment,
      BilledCost: text(cost),
      EffectiveCost: isCarried ? text(cost) : "0",
      ListCost: text(cost),
      ContractedCost: text(cost),
      ChargeCategory: "Purchase",
      ChargeDescription: `Reserved VM Instance, Standard_NC96ads_A100_v4, EU West, ${isUpfront ? "1 Year" : "3 Years"}`,
      ChargeFrequency: isUpfront ? "One-Time" : "Recurring",
      PricingQuantity: String(reservation.machines),
      PricingUnit: isUpfront ? "Units/Year" : "Units/Month",
      ResourceId: commitment.CommitmentDiscountId ?? "",
      ResourceName: reservation.name,
      ResourceType: "Reservation",
      ServiceCategory: "Compute",
      ServiceName: "Virtual Machines",
      x_SkuTerm: isUpfront ? "12" : "36",
    });
    yield billRow(cells, { BilledCost: cost, EffectiveCost: isCarried ? cost : 0n, ListCost: cost, ContractedCost: cost }, { effectiveCorrection: isCarried ? -cost : 0n });
  }
}

interface Other {
  readonly team: Team | null;
  readonly service: string;
  readonly category: string;
  readonly description: string;
  readonly name: string;
  readonly unit: string;
  readonly quantity: number;
  readonly price: string;
}
const others: readonly Other[] = [
  { team: "Vision", service: "Storage Accounts", category: "Storage", description: "Blob Storage - Hot LRS Data Stored", name: "stvisiondata", unit: "GB/Month", quantity: 46_000, price: "0.0196" },
  { team: "Speech", service: "Storage Accounts", category: "Storage", description: "Blob Storage - Hot LRS Data Stored", name: "stspeechcorpora", unit: "GB/Month", quantity: 39_000, price: "0.0196" },
  { team: null, service: "Storage Accounts", category: "Storage", description: "Blob Storage - Cool LRS Data Stored", name: "stlegacyexports", unit: "GB/Month", quantity: 88_000, price: "0.01" },
  { team: "Vision", service: "Managed Disks", category: "Storage", description: "Premium SSD Managed Disks - P60 LRS Disk", name: "disk-nc-pool", unit: "Units/Month", quantity: 2, price: "860.16" },
  { team: "Speech", service: "Bandwidth", category: "Networking", description: "Data Transfer Out - Inter-Region", name: "stspeechcorpora", unit: "GB", quantity: 17_000, price: "0.02" },
];

function* otherRows(hour: number, month: Month, line: Line, isFinal: boolean): Generator<BillRow> {
  const random = randomOf(`azure day ${hour}`);
  for (const other of others) {
    const size = Math.round(other.quantity * growthAt(hour) * (other.unit === "Units/Month" ? 1 : random.between(0.97, 1.03)));
    const cost = part(amount(other.price), isFinal ? size : Math.round(size * 0.97), month.days, 14);
    yield otherRow(line, hour, other, cost, text(part(amount("1"), size, month.days, 12)));
  }
  // Requests cost next to nothing, which the export writes in E notation.
  const requests = random.whole(2, 90);
  const operations: Other = { team: "Speech", service: "Storage Accounts", category: "Storage", description: "Blob Storage - All Other Operations", name: "stspeechcorpora", unit: "10K", quantity: 0, price: "0.0000036" };
  yield otherRow(line, hour, operations, times(amount(operations.price), requests), String(requests), `${(requests * 36) / 100}E-05`);
}

function otherRow(line: Line, hour: number, { team, service, category, description, name, unit, price }: Other, cost: Attos, quantity: string, written = text(cost)): BillRow {
  const subscription = team === "Speech" ? azureSubscriptions.speech : azureSubscriptions.research;
  const type = service === "Managed Disks" ? "disks" : "storageaccounts";
  const cells = line(hour, hour + 24, subscription, {
    BilledCost: written,
    EffectiveCost: written,
    ListCost: written,
    ContractedCost: written,
    ListUnitPrice: price,
    ContractedUnitPrice: price,
    ChargeCategory: "Usage",
    ChargeDescription: description,
    ChargeFrequency: "Usage-Based",
    PricingCategory: "Standard",
    ConsumedQuantity: quantity,
    ConsumedUnit: unit,
    PricingQuantity: quantity,
    PricingUnit: unit,
    ResourceId: `${subscription.id}/resourcegroups/rg-data/providers/microsoft.storage/${type}/${name}`,
    ResourceName: name,
    ResourceType: service === "Managed Disks" ? "Disk" : "Storage account",
    ServiceCategory: category,
    ServiceName: service,
    SkuId: "DZH318Z0BNZH",
    SkuPriceId: "DZH318Z0BNZH_00FP",
    Tags: team === null ? "{}" : JSON.stringify({ team }),
    x_ResourceGroupName: "rg-data",
    x_SkuMeterCategory: service,
    x_SkuRegion: "EU West",
  });
  return billRow(cells, { BilledCost: cost, EffectiveCost: cost, ListCost: cost, ContractedCost: cost }, { team });
}
