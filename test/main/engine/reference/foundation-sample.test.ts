import { parse } from "csv-parse/sync";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recognizeGpuCharge } from "../../../../main/engine/reference/charge.ts";
import { reference, sharedFile } from "./shared.ts";

const sample = sharedFile("samples/billing/focus/focus-1.0_foundation-sample_1000rows_multi-provider.csv");

describe("the FOCUS Foundation sample", () => {
  it.skipIf(sample === null)("holds ten GPU rows, eight g5.4xlarge and two g3.4xlarge, and no other (skipped without ../shared)", () => {
    const rows: Record<string, string>[] = parse(readFileSync(sample ?? "", "utf8"), { columns: true, bom: true });
    const found = rows.flatMap((row) => {
      const recognition = recognizeGpuCharge(reference, {
        provider: row["ProviderName"] ?? null,
        serviceName: row["ServiceName"] ?? null,
        chargeCategory: row["ChargeCategory"] ?? null,
        pricingCategory: row["PricingCategory"] ?? null,
        chargeDescription: row["ChargeDescription"] ?? null,
        pricingUnit: row["PricingUnit"] ?? null,
        consumedUnit: row["ConsumedUnit"] ?? null,
      });
      return recognition === null ? [] : [recognition];
    });
    expect(rows).toHaveLength(1000);
    expect(found.map(({ instanceType, model }) => `${instanceType ?? ""} ${model}`).sort()).toEqual([
      ...Array<string>(2).fill("g3.4xlarge M60"),
      ...Array<string>(8).fill("g5.4xlarge A10G"),
    ]);
    expect(found.every(({ gpuCount, hoursMeaning, step, purchaseHint }) => gpuCount === 1 && hoursMeaning === "instance-hours" && step === "description" && purchaseHint === "on-demand")).toBe(true);
  });

  it.each(["focus-data-toolkit_aws_1_2_cost_and_usage_rows100.csv", "focus-data-toolkit_azure_1_2_cost_and_usage_rows100.csv", "focus-data-toolkit_gcp_1_3_cost_and_usage_rows100.csv"].map((file) => [file, sharedFile(`samples/billing/focus/${file}`)] as const))(
    "has no accelerator in %s, which is no GPU bill",
    (_file, path) => {
      if (path === null) return;
      const rows: Record<string, string>[] = parse(readFileSync(path, "utf8"), { columns: true, bom: true });
      const found = rows.filter((row) => recognizeGpuCharge(reference, { provider: row["ProviderName"] ?? null, skuMeter: row["SkuMeter"] ?? null, chargeDescription: row["ChargeDescription"] ?? null, serviceName: row["ServiceName"] ?? null }));
      expect(found.map((row) => row["ChargeDescription"])).toEqual([]);
    },
  );
});
