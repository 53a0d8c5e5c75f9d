import { createHash, randomUUID } from "node:crypto";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { packListSchema } from "../../../shared/contract/esg.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { makeFolder, sweep, writeWhole } from "../files.ts";
import { zipOf, type ZipMember } from "../print/index.ts";

/** What marks a folder as a pack of ours. */
const MARK = "pack.json";

/**
 * Writes a pack whole or not at all: one ZIP where the name ends so, else a folder. A folder that holds anything but an earlier pack is left
 * alone; an earlier pack is replaced by one renaming, and stays as it was where writing fails. What else lies in its folder is the person's and
 * stays, a file of the earlier pack that they have changed among it.
 *
 * errors  file.exists (no pack of ours, or a file of the person's under a name of the new pack), file.not-writable
 */
export function writePack(target: string, files: readonly ZipMember[], at: Date): Result<null> {
  try {
    makeFolder(dirname(resolve(target)));
    return /\.zip$/i.test(target) ? writeZip(target, files, at) : writeFolder(target, files);
  } catch {
    return err(ledgerError("file.not-writable", { file: basename(target) }));
  }
}

function writeZip(target: string, files: readonly ZipMember[], at: Date): Result<null> {
  const written = writeWhole(target, zipOf(files, at));
  return written.ok ? ok(null) : written;
}

/** Throws what the file system says; what was there is then there still. */
function writeFolder(target: string, files: readonly ZipMember[]): Result<null> {
  const place = existsSync(target) ? realpathSync(target) : resolve(target);
  const others = existsSync(place) ? othersIn(place) : [];
  if (others === null) return err(ledgerError("file.exists", { file: basename(target) }));
  const taken = others.find((other) => files.some(({ name }) => name === other || name.startsWith(`${other}/`)));
  if (taken !== undefined) return err(ledgerError("file.exists", { file: `${basename(target)}/${taken}` }));
  const run = randomUUID().slice(0, 8);
  const unfinished = `${place}.new-${run}`;
  try {
    makeFolder(unfinished);
    for (const { name, bytes } of files) {
      makeFolder(dirname(join(unfinished, name)));
      writeFileSync(join(unfinished, name), bytes);
    }
    if (existsSync(place)) exchange(place, unfinished, `${place}.old-${run}`, others);
    else renameSync(unfinished, place);
  } finally {
    sweep(unfinished);
  }
  return ok(null);
}

/** Puts a folder in the place of another and carries `others` over; undone where a step of it fails. */
function exchange(place: string, unfinished: string, old: string, others: readonly string[]): void {
  chmodSync(unfinished, statSync(place).mode & 0o777);
  renameSync(place, old);
  const carried: string[] = [];
  try {
    renameSync(unfinished, place);
    for (const name of others) {
      makeFolder(dirname(join(place, name)));
      renameSync(join(old, name), join(place, name));
      carried.push(name);
    }
  } catch (fault) {
    for (const name of carried) renameSync(join(place, name), join(old, name));
    if (existsSync(place)) renameSync(place, unfinished);
    renameSync(old, place);
    throw fault;
  }
  sweep(old);
}

/** Names that packs have: nothing else is ever taken away, whatever a list in the folder says. */
const ours = /^(?:esg-\d{4}(?:-\d{2}|-Q[1-4])?\.xlsx|statement-\d{4}(?:-\d{2}|-Q[1-4])?\.pdf|README\.txt|csv\/[a-z]{2,20}(?:-[a-z]{2,20})?\.csv)$/;
/** A list is a few thousand bytes. */
const MOST_LIST_BYTES = 1024 * 1024;

/**
 * What lies in a folder and is not of the earlier pack in it, as names below the folder; null for a folder that holds something, and no pack.
 * Of the earlier pack is what has a name of ours and the very bytes that its list states: the rest somebody else has written, or changed.
 */
function othersIn(folder: string): readonly string[] | null {
  const inside = readdirSync(folder);
  if (inside.length === 0) return [];
  const list = listIn(join(folder, MARK));
  if (list === null) return null;
  const isOfPack = (name: string): boolean => {
    const stated = ours.test(name) ? list.get(name) : undefined;
    return stated !== undefined && lstatSync(join(folder, name)).isFile() && createHash("sha256").update(readFileSync(join(folder, name))).digest("hex") === stated;
  };
  return inside
    .flatMap((name) => (name === "csv" && lstatSync(join(folder, name)).isDirectory() ? readdirSync(join(folder, name)).map((file) => `csv/${file}`) : [name]))
    .filter((name) => name !== MARK && !isOfPack(name));
}

/** Name to SHA-256 of each file that a pack of ours lists; null where it is none. */
function listIn(file: string): ReadonlyMap<string, string> | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > MOST_LIST_BYTES) return null;
  try {
    const list = packListSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return list.success ? new Map(list.data.files.map(({ name, sha256 }) => [name, sha256])) : null;
  } catch {
    return null;
  }
}
