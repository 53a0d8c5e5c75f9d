import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { LedgerError } from "../../../shared/contract/errors.ts";
import type { ProvenRow, RowsPage } from "../../../shared/contract/methods.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { Reference } from "../reference/catalog.ts";
import { query, readAll } from "../store/sql.ts";
import type { Db } from "../store/sql.ts";
import { formatOf, tableEncoding, type FileLayout } from "./bills.ts";
import { candidatesFor, copyOf } from "./kept.ts";
import { createFold } from "./fold.ts";
import { openBytes, placeOf, statOf } from "./scan/archive.ts";
import { createTextOf, scanRecords, textsOf } from "./scan/records.ts";
import { canSeek, openSource, type SourceOptions } from "./scan/source.ts";
import { SourceError } from "./scan/failure.ts";
import type { Encoding } from "./sniff.ts";
import { knownSeriesOnly } from "./staging.ts";

/** Which rows to show: those of some series, on days from first to last inclusive, that count today. */
export interface RowsRequest {
  readonly seriesIds: readonly number[];
  readonly firstDay: number;
  readonly lastDay: number;
  readonly offset: number;
  readonly limit: number;
}

interface ShownCell {
  readonly BatchId: number;
  readonly SeriesId: number;
  readonly Day: number;
  readonly RowCount: number;
}
export interface SourceFile {
  readonly FileId: number;
  readonly BatchId: number;
  readonly Path: string;
  readonly Name: string;
  readonly Size: number;
  readonly Sha256: string;
  readonly Compression: string | null;
  readonly Encoding: string;
  readonly Delimiter: string;
  readonly Layout: string;
}
export interface SourceBlock {
  readonly FirstByte: number;
  readonly FirstLine: number;
  readonly FirstRecord: number;
  readonly SeriesIds: Uint8Array;
}

/** Up to this size a file is hashed before its rows are shown; a larger one is held to its size. */
const HASHED_BYTES = 64 * 1024 * 1024;

/**
 * Shows the rows behind cells: rereads the blocks of the files in which their series lie, through the same reader that made the cells.
 *
 * order     by batch, file and line
 * total     rows that count, by the ledger; a page may hold fewer where a file is missing
 * columns   of the files on the page, in their order, without those that no row of the page fills
 * missing   rows.file-missing, rows.file-changed
 */
export async function rereadRows(db: Db, request: RowsRequest, reference: Reference): Promise<RowsPage> {
  const wanted = JSON.stringify(request.seriesIds);
  const cells = readAll(db, query<ShownCell>("BatchId", "SeriesId", "Day", "RowCount")`-- rows.shown-cells
    SELECT BatchId, SeriesId, Day, RowCount
    FROM charge_day_current
    WHERE SeriesId IN (SELECT value FROM json_each(${wanted})) AND Day BETWEEN ${request.firstDay} AND ${request.lastDay} AND RowCount > 0`);
  const shown = new Set(cells.map(({ BatchId, SeriesId, Day }) => `${BatchId} ${SeriesId} ${Day}`));
  const total = cells.reduce((sum, { RowCount }) => sum + RowCount, 0);
  const batches = JSON.stringify([...new Set(cells.map(({ BatchId }) => BatchId))]);
  const files = filesOfBatches(db, batches);
  const seriesIds = new Set(request.seriesIds);
  const found: { readonly row: Omit<ProvenRow, "values">; readonly cells: ReadonlyMap<string, string> }[] = [];
  const missing: LedgerError[] = [];
  const columns: string[] = [];
  let passed = 0;
  for (const recorded of files) {
    if (found.length >= request.limit) break;
    const located = await locate(db, recorded);
    if (!located.ok) {
      missing.push(located.error);
      continue;
    }
    const file = located.value;
    const { header } = JSON.parse(file.Layout) as FileLayout;
    const read = await scanFile(db, file, seriesIds, reference, (line, seriesId, day, texts) => {
      if (!shown.has(`${file.BatchId} ${seriesId} ${day}`)) return true;
      passed += 1;
      if (passed <= request.offset) return true;
      found.push({ row: { file: file.Name, line, batch: file.BatchId }, cells: new Map(header.map((name, index) => [name, texts()[index] ?? ""])) });
      return found.length < request.limit;
    });
    if (!read) missing.push(ledgerError("rows.file-changed", { file: file.Name }));
    for (const name of header) if (!columns.includes(name)) columns.push(name);
  }
  const filled = columns.filter((name) => found.some(({ cells: texts }) => (texts.get(name) ?? "") !== ""));
  return {
    total,
    columns: filled,
    rows: found.map(({ row, cells: texts }) => ({ ...row, values: filled.map((name) => texts.get(name) || null) })),
    missing,
  };
}

/** `batches`: their numbers as a JSON list. */
export function filesOfBatches(db: Db, batches: string): SourceFile[] {
  return readAll(
    db,
    query<SourceFile>("FileId", "BatchId", "Path", "Name", "Size", "Sha256", "Compression", "Encoding", "Delimiter", "Layout")`-- rows.files
    SELECT FileId, BatchId, Path, Name, Size, Sha256, Compression, Encoding, Delimiter, Layout
    FROM source_file
    WHERE BatchId IN (SELECT value FROM json_each(${batches}))
    ORDER BY BatchId, FileId`,
  );
}

/**
 * Where a file can be read again: where it was, from its copy beside the ledger, or under its name beside another file that was imported, if
 * its bytes are the same.
 * errors  rows.file-missing, rows.file-changed
 */
export async function locate(db: Db, file: SourceFile): Promise<Result<SourceFile>> {
  const trouble = await troubleWith(file);
  if (trouble === null) return ok(file);
  const copy = copyOf(db, file);
  if (copy !== null) return ok(copy);
  for (const Path of candidatesFor(db, file)) {
    const moved = { ...file, Path };
    if ((await statOf(Path))?.size === file.Size && (await digestOf(Path)) === file.Sha256) return ok(moved);
  }
  return err(trouble);
}

async function troubleWith(file: SourceFile): Promise<LedgerError | null> {
  const found = await statOf(file.Path);
  // Of an archive that no longer opens, or no longer holds the file, it is the archive that has changed.
  if (found === null) return ledgerError(existsSync(placeOf(file.Path).file) ? "rows.file-changed" : "rows.file-missing", { file: file.Name });
  if (found.size !== file.Size) return ledgerError("rows.file-changed", { file: file.Name });
  if (found.size > HASHED_BYTES) return null;
  const digest = await digestOf(file.Path);
  return digest === file.Sha256 ? null : ledgerError("rows.file-changed", { file: file.Name });
}

export async function digestOf(path: string): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    const { stream } = await openBytes(path);
    for await (const piece of stream as AsyncIterable<Buffer>) hash.update(piece);
    return hash.digest("hex");
  } catch {
    return null;
  }
}

export function blocksOf(db: Db, fileId: number): SourceBlock[] {
  return readAll(db, query<SourceBlock>("FirstByte", "FirstLine", "FirstRecord", "SeriesIds")`-- rows.blocks
    SELECT FirstByte, FirstLine, FirstRecord, SeriesIds FROM source_block WHERE FileId = ${fileId} ORDER BY Block`);
}

/** Scans the blocks of a file that hold any of the series. false: it no longer reads as it did. */
export async function scanFile(
  db: Db,
  file: SourceFile,
  seriesIds: ReadonlySet<number>,
  reference: Reference,
  onRow: (line: number, seriesId: number, day: number, texts: () => string[]) => boolean,
): Promise<boolean> {
  const layout = JSON.parse(file.Layout) as FileLayout;
  const format = formatOf(layout.format, layout.mapping ?? null);
  if (format === undefined) return false;
  const blocks = blocksOf(db, file.FileId);
  const { json = null } = layout;
  const options: SourceOptions = { path: file.Path, compression: file.Compression === "gzip" || file.Compression === "zstd" ? file.Compression : null, encoding: file.Encoding as Encoding, markLength: layout.markLength, isHashed: false, json: json === null ? null : { layout: json, columns: layout.header } };
  const textOf = createTextOf(tableEncoding(file.Encoding, json));
  let isDone = false;
  const seeks = canSeek(options);
  const isParquet = layout.isParquet === true;
  for (const run of runsOf(blocks, seriesIds, seeks || isParquet)) {
    const fold = createFold({
      format,
      header: layout.header,
      mark: layout.mark,
      textOf,
      reference,
      staging: knownSeriesOnly(db),
      fileId: file.FileId,
      facts: layout.facts ?? {},
      onRow(scan, seriesId, day) {
        if (seriesIds.has(seriesId)) isDone = !onRow(scan.line, seriesId, day, () => textsOf(scan, textOf));
        return !isDone;
      },
    });
    try {
      // A row of a Parquet file is a line behind the header's, which is line 0; its group is found by its number.
      const source = await openSource(
        isParquet ? { ...options, parquet: { wanted: null, startRow: run.first.FirstLine - 1 } } : seeks ? { ...options, startByte: layout.markLength + run.first.FirstByte } : options,
      );
      try {
        await scanRecords(
          source,
          { delimiter: file.Delimiter.charCodeAt(0), from: { byte: seeks || isParquet ? 0 : run.first.FirstByte, line: run.first.FirstLine, record: run.first.FirstRecord } },
          {
            onRecord: (scan) => (isParquet ? scan.line < run.endLine : scan.byte + (seeks ? run.first.FirstByte : 0) < run.endByte) && fold.onRecord(scan),
            onOversize: () => undefined,
          },
        );
      } finally {
        await source.close();
      }
    } catch (error) {
      if (error instanceof SourceError) return false;
      throw error;
    }
    if (isDone) return true;
  }
  return true;
}

interface Run {
  readonly first: SourceBlock;
  /** Exclusive, of the text. */
  endByte: number;
  endLine: number;
}

/** Runs of neighboring blocks that hold any of the series; one run over all of them where the file must be read from its start. */
function runsOf(blocks: readonly SourceBlock[], seriesIds: ReadonlySet<number>, seeks: boolean): Run[] {
  const runs: Run[] = [];
  let isOpen = false;
  for (const [index, block] of blocks.entries()) {
    const endByte = blocks[index + 1]?.FirstByte ?? Infinity;
    const endLine = blocks[index + 1]?.FirstLine ?? Infinity;
    if (!holdsAny(block.SeriesIds, seriesIds)) {
      isOpen = false;
      continue;
    }
    const last = runs.at(-1);
    if (last !== undefined && (isOpen || !seeks)) [last.endByte, last.endLine] = [endByte, endLine];
    else runs.push({ first: block, endByte, endLine });
    isOpen = true;
  }
  return runs;
}

function holdsAny(blob: Uint8Array, seriesIds: ReadonlySet<number>): boolean {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  for (let at = 0; at + 4 <= blob.byteLength; at += 4) if (seriesIds.has(view.getUint32(at, true))) return true;
  return false;
}
