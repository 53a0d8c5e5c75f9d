/** A person's own carbon factors as CSV: read line by line; a line that cannot be used is set aside with its reason, never bent into shape. */
import { parse } from "csv-parse/sync";
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import { compare, decimal, isNegative, ONE, parseDecimal, toDecimal, type Rational } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { ownFactorKinds, type OwnFactor, type OwnFactorKind } from "../carbon/factors.ts";
import { inOwnUnit, unitsOf } from "../carbon/units.ts";
import { textIn } from "../import/encoding.ts";

/** A factor of a file, not kept yet. */
export interface StatedFactor extends Omit<OwnFactor, "id"> {
  readonly statedValue: string;
  readonly statedUnit: string;
  readonly line: number;
}
export interface FactorFile {
  readonly factors: readonly StatedFactor[];
  readonly setAside: readonly LedgerError[];
}

/** Of the header; the rest may be absent. */
const required = ["kind", "value", "unit", "source"] as const;

/** errors  import.not-text, import.empty, factor.columns-missing */
export function readFactors(bytes: Uint8Array, file: string): Result<FactorFile> {
  const text = textIn(bytes);
  if (text === null) return err(ledgerError("import.not-text", { file }));
  let records: { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  try {
    records = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true }) as unknown as typeof records;
  } catch {
    return err(ledgerError("import.unreadable", { file }));
  }
  const [head, ...lines] = records;
  if (head === undefined) return err(ledgerError("import.empty", { file }));
  const columns = head.record.map((name) => name.toLowerCase());
  const missing = required.filter((name) => !columns.includes(name));
  if (missing.length > 0) return err(ledgerError("factor.columns-missing", { file, columns: missing.join(", ") }));
  const factors: StatedFactor[] = [];
  const setAside: LedgerError[] = [];
  for (const { record, info } of lines) {
    const read = readLine((name) => record[columns.indexOf(name)] ?? "", file, info.lines);
    if (read.ok) factors.push(read.value);
    else setAside.push(read.error);
  }
  return ok({ factors, setAside });
}

function readLine(cell: (column: string) => string, file: string, line: number): Result<StatedFactor> {
  const invalid = (column: string, expected: "decimal" | "not-negative" | "ratio" | "month" | "amount-range" | "required" | "factor-kind"): Result<never> =>
    err(ledgerError("import.value-invalid", { file, line, column, value: cell(column), expected }));
  const text = (column: string): string | null => (cell(column) === "" ? null : cell(column));
  const kind = ownFactorKinds.find((known) => known === cell("kind").toLowerCase());
  if (kind === undefined) return invalid("kind", "factor-kind");
  const source = text("source");
  if (source === null) return invalid("source", "required");
  const unit = cell("unit");
  const amounts: Record<string, Rational | null> = {};
  for (const column of ["value", "low", "high"] as const) {
    const stated = text(column);
    if (stated === null) {
      if (column === "value") return invalid(column, "required");
      amounts[column] = null;
      continue;
    }
    const parsed = parseDecimal(stated);
    if (parsed === null) return invalid(column, "decimal");
    if (isNegative(parsed)) return invalid(column, "not-negative");
    const own = inOwnUnit(kind, parsed, unit);
    if (own === null) return err(ledgerError("factor.unit-unknown", { file, line, kind, unit, units: unitsOf(kind).join(", ") }));
    if (kind === "pue" && compare(own, ONE) < 0) return err(ledgerError("factor.pue-below-one", { file, line, value: stated }));
    amounts[column] = own;
  }
  const { value, low, high } = amounts as { value: Rational; low: Rational | null; high: Rational | null };
  if (low !== null && compare(low, value) > 0) return invalid("low", "amount-range");
  if (high !== null && compare(high, value) < 0) return invalid("high", "amount-range");
  const share = shareOf(kind, text("share"));
  if (share === undefined) return invalid("share", "ratio");
  const from = monthOf(text("from") ?? text("year"), "01");
  const to = monthOf(text("to") ?? text("year"), "12");
  if (from === undefined) return invalid(text("from") === null ? "year" : "from", "month");
  if (to === undefined || (from !== null && to !== null && to < from)) return invalid(text("to") === null ? "year" : "to", "month");
  // Work is of one month each: a year's would leave open which of its months did it.
  if (kind === "work" && (from === null || from !== to)) return invalid(text("from") === null ? "year" : "from", "month");
  return ok({
    kind,
    provider: text("provider"),
    region: text("region"),
    subject: text("subject"),
    fromMonth: from,
    toMonth: to,
    value: toDecimal(value),
    low: low === null ? null : toDecimal(low),
    high: high === null ? null : toDecimal(high),
    share: share === null ? null : toDecimal(share),
    statedValue: cell("value"),
    statedUnit: unit,
    method: text("method"),
    boundary: text("boundary"),
    gases: text("gases"),
    source,
    licence: text("licence"),
    retrieved: text("retrieved"),
    line,
  });
}

/** Of a contract: the part of the energy it covers, `0.6` or `60%`; all of it where none is stated. undefined for what is no share. */
function shareOf(kind: OwnFactorKind, stated: string | null): Rational | null | undefined {
  if (kind !== "contract") return null;
  if (stated === null) return ONE;
  const parsed = parseDecimal(stated.replace(/\s*%$/, ""));
  if (parsed === null || isNegative(parsed)) return undefined;
  const share = stated.endsWith("%") ? { numerator: parsed.numerator, denominator: parsed.denominator * 100n } : parsed;
  return compare(share, ONE) > 0 ? undefined : share;
}

/** A month, or a year's first or last one; null where none is stated, undefined for what is neither. */
function monthOf(stated: string | null, ofYear: "01" | "12"): string | null | undefined {
  if (stated === null) return null;
  if (/^\d{4}$/.test(stated)) return `${stated}-${ofYear}`;
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(stated) ? stated : undefined;
}

/** Contracts of the very same place whose shares come to more than the whole in some month; null where none do. */
export function overfullContract(factors: readonly Pick<OwnFactor, "kind" | "provider" | "region" | "subject" | "fromMonth" | "toMonth" | "share">[]): { readonly place: string; readonly month: string } | null {
  const contracts = factors.filter(({ kind }) => kind === "contract");
  const place = ({ provider, region, subject }: (typeof contracts)[number]): string => [provider, region, subject].map((part) => part?.toLowerCase() ?? "*").join(" ");
  for (const first of contracts) {
    // Shares only grow where a contract begins, so its first month is looked at.
    const month = first.fromMonth ?? "0000-01";
    const together = contracts.filter((other) => place(other) === place(first) && (other.fromMonth ?? "0000-01") <= month && month <= (other.toMonth ?? "9999-12"));
    let sum: Rational = { numerator: 0n, denominator: 1n };
    for (const { share } of together) {
      const own = share === null ? ONE : decimal(share);
      sum = { numerator: sum.numerator * own.denominator + own.numerator * sum.denominator, denominator: sum.denominator * own.denominator };
    }
    if (compare(sum, ONE) > 0) return { place: place(first), month };
  }
  return null;
}
