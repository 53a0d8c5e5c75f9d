import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import type { ImportOptions } from "../../../../../shared/contract/methods.ts";
import { en } from "../../../../../shared/i18n/en.ts";
import { zhCN } from "../../../../../shared/i18n/zh-CN.ts";
import { telemetryFormats } from "../../../../../main/engine/formats/telemetry/index.ts";
import type { OpenLedger } from "../../../../../main/engine/store/open.ts";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import { devicesOf, readText } from "../../import/read-log.ts";

/**
 * What every format owes to files that are saved otherwise, or spoiled: the same log in another encoding is the same log; a spoiled one is
 * read or refused in words of both languages, its values lie within bounds, and what was there before is untouched.
 */
const isThorough = process.env["GPU_LEDGER_THOROUGH"] === "1";
const patience = isThorough ? 600_000 : 20_000;
const root = join(import.meta.dirname, "../../../../fixtures/telemetry");
const fixtures = telemetryFormats.flatMap(({ id }) => {
  const folder = join(root, id);
  return readdirSync(folder)
    .filter((file) => !file.endsWith(".expected.json"))
    .map((file) => ({ name: `${id}/${file}`, file, content: readFileSync(join(folder, file)), options: (JSON.parse(readFileSync(join(folder, file.replace(/\.[a-z]+$/, ".expected.json")), "utf8")) as { readonly options: ImportOptions }).options }));
});
const isUtf8 = ({ content }: { readonly content: Buffer }): boolean => content[0] !== 0xff && content[0] !== 0xfe && Buffer.from(content.toString("utf8"), "utf8").equals(content);

const ledger = openMemoryLedger();
afterAll(() => ledger.close());

/** The reading, or the error, without what depends on the file's bytes. */
async function readingOf(content: Uint8Array, options: ImportOptions, file: string): Promise<unknown> {
  ledger.db.exec("DELETE FROM gpu_trace; DELETE FROM device; DELETE FROM batch");
  const read = await readText(ledger, content, options, file);
  const series = devicesOf(ledger);
  if (!read.ok) return read.error;
  const { rowsRead, rowsPosted, rowsSetAside, repairs, hasGpuSeries, telemetry } = read.value;
  return { rowsRead, rowsPosted, rowsSetAside, repairs, hasGpuSeries, telemetry, series };
}

describe.each(fixtures.filter(isUtf8))("$name, saved otherwise", ({ file, content, options }) => {
  const text = content.toString("utf8").replace(/^\ufeff/, "");
  const windows = text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n");
  it("says the same", async () => {
    const as = (reading: unknown): unknown => JSON.parse(JSON.stringify(reading).replaceAll(".gz", ""));
    const whole = as(await readingOf(content, options, file));
    expect(as(await readingOf(Buffer.from(windows), options, file)), "line ends of Windows").toEqual(whole);
    expect(as(await readingOf(Buffer.from(`\ufeff${text}`), options, file)), "a mark of UTF-8").toEqual(whole);
    expect(as(await readingOf(Buffer.from(`\ufeff${windows}`, "utf16le"), options, file)), "as PowerShell redirects it").toEqual(whole);
    expect(as(await readingOf(Buffer.from(`\ufeff${text}`, "utf16le").swap16(), options, file)), "UTF-16 the other way round").toEqual(whole);
    expect(as(await readingOf(gzipSync(content), options, `${file}.gz`)), "a gz").toEqual(whole);
  }, patience);
});

const spoiledNumbers = ["-1", "-0.5", "100.5", "101", "1e9", "NaN", "+Inf", "-Inf", "null", "", "N/A", "[Not Supported]", "0x1F", "１２", "12 ℃", "9223372036854775794", "140737488355328", "4294967295", "2147483634", "1".repeat(400), "12,5", "1.000"];

describe.each(fixtures)("$name, spoiled", ({ file, content, options }) => {
  const text = content.toString("latin1");
  const numbers = [...text.matchAll(/\d+(?:\.\d+)?/g)].map(({ index, 0: number }) => ({ at: index, length: number.length }));
  const lines = text.split("\n");

  const exchanged = fc.array(fc.tuple(fc.nat({ max: Math.max(0, numbers.length - 1) }), fc.constantFrom(...spoiledNumbers)), { minLength: 1, maxLength: 8 }).map((changes) => {
    let spoiled = text;
    for (const [which, number] of [...new Map(changes)].sort(([one], [other]) => other - one)) {
      const place = numbers[which];
      if (place !== undefined) spoiled = spoiled.slice(0, place.at) + Buffer.from(number, "utf8").toString("latin1") + spoiled.slice(place.at + place.length);
    }
    return spoiled;
  });
  const disordered = fc.array(fc.tuple(fc.constantFrom("twice", "gone", "swapped", "halved", "blank", "header"), fc.nat({ max: lines.length - 1 })), { minLength: 1, maxLength: 6 }).map((changes) => {
    const spoiled = [...lines];
    for (const [change, at] of changes) {
      const line = spoiled[at] ?? "";
      if (change === "twice") spoiled.splice(at, 0, line);
      else if (change === "gone") spoiled.splice(at, 1);
      else if (change === "swapped") spoiled.splice(at, 2, spoiled[at + 1] ?? "", line);
      else if (change === "halved") spoiled[at] = line.slice(0, line.length >> 1);
      else spoiled.splice(at, 0, change === "blank" ? "" : (lines[0] ?? ""));
    }
    return spoiled.join("\n");
  });
  const overlapping = fc.nat({ max: lines.length }).map((from) => `${text}${lines.slice(from).join("\n")}`);

  it("is read or refused in words, within bounds, and spoils nothing else", async () => {
    ledger.db.exec("DELETE FROM gpu_trace; DELETE FROM device; DELETE FROM batch");
    await readText(ledger, content, options, file);
    const first = ledger.db.prepare("SELECT max(BatchId) FROM batch").pluck().get() as number;
    const before = tracesOf(ledger, first);
    const dropLater = ledger.db.prepare("DELETE FROM batch WHERE BatchId > ?");
    const dropTraces = ledger.db.prepare("DELETE FROM gpu_trace WHERE BatchId > ?");
    await fc.assert(
      fc.asyncProperty(fc.oneof(exchanged, disordered, overlapping), async (spoiled) => {
        dropTraces.run(first);
        dropLater.run(first);
        const read = await readText(ledger, Buffer.from(spoiled, "latin1"), options, file);
        expect(tracesOf(ledger, first)).toEqual(before);
        if (!read.ok) {
          expect(wordless([`error.${read.error.code}.what`, `error.${read.error.code}.todo`])).toEqual([]);
          return;
        }
        const { rowsRead, rowsPosted, rowsSetAside, repairs, setAside } = read.value;
        expect(rowsPosted + rowsSetAside).toBeLessThanOrEqual(rowsRead);
        expect(wordless([...Object.keys(repairs).map((name) => `imports.repair.${name}`), ...setAside.map(({ reason }) => `expected.${reason}`)])).toEqual([]);
        for (const { traces } of devicesOf(ledger)) {
          for (const [metric, segments] of Object.entries(traces)) {
            const most = metric === "memory-used" ? 1_048_576 : metric === "power" || metric === "counted-power" ? 3000 : 100;
            for (const [, seconds, value] of segments) expect(value >= 0 && value <= most && seconds >= 0 && seconds <= 86_400).toBe(true);
          }
        }
      }),
      { numRuns: isThorough ? 200 : 8 },
    );
  }, patience);
});

/** What a batch holds. */
function tracesOf({ db }: OpenLedger, batchId: number): readonly unknown[] {
  return db.prepare("SELECT DeviceId, Metric, Day, SampleCount, hex(Segments) AS segments FROM gpu_trace WHERE BatchId = ? ORDER BY DeviceId, Metric, Day").all(batchId);
}

/** Keys that a catalog lacks. */
function wordless(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => !(key in en) || !(key in zhCN));
}
