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

it("does not take the unused part on the row of a fee for a second count", async () => {
  expect(await findingsOf([{ ...right, ChargeCategory: "Purchase", ChargeFrequency: "Recurring", CommitmentDiscountId: "sp-1", CommitmentDiscountStatus: "Unused", PricingCategory: "Committed" }])).toEqual([]);
});

it("finds an account whose days stand in two exports, and is content when one of them is undone", async () => {
  await findingsOf([right]);
  // The same account under another billing account and spelling of the provider: as a native export beside a FOCUS one.
  const found = await findingsOf([{ ...right, BillingAccountId: "another", ProviderName: "Amazon Web Services", PublisherName: "Amazon", BilledCost: "8.4", EffectiveCost: "8.4", ContractedCost: "8.4" }]);
  expect(found).toEqual([["counted-twice", "Amazon Web Services", 1, "8.4"]]);
  await engine.ask("batches.undo", { batch: 2 });
  expect(await engine.ask("quality.read", { period: "2026-09" })).toEqual({ ok: true, value: { findings: [] } });
});

it("takes an actual and an amortized export of Azure for two halves of one bill", async () => {
  const fixtures = join(import.meta.dirname, "../../../fixtures/billing/azure");
  for (const name of ["enterprise-actual.csv", "enterprise-amortized.csv"]) {
    const preview = await engine.ask("import.preview", { files: [join(fixtures, name)], options: {} });
    if (!preview.ok) throw new Error(preview.error.code);
    expect(await engine.ask("import.post", { plan: preview.value.plan })).toMatchObject({ ok: true, value: { files: [{ state: "posted" }] } });
  }
  for (const period of ["2025", "2026"]) {
    const read = await engine.ask("quality.read", { period });
    expect(read.ok && read.value.findings.filter(({ check }) => check === "counted-twice")).toEqual([]);
  }
});

it("leaves other accounts and other days alone", async () => {
  await findingsOf([right]);
  expect(await findingsOf([{ ...right, BillingAccountId: "another", SubAccountId: "2" }])).toEqual([]);
  expect(await findingsOf([{ ...right, BillingAccountId: "third", ChargePeriodStart: "2026-09-09T00:00:00Z", ChargePeriodEnd: "2026-09-09T01:00:00Z" }])).toEqual([]);
});

it("finds effective costs that lost their digits", async () => {
  expect(await findingsOf([{ ...right, EffectiveCost: "8" }, { ...right, ChargeDescription: "other", BilledCost: "0.5", EffectiveCost: "0" }])).toEqual([["effective-whole-numbers", "AWS", 2, "8"]]);
});

it("finds a billing period that begins in the middle of a month, and a provider in two currencies", async () => {
  const odd = { BillingPeriodStart: "2026-09-05T00:00:00Z", BillingPeriodEnd: "2026-10-05T00:00:00Z", ChargePeriodStart: "2026-09-06T00:00:00Z", ChargePeriodEnd: "2026-09-06T01:00:00Z" };
  expect(await findingsOf([{ ...right, ...odd }])).toEqual([["period-not-first", "AWS", 1, null]]);
  expect(await findingsOf([right, { ...right, BillingCurrency: "EUR", SubAccountId: "2" }])).toContainEqual(["several-currencies", "AWS", expect.any(Number), null]);
});
