import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PivotMeasure, PivotValue, PivotView } from "../../../../shared/contract/pivot.ts";
import { costBases } from "../../../../shared/domain/figure.ts";
import type { AllocationRule } from "../../../../shared/domain/allocation.ts";
import type { Series } from "../../../../shared/domain/charge.ts";
import { noControl } from "../../../../main/engine/import/control.ts";
import { lacksLines, workOutLines } from "../../../../main/engine/import/lines.ts";
import { prepareFlip } from "../../../../main/engine/import/post.ts";
import { totalsQuery } from "../../../../main/engine/handlers/totals.ts";
import { workOutDays } from "../../../../main/engine/hours/work-out.ts";
import { chargeRows, type ChargeRow } from "../../../../main/engine/metrics/charges.ts";
import { lineGrain, seriesGrain } from "../../../../main/engine/metrics/grain.ts";
import { gather } from "../../../../main/engine/reports/gather.ts";
import { readPivot } from "../../../../main/engine/pivot/pivot.ts";
import { readCharges, withGrain } from "../../../../main/engine/store/grain.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { readAll, type Db } from "../../../../main/engine/store/sql.ts";
import { dailyRows } from "../../../../main/engine/teams/daily.ts";
import { replaceRules } from "../../../../main/engine/teams/rules.ts";
import { startOfDay } from "../../../../shared/domain/period.ts";
import { defaultIdlePolicy } from "../../../../shared/contract/report.ts";
import { addDelivery, flip, ledgerWith, type CellSpec, type DeliverySpec } from "../ledger-with.ts";
import { contextOf } from "../reports/company.ts";
import { opened } from "../reports/look.ts";

/** Lines are read wherever they tell apart what is asked for: what they answer is what the cells of days add up to. */
const kinds: readonly Partial<Series>[] = [
  { ServiceName: "EC2", x_Team: "vision", x_GpuModel: "H100", x_PurchaseOption: "on-demand", ResourceId: "i-1", SubAccountId: "a" },
  { ServiceName: "EC2", x_Team: "vision", x_GpuModel: "H100", x_PurchaseOption: "on-demand", ResourceId: "i-2", SubAccountId: "b" },
  { ServiceName: "EC2", x_Team: "speech", x_GpuModel: "H100", x_PurchaseOption: "savings-plan", CommitmentDiscountStatus: "Used", ResourceId: "i-3", SubAccountId: "a" },
  { ServiceName: "EC2", CommitmentDiscountStatus: "Unused", SubAccountId: "a" },
  { ServiceName: "S3", ResourceId: "bucket", SubAccountId: "b" },
  { ServiceName: "S3", x_Team: "vision", ResourceId: "bucket-2", SubAccountId: "b", x_PeriodSeconds: 2_592_000 },
  { ServiceName: "S3", x_Team: "vision", BillingCurrency: "EUR", SubAccountId: "b" },
  { ServiceName: null, ChargeCategory: "Tax", SubAccountId: null },
  { ServiceName: "EC2", ChargeCategory: "Credit", x_Team: "[\"odd\"]", SubAccountId: "a" },
];
const months = ["2026-08", "2026-09"];
const amount = fc.constantFrom(null, "0", "0.000000000000000001", "-3.000000001", "12.34", "7", "1000000.000000000999999999");
const cell = (month: string): fc.Arbitrary<CellSpec> =>
  fc.record({ kind: fc.nat(kinds.length - 1), day: fc.integer({ min: 1, max: 5 }), rows: fc.integer({ min: 1, max: 9 }), billed: amount, effective: amount, list: amount, hours: fc.constantFrom(null, 0, 0.1, 0.2, 7.000000001) }).map(({ kind, day, rows, billed, effective, list, hours }) => ({
    day: `${month}-0${day}`, rows, series: kinds[kind] ?? {}, BilledCost: billed, EffectiveCost: effective, ListCost: list, ContractedCost: effective, GpuHours: hours,
  }));
const delivery: fc.Arbitrary<DeliverySpec> = fc.constantFrom(...months).chain((month) =>
  fc.record({
    month: fc.constant(month),
    provider: fc.constantFrom("AWS", "AWS", "Lambda", null),
    coversAllAccounts: fc.boolean(),
    cells: fc.uniqueArray(cell(month), { minLength: 4, maxLength: 12, size: "max", selector: ({ day, series }) => `${day} ${JSON.stringify(series)}` }),
  }));
const rule: fc.Arbitrary<AllocationRule> = fc.record({
  name: fc.constant("rule"),
  team: fc.constantFrom("vision", "data"),
  conditions: fc.constantFrom([{ source: "column", key: "service", op: "equals", value: "S3" }] as const, [{ source: "column", key: "resource", op: "equals", value: "i-2" }] as const),
  fromMonth: fc.constantFrom(null, "2026-09"),
  toMonth: fc.constantFrom(null, "2026-08"),
});
type Step = { readonly post: DeliverySpec } | { readonly toggle: number } | { readonly rules: readonly AllocationRule[] } | { readonly workOut: true };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: delivery.map((post) => ({ post })) },
  { weight: 3, arbitrary: fc.nat(9).map((toggle) => ({ toggle })) },
  { weight: 3, arbitrary: fc.array(rule, { maxLength: 2 }).map((rules) => ({ rules })) },
  { weight: 2, arbitrary: fc.constant({ workOut: true as const }) },
);

interface DayCell {
  readonly Month: string;
  readonly Day: number;
  readonly [column: string]: string | number | bigint | null;
}

/** The cells that count, read as they are, with whose they are by the rules as the test knows them. */
function cellsOf(db: Db, rules: readonly AllocationRule[]): DayCell[] {
  const cells = db.prepare<[], DayCell>(
    `SELECT c.*, s.ProviderName AS provider, s.ServiceName AS service, s.ResourceId, s.x_GpuModel AS gpuModel, s.BillingCurrency AS currency, s.ChargeCategory, s.x_PeriodSeconds,
       iif(r.SeriesId IS NULL, s.x_Team, r.TagTeam) AS tagTeam
     FROM charge_day_current c
     JOIN series s ON s.SeriesId = c.SeriesId
     LEFT JOIN series_rule r ON r.SeriesId = s.SeriesId`,
  ).safeIntegers().all();
  return cells.map((each) => {
    const isDaily = each["ChargeCategory"] === "Usage" && each["x_PeriodSeconds"] === null ? 1 : 0;
    const taken = rules.find(({ conditions, fromMonth, toMonth }) => {
      const [condition] = conditions;
      const value = condition?.key === "service" ? each["service"] : each["ResourceId"];
      return condition?.op === "equals" && condition.value === value && (fromMonth ?? "") <= each.Month && each.Month <= (toMonth ?? "9");
    });
    return { ...each, Day: Number(each.Day), day: startOfDay(Number(each.Day)).slice(0, 10), isDaily, team: taken?.team ?? each["tagTeam"] ?? null };
  });
}

function attosOf(each: DayCell, cost: string): bigint | null {
  const nanos = each[`${cost}Nanos`];
  return typeof nanos !== "bigint" ? null : nanos * 1_000_000_000n + (each[`${cost}Rest`] as bigint);
}

/** What cells of days add up to, by some of their columns, reckoned by hand. Costs are null where no cell states them; GPU-hours in billionths. */
function addedByHand(cells: readonly DayCell[], names: readonly string[]): Map<string, unknown> {
  const groups = Map.groupBy(cells, (each) => JSON.stringify(names.map((name) => each[name] ?? null)));
  return new Map([...groups].map(([key, own]) => [key, sumOf(own)]));
}

function sumOf(cells: readonly DayCell[]): Record<string, unknown> {
  const rowsOf = (of: readonly DayCell[]): number => of.reduce((sum, each) => sum + Number(each["RowCount"]), 0);
  const timed = cells.filter((each) => each["GpuHours"] !== null);
  const costs = costBases.flatMap((cost): [string, unknown][] => {
    const stated = cells.filter((each) => attosOf(each, cost) !== null);
    return [[cost, stated.length === 0 ? null : stated.reduce((sum, each) => sum + (attosOf(each, cost) ?? 0n), 0n)], [`${cost}Rows`, rowsOf(stated)]];
  });
  return { rows: rowsOf(cells), ...Object.fromEntries(costs), gpuHours: timed.length === 0 ? null : timed.reduce((sum, each) => sum + billionths(Number(each["GpuHours"])), 0) };
}

function billionths(hours: number): number {
  return Math.round(hours * 1e9);
}

/** Groups of the pivot over the charges of both months, in the manner of `addedByHand`. */
function pivotOf(ledger: OpenLedger, currency: string, by: PivotView["by"], filters: PivotView["filters"] = []): Map<string, unknown> {
  const gathered = gather(contextOf(ledger), { period: "2026-Q3", scope: {}, basis: "EffectiveCost", currency });
  if (gathered === null) throw new Error("a quarter is a period");
  const page = opened(readPivot(gathered, { view: { table: "charges", by, filters, sort: null }, offset: 0, limit: 1000 }));
  const added = (values: readonly PivotValue[]): Record<string, unknown> => {
    const of = (measure: PivotMeasure): PivotValue => values[page.measures.indexOf(measure)] ?? { value: null, coverage: 0 };
    const rows = Number(of("RowCount").value);
    const costs = costBases.flatMap((cost): [string, unknown][] => [[cost, of(cost).value], [`${cost}Rows`, Math.round(of(cost).coverage * rows)]]);
    const hours = of("GpuHours").value;
    return { rows, ...Object.fromEntries(costs), gpuHours: hours === null ? null : billionths(Number(hours)) };
  };
  if (page.rows.length === 0) return new Map();
  return new Map([...page.rows.map(({ keys, values }): [string, unknown] => [JSON.stringify(keys), added(values)]), ["total", added(page.total)]]);
}

function withTotal(groups: Map<string, unknown>, cells: readonly DayCell[]): Map<string, unknown> {
  return cells.length === 0 ? groups : groups.set("total", sumOf(cells));
}

/** Every question that may read lines, against the cells of days. */
function expectSame(ledger: OpenLedger, rules: readonly AllocationRule[]): void {
  const { db } = ledger;
  const cells = cellsOf(db, rules);
  const totals = readCharges(db, { months: null, dimensions: ["month", "team", "service", "provider"] }, (grain) => totalsQuery(["month", "team", "service", "provider"], null, grain));
  const byHand = addedByHand(cells, ["Month", "team", "service", "provider", "currency"]);
  expect(new Map(totals.map(({ month, team, service, provider, currency, ...row }) => [
    JSON.stringify([month, team, service, provider, currency]),
    { rows: row.rows, BilledCost: row.billed, BilledCostRows: row.billedRows, EffectiveCost: row.effective, EffectiveCostRows: row.effectiveRows, ContractedCost: row.contracted, ContractedCostRows: row.contractedRows, ListCost: row.list, ListCostRows: row.listRows },
  ]))).toEqual(new Map([...byHand].map(([key, sum]) => [key, Object.fromEntries(Object.entries(sum as object).filter(([name]) => name !== "gpuHours"))])));
  for (const currency of ["USD", "EUR"]) {
    const own = cells.filter((each) => each["currency"] === currency);
    expect(pivotOf(ledger, currency, ["day", "team"])).toEqual(withTotal(addedByHand(own, ["day", "team"]), own));
    const visions = own.filter(({ team }) => team === "vision");
    expect(pivotOf(ledger, currency, ["month", "service", "gpuModel"], [{ dimension: "team", among: ["vision"] }])).toEqual(withTotal(addedByHand(visions, ["Month", "service", "gpuModel"]), visions));
    expect(new Map(dailyRows(ledger, currency, "EffectiveCost", {}).map(({ day, month, team, provider, service, isDaily, attos, gpuHours }) => [JSON.stringify([day, month, team, provider, service, isDaily]), [attos, gpuHours === null ? null : billionths(gpuHours)]])))
      .toEqual(new Map([...addedByHand(own, ["Day", "Month", "team", "provider", "service", "isDaily"])].map(([key, sum]) => [key, [(sum as DayCell)["EffectiveCost"], (sum as DayCell)["gpuHours"]]])));
    // What a month states together (a list cost that can be believed) is seen in cells of a series and month.
    for (const scope of [{}, { team: ["vision", null] }, { service: ["S3"], provider: ["AWS", null] }]) for (const basis of ["EffectiveCost", "ListCost"] as const) {
      const asked = { months, scope, currency, basis, by: ["provider", "team", "service", "gpuModel", "purchaseOption"] } as const;
      const rounded = (rows: readonly ChargeRow[]): unknown => rows.map((row) => ({ ...row, gpuHours: row.gpuHours === null ? null : billionths(row.gpuHours) }));
      expect(rounded(readCharges(db, { months, scope, dimensions: asked.by }, (grain) => chargeRows(asked, grain)))).toEqual(rounded(readAll(db, chargeRows(asked, seriesGrain))));
    }
  }
}

const grainOf = (db: Db, asked: Parameters<typeof withGrain>[1] = { months: null }): string => withGrain(db, asked, ({ kind }) => kind);

describe("lines", () => {
  it("answer what the cells of days add up to, through deliveries, restatements, undos and changes of the rules", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 8, size: "max" }), (steps) => {
        const ledger = ledgerWith();
        const batches: number[] = [];
        const undone = new Set<number>();
        let rules: readonly AllocationRule[] = [];
        for (const step of steps) {
          if ("post" in step) batches.push(addDelivery(ledger, step.post));
          else if ("rules" in step) ledger.db.transaction(() => replaceRules(ledger.db, (rules = step.rules)))();
          else if ("workOut" in step) workOutLines(ledger.db, noControl);
          else {
            const batch = batches[step.toggle % batches.length];
            if (batch === undefined) continue;
            const change = undone.has(batch) ? { withBatches: [batch], withoutBatches: [] } : { withBatches: [], withoutBatches: [batch] };
            // An import older than the last three of its month keeps no cells to show.
            if (!prepareFlip(ledger.db, change, { policy: defaultIdlePolicy, control: noControl, workOutDays }).ok) continue;
            flip(ledger, change);
            if (!undone.delete(batch)) undone.add(batch);
          }
          expectSame(ledger, rules);
        }
        workOutLines(ledger.db, noControl);
        expect(grainOf(ledger.db)).toBe("line");
        expectSame(ledger, rules);
        ledger.close();
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it("are there with the bill, and read for what they tell apart", () => {
    const { db } = ledgerWith({ deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-01", cost: "3", series: kinds[0] ?? {} }, { day: "2026-09-01", cost: "4", series: kinds[1] ?? {} }] }] });
    expect(lacksLines(db)).toBe(false);
    expect(db.prepare("SELECT count(*) FROM charge_line_day").pluck().get()).toBe(1);
    expect(grainOf(db, { months, scope: { team: ["vision"] }, dimensions: ["service", "chargeClass", "day"] })).toBe("line");
    expect(grainOf(db, { months, scope: { account: ["a"] } })).toBe("series");
    expect(grainOf(db, { months, dimensions: ["resource"] })).toBe("series");
  });

  it("are not read of a month whose series are somebody else's until they are worked out anew", () => {
    const ledger = ledgerWith({ deliveries: months.map((month) => ({ month, cells: [{ day: `${month}-01`, cost: "3", series: kinds[month === "2026-09" ? 4 : 0] ?? {} }] })) });
    const { db } = ledger;
    const bucket: AllocationRule = { name: "bucket", team: "data", conditions: [{ source: "column", key: "resource", op: "equals", value: "bucket" }], fromMonth: null, toMonth: null };
    db.transaction(() => replaceRules(db, [bucket]))();
    expect([grainOf(db, { months: ["2026-08"] }), grainOf(db, { months: ["2026-09"] }), grainOf(db)]).toEqual(["line", "series", "series"]);
    workOutLines(db, noControl);
    expect(grainOf(db)).toBe("line");
    // The same rules once more change nothing.
    db.transaction(() => replaceRules(db, [bucket]))();
    expect(grainOf(db)).toBe("line");
  });

  it("are not taken for those of rules that changed while they were worked out", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-01", cost: "3", series: kinds[4] ?? {} }] }] });
    const { db } = ledger;
    const ruleFor = (team: string): AllocationRule => ({ name: team, team, conditions: [{ source: "column", key: "service", op: "equals", value: "S3" }], fromMonth: null, toMonth: null });
    db.transaction(() => replaceRules(db, [ruleFor("data")]))();
    let isFirst = true;
    const standAside = (): void => {
      if (isFirst) db.transaction(() => replaceRules(db, [ruleFor("search")]))();
      isFirst = false;
    };
    workOutLines(db, { ...noControl, standAside });
    expect(grainOf(db)).toBe("series");
    workOutLines(db, noControl);
    expect(readAll(db, totalsQuery(["team"], null, lineGrain)).map(({ team, billed }) => [team, billed])).toEqual([["search", 3_000_000_000_000_000_000n]]);
  });

  it("add up exactly beyond 64 bits of billionths", () => {
    const huge = "9000000000.000000000999999999";
    const { db } = ledgerWith({ deliveries: [{ month: "2026-09", cells: kinds.slice(0, 2).map((series) => ({ day: "2026-09-01", cost: huge, series })) }] });
    expect(grainOf(db)).toBe("line");
    expect(readAll(db, totalsQuery(["team"], null, lineGrain)).map(({ team, billed }) => [team, billed])).toEqual([["vision", 18_000_000_000_000_000_001_999_999_998n]]);
    expect(db.prepare("SELECT count(*) FROM charge_line_day").pluck().get()).toBe(2);
  });
});
