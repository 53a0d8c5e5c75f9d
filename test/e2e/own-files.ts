import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A made-up bill and log of one machine and one day, small enough to check in the head.
 * The bill: a g5.12xlarge (4 GPUs) for 24 hours at 10.00, 240.00 in all, and 1.25 of storage.
 * The log, every five minutes: 12 hours at 80 %, 6 hours idle with 60 % of the memory held, 6 hours idle and empty.
 * So of the 240.00: 96.00 productive, 24.00 busy but inefficient, 60.00 held idle, 60.00 dead idle.
 */
export function writeOwnFiles(folder: string): { readonly bill: string; readonly log: string } {
  mkdirSync(folder, { recursive: true });
  const bill = join(folder, "august.csv");
  const log = join(folder, "i-0f00dcafe0123456.csv");
  writeFileSync(bill, billText());
  writeFileSync(log, logText());
  return { bill, log };
}

function billText(): string {
  const header = "BillingAccountId,BillingAccountName,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,ChargeCategory,ChargeDescription,ChargeFrequency,PricingCategory,PricingQuantity,PricingUnit,ConsumedQuantity,ConsumedUnit,ProviderName,PublisherName,InvoiceIssuerName,ServiceCategory,ServiceName,RegionId,ResourceId,ResourceType,SubAccountId,SkuPriceDetails,Tags";
  const row = (start: string, end: string, cost: string, list: string, more: string): string =>
    `999988887777,Made Up,2026-08-01T00:00:00Z,2026-09-01T00:00:00Z,${start},${end},${cost},${cost},${list},${list},USD,Usage,${more}`;
  const rows = Array.from({ length: 24 }, (_, hour) =>
    row(at(hour), at(hour + 1), "10.00", "12.50", `g5.12xlarge Linux on demand,Usage-Based,Standard,1,Hours,1,Hours,AWS,AWS,AWS,Compute,Amazon Elastic Compute Cloud,eu-west-1,i-0f00dcafe0123456,Instance,111122223333,"{""InstanceType"":""g5.12xlarge""}","{""team"":""Vision""}"`),
  );
  rows.push(row(at(0), at(24), "1.25", "1.25", `Snapshot storage,Usage-Based,Standard,25,GB-Months,25,GB-Months,AWS,AWS,AWS,Storage,Amazon Elastic Block Store,eu-west-1,snap-1,Snapshot,111122223333,,"{}"`));
  return `${[header, ...rows].join("\n")}\n`;
}

function logText(): string {
  const lines = ["timestamp, index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]"];
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    const hour = minute / 60;
    const [utilization, memory, watts] = hour < 12 ? [80, 20_000, 250] : hour < 18 ? [0, 13_817, 60] : [0, 4, 25];
    const time = `2026/08/03 ${String(Math.floor(hour)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}:00.000`;
    for (let gpu = 0; gpu < 4; gpu += 1) lines.push(`${time}, ${gpu}, NVIDIA A10G, ${utilization} %, ${memory} MiB, 23028 MiB, ${watts}.00 W`);
  }
  return `${lines.join("\n")}\n`;
}

function at(hour: number): string {
  return hour < 24 ? `2026-08-03T${String(hour).padStart(2, "0")}:00:00Z` : "2026-08-04T00:00:00Z";
}
