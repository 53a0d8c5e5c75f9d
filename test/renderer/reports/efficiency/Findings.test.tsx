// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { CudaAnswer, FindingsAnswer } from "../../../../shared/contract/findings.ts";
import type { ReportRequest } from "../../../../shared/contract/report.ts";
import type { Language } from "../../../../shared/i18n/index.ts";
import { ok } from "../../../../shared/result.ts";
import { Findings } from "../../../../renderer/reports/efficiency/Findings.tsx";
import { showWindow, type TestWindow } from "../../window.tsx";

afterEach(cleanup);

const request: ReportRequest = { report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null };
const found: FindingsAnswer = {
  period: "2026-09", currency: "USD", devices: 90, measured: { tensor: 0, sm: 0, memory: 90 },
  findings: [{
    key: "[\"memory-leak\",\"az-nc-04\"]", kind: "memory-leak", host: "az-nc-04", resource: "/subscriptions/1/virtualmachines/az-nc-04", team: "Speech", owner: null, gpuModel: "A100", gpus: 4, cost: "9400.5", saving: null, confidence: "high",
    what: { key: "finding.memory-leak.what", params: { rate: { number: 0.24, digits: 2 }, gpus: { number: 4, digits: 0 } } },
    evidence: { key: "finding.memory-leak.evidence", params: { from: { instant: "2026-09-14T12:10:00Z", precision: "minute" }, until: { instant: "2026-09-24T07:50:00Z", precision: "minute" }, least: { number: 13.6, digits: 1 }, most: { number: 71.1, digits: 1 }, full: { number: 36, digits: 0 } } },
    todo: [{ key: "finding.memory-leak.todo.references" }],
  }],
};
const cuda: CudaAnswer = { gpu: "H100", capability: "9.0", architecture: "Hopper", firstToolkit: "11.8", lastToolkit: null, leastDriver: "525.60.13", toolkit: "fits", driver: "does-not", build: "does-not", sources: ["NVIDIA"] };

const show = (answer: FindingsAnswer = found, language: Language = "en"): TestWindow => showWindow(<Findings request={request} />, { answers: { "findings.read": ok(answer), "cuda.check": ok(cuda) }, language });

describe("findings", () => {
  it("are lines with machine, owner, cost and what could be avoided; each opens to its evidence and what to do", async () => {
    show();
    const line = await screen.findByRole("button", { name: "Memory leak Memory grows by 0.24 GiB an hour and is not given back, on 4 GPUs" });
    expect(screen.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["az-nc-04", "Speech", "nobody named", "9,400.50", "—", "high"]);
    fireEvent.click(line);
    expect(screen.getByText(/rose from 13\.6 to 71\.1 GiB/)).toBeTruthy();
    expect(screen.getByText(/Look for tensors that are kept/)).toBeTruthy();
    expect(screen.getByText(/tensor activity is measured on 0/)).toBeTruthy();
  });

  it("tells nothing found from nothing measured", async () => {
    show({ ...found, findings: [] });
    expect(await screen.findByText("Telemetry of this period gives no finding.")).toBeTruthy();
    cleanup();
    show({ ...found, findings: [], devices: 0 });
    expect(await screen.findByText("No telemetry of this period, so nothing can be found in it.")).toBeTruthy();
  });

  it("look up why there is no kernel image", async () => {
    const shown = show();
    fireEvent.change(await screen.findByRole("textbox", { name: "GPU" }), { target: { value: "H100" } });
    fireEvent.change(screen.getByRole("textbox", { name: "CUDA toolkit" }), { target: { value: "twelve" } });
    expect(screen.getByRole("alert").textContent).toBe("Write versions as 12.1 and 535.54.");
    fireEvent.change(screen.getByRole("textbox", { name: "CUDA toolkit" }), { target: { value: "12.1" } });
    fireEvent.click(screen.getByRole("button", { name: "Look it up" }));
    await waitFor(() => expect(shown.asked.at(-1)).toEqual({ name: "cuda.check", input: { gpu: "H100", toolkit: "12.1", driver: null, isWindows: false, builtFor: null } }));
    expect(await screen.findByText("The driver is too old for this toolkit: it takes 525.60.13 or newer.")).toBeTruthy();
  });

  it.each(["en", "zh-CN"] satisfies Language[])("are drawn without a missing word in %s", async (language) => {
    const shown = show(found, language);
    fireEvent.click((await screen.findAllByRole("button"))[0]!);
    expect(shown.missing).toEqual([]);
  });
});
