import { basename } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { ReadOptions, MoneyTotals, SetAsideRow } from "../../../shared/contract/methods.ts";
import type { ColumnMapping } from "../../../shared/contract/mapping.ts";
import type { Result } from "../../../shared/result.ts";
import { err, ok } from "../../../shared/result.ts";
import type { BillingFormat, SurveyFacts, SurveyFinding } from "../formats/format.ts";
import { canonicalName, columnName, columnsOf, recognizeBill, wantedColumns } from "../formats/format.ts";
import { MAPPED, mappedFormat } from "../formats/billing/mapped.ts";
import { billingFormats } from "../formats/index.ts";
import type { Reference } from "../reference/catalog.ts";
import type { Db } from "../store/sql.ts";
import { storeTrouble } from "../store/trouble.ts";
import { CellOutOfRange, createFold } from "./fold.ts";
import { createTextOf, scanRecords, textsOf, type RecordReader, type ScanOptions } from "./scan/records.ts";
import { besideScan, isWorthAThread } from "./scan/beside.ts";
import type { ByteSource, SourceOptions } from "./scan/source.ts";
import { archiveOf, failureOf, placeOf } from "./scan/archive.ts";
import { openSource } from "./scan/source.ts";
import { SourceError, sourceTrouble, type SourceFailure } from "./scan/failure.ts";
import { createJsonCutter, flattened, type JsonLayout } from "./scan/json-records.ts";
import type { Sniffed } from "./sniff.ts";
import { createStaging } from "./staging.ts";

/** One file to read into one batch that already stands in the ledger in state `staging`. */
export interface BillJob {
  readonly sniffed: Sniffed;
  readonly formatId: string;
  readonly batchId: number;
  readonly options: ReadOptions;
  /** What the manifest of its delivery says of all rows; what the rows themselves show comes before it. */
  readonly facts?: SurveyFacts;
  /** The shipped catalog, by which GPUs are recognized. */
  readonly reference: Reference;
  /** Only smaller in tests: the scanner's first buffer, cells and days of hours held in memory. */
  readonly sizes?: { readonly buffer: number; readonly cells: number; readonly hourDays: number };
}

/** How a reading hears from, and speaks to, whoever runs it. All calls are cheap and synchronous. */
export interface ReadControl {
  /** Bytes of the file as it lies on disk. Called after each buffer. */
  progress(done: { readonly bytesRead: number; readonly rowsRead: number }): void;
  /** Looked for after each buffer. */
  isCancelled(): boolean;
  /** Called between two short write transactions: returns once the engine does not want to write. */
  standAside(): void;
}

/** What one file said, all of it in staging rows of its batch. */
export interface BillReading {
  readonly fileId: number;
  readonly sha256: string;
  readonly size: number;
  readonly format: string;
  readonly version: string | null;
  readonly rowsRead: number;
  readonly rowsPosted: number;
  readonly rowsSetAside: number;
  /** At most 10,000; the rest is only counted. `reason` is a code of `expectedKinds`. */
  readonly setAside: readonly Omit<SetAsideRow, "file">[];
  readonly repairs: Readonly<Record<string, number>>;
  /** Billing months, ascending. */
  readonly periods: readonly string[];
  /** Exact sums of the posted rows by currency as plain decimal text, what is finer than an atto included. */
  readonly totals: Readonly<Record<string, MoneyTotals>>;
  /** What rules of ours add, by currency; null for costs no rule touches. */
  readonly corrections: Readonly<Record<string, MoneyTotals>>;
  readonly deliveries: readonly number[];
  /** UTC days, since 1970-01-01, for which the file states hours of GPUs; ascending. */
  readonly touchedGpuDays: readonly number[];
}

/**
 * Reads a bill into staging rows of its batch: account, series, source_file, source_block, set_aside, delivery_group (found or made, never
 * flipped), delivery, delivery_account, charge_day, gpu_charge_hours. Writes in transactions of at most some 20 ms.
 * A batch may be read from several files, one after another: files of one delivery add to each other.
 *
 * nothing posted   is no error here: a header without rows reads well, and where every row was set aside the caller has the reasons
 * errors           import.cancelled, import.truncated, import.unreadable, import.changed, import.number-ambiguous, import.dates-ambiguous,
 *                  import.datasets-mixed, import.column-missing, import.value-invalid (a cell beyond 9.2 billion units); what was staged until then is the caller's to sweep with the batch
 */
export async function readBill(job: BillJob, db: Db, control: ReadControl): Promise<Result<BillReading>> {
  const file = job.sniffed.name;
  const { mapping = null } = job.options;
  const format = formatOf(job.formatId, mapping);
  if (format === undefined) return err(ledgerError("import.unrecognized", { file, closest: job.formatId, missing: "" }));
  const whole = await withAllColumns(job.sniffed, control);
  if (!whole.ok) return whole;
  const sniffed = whole.value;
  const { missing, version } = recognizeBill(format, sniffed.header);
  if (missing.length > 0) return err(ledgerError("import.column-missing", { file, format: format.id, columns: missing.join(", ") }));
  const mark = decimalMark(format, sniffed);
  if (!mark.ok) return mark;

  const staging = createStaging(db, { batchId: job.batchId, standAside: () => control.standAside(), reportNumber: format.reportNumber?.(basename(placeOf(sniffed.path).member ?? sniffed.path)) ?? "" });
  let source: ByteSource | null = null;
  try {
    const surveyed = await survey(format, sniffed, control);
    if (!surveyed.ok) return surveyed;
    const { assumed } = surveyed.value;
    const facts: SurveyFacts = { ...job.facts, ...surveyed.value.facts, ...shortRows(format, sniffed), ...(sniffed.json === null ? {} : { records: "json" }) };
    const layout: FileLayout = { format: format.id, headerLine: sniffed.headerLine, headerByte: sniffed.headerByte, markLength: sniffed.markLength, header: sniffed.header, mark: mark.value, facts, json: sniffed.json, ...(sniffed.isParquet === true ? { isParquet: true as const } : {}), archive: await archiveOf(sniffed.path), ...(format.id === MAPPED && mapping !== null ? { mapping } : {}) };
    const fileId = staging.file({
      path: sniffed.path,
      name: file,
      size: sniffed.size,
      compression: sniffed.compression,
      encoding: sniffed.encoding,
      delimiter: sniffed.delimiter,
      layout: JSON.stringify(layout),
    });
    const textOf = createTextOf(tableEncoding(sniffed.encoding, sniffed.json));
    const fold = createFold({
      format,
      header: sniffed.header,
      mark: mark.value,
      textOf,
      reference: job.reference,
      staging,
      fileId,
      facts,
      assumed,
      ...(job.sizes === undefined ? {} : { bounds: job.sizes }),
    });
    let isCancelled = false;
    let isHeader = true;
    let hasChanged = false;
    const options: ScanOptions = {
      delimiter: sniffed.delimiter.charCodeAt(0),
      from: { byte: sniffed.headerByte, line: sniffed.headerLine, record: 0 },
      ...(job.sizes === undefined ? {} : { bufferSize: job.sizes.buffer }),
    };
    const reader: RecordReader = {
      onRecord(scan) {
        if (!isHeader) return fold.onRecord(scan);
        isHeader = false;
        hasChanged = textsOf(scan, textOf).join("\u0000") !== sniffed.header.join("\u0000");
        return !hasChanged;
      },
      rows: fold.rows,
      onOversize: (place) => fold.onOversize(place),
      onBuffer() {
        staging.settle();
        control.progress({ bytesRead: opened.bytesTaken(), rowsRead: fold.rowsRead() });
        isCancelled = control.isCancelled();
        return !isCancelled;
      },
    };
    const { rows } = fold;
    let opened: { bytesTaken(): number; sha256(): string | Promise<string> };
    let scanning: Promise<void>;
    if (rows !== null && sniffed.isParquet !== true && isWorthAThread(sniffed.size)) {
      const beside = besideScan(sourceOptions(sniffed, true), options);
      opened = beside;
      scanning = beside.scan({ ...reader, rows });
    } else {
      opened = source = await openBill(sniffed, true, wantedColumns(format, sniffed));
      scanning = scanRecords(source, options, reader);
    }
    await scanning.catch((error: unknown) => {
      if (error instanceof SourceError) throw new ReadingEnded(error.failure, fold.rowsRead());
      throw error;
    });
    if (isCancelled) return err(ledgerError("import.cancelled", { file }));
    if (hasChanged || isHeader) return err(ledgerError("import.changed", { file }));
    const folded = fold.finish();
    const sha256 = await opened.sha256();
    staging.fileHash(fileId, sha256);
    return ok({ fileId, sha256, size: sniffed.size, format: format.id, version, ...folded });
  } catch (error) {
    if (error instanceof ReadingEnded) return err(sourceTrouble(error.failure, file, error.rows));
    if (error instanceof SourceError) return err(sourceTrouble(error.failure, file));
    if (error instanceof CellOutOfRange || storeTrouble(error, "")?.code === "ledger.amount-range") return err(ledgerError("import.value-invalid", { file, line: sniffed.headerLine, column: "BilledCost", value: "", expected: "amount-range" }));
    throw error;
  } finally {
    staging.settle();
    await source?.close();
  }
}

/** A format by its id; a column mapping makes its own. */
export function formatOf(id: string, mapping: ColumnMapping | null): BillingFormat | undefined {
  return id === MAPPED ? (mapping === null ? undefined : mappedFormat(mapping)) : billingFormats.find((format) => format.id === id);
}

/** What `source_file.Layout` holds: what a second reading needs. */
export interface FileLayout {
  /** Of a bill that was read by a column mapping. */
  readonly mapping?: ColumnMapping;
  readonly format: string;
  readonly headerLine: number;
  readonly headerByte: number;
  readonly markLength: number;
  readonly header: readonly string[];
  readonly mark: "." | ",";
  readonly facts?: SurveyFacts;
  readonly json?: JsonLayout | null;
  readonly isParquet?: true;
  /** Of a member: its archive. */
  readonly archive?: { readonly member: string; readonly size: number; readonly sha256: string } | null;
}

/**
 * What the format wants to know of the whole file. The first rows often tell; otherwise the file is read once more.
 * errors  import.dates-ambiguous, import.datasets-mixed, import.cancelled
 */
async function survey(format: BillingFormat, sniffed: Sniffed, control: ReadControl): Promise<Result<{ readonly facts: SurveyFacts; readonly assumed: readonly string[] }>> {
  if (format.survey === undefined) return ok({ facts: {}, assumed: [] });
  const { header, name: file } = sniffed;
  const names = header.map((name) => columnName(format, name));
  const nulls = new Set(format.nullTexts.map((text) => text.toLowerCase()));
  const columns = format.survey.columns.map((aliases) => aliases.map(canonicalName).map((alias) => names.indexOf(alias)).find((index) => index !== -1) ?? -1);
  const inProgress = format.survey.begin(columnsOf(format, header));
  const stated = (text: string | null | undefined): string | null => (text === null || text === undefined || text.trim() === "" || nulls.has(text.trim().toLowerCase()) ? null : text.trim());
  const { columns: asked } = format.survey;
  /** A column of the survey as the file spells it. */
  const spelled = (column: string): string => header[columns[asked.findIndex((aliases) => aliases.includes(column))] ?? -1] ?? column;
  let wantsMore = true;
  for (const record of sniffed.sampleRecords) wantsMore &&= inProgress.row(columns.map((column) => (column === -1 ? null : stated(record[column]))));
  if (wantsMore && !sniffed.isWhole) {
    const source = await openBill(sniffed, false, sniffed.header.map((_name, index) => columns.includes(index)));
    const textOf = createTextOf(tableEncoding(sniffed.encoding, sniffed.json));
    const again = format.survey.begin(columnsOf(format, header));
    let isHeader = true;
    let isCancelled = false;
    try {
      await scanRecords(
        source,
        { delimiter: sniffed.delimiter.charCodeAt(0), from: { byte: sniffed.headerByte, line: sniffed.headerLine, record: 0 } },
        {
          onRecord({ bytes, ends, start, fieldCount }) {
            if (isHeader) {
              isHeader = false;
              return true;
            }
            return again.row(
              columns.map((column) => (column === -1 || column >= fieldCount ? null : stated(textOf(bytes, column === 0 ? start : (ends[column - 1] as number) + 1, ends[column] as number)))),
            );
          },
          onOversize: () => undefined,
          onBuffer() {
            isCancelled = control.isCancelled();
            return !isCancelled;
          },
        },
      );
    } finally {
      await source.close();
    }
    if (isCancelled) return err(ledgerError("import.cancelled", { file }));
    return answered(file, again.finish(), spelled);
  }
  return answered(file, inProgress.finish(), spelled);
}

/**
 * Some exporters name more columns than their rows have cells. Where each of the first rows, at least two, is short by the same number, and the
 * columns left over are none that the format cannot do without, the last columns state nothing. A single short row is set aside as ever.
 */
function shortRows(format: BillingFormat, { header, sampleRecords }: Sniffed): SurveyFacts {
  const [first] = sampleRecords;
  if (first === undefined || sampleRecords.length < 2 || first.length >= header.length || first.length < 2) return {};
  if (sampleRecords.some(({ length }) => length !== first.length)) return {};
  const left = new Set(header.slice(first.length).map((name) => columnName(format, name)));
  const needed = [...format.required.flat(), ...format.charge.ChargePeriodStart.columns, ...format.charge.ChargePeriodEnd.columns];
  return needed.some((name) => left.has(canonicalName(name))) ? {} : { missingLastCells: String(header.length - first.length) };
}

function answered(file: string, finding: SurveyFinding, spelled: (column: string) => string): Result<{ readonly facts: SurveyFacts; readonly assumed: readonly string[] }> {
  if (!("trouble" in finding)) return ok(finding);
  return finding.trouble === "dates-ambiguous"
    ? err(ledgerError("import.dates-ambiguous", { file, column: spelled(finding.column), value: finding.value }))
    : err(ledgerError("import.datasets-mixed", { file, datasets: finding.datasets }));
}

/** JSON objects leave out what they do not state, so that only the whole file says which columns there are. */
export async function withAllColumns(sniffed: Sniffed, control: ReadControl): Promise<Result<Sniffed>> {
  if (sniffed.json === null || sniffed.isWhole) return ok(sniffed);
  const columns = new Set(sniffed.header);
  const cutter = createJsonCutter(sniffed.json);
  const piece = new Uint8Array(1024 * 1024);
  try {
    const source = await openBill({ ...sniffed, json: null }, false, null, true);
    try {
      for (;;) {
        const count = await source.read(piece, 0, piece.length);
        for (const { text } of count === 0 ? cutter.end() : cutter.take(piece.subarray(0, count))) for (const column of flattened(text)?.keys() ?? []) columns.add(column);
        if (count === 0) return ok({ ...sniffed, header: [...columns] });
        if (control.isCancelled()) return err(ledgerError("import.cancelled", { file: sniffed.name }));
      }
    } finally {
      await source.close();
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return err(sourceTrouble(error.failure, sniffed.name));
  }
}

class ReadingEnded extends Error {
  readonly failure: SourceFailure;
  readonly rows: number;
  constructor(failure: SourceFailure, rows: number) {
    super(failure);
    this.failure = failure;
    this.rows = rows;
  }
}

/** The encoding in which the scanner sees a file's cells: those of JSON are made anew, in UTF-8. */
export function tableEncoding(encoding: string, json: JsonLayout | null): "utf-8" | "gb18030" {
  return json === null && encoding === "gb18030" ? "gb18030" : "utf-8";
}

/** `wanted`: the columns that are looked at, of a file that has them apart. `isJson`: its text is handed out to be cut. */
export async function openBill(sniffed: Sniffed, isHashed: boolean, wanted: readonly boolean[] | null = null, isJson = false): Promise<ByteSource> {
  try {
    const parquet = sniffed.isParquet === true ? { wanted, startRow: null } : null;
    return await openSource({ ...sourceOptions(sniffed, isHashed), parquet, isJson });
  } catch (error) {
    throw failureOf(error);
  }
}

function sourceOptions({ path, compression, encoding, markLength, json, header }: Sniffed, isHashed: boolean): SourceOptions {
  return { path, compression, encoding, markLength, isHashed, json: json === null ? null : { layout: json, columns: header } };
}

/**
 * Point or comma, once for the whole file. A comma can only be the mark where it does not part columns (a table saved by a spreadsheet with
 * `;`). Where each number could be thousands as well (`1.234`), or both marks are about, nobody guesses.
 */
function decimalMark(format: BillingFormat, sniffed: Sniffed): Result<"." | ","> {
  if (sniffed.delimiter === ",") return ok(".");
  const names = new Set(
    [format.charge.BilledCost, format.charge.EffectiveCost, format.charge.ListCost, format.charge.ContractedCost, format.charge.ConsumedQuantity, format.charge.PricingQuantity]
      .flatMap(({ sums }) => Object.values(sums))
      .flatMap((terms) => terms ?? [])
      .flatMap(({ columns, amounts }) => (amounts === undefined ? columns.map(canonicalName) : [])),
  );
  let ambiguous: { readonly column: string; readonly value: string } | null = null;
  let hasPoint = false;
  let hasComma = false;
  let isSure = false;
  for (const record of sniffed.sampleRecords) {
    for (const [index, column] of sniffed.header.entries()) {
      const value = record[index]?.trim() ?? "";
      if (!names.has(columnName(format, column)) || !/^[+-]?[\d.,]+(?:[eE][+-]?\d+)?$/.test(value)) continue;
      const isPoint = value.includes(".");
      const isComma = value.includes(",");
      if (!isPoint && !isComma) continue;
      if (isPoint && isComma) {
        hasPoint ||= value.lastIndexOf(".") > value.lastIndexOf(",");
        hasComma ||= value.lastIndexOf(",") > value.lastIndexOf(".");
        isSure = true;
        continue;
      }
      hasPoint ||= isPoint;
      hasComma ||= isComma;
      if (/^[+-]?[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(value)) ambiguous ??= { column, value };
      else isSure = true;
    }
  }
  if ((hasPoint && hasComma) || (ambiguous !== null && !isSure)) {
    return err(ledgerError("import.number-ambiguous", { file: sniffed.name, column: ambiguous?.column ?? "", value: ambiguous?.value ?? "" }));
  }
  return ok(hasComma ? "," : ".");
}
