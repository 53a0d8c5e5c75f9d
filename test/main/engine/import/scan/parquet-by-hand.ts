/** Parquet files laid down page by page, for what no writer at hand makes: pages of the first kind in several encodings, checksums, INT96. */
import { crc32 } from "node:zlib";
import type { Encoding, SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import { serializeTCompactProtocol } from "hyparquet-writer/src/thrift.js";

export interface HandPage {
  readonly encoding: "PLAIN" | "RLE_DICTIONARY";
  /** A dictionary; else a page of data. */
  readonly isDictionary?: true;
  /** Values, nulls of a page of data among them. */
  readonly count: number;
  /** Behind the levels. */
  readonly body: Uint8Array;
  /** Of a page of data of a column that may be null: whether each place holds a value. */
  readonly isStated?: readonly boolean[];
  readonly checksum?: "right" | "wrong";
}
type Metadata = Parameters<typeof writeMetadata>[1];

export interface HandColumn {
  readonly element: SchemaElement & Metadata["schema"][number];
  readonly pages: readonly HandPage[];
  readonly statistics?: { readonly min_value: number; readonly max_value: number };
}

const encodings = { PLAIN: 0, RLE_DICTIONARY: 8 } as const;

/** A file of one column. `groups`: rows of each group; the column's pages are all of the first one that has rows. */
export function parquetByHand({ element, pages, statistics }: HandColumn, groups: readonly number[]): Buffer {
  const writer = new ByteWriter();
  writer.appendBytes(Buffer.from("PAR1"));
  const first = writer.offset;
  const offsets = pages.map((page) => {
    const at = writer.offset;
    writePage(writer, page);
    return BigInt(at);
  });
  const size = BigInt(writer.offset - first);
  const dictionary = pages[0]?.isDictionary === true ? offsets[0] : undefined;
  const row_groups = groups.map((rows) => ({
    columns: [{
      file_offset: BigInt(first),
      meta_data: {
        type: element.type ?? "BYTE_ARRAY", encodings: [...new Set<Encoding & ("RLE" | HandPage["encoding"])>(["RLE", ...pages.map(({ encoding }) => encoding)])], path_in_schema: [element.name], codec: "UNCOMPRESSED" as const, num_values: BigInt(rows),
        total_uncompressed_size: rows === 0 ? 0n : size, total_compressed_size: rows === 0 ? 0n : size, data_page_offset: dictionary === undefined ? BigInt(first) : (offsets[1] ?? BigInt(first)),
        ...(dictionary === undefined ? {} : { dictionary_page_offset: dictionary }), ...(statistics === undefined ? {} : { statistics }),
      },
    }],
    total_byte_size: size,
    num_rows: BigInt(rows),
  }));
  const metadata: Metadata = { version: 1, schema: [{ name: "root", num_children: 1 }, element], num_rows: BigInt(groups.reduce((sum, rows) => sum + rows, 0)), row_groups, metadata_length: 0 };
  writeMetadata(writer, metadata);
  writer.appendBytes(Buffer.from("PAR1"));
  return Buffer.from(writer.getBytes());
}

function writePage(writer: ByteWriter, { encoding, isDictionary, count, body, isStated, checksum }: HandPage): void {
  const levels = isStated === undefined ? Buffer.alloc(0) : levelsOf(isStated);
  const whole = Buffer.concat([levels, body]);
  serializeTCompactProtocol(writer, {
    field_1: isDictionary === true ? 2 : 0,
    field_2: whole.length,
    field_3: whole.length,
    ...(checksum === undefined ? {} : { field_4: (crc32(whole) | 0) ^ (checksum === "wrong" ? 1 : 0) }),
    ...(isDictionary === true ? { field_7: { field_1: count, field_2: encodings.PLAIN } } : { field_5: { field_1: count, field_2: encodings[encoding], field_3: 3, field_4: 3 } }),
  });
  writer.appendBytes(whole);
}

/** Each level as a run of its own, behind the length of all. */
function levelsOf(isStated: readonly boolean[]): Buffer {
  const runs = Buffer.from(isStated.flatMap((stated) => [1 << 1, stated ? 1 : 0]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(runs.length);
  return Buffer.concat([length, runs]);
}

/** Texts or bytes, each behind its length. */
export function plainBytes(values: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(values.flatMap((value) => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  }));
}

/** Numbers of a dictionary's values below 256, each as a run of its own, behind the bits of one. */
export function dictionaryNumbers(numbers: readonly number[]): Buffer {
  return Buffer.from([8, ...numbers.flatMap((number) => [1 << 1, number])]);
}

/** A day since 1970 and nanoseconds of it as INT96 has them: nanoseconds of the day, then the Julian day. */
export function int96(day: number, nanoseconds: bigint): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeBigInt64LE(nanoseconds);
  bytes.writeInt32LE(day + 2_440_588, 8);
  return bytes;
}
