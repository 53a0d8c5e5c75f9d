/** Bytes of a file by their place, as columns are read: of one that lies on disk as it is, or of one that is opened first. */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decompressor, failureOf, holdToBounds, openBytes, plainRange, type Compression } from "./archive.ts";
import { SourceError } from "./failure.ts";

export interface RandomBytes {
  readonly byteLength: number;
  /** Bytes [start, end) for the caller alone, fewer at the end of the file. Throws a `SourceError`. */
  slice(start: number, end: number): Uint8Array<ArrayBuffer>;
  close(): void;
}

/** What does not lie in a file as it is may be kept in memory up to here; more goes to a file of ours that is removed again. */
const KEPT_BYTES = 64 * 1024 * 1024;

export async function openRandom(path: string, compression: Compression | null): Promise<RandomBytes> {
  const range = compression === null ? await plainRange(path) : null;
  if (range !== null) return fileBytes(openSync(range.file, "r"), range.start, range.size, null);
  const { stream } = await openBytes(path);
  const pieces: Buffer[] = [];
  let size = 0;
  let taken = 0;
  let spool: { readonly descriptor: number; readonly path: string } | null = null;
  let opened: AsyncIterable<Buffer> = stream;
  if (compression !== null) {
    const inflate = decompressor(compression, 1024 * 1024);
    stream.on("data", (piece: Buffer) => (taken += piece.length));
    stream.on("error", (fault) => inflate.destroy(fault));
    opened = stream.pipe(inflate);
  }
  try {
    for await (const piece of opened) {
      size += piece.length;
      if (compression !== null) holdToBounds(size, taken);
      pieces.push(piece);
      if (spool === null && size <= KEPT_BYTES) continue;
      spool ??= openSpool();
      for (const kept of pieces.splice(0)) writeAll(spool.descriptor, kept);
    }
  } catch (fault) {
    if (spool !== null) fileBytes(spool.descriptor, 0, 0, spool.path).close();
    throw failureOf(fault);
  } finally {
    stream.destroy();
  }
  if (spool !== null) return fileBytes(spool.descriptor, 0, size, spool.path);
  const whole = Buffer.concat(pieces);
  return { byteLength: size, slice: (start, end) => new Uint8Array(whole.subarray(Math.max(0, start), end)), close: () => undefined };
}

function openSpool(): { readonly descriptor: number; readonly path: string } {
  const path = join(tmpdir(), `gpu-ledger-${randomUUID()}`);
  return { descriptor: openSync(path, "wx+", 0o600), path };
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

/** Reads synchronously, as the scanner does: the reader has a thread of its own. */
function fileBytes(descriptor: number, base: number, size: number, removed: string | null): RandomBytes {
  return {
    byteLength: size,
    slice(start, end) {
      const from = Math.max(0, start);
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - from));
      let filled = 0;
      while (filled < bytes.length) {
        const count = readSync(descriptor, bytes, filled, bytes.length - filled, base + from + filled);
        if (count === 0) throw new SourceError("truncated");
        filled += count;
      }
      return bytes;
    },
    close() {
      closeSync(descriptor);
      if (removed !== null) rmSync(removed, { force: true });
    },
  };
}
