import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { availableParallelism } from "node:os";
import { SourceError } from "./failure.ts";
import { hashFile } from "./hash.ts";
import type { ByteSource } from "./source.ts";

const READS_A_TURN = 4;
/** With more processors than these, a file is read a second time to be hashed beside. */
const FEW_PROCESSORS = 2;

/**
 * A file as it lies on disk. Reads synchronously: the reader has a thread of its own, and a piece from the page cache comes sooner than a
 * thread pool answers. Now and then it lets the event loop turn, for those who run it in process.
 *
 * hashed   "beside" on a thread of its own, which reads the file too; "as-fits" there or, with few processors, from what is read here
 */
export function openPlain(path: string, startByte: number, hashed: "beside" | "as-fits" | null): ByteSource {
  const descriptor = openSync(path, "r");
  const isOnTheWay = hashed === "as-fits" && availableParallelism() <= FEW_PROCESSORS;
  const hash = hashed === null || isOnTheWay ? null : hashFile(path, fstatSync(descriptor).size);
  const whole = isOnTheWay ? createHash("sha256") : null;
  let taken = startByte;
  let reads = 0;
  return {
    async read(target, offset, length) {
      reads += 1;
      if (reads % READS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      let count: number;
      try {
        count = readSync(descriptor, target, offset, length, taken);
      } catch {
        throw new SourceError("unreadable");
      }
      taken += count;
      whole?.update(target.subarray(offset, offset + count));
      return count;
    },
    bytesTaken: () => taken,
    sha256: () => Promise.resolve(hash === null ? (whole?.digest("hex") ?? "") : hash.digest()),
    async close() {
      closeSync(descriptor);
      await hash?.stop();
    },
  };
}

/** Reads past the mark at the beginning of a text. */
export async function readPast(source: ByteSource, count: number): Promise<void> {
  const sink = new Uint8Array(4);
  for (let left = count; left > 0; ) {
    const got = await source.read(sink, 0, left);
    if (got === 0) return;
    left -= got;
  }
}
