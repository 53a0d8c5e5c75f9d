/**
 * Files inside zip and tar archives, addressed as if they lay in a folder: `export.zip › month/part.csv`. Nothing is ever written under a
 * member's name, so a name can lead nowhere.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import * as zlib from "node:zlib";
import { extract } from "tar-stream";
import { open as openZip, type Entry, type ZipFile } from "yauzl";
import { SourceError } from "./failure.ts";

/** Between an archive's path and a member's. */
export const MEMBER_MARK = " › ";

export type Compression = "gzip" | "zstd";

/** Where the bytes of a file are: a file of its own, or a member of an archive. */
export interface Place {
  readonly file: string;
  readonly member: string | null;
}

export function placeOf(path: string): Place {
  for (let at = path.indexOf(MEMBER_MARK); at !== -1; at = path.indexOf(MEMBER_MARK, at + 1)) {
    const file = path.slice(0, at);
    if (isFile(file)) return { file, member: path.slice(at + MEMBER_MARK.length) };
  }
  // An archive that is gone is still named by what its name says.
  const at = existsSync(path) ? -1 : path.search(/\.(?:zip|tar|tgz|tar\.\w+) › /i);
  if (at === -1) return { file: path, member: null };
  const mark = path.indexOf(MEMBER_MARK, at);
  return { file: path.slice(0, mark), member: path.slice(mark + MEMBER_MARK.length) };
}

/** What people call it: the file's name, with the member's place in it. */
export function nameOf(path: string): string {
  const { file, member } = placeOf(path);
  return member === null ? basename(file) : `${basename(file)}${MEMBER_MARK}${member}`;
}

export interface Member {
  /** Slashes between folders, without `.` and `..`; two of one name are told apart. */
  readonly name: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** More members than any export has. */
const MOST_MEMBERS = 20_000;
/** What an archive may open to: 1 TiB, and beyond a first 256 MiB at most so many bytes for each of its own. Bills shrink to a tenth or a fiftieth. */
const MOST_BYTES = 2 ** 40;
const FREE_BYTES = 256 * 1024 * 1024;
const MOST_RATIO = 500;
/** An opened tar of up to this size is kept, so that its many small members are not each inflated from the start. */
const KEPT_BYTES = 32 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** Counts what comes out of a stream against what went in: archives made to burst are refused. */
export function holdToBounds(opened: number, taken: number): void {
  if (opened > MOST_BYTES || (opened > FREE_BYTES && opened > MOST_RATIO * taken)) throw new SourceError("bursting");
}

export function compressionOf(bytes: Uint8Array): Compression | null {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip";
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd ? "zstd" : null;
}

/** A stream that opens what is compressed. Throws a `SourceError` where this runtime cannot. */
export function decompressor(compression: Compression, chunkSize: number): zlib.Gunzip {
  if (compression === "gzip") return zlib.createGunzip({ chunkSize });
  // Absent from runtimes before Node 22.15.
  const create = (zlib as { readonly createZstdDecompress?: (options: object) => zlib.Gunzip }).createZstdDecompress;
  if (create === undefined) throw new SourceError("zstd");
  return create({ chunkSize });
}

/** A tar by its first header: its magic, or for the oldest its checksum. */
export function isTar(bytes: Uint8Array): boolean {
  if (bytes.length < 512) return false;
  if (Buffer.from(bytes.subarray(257, 262)).toString("latin1") === "ustar") return true;
  const stated = /^ *([0-7]+)[ \0]*$/.exec(Buffer.from(bytes.subarray(148, 156)).toString("latin1"))?.[1];
  if (stated === undefined) return false;
  let sum = 8 * 32;
  for (let at = 0; at < 512; at += 1) if (at < 148 || at >= 156) sum += bytes[at] as number;
  return sum === Number.parseInt(stated, 8);
}

/**
 * The members of an archive in its order, folders and links left out; null for a file that is none (a workbook is a zip, but no archive).
 * Throws a `SourceError`.
 */
export async function membersOf(path: string, isCancelled: () => boolean = () => false): Promise<readonly Member[] | null> {
  const archive = await indexOf(path, isCancelled);
  return archive === null ? null : archive.members.filter(({ name }) => !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name));
}

/** Bytes of a file or member from its start. Its errors are for `failureOf`. */
export interface OpenedBytes {
  readonly stream: Readable;
  readonly size: number;
}

/** Opens a place for reading. Throws a `SourceError`, or what the file system says. */
export async function openBytes(path: string, chunkSize = 1024 * 1024): Promise<OpenedBytes> {
  const { file, member } = placeOf(path);
  if (member === null) {
    return { stream: createReadStream(file, { highWaterMark: chunkSize }), size: statSync(file).size };
  }
  const archive = await indexOf(file, () => false);
  const found = archive?.members.find(({ name }) => name === member);
  if (archive === null || found === undefined) throw Object.assign(new Error("no such member"), { code: "ENOENT" });
  return { stream: await found.open(), size: found.size };
}

/** Where a member's bytes lie in the archive as they are, if they do. */
export async function plainRange(path: string): Promise<{ readonly file: string; readonly start: number; readonly size: number } | null> {
  const { file, member } = placeOf(path);
  if (member === null) return { file, start: 0, size: statSync(file).size };
  const found = (await indexOf(file, () => false))?.members.find(({ name }) => name === member);
  return found === undefined || found.start === null ? null : { file, start: found.start, size: found.size };
}

/** Size and time of change, of a file or of a member; null where it is not there or cannot be told. */
export async function statOf(path: string): Promise<{ readonly size: number; readonly modifiedMs: number } | null> {
  const { file, member } = placeOf(path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return null;
  if (member === null) return { size: found.size, modifiedMs: found.mtimeMs };
  try {
    const inside = (await indexOf(file, () => false))?.members.find(({ name }) => name === member);
    // A member changes with its archive.
    return inside === undefined ? null : { size: inside.size, modifiedMs: found.mtimeMs };
  } catch {
    return null;
  }
}

/** The archive that a member lies in: its hash lets it be found again where it has moved. null for a file of its own. */
export async function archiveOf(path: string): Promise<{ readonly member: string; readonly size: number; readonly sha256: string } | null> {
  const { file, member } = placeOf(path);
  if (member === null) return null;
  const { size, mtimeMs } = statSync(file);
  const key = `${file}\n${size}\n${mtimeMs}`;
  if (hashed?.key !== key) {
    const hash = createHash("sha256");
    for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) hash.update(piece);
    hashed = { key, sha256: hash.digest("hex") };
  }
  return { member, size, sha256: hashed.sha256 };
}

/** Of the last archive that was asked for. */
let hashed: { readonly key: string; readonly sha256: string } | null = null;

/** When a file or a member was last written, in whole milliseconds; null where that cannot be told. */
export async function writtenAt(path: string): Promise<number | null> {
  const { file, member } = placeOf(path);
  try {
    const written = member === null ? statSync(file).mtimeMs : (await indexOf(file, () => false))?.members.find(({ name }) => name === member)?.modifiedMs;
    return written === undefined ? null : Math.floor(written);
  } catch {
    return null;
  }
}

/** What a failure of a stream means to a person. */
export function failureOf(fault: unknown): SourceError {
  if (fault instanceof SourceError) return fault;
  const { code, message } = fault as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR" || /unexpected end|unexpected eof|premature close/i.test(message)) return new SourceError("truncated");
  return new SourceError("unreadable");
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

// Indexes

interface IndexedMember extends Member {
  /** First byte in the archive, where the member lies in it as it is. */
  readonly start: number | null;
  open(): Promise<Readable>;
}
interface ArchiveIndex {
  readonly key: string;
  readonly members: readonly IndexedMember[];
}

/** The last archive that was looked into: its members are asked for one after another. */
let last: { readonly key: string; readonly index: ArchiveIndex | null } | null = null;

async function indexOf(path: string, isCancelled: () => boolean): Promise<ArchiveIndex | null> {
  const { size, mtimeMs } = statSync(path);
  const key = `${path}\n${size}\n${mtimeMs}`;
  if (last?.key === key) return last.index;
  last = null;
  const index = await readIndex(path, size, key, isCancelled);
  last = { key, index };
  return index;
}

async function readIndex(path: string, size: number, key: string, isCancelled: () => boolean): Promise<ArchiveIndex | null> {
  const head = await headOf(path);
  if (head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))) return zipIndex(path, size, key);
  const compression = compressionOf(head);
  if (compression === null) return isTar(head) ? tarIndex(path, null, key, isCancelled) : null;
  return isTar(await openedHead(head, compression, 512)) ? tarIndex(path, compression, key, isCancelled) : null;
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** As much as the first bytes of a compressed file give, up to a bound; empty where that is nothing. */
export function openedHead(raw: Uint8Array, compression: Compression, most: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let count = 0;
    const stream = decompressor(compression, 64 * 1024);
    const done = (): void => {
      resolve(Buffer.concat(pieces).subarray(0, most));
      stream.destroy();
    };
    stream.on("data", (piece: Buffer) => {
      pieces.push(piece);
      count += piece.length;
      if (count >= most) done();
    });
    stream.once("end", done);
    stream.once("error", done);
    // What is cut off here goes on in the file: the rest of it is not asked for.
    stream.write(raw, () => setImmediate(() => (stream.end(), undefined)));
  });
}

/** A member's name as a path without tricks. */
function plainName(raw: string, seen: Set<string>): string {
  const parts = raw
    .replace(/\p{Cc}/gu, "\uFFFD")
    .split(/[\\/]+/)
    .filter((part) => part !== "" && part !== "." && part !== "..");
  const name = parts.length === 0 ? "?" : parts.join("/");
  let unique = name;
  for (let number = 2; seen.has(unique); number += 1) unique = `${name} (${number})`;
  seen.add(unique);
  return unique;
}

// Zip

async function zipIndex(path: string, size: number, key: string): Promise<ArchiveIndex | null> {
  const zip = await openedZip(path);
  try {
    const entries = await entriesOf(zip);
    const seen = new Set<string>();
    const named = entries.map((entry) => ({ entry, raw: zipName(entry) }));
    if (named.some(({ raw }) => raw === "xl/workbook.xml" || raw === "[Content_Types].xml")) return null;
    const claimed = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    holdToBounds(claimed, size);
    const members = named
      .filter(({ raw }) => !/[\\/]$/.test(raw))
      .map(({ entry, raw }) => ({
        name: plainName(raw, seen),
        size: entry.uncompressedSize,
        modifiedMs: entry.getLastModDate().getTime(),
        start: null,
        open: () => openEntry(path, entry),
      }));
    return { key, members };
  } finally {
    zip.close();
  }
}

function openedZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    openZip(path, { lazyEntries: true, decodeStrings: false, autoClose: false, validateEntrySizes: true }, (fault, zip) => {
      // A zip is read from its end: one that was cut has none.
      if (fault !== null) reject(/central directory|end of|eof/i.test(fault.message) ? new SourceError("truncated") : new SourceError("unreadable"));
      else resolve(zip);
    });
  });
}

function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    if (zip.entryCount > MOST_MEMBERS) {
      reject(new SourceError("bursting"));
      return;
    }
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      if (entries.length > MOST_MEMBERS) reject(new SourceError("bursting"));
      else zip.readEntry();
    });
    zip.on("end", () => resolve(entries));
    zip.on("error", () => reject(new SourceError("unreadable")));
    zip.readEntry();
  });
}

/** Names are UTF-8 where the zip says so or they read as such; else those of Chinese systems. */
function zipName(entry: Entry): string {
  const raw = entry.fileName as unknown as Buffer;
  for (const encoding of ["utf-8", "gb18030"]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(raw);
    } catch {
      // The next one.
    }
  }
  return raw.toString("latin1");
}

async function openEntry(path: string, entry: Entry): Promise<Readable> {
  if (entry.isEncrypted()) throw new SourceError("encrypted");
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw new SourceError("unreadable");
  const zip = await openedZip(path);
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (fault, opened) => {
      if (fault === null) resolve(opened);
      else reject(failureOf(fault));
    });
  }).catch((fault: unknown) => {
    zip.close();
    throw fault;
  });
  return Readable.from(checked(stream, entry, zip), { objectMode: false, highWaterMark: 1024 * 1024 });
}

/** A member's bytes, held to its checksum and to the bounds. */
async function* checked(stream: Readable, { crc32: stated, compressedSize }: Entry, zip: ZipFile): AsyncGenerator<Buffer> {
  const crc32 = (zlib as { readonly crc32?: (data: Buffer, value?: number) => number }).crc32;
  let sum = 0;
  let count = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      sum = crc32?.(piece, sum) ?? stated;
      count += piece.length;
      holdToBounds(count, compressedSize);
      yield piece;
    }
  } finally {
    stream.destroy();
    zip.close();
  }
  if (count > 0 && sum !== stated) throw new SourceError("unreadable");
}

// Tar

/** What its types leave out: options, and where a member begins. */
interface TarExtract {
  on(event: "entry", listener: (header: TarHeader, stream: Pick<Readable, "on" | "resume">, next: (fault?: Error) => void) => void): void;
  once(event: "finish" | "drain" | "error", listener: (fault?: unknown) => void): void;
  write(bytes: Buffer): boolean;
  end(): void;
  destroy(): void;
}
interface TarHeader {
  readonly name: string;
  readonly type: string | null;
  readonly size: number;
  readonly mtime: Date | null;
  readonly byteOffset: number;
}

async function tarIndex(path: string, compression: Compression | null, key: string, isCancelled: () => boolean): Promise<ArchiveIndex> {
  const seen = new Set<string>();
  const found: { readonly name: string; readonly size: number; readonly modifiedMs: number; readonly start: number }[] = [];
  const kept: Buffer[] = [];
  let opened = 0;
  let isKept = compression !== null;
  let tail: Buffer = Buffer.alloc(0);
  const tar = (extract as unknown as (options: { readonly allowUnknownFormat: boolean }) => TarExtract)({ allowUnknownFormat: true });
  tar.on("entry", (header, stream, next) => {
    if (found.length >= MOST_MEMBERS) {
      next(new SourceError("bursting"));
      return;
    }
    if (header.type === "file" || header.type === "contiguous-file") {
      found.push({ name: plainName(header.name, seen), size: header.size, modifiedMs: header.mtime?.getTime() ?? 0, start: header.byteOffset });
    }
    stream.on("end", () => next());
    stream.on("error", () => undefined);
    stream.resume();
  });
  await new Promise<void>((resolve, reject) => {
    tar.once("finish", () => resolve());
    tar.once("error", (fault: unknown) => reject(failureOf(fault)));
    const feed = async (): Promise<void> => {
      for await (const piece of tarBytes(path, compression)) {
        if (isCancelled()) throw new SourceError("cancelled");
        opened += piece.length;
        if (isKept) kept.push(piece);
        if (opened > KEPT_BYTES && isKept) {
          isKept = false;
          kept.length = 0;
        }
        tail = piece.length >= 512 ? piece.subarray(-512) : Buffer.concat([tail, piece]).subarray(-512);
        if (!tar.write(piece)) await new Promise<void>((go) => tar.once("drain", () => go()));
      }
      tar.end();
    };
    feed().catch((fault: unknown) => {
      reject(failureOf(fault));
      tar.destroy();
    });
  });
  // A tar ends in blocks of zeros: without them it was cut between two members.
  if (tail.length < 512 || tail.some((byte) => byte !== 0)) throw new SourceError("truncated");
  const whole = isKept ? Buffer.concat(kept) : null;
  const members = found.map(({ name, size, modifiedMs, start }) => ({
    name,
    size,
    modifiedMs,
    start: compression === null ? start : null,
    open: (): Promise<Readable> => {
      if (whole !== null) return Promise.resolve(Readable.from(piecesOf(whole.subarray(start, start + size)), { objectMode: false, highWaterMark: 1024 * 1024 }));
      return Promise.resolve(Readable.from(rangeOf(tarBytes(path, compression, start, size), compression === null ? 0 : start, size), { objectMode: false, highWaterMark: 1024 * 1024 }));
    },
  }));
  return { key, members };
}

/** The bytes of a tar, opened; where it is not compressed, a range of them. */
async function* tarBytes(path: string, compression: Compression | null, start = 0, size: number | null = null): AsyncGenerator<Buffer> {
  const isRange = compression === null && size !== null;
  if (isRange && size === 0) return;
  const file = createReadStream(path, { highWaterMark: 1024 * 1024, ...(isRange ? { start, end: start + (size ?? 0) - 1 } : {}) });
  if (compression === null) {
    yield* file as AsyncIterable<Buffer>;
    return;
  }
  let taken = 0;
  let opened = 0;
  const stream = decompressor(compression, 1024 * 1024);
  file.on("data", (piece) => (taken += piece.length));
  file.on("error", (fault) => stream.destroy(fault));
  file.pipe(stream);
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      opened += piece.length;
      holdToBounds(opened, taken);
      yield piece;
    }
  } finally {
    stream.destroy();
    file.destroy();
  }
}

async function* rangeOf(bytes: AsyncGenerator<Buffer>, skip: number, size: number): AsyncGenerator<Buffer> {
  let passed = 0;
  let left = size;
  if (left === 0) return;
  for await (const piece of bytes) {
    const from = Math.min(piece.length, Math.max(0, skip - passed));
    passed += piece.length;
    const part = piece.subarray(from, from + left);
    left -= part.length;
    if (part.length > 0) yield part;
    if (left === 0) return;
  }
  throw new SourceError("truncated");
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1024 * 1024) yield bytes.subarray(at, at + 1024 * 1024);
}

