// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ok } from "../../../../shared/result.ts";
import { Aggregate } from "../../../../renderer/reports/efficiency/Aggregate.tsx";
import { showWindow } from "../../window.tsx";

afterEach(cleanup);

it("assigns what is not joined only when asked, and the parts shown add to the cost shown", async () => {
  const row = { gpuModel: "L4", region: "us-east-1", isRegionUnknown: false, billedGpuHours: 1156, seenGpuHours: 1354, assignedGpuHours: 542, hosts: 1, cost: "1087.09", productive: "216.516", busyInefficient: "97.516", heldIdle: "174.806", deadIdle: "20.566", idleMemoryUnknown: "0", unknown: "577.686" };
  const shown = showWindow(<Aggregate request={{ report: "efficiency", period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null }} />, { answers: { "aggregate.read": ok({ period: "2026-09", currency: "USD", rows: [row] }) } });
  expect(shown.asked).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Assign what is not joined by type and region" }));
  const cells = (await screen.findAllByRole("cell")).map(({ textContent }) => textContent);
  expect(cells.slice(0, 5)).toEqual(["us-east-1", "1,156", "1,354", "542", "1,087.09"]);
  expect(cells.slice(5).reduce((cents, text) => cents + Math.round(Number(text) * 100), 0)).toBe(108_709);
  expect(shown.missing).toEqual([]);
});
