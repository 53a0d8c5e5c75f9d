/** A provider's emissions report, from file to figures. The files are small (a row an account, service and region a month): they are read whole. */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { SetAsideRow } from "../../../shared/contract/methods.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { emissionsFormats, plus, recognizeEmissions, type CellOf, type EmissionsFormat, type EmissionsRow } from "../formats/emissions/index.ts";
import { canonicalName } from "../formats/format.ts";
import { failureOf } from "../import/scan/archive.ts";
import { SourceError, sourceTrouble } from "../import/scan/failure.ts";
import { createTextOf, scanRecords, textsOf } from "../import/scan/records.ts";
import { openSource } from "../import/scan/source.ts";
import { memorySource, sniff, type Sniffed } from "../import/sniff.ts";
import { jsonAsTable, flattened, createJsonCutter } from "../import/scan/json-records.ts";

/** Rows of one month, payer, account, service, region and model version, added. */
export interface EmissionsLine extends EmissionsRow {
  readonly firstFileLine: number;
  readonly rowCount: number;
}

export interface EmissionsFile {
  readonly name: string;
  readonly sha256: string;
  readonly format: EmissionsFormat;
  readonly rowsRead: number;
  readonly rowsPosted: number;
  readonly rowsOutdated: number;
  readonly rowsSetAside: number;
  /** The first of those set aside. */
  readonly setAside: readonly SetAsideRow[];
  /** By month, payer, account, service and region. */
  readonly lines: readonly EmissionsLine[];
}

/** All amounts of a file together stay below this many micrograms (four million tonnes), so that the store's 64 bits hold any sum of them. */
const MOST_IN_FILE = 4n * 10n ** 18n;
/** Rows set aside that are kept with their reason; the rest is counted. */
const KEPT_ASIDE = 1000;

/**
 * Reads a report. Rows of a month and payer that the file states in several model versions count in the newest alone.
 *
 * errors  those of `sniff`; emissions.unrecognized, emissions.unit-unknown, emissions.no-month (it states totals without a month),
 *         import.no-rows-usable
 */
export async function readEmissions(path: string): Promise<Result<EmissionsFile>> {
  const sniffed = await sniff(path);
  if (!sniffed.ok) return sniffed;
  const { name } = sniffed.value;
  // Before the whole of it is read: it may be a bill of any size. Only JSON may hold its table one level down.
  if (sniffed.value.json === null && recognizeEmissions(sniffed.value.header) === null) return unrecognized(name);
  const table = await tableOf(sniffed.value);
  if (!table.ok) return table;
  const { header, records, sha256 } = table.value;
  const format = recognizeEmissions(header);
  if (format === null) return unrecognized(name);
  const places = new Map<string, number>();
  header.forEach((column, index) => {
    if (!places.has(canonicalName(column))) places.set(canonicalName(column), index);
  });
  const rows: { readonly row: EmissionsRow; readonly line: number }[] = [];
  const setAside: SetAsideRow[] = [];
  let rowsSetAside = 0;
  let total = 0n;
  for (const { line, texts } of records) {
    const cell: CellOf = (...names) => {
      for (const wanted of names) {
        const text = texts[places.get(canonicalName(wanted)) ?? -1]?.trim() ?? "";
        if (text !== "" && text.toLowerCase() !== "null") return text;
      }
      return null;
    };
    const reading = format.read(cell);
    if ("unit" in reading) return err(ledgerError("emissions.unit-unknown", { file: name, line, column: reading.unit.column, unit: reading.unit.value }));
    const row = "row" in reading ? reading.row : null;
    total += row === null ? 0n : amountsOf(row).reduce((sum, amount) => sum + amount, 0n);
    if (row !== null && total < MOST_IN_FILE) rows.push({ row, line });
    else {
      rowsSetAside += 1;
      const { column, value, expected } = "trouble" in reading ? reading.trouble : { column: "", value: "", expected: "emissions-range" as const };
      if (setAside.length < KEPT_ASIDE) setAside.push({ file: name, line, column, value, reason: expected });
    }
  }
  if (rows.length === 0) {
    if (setAside.length > 0 && setAside.every(({ reason, value }) => reason === "month" && value === "")) return err(ledgerError("emissions.no-month", { file: name }));
    return err(ledgerError("import.no-rows-usable", { file: name, rows: records.length }));
  }
  const newest = newestVersions(rows.map(({ row }) => row));
  const counted = rows.filter(({ row }) => newest.get(monthAndPayer(row)) === row.modelVersion);
  return ok({
    name,
    sha256,
    format,
    rowsRead: records.length,
    rowsPosted: counted.length,
    rowsOutdated: rows.length - counted.length,
    rowsSetAside,
    setAside,
    lines: added(counted),
  });
}

function unrecognized(file: string): Result<never> {
  const layouts = emissionsFormats.map(({ id, required }) => `${id}: ${required.map(([first]) => first).join(", ")}`).join("; ");
  return err(ledgerError("emissions.unrecognized", { file, layouts }));
}

interface FileRecord {
  readonly line: number;
  readonly texts: readonly string[];
}

/** All records of a file as texts; what lies in the `value` of an API's answer is the table. */
async function tableOf(sniffed: Sniffed): Promise<Result<{ readonly header: readonly string[]; readonly records: readonly FileRecord[]; readonly sha256: string }>> {
  const { path, name, compression, encoding, markLength, json, isParquet, header, delimiter, headerByte } = sniffed;
  const records: FileRecord[] = [];
  let sha256: string;
  try {
    const source = await openSource({ path, compression, encoding, markLength, isHashed: true, parquet: isParquet === true ? { wanted: null, startRow: null } : null, json: json === null ? null : { layout: json, columns: header } });
    try {
      await collect(source, delimiter.charCodeAt(0), encoding === "gb18030" ? "gb18030" : "utf-8", records, json !== null || isParquet === true ? 0 : headerByte);
      sha256 = await source.sha256();
    } finally {
      await source.close();
    }
  } catch (error) {
    return err(sourceTrouble(error instanceof SourceError ? error.failure : failureOf(error).failure, name));
  }
  const wrapped = header.indexOf("value");
  const inner = json === null || wrapped === -1 || header.length > 8 ? undefined : records[0]?.texts[wrapped];
  return ok(inner?.startsWith("[") === true ? { ...(await innerTable(inner)), sha256 } : { header, records, sha256 });
}

/** The objects of a JSON list as a table; a record's line is its place in the list. */
async function innerTable(text: string): Promise<{ readonly header: readonly string[]; readonly records: readonly FileRecord[] }> {
  const bytes = Buffer.from(text, "utf8");
  const cutter = createJsonCutter("document");
  const cut = [...cutter.take(bytes), ...cutter.end()];
  const header = [...new Set(cut.flatMap((record) => [...(flattened(record.text)?.keys() ?? [])]))];
  const records: FileRecord[] = [];
  await collect(jsonAsTable(memorySource(bytes), "document", header), 44, "utf-8", records, 0);
  return { header, records: records.map(({ texts }, index) => ({ line: index + 1, texts })) };
}

async function collect(source: Parameters<typeof scanRecords>[0], delimiter: number, encoding: "utf-8" | "gb18030", into: FileRecord[], headerByte: number): Promise<void> {
  const textOf = createTextOf(encoding);
  let isHeader = true;
  await scanRecords(source, { delimiter }, {
    onRecord(scan) {
      // Lines before the header (a separator line) are none of the table.
      if (scan.byte < headerByte) return true;
      if (isHeader) isHeader = false;
      else into.push({ line: scan.line, texts: textsOf(scan, textOf) });
      return true;
    },
    onOversize: () => undefined,
  });
}

function amountsOf({ location, market, scope1, scope2Location, scope2Market, scope3 }: EmissionsRow): bigint[] {
  return [location, market, scope1, scope2Location, scope2Market, scope3].filter((amount) => amount !== null);
}

function monthAndPayer({ month, payerId }: EmissionsRow): string {
  return JSON.stringify([month, payerId]);
}

/** The newest model version of each month and payer: `v3.0.0` after `v2.1.0`, `13` after `9`. */
function newestVersions(rows: readonly EmissionsRow[]): ReadonlyMap<string, string | null> {
  const newest = new Map<string, string | null>();
  for (const row of rows) {
    const key = monthAndPayer(row);
    const best = newest.get(key);
    if (best === undefined || compareVersions(row.modelVersion, best) > 0) newest.set(key, row.modelVersion);
  }
  return newest;
}

function compareVersions(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  const [left, right] = [a, b].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  for (let index = 0; index < Math.max(left?.length ?? 0, right?.length ?? 0); index += 1) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function added(rows: readonly { readonly row: EmissionsRow; readonly line: number }[]): EmissionsLine[] {
  const lines = new Map<string, EmissionsLine>();
  for (const { row, line } of rows) {
    const key = JSON.stringify([row.month, row.payerId, row.accountId, row.serviceName, row.regionId]);
    const before = lines.get(key);
    lines.set(key, before === undefined ? { ...row, firstFileLine: line, rowCount: 1 } : sumOf(before, row));
  }
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}

function sumOf(line: EmissionsLine, row: EmissionsRow): EmissionsLine {
  return {
    ...line,
    rowCount: line.rowCount + 1,
    location: plus(line.location, row.location),
    market: plus(line.market, row.market),
    scope1: plus(line.scope1, row.scope1),
    scope2Location: plus(line.scope2Location, row.scope2Location),
    scope2Market: plus(line.scope2Market, row.scope2Market),
    scope3: plus(line.scope3, row.scope3),
    refreshedAt: line.refreshedAt === null || (row.refreshedAt !== null && row.refreshedAt > line.refreshedAt) ? row.refreshedAt : line.refreshedAt,
  };
}
