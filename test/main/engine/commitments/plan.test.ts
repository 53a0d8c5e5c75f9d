import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import type { MethodInput } from "../../../../shared/contract/methods.ts";
import { defaultPlanInputs, type PlanAnswer, type PlanInputs, type PlanOption } from "../../../../shared/contract/plan.ts";
import type { Figure } from "../../../../shared/domain/figure.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import type { Scope } from "../../../../shared/domain/scope.ts";

/**
 * Four weeks of September 2026, one kind of machine with 8 H100 at 5 a GPU-hour on demand:
 *   a   runs all the time, on demand
 *   b   runs from 6 to 18, on demand
 *   e   covered by commitment c-1, 8 GPUs at 3, used in 600 of 672 hours
 *   s   spot, all the time
 *   o   on for two days in the second week, and gone
 * and a machine billed by the day elsewhere.
 */
let folder = "";
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-plan-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder: join(import.meta.dirname, "../../../../resources"), jobRunner: "inline", emit: () => undefined, now: () => new Date("2026-10-02T00:00:00Z") });
  await engine.ask("ledger.open", { file: join(folder, "plan.gpuledger"), create: true });
  writeFileSync(join(folder, "bill.csv"), bill());
  const preview = await engine.ask("import.preview", { files: [join(folder, "bill.csv")], options: {} });
  if (!preview.ok) throw new Error(preview.error.code);
  const posted = await engine.ask("import.post", { plan: preview.value.plan });
  if (!posted.ok) throw new Error(posted.error.code);
}, 60_000);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

function bill(): string {
  const columns = "ProviderName,BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,EffectiveCost,ListCost,ContractedCost,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,PricingCategory,ServiceName,ResourceId,RegionId,ChargeDescription,CommitmentDiscountId,CommitmentDiscountName,CommitmentDiscountType,CommitmentDiscountCategory,CommitmentDiscountStatus";
  const lines: string[] = [];
  const at = (hour: number): string => new Date(Date.UTC(2026, 8, 1) + hour * 3_600_000).toISOString().replace(".000Z", "Z");
  const row = (hour: number, hours: number, cost: string, resource: string, pricing: string, commitment: string, region = "test-1", list = cost): void => {
    lines.push(["AWS", "1", "a", "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", at(hour), at(hour + hours), "Usage", "USD", cost, cost, list, list, String(hours), "Hours", String(hours), "Hours", pricing, "Amazon EC2", resource, region, "p5.48xlarge instance hours", commitment].join(","));
  };
  for (let hour = 0; hour < 28 * 24; hour += 1) {
    row(hour, 1, "40", "i-0aaaaaaaaaaaaaaaa", "Standard", ",,,,");
    if (hour % 24 >= 6 && hour % 24 < 18) row(hour, 1, "40", "i-0bbbbbbbbbbbbbbbb", "Standard", ",,,,");
    row(hour, 1, "24", "i-0eeeeeeeeeeeeeeee", "Committed", `c-1,three years,Reservation,Usage,${hour < 600 ? "Used" : "Unused"}`, "test-1", hour < 600 ? "40" : "0");
    row(hour, 1, "16", "i-0cccccccccccccccc", "Dynamic", ",,,,");
    if (hour >= 240 && hour < 288) row(hour, 1, "40", "i-0dddddddddddddddd", "Standard", ",,,,");
    if (hour % 24 === 0) row(hour, 24, "960", "i-0ffffffffffffffff", "Standard", ",,,,", "test-2");
  }
  return `${[columns, ...lines].join("\n")}\n`;
}

async function planOf(inputs: Partial<PlanInputs> = {}, scope: Scope = { region: ["test-1"] }): Promise<PlanAnswer> {
  const answer = await engine.ask("plan.read", { period: "2026-09", scope: { ...scope, region: [...(scope.region ?? [])] }, currency: null, inputs: { ...defaultPlanInputs, weeks: 4, ...inputs } });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
}
const amount = ({ value }: Figure): string => (typeof value === "bigint" ? formatAttos(value) : String(value));
const option = (plan: PlanAnswer, id: string): PlanOption => {
  const found = plan.options.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no option ${id}`);
  return found;
};
const year = { kind: "commitment", termMonths: 12, payment: "no-upfront", upfront: null, hourly: "3", monthly: null, isConvertible: false, quotedOn: "2026-09-15", note: null } as const;

describe("a plan from the ledger", () => {
  it("counts on-demand and covered hours; spot and one-offs are left out, and said to be", async () => {
    const { baseline, onDemand, pool, lotGpus } = await planOf();
    expect(baseline).toMatchObject({ firstDay: "2026-09-01", endDay: "2026-09-29", hours: 672, knownHours: 672, spreadShare: 0 });
    expect([0, 6, 18, 599, 600, 606].map((hour) => baseline.units[hour])).toEqual([16, 24, 16, 16, 8, 16].map((gpus) => gpus * 1_000_000));
    expect(baseline.leftOut).toEqual([{ why: "spot", gpuHours: 5376 }, { why: "one-off", gpuHours: 384 }]);
    expect([amount(onDemand.price), onDemand.source.kind, lotGpus, pool.instanceType]).toEqual(["5", "bill", 8, "p5.48xlarge"]);
  });

  it("counts them in when asked", async () => {
    const { baseline } = await planOf({ leavesOutSpot: false, leavesOutOneOffs: false });
    expect(baseline.units[250]).toBe(40_000_000);
    expect(baseline.leftOut).toEqual([]);
  });

  it("takes off what is held, by its capacity and not by what it covered", async () => {
    const plan = await planOf({ quotes: [year] });
    expect(amount(plan.baseline.capacity)).toBe("8");
    // What is above 8: 8 in every hour before the 600th, 16 by day; after it 0 and 8.
    const { curve, standsOn } = option(plan, "quote 0");
    expect(standsOn).toBe(8);
    expect(Object.fromEntries(curve.levels.map((level, index) => [level / 1_000_000, curve.hours[index]]))).toEqual({ 16: 300, 8: 336, 0: 36 });
    expect((await planOf({ quotes: [year], netsExisting: false })).options.find(({ id }) => id === "quote 0")?.standsOn).toBe(0);
  });

  it("finds the level, and says what it saves and when it has paid", async () => {
    const plan = await planOf({ quotes: [year] });
    const { figures, decision, inputs, exact } = option(plan, "quote 0");
    // At 3 instead of 5 a layer must be used in more than 60 % of 672 hours: the first 8 are in 636, the next in 300.
    expect(amount(figures.level)).toBe("8");
    expect(figures.utilization.value).toBeCloseTo(636 / 672, 12);
    expect(figures.breakEven.value).toBe(0.6);
    expect(Number(amount(figures.saving))).toBeCloseTo(((5 * 636 * 8 - 3 * 672 * 8) / 672) * 730, 6);
    expect(figures.exit.value).toBeCloseTo((12 * 0.6 * 672) / 636, 9);
    expect([decision, exact.gpus, inputs.rank.value, plan.recommended]).toEqual(["commit", "8", 404, "current c-1"]);
  });

  it("draws in its memo what on demand would have cost beside all that is owed, and usage beside the level", async () => {
    const plan = { ...defaultPlanInputs, weeks: 4 as const, quotes: [year] };
    const answer = await engine.ask("report.read", { report: "commitments", period: "2026-09", scope: { region: ["test-1"] }, basis: "EffectiveCost", currency: null, plan });
    if (!answer.ok) throw new Error(answer.error.code);
    const tableOf = (id: string): readonly (readonly string[])[] => {
      const block = answer.value.blocks.find((each) => each.id === id);
      if (block?.kind !== "table") throw new Error(`no table ${id}`);
      return block.rows.map(({ cells }) => cells.map((cell) => ("figure" in cell ? amount(cell.figure) : "")));
    };
    // The level of 8 is used in 636 of 672 hours: 5 × 8 × 636 ÷ 672 × 730 a month on demand, 3 × 8 × 730 × 12 owed.
    const exit = tableOf("exit");
    expect(exit[0]).toEqual(["0", "0", "210240"]);
    expect(exit[1]).toEqual(["1", "27635.714285714285714286", "210240"]);
    expect(exit.at(-1)).toEqual(["12", "331628.571428571428571429", "210240"]);
    // From the busiest hour to the quietest, in twentieths of the hours.
    const usage = tableOf("usage");
    expect(usage).toHaveLength(20);
    expect(usage.map(([, gpus]) => Number(gpus))).toEqual(usage.map(([, gpus]) => Number(gpus)).sort((a, b) => b - a));
    expect(usage.every(([, , level]) => level === "8")).toBe(true);
  });

  it("prices what it holds from its bill, and offers more of it at that price", async () => {
    const { commitments, options, portfolio } = await planOf();
    const [held] = commitments;
    expect(held).toMatchObject({ id: "c-1", name: "three years", daysLeft: null, window: null, decision: null, renewal: null });
    expect([amount(held?.gpus ?? portfolio.unused), amount(held?.price ?? portfolio.unused), amount(held?.unused ?? portfolio.unused)]).toEqual(["8", "3", "1728"]);
    expect(held?.utilization.value).toBeCloseTo(600 / 672, 12);
    expect(held?.savingsRate.value).toBeCloseTo(1 - 16_128 / 24_000, 12);
    expect(options.map(({ id, source }) => [id, source.kind])).toEqual([["current c-1", "current"]]);
    expect(portfolio.coverage.value).toBeCloseTo(4800 / (4800 + 5376 + 2688 + 384), 12);
  });

  it("says that nothing is known where nothing is, and never 0", async () => {
    const { options, recommended, answer, unpriced, onDemand } = await planOf({}, { region: ["test-2"] });
    expect({ options, recommended, key: answer.key }).toEqual({ options: [], recommended: null, key: "commit.answer.no-price" });
    expect(unpriced.length).toBeGreaterThan(5);
    expect(amount(onDemand.price)).toBe("5");
  });

  it("says so where the bill states only the day", async () => {
    const { baseline } = await planOf({}, { region: ["test-2"] });
    expect(baseline.spreadShare).toBe(1);
    expect(baseline.warnings.map(({ key }) => key)).toEqual(["commit.warning.by-day"]);
  });

  it("leaves days without a bill out instead of taking them for unused", async () => {
    const { baseline } = await planOf({ weeks: 13 });
    expect(baseline).toMatchObject({ hours: 2184, knownHours: 672 });
    expect(baseline.units.slice(0, 1512).every((units) => units === null)).toBe(true);
    expect(baseline.warnings.map(({ key }) => key)).toEqual(["commit.warning.unknown-hours"]);
  });

  it("does not recommend a price older than the usage until that is accepted", async () => {
    const old = { ...year, hourly: "1", quotedOn: "2026-08-31" };
    expect((await planOf({ quotes: [old] })).recommended).toBe("current c-1");
    expect((await planOf({ quotes: [old], acceptsOldPrices: true })).recommended).toBe("quote 0");
  });

  it("compares a level that is asked for, and keeps the optimum beside it", async () => {
    const { figures } = option(await planOf({ quotes: [year], option: "quote 0", gpus: "16" }), "quote 0");
    expect([figures.level, figures.lowest, figures.highest].map(amount)).toEqual(["16", "8", "8"]);
    expect(Number(amount(figures.saving))).toBeCloseTo(((5 * (636 + 300) * 8 - 3 * 672 * 16) / 672) * 730, 6);
  });
});

describe("a commitment that ends", () => {
  const term = { commitment: "c-1", startsOn: "2025-12-01", endsOn: "2026-12-01", termMonths: 12, payment: "no-upfront", gpus: null, isConvertible: false, renewalHourly: "3.3", note: null } as const;

  it("is held against a new purchase from the day it ends", async () => {
    expect(await engine.ask("commitment.save", { term, by: "me" })).toMatchObject({ ok: true });
    const plan = await planOf({ quotes: [year] });
    expect(plan.startsOn).toBe("2026-12-01");
    const [held] = plan.commitments;
    expect(held).toMatchObject({ daysLeft: 63, window: 90, decision: "keep" });
    expect(held?.checks.map(({ day, isPast }) => `${day} ${isPast}`)).toEqual(["2026-09-02 true", "2026-10-02 false", "2026-11-01 false", "2026-11-24 false"]);
    expect([held?.renewal?.renewal, held?.renewal?.purchase].map((figure) => (figure === undefined ? "" : amount(figure)))).toEqual(["3.3", "3"]);
    expect(held?.renewal?.premium.value).toBeCloseTo(0.1, 12);
    expect(held?.renewal?.best).toBe("new_purchase");
    // After its end nothing is taken off any more: 8 are used in every hour, 16 in 636.
    const quote = option(plan, "quote 0");
    expect(quote.standsOn).toBe(0);
    expect(amount(quote.figures.level)).toBe("16");
    expect(amount(option(plan, "renew").figures.level)).toBe("8");
    expect(option(plan, "renew").notes.map(({ key }) => key)).toContain("commit.note.renewal-above");
    expect([plan.recommended, plan.answer.key]).toEqual(["quote 0", "commit.answer.instead"]);
  });

  it("is kept when it is said to be renewed", async () => {
    const plan = await planOf({ quotes: [year], renewsExpiring: true });
    expect(option(plan, "quote 0").standsOn).toBe(8);
    expect(plan.options.some(({ id }) => id === "renew")).toBe(false);
  });
});

describe("a scenario", () => {
  it("keeps what was asked and is worked out when it is opened", async () => {
    const inputs: PlanInputs = { ...defaultPlanInputs, weeks: 4, quotes: [year], option: "quote 0" };
    const request: MethodInput<"plan.read"> = { period: "2026-09", scope: { region: ["test-1"] }, currency: null, inputs };
    const saved = await engine.ask("plan.save", { name: "one year", ...request, by: "me" });
    if (!saved.ok) throw new Error(saved.error.code);
    expect(await engine.ask("plan.save", { name: "one year", ...request, by: "me" })).toMatchObject({ ok: true, value: { id: saved.value.id } });
    const list = await engine.ask("plan.scenarios", {});
    expect(list).toMatchObject({ ok: true, value: { scenarios: [{ name: "one year", savedBy: "me", period: "2026-09", inputs: request.inputs }] } });
    const compared = await engine.ask("plan.compare", { ids: [saved.value.id] });
    if (!compared.ok) throw new Error(compared.error.code);
    const [outcome] = compared.value.outcomes;
    expect(outcome?.error).toBeNull();
    expect(outcome?.outcome?.figures).toEqual(option(await planOf({ quotes: [year], option: "quote 0" }), "quote 0").figures);
    const document = await engine.ask("report.read", { report: "commitments", basis: "EffectiveCost", period: request.period, scope: request.scope, currency: null, plan: inputs });
    if (!document.ok) throw new Error(document.error.code);
    expect(document.value.blocks.map(({ id }) => id)).toEqual(["options", "usage", "exit", "baseline", "risk", "sensitivity", "levels", "commitments", "assumptions", "memo"]);
    expect(await engine.ask("plan.remove", { id: saved.value.id, by: "me" })).toMatchObject({ ok: true });
    expect(await engine.ask("plan.scenarios", {})).toMatchObject({ value: { scenarios: [] } });
  });
});
