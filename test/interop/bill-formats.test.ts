import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { recognizeBilling } from "../../main/engine/formats/index.ts";
import { sniff } from "../../main/engine/import/sniff.ts";
import { readingOf } from "../main/engine/import/read-bill.ts";

/** Real bills, where they are at hand: `../shared/samples/billing` beside the project. */
const samples = join(import.meta.dirname, "../../../shared/samples/billing");
const isPresent = existsSync(samples);
const files = (folder: string): string[] => (isPresent ? readdirSync(join(samples, folder)).filter((name) => name.endsWith(".csv")) : []);
const isNoBill = (name: string): boolean => name.includes("opendata");

describe.skipIf(!isPresent)("real bills of Azure, Google and Oracle (skipped where ../shared/samples is absent)", () => {
  it.each(files("azure").filter((name) => !isNoBill(name)))("azure/%s adds to the file's own sums, digit for digit", async (name) => {
    const path = join(samples, "azure", name);
    const table = independently(path);
    const cost = columnOf(table, "costinbillingcurrency", "cost", "pretaxcost");
    const currency = columnOf(table, "billingcurrencycode", "billingcurrency", "currency");
    const stated = table.filter((row) => (row[cost] ?? "") !== "");
    const reading = await readingOf(path);
    expect(reading).toMatchObject({ format: "azure", rowsRead: table.length, rowsPosted: stated.length, rowsSetAside: table.length - stated.length });
    expect(billed(reading.totals)).toEqual(byCurrency(stated, (row) => row[currency] ?? "XXX", (row) => [row[cost] ?? ""]));
  });

  it.each(files("azure").filter(isNoBill))("azure/%s is a look-up table, and is refused", async (name) => {
    const sniffed = await sniff(join(samples, "azure", name));
    if (!sniffed.ok) throw new Error(sniffed.error.code);
    expect(recognizeBilling(sniffed.value)).toMatchObject({ ok: false, error: { code: "import.unrecognized" } });
  });

  it.each(files("gcp"))("gcp/%s adds to cost and every credit, digit for digit", async (name) => {
    const path = join(samples, "gcp", name);
    const table = independently(path);
    const reading = await readingOf(path);
    expect(reading).toMatchObject({ format: "gcp", rowsRead: table.length, rowsPosted: table.length, rowsSetAside: 0 });
    const amounts = (row: Record<string, string>): string[] => [row["cost"] ?? "", ...[...(row["credits"] ?? "").matchAll(/'amount': ([^,]+),/g)].map(([, amount]) => amount ?? "")];
    expect(billed(reading.totals)).toEqual(byCurrency(table, (row) => row["currency"] ?? "", amounts));
  });

  it.each(files("oci"))("oci/%s adds to its own cost column, digit for digit", async (name) => {
    const path = join(samples, "oci", name);
    const table = independently(path);
    const reading = await readingOf(path);
    expect(reading).toMatchObject({ format: "oci", rowsRead: table.length, rowsPosted: table.length, rowsSetAside: 0 });
    expect(billed(reading.totals)).toEqual(byCurrency(table, (row) => row["costcurrencycode"] ?? "", (row) => [row["costmycost"] ?? ""]));
  });
});

/** Another reader's reading: csv-parse. */
function independently(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: (header: string[]) => header.map(plainName), bom: true, relax_column_count: true });
}

function plainName(name: string): string {
  return (/\((\w+)\)\s*$/.exec(name)?.[1] ?? name).toLowerCase().replace(/[^a-z0-9]/g, "");
}

function columnOf(table: readonly Record<string, string>[], ...names: readonly string[]): string {
  return names.find((name) => table.some((row) => name in row)) ?? "";
}

function billed(totals: Readonly<Record<string, { readonly BilledCost: string | null }>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(totals).map(([currency, { BilledCost }]) => [currency, BilledCost]));
}

function byCurrency(rows: readonly Record<string, string>[], currencyOf: (row: Record<string, string>) => string, amountsOf: (row: Record<string, string>) => readonly string[]): Record<string, string> {
  const amounts = new Map<string, string[]>();
  for (const row of rows) amounts.set(currencyOf(row), [...(amounts.get(currencyOf(row)) ?? []), ...amountsOf(row)]);
  return Object.fromEntries([...amounts].map(([currency, texts]) => [currency, sumOf(texts)]));
}

/** Decimal texts added as whole numbers of 1e-36. */
function sumOf(texts: readonly string[]): string {
  let total = 0n;
  for (const text of texts) {
    const [, sign, whole = "", decimals = "", exponent = "0"] = /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
    const shift = 36 - decimals.length + Number(exponent);
    const magnitude = shift >= 0 ? BigInt(whole + decimals) * 10n ** BigInt(shift) : BigInt(whole + decimals) / 10n ** BigInt(-shift);
    total += sign === "-" ? -magnitude : magnitude;
  }
  const digits = (total < 0n ? -total : total).toString().padStart(37, "0");
  return `${total < 0n ? "-" : ""}${digits.slice(0, -36)}.${digits.slice(-36)}`.replace(/0+$/, "").replace(/\.$/, "");
}
