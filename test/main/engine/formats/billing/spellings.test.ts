import { describe, expect, it } from "vitest";
import { fileWith, readingOf } from "../../import/read-bill.ts";

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

describe("words for nothing", () => {
  const words = ["NULL", "\\N", "None", "nan", "NA", "N/A", "#N/A", "<NA>", "(null)", "-"];

  it.each(words)("%s in a report of AWS makes no commitment of a fee, and no net cost", async (word) => {
    const header = "bill/BillingPeriodStartDate,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/CurrencyCode,lineItem/UnblendedCost,lineItem/NetUnblendedCost,reservation/ReservationARN,savingsPlan/SavingsPlanARN,splitLineItem/ParentResourceId";
    const line = (type: string, cost: string, net: string, arn: string): string => `2026-09-01T00:00:00Z,${type},2026-09-02T00:00:00Z,USD,${cost},${net},${arn},${word},${word}`;
    // A support fee costs what it is billed; the payment of a reservation has no effective cost of its own.
    const { totals, rowsPosted } = await readingOf(fileWith([header, line("Fee", "500", word, word), line("Fee", "12000", word, "arn:ri"), line("Usage", "10", "9", word), line("Tax", "1.5", word, word)].join("\n")));
    expect(rowsPosted).toBe(4);
    expect(totals).toMatchObject({ USD: { BilledCost: "12510.5", EffectiveCost: "510.5" } });
  });

  it.each(words)("%s in a FOCUS file leaves a list cost unknown, and buys no commitment", async (word) => {
    const text = `BilledCost,EffectiveCost,ListCost,BillingCurrency,ChargeCategory,ChargePeriodStart,CommitmentDiscountId,ChargeClass\n20,20,${word},USD,Purchase,2026-09-02,${word},${word}\n1,1,2,USD,Usage,2026-09-02,${word},${word}\n`;
    const { totals, corrections, rowsPosted } = await readingOf(fileWith(text));
    expect([rowsPosted, totals["USD"]?.EffectiveCost, totals["USD"]?.ListCost, corrections]).toEqual([2, "21", "2", {}]);
  });

  it.each([
    ["NULL", 2, 0],
    ["NaN", 2, 0],
    ["n/a", 1, 1],
    ["-", 1, 1],
  ])("%s where the amount of a bill should stand: %i rows of two are taken, %i set aside (FOCUS and Google always state it)", async (word, posted, aside) => {
    const line = (cost: string): string => `2026-09-01T00:00:00Z,Usage,2026-09-02T00:00:00Z,USD,${cost},7`;
    const aws = await readingOf(fileWith(["bill/BillingPeriodStartDate,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/CurrencyCode,lineItem/UnblendedCost,pricing/publicOnDemandCost", line("5"), line(word)].join("\n")));
    expect([aws.rowsPosted, aws.rowsSetAside, aws.totals["USD"]?.BilledCost]).toEqual([posted, aside, "5"]);
    const focus = await readingOf(fileWith(`BilledCost,BillingCurrency,ChargeCategory,ChargePeriodStart\n5,USD,Usage,2026-09-02\n${word},USD,Usage,2026-09-02\n`));
    expect([focus.rowsPosted, focus.rowsSetAside, focus.totals["USD"]?.BilledCost]).toEqual([1, 1, "5"]);
    const google = await readingOf(fileWith(`sku.description,service.description,usage_start_time,cost,currency,project.id,credits,invoice.month\nCore,Compute Engine,2026-09-02 00:00:00 UTC,5,USD,p,[],202609\nCore,Compute Engine,2026-09-02 00:00:00 UTC,${word},USD,p,[],202609\n`));
    expect([google.rowsPosted, google.rowsSetAside, google.totals["USD"]?.BilledCost]).toEqual([1, 1, "5"]);
  });

  it("in the list of Google's credits are no credit, and do not set its row aside", async () => {
    const text = "sku.description,service.description,usage_start_time,cost,currency,project.id,credits,invoice.month\n" + words.map((word) => `Core,Compute Engine,2026-09-02 00:00:00 UTC,1.5,USD,p,${word},202609`).join("\n");
    expect((await readingOf(fileWith(text))).totals).toMatchObject({ USD: { BilledCost: "15" } });
  });
});

describe("what programs and spreadsheets make of dates", () => {
  const focus = (start: string): string => `BilledCost,BillingCurrency,ChargeCategory,ChargePeriodStart\n2.5,USD,Usage,${start}\n`;
  it.each(["46279", "46279.041666666664", "14-Sep-2026 01:00", '"Sep 14, 2026"', "1789344000", "1789344000000", "2026年9月14日", "20260914"])("a charge of %s is of that month", async (start) => {
    const { periods, totals } = await readingOf(fileWith(focus(start)));
    expect([periods, totals["USD"]?.BilledCost]).toEqual([["2026-09"], "2.5"]);
  });

  it.each(["202609", "2026-09", "202609.0", "2026-09-01", "2026/9", "2026年09月"])("an invoice of %s is of September, whatever day was used", async (month) => {
    const text = `sku.description,service.description,usage_start_time,cost,currency,project.id,invoice.month\nCore,Compute Engine,2026-10-01 00:00:00 UTC,1.5,USD,p,${month}\n`;
    expect((await readingOf(fileWith(text))).periods).toEqual(["2026-09"]);
  });

  it.each([
    ["alibaba", "BillingCycle,ProductCode,ProductName,SubscriptionType,BillingItem,PretaxGrossAmount,PretaxAmount,Currency,UsageStartTime,UsageEndTime", "2026-09,ecs,ECS,PayAsYouGo,x,3,2.5,CNY,"],
    ["huawei", "账期,企业项目,产品类型编码,产品类型,计费模式,账单类型,官网价,应付金额,币种,使用开始时间,使用结束时间", "2026-09,d,hws.x,ECS,按需,消费-使用,3,2.5,CNY,"],
    ["tencent", "Bill Month,Product Name,Subproduct Name,Billing Mode,Transaction Type,Component Type,Component Name,Original Cost,Total Amount After Discount,Currency,Usage Start Time,Usage End Time", "2026-09,CVM,GPU,Pay-as-you-go,Hourly,GPU,x,3,2.5,CNY,"],
  ])("%s saved by a spreadsheet of another country is read where a date proves the order, and else refused", async (format, header, cells) => {
    const saved = (...days: string[]): string => fileWith([header, ...days.map((day) => `${cells}${day} 8:00,${day} 9:00`)].join("\n"));
    const proved = await readingOf(saved("9/5/2026", "9/14/2026"));
    expect([proved.format, proved.rowsPosted, proved.cells.map(({ day }) => day)]).toEqual([format, 2, ["2026-09-05", "2026-09-14"]]);
    const european = await readingOf(saved("5.9.2026", "14.9.2026"));
    expect(european.cells.map(({ day }) => day)).toEqual(["2026-09-05", "2026-09-14"]);
    await expect(readingOf(saved("9/5/2026", "9/6/2026"))).rejects.toThrow("import.dates-ambiguous");
  });
});

describe("names of columns in two languages", () => {
  it.each([
    ["in brackets of full width", "订阅 GUID（SubscriptionGuid）,使用日期（UsageDateTime）,计量类别（MeterCategory）,税前成本（PreTaxCost）,货币（Currency）"],
    ["before them", "SubscriptionGuid (订阅 GUID),UsageDateTime (使用日期),MeterCategory (计量类别),PreTaxCost (税前成本),Currency (货币)"],
  ])("Azure's English name stands %s", async (_where, header) => {
    const { format, totals } = await readingOf(fileWith(`${header}\ns,2026-09-14,Storage,2.5,CNY\n`));
    expect([format, totals["CNY"]?.BilledCost]).toEqual(["azure", "2.5"]);
  });
});
