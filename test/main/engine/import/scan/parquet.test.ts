import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { parquetWriteBuffer, type ColumnSource } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { noControl } from "../../../../../main/engine/import/control.ts";
import { commitFlip, prepareFlip } from "../../../../../main/engine/import/post.ts";
import { rereadRows } from "../../../../../main/engine/import/rows.ts";
import { openParquet, parquetAsSource } from "../../../../../main/engine/import/scan/parquet.ts";
import { SourceError } from "../../../../../main/engine/import/scan/failure.ts";
import { MEMBER_MARK } from "../../../../../main/engine/import/scan/archive.ts";
import { sniff } from "../../../../../main/engine/import/sniff.ts";
import { workOutDays } from "../../../../../main/engine/hours/work-out.ts";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import { defaultIdlePolicy } from "../../../../../shared/contract/report.ts";
import { tarOf, zipOf } from "../archives-of.ts";
import { fileWith, fixtures, newBatch, readingOf, readInto, shippedReference, type PlainReading } from "../read-bill.ts";

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-parquet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function rowsOf(csv: string): string[][] {
  return parse(csv, { relax_column_count: true });
}

/** A CSV as Parquet: numbers that floating point holds as DOUBLE, UTC times as timestamps, everything else as text; empty is null. */
function parquetOf(csv: string, rowGroupSize = 3): Buffer {
  const [header = [], ...rows] = rowsOf(csv);
  const columnData = header.map((name, index): ColumnSource => {
    const texts = rows.map((row) => row[index] ?? "");
    const stated = texts.filter((text) => text !== "");
    if (stated.length > 0 && stated.every((text) => String(Number(text)) === text)) return { name, data: texts.map((text) => (text === "" ? null : Number(text))), type: "DOUBLE", nullable: true };
    if (stated.length > 0 && stated.every((text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/.test(text))) return { name, data: texts.map((text) => (text === "" ? null : new Date(text))), type: "TIMESTAMP", nullable: true };
    return { name, data: texts.map((text) => (text === "" ? null : text)), type: "STRING", nullable: true };
  });
  return Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize }));
}

/** Without what a line number or the reading of texts makes different. */
function comparable({ setAside, ...reading }: PlainReading): unknown {
  return { ...reading, setAside: setAside.map(({ column, value, reason }) => ({ column, value, reason })) };
}

/** A fixture without what a table of columns cannot have: rows that are too short, cells of several lines. */
function csvOf(name: string): string {
  const text = readFileSync(join(fixtures, name), "utf8");
  if (!name.endsWith(".csv")) return text;
  const [header = [], ...rows] = rowsOf(text);
  const cell = (value: string): string => (/[",\n]/.test(value) ? `"${value.replace(/\n/g, " ").replaceAll('"', '""')}"` : value);
  return `${[header, ...rows.filter((row) => row.length === header.length)].map((row) => row.map(cell).join(",")).join("\n")}\n`;
}

describe("Parquet", () => {
  it.each(["focus/names-1.4-deviations.csv", "focus/traits-1.2.csv", "aws-cur/line-item-types.csv", "aws-cur/cur-2.0-maps.csv", "gcp/detailed-flattened.csv", "focus/usage-only-1.2.csv"])(
    "says what the CSV of the same export says, to the last digit: %s",
    async (name) => {
      expect(comparable(await readingOf(fileWith(parquetOf(csvOf(name)), "bill.snappy.parquet")))).toEqual(comparable(await readingOf(fileWith(csvOf(name)))));
    },
  );

  it("takes numbers, decimals and times for what they are", async () => {
    const bytes = Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: "double", data: [0.1, 5e-7, 1e21, -0, null], type: "DOUBLE", nullable: true },
          { name: "float", data: [0.1, 16777216, 0.3, 1e-10, null], type: "FLOAT", nullable: true },
          { name: "whole", data: [1n, -9007199254740993n, 0n, 2n, null], type: "INT64", nullable: true },
          { name: "time", data: [new Date("2026-09-01T00:00:00Z"), new Date("2026-09-01T01:02:03.004Z"), new Date(-1), new Date("9999-12-31T23:59:59Z"), null], type: "TIMESTAMP", nullable: true },
          { name: "flag", data: [true, false, true, false, null], type: "BOOLEAN", nullable: true },
          { name: "json", data: [{ a: 1 }, { b: 'x,"y"' }, [], {}, null], type: "JSON", nullable: true },
        ],
      }),
    );
    const table = await openParquet(fileWith(bytes), null);
    expect(table.firstRows(10)).toEqual([
      ["0.1", "0.1", "1", "2026-09-01T00:00:00Z", "true", '{"a":1}'],
      ["5e-7", "16777216", "-9007199254740993", "2026-09-01T01:02:03.004Z", "false", '{"b":"x,\\"y\\""}'],
      ["1e+21", "0.3", "0", "1969-12-31T23:59:59.999Z", "true", "[]"],
      ["0", "1e-10", "2", "9999-12-31T23:59:59Z", "false", "{}"],
      ["", "", "", "", "", ""],
    ]);
    table.close();
  });

  it("shows rows again out of their group, alone and in archives, each by its number", async () => {
    const csv = csvOf("focus/traits-1.2.csv");
    const count = rowsOf(csv).length - 1;
    const bytes = parquetOf(csv, 2);
    const zip = fileWith(zipOf([{ name: "p/bill.parquet", bytes }]), "a.zip");
    const tar = fileWith(tarOf([{ name: "first.txt", bytes: "x" }, { name: "p/bill.parquet", bytes }]), "a.tar");
    const tgz = fileWith(gzipSync(tarOf([{ name: "p/bill.parquet", bytes }])), "a.tar.gz");
    for (const path of [fileWith(bytes, "bill.parquet"), `${zip}${MEMBER_MARK}p/bill.parquet`, `${tar}${MEMBER_MARK}p/bill.parquet`, `${tgz}${MEMBER_MARK}p/bill.parquet`, fileWith(gzipSync(bytes), "bill.parquet.gz")]) {
      const ledger = openMemoryLedger();
      const batch = newBatch(ledger.db);
      const reading = await readInto(ledger.db, path, { batch });
      if (!reading.ok) throw new Error(`${path}: ${JSON.stringify(reading.error)}`);
      const prepared = prepareFlip(ledger.db, { withBatches: [batch], withoutBatches: [] }, { policy: defaultIdlePolicy, control: noControl, workOutDays });
      if (!prepared.ok) throw new Error(prepared.error.code);
      commitFlip(ledger, prepared.value, "2026-10-01T00:00:00Z");
      const seriesIds = ledger.db.prepare<[], { SeriesId: number }>("SELECT SeriesId FROM series WHERE x_Correction IS NULL").all().map(({ SeriesId }) => SeriesId);
      const page = await rereadRows(ledger.db, { seriesIds, firstDay: 0, lastDay: 100_000, offset: 0, limit: 100 }, shippedReference());
      expect(page.missing).toEqual([]);
      expect(page.rows).toHaveLength(reading.value.rowsPosted);
      expect(page.rows.every(({ line }) => line >= 1 && line <= count)).toBe(true);
      const cost = page.columns.indexOf("BilledCost");
      const stated = parse<Record<string, string>>(csv, { columns: true });
      for (const { line, values } of page.rows) expect(values[cost] ?? "").toBe(stated[line - 1]?.["BilledCost"]);
      ledger.close();
    }
  });

  it("decodes only the columns that its format looks at", async () => {
    const extra = csvOf("focus/traits-1.2.csv").split("\n").map((line, index) => (line === "" ? line : `${line},${index === 0 ? "x_Unknown" : "secret"}`)).join("\n");
    const table = await openParquet(fileWith(parquetOf(extra)), null);
    let text = "";
    for (const piece of table.text(table.header.map((name) => name !== "x_Unknown"), null)) text += piece.toString("utf8");
    table.close();
    expect(text).not.toContain("secret");
    expect(text.split("\n")[0]).toContain("x_Unknown");
  });

  it("puts rows of many columns that go together down as they are, from any row on", async () => {
    const count = 10_000;
    const rows = Array.from({ length: count }, (_, row) => {
      const machine = row % 300;
      return {
        team: machine % 7 === 0 ? null : ["a,b", 'say "x"', "研究", "two\nlines", "", "x".repeat(70)][machine % 6],
        cost: row % 11 === 0 ? null : ((row * 7919) % 20_011) / 8,
        machine: `i-${machine}`,
        nothing: null,
        price: machine / 4,
        id: BigInt(row) * 1_000_003n,
        time: new Date(Date.UTC(2026, 8, 1, row % 24)),
      };
    });
    const of = <Key extends keyof (typeof rows)[number]>(name: Key, type: ColumnSource["type"]): ColumnSource => ({ name, data: rows.map((row) => row[name]), type, nullable: true } as ColumnSource);
    const columnData = [of("team", "STRING"), of("cost", "DOUBLE"), of("machine", "STRING"), of("nothing", "STRING"), of("price", "DOUBLE"), of("id", "INT64"), of("time", "TIMESTAMP")];
    // On one line, since a row's place is its line.
    const cell = (value: string | number | bigint | Date | null | undefined): string => {
      const text = value === null || value === undefined ? "" : value instanceof Date ? value.toISOString().replace(".000Z", "Z") : String(value);
      return /[",\n]/.test(text) ? `"${text.replaceAll("\n", " ").replaceAll('"', '""')}"` : text;
    };
    for (const rowGroupSize of [count, 4500]) {
      const table = await openParquet(fileWith(Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize }))), null);
      for (const startRow of [0, 7777]) {
        let text = "";
        for (const piece of table.text(table.header.map((name) => name !== "price"), startRow)) text += piece.toString("utf8");
        const expected = rows.slice(startRow).map((row) => [row.team, row.cost, row.machine, null, null, row.id, row.time].map(cell).join(","));
        expect(text.split("\n").slice(0, -1)).toEqual(expected);
      }
      table.close();
    }
  });

  it("cut anywhere it is refused, in words", async () => {
    const bytes = parquetOf(csvOf("focus/traits-1.2.csv"));
    for (let length = 4; length < bytes.length; length += Math.max(1, Math.floor(bytes.length / 120))) {
      expect(await sniff(fileWith(bytes.subarray(0, length)))).toMatchObject({ ok: false, error: { code: "import.truncated" } });
    }
  }, 60_000);

  it("with any byte changed it is read or refused, never a crash", async () => {
    const bytes = parquetOf(csvOf("focus/usage-only-1.2.csv"));
    for (let at = 0; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 200))) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      const outcome = await drained(fileWith(changed)).catch((fault: unknown) => fault);
      expect(outcome === "read" || outcome instanceof SourceError).toBe(true);
    }
  }, 120_000);

  it("leaves nothing behind, and says what is locked", async () => {
    const bytes = parquetOf("a,b\n1,2\n");
    const locked = Buffer.concat([bytes.subarray(0, -4), Buffer.from("PARE")]);
    await expect(openParquet(fileWith(locked), null)).rejects.toMatchObject({ failure: "encrypted" });
    await expect(openParquet(fileWith(Buffer.from("PAR1")), null)).rejects.toBeInstanceOf(SourceError);
    expect(readdirSync(tmpdir()).filter((name) => /^gpu-ledger-[0-9a-f-]{36}$/.test(name))).toEqual([]);
  });
});

/** Reads all there is. */
async function drained(path: string): Promise<"read"> {
  const source = await parquetAsSource(path, null, null, null, null, 0);
  const target = new Uint8Array(64 * 1024);
  try {
    while ((await source.read(target, 0, target.length)) > 0);
    return "read";
  } finally {
    await source.close();
  }
}

const duckdb = existsSync(join(import.meta.dirname, "../../../../../node_modules/@duckdb/node-api")) ? await import("@duckdb/node-api") : null;

describe.skipIf(duckdb === null)("Parquet of another writer", () => {
  async function ask(sql: string): Promise<unknown[][]> {
    const instance = await duckdb?.DuckDBInstance.create(":memory:");
    const connection = await instance?.connect();
    const answer = await connection?.runAndReadAll(sql);
    const rows = answer?.getRowsJson() as unknown[][];
    connection?.closeSync();
    instance?.closeSync();
    return rows;
  }

  it("reads maps, decimals and timestamps of CUR 2.0 as its CSV says them, and the sum is the other reader's", async () => {
    const csv = join(fixtures, "aws-cur/cur-2.0-maps.csv");
    const file = join(folder, "cur.parquet");
    const maps = ["cost_category", "resource_tags", "product"].map((name) => `CAST(from_json(${name}, '"MAP(VARCHAR, VARCHAR)"') AS MAP(VARCHAR, VARCHAR)) AS ${name}`);
    await ask(`COPY (SELECT * REPLACE (${maps.join(", ")}, CAST(line_item_unblended_cost AS DECIMAL(38, 18)) AS line_item_unblended_cost,
      CAST(replace(line_item_usage_start_date, 'Z', '') AS TIMESTAMP) AS line_item_usage_start_date) FROM read_csv('${csv}', all_varchar = true)) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
    const reading = await readingOf(file);
    expect(comparable(reading)).toEqual(comparable(await readingOf(csv)));
    if (reading.rowsSetAside === 0) {
      const [[sum = null] = []] = await ask(`SELECT CAST(sum(line_item_unblended_cost) AS VARCHAR) FROM '${file}'`);
      expect(sum).not.toBeNull();
    }
  });

  it("reads the nested records of a Google export as its JSON lines say them", async () => {
    const row = { billing_account_id: "01AAAA-02BBBB-03CCCC", service: { id: "6F81-5844-456A", description: "Compute Engine" }, sku: { id: "S-1", description: "Nvidia H100 80GB Mega GPU running in Americas" }, usage_start_time: "2026-09-13T10:00:00Z", usage_end_time: "2026-09-13T11:00:00Z", project: { id: "ml-prod", name: "ML, production" }, labels: [{ key: "team", value: "vision" }, { key: "env", value: "prod" }], system_labels: [{ key: "compute.googleapis.com/machine_spec", value: "a3-megagpu-8g" }], location: { location: "us-central1", region: "us-central1" }, resource: { name: "t-1", global_name: "//compute.googleapis.com/projects/7/instances/1" }, cost: 80.1, currency: "USD", usage: { amount: 28800, unit: "seconds", amount_in_pricing_units: 8, pricing_unit: "hour" }, credits: [{ name: "Committed use", amount: -40.05, type: "COMMITTED_USAGE_DISCOUNT" }, { name: "Agreed", amount: -0.1, type: "DISCOUNT" }], invoice: { month: "202609" }, cost_type: "regular" };
    const json = fileWith(`${[row, { ...row, cost: 5e-7, credits: [], resource: { name: null, global_name: null }, labels: [] }].map((each) => JSON.stringify(each)).join("\n")}\n`, "bill.jsonl");
    const file = join(folder, "gcp.parquet");
    await ask(`COPY (SELECT * REPLACE (CAST(usage_start_time AS TIMESTAMP) AS usage_start_time, CAST(usage_end_time AS TIMESTAMP) AS usage_end_time) FROM read_json('${json}', format = 'newline_delimited')) TO '${file}' (FORMAT parquet)`);
    const { records: _records, ...wanted } = (await readingOf(json)) as PlainReading & { records?: unknown };
    expect(await readingOf(file)).toEqual(wanted);
    expect(wanted.totals["USD"]?.BilledCost).toBe("39.9500005");
  });

  it("adds decimals of 38 digits exactly", async () => {
    const rows = Array.from({ length: 500 }, (_row, index) => [`${index % 2 === 0 ? "" : "-"}${index}.${String(index * 7_919_777).padStart(18, "0")}`, index]);
    const csv = `ProviderName,BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,EffectiveCost,ServiceName\n${rows.map(([cost]) => `AWS,1,a,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,2026-09-02T00:00:00Z,2026-09-03T00:00:00Z,Usage,USD,${cost},${cost},Compute`).join("\n")}\n`;
    const source = fileWith(csv);
    const file = join(folder, "exact.parquet");
    await ask(`COPY (SELECT * REPLACE (CAST(BilledCost AS DECIMAL(38, 18)) AS BilledCost, CAST(EffectiveCost AS DECIMAL(30, 18)) AS EffectiveCost) FROM read_csv('${source}', all_varchar = true)) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 128)`);
    const reading = await readingOf(file);
    const [[sum = null] = []] = await ask(`SELECT CAST(sum(BilledCost) AS VARCHAR) FROM '${file}'`);
    expect(reading.totals["USD"]?.BilledCost).toBe(String(sum).replace(/\.?0+$/, ""));
    expect(reading).toEqual(await readingOf(source));
  });
});
