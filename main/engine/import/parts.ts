import { basename, dirname, join } from "node:path";
import { existsSync, readFileSync } from "node:fs";
import type { FileReport, MoneyTotals } from "../../../shared/contract/methods.ts";
import { moneyColumns } from "../../../shared/domain/charge.ts";
import { add, parseDecimal, toDecimal } from "../../../shared/domain/rational.ts";

/** Whether a name alone makes it worth asking what a file is, since it may be a part of something. */
export function mayBePart(path: string): boolean {
  return nameKey(basename(path), "aws-cur") !== null || /(?:BILLING_PERIOD=\d{4}-\d{2}|\d{8}-\d{8})[/\\]/i.test(path) || manifestKey(path) !== null;
}

/**
 * Big exports come in numbered parts that make one delivery only together; two deliveries never add. Which files are parts of one:
 * those that one manifest beside them lists (AWS: reportKeys), else those in one folder whose names differ in a part number alone.
 * `format` is that of a bill, or null where the file cannot be read as one: a part still, so that the others do not stand for the whole.
 */
export function partsAmong(files: readonly { readonly path: string; readonly format: string | null }[]): readonly (readonly number[])[] {
  const byKey = new Map<string, number[]>();
  for (const [index, { path, format }] of files.entries()) {
    const key = manifestKey(path) ?? nameKey(basename(path), format);
    if (key === null) continue;
    const whole = `${dirname(path)}\n${key}`;
    byKey.set(whole, [...(byKey.get(whole) ?? []), index]);
  }
  return [...byKey.values()].filter((indexes) => {
    const formats = new Set(indexes.map((index) => files[index]?.format ?? null).filter((format) => format !== null));
    return indexes.length > 1 && formats.size === 1;
  });
}

/** Manifests that may lie beside a part, chosen or not. */
export function manifestsBeside(path: string): readonly string[] {
  const report = basename(path).replace(/[-_]\d+(\.\w+)*$/, "");
  return [`${report}-Manifest.json`, "manifest.json", "Manifest.json", "_manifest.json"].map((name) => join(dirname(path), name)).filter((manifest) => existsSync(manifest));
}

/** The manifest in the file's folder that lists it, if there is one. */
function manifestKey(path: string): string | null {
  const name = basename(path);
  for (const manifest of manifestsBeside(path)) {
    try {
      const { reportKeys } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly reportKeys?: unknown };
      if (Array.isArray(reportKeys) && reportKeys.some((key) => typeof key === "string" && basename(key) === name)) return manifest;
    } catch {
      // A manifest that cannot be read says nothing.
    }
  }
  return null;
}

/**
 * A name with its part number taken out, or null when it has none: `part_0_0001.csv`, `part-00000-….csv` (Azure, Spark),
 * `export-00001.csv.gz` (AWS Data Exports), `report-1.csv.gz` (legacy CUR, no leading zero and no date before it), `bill-000000000001.json`
 * (BigQuery: twelve digits that are no date and time), `bill_part1of2.csv`. `bill (1).csv` is another download, not a part.
 */
function nameKey(name: string, format: string | null): string | null {
  if (/^part[-_]\d+/i.test(name)) return name.replace(/^(part[-_])\d+([-_]\d+(?=\.))?/i, "$1#");
  const numbered = /^(.*\D)-\d{5}((?:\.\w+)+)$/.exec(name);
  if (numbered !== null) return `${numbered[1]}-#${numbered[2]}`;
  const shard = /^(.*?)(?<!\d)0{6}\d{6}((?:\.\w+)+)$/.exec(name);
  if (shard !== null) return `${shard[1]}#${shard[2]}`;
  const worded = /^(.*[^A-Za-z])part[-_ .]?\d+(?:[-_ ]?of[-_ ]?\d+)?(?!\d)(.*)$/i.exec(name);
  if (worded !== null) return `${worded[1]}part#${worded[2]}`;
  // Oracle writes a cost report every few hours, numbered on.
  const oracle = /^(.*cost-csv_)\d{8,}((?:\.\w+)+)$/i.exec(name);
  if (oracle !== null) return `${oracle[1]}#${oracle[2]}`;
  const legacy = format === "aws-cur" || format === null ? /^(.*[^\d-])-[1-9]\d{0,2}((?:\.\w+)+)$/.exec(name) : null;
  return legacy === null ? null : `${legacy[1]}-#${legacy[2]}`;
}

type Totals = Readonly<Record<string, MoneyTotals>>;

/** What is said of a batch that is read part by part: counts and totals of all parts so far. */
export function joinedReport(a: Partial<FileReport>, b: Partial<FileReport>): Partial<FileReport> {
  const repairs: Record<string, number> = { ...a.repairs };
  for (const [name, count] of Object.entries(b.repairs ?? {})) repairs[name] = (repairs[name] ?? 0) + count;
  return {
    ...a,
    rowsRead: (a.rowsRead ?? 0) + (b.rowsRead ?? 0),
    rowsPosted: (a.rowsPosted ?? 0) + (b.rowsPosted ?? 0),
    rowsSetAside: (a.rowsSetAside ?? 0) + (b.rowsSetAside ?? 0),
    repairs,
    periods: [...new Set([...(a.periods ?? []), ...(b.periods ?? [])])].sort(),
    totals: addTotals(a.totals ?? {}, b.totals ?? {}),
    corrections: addTotals(a.corrections ?? {}, b.corrections ?? {}),
  };
}

function addTotals(a: Totals, b: Totals): Totals {
  const currencies = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(
    currencies.map((currency) => [
      currency,
      Object.fromEntries(moneyColumns.map((column) => [column, addDecimals(a[currency]?.[column] ?? null, b[currency]?.[column] ?? null)])) as unknown as MoneyTotals,
    ]),
  );
}

/** Exact, whatever digits; what one of two states is the sum of what is stated. */
function addDecimals(a: string | null, b: string | null): string | null {
  const [x, y] = [a, b].map((text) => (text === null ? null : parseDecimal(text)));
  if (x === null || x === undefined) return b;
  if (y === null || y === undefined) return a;
  return toDecimal(add(x, y));
}
