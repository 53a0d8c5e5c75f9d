import { randomUUID } from "node:crypto";
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ledgerError } from "../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../shared/result.ts";
import { textIn } from "./import/encoding.ts";

/**
 * The text of a small table as a person or their spreadsheet saved it: UTF-8, UTF-16 or GB18030.
 * errors  import.not-found, import.not-text
 */
export function readText(file: string): Result<string> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch {
    return err(ledgerError("import.not-found", { file: basename(file) }));
  }
  const text = textIn(bytes);
  return text === null ? err(ledgerError("import.not-text", { file: basename(file) })) : ok(text);
}

/** Takes away what was begun and cannot be ended. Where even that is refused, what stopped the writing is what is told. */
export function sweep(unfinished: string): void {
  try {
    rmSync(unfinished, { recursive: true, force: true });
  } catch {
    // Its folder is none, or gone: then nothing of it is there.
  }
}

/**
 * Makes a folder and those above it that are missing. One by one: Node's own way turns for ever where the system keeps saying that a folder it
 * shows is not there (/proc). Throws what the file system says.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder);
    } catch (fault) {
      // Another process may have made it meanwhile.
      if (!existsSync(folder)) throw fault;
    }
  }
}

/** A file that is being written beside the one whose place it takes. */
export interface Draft {
  /** Where to write. */
  readonly path: string;
  /** Puts it in its place. Throws what the file system says. */
  keep(): void;
  /** Takes away what was begun. */
  drop(): void;
}

/**
 * The one way to write a file whole or not at all: into a draft of its own in the same folder, kept at the end. What is there and no file (a
 * pipe, a device) is written into as it is; a link stays, and what it points at is replaced, with the rights that it had. Throws what the file
 * system says, of a file too that may not be written.
 */
export function draftOf(file: string): Draft {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory()) return { path: file, keep: () => undefined, drop: () => undefined };
  const place = found === undefined ? resolve(file) : realpathSync(file);
  if (found !== undefined) accessSync(place, constants.W_OK);
  const path = join(dirname(place), `.gpu-ledger-${randomUUID().slice(0, 8)}`);
  return {
    path,
    keep() {
      if (found !== undefined) chmodSync(path, found.mode & 0o777);
      renameSync(path, place);
    },
    drop: () => sweep(path),
  };
}

/**
 * Writes a file whole or not at all.
 * errors  file.not-writable
 */
export function writeWhole(file: string, content: string | Uint8Array): Result<{ readonly file: string }> {
  let draft: Draft | null = null;
  try {
    draft = draftOf(file);
    writeFileSync(draft.path, content);
    draft.keep();
  } catch {
    draft?.drop();
    return err(ledgerError("file.not-writable", { file: basename(file) }));
  }
  return ok({ file: basename(file) });
}
