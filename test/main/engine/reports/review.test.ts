import { describe, expect, it } from "vitest";
import { readReport } from "../../../../main/engine/reports/index.ts";
import { addDevice, addGpuHours, ledgerWith } from "../ledger-with.ts";
import { company, contextOf, requestOf } from "./company.ts";
import { DOLLAR, figure, has, notes, opened, sumOf, table, tiles, value, cell } from "./look.ts";

const review = (change: Parameters<typeof requestOf>[1] = {}) => opened(readReport(contextOf(company()), requestOf("review", change)));

describe("the review", () => {
  it("answers in one sentence: cost, change, idle part", () => {
    const { answer } = review();
    expect(answer.key).toBe("review.answer.more.idle");
    expect(answer.params).toMatchObject({
      period: { period: "2026-09" },
      previous: { period: "2026-08", short: true },
      spend: { figure: { value: 205n * DOLLAR, unit: "USD", basis: "billed", coverage: 1 } },
      idle: { figure: { value: 49n * DOLLAR, unit: "USD", basis: "measured" } },
    });
    expect((answer.params?.["ratio"] as { ratio: number }).ratio).toBeCloseTo(43 / 162, 12);
  });

  it("shows four tiles with twelve months, unknown where nothing is known", () => {
    const [spend, useful, utilization, savings] = tiles(review());
    expect(spend).toMatchObject({ id: "spend", figure: { value: 205n * DOLLAR } });
    expect(spend?.series.slice(-3)).toEqual([{ at: "2026-07", value: null }, { at: "2026-08", value: 162n * DOLLAR }, { at: "2026-09", value: 205n * DOLLAR }]);
    // 132 + 20 known dollars over 6 + 5 useful hours.
    expect(useful?.figure).toMatchObject({ value: (152n * DOLLAR + 5n) / 11n, unit: "USD/gpu-hour", coverage: 0.55 });
    expect(utilization?.figure).toMatchObject({ value: 0.5, coverage: 0.55 });
    expect(utilization?.series.at(-2)).toEqual({ at: "2026-08", value: null });
    // List 132 + 80 + 8 + 12; effective 188 used and 8 unused: tax is in neither.
    expect(savings?.figure.value).toBeCloseTo((232 - 188 - 8) / 232, 12);
    expect(spend?.series).toHaveLength(12);
  });

  it("says why it changed in parts that add up to the new month", () => {
    const bridge = table(review(), "bridge");
    expect(value(bridge, "previous", "amount")).toBe(162n * DOLLAR);
    expect(value(bridge, "price", "amount")).toBe(12n * DOLLAR);
    expect(value(bridge, "new", "amount")).toBe(4n * DOLLAR);
    expect(value(bridge, "unused-commitments", "amount")).toBe(3n * DOLLAR);
    expect(value(bridge, "other-services", "amount")).toBe(2n * DOLLAR);
    expect(value(bridge, "tax", "amount")).toBe(2n * DOLLAR);
    // H100: 12 of the old hours' price each for two hours more; in all, 30 to 32 hours at 140/30.
    expect((value(bridge, "volume", "amount") as bigint) + (value(bridge, "mix", "amount") as bigint)).toBe(20n * DOLLAR);
    expect(sumOf(bridge, "amount")).toBe(205n * DOLLAR);
    expect(value(bridge, "total", "amount")).toBe(205n * DOLLAR);
  });

  it("closes the movers and the teams to the total", () => {
    const document = review();
    for (const id of ["movers", "teams"]) {
      expect(sumOf(table(document, id), "spend")).toBe(205n * DOLLAR);
      expect(sumOf(table(document, id), "change")).toBe(43n * DOLLAR);
    }
    const teams = table(document, "teams");
    expect(value(teams, "team vision", "spend")).toBe(132n * DOLLAR);
    expect(value(teams, "team vision", "idle")).toBe(44n * DOLLAR);
    expect(value(teams, "unused-commitments", "spend")).toBe(8n * DOLLAR);
    expect(value(teams, "not-allocated", "spend")).toBe(21n * DOLLAR);
    expect(cell(teams, "not-allocated", "utilization")).toEqual({ absent: "not-applicable" });
    expect(value(teams, "total", "idle")).toBe(49n * DOLLAR);
  });

  it("says how commitments were used", () => {
    const [commitments] = notes(review(), "closing");
    expect(commitments?.lines[0]).toMatchObject({ params: { used: { figure: { value: 40 / 48 } }, unused: { figure: { value: 8n * DOLLAR } } } });
    expect(commitments?.lines[1]).toMatchObject({ params: { covered: { figure: { value: 80 / 212 } } } });
  });

  it("takes the first month for a first month: no bridge, no change, and no zero in their place", () => {
    const document = review({ period: "2026-08" });
    expect(document.answer.key).toBe("review.answer.first.no-gpu");
    expect(has(document, "bridge")).toBe(false);
    expect(cell(table(document, "teams"), "total", "change")).toEqual({ absent: "no-previous-period" });
  });

  it("keeps idle cost apart where the cost basis is another", () => {
    expect(review({ basis: "BilledCost" }).answer.key).toBe("review.answer.more.idle-apart");
  });

  it("narrows to a scope, and the scopes of a dimension add up to everything", () => {
    const spendOf = (scope: Parameters<typeof requestOf>[1]) => tiles(review(scope))[0]?.figure.value as bigint;
    expect(spendOf({ scope: { team: ["vision"] } }) + spendOf({ scope: { team: ["language"] } }) + spendOf({ scope: { team: [null] } })).toBe(205n * DOLLAR);
    expect(spendOf({ scope: { provider: ["AWS"] } }) + spendOf({ scope: { provider: ["Google Cloud"] } })).toBe(205n * DOLLAR);
  });

  it("says that a provider's bill is missing when the month before has one", () => {
    const ledger = ledgerWith({
      deliveries: [
        { month: "2026-08", cells: [{ day: "2026-08-01", cost: "3" }] },
        { provider: "Azure", billingAccount: "z", month: "2026-08", cells: [{ day: "2026-08-01", cost: "5" }] },
        { month: "2026-09", firstDay: "2026-09-01", lastDay: "2026-09-30", cells: [{ day: "2026-09-01", cost: "3" }] },
      ],
    });
    const document = opened(readReport(contextOf(ledger), requestOf("review")));
    expect(document.context).toContainEqual({ key: "review.context.missing-provider", params: { provider: { text: "Azure" }, period: { period: "2026-09" } } });
    expect(tiles(document)[0]?.figure).toMatchObject({ value: 3n * DOLLAR, coverage: 0.5 });
  });

  it("shows the currency with most rows, names the others, and never adds them", () => {
    const ledger = ledgerWith({
      deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-01", cost: "3", rows: 2 }, { day: "2026-09-01", cost: "100", series: { BillingCurrency: "EUR" } }] }],
    });
    const document = opened(readReport(contextOf(ledger), requestOf("review")));
    expect(document).toMatchObject({ currency: "USD", otherCurrencies: ["EUR"] });
    expect(tiles(document)[0]?.figure).toMatchObject({ value: 3n * DOLLAR, unit: "USD" });
    const euros = opened(readReport(contextOf(ledger), requestOf("review", { currency: "EUR" })));
    expect(euros).toMatchObject({ currency: "EUR", otherCurrencies: ["USD"] });
    expect(tiles(euros)[0]?.figure).toMatchObject({ value: 100n * DOLLAR, unit: "EUR" });
  });

  it("leaves a bill without telemetry unknown, not idle and not zero", () => {
    const hours = [{ hour: 0, gpuHours: 8, cost: "30" }];
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-01", cost: "30", series: { x_GpuModel: "H100", ResourceId: "i-1" }, hours }] }] });
    const document = opened(readReport(contextOf(ledger), requestOf("review")));
    expect(document.answer.key).toBe("review.answer.first.idle-unknown");
    const [, useful, utilization] = tiles(document);
    expect([useful?.figure, utilization?.figure]).toMatchObject([{ value: null, why: "no-telemetry", coverage: 0 }, { value: null, why: "no-telemetry", coverage: 0 }]);
    expect(figure(table(document, "teams"), "total", "idle")).toMatchObject({ value: null, why: "no-telemetry" });
  });

  it("does not take an unstated cost for zero", () => {
    const ledger = ledgerWith({ deliveries: [{ month: "2026-09", cells: [{ day: "2026-09-01", BilledCost: "5", EffectiveCost: null, ListCost: null, ContractedCost: null }] }] });
    const document = opened(readReport(contextOf(ledger), requestOf("review")));
    expect(document.answer.key).toBe("review.answer.not-stated");
    expect(tiles(document)[0]?.figure).toMatchObject({ value: null, why: "not-stated" });
    expect(tiles(document)[3]?.figure).toMatchObject({ value: null, why: "no-list-price" });
  });

  it("has a statement for telemetry without any bill", () => {
    const ledger = ledgerWith();
    const device = addDevice(ledger.db, { host: "lab-1" });
    addGpuHours(ledger, [{ hour: "2026-09-01T00:00:00Z", device, KnownSeconds: 3600, UtilizationMean: 0.5, ActiveSeconds: 3600 }]);
    const document = opened(readReport(contextOf(ledger), requestOf("review")));
    expect(document.answer.key).toBe("review.answer.no-bill");
    expect(tiles(document)[0]?.figure).toMatchObject({ value: null, why: "no-bill" });
  });

  it("refuses a period without anything, and what is no period", () => {
    const context = contextOf(company());
    expect(readReport(context, requestOf("review", { period: "2025-01" }))).toEqual({ ok: false, error: { code: "report.no-data", params: { period: "2025-01" } } });
    expect(readReport(context, requestOf("review", { period: "soon" }))).toEqual({ ok: false, error: { code: "period.invalid", params: { text: "soon" } } });
  });

  it("adds the months of a quarter", () => {
    const document = review({ period: "2026-Q3" });
    expect(tiles(document)[0]?.figure.value).toBe(367n * DOLLAR);
    expect(sumOf(table(document, "teams"), "spend")).toBe(367n * DOLLAR);
  });
});
