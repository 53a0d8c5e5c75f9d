import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";
import { formatAttos } from "../../../../shared/domain/money.ts";
import { cellsIn, fileWith, fixtures, newBatch, quiet, readingOf, readInto } from "./read-bill.ts";
import type { PlainReading } from "./read-bill.ts";

const focusText = readFileSync(join(fixtures, "focus/traits-1.2.csv"), "utf8");
const curText = readFileSync(join(fixtures, "aws-cur/line-item-types.csv"), "utf8");
const focusHeader = "ProviderName,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BilledCost,EffectiveCost,ConsumedQuantity,ConsumedUnit,ResourceId,ChargeDescription";

function focusRow(cells: Partial<Record<string, string>>): string {
  const defaults: Record<string, string> = {
    ProviderName: "AWS", BillingAccountId: "1", BillingCurrency: "USD", BillingPeriodStart: "2026-09-01T00:00:00Z", BillingPeriodEnd: "2026-10-01T00:00:00Z",
    ChargePeriodStart: "2026-09-01T00:00:00Z", ChargePeriodEnd: "2026-09-01T01:00:00Z", ChargeCategory: "Usage", BilledCost: "1", EffectiveCost: "1", ConsumedQuantity: "1", ConsumedUnit: "Hours",
  };
  return focusHeader.split(",").map((name) => cells[name] ?? defaults[name] ?? "").join(",");
}
function focusFile(...rows: Partial<Record<string, string>>[]): string {
  return fileWith([focusHeader, ...rows.map(focusRow)].join("\n"));
}

describe("reading a bill", () => {
  it("adds to the last digit, and says what it could not read", async () => {
    const reading = await readingOf(focusFile({ BilledCost: "0.1" }, { BilledCost: "0.2" }, { BilledCost: "1,2", EffectiveCost: "x" }, { BilledCost: "#REF!" }));
    expect(reading).toMatchObject({
      rowsRead: 4, rowsPosted: 2, rowsSetAside: 2,
      totals: { USD: { BilledCost: "0.3", EffectiveCost: "2", ListCost: null, ContractedCost: null } },
      setAside: [{ line: 4, reason: "column-count" }, { line: 5, column: "BilledCost", value: "#REF!", reason: "decimal" }],
      cells: [{ rows: 2, BilledCost: "0.3" }],
    });
  });

  it("keeps rows set aside whole in the ledger", async () => {
    const ledger = openMemoryLedger();
    await readInto(ledger.db, focusFile({ BilledCost: "twelve", ChargeDescription: '"a ""b"", c"' }));
    expect(ledger.db.prepare("SELECT Line, ColumnName, Value, Reason, Raw FROM set_aside").all()).toEqual([
      { Line: 2, ColumnName: "BilledCost", Value: "twelve", Reason: "decimal", Raw: focusRow({ BilledCost: "twelve", ChargeDescription: '"a ""b"", c"' }) },
    ]);
    ledger.close();
  });

  it("tolerates separators too many at the end of a row, but not where a separator within it may have shifted the cells", async () => {
    const full = focusRow({ ChargeDescription: "x" });
    const reading = await readingOf(fileWith([focusHeader, `${full},,`, `${full},x`, `${focusRow({})},`].join("\n")));
    expect(reading).toMatchObject({ rowsPosted: 1, rowsSetAside: 2, repairs: { "extra-empty-cells": 1 } });
  });

  it("an amount that another row's rounding would hide is kept, and a sum beyond 2^53 nanos too", async () => {
    const reading = await readingOf(focusFile({ BilledCost: "9000000000.000000000000000001" }, { BilledCost: "4000000" }, { BilledCost: "4000000.5" }, { BilledCost: "-9000000000" }));
    expect(reading.totals["USD"]?.BilledCost).toBe("8000000.500000000000000001");
    expect(reading.cells).toMatchObject([{ BilledCost: "8000000.500000000000000001" }]);
  });

  it("the order of rows changes nothing", async () => {
    const records = focusText.slice(focusText.indexOf("\n") + 1).split(/\n(?=AWS,)/).map((record) => record.replace(/\n$/, ""));
    const expected = await readingOf(fileWith(focusText));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(records, { minLength: records.length }), async (shuffled) => {
        const reading = await readingOf(fileWith(`${focusText.slice(0, focusText.indexOf("\n"))}\n${shuffled.join("\n")}\n`));
        const { setAside: _, ...rest } = reading;
        const { setAside: __, ...expectedRest } = expected;
        expect(rest).toEqual(expectedRest);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ["focus", focusText],
    ["aws-cur", curText],
    ...["aws-cur/cur-2.0-maps", "azure/enterprise-amortized", "azure/usage-localized", "gcp/detailed-flattened", "oci/gpu-shapes"].map((name) => [name, readFileSync(join(fixtures, `${name}.csv`), "utf8").replace("\uFEFF", "")] as const),
  ] as const)("%s: neither the order, the case and the number of columns nor marks, line ends and buffers change what is read", async (_, text) => {
    const { parse } = await import("csv-parse/sync");
    const { stringify } = await import("csv-stringify/sync");
    const table = parse(text, { relax_column_count: true });
    const [header = []] = table;
    const expected = forgetLines(await readingOf(fileWith(text)));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(header.map((__, index) => index), { minLength: header.length }),
        fc.record({ upper: fc.boolean(), mark: fc.boolean(), lineEnd: fc.constantFrom("\n", "\r\n"), unknown: fc.boolean(), blank: fc.boolean(), gzip: fc.boolean(), buffer: fc.constantFrom(64, 500, 4096, 4_194_304), cells: fc.constantFrom(1, 3, 400_000) }),
        async (order, { upper, mark, lineEnd, unknown, blank, gzip, buffer, cells }) => {
          const rows = table.map((row, index) => {
            // A row of another width stays one.
            if (row.length !== header.length) return row;
            const cellsOfRow = order.map((column) => (index === 0 && upper && !/tags/i.test(header[column] ?? "") ? (row[column] ?? "").toUpperCase() : (row[column] ?? "")));
            return unknown ? [...cellsOfRow, index === 0 ? "x_Unknown" : "whatever"] : cellsOfRow;
          });
          const changed = (mark ? "\uFEFF" : "") + (blank ? lineEnd : "") + stringify(rows, { record_delimiter: lineEnd });
          const reading = await readingOf(fileWith(gzip ? gzipSync(changed) : changed), { buffer, cells, hourDays: cells });
          expect(forgetLines(reading)).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });

  it("reads UTF-16 and GB18030 as the same bill", async () => {
    const { setAside: _, ...expected } = await readingOf(fileWith(focusText));
    const { setAside: __, ...wide } = await readingOf(fileWith(Buffer.from(`\uFEFF${focusText}`, "utf16le")));
    expect(wide).toEqual(expected);
    const chinese = [focusHeader, focusRow({ ChargeDescription: "计算" })].join("\n").replace("计算", "@@");
    const [before = "", after = ""] = chinese.split("@@");
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xbc, 0xc6, 0xcb, 0xe3]), Buffer.from(after)]);
    expect((await readingOf(fileWith(bytes))).cells).toMatchObject([{ ChargeDescription: "计算" }]);
  });

  it("sets aside a row that is no text in the file's encoding", async () => {
    const text = [focusHeader, focusRow({ ChargeDescription: "é" }), ...Array.from({ length: 4000 }, () => focusRow({})), focusRow({ ChargeDescription: "@@" })].join("\n");
    const bytes = Buffer.from(text);
    bytes.fill(0xff, bytes.indexOf("@@"), bytes.indexOf("@@") + 2);
    expect(await readingOf(fileWith(bytes))).toMatchObject({ rowsPosted: 4001, rowsSetAside: 1, setAside: [{ line: 4003, column: "ChargeDescription", reason: "text-encoding" }] });
  });

  it("sets aside a charge that ends in the year 9999 instead of spreading it over its every hour", async () => {
    const reading = await readingOf(focusFile({ ChargeDescription: "g5.4xlarge hour", ChargePeriodEnd: "9999-12-31T00:00:00Z" }, {}));
    expect(reading).toMatchObject({ rowsPosted: 1, rowsSetAside: 1, setAside: [{ line: 2, column: "ChargePeriodEnd", reason: "period-length" }] });
  });

  it("never fails, wherever a small bill is cut: what was whole is posted, what was not is set aside", async () => {
    const text = [focusHeader, focusRow({ ChargeDescription: '"x, ""y"""' }), focusRow({ BilledCost: "2" })].join("\r\n");
    for (let end = focusHeader.length + 1; end <= text.length; end += 1) {
      const { rowsRead, rowsPosted, rowsSetAside } = await readingOf(fileWith(text.slice(0, end)));
      expect(rowsPosted + rowsSetAside).toBe(rowsRead);
    }
  });

  it("a truncated gz is refused, naming the rows that could be read", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => focusRow({ ResourceId: createHash("md5").update(String(index)).digest("hex") }));
    const whole = gzipSync([focusHeader, ...rows].join("\n"));
    const ledger = openMemoryLedger();
    const reading = await readInto(ledger.db, fileWith(whole.subarray(0, Math.floor(whole.length / 2)), "bill.csv.gz"));
    ledger.close();
    expect(reading).toMatchObject({ ok: false, error: { code: "import.truncated", params: { file: "bill.csv.gz" } } });
    expect(!reading.ok && "rows" in reading.error.params && reading.error.params.rows).toBeGreaterThan(1000);
  });

  it("several gz members are one file", async () => {
    const [first, second] = [Buffer.from(`${focusHeader}\n${focusRow({})}\n`), Buffer.from(`${focusRow({ BilledCost: "2" })}\n`)];
    expect((await readingOf(fileWith(Buffer.concat([gzipSync(first), gzipSync(second)])))).totals["USD"]?.BilledCost).toBe("3");
  });

  it("stops when cancelled", async () => {
    const ledger = openMemoryLedger();
    expect(await readInto(ledger.db, focusFile({}), { control: { ...quiet, isCancelled: () => true } })).toEqual({ ok: false, error: { code: "import.cancelled", params: { file: "bill.csv" } } });
    ledger.close();
  });

  it("a bill whose every number could be thousands is not guessed at", async () => {
    const ledger = openMemoryLedger();
    const path = fileWith("ChargePeriodStart;ChargeCategory;BilledCost;BillingCurrency\n2026-09-01;Usage;1.234;EUR\n");
    expect(await readInto(ledger.db, path)).toEqual({ ok: false, error: { code: "import.number-ambiguous", params: { file: "bill.csv", column: "BilledCost", value: "1.234" } } });
    ledger.close();
  });

  it("knows the file again by its SHA-256, small or large", async () => {
    const ledger = openMemoryLedger();
    const row = focusRow({ ChargeDescription: "x".repeat(1000) });
    for (const text of [`${focusHeader}\n${row}`, [focusHeader, ...Array.from({ length: 30_000 }, () => row)].join("\n")]) {
      const reading = await readInto(ledger.db, fileWith(text));
      expect(reading.ok && reading.value.sha256).toBe(createHash("sha256").update(text).digest("hex"));
    }
    ledger.close();
  });

  it("a batch of several files has one delivery a group, and adds their rows", async () => {
    const ledger = openMemoryLedger();
    const batch = newBatch(ledger.db);
    const first = await readInto(ledger.db, focusFile({ BilledCost: "0.0000000000000000005" }), { batch });
    const second = await readInto(ledger.db, focusFile({ BilledCost: "2" }), { batch });
    expect(first.ok && second.ok && [first.value.deliveries, second.value.deliveries]).toEqual([[1], [1]]);
    expect(ledger.db.prepare("SELECT RowCount, Totals FROM delivery").all()).toEqual([{ RowCount: 2, Totals: JSON.stringify({ USD: { BilledCost: "2.0000000000000000005", EffectiveCost: "2", ListCost: null, ContractedCost: null } }) }]);
    expect(cellsIn(ledger.db)).toMatchObject([{ rows: 2, BilledCost: "2" }]);
    ledger.close();
  });

  it("a charge over several hours of a GPU is split to the atto, by its seconds in each", async () => {
    const gpu = { ChargeDescription: "p5.48xlarge", ResourceId: "i-1" };
    const reading = await readingOf(focusFile({ ...gpu, ChargePeriodStart: "2026-09-30T22:30:00Z", ChargePeriodEnd: "2026-10-01T01:30:00Z", ConsumedQuantity: "3", EffectiveCost: "0.000000000000000010", BilledCost: "0" }));
    expect(reading.hours).toEqual([
      { month: "2026-09", resource: "i-1", model: "H100", hours: 2, firstHour: 718, gpuHours: 12, EffectiveCost: "0.000000000000000005" },
      { month: "2026-10", resource: "i-1", model: "H100", hours: 2, firstHour: 0, gpuHours: 12, EffectiveCost: "0.000000000000000005" },
    ]);
  });

  it("hours of GPUs add up to the effective cost of their cells, whatever the amounts", async () => {
    const charge = fc.record({ hour: fc.integer({ min: 0, max: 700 }), length: fc.integer({ min: 1, max: 200_000 }), attos: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }) });
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 12 }), async (charges) => {
        const start = Date.parse("2026-09-01T00:00:00Z");
        const instant = (at: number): string => new Date(at).toISOString();
        const reading = await readingOf(
          focusFile(
            ...charges.map(({ hour, length, attos }) => ({
              ChargeDescription: "p5.48xlarge", ResourceId: "i-1", EffectiveCost: formatAttos(attos), ConsumedQuantity: "1",
              ChargePeriodStart: instant(start + hour * 3_600_000), ChargePeriodEnd: instant(start + hour * 3_600_000 + length * 1000),
            })),
          ),
        );
        const sum = (texts: readonly unknown[]): string => formatAttos(texts.reduce<bigint>((total, text) => total + attosOf(String(text)), 0n));
        expect(sum(reading.hours.map(({ EffectiveCost }) => EffectiveCost))).toBe(sum(reading.cells.map(({ EffectiveCost }) => EffectiveCost)));
        expect(sum(reading.cells.map(({ EffectiveCost }) => EffectiveCost))).toBe(formatAttos(charges.reduce((total, { attos }) => total + attos, 0n)));
      }),
      { numRuns: 25 },
    );
  });
});

function attosOf(text: string): bigint {
  const [whole = "0", decimals = ""] = text.replace("-", "").split(".");
  const attos = BigInt(whole + decimals.padEnd(18, "0"));
  return text.startsWith("-") ? -attos : attos;
}

/** Lines and the cells of short rows move when a table is written anew. */
function forgetLines(reading: PlainReading): unknown {
  return { ...reading, setAside: reading.setAside.map(({ reason, column }) => ({ reason, column: column.toLowerCase() })), repairs: reading.repairs };
}
