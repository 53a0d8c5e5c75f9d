import { describe, expect, it } from "vitest";
import { explainFigure, readReport } from "../../../../main/engine/reports/index.ts";
import type { FigureRef } from "../../../../shared/contract/report.ts";
import { reportIds } from "../../../../shared/contract/report.ts";
import { metricIds } from "../../../../shared/domain/figure.ts";
import { company, contextOf, requestOf } from "./company.ts";
import { DOLLAR, opened, sumOf, table, value } from "./look.ts";

const context = contextOf(company());
const explain = (change: Partial<FigureRef> & Pick<FigureRef, "metric">) => opened(explainFigure(context, { period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null, ...change }));

describe("the explanation of a figure", () => {
  it("holds the inputs of cost per useful GPU-hour, so that it can be recomputed", () => {
    const { figure, inputs, range, rowCount, coverage, sources } = explain({ metric: "useful-gpu-hour-cost" });
    expect(inputs.map(({ figure: { value: input } }) => input)).toEqual([152n * DOLLAR, 22, 11]);
    expect(figure.value).toBe((152n * DOLLAR + 5n) / 11n);
    // All 176 dollars over 11 useful hours, or over 11 and the 18 unknown ones.
    expect(range).toMatchObject({ low: { value: (176n * DOLLAR + 14n) / 29n }, high: { value: 16n * DOLLAR } });
    expect(rowCount).toBe(3);
    expect(coverage).toEqual({ key: "explain.coverage.telemetry-low", params: { ratio: { ratio: 0.55 } } });
    expect(sources.map(({ file, batch, rows }) => [file, batch, rows])).toEqual([["aws-2026-09.csv", 2, 5], ["gcp-2026-09.csv", 3, 1]]);
  });

  it("splits a sum into parts that add up to it", () => {
    for (const metric of ["spend", "spend-change", "gpu-spend", "idle-cost", "held-idle-cost", "unknown-cost", "gpu-hours-cost", "unused-commitment-cost"] as const) {
      const explanation = explain({ metric });
      for (const split of explanation.splits) {
        expect([metric, split.id, sumOf(split, "figure")]).toEqual([metric, split.id, explanation.figure.value]);
        expect(value(split, "total", "figure")).toBe(explanation.figure.value);
      }
    }
  });

  it("splits a ratio with its inputs, which add up", () => {
    const split = table({ blocks: explain({ metric: "useful-gpu-hour-cost" }).splits }, "by-gpuModel");
    expect(sumOf(split, "input-0")).toBe(152n * DOLLAR);
    expect(value(split, "gpuModel H100", "figure")).toBe(22n * DOLLAR);
  });

  it("says what is not in it", () => {
    expect(explain({ metric: "idle-cost" }).notInIt).toEqual([
      { key: "explain.not-in.unused-commitments", params: { cost: { money: 8n * DOLLAR, currency: "USD" } } },
      { key: "explain.not-in.other-services", params: { cost: { money: 12n * DOLLAR, currency: "USD" } } },
      { key: "explain.not-in.tax", params: { cost: { money: 9n * DOLLAR, currency: "USD" } } },
    ]);
  });

  it("ranges idle cost from what was seen to all unknown time idle", () => {
    expect(explain({ metric: "idle-cost" }).range).toMatchObject({ low: { value: 49n * DOLLAR }, high: { value: 73n * DOLLAR } });
    expect(explain({ metric: "gpu-utilization" }).range).toMatchObject({ low: { value: 11 / 40 }, high: { value: 29 / 40 } });
    expect(explain({ metric: "idle-cost", scope: { team: ["vision"] } }).range).toBe(null);
  });

  it("answers for every metric, with words for each and the figure the metric names", () => {
    for (const metric of metricIds) expect(explain({ metric })).toMatchObject({ figure: { metric }, title: { key: `metric.${metric}.name` } });
  });

  it("explains every figure of every report as the figure that stands there", () => {
    const refs: { ref: FigureRef; shown: unknown }[] = [];
    const look = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      if ("explain" in node && "figure" in node) refs.push({ ref: node.explain as FigureRef, shown: (node.figure as { value: unknown }).value });
      Object.values(node).forEach(look);
    };
    for (const report of reportIds) look(opened(readReport(context, requestOf(report))).blocks);
    expect(refs.length).toBeGreaterThan(100);
    const seen = new Set<string>();
    for (const { ref, shown } of refs) {
      const key = JSON.stringify(ref);
      if (seen.has(key)) continue;
      seen.add(key);
      expect([key, explain(ref).figure.value]).toEqual([key, shown]);
    }
  });

  it("refuses a metric nobody knows", () => {
    expect(explainFigure(context, { metric: "luck" as never, period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null })).toMatchObject({ ok: false, error: { code: "figure.unknown" } });
  });
});
