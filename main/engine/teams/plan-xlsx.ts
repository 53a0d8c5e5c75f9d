/** A budget plan as a workbook. */
import { readSheet } from "read-excel-file/universal";
import writeWorkbook from "write-excel-file/node";
import type { CellObject } from "write-excel-file/node";
import yauzl from "yauzl";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, type Result } from "../../../shared/result.ts";
import { harmless } from "../print/csv.ts";
import { readPlanTable, type planTable, type PlannedBudget } from "./plan-table.ts";

/** Amounts are numbers where a spreadsheet keeps them to the last digit, else text, so that they come back as they went out. */
export async function planWorkbook({ head, months, rows }: ReturnType<typeof planTable>): Promise<Uint8Array> {
  const bold = { fontWeight: "bold", bottomBorderStyle: "thin", bottomBorderColor: "#2c2f36" } as const;
  const amountCell = (amount: string): CellObject =>
    amount === "" ? { value: "" } : isExactNumber(amount) ? { value: Number(amount), type: Number, format: amount.includes(".") ? "#,##0.00####" : "#,##0", align: "right" } : { value: amount, align: "right" };
  const data = [
    [...head.map((value) => ({ value, ...bold })), ...months.map((value) => ({ value, ...bold, align: "right" as const }))],
    ...rows.map(({ fields, amounts }) => [...fields.map((value): CellObject => ({ value: harmless(value) })), ...amounts.map(amountCell)]),
  ];
  const columns = [...head.map((name) => ({ width: name === "Budget" || name === "Team" ? 22 : 13 })), ...months.map(() => ({ width: 12 }))];
  const workbook: Buffer = await writeWorkbook([{ sheet: "Plan", data, columns, stickyRowsCount: 1 }] as Parameters<typeof writeWorkbook>[0], { fontFamily: "Calibri", fontSize: 11 }).toBuffer();
  return new Uint8Array(workbook);
}

/** More than any plan holds; what inflates to more is no plan. */
const LARGEST_BYTES = 8_000_000;
const LARGEST_INFLATED_BYTES = 64_000_000;

/**
 * Reads the first sheet of a workbook.
 *
 * errors  import.unreadable (no workbook, damaged, or far too large for a plan), and those of readPlanTable
 */
export async function readPlanWorkbook(bytes: Uint8Array, file: string, currency: string | null): Promise<Result<readonly PlannedBudget[]>> {
  if (bytes.length > LARGEST_BYTES || (await inflatedBytes(bytes)) > LARGEST_INFLATED_BYTES) return err(ledgerError("import.unreadable", { file }));
  let rows: readonly (readonly unknown[])[];
  try {
    // Numbers come as the text that the file has of them: a double would no longer be what the person typed.
    // A Buffer may be a part of a larger piece of memory: the copy is all there is of its own.
    rows = await readSheet<NumberCell>(Uint8Array.from(bytes).buffer, 1, { parseNumber: (number) => ({ number }) });
  } catch {
    return err(ledgerError("import.unreadable", { file }));
  }
  const records = rows.map((cells, index) => ({ cells: cells.map((cell) => cellText(cell, index === 0)), line: index + 1 }));
  return readPlanTable(records.filter(({ cells }) => cells.some((cell) => cell !== "")), file, currency);
}

interface NumberCell {
  readonly number: string;
}

/** A month that the spreadsheet took for a date is a month again; a number is what the spreadsheet shows of it: 15 digits. */
function cellText(cell: unknown, isHead: boolean): string {
  if (typeof cell === "string") return cell.trim();
  if (cell instanceof Date) return cell.toISOString().slice(0, isHead ? 7 : 10);
  if (typeof cell !== "object" || cell === null) return "";
  return String(Number(Number((cell as NumberCell).number).toPrecision(15)));
}

function isExactNumber(amount: string): boolean {
  return String(Number(amount)) === amount && amount.replace(/[-.]/g, "").length <= 15;
}

/** What the members of a zip say they inflate to; endless where it is none. */
function inflatedBytes(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve) => {
    yauzl.fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true }, (error, zip) => {
      if (error !== null) return resolve(Number.POSITIVE_INFINITY);
      let total = 0;
      zip.on("entry", ({ uncompressedSize }: { readonly uncompressedSize: number }) => {
        total += uncompressedSize;
        zip.readEntry();
      });
      zip.on("end", () => resolve(total));
      zip.on("error", () => resolve(Number.POSITIVE_INFINITY));
      zip.readEntry();
    });
  });
}
