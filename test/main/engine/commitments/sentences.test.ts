import { expect, it } from "vitest";
import { adviceOf } from "../../../../main/engine/commitments/sentences.ts";
import { wordsOf } from "../../../../main/cli/words.ts";
import type { ExplorerRecommendation } from "../../../../shared/contract/connect.ts";
import type { PoolLine } from "../../../../shared/contract/plan.ts";

const cost = { metric: "spend", value: 0n, unit: "USD", basis: "billed", coverage: 1 } as const;
const pool: PoolLine = { key: "k", provider: "AWS", region: "us-east-1", gpuModel: "H100", instanceType: "p5.48xlarge", currency: "USD", gpusAMachine: 8, gpuHours: 1, onDemandGpuHours: 1, coveredGpuHours: 0, spotGpuHours: 0, onDemandCost: cost, endsInDays: null };
const advice = (of: Partial<ExplorerRecommendation>): ExplorerRecommendation => ({
  kind: "reservation", profile: null, askedAt: "2026-10-01T08:00:00Z", generatedAt: "2026-09-30T12:00:00Z", product: "EC2", termYears: 1, payment: "NO_UPFRONT", lookbackDays: 30, currency: "USD", region: "us-east-1", instanceType: "p5.48xlarge",
  instanceFamily: "p5", instances: "2", hourlyCommitment: null, upfront: null, monthlySavings: "12345.6", savingsPercent: null, breakEvenMonths: null, averageUtilizationPercent: null, ...of,
});

it("repeats what AWS recommends for the machine, and savings plans, which are for all machines", async () => {
  const lines = adviceOf([
    advice({}), advice({ instanceType: "g6.12xlarge" }), advice({ region: "eu-west-1" }), advice({ currency: "CNY" }),
    advice({ kind: "savings-plan", region: null, instanceType: null, instances: null, termYears: 3, hourlyCommitment: "55.04", monthlySavings: null }),
  ], pool);
  const [en, zh] = await Promise.all([wordsOf("en"), wordsOf("zh-CN")]);
  expect(lines.map((line) => en.text(line))).toEqual([
    "AWS itself, on 30 Sep 2026: reserve 2 of p5.48xlarge for 1 year, from 30 days of usage; it estimates $12,345.60 a month.",
    "AWS itself, on 30 Sep 2026: a savings plan of $55.04 an hour over all machines for 3 years, from 30 days of usage; it estimates — a month.",
  ]);
  expect(zh.text(lines[0] ?? { key: "" })).toBe("AWS 自己的建议（2026年9月30日）：按 30 天用量，预留 2 台 p5.48xlarge，期限 1 年；估计每月节省 $12,345.60。");
  expect(adviceOf([advice({})], { ...pool, provider: "Microsoft" })).toEqual([]);
});
