// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Act } from "../../../renderer/parts/Act.tsx";
import { Toast } from "../../../renderer/app/Toast.tsx";
import { Mappings } from "../../../renderer/settings/Mappings.tsx";
import { ok } from "../../../shared/result.ts";
import { showWindow } from "../window.tsx";

const mapping = { name: "House invoices", header: ["When", "Euro"], columns: { start: "When", billed: "Euro" }, constants: { currency: "EUR", provider: "House" }, tags: {} };
const saved = { id: 4, name: "House invoices", mapping, savedAt: "2026-09-30T08:00:00Z", lastUse: null };

afterEach(cleanup);

describe("a column mapping that is deleted", () => {
  it("comes back with Undo, as it was", async () => {
    const shown = showWindow(<><Mappings isReadOnly={false} /><Toast /></>, { answers: { "mapping.list": ok({ mappings: [saved] }), "mapping.remove": ok({ revision: 2 }), "mapping.save": ok({ revision: 3, name: "House invoices" }) } });
    fireEvent.click(await screen.findByRole("button", { name: "Delete House invoices" }));
    fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
    fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "mapping.save")?.input).toEqual({ mapping }));
    expect(await screen.findByText("The column mapping “House invoices” is kept again.")).toBeTruthy();
    expect(shown.missing).toEqual([]);
  });
});

describe("a button that works for a moment", () => {
  it("keeps the focus while it does, and begins nothing a second time", () => {
    let begun = 0;
    const act = (isBusy: boolean) => <Act isBusy={isBusy} onPress={() => (begun += 1)}>Make it the whole month</Act>;
    showWindow(<>{act(false)}</>, { answers: {} });
    const idle = screen.getByRole("button");
    idle.focus();
    fireEvent.click(idle);
    cleanup();
    showWindow(<>{act(true)}</>, { answers: {} });
    const busy = screen.getByRole("button");
    expect(busy).toHaveProperty("disabled", false);
    busy.focus();
    fireEvent.click(busy);
    expect([document.activeElement, busy.getAttribute("aria-disabled"), begun]).toEqual([busy, "true", 1]);
  });
});
