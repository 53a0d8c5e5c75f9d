import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalName, recognizeBill } from "../../../../main/engine/formats/format.ts";
import { billingFormats, recognizeBilling } from "../../../../main/engine/formats/index.ts";
import { sniff } from "../../../../main/engine/import/sniff.ts";
import type { PlainReading } from "../import/read-bill.ts";
import { fixtures, readingOf } from "../import/read-bill.ts";

const files = billingFormats.flatMap(({ id }) => readdirSync(join(fixtures, id)).filter((name) => /\.(?:csv|jsonl?)$/.test(name) && !name.endsWith(".expected.json")).map((name) => ({ id, name, path: join(fixtures, id, name) })));

describe("billing formats", () => {
  it.each(files)("$id/$name is recognized by exactly one format", async ({ id, path }) => {
    const sniffed = await sniff(path);
    if (!sniffed.ok) throw new Error(sniffed.error.code);
    const { header } = sniffed.value;
    const claims = billingFormats.map((format) => recognizeBill(format, header)).filter(({ score, missing }) => score >= 0.5 && missing.length === 0);
    const lite = billingFormats.map((format) => recognizeBill(format, header)).filter(({ score, missing }) => score > 0 && missing.length === 0);
    expect((claims.length > 0 ? claims : lite).map(({ formatId }) => formatId)).toEqual([id]);
    expect(recognizeBilling(sniffed.value)).toMatchObject({ ok: true, value: { formatId: id } });
  });

  // Made anew with EXPECTED=write; the difference is then read like code.
  it.each(files)("$id/$name reads as written beside it", async ({ path }) => {
    const reading = await readingOf(path);
    const beside = path.replace(/\.\w+$/, ".expected.json");
    if (process.env["EXPECTED"] === "write") writeFileSync(beside, `${JSON.stringify(reading, null, 2)}\n`);
    expect(existsSync(beside)).toBe(true);
    expect(reading).toEqual(JSON.parse(readFileSync(beside, "utf8")) as PlainReading);
  });

  it("compares header names without case, spaces and punctuation", () => {
    expect(["lineItem/UnblendedCost", "line_item_unblended_cost", " LINEITEM unblended-cost"].map(canonicalName)).toEqual(Array(3).fill("lineitemunblendedcost"));
    expect(canonicalName("savings_plan_savings_plan_a_r_n")).toBe(canonicalName("savingsPlan/SavingsPlanARN"));
  });

  it("names exactly the columns that a bill lacks", () => {
    expect(recognizeBilling({ name: "x.csv", header: ["BilledCost", "ChargeCategory", "AllocatedMethodId"] })).toEqual({
      ok: false,
      error: { code: "import.column-missing", params: { file: "x.csv", format: "focus", columns: "ChargePeriodStart" } },
    });
  });

  it("says what a Contract Commitment dataset is, and that a look-up table is nothing it knows", () => {
    expect(recognizeBilling({ name: "c.csv", header: ["ContractCommitmentId", "BillingCurrency"] })).toEqual({ ok: false, error: { code: "import.other-dataset", params: { file: "c.csv", dataset: "focus-contract-commitment" } } });
    expect(recognizeBilling({ name: "p.csv", header: ["MeterId", "MeterName", "MeterCategory", "TierMinimumUnits", "UnitPrice"] })).toMatchObject({ error: { params: { dataset: "azure-price-sheet" } } });
    expect(recognizeBilling({ name: "r.csv", header: ["OriginalValue", "RegionId", "RegionName"] })).toEqual({ ok: false, error: { code: "import.unrecognized", params: { file: "r.csv", closest: null, missing: "" } } });
  });

  it.each([
    ["1.4", ["BilledCost", "InvoiceDetailId", "ServiceProviderName"]],
    ["1.3", ["BilledCost", "ServiceProviderName", "InvoiceId"]],
    ["1.2", ["BilledCost", "PricingCurrency", "SkuMeter"]],
    ["1.1", ["BilledCost", "SkuMeter", "ChargeClass"]],
    ["1.0", ["BilledCost", "ChargeClass", "BillingAccountType", "SubAccountType"]],
    ["1.0-preview", ["BilledCost", "UsageQuantity", "ChargeSubcategory"]],
    ["0.5", ["BilledCost", "AmortizedCost"]],
  ])("tells FOCUS %s by its columns", (version, header) => {
    const [focus] = billingFormats;
    expect(focus === undefined ? null : recognizeBill(focus, header).version).toBe(version);
  });
});
