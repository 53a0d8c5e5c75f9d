/**
 * Copies of bills beside the ledger, `NAME.gpuledger.sources/SHA256.csv.gz`, so that the rows behind a figure can be shown when the original
 * is gone; and where a file that was moved is now. Nothing here is needed for a figure: the folder may be deleted at any time.
 */
import { createReadStream, createWriteStream, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { makeFolder, sweep } from "../files.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import type { FileLayout } from "./bills.ts";
import type { SourceFile } from "./rows.ts";
import { MEMBER_MARK, placeOf } from "./scan/archive.ts";

const PART = ".part";

/** Where the copies of a ledger lie; null for a ledger in memory. */
export function keptFolderOf(db: Db): string | null {
  return db.memory ? null : `${db.name}.sources`;
}

interface Original {
  /** The file itself, or the archive it lies in. */
  readonly file: string;
  readonly copy: string;
  readonly isPlain: boolean;
}

/** What would be copied of a file, and under which name: a file that is compressed already, or an archive, as it is; a plain one as gz. */
function originalOf({ Path, Sha256, Compression, Layout }: SourceFile): Original {
  const { file } = placeOf(Path);
  const { archive = null, isParquet = false, json = null } = JSON.parse(Layout) as FileLayout;
  if (archive !== null) return { file, copy: `${archive.sha256}${endingOf(file)}`, isPlain: false };
  if (Compression !== null || isParquet) return { file, copy: `${Sha256}${endingOf(file)}`, isPlain: false };
  return { file, copy: `${Sha256}.${json === null ? "csv" : "json"}.gz`, isPlain: true };
}

/** `.tar.gz`, `.zip`, `.parquet`: what tells how a file is to be opened. */
function endingOf(file: string): string {
  return /((?:\.[a-z0-9]{1,8}){1,2})$/i.exec(basename(file))?.[1]?.toLowerCase() ?? "";
}

/** A file as it can be read again from its copy; null where there is none. */
export function copyOf(db: Db, source: SourceFile): SourceFile | null {
  const folder = keptFolderOf(db);
  if (folder === null) return null;
  const { copy, isPlain } = originalOf(source);
  const path = join(folder, copy);
  if (!existsSync(path)) return null;
  const { archive = null } = JSON.parse(source.Layout) as FileLayout;
  return { ...source, Path: archive === null ? path : `${path}${MEMBER_MARK}${archive.member}`, Compression: isPlain ? "gzip" : source.Compression };
}

/** Files of this size and name, or part of an archive of this name, beside other files that were imported. Whether one is the file, its bytes tell. */
export function candidatesFor(db: Db, { Path }: SourceFile): string[] {
  const { file, member } = placeOf(Path);
  const folders = new Set(
    readAll(db, query<{ Path: string }>("Path")`-- kept.folders
      SELECT DISTINCT Path FROM source_file`).map((row) => dirname(placeOf(row.Path).file)),
  );
  const found = [...folders].map((folder) => join(folder, basename(file))).filter((path) => path !== file && existsSync(path));
  return found.map((path) => (member === null ? path : `${path}${MEMBER_MARK}${member}`));
}

/** Files of posted bills that are not kept yet, newest first. */
export function unkept(db: Db): Original[] {
  const folder = keptFolderOf(db);
  if (folder === null) return [];
  const files = readAll(db, query<SourceFile>("FileId", "BatchId", "Path", "Name", "Size", "Sha256", "Compression", "Encoding", "Delimiter", "Layout")`-- kept.files
    SELECT f.FileId, f.BatchId, f.Path, f.Name, f.Size, f.Sha256, f.Compression, f.Encoding, f.Delimiter, f.Layout
    FROM source_file f
    JOIN batch b ON b.BatchId = f.BatchId
    WHERE b.Kind = 'billing' AND b.State = 'posted'
    ORDER BY f.FileId DESC`);
  const byCopy = new Map(files.map((file) => originalOf(file)).map((original) => [original.copy, original]));
  return [...byCopy.values()].filter(({ copy }) => !existsSync(join(folder, copy)));
}

/** Bytes that the copies in a folder take. */
export function keptBytes(folder: string | null): number {
  if (folder === null || !existsSync(folder)) return 0;
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/**
 * Copies files one after another until all are kept or the folder holds `mostBytes`. Reads and writes piece by piece beside everything else;
 * a copy is there whole or not at all. A file that is gone or cannot be read is left out: its figures stay as they are.
 */
export async function keepSources(folder: string, originals: readonly Original[], mostBytes: number, isCancelled: () => boolean): Promise<number> {
  let used = keptBytes(folder);
  let kept = 0;
  for (const { file, copy, isPlain } of originals) {
    if (isCancelled()) break;
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    // Text of bills becomes a tenth to a twentieth of itself; an eighth is reckoned with.
    if (size === undefined || used + (isPlain ? size / 8 : size) > mostBytes) continue;
    const target = join(folder, copy);
    const unfinished = `${target}${PART}`;
    try {
      makeFolder(folder);
      const steps = isPlain ? [createGzip({ level: 4 })] : [];
      await pipeline([createReadStream(file, { highWaterMark: 1024 * 1024 }), cancellable(isCancelled), ...steps, createWriteStream(unfinished)]);
      renameSync(unfinished, target);
      used += statSync(target).size;
      kept += 1;
    } catch {
      sweep(unfinished);
    }
  }
  return kept;
}

function cancellable(isCancelled: () => boolean): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (isCancelled()) done(new Error("cancelled"));
      else done(null, piece);
    },
  });
}

/** Takes all copies away; the originals stay where they are. */
export function dropKept(db: Db): void {
  const folder = keptFolderOf(db);
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
}
