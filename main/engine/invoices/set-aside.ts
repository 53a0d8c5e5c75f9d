import { parse } from "csv-parse/sync";
import { parseAmount } from "../../../shared/domain/money.ts";
import { query, readAll, type Db } from "../store/sql.ts";

/** Columns that hold what an invoice charges, in the formats that we read; letter case and marks between words do not count. */
const amountColumns = new Set([
  "billedcost", "lineitemunblendedcost", "costinbillingcurrency", "pretaxcost", "cost", "mycost", "pretaxamount", "amountdue", "totalcost", "consumptionamount",
]);
const currencyColumns = new Set(["billingcurrency", "lineitemcurrencycode", "billingcurrencycode", "currency", "mycostcurrency"]);

export interface LeftOut {
  readonly rows: number;
  /** null where an amount could not be read from the row as it was kept. */
  readonly attos: bigint | null;
}

/** The rows of a month's bills that were set aside, and what they would have added. Rows beyond those kept are counted without an amount. */
export function leftOutOf(db: Db, month: string, provider: string, currency: string): LeftOut {
  interface Row {
    readonly fileId: number;
    readonly layout: string;
    readonly delimiter: string;
    readonly raw: string;
  }
  const counted = readAll(db, query<{ rows: number }>("rows")`-- invoices.set-aside-count
    SELECT coalesce(sum(b.RowsSetAside), 0) AS rows
    FROM batch b
    WHERE b.State = 'posted' AND b.RowsSetAside > 0 AND b.BatchId IN (
      SELECT d.BatchId FROM delivery_group g JOIN delivery d ON d.GroupId = g.GroupId AND d.CellsKept = 1
      WHERE g.Month = ${month} AND coalesce(g.ProviderName, '') = ${provider})`)[0]?.rows ?? 0;
  if (counted === 0) return { rows: 0, attos: 0n };
  const rows = readAll(db, query<Row>("fileId", "layout", "delimiter", "raw")`-- invoices.set-aside
    SELECT f.FileId AS fileId, f.Layout AS layout, f.Delimiter AS delimiter, s.Raw AS raw
    FROM source_file f
    JOIN set_aside s ON s.FileId = f.FileId
    WHERE f.BatchId IN (
      SELECT b.BatchId FROM batch b JOIN delivery d ON d.BatchId = b.BatchId AND d.CellsKept = 1 JOIN delivery_group g ON g.GroupId = d.GroupId
      WHERE b.State = 'posted' AND g.Month = ${month} AND coalesce(g.ProviderName, '') = ${provider})
    ORDER BY f.FileId, s.Line`);
  let total: bigint | null = rows.length < counted ? null : 0n;
  for (const { layout, delimiter, raw } of rows) {
    const stated = amountIn(raw, delimiter, (JSON.parse(layout) as { readonly header?: readonly string[] }).header ?? [], currency);
    total = total === null || stated === null ? null : total + stated;
  }
  return { rows: counted, attos: total };
}

/** 0 for a row of another currency. */
function amountIn(raw: string, delimiter: string, header: readonly string[], currency: string): bigint | null {
  let cells: readonly string[] | undefined;
  try {
    [cells] = parse(raw, { delimiter: delimiter === "" ? "," : delimiter, relax_column_count: true, relax_quotes: true }) as unknown as readonly (readonly string[])[];
  } catch {
    return null;
  }
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z]/g, ""));
  const cellOf = (wanted: ReadonlySet<string>): string | undefined => cells?.[names.findIndex((name) => wanted.has(name))]?.trim();
  const own = cellOf(currencyColumns);
  if (own !== undefined && own !== "" && own !== currency) return 0n;
  const stated = cellOf(amountColumns);
  return stated === undefined ? null : (parseAmount(stated)?.value ?? null);
}
