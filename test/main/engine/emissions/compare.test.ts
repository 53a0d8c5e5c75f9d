import { describe, expect, it } from "vitest";
import { compareEmissions, type LedgerEmissions } from "../../../../main/engine/emissions/compare.ts";
import type { ShownEmissions } from "../../../../main/engine/emissions/store.ts";

const line = (part: Partial<ShownEmissions>): ShownEmissions => ({
  provider: "aws", report: 1, format: "aws-carbon-emissions", file: "carbon.csv", month: "2026-09", account: "200000000001", service: "AmazonEC2", region: "us-east-1", modelVersion: "v3.0.0",
  refreshedAt: "2026-10-19 06:00:00Z", location: null, market: null, scope1: null, scope2Location: null, scope2Market: null, scope3: null, ...part,
});
const own = (part: Partial<LedgerEmissions>): LedgerEmissions => ({ month: "2026-09", account: "200000000001", region: "us-east-1", service: "Amazon Elastic Compute Cloud", gpuHours: 10, location: 0n, market: 0n, coveredGpuHours: 10, ...part });

describe("a provider's figure beside the ledger's", () => {
  const compared = compareEmissions("AWS", ["2026-08", "2026-09", "2026-10"], [
    line({ location: 1000n, market: 100n, scope2Location: 900n, scope2Market: 40n }),
    line({ location: 50n, scope2Location: 50n, service: "AmazonS3" }),
    line({ location: 30n, scope2Location: 30n, region: "eu-west-1" }),
    line({ location: 20n, scope2Location: 20n, account: "200000000009" }),
  ], [own({ location: 700n, market: 650n }), own({ month: "2026-10", location: 90n, market: 80n }), own({ month: "2026-10", location: null, market: null, gpuHours: 4, coveredGpuHours: 0 })]);

  it("goes from one to the other by scope, account, region, service and month, and closes", () => {
    expect(compared.methods[0]).toEqual({
      method: "location",
      reportMicrograms: 1100n,
      ledgerMicrograms: 790n,
      differenceMicrograms: -310n,
      steps: [
        { step: "scopes-beyond", micrograms: -100n, details: [], gpuHours: null },
        { step: "accounts-without-gpus", micrograms: -20n, details: ["200000000009"], gpuHours: null },
        { step: "regions-without-gpus", micrograms: -30n, details: ["eu-west-1"], gpuHours: null },
        { step: "services-without-gpus", micrograms: -50n, details: ["AmazonS3"], gpuHours: null },
        { step: "months-missing", micrograms: 90n, details: ["2026-10"], gpuHours: null },
        { step: "not-calculated", micrograms: null, details: [], gpuHours: 4 },
        { step: "rest", micrograms: -200n, details: [], gpuHours: null },
      ],
    });
  });

  it("says which months it lacks and how late it came", () => {
    expect(compared).toMatchObject({ months: ["2026-09"], monthsMissing: ["2026-10"], lagDays: 18 });
  });

  it("takes nothing off by names that the two sides do not share", () => {
    const { methods } = compareEmissions("AWS", ["2026-09"], [line({ location: 10n, account: "alias-a" })], [own({ location: 4n })]);
    expect(methods[0]?.steps).toEqual([{ step: "rest", micrograms: -6n, details: [], gpuHours: null }]);
  });

  it("compares no method that the report does not state", () => {
    const { methods } = compareEmissions("AWS", ["2026-09"], [line({ market: 10n })], [own({ location: 4n, market: 4n })]);
    expect(methods[0]).toEqual({ method: "location", reportMicrograms: null, ledgerMicrograms: 4n, differenceMicrograms: null, steps: [] });
  });
});
