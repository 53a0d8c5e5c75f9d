/**
 * A look over the pages of a column before they are decoded: the decoder takes their counts at their word, and one damaged run of a thousand
 * million values would fill the memory.
 */
import type { ColumnMetaData, PageHeader, SchemaTree } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getSchemaPath } from "hyparquet/src/schema.js";
import { SourceError } from "./failure.ts";

/** No writer makes pages larger than this. */
const MOST_PAGE_BYTES = 256 * 1024 * 1024;
const MOST_VALUES = 200_000_000;
/** A bit-packed run may be filled up beyond the last value. */
const PADDING = 512;

/**
 * Holds the pages of a chunk to what its bytes can be. `most`: of a flat column, the values after which nobody reads on.
 * Throws a `SourceError`, or what a header that is none makes its reader throw.
 */
export function holdPages(bytes: ArrayBuffer, chunk: ColumnMetaData, root: SchemaTree, most: number): void {
  const path = getSchemaPath(rootElements(root), chunk.path_in_schema);
  const levels = { repetition: getMaxRepetitionLevel(path), definition: getMaxDefinitionLevel(path) };
  const total = Number(chunk.num_values);
  if (total < 0 || total > MOST_VALUES) throw new SourceError("bursting");
  const reader = { view: new DataView(bytes), offset: 0 };
  const isFlat = levels.repetition === 0;
  let seen = 0;
  while (seen < total && (!isFlat || seen < most) && reader.offset < bytes.byteLength - 1) {
    const header = parquetHeader(reader);
    const { compressed_page_size: packed, uncompressed_page_size: opened } = header;
    if (!isCount(packed) || !isCount(opened) || reader.offset + packed > bytes.byteLength) throw new SourceError("unreadable");
    if (opened > MOST_PAGE_BYTES) throw new SourceError("bursting");
    const page = new Uint8Array(bytes, reader.offset, packed);
    reader.offset += packed;
    const values = valuesOf(header);
    if (!isCount(values) || (header.type !== "DICTIONARY_PAGE" && values > total - seen)) throw new SourceError("unreadable");
    if (header.type !== "DICTIONARY_PAGE") {
      holdPage(page, header, chunk, levels, values);
      seen += values;
      // A page without values would be read for ever.
      if (values === 0 && packed === 0) throw new SourceError("unreadable");
    } else if (values > Math.max(opened * 8, 8)) throw new SourceError("unreadable");
  }
}

function rootElements(root: SchemaTree): Parameters<typeof getSchemaPath>[0] {
  return [root.element, ...root.children.flatMap(rootElements)];
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function valuesOf({ data_page_header: first, data_page_header_v2: second, dictionary_page_header: dictionary }: PageHeader): number | undefined {
  return first?.num_values ?? second?.num_values ?? dictionary?.num_values;
}

interface Levels {
  readonly repetition: number;
  readonly definition: number;
}

function holdPage(page: Uint8Array, header: PageHeader, { codec, type }: ColumnMetaData, levels: Levels, values: number): void {
  const second = header.data_page_header_v2;
  let body: Uint8Array;
  if (second === undefined) {
    body = decompressPage(page, header.uncompressed_page_size, codec, compressors);
    let at = 0;
    for (const most of [levels.repetition, levels.definition]) {
      if (most === 0) continue;
      const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
      const length = view.getUint32(at, true);
      holdRuns(body.subarray(at + 4, at + 4 + length), bitsOf(most), values);
      at += 4 + length;
      if (at > body.length) throw new SourceError("unreadable");
    }
    body = body.subarray(at);
  } else {
    const { repetition_levels_byte_length: repetition, definition_levels_byte_length: definition } = second;
    if (!isCount(repetition) || !isCount(definition) || repetition + definition > page.length || !isCount(second.num_nulls) || second.num_nulls > values) throw new SourceError("unreadable");
    holdRuns(page.subarray(0, repetition), bitsOf(levels.repetition), values);
    holdRuns(page.subarray(repetition, repetition + definition), bitsOf(levels.definition), values);
    const opened = header.uncompressed_page_size - repetition - definition;
    if (opened < 0) throw new SourceError("unreadable");
    body = page.subarray(repetition + definition);
    if (second.is_compressed !== false && opened > 0) body = decompressPage(body, opened, codec, compressors);
  }
  const encoding = header.data_page_header?.encoding ?? second?.encoding;
  if (encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") {
    const [bits = 0] = body;
    if (bits > 32) throw new SourceError("unreadable");
    if (bits > 0) holdRuns(body.subarray(1), bits, values);
  } else if (encoding === "RLE" && type === "BOOLEAN") holdRuns(body.subarray(4), 1, values);
}

function bitsOf(most: number): number {
  return most === 0 ? 0 : 32 - Math.clz32(most);
}

/** Runs of the same value and runs of packed ones: none may hold more than there are values left. */
function holdRuns(bytes: Uint8Array, bits: number, values: number): void {
  if (bits === 0) return;
  const width = (bits + 7) >> 3;
  let at = 0;
  let seen = 0;
  while (seen < values && at < bytes.length) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined || shift > 28) throw new SourceError("unreadable");
      at += 1;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const count = (header & 1) === 1 ? (header >>> 1) * 8 : header >>> 1;
    if (count > values - seen + ((header & 1) === 1 ? PADDING : 0)) throw new SourceError("unreadable");
    at += (header & 1) === 1 ? (header >>> 1) * bits : width;
    seen += count;
  }
}
