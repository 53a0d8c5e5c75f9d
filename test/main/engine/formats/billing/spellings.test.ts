import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import { fileWith, fixtures, readInto, readingOf } from "../../import/read-bill.ts";

describe("spellings nobody has written down", () => {
  it.each([
    [
      "Azure, half localized, saved by a spreadsheet with semicolons and decimal commas",
      "azure",
      "\uFEFFsubscription Id;Datum (Date);Meter Category;Name des Zählers (MeterName);Menge (Quantity);Maßeinheit (UnitOfMeasure);Kosten (CostInBillingCurrency);Währung (BillingCurrencyCode);resourceId;consumedService;Gebührentyp (ChargeType)\r\n" +
        "s-1;21.09.2026;Virtual Machines;NC24ads A100 v4;1,5;1 Hour;5,25;EUR;vm-1;Microsoft.Compute;Usage\r\n",
      { EUR: "5.25" },
    ],
    [
      "Azure, capitals, two spellings of one column",
      "azure",
      "SUBSCRIPTIONID,DATE,METERCATEGORY,METERNAME,QUANTITY,COSTINUSD,COSTINBILLINGCURRENCY,BILLINGCURRENCY,RESOURCELOCATION,LOCATION,BILLINGPERIODENDDATE,BILLINGPERIODSTARTDATE\ns-1,2026-09-21T00:00:00Z,Storage,Disks,1,3,2.5,EUR,westeurope,EU West,2026-09-30T00:00:00Z,2026-09-01T00:00:00Z\n",
      { EUR: "2.5" },
    ],
    [
      "Google, names with blanks, amounts printed by Python",
      "gcp",
      `Billing account ID,Service description,SKU description,Usage start time,Usage end time,Project ID,Cost,Currency,Credits,Cost type,Invoice month
1,Compute Engine,Core,2026-09-30 23:00:00.000 UTC,2026-10-01 00:00:00 UTC,p,1.25,USD,"[{'amount': Decimal('-0.25'), 'name': ""it's""}]",regular,2026-09
1,Compute Engine,Core,2026-09-30 23:00:00.000 UTC,2026-10-01 00:00:00 UTC,p,1.25,USD,"[{'amount': run('-0.25')}]",regular,2026-09
`,
      { USD: "1" },
    ],
    [
      "AWS, legacy and snake_case names in one file",
      "aws-cur",
      "bill/PayerAccountId,bill_billing_period_start_date,bill/BillingPeriodEndDate,line_item_line_item_type,lineItem/UnblendedCost,line_item_usage_start_date,lineItem/UsageEndDate,lineItem/CurrencyCode,reservation_reservation_a_r_n,reservation/EffectiveCost\n1,2026-09-01 00:00:00.000,2026-10-01 00:00:00.000,DiscountedUsage,0,2026-09-02 00:00:00.000,2026-09-02 01:00:00.000,USD,arn:aws:ec2:us-east-1:1:reserved-instances/x,2.5\n",
      { USD: "0" },
    ],
    ["Oracle, underscores", "oci", "lineitem_intervalusagestart,lineitem_intervalusageend,product_description,usage_billedquantity,cost_mycost,cost_currencycode\n2026-09-13T10:00Z,2026-09-13T11:00Z,Block volume,1,1.5E-3,USD\n", { USD: "0.0015" }],
    ["FOCUS, names apart and in small letters", "focus", "billed cost,effective cost,charge category,charge period start,charge period end,billing currency,x_own\n1,2,usage,2026-09-01 00:00:00,2026-09-02 00:00:00,usd,?\n", { USD: "1" }],
  ])("%s", async (_what, format, text, billed) => {
    const reading = await readingOf(fileWith(text));
    expect(reading.format).toBe(format);
    expect(Object.fromEntries(Object.entries(reading.totals).map(([currency, { BilledCost }]) => [currency, BilledCost]))).toEqual(billed);
    expect(reading.periods).toEqual(["2026-09"]);
  });
});

describe("a damaged bill", () => {
  it.each(["azure/enterprise-amortized.csv", "gcp/detailed-flattened.csv", "gcp/detailed-json-lines.jsonl", "focus/usage-only-array.json", "aws-cur/cur-2.0-maps.csv", "oci/gpu-shapes.csv"])(
    "%s, cut anywhere or with a byte turned, is read or refused with a reason, and every row is accounted for",
    async (name) => {
      const bytes = readFileSync(join(fixtures, name));
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length), fc.option(fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) })), async (end, turned) => {
          const damaged = Buffer.from(turned === null ? bytes.subarray(0, end) : bytes);
          if (turned !== null) damaged[turned.at] = turned.byte;
          const ledger = openMemoryLedger();
          try {
            const reading = await readInto(ledger.db, fileWith(damaged, name.replace("/", "-")));
            if (!reading.ok) expect(reading.error.code).toMatch(/^import\./);
            else expect(reading.value.rowsPosted + reading.value.rowsSetAside).toBe(reading.value.rowsRead);
          } finally {
            ledger.close();
          }
        }),
        { numRuns: 25 },
      );
    },
    60_000,
  );
});
