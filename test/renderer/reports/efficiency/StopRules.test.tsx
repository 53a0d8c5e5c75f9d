// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { defaultStopRule, type StopReplay, type StopRule } from "../../../../shared/contract/findings.ts";
import type { ReportRequest } from "../../../../shared/contract/report.ts";
import type { Language } from "../../../../shared/i18n/index.ts";
import { ledgerError } from "../../../../shared/contract/errors.ts";
import { err, ok } from "../../../../shared/result.ts";
import { StopRules } from "../../../../renderer/reports/efficiency/StopRules.tsx";
import { documentsIn } from "../../documents.ts";
import { showWindow, type Answers, type TestWindow } from "../../window.tsx";

afterEach(cleanup);

const request: ReportRequest = { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null };
const machine = { provider: "AWS", region: "us-east-1", team: "Vision", gpuModel: "H100", gpus: 8, stops: 3, falseStops: 1, hours: 19.5, gpuHours: 156, workHours: 0, heldHours: 0, saved: "9400.5", sunk: "0", unclear: "0", lastKnownAt: "2026-09-30T24:00:00Z" } as const;
const replayOf = (rule: StopRule): StopReplay => ({
  period: "2026-09", currency: "USD", rule, isSaved: false, replayed: 3, coverage: 0.941,
  notReplayed: [{ resource: "i-0000000000000000f", why: "no-log", gpusSeen: 0, gpusBilled: 8 }],
  totals: { machines: 2, stops: 5, falseStops: 1, hours: 30.5, gpuHours: 244, workHours: 0, heldHours: 0, saved: "9400.5", sunk: "120", unclear: "0" },
  machines: [
    { ...machine, resource: "i-00000000000000001", hosts: ["node-1"], worth: "cash", idleSince: "2026-09-30T20:04:00Z", list: [{ at: "2026-09-02T01:00:00Z", until: "2026-09-02T02:00:00Z", hours: 1, workHours: 0, endedBy: "work", isFalse: true }] },
    { ...machine, resource: "i-00000000000000002", hosts: ["node-2"], worth: rule.pinned.includes("i-00000000000000002") ? "pinned" : "committed", idleSince: null, list: [] },
  ],
});

function show(language: Language = "en", more: Answers = {}): TestWindow {
  const answers: Answers = {
    "stops.replay": ({ rule }: { readonly rule: StopRule | null }) => ok(replayOf(rule ?? defaultStopRule)),
    "stop-rule.save": ok({ revision: 8 }),
    "files.choose": ok([{ token: "t1", name: "stop.sh" }]),
    "stops.export": ok({ file: "stop.sh", commands: 1, comments: 1 }),
    ...more,
  };
  return showWindow(<StopRules request={request} status={documentsIn(language).status} />, { answers, language });
}

describe("the stop rule", () => {
  it("answers in a sentence what it would have done, and names what is no cash saving", async () => {
    show();
    expect((await screen.findByRole("status")).textContent).toBe("Had this rule been on, it would have stopped 2 machines for 30.5 h and saved $9,400.50. False stops: 1 of 5.");
    expect(screen.getByText(/Not saved in cash: \$120\.00, which commitments pay anyway\./)).toBeTruthy();
    expect(screen.getByText("committed, no cash saving")).toBeTruthy();
  });

  it("is replayed as it was changed, and kept when the person says so", async () => {
    const shown = show();
    const field = await screen.findByRole("textbox", { name: /Stop once all GPUs are idle for/ });
    fireEvent.change(field, { target: { value: "30" } });
    fireEvent.blur(field);
    fireEvent.click(screen.getByRole("button", { name: "Replay" }));
    const rule = { ...defaultStopRule, minimumSeconds: 1800 };
    await waitFor(() => expect(shown.asked.at(-1)).toEqual({ name: "stops.replay", input: { period: "2026-09", scope: {}, currency: null, rule } }));
    fireEvent.click(await screen.findByRole("button", { name: "Keep this rule" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "stop-rule.save")).toEqual({ name: "stop-rule.save", input: { rule } }));
  });

  it("pins a machine, and lists its stops", async () => {
    const shown = show();
    fireEvent.click(await screen.findByRole("button", { name: "node-1" }));
    expect(screen.getByText(/1\.0 h off, a false stop/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Pin: node-2" }));
    await waitFor(() => expect(shown.asked.at(-1)).toMatchObject({ name: "stops.replay", input: { rule: { pinned: ["i-00000000000000002"] } } }));
    expect(await screen.findByRole("button", { name: "Unpin: node-2" })).toBeTruthy();
  });

  it("writes the plan of one tool to a file", async () => {
    const shown = show();
    fireEvent.click(await screen.findByRole("button", { name: "Stop plan" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: "Script for Slurm" }));
    await waitFor(() => expect(shown.asked.at(-1)).toEqual({ name: "stops.export", input: { period: "2026-09", scope: {}, currency: null, rule: defaultStopRule, tool: "slurm", language: "en", file: "t1" } }));
  });

  it("says why it was refused", async () => {
    show("en", { "stops.replay": err(ledgerError("contract.invalid", { question: "stops.replay", path: "rule.keepOn.zone" })) });
    expect(await screen.findByRole("button", { name: "Revert" })).toBeTruthy();
  });

  it.each(["en", "zh-CN"] satisfies Language[])("is drawn without a missing word in %s", async (language) => {
    const shown = show(language);
    await screen.findByRole("status");
    expect(shown.missing).toEqual([]);
  });
});
