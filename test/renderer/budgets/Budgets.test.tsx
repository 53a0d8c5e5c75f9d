// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { BudgetPlan, BudgetStatus } from "../../../shared/contract/teams.ts";
import { defaultThresholds } from "../../../shared/contract/teams.ts";
import { ok } from "../../../shared/result.ts";
import { axisSteps } from "../../../renderer/charts/burn-down.ts";
import { Budgets, lastMonthOf } from "../../../renderer/budgets/Budgets.tsx";
import { thresholdsOf } from "../../../renderer/budgets/BudgetForm.tsx";
import { treeOf } from "../../../renderer/budgets/BudgetTree.tsx";
import { documentsIn } from "../documents.ts";
import type { Answers } from "../window.tsx";
import { showWindow } from "../window.tsx";

const sample = documentsIn("en");
const plan = (id: number, parent: number | null, name: string): BudgetPlan => ({ id, parent, name, level: parent === null ? "company" : "team", kind: "money", currency: "USD", basis: "EffectiveCost", span: "month", scope: {}, owner: null, thresholds: defaultThresholds, months: { "2026-09": "1000" } });
const standing = (of: BudgetPlan, actual: string, state: BudgetStatus["state"]): BudgetStatus => ({
  plan: of, period: "2026-09", months: ["2026-09"], dataUntil: "2026-09-30", budget: "1000", actual, prorated: "1000", remaining: null, consumed: Number(actual) / 1000, forecast: actual, halfWidth80: null, runRate: null, method: null, runsOutOn: null, state, alerts: [],
});
const budgets = [standing(plan(2, 1, "Vision"), "1200.5", "over"), standing(plan(1, null, "Company"), "800", "within")];
const answers: Answers = {
  "report.read": () => ok({ ...sample.review, report: "budgets", blocks: [] }),
  "budgets.list": ok({ month: "2026-09", fiscalStart: 1, budgets }),
  "budget.burn-down": ok({ unit: "USD", period: "2026-09", budget: "1000", runsOutOn: "2026-09-25", days: [{ day: "2026-09-01", plan: "33.33", actual: "40", forecast: null, low: null, high: null }, { day: "2026-09-02", plan: "66.67", actual: "80", forecast: null, low: null, high: null }] }),
  "alerts.list": ok({ alerts: [{ id: 9, budget: 2, budgetName: "Vision", owner: null, unit: "USD", period: "2026-09", threshold: { type: "actual", percent: "100" }, raisedAt: "2026-10-01T00:00:00Z", dataUntil: "2026-09-30", value: "1200.5", amount: "1000", rearmedAt: null, reason: null, action: null, answeredBy: null, answeredAt: null }] }),
  "alert.answer": ok({ revision: 9 }),
  "scope.values": ok(sample.scope),
  "budget.save": ok({ revision: 9, id: 3 }),
  "budget.move": ok({ revision: 9 }),
  "planned-changes.save": ok({ revision: 9 }),
  "forecast.read": ok({
    unit: "USD", dataUntil: "2026-09-30", method: "level", notExtrapolated: "5",
    months: [{ month: "2026-10", soFar: "0", forecast: "950.25", halfWidth80: "20", runRate: null, daysToCome: 31 }],
    spans: [{ months: 3, forecast: "2800", halfWidth80: "60" }],
    backtest: { origins: 20, coverage: 0.75, methods: [{ method: "level", mape: 0.04, wape: 0.035, bias: -0.01 }, { method: "run-rate", mape: 0.08, wape: 0.07, bias: 0.02 }], points: [] },
    drift: [{ budget: 2, period: "2026-09", dataUntil: "2026-09-10", forecast: "1100", halfWidth80: "10", method: "level" }, { budget: 2, period: "2026-09", dataUntil: "2026-09-20", forecast: "1150", halfWidth80: "10", method: "level" }],
    plannedChanges: [], commitmentEnds: [{ commitment: "arn:x/ri-1", team: "Vision", endsOn: "2026-11-01", amount: "12" }],
  }),
  "changes.list": ok({ total: 1, changes: [{ id: 1, at: "2026-10-01T08:00:00Z", who: "Ana", area: "budget", what: "moved", subject: "Company > Vision", before: null, after: "{}" }] }),
  "budget.suggest": ok({ unit: "USD", months: [{ month: "2026-01", amount: "999.6" }], from: [{ month: "2025-12", amount: "1" }], method: "mean" }),
};

afterEach(cleanup);

describe("the Budgets screen", () => {
  it("puts each budget under its parent and opens the one that is over", async () => {
    const shown = showWindow(<Budgets status={sample.status} />, { answers });
    const table = await screen.findByRole("table", { name: "Budgets" });
    expect(within(table).getAllByRole("row").slice(1).map((row) => row.querySelector("th")?.textContent)).toEqual(["Company", "Vision"]);
    expect(within(table).getByText("+200.50")).toBeTruthy();
    expect(within(table).getByText("\u2212200.00")).toBeTruthy();
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "budget.burn-down")?.input).toEqual({ id: 2, month: "2026-09" }));
    expect(await screen.findByText("It was used up on 25 Sep 2026.")).toBeTruthy();
    // The made-up document speaks in literal texts, which are no keys.
    expect(shown.missing.filter((key) => /^[a-z-]+(\.[A-Za-z-]+)+$/.test(key))).toEqual([]);
  });

  it("shows what is to come with its band, how the methods did on past months, and how the forecast drifted", async () => {
    showWindow(<Budgets status={sample.status} />, { answers });
    const ahead = await screen.findByRole("table", { name: "Forecast of Vision" });
    expect(within(ahead).getByRole("row", { name: /October 2026/ }).textContent).toContain("950.25± 20.00");
    expect(within(screen.getByRole("table", { name: "Forecasts of September 2026 as they were made" })).getByText("+50.00")).toBeTruthy();
    expect(within(screen.getByRole("table", { name: "How well it went" })).getByRole("row", { name: /in use/ }).textContent).toContain("3.5");
    expect(within(screen.getByRole("table", { name: "Known to come" })).getByText(/ri-1 ends/)).toBeTruthy();
  });

  it("keeps a planned change", async () => {
    const shown = showWindow(<Budgets status={sample.status} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Add a change" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText("Change"), { target: { value: "New run" } });
    fireEvent.change(within(dialog).getByLabelText("From"), { target: { value: "2026-10-05" } });
    fireEvent.change(within(dialog).getByLabelText(/^Amount/), { target: { value: "120.50" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "planned-changes.save")?.input).toEqual({ changes: [{ name: "New run", team: null, currency: "USD", fromDay: "2026-10-05", toDay: null, isDaily: true, amount: "120.50" }], by: null }));
  });

  it("moves budget that is there, with a reason, and shows who moved what", async () => {
    const shown = showWindow(<Budgets status={sample.status} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Move budget" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText(/^Amount/), { target: { value: "5000" } });
    fireEvent.change(within(dialog).getByLabelText("Reason"), { target: { value: "run moved" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Move it" }));
    expect(within(dialog).getByRole("alert").textContent).toContain("an amount that is there");
    fireEvent.change(within(dialog).getByLabelText(/^Amount/), { target: { value: "100" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Move it" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "budget.move")?.input).toEqual({ from: 2, to: 1, month: "2026-09", amount: "100", reason: "run moved", by: null }));
    const log = screen.getByRole("table", { name: "Change log" });
    expect(within(log).getByRole("row", { name: /Ana/ }).textContent).toContain("moved");
  });

  it("shows the days of the chart as a table", async () => {
    showWindow(<Budgets status={sample.status} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Show the days" }));
    expect(within(screen.getByRole("region", { name: "Show the days" })).getByRole("row", { name: /1 Sep 2026/ }).textContent).toContain("40.00");
  });

  it("keeps a reason and an action with an alert", async () => {
    const shown = showWindow(<Budgets status={sample.status} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Answer Vision" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText("Why it happened"), { target: { value: "A launch" } });
    fireEvent.change(within(dialog).getByLabelText("What is done about it"), { target: { value: "Moved budget" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "alert.answer")?.input).toEqual({ id: 9, reason: "A launch", action: "Moved budget", by: null }));
  });

  it("saves a new budget with exact amounts, and not one without a name", async () => {
    const shown = showWindow(<Budgets status={sample.status} />, { answers, language: "en" });
    fireEvent.click(await screen.findByRole("button", { name: "Add a budget" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    expect(within(dialog).getByRole("alert").textContent).toContain("A budget needs a name.");
    fireEvent.change(within(dialog).getByLabelText("Name"), { target: { value: "Speech" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Suggest from history" }));
    await waitFor(() => expect(within(dialog).getByLabelText<HTMLInputElement>("January 2026").value).toBe("1000"));
    fireEvent.change(within(dialog).getByLabelText("September 2026"), { target: { value: "12,500.50" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.some(({ name }) => name === "budget.save")).toBe(true));
    const saved = shown.asked.find(({ name }) => name === "budget.save")?.input as { readonly budget: { readonly name: string; readonly months: unknown } };
    expect(saved.budget).toMatchObject({ name: "Speech", months: { "2026-01": "1000", "2026-09": "12500.50" } });
  });
});

it("a budget whose parent is not in the list stands at the top", () => {
  expect(treeOf([standing(plan(2, 7, "Vision"), "1", "within")]).map(({ depth }) => depth)).toEqual([0]);
});

it("a period ends with its last month", () => {
  expect(["2026-09", "2026-Q3", "2026"].map(lastMonthOf)).toEqual(["2026-09", "2026-09", "2026-12"]);
});

it("thresholds are percentages with anything between them", () => {
  expect(thresholdsOf("actual", "50, 75%、90")).toEqual([{ type: "actual", percent: "50" }, { type: "actual", percent: "75" }, { type: "actual", percent: "90" }]);
  expect(thresholdsOf("forecast", "half")).toBeNull();
  expect(thresholdsOf("forecast", "")).toEqual([]);
});

it("an axis has round steps from zero", () => {
  expect(axisSteps(73_424)).toEqual([0, 20_000, 40_000, 60_000]);
  expect(axisSteps(0)).toEqual([0]);
});
