import { describe, expect, it } from "vitest";
import { billedShare } from "../../../../main/engine/metrics/bill-coverage.ts";
import { chargeRows, chargesBehind, takesPart, type ChargeFacts, type ChargeRow } from "../../../../main/engine/metrics/charges.ts";
import { commitmentCoverage } from "../../../../main/engine/metrics/commitment-coverage.ts";
import { commitmentUtilization } from "../../../../main/engine/metrics/commitment-utilization.ts";
import { effectiveSavingsRate } from "../../../../main/engine/metrics/effective-savings-rate.ts";
import { gpuHours } from "../../../../main/engine/metrics/gpu-hours.ts";
import { gpuSpend } from "../../../../main/engine/metrics/gpu-spend.ts";
import { spendChange } from "../../../../main/engine/metrics/spend-change.ts";
import { spend } from "../../../../main/engine/metrics/spend.ts";
import { unusedCommitmentCost } from "../../../../main/engine/metrics/unused-commitment-cost.ts";
import { query, readAll } from "../../../../main/engine/store/sql.ts";
import type { CostBasis } from "../../../../shared/domain/figure.ts";
import { ledgerWith, type CellSpec } from "../ledger-with.ts";

const DOLLAR = 10n ** 18n;
const day = "2026-09-01";
const gpu = { x_GpuModel: "H100", x_GpuCount: 8 };

function factsOf(cells: readonly CellSpec[], basis: CostBasis = "EffectiveCost"): ChargeFacts {
  const { db } = ledgerWith({ deliveries: [{ month: "2026-09", cells }] });
  const rows = readAll(db, chargeRows({ months: ["2026-09"], scope: {}, currency: "USD", basis, by: ["team", "gpuModel", "purchaseOption"] }));
  return { currency: "USD", basis, rows, previousRows: null, billCoverage: 1 };
}

describe("figures of the bill", () => {
  const bill: readonly CellSpec[] = [
    { day, cost: "100", BilledCost: "0", ListCost: "140", GpuHours: 10, series: { ...gpu, CommitmentDiscountStatus: "Used", x_PurchaseOption: "savings-plan" } },
    { day, cost: "60", ListCost: "60", GpuHours: 6, series: { ...gpu, x_PurchaseOption: "on-demand" } },
    { day, cost: "10", ListCost: "0", series: { CommitmentDiscountStatus: "Unused", ...gpu } },
    { day, cost: "0", BilledCost: "110", ListCost: null, series: { ChargeCategory: "Purchase" } },
    { day, cost: "17", ListCost: "17", series: { ChargeCategory: "Tax" } },
    { day, cost: "-5", ListCost: "-5", series: { ChargeCategory: "Credit" } },
    { day, cost: "30", ListCost: "0", series: { ServiceName: "storage" } },
  ];

  it("adds every kind of charge, in the basis asked for", () => {
    expect(spend.figure(factsOf(bill)).value).toBe(212n * DOLLAR);
    expect(spend.figure(factsOf(bill, "BilledCost")).value).toBe(222n * DOLLAR);
    expect(spend.inputs(factsOf(bill)).map(({ figure }) => figure.value)).toEqual([160n * DOLLAR, 10n * DOLLAR, 30n * DOLLAR, 0n, 17n * DOLLAR, -5n * DOLLAR]);
  });

  it("counts usage with a GPU for GPU spend, but no commitment left unused", () => {
    expect(gpuSpend.figure(factsOf(bill)).value).toBe(160n * DOLLAR);
    expect(gpuHours.figure(factsOf(bill))).toMatchObject({ value: 16, unit: "gpu-hours", coverage: 1 });
    expect(unusedCommitmentCost.figure(factsOf(bill)).value).toBe(10n * DOLLAR);
  });

  it("measures savings on usage alone, with unused commitments against them", () => {
    // List 200; effective 160 used and 10 unused. The storage row's list cost of 0 beside a cost is missing, not free.
    expect(effectiveSavingsRate.figure(factsOf(bill))).toMatchObject({ value: 30 / 200, coverage: 160 / 190 });
    expect(effectiveSavingsRate.figure(factsOf([{ day, cost: "5", ListCost: null }]))).toMatchObject({ value: null, why: "no-list-price" });
  });

  it("tells how far commitments were used and what they covered", () => {
    expect(commitmentUtilization.figure(factsOf(bill)).value).toBe(100 / 110);
    expect(commitmentCoverage.figure(factsOf(bill)).value).toBe(140 / 200);
    expect(commitmentUtilization.figure(factsOf([{ day, cost: "5" }]))).toMatchObject({ value: null, why: "no-commitments" });
  });

  it("keeps unknown hours unknown and says how many rows tell theirs", () => {
    expect(gpuHours.figure(factsOf([{ day, cost: "5", rows: 3, series: gpu }, { day, cost: "5", GpuHours: 8, series: { ...gpu, x_Team: "b" } }]))).toMatchObject({ value: 8, coverage: 0.25 });
    expect(gpuHours.figure(factsOf([{ day, cost: "5", series: gpu }]))).toMatchObject({ value: null, why: "no-gpu-hours" });
  });

  it("compares with the period before only where there is one", () => {
    const facts = factsOf(bill);
    expect(spendChange.figure(facts)).toMatchObject({ value: null, why: "no-previous-period" });
    expect(spendChange.figure({ ...facts, previousRows: facts.rows.slice(1) }).value).toBe(facts.rows[0]?.costAttos);
    expect(spendChange.figure({ ...facts, rows: [], previousRows: facts.rows }).value).toBe(-212n * DOLLAR);
  });

  it("lists the same charges behind a figure as take part in it", () => {
    const { db } = ledgerWith({ deliveries: [{ month: "2026-09", cells: bill }] });
    const count = (params: Parameters<typeof takesPart>[1]): number =>
      readAll(db, query<{ count: number }>("count")`SELECT count(*) AS count FROM charge_month_current AS c JOIN series AS s ON s.SeriesId = c.SeriesId WHERE 1 ${chargesBehind("spend", params)}`)[0]?.count ?? -1;
    const rows: readonly ChargeRow[] = factsOf(bill).rows;
    for (const params of [{}, { chargeClass: "tax" }, { without: "unused-commitment" }, { chargeClass: "gpu", purchaseOption: "on-demand" }, { purchaseOption: "" }]) {
      expect([params, count(params)]).toEqual([params, rows.filter((row) => takesPart(row, params)).length]);
    }
    const gpuCharges = readAll(db, query<{ count: number }>("count")`SELECT count(*) AS count FROM series AS s WHERE 1 ${chargesBehind("idle-cost")}`);
    expect(gpuCharges).toEqual([{ count: 2 }]);
  });

  it("covers days over all providers, overlapping deliveries once", () => {
    const deliveries = [{ provider: "AWS", firstDay: 0, lastDay: 9 }, { provider: "AWS", firstDay: 5, lastDay: 14 }, { provider: "Azure", firstDay: -3, lastDay: 29 }];
    expect(billedShare(deliveries, ["AWS", "Azure"], 0, 30)).toBe(45 / 60);
    expect(billedShare(deliveries, [], 0, 30)).toBe(0);
  });
});
