import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { besideScan, type Producer } from "../../../../../main/engine/import/scan/beside.ts";
import type { KernelTables } from "../../../../../main/engine/import/scan/kernel.ts";
import type { Production } from "../../../../../main/engine/import/scan/produce.ts";
import { createTextOf, MAX_RECORD_BYTES, scanRecords, textsOf, type RecordScan } from "../../../../../main/engine/import/scan/records.ts";
import { openSource, type SourceOptions } from "../../../../../main/engine/import/scan/source.ts";
import { startHere } from "./beside-here.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-beside-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Three columns, the last one an amount; nothing else is asked of a row. */
const tables: KernelTables = { ranges: Int32Array.from([0, 1]), lists: new Int32Array(0), rows: { columns: 3, mark: 46, startColumn: -1, endColumn: -1, cells: Int32Array.from([2, 0]), slots: 1 } };

interface Seen {
  readonly records: readonly (readonly unknown[])[];
  readonly oversize: readonly (readonly unknown[])[];
}

/** What a reader sees of all records, those that come as rows found again one by one. */
function watcher(onBuffer: () => boolean = () => true) {
  const textOf = createTextOf("utf-8");
  const seen = { records: [] as unknown[][], oversize: [] as unknown[][] };
  const note = (scan: RecordScan): boolean => {
    seen.records.push([...textsOf(scan, textOf), scan.line, scan.record, scan.byte, scan.isUnterminated]);
    return true;
  };
  return {
    seen: seen as Seen,
    reader: {
      onRecord: note,
      onOversize: ({ line, record }: { readonly line: number; readonly record: number }) => void seen.oversize.push([line, record]),
      onBuffer,
      rows: {
        tables: () => tables,
        onRows(rows: { readonly count: number; recordOf(row: number): RecordScan }) {
          for (let row = 0; row < rows.count; row += 1) note(rows.recordOf(row));
          return 0;
        },
      },
    },
  };
}

function optionsFor(path: string, compression: "gzip" | null = null): SourceOptions {
  return { path, compression, encoding: "utf-8", markLength: 0, isHashed: true };
}

async function inline(source: SourceOptions): Promise<Seen> {
  const { seen, reader } = watcher();
  const opened = await openSource(source);
  await scanRecords(opened, { delimiter: 44 }, { ...reader, rows: null });
  await opened.close();
  return seen;
}

describe("reading ahead of a scan", () => {
  it("finds the records that a scan finds, with line, ordinal and byte, whatever the ring's size", async () => {
    const path = join(folder, "any.csv");
    const piece = fc.oneof({ weight: 4, arbitrary: fc.constantFrom("a,b,1\n", 'x,"y, ""z""",2.5\n', '"q\nr",s,3\r\n', "\n", "a,b\n", ",,\n", "a,b,1,2\n") }, fc.constantFrom(",", '"', "\n", "a", "资源,b,1\n", "long".repeat(40)));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 80 }), fc.constantFrom(64, 200, 4096), async (pieces, bufferSize) => {
        const text = pieces.join("");
        writeFileSync(path, text);
        const { seen, reader } = watcher();
        const scan = besideScan(optionsFor(path), { delimiter: 44, bufferSize }, startHere);
        await scan.scan(reader);
        expect(seen).toEqual(await inline(optionsFor(path)));
        expect(scan.sha256()).toBe(createHash("sha256").update(text).digest("hex"));
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  it("hands over rows of one byte a cell by the ten thousand, and what follows a record that is too long to gather", async () => {
    const path = join(folder, "tiny.csv");
    writeFileSync(path, `${"a,b,1\n".repeat(40_000)}c,${"x".repeat(MAX_RECORD_BYTES + 9)},1\n${"a,b,1\n".repeat(2500)}last,b,1`);
    const { seen, reader } = watcher();
    await besideScan(optionsFor(path), { delimiter: 44 }, startHere).scan(reader);
    expect(seen.records.length).toBe(42_501);
    expect(seen.oversize).toEqual([[40_001, 40_001]]);
    expect(seen).toEqual(await inline(optionsFor(path)));
  }, 120_000);

  it("in a thread of its own: a gz too, and one that was cut is truncated", async () => {
    const path = join(folder, "bill.csv.gz");
    const whole = gzipSync(Array.from({ length: 50_000 }, (_, index) => `i-${index},b,${index}.25\n`).join(""));
    writeFileSync(path, whole);
    const { seen, reader } = watcher();
    const scan = besideScan(optionsFor(path, "gzip"), { delimiter: 44 });
    await scan.scan(reader);
    expect(seen).toEqual(await inline(optionsFor(path, "gzip")));
    expect(scan.sha256()).toBe(createHash("sha256").update(whole).digest("hex"));
    expect(scan.bytesTaken()).toBe(whole.length);
    writeFileSync(path, whole.subarray(0, whole.length >> 1));
    await expect(besideScan(optionsFor(path, "gzip"), { delimiter: 44 }).scan(watcher().reader)).rejects.toMatchObject({ failure: "truncated" });
  }, 120_000);

  it("a file that is gone is unreadable", async () => {
    await expect(besideScan(optionsFor(join(folder, "gone.csv")), { delimiter: 44 }).scan(watcher().reader)).rejects.toMatchObject({ failure: "unreadable" });
  }, 120_000);

  /** The thread, to be looked at. */
  function watched(): { readonly start: (production: Production) => Producer; readonly threads: Worker[] } {
    const threads: Worker[] = [];
    return {
      threads,
      start(production) {
        const thread = new Worker(new URL("../../../../../main/engine/import/scan/rows-thread.ts", import.meta.url), { workerData: production });
        threads.push(thread);
        return thread;
      },
    };
  }

  it("ends with its thread when the reader wants no more, and fails when the thread is killed; nothing hangs", async () => {
    const path = join(folder, "long.csv");
    writeFileSync(path, "resource,b,1.5\n".repeat(400_000));
    const cancelled = watched();
    let buffers = 0;
    const { seen, reader } = watcher(() => (buffers += 1) < 3);
    await besideScan(optionsFor(path), { delimiter: 44 }, cancelled.start).scan(reader);
    expect(seen.records.length).toBeGreaterThan(0);
    expect(seen.records.length).toBeLessThan(400_000);
    expect(cancelled.threads.map(({ threadId }) => threadId)).toEqual([-1]);

    const killed = watched();
    const other = watcher(() => {
      void killed.threads[0]?.terminate();
      return true;
    });
    await expect(besideScan(optionsFor(path), { delimiter: 44 }, killed.start).scan(other.reader)).rejects.toThrow("ended");
  }, 120_000);
});
