import { open } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { draftOf, type Draft } from "../files.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import { delimiterOf } from "../teams/plan-csv.ts";
import type { FileLayout } from "./bills.ts";
import { filesOfBatches, locate, type SourceFile } from "./rows.ts";
import { createTextOf, scanRecords, textsOf } from "./scan/records.ts";
import { openSource } from "./scan/source.ts";
import type { Encoding } from "./sniff.ts";

/** What leads each row of the sheet: where it stands and why it was set aside. The columns of its file follow. */
const placeColumns = ["File", "Line", "Column", "Reason"] as const;

interface RawRow {
  readonly fileId: number;
  readonly line: number;
  readonly column: string;
  readonly reason: string;
  readonly raw: string;
}

/**
 * The rows of a batch that were set aside, as a CSV to be corrected: their cells as they stood, led by file, line, column and reason. Cells are
 * the source's own text, to the letter; a spreadsheet that would take one for a formula is asked to by nobody but the file itself.
 */
export function setAsideSheet(db: Db, batch: number, reasonOf: (code: string) => string): string {
  const files = filesOfBatches(db, JSON.stringify([batch]));
  const byId = new Map(files.map((file) => [file.FileId, file]));
  const rows = readAll(db, query<RawRow>("fileId", "line", "column", "reason", "raw")`-- corrections.rows
    SELECT s.FileId AS fileId, s.Line AS line, s.ColumnName AS "column", s.Reason AS reason, s.Raw AS raw
    FROM source_file f
    JOIN set_aside s ON s.FileId = f.FileId
    WHERE f.BatchId = ${batch}
    ORDER BY f.FileId, s.Line`);
  const columns = [...new Set(files.flatMap((file) => headerOf(file)))];
  const lines = rows.map(({ fileId, line, column, reason, raw }) => {
    const file = byId.get(fileId);
    const header = file === undefined ? [] : headerOf(file);
    const cells = file === undefined ? [] : cellsOf(raw, file);
    return [file?.Name ?? "", String(line), column, reasonOf(reason), ...columns.map((name) => (header.includes(name) ? (cells[header.indexOf(name)] ?? "") : ""))];
  });
  return `\uFEFF${stringify([[...placeColumns, ...columns], ...lines], { record_delimiter: "\r\n" })}`;
}

function headerOf({ Layout }: SourceFile): readonly string[] {
  return (JSON.parse(Layout) as FileLayout).header;
}

/** A JSON object is put under the names of its table; a record of a table is split into its cells, as far as it can be. */
function cellsOf(raw: string, file: SourceFile): readonly string[] {
  try {
    return parse(raw, { delimiter: file.Delimiter, relax_column_count: true, relax_quotes: true })[0] ?? [];
  } catch {
    return [raw];
  }
}

/**
 * Writes a file of a batch anew with the rows of a corrected sheet in the places of those that were set aside, to be imported in its stead: it
 * then replaces the earlier import as any new delivery does. Every other row is carried over as it is, and so are the cells of columns that the
 * sheet no longer has; the text comes out as UTF-8. A record that is too long to gather is left out, and its line answered, unless the sheet fills
 * its row.
 * errors  corrections.none, corrections.several-files, corrections.not-a-table, rows.file-missing, rows.file-changed, file.not-writable
 */
export async function correctedFile(db: Db, batch: number, sheet: { readonly name: string; readonly text: string }, out: string): Promise<Result<CorrectedFile>> {
  const none = err(ledgerError("corrections.none", { file: sheet.name }));
  let table: readonly (readonly string[])[];
  try {
    table = parse(sheet.text, { bom: true, relax_column_count: true, skip_empty_lines: true, delimiter: delimiterOf(sheet.text) });
  } catch {
    return none;
  }
  const [head = [], ...lines] = table;
  if (placeColumns.some((name, index) => head[index] !== name)) return none;
  const files = filesOfBatches(db, JSON.stringify([batch]));
  const aside = new Set(readAll(db, query<{ place: string }>("place")`-- corrections.places
    SELECT f.Name || ' ' || s.Line AS place
    FROM source_file f
    JOIN set_aside s ON s.FileId = f.FileId
    WHERE f.BatchId = ${batch}`).map(({ place }) => place));
  const wanted = lines.filter(([name = "", line = ""]) => aside.has(`${name} ${line}`));
  const names = [...new Set(wanted.map(([name]) => name))];
  if (names.length === 0) return none;
  if (names.length > 1) return err(ledgerError("corrections.several-files", { files: names.length }));
  const [recorded, ...namesakes] = files.filter((file) => file.Name === names[0]);
  if (recorded === undefined) return none;
  // Which of them a row belongs to, the sheet does not say.
  if (namesakes.length > 0) return err(ledgerError("corrections.several-files", { files: namesakes.length + 1 }));
  const layout = JSON.parse(recorded.Layout) as FileLayout;
  if (layout.isParquet === true || (layout.json ?? null) !== null) return err(ledgerError("corrections.not-a-table", { file: recorded.Name }));
  const located = await locate(db, recorded);
  if (!located.ok) return located;
  const columns = head.slice(placeColumns.length);
  const corrections = new Map(wanted.map(([, line = "", , , ...cells]) => [Number(line), new Map(columns.map((name, index) => [name, cells[index] ?? ""]))]));
  return write(located.value, layout, corrections, out);
}

/** What was written: rows that came from the sheet, and lines of records that were too long to carry over. */
export interface CorrectedFile {
  readonly file: string;
  readonly rows: number;
  readonly leftOut: readonly number[];
}

/** The cells of a sheet's row in the order of the file's header; of two columns of one name the sheet has the first. */
function recordOf(corrected: ReadonlyMap<string, string>, before: readonly string[], { header }: FileLayout, delimiter: string): string {
  const values = header.map((name, index) => (header.indexOf(name) === index ? corrected.get(name) : undefined) ?? before[index] ?? "");
  return stringify([values], { delimiter, record_delimiter: "" });
}

async function write(file: SourceFile, layout: FileLayout, corrections: ReadonlyMap<number, ReadonlyMap<string, string>>, out: string): Promise<Result<CorrectedFile>> {
  let draft: Draft | null = null;
  const compression = file.Compression === "gzip" || file.Compression === "zstd" ? file.Compression : null;
  const encoding = file.Encoding === "gb18030" ? "gb18030" : "utf-8";
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const textOf = createTextOf(encoding);
  const leftOut: number[] = [];
  let rows = 0;
  try {
    draft = draftOf(out);
    const target = await open(draft.path, "w");
    const pieces: string[] = [];
    const flush = async (): Promise<boolean> => {
      await target.writeFile(pieces.splice(0).join(""));
      return true;
    };
    try {
      const source = await openSource({ path: file.Path, compression, encoding: file.Encoding as Encoding, markLength: layout.markLength, isHashed: false });
      try {
        await scanRecords(source, { delimiter: file.Delimiter.charCodeAt(0) }, {
          onRecord(scan) {
            const corrected = corrections.get(scan.line);
            if (corrected !== undefined) rows += 1;
            pieces.push(corrected === undefined ? decoder.decode(scan.bytes.subarray(scan.start, scan.end)) : recordOf(corrected, textsOf(scan, textOf), layout, file.Delimiter), "\r\n");
            return true;
          },
          onOversize({ line }) {
            const corrected = corrections.get(line);
            const isFilled = corrected !== undefined && [...corrected.values()].some((cell) => cell.trim() !== "");
            if (isFilled) rows += 1;
            if (isFilled) pieces.push(recordOf(corrected, [], layout, file.Delimiter), "\r\n");
            else leftOut.push(line);
          },
          onBuffer: flush,
        });
        await flush();
      } finally {
        await source.close();
      }
    } finally {
      await target.close();
    }
    draft.keep();
  } catch {
    draft?.drop();
    return err(ledgerError("file.not-writable", { file: basename(out) }));
  }
  return ok({ file: basename(out), rows, leftOut });
}
