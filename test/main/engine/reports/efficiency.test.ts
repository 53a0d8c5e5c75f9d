import { describe, expect, it } from "vitest";
import { readReport } from "../../../../main/engine/reports/index.ts";
import { addDevice, addGpuHourCosts, addGpuHours, ledgerWith } from "../ledger-with.ts";
import { billHours, company, contextOf, requestOf } from "./company.ts";
import { DOLLAR, cell, has, heat, notes, opened, sumOf, table, value } from "./look.ts";

const efficiency = (change: Parameters<typeof requestOf>[1] = {}) => opened(readReport(contextOf(company()), requestOf("efficiency", change)));

describe("the efficiency report", () => {
  it("answers how much of the GPU money did productive work and how much was idle", () => {
    expect(efficiency().answer).toMatchObject({
      key: "efficiency.answer.full",
      params: { cost: { figure: { value: 176n * DOLLAR } }, productive: { ratio: 76 / 176 }, idle: { figure: { value: 49n * DOLLAR } } },
    });
  });

  it("splits the money four ways and an unknown part that close to the cost", () => {
    const ways = table(efficiency(), "four-ways");
    expect(ways.rows.map(({ id, tone }) => [id, tone])).toEqual([
      ["productive-cost", "useful"], ["busy-inefficient-cost", "busy"], ["held-idle-cost", "held"], ["dead-idle-cost", "dead"], ["unknown-cost", "unknown"],
    ]);
    expect(ways.rows.map(({ id }) => (value(ways, id, "cost") as bigint) / DOLLAR)).toEqual([76n, 27n, 33n, 16n, 24n]);
    expect(sumOf(ways, "cost")).toBe(value(ways, "total", "cost"));
  });

  it("closes every way by team and by model", () => {
    const document = efficiency();
    for (const id of ["teams", "models"]) {
      const split = table(document, id);
      for (const column of ["cost", "productive", "busy", "held", "dead", "idle-memory-unknown", "unknown"]) expect(sumOf(split, column)).toBe(value(split, "total", column));
    }
    expect(cell(table(document, "models"), "models L4", "productive")).toMatchObject({ figure: { value: null, why: "no-telemetry" } });
  });

  it("grades work per money: peak from the data sheet, effective at most, achieved not measured", () => {
    const flops = table(efficiency(), "flops");
    // H100: 989.5 dense BF16 TFLOPS for an hour are 3,562 PFLOP; an hour costs 11.
    const peak = value(flops, "model H100", "peak") as number;
    expect(peak).toBeGreaterThan((985 * 3.6) / 11);
    expect(peak).toBeLessThan((992 * 3.6) / 11);
    expect(value(flops, "model H100", "effective")).toBeCloseTo(peak / 2, 9);
    expect(cell(flops, "model H100", "effective")).toMatchObject({ figure: { basis: "assumed" } });
    expect(cell(flops, "model H100", "achieved")).toMatchObject({ figure: { value: null, why: "not-measured" } });
    expect(cell(flops, "model L4", "effective")).toMatchObject({ figure: { value: null, why: "no-telemetry" } });
    expect(cell(flops, "model A100", "peak-fp8")).toMatchObject({ figure: { value: null, why: "no-peak" } });
  });

  it("shows memory by model, from the hosts joined to its resources", () => {
    const memory = table(efficiency(), "memory");
    expect([value(memory, "model H100", "mean"), value(memory, "model H100", "p95"), value(memory, "model H100", "peak")]).toEqual([0.25, 0.5, 0.75]);
    expect(cell(memory, "model A100", "mean")).toMatchObject({ figure: { value: null } });
  });

  it("lists idle episodes by cost with their evidence, two GPUs that idle together as one", () => {
    const episodes = table(efficiency(), "episodes");
    const [first, second] = episodes.rows;
    expect(first?.cells).toMatchObject([
      { text: "i-0aaa" }, { text: "vision" }, { instant: "2026-09-22T08:10:00Z" }, { figure: { value: 1200 / 3600 } }, { figure: { value: 2 } }, { message: { key: "state.held" } },
      { message: { key: "evidence.utilization-memory-power", params: { utilization: { ratio: 0.002 }, watts: { number: 90 } } } }, { figure: { value: 44n * DOLLAR } }, { figure: { value: 44n * DOLLAR } },
    ]);
    expect(second?.cells.slice(5)).toMatchObject([{ message: { key: "state.dead" } }, { message: { key: "evidence.utilization" } }, { figure: { value: 5n * DOLLAR } }, { message: { key: "cell.sunk" } }]);
    expect(sumOf(episodes, "cost")).toBe(49n * DOLLAR);
    expect(value(episodes, "total", "avoidable")).toBe(44n * DOLLAR);
  });

  it("joins the pieces of an episode across midnight and shares an hour's cost among those in it", () => {
    const ledger = company();
    const device = addDevice(ledger.db, { host: "i-0ccc" });
    const series = { ProviderName: "AWS", BillingAccountId: "111122223333", x_GpuModel: "H100", x_PurchaseOption: "spot" as const, ResourceId: "i-0ccc" };
    billHours(ledger, 2, series);
    const hours = ["2026-09-25T23:00:00Z", "2026-09-26T00:00:00Z"];
    addGpuHourCosts(ledger, hours.map((hour) => ({ hour, series, GpuHours: 1, KnownGpuHours: 1, UsefulGpuHours: 0, IdleGpuHours: 1, EffectiveCost: "10", DeadIdleCost: "10" })));
    addGpuHours(ledger, hours.map((hour) => ({ hour, device, KnownSeconds: 3600, UtilizationMean: 0, DeadIdleSeconds: 3600 })));
    const insert = ledger.db.prepare("INSERT INTO idle_episode VALUES (?, 1, ?, ?, ?, 3600, 0, 3600, 0, NULL, NULL)");
    for (const hour of hours) insert.run(Math.floor(Date.parse(hour) / 86_400_000), device, Date.parse(hour) / 1000, Date.parse(hour) / 1000 + 3600);
    const episodes = table(opened(readReport(contextOf(ledger), requestOf("efficiency"))), "episodes");
    const own = episodes.rows.find(({ cells }) => "text" in (cells[0] ?? {}) && (cells[0] as { text: string }).text === "i-0ccc");
    expect(own?.cells).toMatchObject([{}, {}, { instant: "2026-09-25T23:00:00Z" }, { figure: { value: 2 } }, {}, {}, {}, { figure: { value: 20n * DOLLAR } }, { figure: { value: 20n * DOLLAR } }]);
    expect(sumOf(episodes, "cost")).toBe(69n * DOLLAR);
  });

  it("draws hosts hour by hour: busy, unknown where billed and not seen, off where neither", () => {
    const { start, hours, rows } = heat(efficiency());
    expect([start, hours]).toEqual(["2026-09-01T00:00:00Z", 720]);
    const hour = 21 * 24 + 8;
    const stateOf = (id: string): (number | undefined)[] => {
      const states = rows.find((entry) => entry.id === id)?.states;
      return [states?.[hour - 1], states?.[hour], states?.[hour + 1]];
    };
    expect(stateOf("host i-0aaa")).toEqual([-1, -2, -1]); // 12 GPU-hours billed in the hour, two of them seen
    expect(stateOf("host lab-3")).toEqual([-1, -1, 75]);
    expect(stateOf("resource projects/p/vm-l4")).toEqual([-1, -2, -1]);
  });

  it("lists GPU money without telemetry, gaps apart, closing to the unknown cost", () => {
    const document = efficiency();
    const unknown = table(document, "without-telemetry");
    expect(unknown.rows.map(({ id }) => [id, value(unknown, id, "cost")])).toEqual([["resource projects/p/vm-l4", 4n * DOLLAR], ["gaps", 20n * DOLLAR]]);
    expect(value(unknown, "total", "cost")).toBe(24n * DOLLAR);
    expect(value(unknown, "total", "gpu-hours")).toBe(18);
  });

  it("lists hosts that no bill knows", () => {
    expect(table(efficiency(), "hosts-without-bill").rows.map(({ id }) => id)).toEqual(["host lab-3"]);
  });

  it("says how far to trust it", () => {
    expect(notes(efficiency(), "rules").map(({ id, lines }) => [id, lines[0]?.key])).toContainEqual(["confidence", "rules.confidence.low"]);
  });

  it("gives no single figure for the whole under half observed", () => {
    expect(efficiency({ scope: { team: ["language"] } }).answer.key).toBe("efficiency.answer.insufficient");
  });

  it("leaves a bill without telemetry unknown", () => {
    const hours = [{ hour: 0, gpuHours: 8, cost: "30" }];
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-01", cost: "30", series: { x_GpuModel: "H100", ResourceId: "i-1" }, hours }] }] });
    const document = opened(readReport(contextOf(ledger), requestOf("efficiency")));
    expect(document.answer.key).toBe("efficiency.answer.no-telemetry");
    const ways = table(document, "four-ways");
    expect(value(ways, "unknown-cost", "cost")).toBe(30n * DOLLAR);
    for (const id of ["productive-cost", "held-idle-cost", "dead-idle-cost"]) expect(cell(ways, id, "cost")).toMatchObject({ figure: { value: null, why: "no-telemetry" } });
    expect(has(document, "episodes")).toBe(false);
  });

  it("shows what telemetry says where there is no bill", () => {
    const ledger = ledgerWith();
    const device = addDevice(ledger.db, { host: "lab-1" });
    addGpuHours(ledger, [{ hour: "2026-09-01T00:00:00Z", device, KnownSeconds: 3600, UtilizationMean: 0.5, ActiveSeconds: 3600 }]);
    const document = opened(readReport(contextOf(ledger), requestOf("efficiency")));
    expect(document.answer).toMatchObject({ key: "efficiency.answer.no-bill", params: { hosts: { count: 1 }, utilization: { figure: { value: 0.5 } } } });
    expect(heat(document).rows[0]?.states[0]).toBe(50);
  });

  it("says so where a month's bill and its hours differ", () => {
    const hours = [{ hour: 0, gpuHours: 8, cost: "30" }];
    const late = { day: "2026-08-31", cost: "30", series: { x_GpuModel: "H100", ResourceId: "i-1" }, hours };
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [late, { ...late, day: "2026-09-01", cost: "5", hours: [{ hour: 0, gpuHours: 1, cost: "5" }] }] }] });
    const document = opened(readReport(contextOf(ledger), requestOf("efficiency")));
    expect(document.context).toContainEqual({
      key: "report.context.months-against-hours",
      params: { byMonth: { money: 35n * DOLLAR, currency: "USD" }, byHour: { money: 5n * DOLLAR, currency: "USD" }, difference: { money: -30n * DOLLAR, currency: "USD", signed: true } },
    });
  });
});
