/** What writers of Parquet make of one bill, in every encoding and codec: all of it says the same, to the last digit. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parquetMetadata } from "hyparquet";
import { parquetWriteBuffer, type ColumnSource } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { createDecimalReader, READ } from "../../../../../main/engine/import/decimal.ts";
import { amountsOf } from "../../../../../main/engine/import/scan/parquet-amounts.ts";
import { timesOf, TIME_IN_UTC, TIME_NOT_PLAIN } from "../../../../../main/engine/import/scan/parquet-times.ts";
import { createStored, type Leaf } from "../../../../../main/engine/import/scan/parquet-values.ts";
import { asStored, leafText } from "../../../../../main/engine/import/scan/parquet-text.ts";
import { openParquet } from "../../../../../main/engine/import/scan/parquet.ts";
import { sniff } from "../../../../../main/engine/import/sniff.ts";
import { fileWith, readingOf } from "../read-bill.ts";
import { dictionaryNumbers, int96, parquetByHand, plainBytes, type HandColumn } from "./parquet-by-hand.ts";

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-parquet-writers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function textsOf(path: string): Promise<string[][]> {
  const table = await openParquet(path, null);
  try {
    return table.firstRows(table.rowCount);
  } finally {
    table.close();
  }
}

describe("pages laid down by hand", () => {
  const text: HandColumn["element"] = { name: "a", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" };
  const overflowing: HandColumn = {
    element: text,
    pages: [
      { isDictionary: true, encoding: "PLAIN", count: 2, body: plainBytes(["x", "y,z"]), checksum: "right" },
      { encoding: "RLE_DICTIONARY", count: 4, body: dictionaryNumbers([1, 0, 1]), isStated: [true, false, true, true], checksum: "right" },
      { encoding: "PLAIN", count: 3, body: plainBytes(["plain", ""]), isStated: [true, false, true], checksum: "right" },
    ],
  };

  it("reads a dictionary that overflows into plain values within a column", async () => {
    expect(await textsOf(fileWith(parquetByHand(overflowing, [7])))).toEqual([["y,z"], [""], ["x"], ["y,z"], ["plain"], [""], [""]]);
  });

  it("passes over groups without rows", async () => {
    expect(await textsOf(fileWith(parquetByHand(overflowing, [0, 7, 0])))).toHaveLength(7);
    expect(await textsOf(fileWith(parquetByHand({ element: text, pages: [] }, [0])))).toEqual([]);
  });

  it.each([0, 1, 2])("refuses a page whose checksum is not that of its bytes: page %i", async (number) => {
    const pages = overflowing.pages.map((page, index) => (index === number ? { ...page, checksum: "wrong" as const } : page));
    expect(await sniff(fileWith(parquetByHand({ ...overflowing, pages }, [7])))).toMatchObject({ ok: false, error: { code: "import.unreadable" } });
  });

  it("refuses rows that the pages do not have, and numbers that the dictionary does not have", async () => {
    await expect(textsOf(fileWith(parquetByHand(overflowing, [8])))).rejects.toMatchObject({ failure: "unreadable" });
    const pages = overflowing.pages.map((page, index) => (index === 1 ? { ...page, body: dictionaryNumbers([1, 2, 1]) } : page));
    await expect(textsOf(fileWith(parquetByHand({ ...overflowing, pages }, [7])))).rejects.toMatchObject({ failure: "unreadable" });
  });

  it("reads INT96 as the instant it is", async () => {
    const element: HandColumn["element"] = { name: "a", type: "INT96", repetition_type: "REQUIRED" };
    const body = Buffer.concat([int96(20_697, 0n), int96(20_697, 3_723_000_000_000n), int96(-1, 86_399_999_999_999n)]);
    expect(await textsOf(fileWith(parquetByHand({ element, pages: [{ encoding: "PLAIN", count: 3, body }] }, [3])))).toEqual([["2026-09-01T00:00:00Z"], ["2026-09-01T01:02:03Z"], ["1969-12-31T23:59:59.999999999Z"]]);
  });

  it("reads decimals of any length of bytes", async () => {
    const element: HandColumn["element"] = { name: "a", type: "BYTE_ARRAY", converted_type: "DECIMAL", scale: 4, precision: 38, repetition_type: "REQUIRED" };
    const body = plainBytes([Uint8Array.of(1), Uint8Array.of(0xff), Uint8Array.of(0x80, 0), Uint8Array.of(0x12, 0x34, 0x56), Buffer.from("00ffffffffffffffffffff", "hex"), Uint8Array.of()]);
    // 0xffffffffffffffffffff is 1208925819614629174706175.
    expect(await textsOf(fileWith(parquetByHand({ element, pages: [{ encoding: "PLAIN", count: 6, body }] }, [6])))).toEqual([["0.0001"], ["-0.0001"], ["-3.2768"], ["119.3046"], ["120892581961462917470.6175"], ["0"]]);
  });

  it("refuses a number that is beyond what its column says of itself: a bit of it has turned", async () => {
    const column = (values: readonly number[]): HandColumn => ({ element: { name: "a", type: "DOUBLE", repetition_type: "REQUIRED" }, statistics: { min_value: -1, max_value: 2.5 }, pages: [{ encoding: "PLAIN", count: values.length, body: Buffer.from(Float64Array.from(values).buffer) }] });
    expect(await textsOf(fileWith(parquetByHand(column([-1, 0.1, NaN, 2.5]), [4])))).toEqual([["-1"], ["0.1"], ["NaN"], ["2.5"]]);
    await expect(textsOf(fileWith(parquetByHand(column([-1, 0.1, 2.5 * 2 ** 32, 2.5]), [4])))).rejects.toMatchObject({ failure: "unreadable" });
  });
});

describe("encodings of pages of the second kind", () => {
  const count = 2_000;
  const whole = Array.from({ length: count }, (_, row) => (row % 7 === 3 ? null : ((row * 7_919) % 1_000_003) - 500_000));
  const texts = Array.from({ length: count }, (_, row) => (row % 11 === 5 ? null : `i-${String((row * 7_919) % 997).padStart(6, "0")}${row % 13 === 0 ? " 研究" : ""}`));
  const cases: readonly (readonly [NonNullable<ColumnSource["encoding"]>, ColumnSource])[] = [
    ["DELTA_BINARY_PACKED", { name: "a", type: "INT32", data: whole, nullable: true }],
    ["DELTA_BINARY_PACKED", { name: "a", type: "INT64", data: whole.map((value) => (value === null ? null : BigInt(value) * 4_000_000_007n)), nullable: true }],
    ["BYTE_STREAM_SPLIT", { name: "a", type: "DOUBLE", data: whole.map((value) => (value === null ? null : value / 1000)), nullable: true }],
    ["BYTE_STREAM_SPLIT", { name: "a", type: "INT64", data: whole.map((value) => (value === null ? null : BigInt(value))), nullable: true }],
    ["DELTA_LENGTH_BYTE_ARRAY", { name: "a", type: "STRING", data: texts, nullable: true }],
    ["DELTA_BYTE_ARRAY", { name: "a", type: "STRING", data: texts, nullable: true }],
    ["RLE_DICTIONARY", { name: "a", type: "STRING", data: texts, nullable: true }],
    ["PLAIN", { name: "a", type: "STRING", data: texts, nullable: true }],
    ["RLE", { name: "a", type: "BOOLEAN", data: whole.map((value) => (value === null ? null : value > 0)), nullable: true }],
  ];
  it.each(cases)("%s", async (encoding, column) => {
    const bytes = Buffer.from(parquetWriteBuffer({ columnData: [{ ...column, encoding }], pageSize: 1024, rowGroupSize: 777 }));
    const stated = (column.data as readonly (string | number | bigint | boolean | null)[]).map((value) => [value === null ? "" : String(value)]);
    expect(await textsOf(fileWith(bytes))).toEqual(stated.slice(0, 777));
    const table = await openParquet(fileWith(bytes), null);
    let lines = "";
    for (const piece of table.text([true], 0)) lines += piece.toString("utf8");
    table.close();
    // The only cell of a row is one, even empty.
    expect(lines.split("\n").slice(0, -1)).toEqual(stated.map(([value]) => (value === "" ? '""' : value)));
  });
});

describe("amounts without their text", () => {
  const textReader = createDecimalReader({ slots: 1, mark: ".", nullTexts: [] });
  const leafOf = (element: Leaf["stated"]): Leaf => ({ chunk: { type: element.type, path_in_schema: [element.name] } as Leaf["chunk"], schemaPath: [{ children: [], count: 1, element: asStored(element), path: [element.name] }], stated: element, textOf: leafText(element) });

  /** Held against what the reader of texts makes of `text`. */
  function hold(leaf: Leaf, raw: Parameters<typeof createStored>[1], text: string): void {
    for (const isQuantity of [false, true]) {
      const { states, nanos, rests } = amountsOf(createStored(leaf, raw), isQuantity);
      const bytes = Buffer.from(text);
      const state = isQuantity ? textReader.quantity(bytes, 0, bytes.length, 0) : textReader.money(bytes, 0, bytes.length, 0);
      expect([text, states[1]]).toEqual([text, state === READ ? READ : 2]);
      if (state === READ) expect([text, nanos[1], rests[1]]).toEqual([text, textReader.nanos[0], isQuantity ? 0 : textReader.rest[0]]);
    }
  }

  it("takes a double as the shortest decimal that means it", () => {
    const leaf = leafOf({ name: "a", type: "DOUBLE" });
    const amount = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double({ min: -1000, max: 1000, noNaN: true }), fc.tuple(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), fc.integer({ min: 0, max: 24 })).map(([digits, places]) => Number(`${digits}e-${places}`)));
    fc.assert(fc.property(amount, (value) => hold(leaf, Float64Array.of(value), String(value))), { numRuns: 4000 });
    for (const value of [0, -0, 0.1, 0.3, 1e-18, 5e-19, 123456.789012345, 4503597.999999999, 4503598, 0.000123456789012345, 2 ** -30, 1 / 3, 999.999999999999, 1e15]) hold(leaf, Float64Array.of(value), String(value));
  });

  it.each([0, 2, 6, 9, 10, 18, 20])("takes whole numbers over a power of ten: DECIMAL of %i decimals", (scale) => {
    const decimal = { converted_type: "DECIMAL", precision: 38, scale } as const;
    const written = (value: bigint): string => {
      const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
      return `${value < 0n ? "-" : ""}${scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`}`;
    };
    const inBytes = (value: bigint, size: number): Uint8Array => Uint8Array.from({ length: size }, (_, at) => Number((BigInt.asUintN(size * 8, value) >> BigInt(8 * (size - 1 - at))) & 255n));
    const some = fc.oneof(fc.bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }));
    fc.assert(fc.property(some, (value) => {
      const text = written(value);
      if (BigInt.asIntN(32, value) === value) hold(leafOf({ name: "a", type: "INT32", ...decimal }), Int32Array.of(Number(value)), text);
      if (BigInt.asIntN(64, value) === value) hold(leafOf({ name: "a", type: "INT64", ...decimal }), BigInt64Array.of(value), text);
      hold(leafOf({ name: "a", type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, ...decimal }), [inBytes(value, 16)], text);
      if (BigInt.asIntN(120, value) === value) hold(leafOf({ name: "a", type: "BYTE_ARRAY", ...decimal }), [inBytes(value, 15)], text);
    }), { numRuns: 600 });
  });

  it("cuts fractions of a second off, in any unit, and leaves what is before 1970 to its text", () => {
    const nanos = [1_788_220_800_999_999_999n, 1_788_220_800_000_000_000n, 0n, -1n];
    for (const [unit, step] of [["MILLIS", 1_000_000n], ["MICROS", 1000n], ["NANOS", 1n]] as const) {
      const { kinds, seconds } = timesOf(createStored(leafOf({ name: "a", type: "INT64", logical_type: { type: "TIMESTAMP", unit, isAdjustedToUTC: true } }), BigInt64Array.from(nanos, (value) => (value < 0n ? -1n : value / step))));
      expect([...kinds]).toEqual([0, TIME_IN_UTC, TIME_IN_UTC, TIME_IN_UTC, TIME_NOT_PLAIN]);
      expect([...seconds.subarray(1, 4)]).toEqual([1_788_220_800, 1_788_220_800, 0]);
    }
  });
});

const duckdb = existsSync(join(import.meta.dirname, "../../../../../node_modules/@duckdb/node-api")) ? await import("@duckdb/node-api") : null;

describe.skipIf(duckdb === null)("a bill written by DuckDB", () => {
  async function ask(sql: string): Promise<unknown[][]> {
    const instance = await duckdb?.DuckDBInstance.create(":memory:");
    const connection = await instance?.connect();
    const answer = await connection?.runAndReadAll(sql);
    const rows = answer?.getRowsJson() as unknown[][];
    connection?.closeSync();
    instance?.closeSync();
    return rows;
  }

  const rows = 2_500;
  /** A FOCUS bill: amounts in four types, some not stated; times; tags as a map; a resource of its own for every fifth row. */
  const bill = `SELECT 'AWS' AS ProviderName, '1' AS BillingAccountId, 'sub ' || (i % 7) AS SubAccountId, TIMESTAMP '2026-09-01' AS BillingPeriodStart, TIMESTAMP '2026-10-01' AS BillingPeriodEnd,
    TIMESTAMP '2026-09-01' + to_hours((i // 20 % 700)::INTEGER) AS ChargePeriodStart, TIMESTAMP '2026-09-01 01:00:00' + to_hours((i // 20 % 700)::INTEGER) AS ChargePeriodEnd,
    'Usage' AS ChargeCategory, 'USD' AS BillingCurrency, CASE WHEN i % 5 = 0 THEN 'i-' || i ELSE 'i-' || (i % 40) END AS ResourceId, 'Compute, "EC2"' AS ServiceName,
    (hash(i) % 1000000007)::DOUBLE / 10000019 AS BilledCost,
    CASE WHEN i % 13 = 4 THEN NULL ELSE ((hash(i + 1)::HUGEINT - 9000000000000000000) % 100000000000000000000)::DECIMAL(38, 0) * 0.000000000000000001::DECIMAL(19, 18) END::DECIMAL(38, 18) AS EffectiveCost,
    ((hash(i + 2) % 1000000000000) / 1000000)::DECIMAL(18, 9) AS ListCost, ((hash(i + 3) % 99999999) / 10000)::DECIMAL(9, 4) AS ContractedCost, (i % 17 / 4)::FLOAT AS ConsumedQuantity, 'Hours' AS ConsumedUnit,
    CASE WHEN i % 9 = 1 THEN NULL WHEN i % 9 = 2 THEN MAP {} ELSE MAP {'team': 'team ' || (i % 6), 'cost, center': CASE WHEN i % 4 = 0 THEN NULL ELSE '研究 ' || (i % 3) END} END AS Tags FROM range(${rows}) AS t(i) ORDER BY i`;
  const costs = ["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"] as const;

  /** The sum of amounts that DuckDB prints as text, as whole 1e-36. */
  async function sumsOf(path: string): Promise<Record<string, bigint>> {
    const texts = await ask(`SELECT ${costs.map((cost) => `CAST(${cost} AS VARCHAR)`).join(", ")} FROM '${path}'`);
    return Object.fromEntries(costs.map((cost, index) => [cost, texts.reduce((sum, row) => sum + exact(row[index] as string | null), 0n)]));
  }

  function exact(text: string | null): bigint {
    const parts = /^(-?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/.exec(text ?? "0");
    if (parts === null) throw new Error(`no amount: ${text}`);
    const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
    const places = 36 - fraction.length + Number(exponent);
    return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(places);
  }

  it.each([
    ["UNCOMPRESSED", "V1"], ["SNAPPY", "V1"], ["GZIP", "V1"], ["ZSTD", "V1"], ["BROTLI", "V1"], ["LZ4_RAW", "V1"], ["UNCOMPRESSED", "V2"], ["SNAPPY", "V2"], ["ZSTD", "V2"],
  ])("in %s, its format %s, adds up to what DuckDB's own reading prints, and says what its CSV says", async (codec, version) => {
    const file = join(folder, `${codec}-${version}.parquet`);
    await ask(`COPY (${bill}) TO '${file}' (FORMAT parquet, COMPRESSION ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048)`);
    const reading = await readingOf(file);
    expect({ posted: reading.rowsPosted, aside: reading.rowsSetAside }).toEqual({ posted: rows, aside: 0 });
    const sums = await sumsOf(file);
    for (const cost of costs) expect([cost, exact(reading.totals["USD"]?.[cost] ?? null)]).toEqual([cost, sums[cost]]);
    const csv = join(folder, "bill.csv");
    const times = ["BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd"].map((name) => `strftime(${name}, '%Y-%m-%dT%H:%M:%SZ') AS ${name}`);
    if (!existsSync(csv)) await ask(`COPY (SELECT * REPLACE (${times.join(", ")}, CASE WHEN Tags IS NULL THEN NULL ELSE to_json(Tags)::VARCHAR END AS Tags) FROM (${bill})) TO '${csv}' (FORMAT csv, HEADER)`);
    expect(reading).toEqual(await readingOf(csv));
  }, 120_000);

  it("uses the encodings that the test is about", async () => {
    const file = join(folder, "encodings.parquet");
    await ask(`COPY (${bill}) TO '${file}' (FORMAT parquet, COMPRESSION ZSTD, PARQUET_VERSION V2, ROW_GROUP_SIZE 2048)`);
    const bytes = readFileSync(file);
    const used = new Set(parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)).row_groups.flatMap(({ columns }) => columns.flatMap(({ meta_data: chunk }) => chunk?.encodings ?? [])));
    for (const encoding of ["RLE_DICTIONARY", "BYTE_STREAM_SPLIT", "DELTA_LENGTH_BYTE_ARRAY"]) expect([...used]).toContain(encoding);
  });

  it.each(["TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP_S", "TIMESTAMPTZ", "DATE"])("takes times stored as %s for the same hours", async (type) => {
    const day = `SELECT * REPLACE (CAST(TIMESTAMP '2026-09-02' AS TIMESTAMP) AS ChargePeriodStart, TIMESTAMP '2026-09-03' AS ChargePeriodEnd) FROM (${bill}) LIMIT 300`;
    const [plain, other] = [join(folder, `plain-${type}.parquet`), join(folder, `${type}.parquet`)];
    await ask(`COPY (${day}) TO '${plain}' (FORMAT parquet)`);
    await ask(`SET TimeZone = 'UTC'; COPY (SELECT * REPLACE (ChargePeriodStart::${type} AS ChargePeriodStart, ChargePeriodEnd::${type} AS ChargePeriodEnd) FROM (${day})) TO '${other}' (FORMAT parquet)`);
    const [{ repairs: _stated, ...wanted }, { repairs, ...found }] = [await readingOf(plain), await readingOf(other)];
    expect(found).toEqual(wanted);
    // A date alone says nothing of its zone.
    expect(Object.keys(repairs)).toEqual(type === "DATE" ? ["zone-assumed-utc"] : []);
  });

  it("turned by a bit anywhere it is refused, or read with the rows that are left to see", async () => {
    const file = join(folder, "turned.parquet");
    await ask(`COPY (SELECT * FROM (${bill}) LIMIT 400) TO '${file}' (FORMAT parquet, COMPRESSION GZIP)`);
    const bytes = readFileSync(file);
    const wanted = (await readingOf(file)).totals;
    // Pages alone: nothing could tell that a turned bit of the footer has made 2 decimals of 3.
    const end = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
    for (let at = 4; at < end; at += Math.max(1, Math.floor(end / 30))) {
      const turned = Buffer.from(bytes);
      turned[at] = (turned[at] ?? 0) ^ 0x10;
      const outcome = await readingOf(fileWith(turned)).catch((fault: unknown) => String(fault));
      // gzip has a checksum of its own: a page of amounts that opens is the page that was written.
      if (typeof outcome !== "string" && outcome.rowsPosted === 400) expect(outcome.totals).toEqual(wanted);
    }
  }, 120_000);
});
