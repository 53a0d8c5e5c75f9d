import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import writeWorkbook from "write-excel-file/node";
import type { CellObject } from "write-excel-file/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../../../main/cli/index.ts";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { planCsv, readPlanCsv } from "../../../../main/engine/teams/plan-csv.ts";
import { planTable } from "../../../../main/engine/teams/plan-table.ts";
import { planWorkbook, readPlanWorkbook } from "../../../../main/engine/teams/plan-xlsx.ts";
import { keepJudgement, judge, storedBudgets, keepBudget, statusOf } from "../../../../main/engine/teams/budgets.ts";
import { keepTerm } from "../../../../main/engine/commitments/scenarios.ts";
import { readReport } from "../../../../main/engine/reports/index.ts";
import { defaultThresholds, type BudgetInput, type BudgetPlan } from "../../../../shared/contract/teams.ts";
import type { LedgerEvent } from "../../../../shared/contract/events.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import { focusBill } from "../import/bills-of.ts";
import { addDelivery, ledgerWith } from "../ledger-with.ts";
import { contextOf, requestOf } from "../reports/company.ts";
import { opened, table, value, DOLLAR, cell } from "../reports/look.ts";

const days = (month: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, "0")}`);
const cellsOf = (month: string, count: number, cost = "10"): { day: string; cost: string; series: { x_Team: string } }[] => days(month, count).map((day) => ({ day, cost, series: { x_Team: "vision" } }));
const budget = (change: Partial<BudgetInput> = {}): BudgetInput => ({
  id: null, parent: null, name: "Vision", level: "team", kind: "money", currency: "USD", basis: "EffectiveCost", span: "month", scope: { team: ["vision"] }, owner: "Ana", thresholds: [...defaultThresholds], months: { "2026-09": "300" }, ...change,
});

describe("a budget", () => {
  it("stands against what was spent, its part of the month, and what is to come", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-08", firstDay: "2026-08-01", lastDay: "2026-08-31", cells: cellsOf("2026-08", 31) }, { month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-15", cells: cellsOf("2026-09", 15) }] });
    keepBudget(ledger.db, budget({ months: { "2026-09": "290" } }));
    const [plan] = storedBudgets(ledger.db);
    if (plan === undefined) throw new Error("no budget");
    expect(statusOf(ledger, plan, "2026-09")).toMatchObject({ budget: "290", actual: "150", prorated: "145", remaining: "140", forecast: "300", runRate: "300", halfWidth80: "0", state: "forecast-over", runsOutOn: "2026-09-29", dataUntil: "2026-09-15" });
    expect(statusOf(ledger, { ...plan, months: {} }, "2026-09")).toMatchObject({ budget: null, state: "no-plan" });
    expect(statusOf(ledger, { ...plan, kind: "carbon", currency: null, basis: null }, "2026-09")).toMatchObject({ actual: null, forecast: null, state: "unknown" });
    expect(statusOf(ledger, { ...plan, scope: { team: ["other"] } }, "2026-09")).toMatchObject({ actual: "0", forecast: "0", state: "within" });
  });

  it("does not take a month without a bill, or a cost that no row states, for nothing spent", () => {
    const empty = ledgerWith();
    keepBudget(empty.db, budget());
    const [plan] = storedBudgets(empty.db);
    if (plan === undefined) throw new Error("no budget");
    expect(statusOf(empty, plan, "2026-09")).toMatchObject({ actual: null, forecast: null, state: "unknown" });
    const unstated = ledgerWith({ deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-01", BilledCost: "5", EffectiveCost: null, series: { x_Team: "vision" } }] }] });
    expect(statusOf(unstated, plan, "2026-09")).toMatchObject({ actual: null, state: "unknown" });
  });

  it("speaks once at each threshold; a forecast that fell back may speak again", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-08", firstDay: "2026-08-01", lastDay: "2026-08-31", cells: cellsOf("2026-08", 31) }, { month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-15", cells: cellsOf("2026-09", 15) }] });
    keepBudget(ledger.db, budget({ months: { "2026-09": "290" } }));
    const check = (): string[] => {
      const judged = judge(ledger, storedBudgets(ledger.db), "2026-09");
      keepJudgement(ledger.db, judged, "2026-09-16T00:00:00Z");
      return judged.flatMap(({ fire }) => fire);
    };
    expect([check(), check(), check()]).toEqual([["actual-50", "forecast-100"], [], []]);
    keepBudget(ledger.db, { ...budget({ months: { "2026-09": "400" } }), id: 1 });
    expect(check()).toEqual([]);
    keepBudget(ledger.db, { ...budget({ months: { "2026-09": "290" } }), id: 1 });
    expect([check(), check()]).toEqual([["forecast-100"], []]);
    expect(ledger.db.prepare("SELECT ThresholdId, Round FROM budget_alert ORDER BY AlertId").raw().all()).toEqual([["actual-50", 1], ["forecast-100", 1], ["forecast-100", 2]]);
    expect(ledger.db.prepare("SELECT count(*) FROM forecast_snapshot").pluck().get()).toBe(1);
  });

  it("counts a commitment that is known to end, from that day on", () => {
    const covered = (month: string, count: number) => days(month, count).map((day) => ({ day, cost: "10", ListCost: "25", ContractedCost: "20", series: { x_Team: "vision", CommitmentDiscountId: "ri-1", CommitmentDiscountStatus: "Used" as const } }));
    const ledger = ledgerWith({ deliveries: [{ month: "2026-08", firstDay: "2026-08-01", lastDay: "2026-08-31", cells: covered("2026-08", 31) }, { month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-15", cells: covered("2026-09", 15) }] });
    keepBudget(ledger.db, budget({ months: { "2026-09": "500" } }));
    const [plan] = storedBudgets(ledger.db);
    if (plan === undefined) throw new Error("no budget");
    expect(statusOf(ledger, plan, "2026-09")).toMatchObject({ forecast: "300" });
    keepTerm(ledger.db, { commitment: "ri-1", startsOn: null, endsOn: "2026-09-21", termMonths: null, payment: null, gpus: null, isConvertible: null, renewalHourly: null, note: null }, { at: "2026-09-16T00:00:00Z", who: "Ana" });
    // Ten days from the 21st on at the contracted price, 10 a day more.
    expect(statusOf(ledger, plan, "2026-09")).toMatchObject({ forecast: "400" });
  });

  it("gives the review's teams their budget, and says who is over", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [...cellsOf("2026-09", 30), { day: "2026-09-01", cost: "5" }] }] });
    keepBudget(ledger.db, budget({ months: { "2026-09": "295" } }));
    keepBudget(ledger.db, budget({ name: "All", level: "company", scope: {}, months: { "2026-09": "310" } }));
    const review = opened(readReport(contextOf(ledger), requestOf("review")));
    const teams = table(review, "teams");
    expect([value(teams, "team vision", "budget"), value(teams, "total", "budget")]).toEqual([295n * DOLLAR, 310n * DOLLAR]);
    expect(cell(teams, "not-allocated", "budget")).toEqual({ absent: "not-applicable" });
    // The month is whole: its forecast is what was billed, 30 × 10, as Budgets shows it.
    expect(value(teams, "team vision", "forecast")).toBe(300n * DOLLAR);
    expect(review.context.map(({ key }) => key)).toEqual(expect.arrayContaining(["review.context.within-budget", "review.context.team-over"]));
    const budgets = opened(readReport(contextOf(ledger), requestOf("budgets")));
    const standing = budgets.blocks.find((block) => block.kind === "table" && block.columns.some(({ id }) => id === "forecast") && block.id !== "burn-down");
    if (standing?.kind !== "table") throw new Error("budgets stand in a table");
    expect(standing.rows.map(({ id }) => value(standing, id, "forecast")).sort()).toEqual([300n * DOLLAR, 305n * DOLLAR]);
    expect(budgets.answer).toMatchObject({ key: "budgets.answer.over", params: { name: { text: "Vision" }, over: { figure: { value: 5n * DOLLAR } } } });
    expect(value(table(budgets, "burn-down"), "day 20726", "actual")).toBe(305n * DOLLAR);
    addDelivery(ledger, { provider: "Azure", month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [{ day: "2026-09-09", cost: "7" }] });
    expect(opened(readReport(contextOf(ledger), requestOf("review"))).context.map(({ key }) => key)).toContain("review.context.over-budget");
  });
});

describe("the month against its budgets", () => {
  const over = (company: boolean): unknown[] => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [...cellsOf("2026-09", 30), { day: "2026-09-01", cost: "50" }] }] });
    keepBudget(ledger.db, budget({ months: { "2026-09": "320" } }));
    if (company) keepBudget(ledger.db, budget({ name: "All", level: "company", scope: {}, months: { "2026-09": "340" } }));
    const teams = table(opened(readReport(contextOf(ledger), requestOf("monthly"))), "teams");
    return ["team vision", "total"].map((row) => value(teams, row, "over-budget"));
  };

  it("closes with what the teams are over together, as its sentence says: costs without a team are in no budget", () => {
    expect(over(false)).toEqual([-20n * DOLLAR, -20n * DOLLAR]);
  });

  it("closes with the company's own budget where there is one", () => {
    expect(over(true)).toEqual([-20n * DOLLAR, 10n * DOLLAR]);
  });
});

describe("a plan as CSV", () => {
  it("is read by team and month, wide or long, and refuses what is no amount with its line", () => {
    expect(opened(readPlanCsv("\uFEFFTeam;Owner;2026-09;2026-10\nVision;Ana;1,234.50;\n", "plan.csv", "USD"))).toMatchObject([{ parentName: null, budget: { name: "Vision", level: "team", kind: "money", currency: "USD", owner: "Ana", scope: { team: ["Vision"] }, months: { "2026-09": "1234.5" } } }]);
    expect(opened(readPlanCsv("Budget,Month,Amount\nAll,2026-09,5\nAll,2026-10-01,6\n", "plan.csv", "EUR"))).toMatchObject([{ budget: { name: "All", level: "company", currency: "EUR", months: { "2026-09": "5", "2026-10": "6" } } }]);
    expect(readPlanCsv("Team,2026-09\nVision,much\n", "plan.csv", "USD")).toEqual({ ok: false, error: { code: "import.value-invalid", params: { file: "plan.csv", line: 2, column: "2026-09", value: "much", expected: "decimal" } } });
    expect(readPlanCsv("Name,2026-09\nVision,1\n", "plan.csv", "USD")).toMatchObject({ error: { code: "import.column-missing" } });
    expect(readPlanCsv("Team,2026-09\nVision,1\n", "plan.csv", null)).toMatchObject({ error: { params: { column: "Currency" } } });
  });

  it("comes back as it went out, to the last digit", () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.trim()).filter((text) => text !== "" && !/[|;\t']/.test(text) && !text.includes("(none)"));
    const amount = fc.bigInt(0n, 10n ** 27n).map((attos) => formatAttos(attos));
    const plans = fc.uniqueArray(fc.record({ name, kind: fc.constantFrom("money" as const, "gpu-hours" as const), span: fc.constantFrom("month" as const, "quarter" as const), team: fc.option(name, { nil: null }), amount }), { selector: ({ name: own, kind }) => `${kind} ${own}`, minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(plans, (list) => {
        const all = list.map(({ amount: text, team, ...plan }, index): BudgetPlan => ({
          id: index + 1, parent: null, level: "team", currency: plan.kind === "money" ? "USD" : null, basis: plan.kind === "money" ? "EffectiveCost" : null, owner: null, thresholds: defaultThresholds, scope: { team: [team] }, months: { "2026-09": text }, ...plan,
        }));
        const read = opened(readPlanCsv(planCsv(planTable(all, { teams: [], months: [] })), "plan.csv", null));
        expect(read.map(({ budget: { name: own, kind, scope, months, span } }) => ({ name: own, kind, scope, months, span }))).toEqual(all.map(({ name: own, kind, scope, months, span }) => ({ name: own, kind, scope, months, span })));
      }),
    );
  });
});

describe("a plan as a workbook", () => {
  const sheet = async (data: readonly (readonly CellObject[])[]): Promise<Uint8Array> => new Uint8Array(await writeWorkbook([{ sheet: "Plan", data: data.map((row) => [...row]) }] as Parameters<typeof writeWorkbook>[0]).toBuffer());

  it("comes back as it went out, to the last digit, whether a spreadsheet can hold that or not", async () => {
    const plan = (id: number, name: string, months: BudgetPlan["months"]): BudgetPlan => ({ id, parent: id === 1 ? null : 1, name, level: id === 1 ? "company" : "team", kind: "money", currency: "USD", basis: "EffectiveCost", span: "month", scope: id === 1 ? {} : { team: [name] }, owner: "Ana", thresholds: defaultThresholds, months });
    const plans = [plan(1, "All", { "2026-09": "1234.5", "2026-10": "999999999.999999999999999999" }), plan(2, "=cmd", { "2026-09": "0.1", "2026-10": "-7" })];
    const bytes = await planWorkbook(planTable(plans, { teams: [], months: [] }));
    expect(opened(await readPlanWorkbook(bytes, "plan.xlsx", null)).map(({ parentName, budget: { name, months, scope, owner } }) => ({ parentName, name, months, scope, owner }))).toEqual([
      { parentName: null, name: "All", months: plans[0]?.months, scope: {}, owner: "Ana" },
      { parentName: "All", name: "=cmd", months: plans[1]?.months, scope: { team: ["=cmd"] }, owner: "Ana" },
    ]);
  });

  it("is read as people write it: months as dates, amounts as numbers or text", async () => {
    const bytes = await sheet([
      [{ value: "Team" }, { value: new Date("2026-09-01T00:00:00Z"), type: Date, format: "yyyy-mm" }, { value: "2026-10" }],
      [{ value: "Vision" }, { value: 1234.1 + 0.2, type: Number }, { value: "1,500.25" }],
    ]);
    expect(opened(await readPlanWorkbook(bytes, "plan.xlsx", "USD"))).toMatchObject([{ budget: { name: "Vision", level: "team", months: { "2026-09": "1234.3", "2026-10": "1500.25" } } }]);
  });

  it("names the row and column of what is no amount, and refuses what is no workbook", async () => {
    const bytes = await sheet([[{ value: "Team" }, { value: "2026-09" }], [{ value: "Vision" }, { value: "much" }]]);
    expect(await readPlanWorkbook(bytes, "plan.xlsx", "USD")).toMatchObject({ error: { code: "import.value-invalid", params: { line: 2, column: "2026-09", value: "much" } } });
    expect(await readPlanWorkbook(bytes.slice(0, bytes.length / 2), "plan.xlsx", "USD")).toMatchObject({ error: { code: "import.unreadable" } });
  });

  it("is a table of the teams to fill in where no budget is written yet", () => {
    expect(planTable([], { teams: ["Vision"], months: ["2026-10"] })).toMatchObject({ months: ["2026-10"], rows: [{ amounts: [""] }] });
    expect(opened(readPlanCsv(planCsv(planTable([], { teams: ["Vision"], months: ["2026-10"] })).replace(/,\r\n$/, ",500\r\n"), "plan.csv", "USD"))).toMatchObject([{ budget: { name: "Vision", months: { "2026-10": "500" } } }]);
  });
});

describe("budgets through the door", () => {
  let folder = "";
  let engine: Engine;
  const events: LedgerEvent[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "gpu-ledger-budgets-"));
    events.length = 0;
    engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: (event) => void events.push(event), now: () => new Date("2026-10-02T08:00:00Z") });
    opened(await engine.ask("ledger.open", { file: join(folder, "own.gpuledger"), create: true }));
    writeFileSync(join(folder, "bill.csv"), focusBill(days("2026-09", 30).map((day) => ({ day, cost: "10" }))));
    opened(await engine.ask("import.post", { plan: opened(await engine.ask("import.preview", { files: [join(folder, "bill.csv")], options: {} })).plan }));
    writeFileSync(join(folder, "plan.csv"), "Budget,2026-09\nAll,250.00\n");
  });
  afterEach(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("raise an alert by themselves when the ledger changes, loudest only, and keep what was answered", async () => {
    expect(opened(await engine.ask("budgets.import", { file: join(folder, "plan.csv"), currency: null, isPreview: true, by: "Ana" }))).toMatchObject({ added: ["All"], months: 1 });
    expect(opened(await engine.ask("budgets.list", { month: null })).budgets).toEqual([]);
    opened(await engine.ask("budgets.import", { file: join(folder, "plan.csv"), currency: null, isPreview: false, by: "Ana" }));
    expect(opened(await engine.ask("budgets.check", {}))).toMatchObject({ isOver: true, raised: [] });
    expect(events.filter(({ name }) => name === "alert.raised")).toMatchObject([{ payload: { budgetName: "All", type: "actual", percent: "100", value: "300", amount: "250" } }]);
    const { alerts } = opened(await engine.ask("alerts.list", { onlyOpen: true }));
    expect(alerts.map(({ threshold }) => `${threshold.type} ${threshold.percent}`).sort()).toEqual(["actual 100", "actual 50", "actual 75", "actual 90", "forecast 100"]);
    opened(await engine.ask("alert.answer", { id: alerts[0]?.id ?? 0, reason: "a new cluster", action: "moved budget", by: "Ana" }));
    expect(opened(await engine.ask("alerts.list", { onlyOpen: true })).alerts).toHaveLength(4);
    expect(opened(await engine.ask("changes.list", { area: "alert", offset: 0, limit: 5 })).changes[0]).toMatchObject({ who: "Ana", what: "answered", at: "2026-10-02T08:00:00.000Z" });
  });

  it("carry the plan as a workbook to a file and back", async () => {
    opened(await engine.ask("budgets.import", { file: join(folder, "plan.csv"), currency: null, isPreview: false, by: "Ana" }));
    const file = join(folder, "plan.xlsx");
    opened(await engine.ask("budgets.export", { file }));
    expect(opened(await engine.ask("budgets.import", { file, currency: null, isPreview: true, by: "Ana" }))).toMatchObject({ added: [], changed: [], same: ["All"] });
  });

  it("move budget only where there is some, and refuse a tree that bites its tail", async () => {
    const first = opened(await engine.ask("budget.save", { budget: budget(), by: "Ana" })).id;
    const second = opened(await engine.ask("budget.save", { budget: budget({ name: "Below", parent: first, months: {} }), by: "Ana" })).id;
    expect(await engine.ask("budget.save", { budget: budget({ id: first, parent: second }), by: "Ana" })).toMatchObject({ error: { params: { path: "budget.parent" } } });
    const move = (amount: string): unknown => engine.ask("budget.move", { from: first, to: second, month: "2026-09", amount, reason: "run moved", by: "Ana" });
    expect(await move("300.01")).toMatchObject({ error: { params: { path: "amount" } } });
    expect(await move("100.000000000000000001")).toMatchObject({ ok: true });
    expect(opened(await engine.ask("budgets.list", { month: "2026-09" })).budgets.map(({ plan }) => plan.months["2026-09"])).toEqual(["199.999999999999999999", "100.000000000000000001"]);
    opened(await engine.ask("budget.remove", { id: first, by: "Ana" }));
    expect(opened(await engine.ask("budgets.list", { month: "2026-09" })).budgets).toEqual([]);
    expect(await engine.ask("budget.remove", { id: first, by: "Ana" })).toEqual({ ok: false, error: { code: "budget.not-found", params: { id: first } } });
  });

  it("end a script with 3 when one is over", async () => {
    await engine.close();
    const run = async (...argv: string[]): Promise<{ code: number; out: string }> => {
      let out = "";
      const code = await runCli([...argv, "--ledger", join(folder, "own.gpuledger"), "--lang", "en"], { out: (text) => void (out += text), err: () => undefined, environment: {} });
      return { code, out };
    };
    expect(await run("budgets", "check")).toMatchObject({ code: 0 });
    expect((await run("budgets", "import", join(folder, "plan.csv"))).code).toBe(0);
    const over = await run("budgets", "check");
    expect([over.code, over.out]).toEqual([3, expect.stringContaining("OVER: All, 2026-09: $300.00 of $250.00 (120.0")]);
    expect(JSON.parse((await run("budgets", "check", "--json")).out)).toMatchObject({ isOver: true, budgets: [{ state: "over", actual: "300" }] });
    expect((await run("budgets", "export", "--out", join(folder, "out.csv"))).code).toBe(0);
    expect(readFileSync(join(folder, "out.csv"), "utf8")).toContain("All,company");
    expect((await run("budgets", "burn")).code).toBe(2);
  });

  it("close a month, and say what differs after it was frozen", async () => {
    expect(opened(await engine.ask("month.read", { month: "2026-09" }))).toMatchObject({ state: "open", items: [{ id: "sources-complete", state: "done" }, { id: "reconciled", state: "unknown" }, { id: "unallocated-under", state: "done", share: 0 }, {}, {}] });
    const provider = opened(await engine.ask("month.read", { month: "2026-09" })).invoices[0]?.provider ?? "";
    opened(await engine.ask("invoice.save", { month: "2026-09", provider, currency: "USD", amount: "300.00", by: "Ana" }));
    expect(opened(await engine.ask("month.read", { month: "2026-09" })).items[1]).toMatchObject({ id: "reconciled", state: "done" });
    opened(await engine.ask("month.close", { month: "2026-09", note: null, by: "Ana" }));
    expect(await engine.ask("month.close", { month: "2026-09", note: null, by: "Ana" })).toMatchObject({ ok: false });
    expect(opened(await engine.ask("month.read", { month: "2026-09" }))).toMatchObject({ state: "closed", differences: [] });
    const rules = [{ name: "all", team: "vision", conditions: [{ source: "column", key: "provider", op: "exists" }], fromMonth: null, toMonth: null }] as const;
    opened(await engine.ask("allocation.save", { rules, by: "Ana" } as never));
    expect(opened(await engine.ask("month.read", { month: "2026-09" })).differences).toEqual([
      { what: "team", team: "research", currency: "USD", frozen: "300", now: null, difference: "-300" },
      { what: "team", team: "vision", currency: "USD", frozen: null, now: "300", difference: "300" },
    ]);
    opened(await engine.ask("month.reopen", { month: "2026-09", reason: "rules", by: "Ben" }));
    expect(opened(await engine.ask("month.read", { month: "2026-09" }))).toMatchObject({ state: "reopened", closings: [{ closedBy: "Ana", reopenedBy: "Ben", reason: "rules" }] });
  });
});
