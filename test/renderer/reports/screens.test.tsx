// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { err, ok } from "../../../shared/result.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Language } from "../../../shared/i18n/index.ts";
import { Frame } from "../../../renderer/app/Frame.tsx";
import { App } from "../../../renderer/app/App.tsx";
import { useView } from "../../../renderer/state/view.ts";
import { readGolden } from "../../golden/golden.ts";
import { documentsIn } from "../documents.ts";
import type { Answers } from "../window.tsx";
import { showWindow } from "../window.tsx";

const sample = documentsIn("en");
const answers: Answers = {
  "app.info": ok({ version: "0.1.0", platform: "linux", isPackaged: false }),
  "ledger.status": ok(sample.status),
  "settings.read": ok({}),
  "settings.save": ok({}),
  "scope.values": ok(sample.scope),
  "report.read": ({ report, period }: { readonly report: string; readonly period: string }) => (report === "review" || report === "efficiency" || report === "imports" ? ok(sample[report]) : err(ledgerError("report.no-data", { period }))),
  "figure.explain": ok(sample.explanation),
  "rows.read": ok(sample.rows),
  "batches.list": ok(sample.batches),
  "match.list": ok(sample.matches),
  "files.choose": ok([{ token: "t1", name: "aws.csv" }]),
  "import.preview": ok(sample.preview),
  "import.post": ok({ files: sample.preview.files.map((file) => ({ ...file, state: "posted" })), revision: 8 }),
  "import.discard": ok(null),
  "import.cancel": ok(null),
  "policy.save": ok({ revision: 8 }),
};
const go = (view: Parameters<ReturnType<typeof useView.getState>["look"]>[0]): void => act(() => useView.getState().look(view));

afterEach(cleanup);

describe("Review", () => {
  it("answers first, in a sentence with its amounts set apart", async () => {
    showWindow(<Frame status={sample.status} />, { answers });
    const answer = await screen.findByText(/more than August/);
    expect(answer.textContent).toBe("September cost $214,380.17, 6.1\u202f% more than August; idle GPUs account for $31,850.13 of it.");
    expect(within(answer).getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["$214,380.17", "$31,850.13"]);
  });

  it("asks again when the ledger changed, and shows the old answer meanwhile", async () => {
    const shown = showWindow(<Frame status={sample.status} />, { answers });
    await screen.findByText(/more than August/);
    const asksOfReview = (): number => shown.asked.filter(({ name, input }) => name === "report.read" && (input as { readonly report: string }).report === "review").length;
    const before = asksOfReview();
    shown.tell("ledger.changed", { revision: 8 });
    expect(screen.getByText(/more than August/)).toBeTruthy();
    await waitFor(() => expect(asksOfReview()).toBe(before + 1));
  });

  it("asks for what was picked: period, cost basis, scope", async () => {
    const shown = showWindow(<Frame status={sample.status} />, { answers });
    await screen.findByText(/more than August/);
    go({ period: "2026-Q3", basis: "ListCost", scope: { team: ["Vision"] } });
    await waitFor(() => expect(shown.asked).toContainEqual({ name: "report.read", input: { report: "review", period: "2026-Q3", scope: { team: ["Vision"] }, basis: "ListCost", currency: null } }));
  });

  it("says that it is working, and what was refused with what to do", async () => {
    showWindow(<Frame status={sample.status} />, { answers: { ...answers, "report.read": err(ledgerError("report.no-data", { period: "2026-09" })) } });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("report.no-data");
    expect(within(alert).getByRole("button", { name: "Show the newest month" })).toBeTruthy();
  });

  it("is empty before the first import, and leads to it", async () => {
    showWindow(<Frame status={{ ...sample.status, months: [] }} />, { answers });
    await screen.findByText("This ledger holds nothing yet.");
    fireEvent.click(screen.getByRole("button", { name: "Imports" }));
    expect(useView.getState().screen).toBe("imports");
  });
});

describe("a figure", () => {
  it("opens its explanation and its rows, and Esc closes them one by one", async () => {
    const shown = showWindow(<Frame status={sample.status} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Per useful GPU-hour: $2.92" }));
    const panel = await screen.findByRole("dialog", { name: "Cost per useful GPU-hour" });
    expect(within(panel).getByText("GPU cost ÷ (GPU-hours × utilisation)")).toBeTruthy();
    expect(shown.asked.at(-1)).toMatchObject({ name: "figure.explain", input: { metric: "useful-gpu-hour-cost" } });
    fireEvent.click(within(panel).getByRole("button", { name: "Show the 19 rows" }));
    const rows = await screen.findByRole("dialog", { name: "The rows behind it" });
    fireEvent.keyDown(rows, { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "The rows behind it" })).toBeNull());
    fireEvent.keyDown(panel, { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("Imports", () => {
  it("previews before it posts, and posts that plan", async () => {
    const shown = showWindow(<Frame status={sample.status} />, { answers });
    go({ screen: "imports" });
    fireEvent.click((await screen.findAllByRole("button", { name: "Choose files" }))[0]!);
    await screen.findByText("What would change");
    expect(screen.getByText(/of effective cost to the ledger/).textContent).toBe("Posting adds $498.99 of effective cost to the ledger.");
    fireEvent.click(screen.getByRole("button", { name: "Post 2 files" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "import.post")?.input).toEqual({ plan: "plan-1" }));
    await waitFor(() => expect(screen.queryByText("What would change")).toBeNull());
  });

  it("asks once for the zone of a log that states none", async () => {
    const shown = showWindow(<Frame status={sample.status} />, { answers });
    go({ screen: "imports" });
    fireEvent.click((await screen.findAllByRole("button", { name: "Choose files" }))[0]!);
    fireEvent.click(await screen.findByRole("button", { name: "It is UTC" }));
    await waitFor(() => expect(shown.asked.filter(({ name }) => name === "import.preview").at(-1)?.input).toEqual({ files: ["t1"], options: { timezone: "UTC" } }));
  });

  it("undoes an import", async () => {
    const shown = showWindow(<Frame status={sample.status} />, { answers: { ...answers, "batches.undo": ok({ revision: 9 }) } });
    go({ screen: "imports" });
    fireEvent.click(await screen.findByRole("button", { name: "Undo the import of azure-focus-2026-09.csv" }));
    await waitFor(() => expect(shown.asked.at(-1)).toEqual({ name: "batches.undo", input: { batch: 32 } }));
  });

  it("shows how far the reading is, with a way to stop it", async () => {
    const shown = showWindow(<App />, { answers });
    await screen.findByText("No background work");
    shown.tell("import.progress", { plan: "p", file: "big.csv", fileIndex: 0, fileCount: 1, bytesRead: 41_200_000, bytesTotal: 63_000_000, rowsRead: 3_300_000, bytesPerSecond: 22_100_000, secondsLeft: 9, stage: "reading" });
    expect(screen.getByText("Reading big.csv: 3,300,000 rows, 41.2 MB of 63.0 MB, 22.1 MB a second, 9 s left")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(shown.asked.at(-1)).toEqual({ name: "import.cancel", input: { plan: "p" } }));
  });
});

describe("Efficiency", () => {
  it("keeps idle rules in order and saves them", async () => {
    const shown = showWindow(<Frame status={sample.status} />, { answers });
    go({ screen: "efficiency" });
    const field = await screen.findByRole("textbox", { name: /Idle at or under/ });
    fireEvent.change(field, { target: { value: "20" } });
    fireEvent.blur(field);
    expect(await screen.findByText("A GPU cannot be idle above the level at which it is busy again.")).toBeTruthy();
    fireEvent.change(field, { target: { value: "3" } });
    fireEvent.blur(field);
    fireEvent.click(screen.getByRole("button", { name: "Save the rules" }));
    await waitFor(() => expect(shown.asked.at(-1)).toMatchObject({ name: "policy.save", input: { idleAtOrUnderPercent: 3 } }));
  });
});

describe("first run", () => {
  it("has three doors, and the sample company is one question away", async () => {
    const shown = showWindow(<App />, { answers: { ...answers, "ledger.status": ok({ ...sample.status, name: null }), "sample.open": ok(sample.status) } });
    fireEvent.click(await screen.findByRole("button", { name: /Look at the sample company/ }));
    await waitFor(() => expect(shown.asked.map(({ name }) => name)).toContain("sample.open"));
  });
});

describe.each(["en", "zh-CN"] satisfies Language[])("the engine's own documents in %s", (language) => {
  it.each(["review", "efficiency", "imports"] as const)("are drawn without a missing word: %s", async (name) => {
    const shown = showWindow(<Frame status={sample.status} />, { language, answers: { ...answers, "report.read": ({ report }: { readonly report: "review" | "efficiency" | "imports" }) => ok(readGolden(report)) } });
    go({ screen: name });
    await waitFor(() => expect(shown.container.querySelectorAll("table.statement").length).toBeGreaterThan(0));
    await act(() => Promise.resolve());
    expect(shown.missing).toEqual([]);
  });
});
