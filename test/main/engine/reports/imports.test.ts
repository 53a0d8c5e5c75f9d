import { describe, expect, it } from "vitest";
import { readReport } from "../../../../main/engine/reports/index.ts";
import { addDelivery, ledgerWith } from "../ledger-with.ts";
import { company, contextOf, requestOf } from "./company.ts";
import { DOLLAR, cell, opened, sumOf, table, value } from "./look.ts";

const imports = (ledger = company(), change: Parameters<typeof requestOf>[1] = {}) => opened(readReport(contextOf(ledger), requestOf("imports", change)));
const stateOf = (document: ReturnType<typeof imports>, row: string, month: string): string => {
  const found = cell(table(document, "completeness"), row, month);
  return "message" in found && found.message !== undefined ? found.message.key : "";
};

describe("the imports report", () => {
  it("says whether every month of every source is there", () => {
    const document = imports();
    expect(document.answer.key).toBe("imports.answer.complete");
    expect(stateOf(document, "bill AWS focus", "2026-07")).toBe("completeness.none");
    expect(stateOf(document, "bill AWS focus", "2026-08")).toBe("completeness.complete");
    const october = imports(company(), { period: "2026-10" });
    expect(october.answer.key).toBe("imports.answer.no-bill");
    expect(stateOf(october, "bill AWS focus", "2026-10")).toBe("completeness.missing");
  });

  it("calls a month partial whose days are not all covered", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-15", cells: [{ day: "2026-09-01", cost: "3" }] }] });
    ledger.db.exec(`UPDATE delivery SET Totals = '{"USD":{"EffectiveCost":"3"}}'`);
    const document = imports(ledger);
    expect(document.answer).toMatchObject({ key: "imports.answer.partial", params: { ratio: { ratio: 0.5 } } });
    expect(stateOf(document, "bill AWS focus", "2026-09")).toBe("completeness.partial");
  });

  it("names the provider whose bill is missing or short, as the table beside it does, however long ago the last one came", () => {
    const days = (month: string, lastDay: string) => ({ month, firstDay: `${month}-01`, lastDay: `${month}-${lastDay}`, cells: [{ day: `${month}-01`, cost: "3" }] });
    const azure = { provider: "Azure", billingAccount: "z" };
    const ledger = ledgerWith({ deliveries: [days("2026-07", "31"), { ...azure, ...days("2026-07", "31") }, days("2026-08", "31"), days("2026-09", "30"), { ...azure, ...days("2026-10", "15") }, days("2026-10", "31")] });
    ledger.db.exec(`UPDATE delivery SET Totals = '{"USD":{"EffectiveCost":"3"}}'`);
    const named = ({ context }: ReturnType<typeof imports>) => context.filter(({ key }) => key.endsWith("-provider")).map(({ key, params }) => [key, params?.["provider"]]);
    // September has AWS's 30 days of twice 30; that August lacks Azure too does not make September complete.
    const september = imports(ledger);
    expect(september.answer).toMatchObject({ key: "imports.answer.partial", params: { ratio: { ratio: 0.5 } } });
    expect(named(september)).toEqual([["review.context.missing-provider", { text: "Azure" }]]);
    expect(stateOf(september, "bill Azure focus", "2026-09")).toBe("completeness.missing");
    // October: 31 days of AWS and 15 of Azure, of twice 31.
    const october = imports(ledger, { period: "2026-10" });
    expect(october.answer).toMatchObject({ key: "imports.answer.partial", params: { ratio: { ratio: 46 / 62 } } });
    expect(named(october)).toEqual([["imports.context.short-provider", { text: "Azure" }]]);
    expect(stateOf(october, "bill Azure focus", "2026-10")).toBe("completeness.partial");
    // A year after its last bill a source has ended, in the table and in the answer.
    ledger.db.exec("UPDATE batch SET State = 'undone' WHERE BatchId IN (SELECT d.BatchId FROM delivery AS d JOIN delivery_group AS g ON g.GroupId = d.GroupId WHERE g.Month = '2026-10')");
    addDelivery(ledger, days("2027-08", "31"));
    ledger.db.exec(`UPDATE delivery SET Totals = '{"USD":{"EffectiveCost":"3"}}'`);
    const later = imports(ledger, { period: "2027-08" });
    expect([later.answer.key, stateOf(later, "bill Azure focus", "2027-08"), stateOf(later, "bill Azure focus", "2027-07")]).toEqual(["imports.answer.complete", "completeness.none", "completeness.missing"]);
  });

  it("misses no bill of a provider that delivers, where the scope has left it", () => {
    const ledger = ledgerWith({
      deliveries: [
        { month: "2026-08", firstDay: "2026-08-01", lastDay: "2026-08-31", cells: [{ day: "2026-08-01", cost: "3", series: { x_Team: "vision" } }] },
        { provider: "Azure", billingAccount: "z", month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [{ day: "2026-09-01", cost: "3", series: { x_Team: "vision" } }] },
        { month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [{ day: "2026-09-01", cost: "3", series: { x_Team: "speech" } }] },
      ],
    });
    expect(imports(ledger, { scope: { team: ["vision"] } }).context.filter(({ key }) => key.endsWith("-provider"))).toEqual([]);
  });

  it("reconciles the ledger with the files to nothing unexplained", () => {
    const totals = table(imports(), "reconcile-USD");
    expect(totals.rows.map(({ id }) => [id, value(totals, id, "amount")])).toEqual([["files", 205n * DOLLAR], ["ledger", -205n * DOLLAR]]);
    expect(value(totals, "total", "amount")).toBe(0n);
  });

  it("explains what a newer delivery replaced and what rounding took away", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [{ day: "2026-09-01", cost: "3" }] }] });
    addDelivery(ledger, { month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [{ day: "2026-09-01", cost: "4" }, { day: "2026-09-02", cost: "1" }] });
    ledger.db.exec(`UPDATE delivery SET Totals = '{"USD":{"EffectiveCost":"3"}}' WHERE DeliveryId = 1`);
    ledger.db.exec(`UPDATE delivery SET Totals = '{"USD":{"EffectiveCost":"5.0000000000000000014"}}' WHERE DeliveryId = 2`);
    const document = imports(ledger);
    const totals = table(document, "reconcile-USD");
    expect(totals.rows.map(({ id }) => [id, value(totals, id, "amount")])).toEqual([["files", 8n * DOLLAR + 1n], ["rounding", -1n], ["superseded", -3n * DOLLAR], ["ledger", -5n * DOLLAR]]);
    expect(value(totals, "total", "amount")).toBe(0n);
    expect(sumOf(totals, "amount")).toBe(0n);
  });

  it("says so when something stays unexplained", () => {
    const ledger = company();
    ledger.db.exec(`UPDATE delivery SET Totals = '{"USD":{"EffectiveCost":"200"}}' WHERE DeliveryId = 2`);
    const document = imports(ledger);
    expect(document.answer.key).toBe("imports.answer.unexplained");
    expect(value(table(document, "reconcile-USD"), "total", "amount")).not.toBe(0n);
  });

  it("lists batches and rows set aside, and counts them all", () => {
    const ledger = company();
    ledger.db.exec("UPDATE batch SET RowsSetAside = 3 WHERE BatchId = 2");
    ledger.db.exec("INSERT INTO set_aside VALUES (2, 18442, 'ChargePeriodEnd', 'x', 'utc-time', 'x')");
    const document = imports(ledger);
    expect(document.answer).toMatchObject({ key: "imports.answer.set-aside", params: { rows: { count: 3 } } });
    expect(value(table(document, "batches"), "total", "rows")).toBe(11);
    expect(value(table(document, "batches"), "batch 2", "set-aside")).toBe(3);
    const aside = table(document, "set-aside");
    expect(aside.rows.map(({ id }) => [id, value(aside, id, "rows")])).toEqual([["aws-2026-09.csv 18442", 1], ["all-other", 2]]);
    expect(value(aside, "total", "rows")).toBe(3);
  });

  it("has nothing to say of an empty ledger", () => {
    expect(readReport(contextOf(ledgerWith()), requestOf("imports"))).toMatchObject({ ok: false, error: { code: "report.no-data" } });
  });
});
