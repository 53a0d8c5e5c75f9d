/**
 * Rates as CSV, in two shapes: a column a currency (`Date, USD, CNY, …` as the European Central Bank writes them, for one unit of the base), or
 * a row a rate (`Date, From, To, Rate`). A cell that is empty or N/A is a day without a rate.
 */
import { parse } from "csv-parse/sync";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { compare, ONE, parseDecimal, isPositive } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { delimiterOf } from "../teams/plan-csv.ts";

export interface StatedRate {
  readonly base: string;
  readonly quote: string;
  readonly day: string;
  /** As it stands in the file: an exact decimal. */
  readonly rate: string;
}

const headers = {
  day: /^(date|day|time_?period|日期)$/i,
  base: /^(from|base|source currency|源币种|基准币种)$/i,
  quote: /^(to|quote|currency|target currency|目标币种)$/i,
  rate: /^(rate|value|obs_?value|exchange rate|汇率)$/i,
} as const;

/** errors  import.unreadable, import.column-missing, import.value-invalid */
export function readRates(text: string, file: string, base: string): Result<readonly StatedRate[]> {
  let records: { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  try {
    records = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true, delimiter: delimiterOf(text) }) as unknown as typeof records;
  } catch {
    return err(ledgerError("import.unreadable", { file }));
  }
  const header = records[0]?.record ?? [];
  const placeOf = (name: keyof typeof headers): number => header.findIndex((cell) => headers[name].test(cell));
  const day = placeOf("day");
  const [from, to, value] = [placeOf("base"), placeOf("quote"), placeOf("rate")];
  const columns = header.flatMap((name, place) => (/^[A-Z]{3}$/.test(name) && name !== base ? [{ quote: name, place }] : []));
  const isByRow = value !== -1 && to !== -1;
  if (day === -1 || (!isByRow && columns.length === 0)) {
    return err(ledgerError("import.column-missing", { file, format: "rates", columns: [...(day === -1 ? ["Date"] : []), ...(!isByRow && columns.length === 0 ? ["From, To, Rate", "USD, CNY, …"] : [])].join("; ") }));
  }
  const rates = new Map<string, StatedRate>();
  for (const { record, info } of records.slice(1)) {
    const at = dayOf(record[day] ?? "");
    if (at === null) return err(ledgerError("import.value-invalid", { file, line: info.lines, column: header[day] ?? "", value: record[day] ?? "", expected: "utc-time" }));
    const cells = isByRow ? [{ base: from === -1 ? base : (record[from] ?? "").toUpperCase(), quote: (record[to] ?? "").toUpperCase(), place: value }] : columns.map(({ quote, place }) => ({ base, quote, place }));
    for (const { base: one, quote, place } of cells) {
      const stated = record[place] ?? "";
      if (stated === "" || /^n\/?a$|^-$/i.test(stated)) continue;
      const exact = /^\d{1,12}(\.\d{1,18})?$/.test(stated) ? parseDecimal(stated) : null;
      if (exact === null || !isPositive(exact)) return err(ledgerError("import.value-invalid", { file, line: info.lines, column: header[place] ?? "", value: stated, expected: "rate" }));
      if (!/^[A-Z]{3}$/.test(one) || !/^[A-Z]{3}$/.test(quote)) return err(ledgerError("import.value-invalid", { file, line: info.lines, column: header[/^[A-Z]{3}$/.test(one) ? to : from] ?? "", value: /^[A-Z]{3}$/.test(one) ? quote : one, expected: "currency" }));
      if (one !== quote) rates.set(`${one} ${quote} ${at}`, { base: one, quote, day: at, rate: stated });
      // That a euro is a euro says nothing; that it is two is a mistake of the file.
      else if (compare(exact, ONE) !== 0) return err(ledgerError("import.value-invalid", { file, line: info.lines, column: header[to] ?? "", value: quote, expected: "other-currency" }));
    }
  }
  return ok([...rates.values()]);
}

const monthNames = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

/** `2026-09-01`, `2026/9/1`, `2026年9月1日`, or as the daily file of the ECB writes it, `01 September 2026`. Never day and month by guess. */
function dayOf(text: string): string | null {
  const numbers = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ].*)?$/.exec(text);
  const words = /^(\d{1,2}) ([A-Za-z]+) (\d{4})$/.exec(text);
  const month = words === null ? Number(numbers?.[2]) : monthNames.findIndex((name) => name.startsWith((words[2] ?? "").toLowerCase()) && (words[2] ?? "").length >= 3) + 1;
  const [year, date] = words === null ? [Number(numbers?.[1]), Number(numbers?.[3])] : [Number(words[3]), Number(words[1])];
  if (!Number.isInteger(year) || !Number.isInteger(month) || month < 1 || month > 12) return null;
  const at = new Date(Date.UTC(year, month - 1, date));
  return at.getUTCDate() === date && at.getUTCMonth() === month - 1 ? at.toISOString().slice(0, 10) : null;
}
