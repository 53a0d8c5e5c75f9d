/** A budget plan as CSV. */
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, type Result } from "../../../shared/result.ts";
import { harmless } from "../print/csv.ts";
import { readPlanTable, type planTable, type PlannedBudget } from "./plan-table.ts";

export function planCsv({ head, months, rows }: ReturnType<typeof planTable>): string {
  return stringify([[...head, ...months], ...rows.map(({ fields, amounts }) => [...fields.map(harmless), ...amounts])], { record_delimiter: "\r\n" });
}

/** errors  import.unreadable, and those of readPlanTable */
export function readPlanCsv(text: string, file: string, currency: string | null): Result<readonly PlannedBudget[]> {
  let records: { readonly record: string[]; readonly info: { readonly lines: number } }[];
  try {
    records = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true, delimiter: delimiterOf(text) }) as unknown as typeof records;
  } catch {
    return err(ledgerError("import.unreadable", { file }));
  }
  return readPlanTable(records.map(({ record, info }) => ({ cells: record, line: info.lines })), file, currency);
}

/** The one of comma, semicolon and tab that the header has most of. */
export function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  return [",", ";", "\t"].reduce((best, each) => (header.split(each).length > header.split(best).length ? each : best));
}
