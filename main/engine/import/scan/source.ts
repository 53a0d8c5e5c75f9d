import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Encoding } from "../sniff.ts";
import { decompressor, failureOf, holdToBounds, openBytes, placeOf, statOf, type Compression } from "./archive.ts";
import { hashFile } from "./hash.ts";
import { parquetAsSource } from "./parquet.ts";
import { openPlain, readPast } from "./plain.ts";
import type { RecordReader } from "./records.ts";
import { jsonAsTable, type JsonLayout } from "./json-records.ts";

/** Where the scanner gets its bytes: a file or a member of an archive, inflated, brought to UTF-8 or GB18030 and from JSON to a table on the way. */
export interface ByteSource {
  /** Fills target from offset with at most length bytes; 0 at the end. Rejects with a `SourceError` for what a person can mend. */
  read(target: Uint8Array, offset: number, length: number): Promise<number>;
  /** Bytes of the file, as it lies on disk, taken so far. */
  bytesTaken(): number;
  /** SHA-256 of the whole file as it lies on disk, in hex; only once `read` has answered 0. */
  sha256(): Promise<string>;
  close(): Promise<void>;
  /** Of a table of columns: all its rows, behind the header's record, to a reader that takes rows many at a time. */
  scanRows?(reader: RecordReader): Promise<void>;
}

export interface SourceOptions {
  /** Of a file, or of a member of an archive (archive.ts). */
  readonly path: string;
  readonly compression: Compression | null;
  readonly encoding: Encoding;
  /** Bytes of a byte order mark, read past. */
  readonly markLength: number;
  /** Whether the SHA-256 will be asked for. */
  readonly isHashed: boolean;
  /** Bytes of text to begin after, where the file lies as it is scanned; `canSeek` says whether it does. */
  readonly startByte?: number;
  /** JSON records, and the columns of the table that they are read as. */
  readonly json?: { readonly layout: JsonLayout; readonly columns: readonly string[] } | null;
  /** A Parquet file: which of its columns are wanted, null for all, and the row (from 0) to begin with; null: the header, then the first. */
  /** Its text is JSON that the caller cuts. */
  readonly isJson?: boolean;
  readonly parquet?: { readonly wanted: readonly boolean[] | null; readonly startRow: number | null } | null;
}

/** Whether a place in the text is a place in the file. */
export function canSeek({ path, compression, encoding, json = null, parquet = null }: Pick<SourceOptions, "path" | "compression" | "encoding" | "json" | "parquet">): boolean {
  return json === null && parquet === null && compression === null && placeOf(path).member === null && (encoding === "utf-8" || encoding === "gb18030");
}

const CHUNK_BYTES = 4 * 1024 * 1024;

export async function openSource(options: SourceOptions): Promise<ByteSource> {
  const { parquet = null } = options;
  if (parquet !== null) return openTable(options, parquet);
  const isPlain = options.compression === null && placeOf(options.path).member === null;
  let source = isPlain ? openPlain(options.path, options.startByte ?? 0, options.isHashed ? "beside" : null) : await openStreamed(options);
  // JSON is cut in UTF-8.
  const isCut = (options.json ?? null) !== null || options.isJson === true;
  if (options.encoding === "utf-16le" || options.encoding === "utf-16be" || (isCut && options.encoding === "gb18030")) source = transcoded(source, options.encoding);
  // A file begun further on has its mark behind it.
  if (options.startByte !== undefined) return source;
  await readPast(source, options.encoding.startsWith("utf-16") ? (options.markLength === 0 ? 0 : 3) : options.markLength);
  const { json = null } = options;
  return json === null ? source : jsonAsTable(source, json.layout, json.columns);
}

/** A Parquet file is read by its columns, and hashed beside. */
async function openTable({ path, compression, isHashed }: SourceOptions, { wanted, startRow }: NonNullable<SourceOptions["parquet"]>): Promise<ByteSource> {
  const { file, member } = placeOf(path);
  const isPlain = member === null;
  const size = isPlain ? statSync(file).size : ((await statOf(path))?.size ?? 0);
  const hash = isHashed && isPlain ? hashFile(file, size) : null;
  const digest = async (): Promise<string> => {
    if (hash !== null) return hash.digest();
    const whole = createHash("sha256");
    const { stream } = await openBytes(path);
    for await (const piece of stream as AsyncIterable<Buffer>) whole.update(piece);
    return whole.digest("hex");
  };
  const source = await parquetAsSource(path, compression, wanted, startRow, isHashed ? digest : null, size).catch(async (fault: unknown) => {
    await hash?.stop();
    throw fault;
  });
  return {
    ...source,
    async close() {
      await source.close();
      await hash?.stop();
    },
  };
}

/** Inflates on another thread while the caller scans: the next piece is asked for before this one is handed out. */
async function openStreamed({ path, isHashed, compression }: SourceOptions): Promise<ByteSource> {
  const hash = isHashed ? createHash("sha256") : null;
  const { stream: file } = await openBytes(path);
  let taken = 0;
  let opened = 0;
  let ended = false;
  // Met when the next piece is asked for.
  file.on("error", () => undefined);
  const take = (chunk: Buffer): void => {
    taken += chunk.length;
    hash?.update(chunk);
  };
  let text: Readable = file;
  if (compression !== null) {
    file.on("data", take);
    const inflate = decompressor(compression, CHUNK_BYTES);
    file.on("error", (error) => inflate.destroy(error));
    file.pipe(inflate);
    text = inflate;
  }
  const pieces = text[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let piece: Buffer | null = null;
  let used = 0;
  let next: Promise<IteratorResult<Buffer>> | null = null;
  let digest: string | null = null;
  return {
    async read(target, offset, length) {
      if (ended) return 0;
      if (piece === null || used === piece.length) {
        try {
          const answer = await (next ?? pieces.next());
          next = null;
          if (answer.done === true) {
            ended = true;
            return 0;
          }
          piece = answer.value;
          used = 0;
          opened += piece.length;
          if (compression === null) take(piece);
          else holdToBounds(opened, taken);
          next = pieces.next();
          // Its failure is met when the piece is asked for; until then it is nobody's.
          next.catch(() => undefined);
        } catch (error) {
          ended = true;
          throw failureOf(error);
        }
      }
      const count = Math.min(length, piece.length - used);
      target.set(piece.subarray(used, used + count), offset);
      used += count;
      return count;
    },
    bytesTaken: () => taken,
    async sha256() {
      // What lies behind the end of what is compressed belongs to the file too.
      if (compression !== null && !file.readableEnded && !file.destroyed) {
        file.unpipe();
        file.resume();
        await new Promise<void>((resolve) => file.once("end", resolve).once("close", resolve).once("error", () => resolve()));
      }
      return (digest ??= hash?.digest("hex") ?? "");
    },
    async close() {
      text.destroy();
      file.destroy();
      await new Promise<void>((resolve) => (file.closed ? resolve() : file.once("close", () => resolve())));
    },
  };
}

/** UTF-16 as UTF-8, since separators cannot be looked for in its bytes. */
function transcoded(source: ByteSource, encoding: "utf-16le" | "utf-16be" | "gb18030"): ByteSource {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const raw = new Uint8Array(512 * 1024);
  let piece: Buffer = Buffer.alloc(0);
  let used = 0;
  let ended = false;
  return {
    ...source,
    async read(target, offset, length) {
      while (used === piece.length && !ended) {
        const count = await source.read(raw, 0, raw.length);
        ended = count === 0;
        piece = Buffer.from(decoder.decode(raw.subarray(0, count), { stream: !ended }), "utf8");
        used = 0;
      }
      const count = Math.min(length, piece.length - used);
      target.set(piece.subarray(used, used + count), offset);
      used += count;
      return count;
    },
  };
}
