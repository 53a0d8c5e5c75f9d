// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { PreviewFile } from "../../../shared/contract/methods.ts";
import { Questions } from "../../../renderer/reports/imports/Questions.tsx";
import { useDesk } from "../../../renderer/state/desk.ts";
import { documentsIn } from "../documents.ts";
import { showWindow } from "../window.tsx";

afterEach(cleanup);

const [sample] = documentsIn("en").preview.files;
const log = { ...(sample as PreviewFile), path: "dmon.txt", kind: "telemetry", state: "ready", error: null, telemetry: { hosts: ["dmon"], zone: null, zoneFrom: "file", firstAt: "2026-09-01T10:00:00.000Z", lastAt: "2026-09-01T10:10:00.000Z", typicalSpacingSeconds: 1, lowTrustSamples: 0, duplicates: 0, matched: [] } } as PreviewFile;

describe("what a log does not say is asked", () => {
  it("when its polls were, where it states no times; what is said is kept with the other answers", () => {
    const shown = showWindow(<Questions files={[{ ...log, repairs: { "assumed-time": 600 } }]} />);
    act(() => useDesk.getState().answer({ timezone: "UTC" }));
    fireEvent.change(screen.getByRole("textbox", { name: "Last poll at" }), { target: { value: "2026-09-02T08:00:00Z" } });
    fireEvent.change(screen.getByRole("textbox", { name: "Polls every" }), { target: { value: "10s" } });
    fireEvent.click(screen.getByRole("button", { name: "Use this" }));
    expect(useDesk.getState().options).toEqual({ timezone: "UTC", at: "2026-09-02T08:00:00Z", every: "10s" });
    expect(shown.missing).toEqual([]);
  });

  it("nothing of the kind, where it states them", () => {
    showWindow(<Questions files={[{ ...log, repairs: {} }]} />);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("which metric a panel's values are", () => {
    showWindow(<Questions files={[{ ...log, state: "refused", error: ledgerError("import.metric-needed", { file: "panel.csv" }), repairs: {} }]} />);
    fireEvent.change(screen.getByRole("combobox", { name: "Metric" }), { target: { value: "DCGM_FI_PROF_SM_ACTIVE" } });
    fireEvent.click(screen.getByRole("button", { name: "Use this" }));
    expect(useDesk.getState().options).toEqual({ columns: "DCGM_FI_PROF_SM_ACTIVE" });
  });
});
