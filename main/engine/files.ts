import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { ledgerError } from "../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../shared/result.ts";

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
    rmSync(unfinished, { force: true });
    return err(ledgerError("file.not-writable", { file: basename(file) }));
  }
  return ok({ file: basename(file) });
}
