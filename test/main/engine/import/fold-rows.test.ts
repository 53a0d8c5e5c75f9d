import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { billingFormats, recognizeBilling } from "../../../../main/engine/formats/index.ts";
import type { BillingFormat } from "../../../../main/engine/formats/format.ts";
import { createFold } from "../../../../main/engine/import/fold.ts";
import { besideScan } from "../../../../main/engine/import/scan/beside.ts";
import { createTextOf, scanRecords, type RecordReader } from "../../../../main/engine/import/scan/records.ts";
import { memorySource, sniff } from "../../../../main/engine/import/sniff.ts";
import { createStaging } from "../../../../main/engine/import/staging.ts";
import { openMemoryLedger } from "../../../../main/engine/store/open.ts";
import { fixtures, newBatch, shippedReference } from "./read-bill.ts";
import { startHere } from "./scan/beside-here.ts";

const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-fold-"));
const onDisk = join(folder, "bill.csv");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Way {
  readonly isMany: boolean;
  /** Read ahead of the fold, out of a file. */
  readonly isBeside?: boolean;
  readonly bufferSize: number;
  readonly bounds: { readonly cells: number; readonly hourDays: number };
  readonly header?: readonly string[];
  readonly delimiter?: string;
}

/** Everything that a bill leaves in the ledger, and what the fold says of it: rows taken many at a time, or each by itself. */
async function folded(format: BillingFormat, text: string, { isMany, isBeside = false, bufferSize, bounds, header = text.slice(0, text.indexOf("\n")).split(","), delimiter = "," }: Way): Promise<unknown> {
  const ledger = openMemoryLedger();
  try {
    const { db } = ledger;
    const staging = createStaging(db, { batchId: newBatch(db), standAside: () => undefined });
    const fileId = staging.file({ path: "bill.csv", name: "bill.csv", size: text.length, compression: null, encoding: "utf-8", delimiter: ",", layout: "{}" });
    const fold = createFold({ format, header, mark: ".", textOf: createTextOf("utf-8"), reference: shippedReference(), staging, fileId, bounds });
    let isHeader = true;
    const options = { delimiter: delimiter.charCodeAt(0), bufferSize, from: { byte: 0, line: 1, record: 0 } };
    const reader: RecordReader = {
      onRecord(scan) {
        if (!isHeader) return fold.onRecord(scan);
        isHeader = false;
        return true;
      },
      rows: isMany ? fold.rows : null,
      onOversize: (place) => fold.onOversize(place),
    };
    if (isBeside && fold.rows !== null) {
      writeFileSync(onDisk, text);
      await besideScan({ path: onDisk, compression: null, encoding: "utf-8", markLength: 0, isHashed: false }, options, startHere).scan({ ...reader, rows: fold.rows });
    } else await scanRecords(memorySource(Buffer.from(text)), options, reader);
    const said = fold.finish();
    const tables = ["account", "series", "source_block", "set_aside", "delivery_group", "delivery", "delivery_account", "charge_day", "gpu_charge_hours"];
    return { said, tables: Object.fromEntries(tables.map((table) => [table, db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).safeIntegers(true).all()])) };
  } finally {
    ledger.close();
  }
}

function formatNamed(id: string): BillingFormat {
  const format = billingFormats.find((each) => each.id === id);
  if (format === undefined) throw new Error(id);
  return format;
}

const focusHeader = "ProviderName,BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,BilledCost,EffectiveCost,ListCost,ContractedCost,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,ServiceName,ResourceId,ChargeDescription,Tags,SkuId,PricingCategory";
const hour = fc.integer({ min: 0, max: 750 });
const instant = (hours: number): string => new Date(Date.UTC(2026, 8, 1) + hours * 3_600_000).toISOString().replace(".000Z", "Z");
const dress = fc.constantFrom("plain", "plain", "plain", "blank", "zoneless", "quoted", "thousandths", "offset", "slashes");
function dressed(hours: number, as: string): string {
  const text = instant(hours);
  switch (as) {
    case "blank":
      return text.replace("T", " ");
    case "zoneless":
      return text.slice(0, 19);
    case "quoted":
      return `"${text}"`;
    case "thousandths":
      return text.replace("Z", ".000Z");
    case "offset":
      return text.replace("Z", "+00:00");
    case "slashes":
      return text.slice(0, 10).replaceAll("-", "/");
    default:
      return text;
  }
}
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.integer({ min: -3, max: 99 }), fc.stringMatching(/^\d{1,12}$/)).map(([whole, below]) => `${whole}.${below}`) },
  fc.constantFrom("0", "", "NULL", "1.5E-7", "2e3", '"7.25"', " 1", "12345678901.5", "0.0000000000000000000123", "x"),
);
const line = fc
  .record({
    account: fc.constantFrom("1", "2"), start: hour, dress: fc.tuple(dress, dress), length: fc.constantFrom(0, 1, 1, 1, 24, 30, 744, -1), category: fc.constantFrom("Usage", "Usage", "Usage", "Purchase", "Tax", "Nonsense"),
    costs: fc.tuple(amount, amount, amount, amount), quantities: fc.tuple(amount, amount), resource: fc.constantFrom("i-1", "i-2", '"a, b"', 'inch 5"'), description: fc.constantFrom("p5.48xlarge", '"p5.48xlarge, ""on\ndemand"""', "storage"),
    currency: fc.constantFrom("USD", "USD", "USD", "EUR", "?"), extra: fc.constantFrom("", "", "", "", ",", ",x"), end: fc.constantFrom("\n", "\r\n", "\n\n"),
  })
  .map(({ account, start, dress: [dressStart, dressEnd], length, category, costs, quantities, resource, description, currency, extra, end }) =>
    [
      "AWS", "payer", account, "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", dressed(start, dressStart), dressed(start + length, dressEnd), category, currency, ...costs, quantities[0], "Hours", quantities[1], "Hours",
      "Compute", resource, description, `"{""team"": ""a""}"`, "BoxUsage:p5.48xlarge", "Standard",
    ].join(",") + extra + end,
  );

it("FOCUS: rows taken many at a time leave what rows taken one by one leave, whatever stands in them and wherever a buffer ends", async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 60 }), fc.constantFrom(64, 999, 4096, 1 << 16), fc.constantFrom(1, 3, 1000), async (lines, bufferSize, bound) => {
      const text = `${focusHeader}\n${lines.join("")}`;
      const bounds = { cells: bound, hourDays: bound };
      const one = await folded(formatNamed("focus"), text, { isMany: false, bufferSize: 1 << 16, bounds });
      expect(await folded(formatNamed("focus"), text, { isMany: true, bufferSize, bounds })).toEqual(one);
      expect(await folded(formatNamed("focus"), text, { isMany: true, isBeside: true, bufferSize, bounds })).toEqual(one);
      most = Math.max(most, (one as { said: { rowsPosted: number } }).said.rowsPosted);
    }),
    { numRuns: 120 },
  );
  expect(most).toBeGreaterThan(5);
}, 120_000);

it("rows alike add up in the kernel to what they add up to one by one, beyond what a counter holds and over days, blocks of hours and bounds too", async () => {
  const plain = fc.oneof({ weight: 3, arbitrary: fc.constantFrom("1.5", "0.25", "-0.000000001", "98.32", "0.0000000000000007", "-3.25") }, fc.constantFrom("4000000", "-4100000.999999999", "0", "0.0"));
  const alike = fc
    .record({ resource: fc.constantFrom("i-1", "i-2", "i-3"), start: fc.integer({ min: 0, max: 60 }), length: fc.constantFrom(0, 1, 1, 1, 1, 2, 24), costs: fc.tuple(plain, plain, plain, plain), quantities: fc.tuple(plain, plain), category: fc.constantFrom("Usage", "Purchase"), machine: fc.constantFrom("p5.48xlarge", "m5.large") })
    .map(({ resource, start, length, costs, quantities, category, machine }) =>
      ["AWS", "payer", "1", "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", instant(start), instant(start + length), category, "USD", ...costs, quantities[0], "Hours", quantities[1], "Hours", "Compute", resource, "machine", "", `BoxUsage:${machine}`, "Standard"].join(","),
    );
  await fc.assert(
    fc.asyncProperty(fc.array(alike, { minLength: 20, maxLength: 200 }), fc.constantFrom(2, 9, 5000), async (lines, bound) => {
      const text = `${focusHeader}\n${lines.join("\n")}\n`;
      const bounds = { cells: bound, hourDays: bound };
      const one = await folded(formatNamed("focus"), text, { isMany: false, bufferSize: 1 << 16, bounds });
      expect(await folded(formatNamed("focus"), text, { isMany: true, bufferSize: 1 << 14, bounds })).toEqual(one);
    }),
    { numRuns: 60 },
  );
}, 120_000);

it("counts a sign of currency once, whichever way its row goes", async () => {
  const path = join(fixtures, "focus/lite-four-columns.csv");
  const [first = "", ...lines] = readFileSync(path, "utf8").split(/(?<=\n)/);
  const sniffed = await sniff(path);
  if (!sniffed.ok) throw new Error(sniffed.error.code);
  // The first of its kind after a row that has its dimensions and cannot be read; and another.
  const text = `${first}Usage,someday,1,GPU rental\n${lines[0] ?? ""}${lines[0] ?? ""}`;
  for (const isMany of [false, true]) {
    expect(await folded(formatNamed("focus"), text, { isMany, bufferSize: 256, bounds: { cells: 7, hourDays: 5 }, header: sniffed.value.header, delimiter: sniffed.value.delimiter })).toMatchObject({ said: { rowsPosted: 2, repairs: { "currency-sign": 2 } } });
  }
});

describe("every format", () => {
  const files = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".csv"));

  it.each(files)("%s: its lines in any order, some twice, leave the same either way", async (name) => {
    const path = join(fixtures, name);
    const sniffed = await sniff(path);
    const recognized = sniffed.ok ? recognizeBilling(sniffed.value) : sniffed;
    if (!sniffed.ok || !recognized.ok || sniffed.value.encoding !== "utf-8") return;
    const { header, headerByte, markLength, delimiter } = sniffed.value;
    const format = formatNamed(recognized.value.formatId);
    const [first = "", ...lines] = readFileSync(path).subarray(markLength + headerByte).toString("utf8").split(/(?<=\n)/);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...lines, "\n"), { minLength: 1, maxLength: 40 }), fc.constantFrom(256, 1 << 16), async (chosen, bufferSize) => {
        const text = `${first}${chosen.map((line) => (line.endsWith("\n") ? line : `${line}\n`)).join("")}`;
        const bounds = { cells: 7, hourDays: 5 };
        const one = await folded(format, text, { isMany: false, bufferSize: 1 << 20, bounds, header, delimiter });
        expect(await folded(format, text, { isMany: true, bufferSize, bounds, header, delimiter })).toEqual(one);
      }),
      { numRuns: 4 },
    );
  });
});
