import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ledgerError, type LedgerError } from "../../../shared/contract/errors.ts";
import type { AnyMapping } from "../../../shared/contract/mappings.ts";
import type { PreviewFile } from "../../../shared/contract/methods.ts";
import { failureOf, MEMBER_MARK, membersOf } from "./scan/archive.ts";
import { sourceTrouble } from "./scan/failure.ts";

/** What a preview found and posting will do: that, or nothing. */
export interface Plan {
  readonly id: string;
  readonly files: readonly PlannedFile[];
}
export interface PlannedFile {
  /** Where it lies, in an archive too. */
  readonly path: string;
  readonly preview: PreviewFile;
  /** The staging batch it was read into; null when there is nothing to post. */
  readonly batchId: number | null;
  /** As it was when it was read. */
  readonly modifiedMs: number;
  /** What told its columns apart, with its own header: kept in the ledger once it is posted. */
  readonly mapping: AnyMapping | null;
}

/** One file to look at: where it lies, or why it cannot be looked at. */
export interface FileToRead {
  readonly path: string;
  readonly trouble: LedgerError | null;
  /** Bytes; 0 where that is not known. */
  readonly size: number;
}

/** SQLite's files and those of the system: nobody means them when naming a folder. */
const notMeant = /(^\.|\.gpuledger(-|$)|^Thumbs\.db$|^desktop\.ini$)/i;

/** The files behind paths: a file is itself, a folder every file in it and below, in order of names. */
export function filesBehind(paths: readonly string[]): FileToRead[] {
  return paths.flatMap((path): FileToRead[] => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [{ path, trouble: ledgerError("import.not-found", { file: basename(path) }), size: 0 }];
    if (!found.isDirectory()) return [{ path, trouble: null, size: found.size }];
    const inside = filesIn(path);
    if (inside === null) return [{ path, trouble: ledgerError("import.unreadable", { file: basename(path) }), size: 0 }];
    if (inside.length === 0) return [{ path, trouble: ledgerError("import.no-files", { folder: basename(path) }), size: 0 }];
    return inside.map((file) => ({ path: file, trouble: null, size: statSync(file, { throwIfNoEntry: false })?.size ?? 0 }));
  });
}

/** The same, with archives taken apart: each member is a file of its own, named after its archive. */
export async function filesInside(files: readonly FileToRead[], isCancelled: () => boolean): Promise<FileToRead[]> {
  const all: FileToRead[] = [];
  for (const file of files) {
    if (file.trouble !== null) {
      all.push(file);
      continue;
    }
    try {
      const members = await membersOf(file.path, isCancelled);
      if (members === null) all.push(file);
      else if (members.length === 0) all.push({ path: file.path, trouble: ledgerError("import.empty", { file: basename(file.path) }), size: 0 });
      else all.push(...[...members].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, size }) => ({ path: `${file.path}${MEMBER_MARK}${name}`, trouble: null, size })));
    } catch (fault) {
      all.push({ path: file.path, trouble: sourceTrouble(failureOf(fault).failure, basename(file.path)), size: 0 });
    }
  }
  return all;
}

function filesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !notMeant.test(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry): string[] => {
        const path = join(folder, entry.name);
        // A link to a folder may lead in a circle: only links to files are followed.
        if (entry.isDirectory()) return filesIn(path) ?? [];
        const isFile = entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
        return isFile ? [path] : [];
      });
  } catch {
    return null;
  }
}

/** A file of which nothing will be posted, for the reason given. */
export function refusedFile(path: string, error: LedgerError | null, known: Partial<PreviewFile> = {}): PreviewFile {
  return {
    path,
    kind: null,
    format: null,
    version: null,
    state: "refused",
    error,
    rowsRead: 0,
    rowsPosted: 0,
    rowsSetAside: 0,
    setAside: [],
    repairs: {},
    periods: [],
    totals: {},
    corrections: {},
    devices: 0,
    coverage: null,
    batch: null,
    size: 0,
    sha256: null,
    reasons: [],
    deliveries: [],
    telemetry: null,
    shape: null,
    mapping: null,
    sameAs: null,
    ...known,
  };
}
