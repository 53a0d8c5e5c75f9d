// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Frame } from "../../../renderer/app/Frame.tsx";
import { useView } from "../../../renderer/state/view.ts";
import type { PivotPage, PivotView } from "../../../shared/contract/pivot.ts";
import { pivotMeasuresOf } from "../../../shared/contract/pivot.ts";
import { ok } from "../../../shared/result.ts";
import { documentsIn } from "../documents.ts";
import type { Answers } from "../window.tsx";
import { showWindow } from "../window.tsx";

const sample = documentsIn("en");
const DOLLAR = 10n ** 18n;

function page({ view, offset, limit }: { readonly view: PivotView; readonly offset: number; readonly limit: number }): PivotPage {
  const measures = pivotMeasuresOf[view.table];
  const values = (dollars: bigint) => measures.map((measure, index) => (measure === "ListCost" ? { value: null, coverage: 0 } : index < 4 ? { value: dollars * DOLLAR, coverage: 1 } : { value: Number(dollars), coverage: 0.5 }));
  const rows = [["AWS", "Compute"], ["AWS", null], ["Microsoft", "Disks"]].map((keys, index) => ({ keys: keys.slice(0, view.by.length), values: values(BigInt(index + 1)) }));
  return { currency: "USD", otherCurrencies: [], conversion: [], groups: 3, measures, rows: rows.slice(offset, offset + limit), total: values(6n) };
}
const answers = (settings: Record<string, string> = {}): Answers => ({
  "app.info": ok({ version: "0.1.0", platform: "linux", isPackaged: false }),
  "ledger.status": ok(sample.status),
  "settings.read": ok(settings),
  "settings.save": ok({}),
  "scope.values": ok(sample.scope),
  "pivot.read": (input: Parameters<typeof page>[0]) => ok(page(input)),
  "pivot.rows": ok(sample.rows),
});

function open(settings?: Record<string, string>) {
  const shown = showWindow(<Frame status={sample.status} />, { answers: answers(settings) });
  useView.getState().look({ screen: "ledger" });
  return shown;
}
const lastView = (shown: ReturnType<typeof open>): PivotView => (shown.asked.filter(({ name }) => name === "pivot.read").at(-1)?.input as { view: PivotView }).view;

afterEach(cleanup);

describe("the Ledger screen", () => {
  it("says how many groups there are and what they add up to, with the total at the foot and unknown as a dash", async () => {
    open();
    expect((await screen.findByText(/add up to/)).textContent).toContain("3 groups that add up to $6.00");
    const table = screen.getByRole("table", { name: "Rows of the ledger" });
    const total = within(table).getByRole("rowheader", { name: "Total" }).parentElement;
    expect(total?.textContent).toContain("6.00");
    expect(total?.textContent).toContain("—");
  });

  it("groups by another column, filters by a part of a text, and takes both away again", async () => {
    const shown = open();
    await screen.findByText(/add up to/);
    fireEvent.click(screen.getByRole("button", { name: "Take Service away" }));
    await waitFor(() => expect(lastView(shown).by).toEqual(["provider"]));
    fireEvent.click(screen.getByRole("button", { name: "Add a filter" }));
    fireEvent.change(screen.getByRole("textbox", { name: "Text it contains" }), { target: { value: "gpu" } });
    fireEvent.click(screen.getByRole("button", { name: "Filter" }));
    await waitFor(() => expect(lastView(shown).filters).toEqual([{ dimension: "service", contains: "gpu" }]));
    expect(screen.getByText("Service has “gpu” in it")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Take the filter on Service away" }));
    await waitFor(() => expect(screen.queryByText("Service has “gpu” in it")).toBeNull());
  });

  it("shows the other table with the columns that it has", async () => {
    const shown = open();
    await screen.findByText(/add up to/);
    fireEvent.click(within(screen.getByRole("group", { name: "Table" })).getByRole("button", { name: "GPU-hours" }));
    await waitFor(() => expect(lastView(shown).table).toBe("gpu-hours"));
    expect(await screen.findByRole("columnheader", { name: /Idle cost/ })).toBeTruthy();
  });

  it("sorts by a column, the other way the second time", async () => {
    const shown = open();
    await screen.findByText(/add up to/);
    fireEvent.click(screen.getByRole("button", { name: "Billed cost" }));
    await waitFor(() => expect(lastView(shown).sort).toEqual({ column: "BilledCost", descending: true }));
    fireEvent.click(await screen.findByRole("button", { name: "Billed cost ↓" }));
    await waitFor(() => expect(lastView(shown).sort).toEqual({ column: "BilledCost", descending: false }));
  });

  it("keeps a view by name and takes up one that was kept", async () => {
    const kept: PivotView = { table: "charges", by: ["team"], filters: [], sort: null };
    const shown = open({ "ledger-view.By team": JSON.stringify(kept), "ledger-view.broken": "{" });
    await screen.findByText(/add up to/);
    fireEvent.click(screen.getByRole("button", { name: "Save view" }));
    fireEvent.change(screen.getByRole("textbox", { name: "Name of the view" }), { target: { value: "Mine" } });
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "settings.save")?.input).toMatchObject({ values: { "ledger-view.Mine": expect.stringContaining("provider") as unknown } }));
    expect(screen.queryByText("broken")).toBeNull();
  });
});
