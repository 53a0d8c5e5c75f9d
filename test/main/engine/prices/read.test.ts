import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { readPriceSheet } from "../../../../main/engine/prices/read.ts";
import type { PriceSheet, SheetPrice } from "../../../../main/engine/prices/sheet.ts";
import { reference } from "../reference/shared.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/prices");
const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-prices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string) => readPriceSheet(join(fixtures, file), reference, "2026-12-01");
const written = (name: string, content: string | Buffer) => {
  writeFileSync(join(folder, name), content);
  return readPriceSheet(join(folder, name), reference, "2026-12-01");
};
async function sheetOf(file: string): Promise<PriceSheet> {
  const result = await read(file);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
const short = ({ provider, instanceType, region, mode, payment, currency, pricePerHour, upfront, acceleratorId, acceleratorCount, scope, priceDate }: SheetPrice) =>
  [provider, instanceType, region, mode, payment, currency, pricePerHour, upfront, acceleratorId, acceleratorCount, scope, priceDate].join(" ");

describe("price sheets", () => {
  it("reads an AWS offer file: Linux, shared, on demand and reserved with its upfront fee; Windows and machines without GPUs are left out", async () => {
    const sheet = await sheetOf("aws-offer.csv");
    expect(sheet.prices.map(short)).toEqual([
      "aws p5.48xlarge us-east-1 on-demand  USD 50 0 nvidia-h100-sxm5-80gb 8 machine 2026-11-01",
      "aws p5.48xlarge us-east-1 commit-3y partial USD 12.5 262800 nvidia-h100-sxm5-80gb 8 machine 2026-11-01",
    ]);
    expect([sheet.format, sheet.priceDate, sheet.rowsRead, sheet.rowsSkipped]).toEqual(["aws-offer", "2026-11-01", 5, 2]);
  });

  it("reads the same list as JSON", async () => {
    expect((await sheetOf("aws-offer.json")).prices.map((price) => [short(price), price.isConvertible])).toEqual([
      ["aws g6.xlarge eu-west-1 on-demand  USD 0.9 0 nvidia-l4 1 machine 2026-11-01", false],
      ["aws g6.xlarge eu-west-1 commit-1y all USD 0 4380 nvidia-l4 1 machine 2026-11-01", true],
    ]);
  });

  it("reads what aws pricing get-products prints, and refuses it when a product is cut", async () => {
    const { products, terms } = JSON.parse(readFileSync(join(fixtures, "aws-offer.json"), "utf8")) as { products: Record<string, unknown>; terms: Record<string, Record<string, unknown>> };
    const product = JSON.stringify({ product: products["AAA1"], terms: Object.fromEntries(Object.entries(terms).map(([kind, bySku]) => [kind, bySku["AAA1"]])) });
    const result = await written("products.json", JSON.stringify({ FormatVersion: "aws_v1", PriceList: [product] }));
    expect(result.ok && result.value.prices.map(short)).toEqual((await sheetOf("aws-offer.json")).prices.map(short));
    expect(await written("products.json", JSON.stringify({ PriceList: [product.slice(0, -9)] }))).toMatchObject({ ok: false, error: { code: "prices.broken" } });
  });

  it("reads Azure retail prices with spot, reservations and savings plans", async () => {
    expect((await sheetOf("azure-retail.json")).prices.map(short)).toEqual([
      "azure Standard_NC24ads_A100_v4 eastus on-demand  USD 3.7 0 nvidia-a100-pcie-80gb 1 machine 2026-10-01",
      "azure Standard_NC24ads_A100_v4 eastus savings-1y none USD 2.6 0 nvidia-a100-pcie-80gb 1 machine 2026-10-01",
      "azure Standard_NC24ads_A100_v4 eastus savings-3y none USD 1.7 0 nvidia-a100-pcie-80gb 1 machine 2026-10-01",
      "azure Standard_NC24ads_A100_v4 eastus spot  USD 0.8 0 nvidia-a100-pcie-80gb 1 machine 2026-11-01",
      "azure Standard_NC24ads_A100_v4 eastus commit-1y all USD 0 21900 nvidia-a100-pcie-80gb 1 machine 2026-10-01",
    ]);
    expect((await sheetOf("azure-retail.csv")).prices.map(short)).toEqual(["azure Standard_ND96isr_H100_v5 westeurope on-demand  EUR 88.5 0 nvidia-h100-sxm5-80gb 8 machine 2026-10-01"]);
  });

  it("puts Google's machines together from accelerator, cores and memory, and keeps the accelerator's own price", async () => {
    const prices = (await sheetOf("gcp-pricing.csv")).prices.map(short);
    // g2-standard-4: one L4, 4 vCPU, 16 GiB: 0.6 + 4 × 0.03 + 16 × 0.003
    expect(prices).toContain("gcp g2-standard-4 europe-west1 on-demand  USD 0.768 0 nvidia-l4 1 machine 2026-11-15");
    expect(prices).toContain("gcp N1 attach nvidia-l4 europe-west1 on-demand  USD 0.6 0 nvidia-l4 1 accelerator 2026-11-15");
    expect((await sheetOf("gcp-pricing.json")).prices.map(short)).toEqual(["gcp N1 attach nvidia-h100-sxm5-80gb us-central1 commit-1y none USD 5.25 0 nvidia-h100-sxm5-80gb 1 accelerator 2026-11-15"]);
  });

  it("reads a sheet of one's own: machines of other providers, names in Chinese, prepaid months", async () => {
    expect((await sheetOf("own.csv")).prices.map(short)).toEqual([
      "nebius gpu-h200-sxm-8 eu-north1 on-demand  USD 28 0 nvidia-h200-sxm 8 machine 2026-11-20",
      "aws p5.48xlarge us-east-1 commit-3y none USD 20 0 nvidia-h100-sxm5-80gb 8 machine 2026-11-21",
      "alibaba ecs.gn7i-c8g1.2xlarge cn-hangzhou subscription-1m all CNY 0 5475 nvidia-a10 1 machine 2026-11-01",
    ]);
  });

  it("reads a sheet that is packed, or in UTF-16", async () => {
    const text = readFileSync(join(fixtures, "own.csv"), "utf8");
    for (const bytes of [gzipSync(text), Buffer.from(`\uFEFF${text}`, "utf16le")]) {
      const result = await written("own-again.csv", bytes);
      expect(result.ok && result.value.prices.length).toBe(3);
    }
  });

  const head = "provider,instance_type,region,mode,currency,price_per_hour,unit";
  it.each([
    ["a price below 0", `${head}\nAWS,p5.48xlarge,us-east-1,on-demand,USD,-1,hour`, { code: "import.value-invalid", params: { line: 2, column: "price_per_hour", value: "-1", expected: "not-negative" } }],
    ["no currency", `${head}\nAWS,p5.48xlarge,us-east-1,on-demand,,1,hour`, { code: "import.value-invalid", params: { line: 2, column: "currency", expected: "required" } }],
    ["a unit that is no hour", `${head}\nAWS,p5.48xlarge,us-east-1,on-demand,USD,1,month`, { code: "import.value-invalid", params: { line: 2, column: "unit", value: "month", expected: "price-hour" } }],
    ["a price in words", `${head}\nAWS,p5.48xlarge,us-east-1,on-demand,USD,free,hour`, { code: "import.value-invalid", params: { expected: "decimal" } }],
    ["an unknown way of buying", `${head}\nAWS,p5.48xlarge,us-east-1,lease,USD,1,hour`, { code: "import.value-invalid", params: { column: "mode", expected: "purchase-mode" } }],
    ["a lost column", "provider,instance_type,price_per_hour\nAWS,p5.48xlarge,1", { code: "import.column-missing", params: { columns: "mode, currency" } }],
    ["a header and nothing else", `${head}\n`, { code: "prices.no-accelerators", params: { rows: 0 } }],
    ["something else", "name,age\nx,1\n", { code: "prices.unrecognized" }],
    ["nothing", "", { code: "import.empty" }],
    ["half a JSON", '{"Items": [{"armSkuName": "Standard_NC24ads_A100_v4", "retailPrice": 1', { code: "prices.broken" }],
  ])("refuses a sheet with %s, whole and in words", async (_name, content, error) => {
    expect(await written("bad.csv", content)).toMatchObject({ ok: false, error });
  });

  it("refuses AWS and Azure rows by the same rules", async () => {
    const aws = readFileSync(join(fixtures, "aws-offer.csv"), "utf8");
    expect(await written("aws.csv", aws.replace('"Hrs","50.0000000000","USD"', '"GB-Mo","50.0000000000","USD"'))).toMatchObject({ ok: false, error: { params: { line: 7, column: "Unit", expected: "price-hour" } } });
    expect(await written("aws.csv", aws.replace('"50.0000000000","USD"', '"50.0000000000",""'))).toMatchObject({ ok: false, error: { params: { line: 7, column: "Currency", expected: "currency" } } });
    const azure = readFileSync(join(fixtures, "azure-retail.csv"), "utf8");
    expect(await written("azure.csv", azure.replace("88.5,88.5", "-88.5,-88.5"))).toMatchObject({ ok: false, error: { params: { line: 2, column: "retailPrice", expected: "not-negative" } } });
  });
});
