/** Small bills and logs as text, for tests that go through files. */
export interface BillRow {
  readonly day: string;
  readonly cost: string;
  readonly account?: string;
  readonly month?: string;
  readonly provider?: string;
  readonly team?: string;
  readonly resource?: string;
  readonly description?: string;
  readonly currency?: string;
  readonly hour?: number;
}

const columns =
  "ProviderName,BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency," +
  "BilledCost,EffectiveCost,ListCost,ContractedCost,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,ServiceName,ResourceId,ChargeDescription,Tags";

/** A FOCUS bill; a row is one hour. */
export function focusBill(rows: readonly BillRow[]): string {
  const lines = rows.map(({ day, cost, account = "a", provider = "AWS", team = "research", resource = "", description = "storage", currency = "USD", hour = 0, month = day.slice(0, 7) }) => {
    const start = Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000;
    const [year = 0, monthNumber = 0] = month.split("-").map(Number);
    const end = new Date(Date.UTC(year, monthNumber, 1));
    return [
      provider, "1", account, `${month}-01T00:00:00Z`, instant(end), instant(new Date(start)), instant(new Date(start + 3_600_000)), "Usage", currency,
      cost, cost, cost, cost, "1", "Hours", "1", "Hours", "Compute", resource, description, `"{""team"": ""${team}""}"`,
    ].join(",");
  });
  return `${[columns, ...lines].join("\n")}\n`;
}

/** An nvidia-smi log of one GPU, a poll a minute from midnight. */
export function smiLog(day: string, utilizations: readonly number[], uuid = "GPU-00000000-0000-0000-0000-000000000001"): string {
  const lines = utilizations.map((utilization, minute) => {
    const at = new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000).toISOString().slice(0, 19).replaceAll("-", "/").replace("T", " ");
    return `${at}.000, 0, ${uuid}, NVIDIA H100 80GB HBM3, ${utilization} %, 60000 MiB, 81559 MiB, 300.00 W`;
  });
  return `timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]\n${lines.join("\n")}\n`;
}

function instant(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}
