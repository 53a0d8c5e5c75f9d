import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { totalsQuery } from "../../../../main/engine/handlers/totals.ts";
import { readReport } from "../../../../main/engine/reports/index.ts";
import { readAll, type Db } from "../../../../main/engine/store/sql.ts";
import { gather } from "../../../../main/engine/reports/gather.ts";
import { inboxOf, previewRules } from "../../../../main/engine/teams/allocation.ts";
import { unallocatedShare } from "../../../../main/engine/teams/months.ts";
import { journalOf } from "../../../../main/engine/teams/journal.ts";
import { replaceRules, replaceVirtualTags } from "../../../../main/engine/teams/rules.ts";
import { replacePools, showbackOf } from "../../../../main/engine/teams/shared-costs.ts";
import type { ChargeRow } from "../../../../main/engine/metrics/charges.ts";
import { displayedAmounts } from "../../../../shared/contract/table.ts";
import type { AllocationRule } from "../../../../shared/domain/allocation.ts";
import type { OpenLedger } from "../../../../main/engine/store/open.ts";
import { addDelivery, dumpViews, ledgerWith } from "../ledger-with.ts";
import { contextOf, requestOf } from "../reports/company.ts";
import { DOLLAR, opened, sumOf, table, value } from "../reports/look.ts";

const vision = { x_Team: "vision", ServiceName: "EC2", ResourceId: "i-1", ResourceName: "train-1" };
const nobodys = { ServiceName: "S3", ResourceId: "bucket" };
const months = ["2026-07", "2026-08", "2026-09"];
const ledger = (): OpenLedger =>
  ledgerWith({ deliveries: months.map((month) => ({ month, cells: [{ day: `${month}-02`, cost: "10", series: vision }, { day: `${month}-03`, cost: "0.000000000000000003", series: nobodys }, { day: `${month}-04`, cost: "4", series: nobodys }] })) });
const byService = (team: string, service: string, fromMonth: string | null = null, toMonth: string | null = null): AllocationRule => ({ name: `${team} ${service}`, team, conditions: [{ source: "column", key: "service", op: "equals", value: service }], fromMonth, toMonth });

function spendBy(db: Db): Record<string, bigint | null> {
  return Object.fromEntries(readAll(db, totalsQuery(["month", "team"], null)).map(({ month, team, effective }) => [`${month} ${team}`, effective]));
}

describe("rules of a ledger", () => {
  it("say whose every charge is, over all history, and every total follows", () => {
    const { db } = ledger();
    replaceRules(db, [byService("data", "S3"), byService("search", "EC2", "2026-08", "2026-08")]);
    expect(spendBy(db)).toEqual({ "2026-07 data": 4n * DOLLAR + 3n, "2026-07 vision": 10n * DOLLAR, "2026-08 data": 4n * DOLLAR + 3n, "2026-08 search": 10n * DOLLAR, "2026-09 data": 4n * DOLLAR + 3n, "2026-09 vision": 10n * DOLLAR });
  });

  it("touch no row: without them all is as it was", () => {
    const own = ledger();
    const before = [dumpViews(own.db), spendBy(own.db)];
    replaceRules(own.db, [byService("data", "S3"), byService("search", "EC2", null, "2026-08")]);
    expect(dumpViews(own.db)).toBe(before[0]);
    replaceRules(own.db, []);
    expect([dumpViews(own.db), spendBy(own.db)]).toEqual(before);
  });

  it("move what their preview says, to the last digit", () => {
    const { db } = ledger();
    const rules = [byService("data", "S3", "2026-09"), byService("search", "EC2")];
    const preview = previewRules(db, rules, "2026-Q3", months, null);
    expect(preview).toMatchObject({
      moves: [{ from: "vision", to: "search", series: 1, amount: "30" }, { from: null, to: "data", series: 1, amount: "4.000000000000000003" }],
      moved: "34.000000000000000003",
      total: "42.000000000000000009",
      byRule: [{ series: 1, amount: "4.000000000000000003" }, { series: 1, amount: "30" }],
    });
    expect(preview.allocatedShareAfter).toBeCloseTo(34 / 42, 12);
    replaceRules(db, rules);
    expect(previewRules(db, rules, "2026-Q3", months, null).moves).toEqual([]);
    expect(spendBy(db)["2026-09 data"]).toBe(4n * DOLLAR + 3n);
  });

  it("see what clusters and schedulers tag, and virtual tags, like any column or tag", () => {
    const own = ledgerWith({ deliveries: [{ month: "2026-09", cells: [
      { day: "2026-09-02", cost: "1", series: { ResourceId: "a", Tags: JSON.stringify({ "aws:eks:namespace": "train" }) } },
      { day: "2026-09-02", cost: "2", series: { ResourceId: "b", Tags: JSON.stringify({ "parallelcluster:queue-name": "gpu-large" }) } },
      { day: "2026-09-02", cost: "4", series: { ResourceId: "c", SubAccountId: "prod-7" } },
      { day: "2026-09-02", cost: "8", series: { ResourceId: "d", SubAccountId: "prod-7", Tags: JSON.stringify({ env: "test" }) } },
    ] }] });
    replaceVirtualTags(own.db, [{ tag: "Env", value: "prod", conditions: [{ source: "column", key: "account", op: "pattern", value: "prod-*" }] }]);
    replaceRules(own.db, [
      { name: "k8s", team: "k8s", conditions: [{ source: "column", key: "kubernetesNamespace", op: "equals", value: "train" }], fromMonth: null, toMonth: null },
      { name: "slurm", team: "slurm", conditions: [{ source: "column", key: "slurmPartition", op: "prefix", value: "gpu-" }], fromMonth: null, toMonth: null },
      { name: "prod", team: "prod", conditions: [{ source: "tag", key: "env", op: "equals", value: "prod" }], fromMonth: null, toMonth: null },
    ]);
    // The bill's own tag stands before the virtual one.
    expect(spendBy(own.db)).toEqual({ "2026-09 k8s": DOLLAR, "2026-09 slurm": 2n * DOLLAR, "2026-09 prod": 4n * DOLLAR, "2026-09 null": 8n * DOLLAR });
    replaceVirtualTags(own.db, []);
    expect(spendBy(own.db)["2026-09 prod"]).toBeUndefined();
  });

  it("take series that a later import brings", () => {
    const own = ledger();
    replaceRules(own.db, [byService("data", "S3")]);
    addDelivery(own, { month: "2026-10", cells: [{ day: "2026-10-01", cost: "7", series: { ServiceName: "S3", ResourceId: "other" } }] });
    expect(spendBy(own.db)["2026-10 data"]).toBe(7n * DOLLAR);
  });

  it("narrow a report to the team of the month, and its teams add up to the total", () => {
    const own = ledger();
    replaceRules(own.db, [byService("search", "EC2", "2026-08", "2026-08")]);
    const review = (period: string, scope = {}) => opened(readReport(contextOf(own), requestOf("review", { period, scope })));
    expect(sumOf(table(review("2026-08"), "teams"), "spend")).toBe(14n * DOLLAR + 3n);
    expect(value(table(review("2026-08"), "teams"), "team search", "spend")).toBe(10n * DOLLAR);
    expect(value(table(review("2026-08", { team: ["search"] }), "teams"), "total", "spend")).toBe(10n * DOLLAR);
    expect(value(table(review("2026-09", { team: ["vision"] }), "teams"), "total", "spend")).toBe(10n * DOLLAR);
  });

  it("leave what nobody has in the inbox, by size; tax is to be shared", () => {
    const own = ledger();
    addDelivery(own, { provider: "Azure", month: "2026-09", cells: [{ day: "2026-09-01", cost: "9", series: { ChargeCategory: "Tax" } }] });
    const inbox = inboxOf(own.db, "2026-09", ["2026-09"], null);
    expect(inbox).toMatchObject({ total: "23.000000000000000003", unallocated: "13.000000000000000003", shared: "0" });
    expect(inbox.lines.map(({ amount, chargeClass, suggestion }) => [amount, chargeClass, suggestion?.kind ?? null])).toEqual([["9", "tax", "share"], ["4.000000000000000003", "other", null]]);
    const gathered = gather(contextOf(own), { period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null });
    if (gathered === null) throw new Error("a month is a period");
    expect(unallocatedShare(gathered)).toBeCloseTo(13 / 23, 12);
    replacePools(own.db, [{ name: "Tax", source: { kind: "class", chargeClass: "tax" }, method: "proportional", shares: [] }]);
    expect(inboxOf(own.db, "2026-09", ["2026-09"], null)).toMatchObject({ total: "23.000000000000000003", unallocated: "4.000000000000000003", shared: "9", lines: [{ chargeClass: "other" }] });
    expect(unallocatedShare(gathered)).toBeCloseTo(4 / 23, 12);
  });

  it("show of what nobody has the cents that the showback shows of it", () => {
    // 3 × 1.004 + 5.001 = 8.013, shown 8.01; the teams show 1.00 each, which leaves 5.01 of 5.001.
    const teams = ["a", "b", "c"].map((team) => ({ day: "2026-09-02", cost: "1.004", series: { x_Team: team, ResourceId: team } }));
    const own = ledgerWith({ deliveries: [{ month: "2026-09", cells: [...teams, { day: "2026-09-03", cost: "5.001", series: nobodys }] }] });
    expect(inboxOf(own.db, "2026-09", ["2026-09"], null)).toMatchObject({ unallocated: "5.001", unallocatedShown: "5.01" });
    const showback = table(opened(readReport(contextOf(own), requestOf("showback"))), "showback");
    const column = showback.columns.findIndex(({ id }) => id === "spend");
    expect(displayedAmounts(showback).get(`not-allocated/${column}`)).toBe((501n * DOLLAR) / 100n);
  });
});

const charge = (team: string | null, attos: bigint, change: Partial<ChargeRow> = {}): ChargeRow => ({
  month: "2026-09", chargeClass: "other", provider: "AWS", account: null, team, service: "S3", region: null, gpuModel: null, purchaseOption: null, isCovered: 0, rowCount: 1,
  costAttos: attos, unstatedRows: 0, effectiveAttos: attos, listAttos: 0n, effectiveWithListAttos: 0n, gpuHours: null, rowsWithHours: 0, costWithHoursAttos: 0n, ...change,
});

describe("showback", () => {
  it("gives each team its part of what is shared, by its measure", () => {
    const rows = [charge("a", 30n), charge("a", 0n, { chargeClass: "gpu", gpuHours: 1 }), charge("b", 10n, { chargeClass: "gpu", gpuHours: 3 }), charge("platform", 8n), charge(null, 5n, { chargeClass: "tax" }), charge(null, 2n)];
    const showback = showbackOf(rows, [
      { name: "platform", source: { kind: "team", team: "platform" }, method: "gpu-hours", shares: [] },
      { name: "tax", source: { kind: "class", chargeClass: "tax" }, method: "proportional", shares: [] },
    ]);
    expect(showback).toMatchObject({
      teams: [{ team: "a", direct: 30n, shares: [2n, 4n], total: 36n }, { team: "b", direct: 10n, shares: [6n, 1n], total: 17n }, { team: "platform", direct: 8n, given: -8n, total: 0n }],
      rest: 2n,
      unallocated: 2n,
      total: 55n,
    });
  });

  it("adds up to the total, whatever is shared how (property 4)", () => {
    const rows = fc.array(fc.record({ team: fc.constantFrom("a", "b", "c", null), attos: fc.bigInt(-1000n, 1000n), chargeClass: fc.constantFrom("other" as const, "tax" as const, "gpu" as const), gpuHours: fc.option(fc.nat(9), { nil: null }) }), { maxLength: 12 });
    const source = fc.constantFrom({ kind: "team" as const, team: "a" }, { kind: "class" as const, chargeClass: "tax" as const }, { kind: "service" as const, service: "S3" }, { kind: "rest" as const });
    const pools = fc.array(fc.record({ source, method: fc.constantFrom("even" as const, "proportional" as const, "gpu-hours" as const, "fixed" as const) }), { maxLength: 4 });
    fc.assert(
      fc.property(rows, pools, (list, shared) => {
        const showback = showbackOf(list.map(({ team, attos, ...change }) => charge(team, attos, change)), shared.map((pool) => ({ ...pool, name: "pool", shares: pool.method === "fixed" ? [{ team: "d", percent: "33.3" }] : [] })));
        const total = list.reduce((sum, { attos }) => sum + attos, 0n);
        expect(showback?.total).toBe(total);
        expect((showback?.teams ?? []).reduce((sum, team) => sum + team.total, showback?.unallocated ?? 0n)).toBe(total);
      }),
    );
  });

  it("becomes a journal whose debits equal its credits", () => {
    const showback = showbackOf([charge("=cmd", DOLLAR / 3n), charge("b", DOLLAR / 3n), charge("c", DOLLAR / 3n + 1n), charge("d", -DOLLAR)], []);
    if (showback === null) throw new Error("nothing is fixed");
    const lines = journalOf(showback, { clearing: "6999", teams: { b: "6100" } }, { month: "2026-09", currency: "USD", lastDay: "2026-09-30" }).trim().split("\r\n").map((line) => line.split(","));
    const cents = (column: number): number => lines.slice(1).reduce((sum, cells) => sum + Math.round(Number(cells[column] ?? "0") * 100), 0);
    expect(cents(5)).toBe(cents(6));
    expect(lines.find((cells) => cells[4] === "b")).toEqual(["2026-09-30", "GPU-2026-09", expect.any(String), "6100", "b", "0.33", "", "USD", "GPU 2026-09"]);
    expect(lines.some((cells) => cells[4] === "'=cmd")).toBe(true);
  });
});
