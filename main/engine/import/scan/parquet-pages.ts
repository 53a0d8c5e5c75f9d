/**
 * The pages of a column, one after another. Counts are held to what the bytes can be before memory is asked for, since one damaged run of a
 * thousand million values would fill it; a page's checksum, where it has one, must be that of its bytes.
 */
import * as zlib from "node:zlib";
import type { Compressors, DecodedArray, PageHeader } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { alpDecode } from "hyparquet/src/alp.js";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
import { readVarInt } from "hyparquet/src/thrift.js";
import { SourceError } from "./failure.ts";
import type { RandomBytes } from "./parquet-bytes.ts";
import { holdToStatistics } from "./parquet-statistics.ts";
import { bitsOf, runsOf, sameNumber } from "./parquet-runs.ts";
import { createStored, type Leaf, type Stored } from "./parquet-values.ts";

/** Places of a page: a value, or that there is none. */
export interface Page {
  readonly count: number;
  /** Of each place; null where all are 0. */
  readonly repetition: Int32Array | null;
  /** Of each place; null where all are those of a value. */
  readonly definition: Int32Array | null;
  /** The number of each value in `stored`. */
  readonly which: Int32Array;
  readonly stored: Stored;
}

/** No writer makes pages larger than this. */
const MOST_PAGE_BYTES = 256 * 1024 * 1024;
/** Read at once, of a column; headers of pages are a few dozen bytes, statistics in them seldom more than some hundred. */
const READ_BYTES = 256 * 1024;
const MOST_HEADER_BYTES = 4 * 1024 * 1024;

const { zstdDecompressSync: inflateZstd } = zlib as { readonly zstdDecompressSync?: (bytes: Uint8Array, options: zlib.ZlibOptions) => Buffer };
/** The runtime's own where it has one. Formats of gzip and zlib are told apart. */
const openers: Compressors = {
  ...compressors,
  GZIP: (bytes, length) => zlib.unzipSync(bytes, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (bytes, length) => zlib.brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, length) }),
  ...(inflateZstd === undefined ? {} : { ZSTD: (bytes: Uint8Array, length: number) => inflateZstd(bytes, { maxOutputLength: Math.max(1, length) }) }),
};

/** Goes through the pages of a chunk; null behind the last. `most`: places that the column has. `isDistinct`: numbers that come again are the same one. */
export function openPages(bytes: RandomBytes, leaf: Leaf, most: number, isDistinct: boolean): () => Page | null {
  const pieces = openPieces(bytes, leaf);
  const levels = { repetition: getMaxRepetitionLevel(leaf.schemaPath), definition: getMaxDefinitionLevel(leaf.schemaPath) };
  let dictionary: Stored | null = null;
  let seen = 0;
  return () => {
    for (;;) {
      if (seen === most) return null;
      const header = pieces.header();
      const packed = pieces.body(header);
      if (header.type === "DICTIONARY_PAGE") {
        dictionary = dictionaryOf(header, packed, leaf);
        continue;
      }
      if (header.type === "INDEX_PAGE") continue;
      const count = held(header.data_page_header?.num_values ?? header.data_page_header_v2?.num_values, most - seen);
      seen += count;
      if (count > 0) return pageOf(openPage(header, packed, leaf, levels, count), leaf, count, dictionary, isDistinct);
    }
  };
}

/** Headers and bodies of pages out of a file, by pieces. */
function openPieces(bytes: RandomBytes, { chunk }: Leaf): { header(): PageHeader; body(header: PageHeader): Uint8Array } {
  const { dictionary_page_offset: dictionary = 0n, data_page_offset: data } = chunk;
  let next = Number(dictionary > 0n && dictionary < data ? dictionary : data);
  const end = next + Number(chunk.total_compressed_size);
  if (next < 4 || end > bytes.byteLength || end < next) throw new SourceError("unreadable");
  let piece = new Uint8Array(0);
  let at = 0;

  /** Makes sure of so many bytes from `at` on, as far as the chunk has them. */
  function want(count: number): void {
    if (piece.length - at >= count || next === end) return;
    const more = bytes.slice(next, Math.min(end, next + Math.max(count - (piece.length - at), READ_BYTES)));
    next += more.length;
    const rest = piece.subarray(at);
    piece = rest.length === 0 ? more : joined(rest, more);
    at = 0;
  }

  return {
    header() {
      for (let size = READ_BYTES / 4; ; size *= 8) {
        want(size);
        const reader = { view: new DataView(piece.buffer, piece.byteOffset, piece.byteLength), offset: at };
        try {
          const header = parquetHeader(reader);
          at = reader.offset;
          return header;
        } catch (fault) {
          if (next === end || size > MOST_HEADER_BYTES) throw fault;
        }
      }
    },
    body({ compressed_page_size: size, uncompressed_page_size: opened, crc }) {
      if (!isCount(size) || !isCount(opened)) throw new SourceError("unreadable");
      if (opened > MOST_PAGE_BYTES || size > MOST_PAGE_BYTES) throw new SourceError("bursting");
      want(size);
      if (piece.length - at < size) throw new SourceError("unreadable");
      const body = piece.subarray(at, at + size);
      at += size;
      if (crc !== undefined && zlib.crc32(body) !== crc >>> 0) throw new SourceError("unreadable");
      return body;
    },
  };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
function held(value: unknown, most: number): number {
  if (!isCount(value) || value > most) throw new SourceError("unreadable");
  return value;
}

function dictionaryOf({ uncompressed_page_size: size, dictionary_page_header: header }: PageHeader, packed: Uint8Array, leaf: Leaf): Stored {
  const count = held(header?.num_values, Math.max(size * 8, 8));
  return storedOf(plainValues(decompressPage(packed, size, leaf.chunk.codec, openers), count, leaf), leaf);
}

function storedOf(raw: DecodedArray, leaf: Leaf): Stored {
  holdToStatistics(leaf, raw);
  return createStored(leaf, raw);
}

interface Levels {
  readonly repetition: number;
  readonly definition: number;
}
interface OpenedPage {
  readonly repetition: Int32Array | null;
  readonly definition: Int32Array | null;
  readonly stated: number;
  readonly encoding: string | undefined;
  readonly body: Uint8Array;
}

function openPage(header: PageHeader, packed: Uint8Array, leaf: Leaf, levels: Levels, count: number): OpenedPage {
  const { repetition, definition, body, nulls } = header.data_page_header_v2 === undefined ? openFirst(header, packed, leaf, levels) : openSecond(header, packed, leaf);
  const ofRows = levels.repetition === 0 ? null : runsOf(repetition, bitsOf(levels.repetition), count, levels.repetition);
  const hasNulls = levels.definition > 0 && sameNumber(definition, bitsOf(levels.definition), count) !== levels.definition;
  const ofValues = hasNulls ? runsOf(definition, bitsOf(levels.definition), count, levels.definition) : null;
  let stated = count;
  if (ofValues !== null) {
    stated = 0;
    for (let place = 0; place < count; place += 1) if (ofValues[place] === levels.definition) stated += 1;
  }
  // Values of a list that is none or empty are not always counted as nulls.
  if (nulls !== null && levels.repetition === 0 && nulls !== count - stated) throw new SourceError("unreadable");
  return { repetition: ofRows, definition: stated === count ? null : ofValues, stated, encoding: header.data_page_header?.encoding ?? header.data_page_header_v2?.encoding, body };
}

interface LaidOpen {
  readonly repetition: Uint8Array;
  readonly definition: Uint8Array;
  readonly body: Uint8Array;
  readonly nulls: number | null;
}

function openFirst({ uncompressed_page_size: size, data_page_header: header }: PageHeader, packed: Uint8Array, { chunk }: Leaf, levels: Levels): LaidOpen {
  let body = decompressPage(packed, size, chunk.codec, openers);
  const [repetition = noBytes, definition = noBytes] = [[levels.repetition, header?.repetition_level_encoding] as const, [levels.definition, header?.definition_level_encoding] as const].map(([most, encoding]) => {
    if (most === 0) return noBytes;
    if (encoding !== "RLE" || body.length < 4) throw new SourceError("unreadable");
    const length = new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(0, true);
    if (4 + length > body.length) throw new SourceError("unreadable");
    const found = body.subarray(4, 4 + length);
    body = body.subarray(4 + length);
    return found;
  });
  return { repetition, definition, body, nulls: null };
}

const noBytes = new Uint8Array(0);

function openSecond({ uncompressed_page_size: opened, data_page_header_v2: header }: PageHeader, packed: Uint8Array, { chunk }: Leaf): LaidOpen {
  const repetition = held(header?.repetition_levels_byte_length, packed.length);
  const definition = held(header?.definition_levels_byte_length, packed.length - repetition);
  const size = opened - repetition - definition;
  if (size < 0) throw new SourceError("unreadable");
  const body = packed.subarray(repetition + definition);
  return {
    repetition: packed.subarray(0, repetition),
    definition: packed.subarray(repetition, repetition + definition),
    // A page without values may have no bytes at all, which no codec opens.
    body: header?.is_compressed !== false && size > 0 ? decompressPage(body, size, chunk.codec, openers) : body,
    nulls: held(header?.num_nulls, header?.num_values ?? 0),
  };
}

function pageOf({ repetition, definition, stated, encoding, body }: OpenedPage, leaf: Leaf, count: number, dictionary: Stored | null, isDistinct: boolean): Page {
  if (stated > 0 && (encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY")) {
    const [bits = 0] = body;
    if (bits > 32 || dictionary === null) throw new SourceError("unreadable");
    return { count, repetition, definition, which: runsOf(body.subarray(1), bits, stated, dictionary.count - 1, 1), stored: dictionary };
  }
  const raw = stated === 0 ? [] : valuesOf(body, stated, encoding, leaf);
  const distinct = isDistinct ? distinctOf(raw) : null;
  const which = distinct?.which ?? countingTo(stated);
  return { count, repetition, definition, which, stored: storedOf(distinct?.values ?? raw, leaf) };
}

let counting = new Int32Array(0);

/** 1, 2, 3 and so on, to be read only. */
function countingTo(most: number): Int32Array {
  if (most > counting.length) {
    counting = new Int32Array(most);
    for (let index = 0; index < most; index += 1) counting[index] = index + 1;
  }
  return counting.subarray(0, most);
}

/** Values of any encoding but a dictionary's. */
function valuesOf(body: Uint8Array, count: number, encoding: string | undefined, leaf: Leaf): DecodedArray {
  const { chunk, stated } = leaf;
  const reader = { view: new DataView(body.buffer, body.byteOffset, body.byteLength), offset: 0 };
  const hold = <Values extends DecodedArray>(values: Values): Values => {
    if (reader.offset > body.length) throw new SourceError("unreadable");
    return values;
  };
  switch (encoding) {
    case "PLAIN":
      return plainValues(body, count, leaf);
    case "RLE":
      if (chunk.type !== "BOOLEAN") throw new SourceError("unreadable");
      return Array.from(runsOf(body.subarray(4), 1, count, 1), (bit) => bit === 1);
    case "DELTA_BINARY_PACKED": {
      holdDeltas(body, count);
      const values = chunk.type === "INT32" ? new Int32Array(count) : new BigInt64Array(count);
      deltaBinaryUnpack(reader, count, values);
      return hold(values);
    }
    case "DELTA_LENGTH_BYTE_ARRAY":
    case "DELTA_BYTE_ARRAY": {
      holdDeltas(body, count);
      const values: Uint8Array[] = new Array<Uint8Array>(count);
      (encoding === "DELTA_BYTE_ARRAY" ? deltaByteArray : deltaLengthByteArray)(reader, count, values);
      return hold(values);
    }
    case "BYTE_STREAM_SPLIT":
      if (count > body.length) throw new SourceError("unreadable");
      return byteStreamSplit(reader, count, chunk.type, stated.type_length);
    case "ALP":
      return hold(alpDecode(reader, count, chunk.type));
    default:
      throw new SourceError("unreadable");
  }
}

/** Deltas state how many values they are of: as many as the page. */
function holdDeltas(body: Uint8Array, count: number): void {
  const reader = { view: new DataView(body.buffer, body.byteOffset, body.byteLength), offset: 0 };
  const blockSize = readVarInt(reader);
  const blocks = readVarInt(reader);
  if (readVarInt(reader) !== count || blockSize <= 0 || blocks <= 0 || blockSize % blocks !== 0) throw new SourceError("unreadable");
}

function plainValues(body: Uint8Array, count: number, { chunk, stated }: Leaf): DecodedArray {
  const reader = { view: new DataView(body.buffer, body.byteOffset, body.byteLength), offset: 0 };
  // The shortest value is a bit; a text of no bytes has four of its length.
  if (count > body.length * 8) throw new SourceError("unreadable");
  const values = readPlain(reader, chunk.type, count, stated.type_length);
  if (reader.offset > body.length) throw new SourceError("unreadable");
  return values;
}

/** Numbers and times come again and again: each once, and which of them every value is. null for what is no array of numbers. */
function distinctOf(raw: DecodedArray): { readonly values: DecodedArray; readonly which: Int32Array } | null {
  if (!(raw instanceof Float64Array || raw instanceof BigInt64Array || raw instanceof Int32Array || raw instanceof Float32Array)) return null;
  // Its own bytes: the distinct values move to the front, over what has been looked at.
  const own = raw.slice();
  const words = new Int32Array(own.buffer);
  const which = new Int32Array(raw.length);
  const step = own.BYTES_PER_ELEMENT / 4;
  const mask = 2 ** Math.ceil(Math.log2(raw.length + 2) + 1) - 1;
  const slots = new Int32Array(mask + 1);
  let distinct = 0;
  for (let index = 0; index < raw.length; index += 1) {
    const low = words[index * step] as number;
    const high = step === 2 ? (words[index * step + 1] as number) : 0;
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    let number = slots[slot] as number;
    while (number !== 0 && (words[(number - 1) * step] !== low || (step === 2 && words[(number - 1) * step + 1] !== high))) {
      slot = (slot + 1) & mask;
      number = slots[slot] as number;
    }
    if (number === 0) {
      words[distinct * step] = low;
      if (step === 2) words[distinct * step + 1] = high;
      distinct += 1;
      slots[slot] = number = distinct;
    }
    which[index] = number;
  }
  return { values: own.subarray(0, distinct), which };
}
