/** Invoice totals as CSV: a month, a provider, a currency and an amount in every row, under headers in either language. */
import { parse } from "csv-parse/sync";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { formatAttos, parseAmount } from "../../../shared/domain/money.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { delimiterOf } from "../teams/plan-csv.ts";

export interface StatedInvoice {
  readonly month: string;
  readonly provider: string;
  readonly currency: string;
  readonly attos: bigint;
}

const headers = {
  month: /^(month|billing ?month|period|invoice ?month|账期|月份|账单月份)$/i,
  provider: /^(provider|vendor|supplier|cloud|云厂商|供应商)$/i,
  currency: /^(currency|币种|货币)$/i,
  amount: /^(amount|total|invoice ?total|amount ?due|金额|发票金额|总额)$/i,
} as const;

/**
 * Rows of one month, provider and currency are added: an invoice each. `providerNamed` gives a provider the name it is kept under, so that
 * invoices stated under two of its names are added too.
 * errors  import.unreadable, import.column-missing, import.value-invalid
 */
export function readInvoices(text: string, file: string, providerNamed: (stated: string) => string = (stated) => stated): Result<readonly StatedInvoice[]> {
  let records: { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  try {
    records = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true, delimiter: delimiterOf(text) }) as unknown as typeof records;
  } catch {
    return err(ledgerError("import.unreadable", { file }));
  }
  const header = (records[0]?.record ?? []).map((name) => name.replace(/[_-]/g, " "));
  const placeOf = (name: keyof typeof headers): number => header.findIndex((cell) => headers[name].test(cell));
  const missing = (Object.keys(headers) as (keyof typeof headers)[]).filter((name) => placeOf(name) === -1);
  if (missing.length > 0) return err(ledgerError("import.column-missing", { file, format: "invoices", columns: missing.join(", ") }));
  const sums = new Map<string, StatedInvoice>();
  for (const { record, info } of records.slice(1)) {
    const cell = (name: keyof typeof headers): string => record[placeOf(name)] ?? "";
    const month = /^(\d{4})[-/.年]?(0[1-9]|1[0-2])(?:[-/.月].*)?$/.exec(cell("month"));
    if (month === null) return err(ledgerError("import.value-invalid", { file, line: info.lines, column: header[placeOf("month")] ?? "", value: cell("month"), expected: "utc-time" }));
    const noAmount = err(ledgerError("import.value-invalid", { file, line: info.lines, column: header[placeOf("amount")] ?? "", value: cell("amount"), expected: "decimal" }));
    const attos = parseAmount(cell("amount"))?.value ?? parseAmount(cell("amount"), { format: "comma_thousands" })?.value ?? null;
    if (attos === null) return noAmount;
    const currency = cell("currency").toUpperCase();
    if (!/^[A-Z]{3}$/.test(currency)) return err(ledgerError("import.value-invalid", { file, line: info.lines, column: header[placeOf("currency")] ?? "", value: cell("currency"), expected: "currency" }));
    const line = { month: `${month[1]}-${month[2]}`, provider: providerNamed(cell("provider")), currency };
    const key = JSON.stringify(line);
    const sum = (sums.get(key)?.attos ?? 0n) + attos;
    // Each may be an amount that the ledger can hold, and all of them together none.
    if (parseAmount(formatAttos(sum)) === null) return noAmount;
    sums.set(key, { ...line, attos: sum });
  }
  return ok([...sums.values()]);
}
