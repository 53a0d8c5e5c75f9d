// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ok } from "../../../shared/result.ts";
import { Actions } from "../../../renderer/teams/Actions.tsx";
import { Allocation } from "../../../renderer/teams/Allocation.tsx";
import { decimalOf, differenceOf, isDay } from "../../../renderer/teams/amounts.ts";
import { Anomalies } from "../../../renderer/teams/Anomalies.tsx";
import { CloseMonth } from "../../../renderer/teams/CloseMonth.tsx";
import { documentsIn } from "../documents.ts";
import type { Answers } from "../window.tsx";
import { showWindow } from "../window.tsx";

const sample = documentsIn("en");
const rule = { name: "Vision by project", team: "Vision", conditions: [{ source: "tag", key: "project", op: "equals", value: "v1" }], fromMonth: null, toMonth: null };
const line = { chargeClass: "other", provider: "AWS", account: "1", accountName: null, service: "S3", resource: null, resourceName: null, tags: [], series: 1 };
const answers: Answers = {
  "allocation.read": ok({ rules: [], pools: [], virtualTags: [{ tag: "env", value: "prod", conditions: [{ source: "column", key: "account", op: "pattern", value: "prod-*" }] }], accounts: { clearing: null, teams: {} }, teams: ["Vision"], tagKeys: ["project"] }),
  "allocation.inbox": ok({ period: "2026-09", currency: "USD", total: "100", unallocated: "30", unallocatedShown: "30", shared: "0", allocatedShare: 0.7, lines: [{ ...line, amount: "20", suggestion: { kind: "rule", rule, because: "tag", share: 0.9, takes: "20" } }], more: { lines: 2, amount: "10" } }),
  "allocation.preview": ok({ period: "2026-09", currency: "USD", moves: [{ from: null, to: "Vision", series: 1, amount: "20" }], moved: "20", byRule: [{ series: 1, amount: "20" }], byTeam: [], allocatedShareBefore: 0.7, allocatedShareAfter: 0.9, total: "100" }),
  "allocation.save": ok({ revision: 2 }),
  "virtual-tags.save": ok({ revision: 2 }),
  "scope.values": ok(sample.scope),
  "actions.read": ok({ period: "2026-09", currency: "USD", actions: [], findings: [{ key: "k1", kind: "idle", resource: "arn/x/i-1", resourceName: null, team: "Vision", about: "H100", since: null, expected: "12.5", cost: "50" }, { key: "k2", kind: "anomaly", resource: "disk-1", resourceName: null, team: "Vision", about: "Disks", since: "2026-09-07", expected: "2", cost: "5" }], identified: "12.5", realised: null }),
  "action.save": ok({ revision: 2, id: 1 }),
  "month.read": ok({
    month: "2026-09", state: "open", closings: [], differences: [], invoices: [{ provider: "AWS", currency: "USD", ledger: "100", invoice: null, difference: null, enteredBy: null }],
    items: [{ id: "unallocated-under", state: "open", open: 1, of: 1, share: 0.3, limit: 0.05, details: [] }, { id: "anomalies-reviewed", state: "done", open: 0, of: 0, share: null, limit: null, details: [] }],
  }),
  "invoice.save": ok({ revision: 2 }),
  "month.close": ok({ revision: 2 }),
  "anomalies.read": ok({ period: "2026-09", currency: "USD", rate: 0.1, rule: { z: 3, scopes: 2, expectedFalseAlarmsAMonth: 0.5, minimumAmount: "1", minimumShare: 0.1 }, events: [{ id: "e", scope: { team: "Vision" }, start: "2026-09-07", end: "2026-09-09", direction: "up", kind: "anomaly", flaggedDays: 3, impact: "42", z: 5, word: null }] }),
  "anomaly.detail": ok({ currency: "USD", days: [], drivers: [{ resource: null, resourceName: null, description: "H100 hours", cause: "volume", before: "10", now: "50", difference: "40", seriesId: 1 }], otherDifference: "2" }),
  "anomaly.answer": ok({ revision: 2 }),
};
const common = { period: "2026-09", currency: "USD", basis: "EffectiveCost", isReadOnly: false } as const;

afterEach(cleanup);

describe("virtual tags", () => {
  it("stand with their rules, and are given a value by conditions", async () => {
    const shown = showWindow(<Allocation status={sample.status} />, { answers });
    const table = await screen.findByRole("table", { name: "Virtual tags" });
    expect(within(table).getByText(/account .*prod-\*/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Add a value" }));
    fireEvent.change(await screen.findByLabelText("Tag"), { target: { value: "env" } });
    fireEvent.change(screen.getByRole("combobox", { name: "Value" }), { target: { value: "test" } });
    fireEvent.change(screen.getAllByRole("textbox").at(-1) as HTMLElement, { target: { value: "42" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.at(-1)).toMatchObject({ name: "virtual-tags.save", input: { rules: [{ tag: "env", value: "prod" }, { tag: "env", value: "test", conditions: [{ source: "column", key: "account", op: "equals", value: "42" }] }] } }));
  });
});

describe("allocation", () => {
  it("closes the inbox, takes a suggested rule into the draft, shows what it moves, and saves it", async () => {
    const shown = showWindow(<Allocation status={sample.status} />, { answers });
    const inbox = await screen.findByRole("table", { name: "Not allocated yet" });
    expect(within(inbox).getAllByRole("row").slice(1).map((row) => row.querySelector("td.n")?.textContent)).toEqual(["20.00", "10.00", "30.00"]);
    fireEvent.click(within(inbox).getByRole("button", { name: /Use as a rule/ }));
    const preview = await screen.findByRole("table", { name: "What the draft would move" });
    expect(within(preview).getByRole("row", { name: /nobody/ }).textContent).toBe("nobodyVision20.00");
    expect(screen.getByRole("table", { name: "Rules" }).textContent).toContain("tag project is v1");
    fireEvent.click(screen.getByRole("button", { name: "Save the rules" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "allocation.save")?.input).toEqual({ rules: [rule], by: null }));
    expect(shown.missing).toEqual([]);
  });
});

describe("what to do next", () => {
  it("says since when a cost is higher that nobody explained", async () => {
    showWindow(<Actions {...common} />, { answers });
    expect(await screen.findByText("Explain why disk-1 costs more since 7 Sep 2026")).toBeTruthy();
  });

  it("takes up a finding with an owner", async () => {
    const shown = showWindow(<Actions {...common} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Take up: Stop i-1 while it idles" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText("Owner"), { target: { value: "Dana" } });
    fireEvent.change(within(dialog).getByLabelText("Due, YYYY-MM-DD"), { target: { value: "2026-02-30" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    expect(within(dialog).getByRole("alert")).toBeTruthy();
    fireEvent.change(within(dialog).getByLabelText("Due, YYYY-MM-DD"), { target: { value: "2026-10-15" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "action.save")?.input).toMatchObject({ action: { id: null, findingKey: "k1", kind: "idle", owner: "Dana", dueOn: "2026-10-15", expected: "12.5" } }));
    expect(shown.missing).toEqual([]);
  });
});

describe("the monthly close", () => {
  it("shows what is left, takes an invoice, and closes", async () => {
    const shown = showWindow(<CloseMonth month="2026-09" isReadOnly={false} />, { answers });
    expect((await screen.findByRole("row", { name: /Cost without a team is small/ })).textContent).toContain("30.0\u202f%, limit 5\u202f%");
    const field = screen.getByLabelText("Invoice total of AWS, USD");
    fireEvent.change(field, { target: { value: "99.50" } });
    fireEvent.blur(field);
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "invoice.save")?.input).toEqual({ month: "2026-09", provider: "AWS", currency: "USD", amount: "99.50", by: null }));
    fireEvent.click(screen.getByRole("button", { name: "Close September 2026" }));
    fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Close September 2026" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "month.close")?.input).toEqual({ month: "2026-09", note: null, by: null }));
    expect(shown.missing).toEqual([]);
  });
});

describe("unexpected costs", () => {
  it("shows what made one, adding up, and keeps the person's word", async () => {
    const shown = showWindow(<Anomalies {...common} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Look: Vision, 7 Sep to 9 Sep" }));
    const dialog = await screen.findByRole("dialog");
    const drivers = await within(dialog).findByRole("table", { name: "What made it" });
    expect(within(drivers).getAllByRole("row").slice(1).map((row) => row.lastElementChild?.textContent)).toEqual(["+40.00", "+2.00", "+42.00"]);
    fireEvent.change(within(dialog).getByLabelText("Because"), { target: { value: "a launch" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "anomaly.answer")?.input).toEqual({ scope: { team: "Vision" }, direction: "up", from: "2026-09-07", until: "2026-09-09", isExpected: true, because: "a launch", by: null }));
    expect(shown.missing).toEqual([]);
  });
});

it("typed amounts are exact decimals or nothing", () => {
  expect([decimalOf("12,500.50"), decimalOf("−3"), decimalOf("1e5"), decimalOf(""), decimalOf("twelve")]).toEqual(["12500.50", "-3", null, null, null]);
  expect(differenceOf("0.3", "0.1")).toBe(200_000_000_000_000_000n);
  expect(differenceOf(null, "1")).toBeNull();
});

it("a day is one of the calendar", () => {
  expect([isDay("2026-02-28"), isDay("2026-02-30"), isDay("28.2.2026")]).toEqual([true, false, false]);
});
