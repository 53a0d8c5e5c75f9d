import { SourceError } from "./failure.ts";

/**
 * The numbers of a page, and `plus` on each: runs of the same number, and runs of packed ones, in `bits` bits each. None may be over `most`.
 * Parquet format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid (RLE = 3)". Throws a `SourceError` for bytes that are none. What is
 * answered is to be read only where all of them are the same.
 */
export function runsOf(bytes: Uint8Array, bits: number, count: number, most: number, plus = 0): Int32Array<ArrayBuffer> {
  if (count > 0 && most < 0) throw new SourceError("unreadable");
  const same = sameNumber(bytes, bits, count);
  if (same !== null) return repeated(held(same, most) + plus, count);
  const numbers = new Int32Array(count);
  const width = (bits + 7) >> 3;
  let at = 0;
  let filled = 0;
  while (filled < count) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined || shift > 28) throw new SourceError("unreadable");
      at += 1;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if ((header & 1) === 0) {
      let number = 0;
      if (at + width > bytes.length) throw new SourceError("unreadable");
      for (let index = 0; index < width; index += 1) number += (bytes[at++] as number) * 2 ** (8 * index);
      const end = filled + (header >>> 1);
      if (end === filled || end > count || number > most) throw new SourceError("unreadable");
      numbers.fill(number + plus, filled, end);
      filled = end;
      continue;
    }
    // The last run may be filled up beyond the last number, and its padding left out.
    const packed = Math.min((header >>> 1) * 8, count - filled);
    if (packed === 0 || at + Math.ceil((packed * bits) / 8) > bytes.length) throw new SourceError("unreadable");
    if (bits <= 24) unpack(bytes, at, bits, numbers, filled, packed, most, plus);
    else for (let index = 0; index < packed; index += 1) numbers[filled + index] = held(packedNumber(bytes, at, index, bits), most) + plus;
    filled += packed;
    at += (header >>> 1) * bits;
  }
  return numbers;
}

/** The number that one run says of all places; null where there are several runs. */
export function sameNumber(bytes: Uint8Array, bits: number, count: number): number | null {
  if (bits === 0) return 0;
  let [header, at] = [0, 0];
  for (let shift = 0; shift <= 28; shift += 7, at += 1) {
    header |= ((bytes[at] ?? 0) & 0x7f) << shift;
    if ((bytes[at] ?? 0) < 0x80) break;
  }
  if ((header & 1) === 1 || header >>> 1 !== count || at + 1 + ((bits + 7) >> 3) > bytes.length) return null;
  let number = 0;
  for (let index = 0; index < (bits + 7) >> 3; index += 1) number += (bytes[at + 1 + index] as number) * 2 ** (8 * index);
  return number;
}

const zerosAndOnes = [new Int32Array(0), new Int32Array(0)];

/** Columns of a bill that are empty, or say one thing, are many: these are not filled again and again. */
function repeated(number: number, count: number): Int32Array<ArrayBuffer> {
  const known = zerosAndOnes[number];
  if (known === undefined) return new Int32Array(count).fill(number);
  if (known.length >= count) return known.subarray(0, count);
  return (zerosAndOnes[number] = new Int32Array(count).fill(number));
}

/** Bits that a number up to `most` takes. */
export function bitsOf(most: number): number {
  return most === 0 ? 0 : 32 - Math.clz32(most);
}

function unpack(bytes: Uint8Array, start: number, bits: number, numbers: Int32Array, first: number, count: number, most: number, plus: number): void {
  const mask = (1 << bits) - 1;
  let [at, kept, keeps, largest] = [start, 0, 0, 0];
  for (let index = first; index < first + count; index += 1) {
    while (keeps < bits) {
      kept |= (bytes[at++] as number) << keeps;
      keeps += 8;
    }
    const number = kept & mask;
    kept >>>= bits;
    keeps -= bits;
    if (number > largest) largest = number;
    numbers[index] = number + plus;
  }
  held(largest, most);
}

function held(number: number, most: number): number {
  if (number > most) throw new SourceError("unreadable");
  return number;
}

/** A number wider than 24 bits, which no dictionary of a bill has, bit by bit. */
function packedNumber(bytes: Uint8Array, start: number, index: number, bits: number): number {
  let number = 0;
  for (let bit = 0; bit < bits; bit += 1) {
    const place = index * bits + bit;
    number += (((bytes[start + (place >> 3)] as number) >> (place & 7)) & 1) * 2 ** bit;
  }
  return number;
}
