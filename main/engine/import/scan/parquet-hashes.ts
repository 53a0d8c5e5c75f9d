import type { Stored } from "./parquet-values.ts";

/** Two hashes of 32 bits of each cell's text, one after the other, from the empty one's on; of the same text in two columns they differ. */
export function hashesOf(stored: Stored, column: number): Int32Array {
  let hashes = stored.kept.get(hashesOf) as Int32Array | undefined;
  if (hashes === undefined) {
    const { bytes, starts } = stored.cells();
    hashes = new Int32Array(2 * (stored.count + 1));
    for (let cell = 0; cell <= stored.count; cell += 1) {
      const [start, end] = [starts[cell] as number, starts[cell + 1] as number];
      hashes[2 * cell] = hashOf(bytes, start, end, column * 2 + 1, 0xcc9e2d51, 0x1b873593);
      hashes[2 * cell + 1] = hashOf(bytes, start, end, column * 2 + 2, 0x239b961b, 0x38b34ae5);
    }
    stored.kept.set(hashesOf, hashes);
  }
  return hashes;
}

/** MurmurHash3 in 32 bits (Austin Appleby, public domain), with factors of the caller's so that two of them have nothing in common. */
function hashOf(bytes: Uint8Array, start: number, end: number, seed: number, first: number, second: number): number {
  let hash = Math.imul(seed, 0x9e3779b1);
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    hash = (Math.imul(turned(hash ^ scrambled(word, first, second), 13), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let shift = 0; at < end; at += 1, shift += 8) rest |= (bytes[at] as number) << shift;
  return finished(hash ^ scrambled(rest, first, second) ^ (end - start));
}

function scrambled(word: number, first: number, second: number): number {
  return Math.imul(turned(Math.imul(word, first), 15), second);
}

function turned(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function finished(hash: number): number {
  let word = hash ^ (hash >>> 16);
  word = Math.imul(word, 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}

/** A hash of a sequence so far, with one word more. */
export function mixed(hash: number, word: number): number {
  return (Math.imul(turned(hash ^ Math.imul(word, 0x9e3779b1), 13), 5) + 0xe6546b64) | 0;
}
