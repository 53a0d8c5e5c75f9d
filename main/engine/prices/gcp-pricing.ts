/**
 * Google's pricing: the BigQuery export `cloud_pricing_export` as CSV or JSON, or pages of the Catalog API. Google sells accelerators, cores and
 * memory by SKU: an accelerator is kept as a price of its own, and a machine type is put together where the sheet has all three.
 */
import type { PriceMode } from "../../../shared/contract/offers.ts";
import { add, decimal, fromNumber, multiply, toDecimal, type Rational } from "../../../shared/domain/rational.ts";
import type { Reference } from "../reference/catalog.ts";
import { recognizeGpuCharge } from "../reference/charge.ts";
import { currencyText, dayText, fieldsOf, isNothing, listOf, priceText, recordsOf, refuse, textIn, type Fields, type SheetFile, type SheetPrice } from "./sheet.ts";

export function looksLikeGcpPricing({ start, isJson }: SheetFile): boolean {
  return isJson ? /"(sku|skus|skuId)"/.test(start) && /"(list_price|pricingInfo|billing_account_price)"/.test(start) : /sku[._ ]description/i.test(start) && /(list_price|list price|usd_amount|account_currency_amount)/i.test(start);
}

interface SkuPrice {
  readonly line: number;
  readonly description: string;
  readonly usageType: string;
  readonly regions: readonly string[];
  readonly unit: string;
  readonly price: string;
  readonly currency: string;
  readonly day: string;
}

export async function readGcpPricingCsv(sheet: SheetFile, reference: Reference): Promise<{ readonly prices: SheetPrice[]; readonly rowsRead: number; readonly rowsSkipped: number }> {
  const skus: SkuPrice[] = [];
  let header: ReadonlyMap<string, number> | null = null;
  let rowsRead = 0;
  for await (const { cells, line } of recordsOf(sheet)) {
    if (header === null) {
      header = new Map(cells.map((name, index) => [name.toLowerCase().replace(/[\s.]+/g, "_"), index]));
      continue;
    }
    rowsRead += 1;
    const at = header;
    const cell = (...names: readonly string[]): string => names.map((name) => cells[at.get(name) ?? -1] ?? "").find((text) => text !== "") ?? "";
    const account = cell("list_price_tiered_rates_account_currency_amount", "account_currency_amount", "billing_account_price_tiered_rates_account_currency_amount");
    const dollars = cell("list_price_tiered_rates_usd_amount", "usd_amount", "list_price_($)", "list_price");
    skus.push({
      line,
      description: cell("sku_description"),
      usageType: cell("usage_type", "consumption_model_description"),
      regions: cell("geo_taxonomy_regions", "regions", "region", "service_regions").replace(/[[\]"']/g, "").split(/[;,|\s]+/).filter((region) => region !== ""),
      unit: cell("pricing_unit", "pricing_unit_description", "unit_description", "usage_unit"),
      price: account || dollars,
      currency: account === "" ? (dollars === "" ? "" : "USD") : cell("account_currency_code", "currency"),
      day: cell("pricing_as_of_time", "export_time", "price_date"),
    });
  }
  return { ...pricesOf(sheet.name, skus, reference), rowsRead };
}

export function readGcpPricingJson(sheet: SheetFile, root: unknown, reference: Reference): { readonly prices: SheetPrice[]; readonly rowsRead: number; readonly rowsSkipped: number } {
  const top = Array.isArray(root) ? (root as unknown[]) : [root];
  const rows = top.flatMap((page) => (Array.isArray(fieldsOf(page)["skus"]) ? listOf(fieldsOf(page)["skus"]) : [page])).map(fieldsOf);
  return { ...pricesOf(sheet.name, rows.map((row) => ("pricingInfo" in row ? catalogSku(row) : exportedSku(row))), reference), rowsRead: rows.length };
}

function exportedSku(row: Fields): SkuPrice {
  const sku = fieldsOf(row["sku"]);
  const stated = fieldsOf(row["list_price"] ?? row["billing_account_price"]);
  const tier = fieldsOf(listOf(stated["tiered_rates"]).at(-1));
  const account = textIn(tier, "account_currency_amount");
  return {
    line: 0, description: textIn(sku, "description"), usageType: textIn(row, "usage_type"), regions: listOf(fieldsOf(row["geo_taxonomy"])["regions"]).map(String),
    unit: textIn(row, "pricing_unit") || textIn(row, "pricing_unit_description"), price: account || textIn(tier, "usd_amount"),
    currency: account === "" ? (textIn(tier, "usd_amount") === "" ? "" : "USD") : textIn(row, "account_currency_code"), day: textIn(row, "pricing_as_of_time") || textIn(row, "export_time"),
  };
}

function catalogSku(row: Fields): SkuPrice {
  const info = fieldsOf(listOf(row["pricingInfo"]).at(-1));
  const expression = fieldsOf(info["pricingExpression"]);
  const price = fieldsOf(fieldsOf(listOf(expression["tieredRates"]).at(-1))["unitPrice"]);
  const nanos = textIn(price, "nanos") || "0";
  const units = textIn(price, "units") || "0";
  const isNegative = units.startsWith("-") || nanos.startsWith("-");
  return {
    line: 0, description: textIn(row, "description"), usageType: textIn(fieldsOf(row["category"]), "usageType"), regions: listOf(row["serviceRegions"]).map(String),
    unit: textIn(expression, "usageUnit"), price: `${isNegative ? "-" : ""}${units.replace("-", "")}.${nanos.replace("-", "").padStart(9, "0")}`,
    currency: textIn(price, "currencyCode"), day: textIn(info, "effectiveTime"),
  };
}

/** What a family's cores and memory are called in SKUs, by the beginning of its machine types. */
const familyWords: readonly (readonly [string, string])[] = [
  ["a2-", "A2"], ["a3-highgpu", "A3"], ["a3-edgegpu", "A3"], ["a3-megagpu", "A3Plus"], ["a3-ultragpu", "A3Ultra"], ["a4-", "A4"], ["g2-", "G2"], ["g4-", "G4"],
];

function pricesOf(file: string, skus: readonly SkuPrice[], reference: Reference): { readonly prices: SheetPrice[]; readonly rowsSkipped: number } {
  const prices: SheetPrice[] = [];
  let rowsSkipped = 0;
  /** Key: part, region, mode, currency. */
  const parts = new Map<string, { readonly price: Rational; readonly day: string; readonly line: number }>();
  for (const sku of skus) {
    const host = /\b(\w+) Instance (Core|Ram)\b/i.exec(sku.description);
    const mode = modeOf(sku);
    const found = host === null ? recognizeGpuCharge(reference, { provider: "gcp", skuDescription: sku.description }) : null;
    const part = host === null ? (found?.acceleratorId ?? null) : `${(host[1] ?? "").toLowerCase()} ${(host[2] ?? "").toLowerCase()}`;
    if (part === null || mode === null) {
      rowsSkipped += 1;
      continue;
    }
    if (!(host === null ? /^(h|hour|count)$/i : /^(h|hour|gibibyte[ .]hour|giby\.h)$/i).test(sku.unit)) refuse(file, sku.line, "pricing_unit", sku.unit, "price-hour");
    const price = priceText(file, sku.line, "price", sku.price);
    const currency = currencyText(file, sku.line, "currency", sku.currency);
    const day = dayText(file, sku.line, "pricing_as_of_time", sku.day);
    if (isNothing(price)) continue;
    if (sku.regions.length === 0) refuse(file, sku.line, "geo_taxonomy.regions", "", "required");
    for (const region of sku.regions) {
      parts.set([part, region, mode, currency].join("\n"), { price: decimal(price), day, line: sku.line });
      if (host === null && found !== null) {
        prices.push({
          line: sku.line, provider: "gcp", instanceType: `N1 attach ${part}`, region, mode, payment: mode === "commit-1y" || mode === "commit-3y" ? "none" : null, isConvertible: false, currency,
          pricePerHour: price, upfront: "0", acceleratorId: part, acceleratorCount: 1, scope: "accelerator", priceDate: day,
        });
      }
    }
  }
  for (const type of reference.instanceTypes) {
    const family = familyWords.find(([start]) => type.instanceType.startsWith(start))?.[1].toLowerCase();
    if (type.provider !== "gcp" || family === undefined || type.acceleratorCount === null || type.vcpu === null || type.memoryGib === null) continue;
    for (const [key, accelerator] of parts) {
      const [part = "", region = "", mode = "", currency = ""] = key.split("\n");
      if (part !== type.acceleratorId) continue;
      const [core, memory] = ["core", "ram"].map((kind) => parts.get([`${family} ${kind}`, region, mode, currency].join("\n")));
      if (core === undefined || memory === undefined) continue;
      const whole = [multiply(accelerator.price, fromNumber(type.acceleratorCount)), multiply(core.price, fromNumber(type.vcpu)), multiply(memory.price, fromNumber(type.memoryGib))].reduce(add);
      prices.push({
        line: accelerator.line, provider: "gcp", instanceType: type.instanceType, region, mode: mode as PriceMode, payment: mode === "commit-1y" || mode === "commit-3y" ? "none" : null, isConvertible: false, currency,
        pricePerHour: toDecimal(whole), upfront: "0", acceleratorId: type.acceleratorId, acceleratorCount: type.acceleratorCount, scope: "machine", priceDate: accelerator.day,
      });
    }
  }
  return { prices, rowsSkipped };
}

/** Null for what is neither usage nor a commitment of the usual terms (calendar mode, dynamic workload scheduler, sole tenancy). */
function modeOf({ description, usageType }: SkuPrice): PriceMode | null {
  if (/DWS|Calendar Mode|Sole Tenancy|Reserved|Flex Start|Defined Duration/i.test(description)) return null;
  if (/Commit1Yr/i.test(usageType) || /Commitment.*1 Year/i.test(description)) return "commit-1y";
  if (/Commit3Yr/i.test(usageType) || /Commitment.*3 Year/i.test(description)) return "commit-3y";
  if (/Commitment/i.test(description)) return null;
  return /Preemptible/i.test(usageType) || /Spot|Preemptible/i.test(description) ? "spot" : "on-demand";
}
