// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Jobs } from "../../../../renderer/reports/efficiency/jobs/Jobs.tsx";
import { useJobs } from "../../../../renderer/state/jobs.ts";
import type { JobLine, JobsAnswer } from "../../../../shared/contract/jobs.ts";
import type { ReportRequest } from "../../../../shared/contract/report.ts";
import { ok } from "../../../../shared/result.ts";
import { showWindow } from "../../window.tsx";

const request: ReportRequest = { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null };
const ways = { productive: 3, busyInefficient: 1, heldIdle: 1, deadIdle: 0.5, idleMemoryUnknown: 0, unknown: 2.5 };
const line: JobLine = {
  key: "4711", job: "1:2", name: "pretrain", team: "Vision", user: "ann", partition: "gpu", state: "COMPLETED", hosts: ["gpu01", "gpu02"], hostCount: 2, gpus: 16, startSecond: 1788220800, endSecond: 1788224400, knownUntil: 1788224400,
  jobs: 1, gpuHours: 8, gpuHoursCoverage: 1, hours: ways, utilization: 0.5, utilizationCoverage: 0.7, idleShare: 0.2, telemetryCoverage: 0.7, isOfHost: true,
  cost: "80", costs: { productive: "30", busyInefficient: "10", heldIdle: "10", deadIdle: "5", idleMemoryUnknown: "0", unknown: "25" }, idleCost: "15", usefulGpuHourCost: "18.33", costCoverage: 1,
};
const answer: JobsAnswer = {
  period: "2026-09", by: "job", currency: "USD", conversion: [], counter: "utilization", hasJobs: true, count: 1, lines: [line], total: { ...line, key: null, job: null },
  machines: { machines: 2, gpuHours: 16, cost: "100", unassignedGpuHours: 8, unassignedCost: "20", unassignedCosts: { productive: "0", busyInefficient: "0", heldIdle: "0", deadIdle: "20", idleMemoryUnknown: "0", unknown: "0" } },
};

afterEach(() => {
  cleanup();
  useJobs.getState().close();
});

describe("the jobs of a period", () => {
  it("say what they held, did and cost, and what of the machines no job held", async () => {
    const shown = showWindow(<Jobs request={request} />, { answers: { "jobs.read": ok(answer) } });
    const table = await screen.findByRole("table", { name: "Jobs" });
    expect(screen.getByRole("button", { name: "Cost of the hours held: $80.00" })).toBeTruthy();
    const foot = [...table.querySelectorAll(".job-foot")].map((row) => row.textContent);
    expect(foot).toHaveLength(3);
    expect(foot[1]).toContain("20.00");
    expect(foot[2]).toContain("100.00");
    expect(screen.getByText(/it has more GPUs than the job held of it/)).toBeTruthy();
    expect(shown.missing).toEqual([]);
  });

  it("are searched, grouped and shown as money by asking again", async () => {
    const shown = showWindow(<Jobs request={request} />, { answers: { "jobs.read": ok(answer) } });
    await screen.findByRole("table", { name: "Jobs" });
    const last = (): unknown => shown.asked.filter(({ name }) => name === "jobs.read").at(-1)?.input;
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: "47" } });
    await waitFor(() => expect(last()).toMatchObject({ filter: { search: "47" }, by: "job" }));
    fireEvent.click(within(screen.getByRole("group", { name: "By" })).getByRole("button", { name: "User" }));
    await waitFor(() => expect(last()).toMatchObject({ by: "user" }));
    fireEvent.click(within(screen.getByRole("group", { name: "Columns show" })).getByRole("button", { name: "Cost" }));
    await waitFor(() => expect(screen.getByRole("table", { name: "Jobs" }).querySelector(".job-foot")?.textContent).toContain("30.00"));
  });

  it("that no import holds say how to get a list, in both languages", async () => {
    for (const language of ["en", "zh-CN"] as const) {
      const shown = showWindow(<Jobs request={request} />, { language, answers: { "jobs.read": ok({ ...answer, hasJobs: false, count: 0, lines: [], machines: null }) } });
      expect((await screen.findByText(/^sacct -a -P/)).textContent).toContain("AllocTRES");
      expect(screen.queryByRole("table")).toBeNull();
      expect(shown.missing).toEqual([]);
      cleanup();
    }
  });
});
