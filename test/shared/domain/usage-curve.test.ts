import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attosOf } from "../../../main/engine/commitments/figures.ts";
import { metricsOfRank, rankRuns } from "../../../main/engine/planning/usage-rank.ts";
import { divide, multiply, rational, toNumber, whole } from "../../../shared/domain/rational.ts";
import { levelOutcome } from "../../../shared/domain/usage-curve.ts";

describe("a level of a sorted usage", () => {
  it("costs in the window what the engine says, to the atto", () => {
    const runs = fc.array(fc.record({ level: fc.integer({ min: 0, max: 9_000_000 }), hours: fc.integer({ min: 1, max: 500 }) }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(runs, fc.integer({ min: 0, max: 9_000_000 }), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 400 }), (usage, level, committedCents, onDemandCents) => {
        const rank = rankRuns(usage);
        const hours = usage.reduce((sum, run) => sum + run.hours, 0);
        const byLevel = [...Map.groupBy(usage, (run) => run.level)].map(([own, of]) => ({ level: own, hours: of.reduce((sum, run) => sum + run.hours, 0) })).sort((a, b) => b.level - a.level);
        const prices = { committedHourly: rational(BigInt(committedCents), 100n), onDemandHourly: rational(BigInt(onDemandCents), 100n) };
        const engine = metricsOfRank(rank, rational(BigInt(level), 1_000_000n), prices);
        const aMonth = (of: ReturnType<typeof whole>): bigint => attosOf(multiply(divide(of, whole(hours)), whole(730)));
        const seen = levelOutcome({ levels: byLevel.map((run) => run.level), hours: byLevel.map((run) => run.hours) }, level, { committedAttos: BigInt(committedCents) * 10n ** 16n, onDemandAttos: BigInt(onDemandCents) * 10n ** 16n });
        expect(seen.savingAttos).toBe(aMonth(engine.saving));
        expect(seen.unusedAttos).toBe(aMonth(engine.wasteCost));
        expect(seen.onDemandAttos).toBe(aMonth(multiply(engine.uncoveredUnitHours, prices.onDemandHourly)));
        if (engine.utilization === null) expect(seen.utilization).toBeNull();
        else expect(seen.utilization).toBeCloseTo(toNumber(engine.utilization), 12);
      }),
    );
  });

  it("says how many of the hours lie above and below", () => {
    const outcome = levelOutcome({ levels: [10_000_000, 4_000_000], hours: [12, 12] }, 4_000_000, { committedAttos: 6n * 10n ** 18n, onDemandAttos: 10n * 10n ** 18n });
    expect(outcome).toEqual({ savingAttos: 11_680n * 10n ** 18n, unusedAttos: 0n, onDemandAttos: 21_900n * 10n ** 18n, utilization: 1, shareAbove: 0.5, shareBelow: 0 });
    expect(levelOutcome({ levels: [], hours: [] }, 4, { committedAttos: 1n, onDemandAttos: 1n }).utilization).toBeNull();
  });
});
