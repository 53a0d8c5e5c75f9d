import { parse } from "csv-parse/sync";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../../shared/result.ts";

/**
 * Reads one reference CSV and turns every row by `read`. A missing file, a broken row or a repeated key is a worded error
 * that names the file and the line (the header is line 1), never a half-read table.
 */
export function readTable<Row>(folder: string, file: string, read: (cells: Cells) => Row, keyOf: (row: Row) => string): Result<readonly Row[]> {
  let text: string;
  try {
    text = readFileSync(join(folder, file), "utf8");
  } catch {
    return err(ledgerError("reference.missing", { file }));
  }
  let records: readonly Record<string, string>[];
  try {
    records = parse(text, { columns: true, bom: true, skip_empty_lines: true });
  } catch (trouble) {
    return broken(file, lineOfCsvError(trouble));
  }
  if (records.length === 0) return broken(file, 1);
  const rows: Row[] = [];
  const seen = new Set<string>();
  for (const [index, record] of records.entries()) {
    const line = index + 2;
    let row: Row;
    try {
      row = read(cellsOf(record));
    } catch (trouble) {
      if (trouble instanceof BadCell) return broken(file, line);
      throw trouble;
    }
    const key = keyOf(row);
    if (seen.has(key)) return broken(file, line);
    seen.add(key);
    rows.push(row);
  }
  return ok(rows);
}

/** Typed views of one row. Each throws when the cell does not hold what it should; an empty optional cell is null. */
export interface Cells {
  text(column: string): string;
  optionalText(column: string): string | null;
  oneOf<const Word extends string>(column: string, words: readonly Word[]): Word;
  number(column: string): number;
  optionalNumber(column: string): number | null;
  /** `8`, `0.125` or `1/6`. */
  optionalFraction(column: string): number | null;
  /** A decimal above zero, kept as its text: list prices stay exact. */
  optionalPrice(column: string): string | null;
  date(column: string): string;
}

class BadCell extends Error {}

function cellsOf(record: Record<string, string>): Cells {
  const optionalText = (column: string): string | null => {
    const cell = record[column];
    if (cell === undefined) throw new BadCell(column);
    return cell === "" ? null : cell;
  };
  const text = (column: string): string => required(optionalText(column), column);
  const optionalNumber = (column: string): number | null => {
    const cell = optionalText(column);
    return cell === null ? null : decimal(cell, column);
  };
  return {
    text,
    optionalText,
    oneOf: (column, words) => required(words.find((word) => word === text(column)) ?? null, column),
    number: (column) => required(optionalNumber(column), column),
    optionalNumber,
    optionalFraction: (column) => {
      const cell = optionalText(column);
      if (cell === null) return null;
      const [above, below] = cell.split("/");
      const value = below === undefined ? decimal(cell, column) : decimal(above ?? "", column) / decimal(below, column);
      if (!(value > 0) || !Number.isFinite(value)) throw new BadCell(column);
      return value;
    },
    optionalPrice: (column) => {
      const cell = optionalText(column);
      if (cell === null) return null;
      // A price of nothing is a hole in a price list, not an offer.
      if (!(decimal(cell, column) > 0)) throw new BadCell(column);
      return cell;
    },
    date: (column) => {
      const cell = text(column);
      if (!/^\d{4}-\d{2}-\d{2}$/.test(cell)) throw new BadCell(column);
      return cell;
    },
  };
}

function required<Value>(value: Value | null, column: string): Value {
  if (value === null) throw new BadCell(column);
  return value;
}

function decimal(cell: string, column: string): number {
  if (!/^\d+(\.\d+)?$/.test(cell)) throw new BadCell(column);
  return Number(cell);
}

function broken(file: string, line: number): { readonly ok: false; readonly error: LedgerError } {
  return err(ledgerError("reference.broken", { file, line }));
}

function lineOfCsvError(trouble: unknown): number {
  const lines = typeof trouble === "object" && trouble !== null && "lines" in trouble ? trouble.lines : null;
  return typeof lines === "number" ? lines : 1;
}
