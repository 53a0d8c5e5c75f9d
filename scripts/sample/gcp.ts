/** Google Cloud: a FOCUS 1.2 export a month, hour by hour. */
import { billRow, type Bill, type BillRow } from "./bill.ts";
import { isoHour, months, type Month } from "./calendar.ts";
import { googleDiscountPercent, googleProjects, growthAt, machineTypes, nodes, spotA2, type Node, type Team } from "./company.ts";
import { amount, part, text, times } from "./money.ts";
import { randomOf } from "./random.ts";

export function googleBills(): Bill[] {
  return months.flatMap(billsOf);
}

function billsOf(month: Month): Bill[] {
  const bill = (version: "only" | "first" | "final", name: string): Bill => ({
    path: `gcp/focus_${month.label.replace("-", "")}${name}.csv.gz`,
    provider: "Google Cloud",
    month: month.label,
    isRestated: version === "first",
    columns,
    rows: () => rowsOf(month, version !== "first"),
  });
  // June was billed with July's spot price at first.
  return month.label === "2026-06" ? [bill("first", "_v1"), bill("final", "_v2")] : [bill("only", "")];
}

const columns = [
  "AvailabilityZone", "BilledCost", "BillingAccountId", "BillingAccountName", "BillingAccountType", "BillingCurrency", "BillingPeriodEnd", "BillingPeriodStart",
  "CapacityReservationId", "CapacityReservationStatus", "ChargeCategory", "ChargeClass", "ChargeDescription", "ChargeFrequency", "ChargePeriodEnd", "ChargePeriodStart",
  "CommitmentDiscountCategory", "CommitmentDiscountId", "CommitmentDiscountName", "CommitmentDiscountQuantity", "CommitmentDiscountStatus", "CommitmentDiscountType",
  "CommitmentDiscountUnit", "ConsumedQuantity", "ConsumedUnit", "ContractedCost", "ContractedUnitPrice", "EffectiveCost", "InvoiceId", "InvoiceIssuerName", "ListCost",
  "ListUnitPrice", "PricingCategory", "PricingCurrency", "PricingCurrencyContractedUnitPrice", "PricingCurrencyEffectiveCost", "PricingCurrencyListUnitPrice",
  "PricingQuantity", "PricingUnit", "ProviderName", "PublisherName", "RegionId", "RegionName", "ResourceId", "ResourceName", "ResourceType", "ServiceCategory", "ServiceName",
  "ServiceSubcategory", "SkuId", "SkuMeter", "SkuPriceDetails", "SkuPriceId", "SubAccountId", "SubAccountName", "SubAccountType", "Tags", "x_Location", "x_CostType",
] as const;
type Cells = Partial<Record<(typeof columns)[number], string>>;

const googleNodes = nodes.filter(({ type }) => machineTypes[type].provider === "Google Cloud");

function* rowsOf(month: Month, isFinal: boolean): Generator<BillRow> {
  const index = months.indexOf(month);
  const line = (from: number, to: number, project: string, cells: Cells): Cells => ({
    BillingAccountId: "01A7F3-5C29E8-D40B16",
    BillingAccountName: "Alder & Finch Robotics",
    BillingAccountType: "Billing Account",
    BillingCurrency: "USD",
    BillingPeriodStart: isoHour(month.from),
    BillingPeriodEnd: isoHour(month.to),
    ChargePeriodStart: isoHour(from),
    ChargePeriodEnd: isoHour(to),
    InvoiceId: `52${10_413_907 + index * 40_711}`,
    InvoiceIssuerName: "Google Cloud",
    PricingCurrency: "USD",
    ProviderName: "Google Cloud",
    PublisherName: "Google Cloud",
    RegionId: "us-central1",
    RegionName: "Iowa",
    SubAccountId: project,
    SubAccountName: project,
    SubAccountType: "Project",
    x_Location: "us-central1",
    x_CostType: "regular",
    ...cells,
  });
  for (let hour = month.from; hour < month.to; hour += 1) {
    for (const node of googleNodes) if (node.isOn[hour] === 1) yield machineRow(node, hour, index + (isFinal ? 0 : 1), line);
    yield* diskRows(hour, month, line);
    if (hour % 24 === 0) yield* dailyRows(hour, month, line);
  }
  const tax = part(amount("31.08"), Math.round(growthAt(month.from) * 1000), 1000, 6);
  const cells = line(month.from, month.to, googleProjects.search, {
    BilledCost: text(tax), EffectiveCost: text(tax), ListCost: text(tax), ContractedCost: text(tax),
    ChargeCategory: "Tax", ChargeDescription: "Tax", ChargeFrequency: "Recurring", ServiceCategory: "Other", ServiceName: "Invoice", x_CostType: "tax",
  });
  yield billRow(cells, { BilledCost: tax, EffectiveCost: tax, ListCost: tax, ContractedCost: tax });
}

type Line = (from: number, to: number, project: string, cells: Cells) => Cells;

function machineRow(node: Node, hour: number, spotMonth: number, line: Line): BillRow {
  const type = machineTypes[node.type];
  const isSpot = node.purchase === "spot";
  const list = type.onDemand;
  const contracted = isSpot ? (spotA2[spotMonth] ?? list) : part(list, 100 - googleDiscountPercent, 100, 12);
  const team = node.teamAt(hour);
  const project = node.type === "a2" ? googleProjects.simulation : googleProjects.search;
  const cells = line(hour, hour + 1, project, {
    AvailabilityZone: "us-central1-a",
    BilledCost: text(contracted),
    EffectiveCost: text(contracted),
    ListCost: text(list),
    ContractedCost: text(contracted),
    ListUnitPrice: text(list),
    ContractedUnitPrice: text(contracted),
    PricingCurrencyContractedUnitPrice: text(contracted),
    PricingCurrencyEffectiveCost: text(contracted),
    PricingCurrencyListUnitPrice: text(list),
    ChargeCategory: "Usage",
    ChargeDescription: `${isSpot ? "Spot Preemptible " : ""}${type.name} instance running in Americas`,
    ChargeFrequency: "Usage-Based",
    PricingCategory: isSpot ? "Dynamic" : "Standard",
    ConsumedQuantity: "1",
    ConsumedUnit: "Hours",
    PricingQuantity: "1",
    PricingUnit: "Hours",
    ResourceId: node.resourceId,
    ResourceName: node.name,
    ResourceType: "Virtual Machine",
    ServiceCategory: "Compute",
    ServiceName: "Compute Engine",
    ServiceSubcategory: "Virtual Machines",
    SkuId: { a2: "B3E1-7F20-4C9D", a3: "5D0A-92C6-E81F", g2: "C8F4-106B-7D3E" }[node.type as "a2" | "a3" | "g2"],
    SkuMeter: "VM instance time",
    SkuPriceDetails: JSON.stringify({ InstanceType: type.name, GpuCount: type.count, CoreCount: type.vcpu, MemorySize: type.memoryGiB, OperatingSystem: "Linux" }),
    Tags: JSON.stringify({ "goog-gke-cluster": node.type === "g2" ? "serving" : "batch", team }),
  });
  return billRow(cells, { BilledCost: contracted, EffectiveCost: contracted, ListCost: list, ContractedCost: contracted }, { team, gpu: { node, hour, span: 1, machineHours: 1 } });
}

const disks: readonly { readonly team: Team; readonly project: string; readonly gigabytes: number; readonly name: string }[] = [
  { team: "Simulation", project: googleProjects.simulation, gigabytes: 4200, name: "sim-scratch" },
  { team: "Search & ranking", project: googleProjects.search, gigabytes: 2600, name: "ranking-features" },
];
const diskPrice = amount("0.17");

function* diskRows(hour: number, month: Month, line: Line): Generator<BillRow> {
  for (const { team, project, gigabytes, name } of disks) {
    const size = Math.round(gigabytes * growthAt(hour));
    const cost = part(diskPrice, size, month.hours, 12);
    const quantity = text(part(amount("1"), size, month.hours, 12));
    const cells = line(hour, hour + 1, project, {
      ...plainCosts(text(cost), "0.17"),
      AvailabilityZone: "us-central1-a",
      ChargeDescription: "SSD backed PD Capacity",
      ConsumedQuantity: quantity,
      ConsumedUnit: "GiB-Months",
      PricingQuantity: quantity,
      PricingUnit: "GiB-Months",
      ResourceId: `//compute.googleapis.com/projects/${project}/zones/us-central1-a/disks/${name}`,
      ResourceName: name,
      ResourceType: "Disk",
      ServiceCategory: "Storage",
      ServiceName: "Compute Engine",
      ServiceSubcategory: "Block Storage",
      SkuId: "B188-61DD-52E4",
      SkuMeter: "SSD backed PD Capacity",
      SkuPriceDetails: JSON.stringify({ DiskType: "pd-ssd" }),
      Tags: JSON.stringify({ team }),
    });
    yield billRow(cells, { BilledCost: cost, EffectiveCost: cost, ListCost: cost, ContractedCost: cost }, { team });
  }
}

function* dailyRows(hour: number, month: Month, line: Line): Generator<BillRow> {
  const random = randomOf(`gcp day ${hour}`);
  const size = Math.round(31_000 * growthAt(hour) * random.between(0.98, 1.02));
  const rows: readonly { readonly team: Team | null; readonly project: string; readonly description: string; readonly service: string; readonly category: string; readonly price: string; readonly cost: bigint; readonly quantity: string; readonly unit: string }[] = [
    { team: null, project: googleProjects.simulation, description: "Standard Storage US Regional", service: "Cloud Storage", category: "Storage", price: "0.02", cost: part(amount("0.02"), size, month.days, 12), quantity: text(part(amount("1"), size, month.days, 12)), unit: "GiB-Months" },
    (() => {
      const gigabytes = Math.round(240 * growthAt(hour) * random.between(0.6, 1.4));
      return { team: "Search & ranking" as const, project: googleProjects.search, description: "Network Internet Data Transfer Out from Americas to EMEA", service: "Networking", category: "Networking", price: "0.085", cost: times(amount("0.085"), gigabytes), quantity: String(gigabytes), unit: "GiB" };
    })(),
  ];
  for (const { team, project, description, service, category, price, cost, quantity, unit } of rows) {
    const cells = line(hour, hour + 24, project, {
      ...plainCosts(text(cost), price),
      ChargeDescription: description,
      ConsumedQuantity: quantity,
      ConsumedUnit: unit,
      PricingQuantity: quantity,
      PricingUnit: unit,
      ServiceCategory: category,
      ServiceName: service,
      SkuId: category === "Storage" ? "E5F0-6A5D-7BAD" : "F274-1692-F213",
      SkuMeter: description,
      Tags: team === null ? "" : JSON.stringify({ team }),
    });
    yield billRow(cells, { BilledCost: cost, EffectiveCost: cost, ListCost: cost, ContractedCost: cost }, { team });
  }
}

function plainCosts(cost: string, price: string): Cells {
  return {
    BilledCost: cost,
    EffectiveCost: cost,
    ListCost: cost,
    ContractedCost: cost,
    ListUnitPrice: price,
    ContractedUnitPrice: price,
    ChargeCategory: "Usage",
    ChargeFrequency: "Usage-Based",
    PricingCategory: "Standard",
  };
}
