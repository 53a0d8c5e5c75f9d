import { parse } from "csv-parse/sync";
import { expect, it } from "vitest";
import { wordsOf } from "../../../../main/cli/words.ts";
import { readPivot, seriesOfGroup } from "../../../../main/engine/pivot/pivot.ts";
import { pivotSheet } from "../../../../main/engine/pivot/sheet.ts";
import { gather, type Gathered } from "../../../../main/engine/reports/gather.ts";
import type { PivotPage, PivotView } from "../../../../shared/contract/pivot.ts";
import { pivotDimensionsOf } from "../../../../shared/contract/pivot.ts";
import type { Scope } from "../../../../shared/domain/scope.ts";
import { addGpuHourCosts, ledgerWith } from "../ledger-with.ts";
import { readSheets } from "../print/sheets.ts";
import { contextOf } from "../reports/company.ts";

const DOLLAR = 10n ** 18n;
const gpu = { ServiceName: "Compute", RegionId: "us-east-1", x_GpuModel: "H100", ResourceId: "i-1", x_PurchaseOption: "on-demand" } as const;
const ledger = ledgerWith({
  deliveries: [
    {
      month: "2026-09",
      cells: [
        { day: "2026-09-01", series: { ...gpu, x_Team: "vision" }, cost: "10.10", rows: 3, GpuHours: 4 },
        { day: "2026-09-02", series: { ...gpu, x_Team: "vision" }, cost: "0.000000000000000001", rows: 1, GpuHours: 1 },
        { day: "2026-09-02", series: { ...gpu, ResourceId: "i-2", x_Team: "search" }, EffectiveCost: "5", BilledCost: "7", rows: 2, GpuHours: 2 },
        { day: "2026-09-03", series: { ServiceName: "Storage" }, cost: "1.5", ListCost: null, rows: 1 },
        { day: "2026-09-03", series: { ServiceName: "Storage", BillingCurrency: "EUR" }, cost: "99" },
      ],
    },
    { month: "2026-07", cells: [{ day: "2026-07-01", series: { x_Team: "ÜBER-ПРОД" }, cost: "1" }, { day: "2026-07-01", series: { x_Team: "vision" }, cost: "2" }] },
    { month: "2026-09", provider: "Microsoft", cells: [{ day: "2026-09-04", series: { ServiceName: "=cmd()", ChargeCategory: "Tax" }, cost: "-2" }] },
  ],
});
addGpuHourCosts(ledger, [
  { hour: "2026-09-01T00:00:00Z", series: { ...gpu, x_Team: "vision" }, GpuHours: 8, KnownGpuHours: 6, UsefulGpuHours: 3, IdleGpuHours: 2, EffectiveCost: "8", HeldIdleCost: "1", DeadIdleCost: "1.25", UnknownCost: "2", ProductiveCost: "3.75" },
  { hour: "2026-09-01T01:00:00Z", series: { ...gpu, x_Team: "vision" }, GpuHours: 8, EffectiveCost: "8", UnknownCost: "8" },
]);

function about(currency: string | null = "USD", scope: Scope = {}, period = "2026-09"): Gathered {
  const gathered = gather(contextOf(ledger), { period, scope, basis: "EffectiveCost", currency });
  if (gathered === null) throw new Error("no period");
  return gathered;
}
function view(changes: Partial<PivotView>): PivotView {
  return { table: "charges", by: ["service"], filters: [], sort: null, ...changes };
}
function pageOf(changes: Partial<PivotView>, gathered = about(), offset = 0, limit = 500): PivotPage {
  const page = readPivot(gathered, { view: view(changes), offset, limit });
  if (!page.ok) throw new Error(page.error.code);
  return page.value;
}

it("adds every row of the period to exactly one group, to the last digit, by whatever it is grouped", () => {
  const whole = 14n * DOLLAR + (DOLLAR * 6n) / 10n + 1n;
  for (const dimension of pivotDimensionsOf.charges) {
    const { rows, total, groups } = pageOf({ by: [dimension] });
    expect(groups).toBe(rows.length);
    expect(total[0]?.value).toBe(whole);
    expect(rows.reduce((sum, { values }) => sum + (values[0]?.value as bigint), 0n)).toBe(whole);
    expect(rows.reduce((sum, { values }) => sum + (values[5]?.value as number), 0)).toBe(8);
  }
});

it("says what is not stated as null, with the share of rows that state it", () => {
  const { rows, total } = pageOf({ by: ["service"], sort: { column: "EffectiveCost", descending: true } });
  expect(rows.map(({ keys }) => keys[0])).toEqual(["Compute", "Storage", "=cmd()"]);
  // List cost of storage; GPU-hours of storage.
  expect(rows[1]?.values[2]).toEqual({ value: null, coverage: 0 });
  expect(rows[1]?.values[4]).toEqual({ value: null, coverage: 0 });
  expect(total[2]?.coverage).toBe(5 / 8);
  expect(total[4]).toEqual({ value: 7, coverage: 6 / 8 });
});

it("filters by value, by nothing stated, by a part of the text, and by the scope; currencies stay apart", () => {
  expect(pageOf({ by: ["team"], filters: [{ dimension: "team", among: ["vision", null] }] }).rows.map(({ keys }) => keys[0])).toEqual(["vision", null]);
  expect(pageOf({ by: ["service"], filters: [{ dimension: "service", contains: "COMP" }] }).total[0]?.value).toBe(15n * DOLLAR + DOLLAR / 10n + 1n);
  // Whatever the case, in whatever alphabet.
  const abroad = about("USD", {}, "2026-07");
  for (const contains of ["über", "ÜBER", "Über", "прод"]) expect(pageOf({ by: ["team"], filters: [{ dimension: "team", contains }] }, abroad).rows).toMatchObject([{ keys: ["ÜBER-ПРОД"] }]);
  expect(pageOf({ by: ["day"], filters: [{ dimension: "day", among: ["2026-09-02"] }] }).rows).toMatchObject([{ keys: ["2026-09-02"] }]);
  expect(pageOf({ by: ["provider"] }, about("USD", { provider: ["Microsoft"] })).total[0]?.value).toBe(-2n * DOLLAR);
  const other = pageOf({ by: ["service"] }, about("EUR"));
  expect([other.total[0]?.value, other.otherCurrencies]).toEqual([99n * DOLLAR, ["USD"]]);
});

it("shows GPU-hours where bill and telemetry meet, by the day and by the hour, with the same total", () => {
  const byResource = pageOf({ table: "gpu-hours", by: ["resource"] });
  expect(byResource.measures).toEqual(["EffectiveCost", "IdleCost", "UnknownCost", "GpuHours", "KnownGpuHours", "UsefulGpuHours", "IdleGpuHours"]);
  expect(byResource.rows[0]?.values.map(({ value }) => value)).toEqual([16n * DOLLAR, (9n * DOLLAR) / 4n, 10n * DOLLAR, 16, 6, 3, 2]);
  const byHour = pageOf({ table: "gpu-hours", by: ["hour", "team"] });
  expect(byHour.rows.map(({ keys }) => keys)).toEqual([["2026-09-01T00:00:00Z", "vision"], ["2026-09-01T01:00:00Z", "vision"]]);
  expect(byHour.total).toEqual(byResource.total);
});

it("gives pages in one order, nulls last, and another answer after something changed", () => {
  const all = pageOf({ by: ["team", "resource"] }).rows;
  expect([...pageOf({ by: ["team", "resource"] }, about(), 0, 2).rows, ...pageOf({ by: ["team", "resource"] }, about(), 2, 2).rows]).toEqual(all);
  expect(all.at(-1)?.keys).toEqual([null, null]);
  expect(pageOf({ by: ["team"] }, about("USD", {}, "2026-08")).rows).toEqual([]);
});

it("finds the series and days behind a group", () => {
  const behind = seriesOfGroup(about(), view({ by: ["team", "day"] }), ["vision", "2026-09-01"]);
  if (!behind.ok) throw new Error(behind.error.code);
  expect(behind.value.seriesIds).toHaveLength(1);
  expect(behind.value.firstDay).toBe(behind.value.lastDay);
});

it("refuses a column that the table does not have, or one asked for twice", () => {
  for (const changes of [{ by: ["hour"] }, { table: "gpu-hours", by: ["chargeClass"] }, { by: ["team", "team"] }, { sort: { column: "IdleCost", descending: true } }, { filters: [{ dimension: "hour", contains: "1" }] }] as const) {
    expect(readPivot(about(), { view: view(changes as Partial<PivotView>), offset: 0, limit: 1 })).toMatchObject({ ok: false, error: { code: "pivot.unknown-column" } });
  }
});

it("exports the groups with their total, exact, and no text becomes a formula", async () => {
  const sheet = await pivotSheet(about(), view({ by: ["service"] }), "csv", await wordsOf("en"));
  if (!sheet.ok) throw new Error(sheet.error.code);
  const [head = [], ...lines] = parse(String(sheet.value));
  expect(head.slice(0, 3)).toEqual(["Service", "Effective cost USD", "Billed cost USD"]);
  expect(lines.map((line) => line.slice(0, 2))).toEqual([["'=cmd()", "-2"], ["Compute", "15.100000000000000001"], ["Storage", "1.5"], ["Total", "14.600000000000000001"]]);
  const workbook = await pivotSheet(about(), view({ by: ["service"] }), "xlsx", await wordsOf("zh-CN"));
  if (!workbook.ok) throw new Error(workbook.error.code);
  const [cells] = await readSheets(workbook.value as Uint8Array);
  expect(cells?.rows[0]?.slice(-4)).toEqual(["有效成本 USD（精确值）", "账单成本 USD（精确值）", "目录价成本 USD（精确值）", "协议成本 USD（精确值）"]);
  expect(cells?.rows.map((line) => [line[1], line[7]]).slice(1)).toEqual([
    [{ number: -2, format: "#,##0.00" }, "-2"], [{ number: 15.1, format: "#,##0.00" }, "15.100000000000000001"], [{ number: 1.5, format: "#,##0.00" }, "1.5"], [{ number: 14.6, format: "#,##0.00" }, "14.600000000000000001"],
  ]);
});

it("shows amounts of groups so that they add up to the total shown; what states nothing takes the cent", () => {
  const cells = ([["a", "1.004"], ["b", "2.004"], [null, "3.004"]] as const).map(([team, cost]) => ({ day: "2026-09-01", series: { x_Team: team }, cost }));
  const three = gather(contextOf(ledgerWith({ deliveries: [{ month: "2026-09", cells }] })), { period: "2026-09", scope: {}, basis: "EffectiveCost", currency: "USD" });
  if (three === null) throw new Error("no period");
  // 6.012 is 6.01; alone they are 1.00, 2.00 and 3.00.
  const { rows } = pageOf({ by: ["team"] }, three);
  expect(rows.map(({ keys, values }) => [keys[0], values[0]?.shown ?? null])).toEqual([["a", null], ["b", null], [null, (301n * DOLLAR) / 100n]]);
});

it("shows one amount with the same cents in every column of a row", () => {
  // Effective: 1.005 + 2.005 + 3.005 is 6.02 (6.015), alone 1.00, 2.00 and 3.00. List adds 4.004 to the same three: 10.02.
  const cells = ([["a", "1.005", null], ["b", "2.005", null], ["c", "3.005", null], ["d", "0", "4.004"]] as const).map(([team, cost, ListCost]) => ({ day: "2026-09-01", series: { x_Team: team }, cost, ...(ListCost === null ? {} : { ListCost }) }));
  const four = gather(contextOf(ledgerWith({ deliveries: [{ month: "2026-09", cells }] })), { period: "2026-09", scope: {}, basis: "EffectiveCost", currency: "USD" });
  if (four === null) throw new Error("no period");
  const { rows } = pageOf({ by: ["team"] }, four);
  const centsOf = (measure: number): (bigint | null)[] => rows.map(({ values }) => { const of = values[measure]; return of === undefined || typeof of.value !== "bigint" ? null : ((of.shown ?? of.value) * 100n) / DOLLAR; });
  expect(centsOf(2).slice(0, 3)).toEqual(centsOf(0).slice(0, 3));
  expect(centsOf(0).reduce((sum: bigint, cents) => sum + (cents ?? 0n), 0n)).toBe(602n);
});
