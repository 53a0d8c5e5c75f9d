/** What a contract says of a commitment whose GPU time is on the bill: the plan follows the version that is shown, and no cost changes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultPlanInputs } from "../../../../shared/contract/plan.ts";
import type { Figure } from "../../../../shared/domain/figure.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import { answerOf, makeWorld, type World } from "../../../errors/world.ts";

let folder: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "contracts-"));
  world = await makeWorld(folder);
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const HOURS = 7 * 24;
const USED = 126;

/** The first week of September 2026: 8 H100 on demand at 40 an hour (5 a GPU-hour), and 8 of commitment sp-1 at 24 an hour, used in the first 126 of 168 hours. */
function bill(): string {
  const head = "ProviderName,BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,EffectiveCost,ListCost,ContractedCost,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,PricingCategory,ServiceName,ResourceId,RegionId,ChargeDescription,CommitmentDiscountId,CommitmentDiscountName,CommitmentDiscountType,CommitmentDiscountCategory,CommitmentDiscountStatus";
  const at = (hour: number): string => new Date(Date.UTC(2026, 8, 1) + hour * 3_600_000).toISOString().replace(".000Z", "Z");
  const row = (hour: number, cost: string, list: string, pricing: string, resource: string, commitment: string): string =>
    ["AWS", "1", "a", "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", at(hour), at(hour + 1), "Usage", "USD", cost, cost, list, list, "1", "Hours", "1", "Hours", pricing, "Amazon EC2", resource, "test-1", "p5.48xlarge instance hours", commitment].join(",");
  const rows = Array.from({ length: HOURS }, (_, hour) => [
    row(hour, "40", "40", "Standard", "i-0aaaaaaaaaaaaaaaa", ",,,,"),
    row(hour, "24", hour < USED ? "40" : "0", "Committed", "i-0bbbbbbbbbbbbbbbb", `sp-1,one year,Reservation,Usage,${hour < USED ? "Used" : "Unused"}`),
  ]).flat();
  return `${[head, ...rows].join("\n")}\n`;
}

/** Its own id is spelled in capitals: exports differ in case. */
const contract = (cost: string, end: string): string =>
  `ContractCommitmentId,ContractId,ContractCommitmentType,ContractCommitmentCategory,ContractCommitmentCost,BillingCurrency,ContractCommitmentPeriodStart,ContractCommitmentPeriodEnd\nSP-1,K-1,Reserved Instance,Usage,${cost},USD,2025-12-01T00:00:00Z,${end}T00:00:00Z\n`;
const quote = { kind: "commitment", termMonths: 12, payment: "no-upfront", upfront: null, hourly: "3", monthly: null, isConvertible: false, quotedOn: "2026-09-05", note: null } as const;
const amount = ({ value }: Figure): string => (typeof value === "bigint" ? formatAttos(value) : String(value));

/** The held commitment, a quote beside it, and what the period cost. */
async function standing() {
  const plan = answerOf(await world.engine.ask("plan.read", { period: "2026-09", scope: {}, currency: null, inputs: { ...defaultPlanInputs, weeks: 1, quotes: [quote] } }));
  const [held] = plan.commitments;
  const bought = plan.options.find(({ id }) => id === "quote 0");
  if (held === undefined || bought === undefined) throw new Error("the plan holds nothing");
  const shown = answerOf(await world.engine.ask("commitments.contracts", {})).contracts;
  const totals = answerOf(await world.engine.ask("totals.read", { period: "2026-09", by: [] })).rows;
  return {
    contracts: shown.map(({ commitment, cost, periodEnd, file }) => [commitment, cost, periodEnd, file]),
    held: { endsOn: held.term?.endsOn ?? null, source: held.termSource, daysLeft: held.daysLeft, gpus: amount(held.gpus), price: amount(held.price), used: held.utilization.value, cost: amount(held.cost), unused: amount(held.unused) },
    quote: { standsOn: bought.standsOn, level: amount(bought.figures.level), saving: amount(bought.figures.saving) },
    totals,
  };
}

/** Of the bill alone: 24 × 168 = 4032, of which 24 × 42 = 1008 was not used; 126 of 168 hours are three quarters. */
const billed = { gpus: "8", price: "3", used: 0.75, cost: "4032", unused: "1008" };
/** The machine on demand uses 8 in all 168 hours. While sp-1 lasts, 8 of it are taken off: 8 in 126 hours, (5 × 126 − 3 × 168) × 8 ÷ 168 × 730. */
const besideIt = { standsOn: 8, level: "8", saving: "4380" };
/** After its end 16 are used in 126 hours, 8 in all: (5 × (126 × 16 + 42 × 8) − 3 × 168 × 16) ÷ 168 × 730. */
const afterIt = { standsOn: 0, level: "16", saving: "16060" };

it("is what the plan says of its end, in the version that is shown, undone and redone", async () => {
  await world.post(world.file("bill.csv", bill()));
  const without = await standing();
  expect(without).toMatchObject({ contracts: [], held: { ...billed, endsOn: null, source: null, daysLeft: null }, quote: besideIt });

  // From 8 September, the day after the window: 22 days of September, 31 of October, 30 of November, and the first of December is the first without it.
  const first = await world.post(world.file("first.csv", contract("35040", "2026-12-01")));
  const ending = { contracts: [["SP-1", "35040", "2026-12-01T00:00:00Z", "first.csv"]], held: { ...billed, endsOn: "2026-12-01", source: { file: "first.csv", line: 2 }, daysLeft: 84 }, quote: afterIt, totals: without.totals };
  expect(await standing()).toEqual(ending);

  // A year more: 365 days.
  const second = await world.post(world.file("second.csv", contract("70080", "2027-12-01")));
  const lasting = { contracts: [["SP-1", "70080", "2027-12-01T00:00:00Z", "second.csv"]], held: { ...billed, endsOn: "2027-12-01", source: { file: "second.csv", line: 2 }, daysLeft: 449 }, quote: besideIt, totals: without.totals };
  expect(await standing()).toEqual(lasting);

  answerOf(await world.engine.ask("batches.undo", { batch: second }));
  expect(await standing()).toEqual(ending);
  answerOf(await world.engine.ask("batches.undo", { batch: first }));
  expect(await standing()).toEqual(without);
  answerOf(await world.engine.ask("batches.redo", { batch: second }));
  expect(await standing()).toEqual(lasting);
});
