import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTextOf, MAX_RECORD_BYTES, scanRecords, textsOf } from "../../../../../main/engine/import/scan/records.ts";
import { memorySource } from "../../../../../main/engine/import/sniff.ts";

interface Seen {
  readonly cells: readonly string[];
  readonly line: number;
  readonly record: number;
  readonly byte: number;
  readonly isUnterminated: boolean;
}

async function scanned(text: string | Uint8Array, { delimiter = ",", bufferSize }: { readonly delimiter?: string; readonly bufferSize?: number } = {}): Promise<{ records: Seen[]; oversize: number[] }> {
  const records: Seen[] = [];
  const oversize: number[] = [];
  const textOf = createTextOf("utf-8");
  await scanRecords(memorySource(typeof text === "string" ? Buffer.from(text) : text), { delimiter: delimiter.charCodeAt(0), ...(bufferSize === undefined ? {} : { bufferSize }) }, {
    onRecord(scan) {
      records.push({ cells: textsOf(scan, textOf), line: scan.line, record: scan.record, byte: scan.byte, isUnterminated: scan.isUnterminated });
      return true;
    },
    onOversize: ({ line }) => void oversize.push(line),
  });
  return { records, oversize };
}

describe("finding records in bytes", () => {
  it("knows line, record and byte of each, through quotes, doubled quotes, line ends inside quotes and blank lines", async () => {
    const { records } = await scanned('a,b\r\n\r\n"x, ""y""\nz",2\n3,"4"');
    expect(records).toEqual([
      { cells: ["a", "b"], line: 1, record: 1, byte: 0, isUnterminated: false },
      { cells: ['x, "y"\nz', "2"], line: 3, record: 2, byte: 7, isUnterminated: false },
      { cells: ["3", "4"], line: 5, record: 3, byte: 22, isUnterminated: false },
    ]);
  });

  it("a quote within an unquoted cell is a quote", async () => {
    expect((await scanned('5" disk,ok\nnext,1\n')).records.map(({ cells }) => cells)).toEqual([['5" disk', "ok"], ["next", "1"]]);
  });

  it("says when the file ends inside quotes", async () => {
    expect((await scanned('a,"b\nc,d')).records).toMatchObject([{ isUnterminated: true }]);
  });

  it("reads a table as csv-parse does, whatever the buffer's size, the line ends and the delimiter", async () => {
    const cell = fc.oneof(fc.constant(""), fc.stringMatching(/^[ -~]{0,12}$/), fc.string({ unit: "grapheme", maxLength: 8 }), fc.constantFrom('"', '""', ",", "\n", 'a"b', "\r\n", "日本,語"));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }).chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 })),
        fc.constantFrom("\n", "\r\n"),
        fc.constantFrom(",", ";", "\t", "|"),
        fc.constantFrom(16, 64, 65, 100, 4096),
        fc.boolean(),
        async (rows, lineEnd, delimiter, bufferSize, hasLastEnd) => {
          const quoted = rows.map((row) => row.map((text) => (/[",;|\t\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text)).join(delimiter));
          const text = quoted.join(lineEnd) + (hasLastEnd ? lineEnd : "");
          const expected = parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true, record_delimiter: ["\n", "\r\n"] });
          expect((await scanned(text, { delimiter, bufferSize })).records.map(({ cells }) => cells)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("never fails, wherever the file is cut", async () => {
    const text = 'a,b,c\r\n"1, ""2""",3,"4\n5"\r\n6,7,8\n"';
    for (let end = 0; end <= text.length; end += 1) {
      for (const bufferSize of [16, 4096]) {
        const { records } = await scanned(text.slice(0, end), { bufferSize });
        expect(records.length).toBeLessThanOrEqual(4);
      }
    }
  });

  it("reads past a record over the limit, and on from the next", async () => {
    const long = Buffer.alloc(MAX_RECORD_BYTES + 100, "x");
    const text = Buffer.concat([Buffer.from('a,b\n"long,\n'), long, Buffer.from('",2\nc,d\n')]);
    const { records, oversize } = await scanned(text);
    expect(oversize).toEqual([2]);
    expect(records.map(({ cells, line, record }) => ({ cells, line, record }))).toEqual([
      { cells: ["a", "b"], line: 1, record: 1 },
      { cells: ["c", "d"], line: 4, record: 3 },
    ]);
  });
});
