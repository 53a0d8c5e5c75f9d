import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
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
 * Writes a file whole or not at all: beside it first, then in its place.
 * errors  file.not-writable
 */
export function writeWhole(file: string, content: string | Uint8Array): Result<{ readonly file: string }> {
  const unfinished = `${file}.new`;
  try {
    writeFileSync(unfinished, content);
    renameSync(unfinished, file);
  } catch {
    sweep(unfinished);
    return err(ledgerError("file.not-writable", { file: basename(file) }));
  }
  return ok({ file: basename(file) });
}
