/**
 * Whether the rows of bills keep to their own arithmetic: unit price × quantity = cost (formats/billing.md 1.5). The files are read again for it,
 * nothing is changed, and every row that does not is named by file and line.
 */
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import type { PriceCheck } from "../../../shared/contract/quality.ts";
import { multiply, parseDecimal, toDecimal } from "../../../shared/domain/rational.ts";
import { canonicalName, columnName, type BillingFormat, type UnitPriceRule } from "../formats/format.ts";
import { formatOf, tableEncoding, type FileLayout } from "../import/bills.ts";
import { readExact } from "../import/decimal.ts";
import { filesOfBatches, locate, type SourceFile } from "../import/rows.ts";
import { SourceError } from "../import/scan/failure.ts";
import { createTextOf, scanRecords, textsOf } from "../import/scan/records.ts";
import { openSource } from "../import/scan/source.ts";
import type { Encoding } from "../import/sniff.ts";
import { isOneOf, query, readAll, type Db } from "../store/sql.ts";

/** Rows that are named; the others are only counted. */
const MOST_NAMED = 100;
/** `readExact` counts in 1e-36. */
const SCALE = 36;

/** The files of the imports that show anything in the months, all their rows. */
export async function checkUnitPrices(db: Db, months: readonly string[], isCancelled: () => boolean): Promise<PriceCheck> {
  const batches = readAll(db, query<{ batch: number }>("batch")`-- prices.batches
    SELECT DISTINCT c.BatchId AS batch
    FROM charge_day_current c
    WHERE ${isOneOf("Month", months, "c")}
    ORDER BY 1`).map(({ batch }) => batch);
  const check: Collected = { rowsChecked: 0, rowsOff: 0, rows: [] };
  const missing: LedgerError[] = [];
  for (const recorded of filesOfBatches(db, JSON.stringify(batches))) {
    const layout = JSON.parse(recorded.Layout) as FileLayout;
    const format = formatOf(layout.format, layout.mapping ?? null);
    if (format?.unitPrices === undefined) continue;
    const located = await locate(db, recorded);
    if (!located.ok) missing.push(located.error);
    else if (!(await checkFile(located.value, layout, format, check, isCancelled))) missing.push(ledgerError("rows.file-changed", { file: recorded.Name }));
  }
  return { ...check, missing };
}

interface Collected {
  rowsChecked: number;
  rowsOff: number;
  readonly rows: PriceCheck["rows"][number][];
}

/** false: the file no longer reads as it did. */
async function checkFile(file: SourceFile, layout: FileLayout, format: BillingFormat, check: Collected, isCancelled: () => boolean): Promise<boolean> {
  const names = layout.header.map((name) => columnName(format, name));
  const placeOf = (columns: readonly string[]): number => columns.map(canonicalName).map((name) => names.indexOf(name)).find((place) => place !== -1) ?? -1;
  const rules = (format.unitPrices ?? []).map(({ cost, unitPrice, quantity }: UnitPriceRule) => ({ cost: placeOf(cost), unitPrice: placeOf(unitPrice), quantity: placeOf(quantity) })).filter(({ cost, unitPrice, quantity }) => cost !== -1 && unitPrice !== -1 && quantity !== -1);
  if (rules.length === 0) return true;
  const correction = placeOf(["ChargeClass"]);
  const { json = null } = layout;
  const textOf = createTextOf(tableEncoding(file.Encoding, json));
  try {
    const source = await openSource({
      path: file.Path, compression: file.Compression === "gzip" || file.Compression === "zstd" ? file.Compression : null, encoding: file.Encoding as Encoding, markLength: layout.markLength, isHashed: false,
      json: json === null ? null : { layout: json, columns: layout.header }, ...(layout.isParquet === true ? { parquet: { wanted: null, startRow: null } } : {}),
    });
    try {
      let isHeader = true;
      await scanRecords(source, { delimiter: file.Delimiter.charCodeAt(0), from: { byte: layout.headerByte, line: layout.headerLine, record: 0 } }, {
        onRecord(scan) {
          if (isHeader) {
            isHeader = false;
            return true;
          }
          const texts = textsOf(scan, textOf);
          if (texts.length !== names.length || (correction !== -1 && (texts[correction] ?? "").trim() !== "" && !/^null$/i.test(texts[correction] ?? ""))) return true;
          let isChecked = false;
          let isOff = false;
          for (const rule of rules) {
            const stated = [rule.unitPrice, rule.quantity, rule.cost].map((place) => (texts[place] ?? "").trim()) as [string, string, string];
            const outcome = compareProduct(...stated, layout.mark);
            if (outcome === null) continue;
            isChecked = true;
            if (outcome) continue;
            isOff = true;
            const [unitPrice, quantity, cost] = stated;
            if (check.rows.length < MOST_NAMED) check.rows.push({ file: file.Name, line: scan.line, column: layout.header[rule.cost] ?? "", unitPrice, quantity, cost, product: productOf(unitPrice, quantity, layout.mark) });
          }
          if (isChecked) check.rowsChecked += 1;
          if (isOff) check.rowsOff += 1;
          return true;
        },
        onOversize: () => undefined,
        onBuffer: () => !isCancelled(),
      });
    } finally {
      await source.close();
    }
    return true;
  } catch (fault) {
    if (fault instanceof SourceError) return false;
    throw fault;
  }
}

/**
 * Whether a cost is its unit price × quantity, as far as their digits tell: each number that is stated with decimals may be off by half of its last
 * one. null: there is nothing to compare, since one of them is not stated; 0 beside others stands for a price that is not known.
 */
export function compareProduct(unitPrice: string, quantity: string, cost: string, mark: "." | ","): boolean | null {
  const [p, q, c] = [unitPrice, quantity, cost].map((text) => (text === "" ? null : readExact(text, mark)));
  if (typeof p !== "bigint" || typeof q !== "bigint" || typeof c !== "bigint" || p === 0n || c === 0n) return null;
  const difference = p * q - c * 10n ** BigInt(SCALE);
  const tolerance = magnitude(q) * halfOfLast(unitPrice, mark) + magnitude(p) * halfOfLast(quantity, mark) + halfOfLast(cost, mark) * 10n ** BigInt(SCALE);
  return magnitude(difference) <= tolerance;
}

/** Half a unit of the last decimal, in 1e-36; 0 for a whole number. */
function halfOfLast(text: string, mark: "." | ","): bigint {
  const [, decimals = "", exponent = "0"] = new RegExp(`^[+-]?\\d*(?:\\${mark}(\\d*))?(?:[eE]([+-]?\\d+))?$`).exec(text) ?? [];
  const places = decimals.length - Number(exponent);
  return places <= 0 || places >= SCALE ? 0n : 5n * 10n ** BigInt(SCALE - places - 1);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function productOf(unitPrice: string, quantity: string, mark: "." | ","): string {
  const [p, q] = [unitPrice, quantity].map((text) => parseDecimal(mark === "," ? text.replace(",", ".") : text));
  return p === null || q === null || p === undefined || q === undefined ? "" : toDecimal(multiply(p, q));
}
