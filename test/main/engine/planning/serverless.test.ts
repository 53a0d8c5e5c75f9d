import { describe, expect, it } from "vitest";
import { decimal, ONE, toDecimal, whole, ZERO } from "../../../../shared/domain/rational.ts";
import { serverlessComparison, type ServerlessInputs } from "../../../../main/engine/planning/serverless.ts";

const inputs: ServerlessInputs = {
  requests: whole(100_000), secondsPerRequest: whole(2), secondRate: decimal("0.001"), feePerRequest: ZERO, coldSeconds: ZERO, coldShare: ZERO,
  replicaHourly: ONE, replicaRate: decimal("0.5"), peakFactor: ONE, leastReplicas: ONE, monthHours: whole(720),
};

describe("serverless against always on", () => {
  it("compares a month of both", () => {
    const found = serverlessComparison(inputs);
    expect([found.serverlessMonthly, found.alwaysOnMonthly, found.replicas].map(toDecimal)).toEqual(["200", "720", "1"]);
    expect(found.cheaper).toBe("serverless");
    // 720 ÷ 0.002, and one replica serves 0.5 × 2,592,000.
    expect(toDecimal(found.breakEvenRequests ?? ZERO)).toBe("360000");
    expect(found.isBreakEvenReachable).toBe(true);
  });

  it("adds replicas for the busiest moment, not the mean", () => {
    expect(toDecimal(serverlessComparison({ ...inputs, requests: whole(1_296_000), peakFactor: whole(3) }).replicas)).toBe("3");
    expect(toDecimal(serverlessComparison({ ...inputs, requests: whole(1_296_001), peakFactor: ONE }).replicas)).toBe("2");
  });

  it("bills cold starts with their share", () => {
    expect(toDecimal(serverlessComparison({ ...inputs, coldSeconds: whole(20), coldShare: decimal("0.1") }).serverlessPerRequest)).toBe("0.004");
  });

  it("has no break-even beyond what the fewest replicas serve, nor where a request is free", () => {
    expect(serverlessComparison({ ...inputs, replicaHourly: whole(100) }).isBreakEvenReachable).toBe(false);
    expect(serverlessComparison({ ...inputs, secondRate: ZERO }).breakEvenRequests).toBeNull();
  });

  it("knows no cost of a request without requests", () => expect(serverlessComparison({ ...inputs, requests: ZERO }).alwaysOnPerRequest).toBeNull());
});
