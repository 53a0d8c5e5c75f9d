import { describe, expect, it } from "vitest";
import { carbonMetrics, chargeMetrics, gpuHourMetrics, metrics } from "../../../../main/engine/metrics/index.ts";
import { metricIds } from "../../../../shared/domain/figure.ts";
import { hourFacts } from "./hour-row.ts";

describe("the list of metrics", () => {
  it("has a metric for every name and a name for every metric", () => {
    expect([...metrics.keys()].sort()).toEqual([...metricIds].sort());
    expect(chargeMetrics.length + gpuHourMetrics.length + carbonMetrics.length).toBe(metricIds.length);
  });

  it("gives a figure of its own name for nothing at all, without a number out of nowhere", () => {
    const nothing = { currency: "USD", basis: "EffectiveCost", rows: [], previousRows: null, billCoverage: 0 } as const;
    for (const metric of chargeMetrics) {
      const figure = metric.figure(nothing);
      expect([figure.metric, figure.value, metric.needs]).toEqual([metric.id, metric.id === "row-count" ? 0 : null, "charges"]);
    }
    for (const metric of gpuHourMetrics) {
      const figure = metric.figure(hourFacts([]));
      expect([figure.metric, figure.value, metric.needs]).toEqual([metric.id, null, "gpu-hours"]);
      expect(metric.inputs(hourFacts([])).length).toBeGreaterThan(0);
    }
  });
});
