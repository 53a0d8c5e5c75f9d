import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { sweep } from "../files.ts";
import { zipOf, type ZipMember } from "../print/index.ts";

/** What marks a folder as a pack of ours. */
const MARK = "pack.json";

/**
 * Writes a pack whole or not at all: one ZIP where the name ends so, else a folder. A folder that holds anything but an earlier pack is left
 * alone; an earlier pack is replaced.
 *
 * errors  file.exists, file.not-writable
 */
export function writePack(target: string, files: readonly ZipMember[], at: Date): Result<null> {
  const name = basename(target);
  if (/\.zip$/i.test(target)) {
    const unfinished = `${target}.new`;
    try {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(unfinished, zipOf(files, at));
      renameSync(unfinished, target);
    } catch {
      sweep(unfinished);
      return err(ledgerError("file.not-writable", { file: name }));
    }
    return ok(null);
  }
  let unfinished: string | null = null;
  try {
    if (existsSync(target) && readdirSync(target).length > 0 && !existsSync(join(target, MARK))) return err(ledgerError("file.exists", { file: name }));
    mkdirSync(dirname(target), { recursive: true });
    unfinished = mkdtempSync(`${target}.new-`);
    for (const { name: member, bytes } of files) {
      mkdirSync(dirname(join(unfinished, member)), { recursive: true });
      writeFileSync(join(unfinished, member), bytes);
    }
    // Only files of the earlier pack go: whatever else lies there is the person's.
    for (const old of earlierFiles(target)) rmSync(join(target, old), { force: true });
    for (const { name: member } of files) {
      mkdirSync(dirname(join(target, member)), { recursive: true });
      renameSync(join(unfinished, member), join(target, member));
    }
    rmSync(unfinished, { recursive: true, force: true });
  } catch {
    if (unfinished !== null) sweep(unfinished);
    return err(ledgerError("file.not-writable", { file: name }));
  }
  return ok(null);
}

function earlierFiles(target: string): string[] {
  try {
    const { files } = JSON.parse(readFileSync(join(target, MARK), "utf8")) as { readonly files: readonly { readonly name: string }[] };
    return [...files.map(({ name }) => name), MARK].filter((file) => /^[\w-]+(\/[\w-]+)?\.\w+$/.test(file));
  } catch {
    return [];
  }
}
