import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** A digest under way. */
export interface FileHash {
  digest(): Promise<string>;
  stop(): Promise<void>;
}

/** From this size on, a second thread costs less than it saves. */
const LARGE_BYTES = 32 * 1024 * 1024;

/** SHA-256 of a file as it lies on disk, in hex; of a large one on a thread of its own, beside the scan. */
export function hashFile(path: string, size: number): FileHash {
  if (size < LARGE_BYTES) {
    return {
      digest: () => Promise.resolve(createHash("sha256").update(readFileSync(path)).digest("hex")),
      stop: () => Promise.resolve(),
    };
  }
  const worker = new Worker(hashing, { eval: true, workerData: path });
  const answer = new Promise<string>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  answer.catch(() => undefined);
  return {
    digest: () => answer,
    async stop() {
      await worker.terminate();
    },
  };
}

/** Plain JavaScript in a text, so that no bundle needs a file for it. */
const hashing = `
const { createHash } = require("node:crypto");
const { openSync, readSync, closeSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const hash = createHash("sha256");
const buffer = Buffer.alloc(1024 * 1024);
const descriptor = openSync(workerData, "r");
for (;;) {
  const count = readSync(descriptor, buffer, 0, buffer.length, null);
  if (count === 0) break;
  hash.update(buffer.subarray(0, count));
}
closeSync(descriptor);
parentPort.postMessage(hash.digest("hex"));
`;
