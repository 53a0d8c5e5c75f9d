/**
 * Writes large bills whose totals are known: a legacy AWS Cost and Usage Report (125 columns, about 1 kB a row) and the same charges as
 * FOCUS (48 columns). The same arguments give the same bytes. Amounts are whole 1e-10 while they are made, so the totals are exact.
 *
 * A bill of up to 1.5 million rows is of one month; a longer one has a month for each 1.67 million rows, up to twelve: a company of some 2,300
 * resources that are billed by the hour, a third of them GPU machines. Resources live for one to twelve months, then another takes their place.
 */
import { closeSync, openSync, writeSync } from "node:fs";

const UNITS = 10_000_000_000;

const curColumns = (
  "identity/LineItemId identity/TimeInterval bill/InvoiceId bill/InvoicingEntity bill/BillingEntity bill/BillType bill/PayerAccountId bill/BillingPeriodStartDate bill/BillingPeriodEndDate " +
  "lineItem/UsageAccountId lineItem/LineItemType lineItem/UsageStartDate lineItem/UsageEndDate lineItem/ProductCode lineItem/UsageType lineItem/Operation lineItem/AvailabilityZone lineItem/ResourceId lineItem/UsageAmount " +
  "lineItem/NormalizationFactor lineItem/NormalizedUsageAmount lineItem/CurrencyCode lineItem/UnblendedRate lineItem/UnblendedCost lineItem/BlendedRate lineItem/BlendedCost lineItem/LineItemDescription lineItem/TaxType lineItem/LegalEntity " +
  "product/ProductName product/availability product/availabilityZone product/capacitystatus product/clockSpeed product/comments product/currentGeneration product/databaseEngine product/dedicatedEbsThroughput product/description product/durability " +
  "product/ecu product/endpointType product/enhancedNetworkingSupported product/eventType product/feeDescription product/fromLocation product/fromLocationType product/fromRegionCode product/gpu product/gpuMemory product/group product/groupDescription " +
  "product/instanceFamily product/instanceType product/instanceTypeFamily product/intelAvxAvailable product/licenseModel product/location product/locationType product/marketoption product/maxIopsvolume product/maxThroughputvolume product/maxVolumeSize product/memory product/memoryGib " +
  "product/networkPerformance product/normalizationSizeFactor product/operatingSystem product/operation product/physicalProcessor product/preInstalledSw product/processorArchitecture product/processorFeatures product/productFamily product/region product/regionCode product/servicecode product/servicename " +
  "product/sku product/storage product/storageClass product/tenancy product/toLocation product/toRegionCode product/transferType product/usagetype product/vcpu product/version product/volumeApiName product/volumeType " +
  "pricing/LeaseContractLength pricing/OfferingClass pricing/PurchaseOption pricing/RateCode pricing/RateId pricing/currency pricing/publicOnDemandCost pricing/publicOnDemandRate pricing/term pricing/unit " +
  "reservation/AmortizedUpfrontCostForUsage reservation/AmortizedUpfrontFeeForBillingPeriod reservation/EffectiveCost reservation/EndTime reservation/RecurringFeeForUsage reservation/ReservationARN reservation/StartTime reservation/UnusedAmortizedUpfrontFeeForBillingPeriod reservation/UnusedRecurringFee " +
  "savingsPlan/TotalCommitmentToDate savingsPlan/SavingsPlanARN savingsPlan/SavingsPlanRate savingsPlan/UsedCommitment savingsPlan/SavingsPlanEffectiveCost savingsPlan/RecurringCommitmentForBillingPeriod " +
  "resourceTags/aws:createdBy resourceTags/user:Name resourceTags/user:team resourceTags/user:environment resourceTags/user:project resourceTags/user:owner resourceTags/user:cost-center resourceTags/user:cluster resourceTags/user:job"
).split(" ");
const focusColumns = (
  "AvailabilityZone BilledCost BillingAccountId BillingAccountName BillingCurrency BillingPeriodEnd BillingPeriodStart ChargeCategory ChargeClass ChargeDescription ChargeFrequency ChargePeriodEnd ChargePeriodStart " +
  "CommitmentDiscountCategory CommitmentDiscountId CommitmentDiscountName CommitmentDiscountStatus CommitmentDiscountType ConsumedQuantity ConsumedUnit ContractedCost ContractedUnitPrice EffectiveCost InvoiceIssuerName ListCost ListUnitPrice " +
  "PricingCategory PricingQuantity PricingUnit ProviderName PublisherName RegionId RegionName ResourceId ResourceName ResourceType ServiceCategory ServiceName SkuId SkuPriceId SubAccountId SubAccountName Tags " +
  "x_CostCategories x_Discounts x_Operation x_ServiceCode x_UsageType"
).split(" ");

// type, accelerators, price an hour: made-up prices near those of 2025, for size alone
const machines = [
  ["p5.48xlarge", 8, 98.32], ["p4d.24xlarge", 8, 32.7726], ["g5.12xlarge", 4, 5.672], ["g6.xlarge", 1, 0.8048], ["g4dn.xlarge", 1, 0.526],
  ["m6i.xlarge", 0, 0.192], ["c7g.4xlarge", 0, 0.58], ["r6i.4xlarge", 0, 1.008], ["m7i.8xlarge", 0, 1.6128],
];
const others = [
  ["AmazonS3", "Amazon Simple Storage Service", "Requests-Tier1", "PutObject", "Requests", 0.000005, '$0.005 per 1,000 PUT, COPY, POST, or LIST "requests"'],
  ["AmazonS3", "Amazon Simple Storage Service", "TimedStorage-ByteHrs", "StandardStorage", "GB-Mo", 0.023, "$0.023 per GB - first 50 TB / month of storage used"],
  ["AmazonEC2", "Amazon Elastic Compute Cloud", "EBS:VolumeUsage.gp3", "CreateVolume-Gp3", "GB-Mo", 0.08, "$0.08 per GB-month of General Purpose (gp3) provisioned storage"],
  ["AWSLambda", "AWS Lambda", "Lambda-GB-Second", "Invoke", "Second", 0.0000166667, "AWS Lambda - Total Compute"],
];
const regions = ["us-east-1", "us-west-2", "eu-west-1", "ap-northeast-1"];
const teams = ["vision", "speech", "search", "ads", "platform", "Zoë & co", "研究", ""];

/** The months a bill of so many rows is of, the last one September 2026. */
export function monthsOf(rows) {
  const count = Math.min(12, Math.max(1, Math.round(rows / 1_666_667)));
  return Array.from({ length: count }, (_, index) => monthAt(12 - count + index));
}

/** month 0 is October 2025, month 11 September 2026. */
export function monthAt(index) {
  const start = Date.UTC(2025, 9 + index, 1);
  return { index, start, end: Date.UTC(2025, 10 + index, 1) };
}

const HOUR_MS = 3_600_000;
const FLUSH_AT = 1 << 22;
/** Months that a resource lives. */
const lifetimes = [1, 3, 6, 12, 12, 12];

/** Writes `rows` rows to a file and answers its exact totals. kind: "cur" or "focus"; months: see monthsOf. */
export function makeBill({ kind, rows, path, months = monthsOf(rows) }) {
  const columns = kind === "cur" ? curColumns : focusColumns;
  const random = generator(20260901 + months[0].index);
  const hours = months.reduce((sum, { start, end }) => sum + (end - start) / HOUR_MS, 0);
  const slots = Math.ceil(rows / hours);
  const write = kind === "cur" ? curRow : focusRow;
  const file = openSync(path, "w");
  let text = `${columns.join(",")}\n`;
  let written = 0;
  const sums = { list: 0n, effective: 0n };
  for (const month of months) {
    const resources = Array.from({ length: slots }, (_, slot) => resourceIn(slot, month));
    const period = { start: stamp(month.start), end: stamp(month.end) };
    for (const resource of resources) resource.pieces = kind === "cur" ? curPieces(resource, period) : focusPieces(resource, period);
    for (let hour = month.start; hour < month.end && written < rows; hour += HOUR_MS) {
      const start = stamp(hour);
      const end = stamp(hour + HOUR_MS);
      for (const resource of resources) {
        if (written === rows) break;
        const charge = chargeOf(resource, random);
        text += write(resource.pieces, written, start, end, charge);
        resource.list += charge.list;
        resource.effective += charge.effective;
        written += 1;
        if (text.length > FLUSH_AT) {
          // Pieces hold UTF-8 a byte a character: one-byte text is put together and written several times as fast.
          writeSync(file, text, null, "latin1");
          text = "";
        }
      }
    }
    for (const resource of resources) {
      sums.list += BigInt(resource.list);
      sums.effective += BigInt(resource.effective);
    }
  }
  writeSync(file, text, null, "latin1");
  closeSync(file);
  const effective = exact(sums.effective);
  const list = exact(sums.list);
  return { rows: written, totals: { BilledCost: kind === "cur" ? list : effective, EffectiveCost: effective, ListCost: list } };
}

function generator(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What stands in a slot in a month. It depends on these two alone, so that bills of single months fit together. */
function resourceIn(slot, month) {
  const lifetime = lifetimes[slot % lifetimes.length];
  const index = slot * 12 + Math.floor((month.index + slot) / lifetime) % 12;
  return resourceOf(index, slot, generator(index * 2654435761));
}

/** What a resource costs in an hour. A machine's hour has one of two amounts, whose texts are made once. */
function chargeOf(resource, random) {
  if (!resource.isMachine) return amountsOf(resource, random(900) * 1_000_000_000 + random(UNITS));
  return random(20) === 0 ? (resource.quarter ??= amountsOf(resource, UNITS / 4)) : (resource.whole ??= amountsOf(resource, UNITS));
}

function amountsOf(resource, quantity) {
  const list = Math.round((quantity / UNITS) * resource.rate * UNITS);
  const effective = resource.isCovered ? Math.round(list * 0.62) : list;
  const listText = decimal(list);
  return { list, effective, quantityText: decimal(quantity), listText, effectiveText: effective === list ? listText : decimal(effective) };
}

function stamp(ms) {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

function resourceOf(index, slot, random) {
  const isMachine = slot % 4 !== 3;
  const region = regions[random(regions.length)];
  const [type, gpus, price] = machines[random(machines.length)];
  const [code, service, usageType, operation, unit, unitPrice, description] = others[random(others.length)];
  const common = { index, isMachine, region, account: String(100000000000 + random(25) * 7919), team: teams[random(teams.length)], list: 0, effective: 0, pieces: null, whole: null, quarter: null };
  const id = ((index * 2654435761) % 2 ** 32).toString(16).padStart(17, "0");
  return isMachine
    ? { ...common, type, gpus, rate: price, isCovered: random(3) === 0, code: "AmazonEC2", service: "Amazon Elastic Compute Cloud", usageType: `BoxUsage:${type}`, operation: "RunInstances", unit: "Hrs", resource: `i-${id}`, description: `$${price} per On Demand Linux ${type} Instance Hour` }
    : { ...common, type: "", gpus: 0, rate: unitPrice, isCovered: false, code, service, usageType, operation, unit, resource: `bucket-${id}`, description };
}

const dynamic = "\u0000";

/** The row's text in pieces, cut where a value changes from row to row. */
function piecesOf(columns, values) {
  return columns.map((column) => (values[column] === undefined ? "" : values[column] === dynamic ? dynamic : quoted(values[column]))).join(",").split(dynamic).map((piece) => Buffer.from(piece, "utf8").toString("latin1"));
}

function curPieces(resource, period) {
  const plan = `arn:aws:savingsplans::${resource.account}:savingsplan/7d4e2c1b-0000`;
  return piecesOf(curColumns, {
    "identity/LineItemId": dynamic, "identity/TimeInterval": dynamic, "bill/InvoicingEntity": "Amazon Web Services, Inc.", "bill/BillingEntity": "AWS", "bill/BillType": "Anniversary", "bill/PayerAccountId": "100000000000",
    "bill/BillingPeriodStartDate": period.start, "bill/BillingPeriodEndDate": period.end, "lineItem/UsageAccountId": resource.account,
    "lineItem/LineItemType": resource.isCovered ? "SavingsPlanCoveredUsage" : "Usage", "lineItem/UsageStartDate": dynamic, "lineItem/UsageEndDate": dynamic, "lineItem/ProductCode": resource.code, "lineItem/UsageType": resource.usageType,
    "lineItem/Operation": resource.operation, "lineItem/AvailabilityZone": `${resource.region}a`, "lineItem/ResourceId": resource.resource, "lineItem/UsageAmount": dynamic, "lineItem/CurrencyCode": "USD", "lineItem/UnblendedRate": String(resource.rate),
    "lineItem/UnblendedCost": dynamic, "lineItem/BlendedRate": String(resource.rate), "lineItem/BlendedCost": dynamic, "lineItem/LineItemDescription": resource.description, "lineItem/LegalEntity": "Amazon Web Services, Inc.",
    "product/ProductName": resource.service, "product/clockSpeed": "3.1 GHz", "product/currentGeneration": "Yes", "product/gpu": resource.gpus === 0 ? "" : String(resource.gpus), "product/instanceFamily": resource.gpus === 0 ? "" : "GPU instance",
    "product/instanceType": resource.type, "product/location": "US East (N. Virginia)", "product/locationType": "AWS Region", "product/licenseModel": "No License required", "product/operatingSystem": "Linux", "product/operation": resource.operation,
    "product/physicalProcessor": "Intel Xeon Platinum 8275L", "product/processorArchitecture": "64-bit", "product/processorFeatures": "Intel AVX; Intel AVX2; Intel AVX512; Intel Turbo", "product/productFamily": resource.isMachine ? "Compute Instance" : "Storage",
    "product/region": resource.region, "product/regionCode": resource.region, "product/servicecode": resource.code, "product/servicename": resource.service, "product/sku": "QJZGVKSE4YQ8NDRD", "product/tenancy": "Shared", "product/usagetype": resource.usageType,
    "pricing/RateCode": "QJZGVKSE4YQ8NDRD.JRTCKXETXF.6YS6EN2CT7", "pricing/RateId": "119423546", "pricing/currency": "USD", "pricing/publicOnDemandCost": dynamic, "pricing/publicOnDemandRate": String(resource.rate), "pricing/term": "OnDemand", "pricing/unit": resource.unit,
    "savingsPlan/SavingsPlanARN": resource.isCovered ? plan : "", "savingsPlan/SavingsPlanEffectiveCost": resource.isCovered ? dynamic : "", "resourceTags/user:Name": `worker "${resource.index}", node`, "resourceTags/user:team": resource.team,
    "resourceTags/user:environment": "prod", "resourceTags/user:project": "llm-serving", "resourceTags/user:cost-center": "cc-4711",
  });
}

function curRow(p, number, start, end, { quantityText, listText, effectiveText }) {
  const row = `${p[0]}q7zk2m4xw${number.toString(36).padStart(8, "0")}hn3v5c8r1t6y9b0d2f4g${p[1]}${start}/${end}${p[2]}${start}${p[3]}${end}${p[4]}${quantityText}${p[5]}${listText}${p[6]}${listText}${p[7]}${listText}`;
  return p.length === 10 ? `${row}${p[8]}${effectiveText}${p[9]}\n` : `${row}${p[8]}\n`;
}

function focusPieces(resource, period) {
  const tags = { environment: "prod", project: "llm-serving", ...(resource.team === "" ? {} : { team: resource.team }) };
  return piecesOf(focusColumns, {
    AvailabilityZone: `${resource.region}a`, BilledCost: dynamic, BillingAccountId: "100000000000", BillingAccountName: "Payer, Inc.", BillingCurrency: "USD", BillingPeriodEnd: period.end, BillingPeriodStart: period.start,
    ChargeCategory: "Usage", ChargeDescription: resource.description, ChargeFrequency: "Usage-Based", ChargePeriodEnd: dynamic, ChargePeriodStart: dynamic, CommitmentDiscountCategory: resource.isCovered ? "Spend" : "",
    CommitmentDiscountId: resource.isCovered ? `arn:aws:savingsplans::${resource.account}:savingsplan/7d4e2c1b-0000` : "", CommitmentDiscountStatus: resource.isCovered ? "Used" : "", CommitmentDiscountType: resource.isCovered ? "Savings Plan" : "",
    ConsumedQuantity: dynamic, ConsumedUnit: resource.unit, ContractedCost: dynamic, ContractedUnitPrice: String(resource.rate), EffectiveCost: dynamic, InvoiceIssuerName: "Amazon Web Services, Inc.", ListCost: dynamic, ListUnitPrice: String(resource.rate),
    PricingCategory: resource.isCovered ? "Committed" : "Standard", PricingQuantity: dynamic, PricingUnit: resource.unit, ProviderName: "AWS", PublisherName: "Amazon Web Services, Inc.", RegionId: resource.region, RegionName: "US East (N. Virginia)",
    ResourceId: resource.resource, ResourceType: "Instance", ServiceCategory: resource.isMachine ? "Compute" : "Storage", ServiceName: resource.service, SkuId: "QJZGVKSE4YQ8NDRD", SkuPriceId: "QJZGVKSE4YQ8NDRD.JRTCKXETXF.6YS6EN2CT7",
    SubAccountId: resource.account, SubAccountName: `account "${resource.account}"`, Tags: JSON.stringify(tags), x_Operation: resource.operation, x_ServiceCode: resource.code, x_UsageType: resource.usageType,
  });
}

function focusRow(p, _number, start, end, { quantityText, listText, effectiveText }) {
  return `${p[0]}${effectiveText}${p[1]}${end}${p[2]}${start}${p[3]}${quantityText}${p[4]}${listText}${p[5]}${effectiveText}${p[6]}${listText}${p[7]}${quantityText}${p[8]}\n`;
}

/** Tiny amounts in E notation, as exporters write them. */
function decimal(units) {
  if (units === 0) return "0";
  if (units < 1_000_000) {
    const digits = String(units);
    return `${digits[0]}.${digits.slice(1).replace(/0+$/, "") || "0"}E${digits.length - 11}`;
  }
  return (units / UNITS).toFixed(10);
}

function exact(units) {
  const digits = units.toString().padStart(11, "0");
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, "");
}

function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
