/** AWS: a Cost and Usage Report (legacy) a month, hour by hour. */
import { billRow, tenDecimals, type Bill, type BillRow } from "./bill.ts";
import { hourAt, isoHour, months, type Month } from "./calendar.ts";
import { awsAccounts, growthAt, machineTypes, nodes, reservedG6, savingsPlanRate, savingsPlans, teams, type Node, type Team } from "./company.ts";
import { amount, part, text, times, type Attos } from "./money.ts";
import { randomOf } from "./random.ts";

export function awsBills(): Bill[] {
  return months.flatMap(billsOf);
}

function billsOf(month: Month): Bill[] {
  const bill = (version: "only" | "first" | "final", folder: string): Bill => ({
    path: `aws/${month.label}/${folder}alder-finch-hourly-00001.csv.gz`,
    provider: "AWS",
    month: month.label,
    isRestated: version === "first",
    columns,
    rows: () => rowsOf(month, version !== "first"),
  });
  // August came once before it was final: without support, discount and invoice number.
  return month.label === "2026-08" ? [bill("first", "20260901T054512Z/"), bill("final", "20260906T061130Z/")] : [bill("only", "")];
}

const columns = [
  "identity/LineItemId", "identity/TimeInterval",
  "bill/InvoiceId", "bill/InvoicingEntity", "bill/BillingEntity", "bill/BillType", "bill/PayerAccountId", "bill/BillingPeriodStartDate", "bill/BillingPeriodEndDate",
  "lineItem/UsageAccountId", "lineItem/LineItemType", "lineItem/UsageStartDate", "lineItem/UsageEndDate", "lineItem/ProductCode", "lineItem/UsageType", "lineItem/Operation",
  "lineItem/AvailabilityZone", "lineItem/ResourceId", "lineItem/UsageAmount", "lineItem/NormalizationFactor", "lineItem/CurrencyCode", "lineItem/UnblendedRate",
  "lineItem/UnblendedCost", "lineItem/LineItemDescription", "lineItem/TaxType", "lineItem/LegalEntity",
  "product/ProductName", "product/instanceType", "product/instanceFamily", "product/location", "product/operatingSystem", "product/productFamily", "product/regionCode",
  "product/servicecode", "product/sku", "product/tenancy", "product/vcpu", "product/memory",
  "pricing/LeaseContractLength", "pricing/OfferingClass", "pricing/PurchaseOption", "pricing/RateCode", "pricing/currency", "pricing/publicOnDemandCost",
  "pricing/publicOnDemandRate", "pricing/term", "pricing/unit",
  "reservation/EffectiveCost", "reservation/RecurringFeeForUsage", "reservation/ReservationARN", "reservation/UnusedQuantity", "reservation/UnusedRecurringFee",
  "reservation/StartTime", "reservation/EndTime",
  "savingsPlan/SavingsPlanARN", "savingsPlan/SavingsPlanEffectiveCost", "savingsPlan/SavingsPlanRate", "savingsPlan/TotalCommitmentToDate", "savingsPlan/UsedCommitment",
  "savingsPlan/OfferingType", "savingsPlan/PaymentOption", "savingsPlan/PurchaseTerm",
  "resourceTags/user:Name", "resourceTags/user:team",
] as const;
type Cells = Partial<Record<(typeof columns)[number], string>>;

const awsNodes = nodes.filter(({ type }) => machineTypes[type].provider === "AWS");
const entity = "Amazon Web Services, Inc.";
const ec2 = "Amazon Elastic Compute Cloud";

function* rowsOf(month: Month, isFinal: boolean): Generator<BillRow> {
  const random = randomOf(`aws ${month.label}`);
  const invoice = isFinal ? `${2_000_000_000 + months.indexOf(month) * 7_131_577 + 90_313}` : "";
  const common: Cells = {
    "bill/InvoiceId": invoice,
    "bill/InvoicingEntity": entity,
    "bill/BillingEntity": "AWS",
    "bill/BillType": "Anniversary",
    "bill/PayerAccountId": awsAccounts.payer,
    "bill/BillingPeriodStartDate": isoHour(month.from),
    "bill/BillingPeriodEndDate": endOf(month.to),
    "lineItem/CurrencyCode": "USD",
    "lineItem/LegalEntity": entity,
  };
  const line = (from: number, to: number, type: string, account: string, cells: Cells): Cells => ({
    ...common,
    "identity/LineItemId": random.hex(24),
    "identity/TimeInterval": `${isoHour(from)}/${endOf(to)}`,
    "lineItem/UsageAccountId": account,
    "lineItem/LineItemType": type,
    "lineItem/UsageStartDate": isoHour(from),
    "lineItem/UsageEndDate": endOf(to),
    ...cells,
  });
  let onDemandMonth = 0n;
  let unusedReserved = 0;
  for (let hour = month.from; hour < month.to; hour += 1) {
    const used = savingsPlans.map(() => 0);
    for (const node of awsNodes) {
      if (node.isOn[hour] === 0) {
        if (node.purchase === "reservation") unusedReserved += 1;
        continue;
      }
      const list = machineTypes[node.type].onDemand;
      const gpu = { node, hour, span: 1, machineHours: 1 };
      const team = node.teamAt(hour);
      const machine = machineCells(node, list, team);
      const account = accountOf(team);
      if (node.purchase === "savings-plan") {
        used[node.commitment] = (used[node.commitment] ?? 0) + 1;
        const cells = line(hour, hour + 1, "SavingsPlanCoveredUsage", account, {
          ...machine,
          ...planCells(node.commitment),
          "lineItem/UnblendedCost": tenDecimals(list),
          "savingsPlan/SavingsPlanRate": tenDecimals(savingsPlanRate),
          "savingsPlan/SavingsPlanEffectiveCost": tenDecimals(savingsPlanRate),
        });
        yield billRow(cells, { BilledCost: list, EffectiveCost: savingsPlanRate, ListCost: list, ContractedCost: null }, { team, gpu });
      } else if (node.purchase === "reservation") {
        const cells = line(hour, hour + 1, "DiscountedUsage", account, {
          ...machine,
          "lineItem/UnblendedRate": "0.0000000000",
          "lineItem/UnblendedCost": "0.0000000000",
          "lineItem/LineItemDescription": `${machineTypes[node.type].name} Linux/UNIX reserved instance applied`,
          "pricing/term": "Reserved",
          "reservation/ReservationARN": reservedG6.arn,
          "reservation/EffectiveCost": tenDecimals(reservedG6.rate),
          "reservation/RecurringFeeForUsage": tenDecimals(reservedG6.rate),
        });
        yield billRow(cells, { BilledCost: 0n, EffectiveCost: reservedG6.rate, ListCost: list, ContractedCost: null }, { team, gpu });
      } else {
        onDemandMonth += list;
        const cells = line(hour, hour + 1, "Usage", account, { ...machine, "lineItem/UnblendedCost": tenDecimals(list) });
        yield billRow(cells, { BilledCost: list, EffectiveCost: list, ListCost: list, ContractedCost: null }, { team, gpu });
      }
    }
    yield* commitmentRows(hour, used, line);
    yield* volumeRows(hour, month, line);
    if (hour % 24 === 0) yield* dailyRows(hour, month, line, isFinal);
  }
  yield* monthlyRows(month, line, isFinal, onDemandMonth, unusedReserved);
}

type Line = (from: number, to: number, type: string, account: string, cells: Cells) => Cells;

function machineCells(node: Node, list: Attos, team: Team): Cells {
  const type = machineTypes[node.type];
  return {
    "lineItem/ProductCode": "AmazonEC2",
    "lineItem/UsageType": `BoxUsage:${type.name}`,
    "lineItem/Operation": "RunInstances",
    "lineItem/AvailabilityZone": "us-east-1a",
    "lineItem/ResourceId": node.resourceId,
    "lineItem/UsageAmount": "1.0000000000",
    "lineItem/NormalizationFactor": node.type === "p5" ? "384.0" : "96.0",
    "lineItem/UnblendedRate": tenDecimals(list),
    "lineItem/LineItemDescription": `$${text(list)} per On Demand Linux ${type.name} Instance Hour`,
    "product/ProductName": ec2,
    "product/instanceType": type.name,
    "product/instanceFamily": "GPU instance",
    "product/location": "US East (N. Virginia)",
    "product/operatingSystem": "Linux",
    "product/productFamily": "Compute Instance",
    "product/regionCode": "us-east-1",
    "product/servicecode": "AmazonEC2",
    "product/sku": node.type === "p5" ? "Q7F5WBZC4KDN2H8T" : "M3V9RTGX6PLA5Y2E",
    "product/tenancy": "Shared",
    "product/vcpu": String(type.vcpu),
    "product/memory": `${type.memoryGiB} GiB`,
    "pricing/RateCode": `${node.type === "p5" ? "Q7F5WBZC4KDN2H8T" : "M3V9RTGX6PLA5Y2E"}.JRTCKXETXF.6YS6EN2CT7`,
    "pricing/currency": "USD",
    "pricing/publicOnDemandCost": tenDecimals(list),
    "pricing/publicOnDemandRate": tenDecimals(list),
    "pricing/term": "OnDemand",
    "pricing/unit": "Hrs",
    "resourceTags/user:Name": node.name,
    "resourceTags/user:team": team,
  };
}

function planCells(index: number): Cells {
  return {
    "savingsPlan/SavingsPlanARN": savingsPlans[index]?.id ?? "",
    "savingsPlan/OfferingType": "ComputeSavingsPlans",
    "savingsPlan/PaymentOption": "No Upfront",
    "savingsPlan/PurchaseTerm": "3yr",
  };
}

/** Each plan's hour: what it took off, and what it cost however much of it was used. */
function* commitmentRows(hour: number, used: readonly number[], line: Line): Generator<BillRow> {
  const list = machineTypes.p5.onDemand;
  for (const [index, plan] of savingsPlans.entries()) {
    if (hour < hourAt(plan.from)) continue;
    const count = used[index] ?? 0;
    if (count > 0) {
      const taken = -times(list, count);
      const cells = line(hour, hour + 1, "SavingsPlanNegation", awsAccounts.research, {
        ...planCells(index),
        "lineItem/ProductCode": "AmazonEC2",
        "lineItem/UsageType": "BoxUsage:p5.48xlarge",
        "lineItem/Operation": "RunInstances",
        "lineItem/AvailabilityZone": "us-east-1a",
        "lineItem/UsageAmount": `${count}.0000000000`,
        "lineItem/UnblendedRate": tenDecimals(-list),
        "lineItem/UnblendedCost": tenDecimals(taken),
        "lineItem/LineItemDescription": `SavingsPlanNegation used by AccountId : ${awsAccounts.research} and UsageSku : Q7F5WBZC4KDN2H8T`,
        "product/ProductName": ec2,
        "product/regionCode": "us-east-1",
        "product/servicecode": "AmazonEC2",
        "pricing/unit": "Hrs",
      });
      yield billRow(cells, { BilledCost: taken, EffectiveCost: 0n, ListCost: 0n, ContractedCost: null });
    }
    const committed = times(savingsPlanRate, plan.machines);
    const usedPart = times(savingsPlanRate, count);
    const cells = line(hour, hour + 1, "SavingsPlanRecurringFee", awsAccounts.research, {
      ...planCells(index),
      "lineItem/ProductCode": "ComputeSavingsPlans",
      "lineItem/UsageType": "ComputeSP:3yrNoUpfront",
      "lineItem/ResourceId": plan.id,
      "lineItem/UsageAmount": "1.0000000000",
      "lineItem/UnblendedRate": tenDecimals(committed),
      "lineItem/UnblendedCost": tenDecimals(committed),
      "lineItem/LineItemDescription": "3 year No Upfront Compute Savings Plan",
      "product/ProductName": "Savings Plans for AWS Compute usage",
      "product/productFamily": "ComputeSavingsPlans",
      "product/servicecode": "ComputeSavingsPlans",
      "savingsPlan/TotalCommitmentToDate": tenDecimals(committed),
      "savingsPlan/UsedCommitment": tenDecimals(usedPart),
    });
    yield billRow(cells, { BilledCost: committed, EffectiveCost: committed - usedPart, ListCost: null, ContractedCost: null });
  }
}

/** Block storage by the hour: a volume of each team, and one that carries no team. */
const volumes: readonly { readonly team: Team | null; readonly gigabytes: number }[] = [
  { team: "Foundation models", gigabytes: 11_400 },
  { team: "Vision", gigabytes: 5200 },
  { team: "Search & ranking", gigabytes: 2600 },
  { team: "Platform", gigabytes: 3100 },
  { team: null, gigabytes: 8200 },
];
const volumeRate = amount("0.08");

function* volumeRows(hour: number, month: Month, line: Line): Generator<BillRow> {
  for (const [index, { team, gigabytes }] of volumes.entries()) {
    const size = Math.round(gigabytes * growthAt(hour));
    const cost = part(volumeRate, size, month.hours);
    const cells = line(hour, hour + 1, "Usage", accountOf(team), {
      "lineItem/ProductCode": "AmazonEC2",
      "lineItem/UsageType": "EBS:VolumeUsage.gp3",
      "lineItem/Operation": "CreateVolume-Gp3",
      "lineItem/AvailabilityZone": "us-east-1a",
      "lineItem/ResourceId": `vol-0${volumeIds[index] ?? ""}`,
      "lineItem/UsageAmount": tenDecimals(part(amount("1"), size, month.hours)),
      "lineItem/UnblendedRate": tenDecimals(volumeRate),
      "lineItem/UnblendedCost": tenDecimals(cost),
      "lineItem/LineItemDescription": "$0.08 per GB-month of General Purpose (gp3) provisioned storage - US East (N. Virginia)",
      "product/ProductName": ec2,
      "product/location": "US East (N. Virginia)",
      "product/productFamily": "Storage",
      "product/regionCode": "us-east-1",
      "product/servicecode": "AmazonEC2",
      "product/sku": "HY3BZPP2B6K8MSJF",
      "pricing/currency": "USD",
      "pricing/publicOnDemandCost": tenDecimals(cost),
      "pricing/publicOnDemandRate": tenDecimals(volumeRate),
      "pricing/term": "OnDemand",
      "pricing/unit": "GB-Mo",
      ...(team === null ? {} : { "resourceTags/user:team": team }),
    });
    yield billRow(cells, { BilledCost: cost, EffectiveCost: cost, ListCost: cost, ContractedCost: null }, { team });
  }
}
const volumeIds = volumes.map((_, index) => randomOf(`volume ${index}`).hex(16));

const buckets: readonly { readonly team: Team | null; readonly terabytes: number; readonly name: string }[] = [
  ...teams.map((team, index) => ({ team, terabytes: [52, 31, 14, 9, 6, 11][index] ?? 0, name: `alderfinch-${team.toLowerCase().replace(/[^a-z]+/g, "-")}` })),
  { team: null, terabytes: 38, name: "alderfinch-archive-2023" },
];
const bucketRate = amount("0.022");
const transferRate = amount("0.085");

function* dailyRows(hour: number, month: Month, line: Line, isFinal: boolean): Generator<BillRow> {
  const random = randomOf(`aws day ${hour}`);
  const day = Math.floor((hour - month.from) / 24) + 1;
  for (const { team, terabytes, name } of buckets) {
    const size = Math.round(terabytes * 1024 * growthAt(hour) * random.between(0.985, 1.015));
    const cost = part(bucketRate, isFinal ? size : Math.round(size * 0.992), month.days);
    const cells = line(hour, hour + 24, "Usage", accountOf(team), {
      "lineItem/ProductCode": "AmazonS3",
      "lineItem/UsageType": "TimedStorage-ByteHrs",
      "lineItem/Operation": "StandardStorage",
      "lineItem/ResourceId": name,
      "lineItem/UsageAmount": tenDecimals(part(amount("1"), size, month.days)),
      "lineItem/UnblendedRate": tenDecimals(bucketRate),
      "lineItem/UnblendedCost": tenDecimals(cost),
      "lineItem/LineItemDescription": "$0.022 per GB - next 450 TB / month of storage used",
      "product/ProductName": "Amazon Simple Storage Service",
      "product/location": "US East (N. Virginia)",
      "product/productFamily": "Storage",
      "product/regionCode": "us-east-1",
      "product/servicecode": "AmazonS3",
      "product/sku": "WP9ANXZGBYYSGJEA",
      "pricing/currency": "USD",
      "pricing/publicOnDemandCost": tenDecimals(cost),
      "pricing/publicOnDemandRate": tenDecimals(bucketRate),
      "pricing/term": "OnDemand",
      "pricing/unit": "GB-Mo",
      ...(team === null ? {} : { "resourceTags/user:team": team }),
    });
    // Three rows of September came damaged: a cost that is none, a day that does not exist, a currency that is missing.
    const damage = month.label === "2026-09" && team === null ? damages[day] : undefined;
    yield billRow({ ...cells, ...damage }, { BilledCost: cost, EffectiveCost: cost, ListCost: cost, ContractedCost: null }, { team, isBad: damage !== undefined });
  }
  const gigabytes = Math.round(410 * growthAt(hour) * random.between(0.7, 1.3));
  const cost = times(transferRate, gigabytes);
  const team = "Search & ranking";
  const cells = line(hour, hour + 24, "Usage", accountOf(team), {
    "lineItem/ProductCode": "AWSDataTransfer",
    "lineItem/UsageType": "DataTransfer-Out-Bytes",
    "lineItem/Operation": "RunInstances",
    "lineItem/UsageAmount": `${gigabytes}.0000000000`,
    "lineItem/UnblendedRate": tenDecimals(transferRate),
    "lineItem/UnblendedCost": tenDecimals(cost),
    "lineItem/LineItemDescription": "$0.085 per GB - next 40 TB / month data transfer out",
    "product/ProductName": "AWS Data Transfer",
    "product/productFamily": "Data Transfer",
    "product/regionCode": "us-east-1",
    "product/servicecode": "AWSDataTransfer",
    "pricing/currency": "USD",
    "pricing/publicOnDemandCost": tenDecimals(cost),
    "pricing/publicOnDemandRate": tenDecimals(transferRate),
    "pricing/term": "OnDemand",
    "pricing/unit": "GB",
    "resourceTags/user:team": team,
  });
  yield billRow(cells, { BilledCost: cost, EffectiveCost: cost, ListCost: cost, ContractedCost: null }, { team });
}

const damages: Readonly<Record<number, Cells>> = {
  9: { "lineItem/UnblendedCost": "n/a" },
  17: { "lineItem/UsageStartDate": "2026-09-31T00:00:00Z" },
  23: { "lineItem/CurrencyCode": "" },
};

function* monthlyRows(month: Month, line: Line, isFinal: boolean, onDemand: Attos, unusedReserved: number): Generator<BillRow> {
  const reserved = times(reservedG6.rate, month.hours);
  const unused = times(reservedG6.rate, unusedReserved);
  const fee = line(month.from, month.to, "RIFee", awsAccounts.production, {
    "lineItem/ProductCode": "AmazonEC2",
    "lineItem/UsageType": "HeavyUsage:g6.12xlarge",
    "lineItem/Operation": "RunInstances",
    "lineItem/ResourceId": reservedG6.arn,
    "lineItem/UsageAmount": `${month.hours}.0000000000`,
    "lineItem/UnblendedRate": tenDecimals(reservedG6.rate),
    "lineItem/UnblendedCost": tenDecimals(reserved),
    "lineItem/LineItemDescription": `USD ${text(reservedG6.rate)} hourly fee per Linux/UNIX (Amazon VPC), g6.12xlarge instance`,
    "product/ProductName": ec2,
    "product/instanceType": "g6.12xlarge",
    "product/regionCode": "us-east-1",
    "product/servicecode": "AmazonEC2",
    "pricing/LeaseContractLength": "1yr",
    "pricing/OfferingClass": "standard",
    "pricing/PurchaseOption": "No Upfront",
    "pricing/term": "Reserved",
    "pricing/unit": "Hrs",
    "reservation/ReservationARN": reservedG6.arn,
    "reservation/UnusedQuantity": `${unusedReserved}.0000000000`,
    "reservation/UnusedRecurringFee": tenDecimals(unused),
    "reservation/StartTime": isoHour(month.from),
    "reservation/EndTime": endOf(month.to),
  });
  yield billRow(fee, { BilledCost: reserved, EffectiveCost: unused, ListCost: null, ContractedCost: null });
  if (isFinal) {
    const discount = -part(onDemand, 3, 100);
    const cells = line(month.from, month.to, "EdpDiscount", awsAccounts.payer, {
      "lineItem/ProductCode": "AmazonEC2",
      "lineItem/UnblendedCost": tenDecimals(discount),
      "lineItem/LineItemDescription": "Enterprise Discount Program, 3 % of on-demand usage",
      "product/ProductName": ec2,
    });
    yield billRow(cells, { BilledCost: discount, EffectiveCost: discount, ListCost: 0n, ContractedCost: null });
    const support = part(amount("1480"), Math.round(growthAt(month.from) * 1000), 1000);
    yield allIn(line, month, "Fee", support, { "lineItem/ProductCode": "AWSSupportBusiness", "lineItem/LineItemDescription": "AWS Support (Business)", "product/ProductName": "AWS Support (Business)" });
    const tax = part(support, 625, 10_000, 2);
    yield allIn(line, month, "Tax", tax, { "lineItem/ProductCode": "AWSSupportBusiness", "lineItem/TaxType": "SalesTax", "lineItem/LineItemDescription": "Tax for product code AWSSupportBusiness", "product/ProductName": "AWS Support (Business)" });
  }
  if (["2025-10", "2026-01", "2026-04", "2026-09"].includes(month.label)) {
    yield allIn(line, month, "Credit", amount(month.label === "2026-09" ? "-750" : "-1500"), { "lineItem/ProductCode": "AmazonEC2", "lineItem/LineItemDescription": "EDPNA_RESEARCH_CREDIT_2026", "product/ProductName": ec2 });
  }
  if (month.label === "2026-03" || month.label === "2026-08") {
    yield allIn(line, month, "Refund", amount(month.label === "2026-08" ? "-212.4" : "-96.15"), { "lineItem/ProductCode": "AmazonS3", "lineItem/LineItemDescription": "Refund for requests billed twice", "product/ProductName": "Amazon Simple Storage Service", "bill/BillType": "Refund" });
  }
}

/** A row whose costs are all its unblended cost. */
function allIn(line: Line, month: Month, type: string, cost: Attos, cells: Cells): BillRow {
  return billRow(line(month.from, month.to, type, awsAccounts.payer, { "lineItem/UnblendedCost": tenDecimals(cost), ...cells }), { BilledCost: cost, EffectiveCost: cost, ListCost: cost, ContractedCost: null });
}

function accountOf(team: Team | null): string {
  return team === "Search & ranking" || team === "Platform" ? awsAccounts.production : awsAccounts.research;
}

function endOf(hour: number): string {
  return isoHour(hour);
}
