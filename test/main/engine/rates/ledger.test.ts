import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { convertedLedgers } from "../../../../main/engine/rates/ledger.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { openLedger } from "../../../../main/engine/store/open.ts";
import { defaultPlanInputs } from "../../../../shared/contract/plan.ts";
import type { MethodInput } from "../../../../shared/contract/methods.ts";
import type { ReportDocument, ReportId } from "../../../../shared/contract/report.ts";
import type { PivotView } from "../../../../shared/contract/pivot.ts";
import { formatAttos, parseAmount } from "../../../../shared/domain/money.ts";
import { focusBill, smiLog } from "../import/bills-of.ts";
import { cell, messagesOf, opened, sumOf, table, tiles, value } from "../reports/look.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");
let folder = "";
let engine: Engine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-converted-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined });
  opened(await engine.ask("ledger.open", { file: join(folder, "mine.gpuledger"), create: true }));
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function post(name: string, text: string): Promise<number> {
  writeFileSync(join(folder, name), text);
  const preview = opened(await engine.ask("import.preview", { files: [join(folder, name)], options: { timezone: "UTC" } }));
  return opened(await engine.ask("import.post", { plan: preview.plan })).files[0]?.batch ?? 0;
}

async function rates(text: string): Promise<void> {
  writeFileSync(join(folder, "rates.csv"), text);
  opened(await engine.ask("rates.import", { file: join(folder, "rates.csv"), base: "EUR", isPreview: false, by: "Ana" }));
}

const everyHour = Array.from({ length: 24 }, (_, hour) => hour);
const machine = (resource: string, more: Parameters<typeof focusBill>[0][number]) => everyHour.map((hour) => ({ hour, resource, description: "p5.48xlarge instance hours", ...more }));

/**
 * 24 hours at 98.32 USD and 30 USD of storage; the same machine 24 hours at 10.01 EUR; 71.30 CNY of another provider. Rates of the euro:
 * 1.1 and 1.2 dollars, 7.13 yuan on the second day. In dollars: 2359.68 + 30 + 240.24 × 1.1 + 71.3 ÷ 7.13 × 1.2 = 2665.944.
 */
async function threeCurrencies(): Promise<void> {
  await post("usd.csv", focusBill([...machine("i-0123456789abcdef0", { day: "2026-09-01", cost: "98.32" }), { day: "2026-09-02", cost: "30" }]));
  await post("eur.csv", focusBill(machine("i-0123456789abcdef1", { day: "2026-09-01", cost: "10.01", currency: "EUR", account: "e", team: "vision" })));
  await post("cny.csv", focusBill([{ day: "2026-09-02", cost: "71.3", currency: "CNY", account: "c", provider: "Alibaba Cloud" }]));
  // One of the eight GPUs of each was seen for ten hours, the first five of them idle.
  for (const gpu of [0, 1]) await post(`i-0123456789abcdef${gpu}.csv`, smiLog("2026-09-01", Array.from({ length: 600 }, (_, minute) => (minute < 300 ? 0 : 80)), `GPU-00000000-0000-0000-0000-00000000000${gpu}`));
  await rates("Date,USD,CNY\n2026-09-01,1.1,\n2026-09-02,1.2,7.13\n");
}

const period = "2026-09";
const asked: Pick<MethodInput<"report.read">, "period" | "scope" | "basis"> = { period, scope: {}, basis: "EffectiveCost" };
const read = async (report: ReportId, currency: string | null = "~USD"): Promise<ReportDocument> => opened(await engine.ask("report.read", { report, ...asked, currency }));
const spendIn = async (currency: string | null): Promise<string> => formatAttos(BigInt(tiles(await read("review", currency))[0]?.figure.value ?? 0n));
const attos = (text: string): bigint => parseAmount(text)?.value ?? 0n;
const explain = async (ref: Partial<MethodInput<"figure.explain">>) => opened(await engine.ask("figure.explain", { metric: "spend", ...asked, currency: "~USD", ...ref }));

describe("a report in one currency", () => {
  it("adds up every currency by the rates of its days, and its parts add up to it", async () => {
    await threeCurrencies();
    expect(await spendIn("~USD")).toBe("2665.944");
    // In euros each amount is its own: 2359.68 ÷ 1.1 + 30 ÷ 1.2 + 240.24 + 71.3 ÷ 7.13.
    expect(await spendIn("~EUR")).toBe("2420.403636363636363636");
    const review = await read("review");
    const whole = attos("2665.944");
    expect(sumOf(table(review, "teams"), "spend")).toBe(whole);
    expect(sumOf(table(review, "movers"), "spend")).toBe(whole);
    expect(value(table(review, "teams"), "team vision", "spend")).toBe(attos("264.264"));
    expect(review.currency).toBe("USD");
    expect(review.otherCurrencies).toEqual([]);
  });

  it("says that its amounts are converted, by which rates, and asks for the same again", async () => {
    await threeCurrencies();
    const review = await read("review");
    expect(review.request.currency).toBe("~USD");
    expect(tiles(review)[0]).toMatchObject({ figure: { basis: "converted", unit: "USD" }, explain: { currency: "~USD" } });
    expect(tiles(review).find(({ id }) => id === "gpu-utilization")?.figure).toMatchObject({ basis: "measured", unit: "ratio" });
    expect(review.context[0]).toEqual({ key: "report.context.converted", params: { currency: { text: "USD" }, currencies: { text: "CNY, EUR" }, count: { count: 3 }, source: { text: "rates.csv" } } });
  });

  it("splits the hours as their charges are converted, to the last digit", async () => {
    await threeCurrencies();
    // One of them ends in thirds.
    await rates("Date,USD,CNY\n2026-09-01,3,\n2026-09-02,7,7.13\n");
    for (const currency of ["~USD", "~EUR", "~CNY"]) {
      const efficiency = await read("efficiency", currency);
      const ways = table(efficiency, "four-ways");
      expect(sumOf(ways, "cost")).toBe(value(ways, "total", "cost"));
      expect(sumOf(table(efficiency, "teams"), "cost")).toBe(value(ways, "total", "cost"));
      for (const way of ["productive", "busy", "held", "dead", "unknown"]) expect(sumOf(table(efficiency, "teams"), way)).toBe(value(table(efficiency, "teams"), "total", way));
      expect(sumOf(table(efficiency, "episodes"), "cost")).toBe(value(table(efficiency, "episodes"), "total", "cost"));
      // What the hours cost is what the bill charges for them: no difference to tell of.
      expect(messagesOf(efficiency).map(({ key }) => key)).not.toContain("report.context.months-against-hours");
    }
    // Of each machine one GPU of eight was idle for five hours: (98.32 × 5 + 10.01 × 5 × 3) ÷ 8.
    const idle = value(table(await read("efficiency"), "episodes"), "total", "cost");
    expect(Number(idle) / 1e18).toBeCloseTo((491.6 + 150.15) / 8, 6);
  });

  it("leaves out what no rate covers, names it, and is known only so far", async () => {
    await threeCurrencies();
    await rates("Date,USD,CNY\n2026-09-01,1.1,\n");
    opened(await engine.ask("rate.save", { base: "EUR", quote: "CNY", day: "2026-09-02", rate: null, by: "Ana", source: null }));
    const review = await read("review");
    expect(tiles(review)[0]?.figure.value).toBe(attos("2653.944"));
    const missing = review.context.find(({ key }) => key === "report.context.no-rate");
    expect(missing?.params).toMatchObject({ currency: { text: "CNY" }, count: { count: 1 }, amount: { money: attos("71.3"), currency: "CNY" } });
    // What came of the part with rates is no average rate of the whole.
    expect(cell(table({ blocks: (await explain({})).splits }, "by-currency"), "currency CNY", "rate")).toEqual({ absent: "not-applicable" });
    // Of four days in a currency three have a rate; of thirty days two have a bill.
    expect(tiles(review)[0]?.figure.coverage).toBeCloseTo((2 / 30) * (3 / 4), 12);
    // Where nothing is left, nothing is claimed.
    const alone = { period, scope: { provider: ["Alibaba Cloud"] }, basis: "EffectiveCost" as const, currency: "~USD" };
    expect(await engine.ask("report.read", { report: "review", ...alone })).toMatchObject({ ok: false, error: { code: "currency.no-rates", params: { currency: "USD" } } });
  });

  it("keeps the hours of a machine whose money no rate covers, without a price", async () => {
    await threeCurrencies();
    for (const day of ["2026-09-01", "2026-09-02"]) opened(await engine.ask("rate.save", { base: "EUR", quote: "USD", day, rate: null, by: "Ana", source: null }));
    opened(await engine.ask("rate.save", { base: "CNY", quote: "USD", day: "2026-09-02", rate: "0.14", by: "Ana", source: null }));
    const models = table(await read("efficiency"), "models");
    // Two machines alike; one of them has a price. Its hours and money alone make the price of an hour of work.
    expect(value(models, "total", "cost")).toBe(attos("2359.68"));
    const alone = table(await read("efficiency", "USD"), "models");
    for (const column of ["utilization", "useful"]) expect(value(models, "total", column)).toBe(value(alone, "total", column));
    const seen = async (currency: string) => (await explain({ metric: "gpu-utilization", currency })).inputs.find(({ figure }) => figure.unit === "gpu-hours")?.figure.value;
    expect(Number(await seen("~USD"))).toBeCloseTo(2 * Number(await seen("USD")), 9);
  });

  it("is rounded once a currency and day, and agrees with the totals in one currency", async () => {
    await post("thirds.csv", focusBill(["a", "b", "c"].flatMap((team, index) => ["2026-09-01", "2026-09-02"].map((day) => ({ day, cost: `0.10000000000000000${index + 1}`, team, account: team })))));
    await rates("Date,USD\n2026-09-01,3\n2026-09-02,7\n");
    const totals = opened(await engine.ask("totals.converted", { period, by: ["team"], scope: {}, in: "EUR" }));
    // 0.300000000000000006 ÷ 3 and ÷ 7, each rounded once.
    expect(totals.whole.EffectiveCost).toBe("0.14285714285714286");
    expect(await spendIn("~EUR")).toBe("0.14285714285714286");
    const teams = table(await read("review", "~EUR"), "teams");
    for (const { team, EffectiveCost } of totals.rows) expect(formatAttos(BigInt(value(teams, `team ${team ?? ""}`, "spend") ?? 0n))).toBe(EffectiveCost);
  });

  it("follows the bills and the rates as they change", async () => {
    await threeCurrencies();
    expect(await spendIn("~USD")).toBe("2665.944");
    const batch = await post("eur-again.csv", focusBill(machine("i-0123456789abcdef1", { day: "2026-09-01", cost: "20", currency: "EUR", account: "e", team: "vision" })));
    expect(await spendIn("~USD")).toBe("2929.68");
    expect(value(table(await read("efficiency"), "teams"), "teams vision", "cost")).toBe(attos("528"));
    opened(await engine.ask("batches.undo", { batch }));
    expect(await spendIn("~USD")).toBe("2665.944");
    opened(await engine.ask("rate.save", { base: "EUR", quote: "USD", day: "2026-09-01", rate: "2", by: "Ana", source: null }));
    expect(await spendIn("~USD")).toBe("2882.16");
    // What is billed stays as it is billed.
    expect(await spendIn("USD")).toBe("2389.68");
    expect(await spendIn("EUR")).toBe("240.24");
  });
});

describe("the connection of a converted ledger", () => {
  const sumOfMonth = ({ ledger: { db } }: { readonly ledger: { readonly db: { prepare(text: string): { get(): unknown } } } }): unknown => db.prepare("SELECT sum(EffectiveCostNanos) AS nanos FROM charge_day_current").get();

  it("is closed when its rates have changed and nobody looks at it any more, and not before", async () => {
    await threeCurrencies();
    const billed = opened(openLedger(join(folder, "mine.gpuledger"), { create: false, now: () => new Date("2026-10-01T00:00:00Z") }));
    const converted = convertedLedgers(billed);
    const first = await converted.at("USD", []);
    const again = await converted.at("USD", []);
    expect(again?.ledger.db).toBe(first?.ledger.db);
    await rates("Date,USD,CNY\n2026-09-01,1.3,\n");
    const second = await converted.at("USD", []);
    expect(second?.ledger.db).not.toBe(first?.ledger.db);
    first?.done();
    first?.done();
    // The second reader of the first connection still sees what it saw: 240.24 × 1.1.
    expect([first?.ledger.db.open, sumOfMonth(again as NonNullable<typeof again>)]).toEqual([true, { nanos: 2_665_944_000_000 }]);
    again?.done();
    expect([first?.ledger.db.open, second?.ledger.db.open]).toEqual([false, true]);
    await converted.close();
    expect(second?.ledger.db.open).toBe(false);
    billed.close();
  });

  it("is filled anew only once nobody looks at it, so that none sees half a month", async () => {
    await threeCurrencies();
    const billed = opened(openLedger(join(folder, "mine.gpuledger"), { create: false, now: () => new Date("2026-10-01T00:00:00Z") }));
    const converted = convertedLedgers(billed);
    const first = await converted.at("USD", []);
    await post("more.csv", focusBill([{ day: "2026-09-02", cost: "5", account: "other" }]));
    let isThere = false;
    const waiting = converted.at("USD", []).then((found) => ((isThere = true), found));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([isThere, sumOfMonth(first as NonNullable<typeof first>)]).toEqual([false, { nanos: 2_665_944_000_000 }]);
    first?.done();
    const second = await waiting;
    expect([second?.ledger.db === first?.ledger.db, sumOfMonth(second as NonNullable<typeof second>)]).toEqual([true, { nanos: 2_670_944_000_000 }]);
    second?.done();
    await converted.close();
    billed.close();
  });
});

describe("a converted figure", () => {
  it("says what was billed in each currency, by which rates, and what that came to", async () => {
    await threeCurrencies();
    const spend = await explain({});
    expect(spend.ref.currency).toBe("~USD");
    const parts = table({ blocks: spend.splits }, "by-currency");
    expect(parts.rows.map(({ id }) => id)).toEqual(["currency CNY", "currency EUR", "currency USD"]);
    expect(cell(parts, "currency EUR", "billed")).toMatchObject({ figure: { value: attos("240.24"), unit: "EUR", basis: "billed" }, explain: { currency: "EUR" } });
    expect(cell(parts, "currency EUR", "rate")).toEqual({ message: { key: "converted.rate-line", params: { base: { text: "EUR" }, rate: { number: 1.1, digits: 6 }, quote: { text: "USD" } } } });
    expect(value(parts, "currency CNY", "figure")).toBe(attos("12"));
    expect(sumOf(parts, "figure")).toBe(attos("2665.944"));
    const used = table({ blocks: spend.splits }, "rates");
    expect(used.rows.map(({ id }) => id)).toEqual(["EUR CNY 2026-09-02", "EUR USD 2026-09-01", "EUR USD 2026-09-02"]);
    expect(cell(used, "EUR USD 2026-09-01", "source")).toEqual({ text: "rates.csv" });
    expect(spend.assumptions[0]?.key).toBe("explain.assumes.converted");
    // Of hours the same: idle money in each currency.
    const idle = table({ blocks: (await explain({ metric: "idle-cost" })).splits }, "by-currency");
    expect(sumOf(idle, "figure")).toBe(value(idle, "total", "figure"));
    expect(Number(value(idle, "currency EUR", "billed")) / 1e18).toBeCloseTo(50.05 / 8, 9);
  });

  it("leads to the rows of its file, in the currency of the bill", async () => {
    await threeCurrencies();
    const rows = opened(await engine.ask("rows.read", { ref: { metric: "spend", ...asked, currency: "~USD" }, of: "charges", offset: 0, limit: 100 }));
    expect(rows.total).toBe(50);
    const place = rows.columns.indexOf("BillingCurrency");
    expect([...new Set(rows.rows.map(({ values }) => values[place]))].sort()).toEqual(["CNY", "EUR", "USD"]);
  });
});

describe("other questions in one currency", () => {
  it("group rows on the Ledger screen, by day and by hour", async () => {
    await threeCurrencies();
    const pivot = (view: PivotView) => engine.ask("pivot.read", { view, period, scope: {}, currency: "~USD", offset: 0, limit: 50 }).then(opened);
    const byDay = await pivot({ table: "charges", by: ["day"], filters: [], sort: null });
    const cost = byDay.measures.indexOf("EffectiveCost");
    expect(byDay.rows.map(({ keys, values }) => [keys[0], values[cost]?.value])).toEqual([["2026-09-01", attos("2623.944")], ["2026-09-02", attos("42")]]);
    expect(byDay.total[cost]?.value).toBe(attos("2665.944"));
    expect(byDay.conversion.map(({ key }) => key)).toEqual(["report.context.converted"]);
    const byHour = await pivot({ table: "gpu-hours", by: ["hour", "team"], filters: [], sort: null });
    const ofHours = byHour.measures.indexOf("EffectiveCost");
    expect(byHour.rows.reduce((sum, { values }) => sum + BigInt(values[ofHours]?.value ?? 0n), 0n)).toBe(attos("2623.944"));
    expect(byHour.groups).toBe(48);
  });

  it("hold a budget against everything converted to its currency, hours as they are, and leave out budgets in others", async () => {
    await threeCurrencies();
    const budget = { id: null, parent: null, level: "team", kind: "money", currency: "USD", basis: "EffectiveCost", span: "month", scope: {}, owner: null, thresholds: [], months: { "2026-09": "3000" } } as const;
    for (const [name, more] of [["all", {}], ["euro", { currency: "EUR" }], ["hours", { kind: "gpu-hours", currency: null, basis: null }]] as const) opened(await engine.ask("budget.save", { budget: { ...budget, ...more, name }, by: "Ana" }));
    const list = async (currency: string | null) => opened(await engine.ask("budgets.list", { month: period, currency })).budgets.map(({ plan, actual }) => [plan.name, actual]);
    // 48 hours of two machines with eight GPUs each.
    expect(await list(null)).toEqual([["all", "2389.68"], ["euro", "240.24"], ["hours", "384"]]);
    expect(await list("~USD")).toEqual([["all", "2665.944"], ["hours", "384"]]);
    expect(await list("~EUR")).toEqual([["euro", "2420.403636363636363636"], ["hours", "384"]]);
    const burnt = opened(await engine.ask("budget.burn-down", { id: 1, month: period, currency: "~USD" })).days.filter(({ actual }) => actual !== null).at(-1);
    expect(burnt?.actual).toBe("2665.944");
    const document = await read("budgets");
    expect(document.context.find(({ key }) => key === "budgets.context.left-out")?.params).toEqual({ count: { count: 1 }, currencies: { text: "EUR" } });
    expect(cell(table(document, "budgets"), "budget 1", "actual")).toMatchObject({ figure: { value: attos("2665.944"), basis: "converted" }, explain: { currency: "~USD" } });
    // Budgets there are, but none in yuan: the report does not say that there are none.
    for (const id of [3, 2]) opened(await engine.ask("budget.remove", { id, by: "Ana" }));
    expect((await read("budgets", "~CNY")).answer.key).toBe("budgets.answer.none-here");
    opened(await engine.ask("budget.remove", { id: 1, by: "Ana" }));
    expect((await read("budgets", "~CNY")).answer.key).toBe("budgets.answer.none");
  });

  it("measure an action in the currency of its machine, and add up those of the currency alone", async () => {
    await threeCurrencies();
    const action = { id: null, findingKey: null, kind: "idle", subject: "stop it", resource: "i-0123456789abcdef1", team: null, owner: null, dueOn: null, state: "open", realised: null, note: null } as const;
    opened(await engine.ask("action.save", { action: { ...action, currency: "EUR", expected: "100" }, by: "Ana" }));
    opened(await engine.ask("action.save", { action: { ...action, resource: "i-0123456789abcdef0", currency: "USD", expected: "50" }, by: "Ana" }));
    const answer = opened(await engine.ask("actions.read", { period, currency: "~USD", basis: "EffectiveCost" }));
    expect(answer.currency).toBe("USD");
    expect(answer.actions.map(({ currency, expected }) => [currency, expected]).sort()).toEqual([["EUR", "100"], ["USD", "50"]]);
  });

  it("are refused where nothing may be converted, and files are held against what they say", async () => {
    await threeCurrencies();
    const refused = { ok: false, error: { code: "currency.billed-only", params: { currency: "USD" } } };
    for (const report of ["showback", "commitments", "selection"] as const) expect(await engine.ask("report.read", { report, ...asked, currency: "~USD" })).toMatchObject(refused);
    expect(await engine.ask("plan.read", { period, scope: {}, currency: "~USD", inputs: defaultPlanInputs })).toMatchObject(refused);
    expect(await engine.ask("journal.export", { period, currency: "~USD", basis: "EffectiveCost", file: join(folder, "journal.csv") })).toMatchObject(refused);
    const imports = await read("imports");
    expect(imports.blocks.flatMap(({ id }) => (id.startsWith("reconcile-") ? [id] : [])).sort()).toEqual(["reconcile-CNY", "reconcile-EUR", "reconcile-USD"]);
    expect(await engine.ask("report.read", { report: "review", ...asked, currency: "~GBP" })).toMatchObject({ ok: false, error: { code: "currency.no-rates" } });
  });
});
