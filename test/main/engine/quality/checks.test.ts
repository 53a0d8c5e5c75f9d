import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");
let folder = "";
let engine: Engine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-quality-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined });
  await engine.ask("ledger.open", { file: join(folder, "mine.gpuledger"), create: true });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const header = "BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,ChargeCategory,ChargeFrequency,ChargeDescription,CommitmentDiscountId,CommitmentDiscountStatus,PricingCategory,ConsumedQuantity,ConsumedUnit,ProviderName,PublisherName,ServiceName,SubAccountId";
interface Row { readonly [column: string]: string }
const right: Row = {
  BillingAccountId: "1", BillingPeriodStart: "2026-09-01T00:00:00Z", BillingPeriodEnd: "2026-10-01T00:00:00Z", ChargePeriodStart: "2026-09-02T00:00:00Z", ChargePeriodEnd: "2026-09-02T01:00:00Z",
  BilledCost: "8.5", EffectiveCost: "8.5", ListCost: "10", ContractedCost: "9", BillingCurrency: "USD", ChargeCategory: "Usage", ChargeFrequency: "Usage-Based", ChargeDescription: "right", PricingCategory: "Standard", ConsumedQuantity: "1", ConsumedUnit: "Hours", ProviderName: "AWS", PublisherName: "AWS", ServiceName: "EC2", SubAccountId: "1",
};

async function findingsOf(rows: readonly Row[]): Promise<(readonly [string, string | null, number, string | null])[]> {
  const names = header.split(",");
  const file = join(folder, "bill.csv");
  writeFileSync(file, `${[header, ...rows.map((row) => names.map((name) => row[name] ?? "").join(","))].join("\n")}\n`);
  const preview = await engine.ask("import.preview", { files: [file], options: {} });
  if (!preview.ok) throw new Error(preview.error.code);
  const posted = await engine.ask("import.post", { plan: preview.value.plan });
  if (!posted.ok) throw new Error(posted.error.code);
  const read = await engine.ask("quality.read", { period: "2026-09" });
  if (!read.ok) throw new Error(read.error.code);
  return read.value.findings.map(({ check, provider, rows: count, amount }) => [check, provider, count, amount] as const);
}

it("finds nothing in a bill that is right, unused commitments and tax without a list price included", async () => {
  expect(await findingsOf([right, { ...right, ChargeDescription: "unused", ListCost: "0", ContractedCost: "0", CommitmentDiscountId: "sp-1", CommitmentDiscountStatus: "Unused", PricingCategory: "Committed" }, { ...right, ChargeCategory: "Tax", ChargeDescription: "VAT", ListCost: "", ContractedCost: "", PublisherName: "" }])).toEqual([]);
});

it.each<[string, Row, string]>([
  ["list-missing", { ListCost: "0" }, "8.5"],
  ["contracted-missing", { ContractedCost: "0" }, "8.5"],
  ["list-below-contracted", { ListCost: "8.9" }, "8.5"],
  ["contracted-below-effective", { ContractedCost: "8" }, "8.5"],
  ["purchase-effective-cost", { ChargeCategory: "Purchase", ChargeFrequency: "One-Time", CommitmentDiscountId: "sp-1", PricingCategory: "" }, "8.5"],
  ["standard-with-commitment", { CommitmentDiscountId: "sp-1", CommitmentDiscountStatus: "Used" }, "8.5"],
  ["cost-without-quantity", { ConsumedQuantity: "0" }, "8.5"],
  ["purchase-usage-based", { ChargeCategory: "Purchase", EffectiveCost: "0", CommitmentDiscountId: "sp-1", PricingCategory: "" }, "0"],
  ["publisher-missing", { PublisherName: "" }, "8.5"],
])("finds %s, with its rows and their cost", async (check, wrong, amount) => {
  const found = await findingsOf([right, { ...right, ChargeDescription: "wrong", ...wrong }]);
  expect(found).toEqual([[check, "AWS", 1, amount]]);
});

it("lets prices differ by what two rounded columns may", async () => {
  expect(await findingsOf([{ ...right, ListCost: "9", ContractedCost: "9.00005" }])).toEqual([]);
});

it("finds effective costs that lost their digits", async () => {
  expect(await findingsOf([{ ...right, EffectiveCost: "8" }, { ...right, ChargeDescription: "other", BilledCost: "0.5", EffectiveCost: "0" }])).toEqual([["effective-whole-numbers", "AWS", 2, "8"]]);
});

it("finds a billing period that begins in the middle of a month, and a provider in two currencies", async () => {
  const odd = { BillingPeriodStart: "2026-09-05T00:00:00Z", BillingPeriodEnd: "2026-10-05T00:00:00Z", ChargePeriodStart: "2026-09-06T00:00:00Z", ChargePeriodEnd: "2026-09-06T01:00:00Z" };
  expect(await findingsOf([{ ...right, ...odd }])).toEqual([["period-not-first", "AWS", 1, null]]);
  expect(await findingsOf([right, { ...right, BillingCurrency: "EUR", SubAccountId: "2" }])).toContainEqual(["several-currencies", "AWS", expect.any(Number), null]);
});
