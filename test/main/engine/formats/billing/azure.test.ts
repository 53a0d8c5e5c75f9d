import { describe, expect, it } from "vitest";
import { recognizeBilling } from "../../../../../main/engine/formats/index.ts";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import { cellsIn, fileWith, fixtures, readInto, readingOf } from "../../import/read-bill.ts";

const header = "SubscriptionId,Date,MeterCategory,MeterName,Quantity,UnitOfMeasure,CostInBillingCurrency,BillingCurrencyCode,ResourceId,ConsumedService,ChargeType,PricingModel";
const usageHeader = "SubscriptionGuid,UsageDateTime,MeterCategory,MeterName,UsageQuantity,UnitOfMeasure,PreTaxCost,Currency,InstanceId,ConsumedService";

function bill(rows: readonly string[], columns = header): string {
  return fileWith(`${[columns, ...rows].join("\n")}\n`);
}

function row(date: string, cost = "1", { charge = "Usage", model = "OnDemand", unit = "1 Hour", quantity = "1" }: { readonly charge?: string; readonly model?: string; readonly unit?: string; readonly quantity?: string } = {}): string {
  return `s-1,${date},Virtual Machines,ND96isr H100 v5,${quantity},${unit},${cost},USD,vm-1,Microsoft.Compute,${charge},${model}`;
}

async function errorOf(path: string): Promise<unknown> {
  const ledger = openMemoryLedger();
  try {
    const reading = await readInto(ledger.db, path);
    return reading.ok ? null : reading.error;
  } finally {
    ledger.close();
  }
}

describe("an Azure export", () => {
  it.each([
    ["a day above 12 behind the month", ["3/1/2026", "3/4/2026", "3/13/2026"], ["2026-03-01", "2026-03-04", "2026-03-13"]],
    ["a day above 12 before the month", ["1/3/2026", "13.03.2026", "4/3/2026"], ["2026-03-01", "2026-03-04", "2026-03-13"]],
    ["a year in front", ["2026-03-01", "2026-03-04"], ["2026-03-01", "2026-03-04"]],
    ["nothing, so that the way Azure writes them is assumed", ["3/1/2026", "3/4/26"], ["2026-03-01", "2026-03-04"]],
  ])("has its dates read by %s", async (_what, dates, days) => {
    const { cells, repairs, rowsSetAside } = await readingOf(bill(dates.map((date) => row(date))));
    expect(cells.map(({ day }) => day)).toEqual(days);
    expect(rowsSetAside).toBe(0);
    expect(repairs["date-order-assumed"]).toBe(dates.includes("3/4/26") ? 2 : undefined);
  });

  it("decides the order of its dates by a row far behind the first ones", async () => {
    const rows = [...Array.from({ length: 6000 }, (_, index) => row(`${(index % 9) + 1}/3/2026`, "0.1")), row("31/3/2026")];
    const { cells, repairs, totals } = await readingOf(bill(rows));
    expect(cells.every(({ day }) => String(day).startsWith("2026-03-"))).toBe(true);
    expect([repairs["date-order-assumed"], totals["USD"]?.BilledCost]).toEqual([undefined, "601"]);
  });

  it("of the old kind is refused where its dates fit both ways, naming one", async () => {
    const path = bill(["s-1,3/1/2026,Virtual Machines,D2,1,1 Hour,1,USD,vm-1,Microsoft.Compute"], usageHeader);
    expect(await errorOf(path)).toEqual({ code: "import.dates-ambiguous", params: { file: "bill.csv", column: "UsageDateTime", value: "3/1/2026" } });
  });

  it("that holds the actual and the amortized rows of a month is refused, since they repeat each other", async () => {
    const path = bill([row("2026-03-01", "100", { charge: "Purchase", model: "Reservation" }), row("2026-03-02", "3", { model: "Reservation" })]);
    expect(await errorOf(path)).toEqual({ code: "import.datasets-mixed", params: { file: "bill.csv", datasets: "ActualCost, AmortizedCost" } });
  });

  it("counts hours of units of several only where the quantity cannot count blocks", async () => {
    const hours = (quantities: readonly string[]): Promise<unknown> =>
      readingOf(bill(quantities.map((quantity) => row("2026-03-01", "1", { unit: "10 Hours", quantity })))).then(({ cells }) => cells[0]?.["GpuHours"]);
    expect([await hours(["22", "1"]), await hours(["2.4", "1"])]).toEqual([184, null]);
  });

  it("beside its amortized twin states both ledgers once", async () => {
    const ledger = openMemoryLedger();
    try {
      const deliveries = [];
      for (const name of ["enterprise-actual.csv", "enterprise-amortized.csv"]) {
        const reading = await readInto(ledger.db, `${fixtures}/azure/${name}`);
        if (reading.ok) deliveries.push(reading.value.totals["EUR"]);
      }
      const kinds = ledger.db.prepare("SELECT DISTINCT g.DatasetKind FROM delivery d JOIN delivery_group g USING (GroupId) ORDER BY 1").pluck().all();
      expect(kinds).toEqual(["accrual", "cash", "cash-and-accrual"]);
      // Rows without a commitment are the same in both files: 2363.8700564902. What shows of them is the newer delivery's.
      expect(deliveries.map((totals) => [totals?.BilledCost, totals?.EffectiveCost])).toEqual([["32363.8700564902", "2363.8700564902"], ["2363.8700564902", "3374.8700564902"]]);
      const hoursOfCovered = cellsIn(ledger.db).filter(({ x_PurchaseOption, CommitmentDiscountStatus }) => x_PurchaseOption === "reservation" && CommitmentDiscountStatus === "Used");
      expect(hoursOfCovered.map(({ GpuHours, EffectiveCost }) => [GpuHours, EffectiveCost])).toEqual([[160, "833.333333333333"], [null, null]]);
    } finally {
      ledger.close();
    }
  });

  it("names exactly what it lacks", () => {
    expect(recognizeBilling({ name: "x.csv", header: ["SubscriptionId", "MeterCategory", "ConsumedService", "Date"] })).toEqual({
      ok: false,
      error: { code: "import.column-missing", params: { file: "x.csv", format: "azure", columns: "CostInBillingCurrency" } },
    });
  });
});
